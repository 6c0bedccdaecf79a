//! Roads, platforms and stamps on endless terrain: they cross regions, and stay where they are when regions change.

use bevy::{math::I64Vec2, prelude::*};
use lanternfell_terrain::{
    PathMesh, TerrainPath, TerrainPlatform, TerrainStamp,
    edits::{Brush, Earthwork, Pavement, StampImage},
    prelude::*,
};

use lanternfell_terrain_test_support::{drawn::positions, terrain::*};

use crate::edit_endless::*;

/// The bits of the heights of 900 points around a position.
fn around(app: &mut App, x: f32, z: f32) -> Vec<u32> {
    let points = (0..900).map(|at| [(at % 30) as f32 - 15.0, (at / 30) as f32 - 15.0]);
    points
        .map(|[column, row]| height(app, x + 4.0 * column, z + 4.0 * row).to_bits())
        .collect()
}

#[track_caller]
fn place(app: &mut App, terrain: Entity, modifier: impl Bundle) -> Entity {
    let spawned = app.world_mut().spawn((modifier, ChildOf(terrain))).id();
    wait_for_change(app);
    spawned
}

/// A road of 8 km. Its first point is on the first regions.
fn road() -> TerrainPath {
    let line = [
        [-60.0, 20.0],
        [900.0, 60.0],
        [4000.0, -300.0],
        [8000.0, 10.0],
    ];
    TerrainPath::new(24.0, line.map(|[x, z]| Vec3::new(x, 0.0, z)))
}

fn crater() -> TerrainStamp {
    TerrainStamp {
        size: Vec2::splat(120.0),
        ..TerrainStamp::new(StampImage::new(2, [9000, -4000, -4000, 9000]).unwrap())
    }
}

fn platform(x: f32, y: f32, z: f32) -> impl Bundle {
    let platform = TerrainPlatform {
        size: Vec2::splat(60.0),
        ..default()
    };
    (platform, Transform::from_xyz(x, y, z))
}

#[test]
fn modifiers_stay_when_viewers_leave_and_return() {
    let mut app = app();
    let [terrain, viewer] = spawn(&mut app, endless(3));
    let spots = [[0.0, 20.0], [200.0, 160.0], [-300.0, -80.0]];
    let all = |app: &mut App| spots.map(|[x, z]| around(app, x, z));
    let before = all(&mut app);
    let children = [
        place(&mut app, terrain, road()),
        place(&mut app, terrain, platform(200.0, 31.5, 160.0)),
        place(
            &mut app,
            terrain,
            (crater(), Transform::from_xyz(-300.0, 0.0, -80.0)),
        ),
    ];
    assert_eq!(height(&mut app, 200.0, 160.0), 31.5);
    let near = all(&mut app);
    for (changed, old) in near.iter().zip(&before) {
        let count = changed
            .iter()
            .zip(old)
            .filter(|(new, old)| new != old)
            .count();
        assert!(count > 60, "{count} points have changed");
    }
    for far in [20_000.0, 1500.0, -700.0, 0.0] {
        move_to(&mut app, viewer, far);
    }
    // Regions that are generated with modifiers equal those that are updated.
    assert!(all(&mut app) == near);
    // A platform of another region changes nothing here, and is there when a viewer comes.
    let far = app
        .world_mut()
        .spawn((platform(9000.0, -7.0, 0.0), ChildOf(terrain)))
        .id();
    settle(&mut app);
    move_to(&mut app, viewer, 9000.0);
    assert_eq!(height(&mut app, 9000.0, 0.0), -7.0);
    app.world_mut().despawn(far);
    wait_for_change(&mut app);
    assert_ne!(height(&mut app, 9000.0, 0.0), -7.0);
    move_to(&mut app, viewer, 0.0);
    for child in children {
        app.world_mut().despawn(child);
        wait_for_change(&mut app);
    }
    assert!(all(&mut app) == before);
}

/// Roads have the heights that an ordinary terrain with the same map gives them.
#[test]
fn regions_equal_an_ordinary_terrain() {
    let mut app = app();
    let [terrain, _] = spawn(&mut app, endless(3));
    let world = app.world_mut();
    let mut regions = world.query::<(&TerrainSurface, &GlobalTransform)>();
    let (map, center) = regions
        .iter(world)
        .map(|(surface, place)| (surface.map().clone(), place.translation()))
        .next()
        .unwrap();
    let line = [[-250.0, 40.0], [0.0, -60.0], [260.0, 50.0]];
    let line = || TerrainPath::new(20.0, line.map(|[x, z]| Vec3::new(x, 0.0, z)));
    place(&mut app, terrain, line());
    place(&mut app, terrain, platform(60.0, 31.5, 0.0));
    let spots = [[0.0, 0.0], [120.0, -20.0], [-200.0, 30.0]];
    let found = spots.map(|[x, z]| around(&mut app, x, z));

    let mut other = self::app();
    let whole = Terrain::new(map).with_scale(SCALE);
    let whole = spawn_ready(&mut other, (whole, Transform::from_translation(center)));
    place(
        &mut other,
        whole,
        (line(), Transform::from_translation(-center)),
    );
    place(
        &mut other,
        whole,
        platform(60.0 - center.x, 31.5, -center.z),
    );
    let expected = spots.map(|[x, z]| around(&mut other, x, z));
    for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
        let [found, expected] = [*found, *expected].map(f32::from_bits);
        // Both round in other places.
        assert!((found - expected).abs() < 0.002, "{found} {expected}");
    }
}

#[test]
fn modifiers_are_on_the_first_terrain_and_on_another_source() {
    let mut app = app();
    let terrain = app.world_mut().spawn(endless(3)).id();
    let world = app.world_mut();
    world.spawn((platform(50.0, 31.5, 0.0), ChildOf(terrain)));
    world.spawn((road(), ChildOf(terrain)));
    world.spawn((TerrainViewer, Transform::default()));
    update_until(&mut app, |app| {
        let at = Vec3::new(50.0, 0.0, 0.0);
        let found = ask(app, move |terrains| terrains.height(at));
        // It never shows anything else.
        assert!(found.is_none_or(|height| height == 31.5), "{found:?}");
        found.is_some()
    });
    let old = around(&mut app, 0.0, 20.0);
    *app.world_mut().get_mut::<EndlessTerrain>(terrain).unwrap() = endless(4);
    update_until(&mut app, |app| {
        assert_eq!(height(app, 50.0, 0.0), 31.5);
        around(app, 0.0, 20.0) != old
    });
    settle(&mut app);
    let mut other = self::app();
    let [fresh, _] = spawn(&mut other, endless(4));
    place(&mut other, fresh, platform(50.0, 31.5, 0.0));
    place(&mut other, fresh, road());
    assert!(around(&mut app, 0.0, 20.0) == around(&mut other, 0.0, 20.0));
}

/// Strokes change the terrain that a road follows. Without the component of strokes, the road is still there.
#[test]
fn roads_follow_strokes() {
    let mut app = app();
    let [terrain, _] = spawn(&mut app, endless(3));
    place(&mut app, terrain, road());
    let before = around(&mut app, 0.0, 20.0);
    let bed = height(&mut app, 20.0, 24.0);
    edit(
        &mut app,
        terrain,
        stroke(Brush::Lower { mm: 9000 }, 20.0, 24.0),
    );
    let lower = height(&mut app, 20.0, 24.0);
    assert!(lower < bed, "{lower} {bed}");
    app.world_mut().entity_mut(terrain).remove::<TerrainEdits>();
    wait_for_change(&mut app);
    assert!(around(&mut app, 0.0, 20.0) == before);
    assert!(has::<TerrainEdits>(&app, terrain));
    // They end with the terrain.
    app.world_mut()
        .entity_mut(terrain)
        .remove::<EndlessTerrain>();
    settle(&mut app);
    app.world_mut().entity_mut(terrain).insert(endless(3));
    settle(&mut app);
    assert!(around(&mut app, 0.0, 20.0) == before);
}

/// The origin and the viewer move by the same distance, as in a world that is shifted. The plugin moves the modifiers.
#[test]
fn modifiers_stay_when_the_origin_moves() {
    let mut app = app();
    let far = EndlessTerrain {
        origin: I64Vec2::new(1 << 33, -77),
        ..endless(3)
    };
    let [terrain, viewer] = spawn(&mut app, far);
    let house = place(&mut app, terrain, platform(60.1, 31.5, 0.3));
    let road = place(&mut app, terrain, (road(), Transform::default()));
    let before = around(&mut app, 100.0, 0.0);
    let shift = |app: &mut App, cells: I64Vec2, others: &[Entity]| {
        let by = cells.as_vec2() * SCALE.spacing;
        let world = app.world_mut();
        for other in others {
            let mut place = world.get_mut::<Transform>(*other).unwrap();
            place.translation -= Vec3::new(by.x, 0.0, by.y);
        }
        world.get_mut::<EndlessTerrain>(terrain).unwrap().origin += cells;
    };
    let shift_viewer = |app: &mut App, cells: I64Vec2| {
        shift(app, cells, &[viewer]);
        let ready = answers(app).ready.len();
        app.update();
        app.update();
        // Nothing is generated.
        assert_eq!(count::<With<TerrainProgress>>(app), 0, "{cells}");
        assert_eq!(answers(app).ready.len(), ready);
        let place = app.world().get::<Transform>(house).unwrap();
        place.translation
    };
    let (there, back) = (I64Vec2::new(20, -10), I64Vec2::new(1 << 20, 3));
    let moved = shift_viewer(&mut app, there);
    assert_eq!(moved, Vec3::new(60.1 - 80.0, 31.5, 0.3 + 40.0));
    assert!(around(&mut app, 20.0, 40.0) == before);
    shift_viewer(&mut app, -there + back);
    // No position stays rounded.
    assert_eq!(shift_viewer(&mut app, -back), Vec3::new(60.1, 31.5, 0.3));
    settle(&mut app);
    move_to(&mut app, viewer, 9000.0);
    move_to(&mut app, viewer, 0.0);
    assert!(around(&mut app, 100.0, 0.0) == before);
    // An app may also move the children itself, which rounds their positions.
    shift(&mut app, there, &[viewer, house, road]);
    wait_for_change(&mut app);
    for (now, before) in around(&mut app, 20.0, 40.0).iter().zip(&before) {
        let [now, before] = [*now, *before].map(f32::from_bits);
        assert!((now - before).abs() < 0.003, "{now} {before}");
    }
    app.world_mut().despawn(road);
    wait_for_change(&mut app);
    assert!(around(&mut app, 20.0, 40.0) != before);
}

/// The mesh of a road covers what is shown of it, wherever the viewer is.
#[test]
fn meshes_of_roads_follow_the_regions() {
    let mut app = app();
    let [terrain, viewer] = spawn(&mut app, endless(3));
    // Without earthworks, so that the mesh is never behind the terrain.
    let footpath = TerrainPath {
        earthwork: Earthwork::None,
        pavement: Pavement {
            plants: true,
            ..default()
        },
        ..road()
    };
    let road = app
        .world_mut()
        .spawn((footpath, PathMesh::default(), ChildOf(terrain)))
        .id();
    let mesh = |app: &App| {
        let mesh = &app.world().get::<Mesh3d>(road)?.0;
        let mesh = app.world().resource::<Assets<Mesh>>().get(mesh)?;
        Some(positions(mesh))
    };
    for x in [0.0, 3000.0, 6000.0, 0.0] {
        move_to(&mut app, viewer, x);
        // The first mesh may be on smaller regions.
        update_until(&mut app, |app| {
            mesh(app).is_some_and(|mesh| {
                let [west, east] =
                    [f32::min, f32::max].map(|of| mesh.iter().map(|at| at.x).reduce(of).unwrap());
                let is_whole = west < (x - 550.0).max(0.0) && east > x + 550.0;
                is_whole && east - west < 4000.0
            })
        });
        let mesh = mesh(&app).unwrap();
        for at in mesh.iter().step_by(50) {
            let above = at.y - height(&mut app, at.x, at.z);
            assert!((0.0..0.5).contains(&above), "{above} at {at}");
        }
    }
    app.world_mut()
        .entity_mut(terrain)
        .remove::<EndlessTerrain>();
    settle(&mut app);
    assert!(!has::<Mesh3d>(&app, road));
}
