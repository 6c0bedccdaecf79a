//! The definition of hydraulic erosion, one droplet and one cell at a time.

use lanternfell_heightmap::hydrology::{Hydrology, Lakes};

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
    rain: &'a HydraulicErosion,
    size: MapSize,
    /// The slope of one grain per cell, as a tangent.
    steepness: f64,
    grain: f64,
    low: f64,
    /// The number of grains above the lowest height.
    cells: Vec<f32>,
    /// The positions where droplets ended, and the loads that they carried.
    mud: Vec<((i64, i64), f32)>,
    pub eroded: f64,
    pub deposited: f64,
    pub exported: f64,
    /// The position of the current region.
    west: i64,
    north: i64,
}

impl<'a> Rain<'a> {
    pub fn fall(rain: &'a HydraulicErosion, map: &Heightmap, context: &FilterContext) -> Self {
        let (low, high) = map.range();
        let (low, high) = (f64::from(low), f64::from(high));
        let grain = 2_f64.powi(((high - low).log2() - 24.0).ceil() as i32);
        let count = |z: &f32| ((f64::from(*z) - low) / grain).floor() as f32;
        let steepness = f64::from(context.scale.relief) / f64::from(context.scale.spacing);
        let mut this = Self {
            rain,
            size: map.size(),
            steepness: steepness * grain,
            grain,
            low,
            cells: map.heights().iter().map(count).collect(),
            mud: Vec::new(),
            eroded: 0.0,
            deposited: 0.0,
            exported: 0.0,
            west: 0,
            north: 0,
        };
        let mut side = 128;
        while side / 4 < i64::from(rain.lifetime) + 9 {
            side *= 2;
        }
        let rounds = (rain.density * 8.0).ceil() as u64;
        let mut corners = SeededRng::new(context.seed, b"regions ");
        for round in 0..rounds {
            let x = corners.below(side as u64) as i64;
            let y = corners.below(side as u64) as i64;
            for quarter in 0..4 {
                let x = x + side / 2 * (quarter & 1);
                let y = y + side / 2 * (quarter >> 1);
                let share = rain.density * (side * side / 4) as f64 / rounds as f64;
                this.phase(
                    context.seed,
                    4 * round + quarter as u64,
                    side,
                    (x, y),
                    share,
                );
            }
        }
        this.settle_mud();
        this
    }

    /// The map with the changes of its cells.
    pub fn map_from(&self, before: &Heightmap) -> Heightmap {
        let (_, high) = before.range();
        let cells = before.heights().iter().zip(&self.cells);
        let heights = cells.map(|(&z, &grains)| {
            let first = ((f64::from(z) - self.low) / self.grain).floor();
            if first == f64::from(grains) {
                return z;
            }
            let height = f64::from(z) + (f64::from(grains) - first) * self.grain;
            height.clamp(self.low, f64::from(high)) as f32
        });
        map(self.size, heights.collect())
    }

    /// The height of a grain.
    pub fn grain(&self) -> f64 {
        self.grain
    }

    /// The mud of each block moves downhill from block to block, into the first hollow that is not
    /// full. Higher blocks are processed first; the blocks of a hollow are filled together.
    fn settle_mud(&mut self) {
        let (width, height) = (self.size.width() as i64, self.size.height() as i64);
        let blocks = size(
            (width as u64).div_ceil(4) + 2,
            (height as u64).div_ceil(4) + 2,
        );
        let around = |block: i64, cells: i64| {
            let cells_of = (block - 1) * 4..block * 4;
            cells_of.map(move |cell| cell.clamp(0, cells - 1))
        };
        let cells_of = |block: usize| {
            let (x, y) = (block % blocks.width(), block / blocks.width());
            let mut cells: Vec<usize> = around(y as i64, height)
                .flat_map(|y| around(x as i64, width).map(move |x| (y * width + x) as usize))
                .collect();
            cells.sort();
            cells.dedup();
            cells
        };
        let lowest = |block| {
            let cells = cells_of(block).into_iter().map(|k| self.cells[k]);
            cells.fold(f32::MAX, f32::min)
        };
        let lows = (0..blocks.cells()).map(lowest);
        let ground = map(blocks, lows.collect());
        let progress = Progress::default();
        let drainage = Hydrology::default().drain(&ground, &progress).unwrap();
        let lakes = drainage.lakes(&ground, 1, &progress).unwrap();
        let place = |block: usize| (block % blocks.width(), block / blocks.width());
        let lake = |block: usize| Some(lakes.labels[block]).filter(|&l| l != Lakes::LAND);
        let room = |block: usize, cell: usize| {
            let level = drainage.filled().heights()[block];
            (level - self.cells[cell]).max(0.0) as i64 * 3 / 4
        };
        let wet: Vec<usize> = (0..blocks.cells()).filter(|&b| lake(b).is_some()).collect();
        let mut mud = vec![0_i64; blocks.cells()];
        for &((x, y), load) in &self.mud {
            mud[(y as usize / 4 + 1) * blocks.width() + x as usize / 4 + 1] += load as i64;
        }
        // The number of steps to the border. Blocks that drain to a block have a larger number.
        let receiver = |block: usize| {
            let (x, y) = place(block);
            drainage.receiver(x, y).map(|(x, y)| y * blocks.width() + x)
        };
        let far = |block: usize| core::iter::successors(Some(block), |&b| receiver(b)).count();
        let mut order: Vec<usize> = (0..blocks.cells()).collect();
        order.sort_by_key(|&block| core::cmp::Reverse(far(block)));
        let mut in_lakes = vec![0_i64; lakes.lakes.len()];
        for block in order {
            let Some(receiver) = receiver(block) else {
                self.exported += mud[block] as f64;
                continue;
            };
            let mut all = core::mem::take(&mut mud[block]);
            if let Some(lake_here) = lake(block) {
                in_lakes[lake_here as usize] += core::mem::take(&mut all);
                if lake(receiver) != Some(lake_here) {
                    let of_it = wet.iter().filter(|&&b| lake(b) == Some(lake_here));
                    let rooms = of_it.flat_map(|&b| cells_of(b).into_iter().map(move |k| (b, k)));
                    let whole: i64 = rooms.map(|(b, k)| room(b, k)).sum();
                    all = (in_lakes[lake_here as usize] - whole).max(0);
                    in_lakes[lake_here as usize] -= all;
                }
            }
            mud[receiver] += all;
        }
        let mut new = self.cells.clone();
        for (label, &mud) in in_lakes.iter().enumerate() {
            let blocks = wet
                .iter()
                .filter(|&&block| lake(block) == Some(label as u32));
            let cells = || {
                blocks
                    .clone()
                    .flat_map(|&b| cells_of(b).into_iter().map(move |k| (b, k)))
            };
            let whole: i64 = cells().map(|(b, k)| room(b, k)).sum();
            let mut up_to = 0;
            for (block, cell) in cells() {
                let share = |up_to: i64| i128::from(mud) * i128::from(up_to) / i128::from(whole);
                let before = share(up_to);
                up_to += room(block, cell);
                new[cell] += (share(up_to) - before) as f32;
            }
            self.deposited += mud as f64;
        }
        self.cells = new;
    }

    fn phase(&mut self, seed: u64, phase: u64, side: i64, (x, y): (i64, i64), share: f64) {
        let (width, height) = (self.size.width() as i64, self.size.height() as i64);
        // The position of the first region that contains column or row 0.
        let first = |at: i64| at.rem_euclid(side) - side * i64::from(at % side > 0);
        let mut number = 0;
        for north in (first(y)..height).step_by(side as usize) {
            for west in (first(x)..width).step_by(side as usize) {
                let mut rng = SeededRng::new(seed, b"droplets");
                rng.seek((phase << 15 | number) << 26);
                number += 1;
                (self.west, self.north) = (west, north);
                let count = (share + rng.unit()) as u32;
                let starts = (0..count).map(|_| {
                    let word = rng.word();
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
                if !went && let Some(droplet) = lane.take() {
                    self.end(&droplet);
                }
            }
        }
    }

    /// The droplet runs over the border, or deposits its load where it is.
    fn end(&mut self, droplet: &Droplet) {
        let beyond = (droplet.x + droplet.way.0, droplet.y + droplet.way.1);
        let (column, row, _, _) = Self::locate(droplet.x, droplet.y);
        if droplet.left > 0 && droplet.way != (0.0, 0.0) && !self.holds(beyond.0, beyond.1) {
            self.exported += f64::from(droplet.load);
        } else if droplet.load > 0.0 {
            let place = (column + self.west, row + self.north);
            self.mud.push((place, droplet.load));
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

    /// The cell north-west of a position in the region, and the position between the four cells.
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
        let four = [cell(0, 0), cell(1, 0), cell(0, 1), cell(1, 1)];
        let [nw, ne, sw, se] = four;
        let (north, south) = (ne - nw, se - sw);
        let (west, east) = (sw - nw, se - ne);
        let south_by = west + (east - west) * u;
        let above = north * u + south_by * v;
        let height = nw + whole(above.abs()) * above.signum();
        let lowest = four.into_iter().fold(f32::MAX, f32::min);
        let highest = four.into_iter().fold(f32::MIN, f32::max);
        let height = height.clamp(lowest, highest);
        (height, north + (south - north) * v, south_by)
    }

    fn step(&self, lane: usize, d: &mut Droplet) -> Option<Step> {
        let inertia = self.rain.inertia as f32;
        let turn = ((1.0 - self.rain.inertia) * self.steepness) as f32;
        let x = d.way.0 * inertia - d.slope.0 * turn;
        let y = d.way.1 * inertia - d.slope.1 * turn;
        let square = x * x + y * y;
        if square <= 1e-30 {
            d.way = (0.0, 0.0);
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
        let load = d.load;
        let room = capacity.min((1 << 21) as f32) - load;
        let most = (load - load * 2_f32.powi(-20) - 2.0).max(0.0);
        let amount = if fall < 0.0 {
            fall.max(-most)
        } else if room > 0.0 {
            (room * self.rain.erosion as f32).min(fall)
        } else {
            (room * self.rain.deposition as f32).max(-most)
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
        let mut taken = 0.0;
        for dy in 0..width as i64 {
            for dx in 0..width as i64 {
                let (dx, dy) = (dx - before, dy - before);
                let weight = weights(dx as f64, dy as f64);
                let Some(cell) = self.cell(column + dx, row + dy) else {
                    continue;
                };
                let old = *cell;
                *cell = if step.amount < 0.0 {
                    (old - whole(weight * step.amount)).min(old.max(ceiling))
                } else {
                    (old - whole(weight * step.amount)).max(old.min(floor))
                };
                taken += old - *cell;
            }
        }
        d.load += taken;
        assert!(d.load >= 0.0 && d.load.fract() == 0.0);
        self.eroded += f64::from(taken.max(0.0));
        self.deposited += f64::from((-taken).max(0.0));
        (d.x, d.y) = step.to;
        d.height = step.look.0;
        d.slope = (step.look.1, step.look.2);
    }

    /// The weights of a round brush, for one of 4 x 4 positions within a cell.
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

/// Rounds to the nearest integer, or to a multiple of the `f32` spacing where that is larger.
fn whole(grains: f32) -> f32 {
    const ROUNDER: f32 = 3.0 * (1 << 22) as f32;
    grains + ROUNDER - ROUNDER
}

fn four(u: f32, v: f32) -> Box<dyn Fn(f64, f64) -> f32> {
    Box::new(move |dx, dy| {
        let east = if dx == 0.0 { 1.0 - u } else { u };
        let south = if dy == 0.0 { 1.0 - v } else { v };
        east * south
    })
}
