//! Erosion by droplets and by sliding ground, against their definitions, and the facts known
//! of both.

mod common;

use common::fnv;
use lanternfell_heightmap::{
    Draws, GenerateError, Heightmap, Islands, MapSize, Progress, Scale, Site, Variant,
    erosion::{Droplets, Talus},
};

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

fn map(size: MapSize, heights: Vec<f32>) -> Heightmap {
    Heightmap::from_heights(size, heights).unwrap()
}

/// Mountains.
fn mountains(size: MapSize, seed: u64) -> Heightmap {
    let islands = Islands {
        scale: 90.0,
        variant: Variant::Ridged,
        ..Islands::default()
    };
    islands.generate(size, seed, &Progress::default()).unwrap()
}

/// A smooth slope down to the east.
fn plane(size: MapSize) -> Heightmap {
    let height = |k: usize| 1.0 - (k % size.width()) as f32 / size.width() as f32;
    map(size, (0..size.cells()).map(height).collect())
}

fn sum(map: &Heightmap) -> f64 {
    map.heights().iter().map(|&z| f64::from(z)).sum()
}

fn rained(rain: &Droplets, map: &Heightmap, site: &Site) -> Heightmap {
    let mut map = map.clone();
    rain.erode(&mut map, site, &Progress::default()).unwrap();
    map
}

fn slid(talus: &Talus, map: &Heightmap, site: &Site) -> Heightmap {
    let mut map = map.clone();
    talus.erode(&mut map, site, &Progress::default()).unwrap();
    map
}

/// Does this on so many threads.
fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap().install(work)
}

/// Parameters of any kind that are cheap enough.
fn any_rain(draws: &mut Draws) -> Droplets {
    Droplets {
        density: draws.between(0.01, 0.4),
        lifetime: draws.within(1, 70) as u32,
        inertia: draws.between(0.0, 0.9),
        capacity: draws.between(0.5, 20.0),
        min_slope: draws.between(0.0, 0.2),
        erosion: draws.unit(),
        deposition: draws.unit(),
        evaporation: draws.between(0.0, 0.2),
        gravity: draws.between(0.0, 2.0),
        radius: [1.0, 1.6, 3.0, 4.0, 7.5][draws.below(5) as usize],
        coarsest: 16_384,
    }
}

/// The definition of erosion by droplets, one droplet and one cell at a time.
mod plainly {
    use super::*;

    const LANES: usize = 16;

    #[derive(Clone, Copy)]
    struct Droplet {
        x: f32,
        y: f32,
        way: (f32, f32),
        height: f32,
        slope: (f32, f32),
        speed: f32,
        water: f32,
        load: f32,
        left: u32,
    }

    struct Step {
        lane: usize,
        to: (f32, f32),
        look: (f32, f32, f32),
        amount: f32,
    }

    pub struct Rain<'a> {
        rain: &'a Droplets,
        size: MapSize,
        steepness: f64,
        pub unit: f32,
        cells: Vec<f32>,
        /// What droplets carried when they ended.
        pub carried: f64,
        /// Where the region begins.
        west: i64,
        north: i64,
    }

    impl<'a> Rain<'a> {
        pub fn fall(rain: &'a Droplets, map: &Heightmap, site: &Site) -> Self {
            let largest = map
                .heights()
                .iter()
                .fold(0_f32, |most, z| most.max(z.abs()));
            let unit = 2_f64.powi(f64::from(largest).log2().floor() as i32);
            let steepness = f64::from(site.scale.relief) / f64::from(site.scale.spacing);
            let mut this = Self {
                rain,
                size: map.size(),
                steepness: steepness * unit,
                unit: unit as f32,
                cells: map.heights().iter().map(|z| z / unit as f32).collect(),
                carried: 0.0,
                west: 0,
                north: 0,
            };
            let mut side = 128;
            while side / 4 < i64::from(rain.lifetime) + 9 {
                side *= 2;
            }
            let rounds = (rain.density * 8.0).ceil() as u64;
            let mut corners = Draws::new(site.seed, b"regions ");
            for round in 0..rounds {
                let x = corners.below(side as u64) as i64;
                let y = corners.below(side as u64) as i64;
                for quarter in 0..4 {
                    let x = x + side / 2 * (quarter & 1);
                    let y = y + side / 2 * (quarter >> 1);
                    let share = rain.density * (side * side / 4) as f64 / rounds as f64;
                    this.phase(site.seed, 4 * round + quarter as u64, side, (x, y), share);
                }
            }
            this
        }

        pub fn map(&self) -> Heightmap {
            let heights = self.cells.iter().map(|z| z * self.unit).collect();
            map(self.size, heights)
        }

        fn phase(&mut self, seed: u64, phase: u64, side: i64, (x, y): (i64, i64), share: f64) {
            let (width, height) = (self.size.width() as i64, self.size.height() as i64);
            // The first region that holds column or row 0.
            let first = |at: i64| at.rem_euclid(side) - side * i64::from(at % side > 0);
            let mut number = 0;
            for north in (first(y)..height).step_by(side as usize) {
                for west in (first(x)..width).step_by(side as usize) {
                    let mut draws = Draws::new(seed, b"droplets");
                    draws.seek((phase << 15 | number) << 26);
                    number += 1;
                    (self.west, self.north) = (west, north);
                    let count = (share + draws.unit()) as u32;
                    let starts = (0..count).map(|_| {
                        let word = draws.word();
                        let half = side as f32 / 2.0;
                        let place =
                            |bits: u64| half * (0.5 + (bits % (1 << 24)) as f32 / (1 << 24) as f32);
                        (place(word), place(word >> 24))
                    });
                    let starts: Vec<_> = starts.filter(|&(x, y)| self.holds(x, y)).collect();
                    self.run(starts.into_iter());
                }
            }
        }

        fn holds(&self, x: f32, y: f32) -> bool {
            let (x, y) = (
                f64::from(x) + self.west as f64,
                f64::from(y) + self.north as f64,
            );
            let (east, south) = (self.size.width() - 1, self.size.height() - 1);
            x > 0.0 && x < east as f64 && y > 0.0 && y < south as f64
        }

        fn run(&mut self, mut starts: impl Iterator<Item = (f32, f32)>) {
            let mut lanes: [Option<Droplet>; LANES] = [None; LANES];
            loop {
                for lane in &mut lanes {
                    if lane.is_none() {
                        *lane = starts.next().map(|(x, y)| self.start(x, y));
                    }
                }
                if lanes.iter().all(Option::is_none) {
                    return;
                }
                let steps: Vec<Step> = (0..LANES)
                    .filter_map(|lane| self.step(lane, lanes[lane].as_mut()?))
                    .collect();
                let mut went = [false; LANES];
                for step in steps {
                    let droplet = lanes[step.lane].as_mut().unwrap();
                    self.change(droplet, &step);
                    droplet.left -= 1;
                    went[step.lane] = droplet.left > 0;
                }
                for (lane, went) in lanes.iter_mut().zip(went) {
                    if !went {
                        self.carried += lane.take().map_or(0.0, |droplet| droplet.load.into());
                    }
                }
            }
        }

        fn start(&self, x: f32, y: f32) -> Droplet {
            let (height, slope_x, slope_y) = self.look(x, y);
            Droplet {
                x,
                y,
                way: (0.0, 0.0),
                height,
                slope: (slope_x, slope_y),
                speed: 1.0,
                water: 1.0,
                load: 0.0,
                left: self.rain.lifetime,
            }
        }

        /// The cell north-west of a place, in the region, and where it lies between four.
        fn locate(x: f32, y: f32) -> (i64, i64, f32, f32) {
            let (column, row) = ((x - 0.5).round_ties_even(), (y - 0.5).round_ties_even());
            (
                column as i64,
                row as i64,
                (x - 0.5) - column + 0.5,
                (y - 0.5) - row + 0.5,
            )
        }

        fn cell(&mut self, column: i64, row: i64) -> Option<&mut f32> {
            let (x, y) = (column + self.west, row + self.north);
            let (width, height) = (self.size.width() as i64, self.size.height() as i64);
            let inside = (0..width).contains(&x) && (0..height).contains(&y);
            inside.then(|| &mut self.cells[(y * width + x) as usize])
        }

        fn look(&self, x: f32, y: f32) -> (f32, f32, f32) {
            let (column, row, u, v) = Self::locate(x, y);
            let width = self.size.width() as i64;
            let first = ((row + self.north) * width + column + self.west) as usize;
            let cell = |dx, dy| self.cells[first + dx + dy * self.size.width()];
            let (nw, ne, sw, se) = (cell(0, 0), cell(1, 0), cell(0, 1), cell(1, 1));
            let (north, south) = (nw + (ne - nw) * u, sw + (se - sw) * u);
            (
                north + (south - north) * v,
                (ne - nw) + ((se - sw) - (ne - nw)) * v,
                (sw - nw) + ((se - ne) - (sw - nw)) * u,
            )
        }

        fn step(&self, lane: usize, d: &mut Droplet) -> Option<Step> {
            let inertia = self.rain.inertia as f32;
            let turn = ((1.0 - self.rain.inertia) * self.steepness) as f32;
            let x = d.way.0 * inertia - d.slope.0 * turn;
            let y = d.way.1 * inertia - d.slope.1 * turn;
            let square = x * x + y * y;
            if square <= 1e-30 {
                return None;
            }
            let scale = 1.0 / square.sqrt();
            d.way = (x * scale, y * scale);
            let to = (d.x + d.way.0, d.y + d.way.1);
            if !self.holds(to.0, to.1) {
                return None;
            }
            let look = self.look(to.0, to.1);
            let fall = d.height - look.0;
            let counted = fall.max((self.rain.min_slope / self.steepness) as f32);
            let capacity = counted * d.speed.sqrt() * d.water * self.rain.capacity as f32;
            let room = capacity - d.load;
            let amount = if fall < 0.0 {
                fall.max(-d.load)
            } else if room > 0.0 {
                (room * self.rain.erosion as f32).min(fall)
            } else {
                room * self.rain.deposition as f32
            };
            let gravity = (self.rain.gravity * self.steepness) as f32;
            d.speed = (d.speed + fall * gravity).max(0.0);
            d.water *= (1.0 - self.rain.evaporation) as f32;
            Some(Step {
                lane,
                to,
                look,
                amount,
            })
        }

        fn change(&mut self, d: &mut Droplet, step: &Step) {
            let (floor, ceiling) = (step.look.0, d.height.max(step.look.0));
            let (column, row, u, v) = Self::locate(d.x, d.y);
            let wide = self.rain.radius > 1.0 && step.amount >= 0.0;
            let width = if wide {
                2 * (self.rain.radius.ceil() as usize).next_power_of_two()
            } else {
                2
            };
            let before = width as i64 / 2 - 1;
            let weights = if wide { self.cone(u, v) } else { four(u, v) };
            let mut taken = vec![0_f32; width];
            for dy in 0..width {
                for (dx, taken) in taken.iter_mut().enumerate() {
                    let weight = weights(dx as f64 - before as f64, dy as f64 - before as f64);
                    let (x, y) = (column + dx as i64 - before, row + dy as i64 - before);
                    let Some(cell) = self.cell(x, y) else {
                        continue;
                    };
                    let old = *cell;
                    let new = (old - weight * step.amount).max(old.min(floor));
                    *cell = new.min(old.max(ceiling));
                    *taken += old - *cell;
                    assert!(*cell >= old.min(floor) && *cell <= old.max(ceiling));
                }
            }
            // Four cells are summed row by row, more column by column.
            while taken.len() > 1 {
                let half = taken.len() / 2;
                taken = (0..half).map(|k| taken[k] + taken[k + half]).collect();
            }
            d.load = (d.load + taken[0]).max(0.0);
            (d.x, d.y) = step.to;
            d.height = step.look.0;
            d.slope = (step.look.1, step.look.2);
        }

        /// The weights of a round brush, for one of 4 x 4 places within a cell.
        fn cone(&self, u: f32, v: f32) -> Box<dyn Fn(f64, f64) -> f32> {
            let middle = |part: f32| (f64::from((part * 4.0).floor().min(3.0)) + 0.5) / 4.0;
            let (x, y, radius) = (middle(u), middle(v), self.rain.radius);
            let cone = move |dx: f64, dy: f64| {
                let square = (dx - x) * (dx - x) + (dy - y) * (dy - y);
                (radius - square.sqrt()).max(0.0)
            };
            let cells = -8..9;
            let cone_sum: f64 = cells
                .clone()
                .flat_map(|dy| cells.clone().map(move |dx| cone(dx.into(), dy.into())))
                .sum();
            Box::new(move |dx, dy| (cone(dx, dy) / cone_sum) as f32)
        }
    }

    fn four(u: f32, v: f32) -> Box<dyn Fn(f64, f64) -> f32> {
        Box::new(move |dx, dy| {
            let east = if dx == 0.0 { 1.0 - u } else { u };
            let south = if dy == 0.0 { 1.0 - v } else { v };
            east * south
        })
    }
}

/// With what it says of the ground: none is lost but what droplets carried to their end.
#[test]
fn droplets_are_the_definition_s_bit_for_bit() {
    let mut draws = Draws::new(1, b"test    ");
    for seed in 0..20 {
        let size = size(2 + draws.below(160), 2 + draws.below(160));
        let (map, rain) = (mountains(size, seed), any_rain(&mut draws));
        let site = Site::new(size, seed);
        let plainly = plainly::Rain::fall(&rain, &map, &site);
        let fast = rained(&rain, &map, &site);
        assert!(fast == plainly.map(), "{rain:?} on {size:?}");
        let lost = sum(&map) - sum(&fast);
        let carried = plainly.carried * f64::from(plainly.unit);
        assert!(
            (lost - carried).abs() < 1e-6 * sum(&map),
            "{lost}, not {carried}"
        );
    }
}

/// The mean of four cells, and what changed there spread between its cells.
#[test]
fn large_maps_are_eroded_at_half_their_size_first() {
    for (width, height, levels) in [(150, 131, 2), (70, 3, 0), (65, 40, 1)] {
        let size = size(width, height);
        let (ground, site) = (mountains(size, 11), Site::new(size, 11));
        let rain = Droplets {
            lifetime: 20,
            coarsest: 64,
            ..Droplets::default()
        };
        let expected = eroded_plainly(&rain, &ground, &site, levels);
        let found = rained(&rain, &ground, &site);
        for (found, expected) in found.heights().iter().zip(expected.heights()) {
            assert!(found.to_bits() == expected.to_bits(), "{width} x {height}");
        }
    }
}

fn eroded_plainly(rain: &Droplets, ground: &Heightmap, site: &Site, levels: u32) -> Heightmap {
    let here = Droplets {
        coarsest: 16_384,
        ..*rain
    };
    if levels == 0 {
        return rained(&here, ground, site);
    }
    let (width, height) = (ground.width(), ground.height());
    let small = size(width.div_ceil(2) as u64, height.div_ceil(2) as u64);
    let fine = |x: usize, y: usize| f64::from(ground.get(x.min(width - 1), y.min(height - 1)));
    let mean = |k: usize| {
        let (x, y) = (2 * (k % small.width()), 2 * (k / small.width()));
        let sum = (fine(x, y) + fine(x + 1, y)) + (fine(x, y + 1) + fine(x + 1, y + 1));
        (sum / 4.0) as f32
    };
    let before = map(small, (0..small.cells()).map(mean).collect());
    let mut wider = *site;
    wider.scale.spacing *= 2.0;
    let after = eroded_plainly(rain, &before, &wider, levels - 1);
    // The cell that lies at a quarter of the way between two coarse ones.
    let spread = |k: usize| {
        let (x, y) = (k % width, k / width);
        let beside = |at: usize, cells: usize| match at % 2 {
            0 => (at / 2, (at / 2).max(1) - 1),
            _ => (at / 2, (at / 2 + 1).min(cells - 1)),
        };
        let (near, far) = (beside(x, small.width()), beside(y, small.height()));
        let change = |x, y| f64::from(after.get(x, y)) - f64::from(before.get(x, y));
        let column = |x| 0.75 * change(x, far.0) + 0.25 * change(x, far.1);
        let sum = fine(x, y) + (0.75 * column(near.0) + 0.25 * column(near.1));
        let (low, high) = ground.range();
        (sum as f32).clamp(low, high)
    };
    let size = size(width as u64, height as u64);
    let followed = map(size, (0..size.cells()).map(spread).collect());
    rained(&here, &followed, site)
}

#[test]
fn the_number_of_threads_plays_no_part() {
    let size = size(300, 280);
    let (map, site) = (mountains(size, 3), Site::new(size, 3));
    let rain = Droplets {
        density: 0.1,
        lifetime: 40,
        coarsest: 200,
        ..Droplets::default()
    };
    let talus = Talus {
        angle: 10.0,
        ..Talus::default()
    };
    let both = || (rained(&rain, &map, &site), slid(&talus, &map, &site));
    let one = on_threads(1, both);
    for threads in [2, 7] {
        assert!(on_threads(threads, both) == one, "{threads} threads");
    }
}

/// What these pin: a seed's gullies are part of a world that someone has saved.
#[test]
fn erosion_is_pinned() {
    let size = size(200, 150);
    let (map, site) = (mountains(size, 7), Site::new(size, 7));
    let seen = |map: &Heightmap| format!("{:016x}", fnv(map));
    let rain = |radius| Droplets {
        density: 0.2,
        radius,
        coarsest: 128,
        ..Droplets::default()
    };
    let found = [1.0, 2.0, 3.0, 8.0].map(|radius| seen(&rained(&rain(radius), &map, &site)));
    let pinned = [
        "d7bcecebc29bf543",
        "637ec92059566e22",
        "c434df9756ca1612",
        "e68b02d4f9d4283a",
    ];
    assert_eq!(found, pinned, "droplets have changed");
    let talus = Talus {
        angle: 20.0,
        ..Talus::default()
    };
    let found = seen(&slid(&talus, &map, &site));
    assert_eq!(found, "aa1f0ff44820d454", "talus has changed");
}

#[test]
fn rain_digs_and_lays_within_the_range_of_the_map() {
    let mut draws = Draws::new(2, b"test    ");
    for seed in 0..10 {
        let size = size(2 + draws.below(120), 2 + draws.below(120));
        let (map, rain) = (mountains(size, seed), any_rain(&mut draws));
        let after = rained(&rain, &map, &Site::new(size, seed));
        let (low, high) = map.range();
        let (new_low, new_high) = after.range();
        assert!(new_low >= low && new_high <= high, "{rain:?}");
        assert!(
            sum(&after) <= sum(&map) * (1.0 + 1e-7),
            "ground out of nothing"
        );
    }
}

/// Slopes that rain has run down have channels: along a contour the ground, smooth before,
/// goes up and down; and water leaves the map lower than it came.
#[test]
fn rain_digs_gullies_into_a_slope() {
    let size = size(160, 160);
    let wavy = |k: usize| {
        let (x, y) = ((k % 160) as f32, (k / 160) as f32);
        0.9 - x / 200.0 + 0.01 * ((y * 0.31).sin() + (y * 0.17 + x * 0.1).sin())
    };
    let map = map(size, (0..size.cells()).map(wavy).collect());
    let site = Site::new(size, 1);
    let after = rained(&Droplets::default(), &map, &site);
    let rough = |map: &Heightmap| -> f64 {
        let bend = |y: usize| {
            let z = |y| f64::from(map.get(80, y));
            (z(y - 1) - 2.0 * z(y) + z(y + 1)).abs()
        };
        (40..120).map(bend).sum()
    };
    assert!(rough(&after) > 3.0 * rough(&map), "no gullies");
    assert!(sum(&after) < sum(&map));
}

/// Nothing runs off a bowl: what is taken from its sides lies on its floor.
#[test]
fn rain_fills_hollows() {
    let size = size(96, 96);
    let bowl = |k: usize| {
        let (x, y) = ((k % 96) as f32 - 47.5, (k / 96) as f32 - 47.5);
        let wall = (x * x + y * y) / 4512.5;
        wall.min(0.4)
    };
    let map = map(size, (0..size.cells()).map(bowl).collect());
    let rain = Droplets {
        density: 2.0,
        lifetime: 150,
        ..Droplets::default()
    };
    let after = rained(&rain, &map, &Site::new(size, 1));
    let floor = |map: &Heightmap| map.range().0;
    assert!(floor(&after) > floor(&map) + 0.005, "{}", floor(&after));
    let lost = (sum(&map) - sum(&after)) / sum(&map);
    assert!((0.0..0.02).contains(&lost), "{lost}");
}

/// The cells at the border differ from their neighbours by no more than cells within do.
#[test]
fn the_border_has_neither_spikes_nor_trenches() {
    let size = size(200, 200);
    for (map, name) in [(mountains(size, 4), "mountains"), (plane(size), "plane")] {
        for radius in [1.0, 2.0, 4.0] {
            let rain = Droplets {
                radius,
                ..Droplets::default()
            };
            let after = rained(&rain, &map, &Site::new(size, 4));
            // How far the second of three cells on the way from a border lies above the others.
            let bend = |from: usize| -> f64 {
                let along = |k: usize| {
                    let ways = [
                        [(k, from), (k, from + 1), (k, from + 2)],
                        [(from, k), (from + 1, k), (from + 2, k)],
                        [(k, 199 - from), (k, 198 - from), (k, 197 - from)],
                        [(199 - from, k), (198 - from, k), (197 - from, k)],
                    ];
                    ways.map(|way| {
                        let [a, b, c] = way.map(|(x, y)| f64::from(after.get(x, y)));
                        (2.0 * b - a - c).abs()
                    })
                };
                (0..200).flat_map(along).sum::<f64>() / 800.0
            };
            let within = (20..80).map(bend).sum::<f64>() / 60.0;
            let worst = (0..5).map(bend).fold(0.0, f64::max);
            assert!(
                worst < 1.6 * within,
                "{name}, {radius}: {worst}, within {within}"
            );
        }
    }
}

#[test]
fn flat_ground_stays_flat() {
    for height in [0.0, 0.3, -5e20, 1e-42, f32::MAX] {
        let size = size(70, 40);
        let flat = map(size, vec![height; size.cells()]);
        let site = Site::new(size, 1);
        assert_eq!(rained(&Droplets::default(), &flat, &site), flat);
        assert_eq!(slid(&Talus::default(), &flat, &site), flat);
    }
}

/// Any finite height, on the smallest and the thinnest maps, at the wildest scales.
#[test]
fn heights_stay_finite() {
    let mut draws = Draws::new(3, b"test    ");
    let heights = [f32::MIN, f32::MAX, 0.0, -0.0, 1.0, 1e-45, -1e-38, 1e30, 0.5];
    for round in 0..60 {
        let size = [size(2, 2), size(2, 40), size(33, 3), size(20, 20)][round % 4];
        let any = (0..size.cells()).map(|_| *draws.pick(&heights).unwrap());
        let ground = map(size, any.collect());
        let scales = [1e-30, 1.0, Scale::MAX];
        let scale = Scale {
            spacing: *draws.pick(&scales).unwrap(),
            relief: *draws.pick(&scales).unwrap(),
        };
        let site = Site {
            scale,
            ..Site::new(size, 5)
        };
        let talus = Talus {
            angle: draws.between(0.0, 89.0),
            passes: 20,
            rate: draws.unit(),
        };
        let (low, high) = ground.range();
        let rain = any_rain(&mut draws);
        for after in [rained(&rain, &ground, &site), slid(&talus, &ground, &site)] {
            assert!(after.heights().iter().all(|z| (low..=high).contains(z)));
        }
    }
}

#[test]
fn a_seed_gives_its_own_gullies() {
    let size = size(100, 100);
    let map = mountains(size, 1);
    let rain = Droplets::default();
    let at = |seed| rained(&rain, &map, &Site::new(size, seed));
    assert!(at(1) == at(1) && at(1) != at(2));
    let none = Droplets {
        density: 0.0,
        ..rain
    };
    assert!(rained(&none, &map, &Site::new(size, 1)) == map);
}

/// As many droplets a cell: a map twice as large, of the same ground, is worn as deep.
#[test]
fn the_wear_does_not_depend_on_the_map_s_size() {
    let worn = |side: u64| {
        let size = size(side, side);
        let scale = Scale {
            spacing: 1.0,
            relief: 40.0,
        };
        let map = mountains(size, 1);
        let after = rained(
            &Droplets::default(),
            &map,
            &Site {
                scale,
                ..Site::new(size, 1)
            },
        );
        let pairs = map.heights().iter().zip(after.heights());
        let depth: f64 = pairs.map(|(a, b)| f64::from((a - b).max(0.0))).sum();
        depth / size.cells() as f64
    };
    let (small, large) = (worn(200), worn(400));
    assert!(
        (0.8..1.25).contains(&(large / small)),
        "{small} and {large}"
    );
}

#[test]
fn traces_tell_where_the_ground_sank_and_rose() {
    let size = size(120, 90);
    let map = mountains(size, 2);
    let site = Site::new(size, 2);
    let (rain, mut after) = (Droplets::default(), map.clone());
    let progress = Progress::default();
    let traces = rain.erode_traced(&mut after, &site, &progress).unwrap();
    assert_eq!(progress.fraction(), 1.0);
    assert!(after == rained(&rain, &map, &site));
    let cells = map.heights().iter().zip(after.heights());
    let masks = traces.worn.heights().iter().zip(traces.laid.heights());
    for ((before, after), (&worn, &laid)) in cells.zip(masks) {
        assert_eq!(worn > 0.0, after < before);
        assert_eq!(laid > 0.0, after > before);
        assert!((0.0..1.0).contains(&worn) && (0.0..1.0).contains(&laid));
    }
    let share = |mask: &Heightmap| mask.share_above(0.5);
    assert!(share(&traces.worn) > 0.05 && share(&traces.laid) > 0.05);
}

/// The definition of sliding: all neighbours of all cells, beyond the border the nearest
/// cell within, in whole numbers.
fn slide_plainly(talus: &Talus, ground: &Heightmap, site: &Site) -> Heightmap {
    let (low, high) = ground.range();
    let (low, high) = (f64::from(low), f64::from(high));
    let grain = 2_f64.powi(((high - low) / 2_f64.powi(24)).log2().ceil() as i32);
    let origin = ((low + high) / 2.0 / grain).round() * grain;
    let (width, height) = (ground.width() as i64, ground.height() as i64);
    let count = |z: &f32| ((f64::from(*z) - origin) / grain).round() as i64;
    let first: Vec<i64> = ground.heights().iter().map(count).collect();
    let tangent = libm::tan(talus.angle.to_radians());
    let cell = f64::from(site.scale.spacing) / f64::from(site.scale.relief);
    let limit = (tangent * cell / grain).min(f64::from(1 << 26));
    let mut grains = first.clone();
    for _ in 0..talus.passes {
        let old = grains.clone();
        for k in 0..old.len() as i64 {
            let (x, y) = (k % width, k / width);
            for (dx, dy) in (-1..2).flat_map(|dy| (-1..2).map(move |dx| (dx, dy))) {
                let diagonal = dx != 0 && dy != 0;
                let limit = if diagonal {
                    limit * 2_f64.sqrt()
                } else {
                    limit
                } as f32;
                let weight = if diagonal { 0.05 } else { 0.2 };
                let (x, y) = ((x + dx).clamp(0, width - 1), (y + dy).clamp(0, height - 1));
                let fall = (old[k as usize] - old[(y * width + x) as usize]) as f32;
                let excess = fall - fall.clamp(-limit, limit);
                let flow = (excess * (talus.rate * weight) as f32).round_ties_even() as i64;
                grains[k as usize] -= flow;
            }
        }
    }
    assert_eq!(grains.iter().sum::<i64>(), first.iter().sum::<i64>());
    let cells = ground.heights().iter().zip(first.iter().zip(&grains));
    let heights = cells.map(|(&z, (first, last))| {
        if first == last {
            return z;
        }
        (f64::from(z) + (last - first) as f64 * grain).clamp(low, high) as f32
    });
    map(ground.size(), heights.collect())
}

#[test]
fn sliding_is_the_definition_s_bit_for_bit() {
    let mut draws = Draws::new(4, b"test    ");
    for seed in 0..80 {
        let angle = match seed % 4 {
            0 => [0.0, 0.001][draws.below(2) as usize],
            _ => draws.between(0.0, 60.0),
        };
        // Narrow ones slide for long: every row comes to rest and is stirred again.
        let (size, passes) = match seed % 8 {
            0 | 3 => (size(2 + draws.below(4), 2 + draws.below(6)), 400),
            _ => (
                size(2 + draws.below(150), 2 + draws.below(40)),
                draws.below(30),
            ),
        };
        let talus = Talus {
            angle,
            passes: passes as u32,
            rate: draws.unit(),
        };
        // Or a plain with towers, where most blocks are at rest until the scree comes.
        let towers = |k: usize| if k.is_multiple_of(313) { 1.0 } else { 0.0 };
        let map = match seed % 2 {
            0 => mountains(size, seed),
            _ => map(size, (0..size.cells()).map(towers).collect()),
        };
        let site = Site::new(size, 0);
        let fast = slid(&talus, &map, &site);
        assert!(
            fast == slide_plainly(&talus, &map, &site),
            "{talus:?} on {size:?}"
        );
    }
}

/// The largest difference between neighbours, along the axes and along the diagonals.
fn steepest(map: &Heightmap) -> (f32, f32) {
    let (width, height) = (map.width(), map.height());
    let (mut axis, mut diagonal) = (0_f32, 0_f32);
    for y in 0..height {
        for x in 0..width {
            let z = map.get(x, y);
            let (east, south) = (x + 1 < width, y + 1 < height);
            let apart = |fits: bool, x: usize, y: usize| {
                if fits { (z - map.get(x, y)).abs() } else { 0.0 }
            };
            axis = axis.max(apart(east, x + 1, y)).max(apart(south, x, y + 1));
            diagonal = diagonal.max(apart(east && south, x + 1, y + 1));
            diagonal = diagonal.max(apart(x > 0 && south, x.wrapping_sub(1), y + 1));
        }
    }
    (axis, diagonal)
}

#[test]
fn the_steepest_slope_never_gets_steeper() {
    let mut draws = Draws::new(5, b"test    ");
    for rate in [0.05, 0.5, 1.0] {
        let size = size(2 + draws.below(40), 2 + draws.below(40));
        let any = (0..size.cells()).map(|_| draws.unit() as f32);
        let mut map = map(size, any.collect());
        let site = Site::new(size, 0);
        let talus = Talus {
            angle: 30.0,
            passes: 1,
            rate,
        };
        // Rounding to grains, a 2^24th, is what a pass may add.
        let grains = 8.0 / (1 << 24) as f32;
        for _ in 0..60 {
            let before = steepest(&map);
            map = slid(&talus, &map, &site);
            let after = steepest(&map);
            assert!(after.0 <= before.0 + grains && after.1 <= before.1 + grains);
        }
    }
}

#[test]
fn with_enough_passes_no_slope_is_above_the_angle() {
    let size = size(60, 50);
    let map = mountains(size, 6);
    let site = Site::new(size, 0);
    let talus = Talus {
        angle: 25.0,
        passes: 100_000,
        rate: 1.0,
    };
    let rest = slid(&talus, &map, &site);
    let per_cell = 25_f32.to_radians().tan() / site.scale.steepness();
    let (axis, diagonal) = steepest(&rest);
    assert!(steepest(&map).0 > 1.2 * per_cell, "nothing to do");
    assert!(axis <= 1.0001 * per_cell && diagonal <= 1.0001 * per_cell * 2_f32.sqrt());
    // It ended because nothing moved, not because all passes were over.
    let fewer = Talus {
        passes: 20_000,
        ..talus
    };
    assert!(slid(&fewer, &map, &site) == rest);
    let whole = sum(&map);
    assert!((sum(&rest) - whole).abs() < 1e-6 * whole);
}

#[test]
fn a_mirrored_map_slides_to_its_mirror_image() {
    let (wide, tall) = (size(75, 40), size(40, 75));
    let ground = mountains(wide, 8);
    let at = |x: usize, y: usize| ground.get(x, y);
    let turned = |size: MapSize, from: &dyn Fn(usize, usize) -> f32| {
        let cell = |k: usize| from(k % size.width(), k / size.width());
        map(size, (0..size.cells()).map(cell).collect())
    };
    let site = Site::new(wide, 0);
    let talus = Talus {
        angle: 15.0,
        ..Talus::default()
    };
    let after = slid(&talus, &ground, &site);
    assert!(after != ground);
    let then = |x: usize, y: usize| after.get(x, y);
    let slid = |map: Heightmap| slid(&talus, &map, &site);
    let east = slid(turned(wide, &|x, y| at(74 - x, y)));
    assert!(east == turned(wide, &|x, y| then(74 - x, y)));
    let south = slid(turned(wide, &|x, y| at(x, 39 - y)));
    assert!(south == turned(wide, &|x, y| then(x, 39 - y)));
    let across = slid(turned(tall, &|x, y| at(y, x)));
    assert!(across == turned(tall, &|x, y| then(y, x)));
}

#[test]
fn gentle_slopes_and_no_passes_change_nothing() {
    let size = size(64, 64);
    let map = mountains(size, 9);
    let site = Site::new(size, 0);
    let default = Talus::default();
    for talus in [
        Talus {
            passes: 0,
            ..default
        },
        Talus {
            rate: 0.0,
            ..default
        },
        Talus {
            angle: 89.0,
            ..default
        },
    ] {
        assert!(slid(&talus, &map, &site) == map, "{talus:?}");
    }
}

#[test]
fn cancelled_work_stops() {
    let size = size(64, 64);
    let site = Site::new(size, 1);
    let before = mountains(size, 1);
    let cancelled = Progress::default();
    cancelled.cancel();
    let mut map = before.clone();
    let results = [
        Droplets::default().erode(&mut map, &site, &cancelled),
        Talus::default().erode(&mut map, &site, &cancelled),
    ];
    for result in results {
        assert!(matches!(result, Err(GenerateError::Cancelled(_))));
    }
    let traced = Droplets::default().erode_traced(&mut map, &site, &cancelled);
    assert!(traced.is_err() && map == before);
    let (rain, slide) = (Progress::default(), Progress::default());
    Droplets::default().erode(&mut map, &site, &rain).unwrap();
    Talus::default().erode(&mut map, &site, &slide).unwrap();
    assert_eq!((rain.fraction(), slide.fraction()), (1.0, 1.0));
}

/// Another thread cancels, sooner or later: the map may be half eroded, but is a map.
#[test]
fn work_can_be_cancelled_under_way() {
    let size = size(256, 256);
    let (map, site) = (mountains(size, 1), Site::new(size, 1));
    let rain = Droplets {
        density: 64.0,
        ..Droplets::default()
    };
    let progress = Progress::default();
    let watcher = progress.clone();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while watcher.fraction() == 0.0 {
                std::thread::yield_now();
            }
            watcher.cancel();
        });
        let mut map = map.clone();
        assert!(rain.erode(&mut map, &site, &progress).is_err());
        assert!(map.heights().iter().all(|z| z.is_finite()));
    });
    assert!(progress.fraction() < 0.5);
}

#[test]
fn parameters_out_of_range_are_refused_by_name() {
    let rain = Droplets::default();
    let wrong = [
        (
            Droplets {
                density: 65.0,
                ..rain
            },
            "droplets: density is 65, but must be from 0 to 64",
        ),
        (
            Droplets {
                lifetime: 0,
                ..rain
            },
            "droplets: lifetime is 0, but must be from 1 to 247",
        ),
        (
            Droplets {
                lifetime: 248,
                ..rain
            },
            "lifetime is 248",
        ),
        (
            Droplets {
                inertia: 1.0,
                ..rain
            },
            "inertia is 1, but must be from 0 to 0.99",
        ),
        (
            Droplets {
                capacity: -1.0,
                ..rain
            },
            "capacity is -1, but must be from 0 to 100",
        ),
        (
            Droplets {
                min_slope: 1.1,
                ..rain
            },
            "min_slope is 1.1, but must be from 0 to 1",
        ),
        (
            Droplets {
                erosion: f64::NAN,
                ..rain
            },
            "erosion is NaN, but must be from 0 to 1",
        ),
        (
            Droplets {
                deposition: 1.5,
                ..rain
            },
            "deposition is 1.5, but must be from 0 to 1",
        ),
        (
            Droplets {
                evaporation: 2.0,
                ..rain
            },
            "evaporation is 2, but must be from 0 to 1",
        ),
        (
            Droplets {
                gravity: f64::INFINITY,
                ..rain
            },
            "gravity is inf, but must be from 0 to 100",
        ),
        (
            Droplets {
                radius: 0.5,
                ..rain
            },
            "radius is 0.5, but must be from 1 to 8",
        ),
        (
            Droplets {
                coarsest: 63,
                ..rain
            },
            "coarsest is 63, but must be from 64 to 16384",
        ),
    ];
    let size = size(20, 20);
    let site = Site::new(size, 1);
    let mut map = mountains(size, 1);
    let before = map.clone();
    for (rain, words) in wrong {
        let error = rain
            .erode(&mut map, &site, &Progress::default())
            .unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
    let talus = Talus::default();
    let wrong = [
        (
            Talus {
                angle: 90.0,
                ..talus
            },
            "talus: angle is 90, but must be from 0 to 89",
        ),
        (
            Talus {
                passes: 100_001,
                ..talus
            },
            "passes is 100001, but must be from 0 to 100000",
        ),
        (
            Talus {
                rate: 1.01,
                ..talus
            },
            "rate is 1.01, but must be from 0 to 1",
        ),
    ];
    for (talus, words) in wrong {
        let error = talus
            .erode(&mut map, &site, &Progress::default())
            .unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
    let mut bad = site;
    bad.scale.spacing = 0.0;
    assert!(rain.erode(&mut map, &bad, &Progress::default()).is_err());
    assert!(talus.erode(&mut map, &bad, &Progress::default()).is_err());
    assert!(map == before);
}

#[test]
fn parameters_are_read_from_a_recipe() {
    let rain: Droplets = ron::from_str("(density: 2, lifetime: 30, radius: 3.5)").unwrap();
    assert_eq!((rain.density, rain.lifetime, rain.radius), (2.0, 30, 3.5));
    assert_eq!(
        ron::from_str::<Droplets>("()").unwrap(),
        Droplets::default()
    );
    assert_eq!(ron::from_str::<Talus>("()").unwrap(), Talus::default());
    assert!(ron::from_str::<Talus>("(slope: 3)").is_err());
    assert!(Droplets::default().validate().is_ok() && Talus::default().validate().is_ok());
}
