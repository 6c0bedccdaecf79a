//! The legend of a biome map: the meaning of its colors, and the area of each.

use super::BiomeMap;

/// An entry of the legend: a biome or a type of water.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegendEntry {
    /// Its number in [`BiomeMap::cells`].
    pub number: u8,
    /// Its name.
    pub name: String,
    /// Its color on maps: red, green and blue in sRGB.
    pub color: [u8; 3],
    /// The number of cells that it covers.
    pub cells: u64,
}

impl BiomeMap {
    /// Returns all biomes in the order of the table, followed by the types of water, including those that the map does
    /// not contain.
    ///
    /// ```
    /// use lanternfell_heightmap::{FractalNoise, MapSize, Progress, climate::Climate};
    ///
    /// let map = FractalNoise::default().generate(MapSize::new(64, 64)?, 7, &Progress::default())?;
    /// let biomes = Climate::default().biomes(&map, &Progress::default())?;
    /// let cells: u64 = biomes.legend().iter().map(|entry| entry.cells).sum();
    /// assert_eq!(cells, 64 * 64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn legend(&self) -> Vec<LegendEntry> {
        let mut counts = [0_u64; 256];
        for &cell in self.cells() {
            counts[usize::from(cell)] += 1;
        }
        let entry = |number: u8, name: &str, color| LegendEntry {
            number,
            name: name.to_owned(),
            color,
            cells: counts[usize::from(number)],
        };
        let table = self.table();
        let biomes = (0..).zip(&table.biomes);
        let land = biomes.map(|(number, biome): (u8, _)| entry(number, &biome.name, biome.color));
        let water = [
            entry(Self::SEA_ICE, "sea ice", table.sea_ice),
            entry(Self::LAKE, "lake", table.lake),
            entry(Self::OCEAN, "ocean", table.ocean),
        ];
        land.chain(water).collect()
    }
}
