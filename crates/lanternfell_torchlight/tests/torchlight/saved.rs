//! Maps and other components, saved as in a scene: by reflection, one component at a time.

use bevy::{
    ecs::reflect::{AppTypeRegistry, ReflectComponent},
    platform::collections::HashMap,
    prelude::*,
    reflect::{
        TypeRegistry,
        serde::{ReflectDeserializer, ReflectSerializer},
    },
};
use lanternfell_torchlight::{FollowsTilemaps, LdtkLight, TiledLight, prelude::*};
use serde::de::DeserializeSeed;

use crate::common::*;

/// The components of a scene with light.
const SAVED: [&str; 11] = [
    "TorchlightMap",
    "LightFlow",
    "LightTiming",
    "LightDisplay",
    "LightThresholds",
    "LightSource",
    "LightBlocker",
    "LightCell",
    "LightLevel",
    "InTorchlightMap",
    "Flicker",
];

/// The components of each entity, as text.
type Saved = Vec<(Entity, Vec<(&'static str, String)>)>;

fn component<'a>(registry: &'a TypeRegistry, name: &str) -> &'a ReflectComponent {
    let known = registry.get_with_short_type_path(name);
    let known = known.unwrap_or_else(|| panic!("{name} is not registered"));
    known
        .data()
        .unwrap_or_else(|| panic!("{name} is not a component"))
}

fn save(app: &App) -> Saved {
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let entities = app.world().iter_entities().map(|entity| {
        let texts = SAVED.iter().filter_map(|&name| {
            let value = component(&registry, name).reflect(entity)?;
            let value = ReflectSerializer::new(value.as_partial_reflect(), &registry);
            let text = ron::to_string(&value).unwrap_or_else(|error| panic!("{name}: {error}"));
            Some((name, text))
        });
        (entity.id(), texts.collect::<Vec<_>>())
    });
    entities.filter(|(_, texts)| !texts.is_empty()).collect()
}

/// Loads into another app. Returns the new entities of the old ones.
fn load(app: &mut App, saved: &Saved) -> HashMap<Entity, Entity> {
    let spawned = saved
        .iter()
        .map(|(old, _)| (*old, app.world_mut().spawn_empty().id()));
    let mut entities = bevy::ecs::entity::EntityHashMap::from_iter(spawned);
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    for (old, texts) in saved {
        for (name, text) in texts {
            let mut text = ron::Deserializer::from_str(text).unwrap();
            let value = ReflectDeserializer::new(&registry).deserialize(&mut text);
            let value = value.unwrap_or_else(|error| panic!("{name}: {error}"));
            let new = entities[old];
            component(&registry, name).apply_or_insert_mapped(
                &mut app.world_mut().entity_mut(new),
                value.as_partial_reflect(),
                &registry,
                &mut entities,
                bevy::ecs::relationship::RelationshipHookMode::Run,
            );
        }
    }
    entities.into_iter().collect()
}

/// A hall with a lamp, a closed door and an open door.
fn hall() -> (App, Entity, [Entity; 2]) {
    let mut app = app();
    let mut grid = grid(15, 9);
    grid.fill(|cell| match cell.x {
        5 | 10 if cell.y != 4 => Cell::WALL,
        _ => Cell::OPEN,
    })
    .unwrap();
    let map = TorchlightMap::new(grid)
        .with_cell_size(3.0)
        .with_plane(LightPlane::Xz);
    let thresholds = LightThresholds(LightBands {
        from: [0.1, 0.2, 0.3],
        ..default()
    });
    let map = app
        .world_mut()
        .spawn((map, thresholds, LightFlow::SETTLED))
        .id();
    let here = InTorchlightMap(map);
    app.world_mut()
        .spawn((lamp(), Flicker::candle(4), LightCell::new(2, 4), here));
    let smoke = LightBlocker::new(Cell::smoke(0.25));
    app.world_mut().spawn((smoke, LightCell::new(3, 4)));
    let reader = (LightLevel::default(), LightCell::new(7, 4), here);
    app.world_mut().spawn(reader);
    let closed = (LightBlocker::default(), LightCell::new(5, 4));
    let closed = app.world_mut().spawn(closed).id();
    // The open door is at a position without light.
    let open = (LightBlocker::default(), LightCell::new(-1, 4));
    let open = app.world_mut().spawn(open).id();
    updates(&mut app, 3);
    (app, map, [closed, open])
}

#[test]
fn scene_with_doors_round_trips() {
    let (mut old, old_map, doors) = hall();
    let behind = IVec2::new(7, 4);
    assert!(map(&old, old_map).grid().luminance(behind) < 0.01);
    let saved = save(&old);
    let mut new = app();
    let entities = load(&mut new, &saved);
    let new_map = entities[&old_map];
    {
        let (was, is) = (map(&old, old_map), map(&new, new_map));
        assert_eq!((is.cell_size, is.plane), (3.0, LightPlane::Xz));
        let own =
            |map: &TorchlightMap| cells(map.grid()).map(|at| map.cell(at)).collect::<Vec<_>>();
        assert_eq!(own(is), own(was));
        assert_eq!(
            is.grid().cell(IVec2::new(5, 4)),
            Cell::OPEN,
            "the door is not part of the cells"
        );
    }
    assert_eq!(
        bits(&new, new_map),
        bits(&old, old_map),
        "the light is loaded"
    );
    let level_of = |app: &mut App| {
        let world = app.world_mut();
        *world.query::<&LightLevel>().single(world).unwrap()
    };
    assert_eq!(level_of(&mut new).map, Some(new_map));
    assert_eq!(level_of(&mut new).band, level_of(&mut old).band);
    let thresholds = new.world().get::<LightThresholds>(new_map).unwrap();
    assert_eq!(thresholds.from, [0.1, 0.2, 0.3]);
    updates(&mut new, 2);
    assert!(map(&new, new_map).grid().luminance(behind) < 0.01);
    assert_eq!(map(&new, new_map).grid().cell(IVec2::new(5, 4)), Cell::WALL);

    // Open one door and close the other, in both apps.
    for (app, doors) in [
        (&mut old, doors),
        (&mut new, doors.map(|door| entities[&door])),
    ] {
        let world = app.world_mut();
        world.entity_mut(doors[0]).insert(LightCell::new(-1, 0));
        world.entity_mut(doors[1]).insert(LightCell::new(10, 4));
        updates(app, 4);
    }
    let light = |app: &App, entity, x| map(app, entity).grid().luminance(IVec2::new(x, 4));
    for x in [7, 12] {
        let (was, is) = (light(&old, old_map, x), light(&new, new_map, x));
        // Flickering starts again in the new app.
        assert!((was - is).abs() < 0.5 * was.max(0.01), "{x}: {was} {is}");
    }
    assert!(light(&new, new_map, 7) > 0.05 && light(&new, new_map, 12) < 0.01);
    for app in [&mut old, &mut new] {
        let world = app.world_mut();
        let mut doors = world.query_filtered::<Entity, With<LightBlocker>>();
        let doors: Vec<_> = doors.iter(world).collect();
        for door in doors {
            world.despawn(door);
        }
        updates(app, 2);
    }
    for at in [IVec2::new(5, 4), IVec2::new(10, 4), IVec2::new(3, 4)] {
        assert_eq!(
            map(&new, new_map).grid().cell(at),
            Cell::OPEN,
            "a wall remains"
        );
    }
}

/// Checks that serialization round-trips, and that an unknown field is an error.
fn assert_by_serde<C>(component: C)
where
    C: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let text = ron::to_string(&component).unwrap();
    let again: C = ron::from_str(&text).unwrap();
    assert_eq!(again, component, "{text}");
    if text.contains(':') {
        let unknown = text.replacen('(', "(colour:1,", 1);
        assert!(ron::from_str::<C>(&unknown).is_err(), "{unknown}");
    }
}

#[test]
fn components_round_trip_with_serde() {
    let warm = Color::LinearRgba(LinearRgba::new(1.5, 0.25, 0.1, 0.5));
    let lamp = LightSource::new(warm).with_strength(-2.0);
    assert_by_serde(lamp.with_radius(0.75));
    assert_by_serde(LightCell(Vec2::new(3.25, -1.0)));
    assert_by_serde(ShadowCaster { radius: 1.5 });
    assert_by_serde(SoftShadows {
        subdivisions: 2,
        direct: 0.5,
        directions: true,
    });
    for (style, beyond) in [
        (LightStyle::Smooth, None),
        (LightStyle::Banded(3), Some(warm)),
    ] {
        assert_by_serde(LightDisplay {
            shown: false,
            style,
            gamma: 1.5,
            exposure: 2.0,
            floor: warm,
            beyond,
            edge: 7.0,
            z: -3.0,
            heat: true,
        });
    }
    assert_by_serde(LightBlocker::new(Cell::smoke(0.25)));
    assert_by_serde(TiledLight::new().class("wall", Cell::WALL));
    assert_by_serde(LdtkLight::new().int_grid(1, Cell::WALL));
    assert_by_serde(FollowsTilemaps {
        fits: false,
        empty: Cell::smoke(0.5),
    });
    // Missing fields get their default values.
    assert_eq!(
        ron::from_str::<LightSource>("(strength:3.0)").unwrap(),
        LightSource::default().with_strength(3.0)
    );
    // A lamp with a color in another color space has bit-identical light after loading.
    for color in [
        Color::srgb(1.0, 0.86, 0.66),
        Color::hsl(200.0, 0.8, 0.4),
        Color::oklch(0.7, 0.1, 40.0),
    ] {
        let lit = |lamp: LightSource| {
            let mut app = app();
            let map = app.world_mut().spawn(TorchlightMap::new(grid(9, 9))).id();
            app.world_mut().spawn((lamp, LightCell::new(4, 4)));
            updates(&mut app, 2);
            bits(&app, map)
        };
        let lamp = LightSource::new(color);
        let again = ron::from_str(&ron::to_string(&lamp).unwrap()).unwrap();
        assert_eq!(lit(again), lit(lamp), "{color:?}");
    }
}

#[test]
fn scene_saves_to_the_same_text_again() {
    let (app, ..) = hall();
    let saved = save(&app);
    let mut again = crate::common::app();
    let entities = load(&mut again, &saved);
    let texts = |saved: &Saved, known: &dyn Fn(Entity) -> Entity| {
        let texts = saved.iter().flat_map(|(entity, texts)| {
            let entity = known(*entity);
            // Other entities have other IDs.
            let is_comparable = |name: &str| !["InTorchlightMap", "LightLevel"].contains(&name);
            let texts = texts.iter().filter(move |(name, _)| is_comparable(name));
            texts.map(move |(name, text)| (entity, *name, text.clone()))
        });
        let mut texts: Vec<_> = texts.collect();
        texts.sort();
        texts
    };
    let saved_again = save(&again);
    assert_eq!(
        texts(&saved_again, &|new| new),
        texts(&saved, &|old| entities[&old])
    );
}

#[test]
fn map_round_trips_with_serde() {
    let (app, map, _) = hall();
    let map = crate::common::map(&app, map);
    let text = ron::to_string(map).unwrap();
    let read: TorchlightMap = ron::from_str(&text).unwrap();
    assert_eq!(ron::to_string(&read).unwrap(), text);
    let blocker = LightBlocker::new(Cell::glass(Vec3::new(0.1, 0.5, 1.0)));
    let read: LightBlocker = ron::from_str(&ron::to_string(&blocker).unwrap()).unwrap();
    assert_eq!(read, blocker);
    let thresholds = LightThresholds(LightBands {
        hysteresis: 0.2,
        ..default()
    });
    let read: LightThresholds = ron::from_str(&ron::to_string(&thresholds).unwrap()).unwrap();
    assert_eq!(read, thresholds);
}

#[test]
fn rejects_invalid_maps() {
    let text = ron::to_string(&TorchlightMap::new(grid(3, 2))).unwrap();
    let wrongs = [
        ("cell_size:1.0", "cell_size:0.0", "finite and above 0"),
        ("cell_size:1.0", "cell_size:inf", "finite and above 0"),
        ("cell_size:1.0", "size:1.0", "size"),
        ("width:3", "width:4", "expected"),
        ("plane:Xy", "plane:Up", "Up"),
    ];
    for (right, wrong, why) in wrongs {
        assert!(text.contains(right), "{right} is not in {text}");
        let error = ron::from_str::<TorchlightMap>(&text.replace(right, wrong)).unwrap_err();
        assert!(error.to_string().contains(why), "{wrong}: {error}");
    }
}
