//! Measures a folder of tiles into another folder, with the memory of one tile.
//!
//! Each tile is read with the margin that the quantity needs, also from neighboring tiles. The values are those of the
//! whole map, without seams. Quantities that depend on the whole map, such as rivers, can only be measured of a single
//! map.

use std::{path::Path, time::Instant};

use lanternfell_heightmap::{Progress, hydrology::FlowRouting};
use lanternfell_io::tiles::GridTile;

use super::{
    Measure,
    mask::Others,
    what::{Measured, Terrain},
};
use crate::{
    failure::Failure,
    job::{Job, is_standard_output},
    land::{Measures, Origin},
    path::extension,
    world::World,
    write::{Style, Target},
};

/// Returns whether to measure a folder of tiles into a folder.
pub(super) fn is_asked_for(command: &Measure) -> bool {
    let output = &command.write.output;
    World::is_at(Path::new(&command.map.source))
        && !is_standard_output(output)
        && extension(output).is_none()
}

pub(super) fn run(command: &Measure, job: &Job) -> Result<(), Failure> {
    let start = Instant::now();
    command.reject_misplaced()?;
    command.position().validate()?;
    let world = World::open(Path::new(&command.map.source))?;
    let output = command.write.output.as_path();
    let work = Work {
        command,
        measures: Origin::open(&command.map, command.sea_level)?.measures,
        reach: reach(command)?,
        style: style(command, &world)?,
        others: command.mask.others(world.size())?,
        ending: tile_extension(command, &world),
        world,
    };
    std::fs::create_dir_all(output).map_err(|error| Failure::Write {
        path: output.to_owned(),
        error,
    })?;
    let mut count = 0;
    job.with_bar("measuring", || {
        work.world.each_tile(&job.progress, |tile, progress| {
            count += 1;
            work.tile(tile, progress)
        })
    })?;
    let (what, seconds) = (command.what.name(), start.elapsed().as_secs_f64());
    let line = format!(
        "wrote {count} tiles into {}: {what} of {}, {seconds:.2} s",
        output.display(),
        command.map.source.display()
    );
    job.summary(output, &line)
}

/// Returns the margin that the quantity needs, or an error if it cannot be measured in tiles.
fn reach(command: &Measure) -> Result<usize, Failure> {
    if command.map.resize.given() || command.map.edits.given() {
        return Err(Failure::Usage(
            "--crop, --resize and --edits turn a folder of tiles into a single map: give an output file"
                .to_owned(),
        ));
    }
    if command.mask.joins() || command.legend.legend.is_some() {
        return Err(Failure::Usage(
            "combining masks and --legend need a single map: give an output \
             file"
                .to_owned(),
        ));
    }
    let radius = command.position().radius as usize;
    command.what.reach(radius).ok_or_else(|| {
        let what = command.what.name();
        Failure::Usage(format!(
            "--what {what} depends on the whole map: give an output file, and for a world that is too \
             large for a single map, use --crop or --resize"
        ))
    })
}

fn tile_extension(command: &Measure, world: &World) -> String {
    let own = || match command.what.is_picture() {
        true => "png".to_owned(),
        false => world.extension().to_owned(),
    };
    command.write.extension().unwrap_or_else(own)
}

fn style(command: &Measure, world: &World) -> Result<Style, Failure> {
    let style = Style::of_ending(&tile_extension(command, world), command.to_raw.format())?;
    command.reject_format(style)?;
    let is_mask = command.mask.band()?.is_some() || command.mask.range.is_some();
    let fits = is_mask || command.what.whole_range().is_some();
    if style.is_whole() && !fits && !command.what.is_picture() {
        return Err(Failure::Usage(format!(
            "--what {} as integers: each tile would have its own scale; give a --range, or a \
             floating-point --format, for example tif",
            command.what.name()
        )));
    }
    Ok(style)
}

struct Work<'a> {
    command: &'a Measure,
    world: World,
    measures: Measures,
    reach: usize,
    style: Style,
    others: Others,
    ending: String,
}

impl Work<'_> {
    fn tile(
        &self,
        GridTile { position, region }: GridTile,
        progress: &Progress,
    ) -> Result<(), Failure> {
        let (command, measures) = (self.command, &self.measures);
        let larger = region.grown(self.reach, self.world.size());
        let map = self.world.read(larger)?;
        let ground = Terrain {
            map: &map,
            scale: measures.scale(),
            ground: measures.ground(),
            sea_level: measures.sea_level,
            climate: command.weather(measures)?,
            location: command.climate.location(measures),
            normals: command.normals(),
            position: command.position(),
            rivers: command.rivers(measures)?,
            flow: FlowRouting::default(),
            elevation: measures.frame.elevation,
            log: command.log,
        };
        let inside = (region.x() - larger.x(), region.y() - larger.y());
        let path = command.write.output.join(position.file_name(&self.ending));
        let target = Target::prepare(&path)?;
        match command.what.of(&ground, &progress.span(0.0, 0.8))? {
            Measured::Values(values, _) => {
                let values = values.cropped(inside, region.size())?;
                let frame = measures.frame.part(self.world.size(), region);
                let (values, _) = command.fit(values, frame, self.style, &self.others)?;
                self.style
                    .of_values()
                    .write(&values, &path, target, &progress.span(0.8, 1.0))
                    .map(|_| ())
            }
            Measured::RgbImage(picture) => {
                let picture = picture.cropped(inside, region.size())?;
                target.finish(progress, |out| {
                    lanternfell_io::write_image(&picture, out, progress)
                })
            }
        }
    }
}
