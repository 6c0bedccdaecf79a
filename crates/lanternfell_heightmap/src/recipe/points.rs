//! The heights of single cells of a recipe's map, without the map.
//!
//! Problem: a program asks how high the land is where it puts a house, a road or a player, in a
//! world that it has no map of.
//!
//! Idea: a cell is a very small [tile](super::tiles). Cells near each other share one: the map is
//! cut into squares, and the cells that are asked for in one square are read from the smallest
//! window that holds them.
//!
//! ```text
//!   +--------+--------+
//!   |  +--+  |        |     five cells in three squares: three windows, of which
//!   |  |**|  |   +-+  |     the smallest has two cells a side
//!   |  |* |  |   |*|  |
//!   |  +--+  |   +-+  |
//!   +--------+--------+
//! ```
//!
//! Cost: that of a tile for each square in which there is a cell: its window and the rim that
//! filters need, and for fault lines and hills their draws too. So cells side by side cost less than
//! as many strewn far and wide. Many of a square's cells cost no more than the square.

use std::collections::BTreeMap;

use super::{MemoryBlocks, Recipe, TileError, TilePrepass};
use crate::{Heightmap, MapSize, Progress, Window};

/// The side of the squares, in cells.
const SQUARE: usize = 32;

impl Recipe {
    /// The height of the cell in column `x` of row `y`: to the last bit that of a
    /// [`tile`](Self::tile), and without erosion of [`generate`](Self::generate)'s map.
    ///
    /// # Errors
    /// As [`heights_at`](Self::heights_at).
    pub fn height_at(
        &self,
        prepass: &TilePrepass,
        (x, y): (usize, usize),
        progress: &Progress,
    ) -> Result<f32, TileError> {
        let heights = self.heights_at(prepass, &[(x, y)], progress)?;
        Ok(heights[0])
    }

    /// The heights of these cells, each a column and a row, in the order in which they are given:
    /// to the last bit those of a [`tile`](Self::tile), and without erosion of
    /// [`generate`](Self::generate)'s map.
    ///
    /// The [prepass](Self::prepass) costs nothing but for recipes with fault lines, hills, erosion or a
    /// filter that needs the range of the map, as [`Filter::Normalize`](crate::Filter::Normalize)
    /// does, whose whole map it looks at; it is needed once, and can be kept. With erosion cells cost
    /// some seconds, and those far from each other some more.
    ///
    /// ```
    /// use lanternfell_heightmap::{FractalNoise, MapSize, Progress, Recipe};
    ///
    /// let recipe = Recipe::new(MapSize::new(16_384, 16_384)?, 7, FractalNoise::default());
    /// let prepass = recipe.prepass(&Progress::default())?;
    /// let cells = [(12_000, 345), (12_001, 345), (6, 16_383)];
    /// let heights = recipe.heights_at(&prepass, &cells, &Progress::default())?;
    /// assert_eq!(heights.len(), 3);
    /// assert_eq!(heights[2], recipe.height_at(&prepass, cells[2], &Progress::default())?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When a step needs the whole map ([`TileError::Whole`] names it), as a fluid does;
    /// when a cell lies outside of the map; when the prepass is of another recipe or damaged; or
    /// when the work was cancelled.
    pub fn heights_at(
        &self,
        prepass: &TilePrepass,
        cells: &[(usize, usize)],
        progress: &Progress,
    ) -> Result<Vec<f32>, TileError> {
        self.plan_tiles()?;
        let inside = |&(x, y): &(usize, usize)| x < self.size.width() && y < self.size.height();
        if !cells.iter().all(inside) {
            return Err(TileError::Outside);
        }
        let mut squares = BTreeMap::<_, Vec<usize>>::new();
        for (place, (x, y)) in cells.iter().enumerate() {
            let square = (y / SQUARE, x / SQUARE);
            squares.entry(square).or_default().push(place);
        }
        let tiles = self.tiles(prepass, &progress.span(0.0, 0.1))?;
        let (blocks, progress) = (MemoryBlocks::default(), progress.span(0.1, 1.0));
        let mut heights = vec![0.0; cells.len()];
        for (done, places) in squares.values().enumerate() {
            let window = around(places.iter().map(|&place| cells[place]), self.size);
            let tile = tiles.tile(window, &blocks, &progress.part(done, squares.len()))?;
            for &place in places {
                heights[place] = height(&tile, window, cells[place]);
            }
        }
        progress.step(1, 1)?;
        Ok(heights)
    }
}

/// The smallest window that holds the cells, of which there is one at least.
fn around(cells: impl Iterator<Item = (usize, usize)> + Clone, world: MapSize) -> Window {
    let (left, width) = span(cells.clone().map(|cell| cell.0), world.width());
    let (top, height) = span(cells.map(|cell| cell.1), world.height());
    let size = MapSize::new(width as u64, height as u64).ok();
    let window = size.and_then(|size| Window::new(left, top, size, world));
    window.expect("two cells or more on each side, all of them in the world")
}

/// The first of these places and how many there are to the last: at least two, as a map has.
fn span(places: impl Iterator<Item = usize>, length: usize) -> (usize, usize) {
    let (first, last) = places.fold((usize::MAX, 0), |(first, last), place| {
        (first.min(place), last.max(place))
    });
    let first = first.min(length - 2);
    (first, (last + 1 - first).max(2))
}

fn height(tile: &Heightmap, window: Window, (x, y): (usize, usize)) -> f32 {
    tile.get(x - window.x(), y - window.y())
}
