//! Ground without end, around whoever walks on it.
//!
//! Problem: a world that goes on in every direction, of which a machine holds a little; without a seam that
//! shows, without a hole under the walker, and the same when he comes back.
//!
//! Idea: what is there is a *window* of the plane, an ordinary [`Terrain`]. When a viewer comes near its border
//! another is made in the background, around where he is now; what both have in common is copied. When it is
//! complete, it takes the place of the old one in one frame. There is never a border within sight of a viewer, so
//! there are no seams to be sewn.
//!
//! ```text
//!   +-----------+ old
//!   |     +-----|-----+ new      o the viewer, and how far around him there must be ground
//!   |     |  (  o  )  |          made: what the old window lacks
//!   |     |     |     |          in one frame: new shown, old gone
//!   +-----|-----+     |
//!         +-----------+
//! ```
//!
//! Viewers far from each other have windows of their own; windows that would touch are one.
//!
//! Cost: a window's map, twice while one takes the place of another: up to 37 MB of heights for the default
//! distance of one viewer at a metre a cell; viewers beside each other have the rectangle around all of theirs. Meshes
//! likewise: each window has the memory of [`TerrainDetail`], of which its first ones take three quarters.
//! Main thread: a comparison for each viewer and frame.

#[cfg(feature = "disk-cache")]
mod cache;
mod follow;
mod hold;
mod land;
mod leave;
pub(crate) mod plane_work;
mod sources;
mod window;

use bevy::{math::I64Vec2, prelude::*};
use lanternfell_heightmap::{FractalNoise, MapSize, Recipe};

use crate::{
    cells::Margins,
    collider::TerrainCollider,
    cover::KeepsCover,
    file::TerrainTiles,
    ground_light::GroundLight,
    land::detail::TerrainDetail,
    layers::TerrainLayers,
    paint::TerrainPaint,
    systems::TerrainSystems,
    water::Water,
    window::{TerrainWindow, Windowed, share},
};

/// Ground without end: wherever a [`TerrainViewer`] goes, there is some.
///
/// It is made of a recipe that [has a plane](Recipe::plane) (noise, blends, and filters that look at what is near),
/// or of a [folder of tiles](TerrainTiles), as far as they go. Around each viewer it is there as a
/// [`TerrainWindow`], a child that is an ordinary [`Terrain`](crate::Terrain): it is drawn, stood on, asked by
/// [`TerrainQuery`](crate::TerrainQuery) and hit as every other. [`TerrainLayers`], [`TerrainDetail`], [`Water`], a
/// [`KeepsCover`], a [`GroundLight`](crate::GroundLight) and a [`TerrainMaterial`](crate::TerrainMaterial) beside this component
/// are theirs.
///
/// ```no_run
/// use bevy::prelude::*;
/// use lanternfell_terrain::prelude::*;
///
/// fn setup(mut commands: Commands) {
///     let size = MapSize::default();
///     commands.spawn(EndlessTerrain::new(Recipe::new(size, 7, FractalNoise::default())));
///     commands.spawn((Camera3d::default(), TerrainViewer));
/// }
/// ```
///
/// Each time that other windows have taken their place [`TerrainReady`](crate::TerrainReady) is triggered on this
/// entity; [`TerrainFailed`](crate::TerrainFailed) when the recipe has no plane or a file can not be read, and the
/// ground stays what it was. Another source or distance is taken up in the background; the old ground stays until
/// the new is there.
///
/// # Far out
/// Coordinates of `f32` get coarse: 1 mm at 10 km, 1 cm at 100 km. Who goes further shifts the world now and then:
/// moves everything by a whole number of cells and adds it to [`origin`](Self::origin), in the
/// same frame. Then the ground stays where it is among all that was moved; nothing is made anew for it.
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[require(
    Transform,
    Visibility,
    TerrainCollider,
    TerrainDetail,
    TerrainLayers,
    Water,
    Windowed
)]
pub struct EndlessTerrain {
    /// What the ground is made of: by default a recipe of [`FractalNoise`].
    pub source: EndlessSource,
    /// How far around each viewer there is ground, in metres along both axes; 1000 by default, and at most
    /// [`MAX_DISTANCE`](Self::MAX_DISTANCE) cells.
    pub distance: f32,
    /// Which cell of the plane, column and row, lies at this entity's place; (0, 0) by default.
    pub origin: I64Vec2,
}

impl EndlessTerrain {
    /// The largest distance, in cells: a window is one map, and a fourth as much again is for the way.
    pub const MAX_DISTANCE: f32 = Margins::MAX_DISTANCE;

    /// Ground of this source, at the default distance.
    pub fn new(source: impl Into<EndlessSource>) -> Self {
        Self {
            source: source.into(),
            distance: 1000.0,
            origin: I64Vec2::ZERO,
        }
    }
}

/// What an [`EndlessTerrain`] is made of. A [`Recipe`] and a handle of [`TerrainTiles`] become one by `into()`.
#[derive(Reflect, Debug, Clone, PartialEq)]
#[reflect(Debug, Clone, PartialEq)]
pub enum EndlessSource {
    /// A recipe's [plane](Recipe::plane), at its own [scale](Recipe::scale). Its size is that of nothing but its
    /// default scale.
    Recipe(Recipe),
    /// The world in a folder of tiles, from its north-west corner at cell (0, 0): only what is needed of it is
    /// read. Scenes save its path.
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

/// On whoever needs [`EndlessTerrain`] around: a player, a camera, a body that must not fall through. In a world
/// without any, the active [`Camera3d`]s are the viewers.
#[derive(Component, Reflect, Debug, Default, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[require(Transform)]
pub struct TerrainViewer;

pub(crate) fn plugin(app: &mut App) {
    #[cfg(feature = "disk-cache")]
    app.register_type::<TerrainCache>();
    app.add_plugins(HoldWindowPlugin::<HoldWindow>::default())
        .register_type::<HoldWindow>()
        .register_type::<EndlessTerrain>()
        .register_type::<TerrainViewer>()
        .register_type::<TerrainWindow>()
        .add_systems(
            Update,
            (
                window::receive_maps.before(TerrainSystems::Generate),
                (
                    follow::swap_windows,
                    share::<TerrainLayers>,
                    share::<TerrainPaint>,
                    share::<KeepsCover>,
                    share::<TerrainDetail>,
                    share::<TerrainCollider>,
                    share::<GroundLight>,
                    window::share_water,
                    leave::clear_away,
                )
                    .chain()
                    .in_set(TerrainSystems::Swap),
            ),
        )
        .add_systems(
            PostUpdate,
            (
                window::place_windows
                    .before(TransformSystems::Propagate)
                    // Which moves others.
                    .ambiguous_with(crate::snap::snap_to_ground),
                // Where everything is now: an origin and those who look may have been moved together.
                follow::follow_viewers.after(TransformSystems::Propagate),
            ),
        )
        .add_observer(follow::note_ready)
        .add_observer(follow::note_failed)
        .add_observer(follow::despawn_windows);
}

#[cfg(feature = "disk-cache")]
pub use cache::TerrainCache;
pub use hold::{HoldWindow, HoldWindowPlugin};
