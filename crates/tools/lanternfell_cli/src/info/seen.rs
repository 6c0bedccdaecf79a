//! Statistics of maps that are not completely in memory: files of plain numbers, files that are unpacked to plain
//! numbers, and folders of tiles.
//!
//! Cost: the file is read about ten times, from the system's cache if it is large enough. The program itself keeps a
//! few bands of rows in memory.

use std::path::Path;

use lanternfell_heightmap::{
    MapFrame, MapRegion, Progress,
    analysis::{HeightRows, Statistics},
};
use lanternfell_io::{Fill, Format};

use super::{Facts, Info, print_info};
use crate::{
    failure::Failure,
    frame,
    job::Job,
    meaning::Reason,
    mosaic,
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
    if arguments.resize.given() || arguments.project.given() || arguments.edits.given() {
        return Ok(None);
    }
    if mosaic::is_asked_for(arguments) {
        return files(command, job);
    }
    if World::is_at(path) {
        let world = source::world(arguments)?;
        let whole = MapRegion::whole(world.size());
        world.check_complete(whole)?;
        let rows = BandRows::of_world(&world, whole, &job.progress);
        let frame = (world.frame(), world.size());
        let frame = frame::of_file(&arguments.change.scale, &arguments.resize, frame)?;
        let sea_level = command.sea_level.unwrap_or(world.recipe().water_level());
        let reason = Reason::of("from the recipe").with_relief(&arguments.change.scale);
        return look(command, &rows, (frame, reason), sea_level, job).map(Some);
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

/// Prints the statistics of several files that together are one map. Returns `None` if the whole map is needed.
fn files(command: &Info, job: &Job) -> Result<Option<()>, Failure> {
    let arguments = &command.map;
    if arguments.read.fill == Some(Fill::Interpolate) {
        return Ok(None);
    }
    arguments.change.check_map()?;
    let mosaic = source::mosaic(arguments)?;
    let rows = BandRows::of_mosaic(&mosaic, &job.progress);
    let frame = (mosaic.frame(), mosaic.reason());
    with_range(command, &rows, frame, job).map(Some)
}

/// Prints the statistics of a file of plain numbers.
fn numbers(command: &Info, path: &Path, plain: Plain, job: &Job) -> Result<(), Failure> {
    let Plain {
        size,
        raw,
        frame,
        reason,
    } = plain;
    let rows = BandRows::of_raw(path, size, raw, &job.progress)?;
    let Some(frame) = frame else {
        let range = range(&rows, job)?;
        let (frame, reason) = frame::of_numbers(range, size, reason);
        return settle(command, &rows, (frame, reason), range, job);
    };
    with_range(command, &rows, (frame, reason), job)
}

/// Prints the statistics of rows with a frame.
fn with_range(
    command: &Info,
    rows: &BandRows<'_>,
    frame: (MapFrame, Reason),
    job: &Job,
) -> Result<(), Failure> {
    let range = range(rows, job)?;
    settle(command, rows, frame, range, job)
}

/// Returns the lowest and the highest height.
fn range(rows: &BandRows<'_>, job: &Job) -> Result<(f32, f32), Failure> {
    job.with_bar("reading", || {
        let statistics = Statistics::of(rows, &job.progress.span(0.1, 0.2));
        rows.check()?;
        let statistics = statistics?;
        Ok((statistics.min, statistics.max))
    })
}

fn settle(
    command: &Info,
    rows: &BandRows<'_>,
    (frame, reason): (MapFrame, Reason),
    range: (f32, f32),
    job: &Job,
) -> Result<(), Failure> {
    let size = rows.size();
    let reason = reason.with_relief(&command.map.change.scale);
    let map = &command.map;
    let frame = frame::of_file(&map.change.scale, &map.resize, (frame, size))?;
    let sea_level = command
        .sea_level
        .unwrap_or(frame::sea_of(range, &frame, reason.one()));
    look(command, rows, (frame, reason), sea_level, job)
}

fn look(
    command: &Info,
    rows: &BandRows<'_>,
    (frame, reason): (MapFrame, Reason),
    sea_level: f32,
    job: &Job,
) -> Result<(), Failure> {
    let progress: Progress = job.progress.span(0.2, 1.0);
    let facts = job.with_bar("measuring", || {
        Facts::of(
            (rows, frame, reason),
            sea_level,
            command.histogram,
            &progress,
        )
    });
    rows.check()?;
    let facts = facts?;
    let (width, height) = facts.size;
    let about = format!("{}, {width}x{height}", command.map.name());
    print_info(command, &about, &facts, None)
}
