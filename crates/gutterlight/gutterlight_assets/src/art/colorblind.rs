//! The two color palettes: the default one, and one for players who cannot distinguish red and
//! green.
//!
//! Shapes are distinct without colors. The second palette makes the colors distinct too. Signs,
//! items, figures and bars use the eight colors of Okabe and Ito, each with a ramp from dark to
//! light: red becomes vermillion, green becomes bluish green, violet becomes reddish purple. Gold,
//! blue and grays are distinct for everyone and stay. So do walls and floors, which differ by their
//! patterns.
//!
//! Masataka Okabe and Kei Ito, "Color Universal Design (CUD): How to make figures and presentations
//! that are friendly to colorblind people", 2002, revised 2008, <https://jfly.uni-koeln.de/color/>.

use gutterlight_rules::AlertState;

use super::palette::{BLUE, COLD, FLAME, GREEN, Ink, RED, VIOLET, WARM};

/// A color palette.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Palette {
    /// The default colors.
    #[default]
    Plain,
    /// The colors of Okabe and Ito.
    Colorblind,
}

/// Vermillion, from dark to light. The last is the original color.
pub const VERMILLION: [Ink; 3] = [[0x60, 0x2a, 0x0a], [0x9a, 0x42, 0x00], [0xd5, 0x5e, 0x00]];

/// Bluish green, from dark to light. The middle one is the original color.
pub const BLUISH: [Ink; 3] = [[0x00, 0x5a, 0x42], [0x00, 0x9e, 0x73], [0x5c, 0xd6, 0xb0]];

/// Reddish purple, from dark to light. The third is the original color.
pub const PURPLE: [Ink; 4] = [
    [0x52, 0x28, 0x40],
    [0x8e, 0x4c, 0x72],
    [0xcc, 0x79, 0xa7],
    [0xf2, 0xc8, 0xe0],
];

/// The original yellow and sky blue.
const YELLOW: Ink = [0xf0, 0xe4, 0x42];
const SKY: Ink = [0x56, 0xb4, 0xe9];

/// Ramps of the default palette, and their replacements.
const RAMPS: [(&[Ink], &[Ink]); 3] = [(&RED, &VERMILLION), (&GREEN, &BLUISH), (&VIOLET, &PURPLE)];

impl Palette {
    /// Returns [`Colorblind`](Self::Colorblind) if `wanted`, else [`Plain`](Self::Plain).
    pub const fn colorblind_if(wanted: bool) -> Self {
        match wanted {
            true => Self::Colorblind,
            false => Self::Plain,
        }
    }

    /// The color of the health bar.
    pub const fn health(self) -> Ink {
        match self {
            Self::Plain => [0xc7, 0x38, 0x33],
            Self::Colorblind => VERMILLION[2],
        }
    }

    /// The color of the nerve bar.
    pub const fn nerve(self) -> Ink {
        match self {
            Self::Plain => [0x73, 0x8c, 0xd9],
            Self::Colorblind => SKY,
        }
    }

    /// The color of the breath bar.
    pub const fn breath(self) -> Ink {
        match self {
            Self::Plain => [0x80, 0xb8, 0x6b],
            Self::Colorblind => YELLOW,
        }
    }

    /// The color of an alert state, which is the color of its sign.
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

    /// Maps a color of the default palette to this palette.
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
