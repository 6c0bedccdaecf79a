//! Plants that are entities: colliders and custom plants.

use bevy::prelude::*;
use lanternfell_terrain::prelude::*;
use lanternfell_vegetation::prelude::*;

use crate::vegetation::*;
use lanternfell_terrain_test_support::{canvas::spawn_eye, terrain::*};

/// Position, scale and variant of each instance of the second plant, from west to east.
fn expected_huts(app: &App, terrain: Entity, vegetation: &Vegetation) -> Vec<(Vec3, f32, u32)> {
    let rules = vegetation.plants[..2].iter();
    let rules = rules.map(|plant| plant.rule.clone()).collect();
    let ground = app.world().get::<TerrainSurface>(terrain).unwrap();
    let sea = app.world().get::<Water>(terrain).unwrap();
    let sea = sea.surface_y(ground);
    let huts = expected(app, terrain, vegetation, rules).into_iter();
    let mut huts: Vec<_> = huts
        .map(|hut| {
            let [x, z] = hut.position.map(|side| side as f32);
            // Rules use heights above the sea.
            let y = (hut.height - sea) + sea;
            (Vec3::new(x, y, z), hut.scale, hut.variant)
        })
        .collect();
    huts.sort_by(|(a, ..), (b, ..)| a.x.total_cmp(&b.x).then(a.z.total_cmp(&b.z)));
    huts
}

#[test]
fn custom_plants_spawn_around_cameras() {
    const REACH: f32 = 30.0;
    let mut app = app_with_plants();
    let eye = spawn_eye(&mut app, Vec3::new(-30.0, 15.0, 20.0));
    let hut = ScatterRule {
        height: SoftRange::ANY,
        spacing: 4.0,
        clearance: 1.0,
        size: [0.5, 2.0],
        variants: vec![1.0, 0.0, 3.0],
        ..default()
    };
    let mut vegetation = forest(3);
    vegetation
        .plants
        .insert(1, Plant::custom("hut", REACH, hut.clone()));
    app.add_observer(
        |added: On<Add, PlantInstance>,
         mut commands: Commands,
         mut meshes: ResMut<Assets<Mesh>>| {
            let cube = Mesh3d(meshes.add(Cuboid::from_length(1.0)));
            commands.entity(added.entity).insert(cube);
        },
    );
    let turned = Transform::from_xyz(3.0, 1.0, -2.0)
        .with_rotation(Quat::from_rotation_y(0.5))
        .with_scale(Vec3::new(1.0, 2.0, 1.0));
    let terrain = app
        .world_mut()
        .spawn((land(1), vegetation.clone(), turned))
        .id();
    wait_until_grown(&mut app, terrain);
    let huts = |app: &mut App| -> Vec<(Vec3, f32, u32)> {
        let world = app.world_mut();
        let mut huts = world.query::<(&PlantInstance, &Transform, &ChildOf, &Mesh3d)>();
        let mut huts: Vec<_> = huts
            .iter(world)
            .map(|(hut, place, parent, _)| {
                assert_eq!((hut.terrain, parent.parent()), (terrain, terrain));
                assert_eq!(hut.name, "hut");
                (place.translation, place.scale.y, hut.variant)
            })
            .collect();
        huts.sort_by(|(a, ..), (b, ..)| a.x.total_cmp(&b.x).then(a.z.total_cmp(&b.z)));
        huts
    };
    let settle = |app: &mut App| {
        let mut before = usize::MAX;
        update_until(app, |app| {
            for _ in 0..20 {
                app.update();
            }
            let now = huts(app).len();
            std::mem::replace(&mut before, now) == now && now > 0
        });
        huts(app)
    };
    let here = settle(&mut app);
    let expected = expected_huts(&app, terrain, &vegetation);
    let eye_on_land = turned
        .to_matrix()
        .inverse()
        .transform_point3(Vec3::new(-30.0, 15.0, 20.0));
    let far = |(at, ..): &(Vec3, f32, u32)| at.xz().distance(eye_on_land.xz());
    // All near ones exist at the positions from the library, and none far away.
    let near = expected.iter().filter(|hut| far(hut) < REACH);
    assert!(near.clone().count() > 20);
    for hut in near {
        assert!(here.contains(hut), "{hut:?}");
    }
    for hut in &here {
        assert!(expected.contains(hut) && far(hut) < REACH + 80.0, "{hut:?}");
        assert_ne!(hut.2, 1);
    }
    assert!(here.len() < expected.len());
    // Away and back.
    let go = |app: &mut App, to: Vec3| {
        app.world_mut()
            .get_mut::<Transform>(eye)
            .unwrap()
            .translation = to;
    };
    go(&mut app, Vec3::new(0.0, 500.0, 0.0));
    update_until(&mut app, |app| huts(app).is_empty());
    go(&mut app, Vec3::new(-30.0, 15.0, 20.0));
    assert_eq!(settle(&mut app), here);
    // Change the rules, then remove the plant.
    app.world_mut()
        .get_mut::<Vegetation>(terrain)
        .unwrap()
        .plants[1]
        .rule
        .size = [3.0, 3.0];
    update_until(&mut app, |app| {
        huts(app)
            .iter()
            .all(|(_, size, _)| (size - 3.0).abs() < 1e-5)
    });
    app.world_mut()
        .get_mut::<Vegetation>(terrain)
        .unwrap()
        .plants[1]
        .look = PlantLook::Custom { distance: f32::NAN };
    update_until(&mut app, |app| huts(app).is_empty());
    app.world_mut().entity_mut(terrain).insert(vegetation);
    settle(&mut app);
    app.world_mut().entity_mut(terrain).remove::<Vegetation>();
    app.update();
    assert_eq!(huts(&mut app), []);
}

#[cfg(feature = "rapier")]
#[test]
fn only_plants_near_bodies_have_colliders() {
    use bevy_rapier3d::prelude::*;
    use lanternfell_vegetation::PlantCollider;

    let mut app = app_with_plants_and(|app| {
        app.add_plugins(RapierPhysicsPlugin::<NoUserData>::default());
    });
    spawn_eye(&mut app, Vec3::new(0.0, 25.0, 60.0));
    let terrain = app.world_mut().spawn((land(1), forest(3))).id();
    wait_until_grown(&mut app, terrain);
    let solids = |app: &mut App| -> Vec<Entity> {
        let world = app.world_mut();
        let mut solids = world.query_filtered::<Entity, With<PlantCollider>>();
        solids.iter(world).collect()
    };
    assert_eq!(solids(&mut app), []);
    let body = (RigidBody::KinematicPositionBased, Collider::ball(0.3));
    let at = Transform::from_xyz(20.0, 15.0, 20.0);
    let body = app.world_mut().spawn((body, at)).id();
    update_until(&mut app, |app| !solids(app).is_empty());
    let near = solids(&mut app);
    assert!((4..200).contains(&near.len()), "{}", near.len());

    // Cast a ray at each trunk from two meters away, one meter above its foot. The foot is on the ground.
    let world = app.world_mut();
    let mut trunks = world.query::<(&PlantCollider, &Collider, &GlobalTransform)>();
    let trunks: Vec<_> = trunks
        .iter(world)
        .map(|(plant, collider, place)| (plant.clone(), collider.clone(), *place))
        .collect();
    for (plant, collider, place) in trunks {
        assert_eq!(plant.terrain, terrain);
        assert_eq!(plant.look, PlantLook::Grown(PlantKind::Pine));
        let (_, turn, middle) = place.to_scale_rotation_translation();
        let lowest = collider.raw.compute_local_aabb().mins.y;
        let foot = place.transform_point(Vec3::Y * lowest);
        let ground = ask(&mut app, move |terrains| terrains.height(middle)).unwrap();
        assert!((foot.y - ground).abs() < 0.1, "{foot} above {ground}");
        let from = foot + Vec3::new(2.0, 1.0, 0.0);
        let met = collider.cast_ray(middle, turn, from, Vec3::NEG_X, 4.0, true);
        assert!(met.is_some_and(|met| (1.0..2.0).contains(&met)), "{met:?}");
    }

    app.world_mut().entity_mut(body).despawn();
    update_until(&mut app, |app| solids(app).is_empty());
}
