//! How the land looks: the material that lays its layers.

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
    cover::{CoverTextures, GroundCover},
    ground::{Terrain, TerrainSurface, removed_with_terrain, with_terrain},
    ground_light::GroundLight,
    land::{
        chunk::TerrainChunk,
        custom_material::OwnMaterial,
        textures::{LayerState, LayerTextures, is_software},
    },
    layers::{GroundLayer, LaidLayers, LayerQuality, TerrainLayers},
    systems::TerrainSystems,
    water::Water,
    window::PlanePlace,
};

/// The material of land: Bevy's standard material, with the layers of [`LandExtension`].
pub type LandMaterial = ExtendedMaterial<StandardMaterial, LandExtension>;

/// What the land's shader adds to Bevy's standard material. Kept up to date from
/// [`TerrainLayers`] and [`Water`].
#[derive(Asset, TypePath, AsBindGroup, Debug, Clone, Default, PartialEq)]
#[bind_group_data(LandKey)]
pub struct LandExtension {
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

/// What the land's shader is compiled for.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LandKey {
    quality: LayerQuality,
    /// Whether a processor draws.
    is_software: bool,
    /// Whether the control map is there.
    is_covered: bool,
    /// Whether there is a net of light on the sea's bed.
    has_caustics: bool,
    /// Whether light from an image falls on it.
    is_lit: bool,
}

impl From<&LandExtension> for LandKey {
    fn from(material: &LandExtension) -> Self {
        Self {
            quality: material.quality,
            is_software: material.is_software,
            is_covered: material.is_covered,
            has_caustics: material.has_caustics,
            is_lit: material.is_lit,
        }
    }
}

/// As `Layer` in `land.wgsl`. Each color shares its 16 bytes with the number after it, and
/// WebGL2 takes only whole sixteens.
#[derive(ShaderType, Debug, Clone, Copy, Default, PartialEq)]
struct LayerUniform {
    /// Linear.
    average: Vec3,
    tiles_per_meter: f32,
    tint: Vec3,
    is_made: f32,
    near_offset: Vec2,
    far_offset: Vec2,
}

/// As `Land` in `land.wgsl`.
#[derive(ShaderType, Debug, Clone, Default, PartialEq)]
struct LandUniform {
    layers: [LayerUniform; 16],
    /// From a place in the world to that on the image of light.
    light_u: Vec4,
    light_v: Vec4,
    /// Of the whole land along x and z, in metres.
    extent: Vec2,
    /// Of the middle of the land on the plane that patterns are strewn over, in metres.
    place: Vec2,
    last_texel: Vec2,
    /// Metres, in the terrain's frame.
    sea_level: f32,
    /// Metres.
    patch_size: f32,
    /// Metres.
    wet_height: f32,
    patch_strength: f32,
    /// The mean of all layers.
    tiles_per_meter: f32,
    /// Of full light, in candela per square metre.
    luminance: f32,
}

impl MaterialExtension for LandExtension {
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

/// How much larger a texture is in the far sight, and how it is turned there: as in `land.wgsl`.
const FAR_SIZE: f64 = 5.3;
const FAR_TURN: [DVec2; 2] = [
    DVec2::new(0.825_335_6, 0.564_642_5),
    DVec2::new(-0.564_642_5, 0.825_335_6),
];

impl LayerUniform {
    fn new(layer: &GroundLayer, state: Option<&LayerState>, place: Vec2) -> Self {
        let tiles = 1.0 / f64::from(layer.tile.max(0.01));
        // In `f64`: so that nothing jumps where another window of endless ground takes the place of this one.
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
        water: &Water,
        ground: &TerrainSurface,
        cover: Option<&GroundCover>,
        light: Option<&GroundLight>,
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
        let [light_u, light_v] = light.map_or([Vec4::ZERO; 2], GroundLight::rows);
        Self {
            layers: uniforms,
            light_u,
            light_v,
            extent: 2.0 * ground.surface().half_extent(),
            place: place.turned,
            last_texel: texels.as_vec2() - 1.0,
            sea_level: water.surface_y(ground),
            patch_size: layers.patches.max(1.0),
            wet_height: if water.shown { WET } else { 0.0 },
            patch_strength: f32::from(layers.patches > 0.0),
            tiles_per_meter: tiles / layers.layers.len().max(1) as f32,
            luminance: light.map_or(0.0, GroundLight::luminance),
        }
    }
}

/// Metres above the sea up to which waves wet the ground.
const WET: f32 = 0.45;

/// On a terrain's entity: the material that all its chunks share.
#[derive(Component)]
pub(crate) struct LandMaterialHandle(Handle<LandMaterial>);

pub(crate) fn plugin(app: &mut App) {
    app.add_plugins(MaterialPlugin::<LandMaterial>::default())
        .register_type::<GroundLight>()
        .add_systems(
            Update,
            (add_materials, update_land, assign_chunk_materials)
                .chain()
                .in_set(TerrainSystems::Present)
                .after(crate::cover::receive_covers)
                .after(crate::land::textures::go_on),
        );
    removed_with_terrain::<LandMaterialHandle>(app);
}

/// Makes a material for every new terrain.
fn add_materials(
    mut commands: Commands,
    mut materials: ResMut<Assets<LandMaterial>>,
    terrains: Query<Entity, (With<Terrain>, Without<LandMaterialHandle>)>,
) {
    for entity in &terrains {
        let material = LandMaterial {
            base: StandardMaterial {
                // Soil shines less than the default's plastic.
                reflectance: 0.18,
                ..default()
            },
            extension: LandExtension::default(),
        };
        let look = LandMaterialHandle(materials.add(material));
        with_terrain(&mut commands, entity, |mut terrain| {
            terrain.insert(look);
        });
    }
}

type Looks = (
    Ref<'static, LaidLayers>,
    Ref<'static, Water>,
    Ref<'static, TerrainSurface>,
    Ref<'static, LandMaterialHandle>,
    Option<Ref<'static, GroundCover>>,
    Option<&'static CoverTextures>,
    Option<Ref<'static, GroundLight>>,
    Option<&'static PlanePlace>,
);

/// Keeps each terrain's material in step with its layers, their textures, its cover, its water, its ground and the light
/// on it.
fn update_land(
    mut materials: ResMut<Assets<LandMaterial>>,
    textures: Res<LayerTextures>,
    adapter: Option<Res<RenderAdapterInfo>>,
    terrains: Query<Looks>,
) {
    for (layers, water, ground, look, cover, images, light, place) in &terrains {
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
        if !is_new && !water.is_changed() {
            continue;
        }
        let set = textures.of(&layers);
        let states = set.map_or(&[][..], |set| &set.layers);
        let land = LandUniform::new(
            &layers,
            states,
            &water,
            &ground,
            cover.as_deref(),
            light.as_deref(),
            place.copied().unwrap_or_default(),
        );
        let extension = LandExtension {
            land,
            colors: set.map(|set| set.color.clone()),
            materials: set.map(|set| set.material.clone()),
            control: images.map(|images| images.layers.clone()),
            relief: images.map(|images| images.relief.clone()),
            quality: layers.quality,
            is_software: adapter.as_deref().is_some_and(is_software),
            is_covered: images.is_some(),
            has_caustics: water.shown && layers.quality != LayerQuality::Low,
            is_lit: light.is_some(),
        };
        // A sea that mirrors the sky changes in each frame, and its land does not.
        let is_other = |material: &LandMaterial| is_new || material.extension != extension;
        if materials.get(&look.0).is_some_and(is_other)
            && let Some(mut material) = materials.get_mut(&look.0)
        {
            material.base.emissive_texture = glow.cloned();
            material.extension = extension;
        }
    }
}

/// Gives the plugin's own material to chunks whose terrain has none of its own, and takes it off the others.
fn assign_chunk_materials(
    mut commands: Commands,
    chunks: Query<(Entity, &TerrainChunk, Has<MeshMaterial3d<LandMaterial>>)>,
    looks: Query<(&LandMaterialHandle, Has<OwnMaterial>)>,
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
                    .try_remove::<MeshMaterial3d<LandMaterial>>();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_uniform_fits_webgl2() {
        assert_eq!(LandUniform::min_size().get(), 16 * 48 + 32 + 48);
    }
}
