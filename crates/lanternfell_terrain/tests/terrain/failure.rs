//! A terrain that can not be generated reports an error and keeps the old state.

use bevy::prelude::*;
use lanternfell_terrain::{TerrainError, prelude::*};

use lanternfell_terrain_test_support::terrain::*;

/// Invalid terrains, and words that the error must contain.
fn refused() -> Vec<(Terrain, &'static [&'static str])> {
    let with_scale = |spacing, relief| {
        let scale = Scale { spacing, relief };
        Terrain::new(hills(50, 40, 1)).with_scale(scale)
    };
    let with = |hills: Hills| Terrain::new(Recipe::new(MapSize::new(50, 40).unwrap(), 1, hills));
    let fluid = Fluid {
        c: 900.0,
        ..default()
    };
    let steps = Recipe {
        steps: vec![],
        ..hills(50, 40, 1)
    };
    let world = Recipe {
        size: MapSize::of_world(20_000, 40).unwrap(),
        ..hills(50, 40, 1)
    };
    let sea = Recipe {
        sea_level: Some(f32::NAN),
        ..hills(50, 40, 1)
    };
    vec![
        (
            with(Hills {
                count: 0,
                ..default()
            }),
            &["step `land`", "count is 0", "from 1 to"],
        ),
        (
            with(Hills {
                radius_max: -1.0,
                ..default()
            }),
            &["radius_max is -1"],
        ),
        (
            with(Hills {
                island: true,
                radius_min: 20.0,
                ..default()
            }),
            &["radius_min is 20", "at most 19.5", "when island is true"],
        ),
        (
            Terrain::new(Recipe::new(MapSize::default(), 1, fluid)),
            &["fluid", "c is 900"],
        ),
        (Terrain::new(world), &["20000", "in tiles"]),
        (Terrain::new(steps), &["the recipe has 0 steps"]),
        (Terrain::new(sea), &["sea_level is NaN", "from 0 to 1"]),
        (with_scale(0.0, 1.0), &["spacing is 0"]),
        (with_scale(1.0, f32::NAN), &["relief is NaN"]),
        (with_scale(1.0, f32::INFINITY), &["relief is inf"]),
    ]
}

fn check_error(error: &TerrainError, words: &[&str]) {
    let message = error.to_string();
    assert!(!message.contains('\n'), "{message}");
    for word in words {
        assert!(
            message.contains(word),
            "`{message}` does not contain `{word}`"
        );
    }
}

#[test]
fn invalid_terrain_reports_its_error() {
    for (terrain, words) in refused() {
        let mut app = app();
        let entity = app.world_mut().spawn(terrain).id();
        wait_until_ready(&mut app);
        let [failed] = &answers(&app).failed[..] else {
            panic!("{words:?}: {} failures", answers(&app).failed.len());
        };
        assert_eq!(failed.entity, entity, "{words:?}");
        check_error(&failed.error, words);
        assert!(!has::<TerrainSurface>(&app, entity), "{words:?}");
        assert!(answers(&app).ready.is_empty(), "{words:?}");
    }
}

#[test]
fn old_terrain_stays_until_a_valid_recipe() {
    let mut app = app();
    let first = hills(50, 40, 1);
    let entity = spawn_ready(&mut app, Terrain::new(first.clone()));
    let chunks = shown_chunks(&mut app);
    let cases = refused();
    let number = cases.len();
    for (terrain, words) in cases {
        app.world_mut().entity_mut(entity).insert(terrain);
        wait_until_ready(&mut app);
        check_error(&answers(&app).failed.last().unwrap().error, words);
        assert_eq!(ground(&app, entity).recipe(), Some(&first), "{words:?}");
        assert_eq!(shown_chunks(&mut app), chunks, "{words:?}");
    }
    assert_eq!(
        answers(&app).failed.len(),
        number,
        "expected one failure per terrain"
    );
    let last = hills(60, 70, 2);
    app.world_mut()
        .entity_mut(entity)
        .insert(Terrain::new(last.clone()));
    wait_until_ready(&mut app);
    assert!(same_bits(ground(&app, entity).map(), &map_of(&last)));
    assert_eq!(answers(&app).ready, [entity, entity]);
}

#[test]
fn invalid_recipe_cancels_work_in_progress() {
    for arriving in [false, true] {
        let mut app = app();
        let entity = spawn_ready(&mut app, Terrain::new(hills(50, 40, 1)));
        if arriving {
            change_until_parts_arrive(&mut app, entity);
        } else {
            set_recipe(&mut app, entity, slow_hills(2));
            app.update();
        }
        let (chunks, ready) = (shown_chunks(&mut app), answers(&app).ready.len());
        let none = Scale {
            spacing: -1.0,
            relief: 1.0,
        };
        app.world_mut().get_mut::<Terrain>(entity).unwrap().scale = Some(none);
        app.update();
        let case = format!("arriving {arriving}");
        assert!(!has::<TerrainProgress>(&app, entity), "{case}");
        for _ in 0..50 {
            app.update();
        }
        assert_eq!(shown_chunks(&mut app), chunks, "{case}");
        assert_eq!(count::<With<Mesh3d>>(&mut app), chunks.len(), "{case}");
        assert_eq!(answers(&app).failed.len(), 1, "{case}");
        assert_eq!(answers(&app).ready.len(), ready, "{case}");
    }
}
