//! Merges many plants into one mesh.
//!
//! Problem: a hundred thousand entities cost milliseconds per frame before anything is drawn, and on WebGL2 only about
//! 23 of them fit into one draw call. One mesh with all plants of a plot is one entity and one draw.
//!
//! Idea: every vertex stores data of its plant: the position of the root, the distance range in which it is drawn, and
//! its wind weight. The vertex shader then selects the level of detail per plant, and plots only decide which levels
//! may be needed.
//!
//! A vertex takes 36 bytes: position 12, normal 4, UV 4, tint and wind 4, root and layer 8, range 4.

use std::f32::consts::TAU;

use bevy::{
    asset::RenderAssetUsages,
    camera::primitives::Aabb,
    mesh::{Indices, MeshVertexAttribute, PrimitiveTopology, VertexAttributeValues, VertexFormat},
    prelude::*,
};
use lanternfell_plants::{grow::FarLevel, scatter::Instance};

use crate::{
    level::{Borders, FURTHEST, Limits},
    library::{FarLook, Grown, LayeredMesh},
};

/// Unit normal; w is 1 for leaves.
///
/// It has the id of [`Mesh::ATTRIBUTE_NORMAL`], but takes a third of the bytes. Bevy looks for this id, and warns about
/// meshes without normals in a normal prepass.
pub(crate) const NORMAL: MeshVertexAttribute =
    MeshVertexAttribute::new("Plant_Normal", 1, VertexFormat::Snorm8x4);
/// UV from -16 to 16, mapped to 0 to 1.
pub(crate) const UV: MeshVertexAttribute =
    MeshVertexAttribute::new("Plant_Uv", 0x6c61_6e74_0002, VertexFormat::Unorm16x2);
/// Half of the tint; alpha is the wind weight.
pub(crate) const TINT: MeshVertexAttribute =
    MeshVertexAttribute::new("Plant_Tint", 0x6c61_6e74_0003, VertexFormat::Unorm8x4);
/// Root in 1/64 m; w is the texture layer, plus 256 for impostors, plus 512 times the yaw of an impostor in 1/64 turns.
pub(crate) const ROOT: MeshVertexAttribute =
    MeshVertexAttribute::new("Plant_Root", 0x6c61_6e74_0004, VertexFormat::Sint16x4);
/// Start and end of the distance range, relative to [`FURTHEST`].
pub(crate) const RANGE: MeshVertexAttribute =
    MeshVertexAttribute::new("Plant_Range", 0x6c61_6e74_0005, VertexFormat::Unorm16x2);

/// Bytes per vertex.
const VERTEX: usize = 36;

/// Steps per meter of a quantized root.
const STEPS: f32 = 64.0;

/// Brightness of impostors relative to near plants, which shadow themselves.
const SHADED: f32 = 0.75;

/// Flag for impostors, added to the layer.
const FACES: i16 = 256;

/// Lowest bit of an impostor's yaw, added to the layer.
const YAW: i16 = 512;

/// Number of yaws.
const YAWS: f32 = 64.0;

/// Smallest UV, and the size of the UV range.
const UV_LEAST: f32 = -16.0;
const UV_SPAN: f32 = 32.0;

/// A level of detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    Near,
    Middle,
    Far,
}

/// A plant and its position.
pub(crate) struct Standing<'a> {
    pub(crate) far: FarLevel,
    pub(crate) plant: &'a Grown,
    pub(crate) instance: &'a Instance,
    /// In the frame of the merged mesh, in meters.
    pub(crate) root: Vec3,
    pub(crate) limits: Limits,
}

/// Plants merged into one mesh.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Merged {
    positions: Vec<[f32; 3]>,
    normals: Vec<[i8; 4]>,
    uvs: Vec<[u16; 2]>,
    tints: Vec<[u8; 4]>,
    roots: Vec<[i16; 4]>,
    ranges: Vec<[u16; 2]>,
    indices: Vec<u32>,
    bounds: Option<(Vec3, Vec3)>,
    count: usize,
}

impl Merged {
    pub(crate) fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// Number of plants.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn triangles(&self) -> usize {
        self.indices.len() / 3
    }

    /// GPU memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        VERTEX * self.positions.len() + if self.is_wide() { 4 } else { 2 } * self.indices.len()
    }

    fn is_wide(&self) -> bool {
        self.positions.len() > usize::from(u16::MAX)
    }

    /// Bounding box that includes the motion in the wind.
    pub(crate) fn aabb(&self) -> Aabb {
        /// How far a storm bends the top of a tall tree, in meters.
        const BENT: f32 = 2.5;
        let (min, max) = self.bounds.unwrap_or_default();
        Aabb::from_min_max(min - BENT, max + BENT)
    }

    /// Adds a plant at a level of detail, if it has that level.
    pub(crate) fn add(&mut self, standing: &Standing, look: Look) {
        // Bits that `tone` does not use: thinning out must not favor a color.
        let lot = (standing.instance.seed >> 16 & 0xff) as f32 / 255.0;
        let height = standing.plant.height * standing.instance.scale;
        let borders = Borders::new(standing.far, height, standing.limits, lot);
        let Borders { near, middle, gone } = borders;
        let added = match (look, &standing.plant.far) {
            (Look::Near, _) => self.add_mesh(standing, &standing.plant.near, [0.0, near]),
            (Look::Middle, _) => self.add_mesh(standing, &standing.plant.middle, [near, middle]),
            (Look::Far, FarLook::Mesh(mesh)) => self.add_mesh(standing, mesh, [middle, gone]),
            (Look::Far, FarLook::Impostor { frame, layer }) => {
                let size = Vec2::new(frame.half_width, frame.height);
                self.add_picture(standing, size, *layer, [middle, gone]);
                true
            }
            (Look::Far, FarLook::None) => false,
        };
        self.count += usize::from(added);
    }

    fn add_mesh(&mut self, standing: &Standing, layered: &LayeredMesh, range: [f32; 2]) -> bool {
        let mesh = &layered.mesh;
        let Standing { instance, root, .. } = standing;
        let (rotation, tone) = (instance.rotation(), tone(instance));
        let range = range.map(share_of_furthest);
        // Maps vertices of the plant to vertices of the merged mesh.
        let mut places = vec![u32::MAX; mesh.positions.len()];
        for (part, layer) in mesh.parts.iter().zip(&layered.layers) {
            // Parts do not share vertices, because the layer is a vertex attribute.
            places.fill(u32::MAX);
            let root_and_layer = quantized(*root, i16::from(*layer));
            let leaf = part.skin.is_cut_out();
            for &index in &mesh.indices[part.indices.clone()] {
                let vertex = index as usize;
                if places[vertex] == u32::MAX {
                    places[vertex] = self.positions.len() as u32;
                    let place = rotation * (Vec3::from(mesh.positions[vertex]) * instance.scale);
                    let normal = rotation * Vec3::from(mesh.normals[vertex]);
                    let [red, green, blue, wind] = mesh.colors[vertex];
                    let tint = Vec3::new(red, green, blue) * tone;
                    self.push(*root + place);
                    self.normals.push(packed_normal(normal, leaf));
                    self.uvs.push(mesh.uvs[vertex].map(packed_uv));
                    self.tints.push(packed_tint(tint, wind));
                    self.roots.push(root_and_layer);
                    self.ranges.push(range);
                }
                self.indices.push(places[vertex]);
            }
        }
        true
    }

    /// Adds an impostor: a quad that the vertex shader turns to the camera. `size` is its half width and height.
    fn add_picture(&mut self, standing: &Standing, size: Vec2, layer: u8, range: [f32; 2]) {
        let Standing { instance, root, .. } = standing;
        // Darker, because near plants shadow themselves.
        let tint = packed_tint(tone(instance) * SHADED, 0.5);
        // Both levels at a border quantize the same distance to the same number, so there is no gap.
        let range = range.map(share_of_furthest);
        let first = self.positions.len() as u32;
        let yaw = (instance.yaw / TAU * YAWS).round().rem_euclid(YAWS) as i16;
        let root_and_layer = quantized(*root, FACES | i16::from(layer) | (YAW * yaw));
        let half = Vec2::new(size.x, 0.5 * size.y) * instance.scale;
        for (side, rise) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            let corner = *root + (half * Vec2::new(side, rise)).extend(0.0);
            self.positions.push(corner.to_array());
            self.normals.push(packed_normal(Vec3::Y, true));
            self.uvs
                .push([side, -rise].map(|place| packed_uv(0.5 + 0.5 * place)));
            self.tints.push(tint);
            self.roots.push(root_and_layer);
            self.ranges.push(range);
        }
        // The quad turns around its center. From above it is as high as it is wide.
        let (center, around) = (*root + Vec3::Y * half.y, half.max(half.xx()).length());
        self.enclose(center - around);
        self.enclose(center + around);
        self.indices
            .extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }

    fn push(&mut self, position: Vec3) {
        self.positions.push(position.to_array());
        self.enclose(position);
    }

    fn enclose(&mut self, position: Vec3) {
        let (min, max) = self.bounds.get_or_insert((position, position));
        (*min, *max) = (min.min(position), max.max(position));
    }

    /// Builds the mesh, which is kept on the GPU only.
    pub(crate) fn into_mesh(self) -> Mesh {
        let is_wide = self.is_wide();
        let indices = if is_wide {
            Indices::U32(self.indices)
        } else {
            Indices::U16(self.indices.iter().map(|&index| index as u16).collect())
        };
        Mesh::new(
            PrimitiveTopology::TriangleList,
            RenderAssetUsages::RENDER_WORLD,
        )
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
        .with_inserted_attribute(NORMAL, VertexAttributeValues::Snorm8x4(self.normals))
        .with_inserted_attribute(UV, VertexAttributeValues::Unorm16x2(self.uvs))
        .with_inserted_attribute(TINT, VertexAttributeValues::Unorm8x4(self.tints))
        .with_inserted_attribute(ROOT, VertexAttributeValues::Sint16x4(self.roots))
        .with_inserted_attribute(RANGE, VertexAttributeValues::Unorm16x2(self.ranges))
        .with_inserted_indices(indices)
    }
}

/// Slight color variation per plant.
fn tone(instance: &Instance) -> Vec3 {
    let part = |shift: u32| (instance.seed >> shift & 0xff) as f32 / 255.0 - 0.5;
    let (light, warmth) = (1.0 + 0.22 * part(0), 0.12 * part(8));
    Vec3::new(1.0 + warmth, 1.0, 1.0 - warmth) * light
}

/// `leaf` is stored in w: light shines through leaves.
fn packed_normal(normal: Vec3, leaf: bool) -> [i8; 4] {
    let [x, y, z] = normal.to_array().map(|part| (part * 127.0).round() as i8);
    [x, y, z, if leaf { 127 } else { 0 }]
}

fn packed_uv(place: f32) -> u16 {
    ((place - UV_LEAST) / UV_SPAN * 65_535.0).round() as u16
}

fn packed_tint(tint: Vec3, wind: f32) -> [u8; 4] {
    let half = tint * 0.5;
    [half.x, half.y, half.z, wind].map(|part| (part * 255.0).round() as u8)
}

fn quantized(root: Vec3, layer: i16) -> [i16; 4] {
    let [x, y, z] = root.to_array().map(|part| (part * STEPS).round() as i16);
    [x, y, z, layer]
}

fn share_of_furthest(distance: f32) -> u16 {
    (distance / FURTHEST * 65_535.0).round() as u16
}

#[cfg(test)]
mod tests {
    use lanternfell_plants::grow::{Level, PlantKind, grow};

    use super::*;

    fn instance(up: Vec3, yaw: f32, scale: f32) -> Instance {
        Instance {
            position: [0.0; 2],
            height: 0.0,
            up,
            yaw,
            scale,
            variant: 0,
            seed: 0x0080_8080,
        }
    }

    const LIMITS: Limits = Limits {
        detail: 1.0,
        distance: 2000.0,
    };

    /// The parts of each mesh have the layers 3, 4 and so on.
    fn layered(kind: PlantKind, level: Level) -> LayeredMesh {
        let mesh = grow(kind, 3, level);
        let layers = (3..).take(mesh.parts.len()).collect();
        LayeredMesh { mesh, layers }
    }

    fn grown(kind: PlantKind) -> Grown {
        let near = layered(kind, Level::Near);
        Grown {
            height: near.mesh.bounds().1[1],
            middle: layered(kind, Level::Middle),
            near,
            far: FarLook::Mesh(layered(kind, Level::Far)),
        }
    }

    /// Reported: with a `NormalPrepass`, Bevy logged that plants have no vertex normals.
    #[test]
    fn bevy_finds_the_normals() {
        let mesh = Merged::default().into_mesh();
        assert!(mesh.contains_attribute(Mesh::ATTRIBUTE_NORMAL));
    }

    /// Compares each vertex with the plant's own mesh, rotated and moved.
    #[test]
    fn merged_triangles_match_the_plants() {
        let up = Vec3::new(0.2, 0.9, -0.1).normalize();
        for kind in PlantKind::ALL {
            let plant = grown(kind);
            let mut merged = Merged::default();
            let stands = [
                (instance(up, 1.3, 0.7), Vec3::new(3.0, 20.0, -5.0)),
                (instance(Vec3::Y, 4.0, 1.2), Vec3::new(30.5, -2.0, 9.0)),
            ];
            for (instance, root) in &stands {
                let standing = Standing {
                    far: kind.far_level(),
                    plant: &plant,
                    instance,
                    root: *root,
                    limits: LIMITS,
                };
                merged.add(&standing, Look::Middle);
            }
            let mesh = &plant.middle.mesh;
            assert_eq!(merged.count(), 2);
            assert_eq!(merged.triangles(), 2 * mesh.triangle_count());
            let mut corners = merged.indices.iter().map(|&index| index as usize);
            for (instance, root) in &stands {
                let rotation = instance.rotation();
                for (number, part) in mesh.parts.iter().enumerate() {
                    for &index in &mesh.indices[part.indices.clone()] {
                        let corner = corners.next().unwrap();
                        let local = Vec3::from(mesh.positions[index as usize]) * instance.scale;
                        let place = Vec3::from(merged.positions[corner]);
                        assert!(place.distance(*root + rotation * local) < 1e-5);
                        let uv = merged.uvs[corner];
                        for (packed, uv) in uv.iter().zip(mesh.uvs[index as usize]) {
                            let unpacked = f32::from(*packed) / 65_535.0 * UV_SPAN + UV_LEAST;
                            assert!((unpacked - uv).abs() < 3e-4, "{kind:?}: {unpacked} {uv}");
                        }
                        let [x, y, z, layer] = merged.roots[corner];
                        let quantized = Vec3::new(x.into(), y.into(), z.into()) / STEPS;
                        assert!(quantized.distance(*root) < 0.02);
                        assert_eq!(usize::try_from(layer), Ok(3 + number));
                        let tint = mesh.colors[index as usize];
                        for channel in 0..4 {
                            let packed = f32::from(merged.tints[corner][channel]) / 255.0;
                            let factor = if channel < 3 { 0.5 } else { 1.0 };
                            let expected = (tint[channel] * factor).min(1.0);
                            assert!((packed - expected).abs() < 0.01, "{kind:?} {tint:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn impostor_is_one_quad_and_bounds_contain_it() {
        let plant = Grown {
            far: FarLook::Impostor {
                frame: lanternfell_plants::grow::Frame {
                    half_width: 2.0,
                    height: 9.0,
                    middle: [[0.0; 2]; 2],
                },
                layer: 17,
            },
            ..grown(PlantKind::Birch)
        };
        let instance = instance(Vec3::Y, -1.57, 1.5);
        let standing = Standing {
            far: FarLevel::Impostor,
            plant: &plant,
            instance: &instance,
            root: Vec3::new(10.0, 5.0, 20.0),
            limits: LIMITS,
        };
        let mut merged = Merged::default();
        merged.add(&standing, Look::Far);
        assert_eq!((merged.triangles(), merged.positions.len()), (2, 4));
        assert_eq!(merged.bytes(), 4 * 36 + 6 * 2);
        assert_eq!(merged.roots[0], [640, 320, 1280, 256 + 17 + 48 * 512]);
        let bounds = merged.aabb();
        // From the side, and leaning back when seen from above.
        for corner in [[7.0, 5.0, 17.0], [13.0, 18.5, 23.0], [10.0, 11.75, 23.0]] {
            let off = (Vec3A::from(corner) - bounds.center).abs();
            assert!(off.cmple(bounds.half_extents).all());
        }
        // From the end of the middle level to the end of the far level.
        let range = merged.ranges[0].map(|share| f32::from(share) / 65_535.0 * FURTHEST);
        let borders = Borders::new(
            FarLevel::Impostor,
            1.5 * plant.height,
            LIMITS,
            128.0 / 255.0,
        );
        assert!((range[0] - borders.middle).abs() < 0.1 && (range[1] - borders.gone).abs() < 0.1);
    }

    #[test]
    fn indices_are_wide_only_when_needed() {
        let plant = grown(PlantKind::Grass);
        let instance = instance(Vec3::Y, 0.0, 1.0);
        let mut merged = Merged::default();
        let standing = Standing {
            far: FarLevel::None,
            plant: &plant,
            instance: &instance,
            root: Vec3::ZERO,
            limits: LIMITS,
        };
        merged.add(&standing, Look::Near);
        let small = merged.clone().into_mesh();
        assert!(matches!(small.indices(), Some(Indices::U16(_))));
        while !merged.is_wide() {
            merged.add(&standing, Look::Near);
        }
        let vertices = merged.positions.len();
        let large = merged.into_mesh();
        assert!(matches!(large.indices(), Some(Indices::U32(_))));
        assert_eq!(large.count_vertices(), vertices);
    }
}
