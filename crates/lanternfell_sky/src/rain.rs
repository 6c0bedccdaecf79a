//! Rain: one mesh of streaks that the vertex shader places around each view.
//!
//! Each streak has a position in a box that repeats in all directions. The box falls, and each view shows the copy of
//! each streak that is nearest to it. Drops therefore do not move with the camera, and the CPU does no work per drop.

use bevy::{
    asset::embedded_asset,
    camera::visibility::NoFrustumCulling,
    light::{NotShadowCaster, NotShadowReceiver},
    mesh::{Indices, MeshVertexBufferLayoutRef, PrimitiveTopology},
    pbr::{MaterialPipeline, MaterialPipelineKey},
    prelude::*,
    render::render_resource::{
        AsBindGroup, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError,
    },
    shader::ShaderRef,
};

use crate::{
    colors::SkyColors, light::Shine, settings::SkySettings, time_of_day::Ephemeris,
    weather::CurrentWeather,
};

/// Streaks per box in the heaviest rain.
const STREAKS: u32 = 4000;

/// Size of the box in meters. Must match `rain.wgsl`.
const BOX: Vec3 = Vec3::new(24.0, 18.0, 24.0);

/// Fall speed in m/s (Gunn and Kinzer 1949, for drops of 3 mm).
const SPEED: f32 = 8.0;

/// How far the box has fallen, in box sizes, from 0 to 1.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq)]
pub(crate) struct Fallen(Vec3);

impl Fallen {
    fn after(self, seconds: f32, velocity: Vec3) -> Self {
        Self((self.0 + velocity * seconds / BOX).map(|part| part.rem_euclid(1.0)))
    }
}

fn velocity(wind: Vec2) -> Vec3 {
    // The wind is weaker near the ground than at cloud height.
    (0.35 * wind).extend(-SPEED).xzy()
}

#[derive(Asset, TypePath, AsBindGroup, Debug, Clone)]
pub(crate) struct RainMaterial {
    #[uniform(0)]
    rain: RainUniform,
}

/// Matches `Rain` in `rain.wgsl`.
#[derive(ShaderType, Debug, Default, Clone, Copy, PartialEq)]
struct RainUniform {
    fallen: Vec3,
    /// Fraction of the streaks that is drawn.
    share: f32,
    velocity: Vec3,
    opacity: f32,
    color: Vec3,
    floor: f32,
}

const SHADER: &str = "embedded://lanternfell_sky/shaders/rain.wgsl";

impl Material for RainMaterial {
    fn vertex_shader() -> ShaderRef {
        SHADER.into()
    }

    fn fragment_shader() -> ShaderRef {
        SHADER.into()
    }

    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Blend
    }

    /// Draws rain after all other transparent meshes, because it surrounds the camera.
    fn depth_bias(&self) -> f32 {
        1e7
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
        descriptor.primitive.cull_mode = None;
        Ok(())
    }
}

#[derive(Component)]
pub(crate) struct RainStreaks;

pub(crate) fn plugin(app: &mut App) {
    embedded_asset!(app, "shaders/rain.wgsl");
    app.add_plugins(MaterialPlugin::<RainMaterial>::default())
        .init_resource::<Fallen>();
}

/// Builds the mesh: four vertices per streak. Each has the streak's position in the box as its position, and the corner
/// index and the streak's number (0 to 1) as UV.
fn streaks() -> Mesh {
    // Martin Roberts's R3 low-discrepancy sequence: powers of the root of x^4 = x + 1.
    const STEP: Vec3 = Vec3::new(0.819_172_5, 0.671_043_6, 0.549_700_5);
    // Every prefix of the sequence is evenly distributed, so light rain draws only the first streaks.
    let (mut places, mut corners, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for streak in 0..STREAKS {
        let place = (STEP * streak as f32).fract().to_array();
        let number = streak as f32 / STREAKS as f32;
        for corner in [0.0, 1.0, 2.0, 3.0] {
            places.push(place);
            corners.push([corner, number]);
        }
        triangles.extend([0, 1, 2, 2, 1, 3].map(|corner| 4 * streak + corner));
    }
    Mesh::new(PrimitiveTopology::TriangleList, default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, places)
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, corners)
        .with_inserted_indices(Indices::U32(triangles))
}

pub(crate) fn spawn_rain(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<RainMaterial>>,
) {
    commands.spawn((
        RainStreaks,
        Mesh3d(meshes.add(streaks())),
        MeshMaterial3d(materials.add(RainMaterial { rain: default() })),
        Visibility::Hidden,
        NotShadowCaster,
        NotShadowReceiver,
        NoFrustumCulling,
    ));
}

pub(crate) fn rain(
    time: Res<Time>,
    weather: Res<CurrentWeather>,
    ephemeris: Res<Ephemeris>,
    colors: Res<SkyColors>,
    settings: Res<SkySettings>,
    mut fallen: ResMut<Fallen>,
    mut rains: Query<(&mut Visibility, &MeshMaterial3d<RainMaterial>), With<RainStreaks>>,
    mut materials: ResMut<Assets<RainMaterial>>,
) {
    let weather = weather.get();
    let falls = settings.rain && weather.rain > 0.0;
    let velocity = velocity(weather.wind);
    // While rain is hidden, it does not need to fall.
    if falls {
        *fallen = fallen.after(time.delta_secs(), velocity);
    }
    let shine = Shine::at(&ephemeris, &colors, &weather);
    let rain = RainUniform {
        fallen: fallen.0,
        share: weather.rain,
        velocity,
        opacity: 0.20 + 0.22 * weather.rain,
        // Drops refract the light of the horizon and a little of the sun's.
        color: colors.horizon.to_vec3() * 1.4 + shine.color.to_vec3() * (shine.lux * 6e-6),
        floor: settings.checked().rain_floor,
    };
    for (mut visibility, material) in &mut rains {
        visibility.set_if_neq(if falls {
            Visibility::Inherited
        } else {
            Visibility::Hidden
        });
        if falls && let Some(mut material) = materials.get_mut(&material.0) {
            material.rain = rain;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rain_falls_with_the_wind_and_wraps() {
        let mut fallen = Fallen::default();
        for _ in 0..1000 {
            fallen = fallen.after(0.1, velocity(Vec2::new(15.0, -3.0)));
            assert!(fallen.0.min_element() >= 0.0 && fallen.0.max_element() <= 1.0);
        }
        assert!(
            Fallen(Vec3::splat(0.5))
                .after(0.1, velocity(Vec2::ZERO))
                .0
                .y
                < 0.5
        );
    }

    #[test]
    fn streaks_fill_the_box_evenly() {
        let mesh = streaks();
        let places = mesh
            .attribute(Mesh::ATTRIBUTE_POSITION)
            .unwrap()
            .as_float3()
            .unwrap();
        let mut eighths = [0; 8];
        for place in places {
            let eighth = place.map(|part| usize::from(part >= 0.5));
            eighths[eighth[0] * 4 + eighth[1] * 2 + eighth[2]] += 1;
        }
        let fair = 4 * STREAKS / 8;
        assert!(
            eighths
                .into_iter()
                .all(|count| count > fair * 9 / 10 && count < fair * 11 / 10)
        );
    }
}
