//! What a part of a map can not know alone, and of which recipe it was found out.

use serde::{Deserialize, Serialize};

use crate::{Recipe, recipe::run::hash, sums::Levels};

/// How low and high the steps of a recipe get on the whole map: whoever has it can make any part
/// of the map alone.
///
/// It is made by [`Recipe::survey`] and can be kept in a file. Reading one checks that its
/// ranges are finite and the right way round.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Survey {
    fingerprint: u64,
    generators: Vec<Surveyed>,
    normalised: Vec<Normalised>,
}

/// A survey as it stands in a file.
#[derive(Deserialize)]
#[serde(rename = "Survey", deny_unknown_fields)]
struct Unchecked {
    fingerprint: u64,
    generators: Vec<Surveyed>,
    normalised: Vec<Normalised>,
}

/// A generator's sums.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Surveyed {
    step: String,
    levels: Levels,
}

/// What [`Filter::Normalise`](crate::Filter::Normalise) finds, at this place among its step's
/// filters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Normalised {
    step: String,
    place: usize,
    range: (f32, f32),
}

impl TryFrom<Unchecked> for Survey {
    type Error = String;

    fn try_from(read: Unchecked) -> Result<Self, String> {
        let generators = read.generators.iter();
        let generators = generators.map(|known| (&known.step, known.levels.are_proper()));
        let normalised = read
            .normalised
            .iter()
            .map(|Normalised { step, range, .. }| {
                let (low, high) = *range;
                (step, low.is_finite() && high.is_finite() && low <= high)
            });
        if let Some((step, _)) = generators.chain(normalised).find(|(_, proper)| !proper) {
            return Err(format!(
                "the range of step `{step}` must be two finite numbers, the lowest first"
            ));
        }
        Ok(Self {
            fingerprint: read.fingerprint,
            generators: read.generators,
            normalised: read.normalised,
        })
    }
}

impl Survey {
    /// Of a recipe of which nothing is known yet.
    pub(super) fn begin(recipe: &Recipe) -> Self {
        Self {
            fingerprint: fingerprint(recipe),
            ..Self::default()
        }
    }

    /// Whether it was made of a recipe of the same map.
    pub(super) fn is_of(&self, recipe: &Recipe) -> bool {
        self.fingerprint == fingerprint(recipe)
    }

    pub(super) fn add_levels(&mut self, step: &str, levels: Levels) {
        let step = step.to_owned();
        self.generators.push(Surveyed { step, levels });
    }

    pub(super) fn add_range(&mut self, step: &str, place: usize, range: (f32, f32)) {
        let step = step.to_owned();
        self.normalised.push(Normalised { step, place, range });
    }

    /// What was found out about a generator's step.
    pub(super) fn levels(&self, step: &str) -> Option<&Levels> {
        let found = self.generators.iter().find(|known| known.step == step);
        found.map(|known| &known.levels)
    }

    /// What was found out about that filter of a step.
    pub(super) fn range(&self, step: &str, place: usize) -> Option<(f32, f32)> {
        let mut known = self.normalised.iter();
        let found = known.find(|known| known.step == step && known.place == place);
        found.map(|known| known.range)
    }
}

/// A number that two recipes of different maps hardly ever share: the hash of all that decides
/// the map, written as RON.
fn fingerprint(recipe: &Recipe) -> u64 {
    let deciding = Recipe {
        scale: Some(recipe.scale()),
        sea_level: None,
        result: Some(recipe.result_name().to_owned()),
        ..recipe.clone()
    };
    let text = ron::to_string(&deciding);
    hash(&text.expect("a recipe holds only numbers, names and lists, all of which RON can write"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Islands, MapSize, Scale};

    #[test]
    fn a_fingerprint_tells_what_decides_the_map() {
        let recipe = Recipe::new(MapSize::default(), 4, Islands::default());
        let same = [
            Recipe {
                sea_level: Some(0.3),
                ..recipe.clone()
            },
            Recipe {
                scale: Some(recipe.scale()),
                ..recipe.clone()
            },
            Recipe {
                result: Some("land".to_owned()),
                ..recipe.clone()
            },
        ];
        for same in same {
            assert_eq!(fingerprint(&same), fingerprint(&recipe), "{same:?}");
        }
        let metre = Scale {
            spacing: 1.0,
            relief: 1.0,
        };
        let other = [
            Recipe::new(MapSize::default(), 5, Islands::default()),
            Recipe::new(MapSize::new(256, 255).unwrap(), 4, Islands::default()),
            Recipe {
                scale: Some(metre),
                ..recipe.clone()
            },
            recipe.clone().with_filter(crate::Filter::Invert),
        ];
        for other in other {
            assert_ne!(fingerprint(&other), fingerprint(&recipe), "{other:?}");
        }
    }
}
