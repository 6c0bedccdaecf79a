//! The exact surface over a heightmap, as geometry: what a game draws, walks on and asks.
//!
//! - [`Surface`]: the triangles over a map. Heights, normals, slopes, rays, swept spheres, lines of sight, walkable
//!   ground.
//! - [`detail`]: the same surface as patches for each viewer, at several levels of detail and without cracks.
//! - [`layers`]: which layer of ground (grass, sand, rock, snow) covers which part, by rules.
//! - [`inland_water`]: rivers and lakes as surfaces, with beds cut into the map.
//!
//! ```
//! use glam::{Vec2, Vec3};
//! use lanternfell_heightmap::{Hills, MapSize, Progress, Scale};
//! use lanternfell_surface::Surface;
//!
//! let size = MapSize::new(128, 128)?;
//! let map = Hills::default().generate(size, 7, &Progress::default())?;
//! let surface = Surface::new(&map, Scale::of_size(size));
//!
//! let hit = surface.cast_ray(Vec3::new(3.25, 100.0, 4.5), Vec3::NEG_Y, 200.0).unwrap();
//! assert_eq!(Some(hit.point.y), surface.height(Vec2::new(3.25, 4.5)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `parallel` (default) | every core, by `rayon`. The bits are the same without it. |
//! | `bevy_reflect` | Bevy's reflection of [`InlandWater`](inland_water::InlandWater) and [`LayerRule`](layers::LayerRule) |

pub mod detail;
pub mod inland_water;
pub mod layers;

mod surface;

pub use surface::{
    Axis, HeightPyramid, NumbersError, SizeMismatch, SquareHalf, Surface, SurfaceHit,
    WalkableGround, WalkableLimits, heightfield_columns, normal_in,
};

/// The README's code is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
