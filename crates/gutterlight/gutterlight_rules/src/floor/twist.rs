//! The names and texts of twists. Their effects in play are in [`twist`](crate::twist).

use serde::{Deserialize, Serialize};

/// A twist: something about a floor that differs from its theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Twist {
    /// Water covers rooms and corridors.
    Flooded,
    /// No lamp burns, and sentries carry lanterns.
    Blackout,
    /// From time to time, posts and patrols change places.
    ChangingOfTheGuard,
    /// More lamps, and fewer guards who are awake.
    Festival,
    /// A prisoner can be freed.
    Prisoner,
    /// Another thief takes treasures.
    Rival,
    /// No one sees far, and everyone hears better.
    Fog,
    /// Hounds replace some of the watchmen.
    DogsLoose,
}

impl Twist {
    /// All twists, in declaration order.
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

    /// The name in English.
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

    /// The text for when the thief enters the floor: one or two sentences.
    pub const fn on_entering(self) -> &'static str {
        match self {
            Self::Flooded => {
                "The floor is under water. Every step splashes, but water holds no scent."
            }
            Self::Blackout => "Not a single lamp is burning here. The sentries carry lanterns.",
            Self::ChangingOfTheGuard => {
                "A duty roster hangs by the stairs. The guard changes often here."
            }
            Self::Festival => {
                "Festival lamps hang everywhere, and many of the guards are in bed drunk."
            }
            Self::Prisoner => "Somewhere a fist beats on iron. There is a prisoner on this floor.",
            Self::Rival => {
                "Someone is scratching at a lock, and it isn't you. There is another thief here."
            }
            Self::Fog => "Fog. No one sees far in here, so everyone listens harder.",
            Self::DogsLoose => "Paw prints everywhere. The dogs are loose.",
        }
    }

    /// The text for when the twist does something later, or `None` if it never does.
    pub const fn on_stirring(self) -> Option<&'static str> {
        match self {
            Self::ChangingOfTheGuard => Some("The guard is changing."),
            Self::Rival => Some("The other thief got there first."),
            Self::Prisoner => Some(
                "The prisoner is free. He tells you the layout of this floor and will wait at the gate.",
            ),
            _ => None,
        }
    }
}
