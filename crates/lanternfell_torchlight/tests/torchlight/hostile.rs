//! NaN, infinite and huge values in everything that users can set.

use std::fmt::Debug;

use bevy::prelude::*;
use lanternfell_torchlight::prelude::*;

use crate::common::*;

const ABSURD: [f32; 9] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    -0.0,
    1e20,
    -1.0,
];

fn assert_finite(app: &App, map: Entity, case: impl Debug) {
    let grid = crate::common::map(app, map).grid();
    for cell in cells(grid) {
        let light = grid.light(cell);
        assert!(
            light.is_finite() && light.cmpge(Vec3::ZERO).all(),
            "{case:?}, {cell}: {light}"
        );
        assert!(light.max_element() <= 64.0, "{case:?}, {cell}: {light}");
    }
}

#[test]
fn light_stays_finite_with_invalid_lamps() {
    let mut app = app();
    let map = app.world_mut().spawn(settled(6, 5)).id();
    let other = app.world_mut().spawn(TorchlightMap::new(grid(6, 5))).id();
    for strength in ABSURD {
        for value in ABSURD {
            let color = Color::linear_rgb(value, 1.0, 0.5);
            let flicker = Flicker {
                speed: value,
                depth: value,
                ..Flicker::torch(1)
            };
            let lamp = LightSource::new(color).with_strength(strength);
            app.world_mut().spawn((lamp, flicker, LightCell::new(2, 2)));
            app.world_mut()
                .spawn((lamp, LightCell(Vec2::new(value, 1.0))));
            app.world_mut()
                .spawn((lamp, Transform::from_xyz(0.2, value, value)));
        }
        updates(&mut app, 2);
        assert_finite(&app, map, strength);
        assert_finite(&app, other, strength);
    }
}

#[test]
fn ignores_invalid_transforms() {
    for value in ABSURD {
        let mut app = app();
        let map = app.world_mut().spawn(settled(6, 5)).id();
        let transforms = [
            Transform::from_scale(Vec3::splat(value)),
            Transform::from_scale(Vec3::ZERO),
            Transform::from_translation(Vec3::splat(value)),
            Transform::from_rotation(Quat::from_xyzw(value, 0.0, value, 1.0)),
        ];
        for transform in transforms {
            let place = Transform::from_xyz(value, 0.0, 0.0);
            let parent = app.world_mut().spawn(transform).id();
            app.world_mut().spawn((lamp(), place, ChildOf(parent)));
            app.world_mut()
                .spawn((LightBlocker::default(), place, ChildOf(parent)));
            app.world_mut()
                .spawn((LightLevel::default(), place, ChildOf(parent)));
            app.update();
            assert_finite(&app, map, ("of a parent", value, transform));
        }
        for transform in transforms {
            app.world_mut().entity_mut(map).insert(transform);
            app.update();
            assert_finite(&app, map, ("of the map", value, transform));
        }
    }
}

#[test]
fn accepts_invalid_blockers() {
    let mut app = app();
    let map = app.world_mut().spawn(settled(6, 5)).id();
    app.world_mut().spawn((lamp(), LightCell::new(1, 1)));
    for value in ABSURD {
        let cell = Cell {
            transparency: Vec3::new(value, 1.0, 0.5),
            albedo: Vec3::new(0.5, value, value),
        };
        app.world_mut()
            .spawn((LightBlocker::new(cell), LightCell::new(3, 3)));
        app.world_mut()
            .spawn((LightBlocker::new(cell), LightCell::new(2, 1)));
        app.update();
        assert_finite(&app, map, cell);
    }
}

#[test]
fn accepts_invalid_flows() {
    let mut app = app();
    let map = app.world_mut().spawn(TorchlightMap::new(grid(6, 5))).id();
    app.world_mut().spawn((lamp(), LightCell::new(1, 1)));
    for value in ABSURD {
        let flows = [
            LightFlow::Automaton {
                steps_per_second: value,
            },
            LightFlow::Settled { tolerance: value },
        ];
        for flow in flows {
            app.world_mut().entity_mut(map).insert(flow);
            updates(&mut app, 2);
            assert_finite(&app, map, flow);
        }
    }
}

#[test]
fn accepts_invalid_displays() {
    let mut app = drawing_app();
    let map = app.world_mut().spawn(settled(6, 5)).id();
    for value in ABSURD {
        app.world_mut().entity_mut(map).insert(LightDisplay {
            gamma: value,
            exposure: value,
            z: value,
            floor: Color::linear_rgb(value, value, 0.0),
            ..default()
        });
        app.update();
    }
    assert!(has::<LightTexture>(&app, map));
}

#[test]
fn rejects_invalid_settings() {
    let mut map = TorchlightMap::new(grid(6, 5));
    for value in ABSURD {
        let taken = map.set_ambient(3, Vec3::splat(value));
        assert_eq!(taken.is_ok(), (0.0..=64.0).contains(&value), "{value}");
    }
    assert!(map.set_region(IVec2::new(6, 0), 1).is_err());
    for side in [0, 1, u32::MAX] {
        map.set_tile_size(side);
    }
}

#[test]
fn invalid_fields_keep_the_last_valid_light() {
    let mut app = app();
    let map = app.world_mut().spawn(settled(9, 9)).id();
    app.world_mut().spawn((lamp(), LightCell::new(4, 4)));
    app.update();
    let before = bits(&app, map);
    for value in ABSURD {
        let mut fields = map_mut(&mut app, map);
        fields.settings.falloff = Falloff::Radius(value);
        if !(value > 0.0 && value.is_finite()) {
            fields.cell_size = value;
        }
        app.update();
        assert_eq!(bits(&app, map), before, "{value}");
    }
}
