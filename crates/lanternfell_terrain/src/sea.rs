//! The drawn sea: one level surface, and the material that draws it.

mod heights;
mod neighbors;

use bevy::{
    asset::embedded_asset,
    camera::visibility::VisibilitySystems,
    light::NotShadowCaster,
    mesh::MeshVertexBufferLayoutRef,
    pbr::{ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline},
    prelude::*,
    render::render_resource::{
        AsBindGroup, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError,
    },
    shader::ShaderRef,
};

pub(crate) use heights::{HeightStrips, HeightTexels};
use neighbors::Seas;

use crate::{
    endless::PlanePlace, surface::TerrainSurface, systems::TerrainSystems, terrain::Terrain,
    water::Water,
};

/// The material of water: Bevy's standard material, extended by [`WaterExtension`].
pub type WaterMaterial = ExtendedMaterial<StandardMaterial, WaterExtension>;

/// What the water's shader adds to Bevy's standard material. Kept up to date from
/// [`Water`].
#[derive(Asset, TypePath, AsBindGroup, Debug, Clone)]
#[bind_group_data(WaterKey)]
pub struct WaterExtension {
    #[uniform(100)]
    water: WaterUniform,
    /// The height of the ground in metres.
    #[texture(101, filterable = false)]
    ground: Handle<Image>,
}

/// What the water's shader is compiled for.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WaterKey {
    /// Whether there are other seas: most are alone, and need not look around.
    has_neighbors: bool,
}

impl From<&WaterExtension> for WaterKey {
    fn from(material: &WaterExtension) -> Self {
        Self {
            has_neighbors: material.water.seas.are_several(),
        }
    }
}

/// As `Water` in `water.wgsl`. Each color shares its 16 bytes with the number after it, and
/// WebGL2 takes only whole sixteens.
#[derive(ShaderType, Debug, Clone, Default)]
struct WaterUniform {
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
    unused: f32,
    /// Who else is there; nobody, until it is told.
    seas: Seas,
}

impl MaterialExtension for WaterExtension {
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
        if key.bind_group_data.has_neighbors
            && let Some(fragment) = &mut descriptor.fragment
        {
            fragment.shader_defs.push("SEVERAL_SEAS".into());
        }
        Ok(())
    }
}

impl WaterUniform {
    fn new(water: &Water, ground: &TerrainSurface, place: Option<&PlanePlace>) -> Self {
        let linear = |color: Color| color.to_linear().to_vec3();
        let half_extent = ground.surface().half_extent();
        let texels = heights::image_size(&ground.surface()).as_vec2() - 1.0;
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
            place: place.map_or(Vec2::ZERO, |place| place.0),
            rim: if place.is_none() { 1.0 } else { 0.0 },
            unused: 0.0,
            seas: Seas::default(),
        }
    }
}

/// On a terrain's entity: the heights of its ground as an image.
#[derive(Component)]
pub(crate) struct HeightImage(pub(crate) Handle<Image>);

/// The drawn surface of a terrain's water, a child of that terrain.
#[derive(Component)]
pub(crate) struct WaterSurface {
    terrain: Entity,
}

pub(crate) fn plugin(app: &mut App) {
    embedded_asset!(app, "shaders/water.wgsl");
    app.add_plugins((MaterialPlugin::<WaterMaterial>::default(), heights::plugin))
        .add_systems(
            Update,
            (spawn_water, update_water, despawn_orphans)
                .chain()
                .in_set(TerrainSystems::Present),
        )
        .add_systems(
            PostUpdate,
            neighbors::tell_neighbors
                .after(TransformSystems::Propagate)
                .after(VisibilitySystems::VisibilityPropagate),
        )
        .add_observer(despawn_water);
}

/// Gives every terrain whose ground is complete a surface of water.
fn spawn_water(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<WaterMaterial>>,
    terrains: Query<
        (
            Entity,
            &HeightImage,
            &Water,
            &TerrainSurface,
            Option<&PlanePlace>,
        ),
        Added<HeightImage>,
    >,
) {
    for (terrain, image, water, ground, on_plane) in &terrains {
        let material = WaterMaterial {
            base: StandardMaterial {
                alpha_mode: AlphaMode::Blend,
                // Seen from below as well.
                cull_mode: None,
                // The reflectance of water at a right angle, 0.02, in Bevy's scale.
                reflectance: 0.35,
                ..default()
            },
            extension: WaterExtension {
                water: WaterUniform::new(water, ground, on_plane),
                ground: image.0.clone(),
            },
        };
        commands.spawn((
            WaterSurface { terrain },
            Mesh3d(meshes.add(Plane3d::new(Vec3::Y, Vec2::ONE))),
            MeshMaterial3d(materials.add(material)),
            NotShadowCaster,
            place(water, ground),
            visibility(water),
            ChildOf(terrain),
        ));
    }
}

type WaterChanged = Or<(
    Changed<HeightImage>,
    Changed<Water>,
    Changed<TerrainSurface>,
)>;

/// Keeps the surface in step with its [`Water`] and with the ground below it.
fn update_water(
    mut materials: ResMut<Assets<WaterMaterial>>,
    terrains: Query<
        (
            &Water,
            &TerrainSurface,
            &HeightImage,
            &Children,
            Option<&PlanePlace>,
        ),
        WaterChanged,
    >,
    mut surfaces: Query<
        (
            &MeshMaterial3d<WaterMaterial>,
            &mut Transform,
            &mut Visibility,
        ),
        With<WaterSurface>,
    >,
) {
    for (water, ground, image, children, on_plane) in &terrains {
        for &child in children {
            let Ok((material, mut transform, mut shown)) = surfaces.get_mut(child) else {
                continue;
            };
            if let Some(mut material) = materials.get_mut(&material.0) {
                let seas = material.extension.water.seas;
                material.extension.water = WaterUniform {
                    seas,
                    ..WaterUniform::new(water, ground, on_plane)
                };
                material.extension.ground = image.0.clone();
            }
            *transform = place(water, ground);
            *shown = visibility(water);
        }
    }
}

/// The mesh is a square of two metres; its transform makes it the sea.
///
/// The shader asks the terrain's frame where it is, so only the height may move it: the
/// extent is a scale along x and z that the shader takes out again.
fn place(water: &Water, ground: &TerrainSurface) -> Transform {
    Transform::from_xyz(0.0, water.surface_y(ground), 0.0).with_scale(Vec3::new(
        water.extent,
        1.0,
        water.extent,
    ))
}

fn visibility(water: &Water) -> Visibility {
    if water.shown {
        Visibility::Inherited
    } else {
        Visibility::Hidden
    }
}

/// The [`Terrain`] was taken from its entity: its sea goes too.
fn despawn_water(
    remove: On<Remove, Terrain>,
    surfaces: Query<(Entity, &WaterSurface)>,
    mut commands: Commands,
) {
    for (entity, surface) in &surfaces {
        if surface.terrain == remove.entity {
            commands.entity(entity).try_despawn();
        }
    }
}

/// Clears away a sea whose terrain was taken away by a command of the frame in which it was spawned.
fn despawn_orphans(
    mut commands: Commands,
    terrains: Query<(), With<Terrain>>,
    surfaces: Query<(Entity, &WaterSurface)>,
) {
    for (entity, surface) in &surfaces {
        if !terrains.contains(surface.terrain) {
            commands.entity(entity).try_despawn();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_uniform_fits_webgl2() {
        assert_eq!(WaterUniform::min_size().get(), 560);
    }
}
