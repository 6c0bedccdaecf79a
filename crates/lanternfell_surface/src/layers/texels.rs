//! Evaluates the rules of layers: the two strongest layers of each texel, a row at a time.
//!
//! Problem: up to sixteen rules have up to ten conditions each, at up to four million texels. Some
//! conditions are noise, which costs more than all others together.
//!
//! Idea: evaluate a rule for a whole row before the next rule. Then the conditions of height and
//! slope are loops without branches over plain numbers, which the compiler vectorizes. Noise only
//! makes a weight smaller, so it is evaluated last, and only where the weight without it would
//! still be among the two largest. Rules with large weights come first, so that this is rare.
//!
//! The order of evaluation does not change the result: of equal weights, the layer with the lower
//! index wins.

use fearless_simd::{Level, dispatch};
use glam::DVec2;

use super::{
    parts::{Land, Part, Parts},
    rule::{LayerError, LayerRule, LayerRules, is_bounded},
};
use lanternfell_heightmap::{Band, Heightmap, MapSize, climate::BiomeMap};

/// The rules and their inputs.
pub(super) struct Texels<'a> {
    rules: &'a LayerRules,
    /// The indices of the rules, from the largest possible weight to the smallest.
    order: Vec<usize>,
    land: Land<'a>,
    parts: &'a Parts,
    biomes: Vec<u64>,
    masks: Vec<Option<&'a Heightmap>>,
    /// The position of the map's center on the plane of the noise, in meters.
    place: DVec2,
}

/// The inputs of the rules along one row of texels.
struct Row {
    y: usize,
    /// The values that each of the [`bands`] limits. Those of maps are empty if no rule uses them.
    lines: [Line; 7],
    /// The positions on the plane of the noise, in meters.
    xs: Vec<f64>,
    z: f64,
}

/// The bands of a rule: heights above the sea in meters, altitudes as a share of the land's, slopes in degrees,
/// curvature, distances to the coast and to natural rivers, and moisture.
fn bands(rule: &LayerRule) -> [&Band; 7] {
    [
        &rule.height,
        &rule.altitude,
        &rule.slope,
        &rule.curvature,
        &rule.coast,
        &rule.river,
        &rule.moisture,
    ]
}

/// Values along a row.
struct Line {
    values: Vec<f64>,
    /// The least and the largest value of each [`RUN`] of texels. Most runs are inside or outside of a band as a whole.
    ranges: Vec<[f64; 2]>,
}

/// The number of texels whose values are compared with a band at once.
const RUN: usize = 32;

impl Line {
    fn new(values: Vec<f64>) -> Self {
        let range = |run: &[f64]| {
            let none = [f64::INFINITY, f64::NEG_INFINITY];
            run.iter().fold(none, |[low, high], &value| {
                [low.min(value), high.max(value)]
            })
        };
        let ranges = values.chunks(RUN).map(range).collect();
        Self { values, ranges }
    }
}

/// The two largest weights of each texel in a row, and their layers. A weight of 0 counts as none.
struct Strongest {
    first: Vec<f32>,
    second: Vec<f32>,
    first_layer: Vec<u32>,
    second_layer: Vec<u32>,
}

impl<'a> Texels<'a> {
    /// `masks` are the maps that rules can name.
    pub(super) fn new(
        rules: &'a LayerRules,
        masks: &[(&'a str, &'a Heightmap)],
        place: DVec2,
        land: Land<'a>,
        parts: &'a Parts,
    ) -> Result<Self, LayerError> {
        let find = |(layer, rule): (usize, &LayerRule)| {
            let Some(name) = &rule.mask else {
                return Ok(None);
            };
            let found = masks.iter().find(|(known, _)| known == name);
            let missing = || LayerError::UnknownMask {
                layer,
                name: name.clone(),
            };
            found.map(|(_, map)| Some(*map)).ok_or_else(missing)
        };
        let mut order: Vec<usize> = (0..rules.rules.len()).collect();
        order.sort_by(|&a, &b| {
            let most = |layer: usize| rules.rules[layer].most();
            most(b).total_cmp(&most(a))
        });
        Ok(Self {
            rules,
            order,
            land,
            parts,
            biomes: rules.biomes()?,
            masks: rules
                .rules
                .iter()
                .enumerate()
                .map(find)
                .collect::<Result<_, _>>()?,
            place,
        })
    }

    /// Fills row `y` of the texels.
    pub(super) fn fill(&self, y: usize, texels: &mut [[u8; 2]]) {
        let row = self.row(y);
        let mut strongest = Strongest::none(texels.len());
        let mut weights = vec![0.0; texels.len()];
        for &layer in &self.order {
            self.weigh(layer, &row, &strongest, &mut weights);
            dispatch!(Level::new(), _simd => strongest.add(layer as u32, &weights));
        }
        strongest.pack(texels);
    }

    fn row(&self, y: usize) -> Row {
        let Land { map, scale, .. } = self.land;
        let last = DVec2::new((map.width() - 1) as f64, (map.height() - 1) as f64);
        let spacing = f64::from(scale.spacing);
        let along =
            |place: f64, texel: usize, last: f64| place + (texel as f64 - last * 0.5) * spacing;
        let z = along(self.place.y, y, last.y);
        let xs: Vec<f64> = (0..map.width())
            .map(|x| along(self.place.x, x, last.x))
            .collect();
        let fray = self.rules.fray.along(&xs, z);
        let [mut heights, mut altitudes, mut slopes] = [(); 3].map(|()| vec![0.0; xs.len()]);
        dispatch!(Level::new(), _simd => {
            self.fray(y, &fray, [&mut heights, &mut altitudes, &mut slopes]);
        });
        let curvature = self.parts.curvature.as_ref().map(|map| map.row(y));
        let curvature = curvature.unwrap_or_default().iter().copied();
        let lines = [
            heights,
            altitudes,
            slopes,
            curvature.map(f64::from).collect(),
            Self::part(y, self.parts.coast.as_ref()),
            Self::part(y, self.parts.river.as_ref()),
            Self::part(y, self.moisture()),
        ];
        Row {
            y,
            lines: lines.map(Line::new),
            xs,
            z,
        }
    }

    fn part(y: usize, part: Option<&Part>) -> Vec<f64> {
        part.map_or_else(Vec::new, |part| part.row(y).map(f64::from).collect())
    }

    /// The moisture, if a rule uses it.
    fn moisture(&self) -> Option<&'a Part> {
        let is_asked = self.rules.ask_for(|rule| &rule.moisture);
        is_asked.then_some(&self.parts.moisture)
    }

    /// Computes heights, altitudes and slopes, displaced by `fray`.
    #[inline(always)]
    fn fray(&self, y: usize, fray: &[f64], [heights, altitudes, slopes]: [&mut [f64]; 3]) {
        let Land {
            map,
            scale,
            sea_level,
        } = self.land;
        let sea_level = f64::from(sea_level);
        let land = (1.0 - sea_level).max(1e-6);
        let relief = f64::from(scale.relief);
        let by = &self.rules.fray;
        let heights = heights.iter_mut().zip(altitudes);
        for (((height, altitude), &map), &fray) in heights.zip(map.row(y)).zip(fray) {
            let above = f64::from(map) - sea_level;
            let frayed = fray * by.height;
            *height = above * relief + frayed;
            *altitude = (above + frayed / relief) / land;
        }
        let of_map = self.parts.slope.row(y);
        for ((slope, &map), &fray) in slopes.iter_mut().zip(of_map).zip(fray) {
            *slope = f64::from(map) + fray * by.slope;
        }
    }

    /// Computes the weights of a layer. Where a weight cannot be among the two largest, it may be
    /// too large, but not large enough to be among them.
    fn weigh(&self, layer: usize, row: &Row, strongest: &Strongest, weights: &mut [f64]) {
        let rule = &self.rules.rules[layer];
        weights.fill(rule.weight);
        for (band, line) in bands(rule).into_iter().zip(&row.lines) {
            if is_bounded(band) {
                dispatch!(Level::new(), _simd => limit(band, line, weights));
            }
        }
        self.limit_by_maps(layer, row.y, weights);
        if let Some(noise) = &rule.noise {
            let is_open = |x: usize| strongest.would_take(x, layer as u32, weights[x] as f32);
            let open: Vec<usize> = (0..weights.len()).filter(|&x| is_open(x)).collect();
            let xs: Vec<f64> = open.iter().map(|&x| row.xs[x]).collect();
            for (x, share) in open.into_iter().zip(noise.along(&xs, row.z)) {
                weights[x] *= share;
            }
        }
        if let (Some(near), Some(water)) = (&rule.beside_water, &self.parts.water) {
            let distances = water.row(row.y);
            for (weight, distance) in weights.iter_mut().zip(distances) {
                *weight = weight.max(near.wants(distance.into()));
            }
        }
    }

    /// Multiplies the weights by the conditions that look up the nearest cell of a map.
    fn limit_by_maps(&self, layer: usize, y: usize, weights: &mut [f64]) {
        let rule = &self.rules.rules[layer];
        if !rule.biomes.is_empty() {
            each(weights, |x| match self.grows(layer, self.share(x, y)) {
                true => 1.0,
                false => 0.0,
            });
        }
        if let Some(mask) = self.masks[layer] {
            each(weights, |x| {
                nearest(mask, self.share(x, y)).clamp(0.0, 1.0).into()
            });
        }
    }

    /// The position of a texel as fractions of the map's extent.
    fn share(&self, x: usize, y: usize) -> DVec2 {
        let last = DVec2::new(
            (self.land.map.width() - 1) as f64,
            (self.land.map.height() - 1) as f64,
        );
        DVec2::new(x as f64, y as f64) / last
    }

    fn grows(&self, layer: usize, share: DVec2) -> bool {
        let biomes: &BiomeMap = match &self.parts.biomes {
            Some(biomes) => biomes,
            None => return true,
        };
        let biome = biomes.at(share);
        biome < 64 && self.biomes[layer] >> biome & 1 == 1
    }
}

/// Multiplies the weights by the shares of values in a band, as [`Band::share`] defines them.
#[inline(always)]
fn limit(band: &Band, line: &Line, weights: &mut [f64]) {
    let from = band.from.unwrap_or(f64::NEG_INFINITY);
    let to = band.to.unwrap_or(f64::INFINITY);
    let fade = band.fade;
    let runs = weights.chunks_mut(RUN).zip(line.values.chunks(RUN));
    for ((weights, values), &[low, high]) in runs.zip(&line.ranges) {
        if low >= from && high <= to {
            continue;
        }
        let least = (from - high).max(low - to);
        if least > 0.0 && least >= fade {
            weights.fill(0.0);
            continue;
        }
        for (weight, &value) in weights.iter_mut().zip(values) {
            let beyond = (from - value).max(value - to);
            // Computed in any case, because a division is cheaper than a branch.
            let faded = 1.0 - beyond / fade;
            let share = if beyond < fade { faded } else { 0.0 };
            *weight *= if beyond <= 0.0 { 1.0 } else { share };
        }
    }
}

/// Multiplies each weight that is not 0 by `share(x)`.
fn each(weights: &mut [f64], share: impl Fn(usize) -> f64) {
    for (x, weight) in weights.iter_mut().enumerate() {
        if *weight > 0.0 {
            *weight *= share(x);
        }
    }
}

impl Strongest {
    fn none(texels: usize) -> Self {
        Self {
            first: vec![0.0; texels],
            second: vec![0.0; texels],
            first_layer: vec![0; texels],
            second_layer: vec![0; texels],
        }
    }

    /// Whether a layer with this weight would be the first or the second of a texel.
    fn would_take(&self, x: usize, layer: u32, weight: f32) -> bool {
        let (second, second_layer) = (self.second[x], self.second_layer[x]);
        weight > second || (weight == second && layer < second_layer)
    }

    /// Takes the weights of one more layer.
    #[inline(always)]
    fn add(&mut self, layer: u32, weights: &[f64]) {
        let count = weights.len();
        let (first, second) = (&mut self.first[..count], &mut self.second[..count]);
        let first_layer = &mut self.first_layer[..count];
        let second_layer = &mut self.second_layer[..count];
        for x in 0..count {
            let weight = weights[x] as f32;
            let (old, old_layer) = (first[x], first_layer[x]);
            let wins = (weight > old) | ((weight == old) & (layer < old_layer));
            // The layer that did not become the first may be the second.
            let (rest, rest_layer) = match wins {
                true => (old, old_layer),
                false => (weight, layer),
            };
            let (next, next_layer) = (second[x], second_layer[x]);
            let follows = (rest > next) | ((rest == next) & (rest_layer < next_layer));
            first[x] = if wins { weight } else { old };
            first_layer[x] = if wins { layer } else { old_layer };
            second[x] = if follows { rest } else { next };
            second_layer[x] = if follows { rest_layer } else { next_layer };
        }
    }

    fn pack(&self, texels: &mut [[u8; 2]]) {
        for (x, texel) in texels.iter_mut().enumerate() {
            *texel = packed(
                (self.first_layer[x] as u8, self.first[x]),
                (self.second_layer[x] as u8, self.second[x]),
            );
        }
    }
}

/// Packs two layers with their weights into a texel of a [`ControlMap`](super::ControlMap).
pub(super) fn packed(first: (u8, f32), second: (u8, f32)) -> [u8; 2] {
    let sum = first.1 + second.1;
    if second.1 <= 0.0 || sum <= 0.0 {
        return [first.0 | first.0 << 4, 0];
    }
    let share = second.1 / sum * 255.0;
    [first.0 | second.0 << 4, (share + 0.5) as u8]
}

/// Returns the cell nearest to a position, given as fractions of the map's extent.
fn cell_at(size: MapSize, share: DVec2) -> (usize, usize) {
    let along = |share: f64, cells: usize| (share * (cells - 1) as f64 + 0.5) as usize;
    (along(share.x, size.width()), along(share.y, size.height()))
}

fn nearest(map: &Heightmap, share: DVec2) -> f32 {
    let (x, y) = cell_at(map.size(), share);
    map.get(x, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with [`Band::share`], at the borders of bands and for runs that are inside and outside as a whole.
    #[test]
    fn limit_matches_the_definition() {
        let values: Vec<f64> = (0..500)
            .map(|index| f64::from(index / 100) + f64::from(index % 7) * 0.125)
            .collect();
        let line = Line::new(values.clone());
        let bounds = [
            None,
            Some(-9.0),
            Some(1.0),
            Some(2.125),
            Some(4.75),
            Some(9.0),
        ];
        for from in bounds {
            for to in bounds {
                for fade in [0.0, 0.125, 1.5, 20.0] {
                    let band = Band { from, to, fade };
                    let mut weights = vec![0.7; values.len()];
                    limit(&band, &line, &mut weights);
                    let expected = values.iter().map(|&value| 0.7 * band.share(value));
                    assert_eq!(weights, expected.collect::<Vec<_>>(), "{band:?}");
                }
            }
        }
    }
}
