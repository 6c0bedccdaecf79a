//! The [`Vegetation`] component, which lists the plants of a terrain.

use bevy::prelude::*;
use lanternfell_plants::{
    grow::PlantKind,
    scatter::{Exclusion, ScatterRule},
};
use lanternfell_terrain::{NeedsTerrainCover, TerrainFile, TerrainMap};

use crate::{installed::warn_without_plugin, model::PlantModel};

/// The plants on a terrain. Add it to the entity of a [`Terrain`](lanternfell_terrain::Terrain) or an
/// [`EndlessTerrain`](lanternfell_terrain::EndlessTerrain).
///
/// Default: [`Vegetation::temperate`].
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
/// When this component or the terrain changes, the plants are generated again in the background. The old ones stay
/// until then.
///
/// On an endless terrain, each position has the same plants whenever you return to it. New regions appear together with
/// their plants.
///
/// Without a renderer, for example on a server, no meshes are built. Colliders and [`Plant::custom`] entities spawn at
/// the same positions as on clients.
///
/// The default plants expect the layers of [`TerrainLayers::temperate`](lanternfell_terrain::TerrainLayers::temperate).
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[component(on_add = warn_without_plugin)]
#[require(NeedsTerrainCover)]
pub struct Vegetation {
    /// The plants, in order of priority: later plants keep their distance from the trunks of earlier ones. List large
    /// plants first.
    pub plants: Vec<Plant>,
    /// Seed of the scatter. Another seed gives another forest by the same rules. Default: 0.
    pub seed: u64,
    /// Areas without plants, in meters in the terrain's local frame: x east, z south. On an endless terrain, in meters
    /// from cell (0, 0).
    ///
    /// Coordinates are `f64`, because 1000 km from cell (0, 0) `f32` would only be accurate to 6 cm. The crate
    /// [`plants`](lanternfell_plants) also works without Bevy. Convert a point with `point.as_dvec2().to_array()`.
    pub exclusions: Vec<Exclusion>,
    /// The distance from the cameras up to which plants are drawn, in meters, from 0 to 4096. Default: 2000.
    pub distance: f32,
    /// Factor for the distances at which levels of detail change, from 0.1 to 10. Default: 1. Half the value needs
    /// about a quarter of the memory and triangles.
    pub detail: f32,
}

impl Default for Vegetation {
    fn default() -> Self {
        Self::temperate()
    }
}

/// One kind of plant or stone, and the rule that places it.
#[derive(Reflect, Debug, Clone, PartialEq)]
#[reflect(Debug, Clone, PartialEq)]
pub struct Plant {
    /// The meshes of the plant, or your own entities.
    pub look: PlantLook,
    /// The names of the terrain layers on which the plant grows, each with a probability from 0 to 1. If empty, it
    /// grows on all layers.
    pub layers: Vec<(String, f32)>,
    /// The names of the biomes in which the plant grows, each with a probability from 0 to 1. If empty, it grows in all
    /// biomes.
    ///
    /// The names are those of the default [`BiomeTable`](lanternfell_terrain::heightmap::climate::BiomeTable). On an
    /// endless terrain, each region computes its own climate and moisture. The border of a biome can therefore move
    /// when another region is loaded.
    #[reflect(default)]
    pub biomes: Vec<(String, f32)>,
    /// The density map. `None` for the density of the rule everywhere.
    #[reflect(default)]
    pub density: Option<DensityMap>,
    /// Whether the plant grows only where [edits](lanternfell_terrain::TerrainEdits) have not changed the height.
    /// Default: `false`, so that plants are lifted and dropped with the terrain.
    #[reflect(default)]
    pub unedited_only: bool,
    /// The placement of the plant: spacing, density, slopes, heights and sizes.
    ///
    /// Its [`layers`](ScatterRule::layers) and [`biomes`](ScatterRule::biomes) are ignored. Its
    /// [`variants`](ScatterRule::variants) are only used for [`PlantLook::Custom`].
    pub rule: ScatterRule,
}

/// A density map over a terrain, from its north-west to its south-east corner.
///
/// It can have any size. Values are from 0 (no plants) to 1 (the full density of the rule) and are clamped. The nearest
/// cell is used.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_vegetation::prelude::*;
///
/// fn orchard(assets: Res<AssetServer>) -> Plant {
///     let rule = ScatterRule { spacing: 6.0, crown: 2.0, ..Default::default() };
///     // An image that is white where trees grow.
///     let painted = DensityMap::File(assets.load("orchards.png"));
///     Plant::new(PlantKind::Broadleaf, rule).with_density_map(painted)
/// }
/// # bevy::ecs::system::assert_is_system(orchard);
/// ```
#[derive(Reflect, Debug, Clone, PartialEq)]
#[reflect(Debug, Clone, PartialEq)]
pub enum DensityMap {
    /// The output of the recipe step with this name, which may be an image. Also works on endless terrains.
    Step(String),
    /// A map in a file of the `AssetServer`. Until it is loaded, or if loading fails, the plant does not grow.
    ///
    /// It does not grow on endless terrains either, because they have no corners.
    File(Handle<TerrainFile>),
    /// A map in memory, which is not saved with scenes. The plant does not grow on endless terrains.
    Map(TerrainMap),
}

/// What the plugin renders or spawns for each plant.
#[derive(Reflect, Debug, Clone, PartialEq)]
#[reflect(Debug, Clone, PartialEq)]
pub enum PlantLook {
    /// A plant or stone of this crate, generated from seeds.
    Grown(PlantKind),
    /// Your own species, merged into the same meshes as the generated plants.
    Model(Handle<PlantModel>),
    /// Your own entities: the plugin spawns each with a [`PlantInstance`](crate::PlantInstance).
    Custom {
        /// The maximum distance of an entity from a camera, in meters. At most [`Vegetation::distance`]. Without a
        /// renderer, the distance from a [`TerrainViewer`](lanternfell_terrain::TerrainViewer).
        distance: f32,
    },
}

impl Plant {
    /// Creates a generated plant. If the rule has no name, it gets the name of the kind.
    pub fn new(kind: PlantKind, mut rule: ScatterRule) -> Self {
        if rule.name.is_empty() {
            kind.name().clone_into(&mut rule.name);
        }
        Self::looking(PlantLook::Grown(kind), rule)
    }

    /// Creates a plant from your own meshes. See [`PlantModel`].
    pub fn model(name: &str, model: Handle<PlantModel>, rule: ScatterRule) -> Self {
        let name = name.to_owned();
        Self::looking(PlantLook::Model(model), ScatterRule { name, ..rule })
    }

    /// Creates objects of your own, for example huts, ruins or chests.
    ///
    /// Within `distance` meters of a camera, each object is an entity: a child of the terrain with a
    /// [`PlantInstance`](crate::PlantInstance) and a `Transform`. Use an observer to add its mesh and material, or a
    /// scene. Objects keep their distance from the trunks of earlier plants in [`Vegetation::plants`], and later plants
    /// from them. For thousands of trees use [`Plant::model`], which needs no entity per plant.
    ///
    /// When the terrain is [edited](lanternfell_terrain::TerrainEdits), the entities stay, with all components except their
    /// `Transform`: they are lifted or dropped with the terrain, and despawned where their rule no longer allows them.
    /// So are entities that changed rules or another map place at the same position. Entities that you despawn, and
    /// components that you add, are forgotten when no camera is near. See also [`Plant::unedited_only`].
    ///
    /// ```
    /// use bevy::prelude::*;
    /// use lanternfell_vegetation::prelude::*;
    ///
    /// #[derive(Resource)]
    /// struct HutAssets {
    ///     mesh: Handle<Mesh>,
    ///     material: Handle<StandardMaterial>,
    /// }
    ///
    /// fn rule() -> Plant {
    ///     let rule = ScatterRule { spacing: 40.0, clearance: 6.0, ..Default::default() };
    ///     Plant::custom("hut", 300.0, rule).on_layers(&[("meadow", 0.5)])
    /// }
    ///
    /// fn build(
    ///     added: On<Add, PlantInstance>,
    ///     scattered: Query<&PlantInstance>,
    ///     hut: Res<HutAssets>,
    ///     mut commands: Commands,
    /// ) {
    ///     if scattered.get(added.entity).is_ok_and(|plant| plant.name == "hut") {
    ///         // Or a `WorldAssetRoot` for a scene, a collider, children.
    ///         let look = (Mesh3d(hut.mesh.clone()), MeshMaterial3d(hut.material.clone()));
    ///         commands.entity(added.entity).insert(look);
    ///     }
    /// }
    /// # App::new().add_observer(build);
    /// # assert_eq!(rule().rule.name, "hut");
    /// ```
    pub fn custom(name: &str, distance: f32, rule: ScatterRule) -> Self {
        let name = name.to_owned();
        Self::looking(PlantLook::Custom { distance }, ScatterRule { name, ..rule })
    }

    /// A plant without restrictions beyond its rule.
    fn looking(look: PlantLook, rule: ScatterRule) -> Self {
        Self {
            look,
            layers: Vec::new(),
            biomes: Vec::new(),
            density: None,
            unedited_only: false,
            rule,
        }
    }

    /// Removes the plant where [edits](lanternfell_terrain::TerrainEdits) change the height, for example grass where a
    /// player digs. Without this, plants are lifted and dropped with the terrain, and only removed where their rule no
    /// longer allows them.
    #[must_use]
    pub fn unedited_only(mut self) -> Self {
        self.unedited_only = true;
        self
    }

    /// Restricts the plant to these layers, each with a probability from 0 to 1.
    #[must_use]
    pub fn on_layers(mut self, layers: &[(&str, f32)]) -> Self {
        self.layers = owned(layers);
        self
    }

    /// Restricts the plant to these biomes, each with a probability from 0 to 1.
    ///
    /// ```
    /// use lanternfell_vegetation::prelude::*;
    ///
    /// let fern = Plant::new(PlantKind::Fern, ScatterRule { spacing: 0.8, ..Default::default() })
    ///     .in_biomes(&[("temperate rain forest", 1.0), ("taiga", 0.4)]);
    /// assert_eq!(fern.biomes[1].0, "taiga");
    /// ```
    #[must_use]
    pub fn in_biomes(mut self, biomes: &[(&str, f32)]) -> Self {
        self.biomes = owned(biomes);
        self
    }

    /// Sets the density map.
    #[must_use]
    pub fn with_density_map(mut self, density: DensityMap) -> Self {
        self.density = Some(density);
        self
    }
}

fn owned(shares: &[(&str, f32)]) -> Vec<(String, f32)> {
    let named = shares.iter().map(|&(name, share)| (name.to_owned(), share));
    named.collect()
}
