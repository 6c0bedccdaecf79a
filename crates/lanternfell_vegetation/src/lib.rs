//! Trees, bushes, grass, flowers and stones for the terrains of [`lanternfell_terrain`].
//!
//! Rules decide where plants grow; their meshes and textures are generated from seeds. The crate ships no asset files.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use lanternfell_terrain::prelude::*;
//! use lanternfell_vegetation::prelude::*;
//!
//! fn main() {
//!     App::new()
//!         .add_plugins((DefaultPlugins, TerrainPlugin, VegetationPlugin))
//!         .add_systems(Startup, |mut commands: Commands| {
//!             commands.spawn((Terrain::default(), Vegetation::default()));
//!         })
//!         .run();
//! }
//! ```
//!
//! [`Vegetation`] lists the plants of a terrain. The rules come from [`plants::scatter`]. For your own tree or stone
//! models, see [`PlantModel`]. To place other objects by the same rules, such as huts, use [`Plant::custom`].
//!
//! The plants of each chunk of terrain are merged into one mesh in the background. The vertex shader selects the level
//! of detail of each plant by its distance from the nearest camera and fades between levels. [`DrawnVegetation`] counts
//! meshes, triangles and bytes. Leaves and grass move in the [`Wind`], and grass bends away from each [`GrassPresser`].
//!
//! | feature | default | effect |
//! |---|---|---|
//! | `parallel` | yes | generates textures on all cores |
//! | `rapier`, `avian` | | adds colliders for trunks and stones near moving bodies: `PlantCollider` |
//!
//! # How it is drawn
//!
//! ```text
//!   rules, terrain ─> scatter, cell by cell ─> merge: one mesh per chunk of terrain
//!                                              │ each vertex stores the root of its plant and
//!                                              │ the distance range in which it is drawn
//!   cameras, wind, pressers ─> one buffer ─────┴─> vertex shader: level, sway, impostors
//! ```
//!
//! # System sets
//!
//! The plugin's systems run in `PostUpdate`, in [`VegetationSystems`], after
//! [`TerrainSystems::Present`](lanternfell_terrain::TerrainSystems::Present). Changes that you make in `Update` start
//! their background work in the same frame.

mod cells;
mod chunk;
mod clear;
mod edits;
mod installed;
mod layout;
mod level;
mod library;
mod light;
mod material;
mod measures;
mod merge;
mod model;
mod own;
mod plan;
mod planting;
mod plots;
mod presence;
mod regions;
mod site;
#[cfg(any(feature = "avian", feature = "rapier"))]
mod solids;
mod species;
mod standard;
mod standing;
mod systems;
mod vegetation;

use bevy::{prelude::*, render::RenderApp};

pub use lanternfell_plants as plants;
pub use lanternfell_textures::PlantTexture;
pub use layout::VegetationLayout;
pub use material::PlantMaterial;
pub use model::{PlantModel, PlantModelError, PlantVariant, plant_mesh};
pub use own::PlantInstance;
pub use plots::{DrawnVegetation, VegetationChunk};
pub use presence::{GrassPresser, Wind};
#[cfg(any(feature = "avian", feature = "rapier"))]
pub use solids::PlantCollider;
pub use standing::SolidPlant;
pub use systems::VegetationSystems;
pub use vegetation::{DensityMap, Plant, PlantLook, Vegetation};

/// The types that most apps need.
pub mod prelude {
    pub use crate::{
        DensityMap, GrassPresser, Plant, PlantInstance, PlantLook, Vegetation, VegetationPlugin,
        Wind,
    };
    pub use lanternfell_plants::{
        grow::PlantKind,
        scatter::{Clumping, Exclusion, ScatterRule, SoftRange},
    };
}

/// Grows plants and stones on every terrain that has a [`Vegetation`] component.
///
/// Add it after `DefaultPlugins`, because it checks for the renderer. Without a renderer, for example on a server, it
/// only spawns colliders and [`Plant::custom`] entities, at the same positions as on clients.
#[derive(Debug, Default, Clone, Copy)]
pub struct VegetationPlugin;

impl Plugin for VegetationPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<Vegetation>()
            .register_type::<Wind>()
            .register_type::<GrassPresser>()
            .init_resource::<Wind>();
        app.add_plugins((installed::plugin, systems::plugin, clear::plugin))
            .add_plugins((model::plugin, own::plugin))
            .add_plugins((layout::plugin, regions::plugin));
        #[cfg(any(feature = "avian", feature = "rapier"))]
        app.add_plugins(solids::plugin);
        if app.get_sub_app(RenderApp).is_some() {
            app.add_plugins((material::plugin, plots::plugin, presence::plugin));
        }
    }

    fn finish(&self, app: &mut App) {
        installed::warn_without_terrain(app);
        presence::finish(app);
    }
}

/// Compiles the code blocks in the README as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
