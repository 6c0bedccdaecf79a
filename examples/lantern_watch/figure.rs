//! The bodies of the player and the guard. A body is as bright as the torchlight at its position.

use std::f32::consts::FRAC_1_PI;

use bevy::prelude::*;
use lanternfell::prelude::*;

/// The base color and the material of a body.
#[derive(Component)]
pub struct Figure {
    color: Color,
    look: Handle<StandardMaterial>,
}

/// Spawns a body with its feet at `place`. `SnapToGround` keeps it on the terrain.
pub fn spawn_figure(
    commands: &mut Commands,
    meshes: &mut Assets<Mesh>,
    materials: &mut Assets<StandardMaterial>,
    color: Color,
    place: Transform,
) -> Entity {
    let look = materials.add(StandardMaterial {
        base_color: color,
        perceptual_roughness: 0.95,
        emissive_exposure_weight: 1.0,
        ..default()
    });
    let (cloak, head) = (Cone::new(0.42, 1.5), Sphere::new(0.2));
    let part = |mesh: Handle<Mesh>, y: f32| {
        let look = MeshMaterial3d(look.clone());
        (Mesh3d(mesh), look, Transform::from_xyz(0.0, y, 0.0))
    };
    let parts = children![part(meshes.add(cloak), 0.75), part(meshes.add(head), 1.58),];
    let figure = Figure {
        color,
        look: look.clone(),
    };
    let stands = (place, Visibility::default(), SnapToGround::default());
    commands
        .spawn((figure, stands, LightLevel::default(), parts))
        .id()
}

/// Illuminance of a body in full light, in lux. It is lower than on the terrain, because the light level has no
/// direction and a body does not face the light everywhere.
const FULL_LIGHT: f32 = 1500.0;

/// Shows the light level of each body as emission: color × light × illuminance / π.
pub fn show_light(
    figures: Query<(&Figure, &LightLevel), Changed<LightLevel>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    for (figure, level) in &figures {
        let Some(mut look) = materials.get_mut(&figure.look) else {
            continue;
        };
        let color = figure.color.to_linear().to_vec3();
        let shines = color * level.light * (FULL_LIGHT * FRAC_1_PI);
        look.emissive = LinearRgba::from_vec3(shines);
    }
}

/// A flame in the hand of a figure. Spawn it as a child of the figure.
pub fn flame(
    meshes: &mut Assets<Mesh>,
    materials: &mut Assets<StandardMaterial>,
    strength: f32,
) -> impl Bundle {
    let look = materials.add(StandardMaterial {
        base_color: Color::BLACK,
        emissive: LinearRgba::rgb(4.0, 2.0, 0.6),
        ..default()
    });
    (
        LightSource::new(Color::srgb(1.0, 0.74, 0.42)).with_strength(strength),
        Flicker::torch(3),
        Mesh3d(meshes.add(Sphere::new(0.11))),
        MeshMaterial3d(look),
        Transform::from_xyz(0.45, 1.25, -0.35),
    )
}

/// Turns and moves a figure towards `to`, for `seconds` at `speed` meters per second.
///
/// Returns whether the figure was within half a meter of `to` before this step.
pub fn go(transform: &mut Transform, to: Vec3, speed: f32, seconds: f32) -> bool {
    let way = (to - transform.translation).with_y(0.0);
    let Ok(ahead) = Dir3::new(way) else {
        return true;
    };
    let turned = transform.looking_to(ahead, Vec3::Y).rotation;
    let part = 1.0 - (-4.0 * seconds).exp();
    transform.rotation = transform.rotation.slerp(turned, part);
    transform.translation += ahead * (speed * seconds).min(way.length());
    way.length() < 0.5
}
