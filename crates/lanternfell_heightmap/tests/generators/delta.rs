//! Compares deltas with their definition, and checks that the channels form a tree that reaches the
//! sea.

use lanternfell_heightmap::{
    ChannelNode, Heightmap, MapSize, Progress, RiverDelta, RiverDeltaDraws, SeededRng,
};
use lanternfell_random::Fnv1a;
use lanternfell_test_support::assert_golden;

const SEA: f32 = RiverDelta::SEA_LEVEL;

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

fn map(delta: &RiverDelta, size: MapSize, seed: u64) -> Heightmap {
    delta.generate(size, seed, &Progress::default()).unwrap()
}

/// A delta that fits on a map of 120 by 100 cells.
fn small() -> RiverDelta {
    RiverDelta {
        mouths: 14,
        length: 75.0,
        width: 5.0,
        reach: 12.0,
        ..RiverDelta::default()
    }
}

fn random(rng: &mut SeededRng) -> RiverDelta {
    RiverDelta {
        mouths: 1 + rng.below(40) as u32,
        length: rng.between(4.0, 200.0),
        spread: rng.between(0.0, 240.0),
        width: rng.between(1.0, 12.0),
        reach: rng.between(1.0, 60.0),
        directness: rng.unit(),
        winding: rng.between(0.0, 3.0),
    }
}

/// The pieces of the channels, from upstream to downstream.
fn pieces(draws: &RiverDeltaDraws) -> impl Iterator<Item = [ChannelNode; 2]> {
    let channels = &draws.channels;
    let upstream = |node: &ChannelNode| Some(channels[node.upstream? as usize]);
    channels
        .iter()
        .filter_map(move |node| Some([upstream(node)?, *node]))
}

/// The definition, cell by cell: the maximum of all parabolas, cut off by the minimum of all
/// channel beds.
fn plainly(delta: &RiverDelta, draws: &RiverDeltaDraws, size: MapSize) -> Vec<f64> {
    let furthest = draws
        .channels
        .iter()
        .map(|node| node.to_sea)
        .fold(0.0, f64::max);
    let mut tops = Vec::new();
    for y in 0..size.height() {
        for (x, &coast) in draws.coast.iter().enumerate() {
            let row = y as f64;
            if row < coast {
                tops.push(([x as f64, row], 0.25 + 0.75 * (coast - row) / coast));
            }
        }
    }
    for [from, to] in pieces(draws) {
        let grown = (to.to_sea / furthest).powf(0.8) * (0.4 + 0.6 * to.flow.powf(0.25));
        let top = grown.min(0.8 * (to.to_sea / delta.reach).powi(2));
        let parts = (2.0 * (to.x - from.x).hypot(to.y - from.y)).ceil().max(1.0);
        for part in 0..parts as usize {
            let share = part as f64 / parts;
            let place = [
                from.x + share * (to.x - from.x),
                from.y + share * (to.y - from.y),
            ];
            let [x, y] = place.map(f64::round);
            if x >= 0.0 && y >= 0.0 && x < size.width() as f64 && y < size.height() as f64 {
                tops.push(([x, y], top));
            }
        }
    }
    let land = |at: [f64; 2]| {
        let over = |&([x, y], top): &([f64; 2], f64)| {
            top - ((at[0] - x).hypot(at[1] - y) / delta.reach).powi(2)
        };
        let value = tops.iter().map(over).fold(f64::NEG_INFINITY, f64::max);
        match value > 0.0 {
            true => f64::from(SEA) + 0.05 * value.powf(0.35),
            false => f64::from(SEA) * (value / 4.0).exp(),
        }
    };
    let bed = |at: [f64; 2]| {
        pieces(draws)
            .map(|piece| bed(delta, piece, at))
            .fold(f64::INFINITY, f64::min)
    };
    let cells = (0..size.height()).flat_map(|y| (0..size.width()).map(move |x| [x, y]));
    cells
        .map(|cell| cell.map(|place| place as f64))
        .map(|at| land(at).min(bed(at)))
        .collect()
}

/// The bed or bank of one piece of a channel.
fn bed(delta: &RiverDelta, [from, to]: [ChannelNode; 2], [x, y]: [f64; 2]) -> f64 {
    let half = |node: ChannelNode| (0.5 * delta.width * node.flow.sqrt()).max(0.8);
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let share = ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy);
    let share = share.clamp(0.0, 1.0);
    let away = (x - from.x - share * dx).hypot(y - from.y - share * dy);
    let first = half(from).min(1.25 * half(to)).max(half(to));
    let half = first + share * (half(to) - first);
    let sea = f64::from(SEA);
    match away {
        _ if away > half + 4.0 => f64::INFINITY,
        _ if away >= half => sea + 0.01 * (away - half),
        _ => sea - (0.03 * half.sqrt()).min(sea) * (1.0 - (away / half).powi(2)),
    }
}

#[test]
fn maps_match_the_definition() {
    let mut rng = SeededRng::new(5, b"deltas  ");
    for case in 0..12 {
        let delta = RiverDelta {
            mouths: 1 + rng.below(9) as u32,
            length: rng.between(4.0, 60.0),
            ..random(&mut rng)
        };
        let size = size(20 + rng.below(40), 20 + rng.below(40));
        let made = map(&delta, size, case);
        let exact = plainly(&delta, &delta.draw(size, case), size);
        for (cell, (&found, exact)) in made.heights().iter().zip(exact).enumerate() {
            // The shore is steep, so rounding errors of the envelope have a larger effect there.
            let off = (f64::from(found) - exact).abs();
            assert!(
                off < 2e-3,
                "case {case}, cell {cell}: {found}, not {exact}; {delta:?}"
            );
        }
    }
}

#[test]
fn channels_are_a_tree_that_conserves_water() {
    let mut rng = SeededRng::new(1, b"deltas  ");
    for seed in 0..60 {
        let delta = random(&mut rng);
        let draws = delta.draw(size(200, 170), seed);
        let mut leaves = vec![0.0; draws.channels.len()];
        let mut to_sea = vec![0.0_f64; leaves.len()];
        let mut arms = vec![0; leaves.len()];
        for (number, node) in draws.channels.iter().enumerate().rev() {
            let named = || format!("seed {seed}, node {number}, {delta:?}");
            if arms[number] > 0 {
                // A mouth can be on the channel of another mouth. Some water leaves there too.
                assert!(node.flow >= leaves[number] - 1e-9, "{}", named());
                assert!((node.to_sea - to_sea[number]).abs() < 1e-6, "{}", named());
            }
            let Some(upstream) = node.upstream.map(|upstream| upstream as usize) else {
                assert_eq!((number, node.flow), (0, 1.0), "{}", named());
                continue;
            };
            assert!(upstream < number, "{}", named());
            let above = draws.channels[upstream];
            leaves[upstream] += node.flow;
            arms[upstream] += 1;
            let way = (node.x - above.x).hypot(node.y - above.y);
            to_sea[upstream] = to_sea[upstream].max(node.to_sea + way);
        }
        let mouths = arms.iter().filter(|&&arms| arms == 0).count();
        assert!(mouths <= delta.mouths as usize, "seed {seed}, {delta:?}");
        assert!(
            2 * mouths > delta.mouths as usize,
            "seed {seed}: {mouths} of {delta:?}"
        );
    }
}

#[test]
fn channels_connect_to_the_sea() {
    for seed in 0..30 {
        let (delta, size) = (small(), size(120, 100));
        let made = map(&delta, size, seed);
        let channels = delta.draw(size, seed).channels;
        let cell = |node: &ChannelNode| [node.x.round() as usize, node.y.round() as usize];
        let reached = water_from(&made, cell(&channels[0]));
        for node in &channels {
            let [x, y] = cell(node);
            assert!(reached[y * size.width() + x], "seed {seed}: {node:?}");
        }
        let south = size.cells() - size.width() / 2;
        assert!(reached[south], "seed {seed}: the open sea");
    }
}

/// Flood fill: the cells that are connected by water to this cell, along sides and not diagonals.
fn water_from(map: &Heightmap, [x, y]: [usize; 2]) -> Vec<bool> {
    let (width, height) = (map.width(), map.height());
    let mut reached = vec![false; width * height];
    let mut open = vec![(x, y)];
    while let Some((x, y)) = open.pop() {
        if x >= width || y >= height || map.get(x, y) >= SEA || reached[y * width + x] {
            continue;
        }
        reached[y * width + x] = true;
        let [west, north] = [x, y].map(|place| place.wrapping_sub(1));
        open.extend([(x + 1, y), (west, y), (x, y + 1), (x, north)]);
    }
    reached
}

#[test]
fn river_has_the_given_width_and_branches_carry_less() {
    for width in [3.0, 9.0, 15.0] {
        let delta = RiverDelta { width, ..small() };
        let made = map(&delta, size(120, 100), 3);
        let across = |y| made.row(y).iter().filter(|&&z| z < SEA).count() as f64;
        // Well before the apex, which is in row 12.
        assert!((across(4) - width).abs() <= 1.0, "{width}: {}", across(4));
        let channels = delta.draw(made.size(), 3).channels;
        for node in &channels[1..] {
            let upstream = channels[node.upstream.unwrap() as usize];
            assert!(node.flow <= upstream.flow + 1e-12, "{node:?}");
        }
    }
}

#[test]
fn more_reach_makes_more_land() {
    let land = |reach| {
        let made = map(&RiverDelta { reach, ..small() }, size(120, 100), 2);
        assert!(made.range().0 >= 0.0 && made.range().1 < SEA + 0.06);
        made.share_above(SEA)
    };
    let shares = [3.0, 6.0, 12.0, 24.0].map(land);
    assert!(
        shares.is_sorted_by(|less, more| less + 0.02 < *more),
        "{shares:?}"
    );
}

#[test]
fn any_parameters_give_finite_heights() {
    let mut rng = SeededRng::new(2, b"deltas  ");
    for seed in 0..60 {
        let delta = random(&mut rng);
        let size = size(2 + rng.below(90), 2 + rng.below(90));
        let (low, high) = map(&delta, size, seed).range();
        assert!(low >= 0.0 && high <= 1.0, "{low} to {high}: {delta:?}");
    }
}

#[test]
fn maps_match_pinned_hashes() {
    let straight = RiverDelta {
        winding: 0.0,
        directness: 1.0,
        ..small()
    };
    let cases = [
        ("default", RiverDelta::default(), size(300, 310)),
        ("small", small(), size(120, 100)),
        ("straight", straight, size(97, 141)),
    ];
    let hashes =
        cases.map(|(name, delta, size)| (name, Fnv1a::of_floats(map(&delta, size, 7).heights())));
    assert_golden(hashes, &PINNED);
}

const PINNED: [(&str, u64); 3] = [
    ("default", 0x62f6_3a08_2b4e_29c6),
    ("small", 0xea78_dd79_013d_fb6f),
    ("straight", 0xf18c_4d82_6991_3084),
];

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        pool.install(|| map(&small(), size(120, 100), 4))
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn errors_name_parameters_out_of_range() {
    let delta = RiverDelta {
        spread: 300.0,
        ..RiverDelta::default()
    };
    assert_eq!(
        delta.validate(size(8, 8)).unwrap_err().to_string(),
        "delta: spread is 300, but must be from 0 to 240"
    );
}

#[test]
fn rejects_invalid_draws() {
    let (delta, size) = (small(), size(120, 100));
    let draws = delta.draw(size, 1);
    let refused = |draws: &RiverDeltaDraws| {
        let result = delta.evaluate(size, draws, &Progress::default());
        result.unwrap_err().to_string()
    };
    let mut short = draws.clone();
    short.coast.pop();
    assert_eq!(
        refused(&short),
        "delta draws: coast is 119, but must be the map's number of columns"
    );
    let mut ring = draws.clone();
    ring.channels[3].upstream = Some(3);
    assert_eq!(
        refused(&ring),
        "delta draws: upstream is 3, but must be less than 3, the index of the node"
    );
    let mut lost = draws;
    lost.channels[5].x = f64::NAN;
    assert_eq!(
        refused(&lost),
        "delta draws: x is NaN, but must be from -1000000 to 1000000"
    );
}
