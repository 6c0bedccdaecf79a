//! What was changed on a grid since a worker took it over last.

use core::sync::atomic::{AtomicU64, Ordering};

use glam::IVec2;

/// More cells than this are taken over all at once.
const MANY: usize = 4096;

/// What was changed on a grid, but for what is little and compared each time: its sources, settings and
/// ambient light.
#[derive(Debug, Clone)]
pub(crate) struct Edits {
    /// Of the time since one [`take`](Self::take), unlike any other.
    epoch: u64,
    cells: Vec<IVec2>,
    all_cells: bool,
    regions: bool,
    darkened: bool,
    /// Whether the grid has gone on by itself, since light was handed over last.
    light: bool,
}

impl Default for Edits {
    /// Everything: nobody has taken anything over, and nothing is noted until somebody does.
    fn default() -> Self {
        Self {
            epoch: 0,
            cells: Vec::new(),
            all_cells: true,
            regions: true,
            darkened: true,
            light: true,
        }
    }
}

impl Edits {
    pub(crate) fn note_cell(&mut self, at: IVec2) {
        if self.all_cells {
            return;
        }
        self.cells.push(at);
        if self.cells.len() > MANY {
            self.note_all_cells();
        }
    }

    pub(crate) fn note_all_cells(&mut self) {
        self.all_cells = true;
        self.cells = Vec::new();
    }

    pub(crate) fn note_regions(&mut self) {
        self.regions = true;
    }

    pub(crate) fn note_darkness(&mut self) {
        self.darkened = true;
    }

    pub(crate) fn note_light(&mut self) {
        self.light = true;
    }

    /// Whether the grid has gone on by itself since this was asked last.
    pub(crate) fn take_light(&mut self) -> bool {
        core::mem::take(&mut self.light)
    }

    /// Of which time these are.
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The cells that were changed; none says that all may have been.
    pub(crate) fn cells(&self) -> Option<&[IVec2]> {
        (!self.all_cells).then_some(&self.cells)
    }

    /// Whether any cell was put into another region.
    pub(crate) fn regions(&self) -> bool {
        self.regions
    }

    /// Whether the light was put out.
    pub(crate) fn darkened(&self) -> bool {
        self.darkened
    }

    /// Takes all of them; from now on they are noted anew, in another epoch.
    pub(crate) fn take(&mut self) -> Self {
        static EPOCHS: AtomicU64 = AtomicU64::new(1);
        let none = Self {
            epoch: EPOCHS.fetch_add(1, Ordering::Relaxed),
            cells: Vec::new(),
            all_cells: false,
            regions: false,
            darkened: false,
            light: self.light,
        };
        core::mem::replace(self, none)
    }
}
