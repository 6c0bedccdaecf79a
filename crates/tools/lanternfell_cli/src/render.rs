//! `lanternfell render`: renders an image of a heightmap.

use std::{path::PathBuf, time::Instant};

use clap::{Args, ValueEnum};

use lanternfell_heightmap::{
    Elevation, GroundScale, Heightmap, LandCover, Progress, RgbImage,
    analysis::Hillshade,
    climate::{BiomeView, Climate, LegendEntry, Location},
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
  Recipes, presets and generators are generated first, like with `lanternfell generate`.
  .raw, .r16 and .r32 have no header: give their --size, unless there is a FILE.json.
  Heights outside 0 to 1 are stretched to that range.
  Unsigned integers of files without metadata are heights from 0 to 1. If they are meters, add
  --read-heights meters.

Sea level:
  The default comes from the recipe, its generator or the file. Otherwise it is 0 m for maps in
  meters, and 0.04 for maps from 0 to 1. The palette article always has 127/255 as its default.
  Cells at or below the sea level are sea. If the whole map is above it, no sea is drawn.

Examples:
  lanternfell render island.png -o view.png
  lanternfell render hills --set island=true --seed 7 --azimuth 120 --sun-elevation 10 -o dusk.png
  lanternfell render rocks.r16 --size 1024 --picture 1920x1080 --sea-level 0.4 -o rocks.png
  lanternfell render fractal-noise --view top --palette article -o article.png
  lanternfell render volcano --view contours --interval 0.04 -o map.png
  lanternfell render dem.tif --view contours --interval 20m --labels -o map.png
  lanternfell render alpine --view biomes --legend legend.png -o biomes.png")]
pub(crate) struct Render {
    #[command(flatten)]
    pub(crate) map: MapArgs,

    /// Output file, a .png. An existing file is replaced; - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// View
    #[arg(long, value_enum, default_value = "perspective")]
    pub(crate) view: View,

    /// Colors of the top and perspective views; the perspective view only has natural and desert [default: from the
    /// preset or the file, or natural]
    #[arg(long, value_enum)]
    pub(crate) palette: Option<Colors>,

    /// Height above the sea at which snow starts, in meters, if the scale of the map is known [default: from the file,
    /// or 1000, and higher in high mountains]
    #[arg(long, value_name = "METERS", allow_negative_numbers = true)]
    pub(crate) snow_line: Option<f32>,

    /// Height of the sea, in the map's own heights
    #[arg(long, value_name = "Z", allow_negative_numbers = true)]
    pub(crate) sea_level: Option<f32>,

    /// Contour interval, in the map's own heights, or in meters with m (20m); 0 draws no contours [default: in the view
    /// contours, a twentieth of the height range, or with --labels a round number of meters]
    #[arg(long, value_name = "Z", value_parser = interval, allow_negative_numbers = true)]
    pub(crate) interval: Option<Interval>,

    /// Label every fifth contour with its height in meters, as printed by `lanternfell info`; contours then start at 0
    /// m instead of the sea
    #[arg(long)]
    pub(crate) labels: bool,

    /// Shade with four suns, so that no slope is black (always used for biomes)
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

/// Options of the perspective view.
#[derive(Debug, Args)]
pub(crate) struct CameraArgs {
    /// Size of the image in pixels [default: 1280x720]
    #[arg(long, value_name = "WxH", value_parser = args::pixels)]
    pub(crate) picture: Option<(u32, u32)>,

    /// Direction of the camera from the center: 0 north, 90 east, 180 south, 270 west [default: 215]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) azimuth: Option<f64>,

    /// Downward angle of the camera, 1 to 90 [default: 15; 32 for maps without a sea]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) elevation: Option<f64>,

    /// Vertical field of view, 5 to 120 [default: 40]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) field_of_view: Option<f64>,

    /// Zoom factor; 1 fits the terrain into the image [default: 1]
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    pub(crate) zoom: Option<f64>,

    /// Rays per pixel side, 1 to 8 [default: 2]
    #[arg(long, value_name = "N", value_parser = samples, allow_negative_numbers = true)]
    pub(crate) samples: Option<u32>,
}

/// Options of all views with lighting.
#[derive(Debug, Args)]
pub(crate) struct SunArgs {
    /// Difference between the heights 0 and 1, as a fraction of the map's longer side [default: from the map's scale,
    /// or 0.2]; for hillshade, contours and biomes, the vertical exaggeration [default: 1]
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    pub(crate) vertical_scale: Option<f64>,

    /// Direction of the sun: 0 north, 90 east [default: 255; from above: 315]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) sun_azimuth: Option<f64>,

    /// Height of the sun above the horizon, 1 to 90 [default: 24; top view: 35; hillshade, contours: 45]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) sun_elevation: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum View {
    /// Perspective view with sea and sky
    Perspective,
    /// From above, one pixel per cell, north up
    Top,
    /// From above, only the shading of slopes
    Hillshade,
    /// From above, with tints by height, shading and contour lines, as in an atlas
    Contours,
    /// From above, biomes by temperature and rain
    Biomes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colors {
    /// Sand, grass, rock and snow in sunlight; water by depth
    Natural,
    /// Sand and red rock in sunlight
    Desert,
    /// Green land and blue water, as in the article on simplex islands
    Article,
    /// Black is the lowest, white the highest
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
    /// Returns whether colors only depend on the height, so that there is no lighting.
    fn are_by_height(self) -> bool {
        matches!(self, Self::Article | Self::Gray)
    }
}

/// The share of the work after which the image is ready to be written.
const DRAWN: f32 = 0.95;

/// A view whose options were checked.
enum Checked {
    Perspective(PerspectiveView),
    Top(TopView),
    ShadedRelief(ShadedReliefView),
    Biomes {
        climate: Box<Climate>,
        location: Location,
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
    // Check all options before the work starts.
    view(command, &origin.measures)?;
    let target = Target::prepare(&command.output)?;
    let legend = command.legend.prepare()?;
    let (Land { map, about, .. }, measures) = job.with_bar("generating", || {
        origin.make_to_show(&job.progress.span(0.0, 0.3))
    })?;
    let view = view(command, &measures)?;
    let (picture, entries) = job.with_bar("drawing", || {
        view.draw(&map.heights, &job.progress.span(0.3, DRAWN))
    })?;
    job.with_bar("writing", || {
        target.finish(&job.progress, |out| {
            lanternfell_io::write_image(&picture, out, &job.progress.span(DRAWN, 1.0))
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

/// Returns an error for options that do not apply to the view.
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
            let wrong =
                "--vertical-scale and the sun options need a lit palette: natural or desert";
            return Err(Failure::Usage(wrong.to_owned()));
        }
    }
    let this = command.view;
    let flat = command.palette.filter(|colors| colors.are_by_height());
    if let (View::Perspective, Some(colors)) = (this, flat) {
        let name = colors.to_possible_value();
        let name = name.as_ref().map_or("", |value| value.get_name());
        return Err(Failure::Usage(format!(
            "--palette {name} is only for --view top, but this is --view perspective"
        )));
    }
    let draws_none = command.interval.map(Interval::is_none);
    if command.labels && draws_none.unwrap_or(false) {
        let wrong = "--labels needs contours, but --interval is 0";
        return Err(Failure::Usage(wrong.to_owned()));
    }
    let misplaced = |(_, given, views): &&(_, bool, &[View])| *given && !views.contains(&this);
    let Some((name, _, views)) = options.iter().find(misplaced) else {
        return Ok(());
    };
    let views: Vec<String> = views.iter().map(|view| view.name()).collect();
    Err(Failure::Usage(format!(
        "{name} is only for --view {}, but this is --view {}",
        views.join(" or "),
        this.name()
    )))
}

impl View {
    /// Returns the name on the command line.
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
            Some(Colors::Desert) => LandCover::Desert,
            Some(_) => LandCover::Temperate,
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
        location: command.climate.location(measures),
        view,
        scale: measures.ground(),
    })
}

/// The default contour interval of the view contours.
const INTERVAL: f32 = 0.05;

fn shaded_relief(command: &Render, measures: &Measures) -> ShadedReliefView {
    let tints = command.view == View::Contours;
    let default = Hillshade::default();
    let elevation = measures.frame.elevation;
    let interval = match command.interval {
        Some(interval) => interval.heights(measures),
        None if command.labels => (round_meters(elevation) / elevation.relief.abs()) as f32,
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

/// A contour interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Interval {
    /// In the map's own heights.
    Heights(f32),
    Meters(f64),
}

fn interval(text: &str) -> Result<Interval, String> {
    let interval = match text.strip_suffix('m') {
        Some(meters) => meters.trim().parse().ok().map(Interval::Meters),
        None => text.parse().ok().map(Interval::Heights),
    };
    interval.ok_or_else(|| {
        "must be a number in the map's heights, or in meters with m, for example 20m".to_owned()
    })
}

impl Interval {
    fn is_none(self) -> bool {
        matches!(self, Self::Heights(0.0) | Self::Meters(0.0))
    }

    /// Returns the interval in the heights of the rendered map.
    fn heights(self, measures: &Measures) -> f32 {
        match self {
            Self::Heights(heights) => (f64::from(heights) / measures.span) as f32,
            Self::Meters(meters) => (meters / measures.frame.elevation.relief.abs()) as f32,
        }
    }
}

/// Returns a round number of meters that divides the relief into 15 to 37 intervals.
fn round_meters(elevation: Elevation) -> f64 {
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
    // The article's palette has the article's sea level.
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
    /// Renders the image. Returns it with a legend if its colors have names.
    fn draw(
        &self,
        map: &Heightmap,
        progress: &Progress,
    ) -> Result<(RgbImage, Vec<LegendEntry>), Failure> {
        let picture = match self {
            Self::Perspective(view) => view.draw(map, progress)?,
            Self::Top(view) => view.draw(map, progress)?,
            Self::ShadedRelief(view) => view.draw(map, progress)?,
            Self::Biomes {
                climate,
                location,
                view,
                scale,
            } => {
                let biomes = climate.biomes_of(map, *location, &progress.span(0.0, 0.7))?;
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
