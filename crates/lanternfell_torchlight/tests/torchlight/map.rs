//! Cells, regions, settings and changes of a map.

use bevy::prelude::*;
use lanternfell_torchlight::prelude::*;

use crate::common::*;

#[test]
fn light_follows_cells_settings_and_regions() {
    let mut app = app();
    let map = app.world_mut().spawn(settled(9, 9)).id();
    app.world_mut().spawn((lamp(), LightCell::new(4, 4)));
    app.update();
    let mut before = bits(&app, map);
    let far = LightSettings {
        falloff: Falloff::Radius(40.0),
        ..default()
    };
    let changes: [&dyn Fn(&mut TorchlightMap); 5] = [
        &|map| map.set_cell(IVec2::new(5, 4), Cell::WALL).unwrap(),
        &|map| map.settings = far,
        &|map| map.set_region(IVec2::new(0, 0), 1).unwrap(),
        &|map| map.set_ambient(0, Vec3::splat(0.9)).unwrap(),
        &|map| map.fill(|_| Cell::smoke(0.5)).unwrap(),
    ];
    for (step, change) in changes.into_iter().enumerate() {
        change(&mut map_mut(&mut app, map));
        app.update();
        let now = bits(&app, map);
        // A new region has no light of its own.
        assert_eq!(now != before, step != 2, "step {step}");
        before = now;
    }
}

#[test]
fn darken_removes_light_until_it_flows_again() {
    let mut app = app();
    let map = app.world_mut().spawn(settled(9, 9)).id();
    app.world_mut().spawn((lamp(), LightCell::new(4, 4)));
    app.update();
    assert!(sum(&app, map) > 1.0);
    map_mut(&mut app, map).darken();
    assert_eq!(sum(&app, map), 0.0);
    app.update();
    assert!(sum(&app, map) > 1.0);
}

#[test]
fn replaces_sources_of_the_grid() {
    let mut app = app();
    let mut own = grid(9, 9);
    let source = lanternfell_torchlight::lightgrid::Source::new(IVec2::splat(4), Vec3::ONE);
    own.set_sources(&[source]).unwrap();
    let map = app
        .world_mut()
        .spawn((TorchlightMap::new(own), LightFlow::SETTLED))
        .id();
    app.update();
    assert_eq!(sum(&app, map), 0.0);
    assert!(crate::common::map(&app, map).grid().sources().is_empty());
}

#[test]
fn only_outside_changes_are_detected() {
    let mut app = app();
    let map = app.world_mut().spawn(TorchlightMap::new(grid(9, 9))).id();
    app.world_mut()
        .spawn((lamp(), Flicker::torch(1), LightCell::new(4, 4)));
    app.update();
    let changed = |app: &App| {
        app.world()
            .entity(map)
            .get_ref::<TorchlightMap>()
            .unwrap()
            .last_changed()
    };
    let before = changed(&app);
    updates(&mut app, 5);
    assert_eq!(changed(&app), before);
    map_mut(&mut app, map).set_tile_size(8);
    assert_ne!(changed(&app), before);
}
