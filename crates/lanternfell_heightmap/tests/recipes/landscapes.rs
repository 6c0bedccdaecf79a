//! Presets are like the landscapes they are named after, as a geographer would tell.

use std::collections::BTreeMap;

use lanternfell_heightmap::{
    Heightmap, Preset, Progress, Recipe,
    analysis::Slope,
    hydrology::{Drainage, Hydrology, Rivers},
};

fn land(name: &str) -> (Recipe, Heightmap) {
    let recipe = Preset::find(name).unwrap().recipe();
    let map = recipe.generate(&Progress::default()).unwrap();
    (recipe, map)
}

fn drain(map: &Heightmap) -> Drainage {
    Hydrology::default()
        .drain(map, &Progress::default())
        .unwrap()
}

/// Horton's law of stream numbers, Hack's of lengths, in ranges that real rivers keep.
fn assert_rivers(name: &str, drainage: &Drainage, hacks: core::ops::Range<f64>) {
    let network = Rivers::default().network(drainage, &Progress::default());
    let network = network.unwrap();
    let fewer = network.bifurcation_ratio().unwrap();
    assert!((3.0..5.0).contains(&fewer), "{name}: {fewer}");
    let hack = network.hack.unwrap().exponent;
    assert!(hacks.contains(&hack), "{name}: {hack}");
}

#[test]
fn canyons_branch_grow_wider_downstream_and_hold_no_water() {
    let (_, map) = land("canyons");
    let drainage = drain(&map);
    assert_eq!(drainage.filled(), &map, "closed basins");
    assert_rivers("canyons", &drainage, 0.5..0.6);

    let stem = main_stem(&drainage);
    let rims: Vec<(usize, usize)> = cells(&map).filter(|&(x, y)| map.get(x, y) > 0.8).collect();
    let to_rim = |&(x, y): &(usize, usize)| {
        let away = |&(u, v): &(usize, usize)| (x.abs_diff(u) as f64).hypot(y.abs_diff(v) as f64);
        rims.iter().map(away).fold(f64::INFINITY, f64::min)
    };
    let widths: Vec<f64> = stem
        .chunks(stem.len().div_ceil(4))
        .map(|part| {
            let some: Vec<f64> = part.iter().step_by(8).map(to_rim).collect();
            some.iter().sum::<f64>() / some.len() as f64
        })
        .collect();
    assert!(
        widths.is_sorted_by(|up, down| 1.2 * up < *down),
        "{widths:?}"
    );
}

fn cells(map: &Heightmap) -> impl Iterator<Item = (usize, usize)> + use<> {
    let (width, height) = (map.width(), map.height());
    (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
}

/// The cells of the largest river, from its source to where it leaves the map.
fn main_stem(drainage: &Drainage) -> Vec<(usize, usize)> {
    let areas = drainage.areas(&Progress::default()).unwrap();
    let width = drainage.size().width();
    let area = |&(x, y): &(usize, usize)| areas[y * width + x];
    let mut donors = BTreeMap::<_, Vec<_>>::new();
    for cell in cells(drainage.filled()) {
        if let Some(receiver) = drainage.receiver(cell.0, cell.1) {
            donors.entry(receiver).or_default().push(cell);
        }
    }
    let mut stem = vec![drainage.outlets().max_by_key(area).unwrap()];
    while let Some(donors) = donors.get(stem.last().unwrap()) {
        stem.extend(donors.iter().max_by_key(|&donor| area(donor)));
    }
    stem.reverse();
    stem
}

#[test]
fn a_high_range_is_as_steep_as_real_ones_and_its_valleys_branch() {
    let (recipe, map) = land("alpine");
    let scale = recipe.scale.unwrap();
    let slope = Slope::default()
        .of(&map, scale, &Progress::default())
        .unwrap();
    let mut degrees = slope.heights().to_vec();
    degrees.sort_by(f32::total_cmp);
    let median = degrees[degrees.len() / 2];
    assert!((25.0..35.0).contains(&median), "{median} degrees");
    assert_rivers("alpine", &drain(&map), 0.45..0.6);
}
