//! `lanternfell generate`: generates a heightmap file from a generator, preset or recipe.

use std::{ffi::OsString, path::Path, time::Instant};

use clap::Args;
use lanternfell_heightmap::{ElevationModel, Progress, Recipe};

use crate::{
    args::{EditsArgs, FitArgs, RawArgs, ResizeArgs, SourceArgs},
    edits::{self, EditLog},
    engine::EngineArgs,
    failure::Failure,
    job::Job,
    land::{self, Fit, Land},
    memory, parameters, source,
    write::{Target, WriteArgs},
};

/// `lanternfell generate`.
#[derive(Debug, Args)]
#[command(
    after_help = format!("Parameters (--set NAME=VALUE; --help describes them):\n{}{SHARED}{FILES}",
        parameters::names_of_generators()),
    after_long_help = format!("Parameters (--set NAME=VALUE):\n{}{SHARED}{FILES}",
        parameters::of_generators())
)]
pub(crate) struct Generate {
    /// A generator from the list below, a preset (see `lanternfell recipe presets`), or a recipe FILE.ron; - reads a
    /// recipe from standard input
    #[arg(value_name = "GENERATOR|PRESET|FILE.ron")]
    pub(crate) source: OsString,

    #[command(flatten)]
    pub(crate) change: SourceArgs,

    #[command(flatten)]
    edits: EditsArgs,

    #[command(flatten)]
    resize: ResizeArgs,

    #[command(flatten)]
    fit: FitArgs,

    #[command(flatten)]
    pub(crate) write: WriteArgs,

    #[command(flatten)]
    engine: EngineArgs,

    #[command(flatten)]
    pub(crate) raw: RawArgs,
}

/// The parameters that all generators have.
pub(crate) const SHARED: &str = "  all: gamma, an exponent from 1 to 16 that broadens the valleys
In a recipe, STEP.NAME=VALUE sets a parameter of a step, and STEP.FILTER.NAME=VALUE that of a \
filter in the step. The error for a wrong name lists the valid ones.\n\n";

const FILES: &str = "Files:
  .png .pgm      grayscale, 16 bits (--bits 8: 8 bits); black is the lowest
  .tif .exr .asc .xyz
                 meters, f32 (--heights unit: from 0 to 1; --bits: integers, in .tif);
                 .asc is an ESRI ASCII grid, and .xyz has a line x y z for each cell
  .r16 .r32      rows of little-endian u16 or f32, no header (--sidecar writes FILE.json)
  .raw           rows of u16, or as set by --raw-format and --big-endian
  .obj .stl .glb meshes; `lanternfell mesh` has more options for them
  .ron           the recipe, to keep, edit and generate again

Examples:
  lanternfell generate hills --set island=true --seed 7 -o island.png
  lanternfell generate faults --size 1024 --set lines=2000 --set gamma=1.5 -o rocks.r16
  lanternfell generate fluid --size 640x480 --set passes=300 -o soft.ron
  lanternfell generate soft.ron --seed 8 -o soft8.png
  lanternfell generate volcano --resize 256 -o small.png";

pub(crate) fn run(command: &Generate, job: &Job) -> Result<(), Failure> {
    let start = Instant::now();
    let write = &command.write;
    write.reject_two_formats()?;
    let is_recipe = write.extension().as_deref() == Some("ron");
    let style = if is_recipe {
        command.reject_options_of_maps()?;
        None
    } else {
        command.change.check_map()?;
        let raw = command.raw.given().then(|| command.raw.format());
        let style = write.style(raw, ", .ron")?;
        command.engine.check(write, style)?;
        let style = command.engine.style(write, style);
        Some(style.in_range(command.fit.range.range())?)
    };
    let change = &command.change;
    let (recipe, resize) = command.recipe(style.is_some())?;
    let fit = Fit::of_recipe(
        &resize,
        &change.scale,
        (&recipe, source::name(&command.source)),
    )?;
    command.engine.check_square(fit.frame(), fit.size())?;
    let log = EditLog::asked(&command.edits)?;
    let target = Target::prepare(&write.output)?;
    let path = write.output.display();
    let Some(style) = style else {
        target.finish(&job.progress, |out| {
            out.write_all(recipe.to_ron().as_bytes())
        })?;
        let about = source::about(&recipe, recipe.size);
        job.summary(&write.output, &format!("wrote the recipe {path}: {about}"))?;
        return Ok(());
    };
    let maps = memory::of_recipe(&recipe).max(memory::of_map(fit.size()));
    let (width, height) = recipe.size.into();
    memory::check(maps, format_args!("a map of {width}x{height} cells"))?;
    if log.is_some() {
        edits::check_memory(recipe.size, 1)?;
    }
    let Land {
        mut map,
        holes,
        about,
    } = job.with_bar("generating", || {
        command.make(&recipe, &fit, log, &job.progress)
    })?;
    let elevation = job.with_bar("writing", || {
        let progress = job.progress.span(FITTED, 1.0);
        command.engine.turn(&mut map.heights);
        style.write_with_holes((&map, holes.as_ref()), &write.output, target, &progress)
    })?;
    let heights = style.heights(&map, elevation);
    let seconds = start.elapsed().as_secs_f64();
    let typed = command.engine.words(&map, style, elevation);
    let left_out = edits::without_holes(holes.as_ref(), style.format);
    let line = format!("wrote {path}: {about}{left_out}, {heights}, {seconds:.2} s{typed}");
    job.summary(&write.output, &line)?;
    Ok(())
}

/// The shares of the work after which the map is made, and ready to be written.
const MADE: f32 = 0.75;
const FITTED: f32 = 0.8;

impl Generate {
    /// Makes the map that is written, with its description.
    fn make(
        &self,
        recipe: &Recipe,
        fit: &Fit,
        log: Option<EditLog>,
        progress: &Progress,
    ) -> Result<Land, Failure> {
        let folder = Path::new(&self.source).parent();
        let images = |name: &str| land::image(folder, name);
        let made = recipe.generate_with_holes(&images, &progress.span(0.0, MADE))?;
        let (heights, holes) = made;
        let frame = recipe.frame();
        let progress = progress.span(MADE, FITTED);
        let made = ElevationModel { heights, frame };
        let edited = edits::edited(log, made, holes, &progress.span(0.0, 0.4))?;
        let mut map = fit.apply(edited.model, &progress.span(0.4, 0.7))?;
        map.apply(&self.fit.filters(), recipe.seed, &progress.span(0.7, 1.0))?;
        let about = source::about(recipe, map.size()) + &edited.words;
        let holes = edited.holes.map(|holes| fit.apply_to_holes(holes));
        Ok(Land { map, holes, about })
    }

    /// Returns the recipe and the size of its map, which depends on the engine if there is one.
    fn recipe(&self, is_map: bool) -> Result<(Recipe, ResizeArgs), Failure> {
        let of = |resize: &ResizeArgs| {
            source::recipe(&self.source, &self.change, resize, source::RECIPE_FILES)
        };
        let recipe = of(&self.resize)?;
        if !is_map || self.engine.engine.is_none() {
            return Ok((recipe, self.resize));
        }
        // The spacing option is that of the finished map, so the size of the finished map affects the recipe.
        let resize = self.engine.refit(self.resize, recipe.size)?;
        Ok((of(&resize)?, resize))
    }

    /// Returns an error if options for maps are given, but the output is a recipe.
    fn reject_options_of_maps(&self) -> Result<(), Failure> {
        let wrong = |what: &str| Err(Failure::Usage(what.to_owned()));
        if self.edits.given() {
            return wrong(
                "--edits is only for maps: keep the recipe and the log of edits next to each other",
            );
        }
        if self.resize.given() || self.fit.given() {
            return wrong(
                "--crop, --resize, --normalize, --range and --clamp are only for maps, not for recipes",
            );
        }
        if self.engine.engine.is_some() {
            return wrong("--for is only for maps, not for recipes");
        }
        if self.raw.given() {
            return wrong("--raw-format and --big-endian are only for .raw files");
        }
        if self.write.bits.is_some() {
            return wrong("--bits is only for .png, .pgm and .tif");
        }
        if self.write.sidecar || self.write.heights.is_some() {
            return wrong("--sidecar and --heights are only for maps, not for recipes");
        }
        Ok(())
    }
}
