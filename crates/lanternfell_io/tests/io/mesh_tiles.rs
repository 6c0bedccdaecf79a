//! Tiles of a larger map as meshes: they match the whole map, and each other on shared edges.

use lanternfell_heightmap::{Heightmap, MapFrame, MapRegion, MapSize, Progress, Scale, SeededRng};
use lanternfell_io::{
    ExportError, Format, MeshTile, WriteOptions, obj_material,
    tiles::{GridTile, TileGrid},
    write_glb, write_mesh_tile, write_obj,
};
use lanternfell_surface::Surface;

use super::mesh::{Mesh, read_glb, read_obj};

const SCALE: Scale = Scale {
    spacing: 2.5,
    relief: 40.0,
};

fn ground(width: u64, height: u64) -> Heightmap {
    let size = MapSize::new(width, height).unwrap();
    let mut rng = SeededRng::new(3, b"meshtile");
    let heights = (0..size.cells()).map(|_| rng.unit() as f32 - 0.25);
    Heightmap::from_heights(size, heights.collect()).unwrap()
}

fn frame() -> MapFrame {
    MapFrame::of_scale(SCALE, true)
}

/// Writes a tile with the cells around it.
fn bytes(map: &Heightmap, tile: GridTile, format: Format, material: Option<&str>) -> Vec<u8> {
    let larger = tile.region.grown(1, map.size());
    let part = map
        .cropped((larger.x(), larger.y()), larger.size())
        .unwrap();
    let (x, y) = (tile.region.x() - larger.x(), tile.region.y() - larger.y());
    let written = MeshTile {
        map: &part,
        region: MapRegion::new(x, y, tile.region.size(), part.size()).unwrap(),
        frame: &frame(),
        size: map.size(),
        material,
    };
    let mut bytes = Vec::new();
    let options = WriteOptions::default();
    write_mesh_tile(written, format, &options, &mut bytes, &Progress::default()).unwrap();
    bytes
}

fn whole(map: &Heightmap, format: Format) -> Mesh {
    let (mut bytes, progress) = (Vec::new(), Progress::default());
    let surface = Surface::new(map, SCALE);
    if format == Format::Obj {
        write_obj(&surface, 1, &mut bytes, &progress).unwrap();
        return read_obj(&bytes);
    }
    write_glb(&surface, 1, None, &mut bytes, &progress).unwrap();
    read_glb(&bytes)
}

/// Reported: the normals on the shared edges of neighboring tiles differed by up to 36 degrees, because each tile
/// computed them from its own cells only.
#[test]
fn tiles_have_heights_and_normals_of_whole_map() {
    let map = ground(17, 13);
    let size = MapSize::new(5, 4).unwrap();
    let grid = TileGrid::new(map.size(), size, 1).unwrap();
    for format in [Format::Obj, Format::Glb] {
        let whole = whole(&map, format);
        for tile in grid.tiles() {
            let bytes = bytes(&map, tile, format, None);
            let mesh = match format {
                Format::Obj => read_obj(&bytes),
                _ => read_glb(&bytes),
            };
            let (width, region) = (tile.region.size().width(), tile.region);
            assert_eq!(mesh.places.len(), region.size().cells());
            for (index, place) in mesh.places.iter().enumerate() {
                let (column, row) = (index % width, index / width);
                let cell = (region.y() + row) * map.width() + region.x() + column;
                assert_eq!(place.y.to_bits(), whole.places[cell].y.to_bits());
                let bits =
                    |mesh: &Mesh, index: usize| mesh.normals[index].to_array().map(f32::to_bits);
                assert_eq!(
                    bits(&mesh, index),
                    bits(&whole, cell),
                    "{format} {column}, {row}"
                );
            }
        }
    }
}

/// Vertices along a shared edge have the same coordinates in both tiles, also if the last tile is smaller.
#[test]
fn shared_edges_have_equal_positions() {
    let map = ground(17, 13);
    let grid = TileGrid::new(map.size(), MapSize::new(7, 5).unwrap(), 1).unwrap();
    let edge = |number: usize, column: Option<usize>| {
        let tile = grid.nth(number).unwrap();
        let mesh = read_glb(&bytes(&map, tile, Format::Glb, None));
        let width = tile.region.size().width();
        let column = column.unwrap_or(width - 1);
        let places = mesh.places.into_iter().skip(column).step_by(width);
        places
            .map(|place| [place.y.to_bits(), place.z.to_bits()])
            .collect::<Vec<_>>()
    };
    for row in 0..grid.rows() {
        for west in 0..grid.columns() - 1 {
            let west = row * grid.columns() + west;
            assert_eq!(edge(west, None), edge(west + 1, Some(0)));
        }
    }
}

#[test]
fn texture_coordinates_reach_the_corners() {
    let map = ground(17, 13);
    let grid = TileGrid::new(map.size(), MapSize::new(8, 6).unwrap(), 1).unwrap();
    let tile = grid.nth(0).unwrap();
    for mesh in [
        read_glb(&bytes(&map, tile, Format::Glb, None)),
        read_obj(&bytes(&map, tile, Format::Obj, None)),
    ] {
        let corners = [0, 8, 6 * 9, 7 * 9 - 1].map(|index| mesh.texture[index]);
        assert_eq!(corners, [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]);
        // The middle of the northern edge.
        assert_eq!(mesh.texture[4], [0.5, 0.0]);
    }
}

#[test]
fn obj_refers_to_its_material() {
    let map = ground(9, 7);
    let grid = TileGrid::new(map.size(), map.size(), 0).unwrap();
    let tile = grid.nth(0).unwrap();
    let with = String::from_utf8(bytes(&map, tile, Format::Obj, Some("a.mtl"))).unwrap();
    assert!(with.contains("\nmtllib a.mtl\n") && with.contains("\nusemtl terrain\n"));
    let without = String::from_utf8(bytes(&map, tile, Format::Obj, None)).unwrap();
    assert!(!without.contains("mtl"));
    let material = obj_material("a.png");
    assert!(material.starts_with("newmtl terrain\n") && material.ends_with("\nmap_Kd a.png\n"));
}

#[test]
fn rejects_regions_outside_and_solids() {
    let map = ground(9, 7);
    let larger = MapSize::new(20, 20).unwrap();
    let frame = frame();
    let tile = |x, y| MeshTile {
        map: &map,
        region: MapRegion::new(x, y, MapSize::new(4, 4).unwrap(), larger).unwrap(),
        frame: &frame,
        size: map.size(),
        material: None,
    };
    let write = |tile, format| {
        let options = WriteOptions::default();
        write_mesh_tile(tile, format, &options, Vec::new(), &Progress::default()).unwrap_err()
    };
    let error = write(tile(6, 0), Format::Glb).to_string();
    assert!(error.contains("columns") && error.contains("10") && error.contains("at most 9"));
    let error = write(tile(0, 4), Format::Obj).to_string();
    assert!(error.contains("rows") && error.contains('8') && error.contains("at most 7"));
    let error = write(tile(0, 0), Format::Stl);
    assert!(matches!(error, ExportError::NotMesh(Format::Stl)));
}
