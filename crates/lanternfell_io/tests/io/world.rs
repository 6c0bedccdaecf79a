//! Elevation models as other programs write them: units, scales, georeferences and no-data cells. Supported files are
//! read correctly, and others are rejected with an error that names the reason. The TIFFs are built here, tag by tag,
//! like those of GDAL. `verify/gdal.py` of the command line tool tests GDAL's own files.

use lanternfell_heightmap::{
    CoordinateSystem, ElevationModel, GroundScale, Heightmap, LengthUnit, MapSize, Progress,
    SeededRng,
    analysis::{Aspect, Slope},
};
use lanternfell_io::{self as io, Fill, Format, ImportError, ReadOptions};
use tiff::{
    encoder::{
        Compression, TiffEncoder, TiffValue,
        colortype::{ColorType, Gray8, Gray16, Gray32, Gray32Float, Gray64Float, GrayI16},
    },
    tags::Tag,
};

const METADATA: Tag = Tag::Unknown(42_112);

/// The metadata of a TIFF.
#[derive(Default)]
struct Tags<'a> {
    metadata: Option<&'a str>,
    no_data: Option<&'a str>,
    /// Width and height of a pixel, and the coordinates of the northwest corner.
    place: Option<([f64; 2], [f64; 2])>,
    matrix: Option<[f64; 16]>,
    /// Number and value of each key.
    keys: &'a [[u16; 2]],
}

/// At 500000, 5200000 in squares of 10 m.
const PLACE: Option<([f64; 2], [f64; 2])> = Some(([10.0; 2], [500_000.0, 5_200_000.0]));

/// A TIFF of these numbers, three per row.
fn tiff<C: ColorType>(numbers: &[C::Inner], tags: &Tags<'_>) -> Vec<u8>
where
    [C::Inner]: TiffValue,
{
    let mut file = std::io::Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut file).unwrap();
    let rows = numbers.len() as u32 / 3;
    let mut image = encoder.new_image::<C>(3, rows).unwrap();
    let out = image.encoder();
    if let Some(([width, height], [west, north])) = tags.place {
        let scale = [width, height, 0.0];
        out.write_tag(Tag::ModelPixelScaleTag, &scale[..]).unwrap();
        let tie = [0.0, 0.0, 0.0, west, north, 0.0];
        out.write_tag(Tag::ModelTiepointTag, &tie[..]).unwrap();
    }
    if let Some(matrix) = tags.matrix {
        let tag = Tag::ModelTransformationTag;
        out.write_tag(tag, &matrix[..]).unwrap();
    }
    if !tags.keys.is_empty() {
        let mut keys = vec![1, 1, 0, tags.keys.len() as u16];
        keys.extend(
            tags.keys
                .iter()
                .flat_map(|&[key, value]| [key, 0, 1, value]),
        );
        out.write_tag(Tag::GeoKeyDirectoryTag, &keys[..]).unwrap();
    }
    if let Some(xml) = tags.metadata {
        out.write_tag(METADATA, xml).unwrap();
    }
    if let Some(number) = tags.no_data {
        out.write_tag(Tag::GdalNodata, number).unwrap();
    }
    image.write_data(numbers).unwrap();
    file.into_inner()
}

fn read(bytes: &[u8]) -> Result<ElevationModel, ImportError> {
    io::read(bytes, Format::Tiff, &ReadOptions::default())
}

fn filled(bytes: &[u8], fill: Fill) -> ElevationModel {
    let fill = Some(fill);
    let options = ReadOptions {
        fill,
        ..ReadOptions::default()
    };
    io::read(bytes, Format::Tiff, &options).unwrap()
}

/// Returns the height of each cell in meters.
fn meters(model: &ElevationModel) -> Vec<f64> {
    let heights = model.heights.heights().iter();
    heights.map(|&z| model.frame.elevation.meters(z)).collect()
}

#[track_caller]
fn assert_near(found: &[f64], expected: &[f64], error: f64) {
    assert_eq!(found.len(), expected.len());
    let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
    assert!(
        off.fold(0.0, f64::max) <= error,
        "found {found:?}, expected {expected:?}"
    );
}

fn item(role: &str, content: &str) -> String {
    format!(
        "<GDALMetadata><Item name=\"X\" sample=\"0\" role=\"{role}\">{content}</Item></GDALMetadata>"
    )
}

const NUMBERS: [f32; 6] = [-50.0, 0.0, 0.5, 100.0, 1000.0, 328.0];

#[test]
fn reads_heights_in_feet() {
    let units = [
        ("ft", 0.3048),
        ("foot", 0.3048),
        ("us-ft", 1200.0 / 3937.0),
        ("US survey foot", 1200.0 / 3937.0),
        ("m", 1.0),
        ("metre", 1.0),
        ("cm", 0.01),
    ];
    for (name, factor) in units {
        let xml = item("unittype", name);
        let tags = Tags {
            metadata: Some(&xml),
            ..Tags::default()
        };
        let found = read(&tiff::<Gray32Float>(&NUMBERS, &tags)).unwrap();
        let expected = NUMBERS.map(|z| f64::from(z) * factor);
        assert_near(&meters(&found), &expected, 1e-9);
        assert_eq!(found.frame.unit, LengthUnit::from_name(name), "{name}");
        assert!(found.frame.elevation_is_explicit, "{name}");
    }
    // By the vertical unit or system of GeoTIFF.
    for (keys, factor) in [
        ([[4099, 9002]], 0.3048),
        ([[4099, 9003]], 1200.0 / 3937.0),
        ([[4096, 6360]], 1200.0 / 3937.0),
        ([[4096, 5703]], 1.0),
    ] {
        let tags = Tags {
            place: PLACE,
            keys: &keys,
            ..Tags::default()
        };
        let found = read(&tiff::<GrayI16>(&[-50, 0, 1, 100, 1000, 328], &tags)).unwrap();
        let expected = [-50.0, 0.0, 1.0, 100.0, 1000.0, 328.0].map(|z| z * factor);
        assert_near(&meters(&found), &expected, 1e-9);
    }
    let xml = item("unittype", "degrees");
    let tags = Tags {
        metadata: Some(&xml),
        ..Tags::default()
    };
    let line = read(&tiff::<Gray32Float>(&NUMBERS, &tags)).unwrap_err();
    assert!(
        line.to_string().contains("unknown unit `degrees`"),
        "{line}"
    );
    let tags = Tags {
        place: PLACE,
        keys: &[[4099, 9101]],
        ..Tags::default()
    };
    let line = read(&tiff::<Gray32Float>(&NUMBERS, &tags)).unwrap_err();
    assert!(line.to_string().contains("EPSG:9101"), "{line}");
}

#[test]
fn applies_scale_and_offset() {
    let xml = [item("scale", "0.1"), item("offset", "-100")].concat();
    let tags = Tags {
        metadata: Some(&xml),
        ..Tags::default()
    };
    let signed = read(&tiff::<GrayI16>(&[-50, 0, 1, 100, 1000, 328], &tags)).unwrap();
    assert_near(
        &meters(&signed),
        &[-105.0, -100.0, -99.9, -90.0, 0.0, -67.2],
        1e-9,
    );
    assert_eq!(signed.heights.get(0, 0), -50.0);
    let words = read(&tiff::<Gray16>(&[0, 1, 2, 1000, 65_535, 3], &tags)).unwrap();
    assert_near(
        &meters(&words),
        &[-100.0, -99.9, -99.8, 0.0, 6453.5, -99.7],
        1e-3,
    );
    // The same in feet.
    let xml = xml.clone() + &item("unittype", "ft");
    let tags = Tags {
        metadata: Some(&xml),
        ..Tags::default()
    };
    let feet = read(&tiff::<GrayI16>(&[-50, 0, 1, 100, 1000, 328], &tags)).unwrap();
    assert_near(&meters(&feet)[..2], &[-105.0 * 0.3048, -30.48], 1e-9);
    // Depths: larger numbers mean lower terrain.
    let xml = item("scale", "-1");
    let tags = Tags {
        metadata: Some(&xml),
        ..Tags::default()
    };
    let depths = read(&tiff::<Gray32Float>(&NUMBERS, &tags)).unwrap();
    assert_near(&meters(&depths), &NUMBERS.map(|z| -f64::from(z)), 0.0);
    assert!(depths.frame.elevation.relief > 0.0);
    for (role, wrong) in [
        ("scale", "0"),
        ("scale", "nan"),
        ("offset", "inf"),
        ("scale", "1,5"),
    ] {
        let xml = item(role, wrong);
        let tags = Tags {
            metadata: Some(&xml),
            ..Tags::default()
        };
        assert!(
            read(&tiff::<Gray32Float>(&NUMBERS, &tags)).is_err(),
            "{role} {wrong}"
        );
    }
}

#[test]
fn unsigned_integers_with_coordinate_system_are_meters() {
    let words = [0, 1, 2, 1000, 4808, 3];
    let placed = Tags {
        place: PLACE,
        keys: &[[1024, 1], [1025, 1], [3072, 32_633]],
        ..Tags::default()
    };
    let map = read(&tiff::<Gray16>(&words, &placed)).unwrap();
    assert_eq!(map.heights.range(), (0.0, 4808.0));
    assert_eq!(
        map.frame.place.system,
        Some(CoordinateSystem::Projected(32_633))
    );
    let picture = read(&tiff::<Gray16>(&words, &Tags::default())).unwrap();
    assert_eq!(picture.heights.range(), (0.0, 4808.0 / 65_535.0));
    let bytes = read(&tiff::<Gray8>(&[0, 1, 2, 255, 4, 3], &placed)).unwrap();
    assert_eq!(bytes.heights.range(), (0.0, 255.0));
    let picture = read(&tiff::<Gray8>(&[0, 1, 2, 255, 4, 3], &Tags::default())).unwrap();
    assert_eq!(picture.heights.range(), (0.0, 1.0));
    let wide = read(&tiff::<Gray32>(
        &[0, 1, 2, 1000, 4808, 70_000],
        &Tags::default(),
    ))
    .unwrap();
    assert_eq!(wide.heights.range(), (0.0, 70_000.0));
    assert_eq!(meters(&wide)[5], 70_000.0);
}

#[test]
fn flips_south_up_grids_and_rejects_rotated_ones() {
    let keys = [[1024, 1], [1025, 1], [3072, 32_633]];
    let matrix = |a: f64, b: f64, c: f64, d: f64| {
        let mut matrix = [0.0; 16];
        (matrix[0], matrix[1], matrix[3]) = (a, b, 500_000.0);
        (matrix[4], matrix[5], matrix[7]) = (c, d, 5_200_000.0);
        matrix[15] = 1.0;
        Some(matrix)
    };
    let with = |matrix| {
        let tags = Tags {
            matrix,
            keys: &keys,
            ..Tags::default()
        };
        read(&tiff::<Gray32Float>(&NUMBERS, &tags))
    };
    let north_up = with(matrix(10.0, 0.0, 0.0, -5.0)).unwrap();
    assert_eq!(north_up.heights.heights(), NUMBERS);
    assert_eq!(north_up.frame.place.corner, [500_000.0, 5_199_990.0]);
    assert_eq!(north_up.frame.place.cell, [10.0, 5.0]);
    let south_up = with(matrix(10.0, 0.0, 0.0, 5.0)).unwrap();
    assert_eq!(south_up.heights.row(0), &NUMBERS[3..]);
    assert_eq!(south_up.heights.row(1), &NUMBERS[..3]);
    assert_eq!(south_up.frame.place.corner, [500_000.0, 5_200_000.0]);
    for (turned, word) in [
        (matrix(7.0, 7.0, 7.0, -7.0), "rotated"),
        (matrix(0.0, 10.0, 10.0, 0.0), "rotated"),
        (matrix(-10.0, 0.0, 0.0, -10.0), "east to west"),
    ] {
        let line = with(turned).unwrap_err().to_string();
        assert!(line.contains(word) && line.contains("gdalwarp"), "{line}");
    }
    let mut middle = north_up.clone();
    for (wrong, at) in [(f64::NAN, 0), (0.0, 0), (f64::INFINITY, 3)] {
        let mut matrix = matrix(10.0, 0.0, 0.0, -5.0).unwrap();
        matrix[at] = wrong;
        middle = with(Some(matrix)).unwrap();
        assert!(!middle.frame.place_is_explicit, "{wrong}");
    }
    assert_eq!(middle.heights, north_up.heights);
}

#[test]
fn reads_pixels_as_points() {
    let tags = Tags {
        place: PLACE,
        keys: &[[1024, 1], [1025, 2], [3072, 32_633]],
        ..Tags::default()
    };
    let found = read(&tiff::<Gray32Float>(&NUMBERS, &tags)).unwrap();
    assert_eq!(found.frame.place.corner, [499_995.0, 5_199_985.0]);
}

#[test]
fn reads_coordinates_in_feet() {
    for (unit, meters) in [(9002, 3.048), (9003, 12_000.0 / 3937.0), (9001, 10.0)] {
        let tags = Tags {
            place: PLACE,
            keys: &[[1024, 1], [1025, 1], [3072, 2263], [3076, unit]],
            ..Tags::default()
        };
        let found = read(&tiff::<Gray32Float>(&NUMBERS, &tags)).unwrap();
        let [east, south] = found.frame.place.spacing(2);
        let near = (east - meters).abs() < 1e-9 && (south - meters).abs() < 1e-9;
        assert!(near, "{unit}: {east}, {south}");
        // The unit survives a round trip.
        let mut again = Vec::new();
        let options = io::WriteOptions::default();
        io::write(
            &found,
            Format::Tiff,
            &options,
            &mut again,
            &Progress::default(),
        )
        .unwrap();
        assert_eq!(
            read(&again).unwrap().frame.place,
            found.frame.place,
            "{unit}"
        );
    }
    for keys in [
        [[1024, 1], [3076, 9001 + 30]],
        [[1024, 2], [2054, 9101]],
        [[1024, 3], [1025, 1]],
    ] {
        let tags = Tags {
            place: PLACE,
            keys: &keys,
            ..Tags::default()
        };
        let line = read(&tiff::<Gray32Float>(&NUMBERS, &tags)).unwrap_err();
        assert!(line.to_string().contains("not supported"), "{line}");
    }
}

#[test]
fn fills_declared_gaps_and_nan() {
    let holes = [1.0, f32::NAN, 3.0, 4.0, -9999.0, 6.0];
    let plain = tiff::<Gray32Float>(&holes, &Tags::default());
    assert!(matches!(
        read(&plain),
        Err(ImportError::NotFinite {
            column: 1,
            row: 0,
            ..
        })
    ));
    let found = filled(&plain, Fill::Height(0.5));
    assert_eq!(found.heights.heights(), [1.0, 0.5, 3.0, 4.0, -9999.0, 6.0]);
    let tags = Tags {
        no_data: Some("-9999"),
        ..Tags::default()
    };
    let tagged = tiff::<Gray32Float>(&holes, &tags);
    assert_eq!(read(&tagged), Err(ImportError::Gap { column: 1, row: 1 }));
    let found = filled(&tagged, Fill::Height(0.5));
    assert_eq!(found.heights.heights(), [1.0, 0.5, 3.0, 4.0, 0.5, 6.0]);
    let found = filled(&tagged, Fill::Interpolate);
    let heights = found.heights.heights();
    assert_eq!(
        [heights[0], heights[2], heights[3], heights[5]],
        [1.0, 3.0, 4.0, 6.0]
    );
    assert!((1.5..4.0).contains(&heights[1]) && (3.0..5.5).contains(&heights[4]));
    // An infinite height is a gap too, and an error if it is not filled.
    let endless = tiff::<Gray64Float>(&[1.0, 2.0, f64::NEG_INFINITY, 3.0, 4.0, 5.0], &tags);
    assert!(matches!(
        read(&endless),
        Err(ImportError::NotFinite {
            column: 2,
            row: 0,
            height: f32::NEG_INFINITY
        })
    ));
    let found = filled(&endless, Fill::Height(9.0));
    assert_eq!(found.heights.heights(), [1.0, 2.0, 9.0, 3.0, 4.0, 5.0]);
}

/// Strips of every length, so that end codes occur at any position in the last bytes.
#[test]
fn reads_all_lengths_of_lzw_strips() {
    let mut rng = SeededRng::new(9, b"lzw     ");
    for rows in 2..120 {
        let numbers: Vec<f32> = (0..3 * rows)
            .map(|_| rng.below(1 << 20) as f32 / 64.0)
            .collect();
        let mut file = std::io::Cursor::new(Vec::new());
        let mut encoder = TiffEncoder::new(&mut file)
            .unwrap()
            .with_compression(Compression::Lzw);
        let mut image = encoder.new_image::<Gray32Float>(3, rows as u32).unwrap();
        image.rows_per_strip(1 + rows as u32 / 2).unwrap();
        image.write_data(&numbers).unwrap();
        let found = read(&file.into_inner()).unwrap();
        assert_eq!(found.heights.heights(), numbers, "{rows} rows");
    }
}

/// Terrain with the same slope in meters per meter everywhere, on a grid in degrees. The slope must be the same in each
/// row, although the cells get narrower to the north.
#[test]
fn slopes_in_degrees_use_latitude_of_each_row() {
    let (columns, rows, cell) = (24_usize, 400_usize, 1.0 / 40.0);
    let tags = Tags {
        place: Some(([cell; 2], [8.0, 60.0])),
        keys: &[[1024, 2], [1025, 1], [2048, 4326]],
        ..Tags::default()
    };
    let place = read(&tiff::<Gray32Float>(&NUMBERS, &tags)).unwrap();
    let mut frame = place.frame;
    frame.place.corner[1] = 60.0 - cell * rows as f64;
    let size = MapSize::new(columns as u64, rows as u64).unwrap();
    // Meters east of the center of the map, by the parallel of the row.
    let height = |index: usize| {
        let (x, y) = (index % columns, index / columns);
        let latitude = (60.0 - cell * (y as f64 + 0.5)).to_radians();
        let sine = latitude.sin();
        let around = 6_378_137.0 * latitude.cos() / (1.0 - 0.006_694_38 * sine * sine).sqrt();
        let east = (x as f64 - 11.5) * cell.to_radians() * around;
        (0.3 * east) as f32
    };
    let heights = Heightmap::from_heights(size, (0..columns * rows).map(height).collect());
    let model = ElevationModel {
        heights: heights.unwrap(),
        frame,
    };
    let slope = Slope::default().of(&model.heights, model.ground_scale(), &Progress::default());
    let slope = slope.unwrap();
    let expected = 0.3_f64.atan().to_degrees();
    let aspect = Aspect
        .on(&model.heights, model.ground_scale(), &Progress::default())
        .unwrap();
    for y in [0, 130, 399] {
        let (steep, facing) = (slope.get(12, y), aspect.get(12, y));
        assert!(
            (f64::from(steep) - expected).abs() < 0.01,
            "row {y}: {steep}, expected {expected}"
        );
        assert!((f64::from(facing) - 270.0).abs() < 0.5, "row {y}: {facing}");
    }
    // With the same cell width in all rows, the result would be wrong by degrees.
    let same = Slope::default()
        .of(&model.heights, model.scale(), &Progress::default())
        .unwrap();
    assert!((f64::from(same.get(12, 0)) - expected).abs() > 1.0);
}

#[test]
fn slopes_of_non_square_cells() {
    let size = MapSize::new(3, 3).unwrap();
    let heights: Vec<f32> = (0..9)
        .map(|cell| (cell % 3 * 10 + cell / 3 * 10) as f32)
        .collect();
    let heights = Heightmap::from_heights(size, heights).unwrap();
    let tags = Tags {
        place: Some(([10.0, 20.0], [0.0, 0.0])),
        ..Tags::default()
    };
    let frame = read(&tiff::<Gray32Float>(&NUMBERS, &tags)).unwrap().frame;
    let scale: GroundScale = frame.ground_scale(size);
    // It rises by 1 per meter to the east and by 1/2 to the south.
    let slope = Slope::default()
        .of(&heights, scale, &Progress::default())
        .unwrap();
    let expected = 1.25_f64.sqrt().atan().to_degrees() as f32;
    assert!(
        slope.heights().iter().all(|z| (z - expected).abs() < 1e-4),
        "{slope:?}"
    );
    let aspect = Aspect.on(&heights, scale, &Progress::default()).unwrap();
    let expected = 360.0 - 2.0_f64.atan().to_degrees() as f32;
    assert!(
        aspect.heights().iter().all(|z| (z - expected).abs() < 1e-3),
        "{aspect:?}"
    );
}
