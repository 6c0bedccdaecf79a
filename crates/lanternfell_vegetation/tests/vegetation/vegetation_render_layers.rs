//! Plants are on the render layers of their terrain.
//!
//! Reported: `RenderLayers` on a terrain did not reach its plants, nor the choice of cameras for their level of detail.

use bevy::{camera::visibility::RenderLayers, prelude::*};
use lanternfell_vegetation::{PlantInstance, VegetationChunk, prelude::*};

use crate::vegetation::{app_with_plants, forest, land, wait_until_grown};
use lanternfell_terrain_test_support::{canvas::*, terrain::*};

/// The layers of all entities with this component.
fn layers_of<C: Component>(app: &mut App) -> Vec<Option<RenderLayers>> {
    let world = app.world_mut();
    let mut parts = world.query_filtered::<Option<&RenderLayers>, With<C>>();
    parts
        .iter(world)
        .map(Option::<&RenderLayers>::cloned)
        .collect()
}

#[test]
fn plants_and_their_detail_follow_the_layers_of_the_terrain() {
    let mut app = app_with_plants();
    let [one, two] = [1, 2].map(RenderLayers::layer);
    let mut plants = forest(1);
    let rule = ScatterRule {
        spacing: 20.0,
        height: SoftRange::ANY,
        ..default()
    };
    plants.plants.push(Plant::custom("hut", 300.0, rule));
    let terrain = spawn_ready(&mut app, (land(1), plants, one.clone()));
    let camera = spawn_eye(&mut app, Vec3::new(0.0, 30.0, 10.0));
    // A camera on the default layer does not see the plants.
    wait_until_grown(&mut app, terrain);
    for _ in 0..5 {
        app.update();
    }
    assert_eq!(layers_of::<VegetationChunk>(&mut app), []);
    assert_eq!(layers_of::<PlantInstance>(&mut app), []);
    app.world_mut().entity_mut(camera).insert(one.clone());
    update_until(&mut app, |app| {
        !layers_of::<VegetationChunk>(app).is_empty() && !layers_of::<PlantInstance>(app).is_empty()
    });
    let drawn = wait_until_grown(&mut app, terrain);
    assert!(drawn.plants > 0);
    let assert_all_on = |app: &mut App, expected: Option<&RenderLayers>| {
        app.update();
        let huts = layers_of::<PlantInstance>(app);
        for parts in [layers_of::<VegetationChunk>(app), huts] {
            assert!(!parts.is_empty());
            assert!(parts.iter().all(|on| on.as_ref() == expected), "{parts:?}");
        }
    };
    assert_all_on(&mut app, Some(&one));
    let both = one.union(&two);
    app.world_mut().entity_mut(terrain).insert(both.clone());
    assert_all_on(&mut app, Some(&both));
    app.world_mut().entity_mut(camera).remove::<RenderLayers>();
    app.world_mut().entity_mut(terrain).remove::<RenderLayers>();
    assert_all_on(&mut app, None);
}
