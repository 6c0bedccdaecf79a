//! Fast Fourier transforms of several signals in step, for convolutions.
//!
//! Problem: [`sine`](super::sine) needs a few thousand long convolutions, the same bits
//! on every machine. A library's transform picks its instructions by the processor and
//! its sines by the operating system; this one does neither.
//!
//! Idea: [`LANES`] signals lie side by side, so that one butterfly moves all of them with
//! the same factors. The compiler turns that into whatever vectors the target has, and
//! the arithmetic stays what is written here.
//!
//! ```text
//!   sample k        k + n/4      k + n/2      k + 3n/4
//!  [re re re re im im im im]  ...                       one `ComplexLanes` each
//!         \___________ radix-4 butterfly ___________/
//!   quarter 0    quarter 1     quarter 2      quarter 3   each again a transform
//! ```
//!
//! Steps: the forward transform (decimation in frequency, Gentleman and Sande 1966)
//! splits into quarters and leaves its result in a scrambled order; the backward one
//! takes that order and undoes every butterfly. A convolution multiplies in between, and
//! cares for no order. Long parts are split one level after the other; what fits into the
//! nearest cache then goes through all levels that are left while it is there.
//!
//! Everything is inlined into [`SineTransform::transform`](super::sine::SineTransform), which
//! is compiled for each vector width; so there is no recursion.
//!
//! Cost: about `4.25 n log2 n` flops per lane and direction. Lengths are `2^k` or
//! `3 * 2^k`: for whatever is to be held, one of them is at most half too long.

use std::ops::{Add, Mul, Sub};

/// How many complex signals are transformed in step: a cache line of real parts and
/// imaginary parts together.
pub(super) const LANES: usize = 4;

/// So many samples and their factors fit into the nearest cache: 16 KiB and 12 KiB.
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
    /// The angle is brought below an eighth of a turn in whole numbers first, so that
    /// points that mirror each other do so to the last bit.
    pub(super) fn on_circle(step: u64, steps: u64) -> Self {
        let step = step % steps;
        let quarter = 4 * step / steps;
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

    /// Times `i`: a quarter turn.
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
            re: each(|l| self.re[l] * w.re - self.im[l] * w.im),
            im: each(|l| self.re[l] * w.im + self.im[l] * w.re),
        }
    }
}

/// The factors of all transforms of one length.
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
                let [x, y, z] = third_butterfly(*a, *b, *c);
                (*a, *b, *c) = (x, z * *w1, y * *w2);
            }
        }
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

    /// Undoes [`forward`](Self::forward), but for the factor of the length.
    #[inline(always)]
    pub(super) fn backward(&self, samples: &mut [ComplexLanes]) {
        let (long, short) = self.quarters.split_at(self.long_levels());
        for cached in samples.chunks_exact_mut(cached_length(short)) {
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

    /// How many levels split parts that are too long for the nearest cache.
    fn long_levels(&self) -> usize {
        let is_long = |table: &Vec<[Complex; 3]>| 4 * table.len() > CACHED;
        self.quarters.partition_point(is_long)
    }

    /// Whether parts of two samples are left in the end.
    fn ends_in_halves(&self) -> bool {
        self.length.trailing_zeros() % 2 == 1
    }
}

/// The parts that go through the levels of these tables one after the other; of two samples
/// when only halves are left.
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
