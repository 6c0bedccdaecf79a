//! Positions by transform, which may be between cells, or by cell.

use bevy::prelude::*;
use lanternfell_torchlight::prelude::*;

use crate::common::*;

/// The position of the only source of a map.
fn source_at(app: &App, entity: Entity) -> Vec2 {
    let sources = map(app, entity).grid().sources();
    assert_eq!(sources.len(), 1);
    sources[0].at
}

#[test]
fn transform_positions_may_be_between_cells() {
    let mut app = app();
    let (light_map, flow) = settled(9, 5);
    let light_map = light_map.with_cell_size(2.0);
    let place = Transform::from_xyz(100.0, 50.0, 7.0);
    let map = app.world_mut().spawn((light_map, flow, place)).id();
    let lamp = app
        .world_mut()
        .spawn((lamp(), Transform::from_xyz(100.0, 50.0, 0.0)))
        .id();
    app.update();
    assert_eq!(source_at(&app, map), Vec2::new(4.0, 2.0));
    for (offset, cell) in [
        (Vec2::new(2.0, 0.0), Vec2::new(5.0, 2.0)),
        (Vec2::new(0.0, 2.0), Vec2::new(4.0, 1.0)),
        (Vec2::new(-0.5, -1.0), Vec2::new(3.75, 2.5)),
    ] {
        let at = Transform::from_xyz(100.0 + offset.x, 50.0 + offset.y, 0.0);
        app.world_mut().entity_mut(lamp).insert(at);
        app.update();
        assert_eq!(source_at(&app, map), cell, "{offset}");
    }
}

#[test]
fn moving_lamp_changes_light_smoothly() {
    let mut app = app();
    app.world_mut().spawn(settled(24, 9));
    let lamp = app.world_mut().spawn((lamp(), LightCell::new(8, 4))).id();
    let reader = app
        .world_mut()
        .spawn((LightLevel::default(), LightCell::new(14, 4)))
        .id();
    app.update();
    let mut before = level(&app, reader).luminance;
    let mut all = vec![];
    for step in 1..=40 {
        let at = Vec2::new(8.0 + 0.1 * step as f32, 4.0);
        app.world_mut().entity_mut(lamp).insert(LightCell(at));
        app.update();
        let now = level(&app, reader).luminance;
        all.push(now / before);
        before = now;
    }
    // The lamp approaches by a tenth of a cell each time. A jump of a whole cell would be a third
    // more.
    assert!(
        all.iter().all(|&part| part > 0.97 && part < 1.06),
        "{all:?}"
    );
    let nearer: f32 = all.iter().product();
    assert!(nearer > 2.0, "{nearer}");
}

#[test]
fn rows_go_south_in_a_flat_map() {
    let mut app = app();
    let (light_map, flow) = settled(9, 5);
    let map = app
        .world_mut()
        .spawn((light_map.with_plane(LightPlane::Xz), flow))
        .id();
    app.world_mut()
        .spawn((lamp(), Transform::from_xyz(1.0, 40.0, 2.0)));
    app.update();
    assert_eq!(source_at(&app, map), Vec2::new(5.0, 4.0));
}

#[test]
fn parents_apply_without_propagation() {
    let mut app = app();
    let hand = Transform::from_xyz(1.0, 0.0, 0.0);
    let carrier = app
        .world_mut()
        .spawn(Transform::from_xyz(2.0, 1.0, 0.0))
        .id();
    // A parent without a transform does not move anything.
    let arm = app.world_mut().spawn((hand, ChildOf(carrier))).id();
    let bag = app.world_mut().spawn(ChildOf(arm)).id();
    app.world_mut()
        .spawn((lamp(), Transform::IDENTITY, ChildOf(bag)));
    let world = app
        .world_mut()
        .spawn(Transform::from_xyz(0.0, 1.0, 0.0))
        .id();
    let map = app.world_mut().spawn((settled(9, 5), ChildOf(world))).id();
    app.update();
    assert_eq!(source_at(&app, map), Vec2::new(7.0, 2.0));
    app.world_mut()
        .get_mut::<Transform>(carrier)
        .unwrap()
        .translation
        .x = 0.0;
    app.update();
    assert_eq!(source_at(&app, map), Vec2::new(5.0, 2.0));
}

#[test]
fn light_cell_overrides_transform() {
    let mut app = app();
    let map = app.world_mut().spawn(settled(9, 5)).id();
    let place = Transform::from_xyz(-3.0, 1.0, 0.0);
    let lamp = app
        .world_mut()
        .spawn((lamp(), place, LightCell::new(7, 4)))
        .id();
    app.update();
    assert_eq!(source_at(&app, map), Vec2::new(7.0, 4.0));
    app.world_mut().entity_mut(lamp).remove::<LightCell>();
    app.update();
    assert_eq!(source_at(&app, map), Vec2::new(1.0, 1.0));
}

#[test]
fn lamp_fades_out_when_it_leaves_the_map() {
    let mut app = app();
    let map = app.world_mut().spawn(settled(9, 5)).id();
    let lamp = app.world_mut().spawn((lamp(), LightCell::new(0, 2))).id();
    let mut before = f32::INFINITY;
    for step in 0..=12 {
        let at = Vec2::new(-0.1 * step as f32, 2.0);
        app.world_mut().entity_mut(lamp).insert(LightCell(at));
        map_mut(&mut app, map).darken();
        app.update();
        let now = sum(&app, map);
        assert!(now < before || now == 0.0, "{step}: {now} {before}");
        before = now;
    }
    assert_eq!(before, 0.0);
    assert!(crate::common::map(&app, map).grid().sources().is_empty());
}
