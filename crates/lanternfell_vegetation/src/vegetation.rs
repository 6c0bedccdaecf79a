//! What grows on a terrain: the component that asks.

use bevy::prelude::*;
use lanternfell_plants::{
    grow::PlantKind,
    scatter::{Exclusion, ScatterRule},
};
use lanternfell_terrain::{KeepsCover, TerrainFile, TerrainMap};

use crate::model::PlantModel;

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
    /// In which biomes it stands, by their names in the default
    /// [`BiomeTable`](lanternfell_terrain::heightmap::climate::BiomeTable), and how likely in each, from 0 to 1; none: in
    /// all. On endless ground the climate is that of each window, as moisture is, and a border of biomes may lie elsewhere
    /// when another window comes.
    #[reflect(default)]
    pub biomes: Vec<(String, f32)>,
    /// A map of how dense it is where; none: as its rule says everywhere.
    #[reflect(default)]
    pub density: Option<DensityMap>,
    /// All else: how densely, on what slopes and heights, how large. Its own
    /// [`layers`](ScatterRule::layers) and [`biomes`](ScatterRule::biomes) are not looked at, and its
    /// [`variants`](ScatterRule::variants) only where the look is the game's own.
    pub rule: ScatterRule,
}

/// How dense a kind is where: a map over the land from its north-west to its south-east corner, of any size, from 0,
/// where it does not stand, to 1, where it is as dense as its rule says.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_vegetation::prelude::*;
///
/// fn orchard(assets: Res<AssetServer>) -> Plant {
///     let rule = ScatterRule { spacing: 6.0, crown: 2.0, ..Default::default() };
///     // A picture that somebody has painted, white where trees shall stand.
///     let painted = DensityMap::File(assets.load("orchards.png"));
///     Plant::new(PlantKind::Broadleaf, rule).by_map(painted)
/// }
/// # bevy::ecs::system::assert_is_system(orchard);
/// ```
#[derive(Reflect, Debug, Clone, PartialEq)]
#[reflect(Debug, Clone, PartialEq)]
pub enum DensityMap {
    /// What a step of the terrain's recipe makes, by its name: that may be an image, too. On endless ground as well.
    Step(String),
    /// A map in a file of the `AssetServer`. Until it is there, and where it can not be had, nothing of the kind stands.
    /// On endless ground, which has no corners, nothing either.
    File(Handle<TerrainFile>),
    /// A map in hand, which scenes can not save; on endless ground nothing of the kind stands.
    Map(TerrainMap),
}

/// What stands where a rule says.
#[derive(Reflect, Debug, Clone, PartialEq)]
#[reflect(Debug, Clone, PartialEq)]
pub enum PlantLook {
    /// A plant or stone, grown from seeds.
    Grown(PlantKind),
    /// A species of the game, merged into the same meshes as what is grown.
    Model(Handle<PlantModel>),
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
        Self::looking(PlantLook::Grown(kind), rule)
    }

    /// A species of the game by a rule: see [`PlantModel`].
    pub fn model(name: &str, model: Handle<PlantModel>, rule: ScatterRule) -> Self {
        let name = name.to_owned();
        Self::looking(PlantLook::Model(model), ScatterRule { name, ..rule })
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
        let name = name.to_owned();
        Self::looking(PlantLook::Own { distance }, ScatterRule { name, ..rule })
    }

    /// Everywhere that the rule allows.
    fn looking(look: PlantLook, rule: ScatterRule) -> Self {
        Self {
            look,
            layers: Vec::new(),
            biomes: Vec::new(),
            density: None,
            rule,
        }
    }

    /// The same on these layers alone.
    pub fn on(mut self, layers: &[(&str, f32)]) -> Self {
        self.layers = owned(layers);
        self
    }

    /// The same in these biomes alone.
    ///
    /// ```
    /// use lanternfell_vegetation::prelude::*;
    ///
    /// let fern = Plant::new(PlantKind::Fern, ScatterRule { spacing: 0.8, ..Default::default() })
    ///     .within(&[("temperate rain forest", 1.0), ("taiga", 0.4)]);
    /// assert_eq!(fern.biomes[1].0, "taiga");
    /// ```
    pub fn within(mut self, biomes: &[(&str, f32)]) -> Self {
        self.biomes = owned(biomes);
        self
    }

    /// The same, as dense as a map says.
    pub fn by_map(mut self, density: DensityMap) -> Self {
        self.density = Some(density);
        self
    }
}

fn owned(shares: &[(&str, f32)]) -> Vec<(String, f32)> {
    let named = shares.iter().map(|&(name, share)| (name.to_owned(), share));
    named.collect()
}
