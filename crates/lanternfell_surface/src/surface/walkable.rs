//! Walkable triangles for a navigation mesh.
//!
//! Problem: a navigation mesh baker takes triangles. The rendered mesh has those of the level of
//! detail that some camera needs at the moment, and it does not know about water.
//!
//! Idea: return the triangles of the surface itself, in full detail, in a rectangle around the
//! walkers. A flag marks each triangle as walkable, or as too steep or too deep. Triangles that are
//! not walkable are included, because other things may be above or below them: a bridge, a rock, or
//! the floor of a cave with the terrain as its ceiling. Only holes are left out.
//!
//! A triangle is flat, so its slope is a single number, and its deepest point is its lowest corner.
//! So a walkable triangle is within both limits everywhere.
//!
//! # How to use it with Recast
//! - Recast marks everything that is not too steep as walkable, including the bottom of a lake.
//!   Disable that with a `walkable_slope_angle` of 0 (in `rerecast` and `bevy_rerecast`), and set
//!   the area of each triangle from `walkable`.
//! - Recast rasterizes: a voxel that touches a walkable triangle is walkable. So the mesh extends
//!   by up to one voxel, and its simplified outline by up to `max_simplification_error` voxels. The
//!   agent radius is subtracted from that. With a radius of three voxels, nothing is left beyond
//!   the limits.
//! - `walkable_climb` must be more than the height of two voxels on the steepest slope. Otherwise
//!   slopes are taken for ledges.
//! - To bake adjacent tiles, use one voxel grid for all of them, and bake each with some margin, so
//!   that the terrain around it counts. Give the margin areas of its own, so that polygons end at
//!   the tile. (Recast cuts them at the border of a box, but `rerecast` 0.4 does that incorrectly.)
//!
//! Cost: about 0.1 us per square, most of it for its two slopes. Memory: 38 bytes per square.

use glam::{Vec2, Vec3};

use super::{Surface, facet::SquareHalf};

/// The limits of walkable terrain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WalkableLimits {
    /// The steepest walkable slope in degrees, from 0 to 90, as returned by [`Surface::slope`].
    /// Default: 45.
    pub max_slope: f32,
    /// The height of the water in meters, in the frame of the surface. Default: `None`, for dry
    /// terrain.
    pub water_level: Option<f32>,
    /// The greatest depth of water that is walkable, in meters. Default: 0.5. A negative value
    /// requires that height above the water.
    pub max_water_depth: f32,
}

impl Default for WalkableLimits {
    fn default() -> Self {
        Self {
            max_slope: 45.0,
            water_level: None,
            max_water_depth: 0.5,
        }
    }
}

/// The triangles of a part of a surface, returned by [`Surface::walkable`].
#[derive(Debug, Default, Clone, PartialEq)]
pub struct WalkableGround {
    /// The cells of this part, row by row from the north-west, in meters in the frame of the
    /// surface.
    pub vertices: Vec<Vec3>,
    /// Three indices into `vertices` for each triangle, counterclockwise seen from above. The
    /// squares are in order, row by row from the north-west, each with its north-west half first.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle, whether it is within the limits.
    pub walkable: Vec<bool>,
}

impl Surface<'_> {
    /// Returns the triangles of a part of the surface for a navigation mesh baker, and which of
    /// them are walkable.
    ///
    /// The part consists of all whole squares that overlap the rectangle from `min` to `max`, two
    /// `(x, z)` in meters. The triangles are those of the collider, and of the rendered surface
    /// nearby. Triangles steeper or deeper than `limits` are included but not walkable. Holes are
    /// left out.
    ///
    /// Some bakers, such as Recast, mark all flat ground as walkable by themselves. Disable that:
    /// in `bevy_rerecast`, set `walkable_slope_angle` to 0.
    ///
    /// ```
    /// use glam::Vec2;
    /// use lanternfell_heightmap::{Hills, MapSize, Progress, Scale};
    /// use lanternfell_surface::{Surface, WalkableLimits};
    ///
    /// let size = MapSize::new(128, 128)?;
    /// let map = Hills::default().generate(size, 7, &Progress::default())?;
    /// let surface = Surface::new(&map, Scale::of_size(size));
    /// let limits = WalkableLimits { water_level: Some(1.5), ..WalkableLimits::default() };
    ///
    /// let ground = surface.walkable(Vec2::splat(-16.0), Vec2::splat(16.0), &limits);
    /// let walkable = ground.triangles.iter().zip(&ground.walkable).filter(|(_, walkable)| **walkable);
    /// for (corners, _) in walkable {
    ///     let corners = corners.map(|corner| ground.vertices[corner as usize]);
    ///     assert!(corners.iter().all(|corner| corner.y >= 1.0));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// The result takes 38 bytes per square. On large maps, request a part around the walkers.
    ///
    /// There are no triangles if the rectangle is outside the surface or `max` is not greater than
    /// `min`. If a limit is NaN, no triangle is walkable.
    pub fn walkable(&self, min: Vec2, max: Vec2, limits: &WalkableLimits) -> WalkableGround {
        let columns = self.x.between(min.x, max.x);
        let rows = self.z.between(min.y, max.y);
        let mut ground = WalkableGround::default();
        if columns.is_empty() || rows.is_empty() {
            return ground;
        }
        for row in rows.start..=rows.end {
            let row = (columns.start..=columns.end)
                .map(|column| self.vertex(column as usize, row as usize));
            ground.vertices.extend(row);
        }
        let width = columns.end - columns.start + 1;
        for (row, y) in rows.zip(0..) {
            for (column, x) in columns.clone().zip(0..) {
                if !self.is_hole(column, row) {
                    let nw = y * width + x;
                    let (ne, sw, se) = (nw + 1, nw + width, nw + width + 1);
                    let mut add = |half, corners| {
                        ground.triangles.push(corners);
                        let walkable = self.is_walkable((column, row), half, limits);
                        ground.walkable.push(walkable);
                    };
                    add(SquareHalf::NorthWest, [nw, sw, ne]);
                    add(SquareHalf::SouthEast, [se, ne, sw]);
                }
            }
        }
        ground
    }

    /// Whether a triangle is within the limits. Written so that NaN fails.
    fn is_walkable(
        &self,
        (column, row): (u32, u32),
        half: SquareHalf,
        limits: &WalkableLimits,
    ) -> bool {
        let facet = self.facet(column, row, half);
        let is_shallow = |level: f32| {
            let depth = f64::from(level) - facet.lowest();
            depth <= f64::from(limits.max_water_depth)
        };
        limits.water_level.is_none_or(is_shallow)
            && facet.slope(self.extent(column, row)) <= limits.max_slope
    }
}
