//! Styles that depend on options outside of [`WriteArgs`](super::WriteArgs): `--range` and `--sidecar`.

use lanternfell_io::{Format, HeightRange, RawFormat, WrittenHeights};

use super::Style;
use crate::{failure::Failure, path::usual_endings, read};

impl Style {
    /// Returns the style with the heights that integers represent, or an error if the format stores no integers.
    pub(crate) fn in_range(self, range: Option<HeightRange>) -> Result<Self, Failure> {
        let has_ends = self.is_whole() || self.heights == Some(WrittenHeights::Unit);
        if range.is_some() && !has_ends {
            let format = self.format;
            return Err(Failure::Usage(format!(
                "--range is only for integers (.png, .pgm, .r16, .raw, --bits) and --heights unit, but this {format} \
                 file holds meters or the map's own heights"
            )));
        }
        Ok(Self { range, ..self })
    }

    /// Returns the heights in meters of 0 and of the largest number, and that number, if a range determines them.
    pub(crate) fn ends(self) -> Option<(f64, f64, f64)> {
        let range = self.range?;
        Some((range.low, range.high, self.largest()))
    }

    /// Returns the number format of RAW files.
    pub(crate) fn raw(self) -> RawFormat {
        self.raw
    }

    /// Returns the style with the metadata files of --sidecar, if it was given.
    pub(crate) fn with_sidecar(self, sidecar: bool) -> Result<Self, Failure> {
        if sidecar {
            check_sidecar(self.format)?;
        }
        Ok(Self { sidecar, ..self })
    }
}

/// Returns an error if files of this format cannot have a sidecar.
pub(super) fn check_sidecar(format: Format) -> Result<(), Failure> {
    if read::has_sidecar(format) {
        return Ok(());
    }
    let known = usual_endings(|format| read::has_sidecar(format) && format.is_written());
    Err(Failure::Usage(format!("--sidecar is only for {known}")))
}
