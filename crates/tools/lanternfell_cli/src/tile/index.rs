//! `tiles.json`: describes the tiles of a heightmap file.
//!
//! ```text
//! {
//!   "program": "lanternfell 0.1.0",
//!   "size": [3601, 3601],          of the whole map
//!   "checksum": "5f0c...",         of its heights
//!   "corner": [500000.0, 4649000.0], "cell": [30.0, 30.0], "epsg": 32633,
//!   "meters_at_0": 0.0, "meters_per_1": 1.0,
//!   "tile": [1024, 1024], "overlap": 1, "extension": "r16", "number": "u16 little",
//!   "range": [0.0, 2500.0],        the heights in meters of 0 and the largest integer
//!   "texture": null
//! }
//! ```
//!
//! Like [`tiles.ron`](crate::manifest), it is written before the first tile, and never replaced. All tiles of a folder
//! therefore belong to one map and one format.

use std::{io::Write, path::Path};

use lanternfell_files::AtomicFile;
use lanternfell_heightmap::CoordinateSystem;
use lanternfell_io::tiles::TileManifest;
use serde_json::{Value, json};

use super::{map_file::MapFile, plan::Plan};
use crate::{failure::Failure, manifest, read::Input};

/// The file name.
pub(super) const FILE_NAME: &str = "tiles.json";

/// The maximum length in bytes of a file that is compared.
const LONGEST: u64 = 1 << 16;

/// Writes the description of the tiles, or compares it with the existing one.
pub(super) fn open(folder: &Path, expected: &Value) -> Result<(), Failure> {
    let path = folder.join(FILE_NAME);
    if path.exists() {
        return compare(&path, expected);
    }
    let has_recipe = folder.join(TileManifest::FILE_NAME).exists();
    // Check again: another process may have written the description and the first tile in between.
    if has_recipe || manifest::holds_tiles(folder)? && !path.exists() {
        return Err(Failure::Usage(format!(
            "{}: the folder contains tiles but no {FILE_NAME}, so they are of another map; choose another folder",
            folder.display()
        )));
    }
    let text = format!("{expected:#}\n");
    let written = AtomicFile::prepare(&path).and_then(|draft| {
        draft.file().write_all(text.as_bytes())?;
        draft.finish_new()
    });
    let is_new = written.map_err(|error| Failure::Write {
        path: path.clone(),
        error,
    })?;
    // If not, another process was faster.
    if is_new {
        Ok(())
    } else {
        compare(&path, expected)
    }
}

/// Returns the description of the tiles.
pub(super) fn of(
    file: &MapFile,
    plan: &Plan,
    range: Option<[f64; 2]>,
    texture: Option<&str>,
) -> Value {
    let (size, tile) = (plan.size(), plan.grid.tile_size());
    let (place, elevation) = (plan.frame.place, plan.frame.elevation);
    let number = plan
        .raw
        .map(|raw| format!("{:?} {:?}", raw.sample, raw.order).to_ascii_lowercase());
    json!({
        "program": concat!("lanternfell ", env!("CARGO_PKG_VERSION")),
        "size": [size.width(), size.height()],
        "checksum": format!("{:016x}", file.checksum),
        "corner": place.corner,
        "cell": place.cell,
        "epsg": place.system.and_then(CoordinateSystem::epsg),
        "meters_at_0": elevation.offset,
        "meters_per_1": elevation.relief,
        "tile": [tile.width(), tile.height()],
        "overlap": plan.grid.overlap(),
        "extension": plan.extension,
        "number": number,
        "range": range,
        "texture": texture,
    })
}

/// The fields, and what they are for a user.
const FIELDS: [(&str, &str); 14] = [
    ("program", "version of this program"),
    ("size", "size"),
    ("checksum", "map or --edits"),
    ("corner", "georeference"),
    ("cell", "georeference or --spacing"),
    ("epsg", "georeference"),
    ("meters_at_0", "unit"),
    ("meters_per_1", "unit or --relief"),
    ("tile", "--tile"),
    ("overlap", "--overlap"),
    ("extension", "--format"),
    ("number", "--to-raw-format or --to-big-endian"),
    ("range", "--range"),
    ("texture", "--texture"),
];

/// Returns an error if the existing description differs.
fn compare(path: &Path, expected: &Value) -> Result<(), Failure> {
    let foreign = || {
        Failure::Usage(format!(
            "{}: not a file of `lanternfell tile`; choose another folder",
            path.display()
        ))
    };
    let mut file = Input::open(path)?;
    if file.length > LONGEST {
        return Err(foreign());
    }
    let found: Value = serde_json::from_slice(&file.read()?).map_err(|_| foreign())?;
    // The parser may change the last digit of a number, so both must be parsed.
    let expected: Value = serde_json::from_str(&expected.to_string()).map_err(|_| foreign())?;
    if found.get("program").is_none() {
        return Err(foreign());
    }
    let differs = |(field, _): &&(&str, &str)| found.get(field) != expected.get(field);
    match FIELDS.iter().find(differs) {
        None => Ok(()),
        Some((_, what)) => Err(Failure::Usage(format!(
            "{}: the existing tiles have a different {what}; choose another folder",
            path.display()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_what_differs() {
        let folder = tempfile::tempdir().unwrap();
        let one = json!({"program": "lanternfell 1", "size": [3, 4], "range": [0.1, 2500.3]});
        open(folder.path(), &one).unwrap();
        open(folder.path(), &one).unwrap();
        for (field, value, what) in [
            ("program", json!("lanternfell 2"), "different version"),
            ("range", json!([0.1, 2500.0]), "different --range"),
            ("range", Value::Null, "different --range"),
            ("size", json!([4, 3]), "different size"),
            ("texture", json!("atlas"), "different --texture"),
        ] {
            let mut other = one.clone();
            other[field] = value;
            let error = open(folder.path(), &other).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
        for text in ["", "[]", "{\"size\": 3}", "\u{0}", &"[".repeat(100_000)] {
            std::fs::write(folder.path().join(FILE_NAME), text).unwrap();
            let error = open(folder.path(), &one).unwrap_err().to_string();
            assert!(
                error.contains("not a file of `lanternfell tile`"),
                "{error}"
            );
        }
    }
}
