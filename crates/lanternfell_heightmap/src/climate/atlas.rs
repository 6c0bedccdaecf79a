//! Draws biomes like a page of an atlas: smoothly blended colors, shaded relief, and a deeper blue for deeper water.
//!
//! Steps: blend the color of each cell with those of its eight neighbors (weights 1 2 1 along both axes), so that
//! borders are not jagged. Multiply it by the hillshade. Draw the shore as a slightly darker line.

use serde::{Deserialize, Serialize};

use super::{BiomeMap, TableError, moisture::check_size};
use crate::{GroundScale, Heightmap, ParamError, Progress, RgbImage, analysis::Hillshade, rows};

/// How biomes are drawn: one pixel per cell, north up.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BiomeView {
    /// The light on the land. Default: light from several directions ([`Hillshade::multidirectional`]).
    pub hillshade: Hillshade,
    /// The strength of the shading; from 0 (the colors of the table) to 1. Default: 0.7.
    pub relief: f64,
    /// How much darker the shore line is; from 0 to 1. Default: 0.35.
    pub shore: f64,
}

impl Default for BiomeView {
    fn default() -> Self {
        Self {
            hillshade: Hillshade {
                multidirectional: true,
                ..Hillshade::default()
            },
            relief: 0.7,
            shore: 0.35,
        }
    }
}

impl BiomeView {
    /// Checks every parameter against its range.
    pub fn validate(&self) -> Result<(), ParamError> {
        self.hillshade.validate()?;
        ParamError::check_range("biome view", "relief", self.relief, 0.0, 1.0)?;
        ParamError::check_range("biome view", "shore", self.shore, 0.0, 1.0)
    }

    /// Draws the `biomes` of `map`.
    ///
    /// # Errors
    /// If a parameter or the scale is out of range, the sizes of the map and its biomes differ, or the work is
    /// canceled.
    pub fn draw(
        &self,
        map: &Heightmap,
        biomes: &BiomeMap,
        scale: impl Into<GroundScale>,
        progress: &Progress,
    ) -> Result<RgbImage, TableError> {
        self.validate()?;
        let sizes = (map.size(), biomes.size());
        if sizes.0 != sizes.1 {
            check_size(map, &Heightmap::flat(sizes.1), "biomes")?;
        }
        let shade = self.hillshade.of(map, scale, &progress.span(0.0, 0.3))?;
        let page = Page::new(self, map, biomes, &shade);
        let mut picture = RgbImage::black(map.width() as u32, map.height() as u32);
        let drawn = progress.span(0.3, 1.0);
        let columns = || vec![[0.0; 3]; map.width()];
        let draw = |columns: &mut Vec<Color>, y, row: &mut [u8]| page.draw(columns, y, row);
        rows::for_each_row_with(picture.bytes_mut(), 3 * map.width(), &drawn, columns, draw)?;
        Ok(picture)
    }
}

/// Red, green and blue, from 0 to 255.
type Color = [f32; 3];

/// The input for the rows of the image.
struct Page<'a> {
    map: &'a Heightmap,
    biomes: &'a BiomeMap,
    shade: &'a Heightmap,
    /// The color of each number in a [`BiomeMap`].
    colors: Vec<Color>,
    shallows: Color,
    /// The increase in brightness per unit of hillshade, relative to level terrain.
    contrast: f32,
    /// The hillshade of level terrain.
    level: f32,
    /// The brightness of the shore line.
    shore: f32,
    /// The inverse of the greatest depth of the sea.
    per_depth: f32,
}

impl<'a> Page<'a> {
    /// The range of the brightness of slopes, relative to level terrain.
    const LIGHT: core::ops::RangeInclusive<f32> = 0.35..=1.35;

    fn new(
        view: &BiomeView,
        map: &'a Heightmap,
        biomes: &'a BiomeMap,
        shade: &'a Heightmap,
    ) -> Self {
        let table = biomes.table();
        let mut colors = vec![[0.0; 3]; 256];
        let land = table.biomes.iter().map(|biome| biome.color);
        for (color, bytes) in colors.iter_mut().zip(land) {
            *color = bytes.map(f32::from);
        }
        colors[usize::from(BiomeMap::OCEAN)] = table.ocean.map(f32::from);
        colors[usize::from(BiomeMap::LAKE)] = table.lake.map(f32::from);
        colors[usize::from(BiomeMap::SEA_ICE)] = table.sea_ice.map(f32::from);
        let level = libm::sin(view.hillshade.altitude.to_radians());
        let depth = f64::from(biomes.sea_level()) - f64::from(map.range().0);
        Self {
            map,
            biomes,
            shade,
            colors,
            shallows: table.shallows.map(f32::from),
            contrast: (view.relief / level.max(0.05)) as f32,
            level: level as f32,
            shore: (1.0 - view.shore) as f32,
            per_depth: (1.0 / depth.max(1e-9)) as f32,
        }
    }

    /// Draws row `y`. `columns` is scratch memory.
    fn draw(&self, columns: &mut [Color], y: usize, row: &mut [u8]) {
        let last = self.map.height() - 1;
        let (north, south) = (y.saturating_sub(1), (y + 1).min(last));
        columns.fill([0.0; 3]);
        for (y, weight) in [(north, 1.0), (y, 2.0), (south, 1.0)] {
            for (x, sum) in columns.iter_mut().enumerate() {
                let color = self.color(x, y);
                *sum = core::array::from_fn(|k| sum[k] + weight * color[k]);
            }
        }
        let last = columns.len() - 1;
        for (x, pixel) in row.as_chunks_mut::<3>().0.iter_mut().enumerate() {
            let (west, east) = (columns[x.saturating_sub(1)], columns[(x + 1).min(last)]);
            let light = self.light(x, y, [north, south]) / 16.0;
            // The cast rounds down, and clamps to 0..255.
            *pixel = core::array::from_fn(|k| {
                ((west[k] + 2.0 * columns[x][k] + east[k]) * light + 0.5) as u8
            });
        }
    }

    fn color(&self, x: usize, y: usize) -> Color {
        let number = self.biomes.get(x, y);
        let color = self.colors[usize::from(number)];
        if number != BiomeMap::OCEAN {
            return color;
        }
        // The square root keeps shallow water narrow.
        let depth = (self.biomes.sea_level() - self.map.get(x, y)) * self.per_depth;
        let deep = depth.clamp(0.0, 1.0).sqrt();
        core::array::from_fn(|k| self.shallows[k] + (color[k] - self.shallows[k]) * deep)
    }

    /// The brightness of a cell, relative to level terrain.
    fn light(&self, x: usize, y: usize, [north, south]: [usize; 2]) -> f32 {
        let is_water = |x: usize, y: usize| self.biomes.get(x, y) >= BiomeMap::SEA_ICE;
        if is_water(x, y) {
            return 1.0;
        }
        let light = 1.0 + self.contrast * (self.shade.get(x, y) - self.level);
        let light = light.clamp(*Self::LIGHT.start(), *Self::LIGHT.end());
        let (west, east) = (x.saturating_sub(1), (x + 1).min(self.map.width() - 1));
        let neighbors = [(west, y), (east, y), (x, north), (x, south)];
        let at_shore = neighbors.iter().any(|&(x, y)| is_water(x, y));
        light * if at_shore { self.shore } else { 1.0 }
    }
}
