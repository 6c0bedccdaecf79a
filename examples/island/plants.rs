//! The vegetation: plants by climate, with the density of the quality level.

use bevy::prelude::*;
use lanternfell::{heightmap::LandCover, prelude::*};

use crate::{
    ground::{Built, Ground},
    quality::Quality,
};

/// Whether plants and stones are shown.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plants {
    pub shown: bool,
}

pub fn plugin(app: &mut App) {
    let changes = resource_changed::<Quality>.or_eager(resource_changed::<Plants>);
    app.add_systems(Update, update_vegetation.run_if(changes))
        .add_observer(plant);
}

/// Plants on the new terrain when it is ready.
fn plant(
    ready: On<TerrainReady>,
    built: Res<Built>,
    quality: Res<Quality>,
    plants: Res<Plants>,
    mut commands: Commands,
) {
    if let Some(ground) = built.asked() {
        keep(
            commands.entity(ready.entity),
            *plants,
            wanted(ground, *quality),
        );
    }
}

fn update_vegetation(
    built: Res<Built>,
    quality: Res<Quality>,
    plants: Res<Plants>,
    mut commands: Commands,
    grounds: Query<Entity, With<TerrainSurface>>,
) {
    for entity in &grounds {
        if let Some(ground) = built.standing() {
            keep(commands.entity(entity), *plants, wanted(ground, *quality));
        }
    }
}

fn wanted(ground: &Ground, quality: Quality) -> Vegetation {
    let plants = match (ground.cover(), ground.preset()) {
        (LandCover::Desert, _) => Vegetation::desert(),
        (_, Some("alpine" | "cirques" | "fjords" | "jagged-range")) => Vegetation::alpine(),
        (_, Some("archipelago" | "atoll" | "coral")) => Vegetation::tropical(),
        (LandCover::Temperate, _) => Vegetation::temperate(),
    };
    quality.level().thin(plants)
}

fn keep(mut ground: EntityCommands, plants: Plants, wanted: Vegetation) {
    if plants.shown {
        // Keep an equal component unchanged, so that the plants are not regenerated.
        ground
            .entry::<Vegetation>()
            .and_modify({
                let wanted = wanted.clone();
                move |mut standing| {
                    standing.set_if_neq(wanted);
                }
            })
            .or_insert(wanted);
    } else {
        ground.remove::<Vegetation>();
    }
}
