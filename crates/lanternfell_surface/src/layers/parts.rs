//! The inputs of layer rules that depend on the whole map. Each is computed once, and only if a rule uses it.

use std::ops::Range;

use super::{
    rule::{LayerError, LayerRules},
    update::merged,
};
use crate::inland_water::Waters;
use lanternfell_heightmap::{
    GenerateError, Heightmap, MapSize, Progress, Scale,
    analysis::CoastDistance,
    climate::{BiomeMap, BiomeTable, Climate},
    hydrology::{Hydrology, Rivers},
};

/// The maximum side, in cells, of the maps of rain and temperature, which are smooth.
const SMOOTH: usize = 256;

/// The maximum side, in cells, of the map of rivers, which needs the valleys that they flow in.
const RIVERS: usize = 1024;

/// A map with its scale and sea level.
#[derive(Clone, Copy)]
pub(super) struct Land<'a> {
    pub(super) map: &'a Heightmap,
    pub(super) scale: Scale,
    pub(super) sea_level: f32,
}

/// The texels of a control map. They are further apart than the cells of a large map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Texels {
    pub(super) size: MapSize,
    pub(super) scale: Scale,
    pub(super) sea_level: f32,
}

/// An input of rules. Its size may differ from that of the control map.
#[derive(Debug, Clone)]
pub(super) struct Part {
    map: Heightmap,
    /// The size of the control map.
    texels: MapSize,
    /// For each column of texels, the cell before it, and how far it is on the way to the next cell.
    columns: Vec<(usize, f32)>,
}

/// The inputs that depend on places far away.
#[derive(Debug, Clone)]
pub(super) struct Parts {
    pub(super) moisture: Part,
    pub(super) biomes: Option<BiomeMap>,
    pub(super) coast: Option<Part>,
    pub(super) river: Option<Part>,
    /// The distance to rivers and lakes. `None` if there are none or no rule uses it.
    pub(super) water: Option<Part>,
}

impl Parts {
    /// Computes all inputs, and awaits `pause` between them.
    pub(super) async fn of<P: Future<Output = ()>>(
        rules: &LayerRules,
        land: Land<'_>,
        waters: Option<&Waters>,
        progress: &Progress,
        pause: &impl Fn() -> P,
    ) -> Result<Self, LayerError> {
        let climate = climate(rules, land, &progress.span(0.0, 0.4))?;
        pause().await;
        let coast = match rules.ask_for(|rule| &rule.coast) {
            true => Some(coast(land, &progress.span(0.4, 0.6))?),
            false => None,
        };
        pause().await;
        let river = match rules.ask_for(|rule| &rule.river) {
            true => Some(river(land, &progress.span(0.6, 0.9))?),
            false => None,
        };
        let are_asked = rules.rules.iter().any(|rule| rule.beside_water.is_some());
        let water = match waters.filter(|waters| are_asked && !waters.is_empty()) {
            Some(waters) => {
                pause().await;
                Some(water(land, waters, &progress.span(0.9, 1.0))?)
            }
            None => None,
        };
        pause().await;
        let part = |map| Part::new(map, land.map.size());
        Ok(Self {
            moisture: part(climate.0),
            biomes: climate.1,
            coast: coast.map(part),
            river: river.map(part),
            water: water.map(part),
        })
    }
}

impl Part {
    pub(super) fn new(map: Heightmap, texels: MapSize) -> Self {
        let column = |x| along(x, texels.width(), map.width());
        let columns = (0..texels.width()).map(column).collect();
        Self {
            map,
            texels,
            columns,
        }
    }

    /// Replaces the values. Returns the rows of texels that may differ.
    pub(super) fn replace(&mut self, new: Self) -> Vec<Range<usize>> {
        let differs = |y: usize| self.map.row(y) != new.map.row(y);
        let differs: Vec<bool> = (0..self.map.height()).map(differs).collect();
        // A row of texels lies between two rows of the part.
        let texels = (0..self.texels.height()).filter(|&y| {
            let (before, _) = along(y, self.texels.height(), self.map.height());
            differs[before] || differs[before + 1]
        });
        let rows = merged(texels.map(|y| y..y + 1));
        *self = new;
        rows
    }

    /// Returns the interpolated values at row `y` of the texels.
    pub(super) fn row(&self, y: usize) -> impl Iterator<Item = f32> {
        let (y, south) = along(y, self.texels.height(), self.map.height());
        let rows = [self.map.row(y), self.map.row(y + 1)];
        self.columns.iter().map(move |&(x, east)| {
            let [north, beyond] = rows.map(|row| row[x] + (row[x + 1] - row[x]) * east);
            north + (beyond - north) * south
        })
    }
}

/// Returns the cell before a texel, and how far the texel is on the way to the next cell.
fn along(texel: usize, texels: usize, cells: usize) -> (usize, f32) {
    let cell = texel as f64 / (texels - 1) as f64 * (cells - 1) as f64;
    let before = (cell as usize).min(cells - 2);
    (before, (cell - before as f64) as f32)
}

/// Reduces a map to at most `most` cells per side by picking every n-th cell, including the first
/// and the last. Also returns its scale.
pub(super) fn thinned(land: Land<'_>, most: usize) -> (Heightmap, Scale) {
    let (width, height) = (land.map.width(), land.map.height());
    let most = most.max(2);
    if width.max(height) <= most {
        return (land.map.clone(), land.scale);
    }
    let size = thin_size(land.map.size(), most);
    let map = Heightmap::from_fn(size, |x, y| {
        land.map
            .get(nth(x, size.width(), width), nth(y, size.height(), height))
    });
    let map = map.expect("heights of a valid map are valid");
    (map, thin_scale(land.scale, land.map.size(), size))
}

/// Returns the scale of a map of size `from` that is reduced to size `to`.
pub(super) fn thin_scale(scale: Scale, from: MapSize, to: MapSize) -> Scale {
    if from == to {
        return scale;
    }
    let longer = |size: MapSize| (size.width().max(size.height()) - 1) as f32;
    // On oblong maps, both sides shrink by the same factor except for rounding.
    let spacing = scale.spacing * (longer(from) / longer(to));
    Scale {
        spacing: spacing.min(Scale::MAX),
        ..scale
    }
}

/// Returns the size of a map whose longer side is reduced to at most `most` cells.
pub(super) fn thin_size(size: MapSize, most: usize) -> MapSize {
    let longer = size.width().max(size.height());
    if longer <= most {
        return size;
    }
    let short = |side: usize| ((side * most).div_ceil(longer)).max(2) as u64;
    MapSize::new(short(size.width()), short(size.height())).expect("it is smaller than a map")
}

/// Returns the cell, out of `cells`, at the position of texel `index` out of `texels`. First and
/// last coincide.
pub(super) fn nth(index: usize, texels: usize, cells: usize) -> usize {
    index * (cells - 1) / (texels - 1)
}

fn climate(
    rules: &LayerRules,
    land: Land<'_>,
    progress: &Progress,
) -> Result<(Heightmap, Option<BiomeMap>), LayerError> {
    let (few, sea_level, wet) = moisture(land, &progress.span(0.0, 0.6))?;
    let asked = rules.rules.iter().any(|rule| !rule.biomes.is_empty());
    let biomes = match asked {
        false => None,
        true => Some(biomes(&few, sea_level, &wet, &progress.span(0.6, 1.0))?),
    };
    Ok((wet, biomes))
}

/// Returns the biomes to which layer rules refer, for a map with the sea at the height `sea_level`.
///
/// They are those of [`Climate::default`]. Climates are smooth, so the result has at most 256 cells
/// along its longer side.
///
/// # Errors
/// If the work was canceled.
pub fn biomes_of(
    map: &Heightmap,
    sea_level: f32,
    progress: &Progress,
) -> Result<BiomeMap, LayerError> {
    let land = Land {
        map,
        scale: Scale::of_size(map.size()),
        sea_level,
    };
    let (few, sea_level, wet) = moisture(land, &progress.span(0.0, 0.6))?;
    biomes(&few, sea_level, &wet, &progress.span(0.6, 1.0))
}

/// Returns a reduced map, its sea level, and the moisture of its cells.
fn moisture(
    land: Land<'_>,
    progress: &Progress,
) -> Result<(Heightmap, f32, Heightmap), LayerError> {
    let (few, _) = thinned(land, SMOOTH);
    let sea_level = land.sea_level.clamp(0.0, HIGHEST_SEA);
    let wet = Climate::default().moisture_of(&few, sea_level, progress)?;
    Ok((few, sea_level, wet))
}

fn biomes(
    few: &Heightmap,
    sea_level: f32,
    wet: &Heightmap,
    progress: &Progress,
) -> Result<BiomeMap, LayerError> {
    let temperature = Climate::default().temperature;
    let warmth = temperature.of(few, sea_level, &progress.span(0.0, 0.5))?;
    let table = BiomeTable::default();
    let rest = progress.span(0.5, 1.0);
    Ok(BiomeMap::new(table, (few, sea_level), &warmth, wet, &rest)?)
}

/// The highest sea level of a climate, which needs some terrain above the sea.
const HIGHEST_SEA: f32 = 0.999;

fn coast(land: Land<'_>, progress: &Progress) -> Result<Heightmap, GenerateError> {
    let coast = CoastDistance {
        sea_level: land.sea_level,
    };
    coast.of(land.map, land.scale, progress)
}

/// The distance to the nearest natural river in meters, 0 in a river.
fn river(land: Land<'_>, progress: &Progress) -> Result<Heightmap, GenerateError> {
    let (few, scale) = thinned(land, RIVERS);
    let water = Hydrology {
        sea_level: Some(land.sea_level),
        border: true,
    };
    let drainage = water.drain(&few, &progress.span(0.0, 0.5))?;
    let mask = Rivers::default().mask(&drainage, &progress.span(0.5, 0.8))?;
    from_wet(&mask, scale, &progress.span(0.8, 1.0))
}

/// The distance to the nearest river or lake of `waters`, in meters.
fn water(land: Land<'_>, waters: &Waters, progress: &Progress) -> Result<Heightmap, GenerateError> {
    from_wet(&waters.mask(land.map.size()), land.scale, progress)
}

/// The distance to the nearest cell that is 1 in a mask of 0 and 1, in meters.
fn from_wet(
    mask: &Heightmap,
    scale: Scale,
    progress: &Progress,
) -> Result<Heightmap, GenerateError> {
    // `CoastDistance` treats everything up to the sea level as water, so water must be 0 here.
    let dry = Heightmap::from_fn(mask.size(), |x, y| 1.0 - mask.get(x, y));
    let dry = dry.expect("a mask is between 0 and 1");
    let coast = CoastDistance { sea_level: 0.5 };
    coast.of(&dry, scale, progress)
}
