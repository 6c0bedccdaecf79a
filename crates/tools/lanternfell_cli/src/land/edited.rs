//! Edits of a source, before everything else.

use lanternfell_heightmap::{ElevationModel, HoleMask, MapRegion, Progress};

use crate::{
    args::MapArgs,
    edits::{self, EditLog, counted},
    engine::EngineArgs,
    failure::Failure,
    read::ReadMap,
    source::Source,
};

/// Applies edits to a map that was read. Those of other sources are returned, because their map is not made yet; this
/// only checks that it can be edited. Also returns a description, to be appended to the name of the map.
pub(super) fn edit(
    source: Source,
    log: EditLog,
    arguments: &MapArgs,
    engine: &EngineArgs,
) -> Result<(Source, Option<EditLog>, String), Failure> {
    let size = match &source {
        Source::Recipe { recipe, .. } => recipe.size,
        Source::Map(read) => read.model.size(),
        Source::World(world) => world.size(),
    };
    edits::check_size(size)?;
    if let Source::World(world) = &source {
        world.check_complete(MapRegion::whole(size))?;
    }
    if let Source::Map(read) = source {
        edits::check_memory(size, 0)?;
        let (read, words) = edit_file(*read, log, arguments, engine)?;
        return Ok((Source::Map(read.into()), None, words));
    }
    edits::check_memory(size, 1)?;
    Ok((source, Some(log), String::new()))
}

/// The options that scale heights determine what a millimeter is, although they are applied later.
fn edit_file(
    read: ReadMap,
    log: EditLog,
    arguments: &MapArgs,
    engine: &EngineArgs,
) -> Result<(ReadMap, String), Failure> {
    let ReadMap { model, reason, .. } = read;
    let (size, own) = (model.size(), model.frame);
    let refit = engine.refit(arguments.resize, size)?;
    let frame = arguments.change.scale.of_file((own, size), &refit)?;
    let range = Some(model.heights.range());
    let model = ElevationModel { frame, ..model };
    let edited = edits::edited(Some(log), model, None, &Progress::default())?;
    let model = ElevationModel {
        frame: own,
        ..edited.model
    };
    let holes = edited.holes;
    let read = ReadMap {
        model,
        reason,
        holes,
        range,
    };
    Ok((read, edited.words))
}

/// Removes the holes of a map that was projected, and describes that.
pub(super) fn without_holes(read: &mut ReadMap) -> String {
    let holes = read.holes.take();
    match holes.as_ref().map_or(0, HoleMask::count) {
        0 => String::new(),
        count => format!(" and without its {}", counted(count, "hole")),
    }
}
