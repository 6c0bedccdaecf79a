//! Where the heights of tiles come from: a recipe, or heightmap files. Both give the heights of one region at a time.

use lanternfell_heightmap::{
    Heightmap, HoleMask, MapFrame, MapRegion, MapSize, Progress, Tiles, stretched_sea_level,
};

use super::{blocks::FolderBlocks, map_file::MapFile};
use crate::{edits, failure::Failure, land::Measures};

/// The source of the heights.
pub(super) enum TileSource<'a> {
    Recipe {
        tiles: Box<Tiles<'a>>,
        blocks: FolderBlocks,
        /// The height of the sea's surface.
        sea_level: f32,
    },
    File(&'a MapFile),
}

impl TileSource<'_> {
    /// Returns the heights of a region of the map.
    pub(super) fn region(
        &self,
        region: MapRegion,
        progress: &Progress,
    ) -> Result<Heightmap, Failure> {
        match self {
            Self::Recipe { tiles, blocks, .. } => Ok(tiles.tile(region, blocks, progress)?),
            Self::File(file) => {
                progress.check()?;
                file.region(region)
            }
        }
    }

    /// Returns the holes of a region of the map.
    pub(super) fn holes(&self, region: MapRegion) -> Option<HoleMask> {
        match self {
            Self::Recipe { .. } => None,
            Self::File(file) => {
                let holes = file.holes.as_ref();
                holes.map(|holes| edits::cropped(holes, region))
            }
        }
    }

    /// Returns the blocks that tiles are blended from.
    pub(super) fn blocks(&self) -> Option<(&Tiles<'_>, &FolderBlocks)> {
        match self {
            Self::Recipe { tiles, blocks, .. } if tiles.has_blocks() => Some((tiles, blocks)),
            Self::Recipe { .. } | Self::File(_) => None,
        }
    }

    /// Returns the range of heights that is drawn in colors.
    pub(super) fn shown_range(&self) -> (f32, f32) {
        match self {
            Self::File(file) if !matches!(file.range, (0.0.., ..=1.0)) => file.range,
            Self::File(_) | Self::Recipe { .. } => (0.0, 1.0),
        }
    }

    /// Returns the properties of the map that a texture depends on.
    pub(super) fn measures(&self, frame: MapFrame, size: MapSize) -> Measures {
        let sea_level = match self {
            Self::Recipe { sea_level, .. } => *sea_level,
            Self::File(file) => file.sea_level(),
        };
        Measures {
            sea_level,
            frame,
            size,
            span: 1.0,
        }
    }
}

/// Returns the properties after heights in this range were stretched to 0 to 1.
pub(super) fn stretched(measures: Measures, range: (f32, f32)) -> Measures {
    let (low, high) = range;
    if range == (0.0, 1.0) {
        return measures;
    }
    let elevation = measures.frame.elevation.stretched(range);
    Measures {
        sea_level: stretched_sea_level(measures.sea_level, range),
        frame: MapFrame {
            elevation,
            ..measures.frame
        },
        span: measures.span * (f64::from(high) - f64::from(low)),
        ..measures
    }
}
