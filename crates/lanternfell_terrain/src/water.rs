//! The sea, rivers and lakes: settings, queries, and rendering (`sea`).

mod bed;
mod hit;
mod hull;
mod inland;
mod query;
pub(crate) mod sea;
mod waves;

use bevy::{asset::embedded_asset, prelude::*, shader::load_shader_library};

pub(crate) use bed::texels;
pub use hit::WaterHit;
pub use hull::{BodyVelocity, Buoyancy, BuoyancyForce};
pub use query::WaterQuery;
pub use sea::{WaterExtension, WaterMaterial};
pub use waves::Waves;
pub(crate) use waves::{TRAINS, Train, WaveField};

use crate::ground::{TerrainSurface, require_on_terrain};

pub(crate) fn plugin(app: &mut App) {
    app.register_type::<Water>()
        .register_type::<Waves>()
        .register_type::<Buoyancy>();
    require_on_terrain::<Water>(app);
}

/// Systems and shaders that need a renderer.
pub(crate) fn rendering(app: &mut App) {
    load_shader_library!(app, "shaders/waves.wgsl");
    load_shader_library!(app, "shaders/sea.wgsl");
    embedded_asset!(app, "shaders/water.wgsl");
    embedded_asset!(app, "shaders/water_vertex.wgsl");
    app.add_plugins(sea::plugin);
}

/// The sum of the luminances of the default `horizon` and `zenith`.
const DAYLIGHT: f32 = 0.70;

/// The sea around a terrain, and the look of its rivers and lakes.
///
/// Each [`Terrain`](crate::Terrain) gets this component by default. Remove it for a terrain without a sea. [Rivers and
/// lakes](crate::Terrain::inland_water) remain, and are then rendered with the default values.
///
/// Changes are applied in the same frame. Change a terrain without a sea through `Query<&mut Terrain>`: inserting
/// [`Terrain`](crate::Terrain) again also inserts the missing `Water`.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::prelude::*;
///
/// fn spawn(mut commands: Commands) {
///     commands.spawn(Terrain::default()).remove::<Water>();
/// }
/// # bevy::ecs::system::assert_is_system(spawn);
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Water {
    /// The height of the sea surface on the map: 0 is its lowest possible point, and 1 its highest. Default: `None`,
    /// which is [`TerrainSurface::water_level`].
    pub level: Option<f32>,
    /// The color of shallow water.
    pub shallow: Color,
    /// The color of deep water.
    pub deep: Color,
    /// The color of the foam along the coast.
    pub foam: Color,
    /// The color of the sky at the horizon, for Bevy's default exposure. It is reflected at grazing angles.
    pub horizon: Color,
    /// The color of the sky overhead, for Bevy's default exposure. It is reflected at steep angles.
    pub zenith: Color,
    /// The strength of these two reflections, from 0 to 1. Default: 1. Set it to 0 if an environment map provides
    /// reflections.
    pub reflection: f32,
    /// The depth of water in meters after which about a third of the light remains. Default: 2.4. Larger values are
    /// clearer.
    pub attenuation_distance: f32,
    /// The underwater visibility in meters, at which 5 % of the contrast remains. Default: 18. Values below 0.5 count
    /// as 0.5. Infinity or `NaN` disables the underwater fog.
    ///
    /// While a camera is below the surface, its [`DistanceFog`] is replaced by that of the water. If the camera has no
    /// fog above the water, it switches to other shader variants, and compiling these takes a moment the first time. To
    /// avoid this, give each camera a [`DistanceFog`].
    pub visibility: f32,
    /// Whether the waves refract the terrain below the surface. Default: `true`.
    ///
    /// This needs a camera with a [`DepthPrepass`](bevy::core_pipeline::prepass::DepthPrepass). The sea is then
    /// rendered as a transmissive material, so all active cameras need a
    /// [`ScreenSpaceTransmission`](bevy::pbr::ScreenSpaceTransmission) with at least one step, which is the default.
    /// Where this is not met, and with OpenGL and WebGL2, the sea is blended instead.
    pub refraction: bool,
    /// The strength of the ripples, which are too small to be modeled as waves. 0 is a mirror and 1 a light breeze.
    /// Default: 1.
    pub ripples: f32,
    /// The waves. Use [`Waves::CALM`] for a flat sea, which is the cheapest to render.
    pub waves: Waves,
    /// The water depth in meters up to which there is foam. Default: 0.9. 0 disables foam.
    pub foam_depth: f32,
    /// The distance in meters from the terrain's center to each side of the sea. Default: 20 km.
    ///
    /// Where the seas of several terrains overlap, only one is drawn. Over each terrain this is its own sea, elsewhere
    /// the largest one.
    pub extent: f32,
}

impl Default for Water {
    fn default() -> Self {
        Self {
            level: None,
            shallow: Color::srgb(0.17, 0.53, 0.52),
            deep: Color::srgb(0.02, 0.16, 0.26),
            foam: Color::srgb(0.94, 0.97, 0.97),
            horizon: Color::srgb(0.66, 0.78, 0.88),
            zenith: Color::srgb(0.22, 0.42, 0.70),
            reflection: 1.0,
            attenuation_distance: 2.4,
            visibility: 18.0,
            refraction: true,
            ripples: 1.0,
            waves: Waves::default(),
            foam_depth: 0.9,
            extent: 20_000.0,
        }
    }
}

impl Water {
    /// Returns the y of the surface without waves in meters, in the terrain's local space.
    pub fn surface_y(&self, ground: &TerrainSurface) -> f32 {
        self.level.map_or(ground.water_level(), |level| {
            level * ground.surface().scale().relief
        })
    }

    /// The light scattered inside the water just below the surface, as a linear color: the water's own color, as bright
    /// as the sky.
    pub(crate) fn glimmer(&self) -> Vec3 {
        let [shallow, deep] = [self.shallow, self.deep].map(|color| color.to_linear().to_vec3());
        let sky = [self.horizon, self.zenith].map(|color| color.to_linear().luminance());
        // `shallow` and `deep` are meant for the brightness of the default sky.
        let light = (sky[0] + sky[1]) / DAYLIGHT;
        shallow.lerp(deep, 0.35) * light
    }
}
