//! What rules ask of a land that neither its surface nor its cover tells: its biomes, and steps of its recipe. Made in the
//! background before anything grows, and only what is asked for.

use std::collections::{BTreeMap, BTreeSet};

use bevy::{log::debug, math::Vec2};
use lanternfell_terrain::{
    TerrainSurface,
    heightmap::{Heightmap, Progress, climate::BiomeMap, layers::biomes_of},
    pause,
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
