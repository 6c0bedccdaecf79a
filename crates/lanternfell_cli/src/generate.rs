//! `lanternfell generate`: from a generator or a recipe to a heightmap in a file.

use std::{path::Path, time::Instant};

use lanternfell_heightmap::{
    Operation, Progress, Recipe,
    io::{self, PngDepth, RawFormat},
};

use crate::{
    args::Generate,
    failure::Failure,
    output::{self, Output, WriteError},
    source, watch,
};

/// What to write, as the file's ending says.
enum Format {
    Png(PngDepth),
    Raw(RawFormat),
    Recipe,
}

/// The part of the work after which the map only needs writing.
const MADE: f32 = 0.8;

pub(crate) fn run(command: &Generate, progress: &Progress) -> Result<(), Failure> {
    let start = Instant::now();
    let format = format(command)?;
    let recipe = source::recipe(
        &command.source,
        &command.change,
        "a recipe file that ends in .ron",
    )?;
    let output = Output::prepare(&command.output)?;
    let path = command.output.display();
    let about = about(&recipe);
    if let Format::Recipe = format {
        output.finish(progress, |out| out.write_all(recipe.to_ron().as_bytes()))?;
        output::summary(command.quiet, &format!("wrote the recipe {path}: {about}"));
        return Ok(());
    }
    let map = watch::with_bar("generating", command.quiet, progress, || {
        recipe.generate(&progress.span(0.0, MADE))
    })?;
    watch::with_bar("writing", command.quiet, progress, || {
        output.finish(progress, |out| match format {
            Format::Png(depth) => {
                let progress = progress.span(MADE, 1.0);
                io::write_png_with(&map, depth, out, &progress).map_err(WriteError::from)
            }
            Format::Raw(format) => io::write_raw(&map, format, out).map_err(WriteError::from),
            Format::Recipe => Ok(()),
        })
    })?;
    let (low, high) = map.range();
    let seconds = start.elapsed().as_secs_f64();
    let line = format!("wrote {path}: {about}, heights {low} to {high}, {seconds:.2} s");
    output::summary(command.quiet, &line);
    Ok(())
}

/// What a recipe makes, in a few words.
pub(crate) fn about(recipe: &Recipe) -> String {
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
    let (width, height) = (recipe.size.width(), recipe.size.height());
    format!(
        "{}, {width}x{height}, seed {}",
        generators.join(" and "),
        recipe.seed
    )
}

fn format(command: &Generate) -> Result<Format, Failure> {
    let format = match source::extension(&command.output).as_deref() {
        Some("png") => Format::Png(command.bits.unwrap_or_default()),
        Some("r16") => Format::Raw(RawFormat::R16),
        Some("r32") => Format::Raw(RawFormat::R32),
        Some("raw") => {
            reject_bits(command)?;
            return Ok(Format::Raw(command.raw.format()));
        }
        Some("ron") => Format::Recipe,
        _ => {
            return Err(unknown_ending(
                &command.output,
                ".png, .raw, .r16, .r32 or .ron",
            ));
        }
    };
    source::no_raw_options(&command.raw)?;
    if !matches!(format, Format::Png(_)) {
        reject_bits(command)?;
    }
    Ok(format)
}

fn reject_bits(command: &Generate) -> Result<(), Failure> {
    match command.bits {
        Some(_) => Err(Failure::Usage("--bits is for .png only".to_owned())),
        None => Ok(()),
    }
}

pub(crate) fn unknown_ending(path: &Path, known: &str) -> Failure {
    Failure::Usage(format!(
        "can not write {}: its name must end in {known}",
        path.display()
    ))
}
