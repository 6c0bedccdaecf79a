//! The sidecar: its JSON, round trips, and rejected files.

use lanternfell_heightmap::{
    CoordinateSystem, ElevationModel, LandCover, LengthUnit, MapFrame, Scale, Scenery, SeededRng,
};
use lanternfell_io::{
    self as io, ByteOrder, ExportError, Format, ImportError, RawFormat, ReadOptions, Sample,
    Sidecar, WriteOptions,
};

use super::{
    any_heights,
    files::{self, ramp, written_model},
    known, map,
};

#[test]
fn sidecar_json_has_all_fields() {
    let map = map(3, &[0.1, 0.25, 1.0, 0.5, 0.75, 0.2]);
    let format = RawFormat {
        sample: Sample::F32,
        order: ByteOrder::Big,
    };
    let scale = Scale {
        spacing: 0.3,
        relief: 120.0,
    };
    let mut model = ElevationModel {
        heights: map.clone(),
        frame: MapFrame::of_scale(scale, true),
    };
    model.frame.scenery = Scenery {
        sea_level: Some(30.5),
        snow_line: None,
        cover: Some(LandCover::Desert),
    };
    let sidecar = Sidecar::of(&model, Some(format), model.frame.elevation);
    let mut json = Vec::new();
    sidecar.write(&mut json).unwrap();
    let expected = r#"{
  "version": 1,
  "width": 3,
  "height": 2,
  "sample": "f32",
  "byte_order": "big",
  "lowest": 12.000000178813934,
  "highest": 120.0,
  "offset": 0.0,
  "relief": 120.0,
  "unit": "m",
  "no_data": null,
  "spacing": [
    0.3,
    0.3
  ],
  "corner": [
    0.0,
    0.0
  ],
  "cell": [
    0.3,
    0.3
  ],
  "cell_unit": "m",
  "system": null,
  "sea_level": 30.5,
  "snow_line": null,
  "cover": "desert",
  "elevation_is_explicit": true,
  "place_is_explicit": true
}
"#;
    assert_eq!(String::from_utf8(json.clone()).unwrap(), expected);
    assert_eq!(Sidecar::parse(&json).unwrap(), sidecar);
    let mut raw = Vec::new();
    io::write_raw(&map, format, &mut raw).unwrap();
    assert_eq!(sidecar.read(&raw).unwrap(), model);
    assert!(matches!(
        sidecar.read(&raw[1..]),
        Err(ImportError::Length { .. })
    ));
}

#[test]
fn sidecar_round_trips_bit_exactly() {
    let mut rng = SeededRng::new(5, b"formats ");
    for _ in 0..60 {
        let map = any_heights(&mut rng);
        let scale = Scale {
            spacing: (rng.unit() * 100.0) as f32 + 1e-30,
            relief: (rng.unit() * 1e5) as f32 + 1e-30,
        };
        let mut model = ElevationModel {
            heights: map,
            frame: MapFrame::of_scale(scale, true),
        };
        model.frame.unit = [None, Some(LengthUnit::Foot)][rng.below(2) as usize];
        model.frame.no_data = [None, Some(-9999.5)][rng.below(2) as usize];
        model.frame.place.corner = [
            rng.below(1 << 30) as f64 / 1e3,
            -(rng.below(99) as f64) / 8.0,
        ];
        let systems = [
            None,
            Some(CoordinateSystem::Projected(2193)),
            Some(CoordinateSystem::Geographic(4326)),
        ];
        model.frame.place.system = systems[rng.below(3) as usize];
        if matches!(
            model.frame.place.system,
            Some(CoordinateSystem::Geographic(_))
        ) {
            model.frame.place.cell = [(1 + rng.below(999)) as f64 / 8192.0; 2];
        }
        let sidecar = Sidecar::of(&model, Some(RawFormat::R32), model.frame.elevation);
        let mut json = Vec::new();
        sidecar.write(&mut json).unwrap();
        let again = Sidecar::parse(&json).unwrap();
        assert_eq!(again.frame, sidecar.frame);
        assert_eq!((again.size, again.format), (sidecar.size, sidecar.format));
        // Numbers with 17 digits may be parsed as their neighbor.
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-15 * b.abs();
        assert!(near(again.range.0, sidecar.range.0) && near(again.range.1, sidecar.range.1));
    }
}

#[test]
fn rejects_invalid_sidecars_by_reason() {
    let good = String::from_utf8(files::sidecar()).unwrap();
    assert!(Sidecar::parse(good.as_bytes()).is_ok());
    for (from, to, words) in [
        ("\"version\": 1", "\"version\": 2", "version is 2"),
        ("\"version\": 1,", "", "missing field `version`"),
        ("\"unit\"", "\"units\"", "unknown field `units`"),
        (
            "\"sea_level\": null",
            "\"sea_level\": \"low\"",
            "invalid type",
        ),
        (
            "\"sea_level\": null",
            "\"sea_level\": 1e999",
            "invalid sidecar",
        ),
        (
            "\"snow_line\": null",
            "\"snow_line\": -3.5",
            "snow_line is -3.5",
        ),
        (
            "\"cover\": null",
            "\"cover\": \"moss\"",
            "unknown variant `moss`",
        ),
        (
            "\"place_is_explicit\": false",
            "\"place_is_explicit\": 0",
            "invalid type",
        ),
        (
            "\"width\": 7",
            "\"width\": 7, \"depth\": 1",
            "unknown field `depth`",
        ),
        (
            "\"width\": 7",
            "\"width\": 7, \"width\": 7",
            "duplicate field `width`",
        ),
        ("\"width\": 7", "\"width\": 16385", "from 2 to 16384"),
        ("\"width\": 7", "\"width\": -7", "invalid value"),
        ("\"width\": 7", "\"width\": 1e99", "invalid sidecar"),
        ("\"u16\"", "\"u24\"", "unknown variant `u24`"),
        ("\"little\"", "\"middle\"", "unknown variant `middle`"),
        ("\"highest\": 1.12", "\"highest\": -1.0", "highest is -1"),
        ("\"highest\": 1.12", "\"highest\": 1e999", "invalid sidecar"),
        ("\"relief\": 1.12", "\"relief\": 0", "relief is 0"),
        (
            "\"unit\": \"m\"",
            "\"unit\": \"ell\"",
            "unknown variant `ell`",
        ),
        (
            "\"byte_order\": \"little\"",
            "\"byte_order\": null",
            "both be null",
        ),
        ("\"cell\": [\n    1.0", "\"cell\": [\n    0", "cell is 0"),
        (
            "\"cell\": [\n    1.0",
            "\"cell\": [\n    1.0,\n    1.0",
            "invalid sidecar",
        ),
        ("\"lowest\": 0.0", "\"lowest\": null", "invalid sidecar"),
    ] {
        let bad = good.replace(from, to);
        assert_ne!(bad, good, "{from} does not occur");
        let line = Sidecar::parse(bad.as_bytes()).unwrap_err().to_string();
        assert!(line.contains(words), "{to}: {line}");
    }
    let model = ElevationModel::of_heights(ramp(3, 3));
    let mut sidecar = Sidecar::of(&model, None, model.frame.elevation);
    sidecar.frame.elevation.relief = f64::NAN;
    assert!(matches!(
        sidecar.write(Vec::new()),
        Err(ExportError::Param(_))
    ));
}

#[test]
fn ignores_sidecar_for_another_size() {
    let png = written_model(
        &ElevationModel {
            heights: ramp(4, 3),
            ..known()
        },
        Format::Png,
        &WriteOptions::default(),
    );
    let other = String::from_utf8_lossy(&png).contains("\"width\":4");
    assert!(other);
    let at = png
        .windows(9)
        .position(|part| part == b"\"width\":4")
        .unwrap();
    let mut changed = png.clone();
    changed[at + 8] = b'5';
    // The decoder does not verify the checksum of a text chunk.
    let found = io::read(&changed, Format::Png, &ReadOptions::default()).unwrap();
    assert!(!found.frame.place_is_explicit && !found.frame.elevation_is_explicit);
    changed[at + 8] = b'x';
    let line = io::read(&changed, Format::Png, &ReadOptions::default()).unwrap_err();
    assert!(line.to_string().contains("invalid sidecar"), "{line}");
}
