//! The cover of a terrain, and the loading of its textures.

use bevy::{
    ecs::system::RunSystemOnce,
    image::{CompressedImageFormats, ImageLoader, ImageSampler},
    prelude::*,
};
use lanternfell_terrain::{
    GroundKind, LayerImages, LayerTexture, LayerTextures,
    heightmap::{Band, Progress, Selection},
    prelude::*,
    surface::layers::{ControlMap, Fray, LayerRule, LayerRules},
};

use lanternfell_terrain_test_support::{
    log::{count_messages, warnings},
    terrain::*,
};

/// Sand up to `height` meters above the sea, grass above it, and rock on steep slopes.
fn beach(height: f64) -> TerrainLayers {
    let rule = |weight| LayerRule {
        weight,
        ..default()
    };
    let below = |to| Band {
        to: Some(to),
        fade: 0.5,
        ..default()
    };
    let above = |from| Band {
        from: Some(from),
        fade: 5.0,
        ..default()
    };
    TerrainLayers::new(vec![
        TerrainLayer::procedural(GroundKind::Grass, rule(1.0)),
        TerrainLayer::procedural(
            GroundKind::Sand,
            LayerRule {
                height: below(height),
                ..rule(4.0)
            },
        ),
        TerrainLayer::procedural(
            GroundKind::Granite,
            LayerRule {
                slope: above(30.0),
                ..rule(8.0)
            },
        ),
    ])
}

fn rules(app: &App, terrain: Entity) -> LayerRules {
    let layers = app.world().get::<TerrainLayers>(terrain).unwrap();
    LayerRules {
        rules: layers
            .layers
            .iter()
            .map(|layer| layer.rule.clone())
            .collect(),
        fray: Fray {
            wavelength: layers.fray_wavelength.into(),
            height: layers.fray_height.into(),
            slope: layers.fray_slope.into(),
        },
    }
}

/// The control map that `lanternfell_surface` builds for this terrain.
fn expected(app: &App, terrain: Entity, level: f32) -> ControlMap {
    let rules = rules(app, terrain);
    let surface = ground(app, terrain).surface();
    ControlMap::builder(&rules)
        .of(surface.map(), surface.scale(), level, &Progress::default())
        .unwrap()
}

fn cover(app: &App, terrain: Entity) -> &ControlMap {
    let cover: &TerrainCover = app
        .world()
        .get(terrain)
        .expect("a rendered terrain has a cover");
    cover.map()
}

#[test]
fn cover_follows_terrain_layers_and_sea() {
    let mut app = drawing_app();
    let water = Water {
        level: Some(0.3),
        ..default()
    };
    let terrain = spawn_ready(
        &mut app,
        (Terrain::new(hills(90, 70, 1)), beach(2.0), water),
    );
    assert_eq!(
        cover(&app, terrain).texels(),
        expected(&app, terrain, 0.3).texels()
    );

    // New terrain comes with its own cover.
    set_recipe(&mut app, terrain, hills(50, 80, 2));
    wait_until_ready(&mut app);
    let of_hills = expected(&app, terrain, 0.3);
    assert_eq!(cover(&app, terrain).texels(), of_hills.texels());

    app.world_mut().get_mut::<Water>(terrain).unwrap().level = Some(0.6);
    let flooded = expected(&app, terrain, 0.6);
    assert_ne!(flooded.texels(), of_hills.texels());
    update_until(&mut app, |app| {
        cover(app, terrain).texels() == flooded.texels()
    });

    app.world_mut().entity_mut(terrain).insert(beach(9.0));
    let sandy = expected(&app, terrain, 0.6);
    assert_ne!(sandy.texels(), flooded.texels());
    update_until(&mut app, |app| {
        cover(app, terrain).texels() == sandy.texels()
    });

    // Invalid layers change nothing.
    let mut wrong = beach(1.0);
    wrong.layers[1].rule.weight = f64::NAN;
    assert!(wrong.validate().is_err());
    app.world_mut().entity_mut(terrain).insert(wrong);
    for _ in 0..20 {
        app.update();
    }
    assert_eq!(cover(&app, terrain).texels(), sandy.texels());
}

#[test]
fn query_returns_the_layers_at_a_point() {
    let mut app = drawing_app();
    let place = Transform::from_xyz(300.0, 7.0, -40.0)
        .with_rotation(Quat::from_rotation_y(0.8))
        .with_scale(Vec3::splat(1.5));
    let terrain = spawn_ready(
        &mut app,
        (Terrain::new(hills(90, 70, 3)), beach(3.0), place),
    );
    let mut seen = std::collections::BTreeSet::new();
    for local in points_over(&ground(&app, terrain).clone(), 4, 500) {
        let at = place.transform_point(local);
        let cover = app.world().get::<TerrainCover>(terrain).unwrap().clone();
        let [(most, share), (other, _)] = cover.layers_at(local.xz());
        let layers = app.world().get::<TerrainLayers>(terrain).unwrap();
        let names = [most, other].map(|index| layers.layers[usize::from(index)].name.clone());
        let found = ask(&mut app, move |terrains| {
            let hit = terrains
                .cover(at)
                .expect("the point is on a rendered terrain");
            let names = [hit.layer.name.clone(), hit.other.name.clone()];
            (hit.terrain, names, hit.share)
        });
        // At the border between two texels, rounding of the world position decides.
        if found.1 != names {
            let layer_at = |by| cover.layers_at(local.xz() + by)[0].0;
            let by = 1e-3;
            let near = [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y].map(|to| layer_at(by * to));
            assert!(
                near.iter()
                    .any(|&index| { layers_name(&app, terrain, index) == found.1[0] }),
                "{at}: {found:?}, not {names:?}"
            );
            continue;
        }
        assert_eq!((found.0, found.2), (terrain, share));
        assert!((0.5..=1.0).contains(&share), "{share}");
        seen.insert(names[0].clone());
    }
    assert_eq!(seen.len(), 3, "{seen:?}");
    let beyond = place.transform_point(Vec3::splat(1000.0));
    assert!(ask(&mut app, move |terrains| terrains
        .cover(beyond)
        .is_none()));
}

fn layers_name(app: &App, terrain: Entity, index: u8) -> String {
    let layers = app.world().get::<TerrainLayers>(terrain).unwrap();
    layers.layers[usize::from(index)].name.clone()
}

#[test]
fn cover_without_renderer_needs_the_component() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, TerrainPlugin));
    let mut app = started(app);
    let terrain = spawn_ready(&mut app, Terrain::new(hills(65, 65, 1)));
    let covered = |app: &mut App| {
        ask(app, |terrains| {
            let cover = terrains.cover(Vec3::ZERO)?;
            let names = [cover.layer, cover.other].map(|layer| layer.name.clone());
            Some((names, cover.share))
        })
    };
    assert_eq!(covered(&mut app), None);
    assert!(ask(&mut app, |terrains| terrains
        .height(Vec3::ZERO)
        .is_some()));
    // With the component the cover is computed, for existing and new terrain. It is equal to that of an app with
    // rendering.
    app.world_mut()
        .entity_mut(terrain)
        .insert(NeedsTerrainCover);
    update_until(&mut app, |app| covered(app).is_some());
    let mut drawing = drawing_app();
    spawn_ready(&mut drawing, Terrain::new(hills(65, 65, 1)));
    assert_eq!(covered(&mut app), covered(&mut drawing));
    let asked_at_once = app
        .world_mut()
        .spawn((Terrain::new(hills(65, 65, 2)), NeedsTerrainCover));
    let other = asked_at_once.id();
    update_until(&mut app, |app| answers(app).ready.contains(&other));
    assert!(app.world().get::<TerrainCover>(other).is_some());
    let mut layers = app.world_mut().get_mut::<TerrainLayers>(terrain).unwrap();
    layers.layers.truncate(1);
    update_until(&mut app, |app| {
        covered(app).is_some_and(|(names, share)| names[0] == names[1] && share == 1.0)
    });
}

/// Steps of a recipe can be masks of rules, whether they are part of the terrain or not.
#[test]
fn recipe_step_masks_a_layer() {
    let mut app = drawing_app();
    let land = hills(70, 50, 4);
    let name = land.result_name().to_owned();
    let deep = Operation::Select {
        of: name.clone(),
        by: Selection::Height(Band {
            to: Some(0.25),
            fade: 0.05,
            ..default()
        }),
    };
    let recipe = Recipe {
        result: Some(name),
        ..land.with_step("deep", deep)
    };
    let mask = Recipe {
        result: Some("deep".to_owned()),
        ..recipe.clone()
    };
    let mask = mask.generate(&Progress::default()).unwrap();
    let mut layers = beach(2.0);
    layers.layers[1].rule.mask = Some("deep".to_owned());
    let water = Water {
        level: Some(0.3),
        ..default()
    };
    let terrain = spawn_ready(&mut app, (Terrain::new(recipe), layers, water));
    let surface = ground(&app, terrain).surface();
    let rules = rules(&app, terrain);
    let expected = ControlMap::builder(&rules)
        .masks(&[("deep", &mask)])
        .of(surface.map(), surface.scale(), 0.3, &Progress::default())
        .unwrap();
    assert_eq!(cover(&app, terrain).texels(), expected.texels());
    let sand = |map: &ControlMap| {
        map.texels()
            .iter()
            .filter(|texel| texel[0] & 15 == 1)
            .count()
    };
    assert!(sand(&expected) > 20, "{}", sand(&expected));
    app.world_mut().entity_mut(terrain).insert(beach(2.0));
    update_until(&mut app, |app| sand(cover(app, terrain)) > sand(&expected));
}

/// A change during the generation of new terrain is not lost if the generation fails.
#[test]
fn failed_terrain_keeps_a_change_of_layers() {
    let mut app = drawing_app();
    let terrain = spawn_ready(&mut app, (Terrain::new(hills(90, 70, 1)), beach(2.0)));
    // The scale of a map is only checked in the background.
    let map = TerrainMap::from(map_of(&hills(80, 80, 2)));
    let broken = Terrain::new(map).with_scale(Scale {
        spacing: f32::NAN,
        relief: 1.0,
    });
    *app.world_mut().get_mut::<Terrain>(terrain).unwrap() = broken;
    app.update();
    assert!(has::<TerrainProgress>(&app, terrain));
    app.world_mut().entity_mut(terrain).insert(beach(9.0));
    app.update();
    update_until(&mut app, |app| !has::<TerrainProgress>(app, terrain));
    assert_eq!(answers(&app).failed.len(), 1);
    let level = ground(&app, terrain).water_level();
    let relief = ground(&app, terrain).surface().scale().relief;
    let sandy = expected(&app, terrain, level / relief);
    update_until(&mut app, |app| {
        cover(app, terrain).texels() == sandy.texels()
    });
}

#[test]
fn new_terrain_uses_the_last_valid_layers() {
    let mut app = drawing_app();
    let terrain = spawn_ready(&mut app, (Terrain::new(hills(90, 70, 1)), beach(2.0)));
    let mut wrong = beach(1.0);
    wrong.layers[1].rule.weight = f64::NAN;
    app.world_mut().entity_mut(terrain).insert(wrong);
    set_recipe(&mut app, terrain, hills(50, 80, 2));
    wait_until_ready(&mut app);
    app.world_mut().entity_mut(terrain).insert(beach(2.0));
    let level = ground(&app, terrain).water_level();
    let relief = ground(&app, terrain).surface().scale().relief;
    let now = expected(&app, terrain, level / relief);
    assert_eq!(cover(&app, terrain).texels(), now.texels());
    app.update();
    assert_eq!(cover(&app, terrain).texels(), now.texels());
}

#[test]
fn invalid_layers_are_logged_once() {
    let mut app = drawing_app();
    let terrain = spawn_ready(&mut app, (Terrain::new(hills(90, 70, 1)), beach(2.0)));
    let before = cover(&app, terrain).clone();
    let too_many = || {
        let one = |number: usize| TerrainLayer {
            name: format!("layer {number}"),
            ..default()
        };
        TerrainLayers::new((0..17).map(one).collect())
    };
    let mut other = None;
    let said = warnings(&mut app, |app, _| {
        app.world_mut().entity_mut(terrain).insert(too_many());
        for _ in 0..5 {
            app.update();
        }
        // Still invalid, which was logged already.
        let mut layers = app.world_mut().get_mut::<TerrainLayers>(terrain).unwrap();
        layers.layers[16].tile = 9.0;
        other = Some(spawn_ready(
            app,
            (Terrain::new(hills(50, 80, 2)), too_many()),
        ));
    });
    let other = other.unwrap();
    let of = |entity: Entity| count_messages(&said, &["17 layers", &entity.to_string()]);
    assert_eq!((of(terrain), of(other)), (1, 1), "{said:?}");
    assert_eq!(cover(&app, terrain).texels(), before.texels());
    // Queries return the layers that are rendered.
    let layer = ask(&mut app, |terrains| {
        let hit = terrains.cover(Vec3::ZERO)?;
        Some(hit.layer.name.clone())
    });
    assert!(layer.is_some_and(|name| !name.starts_with("layer")));
    // A terrain whose layers were never valid has the default layers.
    let usual = TerrainLayers::default();
    let of_other: &TerrainCover = app.world().get(other).unwrap();
    assert_eq!(of_other.name(1), usual.layers[1].name);
    // Valid layers are used.
    app.world_mut().entity_mut(other).insert(beach(2.0));
    update_until(&mut app, |app| {
        let cover: &TerrainCover = app.world().get(other).unwrap();
        cover.index("granite") == Some(2)
    });
}

#[test]
fn unmasked_and_unmatched_layers_are_logged_once() {
    let mut app = drawing_app();
    let water = Water {
        level: Some(0.3),
        ..default()
    };
    let mut layers = beach(-1000.0);
    layers.layers[2].rule.mask = Some("quarry".to_owned());
    let mut terrain = None;
    let said = warnings(&mut app, |app, _| {
        let land = Terrain::new(hills(90, 70, 1));
        let entity = spawn_ready(app, (land, layers, water));
        set_recipe(app, entity, hills(50, 80, 2));
        wait_until_ready(app);
        app.update();
        terrain = Some(entity);
    });
    assert_eq!(count_messages(&said, &["granite", "quarry"]), 1, "{said:?}");
    assert_eq!(
        count_messages(&said, &["match no location", "sand"]),
        1,
        "{said:?}"
    );
    assert_eq!(
        count_messages(&said, &["match no location", "granite"]),
        0,
        "{said:?}"
    );
    let cover: &TerrainCover = app.world().get(terrain.unwrap()).unwrap();
    assert_eq!(
        [0, 1, 2].map(|layer| cover.occurs(layer)),
        [true, false, false]
    );
    assert_eq!(
        [0, 1, 200].map(|layer| cover.name(layer)),
        ["grass", "sand", ""]
    );
}

/// A single layer with a custom image.
fn pictured(color: Handle<Image>) -> TerrainLayers {
    TerrainLayers::single(TerrainLayer {
        name: "lawn".into(),
        texture: LayerTexture::Images(LayerImages::of(color)),
        ..default()
    })
}

#[test]
fn images_that_are_not_loading_are_not_awaited() {
    let mut app = drawing_app();
    let color = app.world().resource::<Assets<Image>>().reserve_handle();
    spawn_ready(
        &mut app,
        (Terrain::new(hills(65, 65, 1)), pictured(color.clone())),
    );
    app.update();
    let ready = |app: &App| app.world().resource::<LayerTextures>().are_ready();
    assert!(ready(&app));

    let changed = |app: &mut App| {
        let system = |textures: Res<LayerTextures>| textures.is_changed();
        app.world_mut().register_system(system)
    };
    let changed = changed(&mut app);
    app.world_mut().run_system(changed).unwrap();
    app.update();
    assert!(!app.world_mut().run_system(changed).unwrap());

    // The image is added later.
    let image = Image::default();
    let mut images = app.world_mut().resource_mut::<Assets<Image>>();
    images.insert(color.id(), image).unwrap();
    app.update();
    assert!(!ready(&app));
    update_until(&mut app, |app| app.world_mut().run_system(changed).unwrap());
}

#[test]
fn changed_image_rebuilds_the_texture() {
    let mut app = drawing_app();
    let color = app
        .world_mut()
        .resource_mut::<Assets<Image>>()
        .add(Image::default());
    spawn_ready(
        &mut app,
        (Terrain::new(hills(65, 65, 1)), pictured(color.clone())),
    );
    let system = |textures: Res<LayerTextures>| textures.is_changed();
    let changed = app.world_mut().register_system(system);
    let is_changed = move |app: &mut App| app.world_mut().run_system(changed).unwrap();
    // Until loading stops, as far as it gets without a renderer.
    let mut quiet = 0;
    update_until(&mut app, |app| {
        quiet = if is_changed(app) { 0 } else { quiet + 1 };
        quiet > 200
    });
    let mut images = app.world_mut().resource_mut::<Assets<Image>>();
    images.get_mut(&color).unwrap().sampler = ImageSampler::nearest();
    update_until(&mut app, is_changed);
}

#[test]
fn with_pictures_loads_images_by_layer_name() {
    let app = drawing_app();
    let server = app.world().resource::<AssetServer>();
    let layers =
        TerrainLayers::default().with_images(server, "my ground", "ktx2", &["sand", "lava"]);
    for (layer, before) in layers.layers.iter().zip(TerrainLayers::default().layers) {
        match &layer.texture {
            LayerTexture::Images(LayerImages { color, normal, .. }) => {
                assert_eq!(layer.name, "sand");
                let paths = [color, normal.as_ref().unwrap()];
                let paths = paths.map(|handle| handle.path().unwrap().to_string());
                let expected = ["my ground/sand_color.ktx2", "my ground/sand_normal.ktx2"];
                assert_eq!(paths, expected);
                assert_eq!((layer.tile, &layer.rule), (before.tile, &before.rule));
            }
            LayerTexture::Procedural(_) => assert_eq!(layer, &before),
        }
    }
}

#[test]
fn images_that_failed_to_load_are_not_awaited() {
    let mut app = drawing_app();
    // Like the renderer.
    app.register_asset_loader(ImageLoader::new(CompressedImageFormats::NONE));
    let server = app.world().resource::<AssetServer>();
    let color = server.load("not/there.png");
    spawn_ready(&mut app, (Terrain::new(hills(65, 65, 1)), pictured(color)));
    update_until(&mut app, |app| {
        app.world_mut()
            .run_system_once(|textures: Res<LayerTextures>| textures.are_ready())
            .unwrap()
    });
}
