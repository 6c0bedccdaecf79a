//! Generates the map of a terrain and the data derived from it.

#[cfg(any(test, all(target_arch = "wasm32", feature = "web-worker")))]
mod order;

use lanternfell_heightmap::{Heightmap, Progress};
use lanternfell_surface::{HeightPyramid, detail::DetailTree, heightfield_columns};

use super::input::GroundInput;
use crate::{background::Work, cells::CellArea, error::Unmade, map::TerrainMap};

/// The map takes the progress up to `MAP_SHARE`, the pyramid for ray casts up to `RAYS_SHARE`, and the detail tree the
/// rest.
const MAP_SHARE: f32 = 0.76;
const RAYS_SHARE: f32 = 0.8;

/// The work of generating a terrain.
pub(crate) struct GroundWork {
    pub(crate) input: GroundInput,
    /// The existing map, if it has the same heights as `input`.
    pub(crate) known: Option<TerrainMap>,
    /// Whether the terrain will be rendered.
    pub(crate) is_drawn: bool,
    /// Maps with at most this many cells get a heightfield.
    pub(crate) most_in_heightfield: usize,
}

/// The result of the work.
pub(crate) struct GroundMade {
    pub(crate) map: TerrainMap,
    /// Speeds up ray casts.
    pub(crate) pyramid: HeightPyramid,
    /// Chooses the first set of patches. `None` without a renderer.
    pub(crate) tree: Option<DetailTree>,
    /// The heights of the heightfield collider, if one was requested.
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
    /// The existing map with the frame of the input, or `None` if the map has to be generated.
    pub(super) fn given(&self) -> Option<TerrainMap> {
        let known = self.known.as_ref()?;
        Some(match &self.input {
            GroundInput::Recipe { recipe, .. } => known.with_frame(recipe.frame()),
            GroundInput::Map { .. } => known.clone(),
        })
    }
}

/// Computes the errors of all levels of detail.
fn measure(map: &TerrainMap, progress: &Progress) -> Result<DetailTree, Unmade> {
    let tree = DetailTree::new(map.heights(), progress)?;
    Ok(match map.holes() {
        None => tree,
        Some(holes) => tree
            .with_holes(holes)
            .expect("the size of the holes is checked before generation"),
    })
}

/// The heights of an area's heightfield, column by column.
pub(crate) fn bent_heights(map: &Heightmap, cells: &CellArea) -> Vec<f32> {
    let [first, last] = [cells.min, cells.max].map(|cell| cell.as_usizevec2().into());
    heightfield_columns(map, first, last)
}
