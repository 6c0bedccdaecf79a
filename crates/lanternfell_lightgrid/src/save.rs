//! Serialization of a grid: everything that determines its light, and the light itself.
//!
//! After saving and loading, steps produce the same light as without, bit for bit. Settled light is
//! the same to within the tolerance. Cells and light are run-length encoded, because most neighbors
//! are equal. All lengths are checked before memory is allocated.

use std::sync::Arc;

use glam::{UVec2, Vec3};
use serde::{Deserialize, Serialize, Serializer, de};

use crate::{
    cell::Cell,
    error::{LightError, check_size},
    grid::LightGrid,
    relief::Relief,
    settings::LightSettings,
    source::Source,
};

/// The version of the format.
const VERSION: u32 = 1;

/// Run-length encoded values: counts and values.
type Runs<T> = Vec<(u32, T)>;

#[derive(Serialize, Deserialize)]
#[serde(rename = "LightGrid", deny_unknown_fields)]
struct SavedGrid {
    version: u32,
    width: u32,
    height: u32,
    gray: bool,
    settings: LightSettings,
    cells: Runs<Cell>,
    regions: Runs<u8>,
    ambient: Vec<[f32; 3]>,
    sources: Vec<SavedSource>,
    /// For each color, the light and the upper bound that the automaton keeps.
    light: Vec<(Runs<f32>, f32)>,
    /// The heights of the sources above the ground. Empty if all sources have the default height.
    heights: Vec<f32>,
    relief: Option<Relief>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Source", deny_unknown_fields)]
struct SavedSource {
    at: [f32; 2],
    light: [f32; 3],
}

impl SavedSource {
    fn of(source: &Source) -> Self {
        Self {
            at: source.at.into(),
            light: source.light.into(),
        }
    }

    /// The source with the default height.
    fn low(&self) -> Source {
        Source::at(self.at.into(), self.light.into())
    }
}

impl Serialize for LightGrid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let light = self.channels.iter().map(|channel| {
            let (width, height) = (self.width() as usize, self.height() as usize);
            let rows = (0..height).flat_map(|y| channel.light().row(y, 0, width));
            (runs(rows.copied()), channel.ceiling())
        });
        let saved = SavedGrid {
            version: VERSION,
            width: self.width(),
            height: self.height(),
            gray: self.is_gray(),
            settings: *self.settings(),
            cells: runs(self.cells().iter().copied()),
            regions: runs(self.scene.regions.iter().flatten().copied()),
            ambient: self.scene.ambient.iter().map(Vec3::to_array).collect(),
            sources: self.sources().iter().map(SavedSource::of).collect(),
            light: light.collect(),
            heights: heights(self.sources()),
            relief: self.relief().map(|relief| Relief::clone(relief)),
        };
        saved.serialize(serializer)
    }
}

/// The heights of the sources, or an empty list if all have the default height.
fn heights(sources: &[Source]) -> Vec<f32> {
    let unusual = |source: &Source| source.height != Source::HEIGHT;
    match sources.iter().any(unusual) {
        true => sources.iter().map(|source| source.height).collect(),
        false => Vec::new(),
    }
}

impl<'de> Deserialize<'de> for LightGrid {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let saved = SavedGrid::deserialize(deserializer)?;
        restore(saved).map_err(de::Error::custom)
    }
}

fn restore(saved: SavedGrid) -> Result<LightGrid, String> {
    let version = saved.version;
    if version != VERSION {
        return Err(format!(
            "version is {version}, but this release reads version {VERSION}"
        ));
    }
    check_size(UVec2::new(saved.width, saved.height)).map_err(|error| error.to_string())?;
    // No overflow, because `check_size` limits the product.
    let cells = (saved.width * saved.height) as usize;
    let colors = if saved.gray { 1 } else { 3 };
    if saved.light.len() != colors {
        let found = saved.light.len();
        return Err(format!("light has {found} colors, but must have {colors}"));
    }
    // Checked before the runs are expanded, because a run of a few bytes may claim any number of
    // cells.
    check_runs("cells", &saved.cells, cells)?;
    if !saved.regions.is_empty() {
        check_runs("regions", &saved.regions, cells)?;
    }
    for (light, _) in &saved.light {
        check_runs("light values", light, cells)?;
    }
    if saved.ambient.len() > 256 {
        return Err(format!("{} regions, but at most 256", saved.ambient.len()));
    }
    rebuild(saved)
}

/// Builds the grid. All lengths must have been checked.
fn rebuild(saved: SavedGrid) -> Result<LightGrid, String> {
    let text = |error: LightError| error.to_string();
    let (width, height) = (saved.width, saved.height);
    let dark = if saved.gray {
        LightGrid::gray(width, height, saved.settings)
    } else {
        LightGrid::new(width, height, saved.settings)
    };
    let mut grid = dark.map_err(text)?;
    grid.set_cells(expand(saved.cells)).map_err(text)?;
    if !saved.regions.is_empty() {
        grid.scene.regions = Some(expand(saved.regions));
    }
    for (region, light) in (0..=255).zip(saved.ambient) {
        grid.set_ambient(region, light.into()).map_err(text)?;
    }
    let mut sources: Vec<Source> = saved.sources.iter().map(SavedSource::low).collect();
    if !saved.heights.is_empty() && saved.heights.len() != sources.len() {
        let (found, expected) = (saved.heights.len(), sources.len());
        return Err(format!("{found} heights, but {expected} sources"));
    }
    for (source, height) in sources.iter_mut().zip(saved.heights) {
        source.height = height;
    }
    grid.set_sources(&sources).map_err(text)?;
    grid.set_relief(saved.relief.map(Arc::new)).map_err(text)?;
    // The light comes last, when the scene is complete. `restore` marks every tile as changed.
    for (channel, (light, ceiling)) in grid.channels.iter_mut().zip(saved.light) {
        let light = expand(light);
        let allowed = 0.0..=Source::MAX_LIGHT;
        if !allowed.contains(&ceiling) || !light.iter().all(|light| allowed.contains(light)) {
            return Err(format!("light must be from 0 to {}", Source::MAX_LIGHT));
        }
        channel.restore(&light, ceiling);
    }
    // The settled solver must not trust its state. Direct light is not saved but computed from the
    // sources.
    grid.light_changed();
    grid.update_direct();
    Ok(grid)
}

fn runs<T: PartialEq>(values: impl Iterator<Item = T>) -> Runs<T> {
    let mut runs: Runs<T> = Vec::new();
    for value in values {
        match runs.last_mut() {
            Some((count, last)) if *last == value => *count += 1,
            _ => runs.push((1, value)),
        }
    }
    runs
}

/// Returns an error unless the runs expand to `expected` values.
fn check_runs<T>(what: &str, runs: &Runs<T>, expected: usize) -> Result<(), String> {
    // In 32 bits, two large counts could wrap around to the expected sum.
    let found: u64 = runs.iter().map(|(count, _)| u64::from(*count)).sum();
    if found == expected as u64 {
        return Ok(());
    }
    Err(format!("{found} {what}, but {expected} expected"))
}

/// Expands the runs.
fn expand<T: Clone>(runs: Runs<T>) -> Vec<T> {
    let runs = runs.into_iter();
    runs.flat_map(|(count, value)| core::iter::repeat_n(value, count as usize))
        .collect()
}
