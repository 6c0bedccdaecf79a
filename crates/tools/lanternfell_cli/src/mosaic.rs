//! Several heightmap files as one map, of which only the requested parts are read: a folder of elevation models, or
//! files on the command line.
//!
//! The files are placed by their georeferences, which must be of one grid: the same coordinate system, the same cell
//! size, and a whole number of cells apart. Where files overlap, the first one that has a height wins, in the order of
//! the command line or of the file names. SRTM files share their border cells. Cells without a file have no height.
//!
//! Memory: the requested part, and some rows of a file. Only the headers are read to find the positions.

mod grid;
mod reduced;
mod tile;

use std::path::{Path, PathBuf};

use lanternfell_heightmap::{Elevation, Heightmap, MapFrame, MapRegion, MapSize};
use lanternfell_io::{self as io, Fill, Format, tiles::TileManifest};

use crate::{
    args::MapArgs,
    failure::Failure,
    meaning::Reason,
    memory,
    path::{extension, usual_endings},
    read::{self, ReadMap},
};
use tile::Tile;

/// Files that together are one map.
pub(crate) struct Mosaic {
    tiles: Vec<Placed>,
    size: MapSize,
    frame: MapFrame,
    reason: Reason,
    fill: Option<Fill>,
}

/// A file and its cells in the map.
struct Placed {
    tile: Tile,
    region: MapRegion,
    /// Converts its heights to meters.
    elevation: Elevation,
}

/// The number of rows of a file that are read at once.
const ROWS: usize = 256;

/// Returns whether files of this format can be parts of a map: those with a georeference whose header can be read alone.
fn is_part(format: Format) -> bool {
    matches!(format, Format::Tiff | Format::Ascii | Format::Hgt)
}

fn is_file_of_part(path: &Path) -> bool {
    let format = extension(path).and_then(|ending| Format::from_extension(&ending));
    format.is_some_and(is_part) && path.is_file()
}

/// Returns whether a path is a folder of elevation models, and not one that `lanternfell tile` wrote.
pub(crate) fn is_folder(path: &Path) -> bool {
    let is_own = || path.join(TileManifest::FILE_NAME).exists();
    path.is_dir() && !is_own() && files_in(path).is_ok_and(|files| !files.is_empty())
}

/// Returns the elevation models in a folder, in the order of their names.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(folder).map_err(|error| Failure::Read {
        path: folder.to_owned(),
        error,
    })?;
    let paths = entries.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = paths.filter(|path| is_file_of_part(path)).collect();
    files.sort();
    Ok(files)
}

/// Returns whether the arguments name several files, or a folder of them.
pub(crate) fn is_asked_for(arguments: &MapArgs) -> bool {
    !arguments.more.is_empty() || is_folder(Path::new(&arguments.source))
}

impl Mosaic {
    /// Reads the headers of all files.
    pub(crate) fn open(arguments: &MapArgs) -> Result<Self, Failure> {
        read::no_size(arguments, "a map of several files")?;
        let mut files = Vec::new();
        for name in [&arguments.source].into_iter().chain(&arguments.more) {
            let path = Path::new(name);
            if path.is_dir() && !path.join(TileManifest::FILE_NAME).exists() {
                files.extend(files_in(path)?);
            } else if is_file_of_part(path) {
                files.push(path.to_owned());
            } else {
                let known = usual_endings(is_part);
                return Err(Failure::Usage(format!(
                    "{}: cannot be one of several files that make up a map: expected {known} files, or folders of them",
                    path.display()
                )));
            }
        }
        let tiles = files.iter().map(|path| Tile::open(path, arguments));
        Self::of(tiles.collect::<Result<_, _>>()?, arguments.read.fill)
    }

    fn of(tiles: Vec<Tile>, fill: Option<Fill>) -> Result<Self, Failure> {
        let Some(first) = tiles.first() else {
            let known = usual_endings(is_part);
            return Err(Failure::Usage(format!("no {known} files in these folders")));
        };
        let (frame, reason) = (first.frame, first.reason.clone());
        let (size, place, regions) = grid::place(&tiles)?;
        let placed = tiles.into_iter().zip(regions);
        let placed = placed.map(|(tile, region)| Placed {
            elevation: tile.frame.elevation,
            tile,
            region,
        });
        Ok(Self {
            tiles: placed.collect(),
            size,
            frame: MapFrame { place, ..frame },
            reason,
            fill,
        })
    }

    pub(crate) fn size(&self) -> MapSize {
        self.size
    }

    pub(crate) fn frame(&self) -> MapFrame {
        self.frame
    }

    pub(crate) fn reason(&self) -> Reason {
        self.reason.clone()
    }

    /// Reads a region as a map. A region that is too large for one map is reduced to about twice the size `resize`.
    pub(crate) fn map(&self, part: MapRegion, resize: Option<MapSize>) -> Result<ReadMap, Failure> {
        let size = part.size();
        if !size.is_of_map() {
            let ratios = resize.and_then(|wanted| reduced::ratios(size, wanted));
            let most = MapSize::MAX_SIDE;
            let ratios = ratios.ok_or_else(|| {
                Failure::Usage(format!(
                    "a map has at most {most} cells a side, but the files together have {}x{}: select a region with \
                     --crop, or reduce them with --resize",
                    size.width(),
                    size.height()
                ))
            })?;
            return self.reduced(part, ratios);
        }
        let (width, height) = (size.width(), size.height());
        memory::check(
            memory::of_map(size),
            format_args!("a map of {width}x{height} cells"),
        )?;
        let model = self.frame.part(self.size, part).of(self.read(part)?);
        Ok(ReadMap::new(model, self.reason()))
    }

    /// Reads the heights of a region.
    pub(crate) fn read(&self, part: MapRegion) -> Result<Heightmap, Failure> {
        let size = part.size();
        let mut heights = Vec::new();
        let room = heights.try_reserve_exact(size.cells());
        room.map_err(|_| Failure::Usage("not enough memory for the files together".to_owned()))?;
        heights.resize(size.cells(), f32::NAN);
        for placed in &self.tiles {
            self.add(placed, part, &mut heights)?;
        }
        if self.fill.is_none()
            && let Some(first) = heights.iter().position(|z| z.is_nan())
        {
            let missing = heights.iter().filter(|z| z.is_nan()).count();
            return Err(Failure::Usage(format!(
                "{missing} of {} cells have no height in any file, for example column {}, row {}; use --fill with a \
                 height or `interpolate`",
                heights.len(),
                part.x() + first % size.width(),
                part.y() + first / size.width()
            )));
        }
        let filled = io::fill_gaps(size, heights, self.fill);
        filled.map_err(|error| Failure::Usage(error.to_string()))
    }

    /// Copies the heights of a file to the cells of the region that have none yet.
    fn add(&self, placed: &Placed, part: MapRegion, heights: &mut [f32]) -> Result<(), Failure> {
        let Placed {
            tile,
            region,
            elevation,
        } = placed;
        let both = |a: std::ops::Range<usize>, b: std::ops::Range<usize>| {
            a.start.max(b.start)..a.end.min(b.end)
        };
        let columns = both(part.columns(), region.columns());
        let rows = both(part.rows(), region.rows());
        if columns.is_empty() || rows.is_empty() {
            return Ok(());
        }
        let own = self.frame.elevation;
        for first in rows.clone().step_by(ROWS) {
            let some = first..rows.end.min(first + ROWS);
            let read = tile.rows(some.start - region.y()..some.end - region.y())?;
            for (y, row) in some.zip(read.chunks(region.size().width())) {
                let row = &row[columns.start - region.x()..][..columns.len()];
                let start = (y - part.y()) * part.size().width() + columns.start - part.x();
                for (z, &found) in heights[start..][..columns.len()].iter_mut().zip(row) {
                    if z.is_nan() && *elevation == own {
                        *z = found;
                    } else if z.is_nan() {
                        *z = own.height(elevation.meters(found));
                    }
                }
            }
        }
        Ok(())
    }
}
