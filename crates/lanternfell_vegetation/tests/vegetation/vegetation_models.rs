//! Custom species: they are merged with the other plants and have levels of detail.

use bevy::{platform::collections::HashSet, prelude::*, tasks::block_on};
use lanternfell_vegetation::{
    DrawnVegetation, PlantMaterial, PlantModel, PlantTexture, PlantVariant, VegetationChunk,
    VegetationLayout, plant_mesh,
    plants::grow::{FarLevel, PlantMesh, Skin, Solid},
    prelude::*,
};

use crate::vegetation::*;
use lanternfell_terrain_test_support::{canvas::spawn_eye, terrain::*};

/// Triangles of a column at the far level.
const FAR: usize = 12;

/// A magenta column, 9 m tall.
fn column(far: FarLevel) -> PlantModel {
    let level = |sides| -> PlantMesh {
        let mesh = Cylinder::new(0.8, 9.0).mesh().resolution(sides).build();
        let skin = Skin::Own {
            texture: 0,
            cut_out: false,
        };
        plant_mesh(&mesh.translated_by(Vec3::Y * 4.5), skin).unwrap()
    };
    let variant = PlantVariant {
        near: level(32),
        middle: level(8),
        far: level(4),
        solid: Some(Solid::Cylinder {
            radius: 0.8,
            height: 9.0,
        }),
    };
    assert_eq!(variant.far.triangle_count(), FAR);
    let magenta = PlantTexture::from_color_alpha(16, [255, 0, 255, 255].repeat(256)).unwrap();
    PlantModel::new(vec![variant], far, vec![magenta]).unwrap()
}

fn rule() -> ScatterRule {
    ScatterRule {
        variants: vec![1.0],
        ..forest(3).plants[0].rule.clone()
    }
}

fn columns(model: &Handle<PlantModel>) -> Vegetation {
    Vegetation {
        plants: vec![Plant::model("column", model.clone(), rule())],
        ..forest(3)
    }
}

fn add(app: &mut App, far: FarLevel) -> Handle<PlantModel> {
    let mut models = app.world_mut().resource_mut::<Assets<PlantModel>>();
    models.add(column(far))
}

/// Grows the vegetation on the terrain, seen from `eye`.
fn grown(app: &mut App, terrain: Entity, vegetation: Vegetation, eye: Vec3) -> DrawnVegetation {
    let world = app.world_mut();
    let mut eyes = world.query_filtered::<&mut Transform, With<Camera3d>>();
    *eyes.single_mut(world).unwrap() =
        Transform::from_translation(eye).looking_at(Vec3::ZERO, Vec3::Y);
    world.entity_mut(terrain).insert(vegetation);
    app.update();
    app.update();
    wait_until_grown(app, terrain)
}

const NEAR: Vec3 = Vec3::new(0.0, 25.0, 60.0);
const ABOVE: Vec3 = Vec3::new(0.0, 900.0, 1.0);

/// Number of columns on the whole terrain, computed with the scatter library alone. With `after_pines`, pines come
/// first.
fn expected_columns(app: &App, terrain: Entity, after_pines: bool) -> usize {
    let pine = ScatterRule {
        variants: vec![1.0; 4],
        ..forest(3).plants[0].rule.clone()
    };
    let name = "column".to_owned();
    let column = ScatterRule { name, ..rule() };
    let rules = match after_pines {
        true => vec![pine, column],
        false => vec![column],
    };
    expected(app, terrain, &forest(3), rules).len()
}

#[test]
fn models_merge_with_other_plants() {
    let mut app = app_with_plants();
    spawn_eye(&mut app, NEAR);
    let model = add(&mut app, FarLevel::Impostor);
    let terrain = app.world_mut().spawn(land(1)).id();
    wait_until_ready(&mut app);
    let pines = grown(&mut app, terrain, forest(3), NEAR);
    let mut both = forest(3);
    both.plants.insert(1, Plant::model("column", model, rule()));
    let all = grown(&mut app, terrain, both, NEAR);
    let columns = expected_columns(&app, terrain, true);
    assert!(columns > 50, "{columns}");
    assert_eq!(all.plants, pines.plants + columns);
    // The same number of draw calls, with one material.
    assert_eq!(all.meshes, pines.meshes);
    let world = app.world_mut();
    let mut chunks =
        world.query_filtered::<&MeshMaterial3d<PlantMaterial>, With<VegetationChunk>>();
    let materials: HashSet<_> = chunks.iter(world).map(|material| material.id()).collect();
    assert_eq!(chunks.iter(world).count(), all.meshes);
    assert_eq!(materials.len(), 1);
    // They have colliders.
    let layout = world.get::<VegetationLayout>(terrain).unwrap().clone();
    let area = Rect::from_center_half_size(Vec2::ZERO, Vec2::splat(64.0));
    let solids = block_on(layout.solids(area));
    let is_column =
        |plant: &&lanternfell_vegetation::SolidPlant| matches!(plant.look, PlantLook::Model(_));
    assert_eq!(solids.iter().filter(is_column).count(), columns);
}

#[test]
fn models_have_levels_of_detail() {
    let mut app = app_with_plants();
    spawn_eye(&mut app, NEAR);
    let levels = [FarLevel::Impostor, FarLevel::Mesh, FarLevel::None];
    let models = levels.map(|far| add(&mut app, far));
    let terrain = app.world_mut().spawn(land(1)).id();
    wait_until_ready(&mut app);
    let triangles = models.map(|model| {
        let near = grown(&mut app, terrain, columns(&model), NEAR);
        let above = grown(&mut app, terrain, columns(&model), ABOVE);
        assert!(near.triangles > above.triangles, "{near:?} {above:?}");
        above.triangles
    });
    let count = expected_columns(&app, terrain, false);
    // Two triangles per impostor, the far mesh, and nothing.
    assert_eq!(triangles, [2 * count, FAR * count, 0]);
}

#[test]
fn late_models_grow_once_added() {
    let mut app = app_with_plants();
    spawn_eye(&mut app, NEAR);
    let models = app.world().resource::<Assets<PlantModel>>();
    let model = models.reserve_handle();
    let terrain = app.world_mut().spawn(land(1)).id();
    wait_until_ready(&mut app);
    let none = grown(&mut app, terrain, columns(&model), NEAR);
    assert_eq!((none.plants, none.meshes), (0, 0));
    let mut models = app.world_mut().resource_mut::<Assets<PlantModel>>();
    models.insert(&model, column(FarLevel::Impostor)).unwrap();
    app.update();
    app.update();
    let drawn = wait_until_grown(&mut app, terrain);
    assert_eq!(drawn.plants, expected_columns(&app, terrain, false));
}
