//! The generator, recipe or file that a command starts from.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use lanternfell_heightmap::{
    Filter, Generator, MapRegion, MapSize, Operation, Parameters, Preset, Recipe, RecipeError,
    SetError,
};
use lanternfell_io::Format;

use crate::{
    args::{MapArgs, ResizeArgs, SourceArgs},
    edits,
    failure::Failure,
    mosaic::{self, Mosaic},
    path::{endings, extension},
    read::{self, Input, LONGEST_RECIPE, ReadMap},
    world::World,
};

/// The default size of a map whose recipe is a generator's name.
const DEFAULT_SIDE: u64 = 512;

/// A parameter that `--set` accepts for every generator. It becomes a filter of the recipe.
const GAMMA: &str = "gamma";

/// The former name of gamma.
const FLATTEN: &str = "flatten";

/// The source of a command.
pub(crate) enum Source {
    /// A map that is not generated yet.
    Recipe {
        recipe: Recipe,
        /// The folder of its images.
        folder: Option<PathBuf>,
    },
    /// A map that was read.
    Map(Box<ReadMap>),
    /// A folder of tiles, which is read later.
    World(Box<World>),
}

/// Opens a map: anything that [`recipe`] accepts, one or more heightmap files, a folder of tiles or an open pipe. Of
/// several files, only the region that is selected is read, unless the whole map is edited. Edits are not applied yet.
pub(crate) fn open(arguments: &MapArgs) -> Result<Source, Failure> {
    let MapArgs { source, change, .. } = arguments;
    change.check_map()?;
    if mosaic::is_asked_for(arguments) {
        let mosaic = mosaic(arguments)?;
        let region = arguments.resize.region(mosaic.size())?;
        if arguments.edits.given() {
            edits::check_size(mosaic.size())?;
            let map = mosaic.map(MapRegion::whole(mosaic.size()), None)?;
            return Ok(Source::Map(map.into()));
        }
        let map = mosaic.map(region, arguments.resize.resize)?;
        return Ok(Source::Map(map.into()));
    }
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
        "a file with the extension .ron, {}",
        endings(Format::is_read)
    );
    let recipe = recipe(source, change, &arguments.resize, &files)?;
    let folder = Path::new(source).parent().map(Path::to_owned);
    Ok(Source::Recipe { recipe, folder })
}

/// Opens several files that together are one map.
pub(crate) fn mosaic(arguments: &MapArgs) -> Result<Mosaic, Failure> {
    only_for_recipes(&arguments.change)?;
    Mosaic::open(arguments)
}

/// Opens a folder of tiles.
pub(crate) fn world(arguments: &MapArgs) -> Result<World, Failure> {
    only_for_recipes(&arguments.change)?;
    read::no_options(arguments)?;
    read::no_size(arguments, "a folder of tiles")?;
    World::open(Path::new(&arguments.source))
}

/// Reads a pipe: a heightmap whose format can be detected, a recipe, or RAW if its size is given.
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

/// Returns the recipe with this name or in this file, with the requested changes. `files` describes the accepted files
/// for the error.
pub(crate) fn recipe(
    source: &OsStr,
    change: &SourceArgs,
    resize: &ResizeArgs,
    files: &str,
) -> Result<Recipe, Failure> {
    changed(find_recipe(source, files)?, source, change, resize)
}

/// Returns a recipe with the requested changes.
pub(crate) fn changed(
    mut recipe: Recipe,
    source: &OsStr,
    change: &SourceArgs,
    resize: &ResizeArgs,
) -> Result<Recipe, Failure> {
    let own_size = recipe.size;
    change_recipe(&mut recipe, change, resize)?;
    let is_generator = Generator::from_name(name(source)).is_some();
    // A generator by its name has only one step, so its errors do not need the name of the step.
    recipe.validate().map_err(|error| match error {
        RecipeError::Step { error, .. } if is_generator => Failure::Recipe(error.into()),
        error if fits(&recipe, own_size) => Failure::RecipeSize { error, own_size },
        error => error.into(),
    })?;
    Ok(recipe)
}

/// Returns whether the recipe is valid for another size.
fn fits(recipe: &Recipe, size: MapSize) -> bool {
    let other = Recipe {
        size,
        ..recipe.clone()
    };
    other.validate().is_ok()
}

/// Returns the recipe with this name or in this file.
pub(crate) fn named_recipe(source: &OsStr) -> Result<Recipe, Failure> {
    find_recipe(source, RECIPE_FILES)
}

/// Describes the accepted recipe files, for errors.
pub(crate) const RECIPE_FILES: &str = "a recipe file with the extension .ron";

fn find_recipe(source: &OsStr, files: &str) -> Result<Recipe, Failure> {
    if let Some(generator) = Generator::from_name(name(source)) {
        return Ok(Recipe::new(default_size(), 0, generator));
    }
    if let Some(preset) = Preset::find(name(source)) {
        return Ok(preset.recipe());
    }
    let path = Path::new(source);
    if extension(path).as_deref() == Some("ron") || read::is_pipe(source) {
        return read_recipe(path);
    }
    Err(unknown(path, files))
}

/// Returns the name that a generator or preset may have. A name that is not UTF-8 is that of a file.
pub(crate) fn name(source: &OsStr) -> &str {
    source.to_str().unwrap_or_default()
}

/// Returns the error for a source that is not a known name or file. Only a plain word can be the name of a generator.
fn unknown(path: &Path, files: &str) -> Failure {
    let shown = path.display();
    let is_word = path.components().count() == 1 && path.extension().is_none();
    Failure::Usage(if let Some(ending) = path.extension() {
        let ending = ending.display();
        format!("`{shown}` has the unsupported file extension .{ending}: expected {files}")
    } else if path.is_file() {
        format!(
            "`{shown}` has no file extension, so its format is unknown: expected {files}; `-` detects the format of \
             standard input"
        )
    } else if is_word {
        let names = Generator::NAMES.join(", ");
        format!(
            "unknown source `{shown}`: expected one of the generators {names}, a preset (see `lanternfell recipe \
             presets`), or {files}"
        )
    } else {
        format!("`{shown}` does not exist: expected a folder of tiles, or {files}")
    })
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
    reject_repeated(recipe, &change.set)?;
    for (name, value) in &change.set {
        match name.split_once('.') {
            Some((step, parameter)) => set_in_step(recipe, step, parameter, value)?,
            None if name == GAMMA || name == FLATTEN => set_gamma(recipe, value)?,
            None => set_in_ground(recipe, name, value)?,
        }
    }
    Ok(())
}

/// Returns an error if `--set` is given twice for the same parameter.
fn reject_repeated(recipe: &Recipe, set: &[(String, String)]) -> Result<(), Failure> {
    // A name alone belongs to the first generator, which is the first step.
    let first = recipe.steps.first().map_or("", |step| &step.name);
    let whole = |name: &str| match name {
        GAMMA | FLATTEN => GAMMA.to_owned(),
        _ if name.contains('.') => name.to_owned(),
        _ => format!("{first}.{name}"),
    };
    for (index, (name, value)) in set.iter().enumerate() {
        let mut earlier = set[..index].iter();
        if let Some((other, old)) = earlier.find(|(other, _)| whole(other) == whole(name)) {
            return Err(Failure::Usage(format!(
                "--set gives the same parameter twice: {other}={old} and {name}={value}"
            )));
        }
    }
    Ok(())
}

/// Sets a parameter of the first generator.
fn set_in_ground(recipe: &mut Recipe, name: &str, value: &str) -> Result<(), Failure> {
    let generator = recipe.ground_generator_mut().ok_or_else(|| {
        let wrong = "the recipe does not start with a generator; give the step, for example";
        Failure::Usage(format!("--set {name}: {wrong} STEP.{name}={value}"))
    })?;
    Ok(generator.set(name, value).map_err(with_gamma)?)
}

/// Sets a parameter of a step.
fn set_in_step(recipe: &mut Recipe, step: &str, name: &str, value: &str) -> Result<(), Failure> {
    let wrong = |what: &str| Failure::Usage(format!("--set {step}.{name}: {what}"));
    let found = recipe.steps.iter_mut().find(|found| found.name == step);
    let found = found.ok_or_else(|| wrong(&format!("there is no step `{step}`")))?;
    Ok(found.operation.set(name, value)?)
}

/// Changes the Gamma filter at the end of the recipe, or adds one.
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

/// Adds gamma to the list of known names.
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
    if read::is_pipe(path) {
        return parse_recipe(path, read::recipe_in_pipe(path)?);
    }
    let mut file = Input::open(path)?;
    if file.length > LONGEST_RECIPE {
        return Err(file.wrong("the file is too long for a recipe"));
    }
    parse_recipe(path, file.read()?)
}

pub(crate) fn parse_recipe(path: &Path, bytes: Vec<u8>) -> Result<Recipe, Failure> {
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::Usage(format!("{}: a recipe must be UTF-8 text", path.display())))?;
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
    let wrong = "--seed and --set are only for generators and recipes, not for heightmap files";
    Err(Failure::Usage(wrong.to_owned()))
}

/// Summarizes a recipe for a map of this size.
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
