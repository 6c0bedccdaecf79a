//! What parts of a map need to know about the whole, with a fingerprint of the recipe.

use serde::{Deserialize, Serialize};

use crate::{Heightmap, MapSize, Recipe, recipe::run::hash, sums::Normalization};

/// Measurements of a recipe's whole map, such as the ranges of its steps. With these, any part of the map can be
/// generated on its own.
///
/// Create it with [`Recipe::prepass`]. It can be stored in a file with serde. Deserialization checks that its ranges
/// are finite and in ascending order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct TilePrepass {
    fingerprint: u64,
    generators: Vec<KnownGenerator>,
    normalized: Vec<KnownRange>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    coarse: Vec<KnownMap>,
}

/// A prepass as it is in a file, before the checks.
#[derive(Deserialize)]
#[serde(rename = "TilePrepass", deny_unknown_fields)]
struct Unchecked {
    fingerprint: u64,
    generators: Vec<KnownGenerator>,
    normalized: Vec<KnownRange>,
    #[serde(default)]
    coarse: Vec<KnownMap>,
}

/// The normalization of a generator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownGenerator {
    step: String,
    normalization: Normalization,
}

/// The lowest and highest heights before the filter at index `place` of its step. For
/// [`Filter::Stretch`](crate::Filter::Stretch) the heights that become 0 and 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownRange {
    step: String,
    place: usize,
    range: (f32, f32),
}

/// The coarse map of a step, or the coarse map before the filter at index `place` of the step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownMap {
    step: String,
    place: Option<usize>,
    /// The lowest and highest heights. The heights between them are quantized to 65,536 levels and stored as four
    /// hexadecimal digits each.
    range: (f32, f32),
    heights: String,
}

impl TryFrom<Unchecked> for TilePrepass {
    type Error = String;

    fn try_from(read: Unchecked) -> Result<Self, String> {
        let generators = read.generators.iter();
        let generators = generators.map(|known| (&known.step, known.normalization.is_proper()));
        let normalized = read
            .normalized
            .iter()
            .map(|KnownRange { step, range, .. }| {
                let (low, high) = *range;
                (step, low.is_finite() && high.is_finite() && low <= high)
            });
        let coarse = read.coarse.iter().map(|map| (&map.step, map.is_proper()));
        let all = generators.chain(normalized).chain(coarse);
        if let Some((step, _)) = all.into_iter().find(|(_, proper)| !proper) {
            return Err(format!(
                "the range of step `{step}` must be two finite numbers in ascending order"
            ));
        }
        Ok(Self {
            fingerprint: read.fingerprint,
            generators: read.generators,
            normalized: read.normalized,
            coarse: read.coarse,
        })
    }
}

impl TilePrepass {
    /// Creates an empty prepass for a recipe.
    pub(super) fn begin(recipe: &Recipe) -> Self {
        Self {
            fingerprint: fingerprint(recipe),
            ..Self::default()
        }
    }

    /// Whether it was made from a recipe of the same map.
    pub(super) fn is_of(&self, recipe: &Recipe) -> bool {
        self.fingerprint == fingerprint(recipe)
    }

    pub(super) fn add_normalization(&mut self, step: &str, normalization: Normalization) {
        let step = step.to_owned();
        self.generators.push(KnownGenerator {
            step,
            normalization,
        });
    }

    pub(super) fn add_range(&mut self, step: &str, place: usize, range: (f32, f32)) {
        let step = step.to_owned();
        self.normalized.push(KnownRange { step, place, range });
    }

    /// Stores a coarse map, quantized to 65,536 levels.
    pub(super) fn add_map(&mut self, step: &str, place: Option<usize>, map: &Heightmap) {
        self.coarse.push(KnownMap::of(step, place, map));
    }

    /// The coarse map of a step, or the one before one of its filters. `None` if it is unknown or has another size.
    pub(super) fn map(&self, step: &str, place: Option<usize>, size: MapSize) -> Option<Heightmap> {
        let mut known = self.coarse.iter();
        let found = known.find(|known| known.step == step && known.place == place)?;
        found.read(size)
    }

    /// The normalization of a generator's step.
    pub(super) fn normalization(&self, step: &str) -> Option<&Normalization> {
        let found = self.generators.iter().find(|known| known.step == step);
        found.map(|known| &known.normalization)
    }

    /// The range before a filter of a step.
    pub(super) fn range(&self, step: &str, place: usize) -> Option<(f32, f32)> {
        let mut known = self.normalized.iter();
        let found = known.find(|known| known.step == step && known.place == place);
        found.map(|known| known.range)
    }
}

/// The number of digits of a height in a [`KnownMap`], and the largest value that they can have.
const DIGITS: usize = 4;
const STEPS: f64 = 65_535.0;

impl KnownMap {
    fn of(step: &str, place: Option<usize>, map: &Heightmap) -> Self {
        let (low, high) = map.range();
        let span = f64::from(high) - f64::from(low);
        let mut heights = String::with_capacity(DIGITS * map.heights().len());
        for &height in map.heights() {
            let share = if span > 0.0 {
                (f64::from(height) - f64::from(low)) / span
            } else {
                0.0
            };
            let number = (share * STEPS).round() as u32;
            let digit = |k: u32| char::from_digit(number >> (4 * k) & 0xf, 16);
            heights.extend((0..DIGITS as u32).rev().filter_map(digit));
        }
        Self {
            step: step.to_owned(),
            place,
            range: (low, high),
            heights,
        }
    }

    fn is_proper(&self) -> bool {
        let (low, high) = self.range;
        let digits = self.heights.bytes().all(|byte| byte.is_ascii_hexdigit());
        digits && low.is_finite() && high.is_finite() && low <= high
    }

    fn read(&self, size: MapSize) -> Option<Heightmap> {
        let (low, high) = (f64::from(self.range.0), f64::from(self.range.1));
        let heights = self.heights.as_bytes().chunks(DIGITS).map(|digits| {
            let value = |&digit: &u8| char::from(digit).to_digit(16).unwrap_or(0);
            let number = digits
                .iter()
                .fold(0, |number, digit| 16 * number + value(digit));
            (low + f64::from(number) / STEPS * (high - low)) as f32
        });
        Heightmap::from_heights(size, heights.collect()).ok()
    }
}

/// A hash of everything that affects the map: the recipe as RON, with its defaults filled in and without its sea level.
/// Recipes of different maps almost never share it.
pub(super) fn fingerprint(recipe: &Recipe) -> u64 {
    let deciding = Recipe {
        scale: Some(recipe.scale()),
        sea_level: None,
        result: Some(recipe.result_name().to_owned()),
        ..recipe.clone()
    };
    let text = ron::to_string(&deciding)
        .expect("RON can represent the numbers, names and lists of a recipe");
    hash(&text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Filter, FractalNoise, MapSize, Scale};

    #[test]
    fn fingerprint_depends_on_what_affects_the_map() {
        let recipe = Recipe::new(MapSize::default(), 4, FractalNoise::default());
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
        let meter = Scale {
            spacing: 1.0,
            relief: 1.0,
        };
        let other = [
            Recipe::new(MapSize::default(), 5, FractalNoise::default()),
            Recipe::new(MapSize::new(256, 255).unwrap(), 4, FractalNoise::default()),
            Recipe {
                scale: Some(meter),
                ..recipe.clone()
            },
            recipe.clone().with_filter(Filter::Invert),
        ];
        for other in other {
            assert_ne!(fingerprint(&other), fingerprint(&recipe), "{other:?}");
        }
    }
}
