//! Meshes of cells that are not square.

use glam::Vec3;
use lanternfell_heightmap::{
    ElevationModel, GeoReference, Heightmap, MapFrame, MapSize, Progress, Scale,
};
use lanternfell_io::{self as io, ExportError, Format, WriteOptions};

/// A plane of 5 x 4 cells of 30 m by 20 m, which rises 3 m from column to column and falls 1 m from row to row.
fn plane() -> ElevationModel {
    let size = MapSize::new(5, 4).unwrap();
    let heights = (0..20)
        .map(|cell| 3.0 * (cell % 5) as f32 - (cell / 5) as f32)
        .collect();
    let frame = MapFrame {
        place: GeoReference {
            cell: [30.0, 20.0],
            ..GeoReference::at_origin(1.0)
        },
        ..MapFrame::of_scale(
            Scale {
                spacing: 1.0,
                relief: 1.0,
            },
            true,
        )
    };
    let heights = Heightmap::from_heights(size, heights).unwrap();
    ElevationModel { heights, frame }
}

fn written(format: Format) -> Result<Vec<u8>, ExportError> {
    let mut bytes = Vec::new();
    io::write(
        &plane(),
        format,
        &WriteOptions::default(),
        &mut bytes,
        &Progress::default(),
    )?;
    Ok(bytes)
}

fn expected() -> (Vec<Vec3>, Vec3) {
    let vertex = |cell: usize| {
        let (x, y) = ((cell % 5) as f32, (cell / 5) as f32);
        Vec3::new(30.0 * (x - 2.0), 3.0 * x - y, 20.0 * (y - 1.5))
    };
    let normal = Vec3::new(-3.0 / 30.0, 1.0, 1.0 / 20.0).normalize();
    ((0..20).map(vertex).collect(), normal)
}

/// Reported: a mesh of a map in degrees was an error.
#[test]
fn obj_has_the_spacing_of_both_axes() {
    let text = String::from_utf8(written(Format::Obj).unwrap()).unwrap();
    let vectors = |kind: &str| -> Vec<Vec3> {
        let lines = text.lines().filter_map(|line| line.strip_prefix(kind));
        let numbers = lines.map(|line| {
            let numbers: Vec<f32> = line.split(' ').map(|word| word.parse().unwrap()).collect();
            Vec3::from_slice(&numbers)
        });
        numbers.collect()
    };
    let (vertices, normal) = expected();
    assert_eq!(vectors("v "), vertices);
    let normals = vectors("vn ");
    assert_eq!(normals.len(), 20);
    assert!(
        normals.iter().all(|found| found.distance(normal) < 1e-4),
        "{normals:?}"
    );
}

#[test]
fn glb_has_the_spacing_of_both_axes() {
    let bytes = written(Format::Glb).unwrap();
    let json = u32::from_le_bytes(*bytes[12..].first_chunk().unwrap()) as usize;
    let floats = |start: usize| -> Vec<Vec3> {
        let (numbers, _) = bytes[20 + json + 8 + start..].as_chunks::<4>();
        let numbers: Vec<f32> = numbers.iter().map(|&n| f32::from_le_bytes(n)).collect();
        numbers.as_chunks::<3>().0[..20]
            .iter()
            .map(|&v| v.into())
            .collect()
    };
    let (vertices, normal) = expected();
    assert_eq!(floats(0), vertices);
    assert!(
        floats(20 * 12)
            .iter()
            .all(|found| found.distance(normal) < 1e-5)
    );
}

#[test]
fn stl_needs_square_cells() {
    assert!(matches!(
        written(Format::Stl),
        Err(ExportError::NotSquare {
            width: 7,
            height: 4,
            ..
        })
    ));
}
