//! The sea, rivers and lakes: their settings, queries for games, and how they are drawn (`sea`).

mod bed;
mod hit;
mod hull;
mod inland;
mod query;
pub(crate) mod sea;
mod waves;

use bevy::{asset::embedded_asset, prelude::*, shader::load_shader_library};

pub(crate) use bed::{texel_cell, texels};
pub use hit::WaterHit;
pub use hull::{BodyMotion, Hull, WaterPush};
pub use query::WaterQuery;
pub use sea::{WaterExtension, WaterMaterial};
pub use waves::Waves;
pub(crate) use waves::{TRAINS, Train, WaveField};

use crate::ground::{TerrainSurface, require_on_terrain};

pub(crate) fn plugin(app: &mut App) {
    app.register_type::<Water>()
        .register_type::<Waves>()
        .register_type::<Hull>();
    require_on_terrain::<Water>(app);
}

/// For an app with a renderer.
pub(crate) fn rendering(app: &mut App) {
    load_shader_library!(app, "shaders/waves.wgsl");
    load_shader_library!(app, "shaders/sea.wgsl");
    embedded_asset!(app, "shaders/water.wgsl");
    embedded_asset!(app, "shaders/water_vertex.wgsl");
    app.add_plugins(sea::plugin);
}

/// The luminance of the default's horizon and zenith together.
const DAYLIGHT: f32 = 0.70;

/// The sea around and over a terrain. A change shows at once.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct Water {
    /// Whether there is a sea. Rivers and lakes are there wherever the terrain [is to have
    /// some](crate::Terrain::inland_water).
    pub shown: bool,
    /// The height of the surface, from 0 to 1 on the map; `None`, the default, for what the
    /// recipe says (slightly above 0 for hills).
    pub level: Option<f32>,
    /// The color over shallow ground.
    pub shallow: Color,
    /// The color of the deep.
    pub deep: Color,
    /// The color of the foam along the coast.
    pub foam: Color,
    /// What the surface reflects at flat angles: the sky's color at the horizon.
    pub horizon: Color,
    /// What the surface reflects at steep angles: the sky's color overhead.
    pub zenith: Color,
    /// How strongly it reflects these two, from 0 to 1; 0 where an environment map does it.
    pub reflection: f32,
    /// Metres of water after which a third of the light is left: how clear it is.
    pub attenuation_distance: f32,
    /// Metres that one sees under water, where a twentieth of the contrast is left; 18 by default, infinite for as far
    /// as above. While a camera is under the surface its [`DistanceFog`] is the water's. One that has no fog above is
    /// drawn by other shaders then, which take a moment the first time: let it have some.
    pub visibility: f32,
    /// Whether the ground is seen bent through the sea's surface, by the waves' slopes, where a camera draws depth first
    /// ([`DepthPrepass`](bevy::core_pipeline::prepass::DepthPrepass)); yes by default. Water is drawn with Bevy's
    /// transmissive things then: all cameras need a [`ScreenSpaceTransmission`](bevy::pbr::ScreenSpaceTransmission) of
    /// at least one step, as they have by default, and WebGL2 can not do it.
    pub refraction: bool,
    /// How rough the surface is, by what is too small to be waves; 1 is a light breeze, 0 a mirror.
    pub ripples: f32,
    /// Its waves; [`Waves::CALM`] for a level sea, which is the cheapest.
    pub waves: Waves,
    /// Metres of depth up to which there is foam; 0 for none.
    pub foam_depth: f32,
    /// How far the sea reaches from the middle of the land, in metres; 20 km by default. Where seas of
    /// several terrains lie over each other one is drawn: over each land its own, beyond them the largest.
    pub extent: f32,
}

impl Default for Water {
    fn default() -> Self {
        Self {
            shown: true,
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
    /// The y of the surface without waves in metres, in the terrain's own frame.
    pub fn surface_y(&self, ground: &TerrainSurface) -> f32 {
        self.level.map_or(ground.water_level(), |level| {
            level * ground.surface().scale().relief
        })
    }

    /// The linear color in which water just below the surface glimmers from all sides: its own, as bright as the sky.
    pub(crate) fn glimmer(&self) -> Vec3 {
        let [shallow, deep] = [self.shallow, self.deep].map(|color| color.to_linear().to_vec3());
        let sky = [self.horizon, self.zenith].map(|color| color.to_linear().luminance());
        // As bright as the colors are under the default's sky.
        let light = (sky[0] + sky[1]) / DAYLIGHT;
        shallow.lerp(deep, 0.35) * light
    }
}
