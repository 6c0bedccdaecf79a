//! The map of a terrain, and all that is measured of it.

#[cfg(any(test, all(target_arch = "wasm32", feature = "web-worker")))]
mod order;

use lanternfell_heightmap::{Heightmap, Progress};
use lanternfell_surface::{HeightPyramid, detail::DetailTree, heightfield_columns};

use super::input::GroundInput;
use crate::{background::Work, cells::CellArea, error::Unmade, map::TerrainMap};

/// The part of the progress that the map takes, and the end of that which rays take; what is drawn takes the rest.
const MAP_SHARE: f32 = 0.76;
const RAYS_SHARE: f32 = 0.8;

/// What a terrain's ground is to be made of.
pub(crate) struct GroundWork {
    pub(crate) input: GroundInput,
    /// The map, where it is there already: that of an input that shares its heights with this one.
    pub(crate) known: Option<TerrainMap>,
    /// Whether it will be drawn.
    pub(crate) is_drawn: bool,
    /// Maps of up to so many cells have a heightfield.
    pub(crate) most_in_heightfield: usize,
}

/// What was made.
pub(crate) struct GroundMade {
    pub(crate) map: TerrainMap,
    /// What makes rays fast.
    pub(crate) pyramid: HeightPyramid,
    /// What the first cut of the land is chosen by; none where nobody draws.
    pub(crate) tree: Option<DetailTree>,
    /// The heights of the heightfield, if there is to be one.
    pub(crate) bent: Option<Vec<f32>>,
}

impl Work for GroundWork {
    type Made = GroundMade;

    fn make(&self, progress: &Progress) -> Result<GroundMade, Unmade> {
        let map = match self.given() {
            Some(map) => map,
            None => self.input.make(&progress.span(0.0, MAP_SHARE))?,
        };
        let heights = map.heights();
        let pyramid = HeightPyramid::of(heights, &progress.span(MAP_SHARE, RAYS_SHARE))?;
        let tree = match self.is_drawn {
            true => Some(measure(&map, &progress.span(RAYS_SHARE, 1.0))?),
            false => None,
        };
        let bent = (map.size().cells() <= self.most_in_heightfield)
            .then(|| bent_heights(heights, &CellArea::of_map(map.size())));
        Ok(GroundMade {
            map,
            pyramid,
            tree,
            bent,
        })
    }
}

impl GroundWork {
    /// The map, if it need not be made.
    pub(super) fn given(&self) -> Option<TerrainMap> {
        let known = self.known.as_ref()?;
        Some(match &self.input {
            GroundInput::Recipe { recipe, .. } => known.with_frame(recipe.frame()),
            GroundInput::Map { .. } => known.clone(),
        })
    }
}

/// What the drawn land's cuts are chosen by.
fn measure(map: &TerrainMap, progress: &Progress) -> Result<DetailTree, Unmade> {
    let tree = DetailTree::new(map.heights(), progress)?;
    Ok(match map.holes() {
        None => tree,
        Some(holes) => tree
            .with_holes(holes)
            .expect("holes are checked before ground is made"),
    })
}

/// Those that a heightfield has of an area, column by column.
pub(crate) fn bent_heights(map: &Heightmap, cells: &CellArea) -> Vec<f32> {
    let [first, last] = [cells.min, cells.max].map(|cell| cell.as_usizevec2().into());
    heightfield_columns(map, first, last)
}
