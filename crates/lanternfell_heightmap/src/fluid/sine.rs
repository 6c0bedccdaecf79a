//! The discrete sine transform (DST-I) of eight interleaved lines, for any length.
//!
//! The lines are rows or columns of a map, so `n` is one less than its side: often a prime, or
//! with large prime factors (1023 = 3 * 11 * 31).
//!
//! Idea: a sequence of three well-known reductions.
//!
//! ```text
//!  8 real lines --fold--> 4 complex lanes --chirp--> a convolution --> Fourier
//!  f_j, f_(n-j)            line + i line'   exp(-i pi j^2 / n)
//! ```
//!
//! Steps:
//! 1. Fold (Press et al., *Numerical Recipes*, "Fast sine and cosine transforms"): of
//!    `y_j = sin(pi j / n) (f_j + f_(n-j)) + (f_j - f_(n-j)) / 2`, the Fourier transform
//!    `Y_k` has `Im Y_k = -F_2k` and `Re Y_k = F_(2k+1) - F_(2k-1)`.
//! 2. Two real lines form one complex lane; the symmetry of a real signal's transform
//!    separates them again.
//! 3. Chirp (Bluestein 1970): since `2 j k = j^2 + k^2 - (k-j)^2`, a Fourier transform of
//!    any length is a convolution with a chirp, which can be padded to a fast length.
//!
//! Cost: two transforms of at least `2n - 1` samples for eight lines, for any factors of `n`. All
//! computations are in `f64`; the error is below `1e-13` of the largest value.

use fearless_simd::{Level, dispatch};

use super::fourier::{Complex, ComplexLanes, Fourier, LANES};

/// The number of interleaved lines: two in each complex lane.
pub(super) const LINES: usize = 2 * LANES;

/// One sample of each of [`LINES`] lines.
pub(super) type Samples = [f64; LINES];

/// The sine transform of one length.
#[derive(Debug)]
pub(super) struct SineTransform {
    /// `sin(pi j / n)`.
    sines: Vec<f64>,
    /// `exp(-i pi j^2 / n)`.
    chirp: Vec<Complex>,
    /// The transform of the chirp, scaled, in the scrambled order of [`Fourier::forward`].
    kernel: Vec<Complex>,
    fourier: Fourier,
}

/// The scratch memory of one thread.
#[derive(Debug)]
pub(super) struct SineScratch {
    /// The samples at `0..n`. The sample at 0 is treated as 0, and its result is 0.
    pub(super) lines: Vec<Samples>,
    work: Vec<ComplexLanes>,
}

impl SineScratch {
    /// Clears the lines from `first` on, if there are fewer than [`LINES`]. Two lines share a complex lane, so the
    /// remains of another strip would change the last bits.
    pub(super) fn clear_from(&mut self, first: usize) {
        for samples in &mut self.lines {
            samples[first..].fill(0.0);
        }
    }
}

impl SineTransform {
    /// The transform between two fixed ends that are `n >= 2` cells apart.
    pub(super) fn new(n: usize) -> Self {
        let fourier = Fourier::new(2 * n - 1);
        let whole = fourier.length();
        let on_half_circle = |step: usize| Complex::on_circle(step as u64, 2 * n as u64);
        // The square is reduced modulo 2n in integers, so the sine stays exact for long lines.
        let chirp: Vec<_> = (0..n)
            .map(|j| on_half_circle(j * j % (2 * n)).conj())
            .collect();
        let mut kernel = vec![ComplexLanes::ZERO; whole];
        for (j, w) in chirp.iter().enumerate() {
            // `backward` leaves the factor `whole`. Scaling the kernel once is free.
            let w = w.conj().scaled(1.0 / whole as f64);
            // The chirp is even in `k - j`. Negative offsets wrap to the end, and `whole` is at
            // least `2n - 1`, so the two halves do not overlap.
            for index in [j, (whole - j) % whole] {
                kernel[index].re[0] = w.re;
                kernel[index].im[0] = w.im;
            }
        }
        fourier.forward(&mut kernel);
        Self {
            sines: (0..n).map(|j| on_half_circle(j).im).collect(),
            chirp,
            kernel: kernel
                .iter()
                .map(|lanes| Complex {
                    re: lanes.re[0],
                    im: lanes.im[0],
                })
                .collect(),
            fourier,
        }
    }

    /// Allocates the memory of one call of [`transform`](Self::transform).
    pub(super) fn scratch(&self) -> SineScratch {
        SineScratch {
            lines: vec![[0.0; LINES]; self.chirp.len()],
            work: vec![ComplexLanes::ZERO; self.kernel.len()],
        }
    }

    /// Replaces the lines in `scratch` by their sine transforms. Applied twice, it multiplies the lines by `n / 2`.
    ///
    /// Uses the widest vectors of the CPU. Additions and multiplications are the same on every CPU and never fused, so
    /// the bits are the same too.
    pub(super) fn transform(&self, scratch: &mut SineScratch) {
        dispatch!(Level::new(), _simd => self.transform_here(scratch));
    }

    /// Inlined with all its callees, so that it is compiled once for each vector width.
    #[inline(always)]
    fn transform_here(&self, scratch: &mut SineScratch) {
        let SineScratch { lines, work } = scratch;
        self.fold(lines, work);
        self.fourier.forward(work);
        for (sample, w) in work.iter_mut().zip(&self.kernel) {
            *sample = *sample * *w;
        }
        self.fourier.backward(work);
        self.unfold(work, lines);
    }

    #[inline(always)]
    fn fold(&self, lines: &[Samples], work: &mut [ComplexLanes]) {
        let n = lines.len();
        work[0] = ComplexLanes::ZERO;
        for j in 1..n {
            let (here, mirror) = (&lines[j], &lines[n - j]);
            // Step 1 of the module documentation. Lines `l` and `l + LANES` become the real and
            // imaginary part of one lane.
            let y = |l: usize| self.sines[j] * (here[l] + mirror[l]) + 0.5 * (here[l] - mirror[l]);
            let lanes = ComplexLanes {
                re: core::array::from_fn(y),
                im: core::array::from_fn(|l| y(l + LANES)),
            };
            work[j] = lanes * self.chirp[j];
        }
        // The padding still holds the previous call. It must be zero for the circular convolution
        // to be a linear one.
        work[n..].fill(ComplexLanes::ZERO);
    }

    #[inline(always)]
    fn unfold(&self, work: &[ComplexLanes], lines: &mut [Samples]) {
        let n = lines.len();
        lines[0] = [0.0; LINES];
        // Re Y_0 is F_1 - F_(-1), which is twice F_1.
        let mut odd = [0.0; LINES];
        // `k` and `n - k` give the even and odd part of both real lines in the lane. Odd modes
        // are differences, `F_(2k+1) - F_(2k-1)`, hence the running sum.
        for k in 0..n.div_ceil(2) {
            let here = work[k] * self.chirp[k];
            let mirror = (n - k) % n;
            let mirror = work[mirror] * self.chirp[mirror];
            let share = if k == 0 { 0.25 } else { 0.5 };
            for l in 0..LANES {
                odd[l] += share * (here.re[l] + mirror.re[l]);
                odd[l + LANES] += share * (here.im[l] + mirror.im[l]);
            }
            if k > 0 {
                let even = &mut lines[2 * k];
                for l in 0..LANES {
                    even[l] = 0.5 * (mirror.im[l] - here.im[l]);
                    even[l + LANES] = 0.5 * (here.re[l] - mirror.re[l]);
                }
            }
            if let Some(line) = lines.get_mut(2 * k + 1) {
                *line = odd;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudorandom numbers without a pattern.
    fn value(seed: usize) -> f64 {
        ((seed * 7919 + 12345) % 10007) as f64 / 10007.0 - 0.5
    }

    #[test]
    fn transform_matches_definition_for_every_length() {
        let lengths = (2..70).chain([127, 128, 129, 255, 257]);
        for n in lengths {
            let sine = SineTransform::new(n);
            let mut scratch = sine.scratch();
            for (j, samples) in scratch.lines.iter_mut().enumerate() {
                *samples = core::array::from_fn(|l| value(j * LINES + l + n));
            }
            let before = scratch.lines.clone();
            sine.transform(&mut scratch);
            for (k, found) in scratch.lines.iter().enumerate() {
                let mut expected = [0.0; LINES];
                for (j, samples) in before.iter().enumerate().skip(1) {
                    let phase = (j * k % (2 * n)) as f64 / n as f64;
                    let wave = libm::sin(core::f64::consts::PI * phase);
                    for (sum, sample) in expected.iter_mut().zip(samples) {
                        *sum += sample * wave;
                    }
                }
                for (found, expected) in found.iter().zip(expected) {
                    assert!(
                        (found - expected).abs() < 1e-12,
                        "n {n}, wave {k}: {found}, not {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn transform_twice_returns_the_original() {
        for n in [2, 3, 100, 1023, 1024, 1025, 1500] {
            let sine = SineTransform::new(n);
            let mut scratch = sine.scratch();
            for (j, samples) in scratch.lines.iter_mut().enumerate().skip(1) {
                *samples = core::array::from_fn(|l| value(j * LINES + l));
            }
            let before = scratch.lines.clone();
            sine.transform(&mut scratch);
            sine.transform(&mut scratch);
            let scale = 2.0 / n as f64;
            for (was, is) in before.iter().flatten().zip(scratch.lines.iter().flatten()) {
                assert!(
                    (was - is * scale).abs() < 1e-12,
                    "n {n}: {was}, not {}",
                    is * scale
                );
            }
        }
    }
}
