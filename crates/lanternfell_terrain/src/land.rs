//! How the land looks: the material that lays its colors by height and slope.

use bevy::{
    asset::embedded_asset,
    pbr::{ExtendedMaterial, MaterialExtension},
    prelude::*,
    render::render_resource::{AsBindGroup, ShaderType},
    shader::{ShaderRef, load_shader_library},
};

use crate::{
    chunk::TerrainChunk,
    colors::TerrainColors,
    endless::PlanePlace,
    material::OwnMaterial,
    surface::TerrainSurface,
    systems::TerrainSystems,
    terrain::{Terrain, with_terrain},
    water::Water,
};

/// The material of land: Bevy's standard material, colored by [`LandExtension`].
pub type LandMaterial = ExtendedMaterial<StandardMaterial, LandExtension>;

/// What the land's shader adds to Bevy's standard material. Kept up to date from
/// [`TerrainColors`] and [`Water`].
#[derive(Asset, TypePath, AsBindGroup, Debug, Clone, Default)]
pub struct LandExtension {
    #[uniform(100)]
    land: LandUniform,
}

/// As `Land` in `land.wgsl`. Each color shares its 16 bytes with the number after it, and
/// WebGL2 takes only whole sixteens.
#[derive(ShaderType, Debug, Clone, Default)]
struct LandUniform {
    /// Colors are linear.
    sand: Vec3,
    /// Metres above the sea.
    sand_height: f32,
    grass: Vec3,
    /// Metres, in the terrain's frame.
    sea_level: f32,
    meadow: Vec3,
    /// Metres, in the terrain's frame.
    snow_line: f32,
    rock: Vec3,
    /// Of the angle to the horizontal.
    rock_slope_cosine: f32,
    snow: Vec3,
    /// Metres, at least 1.
    patch_size: f32,
    /// Of the whole land along x and z, in metres.
    extent: Vec2,
    /// Of the middle of the land on the plane that patterns are strewn over, in metres.
    place: Vec2,
}

impl MaterialExtension for LandExtension {
    fn fragment_shader() -> ShaderRef {
        "embedded://lanternfell_terrain/shaders/land.wgsl".into()
    }

    fn deferred_fragment_shader() -> ShaderRef {
        Self::fragment_shader()
    }
}

impl LandUniform {
    fn new(
        colors: &TerrainColors,
        water: &Water,
        ground: &TerrainSurface,
        place: PlanePlace,
    ) -> Self {
        let linear = |color: Color| color.to_linear().to_vec3();
        let relief = ground.surface().scale().relief;
        Self {
            sand: linear(colors.sand),
            sand_height: colors.sand_height,
            grass: linear(colors.grass),
            sea_level: water.surface_y(ground),
            meadow: linear(colors.meadow),
            snow_line: colors.snow_line * relief,
            rock: linear(colors.rock),
            rock_slope_cosine: colors.rock_slope.to_radians().cos(),
            snow: linear(colors.snow),
            patch_size: colors.patches.max(1.0),
            extent: 2.0 * ground.surface().half_extent(),
            place: place.0,
        }
    }
}

/// On a terrain's entity: the material that all its chunks share.
#[derive(Component)]
pub(crate) struct LandMaterialHandle(Handle<LandMaterial>);

pub(crate) fn plugin(app: &mut App) {
    load_shader_library!(app, "shaders/noise.wgsl");
    embedded_asset!(app, "shaders/land.wgsl");
    app.add_plugins(MaterialPlugin::<LandMaterial>::default())
        .add_systems(
            Update,
            (add_materials, update_land, assign_chunk_materials)
                .chain()
                .in_set(TerrainSystems::Present),
        );
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

type LooksChanged = Or<(
    Changed<TerrainSurface>,
    Changed<TerrainColors>,
    Changed<Water>,
    Added<LandMaterialHandle>,
)>;

/// Keeps each terrain's material in step with its colors, its water and its ground.
fn update_land(
    mut materials: ResMut<Assets<LandMaterial>>,
    terrains: Query<
        (
            &TerrainColors,
            &Water,
            &TerrainSurface,
            &LandMaterialHandle,
            Option<&PlanePlace>,
        ),
        LooksChanged,
    >,
) {
    for (colors, water, ground, look, place) in &terrains {
        let place = place.copied().unwrap_or_default();
        if let Some(mut material) = materials.get_mut(&look.0) {
            material.extension.land = LandUniform::new(colors, water, ground, place);
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
        assert_eq!(LandUniform::min_size().get(), 96);
    }
}
