//! The triangulated surface over a heightmap, with queries and casts.
//!
//! A heightmap is a grid of points. Rendering, collision and queries must agree on the surface
//! between them, so this module defines how each square between four cells is split into triangles:
//!
//! ```text
//!  (x, y) ───── (x+1, y)      each square is split from its south-west to its
//!     │ north ╱ │             north-east corner, as in the heightfields of
//!     │ west╱   │             the physics engine Parry
//!     │   ╱south│
//!     │ ╱  east │
//!  (x, y+1) ── (x+1, y+1)
//! ```
//!
//! In the surface's frame the map is centered on the origin: x points east, z south, y up. The
//! position of cell `(column, row)` on a map of `width` by `height` cells is
//!
//! ```text
//!   x = (column - (width - 1) / 2) * spacing
//!   y = the cell's height * relief
//!   z = (row - (height - 1) / 2) * spacing
//! ```
//!
//! rounded to `f32` as it is rendered. All results refer to the triangles between these rounded
//! points. Heights above the sea also need the elevation of height 0: `y + elevation.offset` for the
//! [`Elevation`](lanternfell_heightmap::Elevation) of an elevation model.
//!
//! | To get | use |
//! |---|---|
//! | values at a point | [`height`](Surface::height), [`normal`](Surface::normal), [`face_normal`](Surface::face_normal), [`slope`](Surface::slope), [`curvature`](Surface::curvature) |
//! | values at many points | [`heights`](Surface::heights), [`normals`](Surface::normals), [`slopes`](Surface::slopes), [`curvatures`](Surface::curvatures) |
//! | the first hit of a ray or a segment | [`cast_ray`](Surface::cast_ray), [`cast_segment`](Surface::cast_segment), [`line_of_sight`](Surface::line_of_sight) |
//! | the first hit of a moving sphere | [`cast_sphere`](Surface::cast_sphere) |
//! | the collider of a physics engine | [`heightfield_columns`] |
//! | triangles for a navigation mesh | [`walkable`](Surface::walkable) |
//!
//! Add a [`HeightPyramid`] if casts cross more than a few hundred cells. A [`HoleMask`] removes
//! squares from the surface.
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
pub use heightfield::{heightfield_columns, update_heightfield_columns};
pub use pyramid::HeightPyramid;
pub use ray::SurfaceHit;
pub use walkable::{WalkableGround, WalkableLimits};

pub use axis::Axis;
use lanternfell_heightmap::{Heightmap, HoleMask, Scale};

/// A heightmap with its scale, as a surface of triangles in meters.
///
/// If the [`Scale`] is [invalid](Scale::validate), queries return `None` or meaningless values.
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
    /// Creates the surface of `map` at `scale`. For an elevation model, use the scale from
    /// [`ElevationModel::scale`](lanternfell_heightmap::ElevationModel::scale).
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

    /// Adds a pyramid, which makes casts faster without changing their results.
    ///
    /// The pyramid must match the heights of the map: [update](HeightPyramid::update) it after each
    /// change.
    ///
    /// # Errors
    /// If the pyramid is for a map of another size.
    pub fn with_pyramid(self, pyramid: &'a HeightPyramid) -> Result<Self, SizeMismatch> {
        SizeMismatch::check("height pyramid", pyramid.size(), self.map.size())?;
        let pyramid = Some(pyramid);
        Ok(Self { pyramid, ..self })
    }

    /// Removes the squares that are holes in the mask.
    ///
    /// # Errors
    /// If the mask is for a map of another size.
    pub fn with_holes(self, holes: &'a HoleMask) -> Result<Self, SizeMismatch> {
        SizeMismatch::check("hole mask", holes.size(), self.map.size())?;
        let holes = Some(holes);
        Ok(Self { holes, ..self })
    }

    /// Returns the map under the surface.
    pub fn map(&self) -> &'a Heightmap {
        self.map
    }

    /// Returns the scale of the surface.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// Returns the mask of holes, if one was set.
    pub fn holes(&self) -> Option<&'a HoleMask> {
        self.holes
    }

    /// Returns half the extent along x and z, in meters.
    pub fn half_extent(&self) -> Vec2 {
        Vec2::new(self.x.half_extent(), self.z.half_extent())
    }

    /// Returns the position of cell `(column, row)`.
    pub fn vertex(&self, column: usize, row: usize) -> Vec3 {
        Vec3::new(
            self.x.line(column as u32),
            self.map.get(column, row) * self.scale.relief,
            self.z.line(row as u32),
        )
    }

    /// Returns the corners of a triangle, counterclockwise seen from above. Holes are ignored.
    ///
    /// The square is the one to the south-east of cell `(column, row)`.
    ///
    /// # Panics
    /// If the square does not exist, as in [`Heightmap::get`].
    pub fn triangle(&self, (column, row): (usize, usize), half: SquareHalf) -> [Vec3; 3] {
        let (ne, sw) = (self.vertex(column + 1, row), self.vertex(column, row + 1));
        match half {
            SquareHalf::NorthWest => [self.vertex(column, row), sw, ne],
            SquareHalf::SouthEast => [self.vertex(column + 1, row + 1), ne, sw],
        }
    }

    /// Returns the unit normal at cell `(column, row)` from central differences, or one-sided
    /// differences at the border.
    pub fn vertex_normal(&self, column: usize, row: usize) -> Vec3 {
        let map = self.map;
        let (north, south) = (row.saturating_sub(1), (row + 1).min(map.height() - 1));
        let rows = [north, row, south].map(|row| map.row(row));
        normal_in(rows, south - north, column, self.scale)
    }

    /// Whether a square is a hole.
    #[inline(always)]
    fn is_hole(&self, column: u32, row: u32) -> bool {
        self.holes
            .is_some_and(|holes| holes.is_hole(column as usize, row as usize))
    }
}

/// Computes the unit normal at a column of the middle row, from central differences.
///
/// The three rows are the northern neighbor, the middle row and the southern neighbor. `apart` is
/// the distance between the two neighbors in cells: 2, or 1 at the border, where one of them is the
/// middle row itself.
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
    fn height_matches_cells_and_diagonals() {
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
    fn outside_there_are_no_values() {
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
    fn plane_has_one_normal() {
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
