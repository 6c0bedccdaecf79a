//! `lanternfell render`: from a heightmap to a picture of it.

use std::{path::PathBuf, time::Instant};

use clap::{Args, ValueEnum};

use lanternfell_heightmap::{
    Cover, Elevation, GroundScale, Heightmap, Picture, Progress,
    analysis::Hillshade,
    climate::{BiomeView, Climate, LegendEntry},
};
use lanternfell_render::{Look, Palette, PerspectiveView, ShadedReliefView, TopView};

use crate::{
    args::{self, MapArgs},
    climate::ClimateArgs,
    failure::Failure,
    job::{Job, is_standard_output},
    land::{Land, Measures, Origin},
    legend::{self, LegendArgs},
    path::extension,
    write::{self, Target},
};

/// `lanternfell render`.
#[derive(Debug, Args)]
#[command(after_help = "Heightmaps:
  Recipes, presets and generators are made first, as `lanternfell generate` does.
  .raw, .r16 and .r32 have no header: say their --size, unless FILE.json stands beside them.
  Heights outside 0 to 1 (possible in f32) are stretched to that range.
  Unsigned whole numbers are heights from 0 to 1; if they are metres, say --relief 65535, or 255
  for 8 bits.

Sea level:
  A recipe's own, or what suits its generator. Of files what they say, or 0 m, where ground lies below
  and above that; else 0.04, which is just above the lowest ground. 127/255 for the article's palette.

Examples:
  lanternfell render island.png -o view.png
  lanternfell render hills --set island=true --seed 7 --azimuth 120 --sun-elevation 10 -o dusk.png
  lanternfell render rocks.r16 --size 1024 --picture 1920x1080 --sea-level 0.4 -o rocks.png
  lanternfell render islands --view top --palette article -o article.png
  lanternfell render volcano --view contours --interval 0.04 -o map.png
  lanternfell render dem.tif --view contours --interval 20m --labels -o map.png
  lanternfell render alpine --view biomes --legend legend.png -o biomes.png")]
pub(crate) struct Render {
    #[command(flatten)]
    pub(crate) map: MapArgs,

    /// The picture to write, a .png. An existing file is replaced; - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// From where the land is seen
    #[arg(long, value_enum, default_value = "perspective")]
    pub(crate) view: View,

    /// The colors of the top view; of the perspective, natural or desert [default: what suits
    /// the preset, what the file says, or natural]
    #[arg(long, value_enum)]
    pub(crate) palette: Option<Colors>,

    /// Metres above the sea at which snow begins to lie, where the map's scale is known
    /// [default: what the file says, or 1000, higher in high mountains]
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    pub(crate) snow_line: Option<f32>,

    /// The height of the sea, in the map's heights
    #[arg(long, value_name = "Z", allow_negative_numbers = true)]
    pub(crate) sea_level: Option<f32>,

    /// From one contour line to the next, in the map's heights, or in metres as 20m; 0 for none
    /// [default: of the view contours a twentieth of their range, with --labels a round number of
    /// metres]
    #[arg(long, value_name = "Z", value_parser = interval, allow_negative_numbers = true)]
    pub(crate) interval: Option<Interval>,

    /// Write their height on every fifth contour, in metres as `lanternfell info` tells them; lines are
    /// then counted from 0 m, and not from the sea
    #[arg(long)]
    pub(crate) labels: bool,

    /// Light the shade by four suns, so that no slope is black (biomes always are)
    #[arg(long)]
    pub(crate) four_suns: bool,

    #[command(flatten)]
    pub(crate) legend: LegendArgs,

    #[command(flatten)]
    pub(crate) climate: ClimateArgs,

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

    /// How far the camera looks down, 1 to 90 [default: 15; inland 32]
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
    /// How far a height of 1 rises, in lengths of the map's longer side [default: as the map's own
    /// scale says, or 0.2]; hillshade, contours and biomes: how much steeper the land is shown than
    /// it is [default: 1]
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    pub(crate) vertical_scale: Option<f64>,

    /// Where the sun stands: 0 north, 90 east [default: 255; from above: 315]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) sun_azimuth: Option<f64>,

    /// How high the sun stands, 1 to 90 [default: 24; top view: 35; hillshade, contours: 45]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) sun_elevation: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum View {
    /// The land in its water, under a sky
    Perspective,
    /// One pixel per cell, north up
    Top,
    /// The shade of the slopes alone, from above
    Hillshade,
    /// Tints by height, shade and contour lines, from above, as in an atlas
    Contours,
    /// What grows where, by warmth and rain, from above
    Biomes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colors {
    /// Sand, grass, rock and snow in the sun; water by depth
    Natural,
    /// Sand and red rock in the sun
    Desert,
    /// Land green, water blue, as in the article on simplex islands
    Article,
    /// Black lowest, white highest
    Gray,
}

impl From<Colors> for Palette {
    fn from(colors: Colors) -> Self {
        match colors {
            Colors::Natural | Colors::Desert => Self::Natural,
            Colors::Article => Self::Article,
            Colors::Gray => Self::Gray,
        }
    }
}

impl Colors {
    /// Whether a cell's color follows from its height alone, so that nothing is lit.
    fn are_by_height(self) -> bool {
        matches!(self, Self::Article | Self::Gray)
    }
}

/// The part of the work after which the picture only needs writing.
const DRAWN: f32 = 0.95;

/// A view whose settings are all in range.
enum Checked {
    Perspective(PerspectiveView),
    Top(TopView),
    ShadedRelief(ShadedReliefView),
    Biomes {
        climate: Box<Climate>,
        view: BiomeView,
        scale: GroundScale,
    },
}

pub(crate) fn run(command: &Render, job: &Job) -> Result<(), Failure> {
    let start = Instant::now();
    let is_png = extension(&command.output).as_deref() == Some("png");
    if !is_png && !is_standard_output(&command.output) {
        return Err(write::unknown_ending(&command.output, ".png"));
    }
    reject_misplaced(command)?;
    let mut origin = Origin::open_to_show(&command.map, command.sea_level)?;
    origin.show_smaller();
    // Whatever is wrong is said before the work.
    view(command, &origin.measures)?;
    let target = Target::prepare(&command.output)?;
    let legend = command.legend.prepare()?;
    let (Land { map, about }, measures) = job.with_bar("generating", || {
        origin.make_to_show(&job.progress.span(0.0, 0.3))
    })?;
    let view = view(command, &measures)?;
    let (picture, entries) = job.with_bar("drawing", || {
        view.draw(&map.heights, &job.progress.span(0.3, DRAWN))
    })?;
    job.with_bar("writing", || {
        target.finish(&job.progress, |out| {
            lanternfell_io::write_picture(&picture, out, &job.progress.span(DRAWN, 1.0))
        })
    })?;
    if let Some(legend) = legend {
        legend.write(&entries, &job.progress)?;
    }
    let (path, width, height) = (command.output.display(), picture.width(), picture.height());
    let seconds = start.elapsed().as_secs_f64();
    let mut line = format!("wrote {path}: {width}x{height} pixels of {about}, {seconds:.2} s");
    if !entries.is_empty() {
        line += &format!("\n{}", legend::text(&entries));
    }
    job.summary(&command.output, &line)?;
    Ok(())
}

/// Options that the chosen view does not have are mistakes, not noise.
fn reject_misplaced(command: &Render) -> Result<(), Failure> {
    const CAMERA: &[View] = &[View::Perspective];
    const NATURAL: &[View] = &[View::Perspective, View::Top];
    const SEA: &[View] = &[View::Perspective, View::Top, View::Contours, View::Biomes];
    const BIOMES: &[View] = &[View::Biomes];
    const SHADE: &[View] = &[View::Hillshade, View::Contours];
    let (camera, climate) = (&command.camera, &command.climate);
    let options = [
        ("--palette", command.palette.is_some(), NATURAL),
        ("--snow-line", command.snow_line.is_some(), NATURAL),
        ("--sea-level", command.sea_level.is_some(), SEA),
        ("--interval", command.interval.is_some(), SHADE),
        ("--labels", command.labels, SHADE),
        ("--four-suns", command.four_suns, SHADE),
        ("--legend", command.legend.legend.is_some(), BIOMES),
        ("--wind", climate.wind.is_some(), BIOMES),
        ("--warmth", climate.warmth.is_some(), BIOMES),
        ("--rain", climate.rain.is_some(), BIOMES),
        ("--picture", camera.picture.is_some(), CAMERA),
        ("--azimuth", camera.azimuth.is_some(), CAMERA),
        ("--elevation", camera.elevation.is_some(), CAMERA),
        ("--field-of-view", camera.field_of_view.is_some(), CAMERA),
        ("--zoom", camera.zoom.is_some(), CAMERA),
        ("--samples", camera.samples.is_some(), CAMERA),
    ];
    if command.palette == Some(Colors::Gray) || command.palette == Some(Colors::Article) {
        let sun = &command.sun;
        let is_lit = [sun.vertical_scale, sun.sun_azimuth, sun.sun_elevation];
        if is_lit.iter().any(Option::is_some) {
            let wrong = "--vertical-scale and the sun's options are for palettes that are lit: natural, desert";
            return Err(Failure::Usage(wrong.to_owned()));
        }
    }
    let this = command.view;
    let flat = command.palette.filter(|colors| colors.are_by_height());
    if let (View::Perspective, Some(colors)) = (this, flat) {
        let name = colors.to_possible_value();
        let name = name.as_ref().map_or("", |value| value.get_name());
        return Err(Failure::Usage(format!(
            "--palette {name} is for --view top, and this is --view perspective"
        )));
    }
    let draws_none = command.interval.map(Interval::is_none);
    if command.labels && draws_none.unwrap_or(false) {
        let wrong = "--labels is for contours, and --interval 0 draws none";
        return Err(Failure::Usage(wrong.to_owned()));
    }
    let misplaced = |(_, given, views): &&(_, bool, &[View])| *given && !views.contains(&this);
    let Some((name, _, views)) = options.iter().find(misplaced) else {
        return Ok(());
    };
    let views: Vec<String> = views.iter().map(|view| view.name()).collect();
    Err(Failure::Usage(format!(
        "{name} is for --view {}, and this is --view {}",
        views.join(" or "),
        this.name()
    )))
}

impl View {
    /// What it is called on the command line.
    fn name(self) -> String {
        self.to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

fn view(command: &Render, measures: &Measures) -> Result<Checked, Failure> {
    let sea_level = measures.sea_level;
    let (rise, look) = (measures.vertical_scale(), look(command, measures));
    let checked = match command.view {
        View::Perspective => {
            let view = perspective(command, sea_level, rise, look);
            view.validate().map(|()| Checked::Perspective(view))
        }
        View::Top => {
            let view = top(command, sea_level, rise, look);
            view.validate().map(|()| Checked::Top(view))
        }
        View::Hillshade | View::Contours => {
            let view = shaded_relief(command, measures);
            view.validate().map(|()| Checked::ShadedRelief(view))
        }
        View::Biomes => return biomes(command, measures),
    };
    checked.map_err(|error| Failure::Render(error.into()))
}

fn look(command: &Render, measures: &Measures) -> Look {
    let natural = measures.look();
    Look {
        cover: match command.palette {
            None => natural.cover,
            Some(Colors::Desert) => Cover::Desert,
            Some(_) => Cover::Temperate,
        },
        snow_line: command.snow_line.or(natural.snow_line),
        ..natural
    }
}

fn biomes(command: &Render, measures: &Measures) -> Result<Checked, Failure> {
    let climate = command.climate.of(measures)?;
    let mut view = BiomeView::default();
    let sun = &command.sun;
    view.hillshade.azimuth = sun.sun_azimuth.unwrap_or(view.hillshade.azimuth);
    view.hillshade.altitude = sun.sun_elevation.unwrap_or(view.hillshade.altitude);
    view.hillshade.z_factor = sun.vertical_scale.unwrap_or(view.hillshade.z_factor);
    view.validate()?;
    Ok(Checked::Biomes {
        climate: Box::new(climate),
        view,
        scale: measures.ground(),
    })
}

/// From one contour to the next in the view of that name.
const INTERVAL: f32 = 0.05;

fn shaded_relief(command: &Render, measures: &Measures) -> ShadedReliefView {
    let tints = command.view == View::Contours;
    let default = Hillshade::default();
    let elevation = measures.frame.elevation;
    let interval = match command.interval {
        Some(interval) => interval.heights(measures),
        None if command.labels => (round_metres(elevation) / elevation.relief.abs()) as f32,
        None if tints => INTERVAL,
        None => 0.0,
    };
    ShadedReliefView {
        scale: measures.ground(),
        hillshade: Hillshade {
            azimuth: command.sun.sun_azimuth.unwrap_or(default.azimuth),
            altitude: command.sun.sun_elevation.unwrap_or(default.altitude),
            z_factor: command.sun.vertical_scale.unwrap_or(default.z_factor),
            multidirectional: command.four_suns,
        },
        tints,
        sea_level: measures.sea_level,
        contours: interval,
        labels: command.labels.then_some(elevation),
    }
}

/// From one contour to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Interval {
    /// In the map's own heights.
    Heights(f32),
    Metres(f64),
}

fn interval(text: &str) -> Result<Interval, String> {
    let interval = match text.strip_suffix('m') {
        Some(metres) => metres.trim().parse().ok().map(Interval::Metres),
        None => text.parse().ok().map(Interval::Heights),
    };
    interval.ok_or_else(|| {
        "must be a number, in the map's heights, or with m in metres, as 20m".to_owned()
    })
}

impl Interval {
    fn is_none(self) -> bool {
        matches!(self, Self::Heights(0.0) | Self::Metres(0.0))
    }

    /// In the heights of the picture.
    fn heights(self, measures: &Measures) -> f32 {
        match self {
            Self::Heights(heights) => (f64::from(heights) / measures.span) as f32,
            Self::Metres(metres) => (metres / measures.frame.elevation.relief.abs()) as f32,
        }
    }
}

/// A round number of metres, from 15 to 37 of which go into the relief.
fn round_metres(elevation: Elevation) -> f64 {
    let (relief, mut ten) = (elevation.relief.abs(), 1e-6);
    while ten * 300.0 < relief {
        ten *= 10.0;
    }
    let rounds = [1.0, 2.0, 5.0, 10.0, 20.0].map(|round| round * ten);
    let enough = rounds.into_iter().find(|round| relief / round <= 37.5);
    enough.unwrap_or(relief / 20.0)
}

fn perspective(command: &Render, sea_level: f32, rise: Option<f64>, look: Look) -> PerspectiveView {
    let (camera, sun) = (&command.camera, &command.sun);
    let default = PerspectiveView::default();
    let (width, height) = camera.picture.unwrap_or((default.width, default.height));
    PerspectiveView {
        width,
        height,
        azimuth: camera.azimuth.unwrap_or(default.azimuth),
        elevation: camera.elevation,
        field_of_view: camera.field_of_view.unwrap_or(default.field_of_view),
        zoom: camera.zoom.unwrap_or(default.zoom),
        sun_azimuth: sun.sun_azimuth.unwrap_or(default.sun_azimuth),
        sun_elevation: sun.sun_elevation.unwrap_or(default.sun_elevation),
        sea_level,
        vertical_scale: sun
            .vertical_scale
            .or(rise)
            .unwrap_or(default.vertical_scale),
        samples: camera.samples.unwrap_or(default.samples),
        look,
    }
}

fn top(command: &Render, sea_level: f32, rise: Option<f64>, look: Look) -> TopView {
    let palette = Palette::from(command.palette.unwrap_or(Colors::Natural));
    // The article's picture has the article's sea.
    let sea_level = match (palette, command.sea_level) {
        (Palette::Article, None) => TopView::ARTICLE_SEA_LEVEL,
        _ => sea_level,
    };
    let (sun, default) = (&command.sun, TopView::default());
    TopView {
        palette,
        sea_level,
        vertical_scale: sun
            .vertical_scale
            .or(rise)
            .unwrap_or(default.vertical_scale),
        sun_azimuth: sun.sun_azimuth.unwrap_or(default.sun_azimuth),
        sun_elevation: sun.sun_elevation.unwrap_or(default.sun_elevation),
        look,
    }
}

impl Checked {
    /// The picture, and what its colors mean if they have names.
    fn draw(
        &self,
        map: &Heightmap,
        progress: &Progress,
    ) -> Result<(Picture, Vec<LegendEntry>), Failure> {
        let picture = match self {
            Self::Perspective(view) => view.draw(map, progress)?,
            Self::Top(view) => view.draw(map, progress)?,
            Self::ShadedRelief(view) => view.draw(map, progress)?,
            Self::Biomes {
                climate,
                view,
                scale,
            } => {
                let biomes = climate.biomes(map, &progress.span(0.0, 0.7))?;
                let picture = view.draw(map, &biomes, *scale, &progress.span(0.7, 1.0))?;
                return Ok((picture, biomes.legend()));
            }
        };
        Ok((picture, Vec::new()))
    }
}

fn samples(text: &str) -> Result<u32, String> {
    text.parse()
        .map_err(|_| "must be a whole number from 1 to 8".to_owned())
}
