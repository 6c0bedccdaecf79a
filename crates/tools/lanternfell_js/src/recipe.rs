//! Recipes from JavaScript: objects, RON text, or names.
//!
//! An object has the content of a recipe file, but uses the names of generators, filters,
//! parameters and choices from their descriptions, which panels use too:
//!
//! ```text
//!   RON   "land": Generate(by: Hills((island: true)), salt: 0)
//!   JSON  "land": { "generate": { "name": "hills", "island": true }, "salt": 0 }
//! ```

pub(crate) use object::seed_json;

mod object;
mod step;
pub(crate) mod values;

use lanternfell_heightmap::{Generator, MapSize, Recipe};
use wasm_bindgen::prelude::*;

use crate::error::Failure;

/// Converts any recipe to the JSON of an object.
#[wasm_bindgen]
pub fn recipe_to_json(recipe: &str) -> Result<String, JsValue> {
    Ok(object::json_of(&read(recipe)?))
}

/// Converts any recipe to RON.
#[wasm_bindgen]
pub fn recipe_to_ron(recipe: &str) -> Result<String, JsValue> {
    Ok(read(recipe)?.to_ron())
}

/// Parses a recipe: the JSON of an object, the name of a preset or generator, or RON.
pub(crate) fn read(text: &str) -> Result<Recipe, Failure> {
    let name = text.trim();
    if name.starts_with('{') {
        return object::recipe_of(name);
    }
    if let Some(preset) = Recipe::preset(name) {
        return Ok(preset);
    }
    if let Some(generator) = Generator::from_name(name) {
        return Ok(Recipe::new(MapSize::default(), 0, generator));
    }
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if name.chars().all(is_name) {
        return Err(Failure::new(format_args!(
            "there is no preset or generator `{name}`"
        )));
    }
    Ok(Recipe::from_ron(text)?)
}

/// Parses a seed or salt, given as a number or as text.
pub(crate) fn seed_of(json: &serde_json::Value, name: &str) -> Result<u64, Failure> {
    let number = match json {
        serde_json::Value::String(text) => text.parse().ok(),
        other => other.as_u64(),
    };
    number.ok_or_else(|| {
        let words = format!(
            "{name} is {json}, but must be a whole number from 0 to {}",
            u64::MAX
        );
        Failure::of_parameter(words, name)
    })
}
