//! Things that stay movable: roads, river beds, dams, houses and craters. Each is a child of the terrain.

use bevy::{
    asset::RenderAssetUsages,
    image::{ImageAddressMode, ImageSampler, ImageSamplerDescriptor},
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};
use lanternfell::terrain::{
    PathMesh, TerrainPath, TerrainPlatform, TerrainStamp,
    edits::{Bank, Earthwork, PathHeights, Pavement, StampImage},
};
use serde::{Deserialize, Serialize};

/// The layer of pebbles in the default `TerrainLayers`.
const PEBBLES: Option<u8> = Some(8);

/// What the panel offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Road,
    RiverBed,
    Dam,
    House,
    Crater,
}

impl Kind {
    pub const ALL: [(Self, &str); 5] = [
        (Self::Road, "road"),
        (Self::RiverBed, "river bed"),
        (Self::Dam, "dam"),
        (Self::House, "house"),
        (Self::Crater, "crater"),
    ];

    /// A new thing at a point of the terrain. A path is 40 m long.
    pub fn at(self, at: Vec3) -> Thing {
        self.along([-20.0, 0.0, 20.0].map(|x| at + Vec3::X * x))
    }

    /// A new path along a line, or another thing in the middle of it.
    pub fn along<const N: usize>(self, line: [Vec3; N]) -> Thing {
        let (shape, at) = match self {
            Self::Road => (Shape::Path(road(line)), Vec3::ZERO),
            Self::RiverBed => (Shape::Path(river_bed(line)), Vec3::ZERO),
            Self::Dam => (Shape::Path(dam(line)), Vec3::ZERO),
            Self::House => (Shape::House(house()), line[N / 2]),
            Self::Crater => (Shape::Stamp(crater()), line[N / 2]),
        };
        Thing {
            shape,
            at: at.into(),
            turned: 0.0,
        }
    }
}

fn road(line: impl IntoIterator<Item = Vec3>) -> TerrainPath {
    TerrainPath {
        heights: PathHeights::Terrain { max_grade: 0.15 },
        camber: 0.02,
        pavement: Pavement {
            layer: PEBBLES,
            margin: 0.8,
            ..default()
        },
        ..TerrainPath::new(4.0, line)
    }
}

fn river_bed(line: impl IntoIterator<Item = Vec3>) -> TerrainPath {
    TerrainPath {
        earthwork: Earthwork::Cut,
        heights: PathHeights::Terrain { max_grade: 0.3 },
        offset: -2.5,
        camber: -0.15,
        pavement: Pavement {
            layer: PEBBLES,
            ..default()
        },
        ..TerrainPath::new(6.0, line)
    }
}

fn dam(line: impl IntoIterator<Item = Vec3>) -> TerrainPath {
    TerrainPath {
        earthwork: Earthwork::Fill,
        heights: PathHeights::Terrain { max_grade: 0.02 },
        offset: 3.0,
        ..TerrainPath::new(3.0, line)
    }
}

fn house() -> TerrainPlatform {
    TerrainPlatform {
        size: Vec2::new(14.0, 11.0),
        corner_radius: 2.0,
        bank: Bank {
            slope: 0.7,
            reach: 15.0,
        },
        pavement: Pavement {
            layer: PEBBLES,
            ..default()
        },
        ..default()
    }
}

/// A bowl with a rim.
fn crater() -> TerrainStamp {
    const SIDE: u32 = 64;
    let height = |pixel: u32| {
        let at = Vec2::new((pixel % SIDE) as f32, (pixel / SIDE) as f32);
        let middle = (SIDE - 1) as f32 / 2.0;
        let away = at.distance(Vec2::splat(middle)) / middle;
        let (bowl, rim) = (7.0 * (away / 0.6).powi(2) - 5.0, 2.0 * (1.0 - away) / 0.4);
        (1000.0 * bowl.min(rim.max(0.0))) as i32
    };
    let heights: Vec<i32> = (0..SIDE * SIDE).map(height).collect();
    let image = StampImage::new(SIDE, heights).expect("its rows are complete");
    TerrainStamp {
        size: Vec2::splat(26.0),
        ..TerrainStamp::new(image)
    }
}

/// A thing as it is saved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Thing {
    pub shape: Shape,
    /// The position in the terrain's local space, in meters.
    pub at: [f32; 3],
    /// The rotation about y in radians.
    pub turned: f32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Shape {
    Path(TerrainPath),
    House(TerrainPlatform),
    Stamp(TerrainStamp),
}

impl Thing {
    /// Spawns it as a child of the terrain.
    pub fn spawn(self, commands: &mut Commands, terrain: Entity) {
        let place = Transform::from_translation(self.at.into())
            .with_rotation(Quat::from_rotation_y(self.turned));
        let mut thing = commands.spawn((place, ChildOf(terrain)));
        match self.shape {
            Shape::Path(path) if path.earthwork == Earthwork::CutAndFill => {
                thing.insert((path, PathMesh::default()))
            }
            Shape::Path(path) => thing.insert(path),
            Shape::House(platform) => thing.insert((platform, House)),
            Shape::Stamp(stamp) => thing.insert(stamp),
        };
    }

    /// The thing of an entity.
    pub fn of(
        (place, path, platform, stamp): (
            &Transform,
            Option<&TerrainPath>,
            Option<&TerrainPlatform>,
            Option<&TerrainStamp>,
        ),
    ) -> Option<Self> {
        let shape = match (path, platform, stamp) {
            (Some(path), ..) => Shape::Path(path.clone()),
            (_, Some(platform), _) => Shape::House(platform.clone()),
            (.., Some(stamp)) => Shape::Stamp(stamp.clone()),
            _ => return None,
        };
        Some(Self {
            shape,
            at: place.translation.into(),
            turned: place.rotation.to_euler(EulerRot::YXZ).0,
        })
    }
}

/// The asphalt of all roads.
#[derive(Resource)]
pub struct Asphalt(Handle<StandardMaterial>);

impl FromWorld for Asphalt {
    fn from_world(world: &mut World) -> Self {
        let texture = world.resource_mut::<Assets<Image>>().add(markings());
        let mut materials = world.resource_mut::<Assets<StandardMaterial>>();
        Self(materials.add(StandardMaterial {
            base_color_texture: Some(texture),
            perceptual_roughness: 0.95,
            // Far away, the terrain has fewer triangles and could cover the road.
            depth_bias: 2000.0,
            ..default()
        }))
    }
}

/// A square piece of a road with two lanes.
fn markings() -> Image {
    const SIDE: u32 = 128;
    let texel = |index: u32| {
        let [across, along] =
            [index % SIDE, index / SIDE].map(|at| (at as f32 + 0.5) / SIDE as f32);
        let is_edge = (0.04..0.07).contains(&(0.5 - (across - 0.5).abs()));
        let is_dash = (across - 0.5).abs() < 0.015 && (0.2..0.75).contains(&along);
        let grain = (index.wrapping_mul(2_654_435_761) >> 24) as u8 / 16;
        match is_edge || is_dash {
            true => [190 + grain, 188 + grain, 180 + grain, 255],
            false => [58 + grain, 57 + grain, 60 + grain, 255],
        }
    };
    let size = Extent3d {
        width: SIDE,
        height: SIDE,
        depth_or_array_layers: 1,
    };
    let texels = (0..SIDE * SIDE).flat_map(texel).collect();
    let format = TextureFormat::Rgba8UnormSrgb;
    let usage = RenderAssetUsages::RENDER_WORLD;
    let mut image = Image::new(size, TextureDimension::D2, texels, format, usage);
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_v: ImageAddressMode::Repeat,
        ..ImageSamplerDescriptor::linear()
    });
    image
}

/// Gives a road its material.
pub fn pave(add: On<Add, PathMesh>, mut commands: Commands, asphalt: Res<Asphalt>) {
    let asphalt = MeshMaterial3d(asphalt.0.clone());
    commands.entity(add.entity).insert(asphalt);
}

/// Gets walls and a roof.
#[derive(Component)]
pub struct House;

/// Builds the house on a platform.
pub fn build_house(
    add: On<Add, House>,
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    const WALLS: Vec3 = Vec3::new(9.0, 3.2, 6.5);
    let roof = Extrusion::new(
        Triangle2d::new(
            Vec2::new(-WALLS.z / 2.0 - 0.6, 0.0),
            Vec2::new(WALLS.z / 2.0 + 0.6, 0.0),
            Vec2::new(0.0, 3.0),
        ),
        WALLS.x + 1.0,
    );
    let parts = [
        (
            meshes.add(Cuboid::from_size(WALLS)),
            Color::srgb(0.78, 0.72, 0.62),
            Transform::from_xyz(0.0, WALLS.y / 2.0, 0.0),
        ),
        (
            meshes.add(roof),
            Color::srgb(0.42, 0.16, 0.1),
            Transform::from_xyz(0.0, WALLS.y, 0.0)
                .with_rotation(Quat::from_rotation_y(core::f32::consts::FRAC_PI_2)),
        ),
        (
            meshes.add(Cuboid::new(1.2, 2.2, 0.1)),
            Color::srgb(0.25, 0.15, 0.08),
            Transform::from_xyz(0.0, 1.1, WALLS.z / 2.0),
        ),
    ];
    for (mesh, color, place) in parts {
        let material = materials.add(StandardMaterial {
            base_color: color,
            perceptual_roughness: 0.9,
            ..default()
        });
        commands.spawn((
            Mesh3d(mesh),
            MeshMaterial3d(material),
            place,
            ChildOf(add.entity),
        ));
    }
}
