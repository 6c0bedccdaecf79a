//! The default material of a terrain, which blends its layers.

use bevy::{
    math::DVec2,
    mesh::MeshVertexBufferLayoutRef,
    pbr::{ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline},
    prelude::*,
    render::{
        render_resource::{
            AsBindGroup, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError,
        },
        renderer::RenderAdapterInfo,
    },
    shader::ShaderRef,
};

use crate::{
    cover::{CoverTextures, TerrainCover},
    ground::{Terrain, TerrainSurface, removed_with_terrain, with_terrain},
    ground_light::TerrainLight,
    land::{
        chunk::TerrainChunk,
        custom_material::OwnMaterial,
        textures::{LayerState, LayerTextures, is_software},
    },
    layers::{EffectiveLayers, LayerQuality, TerrainLayer, TerrainLayers},
    region::PlanePlace,
    systems::TerrainSystems,
    water::Water,
};

/// The default material of a terrain: Bevy's standard material with the layers of [`DefaultTerrainExtension`].
pub type DefaultTerrainMaterial = ExtendedMaterial<StandardMaterial, DefaultTerrainExtension>;

/// The extension of Bevy's standard material that renders the terrain layers.
///
/// The plugin updates it from [`TerrainLayers`] and [`Water`].
#[derive(Asset, TypePath, AsBindGroup, Debug, Clone, Default, PartialEq)]
#[bind_group_data(LandKey)]
pub struct DefaultTerrainExtension {
    #[uniform(100)]
    land: LandUniform,
    #[texture(101, dimension = "2d_array")]
    #[sampler(102)]
    colors: Option<Handle<Image>>,
    #[texture(103, dimension = "2d_array")]
    materials: Option<Handle<Image>>,
    #[texture(104)]
    control: Option<Handle<Image>>,
    #[texture(105)]
    #[sampler(106)]
    relief: Option<Handle<Image>>,
    quality: LayerQuality,
    is_software: bool,
    is_covered: bool,
    has_caustics: bool,
    is_lit: bool,
}

/// The pipeline key: each field enables a part of the shader.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LandKey {
    quality: LayerQuality,
    /// Whether the adapter is a software renderer.
    is_software: bool,
    /// Whether the control map is loaded.
    is_covered: bool,
    /// Whether caustics are drawn on the sea floor.
    has_caustics: bool,
    /// Whether an image lights the terrain ([`TerrainLight`]).
    is_lit: bool,
}

impl From<&DefaultTerrainExtension> for LandKey {
    fn from(material: &DefaultTerrainExtension) -> Self {
        Self {
            quality: material.quality,
            is_software: material.is_software,
            is_covered: material.is_covered,
            has_caustics: material.has_caustics,
            is_lit: material.is_lit,
        }
    }
}

/// Must match `Layer` in `land.wgsl`. Each color shares its 16 bytes with the number after it, because WebGL2 requires
/// multiples of 16 bytes.
#[derive(ShaderType, Debug, Clone, Copy, Default, PartialEq)]
struct LayerUniform {
    /// Average color in linear RGB.
    average: Vec3,
    tiles_per_meter: f32,
    tint: Vec3,
    is_made: f32,
    near_offset: Vec2,
    far_offset: Vec2,
}

/// Must match `Land` in `land.wgsl`.
#[derive(ShaderType, Debug, Clone, Default, PartialEq)]
struct LandUniform {
    layers: [LayerUniform; 16],
    /// Maps a world position to a texture coordinate of the light image.
    light_u: Vec4,
    light_v: Vec4,
    /// Size of the whole terrain along x and z, in meters.
    extent: Vec2,
    /// Position of the terrain's center on the plane of the endless terrain, in meters. Procedural patterns are
    /// anchored to it.
    place: Vec2,
    last_texel: Vec2,
    /// Meters, in the terrain's local space.
    sea_level: f32,
    /// Meters.
    patch_size: f32,
    /// Meters.
    wet_height: f32,
    patch_strength: f32,
    /// The mean of all layers.
    tiles_per_meter: f32,
    /// Luminance at full light, in candela per square meter.
    luminance: f32,
}

impl MaterialExtension for DefaultTerrainExtension {
    fn fragment_shader() -> ShaderRef {
        "embedded://lanternfell_terrain/shaders/land.wgsl".into()
    }

    fn deferred_fragment_shader() -> ShaderRef {
        Self::fragment_shader()
    }

    fn specialize(
        _: &MaterialExtensionPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        key: MaterialExtensionKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        if let Some(fragment) = &mut descriptor.fragment {
            let LandKey {
                quality,
                is_software,
                is_covered,
                has_caustics,
                is_lit,
            } = key.bind_group_data;
            if quality == LayerQuality::Low {
                fragment.shader_defs.push("LAYERS_LOW".into());
            }
            if is_covered {
                fragment.shader_defs.push("COVERED".into());
            }
            if has_caustics {
                fragment.shader_defs.push("CAUSTICS".into());
            }
            if is_lit {
                fragment.shader_defs.push("LIT_BY_IMAGE".into());
            }
            if is_software {
                fragment.shader_defs.push("LEVEL_BY_DISTANCE".into());
            }
        }
        Ok(())
    }
}

/// Scale and rotation of the textures in the far view. Must match `land.wgsl`.
const FAR_SIZE: f64 = 5.3;
const FAR_TURN: [DVec2; 2] = [
    DVec2::new(0.825_335_6, 0.564_642_5),
    DVec2::new(-0.564_642_5, 0.825_335_6),
];

impl LayerUniform {
    fn new(layer: &TerrainLayer, state: Option<&LayerState>, place: Vec2) -> Self {
        let tiles = 1.0 / f64::from(layer.tile.max(0.01));
        // Computed in `f64`, so that the pattern does not jump when another region of an endless terrain replaces this
        // one.
        let near = place.as_dvec2() * tiles;
        let far = (FAR_TURN[0] * near.x + FAR_TURN[1] * near.y) / FAR_SIZE;
        let of_tile = |tiles: DVec2| tiles.rem_euclid(DVec2::ONE).as_vec2();
        Self {
            average: state.map_or(Vec3::splat(0.18), |state| state.average),
            tiles_per_meter: tiles as f32,
            tint: layer.tint.to_linear().to_vec3(),
            is_made: state.map_or(0.0, |state| f32::from(state.is_ready())),
            near_offset: of_tile(near),
            far_offset: of_tile(far),
        }
    }
}

impl LandUniform {
    fn new(
        layers: &TerrainLayers,
        states: &[LayerState],
        water: Option<&Water>,
        ground: &TerrainSurface,
        cover: Option<&TerrainCover>,
        light: Option<&TerrainLight>,
        place: PlanePlace,
    ) -> Self {
        let mut uniforms = [LayerUniform::default(); 16];
        for (index, (uniform, layer)) in uniforms.iter_mut().zip(&layers.layers).enumerate() {
            *uniform = LayerUniform::new(layer, states.get(index), place.turned);
        }
        let tiles: f32 = uniforms.iter().map(|layer| layer.tiles_per_meter).sum();
        let texels = cover.map_or(UVec2::splat(2), |cover| {
            let size = cover.map().size();
            UVec2::new(size.width() as u32, size.height() as u32)
        });
        let [light_u, light_v] = light.map_or([Vec4::ZERO; 2], TerrainLight::rows);
        Self {
            layers: uniforms,
            light_u,
            light_v,
            extent: 2.0 * ground.surface().half_extent(),
            place: place.turned,
            last_texel: texels.as_vec2() - 1.0,
            sea_level: water.map_or(ground.water_level(), |water| water.surface_y(ground)),
            patch_size: layers.patches.max(1.0),
            wet_height: if water.is_some() { WET } else { 0.0 },
            patch_strength: f32::from(layers.patches > 0.0),
            tiles_per_meter: tiles / layers.layers.len().max(1) as f32,
            luminance: light.map_or(0.0, TerrainLight::luminance),
        }
    }
}

/// Height above the sea in meters up to which waves wet the terrain.
const WET: f32 = 0.45;

/// The material that all chunks of a terrain share. On the terrain's entity.
#[derive(Component)]
pub(crate) struct DefaultTerrainMaterialHandle(Handle<DefaultTerrainMaterial>);

pub(crate) fn plugin(app: &mut App) {
    app.add_plugins(MaterialPlugin::<DefaultTerrainMaterial>::default())
        .register_type::<TerrainLight>()
        .add_systems(
            PostUpdate,
            (add_materials, update_land, assign_chunk_materials)
                .chain()
                .in_set(TerrainSystems::Present)
                .after(crate::cover::receive_covers)
                .after(crate::land::textures::go_on),
        );
    removed_with_terrain::<DefaultTerrainMaterialHandle>(app);
}

/// Creates a material for each new terrain.
fn add_materials(
    mut commands: Commands,
    mut materials: ResMut<Assets<DefaultTerrainMaterial>>,
    terrains: Query<Entity, (With<Terrain>, Without<DefaultTerrainMaterialHandle>)>,
) {
    for entity in &terrains {
        let material = DefaultTerrainMaterial {
            base: StandardMaterial {
                // Soil is less reflective than plastic, which Bevy's default stands for.
                reflectance: 0.18,
                ..default()
            },
            extension: DefaultTerrainExtension::default(),
        };
        let look = DefaultTerrainMaterialHandle(materials.add(material));
        with_terrain(&mut commands, entity, |mut terrain| {
            terrain.insert(look);
        });
    }
}

type Looks = (
    Entity,
    Ref<'static, EffectiveLayers>,
    Option<Ref<'static, Water>>,
    Ref<'static, TerrainSurface>,
    Ref<'static, DefaultTerrainMaterialHandle>,
    Option<Ref<'static, TerrainCover>>,
    Option<&'static CoverTextures>,
    Option<Ref<'static, TerrainLight>>,
    Option<&'static PlanePlace>,
);

/// Updates each terrain's material when its layers, their textures, its cover, water, surface or light changes.
fn update_land(
    mut materials: ResMut<Assets<DefaultTerrainMaterial>>,
    textures: Res<LayerTextures>,
    adapter: Option<Res<RenderAdapterInfo>>,
    mut drained: RemovedComponents<Water>,
    terrains: Query<Looks>,
) {
    let drained: Vec<Entity> = drained.read().collect();
    for (entity, layers, water, ground, look, cover, images, light, place) in &terrains {
        let glow = light.as_ref().map(|light| &light.image);
        let is_lit_otherwise = light.as_ref().is_some_and(DetectChanges::is_changed)
            || materials
                .get(&look.0)
                .is_some_and(|material| material.base.emissive_texture.as_ref() != glow);
        let is_new = layers.is_changed()
            || ground.is_changed()
            || look.is_added()
            || textures.is_changed()
            || is_lit_otherwise
            || cover.as_ref().is_some_and(DetectChanges::is_changed);
        let is_water_changed =
            water.as_ref().is_some_and(DetectChanges::is_changed) || drained.contains(&entity);
        if !is_new && !is_water_changed {
            continue;
        }
        let set = textures.of(&layers);
        let states = set.map_or(&[][..], |set| &set.layers);
        let land = LandUniform::new(
            &layers,
            states,
            water.as_deref(),
            &ground,
            cover.as_deref(),
            light.as_deref(),
            place.copied().unwrap_or_default(),
        );
        let extension = DefaultTerrainExtension {
            land,
            colors: set.map(|set| set.color.clone()),
            materials: set.map(|set| set.material.clone()),
            control: images.map(|images| images.layers.clone()),
            relief: images.map(|images| images.relief.clone()),
            quality: layers.quality,
            is_software: adapter.as_deref().is_some_and(is_software),
            is_covered: images.is_some(),
            has_caustics: water.is_some() && layers.quality != LayerQuality::Low,
            is_lit: light.is_some(),
        };
        // The component of a sea that mirrors the sky changes every frame, but this material does not. It is only
        // marked as changed if it differs.
        let is_other =
            |material: &DefaultTerrainMaterial| is_new || material.extension != extension;
        if materials.get(&look.0).is_some_and(is_other)
            && let Some(mut material) = materials.get_mut(&look.0)
        {
            material.base.emissive_texture = glow.cloned();
            material.extension = extension;
        }
    }
}

/// Assigns the default material to the chunks of terrains without a `TerrainMaterial`, and removes it from the
/// others.
fn assign_chunk_materials(
    mut commands: Commands,
    chunks: Query<(
        Entity,
        &TerrainChunk,
        Has<MeshMaterial3d<DefaultTerrainMaterial>>,
    )>,
    looks: Query<(&DefaultTerrainMaterialHandle, Has<OwnMaterial>)>,
) {
    for (entity, chunk, dressed) in &chunks {
        let Ok((look, own)) = looks.get(chunk.terrain) else {
            continue;
        };
        match (own, dressed) {
            (false, false) => {
                let material = MeshMaterial3d(look.0.clone());
                commands.entity(entity).try_insert(material);
            }
            (true, true) => {
                commands
                    .entity(entity)
                    .try_remove::<MeshMaterial3d<DefaultTerrainMaterial>>();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_layout_fits_webgl2() {
        assert_eq!(LandUniform::min_size().get(), 16 * 48 + 32 + 48);
    }
}
