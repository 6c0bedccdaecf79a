//! The sky dome: one triangle behind the scene, whose fragment shader computes the sky color in the direction of each
//! pixel.
//!
//! The triangle is in clip space, at the far depth. It therefore surrounds every camera, for any number of cameras, and
//! all other meshes hide it.
//!
//! Bevy's `Atmosphere` cannot replace the dome: it needs compute shaders, which WebGL2 lacks, and it draws no moon,
//! stars or clouds. Apps can still use it instead; the README shows how.

use bevy::{
    asset::embedded_asset,
    camera::visibility::NoFrustumCulling,
    light::{NotShadowCaster, NotShadowReceiver},
    mesh::MeshVertexBufferLayoutRef,
    pbr::{MaterialPipeline, MaterialPipelineKey},
    prelude::*,
    render::render_resource::{
        AsBindGroup, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError,
    },
    shader::ShaderRef,
};

use crate::{
    clouds::{CloudDrift, CloudMap, CloudUniform, whole_view},
    colors::{SkyColors, smooth},
    fog::GLOW,
    settings::SkySettings,
    time_of_day::Ephemeris,
    weather::CurrentWeather,
};

/// Marker for the dome entity that the plugin spawns. Insert other `RenderLayers` on it to hide the sky from some
/// cameras.
#[derive(Component, Reflect, Debug, Default, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct SkyDome;

#[derive(Asset, TypePath, AsBindGroup, Debug, Clone)]
pub(crate) struct DomeMaterial {
    #[uniform(0)]
    sky: DomeUniform,
    #[texture(1)]
    #[sampler(2)]
    map: Handle<Image>,
}

/// Matches `Sky` in `dome.wgsl`, which documents the fields.
#[derive(ShaderType, Debug, Default, Clone, Copy, PartialEq)]
struct DomeUniform {
    clouds: CloudUniform,
    stars_from_world: Mat3,
    horizon: Vec3,
    glow_exponent: f32,
    zenith: Vec3,
    starlight: f32,
    glow: Vec3,
    haze: f32,
    sun: Vec3,
    overcast: f32,
    to_sun: Vec3,
    moonlight: f32,
    to_moon: Vec3,
    by_night: f32,
    cloud: Vec3,
    veil: f32,
}

const SHADER: &str = "embedded://lanternfell_sky/shaders/dome.wgsl";

impl Material for DomeMaterial {
    fn vertex_shader() -> ShaderRef {
        SHADER.into()
    }

    fn fragment_shader() -> ShaderRef {
        SHADER.into()
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }

    fn specialize(
        _: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        _: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        // The triangle is in clip space and has no front or back.
        descriptor.primitive.cull_mode = None;
        Ok(())
    }
}

pub(crate) fn plugin(app: &mut App) {
    embedded_asset!(app, "shaders/dome.wgsl");
    app.add_plugins(MaterialPlugin::<DomeMaterial>::default());
}

pub(crate) fn spawn_dome(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<DomeMaterial>>,
    map: Res<CloudMap>,
) {
    let material = DomeMaterial {
        sky: default(),
        map: map.0.clone(),
    };
    commands.spawn((
        SkyDome,
        Mesh3d(meshes.add(whole_view())),
        MeshMaterial3d(materials.add(material)),
        NotShadowCaster,
        NotShadowReceiver,
        NoFrustumCulling,
    ));
}

pub(crate) fn paint_dome(
    drift: Res<CloudDrift>,
    weather: Res<CurrentWeather>,
    ephemeris: Res<Ephemeris>,
    colors: Res<SkyColors>,
    settings: Res<SkySettings>,
    mut domes: Query<(&mut Visibility, &MeshMaterial3d<DomeMaterial>), With<SkyDome>>,
    mut materials: ResMut<Assets<DomeMaterial>>,
) {
    let settings = settings.checked();
    let weather = weather.get();
    let sky = DomeUniform {
        // The dome only draws clouds, so `shade` (for cloud shadows) is unused.
        clouds: CloudUniform::new(*drift, weather.cloud_cover, &settings, 0.0),
        // The inverse of a rotation is its transpose.
        stars_from_world: ephemeris.world_from_stars.transpose(),
        horizon: colors.horizon.to_vec3(),
        glow_exponent: GLOW,
        zenith: colors.zenith.to_vec3(),
        starlight: colors.starlight,
        glow: colors.glow.to_vec3(),
        haze: weather.fog,
        sun: colors.sun.to_vec3(),
        overcast: colors.overcast,
        to_sun: ephemeris.to_sun,
        moonlight: ephemeris.moon_lit,
        to_moon: ephemeris.to_moon,
        by_night: smooth(0.05, -0.18, ephemeris.to_sun.y),
        cloud: colors.cloud.to_vec3(),
        veil: weather.rain,
    };
    for (mut visibility, material) in &mut domes {
        visibility.set_if_neq(if settings.dome {
            Visibility::Inherited
        } else {
            Visibility::Hidden
        });
        // Compare before writing: each write makes Bevy prepare the material again.
        if settings.dome
            && let Some(mut material) = materials.get_mut(&material.0)
            && material.sky != sky
        {
            material.sky = sky;
        }
    }
}
