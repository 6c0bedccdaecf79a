//! A world as a folder of tiles: its description, its tiles, and parts of it put together.
//!
//! Problem: a world of up to 65,536 cells a side is larger than any memory. Whoever shows it needs a
//! part now and another one later, from a disk, an archive or a network.
//!
//! Idea: the program `lanternfell tile` writes a folder of tiles, and beside them what they are:
//!
//! ```text
//!  world/tiles.ron              a TileManifest: recipe, size and format of the tiles, prepass
//!  world/tile_y0000_x0000.r32   a tile, read by the manifest's TileLayout
//!  world/tile_y0000_x0001.r32   ...
//!
//!    window        tiles that touch it         TileMosaic
//!                  +-----+-----+-----+
//!    +-------+     |   +-|-----|-+   |         +-------+
//!    |       |     |   | |     | |   |   --->  |       |
//!    |       |     +-----+-----+-----+         |       |
//!    +-------+     |   +-|-----|-+   |         +-------+
//!                  +-----+-----+-----+
//! ```
//!
//! 1. [`TileManifest::from_ron`] reads `tiles.ron`.
//! 2. [`TileGrid::touching`] tells which tiles a part of the world needs, and
//!    [`TileLayout::file_name`] what their files are called.
//! 3. [`TileLayout::read`] makes heights of the bytes of each, whatever its format.
//! 4. [`TileMosaic::add`] copies them, in any order, to where they belong.
//!
//! Cost: the memory of the part and of one tile, and time for the tiles that touch it; the size of the
//! world does not matter. Nothing here is trusted, and no files are opened: what is read comes as text
//! and bytes.
//!
//! ```
//! use std::collections::BTreeMap;
//! use lanternfell_heightmap::{FractalNoise, MapSize, MemoryBlocks, Progress, Recipe, Window};
//! use lanternfell_io::{
//!     RawFormat,
//!     tiles::{TileLayout, TileManifest, TileMosaic},
//!     write_raw,
//! };
//!
//! let progress = Progress::default();
//! // As `lanternfell tile` makes it: tiles.ron, then the tiles.
//! let world = MapSize::of_world(300, 200)?;
//! let recipe = Recipe::new(world, 7, FractalNoise::default());
//! let raw = RawFormat::R32;
//! let layout = TileLayout::new(recipe, MapSize::new(64, 64)?, 0, "r32", Some(raw))?;
//! let manifest = TileManifest::new(layout, &progress)?;
//! let text = manifest.to_ron();
//! let layout = manifest.layout();
//! let tiles = layout.recipe().tiles(manifest.prepass(), &progress)?;
//! let mut folder = BTreeMap::new();
//! for tile in layout.grid().tiles() {
//!     let heights = tiles.tile(tile.window, &MemoryBlocks::default(), &progress)?;
//!     let mut bytes = Vec::new();
//!     write_raw(&heights, raw, &mut bytes)?;
//!     folder.insert(layout.file_name(tile.position), bytes);
//! }
//!
//! // A part of it.
//! let manifest = TileManifest::from_ron(&text)?;
//! let layout = manifest.layout();
//! let window = Window::new(100, 50, MapSize::new(90, 80)?, layout.size()).expect("in the world");
//! let mut mosaic = TileMosaic::new(window)?;
//! for tile in layout.grid().touching(window) {
//!     let bytes = &folder[&layout.file_name(tile.position)];
//!     mosaic.add(tile.window, &layout.read(tile, bytes)?)?;
//! }
//! let part = mosaic.finish()?;
//! let whole = layout.recipe().generate(&progress)?;
//! assert_eq!(part, whole.cropped((100, 50), window.size())?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod grid;
mod layout;
mod manifest;
mod mosaic;

pub use grid::{GridTile, TileGrid, TileGridError, TilePosition};
pub use layout::{TileFileError, TileLayout, TileLayoutError};
pub use manifest::{TileManifest, TileManifestError};
pub use mosaic::{MosaicError, TileMosaic};
