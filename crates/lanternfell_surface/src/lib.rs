//! The triangle surface of a heightmap: queries, ray casts, levels of detail, ground layers, rivers
//! and lakes.
//!
//! - [`Surface`]: the triangles over a map. Returns heights, normals, slopes and walkable
//!   triangles, and casts rays, spheres and lines of sight.
//! - [`detail`]: the same surface as crack-free patches for each viewer, at several levels of
//!   detail.
//! - [`layers`]: rules that decide which ground layer (grass, sand, rock, snow) covers which part.
//! - [`inland_water`]: rivers and lakes as meshes, with beds carved into the map.
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
//! | Feature | Adds |
//! |---|---|
//! | `parallel` (default) | uses every core, with `rayon`. The results are bit-identical without it. |
//! | `bevy_reflect` | Bevy's reflection of [`InlandWater`](inland_water::InlandWater) and [`LayerRule`](layers::LayerRule) |

pub mod detail;
pub mod inland_water;
pub mod layers;

mod surface;

pub use surface::{
    Axis, HeightPyramid, NumbersError, SizeMismatch, SquareHalf, Surface, SurfaceHit,
    WalkableGround, WalkableLimits, heightfield_columns, normal_in, update_heightfield_columns,
};

/// Compiles the code of the README as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
