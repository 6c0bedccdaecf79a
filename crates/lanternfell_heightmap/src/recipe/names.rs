//! The file format of steps: a map from names to operations that keeps their order.

use core::fmt;

use serde::{
    Deserializer, Serializer,
    de::{Error, MapAccess, Visitor},
};

use super::{Operation, Recipe, Step};

pub(super) fn serialize<S: Serializer>(steps: &[Step], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(steps.iter().map(|step| (&step.name, &step.operation)))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Step>, D::Error> {
    deserializer.deserialize_map(StepsVisitor)
}

struct StepsVisitor;

impl<'de> Visitor<'de> for StepsVisitor {
    type Value = Vec<Step>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("steps by name, for example {\"land\": Generate(by: Hills(()))}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut steps: Vec<Step> = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            // Check this here and not in `validate`, because the position in the text is known
            // here.
            if steps.iter().any(|step| step.name == name) {
                return Err(A::Error::custom(format!("two steps are named `{name}`")));
            }
            if steps.len() == Recipe::MAX_STEPS {
                let most = Recipe::MAX_STEPS;
                return Err(A::Error::custom(format!(
                    "there are more than {most} steps"
                )));
            }
            let operation = map.next_value::<Operation>()?;
            steps.push(Step { name, operation });
        }
        Ok(steps)
    }
}
