//! Eroded blocks from which several tiles are blended. They are kept in the folder while tiles need them.
//!
//! ```text
//! world/blocks/block_y0000_x0003.r32     its heights, stored like an r32 tile
//! ```
//!
//! A process that needs a missing block makes it, with the same bits as any other process. A block may therefore be
//! made twice, be lost, or be left incomplete by a killed process without harm. It is removed when all tiles that need
//! it are complete.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use lanternfell_files::AtomicFile;
use lanternfell_heightmap::{BlockPosition, BlockStore, Heightmap, MapRegion, Tiles};

/// Stores the blocks of a folder of tiles.
pub(super) struct FolderBlocks {
    folder: PathBuf,
}

impl FolderBlocks {
    pub(super) fn new(tiles: &Path) -> Self {
        Self {
            folder: tiles.join("blocks"),
        }
    }

    fn path(&self, BlockPosition { column, row }: BlockPosition) -> PathBuf {
        self.folder
            .join(format!("block_y{row:04}_x{column:04}.r32"))
    }

    /// Returns whether a complete block is stored.
    pub(super) fn holds(&self, block: BlockPosition, region: MapRegion) -> bool {
        let length = 4 * region.size().cells() as u64;
        let about = self.path(block).metadata();
        about.is_ok_and(|about| about.is_file() && about.len() == length)
    }

    /// Removes the blocks around a tile that no tile needs any more. Errors are ignored, because remaining blocks do no
    /// harm.
    pub(super) fn sweep(
        &self,
        tiles: &Tiles<'_>,
        tile: MapRegion,
        needed: impl Fn(MapRegion) -> bool,
    ) {
        for block in tiles.blocks_of(tile) {
            if !needed(tiles.block_region(block)) {
                let _ = std::fs::remove_file(self.path(block));
            }
        }
    }

    /// Removes the folder if it is empty.
    pub(super) fn close(&self) {
        let _ = std::fs::remove_dir(&self.folder);
    }
}

impl BlockStore for FolderBlocks {
    fn get(&self, block: BlockPosition, region: MapRegion) -> Option<Heightmap> {
        if !self.holds(block, region) {
            return None;
        }
        let bytes = std::fs::read(self.path(block)).ok()?;
        let (heights, rest) = bytes.as_chunks::<4>();
        let heights = heights.iter().map(|&bytes| f32::from_le_bytes(bytes));
        let map = Heightmap::from_heights(region.size(), heights.collect()).ok();
        map.filter(|_| rest.is_empty())
    }

    /// Ignores errors: if the disk is full, writing the tile itself will fail.
    fn put(&self, block: BlockPosition, map: &Heightmap) {
        let heights = map.heights().iter();
        let bytes: Vec<u8> = heights.flat_map(|height| height.to_le_bytes()).collect();
        let written = std::fs::create_dir_all(&self.folder)
            .and_then(|()| AtomicFile::prepare(&self.path(block)))
            .and_then(|draft| {
                draft.file().write_all(&bytes)?;
                draft.finish()
            });
        drop(written);
    }
}
