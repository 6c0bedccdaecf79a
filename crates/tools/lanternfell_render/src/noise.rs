//! Gradient noise with its slope, for the fine grain of ground, waves and clouds.
//!
//! The noise is defined on a lattice of unit squares with a pseudo-random direction at every corner. The four ramps
//! along these directions are blended with a quintic. One evaluation returns the value and both partial derivatives,
//! since bumps and waves need the slope. Corner directions come from an integer hash, so images are the same on every
//! machine.
//!
//! Only this crate uses this noise. The noise of terrain generators is in `lanternfell_heightmap`.
//!
//! Source: Perlin, *Improving Noise*, SIGGRAPH 2002.

use glam::{DVec2, DVec3, Vec3};

/// Noise at a point and its slope there.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Grain {
    /// About -1 to 1, 0 on average.
    pub(super) value: f32,
    /// Change of the value per unit along the first axis.
    pub(super) dx: f32,
    /// Change of the value per unit along the second axis.
    pub(super) dz: f32,
}

/// Unit ramps blended at the center of a square reach 1/sqrt(2). This factor scales that to 1.
pub(super) const REACH: f32 = core::f32::consts::SQRT_2;

/// Gradient noise at `at`, with features about one unit wide. `seed` selects the pattern.
pub(super) fn grain(at: DVec2, seed: u32) -> Grain {
    let corner = at.floor();
    let (u, v) = ((at.x - corner.x) as f32, (at.y - corner.y) as f32);
    // Casts saturate: far from the origin the pattern is constant.
    let (x, z) = (corner.x as i32, corner.y as i32);
    let ramp = |dx: i32, dz: i32| {
        let (gx, gz) = direction(x.wrapping_add(dx), z.wrapping_add(dz), seed);
        (gx, gz, gx * (u - dx as f32) + gz * (v - dz as f32))
    };
    let (ax, az, a) = ramp(0, 0);
    let (bx, bz, b) = ramp(1, 0);
    let (cx, cz, c) = ramp(0, 1);
    let (dx, dz, d) = ramp(1, 1);
    let (su, sv) = (quintic(u), quintic(v));
    let twist = a - b - c + d;
    let blend = |a: f32, b: f32, c: f32, d: f32| {
        a + su * (b - a) + sv * (c - a) + su * sv * (a - b - c + d)
    };
    Grain {
        value: REACH * blend(a, b, c, d),
        dx: REACH * (blend(ax, bx, cx, dx) + quintic_slope(u) * (b - a + sv * twist)),
        dz: REACH * (blend(az, bz, cz, dz) + quintic_slope(v) * (c - a + su * twist)),
    }
}

/// Solid (3D) noise at a point, and its slope there. Plane noise would be stretched to streaks on steep ground.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct SolidGrain {
    /// About -1 to 1, 0 on average.
    pub(super) value: f32,
    /// Change of the value per unit along the three axes.
    pub(super) slope: Vec3,
}

/// Solid gradient noise, with features about one unit wide.
pub(super) fn solid(at: DVec3, seed: u32) -> SolidGrain {
    let corner = at.floor();
    let inside = (at - corner).as_vec3();
    let (x, y, z) = (corner.x as i32, corner.y as i32, corner.z as i32);
    let ramp = |dx: i32, dy: i32, dz: i32| {
        let hash = stir(
            x.wrapping_add(dx),
            y.wrapping_add(dy),
            z.wrapping_add(dz),
            seed,
        );
        let towards = Vec3::from_array(EDGES[(hash >> 28) as usize]);
        let offset = inside - Vec3::new(dx as f32, dy as f32, dz as f32);
        (towards, towards.dot(offset))
    };
    // Four edges along x, then two along y, then one along z. Each blends its two ends.
    let blend = |low: (Vec3, f32), high: (Vec3, f32), axis: Vec3| {
        let t = inside.dot(axis);
        let (share, rate) = (quintic(t), quintic_slope(t));
        let slope = low.0 + (high.0 - low.0) * share + axis * (rate * (high.1 - low.1));
        (slope, low.1 + (high.1 - low.1) * share)
    };
    let along_x = |dy, dz| blend(ramp(0, dy, dz), ramp(1, dy, dz), Vec3::X);
    let along_y = |dz| blend(along_x(0, dz), along_x(1, dz), Vec3::Y);
    let (slope, value) = blend(along_y(0), along_y(1), Vec3::Z);
    SolidGrain { value, slope }
}

/// The midpoints of a cube's twelve edges, four of them twice, which makes sixteen.
const EDGES: [[f32; 3]; 16] = [
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [-1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [-1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [-1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, -1.0, 1.0],
    [0.0, 1.0, -1.0],
    [0.0, -1.0, -1.0],
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
    [0.0, -1.0, 1.0],
    [0.0, -1.0, -1.0],
];

/// The value of [`grain`] only.
pub(super) fn value(at: DVec2, seed: u32) -> f32 {
    grain(at, seed).value
}

/// The frequency ratio between octaves of [`fractal`]. With exactly 2, the lattices of octaves would coincide.
pub(super) const LACUNARITY: f64 = 2.03;

/// The sum of `octaves` of noise, each [`LACUNARITY`] times as fine and half as strong as the one before.
pub(super) fn fractal(at: DVec2, octaves: u32, seed: u32) -> f32 {
    let mut sum = 0.0;
    let (mut scale, mut strength) = (1.0, 0.5);
    for octave in 0..octaves {
        sum += strength * value(at * scale, seed.wrapping_add(octave));
        scale *= LACUNARITY;
        strength *= 0.5;
    }
    sum
}

/// The direction of a lattice point. Eight directions are enough for fine grain.
#[inline(always)]
pub(super) fn direction(x: i32, z: i32, seed: u32) -> (f32, f32) {
    let eighth = stir(x, 0, z, seed) >> 29;
    // A sine is the cosine a quarter turn earlier.
    (cosine(eighth), cosine(eighth + 6))
}

/// The cosine of `eighths` of a turn. Computed with bit operations instead of a table, so that loops vectorize.
#[inline(always)]
fn cosine(eighths: u32) -> f32 {
    let straight = if eighths & 2 == 0 { 1.0_f32 } else { 0.0 };
    let size = if eighths & 1 == 0 {
        straight
    } else {
        core::f32::consts::FRAC_1_SQRT_2
    };
    f32::from_bits(size.to_bits() | ((eighths + 1) & 4) << 29)
}

/// A hash in which every input bit affects every output bit.
#[inline(always)]
fn stir(x: i32, y: i32, z: i32, seed: u32) -> u32 {
    let mut hash = (x as u32).wrapping_mul(0x9e37_79b1)
        ^ (y as u32).wrapping_mul(0x27d4_eb2f)
        ^ (z as u32).wrapping_mul(0x85eb_ca77)
        ^ seed.wrapping_mul(0xc2b2_ae3d);
    hash = (hash ^ (hash >> 15)).wrapping_mul(0x2c1b_3c6d);
    hash = (hash ^ (hash >> 12)).wrapping_mul(0x297a_2d39);
    hash ^ (hash >> 15)
}

/// From 0 at 0 to 1 at 1, with zero slope and curvature at both ends.
#[inline(always)]
pub(super) fn quintic(t: f32) -> f32 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

#[inline(always)]
pub(super) fn quintic_slope(t: f32) -> f32 {
    30.0 * t * t * (t * (t - 2.0) + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_match_cosine() {
        for eighths in 0..16 {
            let angle = f64::from(eighths) * core::f64::consts::FRAC_PI_4;
            assert!(
                (cosine(eighths) - libm::cos(angle) as f32).abs() < 1e-7,
                "{eighths}"
            );
        }
    }

    #[test]
    fn slopes_match_differences() {
        for step in 0..500 {
            let at = DVec2::new(
                f64::from(step) * 0.137 - 30.0,
                f64::from(step) * 0.291 - 70.0,
            );
            let here = grain(at, 3);
            let difference = |offset: DVec2| {
                let (after, before) = (value(at + offset, 3), value(at - offset, 3));
                (after - before) / (2.0 * offset.length() as f32)
            };
            assert!(
                (here.dx - difference(DVec2::new(1e-3, 0.0))).abs() < 4e-3,
                "at {at}"
            );
            assert!(
                (here.dz - difference(DVec2::new(0.0, 1e-3))).abs() < 4e-3,
                "at {at}"
            );
        }
    }

    #[test]
    fn solid_slopes_match_differences() {
        for step in 0..500 {
            let step = f64::from(step);
            let at = DVec3::new(step * 0.137 - 30.0, step * 0.291 - 70.0, step * 0.077);
            for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                let (after, before) = (solid(at + axis * 1e-3, 3), solid(at - axis * 1e-3, 3));
                let difference = (after.value - before.value) / 2e-3;
                let slope = solid(at, 3).slope.dot(axis.as_vec3());
                assert!((slope - difference).abs() < 8e-3, "{slope} {difference}");
            }
        }
    }

    #[test]
    fn values_are_bounded_with_zero_mean() {
        let points = (0..40_000).map(|i| DVec2::new(f64::from(i % 200), f64::from(i / 200)) * 0.37);
        let values: Vec<f32> = points.map(|at| value(at, 9)).collect();
        let mean = values.iter().sum::<f32>() / values.len() as f32;
        let reach = values.iter().fold(0.0_f32, |reach, v| reach.max(v.abs()));
        assert!(mean.abs() < 0.02, "mean {mean}");
        assert!((0.7..=1.1).contains(&reach), "reach {reach}");
    }
}
