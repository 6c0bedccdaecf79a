//! The generator, recipe or file that a command starts from.

use std::path::{Path, PathBuf};

use lanternfell_heightmap::{
    ElevationModel, Filter, Generator, MapSize, Operation, Parameters, Preset, Recipe, RecipeError,
    SetError,
};
use lanternfell_io::Format;

use crate::{
    args::{MapArgs, ResizeArgs, SourceArgs},
    failure::Failure,
    path::{endings, extension},
    read::{self, Input, LONGEST_RECIPE},
    world::World,
};

/// The size of a map whose recipe is only a generator's name.
const DEFAULT_SIDE: u64 = 512;

/// The parameter that every generator has here: it becomes a filter of the recipe.
const GAMMA: &str = "gamma";

/// What it was called once.
const FLATTEN: &str = "flatten";

/// What a command starts from.
pub(crate) enum Source {
    /// A map still to be made.
    Recipe {
        recipe: Recipe,
        /// Where its images lie.
        folder: Option<PathBuf>,
    },
    /// A map that was read.
    Map(Box<ElevationModel>),
    /// A folder of tiles, to be read.
    World(Box<World>),
}

/// Reads a map: what [`recipe`] knows, and heightmaps in files or from open pipes.
pub(crate) fn open(arguments: &MapArgs) -> Result<Source, Failure> {
    let MapArgs { source, change, .. } = arguments;
    change.check_map()?;
    if read::is_pipe(source) {
        return from_pipe(arguments);
    }
    if World::is_at(Path::new(source)) {
        return Ok(Source::World(world(arguments)?.into()));
    }
    let format = extension(source).and_then(|ending| Format::from_extension(&ending));
    if format.is_some() {
        only_for_recipes(change)?;
        return Ok(Source::Map(
            read::file(Path::new(source), arguments)?.into(),
        ));
    }
    read::no_options(arguments)?;
    let files = format!(
        "a file that ends in one of .ron, {}",
        endings(Format::is_read)
    );
    let recipe = recipe(source, change, &arguments.resize, &files)?;
    let folder = Path::new(source).parent().map(Path::to_owned);
    Ok(Source::Recipe { recipe, folder })
}

/// A folder of tiles.
pub(crate) fn world(arguments: &MapArgs) -> Result<World, Failure> {
    only_for_recipes(&arguments.change)?;
    read::no_options(arguments)?;
    read::no_size(arguments, "a folder of tiles")?;
    World::open(Path::new(&arguments.source))
}

/// A map of any format that says so itself, a recipe, or RAW if its size is given.
fn from_pipe(arguments: &MapArgs) -> Result<Source, Failure> {
    let (bytes, format) = read::pipe(arguments)?;
    if let Some(format) = format {
        only_for_recipes(&arguments.change)?;
        return Ok(Source::Map(read::bytes(&bytes, format, arguments)?.into()));
    }
    let mut recipe = parse_recipe(Path::new(&arguments.source), bytes)?;
    change_recipe(&mut recipe, &arguments.change, &arguments.resize)?;
    recipe.validate()?;
    Ok(Source::Recipe {
        recipe,
        folder: None,
    })
}

/// The recipe that a name or a file stands for, changed as asked for. `files` says, for the
/// error, which files there could have been.
pub(crate) fn recipe(
    source: &str,
    change: &SourceArgs,
    resize: &ResizeArgs,
    files: &str,
) -> Result<Recipe, Failure> {
    let mut recipe = find_recipe(source, files)?;
    let own_size = recipe.size;
    change_recipe(&mut recipe, change, resize)?;
    let is_generator = Generator::from_name(source).is_some();
    // A generator by its name has only one step, and no need to hear its name.
    recipe.validate().map_err(|error| match error {
        RecipeError::Step { error, .. } if is_generator => Failure::Recipe(error.into()),
        error if fits(&recipe, own_size) => Failure::RecipeSize { error, own_size },
        error => error.into(),
    })?;
    Ok(recipe)
}

/// Whether another size is all that the recipe needs.
fn fits(recipe: &Recipe, size: MapSize) -> bool {
    let other = Recipe {
        size,
        ..recipe.clone()
    };
    other.validate().is_ok()
}

/// The recipe that a name or a file stands for.
pub(crate) fn named_recipe(source: &str) -> Result<Recipe, Failure> {
    find_recipe(source, RECIPE_FILES)
}

/// The files that only a recipe can be in, for errors.
pub(crate) const RECIPE_FILES: &str = "a recipe file that ends in .ron";

fn find_recipe(source: &str, files: &str) -> Result<Recipe, Failure> {
    if let Some(generator) = Generator::from_name(source) {
        return Ok(Recipe::new(default_size(), 0, generator));
    }
    if let Some(preset) = Preset::find(source) {
        return Ok(preset.recipe());
    }
    if extension(source).as_deref() == Some("ron") || read::is_pipe(source) {
        return read_recipe(Path::new(source));
    }
    let names = Generator::NAMES.join(", ");
    Err(Failure::Usage(format!(
        "`{source}` is none of the generators {names}, none of the presets that `lanternfell \
         recipe presets` lists, nor {files}"
    )))
}

fn default_size() -> MapSize {
    MapSize::new(DEFAULT_SIDE, DEFAULT_SIDE).expect("512 is a size that a map can have")
}

fn change_recipe(
    recipe: &mut Recipe,
    change: &SourceArgs,
    resize: &ResizeArgs,
) -> Result<(), Failure> {
    recipe.size = change.size.unwrap_or(recipe.size);
    recipe.seed = change.seed.unwrap_or(recipe.seed);
    if change.scale.given() {
        let coarsening = resize.longer_coarsening(recipe.size)?;
        recipe.scale = Some(change.scale.of_recipe(recipe, coarsening)?);
    }
    for (name, value) in &change.set {
        match name.split_once('.') {
            Some((step, parameter)) => set_in_step(recipe, step, parameter, value)?,
            None if name == GAMMA || name == FLATTEN => set_gamma(recipe, value)?,
            None => set_in_ground(recipe, name, value)?,
        }
    }
    Ok(())
}

/// Sets a parameter of the generator that the land begins with.
fn set_in_ground(recipe: &mut Recipe, name: &str, value: &str) -> Result<(), Failure> {
    let generator = recipe.ground_generator_mut().ok_or_else(|| {
        let wrong = "the recipe's land does not begin with a generator: name the step, as";
        Failure::Usage(format!("--set {name}: {wrong} STEP.{name}={value}"))
    })?;
    Ok(generator.set(name, value).map_err(with_gamma)?)
}

/// Sets a parameter of what the step of that name does.
fn set_in_step(recipe: &mut Recipe, step: &str, name: &str, value: &str) -> Result<(), Failure> {
    let wrong = |what: &str| Failure::Usage(format!("--set {step}.{name}: {what}"));
    let found = recipe.steps.iter_mut().find(|found| found.name == step);
    let found = found.ok_or_else(|| wrong(&format!("there is no step `{step}`")))?;
    Ok(found.operation.set(name, value)?)
}

/// Changes the power at the recipe's end, or adds one.
fn set_gamma(recipe: &mut Recipe, value: &str) -> Result<(), Failure> {
    let mut gamma = Filter::Gamma(1.0);
    gamma.set(GAMMA, value)?;
    let result = recipe.result_name().to_owned();
    let last = recipe.steps.iter_mut().find(|step| step.name == result);
    if let Some(step) = last
        && let Operation::Filter { by, .. } = &mut step.operation
        && let Some(old) = by
            .iter_mut()
            .rev()
            .find(|filter| matches!(filter, Filter::Gamma(_)))
    {
        *old = gamma;
        return Ok(());
    }
    *recipe = std::mem::take(recipe).with_filter(gamma);
    Ok(())
}

/// Completes the list of names that are known.
fn with_gamma(error: SetError) -> SetError {
    match error {
        SetError::Unknown { owner, name, known } => SetError::Unknown {
            owner,
            name,
            known: format!("{known}, {GAMMA}"),
        },
        other => other,
    }
}

pub(crate) fn read_recipe(path: &Path) -> Result<Recipe, Failure> {
    if path.to_str().is_some_and(read::is_pipe) {
        return parse_recipe(path, read::recipe_in_pipe(path)?);
    }
    let mut file = Input::open(path)?;
    if file.length > LONGEST_RECIPE {
        return Err(file.wrong("it is too long for a recipe"));
    }
    parse_recipe(path, file.read()?)
}

fn parse_recipe(path: &Path, bytes: Vec<u8>) -> Result<Recipe, Failure> {
    let text = String::from_utf8(bytes).map_err(|_| {
        Failure::Usage(format!(
            "{}: a recipe is UTF-8 text, and this is not",
            path.display()
        ))
    })?;
    let failure = |error| Failure::RecipeFile {
        path: path.to_owned(),
        error,
    };
    Recipe::from_ron(&text).map_err(failure)
}

pub(crate) fn only_for_recipes(change: &SourceArgs) -> Result<(), Failure> {
    if change.seed.is_none() && change.set.is_empty() {
        return Ok(());
    }
    let wrong = "--seed and --set are for generators and recipes, not for finished heightmaps";
    Err(Failure::Usage(wrong.to_owned()))
}

/// What a recipe makes, in a few words, on a map of this size.
pub(crate) fn about(recipe: &Recipe, size: MapSize) -> String {
    let generators = recipe
        .steps
        .iter()
        .filter_map(|step| match &step.operation {
            Operation::Generate { by, .. } => Some(by.name()),
            _ => None,
        });
    let mut generators: Vec<&str> = generators.collect();
    generators.dedup();
    if generators.is_empty() {
        generators.push("no generator");
    }
    let (width, height) = (size.width(), size.height());
    format!(
        "{}, {width}x{height}, seed {}",
        generators.join(" and "),
        recipe.seed
    )
}
