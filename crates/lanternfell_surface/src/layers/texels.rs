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
    line::RUN,
    local::LocalParts,
    parts::{Parts, Texels},
    row::{Row, Rows, bands},
    rule::{LayerError, LayerRule, LayerRules, is_bounded},
};
use lanternfell_heightmap::{Heightmap, MapSize, climate::BiomeMap};

/// The rules and their inputs.
pub(super) struct Evaluation<'a> {
    rules: &'a LayerRules,
    /// The indices of the rules, from the largest possible weight to the smallest.
    order: Vec<usize>,
    size: MapSize,
    parts: &'a Parts,
    biomes: Vec<u64>,
    masks: Vec<Option<&'a Heightmap>>,
    rows: Rows<'a>,
}

/// The two largest weights of each texel in a row, and their layers. A weight of 0 counts as none.
struct Strongest {
    first: Vec<f32>,
    second: Vec<f32>,
    first_layer: Vec<u32>,
    second_layer: Vec<u32>,
}

impl<'a> Evaluation<'a> {
    /// `masks` are the maps that rules can name.
    pub(super) fn new(
        rules: &'a LayerRules,
        masks: &[(&'a str, &'a Heightmap)],
        place: DVec2,
        texels: Texels,
        (parts, local): (&'a Parts, &'a LocalParts<'a>),
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
            size: texels.size,
            parts,
            biomes: rules.biomes()?,
            masks: rules
                .rules
                .iter()
                .enumerate()
                .map(find)
                .collect::<Result<_, _>>()?,
            rows: Rows::new(rules, texels, (parts, local), place),
        })
    }

    /// Fills row `y` of the texels.
    pub(super) fn fill(&self, y: usize, texels: &mut [[u8; 2]]) {
        let row = self.rows.row(y);
        let mut strongest = Strongest::none(texels.len());
        let mut weights = vec![0.0; texels.len()];
        for &layer in &self.order {
            self.weigh(layer, &row, &strongest, &mut weights);
            dispatch!(Level::new(), _simd => strongest.add(layer as u32, &weights));
        }
        strongest.pack(texels);
    }

    /// Computes the weights of a layer. Where a weight cannot be among the two largest, it may be
    /// too large, but not large enough to be among them.
    fn weigh(&self, layer: usize, row: &Row, strongest: &Strongest, weights: &mut [f64]) {
        let rule = &self.rules.rules[layer];
        weights.fill(rule.weight);
        for (band, line) in bands(rule).into_iter().zip(&row.lines) {
            if is_bounded(band) {
                dispatch!(Level::new(), _simd => line.limit(band, weights));
            }
        }
        self.limit_by_maps(layer, row.y, weights);
        if let Some(noise) = &rule.noise {
            let open = strongest.open(layer as u32, weights);
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
            (self.size.width() - 1) as f64,
            (self.size.height() - 1) as f64,
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

    /// The texels of which a layer with these weights would be the first or the second.
    fn open(&self, layer: u32, weights: &[f64]) -> Vec<usize> {
        let mut is_open = vec![false; weights.len()];
        dispatch!(Level::new(), _simd => self.mark_open(layer, weights, &mut is_open));
        let mut open = Vec::with_capacity(weights.len());
        for (run, is_open) in is_open.chunks(RUN).enumerate() {
            if is_open.contains(&true) {
                let found = (0..is_open.len()).filter(|&index| is_open[index]);
                open.extend(found.map(|index| run * RUN + index));
            }
        }
        open
    }

    #[inline(always)]
    fn mark_open(&self, layer: u32, weights: &[f64], is_open: &mut [bool]) {
        let second = self.second.iter().zip(&self.second_layer);
        for ((is_open, &weight), (&second, &second_layer)) in
            is_open.iter_mut().zip(weights).zip(second)
        {
            let weight = weight as f32;
            *is_open = (weight > second) | ((weight == second) & (layer < second_layer));
        }
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
