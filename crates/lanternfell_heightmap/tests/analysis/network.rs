//! Statistics of river networks, compared with a slow walk from every cell.

use std::collections::BTreeMap;

use lanternfell_heightmap::{
    Filter, FilterContext, FractalNoise, Heightmap, MapSize, Progress, SeededRng,
    erosion::StreamPowerErosion,
    hydrology::{Drainage, Hydrology, Network, Rivers, StreamOrder},
};

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

fn drain(map: &Heightmap) -> Drainage {
    Hydrology::default()
        .drain(map, &Progress::default())
        .unwrap()
}

fn network(map: &Heightmap, share: f64) -> Network {
    let rivers = Rivers {
        share,
        ..Rivers::default()
    };
    rivers.network(&drain(map), &Progress::default()).unwrap()
}

/// Random terrain.
fn ground(size: MapSize, seed: u64) -> Heightmap {
    let mut rng = SeededRng::new(seed, b"ground  ");
    let heights = (0..size.cells()).map(|_| rng.unit() as f32).collect();
    Heightmap::from_heights(size, heights).unwrap()
}

/// Terrain shaped by rivers.
fn shaped(seed: u64) -> Heightmap {
    let size = size(256, 256);
    let progress = Progress::default();
    let noise = FractalNoise {
        scale: 150.0,
        ..FractalNoise::default()
    };
    let mut map = noise.generate(size, seed, &progress).unwrap();
    let rivers = Filter::StreamPowerErosion(StreamPowerErosion::default());
    let context = FilterContext::new(size, seed);
    rivers.apply(&mut map, &context, &progress).unwrap();
    map
}

type Cell = (usize, usize);

/// The same statistics by recursion upstream, from cell to cell.
struct Slow {
    donors: BTreeMap<Cell, Vec<Cell>>,
    drainage: Drainage,
    least: usize,
}

impl Slow {
    fn new(map: &Heightmap, share: f64) -> Self {
        let drainage = drain(map);
        let mut donors: BTreeMap<Cell, Vec<Cell>> = BTreeMap::new();
        for (y, x) in (0..map.height()).flat_map(|y| (0..map.width()).map(move |x| (y, x))) {
            if let Some(receiver) = drainage.receiver(x, y) {
                donors.entry(receiver).or_default().push((x, y));
            }
        }
        let least = ((share * map.size().cells() as f64).round() as usize).max(1);
        Self {
            donors,
            drainage,
            least,
        }
    }

    fn donors(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        self.donors.get(&cell).into_iter().flatten().copied()
    }

    fn area(&self, cell: Cell) -> usize {
        1 + self
            .donors(cell)
            .map(|donor| self.area(donor))
            .sum::<usize>()
    }

    fn longest(&self, cell: Cell) -> f64 {
        let ways = self
            .donors(cell)
            .map(|donor| self.longest(donor) + distance(donor, cell));
        ways.fold(0.0, f64::max)
    }

    /// Strahler's order; 0 if the cell is not on a river.
    fn order(&self, cell: Cell) -> usize {
        if self.area(cell) < self.least || self.drainage.receiver(cell.0, cell.1).is_none() {
            return 0;
        }
        let orders: Vec<usize> = self.donors(cell).map(|donor| self.order(donor)).collect();
        let highest = orders.iter().copied().max().unwrap_or(0);
        let twice = orders.iter().filter(|&&order| order == highest).count() > 1;
        if highest > 0 && twice {
            highest + 1
        } else {
            highest.max(1)
        }
    }

    /// The length of the stream of this order upstream of a cell, in cells.
    fn up(&self, cell: Cell, order: usize) -> f64 {
        let main = self.donors(cell).find(|&donor| self.order(donor) == order);
        main.map_or(0.0, |donor| self.up(donor, order) + distance(donor, cell))
    }

    fn network(&self, map: &Heightmap) -> (Vec<StreamOrder>, Vec<(f64, f64)>) {
        let mut orders: Vec<StreamOrder> = Vec::new();
        let mut hack = Vec::new();
        for (y, x) in (0..map.height()).flat_map(|y| (0..map.width()).map(move |x| (y, x))) {
            let (cell, order) = ((x, y), self.order((x, y)));
            let Some(receiver) = self.drainage.receiver(x, y) else {
                continue;
            };
            if order == 0 || self.order(receiver) == order {
                continue;
            }
            let last = distance(cell, receiver);
            orders.resize(orders.len().max(order), StreamOrder::default());
            let streams = &mut orders[order - 1];
            streams.streams += 1;
            streams.length += self.up(cell, order) + last;
            streams.area += self.area(cell) as f64;
            hack.push((self.area(cell) as f64, self.longest(cell) + last));
        }
        (orders, hack)
    }
}

fn distance(a: Cell, b: Cell) -> f64 {
    let (x, y) = (a.0.abs_diff(b.0) as f64, a.1.abs_diff(b.1) as f64);
    x.hypot(y)
}

#[test]
fn network_matches_a_walk_from_every_cell() {
    for (seed, (width, height)) in (0..).zip([(2, 2), (3, 9), (20, 14), (31, 33), (25, 40)]) {
        for share in [0.0, 0.004, 0.02] {
            let case = format!("{width} x {height}, share {share}");
            let map = ground(size(width, height), seed);
            let (orders, hack) = Slow::new(&map, share).network(&map);
            let found = network(&map, share);
            assert_eq!(found.orders.len(), orders.len(), "{case}");
            for (order, (found, slow)) in (1..).zip(found.orders.iter().zip(&orders)) {
                assert_eq!(found.streams, slow.streams, "{case}, order {order}");
                assert_eq!(found.area, slow.area, "{case}, order {order}");
                let off = (found.length - slow.length).abs();
                assert!(off < 1e-3, "{case}, order {order}: {off}");
            }
            let Some(law) = found.hack else {
                continue;
            };
            // No other line is closer to the points.
            let off = |exponent: f64, factor: f64| {
                let error = |&(area, way): &(f64, f64)| (way / (factor * area.powf(exponent))).ln();
                hack.iter().map(|point| error(point).powi(2)).sum::<f64>()
            };
            let least = off(law.exponent, law.factor);
            for (exponent, factor) in [(1.01, 1.0), (0.99, 1.0), (1.0, 1.01), (1.0, 0.99)] {
                let other = off(law.exponent * exponent, law.factor * factor);
                assert!(least <= other, "{case}: {least} against {other}");
            }
        }
    }
}

#[test]
fn parallel_rivers_have_no_ratios() {
    let plain = size(60, 30);
    let heights = (0..plain.cells()).map(|cell| (cell / 60) as f32).collect();
    let map = Heightmap::from_heights(plain, heights).unwrap();
    let found = network(&map, 0.0);
    // Water flows north: 58 columns of 28 cells each, into the border.
    assert_eq!(found.orders.len(), 1);
    assert_eq!(found.orders[0].streams, 58);
    assert_eq!(found.orders[0].length, 58.0 * 28.0);
    assert_eq!(found.orders[0].area, 58.0 * 28.0);
    assert_eq!((found.land, found.density()), (58 * 28, 1.0));
    assert_eq!(found.relative_density(), Some(1.0 / 28.0));
    assert_eq!(
        (
            found.bifurcation_ratio(),
            found.length_ratio(),
            found.area_ratio()
        ),
        (None, None, None)
    );
    assert_eq!(found.hack, None);
}

#[test]
fn map_without_rivers_has_an_empty_network() {
    let found = network(&ground(size(20, 20), 3), 1.0);
    assert!(found.orders.is_empty());
    assert_eq!((found.density(), found.relative_density()), (0.0, None));
    assert_eq!(found.hack, None);
}

#[test]
fn eroded_terrain_follows_the_laws_of_real_rivers() {
    for seed in 0..4 {
        let found = network(&shaped(seed), 0.0005);
        let ranges = [
            ("bifurcation", found.bifurcation_ratio(), 3.0..5.5),
            ("length", found.length_ratio(), 1.5..3.5),
            ("area", found.area_ratio(), 3.0..6.0),
            ("Hack", found.hack.map(|law| law.exponent), 0.5..0.65),
        ];
        for (what, value, range) in ranges {
            let value = value.unwrap();
            assert!(range.contains(&value), "seed {seed}: {what} {value}");
        }
        // For different thresholds at which a river begins.
        for share in [0.0003, 0.0005, 0.001] {
            let ratio = network(&shaped(seed), share).relative_density().unwrap();
            assert!(
                (0.5..0.95).contains(&ratio),
                "seed {seed}, {share}: {ratio}"
            );
        }
    }
}
