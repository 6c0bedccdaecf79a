//! Holes are not rendered, have no collider, and give no query results.

use bevy::prelude::*;
use lanternfell_terrain::{
    heightmap::{Band, HoleMask, MapFrame, Selection},
    prelude::*,
};

use lanternfell_terrain_test_support::{drawn::Drawn, terrain::*};

const SCALE: Scale = Scale {
    spacing: 1.0,
    relief: 12.0,
};

/// The squares of the hole, on a map of 65 x 65 cells.
const COLUMNS: std::ops::Range<usize> = 30..39;
const ROWS: std::ops::Range<usize> = 20..27;

/// The center of the hole in the terrain's local space.
const MIDDLE: Vec3 = Vec3::new(2.5, 0.0, -8.5);

/// Hills with a hole.
fn open_hills() -> Terrain {
    let heights = map_of(&hills(65, 65, 3));
    let mut holes = HoleMask::none(heights.size());
    holes.set_rect(COLUMNS, ROWS, true);
    Terrain::new(TerrainMap::from(heights).with_holes(holes)).with_scale(SCALE)
}

/// Points on the squares inside and around the hole, each with whether it is inside.
fn points() -> impl Iterator<Item = (Vec3, bool)> {
    let around = |range: &std::ops::Range<usize>| range.start - 5..range.end + 5;
    around(&ROWS).flat_map(move |row| {
        around(&COLUMNS).map(move |column| {
            let at = Vec3::new(column as f32 - 31.3, 0.0, row as f32 - 31.8);
            (at, COLUMNS.contains(&column) && ROWS.contains(&row))
        })
    })
}

#[test]
fn hole_is_not_rendered() {
    let mut app = app();
    let entity = spawn_ready(&mut app, open_hills());
    let drawn = Drawn::new(&mut app, entity);
    for (at, hole) in points() {
        let height = drawn.height(Vec2::new(at.x, at.z));
        assert_eq!(height.is_none(), hole, "at {at}");
    }
}

#[test]
fn queries_return_none_in_a_hole() {
    let mut app = app();
    let place = Transform::from_xyz(40.0, -3.0, 7.0).with_rotation(Quat::from_rotation_y(0.6));
    let entity = spawn_ready(&mut app, (open_hills(), place));
    assert_eq!(ground(&app, entity).holes().map(HoleMask::count), Some(63));
    for (at, hole) in points() {
        let at = place.transform_point(at);
        let answers = ask(&mut app, move |terrains| {
            let down = Ray3d::new(at + 50.0 * Vec3::Y, Dir3::NEG_Y);
            [
                terrains.hit(at).is_none(),
                terrains.height(at).is_none(),
                terrains.normal(at).is_none(),
                terrains.water_depth(at).is_none(),
                terrains.cast_ray(down, 100.0).is_none(),
                terrains.line_of_sight(at + 50.0 * Vec3::Y, at - 50.0 * Vec3::Y),
            ]
        });
        assert_eq!(answers, [hole; 6], "at {at}");
    }
}

#[test]
fn ray_passes_through_a_hole() {
    let mut app = app();
    let upper = spawn_ready(&mut app, open_hills());
    let below = Transform::from_xyz(0.0, -50.0, 0.0);
    let lower = spawn_ready(&mut app, (Terrain::new(hills(65, 65, 4)), below));
    for (at, hole) in points() {
        let ray = Ray3d::new(at + 30.0 * Vec3::Y, Dir3::NEG_Y);
        let hit = ask(&mut app, move |terrains| terrains.cast_ray(ray, 200.0)).unwrap();
        assert_eq!(hit.terrain, if hole { lower } else { upper }, "at {at}");
        let stands = ask(&mut app, move |terrains| terrains.height(at)).unwrap();
        assert!((stands - hit.point.y).abs() < 1e-3, "at {at}");
    }
    // A sphere that is wider than the hole does not pass through.
    let ray = Ray3d::new(MIDDLE + 30.0 * Vec3::Y, Dir3::NEG_Y);
    for (radius, expected) in [(1.0, lower), (6.0, upper)] {
        let cast = move |terrains: TerrainQuery| terrains.cast_sphere(ray, radius, 200.0);
        assert_eq!(ask(&mut app, cast).unwrap().terrain, expected, "{radius} m");
    }
}

#[cfg(feature = "rapier")]
#[test]
fn ball_falls_through_a_hole_only() {
    use bevy_rapier3d::prelude::*;

    let mut app = crate::collider::physics_app();
    let entity = spawn_ready(&mut app, open_hills());
    let surface = ground(&app, entity).clone();
    let mut drop = |x: f32, z: f32| {
        let at = MIDDLE + Vec3::new(x, SCALE.relief + 2.0, z);
        let ball = (RigidBody::Dynamic, Collider::ball(0.4));
        let still = (LockedAxes::ROTATION_LOCKED, Friction::coefficient(2.0));
        let place = Transform::from_translation(at);
        app.world_mut().spawn((ball, still, place)).id()
    };
    let through = [(0.0, 0.0), (-3.7, -2.7), (3.7, 2.7)].map(|(x, z)| drop(x, z));
    let outside = [(-14.0, 0.0), (14.0, 3.0), (0.0, 13.0), (1.0, -13.0)].map(|(x, z)| drop(x, z));
    for _ in 0..240 {
        app.update();
    }
    let place = |ball: Entity| app.world().get::<Transform>(ball).unwrap().translation;
    for ball in through {
        assert!(place(ball).y < -30.0, "held at {}", place(ball));
    }
    for ball in outside {
        let at = place(ball);
        let height = surface.surface().height(Vec2::new(at.x, at.z));
        let height = height.unwrap_or_else(|| panic!("it slid to {at}"));
        assert!((at.y - height - 0.4).abs() < 0.4, "{at}, above {height}");
    }
}

#[test]
fn changed_holes_of_a_recipe_regenerate_terrain() {
    let tops = |from| {
        let band = Band {
            from: Some(from),
            ..default()
        };
        let (of, by) = ("land".to_owned(), Selection::Height(band));
        hills(65, 65, 1).with_holes("tops", Operation::Select { of, by })
    };
    let holes_of = |recipe: &Recipe| {
        let none = |_: &str| Err("there are no images here".to_owned());
        let made = recipe.generate_with_holes(&none, &Progress::default());
        made.unwrap().1.unwrap()
    };
    let mut app = app();
    let entity = spawn_ready(&mut app, Terrain::new(tops(0.7)));
    let few = holes_of(&tops(0.7));
    assert_eq!(ground(&app, entity).holes(), Some(&few));
    assert!(same_bits(
        ground(&app, entity).map(),
        &map_of(&hills(65, 65, 1))
    ));
    set_recipe(&mut app, entity, tops(0.4));
    wait_until_ready(&mut app);
    let more = holes_of(&tops(0.4));
    assert_eq!(ground(&app, entity).holes(), Some(&more));
    assert!(0 < few.count() && few.count() < more.count());
    set_recipe(&mut app, entity, hills(65, 65, 1));
    wait_until_ready(&mut app);
    assert_eq!(ground(&app, entity).holes(), None);
}

/// Cells of 2 m x 1 m are resampled to squares of 1 m.
#[test]
fn resampling_keeps_holes_in_place() {
    let size = MapSize::new(33, 65).unwrap();
    let mut frame = MapFrame::of_size(size);
    frame.place.cell = [2.0, 1.0];
    let mut holes = HoleMask::none(size);
    holes.set_rect(10..14, 20..30, true);
    let map = TerrainMap::new(map_of(&hills(33, 65, 2)), frame).with_holes(holes);
    let mut app = app();
    let entity = spawn_ready(&mut app, Terrain::new(map));
    assert_eq!(
        ground(&app, entity).map().size(),
        MapSize::new(65, 65).unwrap()
    );
    for (x, z, hole) in [
        (-8.0, -7.0, true),
        (-11.9, -11.9, true),
        (-4.1, -2.1, true),
        (-12.1, -7.0, false),
        (-3.9, -7.0, false),
        (-8.0, -12.1, false),
        (-8.0, -1.9, false),
    ] {
        let at = Vec3::new(x, 0.0, z);
        let height = ask(&mut app, move |terrains| terrains.height(at));
        assert_eq!(height.is_none(), hole, "at {at}");
    }
}

#[test]
fn rejects_holes_of_another_size() {
    let heights = map_of(&hills(65, 65, 3));
    let holes = HoleMask::none(MapSize::new(64, 65).unwrap());
    let mut app = app();
    let terrain = Terrain::new(TerrainMap::from(heights).with_holes(holes));
    let entity = app.world_mut().spawn(terrain).id();
    update_until(&mut app, |app| !answers(app).failed.is_empty());
    let failed = &answers(&app).failed;
    assert_eq!(failed.len(), 1);
    assert_eq!(failed[0].entity, entity);
    assert!(
        matches!(failed[0].error, TerrainError::Holes(_)),
        "{failed:?}"
    );
}
