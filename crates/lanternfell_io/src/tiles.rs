//! A world as a folder of tiles: its manifest, its tiles, and regions assembled from them.
//!
//! Problem: a world of up to 65,536 cells a side does not fit into memory. A program that shows it needs one region now
//! and another one later, from a disk, an archive or a network.
//!
//! Idea: `lanternfell tile` writes a folder of tiles and a manifest that describes them:
//!
//! ```text
//!  world/tiles.ron              a TileManifest: recipe, size and format of the tiles, prepass
//!  world/tile_y0000_x0000.r32   a tile, read by the manifest's TileLayout
//!  world/tile_y0000_x0001.r32   ...
//!
//!    region        tiles that touch it         TileMosaic
//!                  +-----+-----+-----+
//!    +-------+     |   +-|-----|-+   |         +-------+
//!    |       |     |   | |     | |   |   --->  |       |
//!    |       |     +-----+-----+-----+         |       |
//!    +-------+     |   +-|-----|-+   |         +-------+
//!                  +-----+-----+-----+
//! ```
//!
//! 1. [`TileManifest::from_ron`] reads `tiles.ron`.
//! 2. [`TileGrid::touching`] returns the tiles that a region of the world needs, and [`TileLayout::file_name`] returns
//!    their file names.
//! 3. [`TileLayout::read`] converts the bytes of a tile to heights, for any format.
//! 4. [`TileMosaic::add`] copies the tiles, in any order, to their positions in the region.
//!
//! Cost: memory for the region and one tile, and time for the tiles that touch the region. The size of the world does
//! not matter.
//!
//! The module opens no files: its input is text and bytes, and it checks all of it.
//!
//! ```
//! use std::collections::BTreeMap;
//! use lanternfell_heightmap::{FractalNoise, MapSize, MemoryBlocks, Progress, Recipe, MapRegion};
//! use lanternfell_io::{
//!     RawFormat,
//!     tiles::{TileLayout, TileManifest, TileMosaic},
//!     write_raw,
//! };
//!
//! let progress = Progress::default();
//! // What `lanternfell tile` writes: tiles.ron, then the tiles.
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
//!     let heights = tiles.tile(tile.region, &MemoryBlocks::default(), &progress)?;
//!     let mut bytes = Vec::new();
//!     write_raw(&heights, raw, &mut bytes)?;
//!     folder.insert(layout.file_name(tile.position), bytes);
//! }
//!
//! // Assemble a region.
//! let manifest = TileManifest::from_ron(&text)?;
//! let layout = manifest.layout();
//! let region = MapRegion::new(100, 50, MapSize::new(90, 80)?, layout.size()).expect("in the world");
//! let mut mosaic = TileMosaic::new(region)?;
//! for tile in layout.grid().touching(region) {
//!     let bytes = &folder[&layout.file_name(tile.position)];
//!     mosaic.add(tile.region, &layout.read(tile, bytes)?)?;
//! }
//! let part = mosaic.finish()?;
//! let whole = layout.recipe().generate(&progress)?;
//! assert_eq!(part, whole.cropped((100, 50), region.size())?);
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
