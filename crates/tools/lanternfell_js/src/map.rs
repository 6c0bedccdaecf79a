//! Maps: generated from recipes, or passed from JavaScript.

use js_sys::Function;
use lanternfell_heightmap::{
    Elevation, ElevationModel, Heightmap, HoleMask, MapFrame, MapSize, Recipe, Scale,
};
use lanternfell_random::Fnv1a;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use wasm_bindgen::prelude::*;

use crate::{
    error::Failure,
    progress::watched,
    recipe::{self, seed_json},
};

/// The default sea level: a height, or for files a share of their height range.
const SEA_LEVEL: f32 = 0.04;

/// A map and its metadata.
pub(crate) struct Land {
    pub(crate) model: ElevationModel,
    pub(crate) sea_level: f32,
}

impl Land {
    /// A map from a file. Its sea level is the one in the file. Otherwise it is 0 m if the map is in meters,
    /// or slightly above the lowest height.
    pub(crate) fn of_file(model: ElevationModel) -> Self {
        let shallow = || {
            let (low, high) = model.heights.range();
            low + SEA_LEVEL * (high - low)
        };
        let sea_level = model.frame.sea_level().unwrap_or_else(shallow);
        Self { model, sea_level }
    }
}

/// The metadata of a map from JavaScript.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Facts {
    width: u64,
    height: u64,
    spacing: Option<f32>,
    relief: Option<f32>,
    offset: Option<f64>,
    sea_level: Option<f32>,
    scale_is_known: Option<bool>,
}

/// Converts a map from JavaScript.
pub(crate) fn land(facts: &str, heights: Vec<f32>) -> Result<Land, Failure> {
    let facts: Facts =
        serde_json::from_str(facts).map_err(|error| Failure::of_json("map", &error))?;
    let size = MapSize::new(facts.width, facts.height)?;
    let usual = Scale::of_size(size);
    let scale = Scale {
        spacing: facts.spacing.unwrap_or(usual.spacing),
        relief: facts.relief.unwrap_or(usual.relief),
    };
    scale.validate()?;
    let said = facts.spacing.is_some() || facts.relief.is_some();
    let mut frame = MapFrame::of_scale(scale, facts.scale_is_known.unwrap_or(said));
    frame.elevation.offset = facts.offset.unwrap_or(0.0);
    let sea = facts.sea_level.map(|height| frame.elevation.meters(height));
    frame.scenery.sea_level = sea;
    frame.validate()?;
    let heights = Heightmap::from_heights(size, heights)?;
    Ok(Land {
        model: ElevationModel { heights, frame },
        sea_level: facts.sea_level.unwrap_or(SEA_LEVEL),
    })
}

/// A map that JavaScript can read.
#[wasm_bindgen]
pub struct MadeMap {
    facts: String,
    heights: Vec<f32>,
    holes: Option<Vec<u8>>,
}

#[wasm_bindgen]
impl MadeMap {
    /// The metadata as JSON.
    pub fn facts(&self) -> String {
        self.facts.clone()
    }

    /// Takes the holes: one byte per square. `None` if the recipe has no holes.
    pub fn take_holes(&mut self) -> Option<Vec<u8>> {
        self.holes.take()
    }

    /// Takes the heights and consumes the map.
    pub fn into_heights(self) -> Vec<f32> {
        self.heights
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WrittenFacts {
    width: usize,
    height: usize,
    spacing: f64,
    relief: f64,
    offset: f64,
    sea_level: f32,
    scale_is_known: bool,
    lowest: f64,
    highest: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<Json>,
}

impl MadeMap {
    /// A map from a file (`seed` is `None`), or from a recipe with this seed.
    pub(crate) fn new(land: Land, seed: Option<u64>) -> Self {
        let Land { model, sea_level } = land;
        let (lowest, highest) = model.range();
        let Elevation { offset, relief } = model.frame.elevation;
        let [spacing, _] = model.frame.place.spacing(model.heights.height());
        let facts = WrittenFacts {
            width: model.heights.width(),
            height: model.heights.height(),
            spacing,
            relief,
            offset,
            sea_level,
            scale_is_known: model.frame.place_is_explicit,
            lowest,
            highest,
            seed: seed.map(seed_json),
        };
        Self {
            facts: serde_json::to_string(&facts).expect("contains only numbers"),
            heights: model.heights.into_heights(),
            holes: None,
        }
    }
}

/// Maps by the names that recipes use for them.
#[wasm_bindgen]
#[derive(Default)]
pub struct Images(Vec<(String, Heightmap)>);

#[wasm_bindgen]
impl Images {
    /// Creates an empty list.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a map.
    pub fn add(&mut self, name: String, facts: &str, heights: Vec<f32>) -> Result<(), JsValue> {
        let land = land(facts, heights).map_err(|failure| Failure {
            message: format!("image `{name}`: {}", failure.message),
            ..failure
        })?;
        self.0.push((name, land.model.heights));
        Ok(())
    }
}

#[derive(Deserialize)]
struct Options {
    seed: Option<Json>,
    size: Option<(u64, u64)>,
}

/// Generates the map of a recipe.
#[wasm_bindgen]
pub fn generate(
    recipe: &str,
    options: &str,
    images: &Images,
    on_progress: Option<Function>,
) -> Result<MadeMap, JsValue> {
    let recipe = changed(recipe::read(recipe)?, options)?;
    check_memory(&recipe)?;
    let find = |name: &str| {
        let mut all = images.0.iter();
        let found = all.find(|(known, _)| known == name);
        found
            .map(|(_, map)| map.clone())
            .ok_or_else(|| "it is not in `images`".to_owned())
    };
    watched(on_progress, |progress| {
        let (heights, holes) = recipe.generate_with_holes(&find, progress)?;
        let land = Land {
            model: ElevationModel {
                heights,
                frame: recipe.frame(),
            },
            sea_level: recipe.water_level(),
        };
        let mut made = MadeMap::new(land, Some(recipe.seed));
        made.holes = holes.as_ref().map(bytes);
        Ok(made)
    })
}

/// Changes the seed and the size of a recipe.
fn changed(mut recipe: Recipe, options: &str) -> Result<Recipe, Failure> {
    let options: Options =
        serde_json::from_str(options).map_err(|error| Failure::of_json("options", &error))?;
    if let Some(seed) = options.seed {
        recipe.seed = recipe::seed_of(&seed, "seed")?;
    }
    if let Some((width, height)) = options.size {
        recipe.size = MapSize::new(width, height)?;
    }
    recipe.validate()?;
    Ok(recipe)
}

/// Returns an error if the maps that must exist at the same time do not fit into memory. Without the check the module
/// would abort.
fn check_memory(recipe: &Recipe) -> Result<(), Failure> {
    /// The temporary memory of a generator or filter, in maps.
    const TEMPORARY_MAPS: usize = 3;
    let maps = recipe.peak_map_count()? + TEMPORARY_MAPS;
    if has_room(vec![4 * recipe.size.cells(); maps]) {
        return Ok(());
    }
    let (width, height) = recipe.size.into();
    Err(Failure::of_parameter(
        format_args!("{maps} maps of {width}x{height} cells do not fit into memory"),
        "size",
    ))
}

/// Whether blocks of these sizes fit into memory at the same time. A failed allocation would abort the module.
pub(crate) fn has_room(blocks: impl IntoIterator<Item = usize>) -> bool {
    let mut held = Vec::new();
    blocks.into_iter().all(|bytes| {
        let mut block = Vec::<u8>::new();
        let fits = block.try_reserve_exact(bytes).is_ok();
        held.push(block);
        fits
    })
}

/// One byte per square, row by row.
fn bytes(holes: &HoleMask) -> Vec<u8> {
    let size = holes.size();
    let rows = 0..size.height() - 1;
    let squares = rows.flat_map(|row| (0..size.width() - 1).map(move |column| (column, row)));
    squares
        .map(|(column, row)| holes.is_hole(column, row).into())
        .collect()
}

/// The hash of the bits of `numbers`, as pinned by tests.
#[wasm_bindgen]
pub fn hash_of(numbers: &[f32]) -> String {
    format!("{:016x}", Fnv1a::of_floats(numbers))
}
