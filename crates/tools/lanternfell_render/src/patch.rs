//! The intersection of a ray with the surface between four cells.
//!
//! Along a straight ray, the height of the ray is linear, and the products of its two coordinates
//! are quadratic. So the height above a bilinear patch `a + b u + c v + d u v` is a quadratic in
//! the distance, and its first root is the intersection.
//!
//! ```text
//!  a ───── a+b        u runs east, v south, both from 0 to 1
//!  │         │
//!  │         │        height above the patch at distance s:
//!  │         │        above + slope s + bend s^2
//! a+c ─── a+b+c+d
//! ```
//!
//! Source of the stable roots: Press et al., *Numerical Recipes*, section 5.6.

use glam::{DVec2, DVec3};

use lanternfell_heightmap::Heightmap;

/// A ray: `origin + distance * direction`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ray {
    pub(super) origin: DVec3,
    /// A unit vector.
    pub(super) direction: DVec3,
}

impl Ray {
    pub(super) fn at(&self, distance: f64) -> DVec3 {
        self.origin + self.direction * distance
    }
}

/// A ray in columns, heights and rows. Distances along it are in world units.
pub(super) struct CellRay {
    origin: DVec3,
    pub(super) direction: DVec3,
    /// The reciprocal of the direction: infinite along an axis on which the ray does not move.
    inverse: DVec3,
}

impl CellRay {
    /// Converts a ray to cell coordinates. The map extends `half` to each side of its center, its
    /// cells are `cell` wide, and a height of 1 rises by `rise`.
    pub(super) fn new(ray: &Ray, half: DVec2, cell: f64, rise: f64) -> Self {
        let scale = DVec3::new(1.0 / cell, 1.0 / rise, 1.0 / cell);
        let direction = ray.direction * scale;
        Self {
            origin: (ray.origin + DVec3::new(half.x, 0.0, half.y)) * scale,
            direction,
            inverse: 1.0 / direction,
        }
    }

    /// The column and row at `distance`.
    pub(super) fn at(&self, distance: f64) -> DVec2 {
        DVec2::new(
            self.origin.x + distance * self.direction.x,
            self.origin.z + distance * self.direction.z,
        )
    }

    pub(super) fn height(&self, distance: f64) -> f64 {
        self.origin.y + distance * self.direction.y
    }

    /// The range of distances at which the ray is over the map and not above its highest point.
    pub(super) fn clip(
        &self,
        patches: (usize, usize),
        highest: f64,
        reach: f64,
    ) -> Option<(f64, f64)> {
        let (mut entry, mut exit) = (0.0, reach);
        let mut slab = |origin: f64, inverse: f64, low: f64, high: f64| {
            if inverse.is_infinite() {
                // Parallel to the slab: either always inside or always outside.
                return (low..=high).contains(&origin);
            }
            let (a, b) = ((low - origin) * inverse, (high - origin) * inverse);
            entry = a.min(b).max(entry);
            exit = a.max(b).min(exit);
            true
        };
        let hit = slab(self.origin.x, self.inverse.x, 0.0, patches.0 as f64)
            && slab(self.origin.z, self.inverse.z, 0.0, patches.1 as f64)
            && slab(self.origin.y, self.inverse.y, f64::MIN, highest);
        (hit && entry <= exit).then_some((entry, exit))
    }

    /// The distances at which the ray leaves a block toward its x and z neighbors.
    pub(super) fn leave(&self, x: usize, z: usize, level: usize) -> (f64, f64) {
        let border = |block: usize, direction: f64, origin: f64, inverse: f64| {
            if inverse.is_infinite() {
                return f64::INFINITY;
            }
            let block = block + usize::from(direction > 0.0);
            ((block << level) as f64 - origin) * inverse
        };
        (
            border(x, self.direction.x, self.origin.x, self.inverse.x),
            border(z, self.direction.z, self.origin.z, self.inverse.z),
        )
    }
}

/// The surface between four cells: `a + b u + c v + d u v`, with u and v from 0 to 1.
pub(super) struct Patch {
    pub(super) x: f64,
    pub(super) z: f64,
    a: f64,
    b: f64,
    c: f64,
    d: f64,
}

impl Patch {
    /// The patch whose north-west corner is the cell `(x, z)`.
    pub(super) fn new(map: &Heightmap, x: usize, z: usize) -> Self {
        let (north, south) = (map.row(z), map.row(z + 1));
        let corner = |row: &[f32], x: usize| f64::from(row[x]);
        let (a, east) = (corner(north, x), corner(north, x + 1));
        let (south, far) = (corner(south, x), corner(south, x + 1));
        Self {
            x: x as f64,
            z: z as f64,
            a,
            b: east - a,
            c: south - a,
            d: far - east - south + a,
        }
    }

    /// The height `u` east and `v` south of the corner, both clamped to the patch.
    pub(super) fn height(&self, u: f64, v: f64) -> f64 {
        let (u, v) = (u.clamp(0.0, 1.0), v.clamp(0.0, 1.0));
        self.a + self.b * u + self.c * v + self.d * u * v
    }

    /// The first distance from `from` to `to` at which the ray is not above the patch.
    pub(super) fn meet(&self, ray: &CellRay, from: f64, to: f64) -> Option<f64> {
        let start = ray.at(from);
        let (u, v) = (start.x - self.x, start.y - self.z);
        let (du, dh, dv) = (ray.direction.x, ray.direction.y, ray.direction.z);
        // The height above the patch at a distance s from `from`: above + slope s + bend s^2.
        let above = ray.height(from) - (self.a + self.b * u + self.c * v + self.d * u * v);
        if above <= 0.0 {
            return Some(from);
        }
        let slope = dh - self.b * du - self.c * dv - self.d * (u * dv + v * du);
        let bend = -self.d * du * dv;
        let root = first_root(bend, slope, above)?;
        (root <= to - from).then_some(from + root)
    }
}

/// The smallest positive root of `a s^2 + b s + c`, where `c` is positive.
fn first_root(a: f64, b: f64, c: f64) -> Option<f64> {
    let discriminant = b * b - 4.0 * a * c;
    if discriminant < 0.0 {
        return None;
    }
    // This form does not subtract nearly equal numbers (Press et al., 5.6).
    let q = -0.5 * (b + discriminant.sqrt().copysign(b));
    let roots = [q / a, c / q];
    let positive = roots.into_iter().filter(|root| *root > 0.0);
    positive.fold(None, |first: Option<f64>, root| {
        Some(first.map_or(root, |f| f.min(root)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_root_is_smallest_positive() {
        assert_eq!(first_root(1.0, -3.0, 2.0), Some(1.0));
        assert_eq!(first_root(0.0, -2.0, 3.0), Some(1.5));
        assert_eq!(first_root(-1.0, 0.0, 4.0), Some(2.0));
        assert_eq!(first_root(1.0, 3.0, 2.0), None);
        assert_eq!(first_root(1.0, 1.0, 2.0), None);
        assert_eq!(first_root(0.0, 0.0, 2.0), None);
        // Two roots of very different size. A subtraction would lose the small one.
        let root = first_root(1.0, -1e9, 1.0).unwrap();
        assert!((root - 1e-9).abs() < 1e-20);
    }
}
