//! The surface that the passes read: a map, or one that is drawn on demand.

use core::ops::Range;

use super::seams::Seams;
use crate::fluid::start::Drawn;

/// A band of rows of the map.
pub(super) struct RowBand<'a> {
    pub(super) rows: Range<usize>,
    pub(super) now: &'a mut [f32],
    /// The changes by the last pass, if there are several sweeps.
    pub(super) change: Option<&'a mut [f32]>,
}

/// The surface at the start of a sweep. For maps it includes copies of the rows that a band overwrites before its
/// neighbors need them.
pub(super) enum Source {
    /// At rest, and drawn row by row; the map does not contain it.
    Drawn(Drawn),
    /// At rest.
    AtRest(Seams),
    /// In motion, with the changes by the previous pass.
    Moving(Seams, Seams),
}

impl Source {
    /// Copies row `y`, of the band or of its neighbors, and its change by the previous pass.
    #[inline(always)]
    pub(super) fn give(&self, y: usize, band: &RowBand<'_>, [now, change]: [&mut [f32]; 2]) {
        match self {
            Self::Drawn(drawn) => drawn.row(y, now),
            Self::AtRest(seams) | Self::Moving(seams, _) => {
                now.copy_from_slice(seams.row(y, &band.rows, band.now));
            }
        }
        match (self, &band.change) {
            (Self::Moving(_, seams), Some(rows)) => {
                change.copy_from_slice(seams.row(y, &band.rows, rows));
            }
            _ => change.fill(0.0),
        }
    }
}
