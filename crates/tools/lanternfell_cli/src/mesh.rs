//! `lanternfell mesh`: writes a heightmap as a triangle mesh, for rendering or 3D printing.
//!
//! A map is made or read, and then written. A folder of tiles does not need to fit into memory: its rows are read in
//! bands as they are written. Only the texture of a GLB covers the whole map, with fewer pixels for a large world.

use std::time::Instant;

use clap::Args;
use lanternfell_heightmap::{ElevationModel, Progress, RgbImage};
use lanternfell_io::{Format, StlPrint, WriteOptions, check_glb, write, write_mesh};

use crate::{
    args::MapArgs,
    edits,
    failure::Failure,
    job::Job,
    land::{Land, Measures, Origin},
    rows::BandRows,
    texture::Texture,
    write::{Target, WriteArgs},
};

/// `lanternfell mesh`.
#[derive(Debug, Args)]
#[command(after_help = "Formats:
  .glb   with normals and a texture, for engines, viewers and browsers
  .obj   with normals and texture coordinates
  .stl   a closed solid with walls and a base, in millimeters, for 3D printing

Examples:
  lanternfell mesh volcano -o volcano.glb
  lanternfell mesh dem.tif --spacing 30 --relief 1 --step 4 -o dem.obj
  lanternfell mesh island.png --longer-side 150 --base 4 --exaggeration 2 -o island.stl")]
pub(crate) struct Mesh {
    #[command(flatten)]
    map: MapArgs,

    #[command(flatten)]
    write: WriteArgs,

    /// Use every N-th cell as a vertex
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = step)]
    step: u32,

    /// Texture of a .glb [default: natural]
    #[arg(long, value_enum)]
    texture: Option<Texture>,

    /// Height of the sea for the texture, in the map's own heights [default: from the recipe or the file, 0 m for maps
    /// in meters, or 0.04]
    #[arg(long, value_name = "Z", allow_negative_numbers = true)]
    sea_level: Option<f32>,

    /// Length of the longer side of an .stl in millimeters [default: 100]
    #[arg(long, value_name = "MM", allow_negative_numbers = true)]
    longer_side: Option<f32>,

    /// Thickness of the base below the lowest cell of an .stl in millimeters [default: 3]
    #[arg(long, value_name = "MM", allow_negative_numbers = true)]
    base: Option<f32>,

    /// Vertical exaggeration of an .stl [default: 1]
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    exaggeration: Option<f32>,
}

/// The shares of the work after which the map is made, and textured.
const MADE: f32 = 0.3;
const COLORED: f32 = 0.7;

pub(crate) fn run(command: &Mesh, job: &Job) -> Result<(), Failure> {
    let start = Instant::now();
    let format = command.format()?;
    command.reject_misplaced(format)?;
    let origin = Origin::open(&command.map, command.sea_level)?;
    if format == Format::Glb {
        // Reject a file that would be too large before the work starts.
        check_glb(origin.measures.size, command.step).map_err(Failure::Export)?;
    }
    let target = Target::prepare(&command.write.output)?;
    let about = if let Some(rows) = origin.rows(&job.progress) {
        command.write_rows(&rows, origin.measures, format, target, job)?
    } else {
        command.write_map(origin, format, target, job)?
    };
    let (path, seconds) = (
        command.write.output.display(),
        start.elapsed().as_secs_f64(),
    );
    job.summary(
        &command.write.output,
        &format!("wrote {path}: {about}, {seconds:.2} s"),
    )?;
    Ok(())
}

fn step(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|&step: &u32| step >= 1);
    number.ok_or_else(|| "must be a whole number, at least 1".to_owned())
}

impl Mesh {
    /// Makes the map and writes its mesh. Returns a description of the map.
    fn write_map(
        &self,
        origin: Origin,
        format: Format,
        target: Target,
        job: &Job,
    ) -> Result<String, Failure> {
        let measures = origin.measures;
        let Land { map, holes, about } =
            job.with_bar("generating", || origin.make(&job.progress.span(0.0, MADE)))?;
        let texture = job.with_bar("coloring", || {
            let progress = job.progress.span(MADE, COLORED);
            self.texture(format, &map, measures, &progress)
        })?;
        let options = WriteOptions {
            holes: holes.as_ref(),
            ..self.options(texture.as_ref())
        };
        job.with_bar("writing", || {
            let progress = job.progress.span(COLORED, 1.0);
            target.finish(&job.progress, |out| {
                write(&map, format, &options, out, &progress).map(|_| ())
            })
        })?;
        Ok(about + &edits::without_holes(holes.as_ref(), format))
    }

    /// Writes the mesh of a folder of tiles while reading its rows. Returns a description of the map.
    fn write_rows(
        &self,
        rows: &BandRows<'_>,
        measures: Measures,
        format: Format,
        target: Target,
        job: &Job,
    ) -> Result<String, Failure> {
        let texture = self.texture_of_tiles(format, job)?;
        let options = self.options(texture.as_ref());
        let written = job.with_bar("writing", || {
            let progress = job.progress.span(COLORED, 1.0);
            target.finish(&job.progress, |out| {
                write_mesh((rows, &measures.frame), format, &options, out, &progress)
            })
        });
        // Rows that could not be read have canceled the work.
        rows.check()?;
        written?;
        let (width, height) = (measures.size.width(), measures.size.height());
        Ok(format!("{}, {width}x{height}", self.map.source.display()))
    }

    fn options<'a>(&self, texture: Option<&'a RgbImage>) -> WriteOptions<'a> {
        WriteOptions {
            step: self.step,
            print: self.print(),
            texture,
            ..WriteOptions::default()
        }
    }

    fn format(&self) -> Result<Format, Failure> {
        let format = self.write.style(None, "")?.format;
        if format.is_read() {
            let wrong = format!("{format} is not a mesh format: use .glb, .obj or .stl");
            return Err(Failure::Usage(wrong));
        }
        Ok(format)
    }

    /// Returns an error for options that do not apply to the format.
    fn reject_misplaced(&self, format: Format) -> Result<(), Failure> {
        if self.sea_level.is_some() && self.texture == Some(Texture::None) {
            let wrong = "--sea-level only affects the texture, but --texture is none";
            return Err(Failure::Usage(wrong.to_owned()));
        }
        let options = [
            ("--texture", self.texture.is_some(), Format::Glb),
            ("--sea-level", self.sea_level.is_some(), Format::Glb),
            ("--longer-side", self.longer_side.is_some(), Format::Stl),
            ("--base", self.base.is_some(), Format::Stl),
            ("--exaggeration", self.exaggeration.is_some(), Format::Stl),
        ];
        let misplaced = options
            .iter()
            .find(|(_, given, of)| *given && *of != format);
        match misplaced {
            None => Ok(()),
            Some((name, _, of)) => Err(Failure::Usage(format!(
                "{name} is only for {of}, but the output is {format}"
            ))),
        }
    }

    fn print(&self) -> StlPrint {
        let default = StlPrint::default();
        StlPrint {
            longer_side: self.longer_side.unwrap_or(default.longer_side),
            base: self.base.unwrap_or(default.base),
            exaggeration: self.exaggeration.unwrap_or(default.exaggeration),
            step: self.step,
        }
    }

    /// Renders the texture of a GLB of a folder of tiles, with fewer pixels for a large world.
    fn texture_of_tiles(&self, format: Format, job: &Job) -> Result<Option<RgbImage>, Failure> {
        if format != Format::Glb || self.texture == Some(Texture::None) {
            return Ok(None);
        }
        let mut origin = Origin::open(&self.map, self.sea_level)?;
        origin.show_smaller();
        let measures = origin.measures;
        job.with_bar("coloring", || {
            let Land { map, .. } = origin.make(&job.progress.span(0.0, MADE))?;
            let progress = job.progress.span(MADE, COLORED);
            self.texture(format, &map, measures, &progress)
        })
    }

    /// Renders the texture of a GLB, one pixel per cell.
    fn texture(
        &self,
        format: Format,
        map: &ElevationModel,
        measures: Measures,
        progress: &Progress,
    ) -> Result<Option<RgbImage>, Failure> {
        if format != Format::Glb {
            return Ok(None);
        }
        let texture = self.texture.unwrap_or(Texture::Natural);
        texture.draw(map, measures, progress)
    }
}
