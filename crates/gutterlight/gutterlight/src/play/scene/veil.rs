//! The darkness over the ground: the visibility of each point, interpolated between cells.
//!
//! Problem: visibility is per cell. A lit room with square steps at its edge looks like a floor
//! plan.
//!
//! Idea: draw the darkness over the ground, using the sprites of the ground, and define it at the
//! corners of half cells. At the center of a cell it has the value of the cell, and between cells
//! that of the darkest adjacent cell. The darkness therefore begins inside visible cells, and never
//! reveals what is beyond them.
//!
//! ```text
//!      seen  | remembered | unknown
//!    0 . . 1 | 1 . 1 . 1  | 1            opacity of the darkness
//!    1 . . 1 | 1 . 1 . 0  | 0            brightness of remembered terrain
//! ```

use bevy::prelude::*;
use gutterlight_assets::art::Picture;
use gutterlight_rules::{LightBand, Sight, View};

use crate::play::{
    place::{self, CELL},
    scene::{afterglow::Afterglow, gloom::Gloom, sheet::Pictures, sheet::Sheet},
};

/// The opacity of the darkness over what is felt: fading light shows through it.
const FELT_OPAQUE: f32 = 0.6;

/// The darkness of one cell.
#[derive(Clone, Copy, PartialEq)]
struct Shade {
    /// The opacity, from 0 in the light to 1.
    opaque: f32,
    /// The brightness, from 0 for unknown cells to 1.
    known: f32,
    /// Whether it is felt (1) or remembered (0), interpolated in between.
    felt: f32,
}

impl Shade {
    const UNKNOWN: Self = Self {
        opaque: 1.0,
        known: 0.0,
        felt: 0.0,
    };

    /// The value between two cells: the darker of both.
    fn and(self, other: Self) -> Self {
        Self {
            opaque: self.opaque.max(other.opaque),
            known: self.known.min(other.known),
            felt: self.felt.min(other.felt),
        }
    }

    /// The linear color to multiply sprites with.
    fn color(self, gloom: Gloom, share: f32) -> [f32; 4] {
        let tint = gloom.remembered.lerp(gloom.felt, self.felt);
        (tint * self.known * share).extend(self.opaque).to_array()
    }

    fn lerp(self, other: Self, part: f32) -> Self {
        Self {
            opaque: self.opaque.lerp(other.opaque, part),
            known: self.known.lerp(other.known, part),
            felt: self.felt.lerp(other.felt, part),
        }
    }
}

/// The darkness over a floor.
pub struct Veil {
    size: IVec2,
    gloom: Gloom,
    /// The values at the corners of half cells, from half a cell before the center of the first
    /// cell to half a cell after that of the last.
    corners: Vec<Shade>,
}

impl Veil {
    /// The darkness of the current view.
    pub fn of(
        view: View<'_>,
        gloom: Gloom,
        glow: &Afterglow,
        is_backside: impl Fn(IVec2) -> bool,
    ) -> Self {
        // After the torch of the opening goes out, nothing is remembered for a while.
        let known = if view.wick_is_wet() { 0.0 } else { 1.0 };
        Self::new(view.size(), gloom, |at| {
            let (opaque, felt) = match (view.sight(at), view.band(at)) {
                (Sight::Unknown, _) => return Shade::UNKNOWN,
                (Sight::Seen, Some(LightBand::Hidden)) => (FELT_OPAQUE, 1.0),
                (Sight::Seen, _) if !is_backside(at) => (0.0, 0.0),
                _ => (1.0 - glow.part(at), 0.0),
            };
            Shade {
                opaque,
                known,
                felt,
            }
        })
    }

    /// The darkness from the values of cells.
    fn new(size: IVec2, gloom: Gloom, shade: impl Fn(IVec2) -> Shade) -> Self {
        let row = |y| (0..size.x).map(move |x| IVec2::new(x, y));
        let cells: Vec<Shade> = (0..size.y).flat_map(row).map(shade).collect();
        let cell = |at: IVec2| {
            let inside = at.cmpge(IVec2::ZERO).all() && at.cmplt(size).all();
            let place = at.y * size.x + at.x;
            let shade = inside.then(|| cells.get(place as usize)).flatten();
            shade.copied().unwrap_or(Shade::UNKNOWN)
        };
        let corner = |half: IVec2| {
            // An even coordinate is the center of a cell and an odd one is between two. For even
            // ones the steps are zero and repeat the same cell, which `and` ignores. Euclidean,
            // because coordinates begin at -1.
            let low = half.div_euclid(IVec2::splat(2));
            let IVec2 { x, y } = half.rem_euclid(IVec2::splat(2));
            let steps = [IVec2::new(x, 0), IVec2::new(0, y), IVec2::new(x, y)];
            let neighbors = steps.into_iter().map(|step| cell(low + step));
            neighbors.fold(cell(low), Shade::and)
        };
        let row = |y| (-1..2 * size.x).map(move |x| IVec2::new(x, y));
        let corners = (-1..2 * size.y).flat_map(row).map(corner).collect();
        Self {
            size,
            gloom,
            corners,
        }
    }

    /// The value at a corner of half cells; (0, 0) is the center of the first cell.
    fn corner(&self, half: IVec2) -> Shade {
        let place = half + 1;
        let wide = 2 * self.size + 1;
        let inside = place.cmpge(IVec2::ZERO).all() && place.cmplt(wide).all();
        let place = place.y * wide.x + place.x;
        let shade = inside.then(|| self.corners.get(place as usize)).flatten();
        shade.copied().unwrap_or(Shade::UNKNOWN)
    }

    /// The value at a position in cells, bilinear.
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

    /// The value of a cell, if it is the same everywhere in it.
    fn even(&self, at: IVec2) -> Option<Shade> {
        let middle = self.corner(2 * at);
        // The nine corners determine all values inside the cell.
        let around = (-1..=1).flat_map(|y| (-1..=1).map(move |x| IVec2::new(x, y)));
        let mut others = around.map(|way| self.corner(2 * at + way));
        others.all(|other| other == middle).then_some(middle)
    }

    /// Whether a cell and its border to all neighbors are fully lit.
    pub fn is_clear(&self, at: IVec2) -> bool {
        self.even(at).is_some_and(|shade| shade.opaque == 0.0)
    }

    /// Draws a sprite, darkened for its cell. `share` is a factor on its brightness.
    pub fn draw(
        &self,
        onto: &mut Pictures,
        sheet: &Sheet,
        picture: Picture,
        at: IVec2,
        share: f32,
    ) {
        let place = place::of(at.as_vec2(), self.size);
        // One quad instead of four: most cells are evenly dark. A shifted sprite extends into
        // neighboring cells, so it is never even.
        if let Some(shade) = self.even(at).filter(|_| picture.shift() == IVec2::ZERO) {
            onto.add_inked(sheet, picture, place, shade.color(self.gloom, share));
            return;
        }
        onto.add_shaded(sheet, picture, place, |within| {
            // Rows go down, and world y goes up.
            self.at(at.as_vec2() + within * Vec2::new(1.0, -1.0) / CELL)
                .color(self.gloom, share)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::scene::gloom::Grounds;

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

    fn veil(size: IVec2, shades: &[Shade]) -> Veil {
        let gloom = Gloom::of(Grounds::even(Vec3::splat(0.1)), 0);
        Veil::new(size, gloom, |at| shades[(at.y * size.x + at.x) as usize])
    }

    /// Seen, seen, remembered, and unknown beyond.
    fn row() -> Veil {
        veil(IVec2::new(3, 1), &[SEEN, SEEN, DARK])
    }

    fn opaque(veil: &Veil, x: f32) -> f32 {
        veil.at(Vec2::new(x, 0.0)).opaque
    }

    #[test]
    fn seen_cells_darken_toward_the_edge_of_sight() {
        let veil = row();
        assert_eq!(opaque(&veil, 0.0), 0.0);
        assert_eq!(opaque(&veil, 0.5), 0.0);
        assert_eq!(opaque(&veil, 1.25), 0.5);
        assert_eq!(opaque(&veil, 1.5), 1.0);
        assert!(
            !veil.is_clear(IVec2::new(0, 0)),
            "the cells above are unknown"
        );
    }

    #[test]
    fn cells_out_of_sight_are_opaque() {
        let veil = row();
        for step in 0..=40 {
            let x = 1.5 + step as f32 * 0.05;
            assert_eq!(opaque(&veil, x), 1.0, "{x}");
        }
    }

    #[test]
    fn remembered_cells_fade_to_black() {
        let veil = row();
        let known = |x: f32| veil.at(Vec2::new(x, 0.0)).known;
        assert_eq!(known(2.0), 1.0);
        assert_eq!(known(2.5), 0.0);
        assert_eq!(known(3.0), 0.0);
    }

    #[test]
    fn felt_cells_blend_into_remembered() {
        let veil = veil(IVec2::splat(3), &[[TOUCHED, TOUCHED, DARK]; 3].concat());
        let felt = |x: f32| veil.at(Vec2::new(x, 1.0)).felt;
        assert_eq!((felt(1.0), felt(1.25), felt(1.5)), (1.0, 0.5, 0.0));
        assert_eq!(felt(2.0), 0.0);
    }

    #[test]
    fn lit_interior_is_clear() {
        let veil = veil(IVec2::splat(3), &[SEEN; 9]);
        assert!(veil.is_clear(IVec2::ONE));
        assert!(!veil.is_clear(IVec2::ZERO));
    }
}
