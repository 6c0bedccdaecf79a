//! Tests of torchlight on a terrain: shadows of hills and trunks, changes of the terrain, and rendering.

use std::{sync::Arc, time::Duration};

use bevy::{prelude::*, time::TimeUpdateStrategy};
use lanternfell::{
    heightmap::{Heightmap, Scale},
    lightgrid::Relief,
    prelude::*,
};

use lanternfell_terrain_test_support::{canvas::*, log::warnings, terrain::*};

/// Cells per side, 1 m apart, and the relief in meters.
const SIDE: u64 = 65;
const RELIEF: f32 = 10.0;

/// A ridge along z in the middle, a valley east of it, and further east a slope that faces west.
pub fn ridge(x: f32) -> f32 {
    match x {
        ..10.0 => (8.0 - 1.6 * x.abs()).max(0.0),
        _ => (0.8 * (x - 18.0)).clamp(0.0, RELIEF),
    }
}

/// The same without the ridge.
pub fn plain(x: f32) -> f32 {
    if x < 10.0 { 0.0 } else { ridge(x) }
}

pub fn land(profile: impl Fn(f32) -> f32) -> Terrain {
    let size = MapSize::new(SIDE, SIDE).unwrap();
    let x = |cell: usize| (cell % SIDE as usize) as f32 - 32.0;
    let heights = (0..size.cells()).map(|cell| profile(x(cell)) / RELIEF);
    let map = Heightmap::from_heights(size, heights.collect()).unwrap();
    Terrain::new(map).with_scale(Scale {
        spacing: 1.0,
        relief: RELIEF,
    })
}

/// Spawns a terrain without a sea.
pub fn spawn_dry(app: &mut App, terrain: impl Bundle) -> Entity {
    app.world_mut().spawn(terrain).remove::<Water>().id()
}

pub fn straight(radius: f32) -> LightSettings {
    LightSettings {
        direct: 1.0,
        falloff: Falloff::Radius(radius),
        ..default()
    }
}

/// A map of 64 m x 64 m.
pub fn map(cells: u32, settings: LightSettings) -> (TorchlightMap, LightFlow, LightTiming) {
    let grid = LightGrid::new(cells, cells, settings).unwrap();
    let map = TorchlightMap::new(grid)
        .with_plane(LightPlane::Xz)
        .with_cell_size(64.0 / cells as f32);
    (map, LightFlow::SETTLED, LightTiming::InStep)
}

pub fn lit_app() -> App {
    app_with(add_lit_plugins)
}

pub fn add_lit_plugins(app: &mut App) {
    let frame = TimeUpdateStrategy::ManualDuration(Duration::from_millis(16));
    app.insert_resource(frame)
        .add_plugins((TerrainPlugin, TorchlightPlugin::default()))
        .add_plugins((VegetationPlugin, TerrainTorchlightPlugin));
}

pub fn relief(app: &App, map: Entity) -> Option<&Arc<Relief>> {
    app.world().get::<TorchlightMap>(map)?.grid().relief()
}

/// Waits until the map has another relief than before.
pub fn wait_for_relief(app: &mut App, map: Entity) {
    let before = relief(app, map).cloned();
    let is_other = |now: &Arc<Relief>| before.as_ref().is_none_or(|it| !Arc::ptr_eq(it, now));
    update_until(app, |app| relief(app, map).is_some_and(is_other));
}

/// Replaces the ridge with the plain, and waits until the map has its relief. Other reliefs may come before, which were
/// begun while the ridge was there.
pub fn level(app: &mut App, terrain: Entity, map: Entity) {
    let mut terrain = app.world_mut().entity_mut(terrain);
    // `Terrain` inserts `Water` again.
    terrain.insert(land(plain)).remove::<Water>();
    let ridge = IVec2::splat(32);
    update_until(app, |app| {
        relief(app, map).is_some_and(|relief| relief.ground(ridge) == 0.0)
    });
}

pub fn spawn_torch(app: &mut App, at: Vec3) -> Entity {
    let torch = (
        LightSource::new(Color::WHITE),
        Transform::from_translation(at),
    );
    app.world_mut().spawn(torch).id()
}

fn spawn_body(app: &mut App, x: f32, profile: fn(f32) -> f32) -> Entity {
    let at = Transform::from_xyz(x, profile(x), 0.0);
    app.world_mut().spawn((LightLevel::default(), at)).id()
}

pub fn luminance(app: &mut App, body: Entity) -> f32 {
    for _ in 0..4 {
        app.update();
    }
    app.world().get::<LightLevel>(body).unwrap().luminance
}

/// Spawns the terrain with the ridge, and a map over it.
fn over_the_ridge(app: &mut App) -> [Entity; 2] {
    let terrain = spawn_dry(app, land(ridge));
    let map = (map(64, straight(60.0)), TerrainTorchlight(terrain));
    let map = app.world_mut().spawn(map).id();
    wait_for_relief(app, map);
    [terrain, map]
}

#[test]
fn ridge_casts_shadow_and_torch_on_it_lights_both_sides() {
    let mut app = lit_app();
    over_the_ridge(&mut app);
    let torch = spawn_torch(&mut app, Vec3::new(-20.0, 1.5, 0.0));
    let [near, valley, slope] = [-15.0, 8.0, 26.0].map(|x| spawn_body(&mut app, x, ridge));
    assert!(luminance(&mut app, near) > 0.05);
    assert_eq!(luminance(&mut app, valley), 0.0);
    assert_eq!(luminance(&mut app, slope), 0.0);
    let mut place = app.world_mut().get_mut::<Transform>(torch).unwrap();
    place.translation = Vec3::new(0.0, ridge(0.0) + 3.0, 0.0);
    assert!(luminance(&mut app, slope) > 0.02);
    assert!(luminance(&mut app, near) > 0.02);
}

#[test]
fn torch_height_follows_transform() {
    let mut app = lit_app();
    let [_, map] = over_the_ridge(&mut app);
    let torch = spawn_torch(&mut app, Vec3::new(-20.0, 1.5, 0.0));
    let valley = spawn_body(&mut app, 15.0, ridge);
    assert_eq!(luminance(&mut app, valley), 0.0);
    app.world_mut()
        .get_mut::<Transform>(torch)
        .unwrap()
        .translation
        .y = 30.0;
    assert!(luminance(&mut app, valley) > 0.01);
    let height = |app: &App| {
        let map = app.world().get::<TorchlightMap>(map).unwrap();
        map.grid().sources()[0].height
    };
    assert!((height(&app) - 30.0).abs() < 0.01, "{}", height(&app));
    // Cells are 1 m wide, so heights in cells are meters. A torch below the terrain is raised to the surface.
    app.world_mut()
        .get_mut::<Transform>(torch)
        .unwrap()
        .translation
        .y = -5.0;
    luminance(&mut app, valley);
    assert!(height(&app) > 0.0);
}

#[test]
fn relief_matches_terrain_for_any_transforms() {
    let mut app = lit_app();
    let stands = Transform::from_xyz(40.0, 5.0, -30.0)
        .with_rotation(Quat::from_rotation_y(0.5))
        .with_scale(Vec3::splat(1.5));
    let terrain = spawn_dry(&mut app, (land(ridge), stands));
    let lies = Transform::from_xyz(38.0, 2.0, -33.0).with_rotation(Quat::from_rotation_y(-0.3));
    let map = (map(32, straight(20.0)), TerrainTorchlight(terrain), lies);
    let map = app.world_mut().spawn(map).id();
    wait_for_relief(&mut app, map);
    let relief = Arc::clone(relief(&app, map).unwrap());
    for (x, y) in [(3, 4), (16, 16), (20, 9), (28, 30)] {
        let cell = IVec2::new(x, y);
        let at = app.world().get::<TorchlightMap>(map).unwrap();
        let at = at.position_of(&lies.into(), cell.as_vec2());
        let ground = ask(&mut app, move |terrains| terrains.height(at)).unwrap();
        let expected = (ground - 2.0) / 2.0;
        let height = relief.ground(cell);
        assert!(
            (height - expected).abs() < 0.01,
            "{cell}: {height} {expected}"
        );
    }
}

#[test]
fn new_terrain_updates_relief() {
    let mut app = lit_app();
    let [terrain, map] = over_the_ridge(&mut app);
    spawn_torch(&mut app, Vec3::new(-20.0, 1.5, 0.0));
    let valley = spawn_body(&mut app, 8.0, ridge);
    assert_eq!(luminance(&mut app, valley), 0.0);
    level(&mut app, terrain, map);
    assert!(luminance(&mut app, valley) > 0.01);
}

#[test]
fn replaced_map_gets_relief_and_equal_terrain_keeps_it() {
    let mut app = lit_app();
    let [terrain, over] = over_the_ridge(&mut app);
    let before = Arc::clone(relief(&app, over).unwrap());
    let another = map(64, straight(60.0));
    app.world_mut().entity_mut(over).insert(another);
    assert!(relief(&app, over).is_none());
    update_until(&mut app, |app| relief(app, over).is_some());
    let now = Arc::clone(relief(&app, over).unwrap());
    assert_eq!(*now, *before);
    // Regenerate the same terrain.
    *app.world_mut().get_mut::<Terrain>(terrain).unwrap() = land(ridge);
    for _ in 0..200 {
        app.update();
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(Arc::ptr_eq(&now, relief(&app, over).unwrap()));
}

#[test]
fn sea_surface_is_part_of_relief() {
    let mut app = lit_app();
    let sea = Water {
        level: Some(0.5),
        ..default()
    };
    let terrain = app.world_mut().spawn((land(ridge), sea)).id();
    let map = (map(64, straight(60.0)), TerrainTorchlight(terrain));
    let map = app.world_mut().spawn(map).id();
    wait_for_relief(&mut app, map);
    let relief = relief(&app, map).unwrap();
    assert!((relief.ground(IVec2::new(5, 5)) - 5.0).abs() < 1e-3);
    assert!(relief.ground(IVec2::new(32, 32)) > 7.0);
}

#[test]
fn relief_is_resampled_only_if_map_moves_relative_to_terrain() {
    let mut app = lit_app();
    let [terrain, map] = over_the_ridge(&mut app);
    let before = Arc::clone(relief(&app, map).unwrap());
    let shift = Vec3::new(1000.0, -3.0, 512.0);
    for entity in [terrain, map] {
        app.world_mut()
            .get_mut::<Transform>(entity)
            .unwrap()
            .translation += shift;
    }
    for _ in 0..30 {
        app.update();
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(Arc::ptr_eq(&before, relief(&app, map).unwrap()));
    app.world_mut()
        .get_mut::<Transform>(map)
        .unwrap()
        .translation
        .x += 4.0;
    wait_for_relief(&mut app, map);
    let now = relief(&app, map).unwrap();
    let [then, now] =
        [(before, 36), (Arc::clone(now), 32)].map(|(relief, x)| relief.ground(IVec2::new(x, 10)));
    assert!((then - now).abs() < 1e-2, "{then} {now}");
}

#[test]
fn trunks_block_light() {
    let mut app = lit_app();
    let scale = Scale {
        spacing: 1.0,
        relief: 20.0,
    };
    let land = Terrain::new(hills(129, 129, 1)).with_scale(scale);
    let rule = ScatterRule {
        spacing: 5.0,
        size: [0.8, 1.2],
        height: SoftRange::ANY,
        ..default()
    };
    let pines = Vegetation {
        plants: vec![Plant::new(PlantKind::Pine, rule)],
        seed: 3,
        ..default()
    };
    let terrain = spawn_dry(&mut app, (land, pines));
    let (light_map, flow, timing) = map(256, straight(40.0));
    let light_map = light_map.with_cell_size(0.5);
    let map = (light_map, flow, timing, TerrainTorchlight(terrain));
    let map = app.world_mut().spawn(map).id();
    let trunks = |app: &App| {
        let Some(relief) = relief(app, map) else {
            return Vec::new();
        };
        let cells = (0..256).flat_map(|y| (0..256).map(move |x| IVec2::new(x, y)));
        cells
            .filter(|&cell| relief.top(cell) > relief.ground(cell))
            .collect()
    };
    update_until(&mut app, |app| trunks(app).len() > 50);
    let stands =
        |cell: &IVec2| cell.cmpgt(IVec2::splat(20)).all() && cell.cmplt(IVec2::splat(230)).all();
    let trunk = trunks(&app).into_iter().find(stands).unwrap();
    // A lamp directly in front of the trunk, and a body directly behind it.
    let [lamp, behind] = [-3, 2].map(|step| trunk + IVec2::new(step, 0));
    let world = app.world_mut();
    world.spawn((LightSource::new(Color::WHITE), LightCell::from(lamp)));
    let body = world
        .spawn((LightLevel::default(), LightCell::from(behind)))
        .id();
    assert!(luminance(&mut app, body) < 0.02);
    let mut light = app
        .world_mut()
        .get_mut::<TerrainTorchlightSettings>(map)
        .unwrap();
    light.plants = false;
    update_until(&mut app, |app| trunks(app).is_empty());
    assert!(luminance(&mut app, body) > 0.1);
}

#[test]
fn invalid_map_has_no_relief_until_fixed() {
    let mut app = lit_app();
    let terrain = spawn_dry(&mut app, land(ridge));
    wait_until_ready(&mut app);
    let nowhere = app.world_mut().spawn_empty().id();
    let hexagons = LightSettings {
        neighborhood: Neighborhood::Hexagonal,
        ..straight(20.0)
    };
    let (upright, flow, timing) = map(32, straight(20.0));
    let upright = upright.with_plane(LightPlane::Xy);
    let usual = || map(32, straight(20.0));
    let over = TerrainTorchlight(terrain);
    let world = app.world_mut();
    let maps = [
        world.spawn((usual(), TerrainTorchlight(nowhere))).id(),
        world.spawn((upright, flow, timing, over)).id(),
        world
            .spawn((usual(), over, Transform::from_xyz(500.0, 0.0, 0.0)))
            .id(),
        world
            .spawn((usual(), over, Transform::from_scale(Vec3::ZERO)))
            .id(),
        world
            .spawn((usual(), over, Transform::from_translation(Vec3::NAN)))
            .id(),
        world
            .spawn((usual(), over, Transform::from_scale(Vec3::splat(1e-9))))
            .id(),
        world.spawn((map(32, hexagons), over)).id(),
    ];
    let said = warnings(&mut app, |app, said| {
        // A relief that is too high is only detected in the background task.
        update_until(app, |_| said.count() >= maps.len());
        for _ in 0..50 {
            app.update();
            std::thread::sleep(Duration::from_millis(1));
        }
    });
    for (number, map) in maps.into_iter().enumerate() {
        assert!(relief(&app, map).is_none(), "map {number}");
        let of_it = format!("torchlight map {map} cannot light its terrain");
        let of_it: Vec<_> = said.iter().filter(|text| text.contains(&of_it)).collect();
        assert_eq!(of_it.len(), 1, "map {number}: {of_it:?} of {said:?}");
        let put_right = (usual(), over, Transform::IDENTITY);
        app.world_mut().entity_mut(map).insert(put_right);
        wait_for_relief(&mut app, map);
    }
}

#[test]
fn out_of_range_settings_are_clamped() {
    let mut app = lit_app();
    let [_, map] = over_the_ridge(&mut app);
    for absurd in [f32::NAN, f32::INFINITY, -3.0] {
        app.world_mut()
            .entity_mut(map)
            .insert(TerrainTorchlightSettings {
                target_height: absurd,
                slope_shading: absurd,
                illuminance: absurd,
                ..default()
            });
        if !absurd.is_nan() {
            wait_for_relief(&mut app, map);
        }
    }
}

#[test]
fn removed_components_remove_relief() {
    let mut app = lit_app();
    let [terrain, map] = over_the_ridge(&mut app);
    app.world_mut()
        .entity_mut(map)
        .remove::<TerrainTorchlight>();
    app.update();
    assert!(relief(&app, map).is_none());
    app.world_mut()
        .entity_mut(map)
        .insert(TerrainTorchlight(terrain));
    wait_for_relief(&mut app, map);
    app.world_mut().entity_mut(terrain).despawn();
    update_until(&mut app, |app| relief(app, map).is_none());
    app.world_mut().entity_mut(map).despawn();
    app.update();
}

/// An app that renders the terrain and the map from above.
pub fn drawn_app(pixels: UVec2) -> (App, [Entity; 2]) {
    drawn_app_with(pixels, None)
}

fn drawn_app_with(pixels: UVec2, water: Option<Water>) -> (App, [Entity; 2]) {
    let mut app = app_that_draws(pixels, |app| {
        app.add_plugins((TorchlightPlugin::default(), TerrainTorchlightPlugin))
            .insert_resource(ClearColor(Color::BLACK))
            .insert_resource(GlobalAmbientLight::NONE)
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(
                16,
            )));
    });
    let terrain = spawn_dry(&mut app, land(ridge));
    let world = app.world_mut();
    if let Some(water) = water {
        world.entity_mut(terrain).insert(water);
    }
    let map = world
        .spawn((map(64, straight(60.0)), TerrainTorchlight(terrain)))
        .id();
    let above = Transform::from_xyz(0.0, 60.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let camera = spawn_camera(&mut app, above);
    app.world_mut()
        .entity_mut(camera)
        .insert(Projection::Orthographic(OrthographicProjection {
            scaling_mode: bevy::camera::ScalingMode::Fixed {
                width: 64.0,
                height: 64.0,
            },
            ..OrthographicProjection::default_3d()
        }));
    wait_for_relief(&mut app, map);
    (app, [terrain, map])
}

/// The mean brightness of a square of 4x4 pixels around a position, in an image of 64x64 pixels of 1 m.
fn brightness(picture: &image::RgbImage, x: f32, z: f32) -> f32 {
    let [left, top] = [x, z].map(|at| (at + 32.0) as u32 - 2);
    let pixels = (0..16).map(|k| picture.get_pixel(left + k % 4, top + k / 4).0);
    pixels
        .map(|rgb| rgb.map(f32::from).iter().sum::<f32>() / 48.0)
        .sum()
}

/// Renders until the brightness at a position fulfills the condition, and returns that image. Meanwhile light flows and
/// pipelines are compiled.
fn picture_when(app: &mut App, x: f32, is_as_bright: impl Fn(f32) -> bool) -> image::RgbImage {
    let mut picture = next_picture(app);
    update_until(app, |app| {
        picture = next_picture(app);
        is_as_bright(brightness(&picture, x, 0.0))
    });
    picture
}

#[test]
fn rendered_terrain_shows_light_and_ridge_shadow() {
    let (mut app, [terrain, map]) = drawn_app(UVec2::splat(64));
    let torch = spawn_torch(&mut app, Vec3::new(-12.0, 1.5, 0.0));
    update_until(&mut app, |app| has::<TerrainLight>(app, terrain));
    let picture = picture_when(&mut app, -10.0, |light| light > 40.0);
    let [near, ridge, far, valley, slope] =
        [-15.0, -4.0, -28.0, 12.0, 26.0].map(|x| brightness(&picture, x, 0.0));
    assert!(near > 20.0 && ridge > 20.0, "{near} {ridge}");
    assert!(far > 2.0 && far < near, "{far} {near}");
    assert!(valley < 1.0 && slope < 1.0, "{valley} {slope}");

    let mut place = app.world_mut().get_mut::<Transform>(torch).unwrap();
    place.translation = Vec3::new(0.0, 11.0, 0.0);
    let picture = picture_when(&mut app, 26.0, |light| light > 2.0);
    let west = brightness(&picture, -15.0, 0.0);
    assert!(west > 2.0, "{west}");

    app.world_mut().get_mut::<LightDisplay>(map).unwrap().shown = false;
    picture_when(&mut app, -4.0, |light| light < 1.0);
    assert!(!has::<TerrainLight>(&app, terrain));
}

#[test]
fn rendered_sea_shows_light_until_hidden() {
    let sea = Water {
        level: Some(0.5),
        reflection: 0.0,
        ..default()
    };
    let (mut app, [terrain, map]) = drawn_app_with(UVec2::splat(64), Some(sea));
    spawn_torch(&mut app, Vec3::new(-12.0, 6.5, 0.0));
    let picture = picture_when(&mut app, -14.0, |light| light > 12.0);
    // The sea is blue and 5 m deep here. The sea bed is lit too, and the ridge is above the surface.
    let assert_is_blue = |picture: &image::RgbImage| {
        let [red, _, blue] = picture.get_pixel(17, 32).0;
        assert!(blue > red, "{red} {blue}");
    };
    assert_is_blue(&picture);
    let [far, behind] = [-28.0, 8.0].map(|x| brightness(&picture, x, 0.0));
    assert!(far > 0.5 && far < brightness(&picture, -14.0, 0.0), "{far}");
    assert!(behind < 1.0, "{behind}");
    // Changing the water keeps the light.
    app.world_mut().get_mut::<Water>(terrain).unwrap().ripples = 0.0;
    for _ in 0..3 {
        app.update();
    }
    assert_is_blue(&picture_when(&mut app, -14.0, |light| light > 12.0));
    app.world_mut().get_mut::<LightDisplay>(map).unwrap().shown = false;
    picture_when(&mut app, -14.0, |light| light < 1.0);
}

#[test]
fn light_fades_at_map_border() {
    let (mut app, _) = drawn_app(UVec2::splat(64));
    spawn_torch(&mut app, Vec3::new(-26.0, 1.5, 0.0));
    let picture = picture_when(&mut app, -20.0, |light| light > 40.0);
    let at = |x: u32| {
        picture
            .get_pixel(x, 32)
            .0
            .map(u32::from)
            .iter()
            .sum::<u32>()
    };
    // Both pixels are six cells from the torch, one at the border and one inside.
    let [outermost, mirrored] = [0, 12].map(at);
    assert!(3 * outermost < mirrored, "{outermost} {mirrored}");
}
