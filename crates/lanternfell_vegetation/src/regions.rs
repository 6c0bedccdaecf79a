//! Plants on the regions of endless terrains.
//!
//! Every region gets a copy of the endless terrain's [`Vegetation`], on the same plane. Two overlapping regions
//! therefore have the same plants, and no tree moves when one replaces the other.
//!
//! A new region replaces the old one only when its plants and colliders are ready. The wait is limited, so that cameras
//! do not reach the edge of the terrain meanwhile.

use std::time::Duration;

use bevy::{ecs::query::QueryData, platform::time::Instant, prelude::*};
use lanternfell_terrain::{EndlessTerrain, HoldRegionPlugin, TerrainReady, TerrainRegion};

#[cfg(any(feature = "avian", feature = "rapier"))]
use crate::solids::Solids;
use crate::{
    layout::{Refused, VegetationLayout, follow_files, follow_ground},
    own::OwnPlants,
    plots::DrawnVegetation,
    systems::VegetationSystems,
    vegetation::Vegetation,
};

/// Longest time that a new region waits for its plants.
const PATIENCE: Duration = Duration::from_secs(8);

/// Holds back a region that waits for its plants. Stores when the wait began.
#[derive(Component)]
struct Waiting(Instant);

pub(crate) fn plugin(app: &mut App) {
    app.add_plugins(HoldRegionPlugin::<Waiting>::default())
        .add_systems(
            PostUpdate,
            share
                .after(follow_files)
                .before(follow_ground)
                .in_set(VegetationSystems::Scatter),
        )
        .add_systems(PostUpdate, release.after(VegetationSystems::Grow))
        .add_observer(wait);
}

/// Copies the endless terrain's vegetation to its regions, and removes it with the original.
fn share(
    mut commands: Commands,
    wholes: Query<Option<Ref<Vegetation>>, With<EndlessTerrain>>,
    regions: Query<(Entity, &TerrainRegion, Option<&Vegetation>)>,
) {
    for (entity, region, own) in &regions {
        match (wholes.get(region.terrain), own) {
            (Ok(Some(shared)), own) if own.is_none() || shared.is_changed() => {
                commands
                    .entity(entity)
                    .try_insert(Vegetation::clone(&shared));
            }
            (Ok(None), Some(_)) => {
                commands.entity(entity).try_remove::<Vegetation>();
            }
            _ => {}
        }
    }
}

/// Makes a new region wait for its plants if another region already has some.
fn wait(
    ready: On<TerrainReady>,
    mut commands: Commands,
    regions: Query<(Entity, &TerrainRegion, Has<VegetationLayout>)>,
    wholes: Query<(), (With<EndlessTerrain>, With<Vegetation>)>,
) {
    let Ok((region, new, _)) = regions.get(ready.entity) else {
        return;
    };
    let is_before = |(other, of, is_scattered): (Entity, &TerrainRegion, bool)| {
        other != region && of.terrain == new.terrain && is_scattered
    };
    if wholes.contains(new.terrain) && regions.iter().any(is_before) {
        commands.entity(region).try_insert(Waiting(Instant::now()));
    }
}

/// The state of a region's plants, once its rules are known.
#[derive(QueryData)]
struct Plants {
    _rules: AnyOf<(&'static VegetationLayout, &'static Refused)>,
    drawn: Option<&'static DrawnVegetation>,
    own: Option<&'static OwnPlants>,
    #[cfg(any(feature = "avian", feature = "rapier"))]
    solids: Option<&'static Solids>,
}

impl PlantsItem<'_, '_> {
    fn are_grown(&self) -> bool {
        #[cfg(any(feature = "avian", feature = "rapier"))]
        if !self.solids.is_none_or(Solids::are_complete) {
            return false;
        }
        self.drawn.is_none_or(|drawn| drawn.is_complete)
            && self.own.is_none_or(OwnPlants::are_complete)
    }
}

fn release(mut commands: Commands, waiting: Query<(Entity, &Waiting, Option<Plants>)>) {
    for (region, since, plants) in &waiting {
        let is_grown = plants.is_some_and(|plants| plants.are_grown());
        if is_grown || since.0.elapsed() > PATIENCE {
            commands.entity(region).try_remove::<Waiting>();
        }
    }
}
