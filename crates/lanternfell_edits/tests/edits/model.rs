//! The slow model: all active strokes in order, cell by cell, on plain arrays.
//!
//! It has no tiles, checkpoints or floats, and computes everything again for each comparison.

use std::collections::BTreeMap;

use lanternfell_edits::{
    BaseHeights, Brush, CellRect, EditId, Edits, Entry, Falloff, Operation, PaintCell, Stroke,
};
use lanternfell_random::SplitMix64;

/// Rough ground that is the same at every place modulo 2^20 cells.
pub struct Rough;

pub fn rough(column: i64, row: i64) -> i32 {
    let (x, y) = (column.rem_euclid(1 << 20), row.rem_euclid(1 << 20));
    let waves = (x * 37 + y * 91) % 3000 + (x * x + 3 * y * y) % 1777;
    (waves - 2000) as i32
}

impl BaseHeights for Rough {
    fn heights_mm(&self, area: CellRect, heights: &mut [i32]) {
        assert_eq!(heights.len(), area.cells());
        let rows = heights.chunks_exact_mut(area.columns as usize);
        for (row, heights) in (area.row..).zip(rows) {
            for (column, height) in (area.column..).zip(heights) {
                *height = rough(column, row);
            }
        }
    }
}

/// The state of all cells of an area. Strokes must stay within it.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    pub area: CellRect,
    pub heights: Vec<i32>,
    pub holes: Vec<bool>,
    pub paint: Vec<PaintCell>,
    pub plants: Vec<u8>,
}

impl Model {
    pub fn unedited(area: CellRect) -> Self {
        let mut heights = vec![0; area.cells()];
        Rough.heights_mm(area, &mut heights);
        Self {
            area,
            heights,
            holes: vec![false; area.cells()],
            paint: vec![PaintCell::default(); area.cells()],
            plants: vec![255; area.cells()],
        }
    }

    /// The state that entries in any order lead to.
    pub fn of<'a>(area: CellRect, entries: impl IntoIterator<Item = &'a Entry>) -> Self {
        let mut order: Vec<&Entry> = entries.into_iter().collect();
        order.sort_by_key(|entry| (entry.time, entry.id.author, entry.id.sequence));
        let mut undone: BTreeMap<EditId, bool> = BTreeMap::new();
        for entry in &order {
            match entry.operation {
                Operation::Undo(id) => undone.insert(id, true),
                Operation::Redo(id) => undone.insert(id, false),
                Operation::Stroke(_) | Operation::Drag(_) => None,
            };
        }
        let mut model = Self::unedited(area);
        for entry in order {
            if undone.get(&entry.id) == Some(&true) {
                continue;
            }
            match &entry.operation {
                Operation::Stroke(stroke) => model.apply(stroke),
                Operation::Drag(stroke) => model.apply(&in_progress(stroke)),
                Operation::Undo(_) | Operation::Redo(_) => {}
            }
        }
        model
    }

    /// The state of edits.
    pub fn read(area: CellRect, edits: &Edits) -> Self {
        let cells = || {
            let rows = area.row..area.end_row();
            rows.flat_map(|row| (area.column..area.end_column()).map(move |column| (column, row)))
        };
        let heights = edits.heights_mm(area);
        for ((column, row), height) in cells().zip(&heights) {
            let delta = height.wrapping_sub(rough(column, row));
            assert_eq!(edits.delta_mm(column, row), delta);
        }
        Self {
            area,
            heights,
            holes: cells()
                .map(|(column, row)| edits.is_hole(column, row))
                .collect(),
            paint: cells()
                .map(|(column, row)| edits.paint(column, row))
                .collect(),
            plants: cells()
                .map(|(column, row)| edits.plants(column, row))
                .collect(),
        }
    }

    /// Panics with the first difference, if there is one.
    pub fn assert_is(&self, expected: &Self, what: &str) {
        let width = self.area.columns as usize;
        for at in 0..self.heights.len() {
            let cell = |model: &Self| {
                (
                    model.heights[at],
                    model.holes[at],
                    model.paint[at],
                    model.plants[at],
                )
            };
            let place = (at % width, at / width);
            assert_eq!(cell(self), cell(expected), "{what}: cell {place:?}");
        }
    }

    fn height(&self, column: i64, row: i64) -> i128 {
        match self.area.contains(column, row) {
            true => self.heights[self.index(column, row)].into(),
            false => rough(column, row).into(),
        }
    }

    fn index(&self, column: i64, row: i64) -> usize {
        let (x, y) = (column - self.area.column, row - self.area.row);
        y as usize * self.area.columns as usize + x as usize
    }

    fn apply(&mut self, stroke: &Stroke) {
        let before = self.clone();
        let width = i64::from(self.area.columns);
        let effects = Effects::of(stroke);
        let eroded = match stroke.brush {
            Brush::Erode { seed, steps } => before.eroded(&effects, seed, steps),
            _ => BTreeMap::new(),
        };
        for at in 0..self.heights.len() {
            let column = self.area.column + at as i64 % width;
            let row = self.area.row + at as i64 / width;
            if !effects.bounds.contains(column, row) {
                continue;
            }
            let all = effects.at(column, row);
            let sum: i128 = all.iter().sum();
            let left = all
                .iter()
                .fold(ONE, |left, effect| (left * (ONE - effect)) >> 16);
            let cover = ONE - left;
            match stroke.brush {
                Brush::Hole | Brush::Unhole => {
                    if !all.is_empty() {
                        self.holes[at] = stroke.brush == Brush::Hole;
                    }
                }
                Brush::Paint { layer } => {
                    if cover > 0 {
                        self.paint[at] = painted(self.paint[at], layer, cover);
                    }
                }
                Brush::Plants { density } => {
                    let now = i128::from(self.plants[at]);
                    self.plants[at] = (now + part(i128::from(density) - now, cover)) as u8;
                }
                _ => {
                    let amount = match stroke.brush {
                        Brush::Erode { .. } => eroded.get(&(column, row)).copied().or(Some(0)),
                        _ => amount(stroke, column, row, sum),
                    };
                    let change = match amount {
                        Some(amount) => amount,
                        None => {
                            let now = before.height(column, row);
                            part(before.target(stroke, column, row) - now, cover)
                        }
                    };
                    self.heights[at] = (i128::from(self.heights[at]) + change) as i32;
                }
            }
        }
    }

    /// What droplets change, for all of them one after the other.
    fn eroded(&self, effects: &Effects<'_>, seed: u64, steps: u32) -> BTreeMap<(i64, i64), i128> {
        let mut covers = BTreeMap::new();
        let bounds = effects.bounds;
        for row in bounds.row..bounds.end_row() {
            for column in bounds.column..bounds.end_column() {
                let all = effects.at(column, row);
                let left = all
                    .iter()
                    .fold(ONE, |left, effect| (left * (ONE - effect)) >> 16);
                if left < ONE {
                    covers.insert((column, row), ONE - left);
                }
            }
        }
        // How much higher each neighbor is, from the straight ones to the diagonal ones.
        let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
        let mut offsets: Vec<(i64, i64)> = around.filter(|at| *at != (0, 0)).collect();
        offsets.sort_by_key(|(dx, dy)| dx * dx + dy * dy);
        let neighbors = |(x, y): (i64, i64)| {
            offsets.iter().map(move |&(dx, dy)| {
                let above = self.height(x + dx, y + dy) - self.height(x, y);
                let weight = if dx * dy == 0 { 256 } else { 181 };
                ((x + dx, y + dy), above, above * weight)
            })
        };
        let mut changes: BTreeMap<(i64, i64), i128> = BTreeMap::new();
        for &start in covers.keys() {
            let across = SplitMix64::mix(seed ^ (start.0 as u64).wrapping_mul(SplitMix64::GAMMA));
            let hash = SplitMix64::mix(across ^ (start.1 as u64).wrapping_mul(SplitMix64::GAMMA));
            if hash >> 62 != 0 {
                continue;
            }
            let (mut at, mut sediment) = (start, 0);
            for _ in 0..steps {
                let Some(cover) = covers.get(&at) else {
                    break;
                };
                // The first of the steepest.
                let (next, _, slope) = neighbors(at).min_by_key(|next| next.2).unwrap();
                if slope >= 0 {
                    break;
                }
                let wanted = (-slope / 256 / 2 - sediment) / 4;
                let taken = if wanted > 0 {
                    wanted * cover / ONE
                } else {
                    wanted
                };
                *changes.entry(at).or_default() -= taken;
                sediment += taken;
                at = next;
            }
            if covers.contains_key(&at) {
                *changes.entry(at).or_default() += sediment;
            }
        }
        for (&at, change) in &mut changes {
            let least = neighbors(at).map(|next| next.1).min().unwrap().min(0);
            let most = neighbors(at).map(|next| next.1).max().unwrap().max(0);
            *change = (*change).clamp(least, most);
        }
        changes
    }

    /// The height to which a brush moves a cell.
    fn target(&self, stroke: &Stroke, column: i64, row: i64) -> i128 {
        let now = self.height(column, row);
        let near = |[x, y]: [i64; 2]| {
            let cell = |at: i64| (at as f64 / 256.0 + 0.5).floor() as i64;
            self.height(cell(x), cell(y))
        };
        let (first, last) = (stroke.points[0], *stroke.points.last().unwrap());
        match stroke.brush {
            Brush::Flatten { mm: Some(mm) } => mm.into(),
            Brush::Flatten { mm: None } => near(first),
            Brush::Slope => {
                let way = [0, 1].map(|axis| i128::from(last[axis] - first[axis]));
                let at = [column * 256 - first[0], row * 256 - first[1]].map(i128::from);
                let square = way[0] * way[0] + way[1] * way[1];
                let along = (way[0] * at[0] + way[1] * at[1]).clamp(0, square);
                let share = if square == 0 { 0 } else { along * ONE / square };
                near(first) + part(near(last) - near(first), share)
            }
            Brush::Terrace { mm } => {
                let step = i128::from(mm);
                (now + step / 2).div_euclid(step) * step
            }
            Brush::Smooth { reach } => self.mean(column, row, reach),
            Brush::Sharpen { reach } => 2 * now - self.mean(column, row, reach),
            Brush::Clone { offset: [x, y] } => self.height(column + x, row + y),
            _ => unreachable!(),
        }
    }

    fn mean(&self, column: i64, row: i64, reach: u32) -> i128 {
        let reach = i64::from(reach);
        let mut sum = 0;
        let mut count = 0;
        for y in row - reach..=row + reach {
            for x in column - reach..=column + reach {
                sum += self.height(x, y);
                count += 1;
            }
        }
        (sum + count / 2).div_euclid(count)
    }
}

/// The stroke of a drag in progress: without positions that are less than 1/16 of a cell from the last
/// one before them.
fn in_progress(drag: &Stroke) -> Stroke {
    if matches!(drag.brush, Brush::Stamp { .. }) {
        return simplified(drag);
    }
    Stroke {
        points: thinned(&drag.points),
        ..drag.clone()
    }
}

fn thinned(positions: &[[i64; 2]]) -> Vec<[i64; 2]> {
    let mut points = vec![positions[0]];
    for &[x, y] in positions {
        let [before_x, before_y] = points[points.len() - 1];
        if (x - before_x).pow(2) + (y - before_y).pow(2) >= 256 {
            points.push([x, y]);
        }
    }
    points
}

/// The stroke that a drag becomes in the end.
pub fn simplified(drag: &Stroke) -> Stroke {
    let positions = thinned(&drag.points);
    Stroke {
        falloff: drag.falloff,
        strength: drag.strength,
        ..Stroke::along(drag.brush.clone(), drag.radius, positions)
    }
}

const ONE: i128 = 65_536;

/// `value * of / 65536`, rounded to the nearest, halves up.
fn part(value: i128, of: i128) -> i128 {
    (value * of + ONE / 2).div_euclid(ONE)
}

/// The dabs of a stroke, and the cells that they may reach.
struct Effects<'a> {
    stroke: &'a Stroke,
    dabs: Vec<[i64; 2]>,
    bounds: CellRect,
}

impl<'a> Effects<'a> {
    fn of(stroke: &'a Stroke) -> Self {
        let dabs = stroke.dabs();
        let reach = i64::from(stroke.radius / 256) + 2;
        let least = |axis: usize| dabs.iter().map(|dab| dab[axis]).min().unwrap() / 256 - reach;
        let most = |axis: usize| dabs.iter().map(|dab| dab[axis]).max().unwrap() / 256 + reach;
        let size = |axis: usize| (most(axis) - least(axis)) as u32;
        let bounds = CellRect::new(least(0), least(1), size(0), size(1));
        Self {
            stroke,
            dabs,
            bounds,
        }
    }

    /// The effects of the dabs within whose radius a cell is.
    fn at(&self, column: i64, row: i64) -> Vec<i128> {
        let radius = i128::from(self.stroke.radius);
        let strength = i128::from(self.stroke.strength) * ONE / 1000;
        let effect = |&[x, y]: &[i64; 2]| {
            let (dx, dy) = (column * 256 - x, row * 256 - y);
            if dx.abs().max(dy.abs()) >= self.stroke.radius.into() {
                return None;
            }
            let (dx, dy) = (i128::from(dx), i128::from(dy));
            let square = dx * dx + dy * dy;
            if square >= radius * radius {
                return None;
            }
            let t = ONE * (radius - square.isqrt()) / radius;
            let falloff = match self.stroke.falloff {
                Falloff::Constant => ONE,
                Falloff::Linear => t,
                Falloff::Smooth => t * t * (3 * ONE - 2 * t) / ONE / ONE,
                Falloff::Dome => (ONE * ONE - (ONE - t) * (ONE - t)).isqrt(),
                Falloff::Tip => t * t / ONE,
            };
            Some(falloff * strength / ONE)
        };
        self.dabs.iter().filter_map(effect).collect()
    }
}

/// The amount of an additive brush.
fn amount(stroke: &Stroke, column: i64, row: i64, sum: i128) -> Option<i128> {
    match &stroke.brush {
        Brush::Raise { mm } => Some(part((*mm).into(), sum)),
        Brush::Lower { mm } => Some(-part((*mm).into(), sum)),
        Brush::Noise { seed, cells, mm } => {
            let noise = noise(*seed, i64::from(*cells), column, row);
            let amount = (i128::from(*mm) * noise).div_euclid(256);
            Some((amount * sum + (1 << 23)).div_euclid(1 << 24))
        }
        Brush::Stamp { image } => {
            let radius = i64::from(stroke.radius);
            let strength = i128::from(stroke.strength) * ONE / 1000;
            let mut sum = 0;
            for [x, y] in &stroke.points {
                let (dx, dy) = (column * 256 - x, row * 256 - y);
                if dx.abs() > radius || dy.abs() > radius {
                    continue;
                }
                let width = image.width() as usize;
                let rows = image.heights().len() / width;
                let place = |d: i64, pixels: usize| {
                    let share = (d + radius) * 65_536 / (2 * radius);
                    let place = share * (pixels as i64 - 1);
                    ((place / 65_536) as usize, i128::from(place % 65_536))
                };
                let ((px, east), (py, south)) = (place(dx, width), place(dy, rows));
                let pixel = |x: usize, y: usize| {
                    let (x, y) = (x.min(width - 1), y.min(rows - 1));
                    i128::from(image.heights()[y * width + x])
                };
                let row = |y| pixel(px, y) * (ONE - east) + pixel(px + 1, y) * east;
                sum += (row(py) * (ONE - south) + row(py + 1) * south).div_euclid(ONE);
            }
            Some((sum.div_euclid(256) * strength + (1 << 23)).div_euclid(1 << 24))
        }
        _ => None,
    }
}

fn noise(seed: u64, cells: i64, column: i64, row: i64) -> i128 {
    let value = |x: i64, y: i64| {
        let across = SplitMix64::mix(seed ^ (x as u64).wrapping_mul(SplitMix64::GAMMA));
        let hash = SplitMix64::mix(across ^ (y as u64).wrapping_mul(SplitMix64::GAMMA));
        i128::from(hash >> 47) - ONE
    };
    let share = |at: i64| {
        let t = i128::from(at.rem_euclid(cells)) * ONE / i128::from(cells);
        t * t * (3 * ONE - 2 * t) / ONE / ONE
    };
    let mix = |a: i128, b: i128, t: i128| a + ((b - a) * t).div_euclid(ONE);
    let (x, y) = (column.div_euclid(cells), row.div_euclid(cells));
    let north = mix(value(x, y), value(x + 1, y), share(column));
    let south = mix(value(x, y + 1), value(x + 1, y + 1), share(column));
    mix(north, south, share(row))
}

/// Paints by a list of layers and what they cover.
fn painted(cell: PaintCell, layer: u8, cover: i128) -> PaintCell {
    let covers = |of: i128, times: i128| (of * times + ONE / 2) / ONE;
    let is_it = |at: usize| cell.covers[at] > 0 && cell.layers[at] == layer;
    let covered = (0..2).find(|&at| is_it(at)).map_or(0, |at| cell.covers[at]);
    if covers(255 - i128::from(covered), cover) == 0 {
        return cell;
    }
    let mut layers: Vec<(i128, u8)> = (0..2)
        .map(|at| (i128::from(cell.covers[at]), cell.layers[at]))
        .filter(|layer| layer.0 > 0)
        .collect();
    let known = layers.iter().position(|known| known.1 == layer);
    if known.is_none() && layers.len() == 2 {
        layers.pop();
    }
    let before = known.map_or(0, |at| layers.remove(at).0);
    let after = before + covers(255 - before, cover);
    for other in &mut layers {
        other.0 = covers(other.0, ONE - cover).min(255 - after);
    }
    layers.push((after, layer));
    layers.retain(|layer| layer.0 > 0);
    layers.sort_by_key(|&(covers, layer)| (-covers, layer));
    layers.resize(2, (0, 0));
    PaintCell {
        layers: [layers[0].1, layers[1].1],
        covers: [layers[0].0 as u8, layers[1].0 as u8],
    }
}
