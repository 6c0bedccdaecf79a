//! Bodies that sleep on a terrain wake when it changes, with both physics engines.
//!
//! Reported: with avian, which does not wake them itself (<https://github.com/avianphysics/avian/issues/654>), a box
//! stayed at 20.5 m after the terrain below it had fallen to 12 m.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use lanternfell_terrain::prelude::*;

use lanternfell_terrain_test_support::terrain::*;

/// A physics engine: its plugins, a box of 1 m, and whether the box sleeps.
struct Engine {
    name: &'static str,
    add: fn(&mut App),
    spawn: fn(&mut World, Vec3) -> Entity,
    sleeps: fn(&World, Entity) -> bool,
}

const ENGINES: [Engine; 2] = [
    Engine {
        name: "avian",
        add: |app| {
            app.add_plugins(avian3d::prelude::PhysicsPlugins::default());
        },
        spawn: |world, at| {
            use avian3d::prelude::*;
            let cube = Collider::cuboid(1.0, 1.0, 1.0);
            let place = Transform::from_translation(at);
            world.spawn((RigidBody::Dynamic, cube, place)).id()
        },
        sleeps: |world, body| world.get::<avian3d::prelude::Sleeping>(body).is_some(),
    },
    Engine {
        name: "rapier",
        add: |app| {
            use bevy_rapier3d::prelude::*;
            app.add_plugins(RapierPhysicsPlugin::<NoUserData>::default());
        },
        spawn: |world, at| {
            use bevy_rapier3d::prelude::*;
            let cube = (Collider::cuboid(0.5, 0.5, 0.5), Sleeping::default());
            let place = Transform::from_translation(at);
            world.spawn((RigidBody::Dynamic, cube, place)).id()
        },
        sleeps: |world, body| {
            let sleeping = world.get::<bevy_rapier3d::prelude::Sleeping>(body);
            sleeping.is_some_and(|sleeping| sleeping.sleeping)
        },
    },
];

/// Around bodies, the distance is smaller than that between the two boxes.
const COLLIDERS: [TerrainCollider; 2] =
    [TerrainCollider::Whole, TerrainCollider::AroundBodies(8.0)];

/// The height of a cell is in meters, with a column of cells every meter.
fn terrain(height: impl Fn(usize) -> f32) -> Terrain {
    const SIDE: usize = 65;
    let relief = 40.0;
    let heights = (0..SIDE * SIDE).map(|cell| height(cell % SIDE) / relief);
    let size = MapSize::new(SIDE as u64, SIDE as u64).unwrap();
    let map = Heightmap::from_heights(size, heights.collect()).unwrap();
    let spacing = 1.0;
    Terrain::new(map).with_scale(Scale { spacing, relief })
}

struct Scene {
    app: App,
    terrain: Entity,
    /// In the west and in the east.
    boxes: [Entity; 2],
    engine: &'static Engine,
    case: String,
}

impl Scene {
    /// Two boxes that sleep at 20.5 m.
    fn new(engine: &'static Engine, collider: TerrainCollider) -> Self {
        let mut app = app_with((TerrainPlugin, engine.add, |app: &mut App| {
            let frame = Duration::from_secs(1) / 60;
            app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
        }));
        let terrain = spawn_ready(&mut app, (terrain(|_| 20.0), collider));
        let places = [-20.25, 20.25].map(|x| Vec3::new(x, 20.5, 0.25));
        let boxes = places.map(|at| (engine.spawn)(app.world_mut(), at));
        let case = format!("{}, {collider:?}", engine.name);
        let mut scene = Self {
            app,
            terrain,
            boxes,
            engine,
            case,
        };
        scene.run(|scene| scene.sleep() == [true, true]);
        for at in scene.heights() {
            assert!((at - 20.5).abs() < 0.05, "{}: {at} m", scene.case);
        }
        scene
    }

    fn sleep(&self) -> [bool; 2] {
        let world = self.app.world();
        self.boxes.map(|body| (self.engine.sleeps)(world, body))
    }

    fn heights(&self) -> [f32; 2] {
        let world = self.app.world();
        self.boxes
            .map(|body| world.get::<Transform>(body).unwrap().translation.y)
    }

    /// Updates the app until `done`, for at most ten seconds of the game.
    #[track_caller]
    fn run(&mut self, done: impl Fn(&Self) -> bool) {
        for _ in 0..600 {
            self.app.update();
            if done(self) {
                return;
            }
        }
        panic!(
            "{}: boxes at {:?} m, asleep: {:?}",
            self.case,
            self.heights(),
            self.sleep()
        );
    }

    fn change(&mut self, height: impl Fn(usize) -> f32) {
        self.app
            .world_mut()
            .entity_mut(self.terrain)
            .insert(terrain(height));
        wait_until_ready(&mut self.app);
    }
}

fn each_scene(test: impl Fn(Scene)) {
    for engine in &ENGINES {
        for collider in COLLIDERS {
            test(Scene::new(engine, collider));
        }
    }
}

#[test]
fn boxes_fall_onto_lower_terrain() {
    each_scene(|mut scene| {
        scene.change(|_| 12.0);
        scene.run(|scene| scene.sleep() == [true, true] && scene.heights()[0] < 19.0);
        for at in scene.heights() {
            assert!((at - 12.5).abs() < 0.05, "{}: {at} m", scene.case);
        }
    });
}

#[test]
fn boxes_fall_when_the_terrain_goes() {
    let ways: [fn(&mut Scene); 3] = [
        |scene| scene.app.world_mut().entity_mut(scene.terrain).despawn(),
        |scene| {
            let mut terrain = scene.app.world_mut().entity_mut(scene.terrain);
            terrain.remove::<Terrain>();
        },
        |scene| {
            let mut terrain = scene.app.world_mut().entity_mut(scene.terrain);
            terrain.remove::<TerrainCollider>();
        },
    ];
    for way in ways {
        each_scene(|mut scene| {
            way(&mut scene);
            scene.run(|scene| scene.heights().iter().all(|&at| at < 10.0));
        });
    }
}

#[test]
fn boxes_fall_when_the_terrain_moves_down() {
    each_scene(|mut scene| {
        let mut place = scene
            .app
            .world_mut()
            .get_mut::<Transform>(scene.terrain)
            .unwrap();
        place.translation.y = -8.0;
        scene.run(|scene| scene.heights().iter().all(|&at| at < 13.0));
        scene.run(|scene| scene.sleep() == [true, true]);
        for at in scene.heights() {
            assert!((at - 12.5).abs() < 0.05, "{}: {at} m", scene.case);
        }
    });
}

/// With rapier, every body on a changed collider wakes.
#[test]
fn box_far_from_the_change_stays_asleep() {
    let mut scene = Scene::new(&ENGINES[0], TerrainCollider::Whole);
    scene.change(|column| if column < 30 { 12.0 } else { 20.0 });
    assert!(!scene.sleep()[0]);
    for _ in 0..60 {
        assert!(scene.sleep()[1]);
        scene.app.update();
    }
    assert!(scene.heights()[0] < 19.0);
}

/// Touching a transform without moving the terrain wakes nobody.
#[test]
fn boxes_on_unchanged_terrain_stay_asleep() {
    for collider in COLLIDERS {
        let mut scene = Scene::new(&ENGINES[0], collider);
        for _ in 0..5 {
            let world = scene.app.world_mut();
            world
                .get_mut::<Transform>(scene.terrain)
                .unwrap()
                .set_changed();
            scene.app.update();
            assert_eq!(scene.sleep(), [true, true], "{}", scene.case);
        }
    }
}

/// Terrain that rises wakes a box on a shelf that it did not touch before, and lifts it.
#[test]
fn terrain_rises_into_sleeping_boxes() {
    let mut scene = Scene::new(&ENGINES[0], TerrainCollider::Whole);
    {
        use avian3d::prelude::*;
        let shelf = (RigidBody::Static, Collider::cuboid(4.0, 1.0, 4.0));
        let [under, _] = scene.boxes;
        let mut at = *scene.app.world().get::<Transform>(under).unwrap();
        at.translation.y = 24.0;
        scene.app.world_mut().spawn((shelf, at));
        at.translation.y = 25.0;
        *scene.app.world_mut().get_mut::<Transform>(under).unwrap() = at;
    }
    scene.run(|scene| !scene.sleep()[0]);
    scene.run(|scene| scene.sleep()[0]);
    assert!((scene.heights()[0] - 25.0).abs() < 0.05);
    scene.change(|_| 24.8);
    assert!(!scene.sleep()[0]);
    scene.run(|scene| scene.heights()[0] > 25.2);
}
