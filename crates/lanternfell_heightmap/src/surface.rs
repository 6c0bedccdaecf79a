//! The triangulated surface over a map: heights and normals between the cells.
//!
//! A heightmap is a grid of points. What is drawn, walked on and asked for must be one
//! surface, so the way it is cut into triangles is fixed here, once:
//!
//! ```text
//!  (x, y) ───── (x+1, y)      the square between four cells is cut from its
//!     │  upper  ╱ │           south-west to its north-east corner, as the
//!     │      ╱    │           heightfields of the physics engine Parry are
//!     │   ╱ lower │
//!  (x, y+1) ── (x+1, y+1)
//! ```
//!
//! In the world the map lies centered on the origin: x runs east, z south, y up. Cell
//! `(column, row)` stands at `((column - (width - 1) / 2) spacing, height relief,
//! (row - (height - 1) / 2) spacing)`.

use glam::{Vec2, Vec3};

use crate::{Heightmap, MapSize, Scale};

/// A map with its scale: the ground as a surface in metres.
#[derive(Debug, Clone, Copy)]
pub struct Surface<'a> {
    map: &'a Heightmap,
    scale: Scale,
}

impl<'a> Surface<'a> {
    /// The surface over `map` at `scale`.
    pub fn new(map: &'a Heightmap, scale: Scale) -> Self {
        Self { map, scale }
    }

    /// The map under the surface.
    pub fn map(&self) -> &'a Heightmap {
        self.map
    }

    /// The scale of the surface.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// Half the extent along x and z, in metres.
    pub fn half_extent(&self) -> Vec2 {
        half_cells(self.map.size()) * self.scale.spacing
    }

    /// Where cell `(column, row)` stands.
    pub fn vertex(&self, column: usize, row: usize) -> Vec3 {
        let flat = (Vec2::new(column as f32, row as f32) - half_cells(self.map.size()))
            * self.scale.spacing;
        Vec3::new(
            flat.x,
            self.map.get(column, row) * self.scale.relief,
            flat.y,
        )
    }

    /// The unit normal at cell `(column, row)`, by central differences; one-sided at the
    /// border.
    pub fn vertex_normal(&self, column: usize, row: usize) -> Vec3 {
        let map = self.map;
        let (west, east) = (column.saturating_sub(1), (column + 1).min(map.width() - 1));
        let (north, south) = (row.saturating_sub(1), (row + 1).min(map.height() - 1));
        let per_meter = self.scale.relief / self.scale.spacing;
        let slope_x = (map.get(east, row) - map.get(west, row)) / (east - west) as f32;
        let slope_z = (map.get(column, south) - map.get(column, north)) / (south - north) as f32;
        Vec3::new(-slope_x * per_meter, 1.0, -slope_z * per_meter).normalize()
    }

    /// The height in metres at `(x, z)`, on the triangles; `None` beyond the border.
    pub fn height(&self, at: Vec2) -> Option<f32> {
        let (column, row, part) = self.locate(at)?;
        let corner = |dx, dy| self.map.get(column + dx, row + dy);
        let (ne, sw) = (corner(1, 0), corner(0, 1));
        let height = if part.x + part.y <= 1.0 {
            let nw = corner(0, 0);
            nw + (ne - nw) * part.x + (sw - nw) * part.y
        } else {
            let se = corner(1, 1);
            se + (sw - se) * (1.0 - part.x) + (ne - se) * (1.0 - part.y)
        };
        Some(height * self.scale.relief)
    }

    /// The unit normal at `(x, z)`, smooth across triangles: what shading shows. `None`
    /// beyond the border.
    pub fn normal(&self, at: Vec2) -> Option<Vec3> {
        let (column, row, part) = self.locate(at)?;
        let corner = |dx, dy| self.vertex_normal(column + dx, row + dy);
        let north = corner(0, 0).lerp(corner(1, 0), part.x);
        let south = corner(0, 1).lerp(corner(1, 1), part.x);
        Some(north.lerp(south, part.y).normalize())
    }

    /// The square of cells under `(x, z)`, and where in it, from 0 to 1 on both axes.
    fn locate(&self, at: Vec2) -> Option<(usize, usize, Vec2)> {
        let size = self.map.size();
        let cell = at / self.scale.spacing + half_cells(size);
        let last = Vec2::new((size.width() - 1) as f32, (size.height() - 1) as f32);
        // Written so that NaN fails too.
        if !(cell.cmpge(Vec2::ZERO).all() && cell.cmple(last).all()) {
            return None;
        }
        let column = (cell.x as usize).min(size.width() - 2);
        let row = (cell.y as usize).min(size.height() - 2);
        Some((column, row, cell - Vec2::new(column as f32, row as f32)))
    }
}

fn half_cells(size: MapSize) -> Vec2 {
    Vec2::new((size.width() - 1) as f32, (size.height() - 1) as f32) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Generator, Progress};

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
