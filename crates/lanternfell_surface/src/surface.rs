//! The triangulated surface over a map: what is asked of it, and what meets it.
//!
//! A heightmap is a grid of points. What is drawn, walked on and asked for must be one
//! surface, so the way it is cut into triangles is fixed here, once:
//!
//! ```text
//!  (x, y) ───── (x+1, y)      the square between four cells is cut from its
//!     │ north ╱ │             south-west to its north-east corner, as the
//!     │ west╱   │             heightfields of the physics engine Parry are
//!     │   ╱south│
//!     │ ╱  east │
//!  (x, y+1) ── (x+1, y+1)
//! ```
//!
//! In the world the map lies centered on the origin: x runs east, z south, y up. Cell
//! `(column, row)` stands at `((column - (width - 1) / 2) spacing, height relief,
//! (row - (height - 1) / 2) spacing)`, rounded to `f32` as it is drawn: all answers are of the
//! triangles between these very points.
//!
//! | asked | by |
//! |---|---|
//! | at a point | [`height`](Surface::height), [`normal`](Surface::normal), [`face_normal`](Surface::face_normal), [`slope`](Surface::slope), [`curvature`](Surface::curvature) |
//! | at many points | [`heights`](Surface::heights), [`normals`](Surface::normals), [`slopes`](Surface::slopes), [`curvatures`](Surface::curvatures) |
//! | what a line meets | [`cast_ray`](Surface::cast_ray), [`cast_segment`](Surface::cast_segment), [`line_of_sight`](Surface::line_of_sight) |
//! | what a ball meets | [`cast_sphere`](Surface::cast_sphere) |
//! | what a physics engine meets | [`heightfield_columns`], for its own heightfield |
//! | where one can walk | [`walkable`](Surface::walkable): triangles for a navigation mesh |
//!
//! Casts over more than a few hundred cells want a [`HeightPyramid`]; a [`HoleMask`] takes squares
//! out of the surface.
//!
//! ```
//! use glam::{Vec2, Vec3};
//! use lanternfell_heightmap::{Hills, HoleMask, MapSize, Progress, Scale};
//! use lanternfell_surface::{HeightPyramid, Surface};
//!
//! let progress = Progress::default();
//! let size = MapSize::new(128, 128)?;
//! let map = Hills::default().generate(size, 7, &progress)?;
//! let pyramid = HeightPyramid::of(&map, &progress)?;
//! let ground = Surface::new(&map, Scale::of_size(size)).with_pyramid(&pyramid)?;
//!
//! let hit = ground.cast_ray(Vec3::new(3.25, 100.0, 4.5), Vec3::NEG_Y, 200.0).unwrap();
//! assert_eq!(Some(hit.point.y), ground.height(Vec2::new(3.25, 4.5)));
//!
//! let mut holes = HoleMask::none(size);
//! holes.set(hit.square.0, hit.square.1, true)?;
//! let ground = ground.with_holes(&holes)?;
//! assert_eq!(ground.height(Vec2::new(3.25, 4.5)), None);
//! assert_eq!(ground.cast_ray(Vec3::new(3.25, 100.0, 4.5), Vec3::NEG_Y, 200.0), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod axis;
mod error;
mod facet;
mod heightfield;
mod point;
mod pyramid;
mod ray;
mod sphere;
mod swept;
mod walk;
mod walkable;

use glam::{Vec2, Vec3};

pub use error::{NumbersError, SizeMismatch};
pub use facet::SquareHalf;
pub use heightfield::heightfield_columns;
pub use pyramid::HeightPyramid;
pub use ray::SurfaceHit;
pub use walkable::{WalkableGround, WalkableLimits};

pub use axis::Axis;
use lanternfell_heightmap::{Heightmap, HoleMask, Scale};

/// A map with its scale: the ground as a surface in metres.
///
/// A [`Scale`] that [is not valid](Scale::validate) makes a surface that answers `None`, or nothing
/// that means anything.
#[derive(Debug, Clone, Copy)]
pub struct Surface<'a> {
    map: &'a Heightmap,
    scale: Scale,
    x: Axis,
    z: Axis,
    pyramid: Option<&'a HeightPyramid>,
    holes: Option<&'a HoleMask>,
}

impl<'a> Surface<'a> {
    /// The surface over `map` at `scale`.
    pub fn new(map: &'a Heightmap, scale: Scale) -> Self {
        Self {
            map,
            scale,
            x: Axis::new(map.width(), scale.spacing),
            z: Axis::new(map.height(), scale.spacing),
            pyramid: None,
            holes: None,
        }
    }

    /// The same surface, over which casts are fast. The answers are the same, as long as the pyramid is
    /// of these heights: after a change it wants to be [updated](HeightPyramid::update).
    ///
    /// # Errors
    /// When it is of a map of another size.
    pub fn with_pyramid(self, pyramid: &'a HeightPyramid) -> Result<Self, SizeMismatch> {
        SizeMismatch::check("height pyramid", pyramid.size(), self.map.size())?;
        let pyramid = Some(pyramid);
        Ok(Self { pyramid, ..self })
    }

    /// The surface without the squares that are holes in that mask.
    ///
    /// # Errors
    /// When it is of a map of another size.
    pub fn with_holes(self, holes: &'a HoleMask) -> Result<Self, SizeMismatch> {
        SizeMismatch::check("hole mask", holes.size(), self.map.size())?;
        let holes = Some(holes);
        Ok(Self { holes, ..self })
    }

    /// The map under the surface.
    pub fn map(&self) -> &'a Heightmap {
        self.map
    }

    /// The scale of the surface.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// The holes in the surface, if there may be any.
    pub fn holes(&self) -> Option<&'a HoleMask> {
        self.holes
    }

    /// Half the extent along x and z, in metres.
    pub fn half_extent(&self) -> Vec2 {
        Vec2::new(self.x.half_extent(), self.z.half_extent())
    }

    /// Where cell `(column, row)` stands.
    pub fn vertex(&self, column: usize, row: usize) -> Vec3 {
        Vec3::new(
            self.x.line(column as u32),
            self.map.get(column, row) * self.scale.relief,
            self.z.line(row as u32),
        )
    }

    /// The corners of a triangle of the square to the south-east of cell `(column, row)`, counter-
    /// clockwise seen from above. Holes do not matter.
    ///
    /// # Panics
    /// When there is no such square, as [`Heightmap::get`] does.
    pub fn triangle(&self, (column, row): (usize, usize), half: SquareHalf) -> [Vec3; 3] {
        let (ne, sw) = (self.vertex(column + 1, row), self.vertex(column, row + 1));
        match half {
            SquareHalf::NorthWest => [self.vertex(column, row), sw, ne],
            SquareHalf::SouthEast => [self.vertex(column + 1, row + 1), ne, sw],
        }
    }

    /// The unit normal at cell `(column, row)`, by central differences; one-sided at the
    /// border.
    pub fn vertex_normal(&self, column: usize, row: usize) -> Vec3 {
        let map = self.map;
        let (north, south) = (row.saturating_sub(1), (row + 1).min(map.height() - 1));
        let rows = [north, row, south].map(|row| map.row(row));
        normal_in(rows, south - north, column, self.scale)
    }

    /// Whether that square is a hole.
    #[inline(always)]
    fn is_hole(&self, column: u32, row: u32) -> bool {
        self.holes
            .is_some_and(|holes| holes.is_hole(column as usize, row as usize))
    }
}

/// The unit normal in a column of a row, between the rows north and south of it, which are so many cells
/// apart.
pub fn normal_in(
    [north, here, south]: [&[f32]; 3],
    apart: usize,
    column: usize,
    scale: Scale,
) -> Vec3 {
    let (west, east) = (column.saturating_sub(1), (column + 1).min(here.len() - 1));
    let per_meter = scale.relief / scale.spacing;
    let slope_x = (here[east] - here[west]) / (east - west) as f32;
    let slope_z = (south[column] - north[column]) / apart as f32;
    Vec3::new(-slope_x * per_meter, 1.0, -slope_z * per_meter).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_heightmap::{Generator, MapSize, Progress};

    const SCALE: Scale = Scale {
        spacing: 2.0,
        relief: 30.0,
    };

    fn ground() -> Heightmap {
        let size = MapSize::new(24, 17).unwrap();
        let mut hills = Generator::from_name("hills").unwrap();
        hills.set("radius_max", "9").unwrap();
        hills.generate(size, 4, &Progress::default()).unwrap()
    }

    #[test]
    fn heights_meet_the_cells_and_the_diagonals() {
        let map = ground();
        let surface = Surface::new(&map, SCALE);
        for (column, row) in [(0, 0), (23, 16), (5, 7), (22, 15)] {
            let vertex = surface.vertex(column, row);
            let height = surface.height(Vec2::new(vertex.x, vertex.z)).unwrap();
            assert!(
                (height - vertex.y).abs() < 1e-4,
                "{column}, {row}: {height}"
            );
        }
        let (sw, ne) = (surface.vertex(5, 8), surface.vertex(6, 7));
        let middle = (sw + ne) / 2.0;
        let height = surface.height(Vec2::new(middle.x, middle.z)).unwrap();
        assert!(
            (height - middle.y).abs() < 1e-4,
            "cut along the other diagonal"
        );
    }

    #[test]
    fn beyond_the_border_there_is_nothing() {
        let map = ground();
        let surface = Surface::new(&map, SCALE);
        let edge = surface.half_extent();
        assert_eq!(edge, Vec2::new(23.0, 16.0));
        assert!(surface.height(edge).is_some() && surface.height(-edge).is_some());
        for outside in [Vec2::new(23.01, 0.0), Vec2::new(0.0, -16.01), Vec2::NAN] {
            assert_eq!(surface.height(outside), None, "{outside}");
            assert_eq!(surface.normal(outside), None, "{outside}");
        }
    }

    #[test]
    fn a_plane_has_its_own_normal_everywhere() {
        let size = MapSize::new(9, 6).unwrap();
        let heights = (0..54)
            .map(|i| (i % 9) as f32 * 0.1 + (i / 9) as f32 * 0.05)
            .collect();
        let map = Heightmap::from_heights(size, heights).unwrap();
        let surface = Surface::new(&map, SCALE);
        let expected = Vec3::new(-1.5, 1.0, -0.75).normalize();
        for at in [Vec2::ZERO, Vec2::new(-8.0, 5.0), Vec2::new(3.3, -4.1)] {
            assert!(
                surface.normal(at).unwrap().distance(expected) < 1e-5,
                "at {at}"
            );
        }
    }
}
