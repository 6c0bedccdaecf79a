//! The material that draws a sea, and what its shaders know.

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
    ground_light::GroundLight,
    water::{TRAINS, Train, Water, WaveField, texels},
    window::PlanePlace,
};

/// The material of water: Bevy's standard material, extended by [`WaterExtension`].
pub type WaterMaterial = ExtendedMaterial<StandardMaterial, WaterExtension>;

/// What the water's shader adds to Bevy's standard material. Kept up to date from
/// [`Water`] and [`GroundLight`].
#[derive(Asset, TypePath, AsBindGroup, Debug, Clone)]
#[bind_group_data(WaterKey)]
pub struct WaterExtension {
    #[uniform(100)]
    pub(super) water: WaterUniform,
    /// The height of the ground in metres.
    #[texture(101, filterable = false)]
    pub(super) ground: Handle<Image>,
    has_waves: bool,
    /// Whether it is drawn as a mesh that knows its depth and how it flows, and not as a sea.
    is_inland: bool,
    /// Whether what is behind it is read and bent, and not blended with.
    pub(super) refracts: bool,
    /// Whether an image throws light on it.
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
                // Seen from below as well.
                cull_mode: None,
                // The reflectance of water at a right angle, 0.02, in Bevy's scale.
                reflectance: 0.35,
                ..default()
            },
            extension: self,
        }
    }

    /// Lights it by an image, or does no longer.
    pub(super) fn set_light(&mut self, light: Option<&GroundLight>) {
        let lit = Lit::by(light);
        [self.water.light_u, self.water.light_v] = lit.rows;
        self.water.luminance = lit.luminance;
        self.is_lit = lit.is_lit;
    }

    /// Whether it is lit so already.
    pub(super) fn has_light(&self, light: Option<&GroundLight>) -> bool {
        let now = Lit {
            is_lit: self.is_lit,
            rows: [self.water.light_u, self.water.light_v],
            luminance: self.water.luminance,
        };
        now == Lit::by(light)
    }

    /// Of the rivers and lakes of the same land.
    pub(super) fn inland(self) -> Self {
        Self {
            has_waves: false,
            is_inland: true,
            ..self
        }
    }
}

/// How an image lights it.
#[derive(PartialEq)]
struct Lit {
    is_lit: bool,
    rows: [Vec4; 2],
    luminance: f32,
}

impl Lit {
    fn by(light: Option<&GroundLight>) -> Self {
        Self {
            is_lit: light.is_some(),
            rows: light.map_or([Vec4::ZERO; 2], GroundLight::rows),
            luminance: light.map_or(0.0, GroundLight::luminance),
        }
    }
}

/// What the water's shader is compiled for.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WaterKey {
    /// Whether there are other seas: most are alone, and need not look around.
    has_neighbors: bool,
    /// Whether its surface moves.
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

/// As `Water` in `sea.wgsl`. Each color shares its 16 bytes with the number after it, and
/// WebGL2 takes only whole sixteens.
#[derive(ShaderType, Debug, Clone, Default)]
pub(super) struct WaterUniform {
    /// Colors are linear.
    shallow: Vec3,
    /// Metres, above 0.
    attenuation_distance: f32,
    deep: Vec3,
    ripples: f32,
    foam: Vec3,
    /// Metres.
    foam_depth: f32,
    horizon: Vec3,
    reflection: f32,
    zenith: Vec3,
    /// Metres, in the terrain's frame.
    level: f32,
    /// Of the land along x and z, in metres.
    half_extent: Vec2,
    /// Of the height image, along both.
    texels_per_meter: Vec2,
    /// Of the middle of the land on the plane that patterns are strewn over, in metres.
    place: Vec2,
    /// How deep the sea seems along the border of the land: 1, or 0 where land goes on beyond.
    rim: f32,
    /// How far the sea reaches, in metres.
    extent: f32,
    /// One divided by metres.
    sharpening: f32,
    /// In wavelengths.
    shoal: f32,
    /// Of the waves' height, in metres.
    deviation: f32,
    /// From 0 to 1.
    whitecaps: f32,
    /// Of the water seen from within, linear.
    glimmer: Vec3,
    /// Of white water in the full light of an image, in candela per square metre.
    luminance: f32,
    /// From a place in the world to that image.
    light_u: Vec4,
    light_v: Vec4,
    trains: [TrainUniform; TRAINS],
    /// Who else is there; nobody, until it is told.
    pub(super) seas: Seas,
}

impl MaterialExtension for WaterExtension {
    fn vertex_shader() -> ShaderRef {
        "embedded://lanternfell_terrain/shaders/water_vertex.wgsl".into()
    }

    fn fragment_shader() -> ShaderRef {
        "embedded://lanternfell_terrain/shaders/water.wgsl".into()
    }

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

/// As `Train` in `waves.wgsl`.
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
        let texels = texels(ground).as_vec2() - 1.0;
        Self {
            shallow: linear(water.shallow),
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
    fn the_uniform_fits_webgl2() {
        assert_eq!(WaterUniform::min_size().get(), 880);
    }
}
