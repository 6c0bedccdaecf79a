//! The dark over the ground: how well each place is seen, softly from cell to cell.
//!
//! Problem: sight ends at cells, and a lit room that ends in square steps looks like a plan.
//!
//! Idea: the dark is drawn over the ground, in the ground's own pictures, and is given at the corners of half
//! cells: in the middle of a cell as the cell is seen, between cells as the darkest of them. So it
//! begins in the cells in sight, and never shows what lies beyond them.
//!
//! ```text
//!      seen  | remembered | unknown
//!    0 . . 1 | 1 . 1 . 1  | 1            how opaque the dark is
//!    1 . . 1 | 1 . 1 . 0  | 0            how bright what is remembered is drawn in it
//! ```

use bevy::prelude::*;
use gutterlight_assets::art::Picture;
use lanternfell_stealth::{LightBand, Sight, View};

use crate::play::{
    place::{self, CELL},
    scene::{afterglow::Afterglow, sheet::Pictures, sheet::Sheet},
};

/// What is remembered: moonlight without a moon. Linear, for each of the pictures' colors.
const REMEMBERED: Vec3 = Vec3::new(0.038, 0.056, 0.112);

/// What hands feel in the dark, which eyes can not see.
const FELT: Vec3 = Vec3::new(0.16, 0.19, 0.25);

/// How opaque the dark is there: light that dies is seen through it.
const FELT_OPAQUE: f32 = 0.6;

/// What is dark in one cell.
#[derive(Clone, Copy, PartialEq)]
struct Shade {
    /// How opaque, from 0 in the light to 1.
    opaque: f32,
    /// How bright, from 0 where nothing is known to 1.
    known: f32,
    /// How much of it hands feel, from 0, where it is remembered, to 1.
    felt: f32,
}

impl Shade {
    const UNKNOWN: Self = Self {
        opaque: 1.0,
        known: 0.0,
        felt: 0.0,
    };

    /// Between cells it is as dark as in the darker one.
    fn and(self, other: Self) -> Self {
        Self {
            opaque: self.opaque.max(other.opaque),
            known: self.known.min(other.known),
            felt: self.felt.min(other.felt),
        }
    }

    fn lerp(self, other: Self, part: f32) -> Self {
        Self {
            opaque: self.opaque.lerp(other.opaque, part),
            known: self.known.lerp(other.known, part),
            felt: self.felt.lerp(other.felt, part),
        }
    }
}

/// The dark over a floor.
pub struct Veil {
    size: IVec2,
    shades: Vec<Shade>,
}

impl Veil {
    /// As the floor is seen now.
    pub fn of(view: View<'_>, glow: &Afterglow, is_backside: impl Fn(IVec2) -> bool) -> Self {
        let size = view.size();
        let cells = (0..size.y).flat_map(|y| (0..size.x).map(move |x| IVec2::new(x, y)));
        let shade = |at: IVec2| {
            let (opaque, felt) = match (view.sight(at), view.band(at)) {
                (Sight::Unknown, _) => return Shade::UNKNOWN,
                (Sight::Seen, Some(LightBand::Hidden)) => (FELT_OPAQUE, 1.0),
                (Sight::Seen, _) if !is_backside(at) => (0.0, 0.0),
                _ => (1.0 - glow.part(at), 0.0),
            };
            // When the torch of the opening has gone out, nothing is remembered for a while.
            let known = if view.wick_is_wet() { 0.0 } else { 1.0 };
            Shade {
                opaque,
                known,
                felt,
            }
        };
        Self {
            size,
            shades: cells.map(shade).collect(),
        }
    }

    fn cell(&self, at: IVec2) -> Shade {
        let inside = at.cmpge(IVec2::ZERO).all() && at.cmplt(self.size).all();
        let place = at.y * self.size.x + at.x;
        let shade = inside.then(|| self.shades.get(place as usize)).flatten();
        shade.copied().unwrap_or(Shade::UNKNOWN)
    }

    /// At a corner of half cells, in half cells from the middle of the first one.
    fn corner(&self, half: IVec2) -> Shade {
        let low = half.div_euclid(IVec2::splat(2));
        let odd = half.rem_euclid(IVec2::splat(2));
        let mut shade = self.cell(low);
        for beside in [
            IVec2::new(odd.x, 0),
            IVec2::new(0, odd.y),
            IVec2::new(odd.x, odd.y),
        ] {
            shade = shade.and(self.cell(low + beside));
        }
        shade
    }

    /// At a place given in cells.
    fn at(&self, cell: Vec2) -> Shade {
        let half = cell * 2.0;
        let low = half.floor();
        let (corner, part) = (low.as_ivec2(), half - low);
        let row = |y: i32| {
            let left = self.corner(corner + IVec2::new(0, y));
            left.lerp(self.corner(corner + IVec2::new(1, y)), part.x)
        };
        row(0).lerp(row(1), part.y)
    }

    /// Whether a cell and all between it and its neighbors are in the light.
    pub fn is_clear(&self, at: IVec2) -> bool {
        let around = (-1..=1).flat_map(|y| (-1..=1).map(move |x| IVec2::new(x, y)));
        let mut shades = around.map(|way| self.corner(2 * at + way));
        shades.all(|shade| shade.opaque == 0.0)
    }

    /// Draws a picture in the dark over its cell.
    pub fn draw(&self, onto: &mut Pictures, sheet: &Sheet, picture: Picture, at: IVec2) {
        let place = place::of(at.as_vec2(), self.size);
        onto.add_shaded(sheet, picture, place, |within| {
            // Rows go down, and the world's places up.
            let cell = at.as_vec2() + within * Vec2::new(1.0, -1.0) / CELL;
            let shade = self.at(cell);
            let tint = REMEMBERED.lerp(FELT, shade.felt);
            (tint * shade.known).extend(shade.opaque).to_array()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEN: Shade = Shade {
        opaque: 0.0,
        known: 1.0,
        felt: 0.0,
    };
    const DARK: Shade = Shade {
        opaque: 1.0,
        known: 1.0,
        felt: 0.0,
    };
    const TOUCHED: Shade = Shade {
        opaque: FELT_OPAQUE,
        known: 1.0,
        felt: 1.0,
    };

    /// Seen, seen, remembered, and unknown beyond.
    fn row() -> Veil {
        Veil {
            size: IVec2::new(3, 1),
            shades: vec![SEEN, SEEN, DARK],
        }
    }

    fn opaque(veil: &Veil, x: f32) -> f32 {
        veil.at(Vec2::new(x, 0.0)).opaque
    }

    #[test]
    fn what_is_seen_is_clear_in_its_middle_and_dark_where_sight_ends() {
        let veil = row();
        assert_eq!(opaque(&veil, 0.0), 0.0);
        assert_eq!(opaque(&veil, 0.5), 0.0);
        assert_eq!(opaque(&veil, 1.25), 0.5);
        assert_eq!(opaque(&veil, 1.5), 1.0);
        assert!(
            !veil.is_clear(IVec2::new(0, 0)),
            "above it nothing is known"
        );
    }

    #[test]
    fn nothing_beyond_sight_shows_through() {
        let veil = row();
        for step in 0..=40 {
            let x = 1.5 + step as f32 * 0.05;
            assert_eq!(opaque(&veil, x), 1.0, "{x}");
        }
    }

    #[test]
    fn what_is_remembered_ends_in_black() {
        let veil = row();
        let known = |x: f32| veil.at(Vec2::new(x, 0.0)).known;
        assert_eq!(known(2.0), 1.0);
        assert_eq!(known(2.5), 0.0);
        assert_eq!(known(3.0), 0.0);
    }

    #[test]
    fn what_is_felt_becomes_what_is_remembered_without_a_step() {
        let veil = Veil {
            size: IVec2::splat(3),
            shades: [[TOUCHED, TOUCHED, DARK]; 3].concat(),
        };
        let felt = |x: f32| veil.at(Vec2::new(x, 1.0)).felt;
        assert_eq!((felt(1.0), felt(1.25), felt(1.5)), (1.0, 0.5, 0.0));
        assert_eq!(felt(2.0), 0.0);
    }

    #[test]
    fn in_the_middle_of_the_light_nothing_is_dark() {
        let veil = Veil {
            size: IVec2::splat(3),
            shades: vec![SEEN; 9],
        };
        assert!(veil.is_clear(IVec2::ONE));
        assert!(!veil.is_clear(IVec2::ZERO));
    }
}
