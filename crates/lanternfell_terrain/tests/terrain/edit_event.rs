//! Edits by events, from code and from other programs.

use bevy::{
    ecs::reflect::ReflectEvent,
    prelude::*,
    reflect::{TypePath, serde::TypedReflectDeserializer},
};
use lanternfell_terrain::{
    EditTerrain, TerrainEdit,
    edits::{Brush, Falloff},
    prelude::*,
};
use serde::de::DeserializeSeed;

use lanternfell_terrain_test_support::terrain::*;

const AT: Vec2 = Vec2::new(-6.0, 4.0);

fn trigger(app: &mut App, entity: Entity, author: u32, edit: TerrainEdit) {
    app.world_mut().trigger(EditTerrain {
        entity,
        author,
        edit,
    });
    app.world_mut().flush();
}

fn height(app: &App, terrain: Entity) -> f32 {
    ground(app, terrain).surface().height(AT).unwrap()
}

fn strokes(app: &App, terrain: Entity) -> usize {
    let edits: Option<&TerrainEdits> = app.world().get(terrain);
    edits.map_or(0, |edits| edits.entries().count())
}

fn dig() -> TerrainEdit {
    let TerrainEdit::Stroke {
        brush,
        radius,
        points,
        ..
    } = TerrainEdit::stroke(Brush::Lower { mm: 3000 }, 9.0, [AT])
    else {
        unreachable!();
    };
    TerrainEdit::Stroke {
        brush,
        radius,
        points,
        falloff: Falloff::Constant,
        strength: 0.5,
    }
}

#[test]
fn events_edit_and_undo() {
    let mut app = app();
    let entity = spawn_ready(&mut app, Terrain::new(hills(65, 50, 3)));
    let before = height(&app, entity);
    // Two events in one frame, on a terrain without edits.
    trigger(&mut app, entity, 1, dig());
    trigger(&mut app, entity, 2, dig());
    wait_until_ready(&mut app);
    assert!((before - height(&app, entity) - 3.0).abs() < 1e-3);
    for (author, edit, depth) in [
        (1, TerrainEdit::Undo, 1.5),
        // Nothing is left to undo.
        (1, TerrainEdit::Undo, 1.5),
        (2, TerrainEdit::Undo, 0.0),
        (1, TerrainEdit::Redo, 1.5),
    ] {
        trigger(&mut app, entity, author, edit.clone());
        wait_until_ready(&mut app);
        let found = before - height(&app, entity);
        assert!((found - depth).abs() < 1e-3, "{edit:?}: {found}");
    }
}

#[test]
fn invalid_events_change_nothing() {
    let mut app = app();
    let entity = app.world_mut().spawn(Terrain::new(hills(65, 50, 3))).id();
    // The terrain is not complete.
    trigger(&mut app, entity, 1, dig());
    wait_until_ready(&mut app);
    let stroke = |radius, points: Vec<Vec2>, strength| TerrainEdit::Stroke {
        brush: Brush::Raise { mm: 50 },
        radius,
        points,
        falloff: Falloff::Linear,
        strength,
    };
    for edit in [
        stroke(-1.0, vec![AT], 1.0),
        stroke(5.0, vec![], 1.0),
        stroke(5.0, vec![Vec2::NAN], 1.0),
        stroke(5.0, vec![AT], 1.5),
        stroke(5.0, vec![AT], f32::NAN),
        TerrainEdit::stroke(Brush::Raise { mm: -50 }, 5.0, [AT]),
    ] {
        trigger(&mut app, entity, 1, edit);
        assert_eq!(strokes(&app, entity), 0);
    }
    // A terrain that has edits already.
    trigger(&mut app, entity, 1, dig());
    wait_until_ready(&mut app);
    let (before, ready) = (strokes(&app, entity), answers(&app).ready.len());
    for edit in [stroke(-1.0, vec![AT], 1.0), TerrainEdit::Redo] {
        trigger(&mut app, entity, 1, edit);
        app.update();
        assert_eq!(count::<With<TerrainProgress>>(&mut app), 0);
        assert_eq!(strokes(&app, entity), before);
    }
    assert_eq!(answers(&app).ready.len(), ready);
    // An entity without terrain.
    let other = app.world_mut().spawn_empty().id();
    trigger(&mut app, other, 1, dig());
    assert!(!has::<TerrainEdits>(&app, other));
}

/// This is what the method `world.trigger_event` of Bevy's remote protocol does.
#[test]
fn event_can_be_triggered_by_its_serialized_form() {
    let mut app = app();
    let entity = spawn_ready(&mut app, Terrain::new(hills(65, 50, 3)));
    let before = height(&app, entity);
    let text = format!(
        "(entity: {}, author: 7, edit: Stroke(brush: Lower(mm: 2000), radius: 9.0, points: [(-6.0, 4.0)], \
         falloff: Constant, strength: 1.0))",
        entity.to_bits()
    );
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    // The guide names this path.
    assert_eq!(
        EditTerrain::type_path(),
        "lanternfell_terrain::ground::edits::event::EditTerrain"
    );
    let registration = registry
        .get_with_type_path(EditTerrain::type_path())
        .unwrap();
    let mut text = ron::Deserializer::from_str(&text).unwrap();
    let event = TypedReflectDeserializer::new(registration, &registry);
    let event = event.deserialize(&mut text).unwrap();
    let how = registration.data::<ReflectEvent>().unwrap();
    how.trigger(app.world_mut(), &*event, &registry);
    app.world_mut().flush();
    wait_until_ready(&mut app);
    assert!((before - height(&app, entity) - 2.0).abs() < 1e-3);
}
