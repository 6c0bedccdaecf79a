//! The biome of each cell, as a number.

use glam::DVec2;

use super::{
    moisture::check_size,
    table::{BiomeTable, TableError},
};
use crate::{
    Heightmap, MapSize, Progress,
    analysis::{Connectivity, FindRegions},
    rows,
};

/// The biome of each cell, and the table that it is from.
#[derive(Debug, Clone, PartialEq)]
pub struct BiomeMap {
    size: MapSize,
    sea_level: f32,
    table: BiomeTable,
    cells: Vec<u8>,
}

impl BiomeMap {
    /// The number of water that reaches the map's border.
    pub const OCEAN: u8 = 255;
    /// The number of other water.
    pub const LAKE: u8 = 254;
    /// The number of frozen water.
    pub const SEA_ICE: u8 = 253;

    /// Finds the biome of each cell of a map, with its sea level, from its temperature in
    /// degrees Celsius and its moisture in millimetres per year.
    ///
    /// # Errors
    /// When the table can not be used, the sea level is not finite, or the maps are not of
    /// one size; or the work was cancelled.
    pub fn new(
        table: BiomeTable,
        (map, sea_level): (&Heightmap, f32),
        temperature: &Heightmap,
        moisture: &Heightmap,
        progress: &Progress,
    ) -> Result<Self, TableError> {
        table.validate()?;
        check_size(map, temperature, "temperature")?;
        check_size(map, moisture, "moisture")?;
        let find = FindRegions {
            sea_level,
            connectivity: Connectivity::Four,
        };
        let regions = find.of(map, &progress.span(0.0, 0.4))?;
        let finder = table.finder();
        let width = map.width();
        let mut cells = vec![0; map.size().cells()];
        rows::for_each_row(&mut cells, width, &progress.span(0.4, 1.0), |y, row| {
            let climate = temperature.row(y).iter().zip(moisture.row(y));
            let labels = &regions.labels()[y * width..][..width];
            for ((cell, label), (&warm, &wet)) in row.iter_mut().zip(labels).zip(climate) {
                let region = &regions.list()[*label as usize];
                *cell = if region.land {
                    finder.find(warm, wet)
                } else if warm < table.freezing {
                    Self::SEA_ICE
                } else if region.touches_border {
                    Self::OCEAN
                } else {
                    Self::LAKE
                };
            }
        })?;
        Ok(Self {
            size: map.size(),
            sea_level,
            table,
            cells,
        })
    }

    /// The size of the map.
    pub fn size(&self) -> MapSize {
        self.size
    }

    /// The height up to which there is water.
    pub fn sea_level(&self) -> f32 {
        self.sea_level
    }

    /// The table.
    pub fn table(&self) -> &BiomeTable {
        &self.table
    }

    /// Each cell's biome by its place in the table, row by row; or one of
    /// [`OCEAN`](Self::OCEAN), [`LAKE`](Self::LAKE), [`SEA_ICE`](Self::SEA_ICE).
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The number of the biome in column `x` of row `y`.
    ///
    /// # Panics
    /// When the cell lies outside the map, as indexing a slice does.
    pub fn get(&self, x: usize, y: usize) -> u8 {
        self.row(y)[x]
    }

    /// The number of what is nearest to a place, given as shares of the map's sides from 0 to 1 (north-west is 0, 0).
    pub fn at(&self, share: DVec2) -> u8 {
        let along =
            |share: f64, cells: usize| (share.clamp(0.0, 1.0) * (cells - 1) as f64 + 0.5) as usize;
        self.get(
            along(share.x, self.size.width()),
            along(share.y, self.size.height()),
        )
    }

    /// The name of what is in column `x` of row `y`: of a biome, or `ocean`, `lake` or `sea
    /// ice`.
    ///
    /// # Panics
    /// When the cell lies outside the map, as indexing a slice does.
    pub fn name(&self, x: usize, y: usize) -> &str {
        match self.get(x, y) {
            Self::OCEAN => "ocean",
            Self::LAKE => "lake",
            Self::SEA_ICE => "sea ice",
            number => &self.table.biomes[usize::from(number)].name,
        }
    }

    /// How many cells each of the table's biomes has.
    pub fn areas(&self) -> Vec<u64> {
        let mut areas = vec![0; 256];
        for &cell in &self.cells {
            areas[usize::from(cell)] += 1;
        }
        areas.truncate(self.table.biomes.len());
        areas
    }

    fn row(&self, y: usize) -> &[u8] {
        &self.cells[y * self.size.width()..][..self.size.width()]
    }
}
