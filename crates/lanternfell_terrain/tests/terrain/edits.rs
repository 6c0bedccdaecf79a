//! Strokes change the terrain like any other change of its map, and can be undone.

use bevy::prelude::*;
use bevy_rapier3d::prelude::Collider;
use lanternfell_terrain::{
    TerrainMap,
    edits::{Brush, Falloff, Stroke},
    heightmap::HoleMask,
    prelude::*,
};

use lanternfell_terrain_test_support::{drawn::Drawn, terrain::*};

const SCALE: Scale = Scale {
    spacing: 1.5,
    relief: 12.0,
};

fn terrain() -> Terrain {
    Terrain::new(hills(65, 50, 3)).with_scale(SCALE)
}

/// Spawns an edited terrain.
fn edited(app: &mut App) -> Entity {
    spawn_ready(app, (terrain(), TerrainEdits::default()))
}

fn edits(app: &mut App, terrain: Entity) -> Mut<'_, TerrainEdits> {
    app.world_mut().get_mut(terrain).unwrap()
}

/// A stroke in meters of the terrain.
fn stroke(app: &App, terrain: Entity, brush: Brush, points: &[Vec2]) -> Stroke {
    let stroke = ground(app, terrain).local_stroke(brush, 6.0, points.iter().copied());
    stroke.unwrap()
}

/// Waits until the terrain shows all edits. After a terrain is complete, the work for newer edits starts one frame later.
fn wait_for_edits(app: &mut App) {
    wait_until_ready(app);
    app.update();
    while count::<With<TerrainProgress>>(app) > 0 {
        wait_until_ready(app);
        app.update();
    }
}

/// Adds a stroke, and waits until the terrain shows it.
fn draw(app: &mut App, terrain: Entity, brush: Brush, points: &[Vec2]) {
    let stroke = stroke(app, terrain, brush, points);
    edits(app, terrain).stroke(1, stroke).unwrap();
    wait_for_edits(app);
}

fn height(app: &App, terrain: Entity, at: Vec2) -> f32 {
    ground(app, terrain).surface().height(at).unwrap()
}

/// Strokes of which some read heights, in cells.
fn mixed_strokes() -> Vec<Stroke> {
    let brushes = [
        Brush::Raise { mm: 700 },
        Brush::Flatten { mm: None },
        Brush::Smooth { reach: 2 },
        Brush::Lower { mm: 250 },
        Brush::Slope,
    ];
    let points = |at: i64| {
        [
            [256 * (8 + 9 * at), 256 * 20],
            [256 * 40, 256 * (5 + 8 * at)],
        ]
    };
    let strokes = (0..).zip(brushes);
    strokes
        .map(|(at, brush)| Stroke::along(brush, 5 * 256, points(at)))
        .collect()
}

fn log_of(strokes: Vec<Stroke>) -> TerrainEdits {
    let mut edits = TerrainEdits::default();
    for stroke in strokes {
        edits.stroke(1, stroke).unwrap();
    }
    edits
}

#[test]
fn stroke_changes_surface_mesh_and_collider_alike() {
    let mut app = app();
    let entity = edited(&mut app);
    let before = ground(&app, entity).clone();
    let at = Vec2::new(-12.0, 7.5);
    for (brush, at) in [
        (Brush::Raise { mm: 30_000 }, at),
        (Brush::Lower { mm: 30_000 }, -at),
    ] {
        let mut stroke = stroke(&app, entity, brush, &[at]);
        stroke.falloff = Falloff::Constant;
        edits(&mut app, entity).stroke(1, stroke).unwrap();
    }
    wait_for_edits(&mut app);
    // Above the highest and below the lowest point of the source.
    let rise = height(&app, entity, at) - before.surface().height(at).unwrap();
    assert!((rise - 30.0).abs() < 1e-3, "{rise}");
    let depth = before.surface().height(-at).unwrap() - height(&app, entity, -at);
    assert!((depth - 30.0).abs() < 1e-3, "{depth}");

    let drawn = Drawn::new(&mut app, entity);
    let collider = app.world().get::<Collider>(entity).unwrap().clone();
    let surface = ground(&app, entity).clone();
    for point in points_over(&surface, 3, 500) {
        if is_on_edge(&surface, point) {
            continue;
        }
        let at = point.xz();
        let asked = surface.surface().height(at).unwrap();
        let expected = drawn.height(at).unwrap();
        assert!(
            (asked - expected).abs() < 1e-2,
            "{at}: {asked}, drawn at {expected}"
        );
        let from = point + Vec3::Y * 60.0;
        let down = Vec3::NEG_Y;
        let fall = collider.cast_ray(Vec3::ZERO, Quat::IDENTITY, from, down, 120.0, true);
        assert!(
            (60.0 - fall.unwrap() - expected).abs() < 1e-2,
            "collider at {at}"
        );
        let ray = Ray3d::new(from, Dir3::NEG_Y);
        let hit = ask(&mut app, move |terrains| terrains.cast_ray(ray, 120.0)).unwrap();
        assert!((hit.point.y - expected).abs() < 1e-2, "ray at {at}");
    }
}

#[test]
fn undo_restores_every_bit_and_redo_the_stroke() {
    let mut app = app();
    let entity = edited(&mut app);
    let before = ground(&app, entity).map().clone();
    for stroke in mixed_strokes() {
        edits(&mut app, entity).stroke(1, stroke).unwrap();
    }
    wait_for_edits(&mut app);
    let after = ground(&app, entity).map().clone();
    assert!(!same_bits(&before, &after));
    while edits(&mut app, entity).undo(1).unwrap().is_some() {}
    wait_for_edits(&mut app);
    assert!(same_bits(ground(&app, entity).map(), &before));
    while edits(&mut app, entity).redo(1).unwrap().is_some() {}
    wait_for_edits(&mut app);
    assert!(same_bits(ground(&app, entity).map(), &after));
}

#[test]
fn flattened_ground_is_flat_to_half_a_millimeter() {
    let mut app = app();
    let entity = edited(&mut app);
    let line = [Vec2::new(-20.0, -10.0), Vec2::new(15.0, 12.0)];
    let mut road = stroke(&app, entity, Brush::Flatten { mm: Some(4321) }, &line);
    road.falloff = Falloff::Constant;
    edits(&mut app, entity).stroke(1, road).unwrap();
    wait_for_edits(&mut app);
    for share in 0..20 {
        let at = line[0].lerp(line[1], share as f32 / 19.0);
        assert!((height(&app, entity, at) - 4.321).abs() < 6e-4);
    }
}

/// The base is unknown when the log is made, and some strokes read its heights.
#[test]
fn log_from_bytes_gives_the_same_terrain() {
    let mut app = app();
    let entity = edited(&mut app);
    for stroke in mixed_strokes() {
        edits(&mut app, entity).stroke(1, stroke).unwrap();
    }
    wait_for_edits(&mut app);
    let bytes = edits(&mut app, entity).to_bytes();
    let read = TerrainEdits::from_bytes(&bytes).unwrap();
    let loaded = spawn_ready(&mut app, (terrain(), read));
    let [one, other] = [entity, loaded].map(|entity| ground(&app, entity).map());
    assert!(same_bits(one, other));
    let tiles = |entity| {
        let edits: &TerrainEdits = app.world().get(entity).unwrap();
        edits
            .tiles()
            .map(|(at, tile)| (at, tile.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(tiles(entity), tiles(loaded));
    assert!(TerrainEdits::from_bytes(&bytes[..bytes.len() / 2]).is_err());
}

#[test]
fn edits_stay_on_top_of_a_new_source_or_scale() {
    let mut app = app();
    let entity = spawn_ready(&mut app, (terrain(), log_of(mixed_strokes())));
    let other = Scale {
        relief: 30.0,
        ..SCALE
    };
    for terrain in [
        Terrain::new(hills(65, 50, 8)).with_scale(SCALE),
        Terrain::new(hills(65, 50, 8)).with_scale(other),
    ] {
        *app.world_mut().get_mut::<Terrain>(entity).unwrap() = terrain.clone();
        wait_for_edits(&mut app);
        let fresh = spawn_ready(&mut app, (terrain, log_of(mixed_strokes())));
        let [one, other] = [entity, fresh].map(|entity| ground(&app, entity).map());
        assert!(same_bits(one, other));
        app.world_mut().despawn(fresh);
    }
}

/// The log gets its base in a task, with a copy of the log as it was when the task started.
#[test]
fn strokes_during_generation_are_kept() {
    let mut app = app();
    let terrain = Terrain::new(slow_hills(3)).with_scale(SCALE);
    let mut strokes = mixed_strokes();
    let late = strokes.split_off(2);
    let entity = app
        .world_mut()
        .spawn((terrain.clone(), log_of(strokes)))
        .id();
    for stroke in late {
        app.update();
        edits(&mut app, entity).stroke(1, stroke).unwrap();
    }
    wait_for_edits(&mut app);
    let fresh = spawn_ready(&mut app, (terrain, log_of(mixed_strokes())));
    let [one, other] = [entity, fresh].map(|entity| ground(&app, entity).map());
    assert!(same_bits(one, other));
}

#[test]
fn log_replaced_during_generation_stays_replaced() {
    let mut app = app();
    let terrain = Terrain::new(slow_hills(3)).with_scale(SCALE);
    let old = log_of(mixed_strokes());
    let entity = app.world_mut().spawn((terrain.clone(), old)).id();
    app.update();
    let new = || {
        log_of(vec![Stroke::along(
            Brush::Slope,
            2000,
            [[0, 0], [9000, 9000]],
        )])
    };
    *edits(&mut app, entity) = new();
    wait_for_edits(&mut app);
    assert_eq!(edits(&mut app, entity).len(), 1);
    let fresh = spawn_ready(&mut app, (terrain, new()));
    let [one, other] = [entity, fresh].map(|entity| ground(&app, entity).map());
    assert!(same_bits(one, other));
}

#[test]
fn removed_edits_restore_the_terrain() {
    let mut app = app();
    let entity = edited(&mut app);
    let before = ground(&app, entity).map().clone();
    draw(&mut app, entity, Brush::Lower { mm: 900 }, &[Vec2::ZERO]);
    assert!(!same_bits(ground(&app, entity).map(), &before));
    app.world_mut().entity_mut(entity).remove::<TerrainEdits>();
    wait_for_edits(&mut app);
    assert!(same_bits(ground(&app, entity).map(), &before));
}

#[test]
fn terrain_that_cannot_be_generated_fails_once() {
    let mut app = app();
    let size = MapSize::new(20, 20).unwrap();
    let ridge = RidgedMultifractal {
        octaves: 0,
        ..default()
    };
    let terrain = Terrain::new(Recipe::new(size, 1, ridge));
    let entity = app
        .world_mut()
        .spawn((terrain, TerrainEdits::default()))
        .id();
    wait_for_edits(&mut app);
    assert_eq!(answers(&app).failed.len(), 1);
    for stroke in mixed_strokes() {
        edits(&mut app, entity).stroke(1, stroke).unwrap();
        wait_for_edits(&mut app);
    }
    assert_eq!(answers(&app).failed.len(), 1);
    // The edits are kept for the next source.
    set_recipe(&mut app, entity, hills(65, 50, 3));
    wait_for_edits(&mut app);
    let fresh = Terrain::new(hills(65, 50, 3));
    let fresh = spawn_ready(&mut app, (fresh, log_of(mixed_strokes())));
    let [one, other] = [entity, fresh].map(|entity| ground(&app, entity).map());
    assert!(same_bits(one, other));
}

#[test]
fn holes_of_edits_are_added_to_those_of_the_map() {
    let mut app = app();
    let heights = map_of(&hills(65, 50, 3));
    let mut holes = HoleMask::none(heights.size());
    holes.set(3, 4, true).unwrap();
    let map = TerrainMap::from(heights).with_holes(holes);
    let terrain = Terrain::new(map).with_scale(SCALE);
    let entity = spawn_ready(&mut app, (terrain, TerrainEdits::default()));
    let middle = Vec2::new(9.75, -6.75);
    draw(&mut app, entity, Brush::Hole, &[middle]);
    let drawn = Drawn::new(&mut app, entity);
    let surface = ground(&app, entity);
    let count = surface.holes().map_or(0, HoleMask::count);
    // A disc with a radius of 4 squares, and the hole of the map.
    assert!((40..60).contains(&count), "{count}");
    for angle in 0..32 {
        let away = Vec2::from_angle(angle as f32 * 0.2);
        let [inside, outside] = [4.4, 7.8].map(|radius| middle + radius * away);
        assert_eq!(surface.surface().height(inside), None, "{inside}");
        assert_eq!(drawn.height(inside), None, "{inside}");
        assert!(surface.surface().height(outside).is_some(), "{outside}");
    }
    draw(&mut app, entity, Brush::Unhole, &[middle]);
    assert_eq!(ground(&app, entity).holes().map(HoleMask::count), Some(1));
}

/// Strokes can reach over the border of the map, where there is nothing.
#[test]
fn strokes_beyond_the_border_have_no_effect() {
    let mut app = app();
    let entity = edited(&mut app);
    let before = ground(&app, entity).map().clone();
    for brush in [Brush::Hole, Brush::Raise { mm: 500 }] {
        draw(
            &mut app,
            entity,
            brush,
            &[Vec2::new(-500.0, 80.0), Vec2::new(300.0, 900.0)],
        );
    }
    assert!(same_bits(ground(&app, entity).map(), &before));
    assert_eq!(ground(&app, entity).holes().map_or(0, HoleMask::count), 0);
    draw(&mut app, entity, Brush::Hole, &[Vec2::new(48.0, 36.75)]);
    assert!(ground(&app, entity).holes().map_or(0, HoleMask::count) > 0);
}

#[test]
fn strokes_in_meters_name_invalid_numbers() {
    let mut app = app();
    let entity = edited(&mut app);
    let surface = ground(&app, entity);
    let raise = Brush::Raise { mm: 100 };
    let error = |radius, points: Vec<Vec2>| {
        let stroke = surface.local_stroke(raise.clone(), radius, points);
        stroke.unwrap_err().to_string()
    };
    for (radius, name) in [
        (0.0, "radius"),
        (-3.0, "radius"),
        (f32::NAN, "radius"),
        (1e9, "radius"),
    ] {
        let error = error(radius, vec![Vec2::ZERO]);
        assert!(error.contains(name), "{error}");
    }
    for at in [Vec2::NAN, Vec2::INFINITY, Vec2::new(0.0, -1e30)] {
        let error = error(2.0, vec![at]);
        assert!(error.contains("position"), "{error}");
    }
    assert!(error(2.0, Vec::new()).contains("number of points"));
    // The corner of the map is cell (0, 0), and a cell has 256 units.
    let corner = -surface.surface().half_extent();
    let stroke = surface.local_stroke(raise.clone(), 3.0, [corner, corner + Vec2::new(1.5, 3.0)]);
    let expected = Stroke::along(raise.clone(), 512, [[0, 0], [256, 512]]);
    assert_eq!(stroke.unwrap(), expected);
}

/// A stroke every frame, as while dragging.
#[test]
fn dragging_shows_changes_in_between() {
    let mut app = app();
    let entity = edited(&mut app);
    app.world_mut().resource_mut::<Answers>().ready.clear();
    let mut step = 0.0;
    update_until(&mut app, |app| {
        step += 0.2;
        let dab = stroke(
            app,
            entity,
            Brush::Raise { mm: 20 },
            &[Vec2::new(step - 20.0, 3.0)],
        );
        edits(app, entity).stroke(1, dab).unwrap();
        answers(app).ready.len() > 2
    });
    wait_for_edits(&mut app);
    let log = edits(&mut app, entity).clone();
    let fresh = spawn_ready(&mut app, (terrain(), log));
    let [one, other] = [entity, fresh].map(|entity| ground(&app, entity).map());
    assert!(same_bits(one, other));
}

#[test]
fn terrain_can_be_added_to_edits() {
    let mut app = app();
    let entity = app.world_mut().spawn(log_of(mixed_strokes())).id();
    app.update();
    app.world_mut().entity_mut(entity).insert(terrain());
    wait_for_edits(&mut app);
    let fresh = spawn_ready(&mut app, (terrain(), log_of(mixed_strokes())));
    let [one, other] = [entity, fresh].map(|entity| ground(&app, entity).map());
    assert!(same_bits(one, other));
}

/// Plants and cameras depend on it.
#[test]
fn height_range_includes_edits() {
    let mut app = app();
    let entity = edited(&mut app);
    draw(&mut app, entity, Brush::Raise { mm: 30_000 }, &[Vec2::ZERO]);
    draw(
        &mut app,
        entity,
        Brush::Lower { mm: 30_000 },
        &[Vec2::splat(20.0)],
    );
    let (low, high) = ground(&app, entity).height_range();
    assert!(
        low < -SCALE.relief && high > 2.0 * SCALE.relief,
        "{low} to {high}"
    );
    let highest = Drawn::new(&mut app, entity).highest();
    assert!((highest - high).abs() < 1e-4, "{highest}, {high}");
}
