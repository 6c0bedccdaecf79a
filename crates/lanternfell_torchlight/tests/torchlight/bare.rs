//! What works in an app without a renderer, assets or transform propagation.

use bevy::prelude::*;
use lanternfell_torchlight::prelude::*;

use crate::common::*;

#[test]
fn light_reaches_readers() {
    let mut app = app();
    app.world_mut().spawn(settled(20, 20));
    app.world_mut().spawn((lamp(), LightCell::new(5, 5)));
    let near = app
        .world_mut()
        .spawn((LightLevel::default(), LightCell::new(7, 5)))
        .id();
    let far = app
        .world_mut()
        .spawn((LightLevel::default(), LightCell::new(18, 18)))
        .id();
    app.update();
    let (near, far) = (level(&app, near), level(&app, far));
    assert!(near.luminance > 0.1 && near.luminance < 1.0, "{near:?}");
    assert!(far.luminance < 0.05 * near.luminance, "{far:?}");
    assert_eq!(near.band, LightBand::Lit);
}

#[test]
fn light_around_a_corner_has_the_color_of_the_lamp() {
    let mut app = app();
    let map = app.world_mut().spawn(settled(9, 9)).id();
    let wall = |cell: IVec2| cell.x == 4 && cell.y != 8;
    map_mut(&mut app, map)
        .fill(|cell| if wall(cell) { Cell::WALL } else { Cell::OPEN })
        .unwrap();
    let lamp = LightSource::new(Color::srgb(1.0, 0.0, 0.0));
    let lamp = app.world_mut().spawn((lamp, LightCell::new(1, 4))).id();
    let guard = app
        .world_mut()
        .spawn((LightLevel::default(), LightCell::new(6, 6)))
        .id();
    app.update();
    let LightLevel { light, .. } = level(&app, guard);
    assert!(light.x > 0.0 && light.y == 0.0 && light.z == 0.0, "{light}");
    let light_map = crate::common::map(&app, map);
    let glow = light_map.grid().glow(IVec2::new(6, 6)).unwrap();
    assert!(glow.direction.y > 0.0, "toward the gap in the south");
    let source = glow
        .source
        .and_then(|source| light_map.source_entity(source));
    assert_eq!(source, Some(lamp));
}

#[test]
fn darkness_removes_light() {
    let mut app = app();
    app.world_mut().spawn(settled(12, 12));
    app.world_mut().spawn((lamp(), LightCell::new(3, 6)));
    let reader = app
        .world_mut()
        .spawn((LightLevel::default(), LightCell::new(8, 6)))
        .id();
    app.update();
    let before = level(&app, reader).luminance;
    app.world_mut()
        .spawn((lamp().with_strength(-1.0), LightCell::new(8, 6)));
    app.update();
    assert!(before > 0.05);
    assert_eq!(level(&app, reader).luminance, 0.0);
}

#[test]
fn light_at_rest_triggers_no_change_detection() {
    let mut app = app();
    let map = app.world_mut().spawn(settled(12, 12)).id();
    app.world_mut().spawn((lamp(), LightCell::new(3, 6)));
    app.world_mut()
        .spawn((LightBlocker::default(), LightCell::new(5, 6)));
    let reader = app
        .world_mut()
        .spawn((LightLevel::default(), LightCell::new(8, 6)))
        .id();
    updates(&mut app, 3);
    let ticks = |app: &App| {
        let world = app.world();
        let level = world
            .entity(reader)
            .get_ref::<LightLevel>()
            .unwrap()
            .last_changed();
        let map = world
            .entity(map)
            .get_ref::<TorchlightMap>()
            .unwrap()
            .last_changed();
        (level, map)
    };
    let before = ticks(&app);
    updates(&mut app, 3);
    assert_eq!(ticks(&app), before);
    let at_rest = |app: &App| {
        !crate::common::map(app, map)
            .grid()
            .tiles()
            .any(|tile| tile.change > 1e-3)
    };
    assert!(at_rest(&app));
}
