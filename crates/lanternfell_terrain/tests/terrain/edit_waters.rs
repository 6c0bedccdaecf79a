//! Rivers and lakes follow edits.

use bevy::prelude::*;
use lanternfell_terrain::{
    InlandWater, TerrainChunk,
    edits::{Brush, Edits, Falloff, Stroke},
    heightmap::Heightmap,
    prelude::*,
};

use lanternfell_terrain_test_support::terrain::*;

const SCALE: Scale = Scale {
    spacing: 4.0,
    relief: 100.0,
};

const SIDE: u64 = 200;

/// A valley that falls to the south, and a hill in the west that no river reaches.
fn terrain() -> Terrain {
    let size = MapSize::new(SIDE, SIDE).unwrap();
    let map = Heightmap::from_fn(size, |x, y| {
        let valley = 0.3 + 0.004 * (x as f32 - 120.0).abs() - 0.0012 * y as f32;
        let hill = 1.0 - Vec2::new(x as f32 - 25.0, y as f32 - 100.0).length() / 25.0;
        valley + 0.2 * hill.max(0.0)
    });
    Terrain::new(map.unwrap())
        .with_scale(SCALE)
        .with_inland_water(InlandWater::default())
}

/// A stroke of constant strength along cells.
fn stroke(brush: Brush, radius: u32, cells: [[i64; 2]; 2]) -> Stroke {
    let points = cells.map(|cell| cell.map(|at| 256 * at));
    Stroke {
        falloff: Falloff::Constant,
        ..Stroke::along(brush, 256 * radius, points)
    }
}

/// A wall across the valley, 10 m above its floor.
fn dam() -> Stroke {
    stroke(
        Brush::Flatten { mm: Some(26_000) },
        3,
        [[88, 120], [152, 120]],
    )
}

fn edit(app: &mut App, terrain: Entity, change: impl FnOnce(&mut Edits)) {
    change(&mut app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap());
    wait_until_ready(app);
    app.update();
    assert_eq!(count::<With<TerrainProgress>>(app), 0);
}

fn log(strokes: &[Stroke]) -> TerrainEdits {
    let mut edits = TerrainEdits::default();
    for stroke in strokes {
        edits.stroke(1, stroke.clone()).unwrap();
    }
    edits
}

/// Checks that a terrain equals one that is generated with these strokes.
fn assert_fresh(app: &mut App, terrain: Entity, strokes: &[Stroke]) {
    let fresh = spawn_ready(app, (self::terrain(), log(strokes)));
    let [one, other] = [terrain, fresh].map(|entity| ground(app, entity));
    assert!(same_bits(one.map(), other.map()));
    assert!(one.waters() == other.waters());
    assert_eq!(one.height_range(), other.height_range());
    let cover = |entity| app.world().get::<TerrainCover>(entity).unwrap().map();
    assert!(cover(terrain) == cover(fresh));
    app.world_mut().despawn(fresh);
    app.update();
}

#[test]
fn dammed_brook_becomes_a_lake() {
    let mut app = app();
    let plain = spawn_ready(&mut app, terrain());
    let entity = spawn_ready(&mut app, (terrain(), TerrainEdits::default()));
    let before = ground(&app, entity).clone();
    // Without edits, the terrain is that without the component.
    assert!(same_bits(before.map(), ground(&app, plain).map()));
    assert!(before.waters() == ground(&app, plain).waters());
    let waters = before.waters().unwrap();
    assert!(!waters.rivers().is_empty() && waters.lakes().is_empty());

    edit(&mut app, entity, |edits| {
        edits.stroke(1, dam()).unwrap();
    });
    let after = ground(&app, entity).clone();
    assert_eq!(after.changes_since(&before), None);
    let lakes = after.waters().unwrap().lakes();
    assert_eq!(lakes.len(), 1);
    // It rises to the top of the wall, less what its outlet cuts.
    assert!((lakes[0].level - 26.0).abs() < 1.5, "{}", lakes[0].level);
    let behind = after.surface().vertex(120, 112);
    let found = after.waters().unwrap().at(behind.x, behind.z).unwrap();
    assert!(found.depth > 4.0, "{}", found.depth);
    assert_fresh(&mut app, entity, &[dam()]);

    edit(&mut app, entity, |edits| {
        edits.undo(1).unwrap();
    });
    assert!(same_bits(ground(&app, entity).map(), before.map()));
    assert!(ground(&app, entity).waters() == before.waters());
}

/// Digging where no water is only updates that place.
#[test]
fn edits_away_from_water_leave_rivers_and_patches_alone() {
    let mut app = app();
    let entity = spawn_ready(&mut app, (terrain(), TerrainEdits::default()));
    let chunks = |app: &mut App| -> Vec<Entity> {
        let world = app.world_mut();
        let mut chunks = world.query_filtered::<Entity, With<TerrainChunk>>();
        chunks.iter(world).collect()
    };
    let (before, shown) = (ground(&app, entity).clone(), chunks(&mut app));
    // The top of the hill, so that no catchment changes.
    let bump = stroke(Brush::Raise { mm: 3000 }, 2, [[25, 100], [25, 100]]);
    let other = stroke(Brush::Raise { mm: 1000 }, 1, [[25, 100], [25, 100]]);
    for stroke in [&bump, &other] {
        edit(&mut app, entity, |edits| {
            edits.stroke(1, stroke.clone()).unwrap();
        });
    }
    let after = ground(&app, entity).clone();
    assert!(after.waters() == before.waters());
    let kept = chunks(&mut app)
        .iter()
        .filter(|chunk| shown.contains(chunk))
        .count();
    assert!(2 * kept > shown.len(), "{kept} of {}", shown.len());
    assert_fresh(&mut app, entity, &[bump, other]);
}

/// Heights outside of the range of the source are not cut off by rivers.
#[test]
fn towers_and_pits_stay_with_rivers() {
    let mut app = app();
    let strokes = [
        stroke(
            Brush::Flatten { mm: Some(170_000) },
            4,
            [[40, 40], [40, 40]],
        ),
        stroke(
            Brush::Flatten { mm: Some(-60_000) },
            4,
            [[170, 60], [170, 60]],
        ),
    ];
    let entity = spawn_ready(&mut app, (terrain(), log(&strokes)));
    let surface = ground(&app, entity);
    let height = |column, row| surface.surface().vertex(column, row).y;
    assert!((height(40, 40) - 170.0).abs() < 0.01);
    assert!(height(170, 60) < -50.0);
    assert!(surface.height_range().0 <= height(170, 60));
}

/// A terrain can get the component later, and lose it again.
#[test]
fn edits_can_be_added_to_rivers() {
    let mut app = app();
    let entity = spawn_ready(&mut app, terrain());
    let before = ground(&app, entity).clone();
    app.world_mut().entity_mut(entity).insert(log(&[dam()]));
    wait_until_ready(&mut app);
    app.update();
    wait_until_ready(&mut app);
    assert_fresh(&mut app, entity, &[dam()]);
    app.world_mut().entity_mut(entity).remove::<TerrainEdits>();
    wait_until_ready(&mut app);
    assert!(same_bits(ground(&app, entity).map(), before.map()));
    assert!(ground(&app, entity).waters() == before.waters());
}
