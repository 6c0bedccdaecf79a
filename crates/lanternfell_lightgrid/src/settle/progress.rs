//! Whether sweeps still bring the light nearer to rest.

/// Whether sweeps still bring the light nearer to rest.
///
/// Going past what is wanted makes rounding errors grow: near the end they can keep cells
/// awake for ever. So when there is no progress, a few sweeps do not go past.
pub(super) struct Progress {
    /// The least of the greatest changes of the sweeps before.
    least: f32,
    /// Sweeps since it was halved last, and how many it may take.
    sweeps: u32,
    patience: u32,
}

impl Progress {
    /// Sweeps that do not go past, before the others are tried again.
    const CALM: u32 = 12;

    pub(super) fn new(relaxation: f32) -> Self {
        // Once the slowest wave is all that is left, each sweep leaves this part of it.
        let left = f64::from(relaxation - 1.0).max(0.5);
        let halving = core::f64::consts::LN_2 / -libm::log(left);
        Self {
            least: f32::INFINITY,
            sweeps: 0,
            patience: 16 + (4.0 * halving) as u32,
        }
    }

    /// After a sweep in which the light of no cell changed by more than `change`.
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
