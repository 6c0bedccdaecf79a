//! Conversion between the world and the cells of a map.
//!
//! ```text
//!   the world ── the map's transform ──> its plane ── its layout ──> cells
//! ```

use bevy::{math::Affine3A, prelude::*};
use lanternfell_lightgrid::{Neighborhood, hexagonal};
use serde::{Deserialize, Serialize};

/// The plane of a map in the world.
#[derive(Reflect, Debug, Default, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[reflect(Debug, Default, Clone, PartialEq, Hash)]
pub enum LightPlane {
    /// Upright, for 2D. Row 0 is at the top (+y). The default.
    #[default]
    Xy,
    /// Flat, for 3D. Row 0 is in the north (-z).
    Xz,
}

/// The arrangement of the cells of a map in its plane.
#[derive(Reflect, Debug, Default, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Debug, Default, Clone, PartialEq)]
pub enum LightLayout {
    /// In rows: squares, or hexagons if the grid's [`Neighborhood`] is hexagonal. Hexagons have a point at the top, and
    /// odd rows are shifted by half a cell to the east. The default.
    #[default]
    Rows,
    /// Isometric: squares drawn as diamonds. A diamond is [`cell_size`](crate::TorchlightMap::cell_size) wide. Columns
    /// run down to the right, and rows down to the left. Ignored for hexagons.
    ///
    /// ```text
    ///          (0,0)
    ///       (0,1) (1,0)
    ///    (0,2) (1,1) (2,0)
    /// ```
    Diamonds {
        /// The height of a diamond divided by its width. Values that are not positive and finite are replaced by 0.5.
        height: f32,
    },
}

/// The arrangement of cells in a plane with its origin in the center of the map, x to the east and y to the south. A
/// cell is one unit wide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Lattice {
    Squares,
    Hexagons,
    Diamonds { height: f32 },
}

/// The height of a hexagon from point to point, if neighbors are 1 apart.
const HEXAGON_HEIGHT: f32 = 4.0 / 3.0 * hexagonal::ROW_HEIGHT;

impl Lattice {
    pub(crate) fn new(layout: LightLayout, neighborhood: Neighborhood) -> Self {
        match layout {
            _ if neighborhood.is_hexagonal() => Self::Hexagons,
            LightLayout::Rows => Self::Squares,
            LightLayout::Diamonds { height } => Self::Diamonds {
                height: if height > 0.0 && height.is_finite() {
                    height
                } else {
                    0.5
                },
            },
        }
    }

    /// The constant for this lattice in `lattice.wgsl`.
    pub(crate) fn number(self) -> i32 {
        match self {
            Self::Squares => 0,
            Self::Hexagons => 1,
            Self::Diamonds { .. } => 2,
        }
    }

    /// The width and height of a map of this size.
    pub(crate) fn extent(self, size: UVec2) -> Vec2 {
        let cells = size.as_vec2();
        match self {
            Self::Squares => cells,
            Self::Hexagons => {
                // Odd rows extend half a cell further east.
                let shift = if size.y > 1 { 0.5 } else { 0.0 };
                let rows = (cells.y - 1.0) * hexagonal::ROW_HEIGHT;
                Vec2::new(cells.x + shift, rows + HEXAGON_HEIGHT)
            }
            Self::Diamonds { height } => 0.5 * (cells.x + cells.y) * Vec2::new(1.0, height),
        }
    }

    /// Converts cell coordinates to the plane.
    pub(crate) fn place(self, cell: Vec2, size: UVec2) -> Vec2 {
        let middle = (size.as_vec2() - 1.0) * 0.5;
        match self {
            Self::Squares => cell - middle,
            Self::Hexagons => hexagonal::to_plane(cell) + self.first_hexagon(size),
            Self::Diamonds { height } => {
                let Vec2 { x, y } = cell - middle;
                0.5 * Vec2::new(x - y, (x + y) * height)
            }
        }
    }

    /// Converts a position on the plane to cell coordinates.
    fn cell(self, place: Vec2, size: UVec2) -> Vec2 {
        let middle = (size.as_vec2() - 1.0) * 0.5;
        match self {
            Self::Squares => place + middle,
            Self::Hexagons => hexagonal::from_plane(place - self.first_hexagon(size)),
            Self::Diamonds { height } => {
                // Inverse of `place`, which halves the sum and the difference of x and y.
                let (across, down) = (place.x, place.y / height);
                Vec2::new(down + across, down - across) + middle
            }
        }
    }

    /// The center of hexagon (0, 0).
    fn first_hexagon(self, size: UVec2) -> Vec2 {
        0.5 * (Vec2::new(1.0, HEXAGON_HEIGHT) - self.extent(size))
    }
}

/// Conversion between the world and the cells of a map.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    to_local: Affine3A,
    plane: LightPlane,
    lattice: Lattice,
    cell_size: f32,
    size: UVec2,
}

impl Frame {
    /// For a map of `size` cells that are `cell_size` world units wide, with this transform.
    pub(crate) fn new(
        transform: &GlobalTransform,
        plane: LightPlane,
        lattice: Lattice,
        cell_size: f32,
        size: UVec2,
    ) -> Self {
        let to_world = transform.affine();
        let usable = to_world.is_finite() && to_world.matrix3.determinant() != 0.0;
        Self {
            // NaN makes every position NaN, which is in no cell.
            to_local: if usable {
                to_world.inverse()
            } else {
                Affine3A::NAN
            },
            plane,
            lattice,
            cell_size,
            size,
        }
    }

    pub(crate) fn cell_at(&self, position: Vec3) -> Vec2 {
        let local = self.to_local.transform_point3(position);
        let flat = match self.plane {
            LightPlane::Xy => Vec2::new(local.x, -local.y),
            LightPlane::Xz => Vec2::new(local.x, local.z),
        };
        self.lattice.cell(flat / self.cell_size, self.size)
    }

    /// The height of a position above the map's plane, in cells.
    pub(crate) fn height_at(&self, position: Vec3) -> f32 {
        let local = self.to_local.transform_point3(position);
        let height = match self.plane {
            LightPlane::Xy => local.z,
            LightPlane::Xz => local.y,
        };
        height / self.cell_size
    }

    /// Converts cell coordinates to the local space of the map.
    pub(crate) fn local(&self, cell: Vec2) -> Vec3 {
        let flat = self.lattice.place(cell, self.size) * self.cell_size;
        match self.plane {
            LightPlane::Xy => Vec3::new(flat.x, -flat.y, 0.0),
            LightPlane::Xz => Vec3::new(flat.x, 0.0, flat.y),
        }
    }

    /// Whether a light at this position reaches any cell: at most one cell outside of the map.
    pub(crate) fn reaches(&self, at: Vec2) -> bool {
        // Comparisons with NaN are false, so NaN reaches no cell.
        at.cmpgt(Vec2::NEG_ONE).all() && at.cmplt(self.size.as_vec2()).all()
    }

    /// The cell that contains the position, if it is on the map.
    pub(crate) fn cell(&self, at: Vec2) -> Option<IVec2> {
        if !self.reaches(at) {
            return None;
        }
        let cell = match self.lattice {
            Lattice::Hexagons => hexagonal::cell_at(at),
            Lattice::Squares | Lattice::Diamonds { .. } => (at + 0.5).floor().as_ivec2(),
        };
        let inside = cell.cmpge(IVec2::ZERO).all() && cell.cmplt(self.size.as_ivec2()).all();
        inside.then_some(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATTICES: [Lattice; 3] = [
        Lattice::Squares,
        Lattice::Hexagons,
        Lattice::Diamonds { height: 0.5 },
    ];
    const SIZE: UVec2 = UVec2::new(5, 4);

    /// Half the extent of a cell.
    fn reach(lattice: Lattice) -> Vec2 {
        0.5 * lattice.extent(UVec2::ONE)
    }

    fn cells() -> impl Iterator<Item = IVec2> {
        (0..SIZE.y as i32).flat_map(|y| (0..SIZE.x as i32).map(move |x| IVec2::new(x, y)))
    }

    #[test]
    fn cells_fill_the_extent() {
        for lattice in LATTICES {
            let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
            for cell in cells() {
                let place = lattice.place(cell.as_vec2(), SIZE);
                low = low.min(place - reach(lattice));
                high = high.max(place + reach(lattice));
            }
            let half = 0.5 * lattice.extent(SIZE);
            assert!(low.abs_diff_eq(-half, 1e-5), "{lattice:?} {low}");
            assert!(high.abs_diff_eq(half, 1e-5), "{lattice:?} {high}");
        }
    }

    #[test]
    fn positions_round_trip() {
        for lattice in LATTICES {
            let frame = Frame::new(
                &GlobalTransform::IDENTITY,
                LightPlane::Xy,
                lattice,
                3.0,
                SIZE,
            );
            for cell in cells() {
                for aside in [Vec2::ZERO, Vec2::new(0.2, -0.1), Vec2::new(-0.15, 0.2)] {
                    let at = cell.as_vec2() + aside;
                    let there = frame.cell_at(frame.local(at));
                    assert!(there.distance(at) < 1e-4, "{lattice:?} {there} {at}");
                    assert_eq!(frame.cell(there), Some(cell), "{lattice:?} {at}");
                }
            }
            let far = 3.0 * lattice.extent(SIZE).extend(0.0);
            assert_eq!(frame.cell(frame.cell_at(far)), None);
            assert_eq!(frame.cell(frame.cell_at(Vec3::NAN)), None);
        }
    }

    #[test]
    fn neighbor_offsets_match_layout() {
        let step = |lattice: Lattice, from: (f32, f32), to: (f32, f32)| {
            lattice.place(to.into(), SIZE) - lattice.place(from.into(), SIZE)
        };
        let hexagon = step(Lattice::Hexagons, (1.0, 1.0), (2.0, 2.0));
        assert!(hexagon.abs_diff_eq(Vec2::new(0.5, hexagonal::ROW_HEIGHT), 1e-6));
        let diamonds = Lattice::Diamonds { height: 0.5 };
        let column = step(diamonds, (1.0, 1.0), (2.0, 1.0));
        assert_eq!(column, Vec2::new(0.5, 0.25));
        let row = step(diamonds, (1.0, 1.0), (1.0, 2.0));
        assert_eq!(row, Vec2::new(-0.5, 0.25));
    }
}
