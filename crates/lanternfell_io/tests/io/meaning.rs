//! What numbers mean: meters, or 0 to 1 of a relief. And which cells have no height.
//!
//! Source of the cases: reports of users with elevation models whose heights are within 0 to 1 m, whose no-data values
//! have few digits or are not declared, and whose georeference is in a world file. `verify/gdal.py` of the command line
//! tool compares them with GDAL.

use lanternfell_heightmap::{Elevation, ElevationModel, MapSize, Progress};
use lanternfell_io::{
    self as io, AuxiliaryFile, ElevationSource, Fill, Format, ImportError, ImportedMap, PngDepth,
    RawFormat, ReadHeights, ReadOptions, Sample, WriteOptions, WrittenHeights,
};

use super::{
    pages::{File, Page, Values},
    unpacked::unpacked,
};

/// Heights of a flat coast in meters.
const COAST: [f32; 6] = [0.1, 0.2, 0.3, 0.5, 0.7, 0.9];

/// A TIFF of 3 x 2 cells.
fn tiff(bits: u16, sample_format: u16, bytes: Vec<u8>, tags: &[(u16, Values)]) -> Vec<u8> {
    let mut page = Page::new(0, [3, 2], bits)
        .rows(2, vec![bytes])
        .set(339, Values::Shorts(vec![sample_format]));
    for (tag, values) in tags {
        page = page.set(*tag, values.clone());
    }
    File::of(vec![page], false, false)
}

fn floats(numbers: [f32; 6], tags: &[(u16, Values)]) -> Vec<u8> {
    let bytes = numbers.iter().flat_map(|z| z.to_le_bytes()).collect();
    tiff(32, 3, bytes, tags)
}

const WORDS: [u16; 6] = [0, 1, 100, 1_234, 40_000, 65_535];

fn words(tags: &[(u16, Values)]) -> Vec<u8> {
    let bytes = WORDS.iter().flat_map(|z| z.to_le_bytes()).collect();
    tiff(16, 1, bytes, tags)
}

/// The tags of a georeference without a coordinate system.
fn place() -> Vec<(u16, Values)> {
    let tie = vec![0.0, 0.0, 0.0, 500_000.0, 5_200_000.0, 0.0];
    vec![
        (33_550, Values::Doubles(vec![10.0, 10.0, 0.0])),
        (33_922, Values::Doubles(tie)),
    ]
}

/// The tags of a georeference in UTM zone 33N.
fn system() -> Vec<(u16, Values)> {
    let keys = vec![1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32_633];
    let mut tags = place();
    tags.push((34_735, Values::Shorts(keys)));
    tags
}

fn no_data(text: &'static str) -> (u16, Values) {
    (42_113, Values::Text(text))
}

fn import(file: &[u8], format: Format, options: &ReadOptions) -> ImportedMap {
    io::import(file, format, options).unwrap()
}

/// Reads a file, also with `unpack`, which must give the same. Returns the map.
#[track_caller]
fn both_ways(file: &[u8], format: Format, options: &ReadOptions) -> ImportedMap {
    let map = import(file, format, options);
    let (unpacked, heights) = unpacked(file, format, options);
    assert_eq!(unpacked.size, map.model.size());
    // Compared as text, because NaN is not equal to itself.
    assert_eq!(
        format!("{:?}", unpacked.frame),
        format!("{:?}", map.model.frame)
    );
    assert_eq!(unpacked.meaning, map.meaning);
    assert_eq!(heights, map.model.heights.heights());
    map
}

fn with(heights: ReadHeights) -> ReadOptions {
    ReadOptions {
        heights: Some(heights),
        ..ReadOptions::default()
    }
}

#[test]
fn low_elevations_are_meters_with_any_sign_of_a_survey() {
    let grid =
        "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n0.1 0.2 0.3\n0.5 0.7 0.9\n";
    let points = "0 1 0.1\n1 1 0.2\n2 1 0.3\n0 0 0.5\n1 0 0.7\n2 0 0.9\n";
    let signed = [0_i16, 1, 0, 1, 0, 1].iter().flat_map(|z| z.to_le_bytes());
    use ElevationSource::{CoordinateSystem, Format as OfFormat, Georeference, NoData, NumberType};
    for (file, format, source) in [
        (floats(COAST, &system()), Format::Tiff, CoordinateSystem),
        (floats(COAST, &place()), Format::Tiff, Georeference),
        (floats(COAST, &[no_data("-9999")]), Format::Tiff, NoData),
        (floats(COAST, &[no_data("nan")]), Format::Tiff, NoData),
        (tiff(16, 2, signed.collect(), &[]), Format::Tiff, NumberType),
        (grid.as_bytes().to_vec(), Format::Ascii, OfFormat),
        (points.as_bytes().to_vec(), Format::Xyz, OfFormat),
    ] {
        let map = both_ways(&file, format, &ReadOptions::default());
        assert_eq!(map.model.frame.elevation, Elevation::METERS, "{source:?}");
        assert!(map.model.frame.elevation_is_explicit, "{source:?}");
        assert_eq!(map.meaning.source, source);
        if source != NumberType {
            assert_eq!(map.model.heights.heights(), COAST, "{source:?}");
        }
        // As a fraction of the relief only on request.
        let map = both_ways(&file, format, &with(ReadHeights::Unit));
        assert!(map.model.frame.elevation.relief < 10.0 && !map.model.frame.elevation_is_explicit);
        assert_eq!(map.meaning.source, ElevationSource::Option);
    }
    // A scale still applies, and a number outside 0 to 1 needs no more evidence.
    let item = "<GDALMetadata><Item sample=\"0\" role=\"scale\">2</Item></GDALMetadata>";
    let mut tags = system();
    tags.push((42_112, Values::Text(item)));
    let map = both_ways(&floats(COAST, &tags), Format::Tiff, &ReadOptions::default());
    assert_eq!(map.meaning.source, ElevationSource::Scale);
    assert_eq!(map.model.frame.elevation, Elevation::of_relief(2.0));
    let high = [0.1, 0.2, 0.3, 0.5, 0.7, 1.1];
    let map = both_ways(&floats(high, &[]), Format::Tiff, &ReadOptions::default());
    assert_eq!(map.meaning.source, ElevationSource::Range);
    assert_eq!(map.model.frame.elevation, Elevation::METERS);
}

#[test]
fn numbers_without_metadata_are_fractions() {
    let map = both_ways(&floats(COAST, &[]), Format::Tiff, &ReadOptions::default());
    assert_eq!(map.meaning.source, ElevationSource::Default);
    assert_eq!(map.meaning.one, 1.0);
    assert!(!map.model.frame.elevation_is_explicit);
    let reason = "no unit, no georeference, all values within 0 to 1";
    assert_eq!(map.meaning.to_string(), reason);
    // Unless the user knows better.
    let map = both_ways(
        &floats(COAST, &[]),
        Format::Tiff,
        &with(ReadHeights::Meters),
    );
    assert_eq!(map.model.frame.elevation, Elevation::METERS);
    assert_eq!(map.model.heights.heights(), COAST);
    // Heights outside 0 to 1 cannot be fractions.
    let high = [0.1, 0.2, 0.3, 0.5, 0.7, 1301.0];
    let error = io::read(&floats(high, &[]), Format::Tiff, &with(ReadHeights::Unit));
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("1301") && error.contains("from 0 to 1"),
        "{error}"
    );
}

#[test]
fn integers_are_meters_with_a_georeference_or_no_data_value() {
    let numbers = WORDS.map(f32::from);
    for tags in [system(), place(), vec![no_data("7")]] {
        let map = both_ways(&words(&tags), Format::Tiff, &ReadOptions::default());
        assert_eq!(map.model.heights.heights(), numbers);
        assert_eq!(map.model.frame.elevation, Elevation::METERS);
        assert_eq!(map.meaning.one, 1.0);
    }
    let fractions = numbers.map(|number| number / 65_535.0);
    let map = both_ways(&words(&[]), Format::Tiff, &ReadOptions::default());
    assert_eq!(map.model.heights.heights(), fractions);
    assert_eq!(map.meaning.one, 65_535.0);
    let map = both_ways(&words(&system()), Format::Tiff, &with(ReadHeights::Unit));
    assert_eq!(map.model.heights.heights(), fractions);
    let map = both_ways(&words(&[]), Format::Tiff, &with(ReadHeights::Meters));
    assert_eq!(map.model.heights.heights(), numbers);
}

/// A map of integers in PNG, PGM, RAW and TIFF, without metadata.
fn plain_integers() -> Vec<(Format, Vec<u8>, f32)> {
    let heights = WORDS.map(|word| f32::from(word) / 65_535.0).to_vec();
    let size = MapSize::new(3, 2).unwrap();
    let map = lanternfell_heightmap::Heightmap::from_heights(size, heights).unwrap();
    let mut png = Vec::new();
    io::write_png(&map, PngDepth::Sixteen, &mut png).unwrap();
    let mut pgm = Vec::new();
    io::write_pgm(&map, PngDepth::Sixteen, &mut pgm, &Progress::default()).unwrap();
    let mut raw = Vec::new();
    io::write_raw(&map, RawFormat::R16, &mut raw).unwrap();
    vec![
        (Format::Png, png, 65_535.0),
        (Format::Pgm, pgm, 65_535.0),
        (Format::Raw, raw, 65_535.0),
        (Format::Tiff, words(&[]), 65_535.0),
    ]
}

fn sized() -> ReadOptions {
    ReadOptions {
        size: MapSize::new(3, 2).ok(),
        ..ReadOptions::default()
    }
}

/// GDAL takes the numbers of any raster as they are, so a user who adds a world file to one expects meters.
#[test]
fn world_file_makes_integers_meters() {
    let numbers = WORDS.map(f32::from);
    for (format, file, one) in plain_integers() {
        let mut map = import(&file, format, &sized());
        assert_eq!(map.meaning.one, one, "{format}");
        let world = b"10\n0\n0\n-10\n500005\n5199995\n";
        AuxiliaryFile::WorldFile.apply(&mut map, world).unwrap();
        assert_eq!(map.model.heights.heights(), numbers, "{format}");
        assert_eq!(map.model.frame.elevation, Elevation::METERS, "{format}");
        assert_eq!(
            map.meaning.source,
            ElevationSource::Georeference,
            "{format}"
        );
        let utm = io::gdal_projection(lanternfell_heightmap::CoordinateSystem::Projected(32_633));
        let utm = utm.unwrap().into_bytes();
        AuxiliaryFile::Projection.apply(&mut map, &utm).unwrap();
        assert_eq!(map.model.heights.heights(), numbers, "{format}");
        // Not if the user knows better.
        let options = ReadOptions {
            heights: Some(ReadHeights::Unit),
            ..sized()
        };
        let mut map = import(&file, format, &options);
        AuxiliaryFile::WorldFile.apply(&mut map, world).unwrap();
        assert_eq!(map.model.heights.range(), (0.0, 1.0), "{format}");
    }
    let mut map = import(&floats(COAST, &[]), Format::Tiff, &ReadOptions::default());
    AuxiliaryFile::WorldFile
        .apply(&mut map, b"10\n0\n0\n-10\n5\n5\n")
        .unwrap();
    assert_eq!(map.model.heights.heights(), COAST);
    assert_eq!(map.model.frame.elevation, Elevation::METERS);
}

/// The library's own files keep their heights, their elevation and their georeference, also next to a world file.
#[test]
fn own_files_round_trip_exactly() {
    let original = import(&words(&system()), Format::Tiff, &ReadOptions::default()).model;
    let low = import(
        &floats(COAST, &system()),
        Format::Tiff,
        &ReadOptions::default(),
    )
    .model;
    let mut fractions = import(&words(&[]), Format::Tiff, &ReadOptions::default()).model;
    fractions.frame.place = original.frame.place;
    for explicit in [(true, true), (false, true), (true, false)] {
        (
            fractions.frame.elevation_is_explicit,
            fractions.frame.place_is_explicit,
        ) = explicit;
        for map in [&original, &low, &fractions] {
            round_trips(map, explicit);
        }
    }
}

#[track_caller]
fn round_trips(map: &ElevationModel, explicit: (bool, bool)) {
    for (format, depth, tiff, heights) in [
        (Format::Png, PngDepth::Sixteen, Sample::F32, None),
        (Format::Png, PngDepth::Eight, Sample::F32, None),
        (Format::Tiff, PngDepth::Sixteen, Sample::U16, None),
        (Format::Tiff, PngDepth::Sixteen, Sample::U8, None),
        (Format::Tiff, PngDepth::Sixteen, Sample::F32, None),
        (
            Format::Tiff,
            PngDepth::Sixteen,
            Sample::F32,
            Some(WrittenHeights::Unit),
        ),
        (Format::Exr, PngDepth::Sixteen, Sample::F32, None),
        (
            Format::Exr,
            PngDepth::Sixteen,
            Sample::F32,
            Some(WrittenHeights::Unchanged),
        ),
    ] {
        let what = format!("{format} {depth:?} {tiff:?} {heights:?} {explicit:?}");
        let options = WriteOptions {
            depth,
            tiff,
            heights,
            stretch: true,
            ..WriteOptions::default()
        };
        let mut file = Vec::new();
        io::write(map, format, &options, &mut file, &Progress::default()).unwrap();
        let mut found = import(&file, format, &ReadOptions::default());
        let once = found.clone();
        // The georeference is already known, or the sidecar defines the elevation.
        if found.model.frame.place_is_explicit || found.model.frame.elevation_is_explicit {
            let world = b"30\n0\n0\n-30\n15\n15\n";
            AuxiliaryFile::WorldFile.apply(&mut found, world).unwrap();
        }
        assert_eq!(found.model.heights, once.model.heights, "{what}");
        let step = match (tiff, depth, format) {
            (_, PngDepth::Eight, Format::Png) | (Sample::U8, _, Format::Tiff) => 1.0 / 255.0,
            _ => 1.0 / 65_535.0,
        };
        let span = map.range().1 - map.range().0;
        let cells = found
            .model
            .heights
            .heights()
            .iter()
            .zip(map.heights.heights());
        for (&a, &b) in cells {
            let a = once.model.frame.elevation.meters(a);
            let b = map.frame.elevation.meters(b);
            assert!((a - b).abs() <= span * step, "{what}: {a}, {b}");
        }
        // Written again, it is the same map, bit for bit.
        let mut again = Vec::new();
        io::write(
            &once.model,
            format,
            &options,
            &mut again,
            &Progress::default(),
        )
        .unwrap();
        assert_eq!(
            import(&again, format, &ReadOptions::default()),
            once,
            "{what}"
        );
    }
}

fn filled(height: f32) -> ReadOptions {
    ReadOptions {
        fill: Some(Fill::Height(height)),
        ..ReadOptions::default()
    }
}

/// Reported files declare the lowest `f32` with six or seven digits.
#[test]
fn no_data_values_may_have_few_digits() {
    let numbers = [1.0, f32::MIN, 3.0, 4.0, 5.0, 600.0];
    for text in [
        "-3.40282e+38",
        "-3.402823e+38",
        "-3.4028235e+38",
        "-3.4028234663852886e+38",
        " -3.4e38 ",
    ] {
        let file = floats(numbers, &[no_data(text)]);
        let gap = ImportError::Gap { column: 1, row: 0 };
        assert_eq!(
            io::read(&file, Format::Tiff, &ReadOptions::default()),
            Err(gap.clone())
        );
        let map = both_ways(&file, Format::Tiff, &filled(7.0));
        assert_eq!(
            map.model.heights.heights(),
            [1.0, 7.0, 3.0, 4.0, 5.0, 600.0]
        );
        let grid = format!(
            "ncols 3\nnrows 2\ncellsize 1\nNODATA_value {text}\n1 {} 3\n4 5 600\n",
            f32::MIN
        );
        let read = io::read(grid.as_bytes(), Format::Ascii, &ReadOptions::default());
        assert_eq!(read, Err(gap), "{text}");
        let map = both_ways(grid.as_bytes(), Format::Ascii, &filled(7.0));
        assert_eq!(map.model.heights.get(1, 0), 7.0, "{text}");
    }
}

/// D12's grids (GDAL's issue 5095), and grids that were written in a locale with a decimal comma.
#[test]
fn grids_may_have_null_and_decimal_commas() {
    let head = "ncols 3\nnrows 2\nxllcorner 0,5\nyllcorner 0\ncellsize 2,5\n";
    for (no_data, gap) in [
        ("NODATA null\n", "null"),
        ("NODATA_value null\n", "null"),
        ("NODATA_value -9999,5\n", "-9999,5"),
        ("nodata_value -9999\n", "null"),
        ("", "null"),
        ("", "nan"),
        ("", "-inf"),
    ] {
        for cells in [
            format!("1,5 {gap} 3\n4 5 6,25\n"),
            format!("{gap} 2 3\n4 5 6,25\n"),
        ] {
            let grid = format!("{head}{no_data}{cells}");
            let read = io::read(grid.as_bytes(), Format::Ascii, &ReadOptions::default());
            assert!(
                matches!(
                    read,
                    Err(ImportError::Gap { row: 0, .. } | ImportError::NotFinite { row: 0, .. })
                ),
                "{grid}: {read:?}"
            );
            let map = both_ways(grid.as_bytes(), Format::Ascii, &filled(7.0)).model;
            assert!(map.heights.row(0).contains(&7.0), "{grid}");
            assert_eq!(map.heights.row(1), [4.0, 5.0, 6.25], "{grid}");
            assert_eq!(map.frame.place.cell, [2.5; 2]);
            assert_eq!(map.frame.place.corner, [0.5, 0.0]);
        }
    }
    for wrong in ["1,2,3", "1.234,5", "1,234.5", ",", "nul", "Null5"] {
        let grid = format!("{head}1 2 3\n4 {wrong} 6\n");
        let error = io::read(grid.as_bytes(), Format::Ascii, &ReadOptions::default());
        let error = error.unwrap_err().to_string();
        assert!(error.contains("column 1, row 1 is not a number"), "{error}");
    }
}

/// A sea of -infinity, and undeclared -9999 and -32768.
#[test]
fn undeclared_no_data_values_are_filled() {
    let numbers = [1.0, -9999.0, f32::NEG_INFINITY, -32_768.0, f32::NAN, 600.0];
    let file = floats(numbers, &[]);
    let options = ReadOptions {
        no_data: vec![-9999.0, -32_768.0],
        ..filled(7.0)
    };
    let map = both_ways(&file, Format::Tiff, &options);
    assert_eq!(
        map.model.heights.heights(),
        [1.0, 7.0, 7.0, 7.0, 7.0, 600.0]
    );
    assert_eq!(map.model.frame.no_data, Some(-9999.0));
    // They add to the declared value.
    let declared = floats(numbers, &[no_data("-32768")]);
    let options = ReadOptions {
        no_data: vec![-9999.0],
        ..filled(7.0)
    };
    let map = both_ways(&declared, Format::Tiff, &options);
    assert_eq!(
        map.model.heights.heights(),
        [1.0, 7.0, 7.0, 7.0, 7.0, 600.0]
    );
    assert_eq!(map.model.frame.no_data, Some(-32_768.0));
    // Without a fill, they are errors like declared ones.
    let options = ReadOptions {
        no_data: vec![f64::NEG_INFINITY],
        ..ReadOptions::default()
    };
    let gap = ImportError::Gap { column: 2, row: 0 };
    assert_eq!(io::read(&file, Format::Tiff, &options), Err(gap));
    let options = ReadOptions {
        fill: Some(Fill::Interpolate),
        no_data: vec![-9999.0, -32_768.0],
        ..ReadOptions::default()
    };
    let map = io::read(&file, Format::Tiff, &options).unwrap();
    let (low, high) = map.heights.range();
    assert_eq!((low, high), (1.0, 600.0));
    // A coast within 0 to 1 m stays in meters, although the -9999 is filled.
    let mut coast = COAST;
    coast[2] = -9999.0;
    let options = ReadOptions {
        no_data: vec![-9999.0],
        ..filled(0.0)
    };
    let map = both_ways(&floats(coast, &[]), Format::Tiff, &options);
    assert_eq!(map.model.frame.elevation, Elevation::METERS);
}

/// In integers, no-data values are numbers of the file, not heights.
#[test]
fn no_data_values_of_integers_are_numbers_of_the_file() {
    for (format, file, one) in plain_integers() {
        let options = ReadOptions {
            no_data: vec![65_535.0, 1.0],
            fill: Some(Fill::Height(0.25)),
            ..sized()
        };
        let map = import(&file, format, &options).model;
        let mut expected = WORDS.map(|word| f32::from(word) / one);
        (expected[1], expected[5]) = (0.25, 0.25);
        assert_eq!(map.heights.heights(), expected, "{format}");
        let options = ReadOptions {
            fill: None,
            ..options
        };
        let error = io::read(&file, format, &options).unwrap_err();
        assert_eq!(error, ImportError::Gap { column: 1, row: 0 }, "{format}");
    }
}
