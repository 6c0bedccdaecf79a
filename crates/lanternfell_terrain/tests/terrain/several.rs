//! Several terrains in one world.

use bevy::prelude::*;
use lanternfell_terrain::{TerrainChunk, prelude::*};

use lanternfell_terrain_test_support::{drawn::Drawn, terrain::*};

#[test]
fn generates_two_at_the_same_time() {
    let mut app = app();
    let (west, east) = (hills(130, 70, 1), hills(60, 200, 2));
    let spawn = |app: &mut App, recipe: &Recipe, x| {
        let place = Transform::from_xyz(x, 0.0, 0.0);
        app.world_mut()
            .spawn((Terrain::new(recipe.clone()), place))
            .id()
    };
    let pair = [
        spawn(&mut app, &west, -300.0),
        spawn(&mut app, &east, 300.0),
    ];
    wait_until_ready(&mut app);
    let ready = &answers(&app).ready;
    assert!(ready.len() == 2 && pair.iter().all(|entity| ready.contains(entity)));
    for (name, entity, recipe, chunks) in [("west", pair[0], &west, 6), ("east", pair[1], &east, 4)]
    {
        let map = ground(&app, entity).map();
        assert!(same_bits(map, &map_of(recipe)), "{name}");
        let world = app.world_mut();
        let mut all = world.query::<&TerrainChunk>();
        assert_eq!(
            all.iter(world)
                .filter(|chunk| chunk.terrain == entity)
                .count(),
            chunks,
            "{name}"
        );
    }
}

#[test]
fn query_uses_the_terrain_at_the_point() {
    let mut app = app();
    let turned = Transform::from_xyz(200.0, 10.0, 0.0).with_rotation(Quat::from_rotation_y(0.6));
    let west = Transform::from_xyz(-200.0, -5.0, 40.0);
    let first = spawn_ready(&mut app, (Terrain::new(hills(80, 60, 1)), west));
    let second = spawn_ready(&mut app, (Terrain::new(hills(70, 90, 2)), turned));
    for (entity, place) in [(first, west), (second, turned)] {
        let drawn = Drawn::new(&mut app, entity);
        for point in points_over(&ground(&app, entity).clone(), 1, 40) {
            let at = place.transform_point(point);
            let hit = ask(&mut app, move |terrains| terrains.hit(at)).unwrap();
            assert_eq!(hit.terrain, entity, "at {at}");
            let expected = drawn.height(Vec2::new(at.x, at.z)).unwrap();
            assert!(
                (hit.point.y - expected).abs() < 0.02,
                "{hit:?}, drawn at {expected}"
            );
        }
    }
    assert_eq!(ask(&mut app, |terrains| terrains.hit(Vec3::ZERO)), None);
}

#[test]
fn query_uses_the_higher_of_overlapping_terrains() {
    let mut app = app();
    let low = Transform::from_xyz(0.0, 0.0, 0.0);
    let high = Transform::from_xyz(20.0, 3.0, 10.0);
    let first = spawn_ready(&mut app, (Terrain::new(hills(80, 60, 1)), low));
    let second = spawn_ready(&mut app, (Terrain::new(hills(80, 60, 2)), high));
    let (under, over) = (Drawn::new(&mut app, first), Drawn::new(&mut app, second));
    let mut answered = [0, 0];
    for point in points_over(&ground(&app, first).clone(), 2, 200) {
        let at = Vec2::new(point.x, point.z);
        let hit = ask(&mut app, move |terrains| terrains.hit(point)).unwrap();
        let (under, over) = (
            under.height(at).unwrap(),
            over.height(at).unwrap_or(f32::MIN),
        );
        assert!(
            (hit.point.y - under.max(over)).abs() < 0.01,
            "{at}: {hit:?}, drawn at {under} and {over}"
        );
        if (under - over).abs() > 0.01 {
            let higher = if under > over { first } else { second };
            assert_eq!(hit.terrain, higher, "at {at}");
            answered[usize::from(under < over)] += 1;
        }
    }
    assert!(
        answered[0] > 20 && answered[1] > 20,
        "too one-sided: {answered:?}"
    );
}

#[test]
fn change_of_one_leaves_the_other() {
    let mut app = app();
    let first = spawn_ready(&mut app, Terrain::new(hills(50, 40, 1)));
    let second = spawn_ready(&mut app, Terrain::new(hills(50, 40, 2)));
    let kept = ground(&app, second).clone();
    change_recipe(&mut app, first, |recipe| recipe.seed = 3);
    app.update();
    assert!(!has::<TerrainProgress>(&app, second));
    wait_until_ready(&mut app);
    assert!(std::ptr::eq(kept.map(), ground(&app, second).map()));
    assert!(same_bits(
        ground(&app, first).map(),
        &map_of(&hills(50, 40, 3))
    ));
    assert_eq!(answers(&app).ready, [first, second, first]);
}
