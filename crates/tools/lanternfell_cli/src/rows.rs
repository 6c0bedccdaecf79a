//! Maps that are read in bands of rows, from a file or a folder of tiles, to limit the memory.
//!
//! Measures read rows in order, several times, and from several threads. The last few bands are therefore kept.

use std::{
    collections::VecDeque,
    ops::Range,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use lanternfell_heightmap::{Heightmap, MapRegion, MapSize, analysis::HeightRows};
use lanternfell_io::{self as io, RawFormat};

use crate::{failure::Failure, read::Input, world::World};

/// The approximate size of a band in bytes.
const BAND: usize = 4 << 20;

/// The number of bands that are kept: one per thread that works at a different place, and the next band of some of
/// them.
const KEPT: usize = 8;

type Load<'a> = dyn Fn(Range<usize>) -> Result<Heightmap, Failure> + Sync + 'a;

/// A map whose bands of rows are read on demand.
pub(crate) struct BandRows<'a> {
    size: MapSize,
    /// The number of rows in a band. The last band may have more.
    rows: usize,
    load: Box<Load<'a>>,
    kept: Mutex<VecDeque<(usize, Arc<Heightmap>)>>,
    failed: Mutex<Option<Failure>>,
}

impl<'a> BandRows<'a> {
    fn new(size: MapSize, rows: usize, load: Box<Load<'a>>) -> Self {
        Self {
            size,
            rows: rows.clamp(2, size.height()),
            load,
            kept: Mutex::default(),
            failed: Mutex::default(),
        }
    }

    /// Creates it for a region of a folder of tiles. Tiles whose rows cannot be read separately are read completely.
    pub(crate) fn of_world(world: &'a World, part: MapRegion) -> Self {
        let size = part.size();
        let few = (BAND / 4 / size.width()).max(2);
        let rows = if world.reads_rows() {
            few
        } else {
            world.tile_rows()
        };
        let load = move |rows: Range<usize>| {
            let band = MapSize::of_world(size.width() as u64, rows.len() as u64).ok();
            let (x, y) = (part.x(), part.y() + rows.start);
            let region = band.and_then(|band| MapRegion::new(x, y, band, world.size()));
            world.read(region.expect("rows of the world"))
        };
        Self::new(size, rows, Box::new(load))
    }

    /// Creates it for a file of plain numbers. Returns an error if the file has the wrong length.
    pub(crate) fn of_raw(path: &'a Path, size: MapSize, raw: RawFormat) -> Result<Self, Failure> {
        Input::open(path)?.check_exactly(raw.bytes(size))?;
        let width = size.width();
        let load = move |rows: Range<usize>| {
            let part = MapSize::new(width as u64, rows.len() as u64)
                .map_err(|error| Failure::Usage(error.to_string()))?;
            let start = (rows.start * width * raw.sample.bytes()) as u64;
            let bytes = Input::open(path)?.read_part(start, raw.bytes(part))?;
            io::read_raw(&bytes, part, raw).map_err(|error| Failure::Import {
                path: path.to_owned(),
                error,
            })
        };
        Ok(Self::new(size, BAND / 4 / width, Box::new(load)))
    }

    /// Returns the error that occurred while rows were read. Such rows contained zeros.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.take().map_or(Ok(()), Err)
    }

    /// Returns the number and the rows of the band that contains row `y`.
    fn band(&self, y: usize) -> (usize, Range<usize>) {
        let number = (y / self.rows).min(self.size.height() / self.rows - 1);
        let start = number * self.rows;
        let is_last = number + 1 == self.size.height() / self.rows;
        let end = if is_last {
            self.size.height()
        } else {
            start + self.rows
        };
        (number, start..end)
    }

    fn kept(&self, number: usize) -> Option<Arc<Heightmap>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|(other, _)| *other == number);
        found.map(|(_, band)| band.clone())
    }

    fn keep(&self, number: usize, band: Arc<Heightmap>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back((number, band));
    }
}

impl HeightRows for BandRows<'_> {
    fn size(&self) -> MapSize {
        self.size
    }

    fn show(&self, y: usize, look: &mut dyn FnMut(&[f32])) {
        let (number, rows) = self.band(y);
        let first = rows.start;
        if let Some(band) = self.kept(number) {
            return look(band.row(y - first));
        }
        match (self.load)(rows) {
            Ok(band) => {
                let band = Arc::new(band);
                self.keep(number, band.clone());
                look(band.row(y - first));
            }
            Err(failure) => {
                let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
                failed.get_or_insert(failure);
                look(&vec![0.0; self.size.width()]);
            }
        }
    }
}
