//! `lanternfell tile`: a world larger than the memory, as a folder of tiles.
//!
//! ```text
//! world/world.ron            the recipe, the tiles' size and format, and the survey
//! world/tile_y0000_x0000.r32
//! world/tile_y0000_x0001.r32 ...
//! ```
//!
//! `world.ron` is made first. From then on each tile depends on it alone, is written whole or
//! not at all, and is left alone when it is there: so many processes, on many machines, can
//! share the work, be killed, and be started again, without knowing of each other.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use clap::Args;
use lanternfell_heightmap::{MapSize, Recipe, Survey, Window};
use serde::{Deserialize, Serialize};

use crate::{
    args::{RawArgs, SourceArgs},
    failure::Failure,
    job::Job,
    output::Output,
    read::Input,
    source,
    write::{Ground, Style, Target},
};

/// `lanternfell tile`.
#[derive(Debug, Args)]
#[command(
    after_help = "Recipes of faults, islands and hills can be made in tiles, with filters \
that look no further than some cells; a fluid's surface and erosion need the whole map.

Sharing the work: give each process a share K/N of the tiles; any of them may be killed and
started again, and makes what is missing. The first step, the survey, is best done once before:
  lanternfell tile world.ron -o world --survey
  seq 8 | parallel lanternfell tile world.ron -o world --share {}/8
In an array of Slurm (sbatch --array=1-8):
  lanternfell tile world.ron -o world --share $SLURM_ARRAY_TASK_ID/8
In an indexed Job of Kubernetes (completions: 8, completionMode: Indexed):
  lanternfell tile world.ron -o world --share $((JOB_COMPLETION_INDEX + 1))/8

Examples:
  lanternfell tile islands --size 16384 --tile 1024 -o world
  lanternfell tile islands --size 16384 --tile 1024 -o world --only 3,7"
)]
pub(crate) struct Tile {
    /// A recipe FILE.ron, the name of a preset, or faults, islands, hills
    #[arg(value_name = "RECIPE")]
    source: String,

    #[command(flatten)]
    change: SourceArgs,

    /// The folder of the tiles; it is made if it is not there
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,

    /// The tiles' width and height in cells; those in the east and south may be smaller
    #[arg(long, value_name = "WxH", value_parser = crate::args::map_size, default_value = "1024")]
    tile: MapSize,

    /// So many cells of the next tiles to the east and south are in each tile too, as engines
    /// ask for whose tiles share their edges
    #[arg(long, value_name = "CELLS", default_value_t = 0)]
    overlap: u32,

    /// The format of the tiles, as a file's ending
    #[arg(long, value_name = "ENDING", default_value = "r32")]
    format: String,

    #[command(flatten)]
    raw: RawArgs,

    /// Make only a part of the tiles: the K-th of N, from 1
    #[arg(long, value_name = "K/N", value_parser = share, conflicts_with = "only")]
    share: Option<Share>,

    /// Make only the tile in this column and row, from 0, even if it is there
    #[arg(long, value_name = "COLUMN,ROW", value_parser = place)]
    only: Option<(usize, usize)>,

    /// Make only world.ron
    #[arg(long, conflicts_with_all = ["share", "only"])]
    survey: bool,
}

/// The K-th of N parts, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Share {
    index: usize,
    count: usize,
}

/// What every process has to know.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct World {
    version: u32,
    recipe: Recipe,
    tile: MapSize,
    overlap: u32,
    format: String,
    survey: Survey,
}

const VERSION: u32 = 1;
const WORLD: &str = "world.ron";

/// A longer `world.ron` is none: a recipe's survey has some lines for each step.
const LONGEST_WORLD: u64 = 2 << 20;

pub(crate) fn run(command: &Tile, job: &Job) -> Result<(), Failure> {
    let start = Instant::now();
    let style = command.style()?;
    let recipe = source::recipe(&command.source, &command.change, source::RECIPE_FILES)?;
    recipe.validate_tiles()?;
    let grid = Grid::new(recipe.size, command.tile, command.overlap as usize)?;
    let chosen = command.chosen(&grid)?;
    let folder = &command.output;
    std::fs::create_dir_all(folder).map_err(|error| Failure::Write {
        path: folder.clone(),
        error,
    })?;
    let world = command.world(recipe, job)?;
    let seconds = || start.elapsed().as_secs_f64();
    if command.survey {
        let line = format!("surveyed {} in {:.2} s", folder.display(), seconds());
        job.summary(folder, &line)?;
        return Ok(());
    }
    let missing: Vec<Place> = chosen
        .iter()
        .copied()
        .filter(|place| command.only.is_some() || !command.path(*place).exists())
        .collect();
    let there = chosen.len() - missing.len();
    job.with_bar("tiles", || {
        for (done, &place) in missing.iter().enumerate() {
            let progress = job.progress.span(0.1, 1.0).part(done, missing.len());
            let path = command.path(place);
            let target = Target::prepare(&path)?;
            let tile =
                world
                    .recipe
                    .tile(&world.survey, grid.window(place), &progress.span(0.0, 0.8))?;
            let scale = world.recipe.scale();
            style.write(
                (&tile, Ground::at_origin(scale)),
                &path,
                target,
                &progress.span(0.8, 1.0),
            )?;
        }
        Ok::<(), Failure>(())
    })?;
    let line = format!(
        "wrote {} of {} tiles into {}, {there} were there, {:.2} s",
        missing.len(),
        grid.places().len(),
        folder.display(),
        seconds()
    );
    job.summary(folder, &line)?;
    Ok(())
}

impl Tile {
    fn style(&self) -> Result<Style, Failure> {
        let raw = self.raw.given().then(|| self.raw.format());
        Style::of_ending(&self.format, raw)
    }

    /// The tiles that are asked for.
    fn chosen(&self, grid: &Grid) -> Result<Vec<Place>, Failure> {
        let all = grid.places();
        if let Some((column, row)) = self.only {
            let place = Place { column, row };
            if !all.contains(&place) {
                let (columns, rows) = (grid.columns, grid.rows);
                return Err(Failure::Usage(format!(
                    "--only {column},{row}: there are {columns} columns and {rows} rows of tiles, \
                     both from 0"
                )));
            }
            return Ok(vec![place]);
        }
        let Some(Share { index, count }) = self.share else {
            return Ok(all);
        };
        Ok(all.into_iter().skip(index).step_by(count).collect())
    }

    fn path(&self, Place { column, row }: Place) -> PathBuf {
        let ending = self.format.trim_start_matches('.');
        self.output
            .join(format!("tile_y{row:04}_x{column:04}.{ending}"))
    }

    /// The world in the folder, which must be the one that is asked for; if there is none yet,
    /// it is surveyed and written. Two processes that do so at once write the same.
    fn world(&self, recipe: Recipe, job: &Job) -> Result<World, Failure> {
        let path = self.output.join(WORLD);
        let asked = |survey| World {
            version: VERSION,
            recipe: recipe.clone(),
            tile: self.tile,
            overlap: self.overlap,
            format: self.format.clone(),
            survey,
        };
        if path.exists() {
            let known = read_world(&path)?;
            if known != asked(known.survey.clone()) {
                return Err(Failure::Usage(format!(
                    "{}: the tiles there are of another recipe, size or format: choose another \
                     folder, or delete it",
                    path.display()
                )));
            }
            return Ok(known);
        }
        let survey = job.with_bar("surveying", || recipe.survey(&job.progress.span(0.0, 0.1)))?;
        let world = asked(survey);
        let layout = ron::ser::PrettyConfig::default().depth_limit(4);
        let mut text = ron::ser::to_string_pretty(&world, layout)
            .expect("a world holds only numbers, names and lists, all of which RON can write");
        text.push('\n');
        let output = Output::prepare(&path)?;
        output.finish(&job.progress, |out| out.write_all(text.as_bytes()))?;
        Ok(world)
    }
}

fn read_world(path: &Path) -> Result<World, Failure> {
    let mut file = Input::open(path)?;
    let damaged = "it is no world of this program: delete it, and it is made anew";
    if file.length > LONGEST_WORLD {
        return Err(file.wrong(damaged));
    }
    let text = String::from_utf8(file.read()?).map_err(|_| file.wrong(damaged))?;
    ron::from_str(&text).map_err(|error| file.wrong(format_args!("{damaged} ({error})")))
}

/// The column and row of a tile, from 0 in the north-west.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    column: usize,
    row: usize,
}

/// A world cut into tiles.
struct Grid {
    world: MapSize,
    tile: MapSize,
    overlap: usize,
    columns: usize,
    rows: usize,
}

impl Grid {
    fn new(world: MapSize, tile: MapSize, overlap: usize) -> Result<Self, Failure> {
        let wrong = |what: String| Err(Failure::Usage(what));
        for (tile, world, side) in [
            (tile.width(), world.width(), "width"),
            (tile.height(), world.height(), "height"),
        ] {
            if overlap >= tile {
                return wrong(format!(
                    "--overlap {overlap} must be less than a tile's {side}, {tile}"
                ));
            }
            if world % tile == 1 {
                return wrong(format!(
                    "--tile: tiles of {side} {tile} leave a last one of 1 cell of {world}, and a \
                     map has at least 2"
                ));
            }
        }
        Ok(Self {
            world,
            tile,
            overlap,
            columns: world.width().div_ceil(tile.width()),
            rows: world.height().div_ceil(tile.height()),
        })
    }

    /// All tiles, row by row.
    fn places(&self) -> Vec<Place> {
        let row = |row| (0..self.columns).map(move |column| Place { column, row });
        (0..self.rows).flat_map(row).collect()
    }

    fn window(&self, Place { column, row }: Place) -> Window {
        let along = |index: usize, tile: usize, world: usize| {
            let start = index * tile;
            (start, (start + tile + self.overlap).min(world) - start)
        };
        let (x, width) = along(column, self.tile.width(), self.world.width());
        let (y, height) = along(row, self.tile.height(), self.world.height());
        let window = MapSize::new(width as u64, height as u64)
            .ok()
            .and_then(|size| Window::new(x, y, size, self.world));
        window.expect("tiles lie in their world and have at least two cells a side")
    }
}

fn share(text: &str) -> Result<Share, String> {
    let wrong = "must be K/N with whole numbers from 1 to 1000000, K at most N, as 3/8";
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

fn place(text: &str) -> Result<(usize, usize), String> {
    let wrong = "must be COLUMN,ROW in whole numbers, as 0,3";
    let (column, row) = text.split_once(',').ok_or(wrong)?;
    match (column.trim().parse(), row.trim().parse()) {
        (Ok(column), Ok(row)) => Ok((column, row)),
        _ => Err(wrong.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(width: u64, height: u64) -> MapSize {
        MapSize::new(width, height).unwrap()
    }

    #[test]
    fn tiles_cover_the_world_once() {
        for (world, tile) in [
            ((100, 70), (32, 32)),
            ((64, 64), (64, 64)),
            ((9, 7), (100, 3)),
        ] {
            let world = size(world.0, world.1);
            let Ok(grid) = Grid::new(world, size(tile.0, tile.1), 0) else {
                assert_eq!(tile, (100, 3), "7 is twice 3 and 1");
                continue;
            };
            let mut seen = vec![0; world.cells()];
            for place in grid.places() {
                let window = grid.window(place);
                for y in window.y()..window.y() + window.size().height() {
                    for x in window.x()..window.x() + window.size().width() {
                        seen[y * world.width() + x] += 1;
                    }
                }
            }
            assert!(seen.iter().all(|&times| times == 1));
        }
    }

    #[test]
    fn overlapping_tiles_share_their_edges() {
        let grid = Grid::new(size(100, 100), size(32, 32), 1).unwrap();
        let window = |column, row| grid.window(Place { column, row });
        assert_eq!(window(0, 0).size(), size(33, 33));
        assert_eq!((window(1, 0).x(), window(1, 0).y()), (32, 0));
        assert_eq!(window(3, 3).size(), size(4, 4));
        assert!(Grid::new(size(100, 100), size(32, 32), 32).is_err());
    }

    #[test]
    fn shares_are_parts_of_a_whole() {
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
        assert_eq!(place("3, 7"), Ok((3, 7)));
        assert!(place("3;7").is_err());
    }
}
