//! Statistics of maps that are not completely in memory: files of plain numbers, files that are unpacked to plain
//! numbers, and folders of tiles.
//!
//! Cost: the file is read about ten times, from the system's cache if it is large enough. The program itself keeps a
//! few bands of rows in memory.

use std::path::Path;

use lanternfell_heightmap::{
    Elevation, MapFrame, MapRegion, MapSize, Progress, analysis::Statistics,
};
use lanternfell_io::Format;

use super::{Facts, Info, print_info};
use crate::{
    args::MapArgs,
    failure::Failure,
    frame,
    job::Job,
    path::extension,
    read::{self, Plain},
    rows::BandRows,
    source,
    unpacked::Unpacked,
    world::World,
};

/// Prints the statistics of such a map. Returns `None` for other maps.
pub(super) fn facts(command: &Info, job: &Job) -> Result<Option<()>, Failure> {
    let arguments = &command.map;
    let path = Path::new(&arguments.source);
    if arguments.resize.given() {
        return Ok(None);
    }
    if World::is_at(path) {
        let world = source::world(arguments)?;
        let rows = BandRows::of_world(&world, MapRegion::whole(world.size()));
        let frame = (world.frame(), world.size());
        let frame = settled(arguments, frame)?;
        let sea_level = command.sea_level.unwrap_or(world.recipe().water_level());
        return look(command, &rows, frame, sea_level, job).map(Some);
    }
    let format = extension(path).and_then(|ending| Format::from_extension(&ending));
    if !path.is_file() || !format.is_some_and(Format::is_read) {
        return Ok(None);
    }
    arguments.change.check_map()?;
    source::only_for_recipes(&arguments.change)?;
    if let Some(plain) = read::plain(path, arguments)? {
        return numbers(command, path, plain, job).map(Some);
    }
    let progress = job.progress.span(0.0, 0.1);
    let unpacked = job.with_bar("unpacking", || Unpacked::of(path, arguments, &progress))?;
    let look = |Unpacked { file, plain }| numbers(command, file.path(), plain, job);
    unpacked.map(look).transpose()
}

/// Prints the statistics of a file of plain numbers.
fn numbers(command: &Info, path: &Path, plain: Plain, job: &Job) -> Result<(), Failure> {
    let Plain { size, raw, frame } = plain;
    let rows = BandRows::of_raw(path, size, raw)?;
    let range = job.with_bar("reading", || {
        let statistics = Statistics::of(&rows, &job.progress.span(0.1, 0.2))?;
        rows.check()?;
        Ok::<_, Failure>((statistics.min, statistics.max))
    })?;
    let frame = frame.unwrap_or_else(|| default_frame(range, MapFrame::of_size(size), size));
    let frame = settled(&command.map, (frame, size))?;
    let sea_level = command.sea_level.unwrap_or(frame::sea_of(range, &frame));
    look(command, &rows, frame, sea_level, job)
}

/// Returns the frame, with the user's options.
fn settled(arguments: &MapArgs, (frame, size): (MapFrame, MapSize)) -> Result<MapFrame, Failure> {
    let scale = &arguments.change.scale;
    let frame = scale.of_file((frame, size), &arguments.resize)?;
    Ok(scale.settled(frame, size))
}

/// Returns the frame of numbers without metadata, like that of a map that is read completely: numbers outside 0 to 1
/// are meters.
fn default_frame((low, high): (f32, f32), frame: MapFrame, size: MapSize) -> MapFrame {
    if low < 0.0 || high > 1.0 {
        return MapFrame {
            elevation: Elevation::METERS,
            elevation_is_explicit: true,
            ..frame
        };
    }
    frame.with_default_relief(size)
}

fn look(
    command: &Info,
    rows: &BandRows<'_>,
    frame: MapFrame,
    sea_level: f32,
    job: &Job,
) -> Result<(), Failure> {
    let progress: Progress = job.progress.span(0.2, 1.0);
    let facts = job.with_bar("measuring", || {
        Facts::of((rows, frame), sea_level, command.histogram, &progress)
    });
    rows.check()?;
    let facts = facts?;
    let (width, height) = facts.size;
    let about = format!("{}, {width}x{height}", command.map.source);
    print_info(command, &about, &facts, None)
}
