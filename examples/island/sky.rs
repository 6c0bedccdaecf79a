//! The time of day: sun and moon, the dome of the sky with its clouds, and the fog.
//!
//! One set of colors, [`Air`], is worked out from the sun's height and used everywhere:
//! for the dome, for the fog (so that the sea meets the sky without a line), for what the
//! water mirrors, and for the ambient light.

use bevy::{
    asset::embedded_asset,
    camera::visibility::NoFrustumCulling,
    light::{CascadeShadowConfig, CascadeShadowConfigBuilder, NotShadowCaster, NotShadowReceiver},
    math::ops,
    prelude::*,
    render::render_resource::{AsBindGroup, ShaderType},
    shader::ShaderRef,
};
use lanternfell::prelude::*;

use crate::{
    Eye,
    extent::Extent,
    quality::{Level, Quality},
};

/// How narrowly the fog glows around the sun: the exponent of the cosine.
const GLOW: f32 = 7.0;

/// The brightness of the sun at noon in lux, as it suits Bevy's default exposure.
const SUN_LUX: f32 = 11_500.0;

/// The hour, and whether it goes on by itself.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
pub struct TimeOfDay {
    /// From 0 to 24; 12 is noon.
    pub hour: f32,
    /// Whether time passes: an hour in eight seconds.
    pub passes: bool,
}

impl Default for TimeOfDay {
    fn default() -> Self {
        Self {
            hour: 9.5,
            passes: false,
        }
    }
}

/// Hours that pass in a second.
const PACE: f32 = 1.0 / 8.0;

impl TimeOfDay {
    /// Towards the sun. It rises in the east at 6 and stands in the south at 12.
    fn to_sun(self) -> Vec3 {
        let angle = (self.hour - 6.0) * core::f32::consts::PI / 12.0;
        Vec3::new(ops::cos(angle), ops::sin(angle), 0.45).normalize()
    }
}

#[derive(Component)]
struct Sun;

#[derive(Component)]
struct Dome;

pub fn plugin(app: &mut App) {
    embedded_asset!(app, "examples/", "sky.wgsl");
    app.add_plugins(MaterialPlugin::<SkyMaterial>::default())
        .add_systems(Startup, spawn_sky)
        .add_systems(
            Update,
            (
                pass_time,
                show_time.run_if(resource_changed::<TimeOfDay>),
                mirror_sky,
            )
                .chain(),
        )
        .add_systems(
            Update,
            reach.run_if(resource_changed::<Extent>.or_eager(resource_changed::<Quality>)),
        )
        .add_systems(PostUpdate, follow_eye.before(TransformSystems::Propagate));
}

/// The dome's material: unlit, drawn from the inside.
#[derive(Asset, TypePath, AsBindGroup, Debug, Clone, Default)]
pub struct SkyMaterial {
    #[uniform(0)]
    sky: SkyUniform,
}

/// As `Sky` in `sky.wgsl`, which says what each field is.
#[derive(ShaderType, Debug, Clone, Default)]
struct SkyUniform {
    horizon: Vec3,
    glow_exponent: f32,
    zenith: Vec3,
    starlight: f32,
    glow: Vec3,
    sun: Vec3,
    to_sun: Vec3,
    cloud: Vec3,
}

impl Material for SkyMaterial {
    fn fragment_shader() -> ShaderRef {
        "embedded://island/island/sky.wgsl".into()
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }

    fn specialize(
        _pipeline: &bevy::pbr::MaterialPipeline,
        descriptor: &mut bevy::render::render_resource::RenderPipelineDescriptor,
        _layout: &bevy::mesh::MeshVertexBufferLayoutRef,
        _key: bevy::pbr::MaterialPipelineKey<Self>,
    ) -> Result<(), bevy::render::render_resource::SpecializedMeshPipelineError> {
        descriptor.primitive.cull_mode = None;
        Ok(())
    }
}

/// The colors of the air at one height of the sun, linear, as the camera sees them.
struct Air {
    horizon: Vec3,
    zenith: Vec3,
    /// The fog's and the sky's glow around the sun.
    glow: Vec3,
    /// The sunlight on the ground, brightest component about 1.
    sunlight: Vec3,
    cloud: Vec3,
}

impl Air {
    /// Between night, dusk and day. `height` is the sine of the sun's elevation.
    fn at(height: f32) -> Self {
        let day = smooth(-0.02, 0.38, height);
        let night = smooth(0.04, -0.20, height);
        let dusk = 1.0 - day - night;
        let mix = |by_night: [f32; 3], at_dusk: [f32; 3], by_day: [f32; 3]| {
            Vec3::from(by_night) * night + Vec3::from(at_dusk) * dusk + Vec3::from(by_day) * day
        };
        Self {
            horizon: mix(
                [0.030, 0.046, 0.085],
                [0.52, 0.30, 0.20],
                [0.50, 0.68, 0.86],
            ),
            zenith: mix(
                [0.007, 0.013, 0.034],
                [0.085, 0.12, 0.26],
                [0.075, 0.21, 0.52],
            ),
            glow: mix(
                [0.004, 0.006, 0.010],
                [0.62, 0.25, 0.06],
                [0.20, 0.17, 0.11],
            ),
            sunlight: mix([0.10, 0.13, 0.22], [1.0, 0.52, 0.24], [1.0, 0.93, 0.82]),
            cloud: mix([0.030, 0.040, 0.065], [0.95, 0.55, 0.38], [0.98, 0.98, 1.0]),
        }
    }
}

fn smooth(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The fog that the camera begins with; its colors follow the time.
pub fn fog(extent: Extent) -> DistanceFog {
    DistanceFog {
        falloff: FogFalloff::from_visibility_squared(extent.visibility()),
        directional_light_exponent: GLOW,
        ..default()
    }
}

fn spawn_sky(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<SkyMaterial>>,
) {
    commands.spawn((
        Sun,
        DirectionalLight {
            shadow_maps_enabled: true,
            ..default()
        },
        shadows(Extent::default(), Level::Medium),
        Transform::default(),
    ));
    commands.spawn((
        Dome,
        Mesh3d(meshes.add(Sphere::new(1.0).mesh().uv(48, 24))),
        MeshMaterial3d(materials.add(SkyMaterial::default())),
        Transform::default(),
        NotShadowCaster,
        NotShadowReceiver,
        NoFrustumCulling,
    ));
}

fn shadows(extent: Extent, quality: Level) -> CascadeShadowConfig {
    CascadeShadowConfigBuilder {
        num_cascades: quality.cascades(),
        first_cascade_far_bound: 24.0,
        maximum_distance: extent.shadows(),
        ..default()
    }
    .build()
}

/// Dome, fog and shadows reach as far as the ground needs it.
fn reach(
    extent: Res<Extent>,
    quality: Res<Quality>,
    mut dome: Single<&mut Transform, With<Dome>>,
    mut sun: Single<&mut CascadeShadowConfig, With<Sun>>,
    eye: Single<(&mut Projection, &mut DistanceFog), With<Eye>>,
) {
    dome.scale = Vec3::splat(extent.dome());
    **sun = shadows(*extent, quality.level());
    let (mut projection, mut air) = eye.into_inner();
    air.falloff = fog(*extent).falloff;
    if let Projection::Perspective(perspective) = &mut *projection {
        // As far as the dome; only what lies beyond is culled.
        perspective.far = 1.5 * extent.dome();
    }
}

fn pass_time(time: Res<Time>, mut day: ResMut<TimeOfDay>) {
    if day.passes {
        day.hour = (day.hour + time.delta_secs() * PACE) % 24.0;
    }
}

/// Turns the sun, and colors everything by its height.
fn show_time(
    day: Res<TimeOfDay>,
    sun: Single<(&mut Transform, &mut DirectionalLight), With<Sun>>,
    mut fog: Single<&mut DistanceFog, With<Eye>>,
    mut ambient: ResMut<GlobalAmbientLight>,
    mut materials: ResMut<Assets<SkyMaterial>>,
) {
    let to_sun = day.to_sun();
    let air = Air::at(to_sun.y);
    let up = to_sun.y > -0.06;
    // By night the one light is the moon, which stands where the sun stood at noon.
    let (light_from, lux) = if up {
        (to_sun, SUN_LUX * smooth(-0.06, 0.25, to_sun.y))
    } else {
        let moon = Vec3::new(-0.4, 0.8, 0.45).normalize();
        (moon, 0.13 * SUN_LUX * smooth(-0.06, -0.16, to_sun.y))
    };
    let (mut transform, mut light) = sun.into_inner();
    *transform = Transform::default().looking_to(-light_from, Vec3::Y);
    light.color = linear(air.sunlight / air.sunlight.max_element());
    light.illuminance = lux;
    ambient.color = linear(air.horizon.lerp(air.zenith, 0.5) / 0.6);
    ambient.brightness = 820.0;
    fog.color = linear(air.horizon);
    // The fog multiplies its glow with the light that the camera sees; undo that, so that
    // dome and fog glow alike.
    let seen = light.color.to_linear().to_vec3() * lux / exposed_lux();
    fog.directional_light_color = linear(air.glow / seen.max(Vec3::splat(1e-3)));
    for (_, material) in materials.iter_mut() {
        material.sky = SkyUniform {
            horizon: air.horizon,
            glow_exponent: GLOW,
            zenith: air.zenith,
            starlight: smooth(-0.02, -0.18, to_sun.y),
            glow: air.glow,
            sun: air.sunlight * smooth(-0.08, 0.02, to_sun.y),
            to_sun: light_from,
            cloud: air.cloud,
        };
    }
}

/// The lux that Bevy's default exposure shows as 1.
fn exposed_lux() -> f32 {
    1.0 / bevy::camera::Exposure::default().exposure()
}

/// The water mirrors the sky of the hour.
fn mirror_sky(day: Res<TimeOfDay>, extent: Res<Extent>, mut seas: Query<&mut Water>) {
    let air = Air::at(day.to_sun().y);
    for mut water in &mut seas {
        let mirrored = Water {
            horizon: linear(air.horizon),
            zenith: linear(air.zenith),
            extent: extent.sea(),
            ..*water
        };
        water.set_if_neq(mirrored);
    }
}

fn linear(color: Vec3) -> Color {
    Color::linear_rgb(color.x, color.y, color.z)
}

fn follow_eye(
    eye: Single<&Transform, (With<Eye>, Without<Dome>)>,
    mut dome: Single<&mut Transform, With<Dome>>,
) {
    dome.translation = eye.translation;
}
