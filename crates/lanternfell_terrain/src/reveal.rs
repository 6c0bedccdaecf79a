//! Shows the terrain and its sea in the same frame.
//!
//! Problem: the renderer compiles each material's pipeline when it first encounters it, and skips the meshes until
//! then. On a slow driver the sea appeared seconds after the terrain.
//!
//! Idea: the first chunks and the sea of a terrain start at a scale of almost zero. They are invisible, but their
//! pipelines are compiled:
//!
//! ```text
//! first terrain ──> Veiled: everything scaled to almost 0 ──> all pipelines compiled ──> true scale
//! ```
//!
//! Terrain that replaces other terrain is not veiled: its pipelines are compiled already, or the old one is still
//! visible.

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
    shader::ShaderCacheError,
    time::Real,
};

use crate::{
    ground::{Upcoming, removed_with_terrain},
    land::chunk::TerrainChunk,
    region::TerrainRegion,
    systems::TerrainSystems,
    water::sea::{HeightImage, WaterSurface},
};

/// Small enough to cover no pixel, but the matrix can still be inverted.
const NOTHING: Vec3 = Vec3::splat(1e-9);

/// If something can not be drawn (the texture of a custom material never loads), the rest is shown when both limits
/// have passed. The frame count is for slow machines, where a few frames take seconds.
const PATIENCE: Duration = Duration::from_secs(5);
const FRAMES_OF_PATIENCE: u32 = 60;

/// On a terrain that is invisible until all of it can be drawn.
#[derive(Component, Default)]
struct Veiled {
    /// The time for which something has been missing that is not being compiled.
    missing: Duration,
    frames: u32,
}

/// On the chunks and the sea of a veiled terrain. Stores their true scale.
#[derive(Component)]
struct TrueScale(Vec3);

/// The state of a terrain's pipelines. The minimum over all its parts counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Readiness {
    /// Not seen by the renderer yet, or not uploaded.
    Missing,
    Compiling,
    /// Compiled, or failed: waiting would not help.
    Ready,
}

/// The readiness of each veiled terrain. The render world writes it, and the main world reads it. `None` inside until
/// the render world has started.
#[derive(Resource, Default, Clone)]
struct SharedReadiness(Arc<Mutex<Option<HashMap<Entity, Readiness>>>>);

/// The parts of each veiled terrain, in the render world: chunks, and water.
#[derive(Resource, Default)]
struct Veils(HashMap<Entity, [Vec<MainEntity>; 2]>);

/// Systems that need a renderer.
pub(crate) fn plugin(app: &mut App) {
    let shared = SharedReadiness::default();
    removed_with_terrain::<Veiled>(app);
    app.insert_resource(shared.clone()).add_systems(
        PostUpdate,
        (veil, hide, reveal)
            .chain()
            .in_set(RevealSystems)
            .after(TerrainSystems::Present)
            .before(TransformSystems::Propagate),
    );
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        render
            .insert_resource(shared)
            .init_resource::<Veils>()
            .add_systems(ExtractSchedule, extract_veils)
            .add_systems(Render, judge.in_set(RenderSystems::Cleanup));
    }
}

/// Veils each terrain that is generated for the first time. Regions of an endless terrain are only veiled if none are
/// shown.
fn veil(
    mut commands: Commands,
    shared: Res<SharedReadiness>,
    terrains: Query<(Entity, Option<&TerrainRegion>), Added<HeightImage>>,
    shown: Query<&TerrainRegion, (With<HeightImage>, Without<Upcoming>)>,
) {
    if !shared.has_renderer() {
        return;
    }
    for (entity, region) in &terrains {
        let takes_place =
            region.is_some_and(|new| shown.iter().any(|old| old.terrain == new.terrain));
        if !takes_place {
            commands.entity(entity).try_insert(Veiled::default());
        }
    }
}

/// The systems that move what is not shown yet.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct RevealSystems;

type Piece = Or<(With<TerrainChunk>, With<WaterSurface>)>;

/// Keeps the parts of veiled terrains at a scale of almost 0, and renders them even outside the view.
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

/// Shows terrains that can be drawn completely.
fn reveal(
    mut commands: Commands,
    time: Res<Time<Real>>,
    shared: Res<SharedReadiness>,
    mut veiled: Query<(Entity, &mut Veiled, &InheritedVisibility)>,
    mut pieces: Query<(Entity, &ChildOf, &mut Transform, &TrueScale)>,
) {
    for (terrain, mut veil, visible) in &mut veiled {
        match shared.of(terrain) {
            Readiness::Missing => {
                // A terrain that the user has hidden does not count as missing.
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

impl SharedReadiness {
    fn lock(&self) -> MutexGuard<'_, Option<HashMap<Entity, Readiness>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks the render world as present, even if compiling the first pipelines takes long.
    fn mark_renderer_started(&self) {
        self.lock().get_or_insert_default();
    }

    fn has_renderer(&self) -> bool {
        self.lock().is_some()
    }

    fn of(&self, terrain: Entity) -> Readiness {
        let all = self.lock();
        let readiness = all.as_ref().and_then(|all| all.get(&terrain));
        readiness.copied().unwrap_or(Readiness::Missing)
    }

    fn set(&self, readiness: HashMap<Entity, Readiness>) {
        *self.lock() = Some(readiness);
    }
}

fn extract_veils(
    mut veils: ResMut<Veils>,
    shared: Res<SharedReadiness>,
    pieces: Extract<Query<(Entity, &ChildOf, &Visibility, Has<WaterSurface>), With<TrueScale>>>,
) {
    shared.mark_renderer_started();
    veils.0.clear();
    for (piece, terrain, visibility, is_sea) in &pieces {
        // A hidden sea is not waited for.
        if *visibility != Visibility::Hidden {
            let groups = veils.0.entry(terrain.parent()).or_default();
            groups[usize::from(is_sea)].push(piece.into());
        }
    }
}

/// Checks which pipelines have been compiled.
fn judge(
    veils: Res<Veils>,
    shared: Res<SharedReadiness>,
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
    shared.set(readiness.collect());
}

/// Whether terrain and sea can both be drawn in a view. `None` if the view contains neither.
fn of_view(
    groups: &[Vec<MainEntity>; 2],
    view: &SpecializedMaterialViewPipelineCache,
    pipelines: &PipelineCache,
) -> Option<Readiness> {
    let of_piece = |piece: &MainEntity| {
        let pipeline = *view.get(piece)?;
        Some(of_pipeline(pipelines.get_render_pipeline_state(pipeline)))
    };
    // Within a group, the parts that are uploaded first are sufficient.
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

fn of_pipeline(state: &CachedPipelineState) -> Readiness {
    match state {
        // Bevy compiles a pipeline again if a shader or an import is still loading.
        CachedPipelineState::Queued
        | CachedPipelineState::Creating(_)
        | CachedPipelineState::Err(
            ShaderCacheError::ShaderNotLoaded(_) | ShaderCacheError::ShaderImportNotYetAvailable,
        ) => Readiness::Compiling,
        CachedPipelineState::Ok(_) | CachedPipelineState::Err(_) => Readiness::Ready,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_for_shaders_that_are_loading() {
        for error in [
            ShaderCacheError::ShaderNotLoaded(AssetId::default()),
            ShaderCacheError::ShaderImportNotYetAvailable,
        ] {
            let state = CachedPipelineState::Err(error);
            assert_eq!(of_pipeline(&state), Readiness::Compiling);
        }
    }

    #[test]
    fn does_not_wait_for_faulty_shaders() {
        let error = ShaderCacheError::CreateShaderModule("faulty".into());
        let state = CachedPipelineState::Err(error);
        assert_eq!(of_pipeline(&state), Readiness::Ready);
    }
}
