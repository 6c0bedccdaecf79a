//! Recipes as JavaScript has them: objects, RON text, or names.
//!
//! An object says what a recipe's file says, but calls generators, filters, parameters and choices
//! as the descriptions do, which panels are made of:
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

/// A recipe of any kind as an object's JSON.
#[wasm_bindgen]
pub fn recipe_to_json(recipe: &str) -> Result<String, JsValue> {
    Ok(object::json_of(&read(recipe)?))
}

/// A recipe of any kind as RON.
#[wasm_bindgen]
pub fn recipe_to_ron(recipe: &str) -> Result<String, JsValue> {
    Ok(read(recipe)?.to_ron())
}

/// The recipe that is meant: the JSON of an object, a preset's or a generator's name, or RON.
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

/// The seed, or salt, that a number or the text of one says.
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
