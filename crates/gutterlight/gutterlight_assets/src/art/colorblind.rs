//! Two sets of colors for what must be told apart: the game's own, and one for eyes to which
//! red and green look alike.
//!
//! Shapes tell everything apart by themselves; this is for those who want the colors to, too.
//! Signs, things, figures and bars take their colors from the eight of Okabe and Ito, each
//! with its ramp of dark and light: red becomes vermillion, green becomes bluish green, violet
//! becomes reddish purple. Gold, blue and grays differ for everybody and stay. So do walls and
//! floors, which are told apart by their patterns.
//!
//! Masataka Okabe and Kei Ito, "Color Universal Design (CUD): How to make figures and
//! presentations that are friendly to colorblind people", 2002, revised 2008,
//! <https://jfly.uni-koeln.de/color/>.

use gutterlight_rules::AlertState;

use super::palette::{BLUE, COLD, FLAME, GREEN, Ink, RED, VIOLET, WARM};

/// Which colors things are told apart by.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Palette {
    /// The game's own.
    #[default]
    Plain,
    /// Those of Okabe and Ito.
    Colorblind,
}

/// Vermillion, from dark to light; the last is the authors' own.
pub const VERMILLION: [Ink; 3] = [[0x60, 0x2a, 0x0a], [0x9a, 0x42, 0x00], [0xd5, 0x5e, 0x00]];

/// Bluish green, from dark to light; the middle one is the authors' own.
pub const BLUISH: [Ink; 3] = [[0x00, 0x5a, 0x42], [0x00, 0x9e, 0x73], [0x5c, 0xd6, 0xb0]];

/// Reddish purple, from dark to light; the third is the authors' own.
pub const PURPLE: [Ink; 4] = [
    [0x52, 0x28, 0x40],
    [0x8e, 0x4c, 0x72],
    [0xcc, 0x79, 0xa7],
    [0xf2, 0xc8, 0xe0],
];

/// The authors' yellow and sky blue.
const YELLOW: Ink = [0xf0, 0xe4, 0x42];
const SKY: Ink = [0x56, 0xb4, 0xe9];

/// Ramps of the plain palette, and what they become.
const RAMPS: [(&[Ink], &[Ink]); 3] = [(&RED, &VERMILLION), (&GREEN, &BLUISH), (&VIOLET, &PURPLE)];

impl Palette {
    /// [`Colorblind`](Self::Colorblind) if it is wanted.
    pub const fn colorblind_if(wanted: bool) -> Self {
        match wanted {
            true => Self::Colorblind,
            false => Self::Plain,
        }
    }

    /// The color of the bar of health.
    pub const fn health(self) -> Ink {
        match self {
            Self::Plain => [0xc7, 0x38, 0x33],
            Self::Colorblind => VERMILLION[2],
        }
    }

    /// The color of the bar of nerve.
    pub const fn nerve(self) -> Ink {
        match self {
            Self::Plain => [0x73, 0x8c, 0xd9],
            Self::Colorblind => SKY,
        }
    }

    /// The color of the bar of breath.
    pub const fn breath(self) -> Ink {
        match self {
            Self::Plain => [0x80, 0xb8, 0x6b],
            Self::Colorblind => YELLOW,
        }
    }

    /// The color of an alert state: that of its sign.
    pub const fn alert_state(self, alert_state: AlertState) -> Ink {
        match (alert_state, self) {
            (AlertState::Calm, _) => COLD[4],
            (AlertState::Suspicious, _) => FLAME[3],
            (AlertState::Investigating, _) => FLAME[2],
            (AlertState::Searching, Self::Plain) => FLAME[1],
            (AlertState::Searching, Self::Colorblind) => BLUISH[1],
            (AlertState::Chasing, Self::Plain) => RED[2],
            (AlertState::Chasing, Self::Colorblind) => VERMILLION[2],
            (AlertState::Fleeing, _) => BLUE[2],
            (AlertState::Unconscious, Self::Plain) => VIOLET[3],
            (AlertState::Unconscious, Self::Colorblind) => PURPLE[3],
            (AlertState::Dead, _) => WARM[5],
        }
    }

    /// What an ink becomes where colors say something.
    pub(super) fn ink(self, ink: Ink) -> Ink {
        if self == Self::Plain {
            return ink;
        }
        let ramps = RAMPS.into_iter();
        let mut inks = ramps.flat_map(|(from, to)| from.iter().zip(to));
        inks.find(|(from, _)| **from == ink)
            .map_or(ink, |(_, to)| *to)
    }
}
