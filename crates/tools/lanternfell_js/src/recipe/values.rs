//! Converts parameter values to JSON, and back.
//!
//! Only lists need care. The text of a recipe has pairs, as in `[(0, 0.2), (1, 0.8)]`, which are arrays of two in JSON.
//! Whether an array of two is a pair or a list depends on the parameter, which accepts only one of them.

use lanternfell_heightmap::{
    Parameters, SetError,
    parameter::{Kind, Value},
};
use serde_json::Value as Json;

/// The value as JSON. `None` if it cannot be represented.
pub(crate) fn json_of(value: &Value) -> Option<Json> {
    match value {
        Value::Whole(number) => Some((*number).into()),
        Value::Number(number) => Some((*number).into()),
        Value::Switch(on) => Some((*on).into()),
        Value::Choice(name) => Some((*name).into()),
        Value::List(text) => {
            let arrays = text.replace('(', "[").replace(')', "]");
            serde_json::from_str(&arrays).ok()
        }
        Value::None => Some(Json::Null),
    }
}

/// Sets a parameter by its name or its former name.
pub(super) fn put(owner: &mut impl Parameters, name: &str, json: &Json) -> Result<(), SetError> {
    let known = owner.parameters();
    let found = known
        .iter()
        .find(|parameter| parameter.name == name || parameter.alias == Some(name));
    let Some(parameter) = found else {
        let names: Vec<&str> = known.iter().map(|parameter| parameter.name).collect();
        return Err(SetError::Unknown {
            owner: owner.owner(),
            name: name.to_owned(),
            known: listed(&names),
        });
    };
    let values = values_of(parameter.kind, json);
    if values.iter().any(|value| owner.put(parameter.name, value)) {
        return Ok(());
    }
    Err(SetError::Value {
        owner: owner.owner(),
        name: parameter.name.to_owned(),
        value: json
            .as_str()
            .map_or_else(|| json.to_string(), str::to_owned),
        allowed: parameter.allowed(),
    })
}

/// The names, separated by commas.
pub(super) fn listed(names: &[&str]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    names.join(", ")
}

/// The possible values of this kind for the JSON.
fn values_of(kind: Kind, json: &Json) -> Vec<Value> {
    let one = |value: Option<Value>| value.into_iter().collect();
    match kind {
        Kind::Whole => one(whole(json).map(Value::Whole)),
        Kind::Number => one(json.as_f64().map(Value::Number)),
        Kind::Switch => one(json.as_bool().map(Value::Switch)),
        Kind::Choice(_) => one(json.as_str().and_then(|name| kind.read(name))),
        Kind::Optional(_) if json.is_null() => vec![Value::None],
        Kind::Optional(inner) => values_of(*inner, json),
        Kind::List(_) if json.is_array() => [true, false]
            .into_iter()
            .filter_map(|pairs| written(json, pairs))
            .map(Value::List)
            .collect(),
        Kind::List(_) => Vec::new(),
    }
}

fn whole(json: &Json) -> Option<u32> {
    let number = json.as_f64()?;
    (number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number))
        .then_some(number as u32)
}

/// The arrays in recipe syntax. Arrays of two numbers are written as pairs if `pairs` is `true`, otherwise as lists.
fn written(json: &Json, pairs: bool) -> Option<String> {
    let Json::Array(items) = json else {
        return json.as_f64().map(|number| format!("{number:?}"));
    };
    let inner: Option<Vec<String>> = items.iter().map(|item| written(item, pairs)).collect();
    let is_pair = pairs && items.len() == 2 && items.iter().all(Json::is_number);
    let (open, close) = if is_pair { ('(', ')') } else { ('[', ']') };
    Some(format!("{open}{}{close}", inner?.join(",")))
}

#[cfg(test)]
mod tests {
    use lanternfell_heightmap::{Filter, Generator};
    use serde_json::json;

    use super::*;

    fn set(name: &str, parameter: &str, json: &Json) -> Result<Value, String> {
        let mut filter = Filter::from_name(name).unwrap();
        put(&mut filter, parameter, json).map_err(|error| error.to_string())?;
        Ok(filter.get(parameter).unwrap())
    }

    #[test]
    fn defaults_round_trip() {
        for name in Filter::NAMES {
            let usual = Filter::from_name(name).unwrap();
            for parameter in usual.parameters() {
                let Some(value) = usual.get(parameter.name) else {
                    // An alternative parameter of `smooth`, which has no value.
                    continue;
                };
                if value == Value::None && name == "smooth" {
                    continue;
                }
                let mut filter = usual.clone();
                let json = json_of(&value).unwrap();
                put(&mut filter, parameter.name, &json).unwrap();
                assert_eq!(filter, usual, "{name}: {}", parameter.name);
            }
        }
    }

    #[test]
    fn distinguishes_pairs_from_lists() {
        let at = set("mound", "at", &json!([0.25, 1])).unwrap();
        assert_eq!(at, Value::List("(0.25,1.0)".to_owned()));
        let points = json!([[0, 0.5], [1, 0.75]]);
        let curve = set("curve", "points", &points).unwrap();
        assert_eq!(json_of(&curve), Some(json!([[0.0, 0.5], [1.0, 0.75]])));
        let paths = json!([[[0.2, 0.3], [0.8, 0.2]]]);
        let shape = set("shape", "paths", &paths).unwrap();
        assert_eq!(json_of(&shape), Some(paths));
        assert!(set("mound", "at", &json!([0.25])).is_err());
        assert!(set("mound", "at", &json!("0.25")).is_err());
        // Two weights are not a valid kernel, but they are parsed as a list and not as a pair.
        assert!(set("kernel", "weights", &json!([1, 2])).is_ok());
    }

    #[test]
    fn errors_name_parameter_and_range() {
        let of = |json: &Json| set("terrace", "levels", json).unwrap_err();
        for bad in [json!(2.5), json!(-1), json!("8"), json!(null), json!(true)] {
            let words = of(&bad);
            assert!(
                words.starts_with("terrace: levels is ")
                    && words.ends_with("but must be a whole number from 2 to 256"),
                "{words}"
            );
        }
        let words = set("terrace", "steps", &json!(8)).unwrap_err();
        assert_eq!(
            words,
            "terrace has no parameter `steps`; it has levels, sharpness, equal_areas"
        );
        let mut worley = Generator::from_name("worley").unwrap();
        put(&mut worley, "period", &json!(128)).unwrap();
        put(&mut worley, "period", &json!(null)).unwrap();
        assert_eq!(worley.get("period"), Some(Value::None));
    }
}
