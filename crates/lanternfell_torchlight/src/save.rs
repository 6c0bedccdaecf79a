//! Serialization of a map: its own cells and light, without blockers.
//!
//! Blockers are saved with their entities. If they were saved in the cells too, a door that was closed when the game
//! was saved would become a permanent wall.

use bevy::prelude::*;
use lanternfell_lightgrid::LightGrid;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{
    frame::{LightLayout, LightPlane},
    map::TorchlightMap,
};

/// The serialized form.
#[derive(Serialize, Deserialize)]
#[serde(rename = "TorchlightMap", deny_unknown_fields)]
struct SavedMap<Grid> {
    cell_size: f32,
    plane: LightPlane,
    #[serde(default)]
    layout: LightLayout,
    grid: Grid,
}

impl Serialize for TorchlightMap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = |grid| SavedMap {
            cell_size: self.valid_cell_size(),
            plane: self.plane,
            layout: self.layout,
            grid,
        };
        let (grid, cover) = (&self.data.grid, &self.data.cover);
        if cover.is_empty() && self.settings == *grid.settings() {
            return saved(grid).serialize(serializer);
        }
        let mut grid = grid.clone();
        cover.uncover(&mut grid);
        // Settings that the grid has not taken over yet. It keeps its own if these are invalid.
        let _ = grid.set_settings(self.settings);
        saved(&grid).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for TorchlightMap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let saved = SavedMap::<LightGrid>::deserialize(deserializer)?;
        if !(saved.cell_size > 0.0 && saved.cell_size.is_finite()) {
            let size = saved.cell_size;
            let wrong = format!("cell_size is {size}, but must be finite and above 0");
            return Err(de::Error::custom(wrong));
        }
        let map = Self::new(saved.grid).with_cell_size(saved.cell_size);
        Ok(map.with_plane(saved.plane).with_layout(saved.layout))
    }
}
