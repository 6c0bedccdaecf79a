//! Endless terrain around moving viewers.

use bevy::{
    ecs::system::RunSystemOnce,
    math::{DVec2, I64Vec2},
    prelude::*,
};
use lanternfell_terrain::{
    GroundKind,
    edits::{Brush, Stroke},
    heightmap::{Band, Heightmap, Plane, Selection},
    prelude::*,
    surface::layers::LayerRule,
};

use lanternfell_terrain_test_support::terrain::*;
use lanternfell_test_support::cases;

/// The cell size in meters. With large cells, a region of 1000 m has few cells and long walks are possible.
const SPACING: f32 = 4.0;
const RELIEF: f32 = 200.0;

fn recipe(seed: u64) -> Recipe {
    let noise = FractalNoise {
        octaves: 6,
        lacunarity: 2.0,
        gain: 0.5,
        ..default()
    };
    let scale = Scale {
        spacing: SPACING,
        relief: RELIEF,
    };
    Recipe {
        scale: Some(scale),
        ..Recipe::new(MapSize::default(), seed, noise)
    }
}

fn endless() -> EndlessTerrain {
    EndlessTerrain::new(recipe(3))
}

fn spawn_viewer(app: &mut App, at: Vec3) -> Entity {
    app.world_mut()
        .spawn((TerrainViewer, Transform::from_translation(at)))
        .id()
}

fn move_to(app: &mut App, entity: Entity, at: Vec3) {
    let mut transform = app.world_mut().get_mut::<Transform>(entity).unwrap();
    transform.translation = at;
}

/// Updates the app until all terrain that the viewers need is complete.
fn settle(app: &mut App) {
    // Transforms are propagated at the end of a frame, and the viewers are checked after that.
    app.update();
    wait_until_ready(app);
    app.update();
}

fn regions(app: &mut App) -> Vec<(Entity, TerrainRegion)> {
    let world = app.world_mut();
    let mut regions = world.query::<(Entity, &TerrainRegion)>();
    regions
        .iter(world)
        .map(|(entity, region)| (entity, *region))
        .collect()
}

fn height(app: &mut App, x: f32, z: f32) -> Option<f32> {
    ask(app, move |terrains| terrains.height(Vec3::new(x, 0.0, z)))
}

/// The height in meters of one cell of the plane.
fn height_of_cell(plane: &Plane, x: i64, y: i64) -> f32 {
    let size = MapSize::new(2, 2).unwrap();
    let part = plane.part((x, y), size, &Progress::default()).unwrap();
    part.get(0, 0) * RELIEF
}

#[track_caller]
fn assert_height(app: &mut App, plane: &Plane, cell: (i64, i64), at: (f32, f32)) {
    let found = height(app, at.0, at.1).unwrap_or_else(|| panic!("a hole at {at:?}"));
    let expected = height_of_cell(plane, cell.0, cell.1);
    assert!(
        (found - expected).abs() < 1e-3,
        "{found} m and not {expected} m at {at:?}"
    );
}

#[test]
fn walk_of_kilometers_and_back() {
    const STEP: i64 = 16;
    let meters = 1000 * i64::from(cases(5, 20));
    let mut app = app();
    let plane = recipe(3).plane().unwrap();
    app.world_mut().spawn(endless());
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let entities = app.world().entities().count_spawned();
    let out: Vec<i64> = (0..=meters / (STEP * SPACING as i64)).collect();
    let way = out.iter().chain(out.iter().rev());
    let mut seen: Vec<u32> = Vec::new();
    for (number, &step) in way.enumerate() {
        let cell = step * STEP;
        let x = cell as f32 * SPACING;
        move_to(&mut app, viewer, Vec3::new(x, 0.0, 0.0));
        app.update();
        assert_height(&mut app, &plane, (cell, 0), (x, 0.0));
        let here = height(&mut app, x, 0.0).unwrap().to_bits();
        match seen.get(step as usize) {
            None => seen.push(here),
            Some(&before) => assert_eq!(here, before, "at {x} m"),
        }
        let cells: i64 = regions(&mut app)
            .iter()
            .map(|(_, region)| (region.south_east - region.north_west).element_product())
            .sum();
        assert!(cells <= 2 * 900 * 900, "{cells} cells after {number} steps");
        // Viewers do not move half a kilometer while a region is generated.
        if number % 8 == 0 {
            wait_until_ready(&mut app);
        }
    }
    settle(&mut app);
    assert_eq!(regions(&mut app).len(), 1);
    update_until(&mut app, |app| {
        app.world().entities().count_spawned() == entities
    });
    assert!(answers(&app).failed.is_empty());
}

/// Cells that a region shares with its predecessor are copied, but have the values of the plane.
#[test]
fn regions_have_the_bits_of_the_plane() {
    let mut app = app();
    let plane = recipe(3).plane().unwrap();
    app.world_mut().spawn(endless());
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    for (x, z) in [
        (0.0, 0.0),
        (700.0, 300.0),
        (900.0, -800.0),
        (-2500.0, 10.0),
        (9000.0, 9000.0),
    ] {
        move_to(&mut app, viewer, Vec3::new(x, 0.0, z));
        settle(&mut app);
        let regions = regions(&mut app);
        assert_eq!(regions.len(), 1);
        let (entity, region) = regions[0];
        let map = ground(&app, entity).map();
        let origin = (region.north_west.x, region.north_west.y);
        let expected = plane
            .part(origin, map.size(), &Progress::default())
            .unwrap();
        assert!(same_bits(map, &expected), "at {x} {z}");
    }
}

#[test]
fn distant_viewers_have_separate_regions() {
    let mut app = app();
    app.world_mut().spawn(endless());
    let first = spawn_viewer(&mut app, Vec3::ZERO);
    let second = spawn_viewer(&mut app, Vec3::new(40_000.0, 0.0, 0.0));
    settle(&mut app);
    assert_eq!(regions(&mut app).len(), 2);
    assert_eq!(height(&mut app, 20_000.0, 0.0), None);
    for at in [0.0, 40_000.0] {
        assert!(height(&mut app, at, 900.0).is_some(), "{at}");
    }
    move_to(&mut app, second, Vec3::new(1500.0, 0.0, 0.0));
    settle(&mut app);
    assert_eq!(
        regions(&mut app).len(),
        1,
        "overlapping regions must be merged"
    );
    for x in [-1000.0, 2500.0] {
        assert!(height(&mut app, x, 0.0).is_some(), "{x}");
    }
    app.world_mut().despawn(first);
    settle(&mut app);
    assert_eq!(regions(&mut app).len(), 1);
    assert_eq!(height(&mut app, -1500.0, 0.0), None, "there is no viewer");
    app.world_mut().despawn(second);
    // After a delay.
    update_until(&mut app, |app| regions(app).is_empty());
}

#[test]
fn follows_cameras_without_viewers() {
    let mut app = app();
    app.world_mut().spawn(endless());
    settle(&mut app);
    assert_eq!(regions(&mut app).len(), 0);
    let place = Transform::from_xyz(5000.0, 100.0, 0.0);
    let camera = app.world_mut().spawn((Camera3d::default(), place)).id();
    settle(&mut app);
    assert!(height(&mut app, 5000.0, 0.0).is_some());
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    assert!(height(&mut app, 0.0, 0.0).is_some());
    assert_eq!(
        height(&mut app, 5000.0, 0.0),
        None,
        "cameras are ignored if there are viewers"
    );
    app.world_mut().despawn(camera);
    for nowhere in [f32::NAN, f32::INFINITY] {
        spawn_viewer(&mut app, Vec3::splat(nowhere));
    }
    settle(&mut app);
    assert!(height(&mut app, 0.0, 0.0).is_some());
}

/// 100 km from the plane's origin heights are as exact as near it, and moving the origin regenerates no terrain.
#[test]
fn origin_shifts_with_the_world() {
    const CELLS: i64 = 25_000;
    let mut app = app();
    let plane = recipe(3).plane().unwrap();
    let entity = app.world_mut().spawn(endless()).id();
    let viewer = spawn_viewer(&mut app, Vec3::new(16.0, 0.0, 800.0));
    let shift = |app: &mut App, cells: I64Vec2| {
        let meters = cells.as_vec2() * SPACING;
        app.world_mut()
            .get_mut::<EndlessTerrain>(entity)
            .unwrap()
            .origin += cells;
        let mut transform = app.world_mut().get_mut::<Transform>(viewer).unwrap();
        transform.translation -= Vec3::new(meters.x, 0.0, meters.y);
    };
    settle(&mut app);
    let before = regions(&mut app);
    // The viewer stays in the same cell for any origin.
    for cells in [(20, 0), (-31, 90), (0, 10)] {
        shift(&mut app, cells.into());
        settle(&mut app);
        assert_eq!(regions(&mut app), before);
        let at = app.world().get::<Transform>(viewer).unwrap().translation;
        assert_height(&mut app, &plane, (4, 200), (at.x, at.z));
    }
    let far = I64Vec2::new(CELLS, -CELLS);
    app.world_mut()
        .get_mut::<EndlessTerrain>(entity)
        .unwrap()
        .origin = far;
    move_to(&mut app, viewer, Vec3::ZERO);
    settle(&mut app);
    for (x, z) in [(0, 0), (90, -80), (-100, 7)] {
        let at = (x as f32 * SPACING, z as f32 * SPACING);
        assert_height(&mut app, &plane, (CELLS + x, z - CELLS), at);
    }
}

#[test]
fn recipe_without_plane_fails_once() {
    let mut app = app();
    let entity = app
        .world_mut()
        .spawn(EndlessTerrain::new(hills(64, 64, 1)))
        .id();
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    let change = |app: &mut App, change: &dyn Fn(&mut EndlessTerrain)| {
        change(&mut app.world_mut().get_mut::<EndlessTerrain>(entity).unwrap());
        settle(app);
    };
    settle(&mut app);
    settle(&mut app);
    let errors = |app: &App| -> Vec<String> {
        let failed = answers(app)
            .failed
            .iter()
            .filter(|failed| failed.entity == entity);
        failed.map(|failed| failed.error.to_string()).collect()
    };
    assert_eq!(errors(&app).len(), 1);
    assert!(
        errors(&app)[0].contains("endless plane"),
        "{:?}",
        errors(&app)
    );
    change(&mut app, &|whole| whole.source = recipe(3).into());
    let ground = height(&mut app, 0.0, 0.0);
    assert!(ground.is_some());
    change(&mut app, &|whole| whole.source = hills(64, 64, 2).into());
    change(&mut app, &|whole| whole.distance = -1.0);
    assert_eq!(errors(&app).len(), 3);
    assert_eq!(height(&mut app, 0.0, 0.0), ground);
    // The old terrain also follows the viewer.
    move_to(&mut app, viewer, Vec3::new(6000.0, 0.0, 0.0));
    settle(&mut app);
    assert!(height(&mut app, 6000.0, 0.0).is_some());
    assert_eq!(errors(&app).len(), 3);
}

#[test]
fn new_recipe_replaces_the_old_one_in_one_frame() {
    const FAR: i64 = 5000;
    let mut app = app();
    let entity = app.world_mut().spawn(endless()).id();
    let places = [0, FAR];
    for cell in places {
        spawn_viewer(&mut app, Vec3::new(cell as f32 * SPACING, 0.0, 0.0));
    }
    settle(&mut app);
    let [old, new] = [3, 4].map(|seed| {
        let plane = recipe(seed).plane().unwrap();
        places.map(|cell| height_of_cell(&plane, cell, 0))
    });
    app.world_mut()
        .get_mut::<EndlessTerrain>(entity)
        .unwrap()
        .source = recipe(4).into();
    let mut readies = 0;
    update_until(&mut app, |app| {
        let found = places.map(|cell| height(app, cell as f32 * SPACING, 0.0));
        let found = found.map(|height| height.expect("there is no terrain below the viewer"));
        let all = |expected: [f32; 2]| (0..2).all(|k| (found[k] - expected[k]).abs() < 1e-3);
        readies = answers(app)
            .ready
            .iter()
            .filter(|ready| **ready == entity)
            .count();
        assert!(all(if readies == 2 { new } else { old }), "{found:?}");
        readies == 2
    });
    assert_eq!(regions(&mut app).len(), 2);
}

#[test]
fn despawned_region_is_regenerated() {
    let mut app = app();
    app.world_mut().spawn(endless());
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let shown = regions(&mut app)[0].0;
    move_to(&mut app, viewer, Vec3::new(900.0, 0.0, 0.0));
    app.update();
    for (entity, _) in regions(&mut app) {
        if entity != shown {
            app.world_mut().despawn(entity);
        }
    }
    let mut made = Vec::new();
    update_until(&mut app, |app| {
        assert!(
            height(app, 900.0, 0.0).is_some(),
            "there is no terrain below the viewer"
        );
        made = regions(app);
        made.len() == 1 && made[0].0 != shown
    });
    // The terrain of the shown region is gone, and is generated again.
    app.world_mut().despawn(made[0].0);
    settle(&mut app);
    assert!(height(&mut app, 900.0, 0.0).is_some());
}

#[test]
fn terrain_stays_while_viewers_are_briefly_absent() {
    let mut app = app();
    app.world_mut().spawn(endless());
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let before = regions(&mut app);
    app.world_mut().despawn(viewer);
    for _ in 0..3 {
        app.update();
        assert_eq!(regions(&mut app), before);
    }
    spawn_viewer(&mut app, Vec3::new(8.0, 0.0, 8.0));
    settle(&mut app);
    assert_eq!(regions(&mut app), before);
}

/// The plane's first cell is the origin of eastings and northings, for any region.
#[test]
fn geographic_positions_do_not_depend_on_the_region() {
    let mut app = app();
    app.world_mut().spawn(endless());
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    for (x, z) in [(0.0, 0.0), (1600.0, -800.0), (-24_000.0, 4000.0)] {
        move_to(&mut app, viewer, Vec3::new(x, 0.0, z));
        settle(&mut app);
        let (entity, _) = regions(&mut app)[0];
        let region = *app.world().get::<Transform>(entity).unwrap();
        let surface = ground(&app, entity);
        let at = |place: Vec3| surface.geo_position(place - region.translation);
        for (x, z) in [(x, z), (x + 80.0, z - 160.0)] {
            let found = at(Vec3::new(x, 0.0, z));
            let expected = (f64::from(x), f64::from(-z));
            assert_eq!((found.easting, found.northing), expected);
        }
    }
}

#[test]
fn regions_share_components_of_the_endless_terrain() {
    let mut app = drawing_app();
    let layers = TerrainLayers::temperate(&LayerZones {
        snow_line: 0.4,
        ..default()
    });
    let entity = app.world_mut().spawn((endless(), layers.clone())).id();
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let (region, _) = regions(&mut app)[0];
    assert_eq!(app.world().get::<TerrainLayers>(region), Some(&layers));
    let sea = recipe(3).water_level();
    assert_eq!(app.world().get::<Water>(region).unwrap().level, Some(sea));
    let clay = app
        .world_mut()
        .resource_mut::<Assets<StandardMaterial>>()
        .add(Color::BLACK);
    let mut whole = app.world_mut().entity_mut(entity);
    whole.insert((TerrainMaterial(clay.clone()), TerrainLayers::default()));
    whole.get_mut::<Water>().unwrap().level = Some(0.1);
    app.update();
    app.update();
    let of = |app: &App| {
        app.world()
            .get::<TerrainMaterial<StandardMaterial>>(region)
            .cloned()
    };
    assert_eq!(of(&app), Some(TerrainMaterial(clay)));
    assert_eq!(app.world().get::<TerrainLayers>(region), Some(&default()));
    assert_eq!(app.world().get::<Water>(region).unwrap().level, Some(0.1));
    app.world_mut()
        .entity_mut(entity)
        .remove::<TerrainMaterial<StandardMaterial>>();
    app.update();
    assert_eq!(of(&app), None);
    // A sea and colliders are removed and inserted with those of the whole.
    let has_both = |app: &App| {
        [
            has::<Water>(app, region),
            has::<TerrainCollider>(app, region),
        ]
    };
    let mut whole = app.world_mut().entity_mut(entity);
    whole.remove::<(Water, TerrainCollider)>();
    app.update();
    assert_eq!(has_both(&app), [false; 2]);
    let mut whole = app.world_mut().entity_mut(entity);
    whole.insert((Water::default(), TerrainCollider::default()));
    app.update();
    assert_eq!(has_both(&app), [true; 2]);
    assert_eq!(app.world().get::<Water>(region).unwrap().level, Some(sea));
}

/// A step of the plane can be a mask, and edits paint cells of the plane. Both apply to each region.
#[test]
fn regions_use_masks_and_paint_of_the_plane() {
    let mut app = drawing_app();
    let name = recipe(3).result_name().to_owned();
    let high = Operation::Select {
        of: name.clone(),
        by: Selection::Height(Band {
            from: Some(0.55),
            fade: 0.02,
            ..default()
        }),
    };
    let land = Recipe {
        result: Some(name),
        ..recipe(3).with_step("high", high)
    };
    let rock = LayerRule {
        weight: 9.0,
        mask: Some("high".to_owned()),
        ..default()
    };
    let layers = TerrainLayers::new(vec![
        TerrainLayer::procedural(GroundKind::Grass, default()),
        TerrainLayer::procedural(GroundKind::Granite, rock),
        TerrainLayer::procedural(
            GroundKind::Sand,
            LayerRule {
                weight: 0.0,
                ..default()
            },
        ),
    ]);
    // Two places that the viewer visits.
    let places = [DVec2::new(40.0, -60.0), DVec2::new(6000.0, 2000.0)];
    let mut paint = TerrainEdits::default();
    for place in places {
        let at = (place / f64::from(SPACING) * 256.0).as_i64vec2();
        let sand = Brush::Paint { layer: 2 };
        paint
            .stroke(1, Stroke::along(sand, 8 * 256, [at.to_array()]))
            .unwrap();
    }
    let endless = EndlessTerrain::new(land.clone());
    let whole = app.world_mut().spawn((endless, layers, paint)).id();
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    let plane = land.plane().unwrap();
    for place in places {
        let at = Vec3::new(place.x as f32, 0.0, place.y as f32);
        move_to(&mut app, viewer, at);
        settle(&mut app);
        // From the first frame on, because a region comes with its paint.
        let on_paint = ask(&mut app, move |terrains| {
            Some(terrains.cover(at)?.layer.name.clone())
        });
        assert_eq!(on_paint.as_deref(), Some("sand"));
        let mut seen = [0; 2];
        for cell in (-90..90)
            .step_by(7)
            .flat_map(|x| (-90..90).step_by(7).map(move |z| [x, z]))
        {
            let cell = (place / f64::from(SPACING)).as_i64vec2() + I64Vec2::from(cell);
            let meters = cell.as_vec2() * SPACING;
            if meters.distance(at.xz()) < 60.0 {
                continue;
            }
            let height = height_of_cell(&plane, cell.x, cell.y) / RELIEF;
            // The mask is neither 0 nor 1 here.
            if (height - 0.54).abs() < 0.03 {
                continue;
            }
            let is_high = height > 0.55;
            let layer = ask(&mut app, move |terrains| {
                let hit = terrains.cover(Vec3::new(meters.x, 0.0, meters.y))?;
                Some(hit.layer.name.clone())
            });
            let expected = if is_high { "granite" } else { "grass" };
            assert_eq!(layer.as_deref(), Some(expected), "{cell}");
            seen[usize::from(is_high)] += 1;
        }
        assert!(seen.iter().all(|&count| count > 5), "{seen:?}");
    }
    // The paint is removed.
    app.world_mut().entity_mut(whole).remove::<TerrainEdits>();
    let at = Vec3::new(places[1].x as f32, 0.0, places[1].y as f32);
    update_until(&mut app, |app| {
        ask(app, move |terrains| {
            Some(terrains.cover(at)?.layer.name != "sand")
        }) == Some(true)
    });
}

#[test]
fn removal_leaves_no_entities_or_meshes() {
    let mut app = app();
    spawn_viewer(&mut app, Vec3::ZERO);
    app.update();
    let entities = app.world().entities().count_spawned();
    let meshes = |app: &App| app.world().resource::<Assets<Mesh>>().len();
    for updates in [1, 2, 3, 5, 40] {
        for removed_alone in [true, false] {
            let entity = app.world_mut().spawn(endless()).id();
            for _ in 0..updates {
                app.update();
            }
            if updates == 40 {
                settle(&mut app);
            }
            if removed_alone {
                app.world_mut()
                    .entity_mut(entity)
                    .remove::<EndlessTerrain>();
                app.update();
                assert_eq!(regions(&mut app).len(), 0);
            }
            app.world_mut().despawn(entity);
            for _ in 0..20 {
                app.update();
            }
            assert_eq!(
                app.world().entities().count_spawned(),
                entities,
                "{updates}"
            );
        }
    }
    update_until(&mut app, |app| meshes(app) == 0);
}

/// A region is shown when all of it is complete, and its predecessor is hidden in the same frame.
#[test]
fn exactly_one_region_is_shown_in_every_frame() {
    let mut app = app();
    app.world_mut().spawn(endless());
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    app.world_mut()
        .spawn((Camera3d::default(), Transform::from_xyz(0.0, 300.0, 0.0)));
    settle(&mut app);
    for step in 1..20 {
        move_to(&mut app, viewer, Vec3::new(step as f32 * 300.0, 0.0, 0.0));
        for _ in 0..10 {
            app.update();
            let shown = shown_chunks(&mut app);
            let mut lands: Vec<Entity> = shown
                .iter()
                .map(|&chunk| app.world().get::<ChildOf>(chunk).unwrap().parent())
                .collect();
            lands.sort();
            lands.dedup();
            assert_eq!(lands.len(), 1, "at step {step}");
        }
        wait_until_ready(&mut app);
    }
}

/// A held region is invisible and ignored by queries, and the previous one stays until it is released.
#[test]
fn held_region_is_shown_when_released() {
    fn hold(
        ready: On<TerrainReady>,
        regions: Query<(), With<TerrainRegion>>,
        mut commands: Commands,
    ) {
        if regions.contains(ready.entity) {
            commands.entity(ready.entity).insert(HoldRegion);
        }
    }
    let mut app = app();
    app.add_observer(hold);
    let await_held = |app: &mut App| {
        let mut held = Vec::new();
        update_until(app, |app| {
            let world = app.world_mut();
            let mut regions = world.query_filtered::<Entity, With<HoldRegion>>();
            held = regions.iter(world).collect();
            !held.is_empty()
        });
        assert_eq!(held.len(), 1);
        held[0]
    };
    let is_hidden =
        |app: &App, region| app.world().get::<Visibility>(region) == Some(&Visibility::Hidden);
    app.world_mut().spawn(endless());
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    let first = await_held(&mut app);
    for _ in 0..20 {
        app.update();
        assert!(is_hidden(&app, first) && height(&mut app, 0.0, 0.0).is_none());
    }
    app.world_mut().entity_mut(first).remove::<HoldRegion>();
    app.update();
    assert!(!is_hidden(&app, first) && height(&mut app, 0.0, 0.0).is_some());

    move_to(&mut app, viewer, Vec3::new(900.0, 0.0, 0.0));
    app.update();
    let second = await_held(&mut app);
    let beyond = 1700.0;
    for _ in 0..20 {
        app.update();
        assert!(is_hidden(&app, second) && !is_hidden(&app, first));
        assert!(height(&mut app, 0.0, 0.0).is_some());
        assert!(
            height(&mut app, beyond, 0.0).is_none(),
            "queries must ignore a held region"
        );
    }
    app.world_mut().entity_mut(second).remove::<HoldRegion>();
    app.update();
    assert!(!is_hidden(&app, second) && height(&mut app, beyond, 0.0).is_some());
    assert_eq!(
        regions(&mut app).len(),
        1,
        "the first region must be removed"
    );

    // A held region that is no longer needed is removed.
    move_to(&mut app, viewer, Vec3::new(1800.0, 0.0, 0.0));
    app.update();
    let third = await_held(&mut app);
    move_to(&mut app, viewer, Vec3::new(90_000.0, 0.0, 0.0));
    app.update();
    update_until(&mut app, |app| !has::<TerrainRegion>(app, third));
}

/// Checks the position, because all other tests would also pass if regions were shifted.
#[test]
fn region_is_at_the_position_of_its_cells() {
    let mut app = app();
    app.world_mut().spawn(endless());
    spawn_viewer(&mut app, Vec3::new(3000.0, 0.0, -700.0));
    settle(&mut app);
    let (entity, region) = regions(&mut app)[0];
    let corner = |app: &App, at: Vec2| {
        let half = ground(app, entity).surface().half_extent();
        let place = app.world().get::<Transform>(entity).unwrap().translation;
        (Vec2::new(place.x, place.z) + at * half) / SPACING
    };
    assert_eq!(corner(&app, Vec2::NEG_ONE), region.north_west.as_vec2());
    assert_eq!(corner(&app, Vec2::ONE), region.south_east.as_vec2());
    let map: &Heightmap = ground(&app, entity).map();
    assert_eq!(
        map.width() as i64,
        region.south_east.x - region.north_west.x + 1
    );
    let parents = |children: Query<&ChildOf, With<TerrainRegion>>| children.iter().count();
    assert_eq!(app.world_mut().run_system_once(parents).unwrap(), 1);
}
