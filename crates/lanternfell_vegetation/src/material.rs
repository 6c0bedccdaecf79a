//! The material that all plants share.

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
        texture::{FallbackImage, GpuImage},
    },
    shader::ShaderRef,
};

use crate::{
    library::PlantLibrary,
    light::PlantLight,
    merge::{NORMAL, RANGE, ROOT, TINT, UV},
    presence::PresenceBuffer,
    systems::VegetationSystems,
};

/// The material of all plants: an array texture with leaves, barks and impostors, and a buffer that changes each frame.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct PlantMaterial {
    pictures: Handle<Image>,
    /// Light map of the terrain, if it has one.
    light: Option<Handle<Image>>,
}

/// Pipeline key of the plant shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PlantKey {
    /// Whether a light map is used.
    is_lit: bool,
}

/// The material. Inserted once the array texture is ready.
#[derive(Resource)]
pub(crate) struct PlantMaterialHandle(pub(crate) Handle<PlantMaterial>);

/// Implemented by hand, because the presence buffer is written in place each frame.
impl AsBindGroup for PlantMaterial {
    type Data = PlantKey;
    type Param = (
        SRes<RenderAssets<GpuImage>>,
        SRes<FallbackImage>,
        SRes<PresenceBuffer>,
    );

    fn label() -> &'static str {
        "plant_material"
    }

    fn bind_group_data(&self) -> Self::Data {
        PlantKey {
            is_lit: self.light.is_some(),
        }
    }

    fn unprepared_bind_group(
        &self,
        _: &BindGroupLayout,
        _: &RenderDevice,
        (images, fallback, presence): &mut SystemParamItem<'_, '_, Self::Param>,
        _: bool,
    ) -> Result<UnpreparedBindGroup, AsBindGroupError> {
        // The texture is uploaded some frames after its asset was added.
        let Some(pictures) = images.get(&self.pictures) else {
            return Err(AsBindGroupError::RetryNextUpdate);
        };
        let light = match &self.light {
            Some(light) => images.get(light),
            None => Some(&fallback.d2),
        };
        let Some(light) = light else {
            return Err(AsBindGroupError::RetryNextUpdate);
        };
        let view = pictures.texture_view.clone();
        let light_view = light.texture_view.clone();
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
            (
                3,
                OwnedBindingResource::TextureView(TextureViewDimension::D2, light_view),
            ),
            (
                4,
                OwnedBindingResource::Sampler(SamplerBindingType::Filtering, light.sampler.clone()),
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
        let texture = |view_dimension| BindingType::Texture {
            sample_type: TextureSampleType::Float { filterable: true },
            view_dimension,
            multisampled: false,
        };
        let sampler = BindingType::Sampler(SamplerBindingType::Filtering);
        vec![
            entry(0, ShaderStages::VERTEX_FRAGMENT, buffer),
            entry(
                1,
                ShaderStages::FRAGMENT,
                texture(TextureViewDimension::D2Array),
            ),
            entry(2, ShaderStages::FRAGMENT, sampler),
            entry(3, ShaderStages::FRAGMENT, texture(TextureViewDimension::D2)),
            entry(4, ShaderStages::FRAGMENT, sampler),
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
        key: MaterialPipelineKey<Self>,
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
        if key.bind_group_data.is_lit
            && let Some(fragment) = &mut descriptor.fragment
        {
            fragment.shader_defs.push("LIT_BY_IMAGE".into());
        }
        // Leaves are visible from both sides.
        descriptor.primitive.cull_mode = None;
        Ok(())
    }
}

pub(crate) fn plugin(app: &mut App) {
    embedded_asset!(app, "shaders/plants.wgsl");
    app.add_plugins(MaterialPlugin::<PlantMaterial>::default())
        .add_systems(PreUpdate, follow_pictures)
        .add_systems(PostUpdate, follow_light.in_set(VegetationSystems::Grow));
}

/// Creates the material, and updates its texture when a new library is ready.
fn follow_pictures(
    mut commands: Commands,
    library: Res<PlantLibrary>,
    material: Option<Res<PlantMaterialHandle>>,
    mut materials: ResMut<Assets<PlantMaterial>>,
) {
    let Some(pictures) = library.pictures() else {
        return;
    };
    let Some(material) = material else {
        let handle = materials.add(PlantMaterial {
            pictures: pictures.clone(),
            light: None,
        });
        commands.insert_resource(PlantMaterialHandle(handle));
        return;
    };
    // Compare first: a mutable borrow makes the renderer prepare the material again.
    let is_other = |material: &PlantMaterial| material.pictures != *pictures;
    if materials.get(&material.0).is_some_and(is_other)
        && let Some(mut material) = materials.get_mut(&material.0)
    {
        material.pictures = pictures.clone();
    }
}

/// Updates the light map when it is added, changed or removed.
fn follow_light(
    light: PlantLight,
    material: Option<Res<PlantMaterialHandle>>,
    mut materials: ResMut<Assets<PlantMaterial>>,
) {
    let Some(material) = material else { return };
    let image = light.get().map(|light| &light.image);
    let is_other = |material: &PlantMaterial| material.light.as_ref() != image;
    if materials.get(&material.0).is_some_and(is_other)
        && let Some(mut material) = materials.get_mut(&material.0)
    {
        material.light = image.cloned();
    }
}
