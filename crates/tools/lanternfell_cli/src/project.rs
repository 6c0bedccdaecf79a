//! `--project`: resamples a map to square cells in meters, after `--crop` and before `--resize`.
//!
//! Without `--fill` the result is a rectangle that the map covers completely, because every cell of a map needs a
//! height. With `--fill` it covers the whole map, and the cells outside of it are filled like no-data cells.

use lanternfell_heightmap::{ElevationModel, MapFrame, MapSize, Progress, filter::Resampling};
use lanternfell_io::{self as io, Extent, Fill, Plane, Reprojection};

use crate::{
    args::{MapArgs, PlaneName, ResizeArgs},
    engine::EngineArgs,
    failure::Failure,
    memory,
    read::ReadMap,
};

/// Cells that are this much larger than those of the map would skip some of them.
const COARSE: f64 = 1.5;

/// Crops and projects a map that was read, if an option asks for it, or else to the plane that an engine needs. Returns
/// a description of the plane.
pub(crate) fn project(
    read: &mut ReadMap,
    arguments: &MapArgs,
    resize: ResizeArgs,
    engine: &EngineArgs,
) -> Result<Option<String>, Failure> {
    let options = &arguments.project;
    let region = resize.region(read.model.size())?;
    let part = read.model.frame.part(read.model.size(), region);
    let needed = engine.plane(&part, region.size(), arguments);
    let asked = options.project.map(|name| match name {
        PlaneName::Utm => (Plane::Utm, "--project utm"),
        PlaneName::Meters => (Plane::Meters, "--project meters"),
    });
    let Some((plane, option)) = asked.or(needed) else {
        if options.resampling.is_some() {
            let wrong = "--resampling is only for --project";
            return Err(Failure::Usage(wrong.to_owned()));
        }
        return Ok(None);
    };
    if resize.crop.is_some() {
        read.model = read.model.cropped(region)?;
    }
    projected(read, arguments, (plane, option)).map(Some)
}

/// Projects a map. `option` asks for it. Returns a description of the plane.
fn projected(
    read: &mut ReadMap,
    arguments: &MapArgs,
    (plane, option): (Plane, &str),
) -> Result<String, Failure> {
    let spacing = arguments.change.scale.checked_spacing()?;
    if spacing.is_some() && arguments.resize.resize.is_some() {
        return Err(Failure::Usage(format!(
            "{option}: --spacing and --resize both set the cell size; give one of them"
        )));
    }
    let wrong = |error: io::ReprojectionError| Failure::Usage(format!("{option}: {error}"));
    let extent = match arguments.read.fill {
        None => Extent::Covered,
        Some(_) => Extent::Whole,
    };
    let fill = upward(arguments.read.fill, read.reason.one());
    let gap = gap(fill, &read.model.frame);
    if let Some(spacing) = spacing.filter(|_| gap.is_none()) {
        reduce(&mut read.model, spacing)?;
    }
    let model = &read.model;
    let from = (model.frame.place, model.size());
    let grid = Reprojection::new(from, plane, spacing, extent).map_err(wrong)?;
    let (width, height) = grid.size().into();
    memory::check(
        memory::of_map(model.size()) + memory::of_map(grid.size()),
        format_args!("{option} to a map of {width}x{height} cells"),
    )?;
    let resampling = arguments.project.resampling();
    let heights = grid.heights(&model.heights, resampling, gap, &Progress::default())?;
    let heights = io::fill_gaps(grid.size(), heights, fill)
        .map_err(|error| Failure::Usage(format!("{option}: {error}")))?;
    let frame = MapFrame {
        place: grid.place(),
        place_is_explicit: true,
        ..model.frame
    };
    read.model = ElevationModel { heights, frame };
    let is_same = grid.place().system == from.0.system && from.0.system.is_some();
    Ok(described(&grid, extent, is_same))
}

fn described(grid: &Reprojection, extent: Extent, is_same: bool) -> String {
    let cell = grid.place().spacing(grid.size().height())[0];
    let cell = (cell * 1e4).round() / 1e4;
    let cut = match extent {
        Extent::Covered if !is_same => ", cut to a rectangle that the map covers",
        Extent::Covered | Extent::Whole => "",
    };
    format!("projected to {grid} with cells of {cell} m{cut}")
}

/// Reduces a map whose cells are much smaller than the new ones, so that narrow peaks do not alias.
fn reduce(map: &mut ElevationModel, spacing: f64) -> Result<(), Failure> {
    let size = map.size();
    let own = map.frame.place.spacing(size.height());
    let cells = |cells: usize, own: f64| {
        let fewer = ((cells - 1) as f64 * (own / spacing)).round() as u64 + 1;
        if spacing / own > COARSE {
            fewer.max(2)
        } else {
            cells as u64
        }
    };
    let smaller = MapSize::new(cells(size.width(), own[0]), cells(size.height(), own[1]))
        .map_err(|error| Failure::Usage(error.to_string()))?;
    if smaller != size {
        *map = map.resampled(smaller, Resampling::Bicubic, &Progress::default())?;
    }
    Ok(())
}

/// Returns the height of a cell that was filled with the no-data value, which stays no data.
pub(crate) fn gap(fill: Option<Fill>, frame: &MapFrame) -> Option<f32> {
    match fill {
        Some(Fill::Height(height)) => {
            let meters = frame.elevation.meters(height) as f32;
            let is_gap = |no_data: &f64| *no_data as f32 == meters || *no_data as f32 == height;
            frame
                .no_data
                .as_ref()
                .filter(|no_data| is_gap(no_data))
                .map(|_| height)
        }
        Some(Fill::Interpolate) | None => None,
    }
}

/// Returns the fill of a map whose depths became heights.
fn upward(fill: Option<Fill>, one: f32) -> Option<Fill> {
    match fill {
        Some(Fill::Height(height)) if one < 0.0 => Some(Fill::Height(-height)),
        fill => fill,
    }
}
