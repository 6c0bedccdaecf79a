//! The heightmap as a surface for rays: where does a ray hit the terrain?
//!
//! # Idea
//! Between four cells the surface is the bilinear patch through their heights. Along a straight
//! ray, the height of the ray is linear and that of the patch quadratic. So the intersection is the
//! root of a quadratic. It is exact, without marching in small steps.
//!
//! To skip empty air, a pyramid holds the highest point of 2 x 2, 4 x 4, ... patches. A ray that
//! stays above the highest point of a block skips the whole block:
//!
//! ```text
//!  ray ------___
//!               ---___            skip  skip  descend
//!        /\           ---___    |-----|-----|--|-|x
//!   ____/  \____/\__________
//! ```
//!
//! # Steps
//! 1. Clip the ray to the bounding box of the map. A ray that enters below the edge of the terrain
//!    hits the wall where the map was cut.
//! 2. Start at the top of the pyramid. If the ray is above the block, step to the next block and
//!    one level up, otherwise one level down. At the bottom level, solve the quadratic.
//!
//! # Cost and limits
//! About 10 to 40 steps per ray, growing with the logarithm of the map size. The pyramid takes a
//! third of the map's memory. Block numbers are integers, so every step makes progress.
//!
//! Source: Tevs, Ihrke, Seidel, *Maximum Mipmaps for Fast, Accurate, and Scalable Dynamic Height
//! Field Rendering*, I3D 2008.

use glam::DVec2;

use crate::patch::{CellRay, Patch, Ray};
use lanternfell_heightmap::Heightmap;

/// A point where a ray hits the terrain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hit {
    /// Distance along the ray, in world units.
    pub(super) distance: f64,
    /// Whether the ray hit a side of the map instead of its surface.
    pub(super) wall: bool,
}

/// The terrain in world units. The longer side of the map is one unit long, the center of the map
/// is at x = z = 0, and a height of 1 rises by the vertical scale.
pub(super) struct HeightField<'a> {
    pub(super) map: &'a Heightmap,
    /// `blocks[k]` holds the highest points of blocks of `2^(k+1)` by `2^(k+1)` patches.
    blocks: Vec<Blocks>,
    /// The side of a cell, in world units.
    pub(super) cell: f64,
    /// World units per unit of height.
    pub(super) rise: f64,
    /// The lowest and highest height of the map.
    pub(super) range: (f64, f64),
}

struct Blocks {
    width: usize,
    highest: Vec<f32>,
}

impl<'a> HeightField<'a> {
    /// Builds the pyramid over `map`.
    pub(super) fn new(map: &'a Heightmap, vertical_scale: f64) -> Self {
        Self {
            blocks: pyramid(map),
            ..Self::bare(map, vertical_scale)
        }
    }

    /// Does not build the pyramid. Rays would have to visit every patch on their way.
    pub(super) fn bare(map: &'a Heightmap, vertical_scale: f64) -> Self {
        let longer = map.width().max(map.height()) - 1;
        let (low, high) = map.range();
        Self {
            map,
            blocks: Vec::new(),
            cell: 1.0 / longer as f64,
            rise: vertical_scale,
            range: (f64::from(low), f64::from(high)),
        }
    }

    /// Converts world units to a height of the map.
    pub(super) fn level(&self, height: f64) -> f32 {
        (height / self.rise) as f32
    }

    /// Half the map's extent east and south, in world units.
    pub(super) fn half(&self) -> DVec2 {
        let patches = DVec2::new(self.patches().0 as f64, self.patches().1 as f64);
        patches * (0.5 * self.cell)
    }

    /// Whether that place is within the map.
    pub(super) fn covers(&self, at: DVec2) -> bool {
        at.abs().cmple(self.half()).all()
    }

    /// Calls `see` with the world heights of all cells on the border of the map.
    pub(super) fn border(&self, mut see: impl FnMut(f64)) {
        let (right, bottom) = self.patches();
        let mut cell = |x, y| see(f64::from(self.map.get(x, y)) * self.rise);
        for x in 0..=right {
            cell(x, 0);
            cell(x, bottom);
        }
        for y in 1..bottom {
            cell(0, y);
            cell(right, y);
        }
    }

    /// The distance at which `ray` enters the column of space above and below the map. `None` if it
    /// starts there or never enters.
    pub(super) fn entry(&self, ray: &Ray) -> Option<f64> {
        let cells = CellRay::new(ray, self.half(), self.cell, self.rise);
        let (entry, _) = cells.clip(self.patches(), f64::INFINITY, f64::INFINITY)?;
        Some(entry).filter(|&entry| entry > 0.0)
    }

    /// Converts east and south world coordinates to fractional columns and rows.
    pub(super) fn to_cells(&self, at: DVec2) -> DVec2 {
        (at + self.half()) / self.cell
    }

    /// The world height at the fractional column and row `cell`, by the bilinear patch. Outside the
    /// map, the height of the edge.
    pub(super) fn height(&self, cell: DVec2) -> f64 {
        let patch = self.patch(cell);
        patch.height(cell.x - patch.x, cell.y - patch.z) * self.rise
    }

    /// Rise per world unit toward east and south, measured over `reach` world units, and continuous
    /// from cell to cell.
    pub(super) fn slope(&self, cell: DVec2, reach: f64) -> DVec2 {
        // At least one cell to each side. Less would show the edges of patches.
        let reach = (reach / self.cell).max(1.0);
        let (dx, dz) = (DVec2::new(reach, 0.0), DVec2::new(0.0, reach));
        let east = self.height(cell + dx) - self.height(cell - dx);
        let south = self.height(cell + dz) - self.height(cell - dz);
        DVec2::new(east, south) / (2.0 * reach * self.cell)
    }

    /// The number of patches in each direction, one less than cells.
    fn patches(&self) -> (usize, usize) {
        (self.map.width() - 1, self.map.height() - 1)
    }

    fn patch(&self, cell: DVec2) -> Patch {
        let (width, height) = self.patches();
        // Casts saturate, so points far outside are moved to the edge.
        let x = (cell.x as usize).min(width - 1);
        let z = (cell.y as usize).min(height - 1);
        Patch::new(self.map, x, z)
    }

    /// The first point where `ray` hits the terrain within `reach` world units.
    pub(super) fn trace(&self, ray: &Ray, reach: f64) -> Option<Hit> {
        let ray = CellRay::new(ray, self.half(), self.cell, self.rise);
        let (entry, exit) = ray.clip(self.patches(), self.range.1, reach)?;
        let (width, height) = self.patches();
        let start = ray.at(entry);
        if entry > 0.0 {
            let patch = self.patch(start);
            // A small tolerance, so that a ray along the very edge does not hit the wall.
            let edge = patch.height(start.x - patch.x, start.y - patch.z) - 1e-9;
            if ray.height(entry) < edge {
                return Some(Hit {
                    distance: entry,
                    wall: true,
                });
            }
        }
        let x = (start.x as usize).min(width - 1);
        let z = (start.y as usize).min(height - 1);
        let distance = self.walk(&ray, (x, z), entry, exit)?;
        Some(Hit {
            distance,
            wall: false,
        })
    }

    /// Step 2 of the module docs, from patch `(x, z)` at distance `entry`.
    fn walk(&self, ray: &CellRay, from: (usize, usize), entry: f64, exit: f64) -> Option<f64> {
        let (width, height) = self.patches();
        let ((mut x, mut z), mut here) = (from, entry);
        let mut level = self.blocks.len();
        loop {
            let (leave_x, leave_z) = ray.leave(x >> level, z >> level, level);
            let next = leave_x.min(leave_z).clamp(here, exit);
            let lowest = ray.height(here).min(ray.height(next));
            if level > 0 && lowest <= f64::from(self.highest(x, z, level)) {
                level -= 1;
                continue;
            }
            if level == 0
                && let Some(met) = Patch::new(self.map, x, z).meet(ray, here, next)
            {
                return Some(met);
            }
            if next >= exit {
                return None;
            }
            // Cross the nearer border. The other coordinate stays within the block.
            let at = ray.at(next);
            if leave_x <= leave_z {
                x = beyond(x, level, ray.direction.x, width)?;
                z = within(at.y, z, level, height);
            } else {
                z = beyond(z, level, ray.direction.z, height)?;
                x = within(at.x, x, level, width);
            }
            here = next;
            level = (level + 1).min(self.blocks.len());
        }
    }

    fn highest(&self, x: usize, z: usize, level: usize) -> f32 {
        let blocks = &self.blocks[level - 1];
        blocks.highest[(z >> level) * blocks.width + (x >> level)]
    }
}

/// The first patch of the next block in the direction of the ray. `None` past the edge of the map.
fn beyond(patch: usize, level: usize, direction: f64, patches: usize) -> Option<usize> {
    let block = patch >> level;
    if direction > 0.0 {
        Some((block + 1) << level).filter(|&next| next < patches)
    } else {
        (block << level).checked_sub(1)
    }
}

/// The patch under coordinate `at`, clamped to the block of `patch`.
fn within(at: f64, patch: usize, level: usize, patches: usize) -> usize {
    let first = (patch >> level) << level;
    let last = (first + (1 << level) - 1).min(patches - 1);
    (at as usize).clamp(first, last)
}

/// The highest points of ever larger blocks, until one block covers the whole map.
fn pyramid(map: &Heightmap) -> Vec<Blocks> {
    let (mut width, mut height) = (map.width() - 1, map.height() - 1);
    let mut levels: Vec<Blocks> = Vec::new();
    while levels.is_empty() || width > 1 || height > 1 {
        let next = (width.div_ceil(2), height.div_ceil(2));
        let mut highest = vec![f32::MIN; next.0 * next.1];
        for z in 0..next.1 {
            for x in 0..next.0 {
                highest[z * next.0 + x] = match levels.last() {
                    None => highest_of(map.heights(), map.width(), map.height(), (x, z), 3),
                    Some(below) => highest_of(&below.highest, width, height, (x, z), 2),
                };
            }
        }
        levels.push(Blocks {
            width: next.0,
            highest,
        });
        (width, height) = next;
    }
    levels
}

/// The maximum of `side` by `side` values from twice `(x, z)` on, clipped to the array.
fn highest_of(
    values: &[f32],
    width: usize,
    height: usize,
    (x, z): (usize, usize),
    side: usize,
) -> f32 {
    let columns = 2 * x..(2 * x + side).min(width);
    (2 * z..(2 * z + side).min(height))
        .flat_map(|row| &values[row * width..][columns.clone()])
        .fold(f32::MIN, |highest, &value| highest.max(value))
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use lanternfell_heightmap::MapSize;

    /// Rough terrain from a hash of the cell: the hardest case for ray tracing.
    fn rough(width: u64, height: u64) -> Heightmap {
        let size = MapSize::new(width, height).unwrap();
        let heights = (0..size.cells() as u32)
            .map(|cell| (cell.wrapping_mul(0x9e37_79b1) >> 16) as f32 / 65_535.0)
            .collect();
        Heightmap::from_heights(size, heights).unwrap()
    }

    /// The reference: tests every patch.
    fn trace_all(ground: &HeightField, ray: &Ray) -> Option<f64> {
        let over = |ray: &Ray| CellRay::new(ray, ground.half(), ground.cell, ground.rise);
        let cells = over(ray);
        let back = over(&Ray {
            direction: -ray.direction,
            ..*ray
        });
        let (width, height) = ground.patches();
        let mut first: Option<f64> = None;
        for z in 0..height {
            for x in 0..width {
                let (a, b) = cells.leave(x, z, 0);
                let (c, d) = back.leave(x, z, 0);
                let (entry, exit) = ((-c).max(-d).max(0.0), a.min(b));
                if entry > exit {
                    continue;
                }
                if let Some(met) = Patch::new(ground.map, x, z).meet(&cells, entry, exit) {
                    first = Some(first.map_or(met, |first| first.min(met)));
                }
            }
        }
        first
    }

    #[test]
    fn pyramid_matches_exhaustive_search() {
        let mut hits = 0;
        for (width, height) in [(2, 2), (3, 2), (9, 17), (40, 23)] {
            let map = rough(width, height);
            let ground = HeightField::new(&map, 0.3);
            for step in 0..400 {
                let turn = f64::from(step) * 0.618;
                let origin = DVec3::new(libm::cos(turn), 0.5, libm::sin(turn));
                let aim = DVec3::new(
                    libm::sin(turn * 3.0) * 0.4,
                    0.1,
                    libm::cos(turn * 5.0) * 0.4,
                );
                let ray = Ray {
                    origin,
                    direction: (aim - origin).normalize(),
                };
                let found = ground.trace(&ray, 10.0);
                let expected = trace_all(&ground, &ray);
                match (found, expected) {
                    (Some(hit), Some(distance)) => {
                        assert!((hit.distance - distance).abs() < 1e-9, "{hit:?} {distance}");
                        hits += 1;
                    }
                    (None, None) => {}
                    other => panic!("{width}x{height} ray {step}: {other:?}"),
                }
            }
        }
        assert!(hits > 500, "only {hits} rays hit the terrain");
    }

    #[test]
    fn vertical_rays_hit_the_height() {
        let map = rough(17, 17);
        let ground = HeightField::new(&map, 0.2);
        for step in 0..200 {
            let at = DVec2::new(
                f64::from(step) * 0.00499,
                f64::from(step * 7 % 200) * 0.00499,
            );
            let at = at - DVec2::splat(0.499);
            let origin = DVec3::new(at.x, 1.0, at.y);
            let down = Ray {
                origin,
                direction: -DVec3::Y,
            };
            let hit = ground.trace(&down, 2.0).unwrap();
            let expected = 1.0 - ground.height(ground.to_cells(at));
            assert!((hit.distance - expected).abs() < 1e-9, "{at}");
            assert_eq!(
                ground.trace(
                    &Ray {
                        origin,
                        direction: DVec3::Y
                    },
                    2.0
                ),
                None,
                "{at}"
            );
        }
    }

    #[test]
    fn ray_from_the_side_hits_the_wall() {
        let map = Heightmap::from_fn(MapSize::new(5, 5).unwrap(), |_, _| 0.5).unwrap();
        let ground = HeightField::new(&map, 1.0);
        let ray = |y| Ray {
            origin: DVec3::new(-2.0, y, 0.1),
            direction: DVec3::X,
        };
        assert_eq!(
            ground.trace(&ray(0.4), 9.0),
            Some(Hit {
                distance: 1.5,
                wall: true
            })
        );
        assert_eq!(ground.trace(&ray(0.6), 9.0), None);
        assert_eq!(ground.trace(&ray(0.4), 1.0), None);
    }
}
