//! What grows on a terrain: the component that asks.

use bevy::prelude::*;
use lanternfell_plants::{
    grow::PlantKind,
    scatter::{Exclusion, Scatter, ScatterError, ScatterRule},
};
use lanternfell_random::Fnv1a;
use lanternfell_terrain::{KeepsCover, TerrainLayers};

use crate::plan::{CELL, PlotKind, SMALL_CELL};

/// On a [`Terrain`](lanternfell_terrain::Terrain)'s entity: what stands on its ground. A change shows as soon as it is
/// worked out in the background; so does other ground.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::prelude::*;
/// use lanternfell_vegetation::prelude::*;
///
/// fn spawn(mut commands: Commands) {
///     commands.spawn((Terrain::default(), Vegetation::default()));
/// }
/// # bevy::ecs::system::assert_is_system(spawn);
/// ```
///
/// Beside an [`EndlessTerrain`](lanternfell_terrain::EndlessTerrain) it is for all of it: what stands at a place of the
/// plane stands there whenever one comes back, and land that comes into sight comes with its plants.
///
/// Where nobody draws, on a server say, nothing is grown or merged; trunks and stones that bodies meet, and what is the
/// game's own, stand where they stand for those who see them.
///
/// By default the plants of [`Vegetation::temperate`], which know the layers of
/// [`TerrainLayers::temperate`](lanternfell_terrain::TerrainLayers::temperate).
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[require(KeepsCover)]
pub struct Vegetation {
    /// What grows, the most important first, which are the large ones: what comes later keeps away from their trunks.
    pub plants: Vec<Plant>,
    /// Another seed, another forest by the same rules.
    pub seed: u64,
    /// Where nothing stands, in metres of the terrain's own frame: x to the east, z to the south. Of an endless one in
    /// metres from cell (0, 0) of its plane.
    pub exclusions: Vec<Exclusion>,
    /// How far around the cameras anything is drawn, in metres; 2000 by default, and 4096 at most.
    pub distance: f32,
    /// How far away a level of detail gives way to the next, times the usual; 1 by default. A half takes about a
    /// quarter of the memory and of the triangles.
    pub detail: f32,
}

impl Default for Vegetation {
    fn default() -> Self {
        Self::temperate()
    }
}

/// One kind of plant or stone, and where it stands.
#[derive(Reflect, Debug, Clone, PartialEq)]
#[reflect(Debug, Clone, PartialEq)]
pub struct Plant {
    /// What it looks like.
    pub look: PlantLook,
    /// On which of the terrain's layers it stands, by their names, and how likely on each, from 0 to 1; none: on all.
    pub layers: Vec<(String, f32)>,
    /// All else: how densely, on what slopes and heights, how large. Its own
    /// [`layers`](ScatterRule::layers) are not looked at, and its [`variants`](ScatterRule::variants) only where the
    /// look is the game's own.
    pub rule: ScatterRule,
}

/// What stands where a rule says.
#[derive(Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Debug, Clone, PartialEq)]
pub enum PlantLook {
    /// A plant or stone, grown from seeds.
    Grown(PlantKind),
    /// What the game gives it: each is an entity with a [`ScatteredPlant`](crate::ScatteredPlant).
    Own {
        /// It is there where a camera is that near, in metres; where nobody draws, a
        /// [`TerrainViewer`](lanternfell_terrain::TerrainViewer).
        distance: f32,
    },
}

impl Plant {
    /// A kind by a rule, which is called as the kind is if it has no name.
    pub fn new(kind: PlantKind, mut rule: ScatterRule) -> Self {
        if rule.name.is_empty() {
            kind.name().clone_into(&mut rule.name);
        }
        Self {
            look: PlantLook::Grown(kind),
            layers: Vec::new(),
            rule,
        }
    }

    /// The game's own thing by a rule: huts, ruins, chests, trees of an artist. Where a camera is nearer than so many
    /// metres each is an entity, a child of the terrain with a place, a turn and a scale; an observer gives it its
    /// look. They keep away from the trunks of all that comes before them in [`Vegetation::plants`], and what comes
    /// later from theirs.
    ///
    /// ```
    /// use bevy::prelude::*;
    /// use lanternfell_vegetation::prelude::*;
    ///
    /// fn rule() -> Plant {
    ///     let rule = ScatterRule { spacing: 40.0, clearance: 6.0, ..Default::default() };
    ///     Plant::own("hut", 300.0, rule).on(&[("meadow", 0.5)])
    /// }
    ///
    /// fn build(
    ///     added: On<Add, ScatteredPlant>,
    ///     scattered: Query<&ScatteredPlant>,
    ///     assets: Res<AssetServer>,
    ///     mut commands: Commands,
    /// ) {
    ///     if scattered.get(added.entity).is_ok_and(|plant| plant.name == "hut") {
    ///         // Or a `WorldAssetRoot`, a collider, children.
    ///         commands.entity(added.entity).insert(Mesh3d(assets.load("hut.glb#Mesh0/Primitive0")));
    ///     }
    /// }
    /// # App::new().add_observer(build);
    /// # assert_eq!(rule().rule.name, "hut");
    /// ```
    pub fn own(name: &str, distance: f32, rule: ScatterRule) -> Self {
        Self {
            look: PlantLook::Own { distance },
            layers: Vec::new(),
            rule: ScatterRule {
                name: name.to_owned(),
                ..rule
            },
        }
    }

    /// The same on these layers alone.
    pub fn on(mut self, layers: &[(&str, f32)]) -> Self {
        let named = layers.iter().map(|&(name, share)| (name.to_owned(), share));
        self.layers = named.collect();
        self
    }

    /// The rule for these layers; `None` if it has layers and the terrain none of them.
    fn rule_on(&self, layers: &TerrainLayers) -> Option<ScatterRule> {
        let (usual, variants) = match self.look {
            PlantLook::Grown(kind) => (kind.name(), vec![1.0; crate::library::VARIANTS]),
            PlantLook::Own { .. } => ("", self.rule.variants.clone()),
        };
        let name = match self.rule.name.as_str() {
            "" => usual,
            name => name,
        };
        let indices: Vec<(u8, f32)> = self
            .layers
            .iter()
            .filter_map(|(name, share)| Some((layers.index(name)?, *share)))
            .collect();
        if indices.is_empty() && !self.layers.is_empty() {
            return None;
        }
        Some(ScatterRule {
            name: name.to_owned(),
            layers: indices,
            variants,
            ..self.rule.clone()
        })
    }
}

impl PlantLook {
    fn is_seen_from_afar(&self) -> bool {
        matches!(self, Self::Grown(kind) if crate::level::is_seen_from_afar(*kind))
    }
}

/// Rules that were checked, and what each of them grows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Planting {
    pub(crate) looks: Vec<PlantLook>,
    /// Those before and with the last that is seen from afar.
    far: Scatter,
    /// Those before and with the last that is the game's own.
    own: Scatter,
    /// All of them.
    all: Scatter,
    /// The same in small cells: what stands does not hang on cells.
    small: Scatter,
}

impl Planting {
    /// # Errors
    /// The first number of a rule that can not be.
    pub(crate) fn new(
        vegetation: &Vegetation,
        layers: &TerrainLayers,
    ) -> Result<Self, ScatterError> {
        let plants = vegetation.plants.iter();
        let (looks, mut rules): (Vec<_>, Vec<_>) = plants
            .filter_map(|plant| Some((plant.look, plant.rule_on(layers)?)))
            .unzip();
        tell_apart(&mut rules);
        let up_to_last = |is_meant: fn(&PlantLook) -> bool| {
            let last = looks.iter().rposition(is_meant);
            rules[..last.map_or(0, |last| last + 1)].to_vec()
        };
        let far = up_to_last(PlantLook::is_seen_from_afar);
        let own = up_to_last(|look| matches!(look, PlantLook::Own { .. }));
        Ok(Self {
            far: Scatter::new(far, vegetation.seed, CELL)?,
            own: Scatter::new(own, vegetation.seed, CELL)?,
            all: Scatter::new(rules.clone(), vegetation.seed, CELL)?,
            small: Scatter::new(rules, vegetation.seed, SMALL_CELL)?,
            looks,
        })
    }

    /// What scatters those kinds of plots.
    pub(crate) fn scatter(&self, plot: PlotKind) -> &Scatter {
        match plot {
            PlotKind::Far | PlotKind::Middle | PlotKind::Near => &self.far,
            PlotKind::Herbs => &self.all,
            PlotKind::NearHerbs => &self.small,
        }
    }

    /// What scatters the game's own, by the numbers of all.
    pub(crate) fn scatter_own(&self) -> &Scatter {
        &self.own
    }

    /// The kinds that are grown, and their rules.
    pub(crate) fn grown(&self) -> impl Iterator<Item = (PlantKind, &ScatterRule)> {
        let looks = self.looks.iter().zip(self.all.rules());
        looks.filter_map(|(look, rule)| match look {
            PlantLook::Grown(kind) => Some((*kind, rule)),
            PlantLook::Own { .. } => None,
        })
    }
}

/// Rules of one name would have the same places, and one plant stand in another: from the second on they have
/// numbers of their own.
fn tell_apart(rules: &mut [ScatterRule]) {
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
    use super::*;

    #[test]
    fn the_plants_that_come_along_can_stand_on_the_layers_that_come_along() {
        for vegetation in [
            Vegetation::default(),
            Vegetation::alpine(),
            Vegetation::tropical(),
        ] {
            let planting = Planting::new(&vegetation, &TerrainLayers::default()).unwrap();
            assert_eq!(planting.looks.len(), vegetation.plants.len());
            for plant in &vegetation.plants {
                for (name, _) in &plant.layers {
                    assert!(TerrainLayers::default().index(name).is_some(), "{name}");
                }
            }
            // Undergrowth is not looked for on the whole island.
            let [far, all] = [&planting.far, &planting.all].map(|scatter| scatter.rules().len());
            assert!(far > 3 && far < all, "{far} of {all}");
        }
        let desert = Vegetation::desert();
        let layers = TerrainLayers::desert(&lanternfell_terrain::LayerZones::default());
        let planted = Planting::new(&desert, &layers).unwrap();
        // Stones are those of all lands, and some lie on layers that a desert does not have.
        assert!(planted.looks.len() + 1 >= desert.plants.len());
    }

    #[test]
    fn palms_and_pines_stand_in_lands_of_their_own() {
        let grows = |vegetation: Vegetation, kind| {
            let mut looks = vegetation.plants.iter().map(|plant| plant.look);
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
    fn who_has_none_of_the_layers_stands_nowhere() {
        let pine = Plant::new(PlantKind::Pine, ScatterRule::default());
        let vegetation = Vegetation {
            plants: vec![
                pine.clone().on(&[("lava", 1.0)]),
                pine.clone().on(&[("lava", 1.0), ("sand", 0.5)]),
                pine,
            ],
            ..Vegetation::default()
        };
        let layers = TerrainLayers::default();
        let planting = Planting::new(&vegetation, &layers).unwrap();
        let rules = planting.all.rules();
        assert_eq!(rules.len(), 2);
        assert_eq!(rules[0].layers, [(layers.index("sand").unwrap(), 0.5)]);
        assert_eq!(rules[1].layers, []);
        assert_eq!(rules[1].name, "pine");
        // No two in one place.
        assert_ne!(rules[0].salt, rules[1].salt);
    }

    #[test]
    fn a_density_that_is_absurd_is_refused_by_name() {
        let rule = ScatterRule {
            spacing: 0.001,
            ..ScatterRule::default()
        };
        let vegetation = Vegetation {
            plants: vec![Plant::new(PlantKind::Fern, rule)],
            ..Vegetation::default()
        };
        let error = Planting::new(&vegetation, &TerrainLayers::default()).unwrap_err();
        let error = error.to_string();
        assert!(
            error.contains("fern") && error.contains("spacing"),
            "{error}"
        );
    }
}
