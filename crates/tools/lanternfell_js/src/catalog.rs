//! The catalog: descriptions of all presets, generators, filters, blends and selections.

use lanternfell_heightmap::{
    Blend, Filter, Generator, LandCover, Parameter, Preset, Selection,
    parameter::{Bounds, Described, Kind, Value},
};
use serde_json::{Map, Value as Json, json};
use wasm_bindgen::prelude::*;

use crate::recipe::values::json_of;

/// The catalog as JSON.
#[wasm_bindgen]
pub fn catalog() -> String {
    let presets: Vec<Json> = Preset::ALL.iter().map(preset).collect();
    let all = |list: &[Described]| -> Vec<Json> { list.iter().map(described).collect() };
    json!({
        "presets": presets,
        "generators": all(Generator::DESCRIBED),
        "filters": all(Filter::DESCRIBED),
        "blends": all(Blend::DESCRIBED),
        "selections": all(Selection::DESCRIBED),
    })
    .to_string()
}

fn preset(preset: &Preset) -> Json {
    let cover = match preset.cover {
        LandCover::Temperate => "temperate",
        LandCover::Desert => "desert",
    };
    json!({
        "name": preset.name,
        "about": preset.about(),
        "recipe": preset.text,
        "cover": cover,
    })
}

fn described(described: &Described) -> Json {
    let parameters: Vec<Json> = described.parameters.iter().map(parameter).collect();
    json!({
        "name": described.name,
        "about": described.about(),
        "parameters": parameters,
    })
}

fn parameter(parameter: &Parameter) -> Json {
    let mut known = Map::new();
    let mut say = |key: &str, value: Json| known.insert(key.to_owned(), value);
    say("name", parameter.name.into());
    say("about", parameter.about().into());
    say("kind", kind(parameter.kind).into());
    let optional = matches!(parameter.kind, Kind::Optional(_));
    say("optional", optional.into());
    say("allowed", parameter.allowed().into());
    say(
        "default",
        json_of(&parameter.default()).unwrap_or(Json::Null),
    );
    if let Some(unit) = parameter.unit {
        say("unit", unit.into());
    }
    let inner = parameter.kind.innermost();
    if let Some((least, most)) = parameter.bounds.and_then(Bounds::ends) {
        say("min", number(inner, least));
        say("max", number(inner, most));
    }
    if let Some(Bounds::Above(..)) = parameter.bounds {
        say("above", true.into());
    }
    let choices: Vec<Json> = inner
        .choices()
        .map(|choice| json!({ "name": choice.name, "about": choice.about() }))
        .collect();
    if !choices.is_empty() {
        say("choices", choices.into());
    }
    if let Some(slider) = parameter.slider() {
        say(
            "slider",
            json!({
                "min": number(inner, slider.least),
                "max": number(inner, slider.most),
                "logarithmic": slider.logarithmic,
            }),
        );
    }
    Json::Object(known)
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Whole => "integer",
        Kind::Number => "number",
        Kind::Switch => "flag",
        Kind::Choice(_) => "choice",
        Kind::List(_) => "list",
        Kind::Optional(inner) => self::kind(*inner),
    }
}

/// A bound, as an integer or float depending on the kind.
fn number(kind: Kind, bound: f64) -> Json {
    if kind == Kind::Whole {
        return (bound as u64).into();
    }
    json_of(&Value::Number(bound)).unwrap_or(Json::Null)
}
