//! The generator, recipe or file that a command starts from.

use std::{
    fmt::Display,
    fs::File,
    io::{Error, ErrorKind, Read, Seek},
    path::{Path, PathBuf},
};

use lanternfell_heightmap::{
    Filter, Generator, Heightmap, MapSize, Operation, Recipe, RecipeError, SetError,
    io::{self, ImportError, RawFormat},
};

use crate::{
    args::{MapArgs, RawArgs, SourceArgs},
    failure::Failure,
    presets::Preset,
};

/// The size of a map whose recipe is only a generator's name.
const DEFAULT_SIDE: u64 = 512;

/// Longer text is no recipe: 256 steps of it take a tenth of this.
const LONGEST_RECIPE: u64 = 1 << 20;

/// The parameter that every generator has here: it becomes a filter of the recipe.
const FLATTEN: &str = "flatten";

/// What a command starts from.
pub(crate) enum Source {
    /// A map still to be made.
    Recipe(Recipe),
    /// A map that was read from a file.
    Map(Heightmap),
}

/// Reads a map: what [`recipe`] knows, and heightmaps in files.
pub(crate) fn open(
    MapArgs {
        source,
        change,
        raw,
    }: &MapArgs,
) -> Result<Source, Failure> {
    let extension = extension(source);
    if extension.as_deref() != Some("raw") {
        no_raw_options(raw)?;
    }
    Ok(match extension.as_deref() {
        Some("png") => Source::Map(read_png(source, change)?),
        Some("r16") => Source::Map(read_raw(source, change, RawFormat::R16)?),
        Some("r32") => Source::Map(read_raw(source, change, RawFormat::R32)?),
        Some("raw") => Source::Map(read_raw(source, change, raw.format())?),
        _ => {
            let files = "a file that ends in .ron, .png, .r16, .r32 or .raw";
            Source::Recipe(recipe(source, change, files)?)
        }
    })
}

/// The recipe that a name or a file stands for, changed as asked for. `files` says, for the
/// error, which files there could have been.
pub(crate) fn recipe(source: &str, change: &SourceArgs, files: &str) -> Result<Recipe, Failure> {
    let mut recipe = find_recipe(source, files)?;
    change_recipe(&mut recipe, change)?;
    let is_generator = Generator::from_name(source).is_some();
    // A generator by its name has only one step, and no need to hear its name.
    recipe.validate().map_err(|error| match error {
        RecipeError::Step { error, .. } if is_generator => Failure::Recipe(error.into()),
        error => error.into(),
    })?;
    Ok(recipe)
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
    if extension(source).as_deref() == Some("ron") {
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

fn change_recipe(recipe: &mut Recipe, change: &SourceArgs) -> Result<(), Failure> {
    recipe.size = change.size.unwrap_or(recipe.size);
    recipe.seed = change.seed.unwrap_or(recipe.seed);
    for (name, value) in &change.set {
        match name.split_once('.') {
            Some((step, parameter)) => set_in_step(recipe, step, parameter, value)?,
            None if name == FLATTEN => set_flatten(recipe, value)?,
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
    Ok(generator.set(name, value).map_err(with_flatten)?)
}

/// Sets a parameter of the generator in the step of that name.
fn set_in_step(recipe: &mut Recipe, step: &str, name: &str, value: &str) -> Result<(), Failure> {
    let wrong = |what: &str| Failure::Usage(format!("--set {step}.{name}: {what}"));
    let found = recipe.steps.iter_mut().find(|found| found.name == step);
    let found = found.ok_or_else(|| wrong(&format!("there is no step `{step}`")))?;
    match &mut found.operation {
        Operation::Generate { by, .. } => Ok(by.set(name, value)?),
        other => Err(wrong(&format!(
            "step `{step}` is a {}, and only generators' parameters can be set here",
            other.name()
        ))),
    }
}

/// Changes the flattening at the recipe's end, or adds one.
fn set_flatten(recipe: &mut Recipe, value: &str) -> Result<(), Failure> {
    // The owner that a number out of range has as well.
    let power = value.parse().map_err(|_| SetError::Value {
        owner: "filter",
        name: FLATTEN.to_owned(),
        value: value.to_owned(),
        allowed: format!("a number from 1 to {}", Filter::MAX_FLATTEN),
    })?;
    let result = recipe.result_name().to_owned();
    let last = recipe.steps.iter_mut().find(|step| step.name == result);
    if let Some(step) = last
        && let Operation::Filter { by, .. } = &mut step.operation
        && let Some(Filter::Flatten(old)) = by
            .iter_mut()
            .rev()
            .find(|filter| matches!(filter, Filter::Flatten(_)))
    {
        *old = power;
        return Ok(());
    }
    *recipe = std::mem::take(recipe).with_filter(Filter::Flatten(power));
    Ok(())
}

/// Completes the list of names that are known.
fn with_flatten(error: SetError) -> SetError {
    match error {
        SetError::Unknown { owner, name, known } => SetError::Unknown {
            owner,
            name,
            known: format!("{known}, {FLATTEN}"),
        },
        other => other,
    }
}

pub(crate) fn read_recipe(path: &Path) -> Result<Recipe, Failure> {
    let mut file = Input::open(path)?;
    if file.length > LONGEST_RECIPE {
        return Err(file.wrong("it is too long for a recipe"));
    }
    let bytes = file.read()?;
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

fn read_png(source: &str, change: &SourceArgs) -> Result<Heightmap, Failure> {
    only_for_recipes(change)?;
    if change.size.is_some() {
        return Err(Failure::Usage(
            "--size is not for .png, which knows its own size".to_owned(),
        ));
    }
    let path = PathBuf::from(source);
    let mut file = Input::open(&path)?;
    // The size first, so that no more memory is taken than a map of that size can need.
    let header = file.header(io::PNG_HEADER)?;
    let import = |error| Failure::Import {
        path: path.clone(),
        error,
    };
    let size = io::png_size(&header).map_err(import)?;
    if file.length > longest_png(size) {
        let (width, height) = (size.width(), size.height());
        return Err(file.wrong(format_args!(
            "it is too long for a heightmap of {width}x{height}"
        )));
    }
    io::read_png(&file.read()?).map_err(import)
}

/// Sixteen bytes per cell, twice what pixels can need, and some for comments and profiles.
fn longest_png(size: MapSize) -> u64 {
    16 * size.cells() as u64 + (16 << 20)
}

fn read_raw(source: &str, change: &SourceArgs, format: RawFormat) -> Result<Heightmap, Failure> {
    only_for_recipes(change)?;
    let size = change.size.ok_or_else(|| {
        Failure::Usage(format!(
            "{source} has no header: say its --size, as --size 512x512"
        ))
    })?;
    let path = PathBuf::from(source);
    let expected = format.bytes(size);
    let mut file = Input::open(&path)?;
    let found = file.length;
    if found != expected {
        let error = ImportError::Length { expected, found };
        return Err(Failure::Import { path, error });
    }
    let bytes = file.read()?;
    io::read_raw(&bytes, size, format).map_err(|error| Failure::Import { path, error })
}

/// A file to be read whole, once its length pleases.
struct Input<'a> {
    path: &'a Path,
    file: File,
    /// Bytes.
    length: u64,
}

impl<'a> Input<'a> {
    /// Opens a file, and nothing else: opening a pipe would wait for whoever writes to it.
    fn open(path: &'a Path) -> Result<Self, Failure> {
        let failed = |error| Failure::Read {
            path: path.to_owned(),
            error,
        };
        if !std::fs::metadata(path).map_err(failed)?.is_file() {
            return Err(failed(Error::other("it is not a file")));
        }
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        Ok(Self { path, file, length })
    }

    /// The first `count` bytes, or all when there are fewer. They are read again later.
    fn header(&mut self, count: usize) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::with_capacity(count);
        let read = (&self.file).take(count as u64).read_to_end(&mut bytes);
        read.and_then(|_| self.file.rewind())
            .map_err(|error| self.failed(error))?;
        Ok(bytes)
    }

    /// All bytes; even if the file grows meanwhile, no more than `length`.
    fn read(&mut self) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        let read = usize::try_from(self.length)
            .map_err(|_| Error::from(ErrorKind::OutOfMemory))
            .and_then(|length| Ok(bytes.try_reserve_exact(length)?))
            .and_then(|()| (&self.file).take(self.length).read_to_end(&mut bytes));
        read.map_err(|error| self.failed(error))?;
        Ok(bytes)
    }

    fn failed(&self, error: Error) -> Failure {
        Failure::Read {
            path: self.path.to_owned(),
            error,
        }
    }

    fn wrong(&self, what: impl Display) -> Failure {
        Failure::Usage(format!("{}: {what}", self.path.display()))
    }
}

fn only_for_recipes(change: &SourceArgs) -> Result<(), Failure> {
    if change.seed.is_none() && change.set.is_empty() {
        return Ok(());
    }
    let wrong = "--seed and --set are for generators and recipes, not for finished heightmaps";
    Err(Failure::Usage(wrong.to_owned()))
}

pub(crate) fn no_raw_options(raw: &RawArgs) -> Result<(), Failure> {
    if !raw.given() {
        return Ok(());
    }
    let wrong = "--raw-format and --big-endian are for .raw files only";
    Err(Failure::Usage(wrong.to_owned()))
}

/// The ending of a file's name in small letters, without its dot.
pub(crate) fn extension(path: impl AsRef<Path>) -> Option<String> {
    let extension = path.as_ref().extension()?.to_str()?;
    Some(extension.to_ascii_lowercase())
}
