//! The heights of single cells of a recipe's map, without generating the map.
//!
//! Problem: a program needs the height of the terrain where it places a house, a road or a player, but the world is too
//! large to be generated.
//!
//! Idea: a cell is a very small [tile](super::tiles). Nearby cells share a tile: the map is divided into squares, and
//! all requested cells of a square are read from the smallest region that contains them.
//!
//! ```text
//!   +--------+--------+
//!   |  +--+  |        |     four cells in two squares need two regions;
//!   |  |**|  |   +-+  |     the smallest region has two cells per side
//!   |  |* |  |   |*|  |
//!   |  +--+  |   +-+  |
//!   +--------+--------+
//! ```
//!
//! Cost: one tile per square that contains a requested cell. That is the region and the margin for its filters; for
//! fault lines and hills also their random draws. So cells that are close together cost less than cells that are far
//! apart, and many cells of a square cost no more than the whole square.

use std::collections::BTreeMap;

use super::{MemoryBlocks, Recipe, TileError, TilePrepass};
use crate::{Heightmap, MapRegion, MapSize, Progress};

/// The side of the squares, in cells.
const SQUARE: usize = 32;

impl Recipe {
    /// The height of the cell in column `x` and row `y`.
    ///
    /// It has the bits of a [`tile`](Self::tile), and without erosion also those of the map of
    /// [`generate`](Self::generate).
    ///
    /// # Errors
    /// As for [`heights_at`](Self::heights_at).
    pub fn height_at(
        &self,
        prepass: &TilePrepass,
        (x, y): (usize, usize),
        progress: &Progress,
    ) -> Result<f32, TileError> {
        let heights = self.heights_at(prepass, &[(x, y)], progress)?;
        Ok(heights[0])
    }

    /// The heights of these cells, each given as column and row, in the given order.
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
    /// The heights have the bits of a [`tile`](Self::tile), and without erosion also those of the map of
    /// [`generate`](Self::generate).
    ///
    /// You can keep the [prepass](Self::prepass) for later calls. It costs nothing for most recipes. For recipes with
    /// fault lines, hills, erosion or a filter that needs the range of the map, such as
    /// [`Filter::Normalize`](crate::Filter::Normalize), the prepass computes the whole map once. With erosion, a call
    /// takes some seconds, and more if the cells are far apart.
    ///
    /// # Errors
    /// If a step needs the whole map, as a fluid does ([`TileError::Whole`] names the step). If a cell is outside the
    /// map. If the prepass belongs to another recipe or is damaged. If the work is canceled.
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
            let region = around(places.iter().map(|&place| cells[place]), self.size);
            let tile = tiles.tile(region, &blocks, &progress.part(done, squares.len()))?;
            for &place in places {
                heights[place] = height(&tile, region, cells[place]);
            }
        }
        progress.step(1, 1)?;
        Ok(heights)
    }
}

/// The smallest region that contains the cells, of which there is at least one.
fn around(cells: impl Iterator<Item = (usize, usize)> + Clone, world: MapSize) -> MapRegion {
    let (left, width) = span(cells.clone().map(|cell| cell.0), world.width());
    let (top, height) = span(cells.map(|cell| cell.1), world.height());
    let size = MapSize::new(width as u64, height as u64).ok();
    let region = size.and_then(|size| MapRegion::new(left, top, size, world));
    region.expect("the region has at least two cells per side and is in the world")
}

/// The first of these positions, and the number of positions up to the last one: at least two, the minimum size of a
/// map.
fn span(places: impl Iterator<Item = usize>, length: usize) -> (usize, usize) {
    let (first, last) = places.fold((usize::MAX, 0), |(first, last), place| {
        (first.min(place), last.max(place))
    });
    let first = first.min(length - 2);
    (first, (last + 1 - first).max(2))
}

fn height(tile: &Heightmap, region: MapRegion, (x, y): (usize, usize)) -> f32 {
    tile.get(x - region.x(), y - region.y())
}
