//! Drawn plants.

use bevy::{prelude::*, time::TimeUpdateStrategy};
use lanternfell_terrain::{
    TerrainCover,
    edits::{Brush, Falloff, Stroke},
    prelude::*,
};
use lanternfell_vegetation::{
    DrawnVegetation, VegetationChunk,
    plants::scatter::{Exclusions, Instance, Scatter, Site},
    prelude::*,
};

use lanternfell_terrain_test_support::{canvas::*, terrain::*};

/// Cells per side of the terrain. It is one meter less wide.
const SIDE: u64 = 129;

pub fn app_with_plants() -> App {
    app_with_plants_and(|_| {})
}

pub fn app_with_plants_and(more: impl FnOnce(&mut App)) -> App {
    app_that_draws(UVec2::splat(64), |app| {
        app.add_plugins(VegetationPlugin);
        // A fixed time step, so that tests do not depend on the clock.
        app.insert_resource(TimeUpdateStrategy::ManualDuration(
            std::time::Duration::from_millis(16),
        ));
        more(app);
    })
}

/// Pines and grass everywhere, including the sea bed.
pub fn forest(seed: u64) -> Vegetation {
    let pine = ScatterRule {
        spacing: 5.0,
        size: [0.8, 1.2],
        height: SoftRange::ANY,
        ..default()
    };
    let grass = ScatterRule {
        spacing: 1.0,
        height: SoftRange::ANY,
        ..default()
    };
    Vegetation {
        plants: vec![
            Plant::new(PlantKind::Pine, pine),
            Plant::new(PlantKind::Grass, grass),
        ],
        seed,
        ..default()
    }
}

pub fn land(seed: u64) -> Terrain {
    let scale = Scale {
        spacing: 1.0,
        relief: 20.0,
    };
    Terrain::new(hills(SIDE, SIDE, seed)).with_scale(scale)
}

fn drawn(app: &App, terrain: Entity) -> DrawnVegetation {
    app.world().get(terrain).cloned().unwrap_or_default()
}

pub fn wait_until_grown(app: &mut App, terrain: Entity) -> DrawnVegetation {
    update_until(app, |app| drawn(app, terrain).is_complete);
    drawn(app, terrain)
}

fn chunks(app: &mut App) -> Vec<Entity> {
    let world = app.world_mut();
    let mut chunks = world.query_filtered::<Entity, With<VegetationChunk>>();
    let mut chunks: Vec<Entity> = chunks.iter(world).collect();
    chunks.sort();
    chunks
}

/// Number of pines on the whole terrain, computed with the scatter library alone.
fn expected_pines(app: &App, terrain: Entity, vegetation: &Vegetation) -> usize {
    let rule = ScatterRule {
        variants: vec![1.0; 4],
        ..vegetation.plants[0].rule.clone()
    };
    expected(app, terrain, vegetation, vec![rule]).len()
}

/// All instances of the last rule on the whole terrain.
pub fn expected(
    app: &App,
    terrain: Entity,
    vegetation: &Vegetation,
    rules: Vec<ScatterRule>,
) -> Vec<Instance> {
    let world = app.world();
    let ground = world.get::<TerrainSurface>(terrain).unwrap();
    assert!(world.get::<TerrainCover>(terrain).is_some());
    let surface = ground.surface();
    // Another cell size: positions do not depend on it.
    let scatter = Scatter::new(rules, vegetation.seed, 20.0).unwrap();
    let exclusions = Exclusions::new(&vegetation.exclusions).unwrap();
    let site = |_: &ScatterRule, [x, z]: [f64; 2]| {
        let at = Vec2::new(x as f32, z as f32);
        Some(Site {
            height: surface.height(at)?,
            normal: surface.normal(at)?,
            density: ground.plant_density(at),
            ..default()
        })
    };
    let cells = (-4..4).flat_map(|x| (-4..4).map(move |z| [x, z]));
    let stands = cells.flat_map(|cell| {
        let mut standing = scatter.cell(cell, site, &exclusions).unwrap();
        standing.pop().unwrap()
    });
    stands.collect()
}

#[test]
fn plant_count_matches_rules_for_any_camera_path() {
    let mut app = app_with_plants();
    let eye = spawn_eye(&mut app, Vec3::new(0.0, 25.0, 60.0));
    let circle = Exclusion::Circle {
        center: [10.0, -5.0],
        radius: 14.0,
    };
    let vegetation = Vegetation {
        exclusions: vec![circle],
        ..forest(3)
    };
    let terrain = app.world_mut().spawn((land(1), vegetation.clone())).id();
    let here = wait_until_grown(&mut app, terrain);
    assert_eq!(here.plants, expected_pines(&app, terrain, &vegetation));
    assert!(here.plants > 200, "{here:?}");
    assert_eq!(here.meshes, chunks(&mut app).len());

    // Away and back gives the same result.
    let go = |app: &mut App, to: Vec3| {
        app.world_mut()
            .get_mut::<Transform>(eye)
            .unwrap()
            .translation = to;
        app.update();
        app.update();
        wait_until_grown(app, terrain)
    };
    let there = go(&mut app, Vec3::new(-50.0, 22.0, -50.0));
    assert_eq!(there.plants, here.plants);
    assert_ne!(there.triangles, here.triangles);
    // From high above, only the far level is left.
    let above = go(&mut app, Vec3::new(0.0, 900.0, 0.0));
    assert_eq!(above.plants, here.plants);
    assert_eq!(above.triangles, 2 * here.plants);
    let back = go(&mut app, Vec3::new(0.0, 25.0, 60.0));
    assert_eq!(back, here);
}

/// Grass only grows near a camera, and the whole terrain is raised far above its relief.
#[test]
fn grass_grows_on_raised_ground() {
    let raise = Stroke::along(
        Brush::Raise { mm: 300_000 },
        100 * 256,
        [[64 * 256, 64 * 256]],
    );
    let raise = Stroke {
        falloff: Falloff::Constant,
        ..raise
    };
    let mut raised = TerrainEdits::default();
    raised.stroke(1, raise).unwrap();
    let [plain, raised] = [(TerrainEdits::default(), 0.0), (raised, 300.0)].map(|(edits, y)| {
        let mut app = app_with_plants();
        spawn_eye(&mut app, Vec3::new(0.0, 22.0 + y, 1.0));
        let mut grass = forest(7);
        grass.plants.remove(0);
        let terrain = app.world_mut().spawn((land(7), grass, edits)).id();
        wait_until_grown(&mut app, terrain)
    });
    let share = raised.triangles as f32 / plain.triangles as f32;
    assert!(
        plain.triangles > 1000 && (share - 1.0).abs() < 0.1,
        "{plain:?}, {raised:?}"
    );
}

#[test]
fn changes_replace_all_plants() {
    let mut app = app_with_plants();
    spawn_eye(&mut app, Vec3::new(0.0, 25.0, 60.0));
    let terrain = app.world_mut().spawn((land(1), forest(3))).id();
    let first = wait_until_grown(&mut app, terrain);
    let before = chunks(&mut app);

    app.world_mut().get_mut::<Vegetation>(terrain).unwrap().seed = 4;
    update_until(&mut app, |app| !drawn(app, terrain).is_complete);
    // Old plants stay until the new ones are ready.
    assert_eq!(chunks(&mut app).len(), before.len());
    let other = wait_until_grown(&mut app, terrain);
    assert_ne!(other.plants, first.plants);
    assert!(chunks(&mut app).iter().all(|chunk| !before.contains(chunk)));

    // Half of the terrain.
    let smaller = land(2);
    *app.world_mut().get_mut::<Terrain>(terrain).unwrap() = smaller;
    set_recipe(&mut app, terrain, hills(SIDE, 65, 2));
    wait_until_ready(&mut app);
    update_until(&mut app, |app| !drawn(app, terrain).is_complete);
    let half = wait_until_grown(&mut app, terrain);
    let vegetation = forest(4);
    assert_eq!(half.plants, expected_pines(&app, terrain, &vegetation));
    assert!(half.plants < other.plants * 2 / 3, "{half:?}");

    app.world_mut().entity_mut(terrain).remove::<Vegetation>();
    app.update();
    assert_eq!(chunks(&mut app), []);
    assert!(app.world().get::<DrawnVegetation>(terrain).is_none());
    // Add the vegetation again.
    app.world_mut().entity_mut(terrain).insert(forest(4));
    assert_eq!(wait_until_grown(&mut app, terrain), half);
    app.world_mut().entity_mut(terrain).despawn();
    app.update();
    assert_eq!(chunks(&mut app), []);
}

#[test]
fn invalid_vegetation_keeps_existing_plants() {
    let mut app = app_with_plants();
    spawn_eye(&mut app, Vec3::new(0.0, 25.0, 60.0));
    let terrain = app.world_mut().spawn((land(1), forest(3))).id();
    let first = wait_until_grown(&mut app, terrain);
    let wrong: [fn(&mut Vegetation); 4] = [
        |all| all.plants[0].rule.spacing = 0.001,
        |all| all.plants[1].rule.density = f32::NAN,
        |all| {
            all.exclusions = vec![Exclusion::Circle {
                center: [0.0; 2],
                radius: -1.0,
            }];
        },
        |all| all.plants[1].rule.size = [2.0, 1.0],
    ];
    for change in wrong {
        let mut vegetation = forest(3);
        change(&mut vegetation);
        app.world_mut().entity_mut(terrain).insert(vegetation);
        for _ in 0..5 {
            app.update();
        }
        assert_eq!(drawn(&app, terrain), first);
    }
    // Invalid global settings are clamped.
    for (detail, distance) in [(f32::NAN, f32::NAN), (1.0, f32::INFINITY), (-3.0, 2000.0)] {
        let vegetation = Vegetation {
            detail,
            distance,
            ..forest(3)
        };
        app.world_mut().entity_mut(terrain).insert(vegetation);
        update_until(&mut app, |app| !drawn(app, terrain).is_complete);
        assert_eq!(wait_until_grown(&mut app, terrain).plants, first.plants);
    }
    let nowhere = Vegetation {
        distance: -1.0,
        ..forest(3)
    };
    app.world_mut().entity_mut(terrain).insert(nowhere);
    update_until(&mut app, |app| drawn(app, terrain).plants == 0);
    assert_eq!(chunks(&mut app), []);
    let none = Vegetation {
        plants: Vec::new(),
        ..forest(3)
    };
    app.world_mut().entity_mut(terrain).insert(none);
    update_until(&mut app, |app| drawn(app, terrain).is_complete);
    assert_eq!(chunks(&mut app), []);

    // Invalid from the start, then corrected.
    let mut wrong = forest(3);
    wrong.plants[0].rule.spacing = f32::NAN;
    let other = app.world_mut().spawn((land(1), wrong)).id();
    update_until(&mut app, |app| drawn(app, other).is_complete);
    assert_eq!(drawn(&app, other).plants, 0);
    app.world_mut().entity_mut(other).insert(forest(3));
    update_until(&mut app, |app| drawn(app, other).plants > 0);
    assert_eq!(wait_until_grown(&mut app, other), first);
    // Nothing grows without a terrain.
    app.world_mut().entity_mut(other).remove::<Terrain>();
    app.update();
    app.update();
    assert_eq!(chunks(&mut app), []);
}

#[test]
fn changes_in_every_frame_do_not_stop_growth() {
    let mut app = app_with_plants();
    spawn_eye(&mut app, Vec3::new(0.0, 25.0, 60.0));
    let terrain = app.world_mut().spawn((land(1), forest(3))).id();
    app.add_systems(Update, |mut seas: Query<&mut Water>| {
        for mut sea in &mut seas {
            sea.ripples += 0.001;
        }
    });
    let first = wait_until_grown(&mut app, terrain);
    let before = chunks(&mut app);
    for _ in 0..10 {
        app.update();
    }
    assert_eq!(chunks(&mut app), before);

    // The rules change in every frame: plants of some revision appear soon.
    app.add_systems(Update, |mut forests: Query<&mut Vegetation>| {
        for mut forest in &mut forests {
            forest.seed += 1;
        }
    });
    update_until(&mut app, |app| {
        chunks(app).iter().all(|chunk| !before.contains(chunk))
    });
    assert!(drawn(&app, terrain).plants > first.plants / 2);
}

#[test]
fn plants_are_visible_on_a_rotated_and_scaled_terrain() {
    let mut app = app_with_plants();
    let eye = spawn_eye(&mut app, Vec3::new(0.0, 30.0, 62.0));
    // Use all shader variants: shadows and prepasses.
    app.world_mut().entity_mut(eye).insert((
        bevy::core_pipeline::prepass::NormalPrepass,
        bevy::core_pipeline::prepass::MotionVectorPrepass,
        Msaa::Off,
    ));
    app.world_mut().spawn((
        DirectionalLight {
            shadow_maps_enabled: true,
            ..default()
        },
        Transform::from_xyz(1.0, 3.0, 1.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    // Rotated, and scaled by 2: level distances scale with the terrain.
    let place = Transform::from_rotation(Quat::from_rotation_y(core::f32::consts::FRAC_PI_2))
        .with_scale(Vec3::splat(2.0));
    let terrain = app.world_mut().spawn((land(1), forest(3), place)).id();
    wait_until_grown(&mut app, terrain);
    let picture = |app: &mut App, place: Vec3, look: Vec3| {
        *app.world_mut().get_mut::<Transform>(eye).unwrap() =
            Transform::from_translation(place).looking_at(look, Vec3::Y);
        app.update();
        app.update();
        wait_until_grown(app, terrain);
        for _ in 0..4 {
            app.update();
        }
        let count = app.world().resource::<Canvas>().pictures.len();
        take_picture(app);
        update_until(app, |app| {
            app.world().resource::<Canvas>().pictures.len() > count
        });
        app.world().resource::<Canvas>().pictures[count].clone()
    };
    let views = [
        (Vec3::new(0.0, 60.0, 124.0), Vec3::new(0.0, 20.0, 0.0)),
        (Vec3::new(0.0, 200.0, 220.0), Vec3::ZERO),
        // Straight down.
        (Vec3::new(0.0, 400.0, 1.0), Vec3::ZERO),
    ];
    let wooded = views.map(|(place, look)| picture(&mut app, place, look));
    app.world_mut().entity_mut(terrain).insert(Vegetation {
        plants: Vec::new(),
        ..forest(3)
    });
    update_until(&mut app, |app| drawn(app, terrain).plants == 0);
    let bare = views.map(|(place, look)| {
        *app.world_mut().get_mut::<Transform>(eye).unwrap() =
            Transform::from_translation(place).looking_at(look, Vec3::Y);
        for _ in 0..6 {
            app.update();
        }
        let count = app.world().resource::<Canvas>().pictures.len();
        take_picture(&mut app);
        update_until(&mut app, |app| {
            app.world().resource::<Canvas>().pictures.len() > count
        });
        app.world().resource::<Canvas>().pictures[count].clone()
    });
    for (view, (wooded, bare)) in wooded.iter().zip(&bare).enumerate() {
        let pixels = wooded.pixels().zip(bare.pixels());
        let off = |(a, b): (&image::Rgb<u8>, &image::Rgb<u8>)| {
            a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 12)
        };
        let changed = pixels.filter(|pair| off(*pair)).count();
        let share = changed as f32 / (64.0 * 64.0);
        assert!(
            (0.06..0.95).contains(&share),
            "view {view}: {share} is of plants"
        );
    }
}

/// Only plants near an edit are replaced, and all of them then stand where those of a fresh terrain stand.
#[test]
fn edits_replace_only_plants_near_them() {
    let clear = Stroke::along(
        Brush::Plants { density: 0 },
        6 * 256,
        [[30 * 256, 30 * 256]],
    );
    let dig = |column: i64, row: i64| {
        Stroke::along(
            Brush::Lower { mm: 6000 },
            5 * 256,
            [[column * 256, row * 256]],
        )
    };
    let eye = Vec3::new(0.0, 25.0, 10.0);
    let mut app = app_with_plants();
    spawn_eye(&mut app, eye);
    let mut vegetation = forest(5);
    // Positions of pines depend on the slope, so edits move some of them.
    vegetation.plants[0].rule.slope = SoftRange {
        low: 0.0,
        high: 25.0,
        soft: 5.0,
    };
    let bundle = (land(6), vegetation.clone(), TerrainEdits::default());
    let terrain = app.world_mut().spawn(bundle).id();
    let first = wait_until_grown(&mut app, terrain);
    let before = chunks(&mut app);
    let mut log = TerrainEdits::default();
    let mut kept = before.len();
    for stroke in [dig(20, 100), dig(90, 95), dig(64, 60), clear] {
        log.stroke(1, stroke.clone()).unwrap();
        let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
        edits.stroke(1, stroke).unwrap();
        wait_until_ready(&mut app);
        wait_until_grown(&mut app, terrain);
        let now = chunks(&mut app);
        let stay = now.iter().filter(|chunk| before.contains(chunk)).count();
        assert!(stay < kept, "{stay} of {kept}");
        kept = stay;
    }
    assert!(5 * kept > before.len(), "{kept} of {}", before.len());
    let edited = drawn(&app, terrain);
    assert_ne!(edited.plants, first.plants);
    assert_eq!(edited.plants, expected_pines(&app, terrain, &vegetation));

    let mut fresh = app_with_plants();
    spawn_eye(&mut fresh, eye);
    let terrain = fresh.world_mut().spawn((land(6), vegetation, log)).id();
    let fresh = wait_until_grown(&mut fresh, terrain);
    assert_eq!(edited, fresh);
}
