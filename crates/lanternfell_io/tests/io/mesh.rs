//! OBJ, STL and GLB files, read back by small parsers and compared with the surface.

use std::collections::BTreeMap;

use glam::{DVec3, Vec3};
use lanternfell_heightmap::{Heightmap, MapSize, Progress, Scale, SeededRng};
use lanternfell_io::{ExportError, StlPrint, check_glb, write_glb, write_obj, write_stl};
use lanternfell_render::{Palette, TopView};
use lanternfell_surface::Surface;
use serde_json::Value;

const SCALE: Scale = Scale {
    spacing: 2.5,
    relief: 40.0,
};

fn ground(width: u64, height: u64) -> Heightmap {
    let size = MapSize::new(width, height).unwrap();
    let mut rng = SeededRng::new(width * 1000 + height, b"mesh    ");
    let heights = (0..size.cells()).map(|_| rng.unit() as f32 - 0.25);
    Heightmap::from_heights(size, heights.collect()).unwrap()
}

/// Positions, normals, texture coordinates, and triangle corners.
#[derive(Debug, Default)]
pub struct Mesh {
    pub places: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub texture: Vec<[f32; 2]>,
    pub triangles: Vec<[usize; 3]>,
}

impl Mesh {
    fn corners(&self) -> impl Iterator<Item = [Vec3; 3]> {
        let corner = |index: usize| self.places[index];
        self.triangles
            .iter()
            .map(move |triangle| triangle.map(corner))
    }
}

fn obj(map: &Heightmap, step: u32) -> Mesh {
    let mut bytes = Vec::new();
    let surface = Surface::new(map, SCALE);
    write_obj(&surface, step, &mut bytes, &Progress::default()).unwrap();
    read_obj(&bytes)
}

pub fn read_obj(bytes: &[u8]) -> Mesh {
    let mut mesh = Mesh::default();
    for line in str::from_utf8(bytes).unwrap().lines() {
        let mut words = line.split(' ');
        let kind = words.next().unwrap();
        let words: Vec<&str> = words.collect();
        let numbers = || {
            words
                .iter()
                .map(|word| word.parse().unwrap())
                .collect::<Vec<f32>>()
        };
        match kind {
            "v" => mesh.places.push(Vec3::from_slice(&numbers())),
            "vn" => mesh.normals.push(Vec3::from_slice(&numbers())),
            "vt" => mesh.texture.push([numbers()[0], 1.0 - numbers()[1]]),
            "f" => {
                let corner = |word: &&str| {
                    let index = word.split('/').next().unwrap();
                    assert_eq!(**word, format!("{index}/{index}/{index}"));
                    let index: usize = index.parse().unwrap();
                    assert!(
                        index <= mesh.places.len(),
                        "a vertex that does not exist yet"
                    );
                    index - 1
                };
                let corners: Vec<usize> = words.iter().map(corner).collect();
                mesh.triangles.push(corners.try_into().unwrap());
            }
            "#" | "o" | "mtllib" | "usemtl" => {}
            other => panic!("{other}"),
        }
    }
    mesh
}

/// Returns the JSON and the buffer of the file. Checks that the file contains nothing else.
fn glb_parts(bytes: &[u8]) -> (Value, &[u8]) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(
        (&bytes[..4], word(4), word(8)),
        (&b"glTF"[..], 2, bytes.len())
    );
    let json = word(12);
    assert_eq!((&bytes[16..20], json % 4), (&b"JSON"[..], 0));
    let buffer = word(20 + json);
    assert_eq!(
        (&bytes[24 + json..28 + json], buffer % 4),
        (&b"BIN\0"[..], 0)
    );
    assert_eq!(bytes.len(), 28 + json + buffer);
    let text = &bytes[20..20 + json];
    (serde_json::from_slice(text).unwrap(), &bytes[28 + json..])
}

fn glb(map: &Heightmap, step: u32) -> Mesh {
    let mut bytes = Vec::new();
    let surface = Surface::new(map, SCALE);
    write_glb(&surface, step, None, &mut bytes, &Progress::default()).unwrap();
    read_glb(&bytes)
}

pub fn read_glb(bytes: &[u8]) -> Mesh {
    let (json, buffer) = glb_parts(bytes);
    let floats = |accessor: usize| -> Vec<f32> {
        let view = &json["bufferViews"][accessor];
        let start = view["byteOffset"].as_u64().unwrap() as usize;
        let length = view["byteLength"].as_u64().unwrap() as usize;
        let words = buffer[start..start + length].as_chunks().0;
        words.iter().map(|&word| f32::from_le_bytes(word)).collect()
    };
    let vectors = |list: &[f32]| list.chunks(3).map(Vec3::from_slice).collect();
    let view = &json["bufferViews"][3];
    let start = view["byteOffset"].as_u64().unwrap() as usize;
    let indices = &buffer[start..start + view["byteLength"].as_u64().unwrap() as usize];
    let indices: Vec<usize> = match json["accessors"][3]["componentType"].as_u64() {
        Some(5123) => indices
            .chunks(2)
            .map(|b| usize::from(u16::from_le_bytes([b[0], b[1]])))
            .collect(),
        Some(5125) => {
            let words = indices.as_chunks().0;
            words
                .iter()
                .map(|&word| u32::from_le_bytes(word) as usize)
                .collect()
        }
        other => panic!("{other:?}"),
    };
    let mesh = Mesh {
        places: vectors(&floats(0)),
        normals: vectors(&floats(1)),
        texture: floats(2).as_chunks().0.to_vec(),
        triangles: indices.as_chunks().0.to_vec(),
    };
    for (name, limit) in [
        ("min", Vec3::min as fn(Vec3, Vec3) -> Vec3),
        ("max", Vec3::max),
    ] {
        let stored = json["accessors"][0][name].as_array().unwrap().iter();
        // The JSON parser may be off by the last digit of an f64.
        let stored: Vec<f32> = stored
            .map(|number| number.as_f64().unwrap() as f32)
            .collect();
        let found = mesh.places.iter().copied().reduce(limit).unwrap();
        assert_eq!(stored, found.to_array(), "{name}");
    }
    for (accessor, count) in [mesh.places.len(), mesh.normals.len(), mesh.texture.len()]
        .into_iter()
        .chain([indices.len()])
        .enumerate()
    {
        assert_eq!(json["accessors"][accessor]["count"], count);
    }
    mesh
}

/// Returns the columns or rows that a step selects.
fn picks(cells: usize, step: usize) -> Vec<usize> {
    let mut picks: Vec<usize> = (0..cells).filter(|cell| cell % step == 0).collect();
    if picks.last() != Some(&(cells - 1)) {
        picks.push(cells - 1);
    }
    picks
}

#[test]
fn meshes_match_surface_in_meters() {
    for (width, height, step) in [(2, 2, 1), (9, 6, 1), (9, 6, 3), (10, 7, 4), (5, 5, 99)] {
        let map = ground(width, height);
        let surface = Surface::new(&map, SCALE);
        let columns = picks(map.width(), step as usize);
        let rows = picks(map.height(), step as usize);
        for (mesh, rough) in [(obj(&map, step), 1e-5), (glb(&map, step), 1e-7)] {
            assert_eq!(mesh.places.len(), columns.len() * rows.len());
            for (index, place) in mesh.places.iter().enumerate() {
                let (column, row) = (columns[index % columns.len()], rows[index / columns.len()]);
                assert_eq!(*place, surface.vertex(column, row));
                let normal = surface.vertex_normal(column, row);
                assert!(mesh.normals[index].distance(normal) <= 2.0 * rough);
                let [u, v] = mesh.texture[index];
                // The center of the cell's pixel.
                assert!((u * width as f32 - column as f32 - 0.5).abs() < 1e-4);
                assert!((v * height as f32 - row as f32 - 0.5).abs() < 1e-4);
            }
            let squares = (columns.len() - 1) * (rows.len() - 1);
            assert_eq!(mesh.triangles.len(), 2 * squares);
            let mut area = 0.0;
            for [a, b, c] in mesh.corners() {
                let up = (b - a).as_dvec3().cross((c - a).as_dvec3()).y;
                assert!(up > 0.0, "a triangle faces down");
                area += up / 2.0;
            }
            let whole = 4.0 * surface.half_extent().x * surface.half_extent().y;
            assert!((area - f64::from(whole)).abs() < 1e-3 * area);
        }
    }
}

#[test]
fn squares_are_split_like_the_surface() {
    let map = ground(6, 5);
    let surface = Surface::new(&map, SCALE);
    for mesh in [obj(&map, 1), glb(&map, 1)] {
        for [a, b, c] in mesh.corners() {
            let middle = (a + b + c) / 3.0;
            let height = surface.height(glam::Vec2::new(middle.x, middle.z)).unwrap();
            assert!(
                (height - middle.y).abs() < 1e-3,
                "split along the other diagonal"
            );
        }
    }
}

#[test]
fn uses_short_indices_if_possible() {
    // 65535 vertices, whose last index is 65534, and one more row.
    for (width, height, kind) in [(255, 257, 5123), (256, 256, 5125)] {
        let map = ground(width, height);
        let mut bytes = Vec::new();
        let surface = Surface::new(&map, SCALE);
        write_glb(&surface, 1, None, &mut bytes, &Progress::default()).unwrap();
        let (json, _) = glb_parts(&bytes);
        assert_eq!(json["accessors"][3]["componentType"], kind);
        let most = glb(&map, 1).triangles.into_iter().flatten().max();
        assert_eq!(most, Some((width * height) as usize - 1));
    }
}

#[test]
fn glb_embeds_its_texture() {
    let map = ground(7, 5);
    let palette = Palette::Article;
    let view = TopView {
        palette,
        ..TopView::default()
    };
    let picture = view.draw(&map, &Progress::default()).unwrap();
    let mut bytes = Vec::new();
    let surface = Surface::new(&map, SCALE);
    write_glb(
        &surface,
        1,
        Some(&picture),
        &mut bytes,
        &Progress::default(),
    )
    .unwrap();
    let (json, buffer) = glb_parts(&bytes);
    let texture = &json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["index"];
    let source = &json["textures"][texture.as_u64().unwrap() as usize]["source"];
    let image = &json["images"][source.as_u64().unwrap() as usize];
    assert_eq!(image["mimeType"], "image/png");
    let view = &json["bufferViews"][image["bufferView"].as_u64().unwrap() as usize];
    let start = view["byteOffset"].as_u64().unwrap() as usize;
    let length = view["byteLength"].as_u64().unwrap() as usize;
    let decoded = image::load_from_memory(&buffer[start..start + length]).unwrap();
    assert_eq!(decoded.to_rgb8().as_raw(), picture.bytes());
}

/// Returns the triangles of an STL and their normals.
fn stl(map: &Heightmap, print: StlPrint) -> Vec<([Vec3; 3], Vec3)> {
    let mut bytes = Vec::new();
    let surface = Surface::new(map, SCALE);
    write_stl(&surface, print, &mut bytes, &Progress::default()).unwrap();
    assert!(!bytes.starts_with(b"solid"), "it looks like a text file");
    let count = u32::from_le_bytes(bytes[80..84].try_into().unwrap()) as usize;
    assert_eq!(bytes.len(), 84 + 50 * count);
    let triangle = |bytes: &[u8]| {
        let numbers = bytes[..48]
            .as_chunks()
            .0
            .iter()
            .map(|&word| f32::from_le_bytes(word));
        let numbers: Vec<f32> = numbers.collect();
        let vector = |at: usize| Vec3::from_slice(&numbers[3 * at..]);
        ([vector(1), vector(2), vector(3)], vector(0))
    };
    bytes[84..].chunks(50).map(triangle).collect()
}

fn volume(solid: &[([Vec3; 3], Vec3)]) -> f64 {
    let part = |[a, b, c]: [Vec3; 3]| a.as_dvec3().dot(b.as_dvec3().cross(c.as_dvec3())) / 6.0;
    solid.iter().map(|&(corners, _)| part(corners)).sum()
}

#[test]
fn printed_solid_is_closed_and_faces_outward() {
    for (width, height, step) in [(2, 2, 1), (9, 6, 1), (6, 9, 2), (10, 7, 4), (40, 30, 3)] {
        let map = ground(width, height);
        let print = StlPrint {
            step,
            ..StlPrint::default()
        };
        let solid = stl(&map, print);
        // Each edge occurs once in each direction, compared by the bits of its ends.
        let mut edges: BTreeMap<[[u32; 3]; 2], i32> = BTreeMap::new();
        for (corners, normal) in &solid {
            let bits = corners.map(|corner| corner.to_array().map(f32::to_bits));
            for (from, to) in [(0, 1), (1, 2), (2, 0)] {
                assert_ne!(bits[from], bits[to], "a degenerate triangle");
                *edges.entry([bits[from], bits[to]]).or_default() += 1;
            }
            let [a, b, c] = corners.map(Vec3::as_dvec3);
            let across = (b - a).cross(c - a).normalize();
            assert!(across.distance(normal.as_dvec3()) < 1e-6);
        }
        for ([from, to], count) in &edges {
            assert_eq!((*count, edges.get(&[*to, *from])), (1, Some(&1)));
        }
        // Below each triangle of the terrain is a prism.
        let top = solid.iter().filter(|(_, normal)| normal.z > 0.0);
        let prism = |corners: [DVec3; 3]| {
            let [a, b, c] = corners;
            (b - a).cross(c - a).z / 2.0 * (a.z + b.z + c.z) / 3.0
        };
        let expected: f64 = top
            .map(|(corners, _)| prism(corners.map(Vec3::as_dvec3)))
            .sum();
        let found = volume(&solid);
        assert!(
            found > 0.0 && (found - expected).abs() < 1e-6 * expected,
            "{found}, {expected}"
        );
    }
}

#[test]
fn printed_solid_has_requested_size() {
    let map = ground(21, 11);
    let print = StlPrint {
        longer_side: 50.0,
        base: 2.0,
        exaggeration: 1.5,
        step: 1,
    };
    let corners = stl(&map, print)
        .into_iter()
        .flat_map(|(corners, _)| corners);
    let limits = corners.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), at| {
        (low.min(at), high.max(at))
    });
    let (low, high) = map.range();
    // 50 mm for 20 cells of 2.5 m: the scale is 1 mm per meter.
    let top = 2.0 + 1.5 * (high - low) * SCALE.relief;
    assert_eq!(limits.0, Vec3::ZERO);
    assert!(
        limits.1.distance(Vec3::new(50.0, 25.0, top)) < 1e-3,
        "{limits:?}"
    );
    // North is up: the first cell is in the northwest.
    let first = stl(&map, print)[0].0[0];
    assert_eq!((first.x, first.y), (0.0, 25.0));
    let lowest = 2.0 + 1.5 * (map.get(0, 0) - low) * SCALE.relief;
    assert!((first.z - lowest).abs() < 1e-4);
}

#[test]
fn rejects_invalid_options_by_name() {
    let map = ground(4, 4);
    let surface = Surface::new(&map, SCALE);
    let quiet = &Progress::default();
    let says = |error: Result<(), ExportError>| error.unwrap_err().to_string();
    assert!(says(write_obj(&surface, 0, Vec::new(), quiet)).contains("step is 0"));
    assert!(says(write_glb(&surface, 0, None, Vec::new(), quiet)).contains("step is 0"));
    for (name, print) in [
        (
            "step",
            StlPrint {
                step: 0,
                ..StlPrint::default()
            },
        ),
        (
            "base",
            StlPrint {
                base: 0.0,
                ..StlPrint::default()
            },
        ),
        (
            "base",
            StlPrint {
                base: f32::NAN,
                ..StlPrint::default()
            },
        ),
        (
            "longer_side",
            StlPrint {
                longer_side: 1e9,
                ..StlPrint::default()
            },
        ),
        (
            "exaggeration",
            StlPrint {
                exaggeration: -1.0,
                ..StlPrint::default()
            },
        ),
    ] {
        let line = says(write_stl(&surface, print, Vec::new(), quiet));
        assert!(line.contains(name) && line.contains("stl"), "{line}");
    }
    for spacing in [0.0, f32::NAN, 1e-20, 1e9] {
        let surface = Surface::new(&map, Scale { spacing, ..SCALE });
        for error in [
            write_obj(&surface, 1, Vec::new(), quiet),
            write_glb(&surface, 1, None, Vec::new(), quiet),
            write_stl(&surface, StlPrint::default(), Vec::new(), quiet),
        ] {
            assert!(says(error).contains("spacing"), "{spacing}");
        }
    }
}

#[test]
fn rejects_huge_heights() {
    let size = MapSize::new(3, 2).unwrap();
    let steep = |z: f32| Heightmap::from_heights(size, vec![0.0, z, -z, z, 0.0, -z]).unwrap();
    let scale = Scale {
        spacing: 1e-6,
        relief: 1.0,
    };
    for z in [2e9, f32::MAX] {
        let map = steep(z);
        let surface = Surface::new(&map, scale);
        let quiet = &Progress::default();
        for error in [
            write_obj(&surface, 1, Vec::new(), quiet),
            write_glb(&surface, 1, None, Vec::new(), quiet),
            write_stl(&surface, StlPrint::default(), Vec::new(), quiet),
        ] {
            assert!(
                matches!(error, Err(ExportError::TooHigh { .. })),
                "{error:?}"
            );
        }
    }
    for z in [1e9, 1e3, 1e-30, f32::from_bits(1)] {
        let map = steep(z);
        let surface = Surface::new(&map, scale);
        let mut bytes = Vec::new();
        write_obj(&surface, 1, &mut bytes, &Progress::default()).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(
            !text.contains("NaN") && !text.contains("inf"),
            "{z}: {text}"
        );
    }
}

#[test]
fn rejects_glb_above_4_gib() {
    let size = MapSize::new(16_384, 8192).unwrap();
    let map = Heightmap::flat(size);
    let surface = Surface::new(&map, SCALE);
    let mut out = Vec::new();
    let result = write_glb(&surface, 1, None, &mut out, &Progress::default());
    let Err(ExportError::TooLarge { bytes, most, .. }) = result else {
        panic!("{result:?}");
    };
    // The check needs no map.
    let known = check_glb(size, 1).map_err(|error| error.to_string());
    assert_eq!(known, result.map_err(|error| error.to_string()));
    assert!(check_glb(size, 2).is_ok() && check_glb(size, 0).is_err());
    assert_eq!((most, out.len()), (u64::from(u32::MAX), 0));
    // 32 bytes per vertex, and 6 indices of 4 bytes per square.
    assert!((bytes as f64 / (56.0 * size.cells() as f64) - 1.0).abs() < 0.001);
    // Every second cell is few enough.
    let progress = Progress::default();
    progress.cancel();
    let result = write_glb(&surface, 2, None, &mut out, &progress);
    assert!(matches!(result, Err(ExportError::Canceled(_))));
}
