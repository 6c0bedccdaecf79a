//! A slow and simple implementation of the automaton in double precision.

use core::f64::consts::TAU;

use glam::{BVec3, DVec2, DVec3};
use lanternfell_lightgrid::{IVec2, LUMINANCE, LightGrid, Neighborhood, Source, Vec3};

/// Steps set light below this to zero.
pub const DARK: f64 = 1.0 / 65536.0;

/// The light of a grid, computed by the definition.
pub struct Oracle {
    size: IVec2,
    neighborhood: Neighborhood,
    keep: f64,
    transparency: Vec<DVec3>,
    albedo: Vec<DVec3>,
    pub ambient: Vec<DVec3>,
    pub held: Vec<DVec3>,
    pub dark: Vec<DVec3>,
    pub light: Vec<DVec3>,
}

impl Oracle {
    /// The state of a grid.
    pub fn of(grid: &LightGrid) -> Self {
        let light = super::lights(grid);
        Self::with_light(grid, light.into_iter().map(Vec3::as_dvec3).collect())
    }

    /// Copies the state of a grid, but keeps the light of the oracle.
    pub fn follow(&mut self, grid: &LightGrid) {
        *self = Self::with_light(grid, core::mem::take(&mut self.light));
    }

    fn with_light(grid: &LightGrid, light: Vec<DVec3>) -> Self {
        let neighborhood = grid.settings().neighborhood;
        let color = |light| in_colors(grid, light);
        let cells = || grid.cells().iter();
        let regions = super::places(grid).map(|cell| grid.region(cell));
        let none = vec![DVec3::ZERO; light.len()];
        let mut oracle = Self {
            size: grid.size().as_ivec2(),
            neighborhood,
            keep: 1.0 - f64::from(grid.decay()),
            transparency: cells().map(|cell| color(cell.transparency)).collect(),
            albedo: cells().map(|cell| color(cell.albedo)).collect(),
            ambient: regions.map(|region| color(grid.ambient(region))).collect(),
            held: none.clone(),
            dark: none,
            light,
        };
        let nearby_light = open_ground(neighborhood, f64::from(grid.decay()));
        for source in grid.sources() {
            if neighborhood == Neighborhood::Hexagonal {
                oracle.place_between_hexagons(grid, source, nearby_light[1]);
            } else {
                oracle.place(grid, source, nearby_light);
            }
        }
        oracle
    }

    fn index(&self, cell: IVec2) -> Option<usize> {
        let inside = cell.cmpge(IVec2::ZERO).all() && cell.cmplt(self.size).all();
        inside.then(|| (cell.y * self.size.x + cell.x) as usize)
    }

    /// Shares a source among its cells. `nearby_light` is the light around a lamp on open ground: in
    /// its cell, next to it, and diagonally next to it.
    fn place(&mut self, grid: &LightGrid, source: &Source, nearby_light: [f64; 3]) {
        let light = in_colors(grid, source.light);
        let at = DVec2::new(source.at.x.into(), source.at.y.into());
        let first = at.floor();
        let part = at - first;
        let first = first.as_ivec2();
        let share = |cell: IVec2| {
            let x = if cell.x == first.x {
                1.0 - part.x
            } else {
                part.x
            };
            let y = if cell.y == first.y {
                1.0 - part.y
            } else {
                part.y
            };
            x * y
        };
        let cells = [(0, 0), (1, 0), (0, 1), (1, 1)];
        let cells = cells.map(|(x, y)| first.saturating_add(IVec2::new(x, y)));
        let home = (at + 0.5).floor().as_ivec2();
        for cell in cells.into_iter().filter(|&cell| share(cell) > 0.0) {
            let between = [IVec2::new(cell.x, home.y), IVec2::new(home.x, cell.y)];
            let is_diagonal = cell.x != home.x && cell.y != home.y;
            if is_diagonal && between.into_iter().all(|cell| grid.is_opaque(cell)) {
                continue;
            }
            let Some(index) = self.index(cell) else {
                continue;
            };
            let given = cells.map(|other| {
                let apart = usize::from(other.x != cell.x) + usize::from(other.y != cell.y);
                share(other) * nearby_light[apart]
            });
            let held = light * given.iter().sum::<f64>();
            self.held[index] = self.held[index].max(held);
            self.dark[index] = self.dark[index].max(-light * share(cell));
        }
    }

    /// Shares a source among the hexagons around it. Each share decreases linearly from 1 at the
    /// center of a hexagon to 0 at the lines between the centers of its neighbors.
    fn place_between_hexagons(&mut self, grid: &LightGrid, source: &Source, adjacent_light: f64) {
        let light = in_colors(grid, source.light);
        let at = DVec2::new(source.at.x.into(), source.at.y.into());
        let (row, part) = (at.y.floor(), at.y - at.y.floor());
        let is_odd = row.rem_euclid(2.0) == 1.0;
        let east = 0.5 * if is_odd { 1.0 - part } else { part };
        let lies = DVec2::new(at.x + east, at.y * 0.75_f64.sqrt());
        let share = |cell: IVec2| {
            let away = lies - hexagon_middle(cell);
            let furthest = (0..6).map(|n| {
                let angle = TAU * (f64::from(n) + 0.5) / 6.0;
                away.dot(DVec2::from_angle(angle))
            });
            let furthest = furthest.fold(0.0, f64::max);
            (1.0 - furthest / 0.75_f64.sqrt()).max(0.0)
        };
        let home = at.round().as_ivec2();
        let near: Vec<IVec2> = (-2..=2)
            .flat_map(|y| (-2..=2).map(move |x| home.saturating_add(IVec2::new(x, y))))
            .filter(|&cell| share(cell) > 1e-9)
            .collect();
        for &cell in &near {
            let Some(index) = self.index(cell) else {
                continue;
            };
            let given = near.iter().map(|&other| {
                let apart = if other == cell { 1.0 } else { adjacent_light };
                share(other) * apart
            });
            let held = light * given.sum::<f64>();
            self.held[index] = self.held[index].max(held);
            self.dark[index] = self.dark[index].max(-light * share(cell));
        }
    }

    /// Performs one step, which sets light below [`DARK`] to zero.
    pub fn step(&mut self) {
        let cells = (0..self.size.y).flat_map(|y| (0..self.size.x).map(move |x| IVec2::new(x, y)));
        let next = cells.map(|cell| {
            let average = self.average(cell);
            let visible = DVec3::select(average.cmplt(DVec3::splat(DARK)), DVec3::ZERO, average);
            self.bounded(cell, visible)
        });
        self.light = next.collect();
    }

    /// Iterates until the light rests, to within `tolerance`. Keeps faint light.
    pub fn rest(&mut self, tolerance: f64) {
        let enough = tolerance * (1.0 - self.keep);
        while self.sweep() > enough {}
    }

    /// The largest distance of a cell from the light that its neighbors, sources and ambient light
    /// demand.
    pub fn residual(&self) -> f64 {
        let cells = (0..self.size.y).flat_map(|y| (0..self.size.x).map(move |x| IVec2::new(x, y)));
        let asked = cells.map(|cell| self.bounded(cell, self.average(cell)));
        let apart = asked
            .zip(&self.light)
            .map(|(a, b)| (a - b).abs().max_element());
        apart.fold(0.0, f64::max)
    }

    /// Updates all cells in place. Returns the largest change.
    fn sweep(&mut self) -> f64 {
        let mut change = 0.0_f64;
        for index in 0..self.light.len() {
            let width = self.size.x as usize;
            let cell = IVec2::new((index % width) as i32, (index / width) as i32);
            let next = self.bounded(cell, self.average(cell));
            change = change.max((next - self.light[index]).abs().max_element());
            self.light[index] = next;
        }
        change
    }

    fn average(&self, cell: IVec2) -> DVec3 {
        self.average_of(&self.light, cell)
    }

    /// The average of a cell, for light given row by row.
    pub fn average_of(&self, light: &[DVec3], cell: IVec2) -> DVec3 {
        let (mut above, mut below) = (DVec3::ZERO, DVec3::ZERO);
        for step in (-1..=1).flat_map(|y| (-1..=1).map(move |x| IVec2::new(x, y))) {
            let Some(j) = self.index(cell + step) else {
                continue;
            };
            let weight = weight(self.neighborhood, cell, step);
            let open = DVec3::select(self.is_cut(cell, step), DVec3::ZERO, DVec3::splat(weight));
            above += open * self.transparency[j] * light[j];
            below += open * (1.0 - (1.0 - self.transparency[j]) * self.albedo[j]);
        }
        DVec3::select(
            below.cmpgt(DVec3::ZERO),
            self.keep * above / below,
            DVec3::ZERO,
        )
    }

    /// The colors in which a diagonal step would lead between two opaque cells.
    fn is_cut(&self, cell: IVec2, step: IVec2) -> BVec3 {
        if step.x == 0 || step.y == 0 || self.neighborhood == Neighborhood::Hexagonal {
            return BVec3::FALSE;
        }
        let is_opaque = |cell| {
            let transparency = self.index(cell).map(|i| self.transparency[i]);
            transparency.unwrap_or(DVec3::ZERO).cmpeq(DVec3::ZERO)
        };
        let (side, other) = (IVec2::new(step.x, 0), IVec2::new(0, step.y));
        !is_opaque(cell) & is_opaque(cell + side) & is_opaque(cell + other)
    }

    fn bounded(&self, cell: IVec2, light: DVec3) -> DVec3 {
        let index = (cell.y * self.size.x + cell.x) as usize;
        let held = light.max(self.ambient[index]).max(self.held[index]);
        (held - self.dark[index]).max(DVec3::ZERO)
    }
}

/// The center of a hexagon in the plane, where neighbors are 1 apart.
pub fn hexagon_middle(cell: IVec2) -> DVec2 {
    let east = 0.5 * f64::from(cell.y.rem_euclid(2));
    DVec2::new(
        f64::from(cell.x) + east,
        f64::from(cell.y) * 0.75_f64.sqrt(),
    )
}

/// The weight of the cell that is one step away in the average of a cell.
pub fn weight(neighborhood: Neighborhood, cell: IVec2, step: IVec2) -> f64 {
    let (edge, corner) = match neighborhood {
        Neighborhood::Four => (1.0, 0.0),
        Neighborhood::Eight => (1.0, 1.0),
        Neighborhood::Isotropic => (4.0, 1.0),
        Neighborhood::Hexagonal => {
            let apart = hexagon_middle(cell + step).distance(hexagon_middle(cell));
            return f64::from(u8::from(apart < 1.1));
        }
    };
    if step.x == 0 || step.y == 0 {
        edge
    } else {
        corner
    }
}

/// A color, converted to its luminance if the grid is gray. Gray stays exactly the same.
fn in_colors(grid: &LightGrid, color: Vec3) -> DVec3 {
    let is_gray = color.x == color.y && color.y == color.z;
    if grid.is_gray() && !is_gray {
        let luminance = color.as_dvec3().dot(LUMINANCE.as_dvec3());
        return DVec3::splat(luminance);
    }
    color.as_dvec3()
}

/// The settled light on infinite open ground in the cell of a lamp, next to it, and diagonally next
/// to it. Computed as a sum over all waves of a large torus.
fn open_ground(neighborhood: Neighborhood, decay: f64) -> [f64; 3] {
    if decay < 1e-7 {
        return [1.0; 3];
    }
    // Light reaches about 1 / sqrt(decay).
    let waves = if decay >= 0.002 * 0.999 { 192 } else { 1152 };
    assert!(decay >= 6e-5, "the torus is too small");
    // On hexagons, in coordinates along two of the axes.
    let steps = [-1, 0, 1].map(|y| [-1, 0, 1].map(|x| IVec2::new(x, y)));
    let steps = steps.as_flattened().iter();
    let weights: Vec<(IVec2, f64)> = match neighborhood {
        Neighborhood::Hexagonal => steps
            .filter(|step| step.x * step.y != 1)
            .map(|&step| (step, 1.0))
            .collect(),
        _ => steps
            .map(|&step| (step, weight(neighborhood, IVec2::ZERO, step)))
            .collect(),
    };
    let all: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let cosines: Vec<f64> = (0..waves)
        .map(|wave| (TAU * f64::from(wave) / f64::from(waves)).cos())
        .collect();
    let sines: Vec<f64> = (0..waves)
        .map(|wave| (TAU * f64::from(wave) / f64::from(waves)).sin())
        .collect();
    let mut light = [0.0; 3];
    for x in 0..waves as usize {
        for y in 0..waves as usize {
            // The real part of the wave at a step.
            let at = |step: IVec2| {
                let column = if step.x == 0 { 1.0 } else { cosines[x] };
                let row = if step.y == 0 { 1.0 } else { cosines[y] };
                column * row - f64::from(step.x * step.y) * sines[x] * sines[y]
            };
            let average: f64 = weights
                .iter()
                .map(|&(step, weight)| weight * at(step))
                .sum();
            let part = 1.0 / (1.0 - (1.0 - decay) * average / all);
            light[0] += part;
            light[1] += part * cosines[x];
            light[2] += part * at(IVec2::ONE);
        }
    }
    light.map(|each| each / light[0])
}
