//! A heightmap file that is cut into tiles.
//!
//! Tiles are read region by region. The file itself is read like in `info`: numbers without compression are read where
//! they are, and most other files are unpacked once into a temporary file (see [`unpacked`](crate::unpacked)). Only
//! files that must be read completely, for instance to interpolate no-data cells, are kept in memory. Several files that
//! together are one map are read by windows.

use std::path::{Path, PathBuf};

use lanternfell_files::ScratchFile;
use lanternfell_heightmap::{
    ElevationModel, Heightmap, HoleMask, MapFrame, MapRegion, MapSize, Progress,
};
use lanternfell_io::{self as io, Fill, HeightRange, ImportError, RawFormat};

use crate::{
    args::{MapArgs, ResizeArgs},
    failure::Failure,
    frame,
    meaning::Reason,
    mosaic::{self, Mosaic},
    read::{self, Input, Plain, ReadMap},
    source,
    stamp::Stamp,
    unpacked::Unpacked,
    write::meters,
};

/// A heightmap file, of which one region at a time is read.
pub(super) struct MapFile {
    cells: Cells,
    pub(super) size: MapSize,
    pub(super) frame: MapFrame,
    /// The lowest and the highest height.
    pub(super) range: (f32, f32),
    /// A number that depends on all heights and holes. It differs for another map.
    pub(super) checksum: u64,
    /// How the meaning of the heights was determined.
    pub(super) reason: Reason,
    /// The holes of edits.
    pub(super) holes: Option<HoleMask>,
    /// The height of the sea's surface, if it does not follow from the heights.
    sea_level: Option<f32>,
}

/// The heights.
enum Cells {
    /// In memory.
    Whole(Heightmap),
    /// As rows of numbers in a file.
    Rows(NumberFile),
    /// In several files.
    Mosaic(Box<Mosaic>),
}

/// A file of plain numbers.
struct NumberFile {
    path: PathBuf,
    raw: RawFormat,
    /// The number of cells in a row.
    width: usize,
    stamp: Stamp,
    /// The file, if it is a temporary one, which is deleted when this is dropped.
    _scratch: Option<ScratchFile>,
}

/// The number of cells in a band of rows, for work that needs all cells.
const BAND: usize = 1 << 20;

impl MapFile {
    /// Opens a heightmap file.
    pub(super) fn open(arguments: &MapArgs, progress: &Progress) -> Result<Self, Failure> {
        arguments.change.check_map()?;
        if mosaic::is_asked_for(arguments) {
            return Self::of_mosaic(source::mosaic(arguments)?, arguments, progress);
        }
        source::only_for_recipes(&arguments.change)?;
        let path = Path::new(&arguments.source);
        if let Some(plain) = read::plain(path, arguments)? {
            return Self::of_numbers(path, None, plain, arguments, progress);
        }
        let unpacking = progress.span(0.0, 0.8);
        if let Some(Unpacked { file, plain }) = Unpacked::of(path, arguments, &unpacking)? {
            let path = file.path().to_owned();
            return Self::of_numbers(&path, Some(file), plain, arguments, progress);
        }
        Self::of_map(read::file(path, arguments)?, arguments, progress)
    }

    /// A map that was read completely.
    pub(super) fn of_map(
        map: ReadMap,
        arguments: &MapArgs,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let ReadMap {
            model,
            reason,
            holes,
            ..
        } = map;
        let ElevationModel { heights, frame } = model;
        let size = heights.size();
        let found = (Some(frame), reason);
        let file = Self::look((Cells::Whole(heights), size), found, arguments, progress)?;
        let mut checksum = Checksum(file.checksum);
        let runs = holes.iter().flat_map(HoleMask::runs);
        runs.for_each(|run| checksum.mix(run));
        Ok(Self {
            checksum: checksum.0,
            holes,
            ..file
        })
    }

    /// Sets the height of the sea's surface.
    pub(super) fn with_sea_level(self, sea_level: f32) -> Self {
        let sea_level = Some(sea_level);
        Self { sea_level, ..self }
    }

    fn of_mosaic(
        mosaic: Mosaic,
        arguments: &MapArgs,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let size = mosaic.size();
        if arguments.read.fill == Some(Fill::Interpolate) {
            // The interpolated heights depend on cells outside of the tile.
            let whole = mosaic.map(MapRegion::whole(size), None)?;
            return Self::of_map(whole, arguments, progress);
        }
        let found = (Some(mosaic.frame()), mosaic.reason());
        let cells = Cells::Mosaic(Box::new(mosaic));
        Self::look((cells, size), found, arguments, progress)
    }

    fn of_numbers(
        path: &Path,
        scratch: Option<ScratchFile>,
        plain: Plain,
        arguments: &MapArgs,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let Plain {
            size,
            raw,
            frame,
            reason,
        } = plain;
        Input::open(path)?.check_exactly(raw.bytes(size))?;
        let stamp = Stamp::of(path).map_err(|error| Failure::Read {
            path: path.to_owned(),
            error,
        })?;
        let file = NumberFile {
            path: path.to_owned(),
            raw,
            width: size.width(),
            stamp,
            _scratch: scratch,
        };
        let found = (frame, reason);
        Self::look((Cells::Rows(file), size), found, arguments, progress)
    }

    /// Determines the range and the checksum, in one pass over the heights, and the frame.
    fn look(
        (cells, size): (Cells, MapSize),
        (frame, reason): (Option<MapFrame>, Reason),
        arguments: &MapArgs,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        let mut checksum = Checksum::default();
        for band in bands(size) {
            progress.check()?;
            for &z in cells.region(band)?.heights() {
                (low, high) = (low.min(z), high.max(z));
                checksum.add(z);
            }
        }
        let range = (low, high);
        let (frame, reason) = match frame {
            Some(frame) => (frame, reason),
            None => frame::of_numbers(range, size, reason),
        };
        let (scale, resize) = (&arguments.change.scale, ResizeArgs::default());
        Ok(Self {
            cells,
            size,
            frame: frame::of_file(scale, &resize, (frame, size))?,
            range,
            checksum: checksum.0,
            reason,
            holes: None,
            sea_level: None,
        })
    }

    /// Reads a region.
    pub(super) fn region(&self, region: MapRegion) -> Result<Heightmap, Failure> {
        self.cells.region(region)
    }

    /// Returns the height of the sea's surface.
    pub(super) fn sea_level(&self) -> f32 {
        let usual = || frame::sea_of(self.range, &self.frame, self.reason.one());
        self.sea_level.unwrap_or_else(usual)
    }

    /// Returns an error if heights are outside of a range to which they are not clamped.
    pub(super) fn check_range(&self, range: HeightRange) -> Result<(), Failure> {
        let (low, high) = self.range;
        let ends = [low, high].map(|z| self.frame.elevation.meters(z));
        if range.clamp || ends.iter().all(|&meters| range.contains(meters)) {
            return Ok(());
        }
        let HeightRange { low, high, .. } = range;
        let [lowest, highest] = ends.map(meters);
        Err(Failure::Usage(format!(
            "--range {low}:{high} does not contain all heights, which are from {lowest} to {highest} m: widen the range, \
             or add --clamp"
        )))
    }

    /// Returns the range in meters, if integers cannot hold the heights as fractions from 0 to 1.
    pub(super) fn range_in_meters(&self) -> Option<[f64; 2]> {
        let (low, high) = self.range;
        if low >= 0.0 && high <= 1.0 {
            return None;
        }
        let [low, high] = [low, high].map(|z| self.frame.elevation.meters(z));
        // Any range fits a level map.
        Some(if low < high {
            [low, high]
        } else {
            [low, low + 1.0]
        })
    }
}

impl Cells {
    fn region(&self, region: MapRegion) -> Result<Heightmap, Failure> {
        match self {
            Self::Whole(map) => Ok(map.cropped((region.x(), region.y()), region.size())?),
            Self::Rows(file) => file.region(region),
            Self::Mosaic(mosaic) => mosaic.read(region),
        }
    }
}

impl NumberFile {
    fn region(&self, region: MapRegion) -> Result<Heightmap, Failure> {
        let mut file = Input::open(&self.path)?;
        let each = self.raw.sample.bytes();
        let length = (region.size().width() * each) as u64;
        let mut bytes = Vec::new();
        for row in region.rows() {
            let start = ((row * self.width + region.x()) * each) as u64;
            bytes.extend(file.read_part(start, length)?);
        }
        self.stamp.check(&self.path)?;
        io::read_raw(&bytes, region.size(), self.raw).map_err(|error| {
            let error = match error {
                ImportError::NotFinite {
                    column,
                    row,
                    height,
                } => ImportError::NotFinite {
                    column: region.x() + column,
                    row: region.y() + row,
                    height,
                },
                other => other,
            };
            read::import(&self.path, error)
        })
    }
}

/// Returns bands of at least two rows that cover a map, from the north.
fn bands(size: MapSize) -> impl Iterator<Item = MapRegion> {
    let (width, height) = (size.width(), size.height());
    let rows = (BAND / width).clamp(2, height);
    (0..height / rows).map(move |band| {
        let first = band * rows;
        let end = if band + 1 == height / rows {
            height
        } else {
            first + rows
        };
        let part = MapSize::of_world(width as u64, (end - first) as u64);
        let region = part
            .ok()
            .and_then(|part| MapRegion::new(0, first, part, size));
        region.expect("rows of the map")
    })
}

/// A hash of heights: FNV-1a, with 32 bits at a time.
struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    fn add(&mut self, height: f32) {
        self.mix(height.to_bits());
    }

    fn mix(&mut self, bits: u32) {
        let mixed = self.0 ^ u64::from(bits);
        self.0 = mixed.wrapping_mul(0x0000_0100_0000_01b3);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_cover_the_rows_once() {
        for (width, height) in [(2, 2), (3, 5), (16_384, 129), (1024, 2049), (700_000, 7)] {
            let Ok(size) = MapSize::of_world(width, height) else {
                continue;
            };
            let mut next = 0;
            for band in bands(size) {
                assert_eq!(band.rows().start, next);
                assert!(band.rows().len() >= 2 && band.columns() == (0..size.width()));
                next = band.rows().end;
            }
            assert_eq!(next, size.height());
        }
    }

    #[test]
    fn checksum_depends_on_every_height_and_their_order() {
        let of = |heights: &[f32]| {
            let mut checksum = Checksum::default();
            heights.iter().for_each(|&z| checksum.add(z));
            checksum.0
        };
        let all = [
            of(&[1.0, 2.0]),
            of(&[2.0, 1.0]),
            of(&[1.0]),
            of(&[1.0, 2.000_001]),
        ];
        for (index, one) in all.iter().enumerate() {
            assert!(all[..index].iter().all(|other| other != one));
        }
    }
}
