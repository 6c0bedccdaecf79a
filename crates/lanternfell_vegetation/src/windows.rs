//! Endless terrains: every window has the plants of the whole, on the whole's plane.
//!
//! So what two windows have in common grows in both alike, and when one takes the place of the other no tree moves.
//! That happens when the new one's plants are there, to be seen and to be met; but nobody is to see the end of the land for
//! them.

use std::time::Duration;

use bevy::{ecs::query::QueryData, platform::time::Instant, prelude::*};
use lanternfell_terrain::{EndlessTerrain, HoldWindowPlugin, TerrainReady, TerrainWindow};

#[cfg(any(feature = "avian", feature = "rapier"))]
use crate::solids::Solids;
use crate::{
    own::OwnPlants,
    plots::DrawnVegetation,
    sowing::{Refused, Sowing},
    systems::VegetationSystems,
    vegetation::Vegetation,
};

/// So long the ground of a window waits for what grows on it.
const PATIENCE: Duration = Duration::from_secs(8);

/// On a window that waits, since then. It holds the window back.
#[derive(Component)]
struct Waiting(Instant);

pub(crate) fn plugin(app: &mut App) {
    app.add_plugins(HoldWindowPlugin::<Waiting>::default())
        .add_systems(Update, share.in_set(VegetationSystems::Sow))
        .add_systems(Update, release.after(VegetationSystems::Grow))
        .add_observer(wait);
}

/// Gives windows the whole's vegetation, and takes it away with it.
fn share(
    mut commands: Commands,
    wholes: Query<Option<Ref<Vegetation>>, With<EndlessTerrain>>,
    windows: Query<(Entity, &TerrainWindow, Option<&Vegetation>)>,
) {
    for (entity, window, own) in &windows {
        match (wholes.get(window.terrain), own) {
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

/// A window of new ground waits for its plants where there are others with theirs.
fn wait(
    ready: On<TerrainReady>,
    mut commands: Commands,
    windows: Query<(Entity, &TerrainWindow, Has<Sowing>)>,
    wholes: Query<(), (With<EndlessTerrain>, With<Vegetation>)>,
) {
    let Ok((window, new, _)) = windows.get(ready.entity) else {
        return;
    };
    let is_before = |(other, of, is_sown): (Entity, &TerrainWindow, bool)| {
        other != window && of.terrain == new.terrain && is_sown
    };
    if wholes.contains(new.terrain) && windows.iter().any(is_before) {
        commands.entity(window).try_insert(Waiting(Instant::now()));
    }
}

/// What grows on a window whose rules are known.
#[derive(QueryData)]
struct Plants {
    _rules: AnyOf<(&'static Sowing, &'static Refused)>,
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
    for (window, since, plants) in &waiting {
        let is_grown = plants.is_some_and(|plants| plants.are_grown());
        if is_grown || since.0.elapsed() > PATIENCE {
            commands.entity(window).try_remove::<Waiting>();
        }
    }
}
