//! What is other on a floor than its theme says: the names of the twists. What they do in play is in
//! [`twist`](crate::twist).

use serde::{Deserialize, Serialize};

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
}
