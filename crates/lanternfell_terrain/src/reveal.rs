//! Land and sea are first seen in the same frame.
//!
//! A renderer compiles the pipeline of a material when it first meets it, each for itself, and leaves out what it
//! can not draw yet: on a slow driver the sea came seconds after the land. So the land and the sea of a terrain
//! that had none are there at a size of nothing at first, which has their pipelines compiled:
//!
//! ```text
//! first ground ──> Veiled: everything at a size of nothing ──> all pipelines there ──> its true size
//! ```
//!
//! Ground that takes the place of other ground is not veiled: its pipelines are there, or the old ones do.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bevy::{
    camera::visibility::NoFrustumCulling,
    pbr::{SpecializedMaterialPipelineCache, SpecializedMaterialViewPipelineCache},
    prelude::*,
    render::{
        Extract, ExtractSchedule, Render, RenderApp, RenderSystems,
        render_resource::{CachedPipelineState, PipelineCache},
        sync_world::MainEntity,
    },
    time::Real,
};

use crate::{
    ground::{Upcoming, removed_with_terrain},
    land::chunk::TerrainChunk,
    systems::TerrainSystems,
    water::sea::{HeightImage, WaterSurface},
    window::TerrainWindow,
};

/// Covers no pixel, and can still be inverted.
const NOTHING: Vec3 = Vec3::splat(1e-9);

/// What nobody can draw (a texture of a user's own material never loads) does not hide the rest for longer than both:
/// on a slow machine a few frames take seconds.
const PATIENCE: Duration = Duration::from_secs(5);
const FRAMES_OF_PATIENCE: u32 = 60;

/// On a terrain that is not to be seen before all of it can be.
#[derive(Component, Default)]
struct Veiled {
    /// For how long something has been missing that is not being compiled.
    missing: Duration,
    frames: u32,
}

/// On the pieces of a veiled terrain.
#[derive(Component)]
struct TrueScale(Vec3);

/// What the renderer says of a terrain; the least of all its pieces counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Readiness {
    /// Not looked at yet, or not uploaded.
    Missing,
    Compiling,
    /// Or it failed: nothing better will come.
    Ready,
}

/// What the render world says to the main world; none where there is no renderer.
#[derive(Resource, Default, Clone)]
struct Told(Arc<Mutex<Option<HashMap<Entity, Readiness>>>>);

/// In the render world: the pieces of each veiled terrain, of land and of sea.
#[derive(Resource, Default)]
struct Veils(HashMap<Entity, [Vec<MainEntity>; 2]>);

/// For an app with a renderer.
pub(crate) fn plugin(app: &mut App) {
    let told = Told::default();
    removed_with_terrain::<Veiled>(app);
    app.insert_resource(told.clone()).add_systems(
        Update,
        (veil, hide, reveal).chain().after(TerrainSystems::Present),
    );
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        render
            .insert_resource(told)
            .init_resource::<Veils>()
            .add_systems(ExtractSchedule, extract_veils)
            .add_systems(Render, judge.in_set(RenderSystems::Cleanup));
    }
}

/// Veils every terrain that has its first ground; windows of endless ground only while there are no others.
fn veil(
    mut commands: Commands,
    told: Res<Told>,
    terrains: Query<(Entity, Option<&TerrainWindow>), Added<HeightImage>>,
    shown: Query<&TerrainWindow, (With<HeightImage>, Without<Upcoming>)>,
) {
    if !told.is_heard() {
        return;
    }
    for (entity, window) in &terrains {
        let takes_place =
            window.is_some_and(|new| shown.iter().any(|old| old.terrain == new.terrain));
        if !takes_place {
            commands.entity(entity).try_insert(Veiled::default());
        }
    }
}

type Piece = Or<(With<TerrainChunk>, With<WaterSurface>)>;

/// Keeps the pieces of veiled terrains at a size of nothing, wherever the camera looks.
fn hide(
    mut commands: Commands,
    veiled: Query<(), With<Veiled>>,
    mut pieces: Query<(Entity, &ChildOf, &mut Transform), Piece>,
) {
    if veiled.is_empty() {
        return;
    }
    for (entity, terrain, mut transform) in &mut pieces {
        if veiled.contains(terrain.parent()) && transform.scale != NOTHING {
            let scale = TrueScale(transform.scale);
            transform.scale = NOTHING;
            commands
                .entity(entity)
                .try_insert((scale, NoFrustumCulling));
        }
    }
}

/// Shows what can be drawn.
fn reveal(
    mut commands: Commands,
    time: Res<Time<Real>>,
    told: Res<Told>,
    mut veiled: Query<(Entity, &mut Veiled, &InheritedVisibility)>,
    mut pieces: Query<(Entity, &ChildOf, &mut Transform, &TrueScale)>,
) {
    for (terrain, mut veil, visible) in &mut veiled {
        match told.of(terrain) {
            Readiness::Missing => {
                // What a user has hidden is not missing.
                if visible.get() {
                    veil.missing += time.delta();
                    veil.frames += 1;
                }
                if veil.missing < PATIENCE || veil.frames < FRAMES_OF_PATIENCE {
                    continue;
                }
            }
            Readiness::Compiling => {
                *veil = Veiled::default();
                continue;
            }
            Readiness::Ready => {}
        }
        commands.entity(terrain).try_remove::<Veiled>();
        for (piece, parent, mut transform, scale) in &mut pieces {
            if parent.parent() == terrain {
                transform.scale = scale.0;
                commands
                    .entity(piece)
                    .try_remove::<(TrueScale, NoFrustumCulling)>();
            }
        }
    }
}

impl Told {
    fn lock(&self) -> MutexGuard<'_, Option<HashMap<Entity, Readiness>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// There is somebody who will tell, even if the driver takes its time.
    fn listen(&self) {
        self.lock().get_or_insert_default();
    }

    fn is_heard(&self) -> bool {
        self.lock().is_some()
    }

    fn of(&self, terrain: Entity) -> Readiness {
        let told = self.lock();
        let told = told.as_ref().and_then(|told| told.get(&terrain));
        told.copied().unwrap_or(Readiness::Missing)
    }

    fn tell(&self, readiness: HashMap<Entity, Readiness>) {
        *self.lock() = Some(readiness);
    }
}

fn extract_veils(
    mut veils: ResMut<Veils>,
    told: Res<Told>,
    pieces: Extract<Query<(Entity, &ChildOf, &Visibility, Has<WaterSurface>), With<TrueScale>>>,
) {
    told.listen();
    veils.0.clear();
    for (piece, terrain, visibility, is_sea) in &pieces {
        // Who has no sea does not wait for it.
        if *visibility != Visibility::Hidden {
            let groups = veils.0.entry(terrain.parent()).or_default();
            groups[usize::from(is_sea)].push(piece.into());
        }
    }
}

/// Looks which pipelines there are by now.
fn judge(
    veils: Res<Veils>,
    told: Res<Told>,
    views: Option<Res<SpecializedMaterialPipelineCache>>,
    pipelines: Option<Res<PipelineCache>>,
) {
    let (Some(views), Some(pipelines)) = (views, pipelines) else {
        return;
    };
    let of_all_views = |groups: &[Vec<MainEntity>; 2]| {
        let views = views.values();
        views
            .filter_map(|view| of_view(groups, view, &pipelines))
            .min()
            .unwrap_or(Readiness::Missing)
    };
    let readiness = veils
        .0
        .iter()
        .map(|(terrain, groups)| (*terrain, of_all_views(groups)));
    told.tell(readiness.collect());
}

/// Whether land and sea can both be drawn in a view; none where it has neither.
fn of_view(
    groups: &[Vec<MainEntity>; 2],
    view: &SpecializedMaterialViewPipelineCache,
    pipelines: &PipelineCache,
) -> Option<Readiness> {
    let of_piece = |piece: &MainEntity| {
        let state = pipelines.get_render_pipeline_state(*view.get(piece)?);
        Some(match state {
            CachedPipelineState::Queued | CachedPipelineState::Creating(_) => Readiness::Compiling,
            CachedPipelineState::Ok(_) | CachedPipelineState::Err(_) => Readiness::Ready,
        })
    };
    // Of a group that is not empty some are always uploaded before the others.
    let groups = groups.iter().filter(|group| !group.is_empty());
    let of_groups: Vec<Option<Readiness>> = groups
        .map(|group| group.iter().filter_map(of_piece).min())
        .collect();
    let is_drawn = of_groups.iter().any(Option::is_some);
    let least = of_groups
        .into_iter()
        .map(|group| group.unwrap_or(Readiness::Missing))
        .min();
    least.filter(|_| is_drawn)
}
