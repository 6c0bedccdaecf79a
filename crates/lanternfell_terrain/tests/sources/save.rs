//! Terrain that a running app saves is the same when it is loaded again.

use bevy::prelude::*;
use lanternfell_terrain::{
    io::{self, Format, Sidecar, WriteOptions},
    prelude::*,
};

use crate::common::*;

#[test]
fn saved_recipe_restores_the_terrain() {
    let mut studio = Studio::new();
    let scale = Scale {
        spacing: 3.0,
        relief: 40.0,
    };
    let recipe = hills(1).with_filter(Filter::Gamma(1.5));
    let entity = studio.spawn(Terrain::new(recipe).with_scale(scale));
    let saved = studio.ground(entity).clone();
    studio.write("saved.terrain.ron", saved.recipe().unwrap().to_ron());
    let file = studio.load("saved.terrain.ron");
    let entity = studio.spawn(Terrain::new(file));
    let again = studio.ground(entity);
    assert_eq!(again.map(), saved.map());
    assert_eq!(again.surface().scale(), scale);
    assert_eq!(again.recipe(), saved.recipe());
}

/// A map in meters, in each format that can store meters, otherwise with a sidecar.
#[test]
fn saved_map_restores_the_terrain() {
    let mut grid = placed(1);
    // As it would be read from a file: in meters.
    grid.heights = {
        let meters = grid.heights.heights().iter();
        let meters = meters.map(|&height| grid.frame.elevation.meters(height) as f32);
        Heightmap::from_heights(grid.size(), meters.collect()).unwrap()
    };
    grid.frame.elevation = lanternfell_terrain::heightmap::Elevation::METERS;
    for format in formats() {
        let mut studio = Studio::new();
        let entity = studio.spawn(Terrain::new(grid.clone()));
        let saved = studio.ground(entity).clone();
        let model = saved.elevation_model();
        let (mut file, mut json) = (Vec::new(), Vec::new());
        let options = WriteOptions::default();
        let elevation = io::write(&model, format, &options, &mut file, &default()).unwrap();
        let raw = (format == Format::Raw).then_some(options.raw);
        Sidecar::of(&model, raw, elevation)
            .write(&mut json)
            .unwrap();
        let path = named("saved", format.extensions()[0]);
        studio.write(&path, file);
        if format != Format::Tiff {
            studio.write(&io::sidecar_name(&path), json);
        }
        let file = studio.load(&path);
        let entity = studio.spawn(Terrain::new(file));
        let again = studio.ground(entity);
        assert_eq!(again.frame().place, saved.frame().place, "{format}");
        let meters = |ground: &TerrainSurface| -> Vec<f64> {
            let elevation = ground.frame().elevation;
            let heights = ground.map().heights().iter();
            heights.map(|&height| elevation.meters(height)).collect()
        };
        // 16-bit values are rounded by up to half a step, `f32` values by less.
        let tolerance = 0.51 * 642.0 / 65_535.0;
        for (found, expected) in meters(again).into_iter().zip(meters(&saved)) {
            assert!(
                (found - expected).abs() <= tolerance,
                "{format}: {found}, {expected}"
            );
        }
    }
}
