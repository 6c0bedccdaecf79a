//! Ground that was made once, kept on disk.
//!
//! A plane is kept in blocks of [`SIDE`] cells a side, which are the same whatever window they are needed for: each
//! a file of the folder, checked when it is read. What is missing or damaged is made anew.

use std::path::PathBuf;

use bevy::{log::warn, math::I64Vec2, prelude::*};
use lanternfell_files::{BlockCache, BlockCacheOptions};
use lanternfell_heightmap::{Heightmap, MapSize, Plane, Progress, TileError};

use super::{area::CellArea, land::of_plane};

/// On an [`EndlessTerrain`](super::EndlessTerrain) of a recipe: ground that was made is kept in a folder, and read
/// from there when it is needed again, also by another run of the program. It is worth it where the recipe is
/// slow: simple noise is made about as fast as it is read.
///
/// What is damaged, or of another recipe or release, is not used. Several terrains and programs may share a folder.
/// Give it before the first ground is made; where there are no files (in a browser) it does nothing.
#[derive(Component, Reflect, Debug, Default, Clone, PartialEq, Eq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct TerrainCache {
    /// The folder; it is made if it is not there.
    pub folder: PathBuf,
    /// The bytes that its files may have together: what was not used for longest goes first. 0, the default,
    /// keeps nothing.
    pub max_bytes: u64,
}

/// Cells along the side of a block: 256 KiB each.
const SIDE: i64 = 256;

/// The version of what is in the blocks.
const VERSION: u64 = 1;

/// An open folder.
pub(super) struct Cache(BlockCache);

impl Cache {
    /// Opens the folder for blocks of this plane; without it goes on when that can not be.
    pub(super) fn open(settings: &TerrainCache, plane: &Plane) -> Option<Self> {
        if settings.max_bytes == 0 || cfg!(target_arch = "wasm32") {
            return None;
        }
        let options = BlockCacheOptions {
            owner: plane.fingerprint().wrapping_add(VERSION),
            max_bytes: settings.max_bytes,
        };
        match BlockCache::open(&settings.folder, options) {
            Ok(cache) => Some(Self(cache)),
            Err(error) => {
                let folder = settings.folder.display();
                warn!("ground is not kept in `{folder}`: {error}");
                None
            }
        }
    }

    /// The heights of an area, from the blocks that it touches.
    pub(super) fn heights(
        &self,
        plane: &Plane,
        area: &CellArea,
        progress: &Progress,
    ) -> Result<Heightmap, TileError> {
        let size = area.size().ok_or(TileError::Outside)?;
        let mut heights = vec![0.0; size.cells()];
        let (first, last) = (area.min.div_euclid(SIDES), area.max.div_euclid(SIDES));
        let rows = last.y - first.y + 1;
        for row in first.y..=last.y {
            let progress = progress.part((row - first.y) as usize, rows as usize);
            for column in first.x..=last.x {
                let key = I64Vec2::new(column, row);
                let block = CellArea {
                    min: key * SIDE,
                    max: (key + 1) * SIDE - 1,
                };
                let map = self.block(plane, key, &block, &progress)?;
                if let Some(shared) = area.common(&block) {
                    block.copy(&map, &mut heights, area, &shared);
                }
            }
        }
        progress.step(1, 1)?;
        let map = Heightmap::from_heights(size, heights);
        Ok(map.expect("as many heights as cells, and a plane's are finite"))
    }

    fn block(
        &self,
        plane: &Plane,
        key: I64Vec2,
        block: &CellArea,
        progress: &Progress,
    ) -> Result<Heightmap, TileError> {
        let kept = self.0.get(key.to_array());
        if let Some(map) = kept.and_then(|bytes| decode(&bytes)) {
            progress.check()?;
            return Ok(map);
        }
        let map = of_plane(plane, block, progress)?;
        // A full disk is no reason to be without ground.
        if let Err(error) = self.0.put(key.to_array(), &encode(&map)) {
            warn_once!("ground can not be kept: {error}");
        }
        Ok(map)
    }
}

const SIDES: I64Vec2 = I64Vec2::splat(SIDE);

fn encode(map: &Heightmap) -> Vec<u8> {
    map.heights().iter().flat_map(|z| z.to_le_bytes()).collect()
}

fn decode(bytes: &[u8]) -> Option<Heightmap> {
    let (numbers, []) = bytes.as_chunks::<4>() else {
        return None;
    };
    let heights = numbers.iter().map(|number| f32::from_le_bytes(*number));
    let size = MapSize::new(SIDE as u64, SIDE as u64).ok()?;
    Heightmap::from_heights(size, heights.collect()).ok()
}

#[cfg(test)]
mod tests {
    use lanternfell_heightmap::{FractalNoise, Recipe};

    use super::*;

    #[test]
    fn what_is_kept_has_the_bits_of_the_plane() {
        let folder = tempfile::tempdir().unwrap();
        let settings = TerrainCache {
            folder: folder.path().to_owned(),
            max_bytes: 1 << 24,
        };
        let progress = Progress::default();
        let plane = |seed| {
            let recipe = Recipe::new(MapSize::default(), seed, FractalNoise::default());
            recipe.plane().unwrap()
        };
        let area = CellArea {
            min: I64Vec2::new(-300, 200),
            max: I64Vec2::new(130, 555),
        };
        let first = plane(1);
        let expected = of_plane(&first, &area, &progress).unwrap();
        let made = |plane: &Plane| {
            let cache = Cache::open(&settings, plane).unwrap();
            cache.heights(plane, &area, &progress).unwrap()
        };
        let files = || std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(made(&first), expected);
        assert_eq!(files(), 9);
        assert_eq!(made(&first), expected, "from the disk");
        assert_eq!(files(), 9);
        let other = plane(2);
        assert_eq!(made(&other), of_plane(&other, &area, &progress).unwrap());
        assert_eq!(files(), 18, "each recipe has blocks of its own");
        // Every file is damaged: all of it is made again.
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let path = file.unwrap().path();
            let mut bytes = std::fs::read(&path).unwrap();
            bytes[100] ^= 1;
            std::fs::write(&path, bytes).unwrap();
        }
        assert_eq!(made(&first), expected, "damaged");
    }

    #[test]
    fn without_a_folder_it_goes_on() {
        let recipe = Recipe::new(MapSize::default(), 1, FractalNoise::default());
        let plane = recipe.plane().unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        for (folder, max_bytes) in [(file.path().to_owned(), 1 << 20), (PathBuf::new(), 0)] {
            let settings = TerrainCache { folder, max_bytes };
            assert!(Cache::open(&settings, &plane).is_none());
        }
    }
}
