//! Recipes: maps described as named steps, with a file format.
//!
//! ```text
//!   "cone"  Generate ─┐
//!                     ├─ "land"  Blend ── "shore"  Filter ── the map
//!   "rough" Generate ─┘                      │
//!                          "cliffs" Select ──┘ as a mask
//! ```
//!
//! A step defines an operation and the steps that are its inputs. The order of steps is free, but a step must not
//! depend on itself. The last step is the result, unless [`Recipe::result`] names another. Steps that the result does
//! not need are validated but not run. Another step may define the holes of the terrain: see [`Recipe::holes`].
//!
//! Recipe files are RON, which allows comments:
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
//! A map is kept until the last step that needs it. That step modifies it in place if it can.
//! [`Recipe::peak_map_count`] returns the largest number of maps in memory at once.

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

/// A description of a map as named steps. The same recipe always produces the same map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(opaque, Clone, Debug, Default, Deserialize, PartialEq, Serialize)
)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The version of the file format, [`Recipe::VERSION`].
    pub version: u32,
    /// The width and height of the map in cells. If a side exceeds [`MapSize::MAX_SIDE`], the map can only be made in
    /// [tiles](Self::tile).
    #[serde(deserialize_with = "world")]
    pub size: MapSize,
    /// The seed of all random numbers. Default: 0.
    #[serde(default)]
    pub seed: u64,
    /// The size of cells and heights in meters, which defines slopes for erosion and for rendering. `None` (the
    /// default) is [`Scale::of_size`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Scale>,
    /// The height of the sea's surface, from 0 to 1. `None` (the default) uses [`Recipe::water_level`]. The sea level
    /// does not change the map, and filters ignore it; [`StreamPowerErosion`](crate::erosion::StreamPowerErosion) has
    /// its own sea level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sea_level: Option<f32>,
    /// The steps: from 1 to [`Recipe::MAX_STEPS`], each with a unique name.
    #[serde(with = "names")]
    pub steps: Vec<Step>,
    /// The name of the step that is the result. `None` (the default) is the last step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The name of the step that defines where the terrain has holes: in each square between four cells whose mean is
    /// above 0.5. `None` (the default) means no holes. This does not change the map;
    /// [`generate_with_holes`](Self::generate_with_holes) returns both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holes: Option<String>,
}

/// A square is a hole if the mean of its four cells on the map of [`Recipe::holes`] is above this.
const HOLE: f32 = 0.5;

impl Recipe {
    /// The version of the file format.
    pub const VERSION: u32 = 1;
    /// The largest number of steps.
    pub const MAX_STEPS: usize = 256;
    /// The largest size of a recipe's text in bytes. Programs that read untrusted files can stop reading there: 256
    /// steps take a tenth of it.
    pub const MAX_BYTES: usize = 1 << 20;

    /// The name of the step that [`new`](Self::new) creates.
    const FIRST: &str = "land";

    /// Creates a recipe of one step, named `land`, in which a generator uses the seed itself.
    pub fn new(size: MapSize, seed: u64, generator: impl Into<Generator>) -> Self {
        let land = Operation::Generate {
            by: generator.into(),
            salt: Some(0),
        };
        Self::beginning_with(size, seed, Self::FIRST, land)
    }

    /// Creates a recipe of one step with any operation.
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

    /// Adds a step, which becomes the result.
    #[must_use]
    pub fn with_step(mut self, name: impl Into<String>, operation: Operation) -> Self {
        self.steps.push(Step::new(name, operation));
        self.result = None;
        self
    }

    /// Adds a filter to the result. If the result is a step of filters without a mask, the filter is appended to that
    /// step; otherwise a new step is added.
    #[must_use]
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

    /// Adds a layer: blends the map of another generator onto the result, with a weight from 0 to 1.
    #[must_use]
    pub fn with_layer(self, generator: impl Into<Generator>, how: Blend, weight: f64) -> Self {
        let generator = generator.into();
        let ground = self.result_name().to_owned();
        // The seed of a step is derived from its name. `fractal-noise` was called `islands`, and maps must stay the same.
        let name = match generator {
            Generator::FractalNoise(_) => "islands",
            _ => generator.name(),
        };
        let layer = self.free_name(name);
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

    /// Adds a step that defines where the terrain has [holes](Self::holes). The result does not change.
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
    #[must_use]
    pub fn with_holes(mut self, name: impl Into<String>, operation: Operation) -> Self {
        let (name, result) = (name.into(), self.result_name().to_owned());
        self.steps.push(Step::new(name.clone(), operation));
        self.result = Some(result);
        self.holes = Some(name);
        self
    }

    /// Returns `name`, or if a step with that name exists, `name-2` and so on.
    fn free_name(&self, name: &str) -> String {
        let taken = |name: &str| self.steps.iter().any(|step| step.name == name);
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        core::iter::once(name.to_owned())
            .chain(numbered)
            .find(|name| !taken(name))
            .unwrap_or_default()
    }

    /// The name of the step that is the result; empty if there are no steps.
    pub fn result_name(&self) -> &str {
        let last = self.steps.last().map_or("", |step| &step.name);
        self.result.as_deref().unwrap_or(last)
    }

    /// The step called `name`.
    pub fn step(&self, name: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.name == name)
    }

    /// The recipe's own scale, or the default scale of its size.
    pub fn scale(&self) -> Scale {
        self.scale.unwrap_or_else(|| Scale::of_size(self.size))
    }

    /// The frame of the map, at the origin and without a coordinate system. It includes the sea level.
    ///
    /// For a map in meters, which `lanternfell_io` can write, combine both:
    /// `recipe.frame().of(recipe.generate(&progress)?)` is an [`ElevationModel`](crate::ElevationModel).
    pub fn frame(&self) -> MapFrame {
        let mut frame = MapFrame::of_scale(self.scale(), self.scale.is_some());
        frame.scenery.sea_level = Some(frame.elevation.meters(self.water_level()));
        frame
    }

    /// Parses a recipe from RON and validates it.
    ///
    /// Optional fields may be written with or without `Some`. A byte order mark at the start is ignored.
    ///
    /// # Errors
    /// Names the position of a syntax error, or the step whose parameter is out of range.
    pub fn from_ron(text: &str) -> Result<Self, RecipeError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // Check the version first: a recipe of a newer version may have fields that are unknown here.
        if let Some(found) = Self::version_of(text).filter(|&found| found != Self::VERSION.into()) {
            return Err(RecipeError::Version { found });
        }
        let recipe: Self = read_ron(text)?;
        recipe.validate()?;
        Ok(recipe)
    }

    /// The version in a recipe's text, without parsing the rest; `None` if the text is not RON or has no version.
    pub fn version_of(text: &str) -> Option<u64> {
        /// Only the version.
        #[derive(Deserialize)]
        struct Version {
            version: u64,
        }
        read_ron(text).ok().map(|Version { version }| version)
    }

    /// Converts the recipe to RON, formatted for reading and editing.
    pub fn to_ron(&self) -> String {
        let layout = ron::ser::PrettyConfig::default()
            .depth_limit(4)
            .extensions(Extensions::IMPLICIT_SOME);
        let mut text = ron::ser::to_string_pretty(self, layout)
            .expect("RON can represent the numbers, names and lists of a recipe");
        text.push('\n');
        text
    }

    /// Checks the whole recipe: the names of its steps, the references between them, and every parameter.
    ///
    /// # Errors
    /// Names the first step with a problem, and the problem.
    pub fn validate(&self) -> Result<(), RecipeError> {
        self.plan().map(|_| ())
    }

    /// [`validate`](Self::validate), and returns the order in which to run the steps that the result needs.
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

    /// [`plan`](Self::plan), including the steps that the holes need.
    fn plan_with_holes(&self) -> Result<Plan, RecipeError> {
        let plan = self.plan()?;
        match &self.holes {
            None => Ok(plan),
            Some(holes) => Plan::new(&self.steps, self.result_name(), Some(holes)),
        }
    }

    /// The largest number of maps in memory at once while the map and its holes are made.
    ///
    /// # Errors
    /// As for [`validate`](Self::validate).
    pub fn peak_map_count(&self) -> Result<usize, RecipeError> {
        Ok(self.plan_with_holes()?.peak_map_count(&self.steps))
    }

    /// The names of the images that the recipe needs, each once.
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

    /// Generates the map of a recipe without images.
    ///
    /// # Errors
    /// If the recipe is not [valid](Self::validate), needs an image, or the work is canceled.
    pub fn generate(&self, progress: &Progress) -> Result<Heightmap, RecipeError> {
        let none = |_: &str| Err("there are no images here".to_owned());
        self.generate_with(&none, progress)
    }

    /// Generates the map. `images` returns the image with the name in an [`Operation::Image`], of any size, or a
    /// message why it cannot.
    ///
    /// # Errors
    /// If the recipe is not [valid](Self::validate), an image is missing, or the work is canceled.
    pub fn generate_with(
        &self,
        images: &dyn Fn(&str) -> Result<Heightmap, String>,
        progress: &Progress,
    ) -> Result<Heightmap, RecipeError> {
        let (map, _) = self.run(&self.plan()?, images, progress)?;
        Ok(map)
    }

    /// Generates the map like [`generate_with`](Self::generate_with), and also its [holes](Self::holes), or `None` if
    /// the recipe does not define any. Steps that both need are run once.
    ///
    /// # Errors
    /// As for [`generate_with`](Self::generate_with).
    pub fn generate_with_holes(
        &self,
        images: &dyn Fn(&str) -> Result<Heightmap, String>,
        progress: &Progress,
    ) -> Result<(Heightmap, Option<HoleMask>), RecipeError> {
        /// The fraction of the work after which both maps are done.
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

    /// Runs a plan and returns the map, and the map that defines the holes.
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

    /// The generator at the start of the main branch: from the result back through the inputs of filters and the lower
    /// maps of blends. `None` if the branch starts with another operation.
    pub fn ground_generator(&self) -> Option<&Generator> {
        match &self.trunk().last()?.operation {
            Operation::Generate { by, .. } => Some(by),
            _ => None,
        }
    }

    /// [`ground_generator`](Self::ground_generator), mutable.
    pub fn ground_generator_mut(&mut self) -> Option<&mut Generator> {
        let name = self.trunk().last()?.name.clone();
        let step = self.steps.iter_mut().find(|step| step.name == name)?;
        match &mut step.operation {
            Operation::Generate { by, .. } => Some(by),
            _ => None,
        }
    }

    /// The steps of the main branch, from the result back to its start.
    fn trunk(&self) -> Vec<&Step> {
        let mut trunk = Vec::new();
        let mut name = Some(self.result_name());
        while let Some(step) = name.and_then(|name| self.step(name)) {
            trunk.push(step);
            // Stop after as many steps as there are, in case the references form a cycle.
            name = step
                .operation
                .ground()
                .filter(|_| trunk.len() < self.steps.len());
        }
        trunk
    }

    /// The height of the sea's surface: [`sea_level`](Self::sea_level) if it is set, or else the level that suits the
    /// generator at the start of the main branch.
    ///
    /// [`Filter::Gamma`] lowers the terrain, so it is also applied to that level, which keeps the coast where it was.
    /// Hills are an exception: their sea stays just above 0, so a power above 1 moves the coast inland.
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

/// The sea level if there is no generator to choose it: slightly above the lowest point.
const LOW_SEA: f32 = 0.04;

impl Default for Recipe {
    /// The default generator with the default size and seed 0.
    fn default() -> Self {
        Self::new(MapSize::default(), 0, Generator::default())
    }
}

/// Deserializes the size of a map, or of a world that is made in tiles.
fn world<'de, D: Deserializer<'de>>(deserializer: D) -> Result<MapSize, D::Error> {
    let (width, height) = Deserialize::deserialize(deserializer)?;
    MapSize::of_world(width, height).map_err(serde::de::Error::custom)
}
