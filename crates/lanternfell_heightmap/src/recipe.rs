//! A map written down: named steps, each made from the ones it names, and a file format.
//!
//! ```text
//!   "cone"  Generate ─┐
//!                     ├─ "land"  Blend ── "shore"  Filter ── the map
//!   "rough" Generate ─┘                      │
//!                          "cliffs" Select ──┘ as a mask
//! ```
//!
//! A step says what it does and from which other steps, in any order, as long as no step
//! needs itself. The last one is the map, or the one that [`Recipe::result`] names; steps
//! that it does not need are checked, but not made. Where the ground has holes another step may tell,
//! which [`Recipe::holes`] names.
//!
//! In a file it is RON, in which a comment may explain a choice:
//!
//! ```
//! use lanternfell_heightmap::{Progress, Recipe};
//!
//! let recipe = Recipe::from_ron(
//!     r#"(
//!         version: 1,
//!         size: (128, 96),
//!         seed: 7,
//!         steps: {
//!             "hills": Generate(by: Hills((island: true))),
//!             "faults": Generate(by: Faults((lines: 300))),
//!             "land": Blend(ground: "hills", layer: "faults", how: Multiply, weight: 0.5),
//!             "shaped": Filter(of: "land", by: [Normalize, Gamma(1.5)]),
//!         },
//!     )"#,
//! )?;
//! let map = recipe.generate(&Progress::default())?;
//! assert_eq!((map.width(), map.height()), (128, 96));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Memory
//! A map is kept until the last step that needs it, which changes it in place if it can.
//! [`Recipe::maps_at_once`] tells how many there are at most.

mod error;
mod names;
mod plan;
mod points;
mod run;
mod scale;
mod select;
mod step;
mod tiles;

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use ron::extensions::Extensions;
use serde::{Deserialize, Deserializer, Serialize};

use crate::{
    Blend, Filter, Generator, Heightmap, HoleMask, MapFrame, MapSize, ParamError, Progress, Scale,
    text::read_ron,
};
pub use error::RecipeError;
use plan::Plan;
pub use select::{Band, Selection};
pub use step::{Operation, Step};
pub use tiles::{BlockPosition, BlockStore, MemoryBlocks, Plane, TileError, TilePrepass, Tiles};

/// A whole map, written down: the same recipe always gives the same map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(opaque, Clone, Debug, Default, Deserialize, PartialEq, Serialize)
)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The version of the format, [`Recipe::VERSION`].
    pub version: u32,
    /// The map's width and height in cells. With more than [`MapSize::MAX_SIDE`] a side it is made in
    /// [tiles](Self::tile) only.
    #[serde(deserialize_with = "world")]
    pub size: MapSize,
    /// What all random numbers come from.
    #[serde(default)]
    pub seed: u64,
    /// Metres from cell to cell, and of a height of 1: how steep the land is, to erosion and
    /// to whoever shows it. `None` (the default) is [`Scale::of_size`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Scale>,
    /// The height of the sea's surface, from 0 to 1; `None` (the default) leaves it to
    /// [`Recipe::water_level`]. It does not change the map, and filters do not see it:
    /// [`StreamPowerErosion`](crate::erosion::StreamPowerErosion) has a sea of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sea_level: Option<f32>,
    /// The steps: from 1 to [`Recipe::MAX_STEPS`], each with a name of its own.
    #[serde(with = "names")]
    pub steps: Vec<Step>,
    /// The step whose map is the recipe's; `None` (the default) is the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The step whose map says where the ground has holes: in each square between four cells where it is above a
    /// half; `None` (the default) is nowhere. It does not change the map:
    /// [`generate_with_holes`](Self::generate_with_holes) makes both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holes: Option<String>,
}

/// A square is a hole where the map of [`Recipe::holes`] is above this on average.
const HOLE: f32 = 0.5;

impl Recipe {
    /// The version of the file format.
    pub const VERSION: u32 = 1;
    /// The most steps that a recipe may have.
    pub const MAX_STEPS: usize = 256;
    /// No recipe's text is longer, in bytes: 256 steps take a tenth of it. Whoever reads files that may
    /// be anything need not read further.
    pub const MAX_BYTES: usize = 1 << 20;

    /// The step that [`new`](Self::new) makes.
    const FIRST: &str = "land";

    /// A recipe of one step, named `land`, which draws from the seed itself.
    pub fn new(size: MapSize, seed: u64, generator: impl Into<Generator>) -> Self {
        let land = Operation::Generate {
            by: generator.into(),
            salt: Some(0),
        };
        Self::beginning_with(size, seed, Self::FIRST, land)
    }

    /// A recipe of one step, whatever it does.
    ///
    /// ```
    /// use lanternfell_heightmap::{MapSize, Operation, Recipe};
    ///
    /// let plain = Operation::Flat { height: 0.5 };
    /// let recipe = Recipe::beginning_with(MapSize::default(), 7, "plain", plain);
    /// assert_eq!(recipe.result_name(), "plain");
    /// ```
    pub fn beginning_with(
        size: MapSize,
        seed: u64,
        name: impl Into<String>,
        operation: Operation,
    ) -> Self {
        Self {
            version: Self::VERSION,
            size,
            seed,
            scale: None,
            sea_level: None,
            steps: vec![Step::new(name, operation)],
            result: None,
            holes: None,
        }
    }

    /// The same recipe with one more step, which becomes the result.
    pub fn with_step(mut self, name: impl Into<String>, operation: Operation) -> Self {
        self.steps.push(Step::new(name, operation));
        self.result = None;
        self
    }

    /// The same recipe with one more filter on its result: at the end of a step of filters
    /// that is the result already, or else of a new one.
    pub fn with_filter(mut self, filter: Filter) -> Self {
        let result = self.result_name().to_owned();
        let last = self.steps.iter_mut().find(|step| step.name == result);
        if let Some(Step { operation, .. }) = last
            && let Operation::Filter { by, mask: None, .. } = operation
        {
            by.push(filter);
            return self;
        }
        let name = self.free_name("shaped");
        self.with_step(name, Operation::filter(result, vec![filter]))
    }

    /// The same recipe with one more generator's map laid on its result.
    pub fn with_layer(self, generator: impl Into<Generator>, how: Blend, weight: f64) -> Self {
        let generator = generator.into();
        let ground = self.result_name().to_owned();
        let layer = self.free_name(generator.name());
        let recipe = self.with_step(layer.clone(), generator.into());
        let name = recipe.free_name("blend");
        let blend = Operation::Blend {
            ground,
            layer,
            how,
            weight,
            mask: None,
        };
        recipe.with_step(name, blend)
    }

    /// The same recipe with one more step, whose map says where the [ground has holes](Self::holes). The result
    /// stays what it was.
    ///
    /// ```
    /// use lanternfell_heightmap::{Band, Hills, MapSize, Operation, Progress, Recipe, Selection};
    ///
    /// let cliffs = Selection::Slope(Band { from: Some(45.0), ..Band::default() });
    /// let recipe = Recipe::new(MapSize::new(128, 128)?, 7, Hills::default())
    ///     .with_holes("cliffs", Operation::Select { of: "land".to_owned(), by: cliffs });
    /// let none = |_: &str| Err("there are no images here".to_owned());
    /// let (map, holes) = recipe.generate_with_holes(&none, &Progress::default())?;
    /// assert_eq!(holes.map(|holes| holes.size()), Some(map.size()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_holes(mut self, name: impl Into<String>, operation: Operation) -> Self {
        let (name, result) = (name.into(), self.result_name().to_owned());
        self.steps.push(Step::new(name.clone(), operation));
        self.result = Some(result);
        self.holes = Some(name);
        self
    }

    /// `name`, or if there is such a step already, `name-2` and so on.
    fn free_name(&self, name: &str) -> String {
        let taken = |name: &str| self.steps.iter().any(|step| step.name == name);
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        core::iter::once(name.to_owned())
            .chain(numbered)
            .find(|name| !taken(name))
            .unwrap_or_default()
    }

    /// The name of the step whose map is the recipe's; empty if there are no steps.
    pub fn result_name(&self) -> &str {
        let last = self.steps.last().map_or("", |step| &step.name);
        self.result.as_deref().unwrap_or(last)
    }

    /// The step of that name.
    pub fn step(&self, name: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.name == name)
    }

    /// The recipe's own scale, or the default one of its size.
    pub fn scale(&self) -> Scale {
        self.scale.unwrap_or_else(|| Scale::of_size(self.size))
    }

    /// What the heights and cells of its map stand for, at the origin of no coordinate system; and where its sea is.
    pub fn frame(&self) -> MapFrame {
        let mut frame = MapFrame::of_scale(self.scale(), self.scale.is_some());
        frame.scenery.sea_level = Some(frame.elevation.metres(self.water_level()));
        frame
    }

    /// Reads a recipe from RON and validates it.
    ///
    /// An optional field may be written with or without its `Some`, and a byte order
    /// mark before the text is passed over.
    ///
    /// # Errors
    /// Names the place of what is not RON or not a recipe, and the step of whatever is out of
    /// range.
    pub fn from_ron(text: &str) -> Result<Self, RecipeError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // The version first: a newer recipe may have fields that are unknown here.
        if let Some(found) = Self::version_of(text).filter(|&found| found != Self::VERSION.into()) {
            return Err(RecipeError::Version { found });
        }
        let recipe: Self = read_ron(text)?;
        recipe.validate()?;
        Ok(recipe)
    }

    /// The version in a recipe's text, without parsing the rest; `None` if the text is not RON or has no version.
    pub fn version_of(text: &str) -> Option<u64> {
        /// Just the version.
        #[derive(Deserialize)]
        struct Version {
            version: u64,
        }
        read_ron(text).ok().map(|Version { version }| version)
    }

    /// Writes the recipe as RON, laid out for people to read and change.
    pub fn to_ron(&self) -> String {
        let layout = ron::ser::PrettyConfig::default()
            .depth_limit(4)
            .extensions(Extensions::IMPLICIT_SOME);
        let mut text = ron::ser::to_string_pretty(self, layout)
            .expect("a recipe holds only numbers, names and lists, all of which RON can write");
        text.push('\n');
        text
    }

    /// Checks the recipe whole: that its steps have names and find each other, and every
    /// parameter of every step.
    ///
    /// # Errors
    /// Names the first step that is wrong, and what is wrong with it.
    pub fn validate(&self) -> Result<(), RecipeError> {
        self.plan().map(|_| ())
    }

    /// [`validate`](Self::validate), and the order in which the steps are made that the map needs.
    fn plan(&self) -> Result<Plan, RecipeError> {
        if self.version != Self::VERSION {
            let found = u64::from(self.version);
            return Err(RecipeError::Version { found });
        }
        if self.steps.is_empty() || self.steps.len() > Self::MAX_STEPS {
            let found = self.steps.len();
            return Err(RecipeError::Steps { found });
        }
        self.scale().validate()?;
        let level = ParamError::shortest(self.sea_level.unwrap_or_default());
        ParamError::check_range("recipe", "sea_level", level, 0.0, 1.0)?;
        let plan = Plan::new(&self.steps, self.result_name(), None)?;
        if let Some(missing) = &self.holes
            && self.step(missing).is_none()
        {
            let missing = missing.clone();
            return Err(RecipeError::MissingHoles { missing });
        }
        for step in &self.steps {
            step.operation
                .validate(self.size)
                .map_err(|error| RecipeError::step(&step.name, error))?;
        }
        Ok(plan)
    }

    /// [`plan`](Self::plan), with the steps that the holes need.
    fn plan_with_holes(&self) -> Result<Plan, RecipeError> {
        let plan = self.plan()?;
        match &self.holes {
            None => Ok(plan),
            Some(holes) => Plan::new(&self.steps, self.result_name(), Some(holes)),
        }
    }

    /// How many maps are in memory at once, at most, while the map and its holes are made.
    ///
    /// # Errors
    /// As for [`validate`](Self::validate).
    pub fn maps_at_once(&self) -> Result<usize, RecipeError> {
        Ok(self.plan_with_holes()?.maps_at_once(&self.steps))
    }

    /// The images that the recipe needs, by their names in it, each once.
    pub fn images(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for step in &self.steps {
            if let Operation::Image { name } = &step.operation
                && !names.contains(&name.as_str())
            {
                names.push(name);
            }
        }
        names
    }

    /// Makes the map of a recipe without images.
    ///
    /// # Errors
    /// When the recipe is not [valid](Self::validate), needs an image, or the work was
    /// cancelled.
    pub fn generate(&self, progress: &Progress) -> Result<Heightmap, RecipeError> {
        let none = |_: &str| Err("there are no images here".to_owned());
        self.generate_with(&none, progress)
    }

    /// Makes the map. `images` gives what [`Operation::Image`] names, of any size, or says
    /// why it can not.
    ///
    /// # Errors
    /// When the recipe is not [valid](Self::validate), an image is missing, or the work was
    /// cancelled.
    pub fn generate_with(
        &self,
        images: &dyn Fn(&str) -> Result<Heightmap, String>,
        progress: &Progress,
    ) -> Result<Heightmap, RecipeError> {
        let (map, _) = self.run(&self.plan()?, images, progress)?;
        Ok(map)
    }

    /// Makes the map as [`generate_with`](Self::generate_with) does, and finds out where the ground has
    /// [holes](Self::holes); `None` if the recipe says nothing of them. No step is made twice.
    ///
    /// # Errors
    /// As [`generate_with`](Self::generate_with).
    pub fn generate_with_holes(
        &self,
        images: &dyn Fn(&str) -> Result<Heightmap, String>,
        progress: &Progress,
    ) -> Result<(Heightmap, Option<HoleMask>), RecipeError> {
        /// The part of the work after which both maps are made.
        const MADE: f32 = 0.98;
        let plan = self.plan_with_holes()?;
        let (map, mask) = self.run(&plan, images, &progress.span(0.0, MADE))?;
        let opening = progress.span(MADE, 1.0);
        let holes = mask.map(|mask| HoleMask::from_map(&mask, HOLE, &opening));
        let holes = holes.transpose().map_err(|error| {
            let step = self.holes.as_deref().unwrap_or_default();
            RecipeError::making(step, error)
        })?;
        progress.step(1, 1)?;
        Ok((map, holes))
    }

    /// Makes what is planned: the map, and the map of the holes.
    fn run(
        &self,
        plan: &Plan,
        images: &dyn Fn(&str) -> Result<Heightmap, String>,
        progress: &Progress,
    ) -> Result<(Heightmap, Option<Heightmap>), RecipeError> {
        if !self.size.is_of_map() {
            let (width, height) = self.size.into();
            return Err(RecipeError::World { width, height });
        }
        run::run(self, plan, images, progress)
    }

    /// The generator that the land begins with: from the result back through what is
    /// filtered and what is blended upon. `None` where the land begins otherwise.
    pub fn ground_generator(&self) -> Option<&Generator> {
        match &self.trunk().last()?.operation {
            Operation::Generate { by, .. } => Some(by),
            _ => None,
        }
    }

    /// [`ground_generator`](Self::ground_generator), to change.
    pub fn ground_generator_mut(&mut self) -> Option<&mut Generator> {
        let name = self.trunk().last()?.name.clone();
        let step = self.steps.iter_mut().find(|step| step.name == name)?;
        match &mut step.operation {
            Operation::Generate { by, .. } => Some(by),
            _ => None,
        }
    }

    /// The steps from the result back to where the land begins.
    fn trunk(&self) -> Vec<&Step> {
        let mut trunk = Vec::new();
        let mut name = Some(self.result_name());
        while let Some(step) = name.and_then(|name| self.step(name)) {
            trunk.push(step);
            // No longer than there are steps, even if they go round in circles.
            name = step
                .operation
                .ground()
                .filter(|_| trunk.len() < self.steps.len());
        }
        trunk
    }

    /// The height of the sea's surface: [`sea_level`](Self::sea_level), or what suits the
    /// generator that the land begins with.
    ///
    /// Flattening lowers that choice along with the land, so that the coast stays where
    /// it was; except for hills, whose sea lies just above 0 and whose coast it draws in.
    pub fn water_level(&self) -> f32 {
        if let Some(level) = self.sea_level {
            return level;
        }
        let Some(generator) = self.ground_generator() else {
            return LOW_SEA;
        };
        let level = generator.sea_level();
        if matches!(generator, Generator::Hills(_)) {
            return level;
        }
        let steps = self.trunk();
        let powers = steps.iter().rev().flat_map(|step| step.operation.powers());
        powers.fold(f64::from(level), libm::pow) as f32
    }
}

/// The sea of a map of which nothing is known: slightly above the lowest ground.
const LOW_SEA: f32 = 0.04;

impl Default for Recipe {
    /// The default generator on a map of the default size, seed 0.
    fn default() -> Self {
        Self::new(MapSize::default(), 0, Generator::default())
    }
}

/// Reads the size of a map, or of a world that is made in tiles.
fn world<'de, D: Deserializer<'de>>(deserializer: D) -> Result<MapSize, D::Error> {
    let (width, height) = Deserialize::deserialize(deserializer)?;
    MapSize::of_world(width, height).map_err(serde::de::Error::custom)
}
