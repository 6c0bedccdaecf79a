//! The generator, recipe or file that a command starts from.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use lanternfell_heightmap::{
    Filter, Generator, Heightmap, MapSize, Recipe, RecipeError, SetError,
    io::{self, ImportError, RawFormat},
};

use crate::{
    args::{RawArgs, SourceArgs},
    failure::Failure,
};

/// The size of a map whose recipe is only a generator's name.
const DEFAULT_SIDE: u64 = 512;

/// Longer text is no recipe: 64 layers of it take a hundredth of this.
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

/// Reads what `render` can draw: what [`recipe`] knows, and heightmaps in files.
pub(crate) fn open(source: &str, change: &SourceArgs, raw: &RawArgs) -> Result<Source, Failure> {
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

/// The recipe that a generator's name or a file stands for, changed as asked for.
/// `files` says, for the error, which files there could have been.
pub(crate) fn recipe(source: &str, change: &SourceArgs, files: &str) -> Result<Recipe, Failure> {
    let path = PathBuf::from(source);
    let named = Generator::from_name(source);
    let is_named = named.is_some();
    let mut recipe = match named {
        Some(generator) => Recipe::new(default_size(), 0, generator),
        None if extension(source).as_deref() == Some("ron") => read_recipe(&path)?,
        None => {
            let names = Generator::NAMES.join(", ");
            return Err(Failure::Usage(format!(
                "`{source}` is none of the generators {names}, nor {files}"
            )));
        }
    };
    change_recipe(&mut recipe, change)?;
    // A generator by its name has only one layer, and no need to hear its number.
    recipe.validate().map_err(|error| match error {
        RecipeError::Layer { error, .. } if is_named => Failure::Recipe(error.into()),
        error => error.into(),
    })?;
    Ok(recipe)
}

fn default_size() -> MapSize {
    MapSize::new(DEFAULT_SIDE, DEFAULT_SIDE).expect("512 is a size that a map can have")
}

fn change_recipe(recipe: &mut Recipe, change: &SourceArgs) -> Result<(), Failure> {
    recipe.size = change.size.unwrap_or(recipe.size);
    recipe.seed = change.seed.unwrap_or(recipe.seed);
    for (name, value) in &change.set {
        let generator = &mut recipe.layers[0].generator;
        if name == FLATTEN {
            let power = value.parse().map_err(|_| SetError::Value {
                owner: generator.name(),
                name: name.clone(),
                value: value.clone(),
                allowed: "a number",
            })?;
            set_flatten(recipe, power);
        } else {
            generator.set(name, value).map_err(with_flatten)?;
        }
    }
    Ok(())
}

/// Changes the recipe's last flattening, or adds one.
fn set_flatten(recipe: &mut Recipe, power: f64) {
    let last = recipe.filters.iter_mut().rev();
    for filter in last {
        if let Filter::Flatten(old) = filter {
            *old = power;
            return;
        }
    }
    recipe.filters.push(Filter::Flatten(power));
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

fn read_recipe(path: &Path) -> Result<Recipe, Failure> {
    let bytes = read(path, |length| {
        let fits = length <= LONGEST_RECIPE;
        fits.then_some(())
            .ok_or("it is too long for a recipe".to_owned())
    })?;
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
    // Sixteen bytes per cell of the largest map: twice what a PNG can need.
    let longest = 16 * u64::from(MapSize::MAX_SIDE) * u64::from(MapSize::MAX_SIDE);
    let bytes = read(&path, |length| {
        (length <= longest)
            .then_some(())
            .ok_or("it is too long for a heightmap".to_owned())
    })?;
    io::read_png(&bytes).map_err(|error| Failure::Import { path, error })
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
    let bytes = read(&path, |found| {
        let error = ImportError::Length { expected, found };
        (found == expected)
            .then_some(())
            .ok_or_else(|| error.to_string())
    })?;
    io::read_raw(&bytes, size, format).map_err(|error| Failure::Import { path, error })
}

/// Reads a whole file, unless its length does not please `check`.
fn read(path: &Path, check: impl FnOnce(u64) -> Result<(), String>) -> Result<Vec<u8>, Failure> {
    let failed = |error| Failure::Read {
        path: path.to_owned(),
        error,
    };
    let file = File::open(path).map_err(failed)?;
    let about = file.metadata().map_err(failed)?;
    if !about.is_file() {
        return Err(failed(std::io::Error::other("it is not a file")));
    }
    check(about.len()).map_err(|wrong| Failure::Usage(format!("{}: {wrong}", path.display())))?;
    let mut bytes = Vec::with_capacity(about.len() as usize);
    // Even if it grows meanwhile: no more than was checked.
    file.take(about.len())
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    Ok(bytes)
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
