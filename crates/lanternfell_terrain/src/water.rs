//! The sea: one level surface, its colours, and the material that draws it.

use bevy::{
    asset::{RenderAssetUsages, embedded_asset},
    image::Image,
    light::NotShadowCaster,
    pbr::{ExtendedMaterial, MaterialExtension},
    prelude::*,
    render::render_resource::{AsBindGroup, Extent3d, ShaderType, TextureDimension, TextureFormat},
    shader::ShaderRef,
};
use lanternfell_heightmap::surface::Surface;

use crate::{Ground, Terrain, TerrainSystems};

/// The sea around and over a terrain. A change shows at once.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct Water {
    /// Whether there is water at all.
    pub shown: bool,
    /// The height of the surface, from 0 to 1 on the map; `None`, the default, for what the
    /// recipe says (slightly above 0 for hills).
    pub level: Option<f32>,
    /// The colour over shallow ground.
    pub shallow: Color,
    /// The colour of the deep.
    pub deep: Color,
    /// The colour of the foam along the coast.
    pub foam: Color,
    /// What the surface reflects at flat angles: the sky's colour at the horizon.
    pub horizon: Color,
    /// What the surface reflects at steep angles: the sky's colour overhead.
    pub zenith: Color,
    /// How strongly it reflects these two, from 0 to 1; 0 where an environment map does it.
    pub reflection: f32,
    /// Metres of water that swallow two thirds of the light.
    pub clarity: f32,
    /// How rough the surface is; 1 is a light breeze, 0 a mirror.
    pub ripples: f32,
    /// Metres of depth up to which there is foam; 0 for none.
    pub foam_depth: f32,
    /// How far the sea reaches from the middle of the land, in metres; 20 km by default.
    /// Seas of several terrains lie over each other: let each end where the next begins.
    pub extent: f32,
}

impl Default for Water {
    fn default() -> Self {
        Self {
            shown: true,
            level: None,
            shallow: Color::srgb(0.17, 0.53, 0.52),
            deep: Color::srgb(0.02, 0.16, 0.26),
            foam: Color::srgb(0.94, 0.97, 0.97),
            horizon: Color::srgb(0.66, 0.78, 0.88),
            zenith: Color::srgb(0.22, 0.42, 0.70),
            reflection: 1.0,
            clarity: 2.4,
            ripples: 1.0,
            foam_depth: 0.9,
            extent: 20_000.0,
        }
    }
}

impl Water {
    /// The y of the surface in metres, in the terrain's own frame.
    pub fn surface_y(&self, ground: &Ground) -> f32 {
        self.level.map_or(ground.water_level(), |level| {
            level * ground.surface().scale().relief
        })
    }
}

/// The material of water: Bevy's standard material, extended by [`WaterExtension`].
pub type WaterMaterial = ExtendedMaterial<StandardMaterial, WaterExtension>;

/// What the water's shader adds to Bevy's standard material. Kept up to date from
/// [`Water`].
#[derive(Asset, TypePath, AsBindGroup, Debug, Clone)]
pub struct WaterExtension {
    #[uniform(100)]
    water: WaterUniform,
    /// The height of the ground in metres.
    #[texture(101, filterable = false)]
    ground: Handle<Image>,
}

/// As `Water` in `water.wgsl`, which says what each `w` holds.
#[derive(ShaderType, Debug, Clone, Default)]
struct WaterUniform {
    shallow: Vec4,
    deep: Vec4,
    foam: Vec4,
    horizon: Vec4,
    zenith: Vec4,
    map: Vec4,
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
}

impl WaterUniform {
    fn new(water: &Water, ground: &Ground) -> Self {
        let linear = |colour: Color, w| colour.to_linear().to_vec3().extend(w);
        let half = ground.surface().half_extent();
        let texels = image_size(&ground.surface()).as_vec2() - 1.0;
        let per_metre = texels / (2.0 * half);
        Self {
            shallow: linear(water.shallow, water.clarity.max(0.01)),
            deep: linear(water.deep, water.ripples),
            foam: linear(water.foam, water.foam_depth),
            horizon: linear(water.horizon, water.reflection),
            zenith: linear(water.zenith, water.surface_y(ground)),
            map: Vec4::new(half.x, half.y, per_metre.x, per_metre.y),
        }
    }
}

/// The longest side of the height image: depth is smooth, and every GPU takes this.
const MAX_TEXELS: u32 = 2048;

fn image_size(surface: &Surface<'_>) -> UVec2 {
    let map = surface.map();
    UVec2::new(map.width() as u32, map.height() as u32).min(UVec2::splat(MAX_TEXELS))
}

/// The heights in metres as an image, for the shader to know how deep the water is.
pub(crate) fn height_image(surface: &Surface<'_>) -> Image {
    let map = surface.map();
    let size = image_size(surface);
    // Cell 0 and the last cell are the first and the last texel's centre.
    let cell = |texel: u32, texels: u32, cells: usize| {
        (u64::from(texel) * (cells as u64 - 1) / (u64::from(texels) - 1)) as usize
    };
    let mut data = Vec::with_capacity((size.x * size.y * 4) as usize);
    for y in 0..size.y {
        let row = map.row(cell(y, size.y, map.height()));
        for x in 0..size.x {
            let height = row[cell(x, size.x, map.width())] * surface.scale().relief;
            data.extend(height.to_le_bytes());
        }
    }
    Image::new(
        Extent3d {
            width: size.x,
            height: size.y,
            depth_or_array_layers: 1,
        },
        TextureDimension::D2,
        data,
        TextureFormat::R32Float,
        RenderAssetUsages::RENDER_WORLD,
    )
}

/// On a terrain's entity: the heights of its ground as an image.
#[derive(Component)]
pub(crate) struct GroundImage(pub(crate) Handle<Image>);

/// The drawn surface of a terrain's water, a child of the terrain.
#[derive(Component)]
pub(crate) struct WaterSurface;

pub(crate) fn plugin(app: &mut App) {
    embedded_asset!(app, "shaders/water.wgsl");
    app.add_plugins(MaterialPlugin::<WaterMaterial>::default())
        .add_systems(
            Update,
            (flood, follow_water)
                .chain()
                .in_set(TerrainSystems::Present),
        )
        .add_observer(drain);
}

/// Gives every terrain whose ground is complete a surface of water.
fn flood(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<WaterMaterial>>,
    terrains: Query<(Entity, &GroundImage, &Water, &Ground), Added<GroundImage>>,
) {
    for (terrain, image, water, ground) in &terrains {
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
                water: WaterUniform::new(water, ground),
                ground: image.0.clone(),
            },
        };
        commands.spawn((
            WaterSurface,
            Mesh3d(meshes.add(Plane3d::new(Vec3::Y, Vec2::ONE))),
            MeshMaterial3d(materials.add(material)),
            NotShadowCaster,
            place(water, ground),
            visibility(water),
            ChildOf(terrain),
        ));
    }
}

type WaterChanged = Or<(Changed<GroundImage>, Changed<Water>, Changed<Ground>)>;

/// Keeps the surface in step with its [`Water`] and with the ground below it.
fn follow_water(
    mut materials: ResMut<Assets<WaterMaterial>>,
    terrains: Query<(&Water, &Ground, &GroundImage, &Children), WaterChanged>,
    mut surfaces: Query<
        (
            &MeshMaterial3d<WaterMaterial>,
            &mut Transform,
            &mut Visibility,
        ),
        With<WaterSurface>,
    >,
) {
    for (water, ground, image, children) in &terrains {
        for &child in children {
            let Ok((material, mut transform, mut shown)) = surfaces.get_mut(child) else {
                continue;
            };
            if let Some(mut material) = materials.get_mut(&material.0) {
                material.extension.water = WaterUniform::new(water, ground);
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
fn place(water: &Water, ground: &Ground) -> Transform {
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
fn drain(
    remove: On<Remove, Terrain>,
    surfaces: Query<(Entity, &ChildOf), With<WaterSurface>>,
    mut commands: Commands,
) {
    for (surface, child_of) in &surfaces {
        if child_of.parent() == remove.entity {
            commands.entity(surface).try_despawn();
        }
    }
}
