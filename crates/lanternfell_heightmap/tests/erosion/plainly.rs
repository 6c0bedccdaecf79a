//! The definition of erosion by droplets, one droplet and one cell at a time.

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
    pub fn fall(rain: &'a HydraulicErosion, map: &Heightmap, context: &FilterContext) -> Self {
        let largest = map
            .heights()
            .iter()
            .fold(0_f32, |most, z| most.max(z.abs()));
        let unit = 2_f64.powi(f64::from(largest).log2().floor() as i32);
        let steepness = f64::from(context.scale.relief) / f64::from(context.scale.spacing);
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
