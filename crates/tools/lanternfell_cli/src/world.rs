//! A folder of tiles as one map, of which only the requested parts are read.
//!
//! Heights are those of the recipe, for any format of the tiles: files in meters are converted back with the recipe's
//! relief. Memory: the requested part, and one tile.

use std::{
    collections::HashMap,
    ops::Range,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use lanternfell_heightmap::{Heightmap, MapFrame, MapRegion, MapSize, Progress, Recipe};
use lanternfell_io::{
    self as io, ImportError, RawFormat,
    tiles::{GridTile, MosaicError, TileFileError, TileLayout, TileMosaic, TilePosition},
};

use crate::{
    args::MapArgs,
    failure::Failure,
    frame::frame_of_recipe,
    manifest, mosaic,
    read::{self, Input},
    stamp::Stamp,
};

/// A folder that `lanternfell tile` wrote.
pub(crate) struct World {
    folder: PathBuf,
    layout: TileLayout,
    /// The stamps of the tiles that were read or checked.
    stamps: Mutex<HashMap<TilePosition, Stamp>>,
}

impl World {
    /// Returns whether a path is a folder that is no folder of elevation models.
    pub(crate) fn is_at(path: &Path) -> bool {
        path.is_dir() && !mosaic::is_folder(path)
    }

    /// Reads the manifest of a folder.
    pub(crate) fn open(folder: &Path) -> Result<Self, Failure> {
        let layout = manifest::layout_in(folder)?;
        if !layout.format().is_read() {
            return Err(Failure::Usage(format!(
                "{}: its tiles are .{}, which can be written but not read",
                folder.display(),
                layout.extension()
            )));
        }
        let folder = folder.to_owned();
        Ok(Self {
            folder,
            layout,
            stamps: Mutex::default(),
        })
    }

    pub(crate) fn recipe(&self) -> &Recipe {
        self.layout.recipe()
    }

    pub(crate) fn size(&self) -> MapSize {
        self.layout.size()
    }

    /// Returns the frame of the world.
    pub(crate) fn frame(&self) -> MapFrame {
        frame_of_recipe(self.recipe(), "")
    }

    /// Returns whether rows of its tiles can be read separately.
    pub(crate) fn reads_rows(&self) -> bool {
        self.layout.raw_format().is_some()
    }

    /// Returns the number of rows of a tile.
    pub(crate) fn tile_rows(&self) -> usize {
        self.layout.grid().tile_size().height()
    }

    /// Returns the file extension of the tiles.
    pub(crate) fn extension(&self) -> &str {
        self.layout.extension()
    }

    /// Returns an error if tiles of this region are missing or incomplete, without reading them.
    pub(crate) fn check_complete(&self, part: MapRegion) -> Result<(), Failure> {
        let (mut count, mut missing, mut first) = (0, 0, None);
        for tile in self.layout.grid().touching(part) {
            let path = self.path(tile.position);
            count += 1;
            if !path.is_file() {
                missing += 1;
                first.get_or_insert(path);
                continue;
            }
            let found = self.stamp(tile.position, &path)?.length;
            let raw = self.layout.raw_format();
            if let Some(expected) = raw.map(|raw| raw.bytes(tile.region.size()))
                && expected != found
            {
                return Err(read::import(&path, ImportError::Length { expected, found }));
            }
        }
        let Some(first) = first else { return Ok(()) };
        Err(Failure::Usage(format!(
            "{}: {missing} of {count} tiles are missing, for example {}; run `lanternfell tile` again to make them",
            self.folder.display(),
            first.file_name().unwrap_or_default().display()
        )))
    }

    /// Returns the stamp of a tile when it was first read or checked.
    fn stamp(&self, tile: TilePosition, path: &Path) -> Result<Stamp, Failure> {
        let mut stamps = self.stamps.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stamp) = stamps.get(&tile) {
            return Ok(*stamp);
        }
        let stamp = Stamp::of(path).map_err(|error| Failure::Read {
            path: path.to_owned(),
            error,
        })?;
        stamps.insert(tile, stamp);
        Ok(stamp)
    }

    fn path(&self, tile: TilePosition) -> PathBuf {
        self.folder.join(self.layout.file_name(tile))
    }

    /// Calls `each` for every tile, row by row from the northwest.
    pub(crate) fn each_tile(
        &self,
        progress: &Progress,
        mut each: impl FnMut(GridTile, &Progress) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let tiles = self.layout.grid().tiles();
        let count = tiles.len();
        for (done, tile) in tiles.enumerate() {
            each(tile, &progress.part(done, count))?;
        }
        Ok(())
    }

    /// Reads the heights of a region of the world.
    pub(crate) fn read(&self, part: MapRegion) -> Result<Heightmap, Failure> {
        let unfit = |error: MosaicError| Failure::Usage(error.to_string());
        let mut mosaic = TileMosaic::new(part).map_err(unfit)?;
        for tile in self.layout.grid().touching(part) {
            let (rows, heights) = self.tile(tile, both(part.rows(), tile.region.rows()))?;
            mosaic.add(rows, &heights).map_err(unfit)?;
        }
        mosaic.finish().map_err(unfit)
    }

    /// Reads a region reduced by `ratio`: each height is the mean of a square of cells. Squares at the east and south
    /// edges may be incomplete.
    pub(crate) fn read_reduced(&self, part: MapRegion, ratio: usize) -> Result<Heightmap, Failure> {
        let cells = |side: usize| side.div_ceil(ratio).max(2) as u64;
        let size = MapSize::new(cells(part.size().width()), cells(part.size().height()))
            .map_err(|error| Failure::Usage(error.to_string()))?;
        let (mut sums, mut counts) = (vec![0.0_f64; size.cells()], vec![0_u32; size.cells()]);
        let grid = self.layout.grid();
        for tile in grid.touching(part) {
            // Skip the overlap, which the next tile contains too.
            let (columns, rows) = grid.own_cells(tile);
            let columns = both(part.columns(), columns);
            let rows = both(part.rows(), rows);
            if columns.is_empty() || rows.is_empty() {
                continue;
            }
            let (read, map) = self.tile(tile, rows.clone())?;
            for y in rows {
                let row = &map.row(y - read.y())[columns.start - read.x()..];
                let start = (y - part.y()) / ratio * size.width();
                for (x, &z) in columns.clone().zip(row) {
                    let cell = start + (x - part.x()) / ratio;
                    sums[cell] += f64::from(z);
                    counts[cell] += 1;
                }
            }
        }
        // A map has at least two cells per side. If the region has only one square, repeat it.
        let mean = |cell: usize| {
            let cell = if counts[cell] > 0 {
                cell
            } else {
                cell % size.width()
            };
            let cell = if counts[cell] > 0 { cell } else { cell - 1 };
            (sums[cell] / f64::from(counts[cell].max(1))) as f32
        };
        let means = (0..size.cells()).map(mean).collect();
        Ok(Heightmap::from_heights(size, means).expect("one finite height per cell"))
    }

    /// Reads at least these rows of a tile. Returns the heights and their cells in the world.
    fn tile(&self, tile: GridTile, rows: Range<usize>) -> Result<(MapRegion, Heightmap), Failure> {
        let path = self.path(tile.position);
        let stamp = self.stamp(tile.position, &path)?;
        let found = match self.layout.raw_format() {
            Some(raw) => self.plain_rows(&path, tile.region, raw, rows)?,
            None => self.packed(&path, tile)?,
        };
        stamp.check(&path)?;
        Ok(found)
    }

    /// Reads a tile of another format.
    fn packed(&self, path: &Path, tile: GridTile) -> Result<(MapRegion, Heightmap), Failure> {
        let model = read::file(path, &MapArgs::of_file(path))?.model;
        let heights = self.layout.heights(tile, model);
        Ok((tile.region, heights.map_err(|error| unread(path, error))?))
    }

    /// Reads these rows of a tile of plain numbers, or one row more.
    fn plain_rows(
        &self,
        path: &Path,
        tile: MapRegion,
        raw: RawFormat,
        rows: Range<usize>,
    ) -> Result<(MapRegion, Heightmap), Failure> {
        let mut file = Input::open(path)?;
        file.check_exactly(raw.bytes(tile.size()))?;
        // A map has at least two rows.
        let first = rows.start.min(tile.rows().end - 2);
        let width = tile.size().width();
        let size = MapSize::new(width as u64, (rows.end.max(first + 2) - first) as u64)
            .map_err(|error| Failure::Usage(error.to_string()))?;
        let region = MapRegion::new(tile.x(), first, size, self.size()).expect("rows of a tile");
        let start = ((first - tile.y()) * width * raw.sample.bytes()) as u64;
        let bytes = file.read_part(start, raw.bytes(size))?;
        let numbers = io::read_raw(&bytes, size, raw).map_err(|error| read::import(path, error))?;
        let heights = self.layout.heights_of_numbers(numbers);
        Ok((region, heights.map_err(|error| unread(path, error))?))
    }
}

fn unread(path: &Path, error: TileFileError) -> Failure {
    match error {
        TileFileError::Import(error) => read::import(path, error),
        error @ TileFileError::Size { .. } => {
            Failure::Usage(format!("{}: {error}", path.display()))
        }
    }
}

/// Returns the intersection of two ranges.
fn both(a: Range<usize>, b: Range<usize>) -> Range<usize> {
    a.start.max(b.start)..a.end.min(b.end)
}
