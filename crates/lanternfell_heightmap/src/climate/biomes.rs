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

/// The biome of each cell, with the table of biomes. Created by [`Climate::biomes`](super::Climate::biomes).
#[derive(Debug, Clone, PartialEq)]
pub struct BiomeMap {
    size: MapSize,
    sea_level: f32,
    table: BiomeTable,
    cells: Vec<u8>,
}

impl BiomeMap {
    /// The number of water that is connected to the border of the map.
    pub const OCEAN: u8 = 255;
    /// The number of other water.
    pub const LAKE: u8 = 254;
    /// The number of frozen water.
    pub const SEA_ICE: u8 = 253;

    /// Finds the biome of each cell of a map with this sea level, from its temperature in degrees Celsius and its
    /// moisture in millimeters per year.
    ///
    /// # Errors
    /// If the table is not usable, the sea level is not finite, the sizes of the maps differ, or the work is canceled.
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

    /// The sea level: the height up to which there is water.
    pub fn sea_level(&self) -> f32 {
        self.sea_level
    }

    /// The table of biomes.
    pub fn table(&self) -> &BiomeTable {
        &self.table
    }

    /// The biome of each cell, row by row: its index in the table, or [`OCEAN`](Self::OCEAN), [`LAKE`](Self::LAKE) or
    /// [`SEA_ICE`](Self::SEA_ICE).
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The number of the biome or water at column `x` and row `y`.
    ///
    /// # Panics
    /// If the cell is outside the map.
    pub fn get(&self, x: usize, y: usize) -> u8 {
        self.row(y)[x]
    }

    /// The number of the biome or water nearest to a position. `share` is a fraction of each side of the map, from (0,
    /// 0) at the north-west to (1, 1) at the south-east, and is clamped to that range.
    pub fn at(&self, share: DVec2) -> u8 {
        let along =
            |share: f64, cells: usize| (share.clamp(0.0, 1.0) * (cells - 1) as f64 + 0.5) as usize;
        self.get(
            along(share.x, self.size.width()),
            along(share.y, self.size.height()),
        )
    }

    /// The name of the biome at column `x` and row `y`, or `ocean`, `lake` or `sea ice`.
    ///
    /// # Panics
    /// If the cell is outside the map.
    pub fn name(&self, x: usize, y: usize) -> &str {
        match self.get(x, y) {
            Self::OCEAN => "ocean",
            Self::LAKE => "lake",
            Self::SEA_ICE => "sea ice",
            number => &self.table.biomes[usize::from(number)].name,
        }
    }

    /// The number of cells of each biome of the table.
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
