//! `lanternfell tile`: generates a world as a folder of tiles, or cuts a heightmap file into tiles, with the memory of
//! one tile.
//!
//! ```text
//! world/tiles.ron            the recipe, the tiles' size and format, and the prepass
//! world/tile_y0000_x0000.r32
//! world/tile_y0000_x0001.r32 ...
//! ```
//!
//! The tiles of a heightmap file have [`tiles.json`](index) instead of `tiles.ron`.
//!
//! [`tiles.ron`](crate::manifest) is written first. From then on each tile only depends on it, is written completely or
//! not at all, and is skipped if it exists. Many processes, on many machines, can therefore share the work, and can be
//! killed and restarted, without communication.

mod blocks;
mod index;
mod map_file;
mod painter;
mod plan;
mod run;
mod share;
mod source;
mod unfinished;
mod work;

use std::{ffi::OsString, path::PathBuf, time::Instant};

use clap::Args;
use lanternfell_heightmap::MapSize;
use lanternfell_io::{
    Format, RawFormat,
    tiles::{TileGrid, TilePosition},
};

use crate::{
    args::{EditsArgs, MapArgs, RangeArgs, RawArgs, ReadArgs, ResizeArgs, SourceArgs, ToRawArgs},
    failure::Failure,
    job::Job,
    mosaic,
    path::extension,
    read, source as sources,
    texture::Texture,
    write::Style,
};
use map_file::MapFile;
use share::{Chosen, Share, place, share};

/// `lanternfell tile`.
#[derive(Debug, Args)]
#[command(
    after_help = "A heightmap file is cut into tiles with its own heights, in meters or from 0 to 1, and each tile has \
its own georeference if the format has one. The file may be read row by row, so a large one does not need to fit into \
memory: see `info`. In integer tiles, 0 and the largest number are the lowest and the highest height of the whole \
file, or those of --range, so that the tiles of several files have the same scale. `tiles.json` describes the tiles. \
For a .raw file, --raw-format and --big-endian describe the file, and for a recipe the .raw tiles.

With --edits, the whole map is made in memory, edited and cut like a heightmap file, also for a recipe. Each process of \
a shared work makes it again.

A world has at most 65536 cells per side, or 16384 with fault lines or hills. Without \
erosion, the tiles have the same bits as the whole map, and need the memory of one tile.

With HydraulicErosion, StreamPowerErosion or GlacialErosion, heights are close to those of the whole map, \
and tiles match exactly at their edges. Large rivers and valleys come from a coarse map of the world. \
Small ones are made in blocks of 1024 cells. Blocks have margins that are cut off, and are blended where \
they meet. The bits of a cell only depend on the recipe, not on the size of tiles, the machine or the order. \
Blocks are kept in the folder `blocks` next to the tiles until all tiles are complete. A world of \
up to 1024 cells per side is eroded as a whole.

Recipes that need the whole map are rejected with a reason: fluid, faults with erosion, images, \
WindErosion, Seamless, Terrace with equal_areas, and filters that reach further than 1024 cells.

Tiles that share their edges: engines need 2^n + 1 cells, where the last cell is the first of \
the next tile. --overlap 1 adds this cell to --tile. A world of 513 cells becomes 8 x 8 tiles \
of 65 x 65:
  lanternfell tile fractal-noise --size 513 --tile 64 --overlap 1 -o world

Position of a tile: the northwest cell of tile_y0002_x0003 is (3, 2) times --tile. A mesh (.obj, \
.glb) is centered at 0, and its texture coordinates are from 0 to 1. With --overlap 1, vertices and \
normals on a shared edge are the same in both tiles, because the normals are those of the whole map. \
--texture natural draws the whole map, of up to 4096 cells per side; --texture atlas draws each tile.

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
  lanternfell tile dem.tif --tile 512 --overlap 1 --format r16 --range 0:3000 -o world
  lanternfell tile dem.tif --tile 256 --overlap 1 --format glb --texture atlas -o meshes
  lanternfell tile srtm-folder --tile 1024 --fill 0 --format tif -o world
The folder of a recipe's tiles can be used as a map in the commands that read one:
  lanternfell render alps --view hillshade -o alps.png
  lanternfell measure alps --what slope -o slopes"
)]
pub(crate) struct Tile {
    /// A recipe FILE.ron, a preset, a generator, or a heightmap file or a folder of elevation models to cut into tiles
    #[arg(value_name = "MAP")]
    source: OsString,

    /// More elevation models (.tif, .asc, .hgt) of the same grid, or folders of them: see `convert`
    #[arg(value_name = "MORE")]
    more: Vec<OsString>,

    #[command(flatten)]
    change: SourceArgs,

    #[command(flatten)]
    edits: EditsArgs,

    #[command(flatten)]
    read: ReadArgs,

    /// Output folder, which is created if it does not exist
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,

    /// Width and height of a tile in cells, without --overlap; tiles at the east and south edges may be smaller
    #[arg(long, value_name = "WxH", value_parser = crate::args::map_size, default_value = "1024")]
    tile: MapSize,

    /// Number of cells, in addition to --tile, that a tile shares with the next one to the east and south; 1 for
    /// engines whose tiles share their edges
    #[arg(long, value_name = "CELLS", default_value_t = 0)]
    overlap: u32,

    /// Format of the tiles, as a file extension; any except stl
    #[arg(long, value_name = "EXTENSION", default_value = "r32")]
    format: String,

    // For a recipe, the number format of .raw tiles.
    #[command(flatten)]
    raw: RawArgs,

    #[command(flatten)]
    to_raw: ToRawArgs,

    #[command(flatten)]
    range: RangeArgs,

    /// Also write FILE.json for each tile, and for images and grids FILE.aux.xml, like in `convert`
    #[arg(long)]
    sidecar: bool,

    /// Texture of .glb tiles, and of .obj tiles as a .png with a .mtl [default: none]
    #[arg(long, value_enum)]
    texture: Option<Texture>,

    /// Make only a share of the tiles: the K-th of N, counted from 1
    #[arg(long, value_name = "K/N", value_parser = share, conflicts_with = "only")]
    share: Option<Share>,

    /// Make only the tile in this column and row, counted from 0, even if it exists
    #[arg(long, value_name = "COLUMN,ROW", value_parser = place)]
    only: Option<TilePosition>,

    /// Write only tiles.ron, or tiles.json for a heightmap file
    #[arg(long, alias = "survey", conflicts_with_all = ["share", "only"])]
    prepass: bool,
}

pub(crate) fn run(command: &Tile, job: &Job) -> Result<(), Failure> {
    let start = Instant::now();
    command.reject_misplaced()?;
    if command.edits.given() {
        return command.cut_edited((start, job));
    }
    if read::is_pipe(&command.source) {
        return command.run_pipe((start, job));
    }
    let arguments = command.map_arguments();
    let format = extension(&command.source).and_then(|ending| Format::from_extension(&ending));
    if format.is_some() || mosaic::is_asked_for(&arguments) {
        let progress = job.progress.span(0.0, 0.2);
        let file = job.with_bar("reading", || MapFile::open(&arguments, &progress))?;
        return command.cut(&file, (start, job));
    }
    let (whole, files) = (
        ResizeArgs::default(),
        "a recipe file with the extension .ron, a heightmap file, or a folder of elevation models",
    );
    let recipe = sources::recipe(&command.source, &command.change, &whole, files)?;
    command.generate(recipe, (start, job))
}

impl Tile {
    /// Returns the options for reading a file.
    fn map_arguments(&self) -> MapArgs {
        MapArgs {
            more: self.more.clone(),
            change: self.change.clone(),
            edits: self.edits.clone(),
            raw: self.raw,
            read: self.read.clone(),
            ..MapArgs::of_file(self.source.clone())
        }
    }

    /// Returns the options for reading a file, except those that are also for the tiles of a recipe.
    fn map_arguments_of_recipe(&self) -> MapArgs {
        MapArgs {
            raw: RawArgs::default(),
            ..self.map_arguments()
        }
    }

    fn style(&self, raw: Option<RawFormat>) -> Result<Style, Failure> {
        let style = Style::of_ending(&self.format, raw)?;
        if style.format == Format::Stl {
            return Err(Failure::Usage(
                "--format stl: each print is scaled to the height range of its own map, so \
                 tiles would not fit together"
                    .to_owned(),
            ));
        }
        style.unstretched().with_sidecar(self.sidecar)
    }

    /// Returns an error for options that do not apply to the format.
    fn reject_misplaced(&self) -> Result<(), Failure> {
        let format = Format::from_extension(&self.extension());
        if self.texture.is_some() && !matches!(format, Some(Format::Obj | Format::Glb)) {
            let format = &self.format;
            return Err(Failure::Usage(format!(
                "--texture is only for .obj and .glb tiles, but --format is {format}"
            )));
        }
        Ok(())
    }

    /// Returns the name of the texture, if there is one.
    fn texture_name(&self) -> Option<String> {
        let name = match self.texture? {
            Texture::None => return None,
            Texture::Natural => "natural",
            Texture::Atlas => "atlas",
        };
        Some(name.to_owned())
    }

    /// Returns the file extension of the tiles.
    fn extension(&self) -> String {
        self.format.trim_start_matches('.').to_ascii_lowercase()
    }

    /// Returns the number format of RAW tiles, and `None` for other formats.
    fn raw_format(&self, style: Style) -> Option<RawFormat> {
        (style.format == Format::Raw).then(|| style.raw())
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
