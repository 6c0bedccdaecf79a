//! The terrain follows roads, platforms and stamps, and is restored when they are removed.

use bevy::prelude::*;
use lanternfell_terrain::{
    StampSource, TerrainPath, TerrainPlatform, TerrainStamp,
    edits::{Earthwork, PathHeights, Pavement, StampBlend, StampImage},
    heightmap::SeededRng,
    prelude::*,
};

use lanternfell_terrain_test_support::terrain::*;

use crate::edit_updates::{Parts, any_stroke, terrain};

/// Waits until the terrain shows everything.
fn settle(app: &mut App) {
    app.update();
    update_until(app, |app| count::<With<TerrainProgress>>(app) == 0);
    app.update();
    assert_eq!(count::<With<TerrainProgress>>(app), 0);
}

fn spawn(app: &mut App, terrain: Entity, modifier: impl Bundle) -> Entity {
    let spawned = app.world_mut().spawn((modifier, ChildOf(terrain))).id();
    settle(app);
    spawned
}

fn height(app: &App, terrain: Entity, x: f32, z: f32) -> f32 {
    let ground = ground(app, terrain);
    ground.surface().height(Vec2::new(x, z)).unwrap()
}

fn at(x: f32, y: f32, z: f32) -> Transform {
    Transform::from_xyz(x, y, z)
}

fn road() -> TerrainPath {
    let line = [[-250.0, 40.0], [0.0, -60.0], [260.0, 50.0]];
    TerrainPath {
        pavement: Pavement {
            layer: Some(3),
            ..default()
        },
        ..TerrainPath::new(10.0, line.map(|[x, z]| Vec3::new(x, 0.0, z)))
    }
}

#[test]
fn platforms_follow_their_transform_and_restore_the_terrain() {
    let mut app = app();
    let entity = spawn_ready(&mut app, terrain());
    let before = ground(&app, entity).clone();
    let platform = TerrainPlatform {
        size: Vec2::new(40.0, 20.0),
        ..default()
    };
    let platform = spawn(&mut app, entity, (platform, at(50.0, 12.5, 0.0)));
    // It is 20 m along z, and not 40.
    for [x, z] in [[50.0, 0.0], [69.0, 0.0], [31.0, 9.0]] {
        assert_eq!(height(&app, entity, x, z), 12.5);
    }
    let changed = ground(&app, entity).changes_since(&before);
    assert!(changed.is_some_and(|areas| !areas.is_empty()));
    let turned = Transform {
        rotation: Quat::from_rotation_y(std::f32::consts::FRAC_PI_2),
        ..at(-80.0, 9.0, 20.0)
    };
    *app.world_mut().get_mut(platform).unwrap() = turned;
    settle(&mut app);
    for [x, z] in [[-80.0, 20.0], [-71.0, 39.0]] {
        assert_eq!(height(&app, entity, x, z), 9.0);
    }
    let old = before.surface().height(Vec2::new(50.0, 0.0));
    assert_eq!(height(&app, entity, 50.0, 0.0), old.unwrap());
    app.world_mut().despawn(platform);
    settle(&mut app);
    assert!(same_bits(ground(&app, entity).map(), before.map()));
    assert_eq!(
        ground(&app, entity).changes_since(&before),
        Some(Vec::new())
    );
}

/// After each change only a part of the terrain is updated, as for strokes.
#[test]
fn moved_modifiers_equal_fresh_ones() {
    let mut app = app();
    for seed in 0..4 {
        let mut rng = SeededRng::new(seed, b"movable ");
        let entity = spawn_ready(&mut app, (terrain(), TerrainEdits::default()));
        let mut modifiers: Vec<Entity> = Vec::new();
        for _ in 0..7 {
            let mut number = |most: i32| rng.within(-most, most) as f32;
            let place = Transform {
                rotation: Quat::from_rotation_y(number(3)),
                ..at(number(300), number(10) + 15.0, number(180))
            };
            let image = StampImage::new(2, [0, 9000, -7000, 4000]).unwrap();
            let world = app.world_mut();
            let child = ChildOf(entity);
            match rng.below(6) {
                0 => modifiers.push(world.spawn((road(), place, child)).id()),
                1 => modifiers.push(world.spawn((TerrainPlatform::default(), place, child)).id()),
                2 => modifiers.push(world.spawn((TerrainStamp::new(image), place, child)).id()),
                3 if modifiers.len() > 1 => {
                    world.despawn(modifiers.remove(0));
                }
                4 if !modifiers.is_empty() => {
                    *world.get_mut(modifiers[0]).unwrap() = place;
                }
                _ => {
                    let stroke = any_stroke(&mut rng);
                    let mut edits = world.get_mut::<TerrainEdits>(entity).unwrap();
                    edits.stroke(1, stroke).unwrap();
                }
            }
            settle(&mut app);
        }
        wait_until_settled(&mut app);
        let world = app.world_mut();
        let log = world.get::<TerrainEdits>(entity).unwrap().clone();
        let fresh = world.spawn((terrain(), log)).id();
        for modifier in modifiers {
            let copy = world.entity_mut(modifier).clone_and_spawn();
            world.entity_mut(copy).insert(ChildOf(fresh));
        }
        settle(&mut app);
        wait_until_settled(&mut app);
        let [updated, expected] = [entity, fresh].map(|entity| Parts::of(&mut app, entity));
        updated.assert_equal(&expected);
        for entity in [entity, fresh] {
            app.world_mut().despawn(entity);
        }
    }
}

#[test]
fn roads_meet_where_they_cross() {
    let mut app = app();
    let entity = spawn_ready(&mut app, terrain());
    spawn(&mut app, entity, road());
    let first = height(&app, entity, 0.0, -60.0);
    let line = [
        Vec3::new(10.0, 0.0, -190.0),
        Vec3::new(0.0, 0.0, -60.0),
        Vec3::new(0.0, 0.0, 150.0),
    ];
    spawn(&mut app, entity, TerrainPath::new(6.0, line));
    assert!((height(&app, entity, 0.0, -60.0) - first).abs() < 0.05);
    // A platform below both moves them too, if it comes before them.
    let platform = (TerrainPlatform::default(), at(0.0, first + 3.0, -60.0));
    let platform = spawn(&mut app, entity, platform);
    app.world_mut().entity_mut(entity).insert_child(0, platform);
    settle(&mut app);
    assert!((height(&app, entity, 0.0, -60.0) - first - 3.0).abs() < 0.05);
}

#[test]
fn new_terrain_has_its_modifiers() {
    let mut app = app();
    let platform = (TerrainPlatform::default(), at(-20.0, 30.0, 10.0));
    let entity = spawn_ready(&mut app, (terrain(), children![platform]));
    assert_eq!(height(&app, entity, -20.0, 10.0), 30.0);
    assert_eq!(count::<With<TerrainProgress>>(&mut app), 0);
    // On the map of another source too.
    app.world_mut().get_mut::<Terrain>(entity).unwrap().source = hills(300, 200, 8).into();
    settle(&mut app);
    assert_eq!(height(&app, entity, -20.0, 10.0), 30.0);
    // And if the edits are removed.
    app.world_mut().entity_mut(entity).remove::<TerrainEdits>();
    settle(&mut app);
    settle(&mut app);
    assert_eq!(height(&app, entity, -20.0, 10.0), 30.0);
}

#[test]
fn removed_and_moved_children_leave_their_terrain() {
    let mut app = app();
    let [one, other] = [(); 2].map(|()| spawn_ready(&mut app, terrain()));
    let before = height(&app, one, 0.0, 0.0);
    let platform = spawn(
        &mut app,
        one,
        (TerrainPlatform::default(), at(0.0, 33.0, 0.0)),
    );
    let heights = |app: &App| [one, other].map(|terrain| height(app, terrain, 0.0, 0.0));
    assert_eq!(heights(&app), [33.0, before]);
    app.world_mut().entity_mut(platform).insert(ChildOf(other));
    settle(&mut app);
    assert_eq!(heights(&app), [before, 33.0]);
    app.world_mut()
        .entity_mut(platform)
        .remove::<TerrainPlatform>();
    settle(&mut app);
    assert_eq!(heights(&app), [before; 2]);
    app.world_mut()
        .entity_mut(platform)
        .insert(TerrainPlatform::default());
    settle(&mut app);
    app.world_mut().entity_mut(platform).remove::<ChildOf>();
    settle(&mut app);
    assert_eq!(heights(&app), [before; 2]);
}

#[test]
fn stamps_of_recipes_are_generated() {
    let mut app = app();
    let entity = spawn_ready(&mut app, terrain());
    let size = MapSize::new(64, 64).unwrap();
    let recipe = Recipe::new(
        size,
        3,
        Hills {
            island: true,
            ..default()
        },
    );
    let expected = recipe.generate(&Progress::default()).unwrap();
    let highest = expected.heights().iter().copied().fold(0.0, f32::max) * recipe.scale().relief;
    let stamp = TerrainStamp {
        source: StampSource::from(recipe),
        size: Vec2::splat(126.0),
        blend: StampBlend::Replace,
        fade: 0.0,
        ..default()
    };
    let stamp = spawn(&mut app, entity, (stamp, at(0.0, 50.0, 0.0)));
    let points =
        (-31..=31).flat_map(|z| (-31..=31).map(move |x| [x, z].map(|along| along as f32 * 2.0)));
    let top = points
        .map(|[x, z]| height(&app, entity, x, z))
        .fold(0.0, f32::max);
    assert!((top - 50.0 - highest).abs() < 0.1, "{top} {highest}");
    let before = height(&app, entity, 190.0, 0.0);
    app.world_mut()
        .get_mut::<Transform>(stamp)
        .unwrap()
        .translation
        .x = 190.0;
    settle(&mut app);
    assert_ne!(height(&app, entity, 190.0, 0.0), before);
    // A recipe that needs an image has no effect.
    let image = Operation::Image {
        name: "none.png".into(),
    };
    let no_image = Recipe::beginning_with(size, 1, "image", image);
    app.world_mut()
        .get_mut::<TerrainStamp>(stamp)
        .unwrap()
        .source = no_image.into();
    settle(&mut app);
    assert_eq!(height(&app, entity, 190.0, 0.0), before);
}

#[test]
fn invalid_modifiers_have_no_effect() {
    let mut app = app();
    let entity = spawn_ready(&mut app, terrain());
    let before = ground(&app, entity).clone();
    spawn(
        &mut app,
        entity,
        TerrainPath::new(-4.0, [Vec3::ZERO, Vec3::X]),
    );
    spawn(&mut app, entity, TerrainPath::default());
    spawn(
        &mut app,
        entity,
        (TerrainPlatform::default(), at(f32::NAN, 0.0, 0.0)),
    );
    let large = Recipe::new(MapSize::new(600, 20).unwrap(), 3, Hills::default());
    spawn(&mut app, entity, TerrainStamp::new(large));
    assert!(same_bits(ground(&app, entity).map(), before.map()));
    // Valid ones next to them have.
    spawn(
        &mut app,
        entity,
        (TerrainPlatform::default(), at(0.0, 33.0, 0.0)),
    );
    assert_eq!(height(&app, entity, 0.0, 0.0), 33.0);
}

#[test]
fn river_beds_are_cut_below_the_terrain() {
    let mut app = app();
    let entity = spawn_ready(&mut app, terrain());
    let before = ground(&app, entity).clone();
    let bed = TerrainPath {
        earthwork: Earthwork::Cut,
        heights: PathHeights::Terrain { max_grade: 1.0 },
        offset: -3.0,
        ..road()
    };
    spawn(&mut app, entity, bed);
    let after = ground(&app, entity);
    let mut lower = 0;
    for point in points_over(after, 5, 5000) {
        let heights = [after, &before].map(|ground| ground.surface().height(point.xz()));
        // It has a hole.
        let [Some(new), Some(old)] = heights else {
            continue;
        };
        assert!(new <= old, "{point}");
        lower += u32::from(new < old - 1.0);
    }
    assert!(lower > 50, "{lower}");
}
