//! Missing, damaged and malicious files give one error that contains the file name, and the old terrain stays.

use bevy::prelude::*;
use lanternfell_terrain::{TerrainError, TerrainFileError, io::Format, prelude::*};

use crate::common::*;

/// Replaces an existing terrain by this file, and returns the error.
fn refused(path: &str, content: Option<Vec<u8>>) -> TerrainError {
    let mut studio = Studio::new();
    if let Some(content) = content {
        studio.write(path, content);
    }
    let entity = studio.spawn(Terrain::new(hills(1)));
    let file = studio.load(path);
    studio.terrain(entity).source = file.into();
    studio.settle();
    studio.linger();
    let [failed] = &studio.answers().failed[..] else {
        panic!("{path}: {:?}", studio.answers().failed);
    };
    assert_eq!(failed.entity, entity);
    assert_eq!(studio.ground(entity).recipe(), Some(&hills(1)), "{path}");
    let error = failed.error.to_string();
    assert!(!error.contains('\n'), "{error}");
    failed.error.clone()
}

fn file_error(path: &str, content: Option<Vec<u8>>) -> TerrainFileError {
    match refused(path, content) {
        TerrainError::File { path: named, error } => {
            assert_eq!(named, path);
            error
        }
        other => panic!("{path}: {other}"),
    }
}

#[test]
fn error_names_missing_file() {
    for path in [
        "nowhere.asc",
        "nowhere.terrain.ron",
        "nowhere",
        "maps/nowhere.png",
    ] {
        assert_eq!(file_error(path, None), TerrainFileError::Missing, "{path}");
    }
}

#[test]
fn error_names_unsupported_format() {
    let ply = b"ply format ascii 1.0".to_vec();
    assert_eq!(file_error("land.ply", Some(ply)), TerrainFileError::Unknown);
    let error = file_error("land.obj", Some(b"v 0 0 0".to_vec())).to_string();
    assert!(error.contains("written but not read"), "{error}");
    let error = file_error("land.raw", Some(vec![0; 100])).to_string();
    assert!(error.contains("size"), "{error}");
    if !Format::Exr.is_built_in() {
        let error = file_error("land.exr", Some(vec![0; 100])).to_string();
        assert!(error.contains("does not support"), "{error}");
    }
}

#[test]
fn rejects_truncated_files() {
    // Some of the points of an XYZ file are a smaller map.
    for format in formats().filter(|format| !matches!(format, Format::Raw | Format::Xyz)) {
        let bytes = written(&placed(1), format);
        for parts in [0, 1, 4, 7] {
            let cut = bytes[..bytes.len() * parts / 8].to_vec();
            let path = named("land", format.extensions()[0]);
            let error = file_error(&path, Some(cut));
            assert_ne!(
                error,
                TerrainFileError::Missing,
                "{format}, {parts} eighths"
            );
        }
    }
}

#[test]
fn rejects_oversized_maps() {
    let header = "ncols 16384\nnrows 16384\nxllcorner 0\nyllcorner 0\ncellsize 1\n";
    let error = file_error("land.asc", Some(header.into())).to_string();
    assert!(error.contains("truncated"), "{error}");
    let side = "ncols 99999\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n0 1";
    let error = file_error("land.asc", Some(side.into())).to_string();
    assert!(error.contains("99999"), "{error}");
    let one = "ncols 1\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 1\n0 1 2";
    let error = file_error("land.asc", Some(one.into())).to_string();
    assert!(error.contains("from 2 to"), "{error}");
    // More text than a map of this size can need.
    let mut long = b"P5 2 2 255 ".to_vec();
    long.resize(17 << 20, b' ');
    assert!(matches!(
        file_error("land.pgm", Some(long)),
        TerrainFileError::TooLong { .. }
    ));
}

#[test]
fn rejects_out_of_range_scales() {
    let grid = |cell: &str, high: &str| {
        format!("ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize {cell}\n0 1 2 {high}\n")
    };
    for (cell, high, word) in [
        ("10", "3e38", "relief is"),
        ("10", "200000", "relief is"),
        ("1e9", "3", "spacing is"),
    ] {
        let error = refused("land.asc", Some(grid(cell, high).into()));
        assert!(error.to_string().contains(word), "{error}");
    }
    // With square cells it would be a million times as wide.
    let thin = "ncols 200\nnrows 200\nxllcorner 0\nyllcorner 0\ndx 1e6\ndy 1\n";
    let cells: String = (0..40_000).map(|cell| format!("{} ", cell % 7)).collect();
    let error = refused("land.asc", Some((thin.to_owned() + &cells).into()));
    assert!(matches!(error, TerrainError::NotSquare(_)), "{error}");
}

#[test]
fn loads_smallest_map() {
    let mut studio = Studio::new();
    let grid = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n5 5 5 5\n";
    studio.write("flat.asc", grid);
    let file = studio.load("flat.asc");
    let entity = studio.spawn(Terrain::new(file));
    let ground = studio.ground(entity);
    assert_eq!((ground.map().range(), ground.datum()), ((0.0, 0.0), 5.0));
}

#[test]
fn rejects_default_handle() {
    let mut studio = Studio::new();
    studio.spawn(Terrain::new(Handle::<TerrainFile>::default()));
    let error = studio.last_error();
    assert!(error.contains("no such file"), "{error}");
}

#[test]
fn without_asset_server_only_files_fail() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TerrainPlugin));
    app.init_resource::<Answers>().add_observer(
        |failed: On<TerrainFailed>, mut answers: ResMut<Answers>| {
            answers.failed.push(failed.event().clone());
        },
    );
    app.finish();
    app.cleanup();
    let recipe = hills_with_image(1, "coast.asc");
    let world = app.world_mut();
    world.spawn(Terrain::new(Handle::<TerrainFile>::default()));
    world.spawn(Terrain::new(recipe));
    let fine = world.spawn(Terrain::new(hills(1))).id();
    app.update();
    let answers: &Answers = app.world().resource();
    let errors = answers.failed.iter().map(|failed| &failed.error);
    assert_eq!(
        errors.collect::<Vec<_>>(),
        [&TerrainError::NoAssetServer; 2]
    );
    for _ in 0..100_000 {
        if app.world().get::<TerrainSurface>(fine).is_some() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
        app.update();
    }
    panic!("the recipe without images was not generated");
}
