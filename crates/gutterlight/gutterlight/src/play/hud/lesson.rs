//! The lessons of the opening.

use bevy::prelude::*;
use gutterlight_rules::View;

/// The key that skips the lessons, unless it is bound to a control.
pub const SKIP: KeyCode = KeyCode::Backspace;

/// The lessons, in order.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Lesson {
    Walk,
    /// The torch goes out by itself.
    Dark,
    LightTorch,
    SnuffTorch,
    Sneak,
    Look,
    Explore,
    #[default]
    Done,
}

/// The number of steps after which walking counts as learned.
pub const STEPS: u32 = 4;

impl Lesson {
    /// All lessons, in order.
    pub const ALL: [Self; 8] = [
        Self::Walk,
        Self::Dark,
        Self::LightTorch,
        Self::SnuffTorch,
        Self::Sneak,
        Self::Look,
        Self::Explore,
        Self::Done,
    ];

    /// The name in the log of a suspended game.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Dark => "dark",
            Self::LightTorch => "light-torch",
            Self::SnuffTorch => "snuff-torch",
            Self::Sneak => "sneak",
            Self::Look => "look",
            Self::Explore => "explore",
            Self::Done => "",
        }
    }

    /// The lesson with this name. Unknown names mean that no lesson is due.
    pub fn of_name(name: &str) -> Self {
        let named = |lesson: &Self| lesson.name() == name;
        Self::ALL.into_iter().find(named).unwrap_or_default()
    }

    /// The first lesson that can be due at this moment of a game with the opening.
    pub fn at(view: View<'_>) -> Self {
        match () {
            () if view.wick_is_wet() => Self::Dark,
            () if view.turn() > STEPS => Self::LightTorch,
            () => Self::Walk,
        }
    }

    /// The lesson after this one.
    pub fn next(self) -> Self {
        let mut later = Self::ALL.into_iter().skip_while(|other| *other != self);
        later.nth(1).unwrap_or_default()
    }
}
