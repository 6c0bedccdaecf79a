//! A row of tiles, and the runs of cells in it that a pass visits.

use core::ops::Range;

use super::patch::Patches;
use crate::{
    aligned::Aligned,
    kernel::Rows,
    plane::{Plane, Run},
};

/// The work of a pass in one row of tiles, and its results.
#[derive(Debug, Clone)]
pub(super) struct Band {
    pub(super) tile_y: usize,
    /// Whether each tile must be visited. Empty if there are none.
    pub(super) visit: Vec<bool>,
    /// The largest change of light in each of these tiles.
    pub(super) change: Vec<f32>,
    pub(super) scratch: Scratch,
}

impl Band {
    /// Whether any tile must be visited.
    pub(super) fn is_awake(&self) -> bool {
        self.visit.contains(&true)
    }

    /// All rows of tiles of a grid, with no tiles to visit.
    pub(super) fn all(across: usize, down: usize) -> Vec<Self> {
        let band = |tile_y| Self {
            tile_y,
            visit: Vec::new(),
            change: vec![0.0; across],
            scratch: Scratch::default(),
        };
        (0..down).map(band).collect()
    }
}

/// Working memory that passes reuse.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    pub(super) rows: Rows,
    pub(super) patches: Patches,
    /// The largest change of light in each column of a run, as the bits of a float. For floats that
    /// are not negative these have the same order, and the compiler vectorizes their maximum.
    pub(super) changes: Aligned<u32>,
}

impl Scratch {
    /// Prepares for the first row of a run.
    pub(super) fn start(&mut self, run: Run) {
        self.changes.resize(run.len());
        self.changes.fill(0);
    }

    /// Computes the largest change in each tile of a stretch.
    pub(super) fn greatest(&self, change: &mut [f32], tile: usize) {
        for (change, columns) in change.iter_mut().zip(self.changes.chunks(tile)) {
            *change = f32::from_bits(columns.iter().copied().fold(0, u32::max));
        }
    }
}

/// The columns and rows of consecutive tiles.
pub(super) fn tile_run(
    light: &Plane,
    tile: usize,
    tile_y: usize,
    tiles: &Range<usize>,
) -> (Run, Range<usize>) {
    let run = Run {
        first: tiles.start * tile,
        end: (tiles.end * tile).min(light.width()),
    };
    let last = ((tile_y + 1) * tile).min(light.height());
    (run, tile_y * tile..last)
}

/// The stretches of consecutive tiles that must be visited.
pub(super) fn stretches(visit: &[bool]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut next = 0;
    core::iter::from_fn(move || {
        let start = next + visit[next..].iter().position(|&visit| visit)?;
        let length = visit[start..].iter().position(|&visit| !visit);
        next = length.map_or(visit.len(), |length| start + length);
        Some(start..next)
    })
}
