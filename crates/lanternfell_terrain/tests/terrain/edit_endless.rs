//! Edits of endless terrain: they are in cells of its plane, and stay where they are when regions change.

use bevy::{math::I64Vec2, prelude::*};
use lanternfell_terrain::{
    EditTerrain, TerrainEdit,
    edits::{Brush, Stroke},
    prelude::*,
};

use lanternfell_terrain_test_support::terrain::*;

pub const SCALE: Scale = Scale {
    spacing: 4.0,
    relief: 100.0,
};

pub fn endless(seed: u64) -> EndlessTerrain {
    let recipe = Recipe {
        scale: Some(SCALE),
        ..Recipe::new(MapSize::default(), seed, FractalNoise::default())
    };
    EndlessTerrain {
        distance: 600.0,
        ..EndlessTerrain::new(recipe)
    }
}

/// Updates the app until all terrain is complete.
pub fn settle(app: &mut App) {
    let mut still = 0;
    update_until(app, |app| {
        let is_still = count::<With<TerrainProgress>>(app) == 0;
        still = if is_still { still + 1 } else { 0 };
        still > 4
    });
}

/// Spawns an endless terrain and a viewer.
pub fn spawn(app: &mut App, terrain: impl Bundle) -> [Entity; 2] {
    let world = app.world_mut();
    let terrain = world.spawn(terrain).id();
    let viewer = world.spawn((TerrainViewer, Transform::default())).id();
    settle(app);
    [terrain, viewer]
}

pub fn move_to(app: &mut App, viewer: Entity, x: f32) {
    let mut transform = app.world_mut().get_mut::<Transform>(viewer).unwrap();
    transform.translation.x = x;
    settle(app);
}

fn trigger(app: &mut App, entity: Entity, edit: TerrainEdit) {
    let author = 1;
    app.world_mut().trigger(EditTerrain {
        entity,
        author,
        edit,
    });
}

/// Edits a part of the terrain that is shown.
pub fn edit(app: &mut App, terrain: Entity, edit: TerrainEdit) {
    trigger(app, terrain, edit);
    wait_for_change(app);
}

/// Waits until a region has changed.
#[track_caller]
pub fn wait_for_change(app: &mut App) {
    let before = answers(app).ready.len();
    update_until(app, |app| answers(app).ready.len() > before);
    settle(app);
}

pub fn stroke(brush: Brush, x: f32, z: f32) -> TerrainEdit {
    TerrainEdit::stroke(brush, 30.0, [Vec2::new(x, z)])
}

pub fn height(app: &mut App, x: f32, z: f32) -> f32 {
    let at = Vec3::new(x, 0.0, z);
    ask(app, move |terrains| terrains.height(at)).unwrap_or_else(|| panic!("a hole at {at}"))
}

/// The heights of all regions, by the cells of the plane.
pub fn heights(app: &mut App) -> Vec<(I64Vec2, Vec<u32>)> {
    let world = app.world_mut();
    let mut regions = world.query::<(&TerrainRegion, &TerrainSurface)>();
    let regions = regions.iter(world).map(|(region, surface)| {
        let bits = surface.map().heights().iter().map(|z| z.to_bits());
        (region.north_west, bits.collect())
    });
    regions.collect()
}

#[test]
fn edits_stay_when_viewers_leave_and_return() {
    let mut app = app();
    let [terrain, viewer] = spawn(&mut app, endless(3));
    let before = height(&mut app, 100.0, -60.0);
    edit(
        &mut app,
        terrain,
        stroke(Brush::Lower { mm: 9000 }, 100.0, -60.0),
    );
    let dug = height(&mut app, 100.0, -60.0);
    assert!((before - dug - 9.0).abs() < 0.01, "{before} {dug}");
    let around = |app: &mut App| -> Vec<u32> {
        let points = (0..900).map(|at| [(at % 30) as f32, (at / 30) as f32]);
        points
            .map(|[x, z]| height(app, 40.0 + 4.0 * x, -120.0 + 4.0 * z).to_bits())
            .collect()
    };
    let near = around(&mut app);
    for far in [20_000.0, -9000.0, 700.0, 0.0] {
        move_to(&mut app, viewer, far);
    }
    assert_eq!(height(&mut app, 100.0, -60.0), dug);
    // A region that is generated with edits equals one that is updated.
    assert!(around(&mut app) == near);
    edit(&mut app, terrain, TerrainEdit::Undo);
    assert_eq!(height(&mut app, 100.0, -60.0), before);
    edit(&mut app, terrain, TerrainEdit::Redo);
    app.world_mut().entity_mut(terrain).remove::<TerrainEdits>();
    wait_for_change(&mut app);
    assert_eq!(height(&mut app, 100.0, -60.0), before);
}

/// The heights that brushes read are those of the plane, also where there is no region.
#[test]
fn brushes_read_the_heights_of_the_plane() {
    let mut app = app();
    let [terrain, viewer] = spawn(&mut app, endless(3));
    let level = height(&mut app, 60.0, 80.0);
    edit(
        &mut app,
        terrain,
        stroke(Brush::Flatten { mm: None }, 60.0, 80.0),
    );
    assert!((height(&mut app, 60.0, 80.0) - level).abs() <= 0.0005);
    trigger(
        &mut app,
        terrain,
        stroke(Brush::Smooth { reach: 4 }, 9000.0, 0.0),
    );
    move_to(&mut app, viewer, 9000.0);
    let far = heights(&mut app);
    // The same log on a new terrain.
    let log = app.world().get::<TerrainEdits>(terrain).unwrap().to_bytes();
    let mut other = self::app();
    let log = TerrainEdits::from_bytes(&log).unwrap();
    let [_, viewer] = spawn(&mut other, (endless(3), log));
    // The first terrain that is shown has the edits.
    assert!((height(&mut other, 60.0, 80.0) - level).abs() <= 0.0005);
    move_to(&mut other, viewer, 9000.0);
    assert!(heights(&mut other) == far);
}

#[test]
fn edits_cross_the_borders_of_tiles_and_regions() {
    let mut app = app();
    let terrain = EndlessTerrain {
        // The smallest regions.
        distance: 80.0,
        origin: I64Vec2::new(-1000, 77),
        ..endless(5)
    };
    let [terrain, _] = spawn(&mut app, terrain);
    app.world_mut()
        .spawn((TerrainViewer, Transform::from_xyz(1500.0, 0.0, 0.0)));
    settle(&mut app);
    assert_eq!(count::<With<TerrainRegion>>(&mut app), 2);
    let line = TerrainEdit::stroke(
        Brush::Raise { mm: 50 },
        20.0,
        [-60.0, 1560.0].map(|x| Vec2::new(x, 9.0)),
    );
    let at = [-40.0, 0.0, 40.0, 1460.0, 1540.0];
    let before = at.map(|x| height(&mut app, x, 9.0));
    edit(&mut app, terrain, line);
    for (x, before) in at.into_iter().zip(before) {
        // Four dabs per radius.
        let risen = height(&mut app, x, 9.0) - before;
        assert!((0.1..0.4).contains(&risen), "{x}: {risen}");
    }
    for (corner, _) in heights(&mut app) {
        assert_eq!(corner % 64, I64Vec2::ZERO);
    }
}

#[test]
fn edits_stay_on_top_of_another_source() {
    let mut app = app();
    let [terrain, _] = spawn(&mut app, endless(3));
    edit(
        &mut app,
        terrain,
        stroke(Brush::Flatten { mm: None }, 0.0, 0.0),
    );
    edit(
        &mut app,
        terrain,
        stroke(Brush::Raise { mm: 5000 }, 200.0, 0.0),
    );
    let mut other = self::app();
    spawn(&mut other, endless(4));
    let [level, base] = [0.0, 200.0].map(|x| height(&mut other, x, 0.0));
    *app.world_mut().get_mut::<EndlessTerrain>(terrain).unwrap() = endless(4);
    // The old terrain stays until the strokes are applied to the new one.
    update_until(&mut app, |app| {
        let z = height(app, 200.0, 0.0);
        assert_ne!(z, base);
        (z - base - 5.0).abs() < 0.01
    });
    settle(&mut app);
    assert!((height(&mut app, 0.0, 0.0) - level).abs() <= 0.0005);
    assert!((height(&mut app, 200.0, 0.0) - base - 5.0).abs() < 0.01);
}

#[test]
fn strokes_of_the_log_are_in_cells_of_the_plane() {
    let mut app = app();
    let terrain = EndlessTerrain {
        origin: I64Vec2::new(1 << 33, -(1 << 34)),
        ..endless(3)
    };
    let [terrain, _] = spawn(&mut app, terrain);
    let before = height(&mut app, 80.0, 40.0);
    let cell = [(1 << 33) + 20, -(1 << 34) + 10];
    let mut edits = TerrainEdits::default();
    let raise = Stroke::along(
        Brush::Raise { mm: 3000 },
        2000,
        [cell.map(|cell: i64| cell * 256)],
    );
    edits.stroke(1, raise).unwrap();
    app.world_mut().entity_mut(terrain).insert(edits);
    wait_for_change(&mut app);
    assert!((height(&mut app, 80.0, 40.0) - before - 3.0).abs() < 0.01);
    // Removed with the terrain.
    app.world_mut()
        .entity_mut(terrain)
        .remove::<EndlessTerrain>();
    app.update();
    let length = |app: &App| app.world().get::<TerrainEdits>(terrain).unwrap().len();
    trigger(&mut app, terrain, stroke(Brush::Hole, 0.0, 0.0));
    settle(&mut app);
    assert_eq!(length(&app), 1);
    app.world_mut().entity_mut(terrain).insert(endless(9));
    settle(&mut app);
    trigger(&mut app, terrain, stroke(Brush::Hole, 0.0, 0.0));
    wait_for_change(&mut app);
    assert_eq!(length(&app), 2);
    let at = Vec3::ZERO;
    assert_eq!(ask(&mut app, move |terrains| terrains.height(at)), None);
    // Regions cannot be edited.
    let world = app.world_mut();
    let mut regions = world.query_filtered::<Entity, With<TerrainRegion>>();
    let region = regions.iter(world).next().unwrap();
    trigger(&mut app, region, stroke(Brush::Unhole, 0.0, 0.0));
    app.update();
    assert!(!has::<TerrainEdits>(&app, region));
}
