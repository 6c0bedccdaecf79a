//! Stores generated terrain on disk.
//!
//! A plane is stored in blocks of [`SIDE`] x [`SIDE`] cells, which do not depend on the regions that use them. Each
//! block is a file, which is verified when it is read. Missing and damaged blocks are generated again. Adjacent blocks
//! are generated together, because filters also need the cells around them.

use std::{collections::BTreeMap, path::PathBuf, sync::OnceLock};

use bevy::{log::warn, math::I64Vec2, prelude::*};
use lanternfell_files::{BlockCache, BlockCacheOptions};
use lanternfell_heightmap::{Heightmap, MapSize, Plane, Progress, TileError};

use crate::cells::CellArea;

/// A disk cache for an [`EndlessTerrain`](super::EndlessTerrain) with a recipe as its source.
///
/// Insert it on the same entity before the first terrain is generated. Generated terrain is stored in the folder, and
/// read from there when it is needed again, also by later runs of the program. This pays off for slow recipes: simple
/// noise is generated about as fast as it is read.
///
/// Several terrains and programs can share a folder. Damaged files, and files of other recipes or versions, are not
/// used. The cache has no effect in a browser, where there are no files.
#[derive(Component, Reflect, Debug, Default, Clone, PartialEq, Eq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct TerrainCache {
    /// The folder. It is created if it does not exist.
    pub folder: PathBuf,
    /// The maximum total size of the files in bytes. The least recently used ones are deleted first. Default: 0, which
    /// disables the cache.
    pub max_bytes: u64,
}

/// Cells along the side of a block, which has 256 KiB.
const SIDE: i64 = 256;

/// The version of the contents of blocks.
const VERSION: u64 = 1;

/// The cache of one terrain. The folder is opened on first use, because this takes time.
pub(super) struct Cache {
    settings: TerrainCache,
    folder: OnceLock<Option<BlockCache>>,
}

impl Cache {
    /// Creates a cache for the blocks of a plane. `None` if the settings disable it.
    pub(super) fn new(settings: &TerrainCache) -> Option<Self> {
        let keeps = settings.max_bytes > 0 && !cfg!(target_arch = "wasm32");
        keeps.then(|| Self {
            settings: settings.clone(),
            folder: OnceLock::new(),
        })
    }

    /// Returns the cache, or `None` if the folder can not be opened.
    fn folder(&self, plane: &Plane) -> Option<&BlockCache> {
        let open = || {
            let options = BlockCacheOptions {
                owner: plane.fingerprint().wrapping_add(VERSION),
                max_bytes: self.settings.max_bytes,
            };
            let opened = BlockCache::open(&self.settings.folder, options);
            let folder = self.settings.folder.display();
            opened
                .inspect_err(|error| warn!("the terrain cache in `{folder}` is disabled: {error}"))
                .ok()
        };
        self.folder.get_or_init(open).as_ref()
    }

    /// Returns the heights of an area, from the blocks that it touches. `plane` must be the same in each call.
    pub(super) fn heights(
        &self,
        plane: &Plane,
        area: &CellArea,
        progress: &Progress,
    ) -> Result<Heightmap, TileError> {
        let Some(folder) = self.folder(plane) else {
            return of_plane_at_once(plane, area, progress);
        };
        let size = area.size().ok_or(TileError::Outside)?;
        let mut heights = vec![0.0; size.cells()];
        let mut take = |block: I64Vec2, map: &Heightmap| {
            let block = area_of(block, block);
            if let Some(shared) = area.common(&block) {
                block.copy(map, &mut heights, area, &shared);
            }
        };
        let mut missing = Vec::new();
        for block in blocks(area) {
            progress.check()?;
            match folder
                .get(block.to_array())
                .and_then(|bytes| decode(&bytes))
            {
                Some(map) => take(block, &map),
                None => missing.push(block),
            }
        }
        let pieces = pieces(&missing);
        for (done, &(first, last)) in pieces.iter().enumerate() {
            let piece = area_of(first, last);
            let progress = progress.part(done, pieces.len());
            let made = of_plane_at_once(plane, &piece, &progress)?;
            for block in blocks(&piece) {
                let map = cut(&made, &piece, block);
                // If a block can not be stored, for example on a full disk, the terrain is generated anyway.
                if let Err(error) = folder.put(block.to_array(), &encode(&map)) {
                    warn_once!("failed to write to the terrain cache: {error}");
                }
                take(block, &map);
            }
        }
        progress.step(1, 1)?;
        let map = Heightmap::from_heights(size, heights);
        Ok(map.expect("there is one finite height per cell"))
    }
}

/// The blocks that an area touches, row by row.
fn blocks(area: &CellArea) -> impl Iterator<Item = I64Vec2> + use<> {
    let (first, last) = (area.min.div_euclid(SIDES), area.max.div_euclid(SIDES));
    (first.y..=last.y).flat_map(move |y| (first.x..=last.x).map(move |x| I64Vec2::new(x, y)))
}

/// The cells of a rectangle of blocks, given by its corners.
fn area_of(first: I64Vec2, last: I64Vec2) -> CellArea {
    CellArea {
        min: first * SIDE,
        max: (last + 1) * SIDE - 1,
    }
}

/// Cuts one block out of a larger piece.
fn cut(made: &Heightmap, piece: &CellArea, block: I64Vec2) -> Heightmap {
    let area = area_of(block, block);
    let size = area.size().expect("a block has the size of a map");
    let mut heights = vec![0.0; size.cells()];
    piece.copy(made, &mut heights, &area, &area);
    Heightmap::from_heights(size, heights).expect("heights of a map are finite")
}

/// The maximum number of blocks along a side of a piece. With the margin that filters need, a piece is still a valid
/// map.
const LONGEST: i64 = 32;

/// Groups blocks, which are sorted row by row, into disjoint rectangles, given by their corners. Each is a run of
/// blocks in a row, extended by runs with the same columns in the rows below.
fn pieces(blocks: &[I64Vec2]) -> Vec<(I64Vec2, I64Vec2)> {
    let mut runs: Vec<(I64Vec2, I64Vec2)> = Vec::new();
    for &block in blocks {
        match runs.last_mut() {
            Some((first, last)) if *last + I64Vec2::X == block && block.x - first.x < LONGEST => {
                *last = block;
            }
            _ => runs.push((block, block)),
        }
    }
    let mut pieces = Vec::new();
    // The last piece in each range of columns, which the next row may extend.
    let mut open: BTreeMap<(i64, i64), (I64Vec2, I64Vec2)> = BTreeMap::new();
    for (first, last) in runs {
        let columns = (first.x, last.x);
        match open.get_mut(&columns) {
            Some((begin, end)) if end.y + 1 == first.y && first.y - begin.y < LONGEST => {
                *end = last;
            }
            _ => pieces.extend(open.insert(columns, (first, last))),
        }
    }
    pieces.extend(open.into_values());
    pieces
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

/// Generates the heights of an area of a plane without the cache.
fn of_plane_at_once(
    plane: &Plane,
    area: &CellArea,
    progress: &Progress,
) -> Result<Heightmap, TileError> {
    let size = area.size().ok_or(TileError::Outside)?;
    plane.part((area.min.x, area.min.y), size, progress)
}

#[cfg(test)]
mod tests {
    use lanternfell_heightmap::{FractalNoise, Recipe};

    use super::*;

    #[test]
    fn cached_blocks_have_the_bits_of_the_plane() {
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
        let expected = of_plane_at_once(&first, &area, &progress).unwrap();
        let made = |plane: &Plane| {
            let cache = Cache::new(&settings).unwrap();
            cache.heights(plane, &area, &progress).unwrap()
        };
        let files = || std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(made(&first), expected);
        assert_eq!(files(), 9);
        assert_eq!(made(&first), expected, "from the disk");
        assert_eq!(files(), 9);
        let other = plane(2);
        assert_eq!(
            made(&other),
            of_plane_at_once(&other, &area, &progress).unwrap()
        );
        assert_eq!(files(), 18, "each recipe has blocks of its own");
        // All files are damaged, so all blocks are generated again.
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let path = file.unwrap().path();
            let mut bytes = std::fs::read(&path).unwrap();
            bytes[100] ^= 1;
            std::fs::write(&path, bytes).unwrap();
        }
        assert_eq!(made(&first), expected, "damaged");
    }

    #[test]
    fn generates_without_a_usable_folder() {
        let recipe = Recipe::new(MapSize::default(), 1, FractalNoise::default());
        let plane = recipe.plane().unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        let settings = TerrainCache {
            folder: file.path().to_owned(),
            max_bytes: 1 << 20,
        };
        let (area, progress) = (area_of(I64Vec2::ZERO, I64Vec2::ONE), Progress::default());
        let made = Cache::new(&settings)
            .unwrap()
            .heights(&plane, &area, &progress);
        assert_eq!(
            made.unwrap(),
            of_plane_at_once(&plane, &area, &progress).unwrap()
        );
        assert!(Cache::new(&TerrainCache::default()).is_none());
    }

    #[test]
    fn pieces_contain_each_block_once() {
        let all: Vec<I64Vec2> =
            blocks(&area_of(I64Vec2::new(-3, -2), I64Vec2::new(4, 5))).collect();
        assert_eq!(all.len(), 64);
        assert_eq!(pieces(&all), [(I64Vec2::new(-3, -2), I64Vec2::new(4, 5))]);
        assert_eq!(pieces(&[]), []);
        // Patterns in which a quarter or half of the blocks are missing.
        for pattern in 0..64_u64 {
            let is_missing = |block: &&I64Vec2| {
                let hash = (block.x * 31 + block.y * 17) as u64 ^ pattern;
                hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 62 < 1 + pattern % 2
            };
            let missing: Vec<I64Vec2> = all.iter().filter(is_missing).copied().collect();
            let pieces = pieces(&missing);
            let mut found: Vec<I64Vec2> = pieces
                .iter()
                .flat_map(|&(first, last)| blocks(&area_of(first, last)))
                .collect();
            found.sort_by_key(|block| (block.y, block.x));
            assert_eq!(found, missing, "{pattern}");
        }
    }
}
