//! Trees, bushes, grass, flowers and stones on the terrains of [`lanternfell_terrain`]: where they stand by rules,
//! what they look like from seeds, without a single asset.
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
//! [`Vegetation`] says what grows; the rules are those of [`plants::scatter`]. What stands on a square of land becomes a
//! mesh, in the background; each plant changes its level of detail by its own distance from the nearest camera, in the vertex
//! shader, and fades from one to the next; what a game has of its own stands by the same rules
//! ([`Plant::own`]). [`DrawnVegetation`] tells how much there is. Leaves and grass move in the
//! [`Wind`], and grass bends under whoever has a [`GrassPresser`].
//!
//! | feature | default | |
//! |---|---|---|
//! | `parallel` | yes | pictures are made on every core |
//! | `rapier`, `avian` | | bodies of that engine meet trunks and stones, which are there around them: `PlantCollider` |
//!
//! # How it is drawn
//!
//! ```text
//!   rules, ground ─> scatter, cell by cell ─> merge: a mesh for each square of land
//!                                              │ each vertex knows its plant's root, and from
//!                                              │ which distance to which it is drawn
//!   cameras, wind, pressers ─> one buffer ─────┴─> vertex shader: level, sway, facing the eye
//! ```
//!
//! # System sets
//!
//! Its systems run in `Update`, in [`VegetationSystems`], after
//! [`TerrainSystems::Present`](lanternfell_terrain::TerrainSystems::Present).

mod cells;
mod chunk;
mod clear;
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
mod site;
#[cfg(any(feature = "avian", feature = "rapier"))]
mod solids;
mod sowing;
mod species;
mod standard;
mod standing;
mod systems;
mod vegetation;
mod windows;

use bevy::{prelude::*, render::RenderApp};

pub use lanternfell_plants as plants;
pub use lanternfell_textures::PlantTexture;
pub use material::PlantMaterial;
pub use model::{PlantModel, PlantModelError, PlantVariant, plant_mesh};
pub use own::ScatteredPlant;
pub use plots::{DrawnVegetation, VegetationChunk};
pub use presence::{GrassPresser, Wind};
#[cfg(any(feature = "avian", feature = "rapier"))]
pub use solids::PlantCollider;
pub use sowing::Sowing;
pub use standing::SolidPlant;
pub use systems::VegetationSystems;
pub use vegetation::{DensityMap, Plant, PlantLook, Vegetation};

/// What most apps need.
pub mod prelude {
    pub use crate::{
        DensityMap, GrassPresser, Plant, PlantLook, ScatteredPlant, Vegetation, VegetationPlugin,
        Wind,
    };
    pub use lanternfell_plants::{
        grow::PlantKind,
        scatter::{Clumping, Exclusion, ScatterRule, SoftRange},
    };
}

/// Lets plants and stones stand on every terrain that has a [`Vegetation`]. Add it after the renderer. In an app that
/// draws nothing, a server say, there is what bodies meet and what is the game's own, in the same places.
#[derive(Debug, Default, Clone, Copy)]
pub struct VegetationPlugin;

impl Plugin for VegetationPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<Vegetation>()
            .register_type::<Wind>()
            .register_type::<GrassPresser>()
            .init_resource::<Wind>();
        app.add_plugins((clear::plugin, model::plugin, own::plugin))
            .add_plugins((sowing::plugin, windows::plugin));
        #[cfg(any(feature = "avian", feature = "rapier"))]
        app.add_plugins(solids::plugin);
        if app.get_sub_app(RenderApp).is_some() {
            app.add_plugins((material::plugin, plots::plugin, presence::plugin));
        }
    }

    fn finish(&self, app: &mut App) {
        presence::finish(app);
    }
}

/// The README's code is run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
