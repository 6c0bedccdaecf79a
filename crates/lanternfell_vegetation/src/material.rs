//! The one material of all plants.

use bevy::{
    asset::embedded_asset,
    ecs::system::{SystemParamItem, lifetimeless::SRes},
    mesh::MeshVertexBufferLayoutRef,
    pbr::{MaterialPipeline, MaterialPipelineKey},
    prelude::*,
    render::{
        render_asset::RenderAssets,
        render_resource::{
            AsBindGroup, AsBindGroupError, BindGroupLayout, BindGroupLayoutEntry, BindingResources,
            BindingType, BufferBindingType, OwnedBindingResource, RenderPipelineDescriptor,
            SamplerBindingType, ShaderStages, SpecializedMeshPipelineError, TextureSampleType,
            TextureViewDimension, UnpreparedBindGroup,
        },
        renderer::RenderDevice,
        texture::GpuImage,
    },
    shader::ShaderRef,
};

use crate::{
    library::PlantLibrary,
    merge::{NORMAL, RANGE, ROOT, TINT, UV},
    presence::PresenceBuffer,
};

/// The material of plants: pictures of leaves, barks and whole trees in one array texture, and what changes each
/// frame.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct PlantMaterial {
    pictures: Handle<Image>,
}

/// There once the pictures are.
#[derive(Resource)]
pub(crate) struct PlantMaterialHandle(pub(crate) Handle<PlantMaterial>);

/// By hand, because what changes each frame is a buffer that is written in place.
impl AsBindGroup for PlantMaterial {
    type Data = ();
    type Param = (SRes<RenderAssets<GpuImage>>, SRes<PresenceBuffer>);

    fn label() -> &'static str {
        "plant_material"
    }

    fn bind_group_data(&self) -> Self::Data {}

    fn unprepared_bind_group(
        &self,
        _: &BindGroupLayout,
        _: &RenderDevice,
        (images, presence): &mut SystemParamItem<'_, '_, Self::Param>,
        _: bool,
    ) -> Result<UnpreparedBindGroup, AsBindGroupError> {
        let Some(pictures) = images.get(&self.pictures) else {
            return Err(AsBindGroupError::RetryNextUpdate);
        };
        let view = pictures.texture_view.clone();
        let bindings = vec![
            (0, OwnedBindingResource::Buffer(presence.0.clone())),
            (
                1,
                OwnedBindingResource::TextureView(TextureViewDimension::D2Array, view),
            ),
            (
                2,
                OwnedBindingResource::Sampler(
                    SamplerBindingType::Filtering,
                    pictures.sampler.clone(),
                ),
            ),
        ];
        Ok(UnpreparedBindGroup {
            bindings: BindingResources(bindings),
        })
    }

    fn bind_group_layout_entries(_: &RenderDevice, _: bool) -> Vec<BindGroupLayoutEntry> {
        let entry = |binding, visibility, ty| BindGroupLayoutEntry {
            binding,
            visibility,
            ty,
            count: None,
        };
        let buffer = BindingType::Buffer {
            ty: BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        let texture = BindingType::Texture {
            sample_type: TextureSampleType::Float { filterable: true },
            view_dimension: TextureViewDimension::D2Array,
            multisampled: false,
        };
        let sampler = BindingType::Sampler(SamplerBindingType::Filtering);
        vec![
            entry(0, ShaderStages::VERTEX, buffer),
            entry(1, ShaderStages::FRAGMENT, texture),
            entry(2, ShaderStages::FRAGMENT, sampler),
        ]
    }
}

const SHADER: &str = "embedded://lanternfell_vegetation/shaders/plants.wgsl";

impl Material for PlantMaterial {
    fn vertex_shader() -> ShaderRef {
        SHADER.into()
    }

    fn fragment_shader() -> ShaderRef {
        SHADER.into()
    }

    fn prepass_vertex_shader() -> ShaderRef {
        SHADER.into()
    }

    fn prepass_fragment_shader() -> ShaderRef {
        SHADER.into()
    }

    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Mask(0.5)
    }

    fn specialize(
        _: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        _: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        let vertices = layout.0.get_layout(&[
            Mesh::ATTRIBUTE_POSITION.at_shader_location(0),
            NORMAL.at_shader_location(1),
            UV.at_shader_location(2),
            TINT.at_shader_location(3),
            ROOT.at_shader_location(4),
            RANGE.at_shader_location(5),
        ])?;
        descriptor.vertex.buffers = vec![vertices];
        // Leaves have two sides.
        descriptor.primitive.cull_mode = None;
        Ok(())
    }
}

pub(crate) fn plugin(app: &mut App) {
    embedded_asset!(app, "shaders/plants.wgsl");
    app.add_plugins(MaterialPlugin::<PlantMaterial>::default())
        .add_systems(PreUpdate, add_material);
}

fn add_material(
    mut commands: Commands,
    library: Res<PlantLibrary>,
    material: Option<Res<PlantMaterialHandle>>,
    mut materials: ResMut<Assets<PlantMaterial>>,
) {
    if material.is_none()
        && let Some(pictures) = library.pictures()
    {
        let pictures = pictures.clone();
        let handle = materials.add(PlantMaterial { pictures });
        commands.insert_resource(PlantMaterialHandle(handle));
    }
}
