//! The changes of a grid since a [`LightWorker`](crate::LightWorker) last copied them.

use core::sync::atomic::{AtomicU64, Ordering};

use glam::IVec2;

/// If more cells than this have changed, all cells are copied.
const MANY: usize = 4096;

/// The changes of a grid. Sources, settings and ambient light are not recorded, because they are
/// small and compared each time.
#[derive(Debug, Clone)]
pub(crate) struct Edits {
    /// A unique number for the time since a call of [`take`](Self::take).
    epoch: u64,
    cells: Vec<IVec2>,
    all_cells: bool,
    regions: bool,
    darkened: bool,
    /// Whether the grid itself has changed its light since the last publish.
    light: bool,
}

impl Default for Edits {
    /// Everything has changed. Changes are not recorded until the first call of
    /// [`take`](Self::take).
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

    /// Whether the grid itself has changed its light since the last call of this method.
    pub(crate) fn take_light_changed(&mut self) -> bool {
        core::mem::take(&mut self.light)
    }

    /// The epoch of these changes.
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The changed cells, or `None` if all cells may have changed.
    pub(crate) fn cells(&self) -> Option<&[IVec2]> {
        (!self.all_cells).then_some(&self.cells)
    }

    /// Whether the region of any cell has changed.
    pub(crate) fn regions(&self) -> bool {
        self.regions
    }

    /// Whether all light was removed.
    pub(crate) fn darkened(&self) -> bool {
        self.darkened
    }

    /// Takes all changes and starts a new epoch.
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
