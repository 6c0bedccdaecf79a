//! Lets the screenshot wait for the plants that its cameras can see, which are grown in the
//! background.

use bevy::prelude::*;
use lanternfell_terrain::Terrain;
use lanternfell_vegetation::{DrawnVegetation, Vegetation};

use crate::systems::ScreenshotSystems;

pub(crate) fn plugin(app: &mut App) {
    app.configure_sets(Last, ScreenshotSystems.run_if(are_grown));
}

fn are_grown(terrains: Query<Option<&DrawnVegetation>, (With<Terrain>, With<Vegetation>)>) -> bool {
    let mut drawn = terrains.iter();
    drawn.all(|drawn| drawn.is_some_and(|drawn| drawn.is_complete))
}
