//! The surface that passes go over: a map, or what has yet to be drawn.

use core::ops::Range;

use super::seams::Seams;
use crate::fluid::start::Drawn;

/// Some rows of the map.
pub(super) struct RowBand<'a> {
    pub(super) rows: Range<usize>,
    pub(super) now: &'a mut [f32],
    /// The surface one pass before, where there are several sweeps.
    pub(super) before: Option<&'a mut [f32]>,
}

/// The surface that a sweep begins with. Of maps, what each band overwrites before its
/// neighbors need it.
pub(super) enum Source {
    /// At rest, and drawn row by row: the map does not hold it.
    Drawn(Drawn),
    /// At rest.
    AtRest(Seams),
    /// In motion: with what it was one pass before.
    Moving(Seams, Seams),
}

impl Source {
    /// Gives row `y`, of a band or of its neighbors, as it is and as it was one pass before.
    #[inline(always)]
    pub(super) fn give(&self, y: usize, band: &RowBand<'_>, [now, before]: [&mut [f32]; 2]) {
        match self {
            Self::Drawn(drawn) => drawn.row(y, now),
            Self::AtRest(seams) | Self::Moving(seams, _) => {
                now.copy_from_slice(seams.row(y, &band.rows, band.now));
            }
        }
        match (self, &band.before) {
            (Self::Moving(_, seams), Some(rows)) => {
                before.copy_from_slice(seams.row(y, &band.rows, rows));
            }
            _ => before.copy_from_slice(now),
        }
    }
}
