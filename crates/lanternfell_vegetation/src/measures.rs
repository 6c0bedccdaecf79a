//! What rules ask of a land that neither its surface nor its cover tells: its biomes, and steps of its recipe. Made in the
//! background before anything grows, and only what is asked for.

use std::collections::{BTreeMap, BTreeSet};

use bevy::{log::debug, math::Vec2};
use lanternfell_tasks::pause;
use lanternfell_terrain::{
    TerrainSurface,
    heightmap::{Heightmap, Progress, climate::BiomeMap},
    surface::layers::biomes_of,
};

use crate::{planting::Planting, vegetation::DensityMap};

/// What is asked for.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Asked {
    biomes: bool,
    steps: BTreeSet<String>,
}

/// What there is of it.
#[derive(Debug, Default)]
pub(crate) struct Measures {
    asked: Asked,
    biomes: Option<BiomeMap>,
    /// How many cells each biome has.
    areas: Vec<u64>,
    steps: BTreeMap<String, Heightmap>,
}

impl Asked {
    pub(crate) fn by(planting: &Planting) -> Self {
        let step = |density: &Option<DensityMap>| match density {
            Some(DensityMap::Step(name)) => Some(name.clone()),
            _ => None,
        };
        Self {
            biomes: planting.rules().iter().any(|rule| !rule.biomes.is_empty()),
            steps: planting.densities.iter().filter_map(step).collect(),
        }
    }

    pub(crate) fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

impl Measures {
    /// Of a land in a sea that stands at that height of its map. In a background task.
    pub(crate) async fn of(
        ground: &TerrainSurface,
        sea_level: f32,
        asked: &Asked,
        progress: &Progress,
    ) -> Self {
        let mut measures = Self {
            asked: asked.clone(),
            ..Self::default()
        };
        if asked.biomes {
            pause().await;
            // Only who cancels it gets none.
            measures.biomes = biomes_of(ground.map(), sea_level, progress).ok();
            measures.areas = measures
                .biomes
                .as_ref()
                .map_or_else(Vec::new, BiomeMap::areas);
        }
        for name in &asked.steps {
            pause().await;
            match ground.step(name, progress).await {
                Ok(step) => measures.steps.extend(step.map(|step| (name.clone(), step))),
                // Then it is not there, which is told with what asks for it.
                Err(error) => debug!("the step {name:?} was not made: {error}"),
            }
        }
        measures
    }

    /// Whether they are all that is asked for.
    pub(crate) fn are(&self, asked: &Asked) -> bool {
        self.asked == *asked
    }

    /// The biome at a share of the land along both axes.
    pub(crate) fn biome(&self, share: Vec2) -> Option<u8> {
        Some(self.biomes.as_ref()?.at(share.as_dvec2()))
    }

    /// Whether any of these biomes is anywhere.
    pub(crate) fn has_any(&self, biomes: &[(u8, f32)]) -> bool {
        let mut there = biomes.iter().map(|(biome, _)| usize::from(*biome));
        there.any(|biome| self.areas.get(biome).is_some_and(|&cells| cells > 0))
    }

    /// The map of a step.
    pub(crate) fn step(&self, name: &str) -> Option<&Heightmap> {
        self.steps.get(name)
    }
}

/// What a map says at a share of the land along both axes, from 0 to 1.
pub(crate) fn share_at(map: &Heightmap, share: Vec2) -> f32 {
    let last = Vec2::new((map.width() - 1) as f32, (map.height() - 1) as f32);
    let cell = (share.clamp(Vec2::ZERO, Vec2::ONE) * last + 0.5).as_uvec2();
    map.get(cell.x as usize, cell.y as usize).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use lanternfell_terrain::heightmap::MapSize;

    use super::*;

    #[test]
    fn flat_land_has_one_biome_and_no_other() {
        let size = MapSize::new(9, 9).unwrap();
        let map = Heightmap::from_fn(size, |_, _| 0.4).unwrap();
        let biomes = biomes_of(&map, 0.2, &Progress::default()).unwrap();
        let measures = Measures {
            areas: biomes.areas(),
            biomes: Some(biomes),
            ..Measures::default()
        };
        let biome = measures.biome(Vec2::splat(0.5)).unwrap();
        assert!(measures.has_any(&[(biome ^ 1, 1.0), (biome, 1.0)]));
        assert!(!measures.has_any(&[(biome ^ 1, 1.0)]));
        assert!(!Measures::default().has_any(&[(biome, 1.0)]));
        assert_eq!(Measures::default().biome(Vec2::ZERO), None);
    }

    #[test]
    fn a_map_is_asked_at_its_nearest_cell_between_nothing_and_all() {
        let size = MapSize::new(2, 3).unwrap();
        let map = Heightmap::from_fn(size, |x, y| (x + 2 * y) as f32 * 0.5 - 0.5).unwrap();
        let at = |x, y| share_at(&map, Vec2::new(x, y));
        assert_eq!([at(0.0, 0.0), at(1.0, 0.0), at(0.2, 0.5)], [0.0, 0.0, 0.5]);
        assert_eq!([at(0.8, 0.6), at(-3.0, 9.0), at(2.0, 1.0)], [1.0, 1.0, 1.0]);
    }
}
