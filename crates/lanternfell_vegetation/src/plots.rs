//! Meshes of plants for the squares of land that cameras may see: made in the background, the nearest first.
//!
//! ```text
//!   cameras ─> wanted plots ─> tasks: scatter, merge ─> 2 MiB a frame ─> an entity each
//!   ground, cover, rules: another revision; plots of the one before stay until theirs are there
//! ```
//!
//! Rules may ask for more than a graphics card holds. A mesh has an end ([`Chunk`]), and so have all of a terrain
//! ([`MOST_BYTES`]): then what is further away is not made, and that is said.

use std::{collections::BTreeMap, mem};

use bevy::{
    camera::visibility::NoAutoAabb,
    light::NotShadowCaster,
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell_terrain::EndlessTerrain;

use crate::{
    chunk::Chunk,
    clear,
    library::PlantLibrary,
    material::{PlantMaterial, PlantMaterialHandle},
    model::Models,
    plan::{CELL, Eye, Plot, PlotKind, STEP, is_planned, wanted},
    presence::Eyes,
    sowing::{self, Measuring, Refused, Sowing},
    systems::VegetationSystems,
    vegetation::Vegetation,
};

/// At most so many bytes of meshes come in one frame; one that is larger comes alone.
const BYTES: usize = 2 << 20;

/// So many plots are made at a time.
const AT_ONCE: usize = 2;

/// All meshes of a terrain may take so many bytes: half of it those that are seen from afar, and half the others. What
/// comes along takes less than a tenth.
const MOST_BYTES: usize = 1 << 30;

/// On a terrain with a [`Vegetation`]: what there is of it for the renderer.
#[derive(Component, Reflect, Default, Debug, Clone, PartialEq, Eq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct DrawnVegetation {
    /// How many meshes are there: draws, as far as all are seen.
    pub meshes: usize,
    /// What they take on the GPU, in bytes.
    pub bytes: usize,
    /// How many triangles they have.
    pub triangles: usize,
    /// How many plants and stones are there that are seen from afar: grass and herbs are not counted.
    pub plants: usize,
    /// Whether all is there that the cameras may see.
    pub is_complete: bool,
}

/// On every mesh of plants: a child of its terrain.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct VegetationChunk {
    /// The entity of the [`Terrain`](lanternfell_terrain::Terrain).
    pub terrain: Entity,
}

/// On a terrain with vegetation.
#[derive(Component, Default)]
pub(crate) struct Plots {
    shown: BTreeMap<Plot, Shown>,
    making: Vec<Making>,
    /// Where the cameras were, and of which revision all was, when it was looked what is wanted.
    planned: Option<(Vec<Eye>, u64)>,
    /// All that is wanted, in the order of plots, and how far it is.
    wanted: Vec<(Plot, f64)>,
    /// What is not there yet, the last first.
    missing: Vec<Plot>,
    /// Of which revision it was said that a part is not drawn.
    said: Option<u64>,
}

struct Shown {
    revision: u64,
    /// None where nothing grows.
    chunk: Option<Entity>,
    bytes: usize,
    triangles: usize,
    plants: usize,
    /// How many of the bytes are of which rule, by its name.
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
        .init_resource::<PlantLibrary>()
        .add_systems(
            Update,
            (
                sowing::begin
                    .before(sowing::follow_ground)
                    .in_set(VegetationSystems::Sow),
                (begin, follow_cameras, make, show, tell)
                    .chain()
                    .in_set(VegetationSystems::Grow),
            ),
        );
}

type Unplanted = (With<Vegetation>, Without<Plots>, Without<EndlessTerrain>);

/// An endless terrain's plants are those of its windows.
fn begin(mut commands: Commands, asking: Query<Entity, Unplanted>) {
    for terrain in &asking {
        let plots = (Plots::default(), DrawnVegetation::default());
        commands.entity(terrain).try_insert(plots);
    }
}

/// Looks what is wanted where the cameras are, and puts away what is not.
fn follow_cameras(
    mut commands: Commands,
    cameras: Eyes,
    mut terrains: Query<(&GlobalTransform, &Sowing, &mut Plots)>,
) {
    for (transform, sowing, mut plots) in &mut terrains {
        let eyes = cameras.on(transform, sowing);
        if is_planned(&plots.planned, &eyes, sowing.revision) {
            continue;
        }
        let [wanted, keeps] = [STEP, STEP + CELL].map(|more| wanted_plots(sowing, &eyes, more));
        plots.planned = Some((eyes, sowing.revision));
        plots.follow(&mut commands, sowing.revision, wanted, &keeps);
    }
}

/// The plots that are wanted if each kind reaches so much further, and how far they are, in the order of plots.
fn wanted_plots(sowing: &Sowing, eyes: &[Eye], further: f64) -> Vec<(Plot, f64)> {
    let land = sowing.land();
    let of_kind = |kind: PlotKind| {
        let reach = sowing.reach(kind)? + further;
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
    fn follow(
        &mut self,
        commands: &mut Commands,
        revision: u64,
        mut wanted: Vec<(Plot, f64)>,
        keeps: &[(Plot, f64)],
    ) {
        // What stands on other ground stays only until there is something in its place.
        let stays = |plot: &Plot, of: u64| {
            is_among(&wanted, plot) || (of == revision && is_among(keeps, plot))
        };
        let gone = |plot: &Plot, shown: &mut Shown| !stays(plot, shown.revision);
        for (_, shown) in self.shown.extract_if(.., gone) {
            shown.put_away(commands);
        }
        // What was begun is ended, also of other ground: where that changes all the time nothing would ever be there.
        self.making
            .retain(|making| stays(&making.plot, making.revision));
        self.wanted.clone_from(&wanted);
        wanted.retain(|(plot, _)| {
            let shown = self.shown.get(plot);
            let is_there = shown.is_some_and(|shown| shown.revision == revision);
            let is_made = |making: &Making| making.plot == *plot && making.revision == revision;
            !is_there && !self.making.iter().any(is_made)
        });
        // What is not there at all or the oldest first, or where all changes all the time some would never come; then
        // what is seen from everywhere, then what is near.
        wanted.sort_by(|(a, near), (b, far)| {
            let age = |plot: &Plot| self.shown.get(plot).map(|shown| shown.revision);
            let order = |plot: &Plot| (age(plot), plot.kind != PlotKind::Far);
            order(a).cmp(&order(b)).then(near.total_cmp(far))
        });
        self.missing = wanted.into_iter().rev().map(|(plot, _)| plot).collect();
    }
}

impl Plots {
    /// Makes room for a plot, if need be in the place of what is further away and alike: whether there is any.
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

    /// How far a plot was when it was looked what is wanted.
    fn distance(&self, plot: &Plot) -> f64 {
        let known = self.wanted.binary_search_by(|(other, _)| other.cmp(plot));
        known.map_or(f64::INFINITY, |at| self.wanted[at].1)
    }

    /// Says once of a revision that a part of it is not drawn.
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
        warn!("so much grows on {terrain} that a part of it is not drawn: most of it is {name}");
    }
}

impl Shown {
    fn put_away(self, commands: &mut Commands) {
        if let Some(chunk) = self.chunk {
            commands.entity(chunk).try_despawn();
        }
    }
}

/// Begins to make what is missing.
fn make(mut commands: Commands, mut terrains: Query<(Entity, &Sowing, &mut Plots)>) {
    for (terrain, sowing, mut plots) in &mut terrains {
        let Some(library) = sowing.library().filter(|_| !plots.missing.is_empty()) else {
            continue;
        };
        while plots.making.len() < AT_ONCE
            && let Some(plot) = plots.missing.pop()
        {
            if !plots.make_room(&mut commands, &plot) {
                let is_far = plot.kind == PlotKind::Far;
                plots.say_that_not_all_is_drawn(terrain, sowing.revision, is_far);
                continue;
            }
            let (sowing, library) = (sowing.clone(), library.clone());
            let revision = sowing.revision;
            let making = Making {
                plot,
                revision,
                task: AsyncComputeTaskPool::get()
                    .spawn(async move { Chunk::make(plot, &sowing, &library).await }),
                made: None,
            };
            plots.making.push(making);
        }
    }
}

/// Takes in what the background has made, a little each frame, in the place of what was there.
fn show(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    material: Option<Res<PlantMaterialHandle>>,
    mut terrains: Query<(Entity, &Sowing, &mut Plots)>,
) {
    let Some(material) = material else { return };
    let mut room = BYTES;
    for (terrain, sowing, mut plots) in &mut terrains {
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
            let is_cut = made.is_cut && revision == sowing.revision;
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
        // A mesh knows nothing of wind, nor of what faces the eye.
        NoAutoAabb,
    );
    let chunk = clear::spawn(commands, terrain, bundle);
    // A picture that is turned to the eye has no shadow that fits it; that of grass is seen but near the eye.
    if matches!(plot.kind, PlotKind::Far | PlotKind::Herbs) {
        commands.entity(chunk).insert(NotShadowCaster);
    }
    Some(chunk)
}

type Told = (
    &'static Plots,
    Option<&'static Sowing>,
    Has<Measuring>,
    Has<Refused>,
    &'static mut DrawnVegetation,
);

/// Says how much there is.
fn tell(server: Option<Res<AssetServer>>, models: Res<Models>, mut terrains: Query<Told>) {
    for (plots, sowing, is_measured, refused, mut drawn) in &mut terrains {
        let is_sown = sowing.is_some_and(|sowing| {
            !sowing.waits_for_files(server.as_deref()) && !sowing.waits_for_models(&models)
        });
        let all = || plots.shown.values();
        drawn.set_if_neq(DrawnVegetation {
            meshes: all().filter(|shown| shown.chunk.is_some()).count(),
            bytes: all().map(|shown| shown.bytes).sum(),
            triangles: all().map(|shown| shown.triangles).sum(),
            plants: all().map(|shown| shown.plants).sum(),
            is_complete: plots.missing.is_empty()
                && plots.making.is_empty()
                && (is_sown && !is_measured && plots.planned.is_some() || refused),
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

    /// Eight near plots and eight far ones, each of an eighth of its half, and each further than the one before.
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
    fn what_is_near_takes_the_place_of_what_is_further_and_alike() {
        let mut plots = full();
        assert!(has_room(&mut plots, plot(PlotKind::Middle, 20), 4.5));
        let left: Vec<i64> = plots.shown.keys().map(|plot| plot.index[0]).collect();
        assert_eq!(left, [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6]);
        assert!(!plots.shown.contains_key(&plot(PlotKind::Near, 7)));
    }

    #[test]
    fn what_is_furthest_finds_no_room_but_in_its_own_place() {
        let mut plots = full();
        assert!(!has_room(&mut plots, plot(PlotKind::Far, 20), 100.0));
        assert_eq!(plots.shown.len(), 16);
        assert!(has_room(&mut plots, plot(PlotKind::Far, 3), 4.0));
        assert_eq!(plots.shown.len(), 16);
    }
}
