//! `lanternfell generate`: from a generator or a recipe to a heightmap in a file.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use clap::Args;

use lanternfell_heightmap::{
    Operation, Recipe,
    io::{self, PngDepth, RawFormat},
};

use crate::{
    args::{RawArgs, SourceArgs},
    failure::Failure,
    job::Job,
    output::{Output, WriteError},
    source,
};

/// `lanternfell generate`.
#[derive(Debug, Args)]
#[command(after_help = "Parameters (--set NAME=VALUE):
  faults    lines, profile (step, linear, cosine), width, and more
  fluid     passes, c, d, t, mu, amplitude
  islands   octaves, lacunarity, gain, scale, quantised, and more
  hills     count, radius_min, radius_max, island
  all       flatten: a power of 1 or more that broadens the valleys
A wrong name lists all names of that generator.

Files:
  .png      greyscale, 16 bits (--bits 8: 8 bits); black is lowest
  .r16      rows of little-endian u16, no header
  .r32      rows of little-endian f32, no header: the heights themselves
  .raw      rows of u16, or as --raw-format and --big-endian say, no header
  .ron      the recipe, to keep, change and generate again

Examples:
  lanternfell generate hills --set island=true --seed 7 -o island.png
  lanternfell generate faults --size 1024 --set lines=2000 --set flatten=1.5 -o rocks.r16
  lanternfell generate fluid --size 640x480 --set passes=300 -o soft.ron
  lanternfell generate soft.ron --seed 8 -o soft8.png")]
pub(crate) struct Generate {
    /// faults, fluid, islands, hills, or a recipe FILE.ron
    #[arg(value_name = "GENERATOR|FILE.ron")]
    pub(crate) source: String,

    #[command(flatten)]
    pub(crate) change: SourceArgs,

    /// The file to write; its ending chooses the format. An existing file is replaced
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Bits per pixel of a .png: 8 or 16 [default: 16]
    #[arg(long, value_parser = bits)]
    pub(crate) bits: Option<PngDepth>,

    #[command(flatten)]
    pub(crate) raw: RawArgs,
}

/// What to write, as the file's ending says.
enum Format {
    Png(PngDepth),
    Raw(RawFormat),
    Recipe,
}

/// The part of the work after which the map only needs writing.
const MADE: f32 = 0.8;

pub(crate) fn run(command: &Generate, job: &Job) -> Result<(), Failure> {
    let start = Instant::now();
    let format = format(command)?;
    let recipe = source::recipe(&command.source, &command.change, source::RECIPE_FILES)?;
    let output = Output::prepare(&command.output)?;
    let path = command.output.display();
    let about = about(&recipe);
    if let Format::Recipe = format {
        output.finish(&job.progress, |out| {
            out.write_all(recipe.to_ron().as_bytes())
        })?;
        job.summary(&format!("wrote the recipe {path}: {about}"));
        return Ok(());
    }
    let map = job.with_bar("generating", || {
        recipe.generate(&job.progress.span(0.0, MADE))
    })?;
    job.with_bar("writing", || {
        output.finish(&job.progress, |out| match format {
            Format::Png(depth) => {
                let progress = job.progress.span(MADE, 1.0);
                io::write_png_with(&map, depth, out, &progress).map_err(WriteError::from)
            }
            Format::Raw(format) => io::write_raw(&map, format, out).map_err(WriteError::from),
            Format::Recipe => Ok(()),
        })
    })?;
    let (low, high) = map.range();
    let seconds = start.elapsed().as_secs_f64();
    let line = format!("wrote {path}: {about}, heights {low} to {high}, {seconds:.2} s");
    job.summary(&line);
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

fn bits(text: &str) -> Result<PngDepth, String> {
    match text {
        "8" => Ok(PngDepth::Eight),
        "16" => Ok(PngDepth::Sixteen),
        _ => Err("must be 8 or 16".to_owned()),
    }
}
