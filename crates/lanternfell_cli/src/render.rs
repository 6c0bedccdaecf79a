//! `lanternfell render`: from a heightmap to a picture of it.

use std::{path::PathBuf, time::Instant};

use clap::{Args, ValueEnum};

use lanternfell_heightmap::{
    Heightmap, Progress,
    render::{Palette, PerspectiveView, Picture, TopView},
};

use crate::{
    args::{self, MapArgs},
    failure::Failure,
    job::Job,
    land::{Land, Origin},
    output::Output,
    source, write,
};

/// `lanternfell render`.
#[derive(Debug, Args)]
#[command(after_help = "Heightmaps:
  .ron and generators are made first, as `lanternfell generate` does.
  .png is greyscale of 8 or 16 bits. .r16, .r32 and .raw have no header: say their --size.
  Heights outside 0 to 1 (possible in f32) are stretched to that range.

Sea level:
  A recipe's own, or what suits its generator; 0.04 for files, which is just above the lowest
  ground; 127/255 for the article's palette.

Examples:
  lanternfell render island.png -o view.png
  lanternfell render hills --set island=true --seed 7 --azimuth 120 --sun-elevation 10 -o dusk.png
  lanternfell render rocks.r16 --size 1024 --picture 1920x1080 --sea-level 0.4 -o rocks.png
  lanternfell render islands --view top --palette article -o article.png")]
pub(crate) struct Render {
    #[command(flatten)]
    pub(crate) map: MapArgs,

    /// The picture to write, a .png. An existing file is replaced
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// From where the land is seen
    #[arg(long, value_enum, default_value = "perspective")]
    pub(crate) view: View,

    /// The colours of the top view [default: natural]
    #[arg(long, value_enum)]
    pub(crate) palette: Option<Colours>,

    /// The height of the sea, from 0 to 1
    #[arg(long, value_name = "Z", allow_negative_numbers = true)]
    pub(crate) sea_level: Option<f32>,

    #[command(flatten)]
    pub(crate) camera: CameraArgs,

    #[command(flatten)]
    pub(crate) sun: SunArgs,
}

/// Options of the perspective view alone.
#[derive(Debug, Args)]
pub(crate) struct CameraArgs {
    /// Pixels of the picture [default: 1280x720]
    #[arg(long, value_name = "WxH", value_parser = args::pixels)]
    pub(crate) picture: Option<(u32, u32)>,

    /// Where the camera stands: 0 north, 90 east, 180 south, 270 west [default: 215]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) azimuth: Option<f64>,

    /// How far the camera looks down, 1 to 90 [default: 15]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) elevation: Option<f64>,

    /// The height of the field of view, 5 to 120 [default: 40]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) field_of_view: Option<f64>,

    /// How many times larger than fitting the land appears [default: 1]
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    pub(crate) zoom: Option<f64>,

    /// Rays along each side of a pixel, 1 to 8 [default: 2]
    #[arg(long, value_name = "N", value_parser = samples, allow_negative_numbers = true)]
    pub(crate) samples: Option<u32>,
}

/// Options of everything that is lit.
#[derive(Debug, Args)]
pub(crate) struct SunArgs {
    /// How far a height of 1 rises, in lengths of the map's longer side [default: 0.2]
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    pub(crate) vertical_scale: Option<f64>,

    /// Where the sun stands: 0 north, 90 east [default: 255; top view: 315]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) sun_azimuth: Option<f64>,

    /// How high the sun stands, 1 to 90 [default: 24; top view: 35]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) sun_elevation: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum View {
    /// The land in its water, under a sky
    Perspective,
    /// One pixel per cell, north up
    Top,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colours {
    /// Sand, grass, rock and snow in the sun; water by depth
    Natural,
    /// Land green, water blue, as in the article on simplex islands
    Article,
    /// Black lowest, white highest
    Grey,
}

impl From<Colours> for Palette {
    fn from(colours: Colours) -> Self {
        match colours {
            Colours::Natural => Self::Natural,
            Colours::Article => Self::Article,
            Colours::Grey => Self::Grey,
        }
    }
}

/// The part of the work after which the picture only needs writing.
const DRAWN: f32 = 0.95;

/// A view whose settings are all in range.
enum Checked {
    Perspective(PerspectiveView),
    Top(TopView),
}

pub(crate) fn run(command: &Render, job: &Job) -> Result<(), Failure> {
    let start = Instant::now();
    if source::extension(&command.output).as_deref() != Some("png") {
        return Err(write::unknown_ending(&command.output, ".png"));
    }
    reject_misplaced(command)?;
    let origin = Origin::open(&command.map)?;
    let view = view(command, origin.sea_level)?;
    let output = Output::prepare(&command.output)?;
    let Land { map, about, .. } = job.with_bar("generating", || {
        origin.make_to_show(&job.progress.span(0.0, 0.3))
    })?;
    let picture = job.with_bar("drawing", || {
        view.draw(&map, &job.progress.span(0.3, DRAWN))
    })?;
    job.with_bar("writing", || {
        output.finish(&job.progress, |out| {
            picture.write_png_with(out, &job.progress.span(DRAWN, 1.0))
        })
    })?;
    let (path, width, height) = (command.output.display(), picture.width(), picture.height());
    let seconds = start.elapsed().as_secs_f64();
    let line = format!("wrote {path}: {width}x{height} pixels of {about}, {seconds:.2} s");
    job.summary(&command.output, &line);
    Ok(())
}

/// Options that the chosen view does not have are mistakes, not noise.
fn reject_misplaced(command: &Render) -> Result<(), Failure> {
    let camera = &command.camera;
    let misplaced = match command.view {
        View::Perspective => [("--palette", command.palette.is_some())].to_vec(),
        View::Top => vec![
            ("--picture", camera.picture.is_some()),
            ("--azimuth", camera.azimuth.is_some()),
            ("--elevation", camera.elevation.is_some()),
            ("--field-of-view", camera.field_of_view.is_some()),
            ("--zoom", camera.zoom.is_some()),
            ("--samples", camera.samples.is_some()),
        ],
    };
    let (this, other) = match command.view {
        View::Perspective => ("perspective", "top"),
        View::Top => ("top", "perspective"),
    };
    match misplaced.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((name, _)) => Err(Failure::Usage(format!(
            "{name} is for --view {other}, and this is --view {this}"
        ))),
    }
}

fn view(command: &Render, sea_level: f32) -> Result<Checked, Failure> {
    let invalid = |error: lanternfell_heightmap::ParamError| Failure::Render(error.into());
    match command.view {
        View::Perspective => {
            let view = perspective(command, sea_level);
            view.validate().map_err(invalid)?;
            Ok(Checked::Perspective(view))
        }
        View::Top => {
            let view = top(command, sea_level);
            view.validate().map_err(invalid)?;
            Ok(Checked::Top(view))
        }
    }
}

fn perspective(command: &Render, sea_level: f32) -> PerspectiveView {
    let (camera, sun) = (&command.camera, &command.sun);
    let default = PerspectiveView::default();
    let (width, height) = camera.picture.unwrap_or((default.width, default.height));
    PerspectiveView {
        width,
        height,
        azimuth: camera.azimuth.unwrap_or(default.azimuth),
        elevation: camera.elevation.unwrap_or(default.elevation),
        field_of_view: camera.field_of_view.unwrap_or(default.field_of_view),
        zoom: camera.zoom.unwrap_or(default.zoom),
        sun_azimuth: sun.sun_azimuth.unwrap_or(default.sun_azimuth),
        sun_elevation: sun.sun_elevation.unwrap_or(default.sun_elevation),
        sea_level: command.sea_level.unwrap_or(sea_level),
        vertical_scale: sun.vertical_scale.unwrap_or(default.vertical_scale),
        samples: camera.samples.unwrap_or(default.samples),
    }
}

fn top(command: &Render, sea_level: f32) -> TopView {
    let palette = Palette::from(command.palette.unwrap_or(Colours::Natural));
    // The article's picture has the article's sea.
    let sea_level = match palette {
        Palette::Article => TopView::ARTICLE_SEA_LEVEL,
        Palette::Natural | Palette::Grey => sea_level,
    };
    let (sun, default) = (&command.sun, TopView::default());
    TopView {
        palette,
        sea_level: command.sea_level.unwrap_or(sea_level),
        vertical_scale: sun.vertical_scale.unwrap_or(default.vertical_scale),
        sun_azimuth: sun.sun_azimuth.unwrap_or(default.sun_azimuth),
        sun_elevation: sun.sun_elevation.unwrap_or(default.sun_elevation),
    }
}

impl Checked {
    fn draw(&self, map: &Heightmap, progress: &Progress) -> Result<Picture, Failure> {
        Ok(match self {
            Self::Perspective(view) => view.draw(map, progress)?,
            Self::Top(view) => view.draw(map, progress)?,
        })
    }
}

fn samples(text: &str) -> Result<u32, String> {
    text.parse()
        .map_err(|_| "must be a whole number from 1 to 8".to_owned())
}
