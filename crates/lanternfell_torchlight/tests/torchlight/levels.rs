//! The `LightLevel` of entities.

use bevy::prelude::*;
use lanternfell_torchlight::prelude::*;

use crate::common::*;

#[test]
fn level_matches_the_cell() {
    let mut app = app();
    let map = app.world_mut().spawn(settled(10, 8)).id();
    let lamp = LightSource::new(Color::srgb(1.0, 0.5, 0.1));
    app.world_mut().spawn((lamp, LightCell::new(2, 3)));
    let readers: Vec<Entity> = cells(&grid(10, 8))
        .map(|cell| {
            app.world_mut()
                .spawn((LightLevel::default(), LightCell::from(cell)))
                .id()
        })
        .collect();
    app.update();
    let grid = crate::common::map(&app, map).grid();
    for (cell, &reader) in cells(grid).zip(&readers) {
        let level = level(&app, reader);
        assert_eq!(level.light, grid.light(cell), "{cell}");
        assert_eq!(level.luminance, grid.luminance(cell), "{cell}");
        assert_eq!(
            level.band,
            LightBands::default().band(level.luminance, None),
            "{cell}"
        );
        assert_eq!(level.map, Some(map), "{cell}");
    }
}

/// Reported as a question: Bevy's own lights do not shine while they are hidden. Here, rules must not depend on what is
/// drawn.
#[test]
fn hidden_lamp_emits_light() {
    let mut app = app();
    app.world_mut().spawn(settled(10, 8));
    let lamp = (lamp(), LightCell::new(2, 3), Visibility::Hidden);
    let lamp = app.world_mut().spawn(lamp).id();
    let reader = (LightLevel::default(), LightCell::new(3, 3));
    let reader = app.world_mut().spawn(reader).id();
    app.update();
    let hidden = level(&app, reader);
    assert!(hidden.luminance > 0.1);
    app.world_mut().entity_mut(lamp).insert(Visibility::Visible);
    app.update();
    assert_eq!(level(&app, reader), hidden);
    app.world_mut()
        .get_mut::<LightSource>(lamp)
        .unwrap()
        .strength = 0.0;
    app.update();
    assert!(level(&app, reader).luminance < 1e-3);
}

#[test]
fn level_is_dark_outside_of_all_maps() {
    let mut app = app();
    app.world_mut().spawn(settled(10, 8));
    app.world_mut().spawn((lamp(), LightCell::new(0, 0)));
    let reader = app
        .world_mut()
        .spawn((LightLevel::default(), LightCell::new(0, 0)))
        .id();
    app.update();
    assert_eq!(level(&app, reader).band, LightBand::Blazing);
    for nowhere in [
        Vec2::new(-0.6, 0.0),
        Vec2::new(9.6, 3.0),
        Vec2::new(3.0, 7.5),
        Vec2::NAN,
    ] {
        app.world_mut()
            .entity_mut(reader)
            .insert(LightCell(nowhere));
        app.update();
        assert_eq!(level(&app, reader), LightLevel::default(), "{nowhere}");
    }
}

#[test]
fn level_is_dark_without_a_position() {
    let mut app = app();
    app.world_mut().spawn(settled(3, 3));
    app.world_mut().spawn((lamp(), LightCell::new(1, 1)));
    let reader = app.world_mut().spawn(LightLevel::default()).id();
    app.update();
    assert_eq!(level(&app, reader), LightLevel::default());
}
