//! Recipes in files, and their images.

use bevy::prelude::*;
use lanternfell_terrain::{io::Format, prelude::*};

use crate::common::*;

#[test]
fn loads_recipe_files() {
    let mut studio = Studio::new();
    for (path, seed) in [("maps/hills.terrain.ron", 3), ("hills.RON", 4)] {
        studio.write(path, hills(seed).to_ron());
        let file = studio.load(path);
        let entity = studio.spawn(Terrain::new(file));
        let expected = hills(seed).generate(&Progress::default()).unwrap();
        assert_eq!(studio.ground(entity).map(), &expected, "{path}");
        assert_eq!(studio.ground(entity).recipe(), Some(&hills(seed)), "{path}");
    }
}

#[test]
fn image_paths_are_relative_to_the_recipe() {
    let mut studio = Studio::new();
    let (image, other) = (bumps(20, 30, 1), bumps(20, 30, 2));
    let bytes = |map: &Heightmap| written(&ElevationModel::of_heights(map.clone()), Format::Ascii);
    studio.write("maps/images/coast.asc", bytes(&image));
    studio.write("images/coast.asc", bytes(&other));
    let recipe = hills_with_image(1, "images/coast.asc");
    studio.write("maps/hills.terrain.ron", recipe.to_ron());
    let file = studio.load("maps/hills.terrain.ron");
    let entity = studio.spawn(Terrain::new(file));
    let read = |map| stretched(read_again(map));
    assert_eq!(
        studio.ground(entity).map(),
        &map_of(&recipe, &read(&image).heights)
    );
    // Images of a recipe that was not loaded from a file are relative to the root of the assets.
    let entity = studio.spawn(Terrain::new(recipe.clone()));
    assert_eq!(
        studio.ground(entity).map(),
        &map_of(&recipe, &read(&other).heights)
    );
    assert_eq!(studio.ground(entity).recipe(), Some(&recipe));
}

/// Writes and reads the map with `lanternfell_io`.
fn read_again(map: &Heightmap) -> ElevationModel {
    use lanternfell_terrain::io::{self, ReadOptions};
    let bytes = written(&ElevationModel::of_heights(map.clone()), Format::Ascii);
    io::read(&bytes, Format::Ascii, &ReadOptions::default()).unwrap()
}

#[test]
fn error_names_missing_image() {
    for in_file in [true, false] {
        let mut studio = Studio::new();
        let recipe = hills_with_image(1, "coast.asc");
        studio.write("hills.terrain.ron", recipe.to_ron());
        let terrain = match in_file {
            true => Terrain::new(studio.load("hills.terrain.ron")),
            false => Terrain::new(recipe),
        };
        let entity = studio.spawn(terrain);
        studio.linger();
        assert_eq!(studio.answers().failed.len(), 1, "in a file: {in_file}");
        let error = studio.last_error();
        assert!(
            error.contains("`coast.asc`") && error.contains("no such file"),
            "{error}"
        );
        assert!(!studio.has_ground(entity));
    }
}

#[test]
fn rejects_image_paths_outside_the_folder() {
    for name in [
        "../secret.asc",
        "/etc/secret.asc",
        "hills.terrain.ron",
        "coast",
    ] {
        let mut studio = Studio::new();
        let recipe = hills_with_image(1, name);
        studio.write("maps/hills.terrain.ron", recipe.to_ron());
        let file = studio.load("maps/hills.terrain.ron");
        studio.spawn(Terrain::new(file));
        let in_file = studio.last_error();
        studio.spawn(Terrain::new(recipe));
        for error in [in_file, studio.last_error()] {
            assert!(error.contains(&format!("image `{name}`")), "{error}");
        }
        assert_eq!(studio.answers().failed.len(), 2, "{name}");
    }
}

#[test]
fn invalid_recipe_gives_its_error() {
    let mut far_too_long = hills(1).to_ron().into_bytes();
    far_too_long.resize(Recipe::MAX_BYTES + 1, b' ');
    for (content, words) in [
        (
            b"(version: 1, size: (50, 40), steps: {})".to_vec(),
            "the recipe has 0 steps",
        ),
        (b"(version: 9)".to_vec(), "version 9 is not supported"),
        (b"not a recipe".to_vec(), "1:"),
        (vec![0xff, 0xfe, 0x00], "UTF-8"),
        (far_too_long, "longer than"),
    ] {
        let mut studio = Studio::new();
        studio.write("bad.terrain.ron", content);
        let file = studio.load("bad.terrain.ron");
        let entity = studio.spawn(Terrain::new(file));
        let error = studio.last_error();
        assert!(
            error.contains("`bad.terrain.ron`") && error.contains(words),
            "{error}"
        );
        assert!(!error.contains('\n'), "{error}");
        assert!(!studio.has_ground(entity));
    }
}
