//! Clouds: where they are, and the shadows that they throw.
//!
//! All clouds are one horizontal sheet, cut out of one small texture that repeats itself ([`crate::cloud_map`]). It is sampled
//! twice: for the shapes, and at a fifth of the size, drifting a little faster, for their rims. So no two clouds look alike,
//! and all of them change. The dome and the shadows sample the same places, so the sun is behind a cloud where its shadow is.
//!
//! # Shadows
//!
//! ```text
//!      shadow map          a pixel of the map is one ray of light; where it meets the sheet
//!     ┌─────────┐          there is cloud or not: so the sheet is a picture that fills the
//!     │▒▒   ▒▒▒▒│          shadow map, in front of all else, with holes. What is half cloud
//!     │▒▒▒    ▒▒│          is a pattern of holes, which the filter of shadows makes even.
//!     └─────────┘
//! ```
//!
//! A shadow map darkens ground of any material, also on WebGL2, and no material has to change for it. The sheet is drawn
//! in the shadow map's own coordinates, since in the world it would have to be endless under a low sun.
//!
//! Whatever gets the sun's shadows gets these, up to where shadows end, without knowing of them. They cost one triangle for
//! each shadow map. Only the sky's light sees it: it is on a layer of its own ([`CLOUD_LAYER`]).

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
    light::{CLOUD_LAYER, SkyLight},
    settings::SkySettings,
    time_of_day::Ephemeris,
    weather::CurrentWeather,
};

/// Metres of sky that the picture of clouds covers until it repeats itself.
pub(crate) const TILE: f32 = 7_000.0;

/// Rims are so many times as small; whole, so that both looks repeat together.
const FINER: f32 = 5.0;

/// How much faster the rims drift than the clouds.
const RIM_DRIFT: f32 = 1.35;

/// How far the clouds have drifted, in pictures, from 0 to 1: shapes in the first two, rims in the others.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq)]
pub(crate) struct CloudDrift(Vec4);

impl CloudDrift {
    fn after(self, seconds: f32, wind: Vec2) -> Self {
        // Wrapped before it grows, since a large float would move in visible steps. Both parts wrap by
        // whole textures, so nothing jumps.
        let way = wind * (seconds / TILE);
        let rims = way * (RIM_DRIFT * FINER);
        let moved = self.0 - Vec4::new(way.x, way.y, rims.x, rims.y);
        Self(moved.map(|part| part.rem_euclid(1.0)))
    }
}

/// As `Clouds` in `clouds.wgsl`.
#[derive(ShaderType, Debug, Default, Clone, Copy, PartialEq)]
pub(crate) struct CloudUniform {
    drift: Vec4,
    cover: f32,
    /// y of the sheet.
    height: f32,
    /// Pictures in a metre.
    scale: f32,
    /// How much of the light a cloud's shadow takes.
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

/// The picture of clouds.
#[derive(Resource)]
pub(crate) struct CloudMap(pub(crate) Handle<Image>);

/// Cuts the sheet of clouds out of shadow maps.
#[derive(Asset, TypePath, AsBindGroup, Debug, Clone)]
pub(crate) struct CloudShadowMaterial {
    #[uniform(0)]
    uniform: CloudShadowUniform,
    #[texture(1)]
    #[sampler(2)]
    map: Handle<Image>,
}

/// As `Shadow` in `cloud_shadow.wgsl`.
#[derive(ShaderType, Debug, Default, Clone, Copy, PartialEq)]
struct CloudShadowUniform {
    clouds: CloudUniform,
    to_light: Vec3,
    /// Metres from the camera at which shadows end.
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

    fn alpha_mode(&self) -> AlphaMode {
        // In shadow maps Bevy runs only fragment shaders that may discard. This one discards the holes.
        AlphaMode::Mask(0.5)
    }

    fn specialize(
        _: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        _: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        // The triangle is in clip space, where front and back mean nothing.
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

/// One triangle that covers a whole view, in the view's own coordinates.
pub(crate) fn whole_view() -> Mesh {
    // In clip space, which it exceeds on two sides. One triangle has no diagonal edge across the view.
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
        // Until `throw_shadows` knows where the light comes from.
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

/// How much of the light clouds take from what is in their shadow: nothing where the sun is low, whose shadows would be
/// endless, or where there is but one cloud.
fn shade(to_light: Vec3, cover: f32, overcast: f32) -> f32 {
    0.85 * (1.0 - overcast) * smooth(0.08, 0.25, to_light.y) * smooth(0.0, 0.04, cover)
}

pub(crate) fn throw_shadows(
    drift: Res<CloudDrift>,
    weather: Res<CurrentWeather>,
    ephemeris: Res<Ephemeris>,
    colors: Res<SkyColors>,
    settings: Res<SkySettings>,
    lights: Query<(&Transform, &CascadeShadowConfig), With<SkyLight>>,
    mut sheets: Query<(&mut Visibility, &MeshMaterial3d<CloudShadowMaterial>), With<CloudSheet>>,
    mut materials: ResMut<Assets<CloudShadowMaterial>>,
) {
    let settings = settings.checked();
    let cover = weather.get().cover;
    for (mut visibility, material) in &mut sheets {
        let light = lights.iter().next();
        let Some((light, cascades)) = light.filter(|_| settings.cloud_shadows) else {
            visibility.set_if_neq(Visibility::Hidden);
            continue;
        };
        let to_light: Vec3 = light.back().into();
        // By night little light is taken from what is dark anyway.
        let shade = shade(to_light, cover, colors.overcast) * smooth(0.0, 0.2, ephemeris.to_sun.y);
        visibility.set_if_neq(if shade > 0.01 {
            Visibility::Visible
        } else {
            Visibility::Hidden
        });
        // A change of the material is a change of its bind group, so it is compared first.
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

    #[test]
    fn clouds_drift_with_the_wind_and_never_leave_the_picture() {
        let mut drift = CloudDrift::default();
        for _ in 0..10_000 {
            drift = drift.after(1.0, Vec2::new(20.0, -7.0));
            assert!(drift.0.min_element() >= 0.0 && drift.0.max_element() <= 1.0);
        }
        let step = CloudDrift(Vec4::splat(0.5)).after(1.0, Vec2::X * 70.0).0;
        assert!((step.x - 0.49).abs() < 1e-6 && step.y == 0.5 && step.z < step.x);
    }

    #[test]
    fn neither_a_low_sun_nor_one_cloud_throws_shadows() {
        assert_eq!(shade(Vec3::new(1.0, 0.05, 0.0), 0.4, 0.0), 0.0);
        assert_eq!(shade(Vec3::Y, 1.0, 1.0), 0.0);
        assert!(shade(Vec3::Y, 0.4, 0.0) > 0.5);
    }
}
