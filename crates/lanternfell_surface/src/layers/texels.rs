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
    /// The height above the sea in meters, with fraying.
    heights: Vec<f64>,
    /// The height above the sea as a share of the land's, with fraying.
    altitudes: Vec<f64>,
    /// The slope in degrees, with fraying.
    slopes: Vec<f64>,
    /// The distances to the coast and to natural rivers, the moisture and the curvature. Empty if no rule uses them.
    coast: Vec<f64>,
    river: Vec<f64>,
    moisture: Vec<f64>,
    curvature: Vec<f64>,
    /// The positions on the plane of the noise, in meters.
    xs: Vec<f64>,
    z: f64,
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
        let mut row = Row {
            y,
            heights: vec![0.0; xs.len()],
            altitudes: vec![0.0; xs.len()],
            slopes: vec![0.0; xs.len()],
            coast: self.part(y, self.parts.coast.as_ref()),
            river: self.part(y, self.parts.river.as_ref()),
            moisture: self.part(y, self.moisture()),
            curvature: match &self.parts.curvature {
                Some(map) => map.row(y).iter().map(|&value| value.into()).collect(),
                None => Vec::new(),
            },
            xs,
            z,
        };
        dispatch!(Level::new(), _simd => self.fray(&fray, &mut row));
        row
    }

    fn part(&self, y: usize, part: Option<&Part>) -> Vec<f64> {
        let size = self.land.map.size();
        part.map_or_else(Vec::new, |part| part.row(y, size).map(f64::from).collect())
    }

    /// The moisture, if a rule uses it.
    fn moisture(&self) -> Option<&'a Part> {
        let is_asked = self.rules.ask_for(|rule| &rule.moisture);
        is_asked.then_some(&self.parts.moisture)
    }

    /// Computes heights and slopes, displaced by `fray`.
    #[inline(always)]
    fn fray(&self, fray: &[f64], row: &mut Row) {
        let Land {
            map,
            scale,
            sea_level,
        } = self.land;
        let sea_level = f64::from(sea_level);
        let land = (1.0 - sea_level).max(1e-6);
        let relief = f64::from(scale.relief);
        let by = &self.rules.fray;
        let heights = row.heights.iter_mut().zip(&mut row.altitudes);
        for (((height, altitude), &map), &fray) in heights.zip(map.row(row.y)).zip(fray) {
            let above = f64::from(map) - sea_level;
            let frayed = fray * by.height;
            *height = above * relief + frayed;
            *altitude = (above + frayed / relief) / land;
        }
        let slopes = self.parts.slope.row(row.y);
        for ((slope, &map), &fray) in row.slopes.iter_mut().zip(slopes).zip(fray) {
            *slope = f64::from(map) + fray * by.slope;
        }
    }

    /// Computes the weights of a layer. Where a weight cannot be among the two largest, it may be
    /// too large, but not large enough to be among them.
    fn weigh(&self, layer: usize, row: &Row, strongest: &Strongest, weights: &mut [f64]) {
        let rule = &self.rules.rules[layer];
        weights.fill(rule.weight);
        let bands = [
            (&rule.height, &row.heights),
            (&rule.altitude, &row.altitudes),
            (&rule.slope, &row.slopes),
            (&rule.curvature, &row.curvature),
            (&rule.coast, &row.coast),
            (&rule.river, &row.river),
            (&rule.moisture, &row.moisture),
        ];
        for (band, values) in bands {
            if is_bounded(band) {
                dispatch!(Level::new(), _simd => limit(band, values, weights));
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
            let distances = water.row(row.y, self.land.map.size());
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
fn limit(band: &Band, values: &[f64], weights: &mut [f64]) {
    let from = band.from.unwrap_or(f64::NEG_INFINITY);
    let to = band.to.unwrap_or(f64::INFINITY);
    let fade = band.fade;
    for (weight, &value) in weights.iter_mut().zip(values) {
        let beyond = (from - value).max(value - to);
        // Computed in any case, because a division is cheaper than a branch.
        let faded = 1.0 - beyond / fade;
        let share = if beyond < fade { faded } else { 0.0 };
        *weight *= if beyond <= 0.0 { 1.0 } else { share };
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
