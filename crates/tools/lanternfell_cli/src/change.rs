//! Reads a map, changes it and writes it: the shared part of `convert`, `filter` and `erode`.

use std::time::Instant;

use clap::Args;
use lanternfell_heightmap::{Filter, erosion::SedimentBudget};

use crate::{
    args::{EditsArgs, FitArgs, MapArgs, ToRawArgs},
    edits,
    engine::EngineArgs,
    failure::Failure,
    job::Job,
    land::{Land, Origin},
    project,
    write::{Target, WriteArgs},
};

/// The map, and the output file.
#[derive(Debug, Args, Clone)]
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

/// The shares of the work after which the map is made, and changed.
const MADE: f32 = 0.2;
const CHANGED: f32 = 0.9;

/// Makes the map with edits, and writes it.
pub(crate) fn run_edited(
    arguments: &ChangeArgs,
    edits: EditsArgs,
    job: &Job,
) -> Result<(), Failure> {
    if arguments.map.edits.given() {
        let wrong = "--edits is not allowed with `edit apply`, which names its log first";
        return Err(Failure::Usage(wrong.to_owned()));
    }
    let mut arguments = arguments.clone();
    arguments.map.edits = edits;
    run(&arguments, &[], 0, job)
}

/// Makes the map, applies the filters, each with its own random numbers, and writes it.
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
    let style = style.in_range(arguments.fit.range.range())?;
    let origin = Origin::open_for(engine, &arguments.map)?;
    let target = Target::prepare(&write.output)?;
    let Land {
        mut map,
        holes,
        about,
    } = job.with_bar("reading", || origin.make(&job.progress.span(0.0, MADE)))?;
    let budget = job.with_bar("changing", || {
        let progress = job.progress.span(MADE, CHANGED);
        let filters = [filters, &arguments.fit.filters()].concat();
        map.apply(&filters, seed, &progress)
    })?;
    let style = match project::gap(arguments.map.read.fill, &map.frame) {
        Some(_) if filters.is_empty() => style.keeping_no_data(),
        _ => style,
    };
    let elevation = job.with_bar("writing", || {
        let progress = job.progress.span(CHANGED, 1.0);
        engine.turn(&mut map.heights);
        style.write_with_holes((&map, holes.as_ref()), &write.output, target, &progress)
    })?;
    let (path, seconds) = (write.output.display(), start.elapsed().as_secs_f64());
    let heights = style.heights(&map, elevation);
    let typed = engine.words(&map, style, elevation);
    let left_out = edits::without_holes(holes.as_ref(), style.format);
    let mut line = format!("wrote {path}: {about}{left_out}, {heights}, {seconds:.2} s{typed}");
    if filters
        .iter()
        .any(|filter| matches!(filter, Filter::HydraulicErosion(_)))
    {
        line += &format!("\n{}", words(budget));
    }
    job.summary(&write.output, &line)?;
    Ok(())
}

/// Describes the sediment budget of rain in cubic meters.
fn words(budget: SedimentBudget) -> String {
    let SedimentBudget {
        eroded,
        deposited,
        exported,
    } = budget;
    let [eroded, deposited, exported] = [eroded, deposited, exported].map(volume);
    format!(
        "rain eroded {eroded}, deposited {deposited} and carried {exported} over the edge of the map; material \
         that is moved twice counts twice"
    )
}

/// Formats a volume with a readable unit.
fn volume(cubic_meters: f64) -> String {
    if cubic_meters < 1e6 {
        format!("{cubic_meters:.0} m³")
    } else {
        format!("{:.6} km³", cubic_meters / 1e9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_sediment_budget() {
        let budget = SedimentBudget {
            eroded: 2_234_567.0,
            deposited: 2_000_000.4,
            exported: 234_566.6,
        };
        let said = words(budget);
        assert!(
            said.starts_with(
                "rain eroded 0.002235 km³, deposited 0.002000 km³ and carried 234567 m³ over"
            ),
            "{said}"
        );
    }
}
