//! Procedural, seamless ground and plant textures with physically plausible materials.
//!
//! [`synthesize`] creates the texture of a [`GroundKind`]: albedo, height, normal, roughness and
//! ambient occlusion, in two seamless textures with four bytes per pixel.
//! [`GroundTexture::mip_chain`] returns their mip levels. [`synthesize_plant`] creates the texture
//! of a [`PlantSkin`]: a card that is cut out by its alpha channel, or a bark.
//!
//! # How it works
//!
//! A texture is painted in the way that ground forms. The bed is noise. Thousands of blades, leaves
//! or stones are painted on it, each with its own shape, tone and height, so that higher ones cover
//! lower ones. Normals, occlusion and colors are then derived from the heights, so light, color and
//! shape are consistent.
//!
//! # Guarantees
//!
//! - The same kind, size and seed give the same bytes on every platform, with any number of
//!   threads.
//! - Ground textures and barks tile without seams. They have no large-scale differences in
//!   brightness, because variation across the terrain is up to the renderer.
//! - Albedos are those of real materials. Sources: Oke, *Boundary Layer Climates* (grass 0.16 to
//!   0.26 over the whole solar spectrum, dry sand 0.35, wet sand 0.2, fresh snow 0.8 to 0.95);
//!   Dumont, *Real-world albedo charts for PBR* and Lagarde, *Feeding a physically based shading
//!   model*, 2011, for visible light alone, in which plants are darker: grass 0.06 to 0.14.
//!
//! # Features
//!
//! | Feature | Adds |
//! |---|---|
//! | `parallel` (default) | uses every core, with `rayon`. The results are bit-identical without it. |
//! | `bevy_reflect` | Bevy's reflection of [`GroundKind`], for scenes |

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

/// Runs the code of the README as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
