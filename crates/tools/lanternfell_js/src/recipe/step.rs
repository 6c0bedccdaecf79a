//! A step as an object. One of the keys `generate`, `flat`, `image`, `blend`, `filter` and `select` determines its
//! kind.

use lanternfell_heightmap::{Blend, Filter, Generator, Operation, Parameters, Selection};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json, json};

use super::{
    object::{seed_json, shortest},
    seed_of,
    values::{self, listed},
};
use crate::error::Failure;

type Fields = Map<String, Json>;

/// Parses the operation of a step.
pub(super) fn operation_of(mut step: Fields) -> Result<Operation, Failure> {
    let Some(kind) = KINDS.iter().find(|kind| step.contains_key(kind.0)) else {
        let kinds: Vec<&str> = KINDS.iter().map(|kind| kind.0).collect();
        let kinds = listed(&kinds);
        return Err(Failure::new(format_args!(
            "expected one of the keys {kinds}"
        )));
    };
    let known = kind.1;
    if let Some(other) = step.keys().find(|key| !known.contains(&key.as_str())) {
        return Err(Failure::of_parameter(
            format_args!("unknown key `{other}`, expected one of {}", listed(known)),
            other,
        ));
    }
    read(kind.0, &mut step)
}

/// The kinds of steps, and the keys that each allows.
const KINDS: [(&str, &[&str]); 6] = [
    ("generate", &["generate", "salt"]),
    ("flat", &["flat"]),
    ("image", &["image"]),
    ("blend", &["blend", "how", "weight", "mask"]),
    ("filter", &["filter", "by", "mask", "salt"]),
    ("select", &["select", "by"]),
];

fn read(kind: &str, step: &mut Fields) -> Result<Operation, Failure> {
    Ok(match kind {
        "generate" => Operation::Generate {
            by: generator(&field(step, "generate")?)?,
            salt: salt(step)?,
        },
        "flat" => Operation::Flat {
            height: field(step, "flat")?,
        },
        "image" => Operation::Image {
            name: field(step, "image")?,
        },
        "blend" => {
            let (ground, layer) = field(step, "blend")?;
            let how = optional::<Fields>(step, "how")?;
            Operation::Blend {
                ground,
                layer,
                how: how.map_or(Ok(Blend::default()), |how| blend(&how))?,
                weight: optional(step, "weight")?.unwrap_or(1.0),
                mask: optional(step, "mask")?,
            }
        }
        "filter" => {
            let by: Vec<Fields> = field(step, "by")?;
            Operation::Filter {
                of: field(step, "filter")?,
                by: by.iter().map(filter).collect::<Result<_, _>>()?,
                mask: optional(step, "mask")?,
                salt: salt(step)?,
            }
        }
        _ => Operation::Select {
            of: field(step, "select")?,
            by: selection(&field(step, "by")?)?,
        },
    })
}

fn field<T: DeserializeOwned>(step: &mut Fields, key: &str) -> Result<T, Failure> {
    let json = step.remove(key).unwrap_or_default();
    serde_json::from_value(json).map_err(|error| Failure {
        parameter: Some(key.to_owned()),
        ..Failure::of_json(key, &error)
    })
}

fn optional<T: DeserializeOwned>(step: &mut Fields, key: &str) -> Result<Option<T>, Failure> {
    field(step, key)
}

fn salt(step: &mut Fields) -> Result<Option<u64>, Failure> {
    let json = step.remove("salt").filter(|json| !json.is_null());
    json.map(|json| seed_of(&json, "salt")).transpose()
}

fn generator(json: &Fields) -> Result<Generator, Failure> {
    variant("generator", &Generator::NAMES, Generator::from_name, json)
}

fn filter(json: &Fields) -> Result<Filter, Failure> {
    variant("filter", &Filter::NAMES, Filter::from_name, json)
}

fn blend(json: &Fields) -> Result<Blend, Failure> {
    variant("blend", &Blend::NAMES, Blend::from_name, json)
}

fn selection(json: &Fields) -> Result<Selection, Failure> {
    variant("selection", &Selection::NAMES, Selection::from_name, json)
}

/// The variant with the name in `json`, with the parameters that are given next to it.
fn variant<T: Parameters>(
    what: &str,
    names: &[&str],
    from_name: fn(&str) -> Option<T>,
    json: &Fields,
) -> Result<T, Failure> {
    let name = json.get("name").and_then(Json::as_str).unwrap_or_default();
    let mut variant = from_name(name).ok_or_else(|| {
        let known = listed(names);
        let words = format_args!("unknown {what} `{name}`, expected one of {known}").to_string();
        Failure::of_parameter(words, "name")
    })?;
    for (key, value) in json.iter().filter(|(key, _)| *key != "name") {
        values::put(&mut variant, key, value)?;
    }
    Ok(variant)
}

/// Converts the operation of a step to an object.
pub(super) fn json_of(operation: &Operation) -> Fields {
    let mut step = Fields::new();
    let mut say = |key: &str, value: Json| step.insert(key.to_owned(), value);
    match operation {
        Operation::Generate { by, salt } => {
            say(
                "generate",
                variant_json(by.name(), by, Generator::from_name),
            );
            salt.map(|salt| say("salt", seed_json(salt)));
        }
        Operation::Flat { height } => {
            say("flat", shortest(*height).into());
        }
        Operation::Image { name } => {
            say("image", name.as_str().into());
        }
        Operation::Blend {
            ground,
            layer,
            how,
            weight,
            mask,
        } => {
            say("blend", json!([ground, layer]));
            say("how", variant_json(how.name(), how, Blend::from_name));
            if *weight != 1.0 {
                say("weight", (*weight).into());
            }
            mask.as_ref().map(|mask| say("mask", mask.as_str().into()));
        }
        Operation::Filter { of, by, mask, salt } => {
            say("filter", of.as_str().into());
            let by = by.iter();
            let by: Vec<Json> = by
                .map(|filter| variant_json(filter.name(), filter, Filter::from_name))
                .collect();
            say("by", by.into());
            mask.as_ref().map(|mask| say("mask", mask.as_str().into()));
            salt.map(|salt| say("salt", seed_json(salt)));
        }
        Operation::Select { of, by } => {
            say("select", of.as_str().into());
            say("by", variant_json(by.name(), by, Selection::from_name));
        }
    }
    step
}

/// The name of a variant, and the parameters that differ from their defaults.
fn variant_json<T: Parameters>(name: &str, it: &T, from_name: fn(&str) -> Option<T>) -> Json {
    let usual = from_name(name);
    let mut fields = Fields::new();
    fields.insert("name".to_owned(), name.into());
    for parameter in it.parameters() {
        let value = it.get(parameter.name);
        if value == usual.as_ref().and_then(|usual| usual.get(parameter.name)) {
            continue;
        }
        // Of mutually exclusive parameters, as those of `smooth`, only the one in use has a value.
        if let Some(json) = value.as_ref().and_then(values::json_of) {
            fields.insert(parameter.name.to_owned(), json);
        }
    }
    fields.into()
}
