//! Roads, river beds and dams.

use bevy::prelude::*;
use lanternfell_edits::{
    Bank, Earthwork, Modifier, ModifierError, PathHeights, PathModifier, PathPoint, Pavement,
};

use super::{Shape, valid};

/// A road, a river bed or a dam along a smooth line. Spawn it as a child of a [`Terrain`](crate::Terrain) or an
/// [`EndlessTerrain`](crate::EndlessTerrain).
///
/// The line goes through all points. The bed follows the terrain within a grade, or has the heights of the points. The
/// terrain follows every change in the background. When the path is moved or despawned, the terrain that it covered is
/// restored exactly.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::{TerrainPath, edits::{Earthwork, PathHeights, Pavement}, prelude::*};
///
/// fn build(mut commands: Commands, terrain: Single<Entity, With<Terrain>>) {
///     let line = [Vec3::new(-80.0, 0.0, 10.0), Vec3::new(0.0, 0.0, 35.0), Vec3::new(70.0, 0.0, -5.0)];
///     commands.spawn((
///         TerrainPath {
///             // The layer of pebbles in the default `TerrainLayers`.
///             pavement: Pavement { layer: Some(8), ..default() },
///             ..TerrainPath::new(4.0, line)
///         },
///         ChildOf(*terrain),
///     ));
///     // A river bed, 2 m below the terrain and deeper in the middle.
///     commands.spawn((
///         TerrainPath {
///             earthwork: Earthwork::Cut,
///             heights: PathHeights::Terrain { max_grade: 0.3 },
///             offset: -2.0,
///             camber: -0.2,
///             ..TerrainPath::new(8.0, line.map(|at| at + Vec3::Z * 30.0))
///         },
///         ChildOf(*terrain),
///     ));
/// }
/// # bevy::ecs::system::assert_is_system(build);
/// ```
///
/// [`PathMesh`](crate::PathMesh) renders the surface of a road.
///
/// # Paths, platforms and stamps
///
/// - [`TerrainPath`], [`TerrainPlatform`](super::TerrainPlatform) and [`TerrainStamp`](super::TerrainStamp) must be direct
///   children of the terrain. Later children are applied over earlier ones.
/// - All of them are applied over the strokes of [`TerrainEdits`](crate::TerrainEdits), which the plugin adds to the
///   terrain. A stroke below a path changes the terrain that the path follows, but not the bed. Brushes that read heights,
///   such as [`Brush::Smooth`](crate::edits::Brush::Smooth), read those without paths, platforms and stamps.
/// - They are not part of the log of `TerrainEdits`. Save the entities, for example in a scene.
/// - Where a path that follows the terrain crosses the bed of an earlier path or platform, it has the height of that bed,
///   unless that bed has [`Earthwork::None`].
///   A path cannot cross itself: use two paths.
/// - A bed that is narrower than three cells may not be level.
/// - Holes, and plants outside of the bed, are not changed.
/// - The [`Transform`] moves, scales, and rotates about y. Platforms and stamps ignore other rotations and the signs of
///   the scale.
/// - If a value is out of its range, a warning is logged, and the component has no effect.
///
/// # On endless terrain
///
/// They can cross any number of regions, and are the same whenever a viewer returns. Where a path follows the terrain, its
/// heights are found along all of it, so that they do not depend on the viewers. If the
/// [origin](crate::EndlessTerrain::origin) moves, the plugin moves them, and no terrain changes.
///
/// The heights of all paths are found again when one of them, or the terrain below it, changes. A platform or a stamp larger
/// than 16,384 x 16,384 cells has no effect. In a browser, paths that follow a folder of tiles use a height of 0 m.
///
/// # Cost
///
/// The first of them generates a [`Terrain`](crate::Terrain) again. After that, only what changes is updated, as described
/// for [`TerrainEdits`](crate::TerrainEdits#what-is-updated).
#[derive(Component, Reflect, Debug, Default, Clone, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
#[require(Transform, Visibility)]
pub struct TerrainPath {
    /// The points, from 2 to 4096 (from 3 if the path is closed), in the entity's local space. Their y has no effect if `heights` is
    /// [`PathHeights::Terrain`].
    pub points: Vec<PathPoint>,
    /// Whether the last point is joined to the first one. Default: `false`.
    pub closed: bool,
    /// Where the heights of the bed come from. Default: from the terrain, with a grade of at most 8 %.
    pub heights: PathHeights,
    /// Added to the heights of the bed, in meters, from -1000 to 1000. Default: 0.
    pub offset: f32,
    /// How much the bed falls from its middle to its edges, as fall over run, from -10 to 10. Use a negative value
    /// for a ditch. Default: 0.
    pub camber: f32,
    /// Whether it lowers the terrain, raises it, both, or neither. Default: both.
    pub earthwork: Earthwork,
    /// The slopes next to the bed.
    pub bank: Bank,
    /// What covers the bed. Default: no plants, and the layers of the terrain.
    pub pavement: Pavement,
}

impl TerrainPath {
    /// Creates a path through these points, with a width from 0 to 1000 m.
    pub fn new(width: f32, points: impl IntoIterator<Item = Vec3>) -> Self {
        let point = |at: Vec3| PathPoint {
            at: at.into(),
            width,
        };
        Self {
            points: points.into_iter().map(point).collect(),
            ..Self::default()
        }
    }

    pub(super) fn shape(&self, transform: &Transform) -> Result<Shape, ModifierError> {
        valid(Modifier::Path(self.modifier(transform)))
    }

    /// The path in the terrain's local space.
    pub(crate) fn modifier(&self, transform: &Transform) -> PathModifier {
        let to_terrain = transform.compute_affine();
        let scale = transform.scale.xz().abs().max_element();
        let moved = |point: &PathPoint| PathPoint {
            at: to_terrain.transform_point3(point.at.into()).into(),
            width: point.width * scale,
        };
        PathModifier {
            points: self.points.iter().map(moved).collect(),
            closed: self.closed,
            heights: self.heights,
            offset: self.offset,
            camber: self.camber,
            earthwork: self.earthwork,
            bank: self.bank,
            pavement: self.pavement,
        }
    }
}
