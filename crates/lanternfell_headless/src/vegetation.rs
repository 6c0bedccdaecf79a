//! Plants grow in the background: the picture waits for all that its cameras may see.

use bevy::prelude::*;
use lanternfell_terrain::Terrain;
use lanternfell_vegetation::{DrawnVegetation, Vegetation};

use crate::systems::PictureSystems;

pub(crate) fn plugin(app: &mut App) {
    app.configure_sets(Last, PictureSystems.run_if(are_grown));
}

fn are_grown(terrains: Query<Option<&DrawnVegetation>, (With<Terrain>, With<Vegetation>)>) -> bool {
    let mut drawn = terrains.iter();
    drawn.all(|drawn| drawn.is_some_and(|drawn| drawn.is_complete))
}
