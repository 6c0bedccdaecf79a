//! Presets have the geographic statistics of the landscapes that they are named after.

use std::collections::BTreeMap;

use lanternfell_heightmap::{
    Heightmap, Preset, Progress, Recipe,
    analysis::{Slope, coast_dimension},
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

/// Checks Horton's law of stream numbers and Hack's law of lengths, within the ranges of real
/// rivers.
fn assert_rivers(name: &str, drainage: &Drainage, hacks: core::ops::Range<f64>) {
    let network = Rivers::default().network(drainage, &Progress::default());
    let network = network.unwrap();
    let fewer = network.bifurcation_ratio().unwrap();
    assert!((3.0..5.0).contains(&fewer), "{name}: {fewer}");
    let hack = network.hack.unwrap().exponent;
    assert!(hacks.contains(&hack), "{name}: {hack}");
}

#[test]
fn canyons_branch_widen_downstream_and_drain() {
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

/// The cells of the largest river, from its source to its outlet at the map's border.
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
fn alpine_has_realistic_slopes_and_rivers() {
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

/// Fjord floors are far below the sea level far inland, and level between steep walls.
#[test]
fn fjords_are_deep_winding_and_u_shaped() {
    let (recipe, map) = land("fjords");
    let (scale, sea) = (recipe.scale.unwrap(), recipe.water_level());
    let last = map.width() - 1;
    let at_border = |&(x, y): &(usize, usize)| x == 0 || y == 0 || x == last || y == last;
    let cut = cells(&map)
        .filter(at_border)
        .filter(|&(x, y)| map.get(x, y) > sea);
    assert_eq!(cut.count(), 0, "the map's border cuts no land");
    let progress = Progress::default();
    let dimension = coast_dimension(&map, sea, &progress).unwrap().unwrap();
    assert!((1.2..1.5).contains(&dimension), "{dimension}");

    // Cells with land within 2 km both to the west and the east, or both to the north and the
    // south.
    let reach = (2000.0 / scale.spacing) as usize;
    let is_land = |x: usize, y: usize| map.get(x, y) > sea;
    let inside = |x: usize, y: usize| {
        let (across, down) = (x.min(last - x).min(reach), y.min(last - y).min(reach));
        let any = |cell: &dyn Fn(usize) -> bool, most: usize| (1..=most).any(cell);
        any(&|d| is_land(x - d, y), across) && any(&|d| is_land(x + d, y), across)
            || any(&|d| is_land(x, y - d), down) && any(&|d| is_land(x, y + d), down)
    };
    let depth = |x: usize, y: usize| (sea - map.get(x, y)) * scale.relief;
    let narrows = cells(&map).filter(|&(x, y)| !is_land(x, y) && inside(x, y));
    let mut depths: Vec<f32> = narrows.map(|(x, y)| depth(x, y)).collect();
    depths.sort_by(f32::total_cmp);
    let deep = depths.len() * 3 / 4;
    assert!(depths.len() > 10_000, "{} cells of fjord", depths.len());
    assert!(depths[deep] > 200.0, "{} m", depths[deep]);

    // U-shaped and not V-shaped: more than half of the area below 300 m is nearly level.
    let slope = Slope::default().of(&map, scale, &progress).unwrap();
    let floors = cells(&map).filter(|&(x, y)| depth(x, y) > 300.0 && inside(x, y));
    let mut degrees: Vec<f32> = floors.map(|(x, y)| slope.get(x, y)).collect();
    degrees.sort_by(f32::total_cmp);
    let median = degrees[degrees.len() / 2];
    assert!(median < 20.0, "{median} degrees");
}

/// The walls between plateau and valley floors are stepped, with alternating treads and risers.
#[test]
fn badlands_and_canyons_have_steps() {
    for name in ["badlands", "canyons"] {
        let (recipe, map) = land(name);
        let scale = recipe.scale.unwrap();
        let slope = Slope::default()
            .of(&map, scale, &Progress::default())
            .unwrap();
        // Count how often steep slopes are followed by level ones along each row.
        let mut turns = 0;
        for y in 0..map.height() {
            let row = slope.row(y);
            let mut was_steep = false;
            for &degrees in row {
                if was_steep && degrees < 20.0 {
                    turns += 1;
                    was_steep = false;
                } else if degrees > 38.0 {
                    was_steep = true;
                }
            }
        }
        let per_row = f64::from(turns) / map.height() as f64;
        assert!(per_row > 12.0, "{name}: {per_row}");
    }
}
