//! Terrain and water in an app with rendering: materials, and one sea per terrain.

use bevy::prelude::*;
use lanternfell_terrain::{
    DefaultTerrainMaterial, TerrainChunk, TerrainMaterialPlugin, WaterMaterial, prelude::*,
};

use lanternfell_terrain_test_support::terrain::*;

type Sea = MeshMaterial3d<WaterMaterial>;

/// The terrain, transform and visibility of each sea.
fn seas(app: &mut App) -> Vec<(Entity, Transform, Visibility)> {
    let world = app.world_mut();
    let mut seas = world.query_filtered::<(&ChildOf, &Transform, &Visibility), With<Sea>>();
    let seas = seas.iter(world);
    seas.map(|(parent, place, shown)| (parent.parent(), *place, *shown))
        .collect()
}

#[test]
fn each_terrain_has_one_sea_after_changes() {
    let mut app = drawing_app();
    let first = spawn_ready(&mut app, Terrain::new(hills(50, 40, 1)));
    let second = spawn_ready(&mut app, Terrain::new(hills(130, 90, 2)));
    for seed in 3..6 {
        change_recipe(&mut app, first, |recipe| recipe.seed = seed);
        wait_until_ready(&mut app);
    }
    let owners: Vec<Entity> = seas(&mut app)
        .into_iter()
        .map(|(owner, ..)| owner)
        .collect();
    assert!(owners.len() == 2 && owners.contains(&first) && owners.contains(&second));
    assert_eq!(app.world().resource::<Assets<WaterMaterial>>().len(), 2);
}

#[test]
fn sea_is_at_its_water_level() {
    let mut app = drawing_app();
    let high = |relief| Scale {
        spacing: 1.0,
        relief,
    };
    let terrain = Terrain::new(hills(50, 40, 1)).with_scale(high(20.0));
    let entity = spawn_ready(&mut app, terrain);
    let level = |app: &mut App| seas(app)[0].1.translation.y;
    let by_recipe = ground(&app, entity).water_level();
    assert!(by_recipe > 0.0);
    assert_eq!(level(&mut app), by_recipe);
    app.world_mut().get_mut::<Water>(entity).unwrap().level = Some(0.5);
    app.update();
    assert_eq!(level(&mut app), 10.0);
    // New terrain keeps an explicit level, and otherwise uses its own.
    app.world_mut().get_mut::<Terrain>(entity).unwrap().scale = Some(high(40.0));
    wait_until_ready(&mut app);
    assert_eq!(level(&mut app), 20.0);
    app.world_mut().get_mut::<Water>(entity).unwrap().level = None;
    change_recipe(&mut app, entity, |recipe| recipe.sea_level = Some(0.25));
    wait_until_ready(&mut app);
    assert_eq!(level(&mut app), 10.0);
    // Without the component there is no sea, until it is inserted again.
    app.world_mut().entity_mut(entity).remove::<Water>();
    app.update();
    assert_eq!(seas(&mut app).len(), 0);
    app.world_mut().entity_mut(entity).insert(Water::default());
    app.update();
    assert_eq!(level(&mut app), 10.0);
    app.update();
    assert_eq!(seas(&mut app).len(), 1);
}

#[test]
fn chunks_of_a_terrain_share_one_material() {
    let mut app = drawing_app();
    let pair = [
        spawn_ready(&mut app, Terrain::new(hills(130, 90, 1))),
        spawn_ready(&mut app, Terrain::new(hills(130, 90, 2))),
    ];
    change_recipe(&mut app, pair[0], |recipe| recipe.seed = 3);
    wait_until_ready(&mut app);
    let world = app.world_mut();
    let mut chunks = world.query::<(
        &TerrainChunk,
        Option<&MeshMaterial3d<DefaultTerrainMaterial>>,
    )>();
    let looks = pair.map(|entity| {
        let own = chunks
            .iter(world)
            .filter(|(chunk, _)| chunk.terrain == entity);
        let looks: Vec<_> = own
            .map(|(_, look)| look.expect("each chunk has a material").0.clone())
            .collect();
        assert_eq!(looks.len(), 6);
        assert!(looks.iter().all(|look| *look == looks[0]));
        looks[0].clone()
    });
    assert_ne!(looks[0], looks[1]);
}

/// The material of each chunk of the only terrain.
fn materials<M: Material>(app: &mut App) -> Vec<Option<Handle<M>>> {
    let world = app.world_mut();
    let mut chunks = world.query_filtered::<Option<&MeshMaterial3d<M>>, With<TerrainChunk>>();
    let material = |material: Option<&MeshMaterial3d<M>>| material.map(|m| m.0.clone());
    chunks.iter(world).map(material).collect()
}

#[test]
fn custom_material_stays_when_the_terrain_changes() {
    let mut app = drawing_app();
    let clay = app
        .world_mut()
        .resource_mut::<Assets<StandardMaterial>>()
        .add(StandardMaterial::default());
    let own = TerrainMaterial(clay.clone());
    let entity = spawn_ready(&mut app, (Terrain::new(hills(130, 90, 1)), own));
    let all_clay = |app: &mut App, step: &str| {
        app.update();
        let now = materials::<StandardMaterial>(app);
        assert!(
            !now.is_empty() && now.iter().all(|m| m.as_ref() == Some(&clay)),
            "{step}"
        );
        let plugins = materials::<DefaultTerrainMaterial>(app);
        assert!(plugins.iter().all(Option::is_none), "{step}");
    };
    all_clay(&mut app, "at first");
    change_recipe(&mut app, entity, |recipe| recipe.seed = 2);
    wait_until_ready(&mut app);
    all_clay(&mut app, "on new ground");
    app.world_mut()
        .get_mut::<TerrainLayers>(entity)
        .unwrap()
        .layers[0]
        .tint = Color::BLACK;
    all_clay(&mut app, "with other colors");
    app.world_mut()
        .get_mut::<TerrainDetail>(entity)
        .unwrap()
        .pixel_error = 1e9;
    wait_until_settled(&mut app);
    all_clay(&mut app, "in other patches");

    app.world_mut()
        .entity_mut(entity)
        .remove::<TerrainMaterial<StandardMaterial>>();
    app.update();
    app.update();
    assert!(
        materials::<StandardMaterial>(&mut app)
            .iter()
            .all(Option::is_none)
    );
    assert!(
        materials::<DefaultTerrainMaterial>(&mut app)
            .iter()
            .all(Option::is_some)
    );
}

/// The water material stands for a custom material here.
#[test]
fn material_without_plugin_keeps_default_material() {
    let mut app = drawing_app();
    let own = TerrainMaterial::<WaterMaterial>(Handle::default());
    spawn_ready(&mut app, (Terrain::new(hills(130, 90, 1)), own));
    app.update();
    let dressed = |app: &mut App| {
        let land = materials::<DefaultTerrainMaterial>(app)
            .into_iter()
            .flatten()
            .count();
        let own = materials::<WaterMaterial>(app)
            .into_iter()
            .flatten()
            .count();
        (land, own)
    };
    let chunks = count::<With<TerrainChunk>>(&mut app);
    assert!(chunks > 0);
    assert_eq!(
        dressed(&mut app),
        (chunks, 0),
        "without its plugin the material must not be used"
    );
    TerrainMaterialPlugin::<WaterMaterial>::default().build(&mut app);
    (0..3).for_each(|_| app.update());
    assert_eq!(
        dressed(&mut app),
        (0, chunks),
        "the material is not used after adding its plugin"
    );
}

/// The last one inserted is rendered, and the other one is removed, in either order.
#[test]
fn newest_of_two_materials_is_rendered() {
    let mut app = drawing_app();
    TerrainMaterialPlugin::<WaterMaterial>::default().build(&mut app);
    let stone = TerrainMaterial::<StandardMaterial>(Handle::default());
    let glass = TerrainMaterial::<WaterMaterial>(Handle::default());
    let entity = spawn_ready(&mut app, (Terrain::new(hills(130, 90, 1)), stone.clone()));
    let chunks = count::<With<TerrainChunk>>(&mut app);
    let dressed = |app: &mut App| {
        (0..3).for_each(|_| app.update());
        let one = count::<(With<TerrainChunk>, With<MeshMaterial3d<StandardMaterial>>)>(app);
        let other = count::<(With<TerrainChunk>, With<MeshMaterial3d<WaterMaterial>>)>(app);
        let own = count::<(
            With<TerrainChunk>,
            With<MeshMaterial3d<DefaultTerrainMaterial>>,
        )>(app);
        (one, other, own)
    };
    assert_eq!(dressed(&mut app), (chunks, 0, 0));
    app.world_mut().entity_mut(entity).insert(glass.clone());
    assert_eq!(dressed(&mut app), (0, chunks, 0));
    assert!(!has::<TerrainMaterial<StandardMaterial>>(&app, entity));
    app.world_mut().entity_mut(entity).insert(stone.clone());
    assert_eq!(dressed(&mut app), (chunks, 0, 0));
    assert!(!has::<TerrainMaterial<WaterMaterial>>(&app, entity));
    // Both at the same time, and none.
    app.world_mut().entity_mut(entity).insert((glass, stone));
    let (one, other, own) = dressed(&mut app);
    assert_eq!((one + other, one * other, own), (chunks, 0, 0));
    app.world_mut().entity_mut(entity).remove::<(
        TerrainMaterial<StandardMaterial>,
        TerrainMaterial<WaterMaterial>,
    )>();
    assert_eq!(dressed(&mut app), (0, 0, chunks));
}

#[test]
fn removing_terrain_removes_meshes_and_materials() {
    for whole in [true, false] {
        let mut app = drawing_app();
        app.update();
        app.update();
        let assets = |app: &App| {
            let world = app.world();
            [
                world.resource::<Assets<Mesh>>().len(),
                world.resource::<Assets<Image>>().len(),
                world.resource::<Assets<DefaultTerrainMaterial>>().len(),
                world.resource::<Assets<WaterMaterial>>().len(),
            ]
        };
        let before = assets(&app);
        let terrain = Terrain::new(hills(50, 40, 1));
        let entity = spawn_ready(&mut app, terrain.clone());
        let case = format!("despawned {whole}");
        assert_eq!(seas(&mut app).len(), 1, "{case}");
        if whole {
            app.world_mut().entity_mut(entity).despawn();
        } else {
            app.world_mut().entity_mut(entity).remove::<Terrain>();
        }
        for _ in 0..4 {
            app.update();
        }
        let left = usize::from(!whole);
        assert_eq!(count::<With<Transform>>(&mut app), left, "{case}");
        assert_eq!(
            assets(&app),
            before,
            "meshes, images, terrain and water materials; {case}"
        );
        if !whole {
            app.world_mut().entity_mut(entity).insert(terrain);
            wait_until_ready(&mut app);
            app.update();
            assert_eq!(seas(&mut app).len(), 1, "{case}");
            let dressed = count::<With<MeshMaterial3d<DefaultTerrainMaterial>>>(&mut app);
            assert_eq!(dressed, shown_chunks(&mut app).len(), "{case}");
        }
    }
}
