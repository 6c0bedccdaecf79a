//! The collider matches the rendered surface: the same heights, split along the same diagonals.

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_rapier3d::prelude::*;
use lanternfell_terrain::prelude::*;

use lanternfell_terrain_test_support::{drawn::Drawn, terrain::*};

fn terrains() -> [Terrain; 5] {
    let terrain = |recipe: Recipe, spacing, relief| {
        Terrain::new(recipe).with_scale(Scale { spacing, relief })
    };
    [
        Terrain::new(hills(65, 65, 1)),
        terrain(hills(90, 41, 2), 2.5, 20.0),
        terrain(hills(41, 150, 3), 0.5, 9.0),
        terrain(hills(2, 2, 4), 1.0, 1.0),
        terrain(hills(3, 2, 5), 1.0, 1.0),
    ]
}

#[test]
fn matches_rendered_triangles_and_queries() {
    for terrain in terrains() {
        let case = case(&terrain);
        let mut app = app();
        let entity = spawn_ready(&mut app, terrain.clone());
        let collider = app.world().get::<Collider>(entity).unwrap().clone();
        let drawn = Drawn::new(&mut app, entity);
        let relief = scale_of(&terrain).relief;
        let top = relief + 1.0;
        let ground = ground(&app, entity).clone();
        let mut off_the_diagonals = 0;
        for point in points_over(&ground, 8, 600) {
            let at = Vec2::new(point.x, point.z);
            let from = point + Vec3::Y * top;
            let fall = collider
                .cast_ray(
                    Vec3::ZERO,
                    Quat::IDENTITY,
                    from,
                    Vec3::NEG_Y,
                    2.0 * top,
                    true,
                )
                .unwrap_or_else(|| panic!("{case}: a hole at {at}"));
            let height = top - fall;
            let asked = ground.surface().height(at).unwrap();
            let expected = drawn.height(at).unwrap();
            let tolerance = 1e-3 * relief;
            assert!(
                (height - expected).abs() < tolerance,
                "{case}, {at}: {height}, drawn at {expected}"
            );
            assert!(
                (asked - expected).abs() < tolerance,
                "{case}, {at}: asked {asked}, drawn at {expected}"
            );
            let bent = other_diagonal(&ground, at);
            off_the_diagonals += usize::from((bent - expected).abs() > 4.0 * tolerance);
        }
        // Otherwise the points could not distinguish the two ways of splitting squares.
        assert!(
            off_the_diagonals > 20,
            "{case}: only {off_the_diagonals} points distinguish the diagonals"
        );
    }
}

/// The tolerance is a tenth of a millimeter, or two units in the last place of the largest coordinate if that is
/// larger. This includes large and high terrain.
#[test]
fn matches_the_surface_at_100000_points() {
    for (width, height, spacing, relief, edits) in [
        (150, 130, 1.0, 25.0, TerrainEdits::default()),
        (150, 130, 1.0, 25.0, deep_and_high()),
        (700, 500, 2.0, 300.0, TerrainEdits::default()),
        (600, 900, 30.0, 2600.0, TerrainEdits::default()),
        (300, 300, 0.05, 1.0, TerrainEdits::default()),
    ] {
        let recipe = hills(width, height, width);
        let mut app = app();
        let terrain = Terrain::new(recipe).with_scale(Scale { spacing, relief });
        let entity = spawn_ready(&mut app, (terrain, edits, TerrainCollider::Whole));
        let collider = app.world().get::<Collider>(entity).unwrap().clone();
        let ground = ground(&app, entity).clone();
        let surface = ground.surface();
        let largest = surface.half_extent().max_element().max(relief);
        let last_place = |number: f32| number.next_up() - number;
        // The end point of a ray is also rounded.
        let allowed = (2.0 * last_place(largest) + last_place(relief)).max(1e-4);
        let (mut worst, mut missed) = (0.0_f32, 0);
        for point in points_over(&ground, 8, 100_000) {
            let asked = surface.height(point.xz()).unwrap();
            // From nearby, because the length of a ray is also rounded.
            let from = point.with_y(asked + 1.0);
            let (place, turn) = (Vec3::ZERO, Quat::IDENTITY);
            let Some(fall) = collider.cast_ray(place, turn, from, Vec3::NEG_Y, 2.0, true) else {
                assert!(is_on_edge(&ground, point), "a hole at {point}");
                missed += 1;
                continue;
            };
            // The distance to the surface along its normal: on a slope, rounding of x and z is multiplied in y.
            let upright = surface.face_normal(point.xz()).unwrap().y;
            worst = worst.max((from.y - fall - asked).abs() * upright);
        }
        assert!(
            missed < 10,
            "{width} x {height} cells: {missed} rays slip through edges"
        );
        assert!(worst <= allowed, "{width} x {height} cells: {worst} m");
    }
}

/// The height at `at` if the squares were split along their other diagonals.
fn other_diagonal(ground: &TerrainSurface, at: Vec2) -> f32 {
    let surface = ground.surface();
    let cell = (at + surface.half_extent()) / surface.scale().spacing;
    let (column, row) = (cell.x.floor() as usize, cell.y.floor() as usize);
    let part = cell - cell.floor();
    let corner = |x, y| surface.vertex(column + x, row + y).y;
    if part.x > part.y {
        corner(0, 0) * (1.0 - part.x) + corner(1, 0) * (part.x - part.y) + corner(1, 1) * part.y
    } else {
        corner(0, 0) * (1.0 - part.y) + corner(0, 1) * (part.y - part.x) + corner(1, 1) * part.x
    }
}

#[test]
fn has_the_extent_of_the_terrain() {
    for terrain in terrains() {
        let case = case(&terrain);
        let mut app = app();
        let entity = spawn_ready(&mut app, terrain);
        let collider = app.world().get::<Collider>(entity).unwrap();
        let edge = ground(&app, entity).surface().half_extent();
        for (x, z, inside) in [(0.99, 0.99, true), (1.01, 0.0, false), (0.0, -1.01, false)] {
            let from = Vec3::new(x * edge.x, 1e3, z * edge.y);
            let hit = collider.cast_ray(Vec3::ZERO, Quat::IDENTITY, from, Vec3::NEG_Y, 2e3, true);
            assert_eq!(hit.is_some(), inside, "{case}, at {x}, {z}");
        }
    }
}

/// An app with a physics engine, with 1/60 s per frame.
pub fn physics_app() -> App {
    app_with((
        TerrainPlugin,
        RapierPhysicsPlugin::<NoUserData>::default(),
        |app: &mut App| {
            let frame = std::time::Duration::from_secs(1) / 60;
            app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
        },
    ))
}

/// The entity and height that a vertical ray hits at `at` in the physics world.
fn ray_down(app: &mut App, at: Vec3) -> Option<(Entity, f32)> {
    use bevy::ecs::system::RunSystemOnce;
    let from = Vec3::new(at.x, 1000.0, at.z);
    let cast = move |physics: ReadRapierContext| {
        let hit = physics.single().unwrap().cast_ray(
            from,
            Vec3::NEG_Y,
            2000.0,
            true,
            QueryFilter::default(),
        );
        hit.map(|(entity, fall)| (entity, 1000.0 - fall))
    };
    app.world_mut().run_system_once(cast).unwrap()
}

#[test]
fn physics_world_uses_the_terrains_transform() {
    let turn = Quat::from_rotation_y;
    let places = [
        Transform::from_xyz(300.0, -20.0, 77.0),
        Transform::from_xyz(-3.0, 6.0, 2.0).with_rotation(turn(2.4)),
        Transform::from_xyz(4.0, 1.0, -3.0)
            .with_rotation(turn(-0.7))
            .with_scale(Vec3::splat(1.7)),
    ];
    for place in places {
        let mut app = physics_app();
        let entity = spawn_ready(&mut app, (Terrain::new(hills(90, 41, 2)), place));
        app.update();
        for point in points_over(&ground(&app, entity).clone(), 9, 100) {
            let at = place.transform_point(point);
            let expected = ask(&mut app, move |terrains| terrains.height(at)).unwrap();
            let (hit, height) = ray_down(&mut app, at).unwrap_or_else(|| panic!("a hole at {at}"));
            assert_eq!(hit, entity, "{at}");
            assert!(
                (height - expected).abs() < 0.01,
                "{at}: {height}, drawn at {expected}"
            );
        }
    }
}

#[test]
fn physics_world_follows_changes_and_removal() {
    let mut app = physics_app();
    let entity = spawn_ready(&mut app, Terrain::new(hills(90, 41, 2)));
    app.update();
    let check = |app: &mut App| {
        for point in points_over(&ground(app, entity).clone(), 10, 50) {
            let expected = ask(app, move |terrains| terrains.height(point)).unwrap();
            let (_, height) = ray_down(app, point).unwrap();
            assert!(
                (height - expected).abs() < 0.01,
                "{point}: {height}, drawn at {expected}"
            );
        }
    };
    check(&mut app);
    set_recipe(&mut app, entity, hills(60, 70, 3));
    wait_until_ready(&mut app);
    app.update();
    check(&mut app);
    app.world_mut().entity_mut(entity).remove::<Terrain>();
    app.update();
    assert_eq!(ray_down(&mut app, Vec3::ZERO), None);
    app.world_mut()
        .entity_mut(entity)
        .insert(Terrain::new(hills(50, 50, 4)));
    wait_until_ready(&mut app);
    app.update();
    check(&mut app);
    app.world_mut().entity_mut(entity).despawn();
    app.update();
    assert_eq!(ray_down(&mut app, Vec3::ZERO), None);
}
