//! How to do what most apps do with land: a problem a page, the shortest program that works, what one must know,
//! what goes wrong, and where to read on.
//!
//! | page | the problem |
//! |---|---|
//! | [`materials`] | the land in a material of your own, Bevy's or by your own shader |
//! | [`layers`] | grass, sand and rock where they belong, with pictures of your own, and painted by hand |
//! | [`textures`] | pictures of grass and rock in a material of your own |
//! | [`scattering`] | trees, rocks and grass where they would grow, the same ones for the same seed |
//! | [`saving`] | land in files and scenes, and files that are edited while the app runs |
//! | [`asking`] | clicks on the land, rays, heights, who sees whom |
//! | [`walking`] | whatever stands, rolls or walks on it |
//!
//! There is nothing to call in these modules. The tests compile all programs, and run those that need no window;
//! shaders are drawn with.

pub mod asking;
pub mod layers;
pub mod materials;
pub mod saving;
pub mod scattering;
pub mod textures;
pub mod walking;
