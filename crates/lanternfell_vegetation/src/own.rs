//! What the game itself lets stand by rules: an entity for each, around the cameras.

use std::collections::BTreeSet;

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task},
};
use lanternfell_plants::scatter::Instance;
use lanternfell_tasks::pause;

use crate::{
    cells::Cells,
    clear,
    plan::{self, CELL, Eye, STEP},
    presence::Eyes,
    sowing::Sowing,
    systems::VegetationSystems,
};

/// On every entity that stands for a [`PlantLook::Own`](crate::PlantLook::Own): a child of its terrain, with a place, a
/// turn and a scale. They come and go with the cameras; what they are (meshes, a scene, a collider) an observer
/// gives them. See [`Plant::own`](crate::Plant::own).
#[derive(Component, Reflect, Debug, Clone, PartialEq, Eq)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct ScatteredPlant {
    /// The entity of the [`Terrain`](lanternfell_terrain::Terrain).
    pub terrain: Entity,
    /// The rule's name.
    pub name: String,
    /// Which of the rule's [`variants`](lanternfell_plants::scatter::ScatterRule::variants).
    pub variant: u32,
    /// Of its own: for what else should differ.
    pub seed: u32,
}

/// On a terrain with vegetation.
#[derive(Component, Default)]
pub(crate) struct OwnPlants {
    cells: Cells<Cell, (ScatteredPlant, Transform)>,
    /// Where the cameras were, and of which revision all was, when it was looked what is wanted.
    planned: Option<(Vec<Eye>, u64)>,
}

impl OwnPlants {
    /// Whether all is there that the cameras are near.
    pub(crate) fn are_complete(&self) -> bool {
        self.planned.is_some() && self.cells.are_complete()
    }
}

/// The number of the plant among all, and the cell of land.
type Cell = (usize, [i64; 2]);

pub(crate) fn plugin(app: &mut App) {
    app.register_type::<ScatteredPlant>()
        .add_systems(Update, follow_cameras.in_set(VegetationSystems::Grow));
    clear::remove_with_vegetation::<OwnPlants>(app);
}

fn follow_cameras(
    mut commands: Commands,
    cameras: Eyes,
    mut terrains: Query<(Entity, &GlobalTransform, &Sowing, Option<&mut OwnPlants>)>,
) {
    for (terrain, transform, sowing, own) in &mut terrains {
        let Some(mut own) = own else {
            if sowing.own().next().is_some() {
                commands.entity(terrain).try_insert(OwnPlants::default());
            }
            continue;
        };
        let own = &mut *own;
        let eyes = cameras.on(transform, sowing);
        if !plan::is_planned(&own.planned, &eyes, sowing.revision) {
            let wanted = wanted(sowing, &eyes, STEP);
            let stays = BTreeSet::from_iter(self::wanted(sowing, &eyes, STEP + CELL));
            own.cells
                .want(&mut commands, sowing.revision, &wanted, &stays);
            own.planned = Some((eyes, sowing.revision));
        }
        own.cells.go_on(
            &mut commands,
            sowing.revision,
            |cell| make(sowing, terrain, cell),
            |commands, (plant, place)| {
                let bundle = (plant, place, Visibility::default());
                Some(clear::spawn(commands, terrain, bundle))
            },
        );
    }
}

/// The cells of all plants if each reaches so much further, the nearest first.
fn wanted(sowing: &Sowing, eyes: &[Eye], further: f64) -> Vec<Cell> {
    let land = sowing.land();
    let of_plant = |(plant, reach): (usize, f64)| {
        let squares = plan::squares(CELL, reach + further, eyes, &land);
        squares
            .into_iter()
            .map(move |(index, distance)| ((plant, index), distance))
    };
    let mut cells: Vec<_> = sowing.own().flat_map(of_plant).collect();
    cells.sort_by(|(_, near), (_, far)| near.total_cmp(far));
    cells.into_iter().map(|(cell, _)| cell).collect()
}

fn make(
    sowing: &Sowing,
    terrain: Entity,
    (plant, cell): Cell,
) -> Task<Vec<(ScatteredPlant, Transform)>> {
    let sowing = sowing.clone();
    AsyncComputeTaskPool::get().spawn(async move {
        pause().await;
        let (name, instances) = sowing.own_in(plant, cell);
        let dressed = |instance: Instance| {
            let scattered = ScatteredPlant {
                terrain,
                name: name.clone(),
                variant: instance.variant,
                seed: instance.seed,
            };
            (scattered, sowing.place(&instance))
        };
        instances.into_iter().map(dressed).collect()
    })
}
