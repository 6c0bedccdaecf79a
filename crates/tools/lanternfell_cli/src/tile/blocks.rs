//! Blocks of eroded land that several tiles are blended from, kept in the folder while they are needed.
//!
//! ```text
//! world/blocks/block_y0000_x0003.r32     its heights, as a tile's are kept in r32
//! ```
//!
//! Whoever needs a block that is not there makes it, with the same bits whoever it is; so it may be
//! made twice by two processes, be lost, or be left half done by one that was killed, and nothing is
//! wrong. When all tiles that need it stand, it is removed.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use lanternfell_files::AtomicFile;
use lanternfell_heightmap::{BlockPosition, BlockStore, Heightmap, Tiles, Window};

/// Where the blocks of a folder of tiles are kept.
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

    /// Whether a block is kept.
    pub(super) fn holds(&self, block: BlockPosition, window: Window) -> bool {
        let length = 4 * window.size().cells() as u64;
        let about = self.path(block).metadata();
        about.is_ok_and(|about| about.is_file() && about.len() == length)
    }

    /// Removes the blocks around a tile that no tile needs any more. What can not be removed stays: it
    /// harms nobody.
    pub(super) fn sweep(&self, tiles: &Tiles<'_>, tile: Window, needed: impl Fn(Window) -> bool) {
        for block in tiles.blocks_of(tile) {
            if !needed(tiles.block_window(block)) {
                let _ = std::fs::remove_file(self.path(block));
            }
        }
    }

    /// Removes the folder, if nothing is kept in it.
    pub(super) fn close(&self) {
        let _ = std::fs::remove_dir(&self.folder);
    }
}

impl BlockStore for FolderBlocks {
    fn get(&self, block: BlockPosition, window: Window) -> Option<Heightmap> {
        if !self.holds(block, window) {
            return None;
        }
        let bytes = std::fs::read(self.path(block)).ok()?;
        let (heights, rest) = bytes.as_chunks::<4>();
        let heights = heights.iter().map(|&bytes| f32::from_le_bytes(bytes));
        let map = Heightmap::from_heights(window.size(), heights.collect()).ok();
        map.filter(|_| rest.is_empty())
    }

    /// If the disk is full, or whatever else is wrong, the tile itself will say so.
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
