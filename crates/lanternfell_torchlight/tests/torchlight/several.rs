//! Several maps at once.

use bevy::prelude::*;
use lanternfell_torchlight::prelude::*;

use crate::common::*;

/// Two maps that overlap by four columns.
fn two_maps(app: &mut App) -> [Entity; 2] {
    [0.0, 6.0].map(|x| {
        let place = Transform::from_xyz(x, 0.0, 0.0);
        app.world_mut().spawn((settled(10, 6), place)).id()
    })
}

#[test]
fn lamp_lights_every_map_at_its_position() {
    let mut app = app();
    let maps = two_maps(&mut app);
    let lamp = app.world_mut().spawn((lamp(), Transform::default())).id();
    for (x, lit) in [
        (-4.0, [true, false]),
        (3.0, [true, true]),
        (9.0, [false, true]),
        (30.0, [false, false]),
    ] {
        app.world_mut()
            .entity_mut(lamp)
            .insert(Transform::from_xyz(x, 0.0, 0.0));
        updates(&mut app, 3);
        let sources = maps.map(|entity| !map(&app, entity).grid().sources().is_empty());
        assert_eq!(sources, lit, "at {x}");
    }
}

#[test]
fn in_torchlight_map_restricts_to_one_map() {
    let mut app = app();
    let maps = two_maps(&mut app);
    let between = Transform::from_xyz(3.0, 0.0, 0.0);
    app.world_mut()
        .spawn((lamp(), between, InTorchlightMap(maps[1])));
    app.world_mut().spawn((
        LightBlocker::default(),
        LightCell::new(1, 1),
        InTorchlightMap(maps[0]),
    ));
    let readers = maps.map(|map| {
        let reader = (LightLevel::default(), between, InTorchlightMap(map));
        app.world_mut().spawn(reader).id()
    });
    app.update();
    assert_eq!(sum(&app, maps[0]), 0.0);
    assert!(sum(&app, maps[1]) > 1.0);
    let levels = readers.map(|reader| level(&app, reader));
    assert_eq!(levels.map(|level| level.map), maps.map(Some));
    assert!(levels[0].luminance == 0.0 && levels[1].luminance > 0.5);
    let corner = |entity| map(&app, entity).grid().cell(IVec2::ONE);
    assert_eq!(maps.map(corner), [Cell::WALL, Cell::OPEN]);
}

#[test]
fn brightest_map_counts() {
    let mut app = app();
    let maps = two_maps(&mut app);
    let between = Transform::from_xyz(3.0, 0.0, 0.0);
    let reader = app.world_mut().spawn((LightLevel::default(), between)).id();
    app.update();
    // Both are equally dark, so the first counts.
    assert_eq!(level(&app, reader).map, Some(maps[0]));
    let lamp = app
        .world_mut()
        .spawn((lamp(), between, InTorchlightMap(maps[1])))
        .id();
    app.update();
    assert_eq!(level(&app, reader).map, Some(maps[1]));
    app.world_mut()
        .entity_mut(lamp)
        .insert(InTorchlightMap(maps[0]));
    map_mut(&mut app, maps[1]).darken();
    app.update();
    assert_eq!(level(&app, reader).map, Some(maps[0]));
}

#[test]
fn each_map_has_its_own_flow() {
    let mut app = app();
    let [first, second] = two_maps(&mut app);
    app.world_mut()
        .entity_mut(first)
        .insert(LightFlow::default());
    app.world_mut().spawn((lamp(), LightCell::new(5, 3)));
    app.update();
    assert!(sum(&app, second) > 2.0 * sum(&app, first));
}

#[test]
fn light_is_independent_of_storage_order() {
    /// Moves an entity to another table.
    #[derive(Component)]
    struct Elsewhere;
    let light = |moved: &[usize]| {
        let mut app = app();
        let direct = LightSettings {
            direct: 0.5,
            ..default()
        };
        let grid = LightGrid::new(20, 20, direct).unwrap();
        let map = app
            .world_mut()
            .spawn((TorchlightMap::new(grid), LightFlow::SETTLED))
            .id();
        let lamps: Vec<Entity> = (0..6)
            .map(|n| {
                let strength = 0.3 + 0.1 * n as f32;
                let lamp = (
                    lamp().with_strength(strength),
                    LightCell::new(3 * n, 2 + 2 * n),
                );
                app.world_mut().spawn(lamp).id()
            })
            .collect();
        for &n in moved {
            app.world_mut().entity_mut(lamps[n]).insert(Elsewhere);
        }
        app.update();
        bits(&app, map)
    };
    let plain = light(&[]);
    for moved in [&[0][..], &[5, 1, 3], &[5, 4, 3, 2, 1, 0]] {
        assert!(light(moved) == plain, "{moved:?}");
    }
}
