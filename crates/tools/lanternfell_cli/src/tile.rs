//! `lanternfell tile`: generates a world as a folder of tiles, with the memory of one tile.
//!
//! ```text
//! world/tiles.ron            the recipe, the tiles' size and format, and the prepass
//! world/tile_y0000_x0000.r32
//! world/tile_y0000_x0001.r32 ...
//! ```
//!
//! [`tiles.ron`](crate::manifest) is written first. From then on each tile only depends on it, is written completely or
//! not at all, and is skipped if it exists. Many processes, on many machines, can therefore share the work, and can be
//! killed and restarted, without communication.

mod blocks;
mod share;
mod unfinished;

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::Instant,
};

use clap::Args;
use lanternfell_heightmap::{BlockPosition, ElevationModel, MapRegion, MapSize, Progress, Tiles};
use lanternfell_io::{
    Format, RawFormat,
    tiles::{GridTile, TileGrid, TileGridError, TileLayout, TileLayoutError, TilePosition},
};

use crate::{
    args::{RawArgs, ResizeArgs, SourceArgs},
    failure::Failure,
    frame::frame_of_recipe,
    job::Job,
    manifest, source,
    write::{Style, Target},
};
use blocks::FolderBlocks;
use share::{Chosen, Share};

/// `lanternfell tile`.
#[derive(Debug, Args)]
#[command(
    after_help = "A world has at most 65536 cells per side, or 16384 with fault lines or hills. Without \
erosion, the tiles have the same bits as the whole map, and need the memory of one tile.

With HydraulicErosion, StreamPowerErosion or GlacialErosion, heights are close to those of the whole map, \
and tiles match exactly at their edges. Large rivers and valleys come from a coarse map of the world. \
Small ones are made in blocks of 1024 cells with margins that are cut off, and are blended where blocks \
meet. The bits of a cell only depend on the recipe, not on the size of tiles, the machine or the order. \
Blocks are kept in the folder `blocks` next to the tiles until all tiles are complete. A world of \
up to 1024 cells per side is eroded as a whole.

Recipes that need the whole map are rejected with a reason: fluid, faults with erosion, images, \
WindErosion, Seamless, Terrace with equal_areas, and filters that reach further than 1024 cells.

Tiles that share their edges: engines need 2^n + 1 cells, where the last cell is the first of \
the next tile. --overlap 1 adds this cell to --tile. A world of 513 cells becomes 8 x 8 tiles \
of 65 x 65:
  lanternfell tile fractal-noise --size 513 --tile 64 --overlap 1 -o world

Position of a tile: tile_y0002_x0003 starts at cell (3, 2) times --tile of the world. A mesh (.obj, \
.glb) is centered at 0.

Sharing the work: give each process a share K/N of the tiles. Processes may be killed and \
restarted, and continue with the missing tiles. Run the prepass once before:
  lanternfell tile world.ron -o world --prepass
  seq 8 | parallel lanternfell tile world.ron -o world --share {}/8
In a Slurm job array (sbatch --array=1-8):
  lanternfell tile world.ron -o world --share $SLURM_ARRAY_TASK_ID/8
In an indexed Kubernetes Job (completions: 8, completionMode: Indexed):
  sh -c 'lanternfell tile world.ron -o world --share $((JOB_COMPLETION_INDEX + 1))/8'
A killed process may leave a hidden file .lanternfell-XXXXXX. Runs remove such files after a day.

Examples:
  lanternfell tile fractal-noise --size 16384 --tile 1024 -o world
  lanternfell tile fractal-noise --size 16384 --tile 1024 -o world --only 3,7
  lanternfell tile alpine --size 8192 -o alps
The folder can be used as a map in info, measure, render, mesh and convert:
  lanternfell render alps --view hillshade -o alps.png
  lanternfell measure alps --what slope -o slopes"
)]
pub(crate) struct Tile {
    /// A recipe FILE.ron, a preset, or a generator
    #[arg(value_name = "RECIPE")]
    source: OsString,

    #[command(flatten)]
    change: SourceArgs,

    /// Output folder, which is created if it does not exist
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,

    /// Width and height of a tile in cells, without --overlap; tiles at the east and south edges may be smaller
    #[arg(long, value_name = "WxH", value_parser = crate::args::map_size, default_value = "1024")]
    tile: MapSize,

    /// Number of cells that a tile shares with the next one to the east and south, in addition to --tile; 1 for engines
    /// whose tiles share their edges
    #[arg(long, value_name = "CELLS", default_value_t = 0)]
    overlap: u32,

    /// Format of the tiles, as a file extension; any except stl
    #[arg(long, value_name = "ENDING", default_value = "r32")]
    format: String,

    #[command(flatten)]
    raw: RawArgs,

    /// Make only a share of the tiles: the K-th of N, counted from 1
    #[arg(long, value_name = "K/N", value_parser = share, conflicts_with = "only")]
    share: Option<Share>,

    /// Make only the tile in this column and row, counted from 0, even if it exists
    #[arg(long, value_name = "COLUMN,ROW", value_parser = place)]
    only: Option<TilePosition>,

    /// Write only tiles.ron
    #[arg(long, alias = "survey", conflicts_with_all = ["share", "only"])]
    prepass: bool,
}

pub(crate) fn run(command: &Tile, job: &Job) -> Result<(), Failure> {
    let start = Instant::now();
    let style = command.style()?;
    let whole = ResizeArgs::default();
    let files = source::RECIPE_FILES;
    let recipe = source::recipe(&command.source, &command.change, &whole, files)?;
    recipe.validate_tiles()?;
    let raw = command.raw_format(style);
    let layout = TileLayout::new(
        recipe,
        command.tile,
        command.overlap,
        command.extension(),
        raw,
    );
    let layout = layout.map_err(refused)?;
    let chosen = command.chosen(layout.grid())?;
    let folder = command.output.as_path();
    std::fs::create_dir_all(folder).map_err(|error| Failure::Write {
        path: folder.to_owned(),
        error,
    })?;
    let manifest = manifest::open(folder, layout, job)?;
    let layout = manifest.layout();
    unfinished::sweep(folder);
    let seconds = || start.elapsed().as_secs_f64();
    if command.prepass {
        let line = format!("prepass of {} in {:.2} s", folder.display(), seconds());
        job.summary(folder, &line)?;
        return Ok(());
    }
    let tiles = job.with_bar("world", || {
        let progress = job.progress.span(0.1, 0.2);
        layout.recipe().tiles(manifest.prepass(), &progress)
    })?;
    let work = Work {
        folder,
        layout,
        tiles,
        blocks: FolderBlocks::new(folder),
        style,
        again: command.only.is_some(),
    };
    if let Some(share) = command.share {
        job.with_bar("blocks", || work.make_blocks(share, &job.progress))?;
    }
    let Counts { written, there } = job.with_bar("tiles", || work.make(chosen, &job.progress))?;
    let line = format!(
        "wrote {written} of {} tiles to {}, {there} already existed, {:.2} s",
        layout.grid().count(),
        folder.display(),
        seconds()
    );
    job.summary(folder, &line)?;
    Ok(())
}

impl Tile {
    fn style(&self) -> Result<Style, Failure> {
        let raw = self.raw.given().then(|| self.raw.format());
        let style = Style::of_ending(&self.format, raw)?;
        if style.format == Format::Stl {
            return Err(Failure::Usage(
                "--format stl: each print is scaled to the height range of its own map, so \
                 tiles would not fit together"
                    .to_owned(),
            ));
        }
        Ok(style.unstretched())
    }

    /// Returns the file extension of the tiles.
    fn extension(&self) -> String {
        self.format.trim_start_matches('.').to_ascii_lowercase()
    }

    /// Returns the number format of RAW tiles, and `None` for other formats.
    fn raw_format(&self, style: Style) -> Option<RawFormat> {
        let fixed = RawFormat::from_extension(&self.extension());
        (style.format == Format::Raw).then(|| fixed.unwrap_or(self.raw.format()))
    }

    /// Returns the tiles to make.
    fn chosen(&self, grid: TileGrid) -> Result<Chosen, Failure> {
        match (self.only, self.share) {
            (Some(position), _) => share::only(grid, position),
            (None, Some(share)) => Ok(share.of(grid)),
            (None, None) => Ok(Share::ALL.of(grid)),
        }
    }
}

/// Converts the error of a layout to one that names the options.
fn refused(error: TileLayoutError) -> Failure {
    let words = match error {
        TileLayoutError::Recipe(error) => return error.into(),
        TileLayoutError::Grid(TileGridError::Overlap {
            overlap,
            side,
            tile,
        }) => format!("--overlap {overlap} must be less than the {side} of a tile, {tile}"),
        TileLayoutError::Grid(error @ TileGridError::Last { .. }) => {
            format!("--tile: {error}; for tiles that share their edges, add --overlap 1")
        }
        TileLayoutError::Grid(error @ TileGridError::TooLarge { .. }) => format!("--tile: {error}"),
        error @ (TileLayoutError::Extension { .. } | TileLayoutError::Raw { .. }) => {
            error.to_string()
        }
    };
    Failure::Usage(words)
}

/// Makes tiles one after the other.
struct Work<'a> {
    folder: &'a Path,
    layout: &'a TileLayout,
    tiles: Tiles<'a>,
    blocks: FolderBlocks,
    style: Style,
    /// Whether to replace existing tiles.
    again: bool,
}

#[derive(Default)]
struct Counts {
    written: usize,
    there: usize,
}

impl Work<'_> {
    /// Makes a share of the blocks. Processes that share the work make their blocks before their tiles, so that no
    /// block is made twice.
    fn make_blocks(
        &self,
        Share { index, count }: Share,
        progress: &Progress,
    ) -> Result<(), Failure> {
        if !self.tiles.has_blocks() {
            return Ok(());
        }
        let mine: Vec<BlockPosition> = self.tiles.blocks().skip(index).step_by(count).collect();
        let progress = progress.span(0.2, 0.7);
        for (done, &block) in mine.iter().enumerate() {
            let region = self.tiles.block_region(block);
            if self.is_needed(region) && !self.blocks.holds(block, region) {
                let progress = progress.part(done, mine.len());
                self.tiles.block(block, &self.blocks, &progress)?;
            }
        }
        Ok(())
    }

    /// Returns whether a tile in this region of the world is missing.
    fn is_needed(&self, part: MapRegion) -> bool {
        let mut tiles = self.layout.grid().touching(part);
        tiles.any(|tile| !self.stands(tile))
    }

    fn make(&self, chosen: Chosen, progress: &Progress) -> Result<Counts, Failure> {
        let mut counts = Counts::default();
        let number = chosen.len();
        let progress = progress.span(0.2, 1.0);
        let grid = self.layout.grid();
        let tiles = chosen.filter_map(|number| grid.nth(number));
        for (done, tile) in tiles.enumerate() {
            let made = self.make_one(tile, &progress.part(done, number), &mut counts);
            made.map_err(|failure| match failure {
                Failure::Canceled => Failure::Stopped(format!(
                    "canceled: {} of {number} tiles are in {}; run the same command to continue",
                    counts.written + counts.there,
                    self.folder.display()
                )),
                other => other,
            })?;
        }
        Ok(counts)
    }

    fn make_one(
        &self,
        tile: GridTile,
        progress: &Progress,
        counts: &mut Counts,
    ) -> Result<(), Failure> {
        if !self.again && self.stands(tile) {
            counts.there += 1;
            return Ok(progress.step(1, 1)?);
        }
        self.write(tile, progress)?;
        counts.written += 1;
        Ok(())
    }

    fn path(&self, tile: GridTile) -> PathBuf {
        self.folder.join(self.layout.file_name(tile.position))
    }

    /// Returns whether the tile exists and is complete: it must have the expected length in RAW formats, and must not
    /// be empty in other formats.
    fn stands(&self, tile: GridTile) -> bool {
        let Ok(about) = self.path(tile).metadata() else {
            return false;
        };
        let raw = self.layout.raw_format();
        let length = raw.map(|raw| raw.bytes(tile.region.size()));
        let whole = length.map_or(about.len() > 0, |length| about.len() == length);
        about.is_file() && whole
    }

    /// Makes a tile and writes it.
    fn write(&self, tile: GridTile, progress: &Progress) -> Result<(), Failure> {
        let region = tile.region;
        let path = self.path(tile);
        let target = Target::prepare(&path)?;
        let making = progress.span(0.0, 0.8);
        let heights = self.tiles.tile(region, &self.blocks, &making)?;
        let frame = frame_of_recipe(self.layout.recipe(), "").part(self.layout.size(), region);
        let map = ElevationModel { heights, frame };
        let writing = progress.span(0.8, 1.0);
        self.style.write(&map, &path, target, &writing)?;
        if self.tiles.has_blocks() {
            let needed = |part| self.is_needed(part);
            self.blocks.sweep(&self.tiles, region, needed);
            self.blocks.close();
        }
        Ok(())
    }
}

fn share(text: &str) -> Result<Share, String> {
    let wrong = "must be K/N with whole numbers from 1 to 1000000, K at most N, for example 3/8";
    let (index, count) = text.split_once('/').ok_or(wrong)?;
    match (index.parse(), count.parse()) {
        (Ok(index), Ok(count)) if (1..=count).contains(&index) && count <= 1_000_000 => {
            let index: usize = index;
            Ok(Share {
                index: index - 1,
                count,
            })
        }
        _ => Err(wrong.to_owned()),
    }
}

fn place(text: &str) -> Result<TilePosition, String> {
    let wrong = "must be COLUMN,ROW in whole numbers, for example 0,3";
    let (column, row) = text.split_once(',').ok_or(wrong)?;
    match (column.trim().parse(), row.trim().parse()) {
        (Ok(column), Ok(row)) => Ok(TilePosition { column, row }),
        _ => Err(wrong.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_shares_and_positions() {
        assert_eq!(share("1/1"), Ok(Share { index: 0, count: 1 }));
        assert_eq!(share("3/8"), Ok(Share { index: 2, count: 8 }));
        for wrong in [
            "0/8",
            "9/8",
            "3",
            "-1/8",
            "a/b",
            "3/",
            "/8",
            "1/0",
            "1/9999999",
        ] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
        assert_eq!(place("3, 7"), Ok(TilePosition { column: 3, row: 7 }));
        assert!(place("3;7").is_err());
    }
}
