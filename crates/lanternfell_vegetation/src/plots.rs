//! Spawns the plant meshes of the plots near cameras: built in the background, nearest first.
//!
//! ```text
//!   cameras ─> wanted plots ─> tasks: scatter, merge ─> 2 MiB per frame ─> one entity each
//!   terrain or rules change: new revision; old plots stay until their replacements are ready
//! ```
//!
//! Rules may ask for more than a graphics card holds. Each mesh ([`Chunk`]) and each terrain ([`MOST_BYTES`]) has a
//! size limit. Beyond the limit, farther plots are not built and a warning is logged.

use std::{collections::BTreeMap, mem};

use bevy::{
    camera::visibility::NoAutoAabb,
    light::NotShadowCaster,
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell_terrain::{EndlessTerrain, TerrainRenderLayersPlugin};

use crate::{
    chunk::Chunk,
    clear,
    layout::{self, Measuring, Refused, VegetationLayout},
    library::PlantLibrary,
    material::{PlantMaterial, PlantMaterialHandle},
    model::Models,
    plan::{CELL, Eye, Plot, PlotKind, STEP, is_planned, wanted},
    presence::Eyes,
    systems::VegetationSystems,
    vegetation::Vegetation,
};

/// Bytes of meshes spawned per frame. A larger mesh is spawned alone.
const BYTES: usize = 2 << 20;

/// Number of plots built at the same time.
const AT_ONCE: usize = 2;

/// Size limit for all meshes of a terrain in bytes: one half for far plots, one half for the others. The preset
/// vegetation needs less than a tenth.
const MOST_BYTES: usize = 1 << 30;

/// Statistics of the rendered vegetation of a terrain. If there is a renderer, the plugin inserts it on the entity of
/// the [`Vegetation`].
#[derive(Component, Reflect, Default, Debug, Clone, PartialEq, Eq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct DrawnVegetation {
    /// Number of meshes. This is the number of draw calls if all are visible.
    pub meshes: usize,
    /// GPU memory of the meshes, in bytes.
    pub bytes: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// Number of plants and stones in far plots. Grass and herbs are not counted.
    pub plants: usize,
    /// Whether everything in range of the cameras is built.
    pub is_complete: bool,
}

/// Marker on every mesh of plants, which is a child of its terrain.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct VegetationChunk {
    /// The entity of the [`Terrain`](lanternfell_terrain::Terrain). On an endless terrain, the entity of the region.
    pub terrain: Entity,
}

/// The plots of a terrain with vegetation.
#[derive(Component, Default)]
pub(crate) struct Plots {
    shown: BTreeMap<Plot, Shown>,
    making: Vec<Making>,
    /// The eyes and the revision of the last plan.
    planned: Option<(Vec<Eye>, u64)>,
    /// All wanted plots with their distances, sorted by plot.
    wanted: Vec<(Plot, f64)>,
    /// Plots that are not started yet, in reverse order.
    missing: Vec<Plot>,
    /// The last revision for which the size limit was reported.
    said: Option<u64>,
}

struct Shown {
    revision: u64,
    /// `None` if nothing grows there.
    chunk: Option<Entity>,
    bytes: usize,
    triangles: usize,
    plants: usize,
    /// Bytes per rule name.
    rules: Vec<(String, usize)>,
}

struct Making {
    plot: Plot,
    revision: u64,
    task: Task<Chunk>,
    made: Option<Chunk>,
}

pub(crate) fn plugin(app: &mut App) {
    clear::remove_with_vegetation::<(Plots, DrawnVegetation)>(app);
    app.register_type::<DrawnVegetation>()
        .register_type::<VegetationChunk>()
        .add_plugins(TerrainRenderLayersPlugin::<VegetationChunk>::default())
        .init_resource::<PlantLibrary>()
        .add_systems(
            PostUpdate,
            (
                layout::begin
                    .before(layout::follow_ground)
                    .in_set(VegetationSystems::Scatter),
                (begin, follow_cameras, make, show, update_statistics)
                    .chain()
                    .in_set(VegetationSystems::Grow),
            ),
        );
}

type Unplanted = (With<Vegetation>, Without<Plots>, Without<EndlessTerrain>);

/// Endless terrains have no plots; their regions do.
fn begin(mut commands: Commands, asking: Query<Entity, Unplanted>) {
    for terrain in &asking {
        let plots = (Plots::default(), DrawnVegetation::default());
        commands.entity(terrain).try_insert(plots);
    }
}

/// Plans again where cameras moved, and despawns plots out of range.
fn follow_cameras(
    mut commands: Commands,
    cameras: Eyes,
    mut terrains: Query<(Entity, &GlobalTransform, &VegetationLayout, &mut Plots)>,
) {
    for (terrain, transform, layout, mut plots) in &mut terrains {
        let eyes = cameras.on(terrain, transform, layout);
        if is_planned(&plots.planned, &eyes, layout.revision) {
            continue;
        }
        let [wanted, keeps] = [STEP, STEP + CELL].map(|more| wanted_plots(layout, &eyes, more));
        plots.planned = Some((eyes, layout.revision));
        plots.keep_current(layout);
        plots.follow(&mut commands, layout.revision, wanted, &keeps);
    }
}

/// The plots within reach plus `further` meters, with their distances, sorted by plot.
fn wanted_plots(layout: &VegetationLayout, eyes: &[Eye], further: f64) -> Vec<(Plot, f64)> {
    let land = layout.land();
    let of_kind = |kind: PlotKind| {
        let reach = layout.reach(kind)? + further;
        Some(wanted(kind, reach, eyes, &land))
    };
    PlotKind::ALL
        .into_iter()
        .filter_map(of_kind)
        .flatten()
        .collect()
}

fn is_among(plots: &[(Plot, f64)], plot: &Plot) -> bool {
    plots.binary_search_by(|(other, _)| other.cmp(plot)).is_ok()
}

impl Plots {
    /// Counts plots of older revisions that are up to date as those of the current revision.
    fn keep_current(&mut self, layout: &VegetationLayout) {
        let shown = self.shown.iter_mut();
        let shown = shown.map(|(plot, shown)| (*plot, &mut shown.revision));
        let making = self.making.iter_mut();
        let making = making.map(|making| (making.plot, &mut making.revision));
        for (plot, revision) in shown.chain(making) {
            let reach = layout.scatter_reach(plot.kind);
            if layout.is_current(*revision, plot.corner(), plot.kind.side(), reach) {
                *revision = layout.revision;
            }
        }
    }

    fn follow(
        &mut self,
        commands: &mut Commands,
        revision: u64,
        mut wanted: Vec<(Plot, f64)>,
        keeps: &[(Plot, f64)],
    ) {
        // Plots of an older revision stay only until their replacement is ready.
        let stays = |plot: &Plot, of: u64| {
            is_among(&wanted, plot) || (of == revision && is_among(keeps, plot))
        };
        let gone = |plot: &Plot, shown: &mut Shown| !stays(plot, shown.revision);
        for (_, shown) in self.shown.extract_if(.., gone) {
            shown.put_away(commands);
        }
        // Tasks of older revisions keep running. Otherwise, if the revision changed every frame, no plot would ever
        // finish.
        self.making
            .retain(|making| stays(&making.plot, making.revision));
        self.wanted.clone_from(&wanted);
        wanted.retain(|(plot, _)| {
            let shown = self.shown.get(plot);
            let is_there = shown.is_some_and(|shown| shown.revision == revision);
            let is_made = |making: &Making| making.plot == *plot && making.revision == revision;
            !is_there && !self.making.iter().any(is_made)
        });
        // First plots that do not exist and those of the oldest revision: otherwise, with constant changes, some would
        // never be built. Then far plots, which are visible from everywhere, then near ones.
        wanted.sort_by(|(a, near), (b, far)| {
            let age = |plot: &Plot| self.shown.get(plot).map(|shown| shown.revision);
            let order = |plot: &Plot| (age(plot), plot.kind != PlotKind::Far);
            order(a).cmp(&order(b)).then(near.total_cmp(far))
        });
        self.missing = wanted.into_iter().rev().map(|(plot, _)| plot).collect();
    }
}

impl Plots {
    /// Makes room for a plot by despawning farther plots of the same group (far or other). Returns whether there is
    /// room.
    fn make_room(&mut self, commands: &mut Commands, plot: &Plot) -> bool {
        let is_far = |plot: &Plot| plot.kind == PlotKind::Far;
        let alike = |other: &&Plot| is_far(other) == is_far(plot) && *other != plot;
        loop {
            let others = || self.shown.keys().filter(alike);
            let bytes: usize = others().map(|other| self.shown[other].bytes).sum();
            if bytes < MOST_BYTES / 2 {
                return true;
            }
            let distance = |plot: &Plot| self.distance(plot);
            let holding = others().filter(|other| self.shown[*other].bytes > 0);
            let furthest = holding.max_by(|a, b| distance(a).total_cmp(&distance(b)));
            let Some(&furthest) = furthest.filter(|other| distance(other) > distance(plot)) else {
                return false;
            };
            if let Some(shown) = self.shown.remove(&furthest) {
                shown.put_away(commands);
            }
        }
    }

    /// Distance of a plot in the last plan.
    fn distance(&self, plot: &Plot) -> f64 {
        let known = self.wanted.binary_search_by(|(other, _)| other.cmp(plot));
        known.map_or(f64::INFINITY, |at| self.wanted[at].1)
    }

    /// Warns that some plants are not drawn, once per revision.
    fn say_that_not_all_is_drawn(&mut self, terrain: Entity, revision: u64, is_far: bool) {
        if self.said.replace(revision) == Some(revision) {
            return;
        }
        let shown = self.shown.iter();
        let alike = shown.filter(|(plot, _)| (plot.kind == PlotKind::Far) == is_far);
        let mut most = BTreeMap::new();
        for (_, shown) in alike {
            for (rule, bytes) in &shown.rules {
                *most.entry(rule).or_insert(0) += *bytes;
            }
        }
        let most = most.into_iter().max_by_key(|(_, bytes)| *bytes);
        let name = most.map_or("nothing", |(rule, _)| rule);
        warn!(
            "the plant meshes on {terrain} exceed the memory limit, and some plants are not drawn; \
             rule {name:?} uses the most memory: increase its spacing or reduce `Vegetation::detail`"
        );
    }
}

impl Shown {
    fn put_away(self, commands: &mut Commands) {
        if let Some(chunk) = self.chunk {
            commands.entity(chunk).try_despawn();
        }
    }
}

/// Starts missing plots.
fn make(mut commands: Commands, mut terrains: Query<(Entity, &VegetationLayout, &mut Plots)>) {
    for (terrain, layout, mut plots) in &mut terrains {
        let Some(library) = layout.library().filter(|_| !plots.missing.is_empty()) else {
            continue;
        };
        while plots.making.len() < AT_ONCE
            && let Some(plot) = plots.missing.pop()
        {
            if !plots.make_room(&mut commands, &plot) {
                let is_far = plot.kind == PlotKind::Far;
                plots.say_that_not_all_is_drawn(terrain, layout.revision, is_far);
                continue;
            }
            let (layout, library) = (layout.clone(), library.clone());
            let revision = layout.revision;
            let making = Making {
                plot,
                revision,
                task: AsyncComputeTaskPool::get()
                    .spawn(async move { Chunk::make(plot, &layout, &library).await }),
                made: None,
            };
            plots.making.push(making);
        }
    }
}

/// Spawns finished plots, up to [`BYTES`] per frame, and despawns those that they replace.
fn show(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    material: Option<Res<PlantMaterialHandle>>,
    mut terrains: Query<(Entity, &VegetationLayout, &mut Plots)>,
) {
    let Some(material) = material else { return };
    let mut room = BYTES;
    for (terrain, layout, mut plots) in &mut terrains {
        if plots.making.is_empty() {
            continue;
        }
        let plots = &mut *plots;
        let mut left = Vec::new();
        for mut making in mem::take(&mut plots.making) {
            if making.made.is_none() {
                making.made = check_ready(&mut making.task);
            }
            let shown = plots.shown.get(&making.plot);
            if shown.is_some_and(|shown| shown.revision > making.revision) {
                continue;
            }
            let fits = |made: &mut Chunk| made.bytes <= room || room == BYTES;
            let Some(mut made) = making.made.take_if(fits) else {
                left.push(making);
                continue;
            };
            room = room.saturating_sub(made.bytes);
            let (plot, revision) = (making.plot, making.revision);
            let (bytes, triangles) = (made.bytes, made.triangles);
            let is_far = plot.kind == PlotKind::Far;
            let is_cut = made.is_cut && revision == layout.revision;
            let shown = Shown {
                revision,
                bytes,
                triangles,
                plants: if is_far { made.plants } else { 0 },
                rules: mem::take(&mut made.rules),
                chunk: spawn(&mut commands, &mut meshes, &material, terrain, plot, made),
            };
            if let Some(before) = plots.shown.insert(plot, shown) {
                before.put_away(&mut commands);
            }
            if is_cut {
                plots.say_that_not_all_is_drawn(terrain, revision, is_far);
            }
        }
        plots.making = left;
    }
}

fn spawn(
    commands: &mut Commands,
    meshes: &mut Assets<Mesh>,
    material: &PlantMaterialHandle,
    terrain: Entity,
    plot: Plot,
    made: Chunk,
) -> Option<Entity> {
    let bundle = (
        VegetationChunk { terrain },
        Mesh3d(meshes.add(made.mesh?)),
        MeshMaterial3d::<PlantMaterial>(material.0.clone()),
        Transform::from_translation(made.origin),
        made.aabb,
        // Bevy's own bounds would not include wind and impostors.
        NoAutoAabb,
    );
    let chunk = clear::spawn(commands, terrain, bundle);
    // Impostors face the camera, so their shadows would not fit. Shadows of herbs are only visible up close.
    if matches!(plot.kind, PlotKind::Far | PlotKind::Herbs) {
        commands.entity(chunk).insert(NotShadowCaster);
    }
    Some(chunk)
}

type StatisticsQuery = (
    &'static Plots,
    Option<&'static VegetationLayout>,
    Has<Measuring>,
    Has<Refused>,
    &'static mut DrawnVegetation,
);

/// Updates the statistics.
fn update_statistics(
    server: Option<Res<AssetServer>>,
    models: Res<Models>,
    mut terrains: Query<StatisticsQuery>,
) {
    for (plots, layout, is_measured, refused, mut drawn) in &mut terrains {
        let is_scattered = layout.is_some_and(|layout| {
            !layout.waits_for_files(server.as_deref()) && !layout.waits_for_models(&models)
        });
        let all = || plots.shown.values();
        drawn.set_if_neq(DrawnVegetation {
            meshes: all().filter(|shown| shown.chunk.is_some()).count(),
            bytes: all().map(|shown| shown.bytes).sum(),
            triangles: all().map(|shown| shown.triangles).sum(),
            plants: all().map(|shown| shown.plants).sum(),
            is_complete: plots.missing.is_empty()
                && plots.making.is_empty()
                && (is_scattered && !is_measured && plots.planned.is_some() || refused),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(kind: PlotKind, x: i64) -> Plot {
        Plot {
            kind,
            index: [x, 0],
        }
    }

    fn shown(bytes: usize) -> Shown {
        Shown {
            revision: 1,
            chunk: None,
            bytes,
            triangles: 0,
            plants: 0,
            rules: Vec::new(),
        }
    }

    /// Eight near and eight far plots, each an eighth of the limit of its group, at increasing distances.
    fn full() -> Plots {
        let kinds = [PlotKind::Far, PlotKind::Near];
        let all = kinds
            .into_iter()
            .flat_map(|kind| (0..8).map(move |x| plot(kind, x)));
        let mut plots = Plots::default();
        for plot in all {
            plots.shown.insert(plot, shown(MOST_BYTES / 16));
            plots.wanted.push((plot, plot.index[0] as f64 + 1.0));
        }
        plots.wanted.sort_by_key(|(plot, _)| *plot);
        plots
    }

    fn has_room(plots: &mut Plots, plot: Plot, distance: f64) -> bool {
        plots.wanted.push((plot, distance));
        plots.wanted.sort_by_key(|(plot, _)| *plot);
        let world = World::new();
        let mut queue = bevy::ecs::world::CommandQueue::default();
        plots.make_room(&mut Commands::new(&mut queue, &world), &plot)
    }

    #[test]
    fn near_plots_replace_farther_plots_of_their_group() {
        let mut plots = full();
        assert!(has_room(&mut plots, plot(PlotKind::Middle, 20), 4.5));
        let left: Vec<i64> = plots.shown.keys().map(|plot| plot.index[0]).collect();
        assert_eq!(left, [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6]);
        assert!(!plots.shown.contains_key(&plot(PlotKind::Near, 7)));
    }

    #[test]
    fn farthest_plot_only_replaces_itself() {
        let mut plots = full();
        assert!(!has_room(&mut plots, plot(PlotKind::Far, 20), 100.0));
        assert_eq!(plots.shown.len(), 16);
        assert!(has_room(&mut plots, plot(PlotKind::Far, 3), 4.0));
        assert_eq!(plots.shown.len(), 16);
    }
}
