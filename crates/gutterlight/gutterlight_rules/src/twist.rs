//! What is other on a floor than its theme says: one twist for each, drawn by the seed.
//!
//! Problem: two keeps differ in their plans, but a floor of the Chapel plays as every floor of the
//! Chapel does.
//!
//! Idea: each floor has one thing that changes what is wise on it. Each is a small file: those that
//! change what is built are in `generate/twists`, those that go on in play here.
//!
//! ```text
//!    flooded     water in rooms and ways: loud to wade, no scent is left        generate/twists/flooded
//!    blackout    no lamp burns, and sentries carry lanterns                      generate/twists/blackout
//!    changing    now and then posts and patrols change places                    twist/changing
//!    festival    lamps in more rooms, and more watchmen in bed                   generate/twists/festival
//!    prisoner    someone behind a lock, who knows the ways and goes with you     twist/prisoner
//!    rival       another thief: loot goes, lamps go out, noises draw guards      twist/rival
//!    fog         nobody sees far, and everybody listens                          fog
//!    dogs        hounds instead of watchmen                                      generate/twists/dogs
//! ```
//!
//! No twist comes twice in a keep. On the first floor are only those that make nothing harder there: the
//! table's `twists.opening`. The drawn floor that stands behind all seeds has none.

pub(crate) mod changing;
pub(crate) mod prisoner;
pub(crate) mod rival;
#[cfg(test)]
mod tests;

use crate::{GameEvent, Twist, World};

/// Says that a twist makes itself felt.
fn stir(world: &mut World, twist: Twist) {
    world.tell(GameEvent::Twist { twist, stirs: true });
}

/// Time passes.
pub(crate) fn go_on(world: &mut World, ticks: u16) {
    match world.floor().twist {
        Some(Twist::ChangingOfTheGuard) => changing::go_on(world, ticks),
        Some(Twist::Rival) => rival::go_on(world, ticks),
        _ => {}
    }
}

/// Whether a moment that comes again every so many ticks lies in those that have just passed.
fn is_time(world: &World, every: u32, ticks: u16) -> bool {
    let now = world.state.tick;
    now / every > now.saturating_sub(ticks.into()) / every
}
