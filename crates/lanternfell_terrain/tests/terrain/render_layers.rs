//! What a terrain draws is on the terrain's render layers, for split screens and minimaps.
//!
//! Reported: `RenderLayers` on a terrain did not reach its meshes, nor the choice of cameras for the level of detail.

use bevy::{camera::visibility::RenderLayers, prelude::*};
use lanternfell_terrain::{TerrainRegion, TerrainRenderLayersPlugin, WaterMaterial, prelude::*};

use crate::rivers::island;
use lanternfell_terrain_test_support::{canvas::*, terrain::*};

/// The layers of all meshes of a terrain, and the numbers of patches and water surfaces.
fn drawn(app: &mut App, terrain: Entity) -> (Vec<Option<RenderLayers>>, [usize; 2]) {
    let world = app.world_mut();
    let mut meshes = world.query_filtered::<(
        &ChildOf,
        Option<&RenderLayers>,
        Has<TerrainChunk>,
        Has<MeshMaterial3d<WaterMaterial>>,
    ), With<Mesh3d>>();
    let mut counts = [0, 0];
    let mut layers = Vec::new();
    for (of, on, is_patch, is_water) in meshes.iter(world) {
        if of.parent() == terrain {
            layers.push(on.cloned());
            counts[0] += usize::from(is_patch);
            counts[1] += usize::from(is_water);
        }
    }
    (layers, counts)
}

#[track_caller]
fn assert_on(app: &mut App, terrain: Entity, expected: Option<&RenderLayers>) {
    // Rivers and lakes are spawned over several frames.
    for _ in 0..20 {
        app.update();
    }
    let (layers, [patches, waters]) = drawn(app, terrain);
    assert!(
        patches > 1 && waters > 0,
        "{patches} patches, {waters} waters"
    );
    assert!(
        layers.iter().all(|on| on.as_ref() == expected),
        "{layers:?}"
    );
}

#[test]
fn terrain_and_water_follow_changes_of_layers() {
    let mut app = drawing_app();
    let land = island(Some(InlandWater::default()));
    let [one, two] = [1, 2].map(RenderLayers::layer);
    let terrain = spawn_ready(&mut app, (land.clone(), one.clone()));
    let plain = spawn_ready(&mut app, land);
    // The sea, and rivers and lakes.
    update_until(&mut app, |app| {
        [terrain, plain]
            .iter()
            .all(|&terrain| drawn(app, terrain).1[1] > 1)
    });
    assert_on(&mut app, terrain, Some(&one));
    assert_on(&mut app, plain, None);
    app.world_mut().entity_mut(terrain).insert(two.clone());
    app.update();
    assert_on(&mut app, terrain, Some(&two));
    // New meshes.
    change_recipe(&mut app, terrain, |recipe| recipe.seed = 8);
    wait_until_ready(&mut app);
    app.update();
    assert_on(&mut app, terrain, Some(&two));
    app.world_mut().entity_mut(terrain).remove::<RenderLayers>();
    app.update();
    assert_on(&mut app, terrain, None);
    assert_on(&mut app, plain, None);
}

#[test]
fn only_cameras_on_a_layer_of_the_terrain_choose_its_detail() {
    let mut app = drawing_app();
    let layer = RenderLayers::layer(1);
    let detail = TerrainDetail {
        pixel_error: 2.0,
        ..default()
    };
    let bundle = (Terrain::new(hills(500, 500, 3)), detail, layer.clone());
    let terrain = spawn_ready(&mut app, bundle);
    let place = Transform::from_xyz(0.0, 30.0, 0.0);
    let camera = app.world_mut().spawn((Camera3d::default(), place)).id();
    let patches = |app: &mut App| {
        wait_until_settled(app);
        drawn(app, terrain).1[0]
    };
    let unseen = patches(&mut app);
    app.world_mut().entity_mut(camera).insert(layer);
    let seen = patches(&mut app);
    assert!(
        seen > unseen,
        "{seen} patches with the camera, {unseen} without"
    );
    let world = app.world_mut();
    world.entity_mut(camera).remove::<RenderLayers>();
    // The cut stays as it was without cameras. New terrain is chosen without the camera.
    set_recipe(&mut app, terrain, hills(500, 500, 4));
    wait_until_ready(&mut app);
    let away = patches(&mut app);
    app.world_mut().entity_mut(terrain).remove::<RenderLayers>();
    let seen = patches(&mut app);
    assert!(
        seen > away,
        "{seen} patches with the camera, {away} without"
    );
}

#[test]
fn regions_follow_the_layers_of_an_endless_terrain() {
    let mut app = drawing_app();
    let recipe = Recipe::new(MapSize::default(), 5, FractalNoise::default());
    let mut endless = EndlessTerrain::new(recipe);
    endless.distance = 60.0;
    let [one, two] = [1, 2].map(RenderLayers::layer);
    app.world_mut().spawn((TerrainViewer, Transform::default()));
    let whole = app.world_mut().spawn((endless, one.clone())).id();
    update_until(&mut app, |app| count::<With<TerrainChunk>>(app) > 0);
    wait_until_ready(&mut app);
    let assert_all_on = |app: &mut App, expected: Option<&RenderLayers>| {
        app.update();
        let world = app.world_mut();
        let mut regions =
            world.query_filtered::<(Entity, Option<&RenderLayers>), With<TerrainRegion>>();
        let regions: Vec<_> = regions
            .iter(world)
            .map(|(region, on)| (region, on.cloned()))
            .collect();
        assert!(!regions.is_empty());
        for (region, on) in regions {
            assert_eq!(on.as_ref(), expected);
            let (layers, _) = drawn(app, region);
            assert!(
                layers.iter().all(|on| on.as_ref() == expected),
                "{layers:?}"
            );
        }
    };
    assert_all_on(&mut app, Some(&one));
    app.world_mut().entity_mut(whole).insert(two.clone());
    assert_all_on(&mut app, Some(&two));
    app.world_mut().entity_mut(whole).remove::<RenderLayers>();
    assert_all_on(&mut app, None);
    // Layers that an app inserts on regions stay.
    let world = app.world_mut();
    let mut regions = world.query_filtered::<Entity, With<TerrainRegion>>();
    for region in regions.iter(world).collect::<Vec<_>>() {
        world.entity_mut(region).insert(one.clone());
    }
    assert_all_on(&mut app, Some(&one));
}

/// On a child of a terrain.
#[derive(Component)]
struct House;

#[test]
fn own_children_follow_and_may_have_other_layers() {
    let plugin = TerrainRenderLayersPlugin::<House>::default();
    let mut app = app_with((TerrainPlugin, plugin));
    let [one, two, three] = [1, 2, 3].map(RenderLayers::layer);
    let world = app.world_mut();
    let terrain = world
        .spawn((Terrain::new(hills(50, 40, 1)), one.clone()))
        .id();
    let house = world.spawn((House, ChildOf(terrain))).id();
    let secret = world.spawn((House, two.clone(), ChildOf(terrain))).id();
    let other = world.spawn(ChildOf(terrain)).id();
    let on = |app: &mut App| {
        app.update();
        [house, secret, other].map(|child| app.world().get::<RenderLayers>(child).cloned())
    };
    assert_eq!(on(&mut app), [Some(one), Some(two), None]);
    app.world_mut().entity_mut(terrain).insert(three.clone());
    assert_eq!(on(&mut app), [Some(three.clone()), Some(three), None]);
}

/// The camera sees the terrain, its sea and the view below its sea only on their layer.
#[test]
fn camera_on_another_layer_sees_only_the_background() {
    let mut app = app_that_draws(UVec2::splat(48), |_| {});
    app.insert_resource(ClearColor(Color::srgb(1.0, 0.0, 1.0)));
    let light = (
        DirectionalLight::default(),
        Transform::default().looking_to(Vec3::NEG_Y, Vec3::X),
    );
    app.world_mut().spawn(light);
    let layer = RenderLayers::layer(1);
    let terrain = (Terrain::new(hills(60, 60, 1)), layer.clone());
    let terrain = spawn_ready(&mut app, terrain);
    let camera = spawn_eye(&mut app, Vec3::new(5.0, 60.0, 40.0));
    let background = |app: &mut App| {
        let picture = next_picture(app);
        let pixels = picture
            .pixels()
            .filter(|pixel| pixel.0[0] > 200 && pixel.0[1] < 50);
        pixels.count() as f32 / (48.0 * 48.0)
    };
    // Shaders are compiled for the first pictures.
    let wait_until_drawn = |app: &mut App| {
        let start = std::time::Instant::now();
        while background(app) > 0.5 {
            assert!(start.elapsed() < PATIENCE, "{}", background(app));
        }
    };
    app.world_mut().entity_mut(camera).insert(layer);
    wait_until_drawn(&mut app);
    app.world_mut().entity_mut(camera).remove::<RenderLayers>();
    assert_eq!(background(&mut app), 1.0);
    app.world_mut().entity_mut(terrain).remove::<RenderLayers>();
    wait_until_drawn(&mut app);
    let other = RenderLayers::layer(2);
    app.world_mut().entity_mut(terrain).insert(other);
    assert_eq!(background(&mut app), 1.0);
}
