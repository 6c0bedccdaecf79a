//! The surface that passes go over: a map, or what has yet to be drawn.

use core::ops::Range;

use super::seams::Seams;
use crate::fluid::start::Drawn;

/// Some rows of the map.
pub(super) struct RowBand<'a> {
    pub(super) rows: Range<usize>,
    pub(super) now: &'a mut [f32],
    /// What the last pass has changed, where there are several sweeps.
    pub(super) change: Option<&'a mut [f32]>,
}

/// The surface that a sweep begins with. Of maps, what each band overwrites before its
/// neighbors need it.
pub(super) enum Source {
    /// At rest, and drawn row by row: the map does not hold it.
    Drawn(Drawn),
    /// At rest.
    AtRest(Seams),
    /// In motion: with what the pass before has changed.
    Moving(Seams, Seams),
}

impl Source {
    /// Gives row `y`, of a band or of its neighbors, and what the pass before has changed of it.
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
