//! Meshes with holes, compared with the triangles of the whole mesh.

use lanternfell_heightmap::{
    Heightmap, HoleMask, MapFrame, MapRegion, MapSize, Progress, Scale, SeededRng,
};
use lanternfell_io::{
    ExportError, Format, MeshTile, WriteOptions, write_mesh, write_mesh_tile, write_obj,
};
use lanternfell_surface::Surface;

use super::mesh::{Mesh, read_glb, read_obj};

const SCALE: Scale = Scale {
    spacing: 2.5,
    relief: 40.0,
};

fn ground(width: u64, height: u64) -> Heightmap {
    let size = MapSize::new(width, height).unwrap();
    Heightmap::from_fn(size, |x, y| (x * 7 + y * 3 % 5) as f32 / 100.0).unwrap()
}

/// Some holes at random, and two large ones.
fn holes(size: MapSize, seed: u64) -> HoleMask {
    let mut rng = SeededRng::new(seed, b"holes   ");
    let mut holes = HoleMask::from_fn(size, |_, _| rng.unit() < 0.2);
    holes.set_rect(3..8, 2..9, true);
    holes.set_rect(size.width() - 3..size.width(), 0..5, true);
    holes
}

fn written(map: &Heightmap, format: Format, step: u32, holes: Option<&HoleMask>) -> Mesh {
    let mut bytes = Vec::new();
    let options = WriteOptions {
        step,
        holes,
        ..WriteOptions::default()
    };
    let frame = MapFrame::of_scale(SCALE, true);
    let progress = Progress::default();
    write_mesh((map, &frame), format, &options, &mut bytes, &progress).unwrap();
    match format {
        Format::Obj => read_obj(&bytes),
        _ => read_glb(&bytes),
    }
}

#[test]
fn holes_have_no_triangles() {
    let map = ground(21, 15);
    for (seed, step) in [(1, 1), (2, 1), (3, 2), (4, 3), (5, 4), (6, 7)] {
        let holes = holes(map.size(), seed);
        for format in [Format::Obj, Format::Glb] {
            let whole = written(&map, format, step, None);
            let mesh = written(&map, format, step, Some(&holes));
            assert_eq!(mesh.places, whole.places);
            assert_eq!(mesh.normals, whole.normals);
            // The lines of the grid, and the share of holes in a square counted one by one.
            let lines = |cells: usize| -> Vec<usize> {
                let step = step as usize;
                let mut lines: Vec<usize> = (0..cells - 1).step_by(step).collect();
                lines.push(cells - 1);
                lines
            };
            let (columns, rows) = (lines(21), lines(15));
            let mut expected: Vec<[usize; 3]> = Vec::new();
            for (pair, triangles) in whole.triangles.chunks(2).enumerate() {
                let (column, row) = (pair % (columns.len() - 1), pair / (columns.len() - 1));
                let (mut count, mut all) = (0, 0);
                for y in rows[row]..rows[row + 1] {
                    for x in columns[column]..columns[column + 1] {
                        count += usize::from(holes.is_hole(x, y));
                        all += 1;
                    }
                }
                if 2 * count <= all {
                    expected.extend(triangles);
                }
            }
            assert!(expected.len() < whole.triangles.len());
            assert_eq!(mesh.triangles, expected, "{format} step {step}");
        }
    }
}

#[test]
fn holes_of_a_surface_are_left_out() {
    let map = ground(12, 11);
    let holes = holes(map.size(), 7);
    let surface = Surface::new(&map, SCALE).with_holes(&holes).unwrap();
    let mut bytes = Vec::new();
    write_obj(&surface, 1, &mut bytes, &Progress::default()).unwrap();
    let mesh = read_obj(&bytes);
    assert_eq!(mesh.triangles.len(), 2 * (11 * 10 - holes.count()));
    let title = format!("# 132 vertices, {} triangles", mesh.triangles.len());
    assert!(bytes.starts_with(title.as_bytes()));
}

/// The triangles of all tiles together are those of the whole mesh.
#[test]
fn tiles_leave_out_the_holes_of_the_map() {
    let map = ground(21, 13);
    let holes = holes(map.size(), 8);
    for format in [Format::Obj, Format::Glb] {
        let mut count = 0;
        for x in [0, 10] {
            let size = MapSize::new(11, 13).unwrap();
            let written = MeshTile {
                map: &map,
                region: MapRegion::new(x, 0, size, map.size()).unwrap(),
                frame: &MapFrame::of_scale(SCALE, true),
                size: map.size(),
                material: None,
            };
            let options = WriteOptions {
                holes: Some(&holes),
                ..WriteOptions::default()
            };
            let mut bytes = Vec::new();
            let progress = Progress::default();
            write_mesh_tile(written, format, &options, &mut bytes, &progress).unwrap();
            let mesh = match format {
                Format::Obj => read_obj(&bytes),
                _ => read_glb(&bytes),
            };
            assert_eq!(
                mesh.triangles.len(),
                2 * (120 - holes.count_in(x..x + 10, 0..12))
            );
            count += mesh.triangles.len();
        }
        assert_eq!(count, 2 * (20 * 12 - holes.count()));
    }
}

#[test]
fn refuses_masks_that_do_not_fit() {
    let map = ground(9, 8);
    let refused = |holes: HoleMask| {
        let options = WriteOptions {
            holes: Some(&holes),
            ..WriteOptions::default()
        };
        let frame = MapFrame::of_scale(SCALE, true);
        let progress = Progress::default();
        let mut out = Vec::new();
        let error = write_mesh((&map, &frame), Format::Glb, &options, &mut out, &progress);
        let error = error.unwrap_err();
        assert!(matches!(error, ExportError::Param(_)) && out.is_empty());
        error.to_string()
    };
    let narrow = refused(HoleMask::none(MapSize::new(8, 8).unwrap()));
    assert!(
        narrow.contains("width of the holes") && narrow.contains("9"),
        "{narrow}"
    );
    let low = refused(HoleMask::none(MapSize::new(9, 7).unwrap()));
    assert!(low.contains("height of the holes"), "{low}");
    let all = refused(HoleMask::from_fn(map.size(), |_, _| true));
    assert!(
        all.contains("number of holes") && all.contains("at most 55"),
        "{all}"
    );
}
