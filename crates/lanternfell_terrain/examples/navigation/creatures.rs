//! Creatures. Each walks to a random destination, then chooses another.

use core::f32::consts::FRAC_PI_2;

use bevy::prelude::*;
use lanternfell_terrain::{heightmap::SeededRng, prelude::*};

use crate::{
    bake::{HEIGHT, RADIUS},
    network::Network,
    trail,
};

/// The number of creatures.
const NUMBER: usize = 20;
/// Meters per second.
const SPEED: f32 = 4.0;
/// Radians per second.
const TURN: f32 = 6.0;
/// The maximum distance in meters of a destination, along each axis.
const FAR: f32 = 90.0;
/// The colors of the creatures.
const COLORS: [[f32; 3]; 4] = [
    [0.85, 0.25, 0.2],
    [0.95, 0.75, 0.2],
    [0.3, 0.4, 0.85],
    [0.9, 0.9, 0.85],
];

pub fn plugin(app: &mut App) {
    app.insert_resource(Chance(SeededRng::new(7, b"wanderer")))
        .add_systems(Startup, load)
        .add_observer(take_away)
        .add_systems(Update, (arrive, choose, walk).chain());
}

/// The random number generator.
#[derive(Resource)]
struct Chance(SeededRng);

impl Chance {
    /// A random point in [-1, 1] on both axes.
    fn square(&mut self) -> Vec2 {
        let mut side = || self.0.between(-1.0, 1.0) as f32;
        Vec2::new(side(), side())
    }
}

/// A walking creature.
#[derive(Component)]
struct Creature {
    /// The position, seen from above.
    at: Vec2,
    /// The corners of the path ahead, in reverse order.
    way: Vec<Vec2>,
    /// The entity that shows the path.
    trail: Entity,
}

/// Meshes and materials of the creatures.
#[derive(Resource)]
struct Look {
    body: Handle<Mesh>,
    nose: Handle<Mesh>,
    skins: [Handle<StandardMaterial>; COLORS.len()],
    trails: [Handle<StandardMaterial>; COLORS.len()],
}

fn load(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mut of_color = |unlit| {
        COLORS.map(|[red, green, blue]| {
            materials.add(StandardMaterial {
                base_color: Color::srgb(red, green, blue),
                unlit,
                ..default()
            })
        })
    };
    let thick = 0.8 * RADIUS;
    commands.insert_resource(Look {
        body: meshes.add(Capsule3d::new(thick, HEIGHT - 2.0 * thick)),
        nose: meshes.add(Cone::new(0.4 * RADIUS, RADIUS)),
        skins: of_color(false),
        trails: of_color(true),
    });
}

/// Despawns the creatures when the terrain has been replaced.
fn take_away(_: On<TerrainReady>, mut commands: Commands, creatures: Query<(Entity, &Creature)>) {
    for (entity, creature) in &creatures {
        commands.entity(creature.trail).despawn();
        commands.entity(entity).despawn();
    }
}

/// Spawns one more creature per frame until there are enough. A random position is used if it is on the navigation
/// mesh.
fn arrive(
    mut commands: Commands,
    mut chance: ResMut<Chance>,
    network: Res<Network>,
    look: Res<Look>,
    creatures: Query<(), With<Creature>>,
    grounds: Query<&TerrainSurface>,
) {
    let number = creatures.iter().count();
    let Ok(ground) = grounds.single() else {
        return;
    };
    let at = chance.square() * ground.surface().half_extent();
    if number == NUMBER || !network.contains(at) {
        return;
    }
    let color = number % COLORS.len();
    let trail = MeshMaterial3d(look.trails[color].clone());
    let trail = commands.spawn((trail, Transform::default())).id();
    let skin = MeshMaterial3d(look.skins[color].clone());
    let nose = Transform::from_xyz(0.0, 0.25 * HEIGHT, -RADIUS)
        .with_rotation(Quat::from_rotation_x(-FRAC_PI_2));
    let (height, way) = (0.5 * HEIGHT, Vec::new());
    commands.spawn((
        Creature { at, way, trail },
        SnapToGround {
            height,
            ..default()
        },
        Transform::from_xyz(at.x, 0.0, at.y),
        Mesh3d(look.body.clone()),
        skin.clone(),
        children![(Mesh3d(look.nose.clone()), skin, nose)],
    ));
}

/// Chooses a random destination for one creature per frame, if it has none. It keeps standing if no path is found.
fn choose(
    mut commands: Commands,
    mut turn: Local<usize>,
    mut chance: ResMut<Chance>,
    mut meshes: ResMut<Assets<Mesh>>,
    network: Res<Network>,
    terrains: TerrainQuery,
    mut creatures: Query<&mut Creature>,
) {
    *turn = (*turn + 1) % NUMBER;
    let Some(mut creature) = creatures.iter_mut().nth(*turn) else {
        return;
    };
    if !creature.way.is_empty() {
        return;
    }
    let to = creature.at + chance.square() * FAR;
    if let Some(mut way) = network.way(creature.at, to) {
        let height = |at: Vec2| terrains.height(Vec3::new(at.x, 0.0, at.y));
        let ribbon = trail::ribbon(creature.at, &way, height);
        let mut trail = commands.entity(creature.trail);
        trail.insert(Mesh3d(meshes.add(ribbon)));
        way.reverse();
        creature.way = way;
    }
}

/// Moves each creature along its path.
fn walk(time: Res<Time>, mut creatures: Query<(&mut Creature, &mut Transform)>) {
    for (mut creature, mut transform) in &mut creatures {
        let mut left = SPEED * time.delta_secs();
        while let Some(&corner) = creature.way.last() {
            let ahead = corner - creature.at;
            if ahead.length() > left {
                let direction = ahead.normalize();
                creature.at += direction * left;
                let facing = Quat::from_rotation_y((-direction.x).atan2(-direction.y));
                let most = TURN * time.delta_secs();
                transform.rotation = transform.rotation.rotate_towards(facing, most);
                break;
            }
            left -= ahead.length();
            creature.at = corner;
            creature.way.pop();
        }
        (transform.translation.x, transform.translation.z) = creature.at.into();
    }
}
