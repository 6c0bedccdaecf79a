//! Where the cells of a map lie: from the world to cells and back.
//!
//! ```text
//!   the world ── the map's transform ──> its plane ── its layout ──> cells
//! ```

use bevy::{math::Affine3A, prelude::*};
use lanternfell_lightgrid::{Neighborhood, hexagonal};
use serde::{Deserialize, Serialize};

/// How a map's rows and columns lie in the world.
#[derive(Reflect, Debug, Default, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[reflect(Debug, Default, Clone, PartialEq, Hash)]
pub enum LightPlane {
    /// Upright, for 2D: row 0 is at the top (+y). The default.
    #[default]
    Xy,
    /// Flat on the ground, for 3D: row 0 is in the north (-z).
    Xz,
}

/// How the cells of a map lie beside each other in its plane.
#[derive(Reflect, Debug, Default, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Debug, Default, Clone, PartialEq)]
pub enum LightLayout {
    /// In rows: squares, or where the grid's [`Neighborhood`] is that of hexagons those, with a point up
    /// and each odd row half a cell further east. The default.
    #[default]
    Rows,
    /// Isometric: squares seen as diamonds, [`cell_size`](crate::LightMap::cell_size) wide and so many times
    /// as high. Columns go down to the right, rows down to the left. Hexagons lie in rows all the same.
    ///
    /// ```text
    ///          (0,0)
    ///       (0,1) (1,0)
    ///    (0,2) (1,1) (2,0)
    /// ```
    Diamonds {
        /// 0.5 as a rule. What is no positive, finite number is 0.5.
        height: f32,
    },
}

/// How cells lie in a plane in which a cell is one unit wide, x to the east and y to the south, from
/// the middle of the map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Lattice {
    Squares,
    Hexagons,
    Diamonds { height: f32 },
}

/// From the point of a hexagon to the opposite one, where neighbors are 1 apart.
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

    /// As in `lattice.wgsl`.
    pub(crate) fn number(self) -> i32 {
        match self {
            Self::Squares => 0,
            Self::Hexagons => 1,
            Self::Diamonds { .. } => 2,
        }
    }

    /// How wide and high a map of so many cells is.
    pub(crate) fn extent(self, size: UVec2) -> Vec2 {
        let cells = size.as_vec2();
        match self {
            Self::Squares => cells,
            Self::Hexagons => {
                // Odd rows reach half a cell further east.
                let shift = if size.y > 1 { 0.5 } else { 0.0 };
                let rows = (cells.y - 1.0) * hexagonal::ROW_HEIGHT;
                Vec2::new(cells.x + shift, rows + HEXAGON_HEIGHT)
            }
            Self::Diamonds { height } => 0.5 * (cells.x + cells.y) * Vec2::new(1.0, height),
        }
    }

    /// Where a place in cells lies on the plane.
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

    /// The cell, whole or between others, of a place on the plane.
    fn cell(self, place: Vec2, size: UVec2) -> Vec2 {
        let middle = (size.as_vec2() - 1.0) * 0.5;
        match self {
            Self::Squares => place + middle,
            Self::Hexagons => hexagonal::from_plane(place - self.first_hexagon(size)),
            Self::Diamonds { height } => {
                // Undoes `place`: the sum and the difference of x and y, each halved there.
                let (across, down) = (place.x, place.y / height);
                Vec2::new(down + across, down - across) + middle
            }
        }
    }

    /// Where the middle of hexagon (0, 0) lies.
    fn first_hexagon(self, size: UVec2) -> Vec2 {
        0.5 * (Vec2::new(1.0, HEXAGON_HEIGHT) - self.extent(size))
    }
}

/// From the world to a map's cells and back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    to_local: Affine3A,
    plane: LightPlane,
    lattice: Lattice,
    cell_size: f32,
    size: UVec2,
}

impl Frame {
    /// Of a map of `size` cells of `cell_size` world units each, at this transform.
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
            // Through NaN every place comes out as NaN, which is in no cell.
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

    /// How high a place is over the map's plane, in cells.
    pub(crate) fn height_at(&self, position: Vec3) -> f32 {
        let local = self.to_local.transform_point3(position);
        let height = match self.plane {
            LightPlane::Xy => local.z,
            LightPlane::Xz => local.y,
        };
        height / self.cell_size
    }

    /// A place given in cells, in the map's own frame.
    pub(crate) fn local(&self, cell: Vec2) -> Vec3 {
        let flat = self.lattice.place(cell, self.size) * self.cell_size;
        match self.plane {
            LightPlane::Xy => Vec3::new(flat.x, -flat.y, 0.0),
            LightPlane::Xz => Vec3::new(flat.x, 0.0, flat.y),
        }
    }

    /// Whether a light here reaches any cell: up to one cell outside.
    pub(crate) fn reaches(&self, at: Vec2) -> bool {
        // Written so that NaN is nowhere.
        at.cmpgt(Vec2::NEG_ONE).all() && at.cmplt(self.size.as_vec2()).all()
    }

    /// The cell of a place, if the map has it.
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

    /// Far ends of the cell around its middle.
    fn reach(lattice: Lattice) -> Vec2 {
        0.5 * lattice.extent(UVec2::ONE)
    }

    fn cells() -> impl Iterator<Item = IVec2> {
        (0..SIZE.y as i32).flat_map(|y| (0..SIZE.x as i32).map(move |x| IVec2::new(x, y)))
    }

    #[test]
    fn cells_fill_the_extent_from_one_side_to_the_other() {
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
    fn a_place_and_its_cell_are_the_same() {
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
    fn neighbors_lie_where_the_layout_says() {
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
