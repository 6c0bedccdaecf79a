//! GLB: binary glTF 2.0, which game engines and browsers read.
//!
//! ```text
//! "glTF" 2 length │ length "JSON" {...}    │ length "BIN" positions │ normals │ texture
//!                 │ what is where in BIN   │     coordinates │ indices │ image (PNG)
//! ```
//!
//! The JSON comes first and contains the offset of each part of the buffer. All lengths follow from the size of the
//! grid and of the compressed texture, so the texture is compressed first. The buffer is then streamed in two passes
//! over the map. Two earlier passes find the height range, and the bounding box that the format requires. We do not use
//! a glTF library, because libraries build the whole file in memory.
//!
//! The file has one mesh with one primitive. Indices are `u16` for up to 65535 vertices, and `u32` above. A file has at
//! most 4 GiB, which is enough for a map of about 8700 x 8700. A larger map needs a step.
//!
//! Source: Khronos Group, *glTF 2.0 Specification*, 2021.

use std::io::Write;

use glam::Vec3;
use serde_json::{Value, json};

use super::{ExportError, Land, MeshGrid, VertexRow, every};
use crate::{Format, stream, write_image};
use lanternfell_heightmap::{MapSize, ParamError, Progress, RgbImage};
use lanternfell_surface::Surface;

/// Checks whether every `step`-th cell of a map of this size fits into a GLB, before the map is made. The size of the
/// texture comes in addition.
///
/// # Errors
/// [`ExportError::TooLarge`] when the file would exceed 4 GiB, and [`ExportError::Param`] when `step` is 0.
pub fn check_glb(size: MapSize, step: u32) -> Result<(), ExportError> {
    ParamError::check(step >= 1, "mesh", "step", step.into(), "at least 1")?;
    let lines = |cells: usize| every(cells, step).count() as u64;
    let (columns, rows) = (lines(size.width()), lines(size.height()));
    let squares = (columns - 1) * (rows - 1);
    Parts::new((columns * rows, 2 * squares), 0)
        .check(0)
        .map(|_| ())
}

/// Writes every `step`-th cell of a surface as GLB, with normals and texture coordinates, in meters, y up.
///
/// `texture` is an image of the map from above, north up. Holes of the surface have no triangles.
///
/// # Errors
/// - [`ExportError::Param`] when the scale is outside its range, the spacing is below 10^-6 m, or `step` is 0.
/// - [`ExportError::TooHigh`] when a height exceeds 10^9 m.
/// - [`ExportError::TooLarge`] when the file would exceed 4 GiB.
/// - [`ExportError::Write`] and [`ExportError::Canceled`].
pub fn write_glb(
    surface: &Surface<'_>,
    step: u32,
    texture: Option<&RgbImage>,
    mut out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    let land = Land::square(surface.map(), surface.scale());
    let grid = MeshGrid::new(land, step)?.with_holes(surface.holes())?;
    write(&grid, texture, &mut out, progress)
}

pub(super) fn write(
    grid: &MeshGrid<'_>,
    texture: Option<&RgbImage>,
    out: &mut dyn Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    let counts = (grid.vertices(), grid.triangles());
    Parts::new(counts, 0).check(0)?;
    grid.check_meters(progress)?;
    let mut picture = Vec::new();
    if let Some(texture) = texture {
        write_image(texture, &mut picture, &progress.span(0.0, 0.2))?;
    }
    let parts = Parts::new(counts, picture.len() as u64);
    let corners = corners(grid, progress)?;
    let mut json = serde_json::to_vec(&parts.json(corners)).map_err(std::io::Error::from)?;
    json.resize(json.len().next_multiple_of(4), b' ');
    let whole = parts.check(json.len() as u64)?;

    // `check` has limited the file length, which is the largest of these numbers, to u32.
    let head = [*b"glTF", 2_u32.to_le_bytes(), (whole as u32).to_le_bytes()];
    out.write_all(head.as_flattened())?;
    out.write_all(&(json.len() as u32).to_le_bytes())?;
    out.write_all(b"JSON")?;
    out.write_all(&json)?;
    out.write_all(&(parts.buffer() as u32).to_le_bytes())?;
    out.write_all(b"BIN\0")?;
    write_buffer(grid, &parts, out, &progress.span(0.2, 1.0))?;
    out.write_all(&picture)?;
    out.write_all(&[0; 3][..padding(parts.picture) as usize])?;
    Ok(progress.step(1, 1)?)
}

/// Writes all of the buffer except the texture.
fn write_buffer(
    grid: &MeshGrid<'_>,
    parts: &Parts,
    mut out: &mut dyn Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    let rows = grid.rows.len();
    let out = &mut out;
    let mut vertices = VertexRow::new(grid);
    stream(rows, out, &progress.part(0, 4), |y, bytes| {
        vertices.load_places(grid.rows[y]);
        let each = |&column| push(vertices.place(column).to_array(), bytes);
        grid.columns.iter().for_each(each);
    })?;
    stream(rows, out, &progress.part(1, 4), |y, bytes| {
        vertices.load(grid.rows[y]);
        let each = |&column| push(vertices.normal(column).to_array(), bytes);
        grid.columns.iter().for_each(each);
    })?;
    stream(rows, out, &progress.part(2, 4), |y, bytes| {
        let each = |&column| push(grid.texture(column, grid.rows[y]), bytes);
        grid.columns.iter().for_each(each);
    })?;
    stream(rows - 1, out, &progress.part(3, 4), |row, bytes| {
        for index in grid.squares(row).flatten() {
            if parts.short_indices {
                bytes.extend_from_slice(&(index as u16).to_le_bytes());
            } else {
                bytes.extend_from_slice(&index.to_le_bytes());
            }
        }
    })?;
    Ok(out.write_all(&[0; 3][..padding(parts.indices) as usize])?)
}

fn push<const N: usize>(numbers: [f32; N], bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(numbers.map(f32::to_le_bytes).as_flattened());
}

/// Returns the bounding box of the vertices that are written.
fn corners(grid: &MeshGrid<'_>, progress: &Progress) -> Result<(Vec3, Vec3), ExportError> {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let mut vertices = VertexRow::new(grid);
    for &row in &grid.rows {
        progress.check()?;
        vertices.load_places(row);
        for &column in &grid.columns {
            let place = vertices.place(column);
            (low, high) = (low.min(place), high.max(place));
        }
    }
    Ok((low, high))
}

/// Returns the number of padding bytes up to a multiple of four.
fn padding(length: u64) -> u64 {
    length.next_multiple_of(4) - length
}

/// The lengths of the parts of the buffer in bytes.
struct Parts {
    vertices: u64,
    /// The number of triangle corners.
    corners: u64,
    short_indices: bool,
    indices: u64,
    picture: u64,
}

/// Constants of glTF.
mod code {
    pub const U16: u32 = 5123;
    pub const U32: u32 = 5125;
    pub const F32: u32 = 5126;
    pub const VERTICES: u32 = 34_962;
    pub const INDICES: u32 = 34_963;
    pub const LINEAR: u32 = 9729;
    pub const LINEAR_MIPMAP_LINEAR: u32 = 9987;
    pub const CLAMP_TO_EDGE: u32 = 33_071;
}

impl Parts {
    /// Creates the lengths for a number of vertices and triangles, and for the bytes of the texture.
    fn new((vertices, triangles): (u64, u64), picture: u64) -> Self {
        let corners = 3 * triangles;
        // The largest u16 is not used: it means "primitive restart" to a GPU.
        let short_indices = vertices <= 65_535;
        Self {
            vertices,
            corners,
            short_indices,
            indices: corners * if short_indices { 2 } else { 4 },
            picture,
        }
    }

    /// Returns the offsets of the positions, normals, texture coordinates, indices and the texture, and the total
    /// length.
    fn starts(&self) -> [u64; 6] {
        let vectors = 12 * self.vertices;
        let lengths = [
            vectors,
            vectors,
            8 * self.vertices,
            self.indices,
            self.picture,
        ];
        let mut starts = [0; 6];
        for (part, length) in lengths.into_iter().enumerate() {
            starts[part + 1] = starts[part] + length.next_multiple_of(4);
        }
        starts
    }

    fn buffer(&self) -> u64 {
        self.starts()[5]
    }

    /// Returns the length of the file for a length of the JSON, or an error if it is too large.
    fn check(&self, json: u64) -> Result<u64, ExportError> {
        let (bytes, most) = (12 + 8 + json + 8 + self.buffer(), u64::from(u32::MAX));
        if bytes > most {
            let format = Format::Glb;
            return Err(ExportError::TooLarge {
                format,
                bytes,
                most,
            });
        }
        Ok(bytes)
    }

    fn json(&self, (low, high): (Vec3, Vec3)) -> Value {
        let starts = self.starts();
        let view = |part: usize, length: u64, target: u32| json!({"buffer": 0, "byteOffset": starts[part], "byteLength": length, "target": target});
        // As f64, so that a JSON reader gets exactly the same numbers.
        let numbers = |corner: Vec3| corner.to_array().map(f64::from);
        let index = if self.short_indices {
            code::U16
        } else {
            code::U32
        };
        let list = |view: usize, count: u64, kind: &str, number: u32| json!({"bufferView": view, "componentType": number, "count": count, "type": kind});
        let mut positions = list(0, self.vertices, "VEC3", code::F32);
        positions["min"] = json!(numbers(low));
        positions["max"] = json!(numbers(high));
        let mut file = json!({
            "asset": {"version": "2.0", "generator": "Lanternfell"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": [{"mesh": 0, "name": "terrain"}],
            "meshes": [{"name": "terrain", "primitives": [{
                "attributes": {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2},
                "indices": 3,
                "material": 0,
            }]}],
            "materials": [{"name": "terrain", "pbrMetallicRoughness": {
                "metallicFactor": 0.0,
                "roughnessFactor": 1.0,
            }}],
            "accessors": [
                positions,
                list(1, self.vertices, "VEC3", code::F32),
                list(2, self.vertices, "VEC2", code::F32),
                list(3, self.corners, "SCALAR", index),
            ],
            "bufferViews": [
                view(0, 12 * self.vertices, code::VERTICES),
                view(1, 12 * self.vertices, code::VERTICES),
                view(2, 8 * self.vertices, code::VERTICES),
                view(3, self.indices, code::INDICES),
            ],
            "buffers": [{"byteLength": self.buffer()}],
        });
        if self.picture > 0 {
            self.add_picture(&mut file, starts[4]);
        }
        file
    }

    fn add_picture(&self, file: &mut Value, start: u64) {
        let view = json!({"buffer": 0, "byteOffset": start, "byteLength": self.picture});
        if let Some(views) = file["bufferViews"].as_array_mut() {
            views.push(view);
        }
        file["images"] = json!([{"bufferView": 4, "mimeType": "image/png"}]);
        file["samplers"] = json!([{
            "magFilter": code::LINEAR,
            "minFilter": code::LINEAR_MIPMAP_LINEAR,
            "wrapS": code::CLAMP_TO_EDGE,
            "wrapT": code::CLAMP_TO_EDGE,
        }]);
        file["textures"] = json!([{"sampler": 0, "source": 0}]);
        file["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = json!({"index": 0});
    }
}
