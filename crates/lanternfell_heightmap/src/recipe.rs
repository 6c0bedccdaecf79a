//! A map written down: its size, seed, layers and filters, and a file format for it.
//!
//! ```text
//! layer 0 ─ generator ─ filters ─┐
//! layer 1 ─ generator ─ filters ─┴ blend ─ … ─ normalise ─ filters ─ map
//! ```
//!
//! A recipe with one layer leaves its map as the generator made it. With several, the
//! blend is stretched to 0 to 1 before the recipe's own filters run.
//!
//! In a file it is RON, in which a comment may explain a choice:
//!
//! ```
//! use lanternfell_heightmap::{Progress, Recipe};
//!
//! let recipe = Recipe::from_ron(
//!     "(
//!         version: 1,
//!         size: (128, 96),
//!         seed: 7,
//!         layers: [
//!             (generator: Hills((island: true))),
//!             (generator: Faults((lines: 300)), blend: Multiply, weight: 0.5),
//!         ],
//!         filters: [Flatten(1.5)],
//!     )",
//! )?;
//! let map = recipe.generate(&Progress::default())?;
//! assert_eq!((map.width(), map.height()), (128, 96));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use ron::extensions::Extensions;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    Blend, Filter, GenerateError, Generator, Heightmap, MapSize, ParamError, Progress, Site,
};

/// A whole map, written down: the same recipe always gives the same map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The version of the format, [`Recipe::VERSION`].
    pub version: u32,
    /// The map's width and height in cells.
    pub size: MapSize,
    /// What all random numbers come from.
    #[serde(default)]
    pub seed: u64,
    /// The maps that are laid on each other, the lowest first. At least one.
    pub layers: Vec<Layer>,
    /// What is done to the blended map, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<Filter>,
    /// The height of the sea's surface, from 0 to 1; `None` (the default) leaves it to
    /// [`Recipe::water_level`]. It does not change the map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sea_level: Option<f32>,
}

/// One generator's part in a recipe.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// What makes the layer's map.
    pub generator: Generator,
    /// How it is laid on the layers below it. Of no effect on the lowest layer.
    #[serde(default)]
    pub blend: Blend,
    /// How strongly, from 0 to 1; 1 by default. Of no effect on the lowest layer.
    #[serde(default = "full_weight")]
    pub weight: f64,
    /// What is done to the layer's map before it is blended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<Filter>,
}

/// The part of the work after which what was made only needs blending and filtering.
const MADE: f32 = 0.9;

fn full_weight() -> f64 {
    1.0
}

/// Why a recipe can not be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RecipeError {
    /// The text is not RON, or not a recipe: line, column and what was wrong there.
    #[error("line {line}, column {column}: {message}")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What was wrong there.
        message: String,
    },
    /// The text is of a version that this crate does not read.
    #[error("recipe version {found} is not known: this release reads version {known}")]
    Version {
        /// The version that the text names.
        found: u64,
        /// The version that this crate reads.
        known: u32,
    },
    /// There is no layer, or more than [`Recipe::MAX_LAYERS`].
    #[error("a recipe has from 1 to {max} layers, and this one has {found}", max = Recipe::MAX_LAYERS)]
    Layers {
        /// How many there are.
        found: usize,
    },
    /// A parameter of a layer is outside its range.
    #[error("layer {layer}: {error}")]
    Layer {
        /// The layer, from 0.
        layer: usize,
        /// What is wrong with it.
        error: ParamError,
    },
    /// A parameter of the recipe itself is outside its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] crate::Cancelled),
}

impl Layer {
    /// A layer of this generator: added, at weight 1, unfiltered.
    pub fn new(generator: impl Into<Generator>) -> Self {
        Self {
            generator: generator.into(),
            blend: Blend::default(),
            weight: full_weight(),
            filters: Vec::new(),
        }
    }

    fn validate(&self, size: MapSize) -> Result<(), ParamError> {
        self.generator.validate(size)?;
        ParamError::check_range("layer", "weight", self.weight, 0.0, 1.0)?;
        self.blend.validate()?;
        self.filters.iter().try_for_each(Filter::validate)
    }

    fn generate(
        &self,
        size: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        let steps = self.filters.len();
        let made = if steps == 0 { 1.0 } else { MADE };
        let mut map = self
            .generator
            .generate(size, seed, &progress.span(0.0, made))?;
        let rest = progress.span(made, 1.0);
        for (step, filter) in self.filters.iter().enumerate() {
            filter.apply(&mut map, &Site::new(size, seed), &rest.part(step, steps))?;
        }
        Ok(map)
    }
}

impl Default for Layer {
    /// The default generator's layer.
    fn default() -> Self {
        Self::new(Generator::default())
    }
}

impl Recipe {
    /// The version of the file format that is written and read.
    pub const VERSION: u32 = 1;
    /// The most layers that a recipe may have.
    pub const MAX_LAYERS: usize = 64;

    /// A recipe of one layer, unfiltered.
    pub fn new(size: MapSize, seed: u64, generator: impl Into<Generator>) -> Self {
        Self {
            version: Self::VERSION,
            size,
            seed,
            layers: vec![Layer::new(generator)],
            filters: Vec::new(),
            sea_level: None,
        }
    }

    /// The same recipe with one more filter at its end.
    pub fn with_filter(mut self, filter: Filter) -> Self {
        self.filters.push(filter);
        self
    }

    /// Reads a recipe from RON and checks it whole.
    ///
    /// An optional field may be written with or without its `Some`, and a byte order
    /// mark before the text is passed over.
    ///
    /// # Errors
    /// Names the place of what is not RON or not a recipe, and whatever is out of range.
    pub fn from_ron(text: &str) -> Result<Self, RecipeError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let ron = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
        // The version first: a newer recipe may well have fields unknown here.
        if let Ok(Version { version }) = ron.from_str(text)
            && version != u64::from(Self::VERSION)
        {
            let known = Self::VERSION;
            return Err(RecipeError::Version {
                found: version,
                known,
            });
        }
        let recipe: Self = ron.from_str(text).map_err(|error| RecipeError::Syntax {
            line: error.span.start.line,
            column: error.span.start.col,
            message: message(&error.code),
        })?;
        recipe.validate()?;
        Ok(recipe)
    }

    /// Writes the recipe as RON, laid out for people to read and change.
    pub fn to_ron(&self) -> String {
        let layout = ron::ser::PrettyConfig::default();
        let mut text = ron::ser::to_string_pretty(self, layout)
            .expect("a recipe holds only numbers, names and lists, all of which RON can write");
        text.push('\n');
        text
    }

    /// Checks every parameter of every layer and filter.
    pub fn validate(&self) -> Result<(), RecipeError> {
        if self.version != Self::VERSION {
            let (found, known) = (u64::from(self.version), Self::VERSION);
            return Err(RecipeError::Version { found, known });
        }
        if self.layers.is_empty() || self.layers.len() > Self::MAX_LAYERS {
            let found = self.layers.len();
            return Err(RecipeError::Layers { found });
        }
        for (layer, content) in self.layers.iter().enumerate() {
            let at = |error| RecipeError::Layer { layer, error };
            content.validate(self.size).map_err(at)?;
        }
        self.filters.iter().try_for_each(Filter::validate)?;
        let level = ParamError::shortest(self.sea_level.unwrap_or_default());
        Ok(ParamError::check_range(
            "recipe",
            "sea_level",
            level,
            0.0,
            1.0,
        )?)
    }

    /// Makes the map.
    ///
    /// # Errors
    /// When a parameter is out of its range, or the work was cancelled.
    pub fn generate(&self, progress: &Progress) -> Result<Heightmap, RecipeError> {
        self.validate()?;
        let blended = self.layers.len() > 1;
        let steps = usize::from(blended) + self.filters.len();
        let made = if steps == 0 { 1.0 } else { MADE };
        let mut map = self.blend(&progress.span(0.0, made))?;
        let rest = progress.span(made, 1.0);
        if blended {
            map.normalise_with(&rest.part(0, steps))?;
        }
        for (step, filter) in (usize::from(blended)..).zip(&self.filters) {
            filter
                .apply(
                    &mut map,
                    &Site::new(self.size, self.seed),
                    &rest.part(step, steps),
                )
                .map_err(|error| match error {
                    GenerateError::Param(error) => RecipeError::Param(error),
                    GenerateError::Cancelled(cancelled) => cancelled.into(),
                })?;
        }
        progress.step(1, 1)?;
        Ok(map)
    }

    /// All layers, each on the ones below it.
    fn blend(&self, progress: &Progress) -> Result<Heightmap, RecipeError> {
        let total = self.layers.len();
        let mut ground: Option<Heightmap> = None;
        for (index, layer) in self.layers.iter().enumerate() {
            let progress = progress.part(index, total);
            let made = if index == 0 { 1.0 } else { MADE };
            let map = layer
                .generate(self.size, self.layer_seed(index), &progress.span(0.0, made))
                .map_err(|error| match error {
                    GenerateError::Param(error) => RecipeError::Layer {
                        layer: index,
                        error,
                    },
                    GenerateError::Cancelled(cancelled) => cancelled.into(),
                })?;
            match &mut ground {
                None => ground = Some(map),
                Some(ground) => {
                    let progress = progress.span(made, 1.0);
                    let (blend, weight) = (layer.blend, layer.weight);
                    blend.lay(ground, &map, weight, None, &progress)?;
                }
            }
        }
        Ok(ground.unwrap_or_else(|| Heightmap::flat(self.size)))
    }

    /// The height of the sea's surface: [`sea_level`](Self::sea_level), or what suits the
    /// lowest layer's generator.
    ///
    /// Flattening lowers that choice along with the land, so that the coast stays where
    /// it was; except for hills, whose sea lies just above 0 and whose coast it draws in.
    pub fn water_level(&self) -> f32 {
        if let Some(level) = self.sea_level {
            return level;
        }
        let lowest = self.layers.first().map(|layer| &layer.generator);
        let level = lowest.map_or(0.0, Generator::sea_level);
        if matches!(lowest, Some(Generator::Hills(_))) {
            return level;
        }
        let powers = self.filters.iter().filter_map(|filter| match filter {
            Filter::Flatten(power) => Some(*power),
            _ => None,
        });
        powers.fold(f64::from(level), libm::pow) as f32
    }

    /// The seed of one layer. The lowest has the recipe's own; the others are spread by
    /// the finaliser of SplitMix64 (Steele, Lea and Flood 2014), so that two layers of
    /// one kind differ and neighbouring seeds share no layer.
    fn layer_seed(&self, index: usize) -> u64 {
        if index == 0 {
            return self.seed;
        }
        let golden = 0x9E37_79B9_7F4A_7C15_u64;
        let mut z = self.seed ^ golden.wrapping_mul(index as u64);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

impl Default for Recipe {
    /// The default generator on a map of the default size, seed 0.
    fn default() -> Self {
        Self::new(MapSize::default(), 0, Generator::default())
    }
}

/// Just the version of a recipe's text, whatever else it holds.
#[derive(Deserialize)]
struct Version {
    version: u64,
}

/// What was wrong in a text; for a number of the wrong size also which ones there are.
fn message(error: &ron::Error) -> String {
    let range = match error {
        ron::Error::IntegerOutOfBounds | ron::Error::ExpectedInteger => {
            ": must be a whole number from 0 to 4294967295, or as a seed to 18446744073709551615"
        }
        _ => "",
    };
    format!("{error}{range}")
}
