//! The water material, and its uniforms.

use bevy::{
    mesh::MeshVertexBufferLayoutRef,
    pbr::{ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline},
    prelude::*,
    render::render_resource::{
        AsBindGroup, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError,
    },
    shader::ShaderRef,
};

use super::neighbors::Seas;
use crate::{
    ground::TerrainSurface,
    ground_light::TerrainLight,
    region::PlanePlace,
    water::{TRAINS, Train, Water, WaveField, texels},
};

/// The water material: Bevy's standard material with [`WaterExtension`].
pub type WaterMaterial = ExtendedMaterial<StandardMaterial, WaterExtension>;

/// The extension of Bevy's standard material for water. The plugin updates it from [`Water`] and
/// [`TerrainLight`].
#[derive(Asset, TypePath, AsBindGroup, Debug, Clone)]
#[bind_group_data(WaterKey)]
pub struct WaterExtension {
    #[uniform(100)]
    pub(super) water: WaterUniform,
    /// The height texture of the terrain, in meters.
    #[texture(101, filterable = false)]
    pub(super) ground: Handle<Image>,
    has_waves: bool,
    /// Whether the mesh is a river or lake with its own depth and flow, instead of a sea.
    is_inland: bool,
    /// Whether the material reads and refracts the scene behind it instead of blending.
    pub(super) refracts: bool,
    /// Whether an image lights the water.
    is_lit: bool,
}

impl WaterExtension {
    pub(super) fn new(
        water: &Water,
        surface: &TerrainSurface,
        place: Option<&PlanePlace>,
        ground: Handle<Image>,
    ) -> Self {
        Self {
            water: WaterUniform::new(water, surface, place),
            ground,
            has_waves: water.waves.are_any(),
            is_inland: false,
            refracts: false,
            is_lit: false,
        }
    }

    pub(super) fn into_material(self) -> WaterMaterial {
        WaterMaterial {
            base: StandardMaterial {
                alpha_mode: AlphaMode::Blend,
                // The surface is also visible from below.
                cull_mode: None,
                // The reflectance of water at normal incidence, 0.02, on Bevy's scale.
                reflectance: 0.35,
                ..default()
            },
            extension: self,
        }
    }

    /// Sets or removes the image that lights the water.
    pub(super) fn set_light(&mut self, light: Option<&TerrainLight>) {
        let lit = Lit::by(light);
        [self.water.light_u, self.water.light_v] = lit.rows;
        self.water.luminance = lit.luminance;
        self.is_lit = lit.is_lit;
    }

    /// Whether the extension already has this light. Callers test this first, because writing to a
    /// material uploads it again.
    pub(super) fn has_light(&self, light: Option<&TerrainLight>) -> bool {
        let now = Lit {
            is_lit: self.is_lit,
            rows: [self.water.light_u, self.water.light_v],
            luminance: self.water.luminance,
        };
        now == Lit::by(light)
    }

    /// The extension for the rivers and lakes of the same terrain.
    pub(super) fn inland(self) -> Self {
        Self {
            has_waves: false,
            is_inland: true,
            ..self
        }
    }
}

/// Lighting by an image.
#[derive(PartialEq)]
struct Lit {
    is_lit: bool,
    rows: [Vec4; 2],
    luminance: f32,
}

impl Lit {
    fn by(light: Option<&TerrainLight>) -> Self {
        Self {
            is_lit: light.is_some(),
            rows: light.map_or([Vec4::ZERO; 2], TerrainLight::rows),
            luminance: light.map_or(0.0, TerrainLight::luminance),
        }
    }
}

/// The pipeline key of the water shader.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WaterKey {
    /// Whether there are other seas. Most seas are alone and skip this test.
    has_neighbors: bool,
    /// Whether waves move the surface.
    has_waves: bool,
    is_inland: bool,
    refracts: bool,
    is_lit: bool,
}

impl From<&WaterExtension> for WaterKey {
    fn from(material: &WaterExtension) -> Self {
        Self {
            has_neighbors: material.water.seas.are_several(),
            has_waves: material.has_waves,
            is_inland: material.is_inland,
            refracts: material.refracts,
            is_lit: material.is_lit,
        }
    }
}

/// Must match `Water` in `sea.wgsl`. Each color shares its 16 bytes with the number after it,
/// because WebGL2 requires multiples of 16 bytes.
#[derive(ShaderType, Debug, Clone, Default)]
pub(super) struct WaterUniform {
    /// All colors are linear.
    shallow: Vec3,
    /// In meters, above 0.
    attenuation_distance: f32,
    deep: Vec3,
    ripples: f32,
    foam: Vec3,
    /// In meters.
    foam_depth: f32,
    horizon: Vec3,
    reflection: f32,
    zenith: Vec3,
    /// In meters, in the terrain's local space.
    level: f32,
    /// Half the size of the terrain along x and z, in meters.
    half_extent: Vec2,
    /// The resolution of the height texture along both axes.
    texels_per_meter: Vec2,
    /// Position of the terrain's center on the plane of the endless terrain, in meters. Procedural
    /// patterns are anchored to it.
    place: Vec2,
    /// 1 if the sea floor falls away at the border of the terrain, 0 if terrain continues beyond
    /// it.
    rim: f32,
    /// The extent of the sea, in meters.
    extent: f32,
    /// In 1/meter.
    sharpening: f32,
    /// In wavelengths.
    shoal: f32,
    /// The standard deviation of the wave height, in meters.
    deviation: f32,
    /// From 0 to 1.
    whitecaps: f32,
    /// The light scattered inside the water, linear.
    glimmer: Vec3,
    /// The luminance of white water in the full light of the image, in candela per square meter.
    luminance: f32,
    /// Maps a world position to a texture coordinate of that image.
    light_u: Vec4,
    light_v: Vec4,
    trains: [TrainUniform; TRAINS],
    /// The other seas. Empty by default.
    pub(super) seas: Seas,
}

impl MaterialExtension for WaterExtension {
    fn vertex_shader() -> ShaderRef {
        "embedded://lanternfell_terrain/shaders/water_vertex.wgsl".into()
    }

    fn fragment_shader() -> ShaderRef {
        "embedded://lanternfell_terrain/shaders/water.wgsl".into()
    }

    // Water reads the depth behind it, so it must not write its own depth in the prepass.
    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }

    fn specialize(
        _: &MaterialExtensionPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        key: MaterialExtensionKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        let key = key.bind_group_data;
        let defs = [
            (key.has_neighbors, "SEVERAL_SEAS"),
            (key.has_waves, "WAVES"),
            (key.is_inland, "INLAND"),
            (key.refracts, "REFRACTION"),
            (key.is_lit, "LIT_BY_IMAGE"),
        ];
        let defs = || defs.iter().filter(|(is_set, _)| *is_set);
        // For both stages: the vertex shader displaces the waves, and both use the same uniform
        // struct.
        let stages = [
            Some(&mut descriptor.vertex.shader_defs),
            descriptor
                .fragment
                .as_mut()
                .map(|stage| &mut stage.shader_defs),
        ];
        for stage in stages.into_iter().flatten() {
            stage.extend(defs().map(|(_, name)| (*name).into()));
        }
        Ok(())
    }
}

/// Must match `Train` in `waves.wgsl`.
#[derive(ShaderType, Debug, Clone, Copy, Default)]
struct TrainUniform {
    turns: Vec2,
    frequency: f32,
    phase: f32,
    amplitude: f32,
    length: f32,
    unused: Vec2,
}

impl From<Train> for TrainUniform {
    fn from(train: Train) -> Self {
        Self {
            // Rounded to `f32` only here, because the CPU evaluates waves from the `f64` values.
            turns: train.turns.as_vec2(),
            frequency: train.frequency as f32,
            phase: train.phase as f32,
            amplitude: train.amplitude as f32,
            length: train.length as f32,
            unused: Vec2::ZERO,
        }
    }
}

impl WaterUniform {
    pub(super) fn new(water: &Water, ground: &TerrainSurface, place: Option<&PlanePlace>) -> Self {
        let linear = |color: Color| color.to_linear().to_vec3();
        let waves = WaveField::new(&water.waves, place);
        let half_extent = ground.surface().half_extent();
        // The first and last texel centers are on the border of the terrain, so there is one
        // interval less than texels.
        let texels = texels(ground).as_vec2() - 1.0;
        Self {
            shallow: linear(water.shallow),
            // The shader divides by this and by `deviation`.
            attenuation_distance: water.attenuation_distance.max(0.01),
            deep: linear(water.deep),
            ripples: water.ripples,
            foam: linear(water.foam),
            foam_depth: water.foam_depth,
            horizon: linear(water.horizon),
            reflection: water.reflection,
            zenith: linear(water.zenith),
            level: water.surface_y(ground),
            half_extent,
            texels_per_meter: texels / (2.0 * half_extent),
            place: place.map_or(Vec2::ZERO, |place| place.turned),
            // A region of an endless terrain continues in its neighbors. Around a single terrain
            // the sea floor falls away.
            rim: if place.is_none() { 1.0 } else { 0.0 },
            extent: water.extent,
            sharpening: waves.sharpening,
            shoal: waves.shoal,
            deviation: waves.deviation.max(1e-4),
            whitecaps: water.waves.whitecaps,
            glimmer: water.glimmer(),
            luminance: 0.0,
            light_u: Vec4::ZERO,
            light_v: Vec4::ZERO,
            trains: waves.trains.map(TrainUniform::from),
            seas: Seas::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_layout_fits_webgl2() {
        assert_eq!(WaterUniform::min_size().get(), 880);
    }
}
