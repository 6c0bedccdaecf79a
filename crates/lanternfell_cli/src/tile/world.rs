//! A folder of tiles as one map, of which as much is read as is asked for.
//!
//! Heights are those of the recipe, whatever the tiles' format: files in metres are read back by the
//! recipe's relief. Memory: what is asked for, and one tile.

use std::{
    ops::Range,
    path::{Path, PathBuf},
};

use lanternfell_heightmap::{
    Elevation, ElevationModel, Heightmap, MapFrame, MapSize, Progress, Recipe, Window,
    io::{self, Format, RawFormat},
};

use super::{
    grid::{Grid, Share, TilePosition},
    manifest::{self, Layout},
    tile_path,
};
use crate::{
    args::MapArgs,
    failure::Failure,
    land,
    read::{self, Input},
};

/// A folder that `lanternfell tile` has written.
pub(crate) struct World {
    folder: PathBuf,
    layout: Layout,
    grid: Grid,
}

impl World {
    /// Whether there is a folder of that name.
    pub(crate) fn is_at(path: &Path) -> bool {
        path.is_dir()
    }

    /// Finds out what the tiles in a folder are.
    pub(crate) fn open(folder: &Path) -> Result<Self, Failure> {
        let layout = manifest::layout_in(folder)?;
        let grid = Grid::new(layout.recipe.size, layout.tile, layout.overlap as usize)?;
        let format = Format::from_extension(&layout.ending);
        if !format.is_some_and(Format::is_read) {
            return Err(Failure::Usage(format!(
                "{}: its tiles are .{}, which is written, not read",
                folder.display(),
                layout.ending
            )));
        }
        Ok(Self {
            folder: folder.to_owned(),
            layout,
            grid,
        })
    }

    pub(crate) fn recipe(&self) -> &Recipe {
        &self.layout.recipe
    }

    pub(crate) fn size(&self) -> MapSize {
        self.layout.recipe.size
    }

    /// What its cells and heights stand for.
    pub(crate) fn frame(&self) -> MapFrame {
        land::frame_of(&self.layout.recipe)
    }

    /// Whether rows of its tiles can be read alone.
    pub(crate) fn reads_rows(&self) -> bool {
        self.layout.raw.is_some()
    }

    /// The rows of a tile.
    pub(crate) fn tile_rows(&self) -> usize {
        self.layout.tile.height()
    }

    /// What the tiles' names end in.
    pub(crate) fn ending(&self) -> &str {
        &self.layout.ending
    }

    /// Calls `each` with every tile and its cells, row by row from the north-west.
    pub(crate) fn each_tile(
        &self,
        progress: &Progress,
        mut each: impl FnMut(TilePosition, Window, &Progress) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let tiles = self.grid.share(Share::ALL);
        let count = tiles.len();
        for (done, tile) in tiles.enumerate() {
            let place = self.grid.place(tile);
            each(place, self.grid.window(place), &progress.part(done, count))?;
        }
        Ok(())
    }

    /// The heights of a part of the world.
    pub(crate) fn read(&self, part: Window) -> Result<Heightmap, Failure> {
        let (left, top) = (part.x(), part.y());
        let mut cells = vec![0.0; part.size().cells()];
        let width = part.size().width();
        for place in self.grid.touching(part) {
            let window = self.grid.window(place);
            let Some((columns, rows)) = shared(part, cells_of(window)) else {
                continue;
            };
            let (tile, first) = self.tile(place, window, rows.clone())?;
            for y in rows {
                let from = &tile.row(y - first)[columns.start - window.x()..];
                let to = &mut cells[(y - top) * width + columns.start - left..];
                to[..columns.len()].copy_from_slice(&from[..columns.len()]);
            }
        }
        Ok(map_of(part.size(), cells))
    }

    /// The means of squares of `ratio` cells of a part of the world, those at its east and south of as
    /// many as there are.
    pub(crate) fn read_reduced(&self, part: Window, ratio: usize) -> Result<Heightmap, Failure> {
        let cells = |side: usize| side.div_ceil(ratio).max(2) as u64;
        let size = MapSize::new(cells(part.size().width()), cells(part.size().height()))
            .map_err(|error| Failure::Usage(error.to_string()))?;
        let (mut sums, mut counts) = (vec![0.0_f64; size.cells()], vec![0_u32; size.cells()]);
        for place in self.grid.touching(part) {
            // Without what it shares with the next.
            let Some((columns, rows)) = shared(part, self.grid.own(place)) else {
                continue;
            };
            let window = self.grid.window(place);
            let (tile, first) = self.tile(place, window, rows.clone())?;
            for y in rows {
                let row = &tile.row(y - first)[columns.start - window.x()..];
                let start = (y - part.y()) / ratio * size.width();
                for (x, &z) in columns.clone().zip(row) {
                    let cell = start + (x - part.x()) / ratio;
                    sums[cell] += f64::from(z);
                    counts[cell] += 1;
                }
            }
        }
        // A part of less than two squares has its only one twice.
        let mean = |cell: usize| {
            let cell = if counts[cell] > 0 {
                cell
            } else {
                cell % size.width()
            };
            let cell = if counts[cell] > 0 { cell } else { cell - 1 };
            (sums[cell] / f64::from(counts[cell].max(1))) as f32
        };
        Ok(map_of(size, (0..size.cells()).map(mean).collect()))
    }

    /// The heights of a tile: of these rows of the world at least, and the row that is its first.
    fn tile(
        &self,
        place: TilePosition,
        window: Window,
        rows: Range<usize>,
    ) -> Result<(Heightmap, usize), Failure> {
        let path = tile_path(&self.folder, place, &self.layout.ending);
        if let Some(raw) = self.layout.raw_format() {
            return plain_rows(&path, window, raw, rows);
        }
        let name = path.to_string_lossy().into_owned();
        let model = read::file(&path, &MapArgs::of_file(&name))?;
        if model.size() != window.size() {
            let (width, height) = (window.size().width(), window.size().height());
            return Err(Failure::Usage(format!(
                "{}: it is not the tile of {width}x{height} cells that tiles.ron tells of",
                path.display()
            )));
        }
        Ok((self.in_recipes_heights(model), window.y()))
    }

    /// From metres, where a format keeps those, to the recipe's heights.
    fn in_recipes_heights(&self, model: ElevationModel) -> Heightmap {
        let format = Format::from_extension(&self.layout.ending);
        // A grid does not say that it is in metres, and a tile of flat ground does not look so.
        let own = match format {
            Some(Format::Ascii) => Elevation::METRES,
            _ => model.frame.elevation,
        };
        let recipes = self.frame().elevation;
        let is_whole = matches!(format, Some(Format::Png | Format::Pgm | Format::Raw));
        if is_whole || own == recipes {
            return model.heights;
        }
        let heights = model.heights.heights().iter();
        let back = |&z: &f32| ((own.metres(z) - recipes.offset) / recipes.relief) as f32;
        map_of(model.size(), heights.map(back).collect())
    }
}

/// These rows of a tile of plain numbers, or one more.
fn plain_rows(
    path: &Path,
    window: Window,
    raw: RawFormat,
    rows: Range<usize>,
) -> Result<(Heightmap, usize), Failure> {
    let mut file = Input::open(path)?;
    file.check_exactly(raw.bytes(window.size()))?;
    // A map has two rows at least.
    let first = rows.start.min(window.y() + window.size().height() - 2);
    let width = window.size().width();
    let size = MapSize::new(width as u64, (rows.end.max(first + 2) - first) as u64)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let start = ((first - window.y()) * width * raw.sample.bytes()) as u64;
    let bytes = file.read_part(start, raw.bytes(size))?;
    let heights = io::read_raw(&bytes, size, raw).map_err(|error| Failure::Import {
        path: path.to_owned(),
        error,
    })?;
    Ok((heights, first))
}

/// Columns and rows.
type Cells = (Range<usize>, Range<usize>);

fn cells_of(window: Window) -> Cells {
    let (x, y, size) = (window.x(), window.y(), window.size());
    (x..x + size.width(), y..y + size.height())
}

/// The columns and rows of a window that are among these.
fn shared(window: Window, (columns, rows): Cells) -> Option<Cells> {
    let both = |a: Range<usize>, b: Range<usize>| {
        let both = a.start.max(b.start)..a.end.min(b.end);
        (!both.is_empty()).then_some(both)
    };
    let (across, down) = cells_of(window);
    Some((both(across, columns)?, both(down, rows)?))
}

fn map_of(size: MapSize, heights: Vec<f32>) -> Heightmap {
    Heightmap::from_heights(size, heights).expect("as many finite heights as cells")
}
