//! From a map to a changed map in a file: what `convert`, `filter` and `erode` have in common.

use std::time::Instant;

use clap::Args;
use lanternfell_heightmap::Filter;

use crate::{
    args::{FitArgs, MapArgs, ToRawArgs},
    engine::EngineArgs,
    failure::Failure,
    job::Job,
    land::{Land, Origin},
    write::{Target, WriteArgs},
};

/// The map, and the file that it ends in.
#[derive(Debug, Args)]
pub(crate) struct ChangeArgs {
    #[command(flatten)]
    map: MapArgs,

    #[command(flatten)]
    write: WriteArgs,

    #[command(flatten)]
    to_raw: ToRawArgs,

    #[command(flatten)]
    engine: EngineArgs,

    #[command(flatten)]
    fit: FitArgs,
}

/// The parts of the work after which the map is made, and changed.
const MADE: f32 = 0.2;
const CHANGED: f32 = 0.9;

/// Makes the map, applies the filters, each with random numbers of its own, and writes it.
pub(crate) fn run(
    arguments: &ChangeArgs,
    filters: &[Filter],
    seed: u64,
    job: &Job,
) -> Result<(), Failure> {
    let start = Instant::now();
    filters.iter().try_for_each(Filter::validate)?;
    let write = &arguments.write;
    let engine = &arguments.engine;
    let style = write.style(arguments.to_raw.format(), "")?;
    engine.check(write, style)?;
    let style = engine.style(write, style);
    let origin = Origin::open_for(engine, &arguments.map)?;
    let target = Target::prepare(&write.output)?;
    let Land { mut map, about } =
        job.with_bar("reading", || origin.make(&job.progress.span(0.0, MADE)))?;
    job.with_bar("changing", || {
        let progress = job.progress.span(MADE, CHANGED);
        let filters = [filters, &arguments.fit.filters()].concat();
        map.apply(&filters, seed, &progress)
    })?;
    let elevation = job.with_bar("writing", || {
        let progress = job.progress.span(CHANGED, 1.0);
        engine.turn(&mut map.heights);
        style.write(&map, &write.output, target, &progress)
    })?;
    let (path, seconds) = (write.output.display(), start.elapsed().as_secs_f64());
    let heights = style.heights(&map, elevation);
    let typed = engine.words(&map, style, elevation);
    let line = format!("wrote {path}: {about}, {heights}, {seconds:.2} s{typed}");
    job.summary(&write.output, &line)?;
    Ok(())
}
