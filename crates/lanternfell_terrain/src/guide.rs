//! Guides: complete programs for common tasks, with notes and common mistakes.
//!
//! | guide | how to |
//! |---|---|
//! | [`materials`] | render the terrain with your own material or shader |
//! | [`layers`] | choose the layers of the terrain, such as grass, sand and rock, use your own textures for them, move the snow line, and paint by hand |
//! | [`textures`] | use tiled textures of grass and rock in your own material |
//! | [`scattering`] | place objects by rules of your own; for ready-made plants, use the crate `lanternfell_vegetation` |
//! | [`saving`] | save terrain to files and scenes, and reload files that change while the app runs |
//! | [`queries`] | handle clicks on the terrain, cast rays, and query heights, elevations above sea level and lines of sight |
//! | [`characters`] | let objects and characters stand, roll and walk on the terrain |
//!
//! These modules contain only documentation. The tests compile all programs, run those that need no window, and render
//! with the shaders.

pub mod characters;
pub mod layers;
pub mod materials;
pub mod queries;
pub mod saving;
pub mod scattering;
pub mod textures;
