//! Ground and plant textures by code: seamless, deterministic, physically plausible, without an engine.
//!
//! [`synthesize`] makes one of the [`GroundKind`]s: albedo, height, normal, roughness and ambient
//! occlusion, in two pictures of four bytes a pixel, whose borders meet. [`GroundTexture::mip_chain`]
//! makes the smaller sizes. [`synthesize_plant`] makes one of the [`PlantSkin`]s: a card, cut out by its
//! alpha, or a bark.
//!
//! # How
//!
//! A texture is painted as ground comes to be. A bed is made by noise; on it thousands of blades,
//! leaves or stones are laid, each of its own shape and tone, each with its height, so that what
//! is higher covers what is lower. Then normals, occlusion and colors follow from the heights: one
//! field tells all, and light, color and shape agree.
//!
//! # What holds
//!
//! - The same kind, size and seed have the same bytes on every machine, with any number of threads.
//! - A tile meets itself at its borders, and has nothing broad in its tones: what varies from place
//!   to place is the engine's matter, which knows where the place is.
//! - Albedos are those of real ground. Sources: Oke, *Boundary Layer Climates* (grass 0.16 to 0.26
//!   over the whole solar spectrum, dry sand 0.35, wet sand 0.2, fresh snow 0.8 to 0.95); Dumont,
//!   *Real-world albedo charts for PBR* and Lagarde, *Feeding a physically based shading model*, 2011,
//!   for visible light alone, in which plants are darker: grass 0.06 to 0.14.

mod array;
mod bake;
mod blur;
mod canvas;
mod cells;
mod color;
mod coverage;
mod dice;
mod error;
mod ground;
mod level;
mod mip;
mod noise;
mod plant;
mod rows;

pub use array::array_layers;
pub use coverage::CardMipChain;
pub use error::TextureError;
pub use ground::{GroundKind, GroundTexture, synthesize};
pub use mip::MipChain;
pub use plant::{PlantSkin, PlantTexture, synthesize_plant};

/// The README's code is run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
