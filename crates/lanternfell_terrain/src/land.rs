//! How the land looks: its colours, and the material that lays them by height and slope.

use bevy::{
    asset::embedded_asset,
    pbr::{ExtendedMaterial, MaterialExtension},
    prelude::*,
    render::render_resource::{AsBindGroup, ShaderType},
    shader::{ShaderRef, load_shader_library},
};

use crate::{Ground, Terrain, TerrainChunk, TerrainSystems, Water, terrain::with_terrain};

/// Sand, grass, rock and snow, and where each of them lies. A change shows at once.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct TerrainColours {
    /// The beach and the sea floor.
    pub sand: Color,
    /// The darker tone of the grass.
    pub grass: Color,
    /// The lighter tone of the grass.
    pub meadow: Color,
    /// Steep ground.
    pub rock: Color,
    /// The highest ground.
    pub snow: Color,
    /// Metres above the sea up to which sand lies.
    pub sand_height: f32,
    /// The slope in degrees from which there is rock instead of grass.
    pub rock_slope: f32,
    /// The height from which there is snow, from 0 to 1 on the map; above 1 for none.
    pub snow_line: f32,
    /// Metres across the largest patches of the two tones of grass.
    pub patches: f32,
}

impl Default for TerrainColours {
    fn default() -> Self {
        Self {
            sand: Color::srgb(0.74, 0.66, 0.48),
            grass: Color::srgb(0.18, 0.30, 0.10),
            meadow: Color::srgb(0.38, 0.42, 0.18),
            rock: Color::srgb(0.38, 0.36, 0.33),
            snow: Color::srgb(0.93, 0.95, 0.98),
            sand_height: 1.6,
            rock_slope: 39.0,
            snow_line: 0.82,
            patches: 42.0,
        }
    }
}

/// The material of land: Bevy's standard material, coloured by [`LandExtension`].
pub type LandMaterial = ExtendedMaterial<StandardMaterial, LandExtension>;

/// What the land's shader adds to Bevy's standard material. Kept up to date from
/// [`TerrainColours`] and [`Water`].
#[derive(Asset, TypePath, AsBindGroup, Debug, Clone, Default)]
pub struct LandExtension {
    #[uniform(100)]
    land: LandUniform,
}

/// As `Land` in `land.wgsl`, which says what each `w` holds.
#[derive(ShaderType, Debug, Clone, Default)]
struct LandUniform {
    sand: Vec4,
    grass: Vec4,
    meadow: Vec4,
    rock: Vec4,
    snow: Vec4,
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
    fn new(colours: &TerrainColours, water: &Water, ground: &Ground) -> Self {
        let linear = |colour: Color, w| colour.to_linear().to_vec3().extend(w);
        let relief = ground.surface().scale().relief;
        Self {
            sand: linear(colours.sand, colours.sand_height),
            grass: linear(colours.grass, water.surface_y(ground)),
            meadow: linear(colours.meadow, colours.snow_line * relief),
            rock: linear(colours.rock, colours.rock_slope.to_radians().cos()),
            snow: linear(colours.snow, colours.patches.max(1.0)),
        }
    }
}

/// On a terrain's entity: the material that all its chunks share.
#[derive(Component)]
pub(crate) struct LandLook(Handle<LandMaterial>);

pub(crate) fn plugin(app: &mut App) {
    load_shader_library!(app, "shaders/noise.wgsl");
    embedded_asset!(app, "shaders/land.wgsl");
    app.add_plugins(MaterialPlugin::<LandMaterial>::default())
        .add_systems(
            Update,
            (add_looks, colour_land, dress_chunks)
                .chain()
                .in_set(TerrainSystems::Present),
        );
}

/// Makes a material for every new terrain.
fn add_looks(
    mut commands: Commands,
    mut materials: ResMut<Assets<LandMaterial>>,
    terrains: Query<Entity, (With<Terrain>, Without<LandLook>)>,
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
        let look = LandLook(materials.add(material));
        with_terrain(&mut commands, entity, |mut terrain| {
            terrain.insert(look);
        });
    }
}

type LooksChanged = Or<(
    Changed<Ground>,
    Changed<TerrainColours>,
    Changed<Water>,
    Added<LandLook>,
)>;

/// Keeps each terrain's material in step with its colours, its water and its ground.
fn colour_land(
    mut materials: ResMut<Assets<LandMaterial>>,
    terrains: Query<(&TerrainColours, &Water, &Ground, &LandLook), LooksChanged>,
) {
    for (colours, water, ground, look) in &terrains {
        if let Some(mut material) = materials.get_mut(&look.0) {
            material.extension.land = LandUniform::new(colours, water, ground);
        }
    }
}

/// Gives the terrain's material to every new chunk. Once: another may take its place.
fn dress_chunks(
    mut commands: Commands,
    fresh: Query<(Entity, &TerrainChunk), Added<TerrainChunk>>,
    looks: Query<&LandLook>,
) {
    for (entity, chunk) in &fresh {
        if let Ok(look) = looks.get(chunk.terrain) {
            commands
                .entity(entity)
                .try_insert(MeshMaterial3d(look.0.clone()));
        }
    }
}
