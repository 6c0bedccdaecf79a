//! Biomes, density maps and heights in rules, and the warnings for plants that cannot grow.

use bevy::prelude::*;
use lanternfell_terrain::{
    TerrainCover, TerrainFile,
    edits::{Brush, Edits, Stroke},
    heightmap::{Band, Progress, Selection, climate::BiomeMap},
    prelude::*,
    surface::layers::biomes_of,
};
use lanternfell_vegetation::{PlantInstance, prelude::*};

use crate::vegetation::*;
use lanternfell_terrain_test_support::{
    canvas::spawn_eye,
    log::{count_messages, warnings},
    terrain::*,
};

/// Custom plants on the whole terrain, whose positions can be queried.
fn poles() -> Plant {
    let rule = ScatterRule {
        spacing: 5.0,
        height: SoftRange::ANY,
        ..default()
    };
    Plant::custom("pole", 1000.0, rule)
}

fn only(plant: Plant) -> Vegetation {
    Vegetation {
        plants: vec![plant],
        ..default()
    }
}

/// A terrain whose recipe has a step that selects the higher half.
fn stepped() -> Terrain {
    let hills = hills(129, 129, 1);
    let name = hills.result_name().to_owned();
    let high = Operation::Select {
        of: name.clone(),
        by: Selection::Height(Band {
            from: Some(0.5),
            ..default()
        }),
    };
    let recipe = Recipe {
        result: Some(name),
        ..hills.with_step("high", high)
    };
    Terrain::new(recipe).with_scale(Scale {
        spacing: 1.0,
        relief: 20.0,
    })
}

/// Positions of the poles on the terrain.
fn standing(app: &mut App, terrain: Entity) -> Vec<Vec3> {
    let world = app.world_mut();
    let mut poles = world.query::<(&PlantInstance, &Transform)>();
    let poles = poles
        .iter(world)
        .filter(|(pole, _)| pole.terrain == terrain);
    poles.map(|(_, place)| place.translation).collect()
}

/// Updates until the number of poles stays the same for 30 frames.
fn settled(app: &mut App, terrain: Entity) -> Vec<Vec3> {
    wait_until_grown(app, terrain);
    let (mut count, mut frames) = (usize::MAX, 0);
    update_until(app, |app| {
        let now = standing(app, terrain).len();
        frames = if now == count { frames + 1 } else { 0 };
        count = now;
        frames > 30
    });
    standing(app, terrain)
}

fn app_and_all() -> (App, Entity, usize) {
    let mut app = app_with_plants();
    spawn_eye(&mut app, Vec3::new(0.0, 25.0, 60.0));
    let terrain = app.world_mut().spawn((stepped(), only(poles()))).id();
    let all = settled(&mut app, terrain).len();
    assert!(all > 200, "{all}");
    (app, terrain, all)
}

#[test]
fn density_follows_step_map_and_file() {
    let (mut app, terrain, all) = app_and_all();
    let by_step = only(poles().with_density_map(DensityMap::Step("high".to_owned())));
    app.world_mut().entity_mut(terrain).insert(by_step);
    update_until(&mut app, |app| standing(app, terrain).len() < all);
    let high = settled(&mut app, terrain);
    assert!(
        high.len() > all / 10 && high.len() < all * 9 / 10,
        "{} of {all}",
        high.len()
    );
    assert!(high.iter().all(|at| at.y > 9.5), "{high:?}");

    // Maps can have any size. The west is empty, and the north-east is thin.
    let heights = Heightmap::from_fn(MapSize::new(2, 2).unwrap(), |x, y| match (x, y) {
        (1, 0) => 0.3,
        (1, 1) => 1.0,
        _ => 0.0,
    });
    let map = TerrainMap::from(heights.unwrap());
    let by_map = only(poles().with_density_map(DensityMap::Map(map.clone())));
    app.world_mut().entity_mut(terrain).insert(by_map);
    let in_hand = settled(&mut app, terrain);
    let count = |of: fn(&Vec3) -> bool| in_hand.iter().filter(|at| of(at)).count();
    let [west, north, south] = [
        count(|at| at.x < -0.5),
        count(|at| at.x > 0.5 && at.z < -0.5),
        count(|at| at.x > 0.5 && at.z > 0.5),
    ];
    assert!(
        west == 0 && north > 10 && south > 2 * north,
        "{west}, {north}, {south}"
    );

    // Nothing grows until the file is loaded.
    let files = || TerrainFile::Map(map.clone());
    let file = app
        .world()
        .resource::<Assets<TerrainFile>>()
        .reserve_handle();
    let by_file = only(poles().with_density_map(DensityMap::File(file.clone())));
    app.world_mut().entity_mut(terrain).insert(by_file);
    assert_eq!(settled(&mut app, terrain), []);
    let mut assets = app.world_mut().resource_mut::<Assets<TerrainFile>>();
    assets.insert(file.id(), files()).unwrap();
    update_until(&mut app, |app| {
        standing(app, terrain).len() == in_hand.len()
    });
}

#[test]
fn plants_grow_only_in_their_biomes() {
    let (mut app, terrain, all) = app_and_all();
    let ground: &TerrainSurface = app.world().get(terrain).unwrap();
    let relief = ground.surface().scale().relief;
    let level = ground.water_level() / relief;
    let biomes = biomes_of(ground.map(), level, &Progress::default()).unwrap();
    // The biome with the largest area.
    let areas = biomes.areas();
    let most = (0..areas.len()).max_by_key(|&biome| areas[biome]).unwrap();
    let name = biomes.table().biomes[most].name.clone();
    let half = ground.surface().half_extent();
    let in_it = only(poles().in_biomes(&[(name.as_str(), 1.0)]));
    app.world_mut().entity_mut(terrain).insert(in_it);
    // Measuring the biomes takes a while.
    update_until(&mut app, |app| standing(app, terrain).len() < all);
    let standing = settled(&mut app, terrain);
    assert!(
        standing.len() > 20 && standing.len() < all,
        "{} of {all}",
        standing.len()
    );
    for at in standing {
        let share = at.xz() / (2.0 * half) + 0.5;
        let biome = biomes.at(share.as_dvec2());
        assert_ne!(biome, BiomeMap::OCEAN);
        assert_eq!(usize::from(biome), most, "{at}");
    }
}

#[test]
fn default_rules_avoid_the_sea() {
    let (mut app, terrain, _) = app_and_all();
    let ground: &TerrainSurface = app.world().get(terrain).unwrap();
    let sea = ground.water_level();
    assert!(
        standing(&mut app, terrain)
            .iter()
            .any(|at| at.y < sea - 0.5)
    );
    let mut dry = poles();
    dry.rule.height = ScatterRule::default().height;
    app.world_mut().entity_mut(terrain).insert(only(dry));
    let standing = settled(&mut app, terrain);
    assert!(standing.len() > 100);
    assert!(standing.iter().all(|at| at.y >= sea), "{standing:?}");
}

#[test]
fn plants_that_cannot_grow_are_reported_once() {
    let mut app = app_with_plants();
    spawn_eye(&mut app, Vec3::new(0.0, 25.0, 60.0));
    let rule = |name: &str| ScatterRule {
        name: name.to_owned(),
        spacing: 9.0,
        ..default()
    };
    let fern = |name| Plant::new(PlantKind::Fern, rule(name));
    let mut lofty = fern("lofty");
    lofty.rule.height = SoftRange::new(900.0, 1000.0, 50.0);
    let vegetation = Vegetation {
        plants: vec![
            fern("stranger").on_layers(&[("lava", 1.0)]),
            fern("unmapped").with_density_map(DensityMap::Step("orchard".to_owned())),
            lofty,
            fern("usual"),
        ],
        ..default()
    };
    let said = warnings(&mut app, |app, _| {
        let terrain = app.world_mut().spawn((stepped(), vegetation)).id();
        wait_until_grown(app, terrain);
        let mut again = app.world_mut().get_mut::<Vegetation>(terrain).unwrap();
        again.seed += 1;
        for _ in 0..3 {
            app.update();
        }
        wait_until_grown(app, terrain);
    });
    assert_eq!(
        count_messages(&said, &["stranger", "none of its layers"]),
        1,
        "{said:?}"
    );
    assert_eq!(
        count_messages(&said, &["unmapped", "orchard"]),
        1,
        "{said:?}"
    );
    assert_eq!(
        count_messages(&said, &["match no location", "lofty"]),
        1,
        "{said:?}"
    );
    assert!(said.iter().all(|text| !text.contains("usual")), "{said:?}");
}

/// Denser than any graphics card can hold.
#[test]
fn excessive_density_is_reported_once() {
    let mut app = app_with_plants();
    spawn_eye(&mut app, Vec3::new(0.0, 25.0, 60.0));
    let pine = ScatterRule {
        spacing: 0.3,
        ..default()
    };
    let mut terrain = None;
    let said = warnings(&mut app, |app, said| {
        let dense = only(Plant::new(PlantKind::Pine, pine));
        let entity = app.world_mut().spawn((stepped(), dense)).id();
        terrain = Some(entity);
        update_until(app, |_| {
            said.all()
                .iter()
                .any(|text| text.contains("exceed the memory limit"))
        });
        // Moving the camera logs no further warning.
        let world = app.world_mut();
        let mut eyes = world.query_filtered::<&mut Transform, With<Camera3d>>();
        eyes.single_mut(world).unwrap().translation.x += 20.0;
        for _ in 0..20 {
            app.update();
        }
    });
    let all = count_messages(&said, &["exceed the memory limit"]);
    let of_pines = count_messages(&said, &["exceed the memory limit", "rule \"pine\""]);
    assert_eq!((all, of_pines), (1, 1), "{said:?}");
    let terrain = terrain.unwrap();
    assert!(app.world().get::<TerrainCover>(terrain).is_some());
}

/// What a game has stored on a pole.
#[derive(Component)]
struct Repaired;

/// Changes the edits of a terrain, and waits for the plants.
fn edit(app: &mut App, terrain: Entity, change: impl FnOnce(&mut Edits)) {
    change(&mut app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap());
    wait_until_ready(app);
    settled(app, terrain);
}

fn over(brush: Brush, column: i64, row: i64) -> Stroke {
    Stroke::along(brush, 15 * 256, [[column * 256, row * 256]])
}

#[test]
fn custom_plants_are_lifted_with_the_terrain_and_keep_their_components() {
    let mut app = app_with_plants();
    spawn_eye(&mut app, Vec3::new(0.0, 25.0, 60.0));
    let plants = only(poles());
    let bundle = (stepped(), plants, TerrainEdits::default());
    let terrain = app.world_mut().spawn(bundle).id();
    settled(&mut app, terrain);
    let poles = |app: &mut App| -> Vec<(Entity, Vec3, bool)> {
        let world = app.world_mut();
        let mut poles =
            world.query_filtered::<(Entity, &Transform, Has<Repaired>), With<PlantInstance>>();
        let poles = poles.iter(world);
        poles
            .map(|(entity, at, is_repaired)| (entity, at.translation, is_repaired))
            .collect()
    };
    let before = poles(&mut app);
    for (entity, ..) in &before {
        app.world_mut().entity_mut(*entity).insert(Repaired);
    }
    edit(&mut app, terrain, |edits| {
        edits
            .stroke(1, over(Brush::Raise { mm: 3000 }, 64, 64))
            .unwrap();
        edits.stroke(1, over(Brush::Hole, 25, 100)).unwrap();
    });
    let after = poles(&mut app);
    let ground = app.world().get::<TerrainSurface>(terrain).unwrap().clone();
    let at = |entity: Entity| after.iter().find(|(other, ..)| *other == entity);
    let (mut lifted, mut fallen) = (0, 0);
    for (entity, old, _) in &before {
        let height = ground.surface().height(old.xz());
        match (height, at(*entity)) {
            (Some(height), Some((_, new, is_repaired))) => {
                assert!(*is_repaired && new.xz() == old.xz());
                assert!((new.y - height).abs() < 1e-4, "{new} on {height}");
                lifted += usize::from(new.y > old.y + 1.0);
            }
            (None, None) => fallen += 1,
            other => panic!("{old}: {other:?}"),
        }
    }
    assert!(lifted > 5 && fallen > 5, "{lifted}, {fallen}");
    assert_eq!(after.len() + fallen, before.len());

    // The terrain is closed again, with new poles. The others are at their old height.
    edit(&mut app, terrain, |edits| {
        edits.undo(1).unwrap();
        edits.undo(1).unwrap();
    });
    let (mut restored, new) = (poles(&mut app), |pole: &(_, _, bool)| !pole.2);
    assert_eq!(restored.extract_if(.., |pole| new(pole)).count(), fallen);
    assert!(restored.iter().all(|pole| {
        before
            .iter()
            .any(|(entity, at, _)| (*entity, *at) == (pole.0, pole.1))
    }));
}

#[test]
fn unedited_only_removes_plants_where_heights_change() {
    let mut app = app_with_plants();
    spawn_eye(&mut app, Vec3::new(0.0, 25.0, 60.0));
    let plants = only(poles().unedited_only());
    let bundle = (stepped(), plants, TerrainEdits::default());
    let terrain = app.world_mut().spawn(bundle).id();
    let before = settled(&mut app, terrain);
    let is_dug = |at: &Vec3| at.xz().length() < 13.0;
    assert!(before.iter().filter(|at| is_dug(at)).count() > 5);
    edit(&mut app, terrain, |edits| {
        edits
            .stroke(1, over(Brush::Lower { mm: 900 }, 64, 64))
            .unwrap();
    });
    let after = standing(&mut app, terrain);
    assert!(after.len() < before.len() && !after.iter().any(is_dug));
    let is_far = |at: &&Vec3| at.xz().length() > 17.0;
    assert_eq!(
        after.iter().filter(is_far).count(),
        before.iter().filter(is_far).count()
    );
    edit(&mut app, terrain, |edits| {
        edits.undo(1).unwrap();
    });
    assert_eq!(standing(&mut app, terrain).len(), before.len());
}

#[test]
fn terrain_is_edited_where_strokes_change_heights() {
    let mut app = app_with_plants();
    spawn_eye(&mut app, Vec3::new(0.0, 25.0, 60.0));
    let bundle = (stepped(), only(poles()), TerrainEdits::default());
    let terrain = app.world_mut().spawn(bundle).id();
    settled(&mut app, terrain);
    let is_edited = |app: &App, at: Vec2| {
        let ground: &TerrainSurface = app.world().get(terrain).unwrap();
        ground.is_edited(at)
    };
    let places = [Vec2::ZERO, Vec2::new(64.0, 64.0), Vec2::new(-39.0, 36.0)];
    for at in places {
        assert!(!is_edited(&app, at), "{at}");
    }
    edit(&mut app, terrain, |edits| {
        // In the middle, and beyond the south-eastern corner.
        edits
            .stroke(1, over(Brush::Lower { mm: 900 }, 64, 64))
            .unwrap();
        edits
            .stroke(1, over(Brush::Raise { mm: 900 }, 130, 130))
            .unwrap();
        edits.stroke(1, over(Brush::Hole, 25, 100)).unwrap();
    });
    assert_eq!(places.map(|at| is_edited(&app, at)), [true, true, false]);
    for outside in [Vec2::splat(66.0), Vec2::NAN, Vec2::INFINITY] {
        assert!(!is_edited(&app, outside), "{outside}");
    }
    edit(
        &mut app,
        terrain,
        |edits| while edits.undo(1).unwrap().is_some() {},
    );
    assert_eq!(places.map(|at| is_edited(&app, at)), [false; 3]);
}
