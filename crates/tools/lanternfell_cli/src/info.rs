//! `lanternfell info`: prints statistics of a map.

mod landscape;
mod seen;
mod suspect;

use clap::Args;
use lanternfell_heightmap::{
    CoordinateSystem, Elevation, GeoReference, LandCover, LengthUnit, MapFrame, Progress, Scale,
    Scenery,
    analysis::{
        FindRegions, HeightRows, Histogram, Hypsometry, Slope, Statistics, coast_length,
        percentiles,
    },
    is_land,
};
use serde_json::{Value, json};

use crate::{
    args::MapArgs,
    failure::Failure,
    job::{Job, say, say_json},
    land::{Land, Origin},
    meaning::Reason,
    write::meters,
};
use landscape::Landscape;
use suspect::Suspect;

/// `lanternfell info`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  lanternfell info island.png
  lanternfell info volcano --histogram 20
  lanternfell info alpine --landscape
  lanternfell info dem.tif --spacing 30 --relief 1 --sea-level 0 --json")]
pub(crate) struct Info {
    #[command(flatten)]
    map: MapArgs,

    /// Height of the sea, in the map's own heights; cells above it are land [default: from the recipe or the file, 0 m
    /// for maps in meters, or 0.04]
    #[arg(long, value_name = "Z", allow_negative_numbers = true)]
    sea_level: Option<f32>,

    /// Number of equal bins of the height histogram, from 1 to 65536
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = bins)]
    histogram: usize,

    /// Print statistics of the landscape: the slope of the land, Horton's and Hack's laws of its rivers, and the
    /// fractal dimension of its coast
    #[arg(long)]
    landscape: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn bins(text: &str) -> Result<usize, String> {
    let most = Histogram::MAX_BINS;
    let number = text.parse().ok().filter(|bins| (1..=most).contains(bins));
    number.ok_or_else(|| format!("must be a whole number from 1 to {most}"))
}

/// The length of the longest bar of a histogram in characters.
const BAR: u64 = 40;

/// The number of steps of the hypsometric curve.
const CURVE: usize = 20;

pub(crate) fn run(command: &Info, job: &Job) -> Result<(), Failure> {
    if !command.landscape
        && let Some(facts) = seen::facts(command, job)?
    {
        return Ok(facts);
    }
    let origin = Origin::open(&command.map, command.sea_level)?;
    let sea_level = origin.measures.sea_level;
    let reason = origin.reason.clone();
    let Land { map, about, .. } =
        job.with_bar("reading", || origin.make(&job.progress.span(0.0, 0.5)))?;
    let facts = job.with_bar("measuring", || {
        let progress = job.progress.span(0.5, 0.8);
        Facts::of(
            (&map.heights, map.frame, reason),
            sea_level,
            command.histogram,
            &progress,
        )
    })?;
    let landscape = command.landscape.then(|| {
        let progress = job.progress.span(0.8, 1.0);
        job.with_bar("measuring", || Landscape::of(&map, sea_level, &progress))
    });
    print_info(command, &about, &facts, landscape.transpose()?)
}

fn print_info(
    command: &Info,
    about: &str,
    facts: &Facts,
    landscape: Option<Landscape>,
) -> Result<(), Failure> {
    if command.json {
        let mut json = facts.as_json();
        if let Some(landscape) = landscape {
            json["landscape"] = landscape.as_json();
        }
        say_json(&json)
    } else {
        say(about)?;
        facts.show()?;
        landscape.map_or(Ok(()), |landscape| landscape.show(facts.coast))
    }
}

/// The statistics of a map.
struct Facts {
    size: (usize, usize),
    scale: Scale,
    frame: MapFrame,
    reason: Reason,
    /// A height that probably means "no height".
    suspect: Option<Suspect>,
    /// In meters.
    elevation: (f64, f64),
    sea_level: f32,
    statistics: Statistics,
    percentiles: Vec<f64>,
    slope: Statistics,
    histogram: Histogram,
    curve: Hypsometry,
    /// The share of land cells, from 0 to 1.
    land: f64,
    islands: usize,
    lakes: usize,
    /// The area of the largest island in square meters.
    largest: f64,
    /// In meters.
    coast: f64,
}

/// The percentiles that are printed.
const PERCENTS: [f64; 5] = [1.0, 5.0, 25.0, 75.0, 95.0];

impl Facts {
    /// Computes the statistics of a map with this frame. It reads the map row by row.
    fn of(
        (map, frame, reason): (&(impl HeightRows + ?Sized), MapFrame, Reason),
        sea_level: f32,
        bins: usize,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let size = map.size();
        let scale = frame.scale(size);
        let part = |index| progress.part(index, 8);
        let statistics = Statistics::of(map, &part(2))?;
        let connectivity = FindRegions::default().connectivity;
        let regions = FindRegions {
            sea_level,
            connectivity,
        };
        let regions = regions.list(map, &part(1))?;
        let islands = || regions.iter().filter(|region| region.land);
        let lakes = regions
            .iter()
            .filter(|region| !region.land && !region.touches_border);
        let range = (statistics.min, statistics.max);
        let is_read = reason.meaning.is_some() && frame.unit.is_some();
        let suspect = if is_read {
            Suspect::of(map, range, &part(0))?
        } else {
            None
        };
        let land: u64 = islands().map(|island| island.cells).sum();
        let meters = |height| frame.elevation.meters(height);
        Ok(Self {
            size: (size.width(), size.height()),
            scale,
            frame,
            reason,
            suspect,
            elevation: (meters(statistics.min), meters(statistics.max)),
            sea_level,
            statistics,
            percentiles: percentiles(map, &PERCENTS, &part(3))?,
            slope: Slope::default().statistics(map, frame.ground_scale(size), &part(4))?,
            histogram: Histogram::of(map, bins, &part(5))?,
            curve: Hypsometry::of(map, CURVE, &part(6))?,
            land: land as f64 / size.cells() as f64,
            islands: islands().count(),
            lakes: lakes.count(),
            largest: islands()
                .map(|island| island.area(scale))
                .fold(0.0, f64::max),
            coast: coast_length(map, sea_level, scale, &part(7))?,
        })
    }

    fn show(&self) -> Result<(), Failure> {
        let Statistics {
            min,
            max,
            mean,
            deviation,
            median,
        } = self.statistics;
        let (width, height) = self.size;
        let apart = apart(self.frame.place.spacing(height));
        say(&format!(
            "size        {width} x {height} cells, cell size {apart}"
        ))?;
        if let Some(number) = epsg(self.frame.place) {
            let [x, y] = self.frame.place.corner;
            say(&format!(
                "location    EPSG:{number}, southwest corner {x}, {y}"
            ))?;
        }
        if self.frame.unit.is_some() {
            let relief = self.scale.relief;
            say(&format!("heights     {min} to {max}, 1 unit = {relief} m"))?;
            say(&format!("heights: {}", self.reason.line(&self.frame)))?;
            let (low, high) = self.elevation;
            say(&format!(
                "elevation   {:.3} to {:.3} m{}",
                meters(low),
                meters(high),
                self.unit()
            ))?;
        } else {
            say(&format!("values      {min} to {max}{}", self.meaning()))?;
        }
        say(&format!(
            "mean        {mean:.4}, deviation {deviation:.4}, median {median:.4}"
        ))?;
        let percents = PERCENTS.iter().zip(&self.percentiles);
        let percents: Vec<String> = percents.map(|(p, z)| format!("{p} %: {z:.4}")).collect();
        say(&format!("percentiles {}", percents.join(", ")))?;
        if self.frame.unit.is_some() {
            self.show_land()?;
        }
        if let Some(warning) = self.warning() {
            say(&format!("warning     {warning}"))?;
        }
        self.show_histogram()
    }

    /// Describes a height that probably means "no height".
    fn warning(&self) -> Option<String> {
        let Suspect {
            height,
            share,
            rest: (low, high),
        } = self.suspect?;
        let side = if height < low { "below" } else { "above" };
        let number = short(self.reason.number(height));
        Some(format!(
            "{:.1} % of the cells have the height {}, far {side} the others ({low} to {high}); if they have no height, \
             use --nodata {number} with --fill",
            100.0 * share,
            short(height)
        ))
    }

    /// Describes the range of values that are not heights, if it differs from that of the numbers.
    fn meaning(&self) -> String {
        let (low, high) = self.elevation;
        if self.frame.elevation == Elevation::METERS {
            return ", not heights".to_owned();
        }
        let (low, high) = (meters(low), meters(high));
        format!(", not heights, representing {low:.3} to {high:.3}")
    }

    /// Prints statistics that only heights have: slopes, land and sea.
    fn show_land(&self) -> Result<(), Failure> {
        say(&format!(
            "slope       mean {:.1}, median {:.1}, steepest {:.1} degrees",
            self.slope.mean, self.slope.median, self.slope.max
        ))?;
        say(&format!(
            "land        {:.1} % above {}, {} (largest {}), {}, coast {}",
            100.0 * self.land,
            self.sea_level + 0.0,
            count(self.islands, "island"),
            area(self.largest),
            count(self.lakes, "lake"),
            length(self.coast)
        ))?;
        say(&format!("sea         {}", self.scenery()))?;
        say(&format!("hypsometric integral {:.3}", self.curve.integral))
    }

    fn has_sea(&self) -> bool {
        !is_land(self.statistics.min, self.sea_level)
    }

    /// Describes the original unit of the heights, if it is not meters.
    fn unit(&self) -> String {
        let other = self.frame.unit.filter(|&unit| unit != LengthUnit::Meter);
        other.map_or_else(String::new, |unit| format!(", originally in {unit}"))
    }

    /// Describes the sea level, the snow line and the land cover, as far as they are known.
    fn scenery(&self) -> String {
        let Scenery {
            snow_line, cover, ..
        } = self.frame.scenery;
        let place = if self.has_sea() {
            "at"
        } else {
            "none, all above"
        };
        let meters = meters(self.frame.elevation.meters(self.sea_level));
        let mut words = format!("{place} {meters:.3} m");
        if let Some(snow) = snow_line {
            words += &format!(", snow from {snow:.0} m above it");
        }
        if let Some(cover) = cover {
            words += &format!(", {}", cover.name());
        }
        words
    }

    fn show_histogram(&self) -> Result<(), Failure> {
        let Histogram {
            low, high, counts, ..
        } = &self.histogram;
        let most = counts.iter().copied().max().unwrap_or(0).max(1);
        let step = (f64::from(*high) - f64::from(*low)) / counts.len() as f64;
        for (index, count) in counts.iter().enumerate() {
            let from = f64::from(*low) + step * index as f64;
            let bar = "#".repeat((count * BAR / most) as usize);
            say(&format!("{from:>12.4}  {count:>10}  {bar}"))?;
        }
        Ok(())
    }

    fn as_json(&self) -> Value {
        let statistics = |of: &Statistics| {
            json!({
                "min": number(of.min), "max": number(of.max), "mean": of.mean, "deviation": of.deviation,
                "median": of.median,
            })
        };
        let percents = PERCENTS.iter().zip(&self.percentiles);
        let percents: Vec<Value> = percents.map(|(p, z)| json!([p, z])).collect();
        let levels: Vec<Value> = self.curve.levels.iter().copied().map(number).collect();
        let meters = |meters: Value| self.frame.unit.map(|_| meters);
        let (lowest, highest) = self.elevation;
        let sea = self.frame.elevation.meters(self.sea_level);
        json!({
            "width": self.size.0,
            "height": self.size.1,
            "spacing": number(self.scale.spacing),
            "spacing_meters": self.frame.place.spacing(self.size.1),
            "relief": number(self.scale.relief),
            "elevation_meters": meters(json!({"lowest": lowest, "highest": highest})),
            "unit": self.frame.unit.map(LengthUnit::name),
            "no_data": self.frame.no_data,
            "meaning": self.reason.as_json(&self.frame),
            "suspected_no_data": self.suspect.map(|suspect| json!({
                "number": number(self.reason.number(suspect.height)),
                "share": suspect.share,
            })),
            "corner": self.frame.place.corner,
            "cell": self.frame.place.cell,
            "epsg": epsg(self.frame.place),
            "heights": statistics(&self.statistics),
            "percentiles": percents,
            "slope_degrees": statistics(&self.slope),
            "sea_level": number(self.sea_level),
            "sea_level_meters": meters(sea.into()),
            "has_sea": self.has_sea(),
            "snow_line_meters": self.frame.scenery.snow_line,
            "cover": self.frame.scenery.cover.map(LandCover::name),
            "land_share": self.land,
            "islands": self.islands,
            "largest_island_square_meters": self.largest,
            "lakes": self.lakes,
            "coast_meters": self.coast,
            "hypsometric_integral": self.curve.integral,
            "hypsometric_curve": {"heights": levels, "share_above": self.curve.shares},
            "histogram": {
                "low": number(self.histogram.low),
                "high": number(self.histogram.high),
                "counts": self.histogram.counts,
            },
        })
    }
}

/// Returns the EPSG code of the coordinate system.
fn epsg(reference: GeoReference) -> Option<u16> {
    reference.system.and_then(CoordinateSystem::epsg)
}

/// Formats the cell size.
fn apart([east, south]: [f64; 2]) -> String {
    let meters = |meters: f64| (meters * 1e6).round() / 1e6;
    if (east / south - 1.0).abs() < 1e-9 {
        return format!("{} m", meters(east));
    }
    format!("{} m by {} m", meters(east), meters(south))
}

/// Formats a count with a noun, for instance `1 lake` and `2 lakes`.
fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// Returns a JSON number with the digits of the `f32`. As `f64` it would have twice as many.
fn number(z: f32) -> Value {
    format!("{z:?}").parse().map_or(Value::Null, Value::Number)
}

/// Formats a height with few digits, in scientific notation if it is very large.
fn short(height: f32) -> String {
    if height.abs() < 1e9 {
        format!("{height}")
    } else {
        format!("{height:e}")
    }
}

/// Formats an area with a readable unit.
fn area(square_meters: f64) -> String {
    if square_meters < 1e5 {
        format!("{square_meters:.0} m²")
    } else {
        format!("{:.2} km²", square_meters / 1e6)
    }
}

/// Formats a length with a readable unit.
fn length(meters: f64) -> String {
    if meters < 1e4 {
        format!("{meters:.0} m")
    } else {
        format!("{:.1} km", meters / 1e3)
    }
}
