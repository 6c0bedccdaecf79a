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
//!    fog         nobody sees far, and everybody listens                          twist/fog
//!    dogs        hounds instead of watchmen                                      generate/twists/dogs
//! ```
//!
//! No twist comes twice in a keep. On the first floor are only those that make nothing harder there: the
//! table's `twists.opening`. The drawn floor that stands behind all seeds has none.

pub(crate) mod changing;
pub(crate) mod fog;
pub(crate) mod prisoner;
pub(crate) mod rival;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::{GameEvent, Rules, World, generate};

/// What is other on a floor than its theme says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Twist {
    /// Water stands in rooms and ways.
    Flooded,
    /// No lamp burns; sentries carry lanterns.
    Blackout,
    /// Now and then posts and patrols change places.
    ChangingOfTheGuard,
    /// More lamps, and fewer who are awake.
    Festival,
    /// Someone is locked up who would rather be free.
    Prisoner,
    /// Another thief is here.
    Rival,
    /// Nobody sees far.
    Fog,
    /// Hounds run instead of watchmen.
    DogsLoose,
}

impl Twist {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Flooded,
        Self::Blackout,
        Self::ChangingOfTheGuard,
        Self::Festival,
        Self::Prisoner,
        Self::Rival,
        Self::Fog,
        Self::DogsLoose,
    ];

    /// As a title.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flooded => "flooded",
            Self::Blackout => "blackout",
            Self::ChangingOfTheGuard => "changing of the guard",
            Self::Festival => "festival lamps",
            Self::Prisoner => "a prisoner",
            Self::Rival => "a rival thief",
            Self::Fog => "fog",
            Self::DogsLoose => "dogs loose",
        }
    }

    /// What is noticed on the way in, as a sentence or two.
    pub const fn on_entering(self) -> &'static str {
        match self {
            Self::Flooded => "Water stands on this floor. It is loud, and keeps no scent.",
            Self::Blackout => "Not a lamp burns here. The sentries carry lanterns.",
            Self::ChangingOfTheGuard => {
                "A roster hangs here: the guard is changed again and again."
            }
            Self::Festival => {
                "Festival lamps: there is more light than ever, and many have gone to bed drunk."
            }
            Self::Prisoner => "Someone knocks on iron, far off: a prisoner.",
            Self::Rival => "A lock is scratched, and not by you: another thief is here.",
            Self::Fog => "Fog: nobody sees far here, and all listen the more.",
            Self::DogsLoose => "Paw prints everywhere: the dogs are loose.",
        }
    }

    /// What is noticed when it makes itself felt later; none if it does not.
    pub const fn on_stirring(self) -> Option<&'static str> {
        match self {
            Self::ChangingOfTheGuard => Some("The guard is changed."),
            Self::Rival => Some("The other thief has been faster."),
            Self::Prisoner => Some(
                "The prisoner is free. He tells you the ways of this floor, and will wait at the gate.",
            ),
            _ => None,
        }
    }

    /// The twist of a floor by the table, none if the table knows of none: the same that
    /// [`Floor::generate`](crate::floor::Floor::generate) builds in.
    pub fn of_floor(rules: &Rules, seed: u64, depth: usize) -> Option<Self> {
        generate::twists::draw(rules, seed, depth)
    }
}

/// Says what is noticed on this floor.
pub(crate) fn announce(world: &mut World) {
    if let Some(twist) = world.floor().twist {
        world.tell(GameEvent::Twist {
            twist,
            stirs: false,
        });
    }
}

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
