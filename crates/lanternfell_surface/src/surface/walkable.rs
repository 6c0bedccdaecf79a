//! The ground as triangles for a navigation mesh: all of them, and which of them a walker may tread on.
//!
//! Problem: what bakes a navigation mesh takes triangles. From a mesh that is drawn it would take those
//! of the detail that some camera has just now, and it knows nothing of water.
//!
//! Idea: the triangles of the surface itself, in full detail, in a window around whoever walks. Each says
//! whether it is too steep or lies too deep. Those that are stand there all the same, since other things
//! may lie over or under them: a bridge, a rock, the floor of a cave whose ceiling they are. Only holes are
//! absent.
//!
//! A triangle is flat, so its slope is one number, and its deepest point is its lowest corner: what is
//! walkable keeps both limits everywhere.
//!
//! # In a baker of Recast's kind
//! - Recast marks whatever is not steep as walkable by itself, and so would the bottom of a lake be. Let it
//!   mark nothing, in `rerecast` and `bevy_rerecast` by a `walkable_slope_angle` of 0, and give it the area
//!   of each triangle as it is said here.
//! - It rasterizes: a voxel that a walkable triangle touches is walkable, so the mesh reaches up to a voxel
//!   further, and its simplified outline up to `max_simplification_error` voxels. The walker's radius is
//!   taken off from all that: with one of three voxels nothing is left beyond the limits.
//! - Its `walkable_climb` wants to be more than what two voxels rise on the steepest slope, or slopes are
//!   taken for ledges.
//! - Windows that shall meet are baked on one grid of voxels, each with some ground around it, so that
//!   what lies beyond counts; and polygons are made to end at the window by giving that ground areas of its
//!   own. (Recast cuts them at the border of a box; `rerecast` 0.4 does that wrongly.)
//!
//! Cost: about 0.1 us a square, most of it its two slopes; 38 bytes a square.

use glam::{Vec2, Vec3};

use super::{Surface, facet::SquareHalf};

/// What a walker can tread on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WalkableLimits {
    /// The steepest ground, in degrees from 0 to 90 as [`Surface::slope`] counts; 45 by default.
    pub max_slope: f32,
    /// The y of the water's surface in metres, in the frame of the surface; `None`, the default, for
    /// dry land.
    pub water_level: Option<f32>,
    /// The deepest water that is waded through, in metres; 0.5 by default. Below 0 so far above the
    /// water is kept.
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

/// Triangles of a window of a surface: see [`Surface::walkable`].
#[derive(Debug, Default, Clone, PartialEq)]
pub struct WalkableGround {
    /// The cells of the window, row by row from the north-west, in metres in the frame of the surface.
    pub vertices: Vec<Vec3>,
    /// Three places in `vertices` for each triangle, counter-clockwise seen from above. Squares come row
    /// by row from the north-west, of each the north-western half first.
    pub triangles: Vec<[u32; 3]>,
    /// Of each triangle, whether it is within the limits.
    pub walkable: Vec<bool>,
}

impl Surface<'_> {
    /// The very triangles that are drawn nearby and collided with, and which of them are walkable: of
    /// all whole squares that the rectangle from `min` to `max`, two `(x, z)` in metres, overlaps.
    ///
    /// Holes are absent. What is steeper or deeper than `limits` is there and not walkable. A rectangle
    /// beside the surface, or one whose `max` is not beyond its `min`, has no triangle; limits that are NaN
    /// make nothing walkable.
    ///
    /// Takes 38 bytes for a square: of large maps ask for windows around whoever walks.
    ///
    /// A baker of navigation meshes that marks all flat ground as walkable, as Recast does, is to be told
    /// not to: in `bevy_rerecast` by a `walkable_slope_angle` of 0.
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

    /// Whether a triangle is within the limits, written so that NaN fails.
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
