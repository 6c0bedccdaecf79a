//! Validates a [`Vegetation`] and resolves its names against the layers and biomes of a terrain.

use bevy::prelude::*;
use lanternfell_plants::scatter::{Scatter, ScatterError, ScatterRule};
use lanternfell_random::Fnv1a;
use lanternfell_terrain::heightmap::climate::BiomeTable;
use thiserror::Error;

use crate::{
    level::is_seen_from_afar,
    model::Models,
    plan::{CELL, PlotKind, SMALL_CELL},
    species::Species,
    vegetation::{DensityMap, Plant, PlantLook, Vegetation},
};

/// Validated rules with the looks and species that belong to them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Planting {
    pub(crate) looks: Vec<PlantLook>,
    /// The species of each rule. `None` for custom entities, and for models that are not loaded yet.
    pub(crate) species: Vec<Option<Species>>,
    /// The density map of each rule.
    pub(crate) densities: Vec<Option<DensityMap>>,
    /// Whether each plant grows only where edits have not changed the height.
    pub(crate) unedited_only: Vec<bool>,
    /// Names of plants that are skipped because the terrain has none of their layers.
    pub(crate) strangers: Vec<String>,
    /// The rules up to the last one with a far level.
    far: Scatter,
    /// The rules up to the last one with custom entities.
    own: Scatter,
    /// All rules.
    all: Scatter,
    /// All rules, with small cells. The cell size does not change where plants stand.
    small: Scatter,
}

/// Why a [`Vegetation`] is invalid.
#[derive(Debug, Clone, PartialEq, Error)]
pub(crate) enum PlantingError {
    #[error(transparent)]
    Scatter(#[from] ScatterError),
    #[error("rule {rule:?}: unknown biome {name:?}; known biomes: {known}")]
    UnknownBiome {
        rule: String,
        name: String,
        known: String,
    },
}

impl Planting {
    /// Validates a vegetation for a terrain. `layer` maps layer names to their numbers.
    ///
    /// # Errors
    /// Returns the first invalid value of a rule, or an unknown biome.
    pub(crate) fn new(
        vegetation: &Vegetation,
        models: &Models,
        layer: &impl Fn(&str) -> Option<u8>,
    ) -> Result<Self, PlantingError> {
        let (mut looks, mut densities, mut species) = (Vec::new(), Vec::new(), Vec::new());
        let (mut rules, mut strangers, mut unedited_only) = (Vec::new(), Vec::new(), Vec::new());
        for plant in &vegetation.plants {
            let grown = plant.look.species(models);
            let rule = plant.rule_on(grown.as_ref(), layer)?;
            if rule.layers.is_empty() && !plant.layers.is_empty() {
                strangers.push(rule.name);
                continue;
            }
            looks.push(plant.look.clone());
            species.push(grown);
            densities.push(plant.density.clone());
            unedited_only.push(plant.unedited_only);
            rules.push(rule);
        }
        assign_salts(&mut rules);
        // Later rules keep away from earlier ones, never the reverse. So rules after the last one of interest can be
        // dropped, but all earlier ones are needed.
        let up_to = |last: Option<usize>| rules[..last.map_or(0, |last| last + 1)].to_vec();
        let is_far = |species: &Option<Species>| {
            let species = species.as_ref();
            species.is_some_and(|species| is_seen_from_afar(species.far_level()))
        };
        let far = up_to(species.iter().rposition(is_far));
        let is_own = |look: &PlantLook| matches!(look, PlantLook::Custom { .. });
        let own = up_to(looks.iter().rposition(is_own));
        Ok(Self {
            far: Scatter::new(far, vegetation.seed, CELL)?,
            own: Scatter::new(own, vegetation.seed, CELL)?,
            all: Scatter::new(rules.clone(), vegetation.seed, CELL)?,
            small: Scatter::new(rules, vegetation.seed, SMALL_CELL)?,
            looks,
            species,
            densities,
            unedited_only,
            strangers,
        })
    }

    /// The scatter for a kind of plot.
    pub(crate) fn scatter(&self, plot: PlotKind) -> &Scatter {
        match plot {
            PlotKind::Far | PlotKind::Middle | PlotKind::Near => &self.far,
            PlotKind::Herbs => &self.all,
            PlotKind::NearHerbs => &self.small,
        }
    }

    /// The scatter for custom entities. Its rules have the same indices as all rules.
    pub(crate) fn scatter_own(&self) -> &Scatter {
        &self.own
    }

    /// How far outside a cell plants depend on the ground, in meters.
    pub(crate) fn reach(&self) -> f64 {
        self.all.reach().max(self.own.reach())
    }

    /// All rules.
    pub(crate) fn rules(&self) -> &[ScatterRule] {
        self.all.rules()
    }

    /// The species that are drawn, with their rules.
    pub(crate) fn grown(&self) -> impl Iterator<Item = (&Species, &ScatterRule)> {
        let species = self.species.iter().zip(self.rules());
        species.filter_map(|(species, rule)| Some((species.as_ref()?, rule)))
    }

    /// Whether a model of this planting was added, replaced or removed.
    pub(crate) fn lacks_any_of(&self, models: &Models) -> bool {
        let mut looks = self.looks.iter().zip(&self.species);
        looks.any(|(look, species)| look.species(models) != *species)
    }
}

impl Plant {
    /// Returns the rule with layer and biome numbers. Unknown layers are dropped.
    fn rule_on(
        &self,
        species: Option<&Species>,
        layer: &impl Fn(&str) -> Option<u8>,
    ) -> Result<ScatterRule, PlantingError> {
        let usual = match &self.look {
            PlantLook::Grown(kind) => kind.name(),
            PlantLook::Model(_) | PlantLook::Custom { .. } => "",
        };
        let variants = match species {
            Some(species) => vec![1.0; species.variants()],
            None => self.rule.variants.clone(),
        };
        let name = match self.rule.name.as_str() {
            "" => usual,
            name => name,
        };
        let layers = self.layers.iter();
        let biome = |(biome, share): &(String, f32)| Ok((biome_number(name, biome)?, *share));
        Ok(ScatterRule {
            name: name.to_owned(),
            layers: layers
                .filter_map(|(name, share)| Some((layer(name)?, *share)))
                .collect(),
            biomes: self
                .biomes
                .iter()
                .map(biome)
                .collect::<Result<_, PlantingError>>()?,
            variants,
            ..self.rule.clone()
        })
    }
}

/// The number of a biome in the default table.
fn biome_number(rule: &str, name: &str) -> Result<u8, PlantingError> {
    let table = BiomeTable::default().biomes;
    let found = table.iter().position(|biome| biome.name == name);
    let number = found.and_then(|number| u8::try_from(number).ok());
    number.ok_or_else(|| PlantingError::UnknownBiome {
        rule: rule.to_owned(),
        name: name.to_owned(),
        known: Vec::from_iter(table.into_iter().map(|biome| biome.name)).join(", "),
    })
}

impl PlantLook {
    /// `None` for custom entities, and for models that are not loaded yet.
    fn species(&self, models: &Models) -> Option<Species> {
        match self {
            Self::Grown(kind) => Some(Species::Kind(*kind)),
            Self::Model(model) => Some(Species::Model(models.get(model)?.clone())),
            Self::Custom { .. } => None,
        }
    }
}

/// Gives rules with the same name different salts. Otherwise they would generate the same positions, and plants would
/// overlap.
fn assign_salts(rules: &mut [ScatterRule]) {
    for index in 1..rules.len() {
        let (before, rule) = (&rules[..index], &rules[index]);
        let is_known = |other: &ScatterRule| other.name == rule.name && other.salt.is_none();
        let count = before.iter().filter(|other| is_known(other)).count();
        if rule.salt.is_none() && count > 0 {
            rules[index].salt = Some(Fnv1a::of_bytes(rules[index].name.bytes()) ^ count as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use lanternfell_plants::grow::PlantKind;
    use lanternfell_terrain::TerrainLayers;

    use super::*;

    fn planting(
        vegetation: &Vegetation,
        layers: &TerrainLayers,
    ) -> Result<Planting, PlantingError> {
        Planting::new(vegetation, &Models::default(), &|name| layers.index(name))
    }

    #[test]
    fn preset_plants_match_preset_layers() {
        for vegetation in [
            Vegetation::default(),
            Vegetation::alpine(),
            Vegetation::tropical(),
        ] {
            let planted = planting(&vegetation, &TerrainLayers::default()).unwrap();
            assert_eq!(planted.looks.len(), vegetation.plants.len());
            for plant in &vegetation.plants {
                for (name, _) in &plant.layers {
                    assert!(TerrainLayers::default().index(name).is_some(), "{name}");
                }
            }
            // The `far` scatter contains no undergrowth.
            let [far, all] = [&planted.far, &planted.all].map(|scatter| scatter.rules().len());
            assert!(far > 3 && far < all, "{far} of {all}");
        }
        let desert = Vegetation::desert();
        let layers = TerrainLayers::desert(&lanternfell_terrain::LayerZones::default());
        let planted = planting(&desert, &layers).unwrap();
        assert_eq!(planted.strangers, Vec::<String>::new());
    }

    #[test]
    fn palms_and_pines_grow_in_different_presets() {
        let grows = |vegetation: Vegetation, kind| {
            let mut looks = vegetation.plants.iter().map(|plant| plant.look.clone());
            looks.any(|look| look == PlantLook::Grown(kind))
        };
        for (vegetation, palms) in [
            (Vegetation::alpine(), false),
            (Vegetation::tropical(), true),
        ] {
            assert_eq!(grows(vegetation.clone(), PlantKind::Palm), palms);
            for kind in [PlantKind::Pine, PlantKind::Birch, PlantKind::Dead] {
                assert_eq!(grows(vegetation.clone(), kind), !palms, "{kind:?}");
            }
            assert!(grows(vegetation.clone(), PlantKind::Bush));
            assert!(grows(vegetation, PlantKind::Boulder));
        }
    }

    #[test]
    fn plants_without_known_layers_are_skipped() {
        let pine = Plant::new(PlantKind::Pine, ScatterRule::default());
        let vegetation = Vegetation {
            plants: vec![
                pine.clone().on_layers(&[("lava", 1.0)]),
                pine.clone().on_layers(&[("lava", 1.0), ("sand", 0.5)]),
                pine,
            ],
            ..Vegetation::default()
        };
        let layers = TerrainLayers::default();
        let planted = planting(&vegetation, &layers).unwrap();
        assert_eq!(planted.strangers, ["pine"]);
        let rules = planted.rules();
        assert_eq!(rules.len(), 2);
        assert_eq!(rules[0].layers, [(layers.index("sand").unwrap(), 0.5)]);
        assert_eq!(rules[1].layers, []);
        assert_eq!(rules[1].name, "pine");
        // The two rules have different positions.
        assert_ne!(rules[0].salt, rules[1].salt);
    }

    #[test]
    fn rejects_excessive_density() {
        let rule = ScatterRule {
            spacing: 0.001,
            ..ScatterRule::default()
        };
        let vegetation = Vegetation {
            plants: vec![Plant::new(PlantKind::Fern, rule)],
            ..Vegetation::default()
        };
        let error = planting(&vegetation, &TerrainLayers::default()).unwrap_err();
        let error = error.to_string();
        assert!(
            error.contains("fern") && error.contains("spacing"),
            "{error}"
        );
    }

    #[test]
    fn biomes_resolve_by_name_and_unknown_ones_fail() {
        let in_biome = |name: &str| {
            let fern = Plant::new(PlantKind::Fern, ScatterRule::default());
            let vegetation = Vegetation {
                plants: vec![fern.in_biomes(&[(name, 0.5)])],
                ..Vegetation::default()
            };
            planting(&vegetation, &TerrainLayers::default())
        };
        let taiga = BiomeTable::default().biomes[2].name.clone();
        assert_eq!(in_biome(&taiga).unwrap().rules()[0].biomes, [(2, 0.5)]);
        let error = in_biome("jungle").unwrap_err().to_string();
        for name in ["fern", "jungle", "taiga"] {
            assert!(error.contains(name), "{error}");
        }
    }
}
