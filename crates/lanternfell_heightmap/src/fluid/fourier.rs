//! Fast Fourier transforms of several interleaved signals, for convolutions.
//!
//! Problem: [`sine`](super::sine) needs a few thousand long convolutions with the same bits on
//! every machine. An FFT library selects instructions by CPU, and its sines may come from the
//! system's math library. This module uses neither.
//!
//! Idea: [`LANES`] signals are interleaved, so that one butterfly applies the same twiddle
//! factors to all of them. The compiler vectorizes that for any target, and the arithmetic stays
//! as written here.
//!
//! ```text
//!   sample k        k + n/4      k + n/2      k + 3n/4
//!  [re re re re im im im im]  ...                       one `ComplexLanes` each
//!         \___________ radix-4 butterfly ___________/
//!   quarter 0    quarter 1     quarter 2      quarter 3   each again a transform
//! ```
//!
//! Steps: the forward transform (decimation in frequency, Gentleman and Sande 1966) splits into
//! quarters and leaves its result in a scrambled order. The backward transform takes that order
//! and undoes every butterfly. A convolution multiplies in between, where the order does not
//! matter. Long parts are split one level after the other. A part that fits into the L1 cache
//! goes through all remaining levels while it is there.
//!
//! Everything is inlined into [`SineTransform::transform`](super::sine::SineTransform), which is
//! compiled once per vector width. Recursion would prevent that.
//!
//! Cost: about `4.25 n log2 n` flops per lane and direction. Lengths are `2^k` or `3 * 2^k`, so
//! padding adds at most half.

use std::ops::{Add, Mul, Sub};

/// The number of interleaved complex signals: real and imaginary parts together fill a cache line.
pub(super) const LANES: usize = 4;

/// The number of samples that fit into the L1 cache with their twiddle factors: 16 KiB and 12
/// KiB.
const CACHED: usize = 256;

/// A complex number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Complex {
    pub(super) re: f64,
    pub(super) im: f64,
}

impl Complex {
    /// The point `step / steps` of a full turn round the unit circle, anticlockwise.
    ///
    /// The angle is reduced below an eighth of a turn in integers first, so that mirrored points
    /// are equal to the last bit.
    pub(super) fn on_circle(step: u64, steps: u64) -> Self {
        let step = step % steps;
        let quarter = 4 * step / steps;
        // `beyond / steps` is the fraction of this quarter turn. Beyond its middle, sine and
        // cosine swap.
        let beyond = 4 * step - quarter * steps;
        let angle = |part: u64| part as f64 / steps as f64 * core::f64::consts::FRAC_PI_2;
        let (re, im) = if 2 * beyond <= steps {
            (libm::cos(angle(beyond)), libm::sin(angle(beyond)))
        } else {
            let rest = angle(steps - beyond);
            (libm::sin(rest), libm::cos(rest))
        };
        let (re, im) = match quarter {
            0 => (re, im),
            1 => (-im, re),
            2 => (-re, -im),
            _ => (im, -re),
        };
        Self { re, im }
    }

    #[inline(always)]
    pub(super) fn conj(self) -> Self {
        Self {
            im: -self.im,
            ..self
        }
    }

    pub(super) fn scaled(self, factor: f64) -> Self {
        Self {
            re: self.re * factor,
            im: self.im * factor,
        }
    }
}

/// One sample of [`LANES`] complex signals.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub(super) struct ComplexLanes {
    pub(super) re: [f64; LANES],
    pub(super) im: [f64; LANES],
}

impl ComplexLanes {
    pub(super) const ZERO: Self = Self {
        re: [0.0; LANES],
        im: [0.0; LANES],
    };

    /// Multiplies by `i`, a quarter turn.
    #[inline(always)]
    fn turned(self) -> Self {
        Self {
            re: self.im.map(|im| -im),
            im: self.re,
        }
    }
}

#[inline(always)]
fn each(f: impl Fn(usize) -> f64) -> [f64; LANES] {
    core::array::from_fn(f)
}

impl Add for ComplexLanes {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            re: each(|l| self.re[l] + other.re[l]),
            im: each(|l| self.im[l] + other.im[l]),
        }
    }
}

impl Sub for ComplexLanes {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self {
            re: each(|l| self.re[l] - other.re[l]),
            im: each(|l| self.im[l] - other.im[l]),
        }
    }
}

impl Mul<Complex> for ComplexLanes {
    type Output = Self;

    #[inline(always)]
    fn mul(self, w: Complex) -> Self {
        Self {
            // No fused multiply-add: it would change the bits on targets that have it.
            re: each(|l| self.re[l] * w.re - self.im[l] * w.im),
            im: each(|l| self.re[l] * w.im + self.im[l] * w.re),
        }
    }
}

/// The twiddle factors of all levels for one length.
#[derive(Debug)]
pub(super) struct Fourier {
    length: usize,
    /// The first split into thirds, when the length is `3 * 2^k`.
    thirds: Vec<[Complex; 2]>,
    /// One table for each split into quarters, the longest first.
    quarters: Vec<Vec<[Complex; 3]>>,
}

impl Fourier {
    /// The shortest length that is `2^k` or `3 * 2^k` and holds `at_least` samples.
    pub(super) fn length_for(at_least: usize) -> usize {
        let power = at_least.next_power_of_two().max(4);
        // `power` is at least 4, so `shorter` is `3 * 2^k` exactly.
        let shorter = power / 4 * 3;
        if shorter >= at_least { shorter } else { power }
    }

    /// A transform of at least `at_least` samples.
    pub(super) fn new(at_least: usize) -> Self {
        let length = Self::length_for(at_least);
        let root = |k: usize, n: usize| Complex::on_circle(k as u64, n as u64).conj();
        let mut thirds = Vec::new();
        let mut rest = length;
        if length.is_multiple_of(3) {
            rest /= 3;
            thirds.extend((0..rest).map(|k| [root(k, length), root(2 * k, length)]));
        }
        let mut quarters = Vec::new();
        // A level removes two factors of 2 with one read of the data. An odd factor is left for
        // `halves`.
        while rest >= 4 {
            let table = (0..rest / 4).map(|k| [1, 2, 3].map(|m| root(m * k, rest)));
            quarters.push(table.collect());
            rest /= 4;
        }
        Self {
            length,
            thirds,
            quarters,
        }
    }

    /// The number of samples.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Transforms `samples` with `exp(-2 pi i j k / n)`, into a scrambled order.
    #[inline(always)]
    pub(super) fn forward(&self, samples: &mut [ComplexLanes]) {
        if !self.thirds.is_empty() {
            let (a, b, c) = thirds_mut(samples);
            for (((a, b), c), [w1, w2]) in a.iter_mut().zip(b).zip(c).zip(&self.thirds) {
                // The butterfly uses `exp(+2 pi i / 3)`. The forward direction needs the
                // conjugate, which swaps its second and third result.
                let [x, y, z] = third_butterfly(*a, *b, *c);
                (*a, *b, *c) = (x, z * *w1, y * *w2);
            }
        }
        // Levels with long parts stream through all samples. After them, each part fits the cache
        // and takes all remaining levels at once.
        let (long, short) = self.quarters.split_at(self.long_levels());
        for table in long {
            split(table, samples);
        }
        for cached in samples.chunks_exact_mut(cached_length(short)) {
            for table in short {
                split(table, cached);
            }
            if self.ends_in_halves() {
                halves(cached);
            }
        }
    }

    /// Undoes [`forward`](Self::forward), except for the factor of the length.
    #[inline(always)]
    pub(super) fn backward(&self, samples: &mut [ComplexLanes]) {
        let (long, short) = self.quarters.split_at(self.long_levels());
        for cached in samples.chunks_exact_mut(cached_length(short)) {
            // Exactly the levels of `forward` in reverse order, each the inverse of its
            // butterfly.
            if self.ends_in_halves() {
                halves(cached);
            }
            for table in short.iter().rev() {
                join(table, cached);
            }
        }
        for table in long.iter().rev() {
            join(table, samples);
        }
        if !self.thirds.is_empty() {
            let (a, b, c) = thirds_mut(samples);
            for (((a, b), c), [w1, w2]) in a.iter_mut().zip(b).zip(c).zip(&self.thirds) {
                let [x, y, z] = third_butterfly(*a, *b * w1.conj(), *c * w2.conj());
                (*a, *b, *c) = (x, y, z);
            }
        }
    }

    /// The number of levels whose parts are too long for the L1 cache.
    fn long_levels(&self) -> usize {
        // The tables are sorted from the longest part to the shortest, as `partition_point`
        // needs.
        let is_long = |table: &Vec<[Complex; 3]>| 4 * table.len() > CACHED;
        self.quarters.partition_point(is_long)
    }

    /// Whether parts of two samples are left after the last radix-4 level.
    fn ends_in_halves(&self) -> bool {
        self.length.trailing_zeros() % 2 == 1
    }
}

/// The length of the parts that go through all these levels at once: 2 when only the halves are
/// left.
fn cached_length(tables: &[Vec<[Complex; 3]>]) -> usize {
    tables.first().map_or(2, |table| 4 * table.len())
}

/// `[a + b + c, a + w b + w^2 c, a + w^2 b + w c]` with `w = exp(2 pi i / 3)`.
#[inline(always)]
fn third_butterfly(a: ComplexLanes, b: ComplexLanes, c: ComplexLanes) -> [ComplexLanes; 3] {
    let half = Complex { re: 0.5, im: 0.0 };
    let sine = Complex {
        re: 0.866_025_403_784_438_6,
        im: 0.0,
    };
    let sum = b + c;
    let middle = a - sum * half;
    let side = (b - c).turned() * sine;
    [a + sum, middle + side, middle - side]
}

#[inline(always)]
fn thirds_mut(
    samples: &mut [ComplexLanes],
) -> (
    &mut [ComplexLanes],
    &mut [ComplexLanes],
    &mut [ComplexLanes],
) {
    let third = samples.len() / 3;
    let (a, rest) = samples.split_at_mut(third);
    let (b, c) = rest.split_at_mut(third);
    (a, b, c)
}

#[inline(always)]
fn quarters_mut(samples: &mut [ComplexLanes]) -> [&mut [ComplexLanes]; 4] {
    let quarter = samples.len() / 4;
    let (ab, cd) = samples.split_at_mut(2 * quarter);
    let (a, b) = ab.split_at_mut(quarter);
    let (c, d) = cd.split_at_mut(quarter);
    [a, b, c, d]
}

/// Splits every part that is as long as the table's level into quarters.
#[inline(always)]
fn split(table: &[[Complex; 3]], samples: &mut [ComplexLanes]) {
    for part in samples.chunks_exact_mut(4 * table.len()) {
        let [a, b, c, d] = quarters_mut(part);
        let cells = a.iter_mut().zip(b).zip(c).zip(d);
        for ((((a, b), c), d), [w1, w2, w3]) in cells.zip(table) {
            let (even, even_rest) = (*a + *c, *a - *c);
            // `i (d - b)` is `-i (b - d)`: the quarter turn of the forward direction. `join`
            // turns the other way.
            let (odd, odd_rest) = (*b + *d, (*d - *b).turned());
            *a = even + odd;
            *b = (even_rest + odd_rest) * *w1;
            *c = (even - odd) * *w2;
            *d = (even_rest - odd_rest) * *w3;
        }
    }
}

/// Undoes [`split`].
#[inline(always)]
fn join(table: &[[Complex; 3]], samples: &mut [ComplexLanes]) {
    for part in samples.chunks_exact_mut(4 * table.len()) {
        let [a, b, c, d] = quarters_mut(part);
        let cells = a.iter_mut().zip(b).zip(c).zip(d);
        for ((((a, b), c), d), [w1, w2, w3]) in cells.zip(table) {
            let (y1, y2, y3) = (*b * w1.conj(), *c * w2.conj(), *d * w3.conj());
            let (even, odd) = (*a + y2, *a - y2);
            let (even_rest, odd_rest) = (y1 + y3, (y1 - y3).turned());
            *a = even + even_rest;
            *b = odd + odd_rest;
            *c = even - even_rest;
            *d = odd - odd_rest;
        }
    }
}

/// The last split when the power of two is odd; it is its own inverse.
#[inline(always)]
fn halves(samples: &mut [ComplexLanes]) {
    let (pairs, _) = samples.as_chunks_mut::<2>();
    for [a, b] in pairs {
        (*a, *b) = (*a + *b, *a - *b);
    }
}
