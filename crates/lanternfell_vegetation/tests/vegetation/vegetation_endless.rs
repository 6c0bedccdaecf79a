//! Plants on endless terrains keep their positions when regions change.

use std::{collections::BTreeSet, thread, time::Duration};

use bevy::{math::DVec2, prelude::*};
use lanternfell_terrain::prelude::*;
use lanternfell_vegetation::{
    VegetationChunk,
    plants::scatter::{Exclusions, Scatter, Site},
    prelude::*,
};

use crate::vegetation::*;
use lanternfell_terrain_test_support::{canvas::spawn_eye, terrain::*};

/// Distances in meters: terrain around the camera, huts around it, and huts that the test compares.
const GROUND: f32 = 200.0;
const HUTS: f32 = 100.0;
const LOOKED_AT: f64 = 40.0;

/// Length of the walk and of its steps, in meters.
pub const FAR: usize = 160;
pub const STEP: usize = 8;

const SEED: u64 = 5;

fn hut() -> ScatterRule {
    ScatterRule {
        height: SoftRange::ANY,
        spacing: 6.0,
        ..default()
    }
}

/// Huts everywhere, and grass between them.
pub fn huts_and_grass() -> Vegetation {
    let grass = ScatterRule {
        height: SoftRange::ANY,
        spacing: 1.0,
        ..default()
    };
    Vegetation {
        plants: vec![
            Plant::custom("hut", HUTS, hut()),
            Plant::new(PlantKind::Grass, grass),
        ],
        seed: SEED,
        detail: 0.3,
        ..default()
    }
}

pub fn endless() -> EndlessTerrain {
    let scale = Scale {
        spacing: 1.0,
        relief: 30.0,
    };
    let recipe = Recipe::new(MapSize::default(), 3, FractalNoise::default());
    EndlessTerrain {
        distance: GROUND,
        ..EndlessTerrain::new(Recipe {
            scale: Some(scale),
            ..recipe
        })
    }
}

/// Updates, then sleeps for the rest of a 60 Hz frame, so that background tasks get time even if nothing is drawn.
pub fn frame(app: &mut App) {
    app.update();
    thread::sleep(Duration::from_millis(16));
}

/// Position in whole centimeters.
pub fn rounded(place: DVec2) -> (i64, i64) {
    let [x, z] = (place * 100.0).round().to_array();
    (x as i64, z as i64)
}

/// Positions of visible huts near a point. Huts of hidden regions are not counted.
pub fn seen(app: &mut App, around: DVec2) -> BTreeSet<(i64, i64)> {
    let world = app.world_mut();
    let mut huts = world.query::<(&PlantInstance, &GlobalTransform)>();
    let seen = huts.iter(world).filter(|(hut, _)| {
        let region = world.get::<Visibility>(hut.terrain);
        region.is_some_and(|shown| *shown != Visibility::Hidden)
    });
    let places = seen.map(|(_, place)| place.translation().xz().as_dvec2());
    let near = places.filter(|place| place.distance(around) < LOOKED_AT);
    near.map(rounded).collect()
}

/// The positions according to the scatter library.
pub fn expected(around: DVec2) -> BTreeSet<(i64, i64)> {
    let rule = huts_and_grass().plants.remove(0).rule;
    let scatter = Scatter::new(vec![rule], SEED, 32.0).unwrap();
    let cell = |meters: f64| (meters / 32.0).floor() as i64;
    let (min, max) = (around - LOOKED_AT, around + LOOKED_AT);
    let mut places = BTreeSet::new();
    for z in cell(min.y)..=cell(max.y) {
        for x in cell(min.x)..=cell(max.x) {
            let ground = |_: &_, _: [f64; 2]| Some(Site::default());
            let stand = scatter.cell([x, z], ground, &Exclusions::default());
            let of_cell = stand.unwrap().remove(0).into_iter();
            let near = of_cell
                .map(|hut| DVec2::from(hut.position))
                .filter(|place| place.distance(around) < LOOKED_AT);
            places.extend(near.map(rounded));
        }
    }
    places
}

fn region(app: &mut App) -> Entity {
    let world = app.world_mut();
    let mut regions = world.query_filtered::<(Entity, &InheritedVisibility), With<TerrainRegion>>();
    let mut shown = regions.iter(world).filter(|(_, shown)| shown.get());
    let region = shown.next().map(|(region, _)| region);
    assert!(shown.next().is_none(), "two regions are visible");
    region.expect("one region is visible")
}

#[test]
fn plants_stay_while_walking_through_regions() {
    let mut app = app_with_plants();
    let eye = spawn_eye(&mut app, Vec3::new(0.0, 40.0, 1.0));
    let whole = app.world_mut().spawn((endless(), huts_and_grass())).id();
    update_until(&mut app, |app| {
        seen(app, DVec2::ZERO) == expected(DVec2::ZERO)
    });
    assert!(expected(DVec2::ZERO).len() > 60);
    let first = region(&mut app);
    for x in (0..=FAR).step_by(STEP) {
        let mut place = app.world_mut().get_mut::<Transform>(eye).unwrap();
        place.translation.x = x as f32;
        let around = DVec2::new(x as f64, 0.0);
        for _ in 0..6 {
            frame(&mut app);
            assert_eq!(seen(&mut app, around), expected(around), "{x}");
        }
    }
    let around = DVec2::new(FAR as f64, 0.0);
    let expected = expected(around);
    update_until(&mut app, |app| {
        assert_eq!(seen(app, around), expected);
        region(app) != first
    });

    // The chunks of grass are aligned to the plane, too.
    let shown = region(&mut app);
    wait_until_grown(&mut app, shown);
    let world = app.world_mut();
    let lands = *world.get::<TerrainRegion>(shown).unwrap();
    let middle = (lands.north_west + lands.south_east).as_dvec2() / 2.0;
    let mut chunks = world.query::<(&VegetationChunk, &Transform)>();
    let corners: Vec<DVec2> = chunks
        .iter(world)
        .filter(|(chunk, _)| chunk.terrain == shown)
        .map(|(_, place)| middle + place.translation.xz().as_dvec2())
        .collect();
    assert!(corners.len() > 2);
    for corner in corners {
        assert_eq!(corner, (corner / 8.0).round() * 8.0);
    }

    app.world_mut().entity_mut(whole).remove::<Vegetation>();
    for _ in 0..3 {
        app.update();
    }
    assert_eq!(seen(&mut app, around), BTreeSet::new());
}
