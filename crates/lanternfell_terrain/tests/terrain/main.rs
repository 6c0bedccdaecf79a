//! Tests of the terrain plugin in apps without a window, one module per behavior.

mod crowd;

mod avian;
mod change;
#[cfg(feature = "rapier")]
mod collider;
mod cover;
mod detail;
mod drawing;
mod edit_endless;
mod edit_endless_modifiers;
mod edit_event;
#[cfg(feature = "rapier")]
mod edit_modifiers;
mod edit_network;
#[cfg(feature = "rapier")]
mod edit_pictures;
#[cfg(feature = "rapier")]
mod edit_updates;
mod edit_waters;
#[cfg(feature = "rapier")]
mod edits;
mod endless;
mod endless_example;
mod failure;
mod holes;
#[cfg(feature = "rapier")]
mod near_bodies;
#[cfg(feature = "rapier")]
mod path_mesh;
mod picking;
mod placement;
mod plugin;
mod queries;
mod rays;
mod refraction;
mod removal;
mod render_layers;
mod renderers;
mod reveal;
mod rivers;
mod schedule;
mod several;
#[cfg(feature = "rapier")]
mod shape_casts;
mod shared_island_example;
#[cfg(feature = "rapier")]
mod sleep;
mod snap;
mod spawn;
mod teleport;
mod underwater;
#[cfg(feature = "rapier")]
mod walking;
mod waves;
