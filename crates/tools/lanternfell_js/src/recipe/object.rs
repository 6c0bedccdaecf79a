//! A whole recipe as an object.
//!
//! Steps keep their order, which is that of the properties in JSON and in JavaScript objects. But JavaScript engines
//! put property names that are integers first. If there are such names, the result step is named explicitly.

use core::fmt;

use lanternfell_heightmap::{MapSize, Recipe, Scale, Step};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, MapAccess, Visitor},
};
use serde_json::{Map, Value as Json};

use super::{seed_of, step};
use crate::error::Failure;

/// A recipe as written in JavaScript.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Object {
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<(u64, u64)>,
    /// A number, or a string beyond 2^53.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scale: Option<Scale>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sea_level: Option<f64>,
    steps: Steps,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    holes: Option<String>,
}

/// The steps in their order.
struct Steps(Vec<(String, Map<String, Json>)>);

/// Parses and validates the JSON of an object.
pub(super) fn recipe_of(json: &str) -> Result<Recipe, Failure> {
    let object: Object =
        serde_json::from_str(json).map_err(|error| Failure::of_json("recipe", &error))?;
    let (width, height) = object.size.unwrap_or(MapSize::default().into());
    let steps = object.steps.0.into_iter();
    let steps = steps.map(|(name, json)| {
        let operation = step::operation_of(json).map_err(|failure| failure.in_step(&name))?;
        Ok(Step { name, operation })
    });
    let recipe = Recipe {
        version: Recipe::VERSION,
        size: MapSize::of_world(width, height)?,
        seed: object.seed.map_or(Ok(0), |seed| seed_of(&seed, "seed"))?,
        scale: object.scale,
        sea_level: object.sea_level.map(|level| level as f32),
        steps: steps.collect::<Result<_, Failure>>()?,
        result: object.result,
        holes: object.holes,
    };
    recipe.validate()?;
    Ok(recipe)
}

/// Converts a recipe to the JSON of an object.
pub(super) fn json_of(recipe: &Recipe) -> String {
    let steps = &recipe.steps;
    let is_number = |step: &Step| step.name.bytes().all(|byte| byte.is_ascii_digit());
    let named = recipe.result.clone();
    let result = named.or_else(|| {
        let moved = steps.iter().any(is_number);
        moved.then(|| recipe.result_name().to_owned())
    });
    let steps = steps
        .iter()
        .map(|Step { name, operation }| (name.clone(), step::json_of(operation)));
    let object = Object {
        size: Some(recipe.size.into()),
        seed: Some(seed_json(recipe.seed)),
        scale: recipe.scale,
        sea_level: recipe.sea_level.map(shortest),
        steps: Steps(steps.collect()),
        result,
        holes: recipe.holes.clone(),
    };
    serde_json::to_string(&object).expect("contains only numbers, names and lists")
}

/// The `f64` with the same shortest decimal representation.
pub(super) fn shortest(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

/// A seed or salt. It becomes a string if a JavaScript number cannot represent it.
pub(crate) fn seed_json(seed: u64) -> Json {
    const MOST: u64 = (1 << 53) - 1;
    if seed > MOST {
        return seed.to_string().into();
    }
    seed.into()
}

impl Serialize for Steps {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, step)| (name, step)))
    }
}

impl<'de> Deserialize<'de> for Steps {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(StepsVisitor)
    }
}

struct StepsVisitor;

impl<'de> Visitor<'de> for StepsVisitor {
    type Value = Steps;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object of steps by name")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Steps, A::Error> {
        let mut steps = Vec::new();
        while let Some(step) = map.next_entry()? {
            if steps.len() == Recipe::MAX_STEPS {
                let most = Recipe::MAX_STEPS;
                return Err(Error::custom(format!("a recipe has at most {most} steps")));
            }
            steps.push(step);
        }
        Ok(Steps(steps))
    }
}

#[cfg(test)]
mod tests {
    use lanternfell_heightmap::{Generator, Preset};

    use super::*;

    fn error(json: &str) -> Failure {
        recipe_of(json).unwrap_err()
    }

    #[test]
    fn presets_and_generators_round_trip() {
        let presets = Preset::ALL.iter().map(Preset::recipe);
        let generators = Generator::NAMES.iter().map(|name| {
            let generator = Generator::from_name(name).unwrap();
            Recipe::new(MapSize::default(), u64::MAX, generator)
        });
        for recipe in presets.chain(generators) {
            let json = json_of(&recipe);
            assert_eq!(recipe_of(&json).unwrap(), recipe, "{json}");
        }
    }

    #[test]
    fn missing_fields_have_defaults() {
        let json =
            r#"{"steps": {"land": {"generate": {"name": "hills", "island": true}, "salt": 0}}}"#;
        let hills = lanternfell_heightmap::Hills {
            island: true,
            ..Default::default()
        };
        assert_eq!(
            recipe_of(json).unwrap(),
            Recipe::new(MapSize::default(), 0, hills)
        );
    }

    #[test]
    fn names_result_if_step_names_are_integers() {
        let json = r#"{"steps": {"b": {"flat": 1}, "1": {"flat": 0.5}}}"#;
        let recipe = recipe_of(json).unwrap();
        assert_eq!(recipe.result, None);
        assert!(json_of(&recipe).contains(r#""result":"1""#));
    }

    #[test]
    fn errors_name_step_and_parameter() {
        let land = |step: &str| error(&format!(r#"{{"steps": {{"land": {step}}}}}"#));
        let wrong = land(r#"{"generate": {"name": "hills", "cuont": 3}}"#);
        assert_eq!(wrong.step.as_deref(), Some("land"));
        assert_eq!(wrong.parameter.as_deref(), Some("cuont"));
        assert!(
            wrong
                .message
                .starts_with("step `land`: hills has no parameter `cuont`")
        );
        let range = land(r#"{"generate": {"name": "hills", "count": 0}}"#);
        assert_eq!(
            range.message,
            "step `land`: hills: count is 0, but must be from 1 to 1000000"
        );
        let unknown = land(r#"{"generate": {"name": "hill"}}"#);
        assert!(
            unknown
                .message
                .starts_with("step `land`: unknown generator `hill`, expected one of")
        );
        let missing = land(r#"{"filter": "hills", "by": []}"#);
        assert_eq!(missing.message, "step `land`: there is no step `hills`");
        assert_eq!(missing.step.as_deref(), Some("land"));
        let seed = error(r#"{"seed": -1, "steps": {}}"#);
        assert_eq!(seed.parameter.as_deref(), Some("seed"));
        assert!(!error(r#"{"steps": 3}"#).message.contains(" line "));
        assert!(
            error(r#"{"step": {}}"#)
                .message
                .contains("unknown field `step`")
        );
    }
}
