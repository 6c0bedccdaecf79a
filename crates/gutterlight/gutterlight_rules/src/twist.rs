//! Twists: one special condition for each floor, drawn from the seed.
//!
//! Problem: two keeps have different layouts, but every floor of the same theme plays alike.
//!
//! Idea: a twist changes which tactics work on its floor. Each twist is a small file. Those that
//! change the generated floor are in `generate/twists`, and those that act during play are here.
//!
//! ```text
//!    flooded     water in rooms and corridors: loud, and holds no scent   generate/twists/flooded
//!    blackout    no lamp burns, and sentries carry lanterns               generate/twists/blackout
//!    changing    now and then, posts and patrols change places            twist/changing
//!    festival    lamps in more rooms, and more sleeping watchmen          generate/twists/festival
//!    prisoner    locked up; knows the floor, and waits at the gate        twist/prisoner
//!    rival       another thief takes loot, douses lamps, and makes noise  twist/rival
//!    fog         no one sees far, and guards hear better                  fog
//!    dogs        hounds instead of watchmen                               generate/twists/dogs
//! ```
//!
//! No twist occurs twice in a keep. The first floor only has twists that do not make it harder,
//! listed in `twists.opening` of the rules. The drawn fallback floor has no twist.

pub(crate) mod changing;
pub(crate) mod prisoner;
pub(crate) mod rival;
#[cfg(test)]
mod tests;

use crate::{GameEvent, Twist, World};

/// Reports that a twist did something.
fn stir(world: &mut World, twist: Twist) {
    world.emit(GameEvent::Twist { twist, stirs: true });
}

/// Lets time pass for the twist of this floor.
pub(crate) fn go_on(world: &mut World, ticks: u16) {
    match world.floor().twist {
        Some(Twist::ChangingOfTheGuard) => changing::go_on(world, ticks),
        Some(Twist::Rival) => rival::go_on(world, ticks),
        _ => {}
    }
}

/// Whether a multiple of `every` ticks is within the last `ticks` ticks.
fn is_time(world: &World, every: u32, ticks: u16) -> bool {
    let now = world.state.tick;
    now / every > now.saturating_sub(ticks.into()) / every
}
