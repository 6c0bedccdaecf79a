//! Level terrain below buildings.

use bevy::prelude::*;
use lanternfell_edits::{Bank, Earthwork, Modifier, ModifierError, Pavement, PlatformModifier};

use super::{Shape, placed, valid};

/// A level part of a terrain, for example below a building. Spawn it as a child of a [`Terrain`](crate::Terrain)
/// or an [`EndlessTerrain`](crate::EndlessTerrain).
///
/// It has the height of the entity. Its [`Transform`] moves, rotates (about y) and scales it, and the
/// terrain follows in the background. When it is moved or despawned, the terrain that it covered is restored exactly.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::{TerrainPlatform, prelude::*};
///
/// fn build(mut commands: Commands, terrain: Single<Entity, With<Terrain>>) {
///     commands.spawn((
///         TerrainPlatform { size: Vec2::new(12.0, 8.0), ..default() },
///         Transform::from_xyz(20.0, 14.5, -30.0),
///         ChildOf(*terrain),
///         // The building itself: meshes, colliders, ...
///     ));
/// }
/// # bevy::ecs::system::assert_is_system(build);
/// ```
///
/// See [`TerrainPath`](super::TerrainPath) for the order of platforms, paths and stamps, and for their limits.
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
#[require(Transform, Visibility)]
pub struct TerrainPlatform {
    /// The lengths along the entity's x and z axes in meters, each from 0 to 10,000. Default: 10 m.
    pub size: Vec2,
    /// The radius of the corners in meters, from 0 to 5000. With half of the side, a square becomes a circle.
    /// Default: 0.
    pub corner_radius: f32,
    /// Whether it lowers the terrain, raises it, both, or neither. Default: both.
    pub earthwork: Earthwork,
    /// The slopes around it.
    pub bank: Bank,
    /// What covers it. Default: no plants, and the layers of the terrain.
    pub pavement: Pavement,
}

impl Default for TerrainPlatform {
    fn default() -> Self {
        Self {
            size: Vec2::splat(10.0),
            corner_radius: 0.0,
            earthwork: Earthwork::default(),
            bank: Bank::default(),
            pavement: Pavement::default(),
        }
    }
}

impl TerrainPlatform {
    pub(super) fn shape(&self, transform: &Transform) -> Result<Shape, ModifierError> {
        let (placement, scale) = placed(transform);
        valid(Modifier::Platform(PlatformModifier {
            placement,
            size: (self.size * scale).into(),
            corner_radius: self.corner_radius * scale.min_element(),
            earthwork: self.earthwork,
            bank: self.bank,
            pavement: self.pavement,
        }))
    }
}
