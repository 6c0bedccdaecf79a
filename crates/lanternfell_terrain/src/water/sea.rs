//! Rendering of the sea: one surface per terrain, flat or with waves.

mod grid;
mod heights;
mod inland;
mod light;
mod material;
mod mouths;
mod neighbors;
mod refraction;
mod underwater;

use bevy::{
    camera::{
        primitives::Aabb,
        visibility::{NoAutoAabb, VisibilitySystems},
    },
    light::NotShadowCaster,
    prelude::*,
    tasks::BoxedFuture,
};

use inland::Inland;

use heights::HeightTexels;
use inland::InlandMeshes;
pub use material::{WaterExtension, WaterMaterial};

use crate::{
    ground::{
        FreshSurface, MadePart, Part, Terrain, TerrainSurface, Wanted, add_part,
        removed_with_terrain,
    },
    region::PlanePlace,
    render_layers::TerrainRenderLayersPlugin,
    systems::TerrainSystems,
    upload::{FrameUploads, Rows, Strips},
    water::Water,
};

/// The height texture of a terrain. On the terrain's entity.
#[derive(Component)]
pub(crate) struct HeightImage(pub(crate) Handle<Image>);

/// A rendered water surface, a child of its terrain.
#[derive(Component)]
pub(crate) struct WaterSurface {
    terrain: Entity,
}

pub(crate) fn plugin(app: &mut App) {
    app.add_plugins((
        MaterialPlugin::<WaterMaterial>::default(),
        refraction::plugin,
        underwater::plugin,
        TerrainRenderLayersPlugin::<WaterSurface>::default(),
    ))
    .init_resource::<SeaMeshes>()
    .add_systems(
        PostUpdate,
        (
            spawn_water,
            update_water,
            inland::spawn,
            inland::update,
            light::light,
            despawn_orphans,
        )
            .chain()
            .in_set(TerrainSystems::Present),
    )
    .add_systems(
        PostUpdate,
        neighbors::update_neighbors
            .after(TransformSystems::Propagate)
            .after(VisibilitySystems::VisibilityPropagate),
    )
    .add_observer(despawn_sea)
    .add_observer(despawn_water);
    removed_with_terrain::<(HeightImage, InlandMeshes)>(app);
    add_part(app, SeaPart::begin);
}

/// Builds the data that the sea, rivers and lakes need for new terrain.
struct SeaPart {
    /// The current height texture.
    before: Option<AssetId<Image>>,
}

impl SeaPart {
    fn begin(_: &World, terrain: EntityRef, wanted: &mut Wanted) -> Option<Box<dyn Part>> {
        wanted.is_drawn.then(|| {
            let before = terrain.get::<HeightImage>().map(|image| image.0.id());
            let part: Box<dyn Part> = Box::new(Self { before });
            part
        })
    }
}

impl Part for SeaPart {
    fn make<'a>(
        self: Box<Self>,
        ground: &'a mut FreshSurface,
    ) -> BoxedFuture<'a, Box<dyn MadePart>> {
        Box::pin(async move {
            let surface = &ground.surface;
            let made: Box<dyn MadePart> = match (self.before, &ground.change) {
                (Some(image), Some(change)) => Box::new(UpdatedSea {
                    image,
                    rows: heights::changed_rows(surface, change).await,
                }),
                _ => Box::new(MadeSea {
                    heights: HeightTexels::of(surface).await,
                    inland: InlandMeshes::of(surface).await,
                }),
            };
            made
        })
    }
}

struct MadeSea {
    heights: HeightTexels,
    /// `None` without rivers and lakes.
    inland: Option<InlandMeshes>,
}

impl MadePart for MadeSea {
    fn upload(&mut self, uploads: &mut FrameUploads) -> bool {
        match (&mut uploads.images, &mut uploads.strips) {
            (Some(images), Some(strips)) => self.heights.upload(images, strips, uploads.left),
            _ => true,
        }
    }

    fn put_in_place(self: Box<Self>, terrain: &mut EntityWorldMut) {
        if let Some(image) = self.heights.into_image() {
            terrain.insert(HeightImage(image));
        }
        terrain.remove::<InlandMeshes>();
        inland::despawn(terrain);
        if let Some(inland) = self.inland {
            terrain.insert(inland);
        }
    }
}

/// The rows of the height texture that an edit has changed. Rivers and lakes stay.
struct UpdatedSea {
    image: AssetId<Image>,
    rows: Vec<Rows>,
}

impl MadePart for UpdatedSea {
    fn put_in_place(self: Box<Self>, terrain: &mut EntityWorldMut) {
        terrain.world_scope(|world| Strips::write(world, self.image, self.rows));
    }
}

/// Spawns a water surface for each complete terrain with [`Water`], when either of the two is new.
fn spawn_water(
    mut commands: Commands,
    meshes: Res<SeaMeshes>,
    mut materials: ResMut<Assets<WaterMaterial>>,
    terrains: Query<
        (
            Entity,
            &HeightImage,
            &Water,
            &TerrainSurface,
            Option<&PlanePlace>,
        ),
        Or<(Added<HeightImage>, Added<Water>)>,
    >,
) {
    for (terrain, image, water, ground, on_plane) in &terrains {
        let extension = WaterExtension::new(water, ground, on_plane, image.0.clone());
        let material = extension.into_material();
        commands.spawn((
            WaterSurface { terrain },
            MeshMaterial3d(materials.add(material)),
            NotShadowCaster,
            // The vertices of a sea with waves only get their positions in the shader.
            NoAutoAabb,
            shape(&meshes, water, ground),
            Visibility::Inherited,
            ChildOf(terrain),
        ));
    }
}

type WaterChanged = Or<(
    Changed<HeightImage>,
    Changed<Water>,
    Changed<TerrainSurface>,
)>;

/// Updates the surface when its [`Water`] or the terrain changes.
fn update_water(
    meshes: Res<SeaMeshes>,
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
            &mut Mesh3d,
            &mut Transform,
            &mut Aabb,
        ),
        (With<WaterSurface>, Without<Inland>),
    >,
) {
    for (water, ground, image, children, on_plane) in &terrains {
        for &child in children {
            let Ok((material, mut mesh, mut transform, mut bounds)) = surfaces.get_mut(child)
            else {
                continue;
            };
            if let Some(mut material) = materials.get_mut(&material.0) {
                let before = &material.extension;
                let (seas, refracts) = (before.water.seas, before.refracts);
                material.extension = WaterExtension::new(water, ground, on_plane, image.0.clone());
                material.extension.water.seas = seas;
                material.extension.refracts = refracts;
            }
            (*mesh, *transform, *bounds) = shape(&meshes, water, ground);
        }
    }
}

/// The meshes that all seas share.
#[derive(Resource)]
struct SeaMeshes {
    /// A square of 2 m x 2 m.
    level: Handle<Mesh>,
    /// Rings around the camera.
    waves: Handle<Mesh>,
}

impl FromWorld for SeaMeshes {
    fn from_world(world: &mut World) -> Self {
        let mut meshes = world.resource_mut::<Assets<Mesh>>();
        Self {
            level: meshes.add(Plane3d::new(Vec3::Y, Vec2::ONE)),
            waves: meshes.add(grid::mesh()),
        }
    }
}

/// The mesh, transform and bounds of a sea.
///
/// The shader computes positions in the terrain's local space, so the transform may only change the height. The scale
/// along x and z that gives a flat sea its extent is divided out again in the shader.
fn shape(meshes: &SeaMeshes, water: &Water, ground: &TerrainSurface) -> (Mesh3d, Transform, Aabb) {
    let at = Transform::from_xyz(0.0, water.surface_y(ground), 0.0);
    let extent = Vec3::new(water.extent, 1.0, water.extent);
    let bounds = |half: Vec3| Aabb::from_min_max(-half, half);
    if water.waves.are_any() {
        let high = water.waves.highest();
        let half = extent.with_y(high);
        (Mesh3d(meshes.waves.clone()), at, bounds(half))
    } else {
        let half = Vec3::new(1.0, 0.0, 1.0);
        (
            Mesh3d(meshes.level.clone()),
            at.with_scale(extent),
            bounds(half),
        )
    }
}

/// Despawns the sea of a terrain when its [`Water`] is removed.
fn despawn_sea(
    remove: On<Remove, Water>,
    surfaces: Query<(Entity, &WaterSurface), Without<Inland>>,
    mut commands: Commands,
) {
    for (entity, surface) in &surfaces {
        if surface.terrain == remove.entity {
            commands.entity(entity).try_despawn();
        }
    }
}

/// Despawns all water of an entity when its [`Terrain`] component is removed.
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

/// Despawns a sea whose terrain was despawned by a command in the same frame in which it was spawned.
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
