//! Endless terrain around moving viewers.
//!
//! Problem: a world extends in all directions, but only a small part of it fits into memory. There must be no visible
//! seams and no gap below a viewer, and the terrain must be the same when a viewer comes back.
//!
//! Idea: the terrain consists of *regions* of the plane ([`TerrainRegion`] in the public API). Each is an ordinary
//! [`Terrain`](crate::Terrain). When a viewer comes near the border of a region, another one is generated in the
//! background around the viewer's current position. The cells that both have in common are copied. When the new region
//! is complete, it replaces the old one within one frame. A viewer never gets close to a border, so there are no seams
//! to hide.
//!
//! ```text
//!   +-----------+ old
//!   |     +-----|-----+ new      o the viewer, and the distance around it that needs terrain
//!   |     |  (  o  )  |          generated: what the old region lacks
//!   |     |     |     |          in one frame: the new one is shown, the old one removed
//!   +-----|-----+     |
//!         +-----------+
//! ```
//!
//! Viewers that are far from each other have separate regions. Regions that would touch are merged into one.
//!
//! Cost: memory for the map of each region, and for two maps while one region replaces another. At the default distance
//! and 1 m per cell, the region of one viewer has up to 37 MB of heights. Viewers close to each other share a region:
//! the bounding rectangle of their areas. Each region also has its own mesh memory budget ([`TerrainDetail`]); a
//! quarter of it is reserved for patches that replace those that are shown. The main thread compares each viewer with
//! the regions once per frame.

#[cfg(feature = "disk-cache")]
mod cache;
mod edits;
mod follow;
mod hold;
mod land;
mod leave;
mod lookers;
pub(crate) mod plane_work;
mod region;
mod sources;

use bevy::{math::I64Vec2, prelude::*};
use lanternfell_heightmap::{FractalNoise, MapSize, Recipe};

use crate::{
    cells::Margins,
    collider::TerrainCollider,
    cover::NeedsTerrainCover,
    file::TerrainTiles,
    ground_light::TerrainLight,
    installed::warn_without_plugin,
    land::detail::TerrainDetail,
    layers::TerrainLayers,
    region::{Regioned, TerrainRegion, share},
    render_layers::share_with_regions,
    systems::TerrainSystems,
    water::Water,
};

/// An endless terrain, which is generated around each [`TerrainViewer`].
///
/// ```no_run
/// use bevy::prelude::*;
/// use lanternfell_terrain::prelude::*;
///
/// fn setup(mut commands: Commands) {
///     let scale = Scale { spacing: 1.0, relief: 160.0 }; // meters
///     let noise = FractalNoise { octaves: 7, scale: 900.0, ..default() };
///     let recipe = Recipe { scale: Some(scale), ..Recipe::new(MapSize::default(), 7, noise) };
///     commands.spawn(EndlessTerrain::new(recipe));
///     // The terrain around the player, not around the camera.
///     commands.spawn((TerrainViewer, Transform::default()));
///     commands.spawn((Camera3d::default(), Transform::from_xyz(0.0, 180.0, 0.0)));
/// }
/// ```
///
/// Until the first regions are complete there is no terrain: keep the player in place until
/// [`TerrainQuery::height`](crate::TerrainQuery::height) returns a height. A viewer without terrain, for instance after
/// a teleport, first gets terrain up to a quarter of the [`distance`](Self::distance), and then up to the whole
/// distance.
///
/// Terrain ends about [`distance`](Self::distance) meters from a viewer. Hide the border with a `DistanceFog` whose
/// visibility is smaller. If the distance is above 1000 m, raise the far plane of the camera (default: 1000 m).
///
/// # Sources
/// The source is a recipe or a [folder of tiles](TerrainTiles), which is as large as its tiles.
///
/// A recipe must define an endless [plane](Recipe::plane) of heights, of which any part can be generated without the
/// rest. The allowed steps are [`FractalNoise`] without a mask,
/// [`RidgedMultifractal`](lanternfell_heightmap::RidgedMultifractal), [`Worley`](lanternfell_heightmap::Worley),
/// blends, and filters that read a small neighborhood. Hills, faults, rain erosion and images need a whole map and are
/// rejected. Regions have a sea, but no [rivers and lakes](crate::Terrain::inland_water).
///
/// # Regions
/// The terrain around a viewer is a [`TerrainRegion`], a child entity with an ordinary [`Terrain`](crate::Terrain). It
/// is rendered, has colliders, and works with [`TerrainQuery`](crate::TerrainQuery).
///
/// These components of the endless terrain apply to all its regions: [`TerrainLayers`], [`TerrainDetail`],
/// [`TerrainCollider`], [`Water`], [`NeedsTerrainCover`], [`TerrainLight`](crate::TerrainLight) and
/// [`TerrainMaterial`](crate::TerrainMaterial). So do `RenderLayers`, the `Vegetation` of `lanternfell_vegetation`, and
/// [`TerrainEdits`](crate::TerrainEdits), which are in cells of the plane. Roads, platforms and stamps are children of the
/// endless terrain, see [`TerrainPath`](crate::TerrainPath#on-endless-terrain).
///
/// # Fast viewers
/// New regions lie ahead of a viewer who moves. With a distance of 600 m and cells of 1 m, two CPU cores are enough for a
/// viewer at 200 m/s (720 km/h), as a test checks. Faster viewers are at times without terrain. Larger cells or a smaller
/// distance help.
///
/// # Events
/// [`TerrainReady`](crate::TerrainReady) is triggered on this entity each time new regions have replaced the old ones
/// and cover the distance around all viewers. Each region triggers it too, while it is still hidden.
///
/// [`TerrainFailed`](crate::TerrainFailed) is triggered if the recipe has no plane or a file cannot be read. The old
/// terrain then stays. It also stays while terrain for another source or distance is generated.
///
/// # Large distances
/// `f32` coordinates lose precision: 1 mm at 10 km, 1 cm at 100 km. To travel farther, shift the world from time to
/// time: move all other entities back by a whole number of cells, and add this number to [`origin`](Self::origin) in
/// the same frame. The plugin moves roads, platforms and stamps, which are children of the terrain. It then keeps its place relative to everything else, and no terrain is regenerated.
/// `examples/endless.rs` does this with `big_space`.
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[component(on_add = warn_without_plugin)]
#[require(
    Transform,
    Visibility,
    TerrainCollider,
    TerrainDetail,
    TerrainLayers,
    Water,
    Regioned
)]
pub struct EndlessTerrain {
    /// The source of the terrain. Default: a recipe of [`FractalNoise`].
    pub source: EndlessSource,
    /// The distance around each viewer for which terrain is generated, in meters along both axes. Default: 1000. Range:
    /// 1 cell to [`MAX_DISTANCE`](Self::MAX_DISTANCE) cells. A cell is [`Scale::spacing`](lanternfell_heightmap::Scale)
    /// meters wide.
    pub distance: f32,
    /// The cell of the plane (column and row) at this entity's position. Default: (0, 0).
    pub origin: I64Vec2,
}

impl EndlessTerrain {
    /// The largest distance, in cells. A region is a single map, which also includes a margin in which viewers move: at
    /// least a quarter of the distance.
    pub const MAX_DISTANCE: f32 = Margins::MAX_DISTANCE;

    /// Creates a terrain from this source, with the default distance.
    pub fn new(source: impl Into<EndlessSource>) -> Self {
        Self {
            source: source.into(),
            distance: 1000.0,
            origin: I64Vec2::ZERO,
        }
    }
}

/// The source of an [`EndlessTerrain`]. A [`Recipe`] and a handle of [`TerrainTiles`] convert into it.
#[derive(Reflect, Debug, Clone, PartialEq)]
#[reflect(Debug, Clone, PartialEq)]
pub enum EndlessSource {
    /// A recipe that defines an endless [plane](Recipe::plane), at its [scale](Recipe::scale). The recipe's size only
    /// sets the default scale.
    Recipe(Recipe),
    /// A world stored as a folder of tiles, with its north-west corner at cell (0, 0). Only the tiles that are needed
    /// are read. Scenes save the path of the folder.
    Tiles(Handle<TerrainTiles>),
}

impl From<Recipe> for EndlessSource {
    fn from(recipe: Recipe) -> Self {
        Self::Recipe(recipe)
    }
}

impl From<Handle<TerrainTiles>> for EndlessSource {
    fn from(tiles: Handle<TerrainTiles>) -> Self {
        Self::Tiles(tiles)
    }
}

impl Default for EndlessTerrain {
    fn default() -> Self {
        Self::new(Recipe::new(MapSize::default(), 0, FractalNoise::default()))
    }
}

/// Marks an entity that needs [`EndlessTerrain`] around it: a player, a camera, a body that must not fall through.
///
/// If no entity has this component, each active [`Camera3d`] that renders a layer of the terrain is a viewer.
#[derive(Component, Reflect, Debug, Default, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
#[require(Transform)]
pub struct TerrainViewer;

pub(crate) fn plugin(app: &mut App) {
    #[cfg(feature = "disk-cache")]
    app.register_type::<TerrainCache>();
    app.add_plugins((HoldRegionPlugin::<HoldRegion>::default(), edits::plugin))
        .register_type::<HoldRegion>()
        .register_type::<EndlessTerrain>()
        .register_type::<TerrainViewer>()
        .register_type::<TerrainRegion>()
        .add_systems(
            PostUpdate,
            (
                region::receive_maps.before(TerrainSystems::Generate),
                (
                    follow::swap_regions,
                    share::<TerrainLayers>,
                    share::<NeedsTerrainCover>,
                    share::<TerrainDetail>,
                    share::<TerrainCollider>,
                    share::<TerrainLight>,
                    share_with_regions,
                    region::share_water,
                    leave::clear_away,
                )
                    .chain()
                    .in_set(TerrainSystems::Swap),
            ),
        )
        .add_systems(
            PostUpdate,
            (
                // New regions are placed when they are spawned.
                region::place_regions.before(TerrainSystems::Generate),
                // After all transforms are final, because the origin and the viewers may have been moved together.
                follow::follow_viewers.after(TransformSystems::Propagate),
            ),
        )
        .add_observer(follow::note_ready)
        .add_observer(follow::note_failed)
        .add_observer(follow::despawn_regions);
}

#[cfg(feature = "disk-cache")]
pub use cache::TerrainCache;
pub use hold::{HoldRegion, HoldRegionPlugin};
