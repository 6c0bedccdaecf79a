//! The surfaces of roads as meshes.
//!
//! The terrain follows a path in the background. So the plugin rebuilds the mesh whenever the surface changes near the path:
//!
//! ```text
//!   TerrainPath, Transform ─┐
//!   PathMesh ───────────────┼─ task ─> ribbon ─> Mesh3d
//!   TerrainSurface ─────────┘
//! ```
//!
//! The terrain can also be the regions of an endless one.

use std::mem;

use bevy::{
    asset::RenderAssetUsages,
    ecs::system::SystemParam,
    math::Affine3A,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell_edits::{PathModifier, Ribbon};
use lanternfell_tasks::pause;

use crate::{
    ground::{TerrainPath, TerrainProgress, TerrainSurface, Upcoming, drop_elsewhere},
    region::TerrainRegion,
    render_layers::TerrainRenderLayersPlugin,
    systems::TerrainSystems,
    water::sea::WaterSurface,
};

/// Renders the surface of a [`TerrainPath`] as a mesh, for example asphalt with lane markings.
///
/// The plugin inserts a `Mesh3d` on the entity of the path, and replaces it when the path or the terrain below it changes.
/// Insert your own material:
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::{PathMesh, TerrainPath, prelude::*};
///
/// fn build(
///     terrain: Single<Entity, With<Terrain>>,
///     mut materials: ResMut<Assets<StandardMaterial>>,
///     mut commands: Commands,
/// ) {
///     let line = [Vec3::new(-80.0, 0.0, 10.0), Vec3::ZERO, Vec3::new(70.0, 0.0, -5.0)];
///     let asphalt = StandardMaterial {
///         base_color: Color::srgb(0.1, 0.1, 0.11),
///         // Far away, the terrain has fewer triangles and could cover the road.
///         depth_bias: 2000.0,
///         ..default()
///     };
///     commands.spawn((
///         TerrainPath::new(6.0, line),
///         PathMesh::default(),
///         MeshMaterial3d(materials.add(asphalt)),
///         ChildOf(*terrain),
///     ));
/// }
/// # bevy::ecs::system::assert_is_system(build);
/// ```
///
/// # Texture coordinates
/// u is 0 at the left edge and 1 at the right edge, looking along the path. v falls by 1 over the mean width of the path, so
/// that a square texture keeps its proportions and its top points ahead. Use `ImageAddressMode::Repeat` along v. There are
/// no tangents, so normal maps have no effect.
///
/// # Notes
/// - The mesh has a vertex every half cell of the terrain, and more in sharp bends. Wide and long paths have fewer: at most 65
///   vertices across the path, and 262,144 in total. See [`PathModifier::ribbon`] for the details.
/// - Where the terrain bends between vertices, as at the edges of embankments, the mesh is higher, so that it is not covered.
/// - The old mesh stays until the terrain has followed a change of the path. It moves with the entity's `Transform`.
/// - A road of 5 km takes about 10 ms in the background. In a browser, this is a part of one frame.
/// - It has no effect on servers, which have no meshes. The collider is that of the terrain.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
#[require(PathMeshWork)]
pub struct PathMesh {
    /// The height of the mesh above the terrain, in meters. Default: 0.05.
    pub lift: f32,
}

impl Default for PathMesh {
    fn default() -> Self {
        Self { lift: 0.05 }
    }
}

/// The state of a path's mesh.
#[derive(Component, Default)]
pub(crate) struct PathMeshWork {
    is_stale: bool,
    task: Option<Task<MadeMesh>>,
    /// What the last mesh was made from, besides the surface.
    made: Option<Inputs>,
    /// The last surface of the terrain.
    ground: Ground,
    /// Where a change of the terrain matters, in the terrain's local space. `None` until a mesh is complete.
    area: Option<Rect>,
}

/// Everything that a mesh is made from, besides the surface.
#[derive(Clone, PartialEq)]
struct Inputs {
    path: PathModifier,
    lift: f32,
    place: Affine3A,
}

/// The surface of a terrain, or those of the regions of an endless one.
#[derive(Clone, Default)]
struct Ground(Vec<Piece>);

#[derive(Clone)]
struct Piece {
    of: Entity,
    /// The center in the local space of the whole terrain.
    center: Vec2,
    surface: TerrainSurface,
}

/// A mesh in the local space of its path, if it has any triangles.
struct MadeMesh {
    mesh: Option<Mesh>,
    area: Rect,
}

pub(crate) fn plugin(app: &mut App) {
    app.register_type::<PathMesh>()
        .add_plugins(TerrainRenderLayersPlugin::<PathMesh>::default())
        .add_systems(
            PostUpdate,
            (receive_meshes, follow_paths)
                .chain()
                .in_set(TerrainSystems::Present),
        )
        .add_observer(|remove: On<Remove, PathMesh>, mut commands: Commands| {
            let mut path = commands.entity(remove.entity);
            path.try_remove::<(Mesh3d, PathMeshWork)>();
        })
        .add_observer(
            |remove: On<Remove, TerrainPath>,
             mut commands: Commands,
             meshes: Query<(), With<PathMesh>>| {
                if meshes.contains(remove.entity) {
                    let mut path = commands.entity(remove.entity);
                    path.try_remove::<Mesh3d>()
                        .try_insert(PathMeshWork::default());
                }
            },
        );
}

fn receive_meshes(mut commands: Commands, mut paths: Query<(Entity, &mut PathMeshWork)>) {
    for (entity, mut work) in &mut paths {
        let Some(MadeMesh { mesh, area }) = work.task.as_mut().and_then(check_ready) else {
            continue;
        };
        (work.task, work.area) = (None, Some(area));
        commands.queue(move |world: &mut World| show(world, entity, mesh));
    }
}

/// Shows a mesh on the entity of a path, unless the path was removed meanwhile.
fn show(world: &mut World, entity: Entity, mesh: Option<Mesh>) {
    let Ok(path) = world.get_entity(entity) else {
        return;
    };
    let mesh = mesh.filter(|_| path.contains::<PathMesh>() && path.contains::<TerrainPath>());
    let mesh = mesh.and_then(|mesh| {
        let mut meshes = world.get_resource_mut::<Assets<Mesh>>()?;
        Some(Mesh3d(meshes.add(mesh)))
    });
    let mut path = world.entity_mut(entity);
    match mesh {
        Some(mesh) => path.insert(mesh),
        None => path.remove::<Mesh3d>(),
    };
}

type Path = (
    Entity,
    Ref<'static, PathMesh>,
    Ref<'static, TerrainPath>,
    Ref<'static, Transform>,
    Option<Ref<'static, ChildOf>>,
    &'static mut PathMeshWork,
);

/// Access to all terrain that is shown.
#[derive(SystemParam)]
struct Terrains<'w, 's> {
    terrains: Query<'w, 's, (Entity, Ref<'static, TerrainSurface>, Has<TerrainProgress>)>,
    regions: Query<
        'w,
        's,
        (Entity, &'static TerrainRegion, &'static Transform),
        (Without<Upcoming>, Without<WaterSurface>),
    >,
}

/// The terrain of a path.
#[derive(Default)]
struct Below<'a> {
    pieces: Vec<(Entity, Vec2, Ref<'a, TerrainSurface>)>,
    /// Whether it will soon be replaced.
    is_changing: bool,
    is_changed: bool,
}

impl Terrains<'_, '_> {
    /// Without pieces if the terrain is not complete.
    fn below(&self, terrain: Entity) -> Below<'_> {
        let mut below = Below::default();
        let mut add = |piece: Entity, center: Vec2| {
            if let Ok((of, surface, is_changing)) = self.terrains.get(piece) {
                below.is_changing |= is_changing;
                below.is_changed |= surface.is_changed();
                below.pieces.push((of, center, surface));
            }
        };
        add(terrain, Vec2::ZERO);
        let regions = self.regions.iter();
        for (entity, _, place) in regions.filter(|(_, region, _)| region.terrain == terrain) {
            add(entity, place.translation.xz());
        }
        below
    }
}

impl Below<'_> {
    fn ground(&self) -> Ground {
        let pieces = self.pieces.iter().map(|(of, center, surface)| Piece {
            of: *of,
            center: *center,
            surface: TerrainSurface::clone(surface),
        });
        Ground(pieces.collect())
    }

    /// Whether these are other regions, or they have moved.
    fn are_others(&self, known: &Ground) -> bool {
        let known = known.0.iter().map(|piece| (piece.of, piece.center));
        let pieces = self.pieces.iter().map(|(of, center, _)| (*of, *center));
        !known.eq(pieces)
    }
}

/// Starts to make the meshes of paths that have changed, or below which the terrain has.
fn follow_paths(
    mut commands: Commands,
    meshes: Option<Res<Assets<Mesh>>>,
    // Without the surface of the sea, whose `Transform` another system writes at the same time.
    mut paths: Query<Path, Without<WaterSurface>>,
    terrains: Terrains,
) {
    if meshes.is_none() {
        return;
    }
    for (entity, mesh, path, transform, child_of, mut work) in &mut paths {
        let terrain = child_of.as_ref().map(|child_of| child_of.parent());
        let below = terrain.map(|terrain| terrains.below(terrain));
        let Some(below) = below.filter(|below| !below.pieces.is_empty()) else {
            if !work.ground.0.is_empty() {
                drop_elsewhere(mem::take(&mut *work).ground);
                commands.entity(entity).try_remove::<Mesh3d>();
            }
            continue;
        };
        let is_changed = mesh.is_changed() || path.is_changed() || transform.is_changed();
        if is_changed || work.made.is_none() {
            let inputs = Inputs {
                path: path.modifier(&transform),
                lift: mesh.lift,
                place: transform.compute_affine(),
            };
            if work.made.as_ref() != Some(&inputs) {
                (work.made, work.is_stale) = (Some(inputs), true);
            }
        }
        if below.is_changed || below.are_others(&work.ground) {
            let ground = below.ground();
            work.is_stale |= work.is_old_on(&ground);
            drop_elsewhere(mem::replace(&mut work.ground, ground));
        }
        // The terrain will soon follow the path. But while someone drags the path, it is always about to change.
        let is_ready = !below.is_changing || below.is_changed;
        if work.is_stale && is_ready && work.task.is_none() {
            let Some(inputs) = work.made.clone() else {
                continue;
            };
            // Every change of the surface matters until the area of the new mesh is known.
            (work.is_stale, work.area) = (false, None);
            let ground = work.ground.clone();
            let task = async move {
                pause().await;
                let made = make(&inputs, &ground);
                drop_elsewhere(ground);
                made
            };
            work.task = Some(AsyncComputeTaskPool::get().spawn(task));
        }
    }
}

impl PathMeshWork {
    /// Whether the terrain differs below the mesh.
    fn is_old_on(&self, ground: &Ground) -> bool {
        let Some(area) = self.area else {
            return true;
        };
        let is_near = |piece: &Piece, changed: Rect| {
            let min = area.min - piece.center;
            let area = Rect::from_corners(min, min + area.size());
            !changed.intersect(area).is_empty()
        };
        let is_old = |piece: &Piece, others: &Ground| {
            let mut others = others.0.iter();
            let other = others.find(|other| (other.of, other.center) == (piece.of, piece.center));
            let changes = other.and_then(|other| piece.surface.changes_since(&other.surface));
            match changes {
                Some(changes) => changes.into_iter().any(|change| is_near(piece, change)),
                None => is_near(piece, piece.whole()),
            }
        };
        // Also where there is no terrain any more.
        let mut new = ground.0.iter();
        let mut old = self.ground.0.iter();
        new.any(|piece| is_old(piece, &self.ground)) || old.any(|piece| is_old(piece, ground))
    }
}

impl Piece {
    /// Its extent in its own local space.
    fn whole(&self) -> Rect {
        Rect::from_center_half_size(Vec2::ZERO, self.surface.surface().half_extent())
    }
}

impl Ground {
    fn height(&self, at: Vec2) -> Option<f32> {
        let mut pieces = self.0.iter();
        pieces.find_map(|piece| piece.surface.surface().height(at - piece.center))
    }

    /// The distance between two cells.
    fn spacing(&self) -> f32 {
        let first = self.0.first();
        first.map_or(1.0, |piece| piece.surface.surface().scale().spacing)
    }
}

fn make(inputs: &Inputs, ground: &Ground) -> MadeMesh {
    let Inputs { path, lift, place } = inputs;
    let step = (ground.spacing() / 2.0).clamp(0.01, 1000.0);
    // A warning about an invalid path has been logged already.
    let ribbon = path.ribbon(step, |at| ground.height(at.into()));
    let mut ribbon = ribbon.unwrap_or_default();
    uncover(&mut ribbon, |at| ground.height(at));
    let widest = path.points.iter().map(|point| point.width);
    let widest = widest.fold(0.0, f32::max);
    // Also the points where it has gaps.
    let points = path.points.iter().map(|point| &point.at);
    let places = points
        .chain(&ribbon.positions)
        .map(|&[x, _, z]| Vec2::new(x, z));
    let area = places.fold(Rect::EMPTY, |area, at| area.union_point(at));
    MadeMesh {
        mesh: mesh(ribbon, *lift, *place),
        area: area.inflate(widest + 2.0 * step),
    }
}

/// Raises vertices where the terrain is above the middle of a triangle or of its sides.
fn uncover(ribbon: &mut Ribbon, height: impl Fn(Vec2) -> Option<f32>) {
    let mut raise = vec![0.0_f32; ribbon.positions.len()];
    for corners in ribbon.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|corner| corners[corner] as usize);
        for sample in [&[a, b, c][..], &[a, b], &[b, c], &[c, a]] {
            let sum: Vec3 = sample
                .iter()
                .map(|&of| Vec3::from(ribbon.positions[of]))
                .sum();
            let at = sum / sample.len() as f32;
            let above = height(at.xz()).map_or(0.0, |height| height - at.y);
            for &of in sample {
                raise[of] = raise[of].max(above);
            }
        }
    }
    for (position, by) in ribbon.positions.iter_mut().zip(raise) {
        position[1] += by;
    }
}

/// Returns a mesh in the local space with this transform. `None` without triangles, or if the transform has no inverse.
/// Its triangles face up after the transform is applied, even if it mirrors.
fn mesh(ribbon: Ribbon, lift: f32, place: Affine3A) -> Option<Mesh> {
    let to_local = place.inverse();
    if ribbon.indices.is_empty() || !to_local.is_finite() || !lift.is_finite() {
        return None;
    }
    let positions = ribbon.positions.into_iter().map(Vec3::from);
    let positions = positions.map(|at| to_local.transform_point3(at + lift * Vec3::Y));
    let turned = place.matrix3.transpose();
    let normals = ribbon.normals.into_iter().map(Vec3::from);
    let normals = normals.map(|normal| (turned * normal).normalize_or(Vec3::Y));
    let mesh = Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions.collect::<Vec<_>>())
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals.collect::<Vec<_>>())
    .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, ribbon.uvs)
    .with_inserted_indices(Indices::U32(ribbon.indices));
    Some(mesh)
}
