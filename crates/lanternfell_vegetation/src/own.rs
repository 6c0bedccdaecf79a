//! Spawns the entities of [`PlantLook::Custom`](crate::PlantLook::Custom) around the cameras.

use std::collections::BTreeSet;

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task},
};
use lanternfell_plants::scatter::Instance;
use lanternfell_tasks::pause;
use lanternfell_terrain::TerrainRenderLayersPlugin;

use crate::{
    cells::{Cells, Placed},
    clear,
    layout::VegetationLayout,
    plan::{self, CELL, Eye, STEP},
    presence::Eyes,
    systems::VegetationSystems,
};

/// An entity placed by [`Plant::custom`](crate::Plant::custom): a child of its terrain with a `Transform`.
///
/// The plugin spawns and despawns these entities as cameras move. Use an observer of `Add` to insert a mesh with a
/// material, a scene or a collider.
#[derive(Component, Reflect, Debug, Clone, PartialEq, Eq)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct PlantInstance {
    /// The entity of the [`Terrain`](lanternfell_terrain::Terrain). On an endless terrain, the entity of the region.
    pub terrain: Entity,
    /// Name of the rule.
    pub name: String,
    /// Index into the [`variants`](lanternfell_plants::scatter::ScatterRule::variants) of the rule.
    pub variant: u32,
    /// Random number of this instance, for further variation.
    pub seed: u32,
}

/// On terrains that have custom plants.
#[derive(Component, Default)]
pub(crate) struct OwnPlants {
    cells: Cells<Cell, Object>,
    /// The eyes and the revision of the last plan.
    planned: Option<(Vec<Eye>, u64)>,
}

impl OwnPlants {
    /// Whether all entities near the cameras are spawned.
    pub(crate) fn are_complete(&self) -> bool {
        self.planned.is_some() && self.cells.are_complete()
    }
}

/// What an entity is made from.
type Object = (PlantInstance, Transform);

/// The random number distinguishes the objects of a rule.
impl Placed for Object {
    fn is_same(&self, before: &Self) -> bool {
        self.0 == before.0
    }

    fn transform(&self) -> &Transform {
        &self.1
    }
}

/// Index of the plant's rule, and the scatter cell.
type Cell = (usize, [i64; 2]);

pub(crate) fn plugin(app: &mut App) {
    app.register_type::<PlantInstance>()
        .add_plugins(TerrainRenderLayersPlugin::<PlantInstance>::default())
        .add_systems(PostUpdate, follow_cameras.in_set(VegetationSystems::Grow));
    clear::remove_with_vegetation::<OwnPlants>(app);
}

fn follow_cameras(
    mut commands: Commands,
    cameras: Eyes,
    mut terrains: Query<(
        Entity,
        &GlobalTransform,
        &VegetationLayout,
        Option<&mut OwnPlants>,
    )>,
) {
    for (terrain, transform, layout, own) in &mut terrains {
        let Some(mut own) = own else {
            if layout.own().next().is_some() {
                commands.entity(terrain).try_insert(OwnPlants::default());
            }
            continue;
        };
        let own = &mut *own;
        let eyes = cameras.on(terrain, transform, layout);
        if !plan::is_planned(&own.planned, &eyes, layout.revision) {
            let wanted = wanted(layout, &eyes, STEP);
            let stays = BTreeSet::from_iter(self::wanted(layout, &eyes, STEP + CELL));
            own.cells
                .keep_current(layout.revision, |(_, cell), revision| {
                    layout.is_cell_current(*cell, revision)
                });
            own.cells
                .want(&mut commands, layout.revision, &wanted, &stays);
            own.planned = Some((eyes, layout.revision));
        }
        own.cells.go_on(
            &mut commands,
            layout.revision,
            |cell| make(layout, terrain, cell),
            |commands, (plant, place)| {
                let bundle = (plant.clone(), *place, Visibility::default());
                Some(clear::spawn(commands, terrain, bundle))
            },
        );
    }
}

/// The cells within reach plus `further` meters of all custom plants, nearest first.
fn wanted(layout: &VegetationLayout, eyes: &[Eye], further: f64) -> Vec<Cell> {
    let land = layout.land();
    let of_plant = |(plant, reach): (usize, f64)| {
        let squares = plan::squares(CELL, reach + further, eyes, &land);
        squares
            .into_iter()
            .map(move |(index, distance)| ((plant, index), distance))
    };
    let mut cells: Vec<_> = layout.own().flat_map(of_plant).collect();
    cells.sort_by(|(_, near), (_, far)| near.total_cmp(far));
    cells.into_iter().map(|(cell, _)| cell).collect()
}

fn make(layout: &VegetationLayout, terrain: Entity, (plant, cell): Cell) -> Task<Vec<Object>> {
    let layout = layout.clone();
    AsyncComputeTaskPool::get().spawn(async move {
        pause().await;
        let (name, instances) = layout.own_in(plant, cell);
        let dressed = |instance: Instance| {
            let scattered = PlantInstance {
                terrain,
                name: name.clone(),
                variant: instance.variant,
                seed: instance.seed,
            };
            (scattered, layout.place(&instance))
        };
        instances.into_iter().map(dressed).collect()
    })
}
