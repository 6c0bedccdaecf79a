//! Folders of tiles with arbitrary content must give an error that names the problem, never a panic.

use lanternfell_heightmap::{
    FractalNoise, Generator, MapSize, Progress, Recipe, RecipeError, SeededRng, TileError,
};
use lanternfell_io::{
    Format, ImportError, RawFormat, Sample,
    tiles::{
        GridTile, TileFileError, TileGridError, TileLayout, TileLayoutError, TileManifest,
        TileManifestError,
    },
};

use super::{
    folder::{Folder, folder, layout, recipe},
    size,
};

const R32: (&str, Option<RawFormat>) = ("r32", Some(RawFormat::R32));

fn manifest() -> TileManifest {
    let layout = layout(&recipe(), size(32, 32), 1, R32);
    TileManifest::new(layout, &Progress::default()).unwrap()
}

/// Reads the manifest with `old` replaced by `new`.
#[track_caller]
fn with(old: &str, new: &str) -> Result<TileManifest, TileManifestError> {
    let text = manifest().to_ron();
    let other = text.replacen(old, new, 1);
    assert_ne!(other, text, "{old}");
    TileManifest::from_ron(&other)
}

/// Folders stay on disks for years, so an old manifest must be readable, and must be written again with the same bytes.
#[test]
fn manifest_text_is_stable() {
    let text = include_str!("tiles.ron");
    let manifest = TileManifest::from_ron(text).unwrap();
    let layout = manifest.layout();
    assert_eq!(
        (layout.extension(), layout.raw_format()),
        ("raw", Some(RawFormat::R16))
    );
    let (grid, format) = (layout.grid(), layout.format());
    assert_eq!((grid.columns(), grid.rows(), format), (3, 2, Format::Raw));
    assert_eq!(manifest.to_ron(), text);
    let made = TileManifest::new(layout.clone(), &Progress::default()).unwrap();
    assert_eq!(made.prepass(), manifest.prepass());
}

#[test]
fn detects_manifests_of_other_releases() {
    assert!(manifest().is_of_this_release());
    let other = with("program: \"", "program: \"0.0.").unwrap();
    assert!(!other.is_of_this_release());
    assert_eq!(other.layout(), manifest().layout());
}

#[test]
fn rejects_other_versions_by_number() {
    let found = |found| Err(TileManifestError::Version { found });
    assert_eq!(
        with("version: 1,\n    program", "version: 0,\n    program"),
        found(0)
    );
    assert_eq!(
        with("version: 1,\n    program", "version: 3,\n    program"),
        found(3)
    );
    // The rest of another version may be unknown.
    let newer = r#"(version: 7, program: "9.0.0", layers: [(file: "a.zip")])"#;
    assert_eq!(TileManifest::from_ron(newer), found(7));
    let huge = r#"(version: 99999999999, program: "9.0.0")"#;
    assert_eq!(TileManifest::from_ron(huge), found(99_999_999_999));
    // A recipe is not a manifest of a later version.
    let error = TileManifest::from_ron(&recipe().to_ron()).unwrap_err();
    assert!(matches!(error, TileManifestError::Syntax(_)), "{error}");
}

#[test]
fn rejects_invalid_sizes() {
    let overlap = |overlap| {
        let grid = TileGridError::Overlap {
            overlap,
            side: "width",
            tile: 32,
        };
        Err(TileManifestError::Layout(grid_error(grid)))
    };
    assert_eq!(with("overlap: 1", "overlap: 32"), overlap(32));
    let most = u32::MAX;
    let text = format!("overlap: {most}");
    assert_eq!(with("overlap: 1", &text), overlap(most as usize));
    for (old, new, words) in [
        (
            "tile: (32, 32)",
            "tile: (1, 32)",
            "size 1x32 is out of range",
        ),
        ("tile: (32, 32)", "tile: (32, 16385)", "from 2 to 16384"),
        (
            "tile: (32, 32)",
            "tile: (18446744073709551615, 2)",
            "size 18446744073709551615x2",
        ),
        (
            "tile: (32, 32)",
            "tile: (99999999999999999999999, 2)",
            "whole number",
        ),
        ("tile: (32, 32)", "tile: (-3, 2)", ""),
        ("tile: (32, 32)", "tile: (NaN, 2)", ""),
        ("overlap: 1", "overlap: 4294967296", "whole number"),
        ("size: (101, 83)", "size: (65537, 83)", "65537x83"),
        ("size: (101, 83)", "size: (0, 83)", "0x83"),
        ("relief: 900.0", "relief: NaN", "relief"),
        ("relief: 900.0", "relief: 0.0", "relief"),
        ("relief: 900.0", "relief: -1.0", "relief"),
        ("spacing: 20.0", "spacing: inf", "spacing"),
    ] {
        let error = with(old, new).unwrap_err().to_string();
        assert!(error.contains(words), "{new}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
    let last = Recipe::new(size(33, 40), 1, FractalNoise::default());
    let error = TileLayout::new(last, size(32, 32), 0, "r32", R32.1);
    let grid = TileGridError::Last {
        side: "width",
        tile: 32,
        world: 33,
    };
    assert_eq!(error, Err(grid_error(grid)));
    let wide = MapSize::of_world(40_000, 40).unwrap();
    let wide = Recipe::new(wide, 1, FractalNoise::default());
    let error = TileLayout::new(wide, size(16_384, 40), 7, "r32", R32.1);
    let grid = TileGridError::TooLarge {
        side: "width",
        tile: 16_384,
        overlap: 7,
    };
    assert_eq!(error, Err(grid_error(grid)));
}

fn grid_error(error: TileGridError) -> TileLayoutError {
    TileLayoutError::Grid(error)
}

#[test]
fn rejects_mismatched_formats() {
    let extension = |extension: &str| {
        let extension = extension.to_owned();
        Err(TileManifestError::Layout(TileLayoutError::Extension {
            extension,
        }))
    };
    for other in ["gif", "", ".r32", "r32/../../secret", "r 32"] {
        let text = format!("extension: \"{other}\"");
        assert_eq!(with("extension: \"r32\"", &text), extension(other));
    }
    let raw = |extension: &str, found| {
        let extension = extension.to_owned();
        Err(TileManifestError::Layout(TileLayoutError::Raw {
            extension,
            found,
        }))
    };
    let r32 = Some(RawFormat::R32);
    assert_eq!(
        with("extension: \"r32\"", "extension: \"png\""),
        raw("png", r32)
    );
    assert_eq!(
        with("extension: \"r32\"", "extension: \"r16\""),
        raw("r16", r32)
    );
    assert_eq!(
        with("raw: Some((f32, little))", "raw: None"),
        raw("r32", None)
    );
    let bytes = Some(RawFormat {
        sample: Sample::U8,
        ..RawFormat::R32
    });
    let error = with("(f32, little)", "(u8, little)");
    assert_eq!(error, raw("r32", bytes));
    let said = error.unwrap_err().to_string();
    assert!(said.contains("the number format of .r32 tiles cannot be u8, little"));
    for other in [
        "(f64, little)",
        "(f32, middle)",
        "f32",
        "((f32, little), 3)",
    ] {
        let error = with("(f32, little)", other).unwrap_err();
        assert!(
            matches!(error, TileManifestError::Syntax(_)),
            "{other}: {error}"
        );
    }
}

#[test]
fn rejects_invalid_recipes() {
    let error = with("octaves: ", "octaves: 9").unwrap_err();
    let is_step = |error: &TileManifestError| {
        let TileManifestError::Layout(TileLayoutError::Recipe(error)) = error else {
            return false;
        };
        matches!(error, RecipeError::Step { .. })
    };
    assert!(is_step(&error), "{error}");
    // The manifest is readable, because other programs may have made the tiles, but no tiles can be generated.
    let fluid = Recipe::new(size(64, 64), 1, Generator::from_name("fluid").unwrap());
    let layout = layout(&fluid, size(32, 32), 0, R32);
    let error = TileManifest::new(layout, &Progress::default()).unwrap_err();
    assert!(matches!(error, TileError::Whole { .. }), "{error}");
}

/// Long texts are rejected before they are parsed, except for the digits of coarse maps.
#[test]
fn rejects_long_texts() {
    let text = manifest().to_ron();
    let blanks = |count| format!("{}{text}", " ".repeat(count));
    assert_eq!(TileManifest::from_ron(&blanks(1 << 20)), Ok(manifest()));
    for count in [5 << 20, TileManifest::MAX_BYTES] {
        let error = TileManifest::from_ron(&blanks(count));
        assert_eq!(error, Err(TileManifestError::TooLong), "{count}");
    }
    let many = "Invert,".repeat(1 << 20);
    let error = with("[Normalize]", &format!("[{many}]"));
    assert_eq!(error, Err(TileManifestError::TooLong));
    let digits = "0f".repeat(4 << 20);
    let coarse =
        format!("coarse: [(step: \"a\", place: None, range: (0, 1), heights: \"{digits}\")]");
    let with_map = text.replacen("normalized:", &format!("{coarse}, normalized:"), 1);
    assert!(TileManifest::from_ron(&with_map).is_ok());
    let deep = format!("{}{}", "(".repeat(100_000), ")".repeat(100_000));
    let error = TileManifest::from_ron(&deep).unwrap_err();
    assert!(matches!(error, TileManifestError::Syntax(_)), "{error}");
}

/// Changes, removes or repeats a few bytes.
#[test]
fn damaged_manifests_never_panic() {
    let text = manifest().to_ron();
    let mut rng = SeededRng::new(11, b"manifest");
    let letters = b"[](),\".-09eE:{} NS";
    let (mut read, mut refused) = (0, 0);
    for _ in 0..3000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=rng.below(4) {
            let at = rng.below(bytes.len().max(1) as u64) as usize;
            let letter = letters[rng.below(letters.len() as u64) as usize];
            match rng.below(8) {
                0 => bytes.truncate(at),
                1..=3 => bytes.insert(at, letter),
                4 | 5 if at < bytes.len() => bytes[at] = letter,
                _ if at < bytes.len() => {
                    bytes.remove(at);
                }
                _ => {}
            }
        }
        let damaged = String::from_utf8(bytes).unwrap();
        match TileManifest::from_ron(&damaged) {
            Ok(manifest) => {
                read += 1;
                assert_eq!(
                    TileManifest::from_ron(&manifest.to_ron()),
                    Ok(manifest.clone())
                );
                assert!(manifest.layout().grid().nth(0).is_some());
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    assert!(read > 100 && refused > 1000, "{read} {refused}");
}

/// Returns the first tile of a small world, and its bytes.
fn first(extension: &str, raw: Option<RawFormat>) -> (Folder, GridTile, Vec<u8>) {
    let folder = folder(layout(&recipe(), size(32, 32), 1, (extension, raw)));
    let tile = folder.layout().grid().nth(0).unwrap();
    let bytes = folder.files[&folder.layout().file_name(tile.position)].clone();
    (folder, tile, bytes)
}

#[test]
fn rejects_raw_tiles_of_wrong_length_or_nan() {
    let (folder, tile, bytes) = first("r32", R32.1);
    let expected = 33 * 33 * 4;
    for found in [0, 1, expected - 4, expected + 4] {
        let mut other = bytes.clone();
        other.resize(found as usize, 0);
        let error = folder.layout().read(tile, &other).unwrap_err();
        let length = ImportError::Length { expected, found };
        assert_eq!(error, TileFileError::Import(length));
    }
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut other = bytes.clone();
        other[4 * (33 * 2 + 5)..][..4].copy_from_slice(&number.to_le_bytes());
        let error = folder.layout().read(tile, &other).unwrap_err();
        let is_named = matches!(
            error,
            TileFileError::Import(ImportError::NotFinite {
                column: 5,
                row: 2,
                ..
            })
        );
        assert!(is_named, "{error}");
    }
}

const ENDINGS: [&str; 5] = ["png", "pgm", "tif", "exr", "asc"];

fn built_in() -> impl Iterator<Item = &'static str> {
    let is_there = |extension: &&str| Format::from_extension(extension).unwrap().is_built_in();
    ENDINGS.into_iter().filter(is_there)
}

#[test]
fn rejects_tiles_of_other_sizes() {
    for extension in built_in() {
        let (folder, tile, _) = first(extension, None);
        let layout = folder.layout();
        let last = layout.grid().tiles().last().unwrap();
        let bytes = &folder.files[&layout.file_name(last.position)];
        let (expected, found) = (tile.region.size(), last.region.size());
        assert_ne!(expected, found);
        let error = TileFileError::Size { expected, found };
        assert_eq!(layout.read(tile, bytes), Err(error), "{extension}");
    }
}

#[test]
fn damaged_tiles_never_panic() {
    let mut rng = SeededRng::new(3, b"damaged!");
    for extension in built_in() {
        let (folder, tile, bytes) = first(extension, None);
        for _ in 0..200 {
            let mut other = bytes.clone();
            for _ in 0..=rng.below(4) {
                let at = rng.below(other.len() as u64) as usize;
                match rng.below(4) {
                    0 => other.truncate(at.max(1)),
                    _ => other[at] = rng.below(256) as u8,
                }
            }
            if let Ok(heights) = folder.layout().read(tile, &other) {
                assert_eq!(heights.size(), tile.region.size());
            }
        }
        for other in [&[][..], &bytes[..bytes.len() / 2], b"no map"] {
            assert!(folder.layout().read(tile, other).is_err(), "{extension}");
        }
    }
}

/// Heights in meters that are valid, but overflow when they are converted.
#[test]
fn rejects_overflowing_heights() {
    let text = manifest().to_ron();
    let text = text.replace("relief: 900.0", "relief: 0.0000001");
    let text = text.replace("extension: \"r32\"", "extension: \"asc\"");
    let text = text.replace("raw: Some((f32, little))", "raw: None");
    let manifest = TileManifest::from_ron(&text).unwrap();
    let tile = manifest.layout().grid().nth(0).unwrap();
    let row = "3e38 ".repeat(33) + "\n";
    let header = "ncols 33\nnrows 33\nxllcorner 0\nyllcorner 0\ncellsize 20\n";
    let grid = header.to_owned() + &row.repeat(33);
    let error = manifest.layout().read(tile, grid.as_bytes()).unwrap_err();
    let is_named = matches!(
        error,
        TileFileError::Import(ImportError::NotFinite {
            column: 0,
            row: 0,
            ..
        })
    );
    assert!(is_named, "{error}");
}

/// Tiles can be meshes, but meshes cannot be read.
#[test]
fn rejects_mesh_tiles() {
    let layout = layout(&recipe(), size(32, 32), 1, ("obj", None));
    let tile = layout.grid().nth(0).unwrap();
    let error = TileFileError::Import(ImportError::NotRead(Format::Obj));
    assert_eq!(layout.read(tile, b"v 0 0 0"), Err(error));
}
