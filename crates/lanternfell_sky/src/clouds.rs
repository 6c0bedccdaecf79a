//! The cloud layer and the shadows that it casts.
//!
//! All clouds are one horizontal layer, cut out of a small tiling texture ([`crate::cloud_map`]). The shaders sample it
//! twice: once for the shapes, and once at a fifth of the size, drifting a little faster, for the edges. This hides the
//! tiling and makes the clouds change over time. The dome and the shadows sample the same positions, so where a cloud's
//! shadow falls, that cloud covers the sun.
//!
//! # Shadows
//!
//! ```text
//!      shadow map          Each pixel of the shadow map is one ray of light, which hits cloud or clear
//!     ┌─────────┐          sky in the layer. So the layer is a triangle that covers the whole shadow
//!     │▒▒   ▒▒▒▒│          map, in front of all other casters, and discards the clear pixels.
//!     │▒▒▒    ▒▒│          Partly transparent cloud is dithered; the shadow filter smooths the pattern.
//!     └─────────┘
//! ```
//!
//! Because the clouds are in the shadow maps, they darken any material without changing it, also on WebGL2. The layer
//! is drawn in the clip space of the shadow map, because a mesh in the world would have to be endless under a low sun.
//!
//! Everything that receives the sun's shadows receives cloud shadows, up to the shadow distance. Cost: one full-map
//! triangle per shadow cascade. Only the sky's light draws the layer, which has its own render layer ([`CLOUD_LAYER`]).

use bevy::{
    asset::embedded_asset,
    camera::visibility::{NoFrustumCulling, RenderLayers},
    light::{CascadeShadowConfig, NotShadowReceiver},
    mesh::{MeshVertexBufferLayoutRef, PrimitiveTopology},
    pbr::{MaterialPipeline, MaterialPipelineKey},
    prelude::*,
    render::render_resource::{
        AsBindGroup, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError,
    },
    shader::{ShaderRef, load_shader_library},
};

use crate::{
    cloud_map::cloud_map,
    colors::{SkyColors, smooth},
    light::{CLOUD_LAYER, CelestialLight},
    settings::SkySettings,
    time_of_day::Ephemeris,
    weather::CurrentWeather,
};

/// Width of one tile of the cloud texture in the sky, in meters.
pub(crate) const TILE: f32 = 7_000.0;

/// The edges are sampled at `1 / FINER` of the size. A whole number, so that both samples tile together.
const FINER: f32 = 5.0;

/// Drift speed of the edges relative to that of the shapes.
const RIM_DRIFT: f32 = 1.35;

/// Drift of the clouds in texture coordinates, from 0 to 1: xy for the shapes, zw for the edges.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq)]
pub(crate) struct CloudDrift(Vec4);

impl CloudDrift {
    fn after(self, seconds: f32, wind: Vec2) -> Self {
        // Wrap each frame: a large float would move in visible steps. Texture coordinates repeat with period 1, so
        // wrapping is invisible.
        let way = wind * (seconds / TILE);
        let rims = way * (RIM_DRIFT * FINER);
        let moved = self.0 - Vec4::new(way.x, way.y, rims.x, rims.y);
        Self(moved.map(|part| part.rem_euclid(1.0)))
    }
}

/// Matches `Clouds` in `clouds.wgsl`.
#[derive(ShaderType, Debug, Default, Clone, Copy, PartialEq)]
pub(crate) struct CloudUniform {
    drift: Vec4,
    cover: f32,
    /// Height (y) of the layer in meters.
    height: f32,
    /// Texture tiles per meter.
    scale: f32,
    /// Fraction of the light that a cloud's shadow removes.
    shade: f32,
}

impl CloudUniform {
    pub(crate) fn new(drift: CloudDrift, cover: f32, settings: &SkySettings, shade: f32) -> Self {
        Self {
            drift: drift.0,
            cover,
            height: settings.ground + settings.cloud_height,
            scale: 1.0 / TILE,
            shade,
        }
    }
}

/// The cloud texture.
#[derive(Resource)]
pub(crate) struct CloudMap(pub(crate) Handle<Image>);

/// Material that draws the cloud layer into shadow maps.
#[derive(Asset, TypePath, AsBindGroup, Debug, Clone)]
pub(crate) struct CloudShadowMaterial {
    #[uniform(0)]
    uniform: CloudShadowUniform,
    #[texture(1)]
    #[sampler(2)]
    map: Handle<Image>,
}

/// Matches `Shadow` in `cloud_shadow.wgsl`.
#[derive(ShaderType, Debug, Default, Clone, Copy, PartialEq)]
struct CloudShadowUniform {
    clouds: CloudUniform,
    to_light: Vec3,
    /// Shadow distance from the camera, in meters.
    end: f32,
}

const SHADER: &str = "embedded://lanternfell_sky/shaders/cloud_shadow.wgsl";

impl Material for CloudShadowMaterial {
    fn vertex_shader() -> ShaderRef {
        SHADER.into()
    }

    fn fragment_shader() -> ShaderRef {
        SHADER.into()
    }

    fn prepass_vertex_shader() -> ShaderRef {
        SHADER.into()
    }

    fn prepass_fragment_shader() -> ShaderRef {
        SHADER.into()
    }

    // Only for shadows. The triangle has no normals, which a normal prepass expects.
    fn enable_prepass() -> bool {
        false
    }

    fn alpha_mode(&self) -> AlphaMode {
        // Bevy runs the fragment shader in shadow passes only for materials that may discard. This one discards clear
        // sky.
        AlphaMode::Mask(0.5)
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

#[derive(Component)]
pub(crate) struct CloudSheet;

pub(crate) fn plugin(app: &mut App) {
    load_shader_library!(app, "shaders/clouds.wgsl");
    embedded_asset!(app, "shaders/cloud_shadow.wgsl");
    app.add_plugins(MaterialPlugin::<CloudShadowMaterial>::default());
    let map = app
        .world_mut()
        .resource_mut::<Assets<Image>>()
        .add(cloud_map());
    app.insert_resource(CloudMap(map));
}

/// A triangle in clip space that covers the whole view.
pub(crate) fn whole_view() -> Mesh {
    // It extends beyond the view on two sides. Unlike a quad, a triangle has no diagonal edge across the view.
    let corners = vec![[-1.0, -1.0, 0.0], [3.0, -1.0, 0.0], [-1.0, 3.0, 0.0]];
    Mesh::new(PrimitiveTopology::TriangleList, default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners)
}

pub(crate) fn spawn_sheet(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<CloudShadowMaterial>>,
    map: Res<CloudMap>,
) {
    let material = CloudShadowMaterial {
        uniform: default(),
        map: map.0.clone(),
    };
    commands.spawn((
        CloudSheet,
        Mesh3d(meshes.add(whole_view())),
        MeshMaterial3d(materials.add(material)),
        // Hidden until `throw_shadows` knows the direction of the light.
        Visibility::Hidden,
        RenderLayers::layer(CLOUD_LAYER),
        NoFrustumCulling,
        NotShadowReceiver,
    ));
}

pub(crate) fn drift(time: Res<Time>, weather: Res<CurrentWeather>, mut drift: ResMut<CloudDrift>) {
    let next = drift.after(time.delta_secs(), weather.get().wind);
    drift.set_if_neq(next);
}

/// Fraction of the light that cloud shadows remove.
///
/// 0 under a low sun, whose shadows would be endless, and under a closed cover, which casts no distinct shadows.
fn shade(to_light: Vec3, cover: f32, overcast: f32) -> f32 {
    0.85 * (1.0 - overcast) * smooth(0.08, 0.25, to_light.y) * smooth(0.0, 0.04, cover)
}

pub(crate) fn throw_shadows(
    drift: Res<CloudDrift>,
    weather: Res<CurrentWeather>,
    ephemeris: Res<Ephemeris>,
    colors: Res<SkyColors>,
    settings: Res<SkySettings>,
    lights: Query<(&Transform, &CascadeShadowConfig), With<CelestialLight>>,
    mut sheets: Query<(&mut Visibility, &MeshMaterial3d<CloudShadowMaterial>), With<CloudSheet>>,
    mut materials: ResMut<Assets<CloudShadowMaterial>>,
) {
    let settings = settings.checked();
    let cover = weather.get().cloud_cover;
    for (mut visibility, material) in &mut sheets {
        let light = lights.iter().next();
        let Some((light, cascades)) = light.filter(|_| settings.cloud_shadows) else {
            visibility.set_if_neq(Visibility::Hidden);
            continue;
        };
        let to_light: Vec3 = light.back().into();
        // Fade out at night: the moonlight is weak anyway.
        let shade = shade(to_light, cover, colors.overcast) * smooth(0.0, 0.2, ephemeris.to_sun.y);
        visibility.set_if_neq(if shade > 0.01 {
            Visibility::Visible
        } else {
            Visibility::Hidden
        });
        // Compare before writing: each write makes Bevy rebuild the bind group.
        let uniform = CloudShadowUniform {
            clouds: CloudUniform::new(*drift, cover, &settings, shade),
            to_light,
            end: cascades.bounds.last().copied().unwrap_or(0.0),
        };
        if shade > 0.01
            && let Some(mut material) = materials.get_mut(&material.0)
            && material.uniform != uniform
        {
            material.uniform = uniform;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reported: with a `NormalPrepass`, Bevy logged that the sky has no vertex normals.
    #[test]
    fn sheet_is_in_no_prepass_but_casts_shadows() {
        assert!(!CloudShadowMaterial::enable_prepass());
        assert!(CloudShadowMaterial::enable_shadows());
    }

    #[test]
    fn clouds_drift_with_the_wind_and_wrap() {
        let mut drift = CloudDrift::default();
        for _ in 0..10_000 {
            drift = drift.after(1.0, Vec2::new(20.0, -7.0));
            assert!(drift.0.min_element() >= 0.0 && drift.0.max_element() <= 1.0);
        }
        let step = CloudDrift(Vec4::splat(0.5)).after(1.0, Vec2::X * 70.0).0;
        assert!((step.x - 0.49).abs() < 1e-6 && step.y == 0.5 && step.z < step.x);
    }

    #[test]
    fn low_sun_and_closed_cover_cast_no_cloud_shadows() {
        assert_eq!(shade(Vec3::new(1.0, 0.05, 0.0), 0.4, 0.0), 0.0);
        assert_eq!(shade(Vec3::Y, 1.0, 1.0), 0.0);
        assert!(shade(Vec3::Y, 0.4, 0.0) > 0.5);
    }
}
