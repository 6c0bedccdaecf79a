//! Maps that are read in bands of rows, from a file or a folder of tiles, to limit the memory.
//!
//! Measures read rows in order, several times, and from several threads. The last few bands are therefore kept.

use std::{
    collections::VecDeque,
    ops::Range,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use lanternfell_heightmap::{Heightmap, MapRegion, MapSize, Progress, analysis::HeightRows};
use lanternfell_io::{self as io, RawFormat};

use crate::{failure::Failure, mosaic::Mosaic, read::Input, stamp::Stamp, world::World};

/// The approximate size of a band in bytes.
const BAND: usize = 4 << 20;

/// The number of bands that are kept: one per thread that works at a different place, and the next band of some of
/// them.
const KEPT: usize = 8;

type Load<'a> = dyn Fn(Range<usize>) -> Result<Heightmap, Failure> + Sync + 'a;

/// A map whose bands of rows are read on demand.
///
/// The first read error cancels the work, because its results would be wrong. [`check`](Self::check) returns the error.
pub(crate) struct BandRows<'a> {
    size: MapSize,
    /// The number of rows in a band. The last band may have more.
    rows: usize,
    load: Box<Load<'a>>,
    kept: Mutex<VecDeque<(usize, Arc<Heightmap>)>>,
    failed: Mutex<Failed>,
    /// The work, to be canceled.
    progress: Progress,
}

/// Whether reading failed.
#[derive(Default)]
enum Failed {
    #[default]
    No,
    /// It did, and the error was not returned yet.
    With(Failure),
    /// It did, and the error was returned.
    Reported,
}

impl<'a> BandRows<'a> {
    fn new(size: MapSize, rows: usize, load: Box<Load<'a>>, progress: &Progress) -> Self {
        Self {
            size,
            rows: rows.clamp(2, size.height()),
            load,
            kept: Mutex::default(),
            failed: Mutex::default(),
            progress: progress.clone(),
        }
    }

    /// Creates it for a region of a folder of tiles. Tiles whose rows cannot be read separately are read completely.
    pub(crate) fn of_world(world: &'a World, part: MapRegion, progress: &Progress) -> Self {
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
        Self::new(size, rows, Box::new(load), progress)
    }

    /// Creates it for several files that together are one map.
    pub(crate) fn of_mosaic(mosaic: &'a Mosaic, progress: &Progress) -> Self {
        let size = mosaic.size();
        let load = move |rows: Range<usize>| {
            let band = MapSize::of_world(size.width() as u64, rows.len() as u64).ok();
            let region = band.and_then(|band| MapRegion::new(0, rows.start, band, size));
            mosaic.read(region.expect("rows of the map"))
        };
        Self::new(size, BAND / 4 / size.width(), Box::new(load), progress)
    }

    /// Creates it for a file of plain numbers. Returns an error if the file has the wrong length.
    pub(crate) fn of_raw(
        path: &'a Path,
        size: MapSize,
        raw: RawFormat,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        Input::open(path)?.check_exactly(raw.bytes(size))?;
        let stamp = Stamp::of(path).map_err(|error| Failure::Read {
            path: path.to_owned(),
            error,
        })?;
        let width = size.width();
        let load = move |rows: Range<usize>| {
            let part = MapSize::new(width as u64, rows.len() as u64)
                .map_err(|error| Failure::Usage(error.to_string()))?;
            let start = (rows.start * width * raw.sample.bytes()) as u64;
            let bytes = Input::open(path)?.read_part(start, raw.bytes(part))?;
            stamp.check(path)?;
            io::read_raw(&bytes, part, raw).map_err(|error| Failure::Import {
                path: path.to_owned(),
                error,
            })
        };
        Ok(Self::new(size, BAND / 4 / width, Box::new(load), progress))
    }

    /// Returns the error that occurred while rows were read. Such rows contained zeros, and the work was canceled.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::replace(&mut *failed, Failed::Reported) {
            Failed::With(failure) => Err(failure),
            other => {
                *failed = other;
                Ok(())
            }
        }
    }

    /// Loads rows, unless loading has failed before.
    fn load(&self, rows: Range<usize>) -> Option<Heightmap> {
        let failed = || self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(*failed(), Failed::No) {
            return None;
        }
        let loaded = (self.load)(rows);
        loaded
            .map_err(|failure| {
                let mut failed = failed();
                if matches!(*failed, Failed::No) {
                    *failed = Failed::With(failure);
                }
                self.progress.cancel();
            })
            .ok()
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
        let Some(band) = self.load(rows) else {
            return look(&vec![0.0; self.size.width()]);
        };
        let band = Arc::new(band);
        self.keep(number, band.clone());
        look(band.row(y - first));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use lanternfell_heightmap::analysis::Statistics;

    use super::*;

    /// Reported: after a read error, the work went on to its end.
    #[test]
    fn first_error_ends_the_work() {
        let size = MapSize::new(100, 1000).unwrap();
        let loads = AtomicUsize::new(0);
        let load = |rows: Range<usize>| {
            loads.fetch_add(1, Ordering::Relaxed);
            if rows.contains(&50) {
                return Err(Failure::Usage("no such tile".to_owned()));
            }
            let band = MapSize::new(100, rows.len() as u64).unwrap();
            Ok(Heightmap::from_heights(band, vec![0.5; band.cells()]).unwrap())
        };
        let progress = Progress::default();
        let rows = BandRows::new(size, 10, Box::new(load), &progress);
        assert!(Statistics::of(&rows, &progress).is_err());
        assert!(loads.load(Ordering::Relaxed) < 100);
        assert!(matches!(rows.check(), Err(Failure::Usage(what)) if what == "no such tile"));
        let before = loads.load(Ordering::Relaxed);
        rows.show(70, &mut |row| assert_eq!(row, [0.0; 100]));
        assert_eq!(loads.load(Ordering::Relaxed), before);
        assert!(rows.check().is_ok(), "reported once");
    }
}
