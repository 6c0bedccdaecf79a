//! Each format loads with the same result as `lanternfell_io`.

use bevy::{asset::AssetLoader, prelude::*};
use lanternfell_terrain::{
    TerrainFileLoader,
    io::{self, Format, RawFormat, ReadOptions, Sidecar},
    prelude::*,
};

use crate::common::*;

/// The terrain of a file, and the map that `lanternfell_io` reads from it.
fn both(path: &str, bytes: Vec<u8>, format: Format) -> (TerrainSurface, ElevationModel) {
    let mut studio = Studio::new();
    let expected = io::read(&bytes, format, &ReadOptions::default()).unwrap();
    studio.write(path, bytes);
    let file = studio.load(path);
    let entity = studio.spawn(Terrain::new(file));
    (studio.ground(entity).clone(), stretched(expected))
}

#[test]
fn loads_every_format_like_lanternfell_io() {
    let mut tried = Vec::new();
    for format in formats().filter(|format| *format != Format::Raw) {
        for (ending, model) in format.extensions().iter().zip([placed(1), placed(2)]) {
            let path = named("maps/land", ending);
            let (ground, expected) = both(&path, written(&model, format), format);
            assert_eq!(ground.map(), &expected.heights, "{path}");
            assert_eq!(ground.frame(), &expected.frame, "{path}");
            assert_eq!(ground.recipe(), None, "{path}");
            let scale = expected.frame.scale(expected.size());
            assert_eq!(ground.surface().scale(), scale, "{path}");
            tried.push(format);
        }
    }
    assert!(tried.contains(&Format::Pgm) && tried.contains(&Format::Ascii));
    assert_eq!(tried.contains(&Format::Tiff), cfg!(feature = "tiff"));
    assert_eq!(tried.contains(&Format::Png), cfg!(feature = "png"));
}

#[test]
fn raw_files_use_their_sidecar() {
    for (ending, raw) in [("r16", RawFormat::R16), ("r32", RawFormat::R32)] {
        let mut studio = Studio::new();
        let model = placed(3);
        let path = named("land", ending);
        let (mut bytes, mut json) = (Vec::new(), Vec::new());
        io::write_raw(&model.heights, raw, &mut bytes).unwrap();
        let sidecar = Sidecar::of(&model, Some(raw), model.frame.elevation);
        sidecar.write(&mut json).unwrap();
        let expected = sidecar.read(&bytes).unwrap();
        studio.write(&path, bytes);
        studio.write(&io::sidecar_name(&path), json);
        let file = studio.load(&path);
        let entity = studio.spawn(Terrain::new(file));
        assert_eq!(studio.ground(entity).map(), &expected.heights, "{path}");
        assert_eq!(studio.ground(entity).frame(), &expected.frame, "{path}");
    }
}

#[test]
fn raw_size_can_be_a_loader_setting() {
    let mut studio = Studio::new();
    let map = bumps(7, 5, 1);
    let mut bytes = Vec::new();
    io::write_raw(&map, RawFormat::R32, &mut bytes).unwrap();
    studio.write("land.r32", bytes);
    let size = Some(map.size());
    let setting = move |options: &mut ReadOptions| options.size = size;
    let builder = studio.server().load_builder().with_settings(setting);
    let file: Handle<TerrainFile> = builder.load("land.r32");
    let entity = studio.spawn(Terrain::new(file));
    assert_eq!(studio.ground(entity).map(), &map);
}

#[test]
fn loads_uppercase_and_unknown_extensions() {
    let model = placed(1);
    let bytes = written(&model, Format::Ascii);
    for path in ["LAND.ASC", "land", "land.grid"] {
        let (ground, expected) = both(path, bytes.clone(), Format::Ascii);
        assert_eq!(ground.map(), &expected.heights, "{path}");
    }
}

/// A plain `load` of a `.png` must give an image and not a terrain.
#[test]
fn loader_does_not_claim_image_extensions() {
    let endings = TerrainFileLoader.extensions();
    for picture in ["png", "tif", "tiff", "exr", "pgm", "raw", "ron", "json"] {
        assert!(!endings.contains(&picture), "{picture}");
    }
}

#[test]
fn map_in_memory_is_shared() {
    let mut studio = Studio::new();
    let heights = std::sync::Arc::new(bumps(40, 30, 5));
    let entity = studio.spawn(Terrain::new(heights.clone()));
    assert!(std::ptr::eq(studio.ground(entity).map(), &*heights));
    let scale = Scale::of_size(heights.size());
    assert_eq!(studio.ground(entity).surface().scale(), scale);
    // With all its metadata.
    let model = placed(6);
    let entity = studio.spawn(Terrain::new(model.clone()));
    assert_eq!(studio.ground(entity).elevation_model(), model);
}

#[test]
fn heights_outside_0_to_1_are_meters() {
    let mut studio = Studio::new();
    let size = MapSize::new(4, 3).unwrap();
    let meters = (0..12).map(|cell| 100.0 + 25.0 * cell as f32).collect();
    let heights = Heightmap::from_heights(size, meters).unwrap();
    let entity = studio.spawn(Terrain::new(heights));
    let ground = studio.ground(entity);
    assert_eq!(ground.map().range(), (0.0, 1.0));
    assert_eq!(ground.surface().scale().relief, 275.0);
    assert_eq!(ground.datum(), 100.0);
    let low = ground.geo_position(ground.surface().vertex(0, 0));
    let high = ground.geo_position(ground.surface().vertex(3, 2));
    assert_eq!((low.elevation, high.elevation), (100.0, 375.0));
}

#[test]
fn resamples_to_square_cells() {
    let mut studio = Studio::new();
    let mut model = placed(1);
    model.frame.place.cell = [25.0, 50.0];
    let meters = |ground: &TerrainSurface, column, row| {
        ground
            .frame()
            .elevation
            .meters(ground.map().get(column, row))
    };
    let entity = studio.spawn(Terrain::new(model.clone()));
    let ground = studio.ground(entity);
    let size = ground.map().size();
    assert_eq!((size.width(), size.height()), (30, 39));
    assert_eq!(ground.surface().scale().spacing, 25.0);
    assert_eq!(ground.surface().half_extent(), Vec2::new(362.5, 475.0));
    for (column, row) in [(0, 0), (29, 19), (7, 3)] {
        let expected = model.frame.elevation.meters(model.heights.get(column, row));
        let found = meters(ground, column, 2 * row);
        assert!((found - expected).abs() < 1e-3, "{column}, {row}");
    }
}
