//! Simplex noise in the plane, computed for a block of cells at a time.
//!
//! Problem: a smooth random function of the position, without a table and without seams. It takes most of the time of
//! generating an island. The `noise` crate evaluates one point at a time, so this is a separate implementation.
//!
//! Idea (Perlin 2001): skew the plane so that a grid of squares, each cut along its diagonal, becomes a grid of
//! equilateral triangles. Every corner has its own slope. The noise is the sum of the three surrounding slopes, each of
//! which fades out before it reaches the far side of its triangles.
//!
//! ```text
//!      (i, j) ------ (i+1, j)          skewed: s = (x + y) F2, F2 = (sqrt 3 - 1) / 2
//!         | \   east    |              back:   t = (i + j) G2, G2 = (3 - sqrt 3) / 6
//!         |   \         |
//!         |  south \    |              corner: max(0, 1/2 - r^2)^4 (slope . (x, y))
//!     (i, j+1) ---- (i+1, j+1)
//! ```
//!
//! Steps, without branches, so that the compiler vectorizes them:
//! 1. Round down by adding and subtracting a large number, which gives the same result on every CPU and vectorizes.
//! 2. Hash each corner's integer coordinates into an angle (one linear step, one shift and multiply). There is no
//!    permutation table, so the noise does not repeat after 256 corners, but only after 35,614.
//! 3. Turn the angle into a slope with two parabolas, which approximate sine and cosine to within 6 %: the length of a
//!    slope is from 1 to 1.061.
//!
//! Limits: a block is [`BLOCK`] cells of one row, relative to an *anchor* whose lattice corner is computed in `f64` and
//! integers. Inside the block `f32` suffices, so the noise is as precise at a million cells from the origin as at the
//! origin. With a wavelength of `n` cells, the error is up to `1e-6 + 1e-4 / n`, because half a block is `64 / n`
//! waves, of which `f32` has about 24 bits. (Measured over 800,000 blocks from `n = 1` to 1000: 0.85 of this bound.)
//! Therefore each cell has its own anchor if the wavelength is shorter than a cell.
//!
//! Sources: Perlin, *Noise hardware*, 2001; Gustavson, *Simplex noise demystified*, 2005.

/// The number of cells that are computed together. Blocks start at multiples of it.
pub(super) const BLOCK: usize = 128;

/// The granularity in cells if only a part of a block is needed.
pub(super) const LANES: usize = 32;

/// One number for each cell of a block.
pub(super) type Block = [f32; BLOCK];

const SKEW: f64 = 0.366_025_403_784_438_6;
const UNSKEW: f64 = 0.211_324_865_405_187_1;

/// 1.5 * 2^23: an `f32` of this size has no fractional bits.
const WHOLE: f32 = 12_582_912.0;

/// 1.5 * 2^52, the same for an `f64`.
const WHOLE_F64: f64 = 6_755_399_441_055_744.0;

/// Odd numbers without a pattern. The first two are also multipliers in Collet's xxHash32. The pair determines where
/// hashes repeat: with this one, corners with equal hashes are at least 35,614 lattice steps apart, by (29758, 19566).
const HASH_I: u32 = 0x9E37_79B1;
const HASH_J: u32 = 0x85EB_CA77;
const HASH_MIX: u32 = 0x2C1B_3C6D;

/// Scales the noise to -1 to 1: with slopes of length 1, three corners sum up to at most 1 / 99.204 (in the middle of
/// an edge), and a slope is at most 1.0607 long.
const SCALE: f32 = 93.5 / (1_u64 << 60) as f32;

/// The position to which the cells of a block are relative.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anchor {
    /// The position of the anchor relative to its lattice corner, in wavelengths.
    x: f32,
    y: f32,
    /// The linear part of the corner's hash.
    corner: u32,
    seed: u32,
}

impl Anchor {
    /// The anchor at `(x, y)`, in wavelengths.
    pub(super) fn new(at: [f64; 2], seed: u32) -> Self {
        // Cast through i64 to get the low 32 bits of a negative or huge coordinate. A direct cast would saturate.
        Self::with_bits(at, seed, |whole| whole as i64 as u32)
    }

    /// The anchor at `(x, y)`, if both are below 2^48. Unlike [`new`](Self::new), it vectorizes.
    #[inline(always)]
    pub(super) fn near(at: [f64; 2], seed: u32) -> Self {
        // An `f64` of about 1.5 * 2^52 has no fractional bits, so its lowest bits are those of the integer.
        Self::with_bits(at, seed, |whole| (whole + WHOLE_F64).to_bits() as u32)
    }

    /// The anchor at `(x, y)`. `bits` returns the low 32 bits of a whole number.
    #[inline(always)]
    fn with_bits([x, y]: [f64; 2], seed: u32, bits: impl Fn(f64) -> u32) -> Self {
        let skew = (x + y) * SKEW;
        let (i, j) = ((x + skew).floor(), (y + skew).floor());
        let unskew = (i + j) * UNSKEW;
        let corner = linear_hash(bits(i), bits(j))
            .wrapping_sub(linear_hash(WHOLE.to_bits(), WHOLE.to_bits()));
        Self {
            x: (x - (i - unskew)) as f32,
            y: (y - (j - unskew)) as f32,
            corner,
            seed,
        }
    }

    /// The noise at the anchor itself.
    #[inline(always)]
    pub(super) fn noise_here(&self) -> f32 {
        self.noise(self.x, self.y)
    }

    /// Fills `noise` with the noise, from -1 to 1, at `step` times `(dx, dy)` from the anchor. The lengths of all
    /// slices must be multiples of [`LANES`].
    #[inline(always)]
    pub(super) fn fill(&self, step: f32, dx: &[f32], dy: &[f32], noise: &mut [f32]) {
        let lanes = noise.as_chunks_mut::<LANES>().0.iter_mut();
        let places = dx
            .as_chunks::<LANES>()
            .0
            .iter()
            .zip(dy.as_chunks::<LANES>().0);
        for (noise, (dx, dy)) in lanes.zip(places) {
            for k in 0..LANES {
                noise[k] = self.noise(self.x + dx[k] * step, self.y + dy[k] * step);
            }
        }
    }

    #[inline(always)]
    fn noise(&self, x: f32, y: f32) -> f32 {
        const G: f32 = UNSKEW as f32;
        // Subtract one half, because adding `WHOLE` rounds to the nearest integer.
        let skew = (x + y) * SKEW as f32 - 0.5;
        let (whole_i, whole_j) = (x + skew + WHOLE, y + skew + WHOLE);
        let near = self
            .corner
            .wrapping_add(linear_hash(whole_i.to_bits(), whole_j.to_bits()));
        let (i, j) = (whole_i - WHOLE, whole_j - WHOLE);
        let unskew = (i + j) * G;
        let (x0, y0) = (x - (i - unskew), y - (j - unskew));
        let (east, turn) = if x0 > y0 {
            (1.0, HASH_I.wrapping_sub(HASH_J))
        } else {
            (0.0, 0)
        };
        let middle = near.wrapping_add(HASH_J).wrapping_add(turn);
        let far = near.wrapping_add(HASH_I.wrapping_add(HASH_J));
        let sum = self.part(near, x0, y0)
            + self.part(middle, (x0 + G) - east, (y0 + (G - 1.0)) + east)
            + self.part(far, x0 + (2.0 * G - 1.0), y0 + (2.0 * G - 1.0));
        sum * SCALE
    }

    /// The contribution of one corner at `(x, y)` relative to it, divided by [`SCALE`].
    #[inline(always)]
    fn part(&self, corner: u32, x: f32, y: f32) -> f32 {
        let (slope_x, slope_y) = slope(mixed_hash(corner ^ self.seed));
        let reach = (0.5 - x * x - y * y).max(0.0);
        let fade = reach * reach;
        fade * fade * (slope_x * x + slope_y * y)
    }
}

/// A linear hash: the hashes of neighbors differ by a constant.
#[inline(always)]
pub(super) fn linear_hash(i: u32, j: u32) -> u32 {
    i.wrapping_mul(HASH_I).wrapping_add(j.wrapping_mul(HASH_J))
}

/// Mixes a corner's linear hash. The upper bits are the most random.
#[inline(always)]
pub(super) fn mixed_hash(h: u32) -> u32 {
    (h ^ (h >> 15)).wrapping_mul(HASH_MIX)
}

/// The slope at the angle `hash / 2^32` of a full turn. Its length is 2^60.
#[inline(always)]
pub(super) fn slope(hash: u32) -> (f32, f32) {
    const HALF_TURN: f32 = 2_147_483_648.0;
    let angle = hash as i32 as f32;
    let sine = angle * (HALF_TURN - angle.abs());
    let angle = angle.abs() - 0.5 * HALF_TURN;
    let cosine = angle * (HALF_TURN - angle.abs());
    (sine, -cosine)
}
