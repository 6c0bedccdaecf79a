//! `lanternfell preview`: shows a map in the terminal.
//!
//! A character cell is about twice as high as it is wide. The upper half block shows two colors, so a character cell is
//! two square pixels.
//!
//! ```text
//!   ▀▀▀▀▀▀     the text color is the upper pixel, the background color the lower one
//! ```

use std::io::IsTerminal;

use clap::{Args, ValueEnum};
use lanternfell_heightmap::{Heightmap, MapSize, Progress, RgbImage, filter::Resampling, is_land};
use lanternfell_render::{Palette, TopView};

use crate::{
    args::MapArgs,
    failure::Failure,
    job::{Job, print},
    land::{Land, Measures, Origin},
};

/// `lanternfell preview`.
#[derive(Debug, Args)]
#[command(
    after_help = "The output is in color in a terminal, and in letters otherwise.

Examples:
  lanternfell preview volcano
  lanternfell preview island.png --columns 60 --ink letters"
)]
pub(crate) struct Preview {
    #[command(flatten)]
    map: MapArgs,

    /// Height of the sea, in the map's own heights [default: from the recipe or the file, 0 m for maps in meters, or
    /// 0.04]
    #[arg(long, value_name = "Z", allow_negative_numbers = true)]
    sea_level: Option<f32>,

    /// Width in characters [default: the width of the terminal, at most 100]
    #[arg(long, value_name = "N", value_parser = columns)]
    columns: Option<u32>,

    /// How to show the map [default: colors in a terminal, otherwise letters]
    #[arg(long, value_enum)]
    ink: Option<Ink>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Ink {
    /// Half blocks in 24-bit colors
    Colors,
    /// Characters, denser for higher terrain; water is `~`
    Letters,
}

/// Characters for land, from low to high.
const RAMP: &[u8] = b".:-=+*#%@";

const MOST_COLUMNS: u32 = 500;

pub(crate) fn run(command: &Preview, job: &Job) -> Result<(), Failure> {
    let origin = Origin::open_to_show(&command.map, command.sea_level)?;
    // Check all options before the work starts.
    view(&origin.measures)?;
    let (Land { map, .. }, measures) = job.with_bar("generating", || {
        origin.make_to_show(&job.progress.span(0.0, 0.5))
    })?;
    let view = view(&measures)?;
    let terminal = std::io::stdout().is_terminal();
    let ink = command
        .ink
        .unwrap_or(if terminal && !colors_are_unwanted() {
            Ink::Colors
        } else {
            Ink::Letters
        });
    let columns = command
        .columns
        .unwrap_or_else(|| terminal_columns(terminal));
    let map = smaller(map.heights, columns, &job.progress.span(0.5, 0.6))?;
    let text = match ink {
        Ink::Colors => colors(&view, &map, columns, &job.progress)?,
        Ink::Letters => letters(&map, view.sea_level, columns),
    };
    print(text)
}

fn view(measures: &Measures) -> Result<TopView, Failure> {
    let default = TopView::default();
    let view = TopView {
        palette: Palette::Natural,
        sea_level: measures.sea_level,
        look: measures.look(),
        vertical_scale: measures.vertical_scale().unwrap_or(default.vertical_scale),
        ..default
    };
    view.validate()
        .map_err(|error| Failure::Render(error.into()))?;
    Ok(view)
}

/// Reduces a large map to two cells per column.
fn smaller(map: Heightmap, columns: u32, progress: &Progress) -> Result<Heightmap, Failure> {
    let width = 2 * u64::from(columns);
    if map.width() as u64 <= width {
        return Ok(map);
    }
    let height = map.height() as u64 * width / map.width() as u64;
    let height = height.clamp(2, MapSize::MAX_SIDE.into());
    match MapSize::new(width, height) {
        Ok(size) => Ok(map.resampled(size, Resampling::Bilinear, progress)?),
        Err(_) => Ok(map),
    }
}

/// Returns whether the user has disabled colors (no-color.org) or the terminal does not support them.
fn colors_are_unwanted() -> bool {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    unwanted || std::env::var_os("TERM").is_some_and(|name| name == "dumb")
}

fn terminal_columns(terminal: bool) -> u32 {
    const DEFAULT: u32 = 80;
    const MOST: u32 = 100;
    if !terminal {
        return DEFAULT;
    }
    let (_, columns) = console::Term::stdout().size();
    u32::from(columns).clamp(2, MOST)
}

fn columns(text: &str) -> Result<u32, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (2..=MOST_COLUMNS).contains(number));
    number.ok_or_else(|| format!("must be a whole number from 2 to {MOST_COLUMNS}"))
}

fn colors(
    view: &TopView,
    map: &Heightmap,
    columns: u32,
    progress: &Progress,
) -> Result<String, Failure> {
    let picture = view.draw(map, &progress.span(0.6, 1.0))?;
    let size = (picture.width(), picture.height());
    let tiles = Tiles::new(size, columns, 1.0);
    let mut text = String::new();
    for row in (0..tiles.rows).step_by(2) {
        for column in 0..tiles.columns {
            let [r, g, b] = mean(&picture, tiles.tile(column, row));
            text += &format!("\x1b[38;2;{r};{g};{b}m");
            if row + 1 < tiles.rows {
                let [r, g, b] = mean(&picture, tiles.tile(column, row + 1));
                text += &format!("\x1b[48;2;{r};{g};{b}m");
            }
            text.push('▀');
        }
        text += "\x1b[0m\n";
    }
    Ok(text)
}

fn letters(map: &Heightmap, sea_level: f32, columns: u32) -> String {
    let size = (map.width() as u32, map.height() as u32);
    let tiles = Tiles::new(size, columns, 2.0);
    let mut text = String::new();
    for row in 0..tiles.rows {
        for column in 0..tiles.columns {
            let ((x, to_x), (y, to_y)) = tiles.tile(column, row);
            let cells = (y..to_y).flat_map(|y| &map.row(y as usize)[x as usize..to_x as usize]);
            let number = f64::from(to_x - x) * f64::from(to_y - y);
            let height = (cells.map(|&z| f64::from(z)).sum::<f64>() / number) as f32;
            text.push(letter(height, sea_level));
        }
        text.push('\n');
    }
    text
}

fn letter(height: f32, sea_level: f32) -> char {
    if !is_land(height, sea_level) {
        return '~';
    }
    let sea_level = sea_level.max(0.0);
    let part = (height - sea_level) / (1.0 - sea_level).max(f32::MIN_POSITIVE);
    let place = (part * RAMP.len() as f32) as usize;
    char::from(RAMP[place.min(RAMP.len() - 1)])
}

/// An image divided into tiles of equal size, up to whole pixels.
struct Tiles {
    size: (u32, u32),
    columns: u32,
    rows: u32,
}

impl Tiles {
    /// Creates `columns` columns, but no more than there are pixels, of tiles that are `aspect` times as high as wide.
    fn new((width, height): (u32, u32), columns: u32, aspect: f64) -> Self {
        let columns = columns.min(width);
        let rows = f64::from(columns) * f64::from(height) / f64::from(width) / aspect;
        Self {
            size: (width, height),
            columns,
            rows: (rows.round() as u32).clamp(1, height),
        }
    }

    /// Returns the pixels of a tile, start and end along x and y. There is at least one.
    fn tile(&self, column: u32, row: u32) -> ((u32, u32), (u32, u32)) {
        let part = |index: u32, count: u32, pixels: u32| {
            let at = |index: u32| (u64::from(index) * u64::from(pixels) / u64::from(count)) as u32;
            (at(index), at(index + 1))
        };
        (
            part(column, self.columns, self.size.0),
            part(row, self.rows, self.size.1),
        )
    }
}

fn mean(picture: &RgbImage, ((x, to_x), (y, to_y)): ((u32, u32), (u32, u32))) -> [u8; 3] {
    let mut sums = [0_u64; 3];
    for y in y..to_y {
        for x in x..to_x {
            for (sum, part) in sums.iter_mut().zip(picture.pixel(x, y)) {
                *sum += u64::from(part);
            }
        }
    }
    let pixels = u64::from(to_x - x) * u64::from(to_y - y);
    sums.map(|sum| (sum / pixels) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_contain_every_pixel_once() {
        for (size, columns) in [
            ((512, 512), 80),
            ((7, 5), 80),
            ((100, 3), 33),
            ((2, 900), 2),
        ] {
            for aspect in [1.0, 2.0] {
                let tiles = Tiles::new(size, columns, aspect);
                let mut seen = vec![0; size.0 as usize * size.1 as usize];
                for row in 0..tiles.rows {
                    for column in 0..tiles.columns {
                        let ((x, to_x), (y, to_y)) = tiles.tile(column, row);
                        assert!(x < to_x && y < to_y);
                        for y in y..to_y {
                            for x in x..to_x {
                                seen[(y * size.0 + x) as usize] += 1;
                            }
                        }
                    }
                }
                assert!(seen.iter().all(|&times| times == 1), "{size:?} {columns}");
            }
        }
    }

    #[test]
    fn letters_get_denser() {
        let heights = [0.0, 0.3, 0.31, 0.6, 0.99, 1.0, 7.0];
        let letters: String = heights.map(|z| letter(z, 0.3)).iter().collect();
        assert_eq!(letters, "~~.=@@@");
        assert_eq!(letter(1.0, 1.0), '~');
    }
}
