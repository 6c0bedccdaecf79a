//! Terrain follows changes of its files.

use bevy::prelude::*;
use lanternfell_terrain::{
    io::{self, Format, Sidecar},
    prelude::*,
};

use crate::common::*;

fn grid(seed: u64) -> Vec<u8> {
    written(&placed(seed), Format::Ascii)
}

fn expected(seed: u64) -> Heightmap {
    let read = io::read(&grid(seed), Format::Ascii, &default()).unwrap();
    stretched(read).heights
}

#[test]
fn changed_map_regenerates_terrain() {
    let mut studio = Studio::new();
    studio.write("land.asc", grid(1));
    let file = studio.load("land.asc");
    let pair = [
        studio.spawn(Terrain::new(file.clone())),
        studio.spawn(Terrain::new(file)),
    ];
    let other = studio.spawn(Terrain::new(hills(1)));
    studio.rewrite("land.asc", grid(2));
    studio.until_ready(5);
    for entity in pair {
        assert_eq!(studio.ground(entity).map(), &expected(2));
    }
    studio.linger();
    let ready = &studio.answers().ready;
    assert_eq!(ready.iter().filter(|&&entity| entity == other).count(), 1);
    assert_eq!(ready.len(), 5, "one event per terrain");
}

#[test]
fn manual_reload_regenerates_terrain() {
    let mut studio = Studio::new();
    studio.write("land.asc", grid(1));
    let file = studio.load("land.asc");
    let entity = studio.spawn(Terrain::new(file));
    studio.write("land.asc", grid(2));
    studio.server().reload("land.asc");
    studio.until_ready(2);
    assert_eq!(studio.ground(entity).map(), &expected(2));
}

#[test]
fn changed_recipe_or_image_regenerates_terrain() {
    let mut studio = Studio::new();
    studio.write("maps/coast.asc", grid(1));
    let recipe = hills_with_image(1, "coast.asc");
    studio.write("maps/hills.terrain.ron", recipe.to_ron());
    let file = studio.load("maps/hills.terrain.ron");
    let entity = studio.spawn(Terrain::new(file));
    assert_eq!(studio.ground(entity).map(), &map_of(&recipe, &expected(1)));
    studio.rewrite("maps/coast.asc", grid(2));
    studio.until_ready(2);
    assert_eq!(studio.ground(entity).map(), &map_of(&recipe, &expected(2)));
    // Another seed, and another image that is not loaded yet.
    studio.write("maps/other.asc", grid(3));
    let recipe = hills_with_image(2, "other.asc");
    studio.rewrite("maps/hills.terrain.ron", recipe.to_ron());
    studio.until_ready(3);
    assert_eq!(studio.ground(entity).map(), &map_of(&recipe, &expected(3)));
    // The first image is no longer used.
    studio.rewrite("maps/coast.asc", grid(4));
    studio.linger();
    assert_eq!(studio.answers().ready.len(), 3);
    assert!(studio.answers().failed.is_empty());
}

#[test]
fn changed_image_regenerates_recipe_in_memory() {
    let mut studio = Studio::new();
    studio.write("coast.asc", grid(1));
    let recipe = hills_with_image(1, "coast.asc");
    let entity = studio.spawn(Terrain::new(recipe.clone()));
    studio.rewrite("coast.asc", grid(2));
    studio.until_ready(2);
    assert_eq!(studio.ground(entity).map(), &map_of(&recipe, &expected(2)));
}

#[test]
fn changed_sidecar_regenerates_terrain() {
    let mut studio = Studio::new();
    let mut model = placed(1);
    let json = |model: &ElevationModel| {
        let mut json = Vec::new();
        let sidecar = Sidecar::of(model, None, model.frame.elevation);
        sidecar.write(&mut json).unwrap();
        json
    };
    studio.write("land.pgm", written(&model, Format::Pgm));
    studio.write("land.pgm.json", json(&model));
    let file = studio.load("land.pgm");
    let entity = studio.spawn(Terrain::new(file));
    model.frame.elevation.relief = 77.0;
    studio.rewrite("land.pgm.json", json(&model));
    studio.until_ready(2);
    assert_eq!(studio.ground(entity).surface().scale().relief, 77.0);
}

#[test]
fn unchanged_recipe_is_not_regenerated() {
    let mut studio = Studio::new();
    studio.write("hills.terrain.ron", hills(1).to_ron());
    let file = studio.load("hills.terrain.ron");
    studio.spawn(Terrain::new(file));
    studio.rewrite(
        "hills.terrain.ron",
        format!("// said\n{}", hills(1).to_ron()),
    );
    studio.linger();
    assert_eq!(studio.answers().ready.len(), 1);
}

#[test]
fn damaged_file_keeps_terrain_until_repaired() {
    let mut studio = Studio::new();
    studio.write("land.asc", grid(1));
    let file = studio.load("land.asc");
    let entity = studio.spawn(Terrain::new(file));
    for (attempt, damaged) in ["", "ncols 3", "no grid at all"].into_iter().enumerate() {
        studio.rewrite("land.asc", damaged);
        studio.until_failed(attempt + 1);
        studio.linger();
        assert_eq!(studio.answers().failed.len(), attempt + 1, "said once");
        assert!(
            studio.last_error().contains("`land.asc`"),
            "{}",
            studio.last_error()
        );
        assert_eq!(studio.ground(entity).map(), &expected(1));
    }
    // The existing terrain can still be shown at another scale.
    let scale = Scale {
        spacing: 2.0,
        relief: 9.0,
    };
    studio.terrain(entity).scale = Some(scale);
    studio.until_ready(2);
    assert_eq!(studio.ground(entity).surface().scale(), scale);
    studio.rewrite("land.asc", grid(2));
    studio.until_ready(3);
    assert_eq!(studio.ground(entity).map(), &expected(2));
    assert_eq!(studio.answers().failed.len(), 3);
}

#[test]
fn initially_damaged_file_loads_once_repaired() {
    let mut studio = Studio::new();
    studio.write("hills.terrain.ron", "(");
    let file = studio.load("hills.terrain.ron");
    let entity = studio.spawn(Terrain::new(file));
    assert_eq!(studio.answers().failed.len(), 1);
    studio.rewrite("hills.terrain.ron", hills(1).to_ron());
    studio.until_ready(1);
    assert_eq!(studio.ground(entity).recipe(), Some(&hills(1)));
}

/// An app may change the asset itself.
#[test]
fn changed_asset_regenerates_terrain() {
    let mut studio = Studio::new();
    let add = |map: Heightmap| TerrainFile::Map(map.into());
    let mut files = studio.app.world_mut().resource_mut::<Assets<TerrainFile>>();
    let file = files.add(add(bumps(20, 20, 1)));
    let entity = studio.spawn(Terrain::new(file.clone()));
    assert_eq!(studio.ground(entity).map(), &bumps(20, 20, 1));
    let mut files = studio.app.world_mut().resource_mut::<Assets<TerrainFile>>();
    files.insert(&file, add(bumps(30, 20, 2))).unwrap();
    studio.until_ready(2);
    assert_eq!(studio.ground(entity).map(), &bumps(30, 20, 2));
}
