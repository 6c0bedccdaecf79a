//! Biomes and recipe steps for the rules, which the surface and the cover do not provide. They are computed in the
//! background before plants grow, and only if a rule needs them.

use std::collections::{BTreeMap, BTreeSet};

use bevy::{log::debug, math::Vec2};
use lanternfell_tasks::pause;
use lanternfell_terrain::{
    TerrainSurface,
    heightmap::{Heightmap, Progress, climate::BiomeMap},
    surface::layers::biomes_of,
};

use crate::{planting::Planting, vegetation::DensityMap};

/// What the rules need.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Asked {
    biomes: bool,
    steps: BTreeSet<String>,
}

/// The computed data.
#[derive(Debug, Default)]
pub(crate) struct Measures {
    asked: Asked,
    biomes: Option<BiomeMap>,
    /// Cells per biome.
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
    /// Computes what is needed, with the sea level as a map height. Runs in a background task.
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
            // Fails only when canceled.
            measures.biomes = biomes_of(ground.unedited_map(), sea_level, progress).ok();
            measures.areas = measures
                .biomes
                .as_ref()
                .map_or_else(Vec::new, BiomeMap::areas);
        }
        for name in &asked.steps {
            pause().await;
            match ground.step(name, progress).await {
                Ok(step) => measures.steps.extend(step.map(|step| (name.clone(), step))),
                // A missing step is reported later, together with the rule that needs it.
                Err(error) => debug!("step {name:?} failed: {error}"),
            }
        }
        measures
    }

    /// Whether these are the measures for `asked`.
    pub(crate) fn are(&self, asked: &Asked) -> bool {
        self.asked == *asked
    }

    /// The biome at a relative position on the terrain.
    pub(crate) fn biome(&self, share: Vec2) -> Option<u8> {
        Some(self.biomes.as_ref()?.at(share.as_dvec2()))
    }

    /// Whether any of the biomes occurs on the terrain.
    pub(crate) fn has_any(&self, biomes: &[(u8, f32)]) -> bool {
        let mut there = biomes.iter().map(|(biome, _)| usize::from(*biome));
        there.any(|biome| self.areas.get(biome).is_some_and(|&cells| cells > 0))
    }

    /// The output of a recipe step.
    pub(crate) fn step(&self, name: &str) -> Option<&Heightmap> {
        self.steps.get(name)
    }
}

/// The value of the nearest cell at a relative position, clamped to 0 to 1.
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
    fn flat_terrain_has_one_biome() {
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
    fn samples_nearest_cell_and_clamps() {
        let size = MapSize::new(2, 3).unwrap();
        let map = Heightmap::from_fn(size, |x, y| (x + 2 * y) as f32 * 0.5 - 0.5).unwrap();
        let at = |x, y| share_at(&map, Vec2::new(x, y));
        assert_eq!([at(0.0, 0.0), at(1.0, 0.0), at(0.2, 0.5)], [0.0, 0.0, 0.5]);
        assert_eq!([at(0.8, 0.6), at(-3.0, 9.0), at(2.0, 1.0)], [1.0, 1.0, 1.0]);
    }
}
