//! The material of normal-mapped sprites, shared between sprites that look alike.

use std::{hash::Hash, sync::Arc};

use bevy::{
    mesh::{MeshVertexBufferLayoutRef, VertexAttributeValues},
    platform::collections::HashMap,
    prelude::*,
    render::render_resource::{
        AsBindGroup, BlendFactor, BlendState, RenderPipelineDescriptor, ShaderType,
        SpecializedMeshPipelineError,
    },
    shader::ShaderRef,
    sprite_render::{AlphaMode2d, Material2d, Material2dKey},
};

use super::NormalMap;
use crate::{detail::DirectionTexture, frame::Frame, map::TorchlightMap, material::multiply};

/// Multiplies the pixels below by how much they face the light.
#[derive(Asset, TypePath, AsBindGroup, Debug, Clone, PartialEq)]
pub(super) struct NormalMaterial {
    #[uniform(0)]
    shade: ShadeUniform,
    #[texture(1)]
    #[sampler(2)]
    sprite: Handle<Image>,
    #[texture(3)]
    #[sampler(4)]
    normals: Handle<Image>,
    #[texture(5)]
    #[sampler(6)]
    directions: Handle<Image>,
}

/// Matches `Shade` in `normals.wgsl`.
#[derive(ShaderType, Debug, Clone, PartialEq)]
struct ShadeUniform {
    to_column: Vec4,
    to_row: Vec4,
    along_columns: Vec2,
    along_rows: Vec2,
    depth: f32,
    alpha: f32,
    as_colors: f32,
    webgl2_padding: f32,
}

/// The data of a map that the sprites on it need.
pub(super) struct MapSide {
    frame: Frame,
    directions: Handle<Image>,
    to_column: Vec4,
    to_row: Vec4,
    along_columns: Vec2,
    along_rows: Vec2,
}

impl MapSide {
    pub(super) fn new(
        map: &TorchlightMap,
        at: &GlobalTransform,
        texture: &DirectionTexture,
    ) -> Self {
        let frame = map.frame(at);
        let size = map.grid().size().as_vec2();
        // Squares and diamonds are affine maps of the world. Three steps from the center, as long as the map, determine
        // the map.
        let middle = at.translation();
        let long = map.extent().max_element();
        let part = |position: Vec3| (frame.cell_at(position) + 0.5) / size;
        let first = part(middle);
        let [x, y, z] = Vec3::AXES.map(|axis| (part(middle + axis * long) - first) / long);
        let origin = first - (x * middle.x + y * middle.y + z * middle.z);
        let world = |cell: Vec2| at.transform_point(frame.local(cell)).truncate();
        let [columns, rows] = [Vec2::X, Vec2::Y].map(|step| world(step) - world(Vec2::ZERO));
        let long = columns.length().max(rows.length()).max(f32::MIN_POSITIVE);
        Self {
            frame,
            directions: texture.0.clone(),
            to_column: Vec4::new(x.x, y.x, z.x, origin.x),
            to_row: Vec4::new(x.y, y.y, z.y, origin.y),
            along_columns: columns / long,
            along_rows: rows / long,
        }
    }

    /// Whether a world position is on the map.
    pub(super) fn contains(&self, place: Vec3) -> bool {
        self.frame.cell(self.frame.cell_at(place)).is_some()
    }
}

impl NormalMaterial {
    /// The material of a sprite with a normal map on a light map.
    pub(super) fn new(
        side: &MapSide,
        (sprite, normals): (&Sprite, &NormalMap),
        images: &Assets<Image>,
    ) -> Self {
        let as_colors = images
            .get(&normals.image)
            .is_some_and(|image| image.texture_descriptor.format.is_srgb());
        Self {
            shade: ShadeUniform {
                to_column: side.to_column,
                to_row: side.to_row,
                along_columns: side.along_columns,
                along_rows: side.along_rows,
                depth: normals.sane_depth(),
                alpha: sane_alpha(sprite.color.alpha()),
                as_colors: f32::from(u8::from(as_colors)),
                webgl2_padding: 0.0,
            },
            sprite: sprite.image.clone(),
            normals: normals.image.clone(),
            directions: side.directions.clone(),
        }
    }

    /// The properties by which sprites share a material.
    fn key(&self) -> MaterialKey {
        MaterialKey {
            images: [&self.sprite, &self.normals, &self.directions].map(Handle::id),
            numbers: [self.shade.depth, self.shade.alpha].map(f32::to_bits),
        }
    }
}

/// Rounded to the 256 steps of a screen, so that a sprite that fades does not need a new material per frame.
fn sane_alpha(alpha: f32) -> f32 {
    // `clamp` keeps NaN, which the cast turns into 0.
    f32::from((alpha.clamp(0.0, 1.0) * 255.0 + 0.5) as u8) / 255.0
}

/// The target times twice the shade.
const MULTIPLY_TWICE: BlendState = multiply(BlendFactor::Src);

impl Material2d for NormalMaterial {
    fn fragment_shader() -> ShaderRef {
        "embedded://lanternfell_torchlight/shaders/normals.wgsl".into()
    }

    fn alpha_mode(&self) -> AlphaMode2d {
        AlphaMode2d::Blend
    }

    fn specialize(
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        _: Material2dKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        let targets = descriptor
            .fragment
            .iter_mut()
            .flat_map(|fragment| &mut fragment.targets);
        for target in targets.flatten() {
            target.blend = Some(MULTIPLY_TWICE);
        }
        Ok(())
    }
}

/// Materials and meshes that are shared between sprites.
#[derive(Resource, Default)]
pub(super) struct Shared {
    materials: Kept<MaterialKey, NormalMaterial>,
    meshes: Kept<[u32; 4], Mesh>,
}

#[derive(PartialEq, Eq, Hash)]
struct MaterialKey {
    images: [AssetId<Image>; 3],
    numbers: [u32; 2],
}

impl Shared {
    pub(super) fn material(
        &mut self,
        materials: &mut Assets<NormalMaterial>,
        wanted: NormalMaterial,
    ) -> Handle<NormalMaterial> {
        let handle = self.materials.0.entry(wanted.key());
        let handle = handle
            .or_insert_with(|| materials.add(wanted.clone()))
            .clone();
        // The map may have moved. Write only if necessary, because each write prepares the material again for the GPU.
        if materials.get(&handle).is_some_and(|kept| *kept != wanted)
            && let Some(mut kept) = materials.get_mut(&handle)
        {
            *kept = wanted;
        }
        handle
    }

    /// A unit square that shows this part of an image.
    pub(super) fn mesh(&mut self, meshes: &mut Assets<Mesh>, uv: [f32; 4]) -> Handle<Mesh> {
        let handle = self.meshes.0.entry(uv.map(f32::to_bits));
        handle.or_insert_with(|| meshes.add(square(uv))).clone()
    }

    /// Drops assets that have no other users.
    pub(super) fn forget_unused(&mut self) {
        self.materials.forget_unused();
        self.meshes.forget_unused();
    }

    /// Marks the materials that use this image as changed, so that they are prepared again for the GPU.
    pub(super) fn renew(&self, materials: &mut Assets<NormalMaterial>, image: AssetId<Image>) {
        let showing = self
            .materials
            .0
            .iter()
            .filter(|(key, _)| key.images.contains(&image));
        for (_, handle) in showing {
            if let Some(mut material) = materials.get_mut(handle) {
                let _touched: &mut NormalMaterial = &mut material;
            }
        }
    }
}

fn square([left, top, right, bottom]: [f32; 4]) -> Mesh {
    let mut mesh = Mesh::from(Rectangle::from_length(1.0));
    if let Some(VertexAttributeValues::Float32x2(uvs)) = mesh.attribute_mut(Mesh::ATTRIBUTE_UV_0) {
        for [u, v] in uvs {
            *u = left + (right - left) * *u;
            *v = top + (bottom - top) * *v;
        }
    }
    mesh
}

/// Assets by their key.
struct Kept<K, A: Asset>(HashMap<K, Handle<A>>);

impl<K, A: Asset> Default for Kept<K, A> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<K: Eq + Hash, A: Asset> Kept<K, A> {
    fn forget_unused(&mut self) {
        self.0.retain(|_, handle| match handle {
            Handle::Strong(handle) => Arc::strong_count(handle) > 1,
            Handle::Uuid(..) => false,
        });
    }
}
