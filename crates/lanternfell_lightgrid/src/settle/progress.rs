//! Detects when sweeps no longer make progress.

/// Detects when sweeps no longer make progress.
///
/// Over-relaxation amplifies rounding errors, which can keep cells awake forever near the end.
/// Without progress, a few sweeps are therefore done without over-relaxation.
pub(super) struct Progress {
    /// The smallest of the largest changes of previous sweeps.
    least: f32,
    /// The number of sweeps since `least` was halved, and the maximum number that is expected.
    sweeps: u32,
    patience: u32,
}

impl Progress {
    /// The number of sweeps without over-relaxation, before over-relaxation is tried again.
    const CALM: u32 = 12;

    pub(super) fn new(relaxation: f32) -> Self {
        // When only the slowest wave remains, each sweep multiplies it by this factor.
        let left = f64::from(relaxation - 1.0).max(0.5);
        let halving = core::f64::consts::LN_2 / -libm::log(left);
        Self {
            least: f32::INFINITY,
            sweeps: 0,
            patience: 16 + (4.0 * halving) as u32,
        }
    }

    /// Records a sweep in which no cell changed by more than `change`.
    pub(super) fn end_sweep(&mut self, change: f32) {
        self.sweeps += 1;
        if change < 0.5 * self.least {
            (self.least, self.sweeps) = (change, 0);
        } else if self.sweeps > self.patience + Self::CALM {
            (self.least, self.sweeps) = (f32::INFINITY, 0);
        }
    }

    pub(super) fn is_lost(&self) -> bool {
        self.sweeps > self.patience
    }
}
