//! Compares the analysis of maps with slow and obvious implementations, and tests it on shapes with
//! known results.

mod all;
mod climate;
mod coasts;
#[path = "../common/mod.rs"]
mod common;
mod hydrology;
mod lines;
#[path = "../common/measures.rs"]
mod measures;
mod network;
mod numbers;
mod regions;
mod sea;
mod sky;
mod slopes;

use common::fnv;
use lanternfell_heightmap::{
    GenerateError, Heightmap, Hills, MapSize, Progress, Scale, SeededRng,
    analysis::{
        Aspect, CoastDistance, Connectivity, Contour, Curvature, CurvatureKind, FindRegions,
        Hillshade, Histogram, Hypsometry, NormalAxes, NormalMap, Region, SkyView, Slope, SlopeUnit,
        Statistics, TopographicPositionIndex, coast_length, contours, normals, percentiles,
        ruggedness,
    },
};
use lanternfell_test_support::assert_golden;
use measures::{minds_its_progress, same_on_any_threads};

/// Cells are 2 meters wide, and a height of 1 is 30 meters.
const SCALE: Scale = Scale {
    spacing: 2.0,
    relief: 30.0,
};

/// Cells are 1 meter wide, and heights are in meters.
const UNIT: Scale = Scale {
    spacing: 1.0,
    relief: 1.0,
};

fn go() -> Progress {
    Progress::default()
}

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

fn map_of(size: MapSize, height: impl Fn(f64, f64) -> f64) -> Heightmap {
    let cells = 0..size.cells();
    let place = |i: usize| ((i % size.width()) as f64, (i / size.width()) as f64);
    let heights = cells.map(|i| height(place(i).0, place(i).1) as f32);
    Heightmap::from_heights(size, heights.collect()).unwrap()
}

/// A map with independent random cells.
fn noise(rng: &mut SeededRng, size: MapSize) -> Heightmap {
    let heights = (0..size.cells()).map(|_| rng.unit() as f32).collect();
    Heightmap::from_heights(size, heights).unwrap()
}

fn any_size(rng: &mut SeededRng) -> MapSize {
    size(2 + rng.below(30), 2 + rng.below(30))
}

fn island(width: u64, height: u64) -> Heightmap {
    let hills = Hills {
        island: true,
        radius_max: width.min(height) as f64 / 6.0,
        ..Hills::default()
    };
    hills.generate(size(width, height), 11, &go()).unwrap()
}

/// The cells that are not within `margin` of the border.
fn inner(map: &Heightmap, margin: usize) -> impl Iterator<Item = (usize, usize)> {
    let (width, height) = (map.width(), map.height());
    (margin..height - margin).flat_map(move |y| (margin..width - margin).map(move |x| (x, y)))
}

fn assert_near(found: f32, expected: f64, tolerance: f64, what: &str) {
    let off = (f64::from(found) - expected).abs();
    assert!(off <= tolerance, "{what}: {found}, not {expected}");
}

/// The bilinear height between cells; `None` outside the map.
fn bilinear(map: &Heightmap, x: f64, y: f64) -> Option<f64> {
    let (right, bottom) = ((map.width() - 1) as f64, (map.height() - 1) as f64);
    if !(0.0..=right).contains(&x) || !(0.0..=bottom).contains(&y) {
        return None;
    }
    let (column, row) = (x.floor().min(right - 1.0), y.floor().min(bottom - 1.0));
    let (u, v) = (x - column, y - row);
    let get = |dx, dy| f64::from(map.get(column as usize + dx, row as usize + dy));
    let north = get(0, 0) * (1.0 - u) + get(1, 0) * u;
    Some(north * (1.0 - v) + (get(0, 1) * (1.0 - u) + get(1, 1) * u) * v)
}
