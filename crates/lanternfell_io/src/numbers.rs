//! From a map's heights to the numbers that stand in a file.
//!
//! | numbers | a height `z` becomes |
//! |---|---|
//! | metres | `offset + relief z`, by the map's frame |
//! | from 0 to 1 | itself, unless the map goes beyond: then its lowest ground becomes 0 and its highest 1 |
//! | the map's own | itself |
//!
//! Rows are changed as they are written: no second map is ever there. Each number is rounded
//! once, from `f64`; heights that are metres stay as they are, to the bit.

use crate::{ExportError, Format, Numbers, Sample, WriteOptions, WrittenHeights};
use lanternfell_heightmap::{Elevation, ElevationModel, Heightmap, ParamError, Progress};

/// A map whose heights are changed on their way into a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'a> {
    map: &'a Heightmap,
    change: Change,
}

#[derive(Debug, Clone, Copy)]
enum Change {
    None,
    Metres(Elevation),
    /// These become 0 and 1.
    Stretch(f32, f32),
}

impl<'a> Rows<'a> {
    /// The heights as they are.
    pub(super) fn plain(map: &'a Heightmap) -> Self {
        let change = Change::None;
        Self { map, change }
    }

    /// The heights as the options ask for them in this format, and what its numbers then stand
    /// for.
    pub(super) fn of(
        model: &'a ElevationModel,
        format: Format,
        options: &WriteOptions<'_>,
        progress: &Progress,
    ) -> Result<(Self, Elevation), ExportError> {
        let elevation = model.frame.elevation;
        let change = match options.written(format) {
            WrittenHeights::Metres if elevation != Elevation::METRES => Change::Metres(elevation),
            WrittenHeights::Metres | WrittenHeights::Own => Change::None,
            WrittenHeights::Unit => match model.heights.range_with(progress)? {
                (low, high) if low >= 0.0 && high <= 1.0 => Change::None,
                (low, high) => Change::Stretch(low, high),
            },
        };
        let rows = Self {
            map: &model.heights,
            change,
        };
        let elevation = match change {
            Change::None => elevation,
            Change::Metres(_) => {
                rows.check_metres(model)?;
                Elevation::METRES
            }
            Change::Stretch(low, high) => elevation.stretched((low, high)),
        };
        Ok((rows, elevation))
    }

    /// An error when the metres are beyond what `f32` holds.
    fn check_metres(&self, model: &ElevationModel) -> Result<(), ParamError> {
        let (low, high) = model.range();
        for metres in [low, high] {
            let fine = (metres as f32).is_finite();
            let allowed = "metres that f32 can hold";
            ParamError::check(fine, "elevation", "height", metres, allowed)?;
        }
        Ok(())
    }

    #[cfg(feature = "tiff")]
    pub(super) fn size(&self) -> lanternfell_heightmap::MapSize {
        self.map.size()
    }

    pub(super) fn width(&self) -> usize {
        self.map.width()
    }

    pub(super) fn height(&self) -> usize {
        self.map.height()
    }

    /// The number of a cell.
    #[cfg(feature = "exr")]
    pub(super) fn get(&self, x: usize, y: usize) -> f32 {
        self.change.number(self.map.get(x, y))
    }

    /// The numbers of a row, in the buffer where they are changed.
    pub(super) fn row<'b>(&'b self, y: usize, buffer: &'b mut Vec<f32>) -> &'b [f32] {
        let row = self.map.row(y);
        if matches!(self.change, Change::None) {
            return row;
        }
        buffer.clear();
        buffer.extend(row.iter().map(|&z| self.change.number(z)));
        buffer
    }

    /// An error when whole numbers can not hold one of the heights.
    pub(super) fn check_whole(&self, progress: &Progress) -> Result<(), ExportError> {
        let mut buffer = Vec::new();
        for row in 0..self.height() {
            progress.check()?;
            let fits = |height: &f32| (0.0..=1.0).contains(height);
            let numbers = self.row(row, &mut buffer);
            if let Some(column) = numbers.iter().position(|height| !fits(height)) {
                let height = numbers[column];
                return Err(ExportError::Height {
                    column,
                    row,
                    height,
                });
            }
        }
        Ok(())
    }

    /// Whether some cell has this number.
    pub(super) fn contain(&self, number: f32) -> bool {
        let mut buffer = Vec::new();
        (0..self.height()).any(|y| self.row(y, &mut buffer).contains(&number))
    }
}

impl Change {
    fn number(self, height: f32) -> f32 {
        match self {
            Self::None => height,
            Self::Metres(elevation) => elevation.metres(height) as f32,
            // A flat map becomes all 0.
            Self::Stretch(low, high) if low < high => {
                let (low, high) = (f64::from(low), f64::from(high));
                ((f64::from(height) - low) / (high - low)) as f32
            }
            Self::Stretch(..) => 0.0,
        }
    }
}

impl WriteOptions<'_> {
    /// What the numbers of a file of this format are, by these options.
    pub(super) fn written(&self, format: Format) -> WrittenHeights {
        let sample = match format {
            Format::Raw => self.raw.sample,
            _ => self.tiff,
        };
        let is_whole = match format.numbers() {
            Numbers::Whole => true,
            Numbers::AsChosen => sample != Sample::F32,
            Numbers::Float => false,
        };
        match (is_whole, self.heights) {
            (true, _) if self.stretch => WrittenHeights::Unit,
            (false, Some(heights)) if !format.is_mesh() => heights,
            (false, _) if format.keeps_metres() => WrittenHeights::Metres,
            _ => WrittenHeights::Own,
        }
    }
}
