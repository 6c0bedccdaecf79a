//! `SnapToGround`.

use bevy::prelude::*;
use lanternfell_terrain::prelude::*;

use lanternfell_terrain_test_support::terrain::*;

fn stand(app: &mut App, at: Vec3, snap: SnapToGround) -> Entity {
    let place = Transform::from_translation(at);
    let entity = app.world_mut().spawn((place, snap)).id();
    app.update();
    entity
}

fn place(app: &App, entity: Entity) -> Transform {
    *app.world().get(entity).unwrap()
}

fn height(app: &mut App, at: Vec3) -> f32 {
    ask(app, move |terrains| terrains.height(at)).unwrap()
}

#[test]
fn keeps_the_height_above_the_terrain() {
    let mut app = app();
    let land = Transform::from_xyz(4.0, 7.0, -3.0);
    spawn_ready(&mut app, (Terrain::new(hills(90, 70, 3)), land));
    for above in [0.0, 1.5, -0.2] {
        let snap = SnapToGround {
            height: above,
            ..default()
        };
        let entity = stand(&mut app, Vec3::new(11.0, 500.0, 6.0), snap);
        for step in 0..20 {
            app.world_mut()
                .get_mut::<Transform>(entity)
                .unwrap()
                .translation
                .x -= 1.3;
            app.update();
            let at = place(&app, entity).translation;
            let expected = height(&mut app, at) + above;
            assert!(
                (at.y - expected).abs() < 1e-4,
                "{above} m, step {step}: {at}, {expected}"
            );
            assert_eq!(place(&app, entity).rotation, Quat::IDENTITY);
        }
    }
}

#[test]
fn does_nothing_outside_the_terrain() {
    let mut app = app();
    spawn_ready(&mut app, Terrain::new(hills(90, 70, 3)));
    let at = Vec3::new(300.0, 12.0, 6.0);
    let entity = stand(&mut app, at, SnapToGround::default());
    assert_eq!(place(&app, entity), Transform::from_translation(at));
}

#[test]
fn leans_with_the_slope_and_keeps_its_heading() {
    let mut app = app();
    spawn_ready(&mut app, Terrain::new(hills(90, 70, 3)));
    let lean = SnapToGround {
        lean: true,
        ..default()
    };
    let slope = ask(&mut app, |terrains| {
        let mut places = (-40..40).map(|x| Vec3::new(x as f32 + 0.3, 0.0, 6.4));
        places.find(|at| terrains.normal(*at).is_some_and(|normal| normal.y < 0.95))
    });
    let entity = stand(&mut app, slope.expect("there is a steep slope"), lean);
    (0..3).for_each(|_| app.update());
    let now = place(&app, entity);
    let normal = ask(&mut app, move |terrains| terrains.normal(now.translation)).unwrap();
    assert!(
        // Small differences of the lean are not corrected.
        now.up().distance(normal) < 4e-3,
        "{} for {normal}",
        *now.up()
    );
    assert!(now.forward().with_y(0.0).normalize().dot(Vec3::NEG_Z) > 0.6);
}

#[test]
fn snaps_child_entities() {
    let mut app = app();
    spawn_ready(&mut app, Terrain::new(hills(90, 70, 3)));
    let cart = Transform::from_xyz(5.0, 30.0, 2.0)
        .with_rotation(Quat::from_rotation_y(0.9))
        .with_scale(Vec3::splat(2.0));
    let cart = app.world_mut().spawn(cart).id();
    app.update();
    let wheel = (
        Transform::from_xyz(3.0, 0.0, 0.0),
        SnapToGround::default(),
        ChildOf(cart),
    );
    let wheel = app.world_mut().spawn(wheel).id();
    app.update();
    let at = app
        .world()
        .get::<GlobalTransform>(wheel)
        .unwrap()
        .translation();
    assert!((at.y - height(&mut app, at)).abs() < 1e-3, "{at}");
}
