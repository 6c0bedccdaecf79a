//! What the colors of a map of biomes mean, and how much of it each covers.

use super::BiomeMap;

/// A biome, or a kind of water, as a legend says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegendEntry {
    /// Its number in [`BiomeMap::cells`].
    pub number: u8,
    /// Its name.
    pub name: String,
    /// Its color on maps: red, green, blue; sRGB.
    pub color: [u8; 3],
    /// How many cells of the map it covers.
    pub cells: u64,
}

impl BiomeMap {
    /// All biomes of the table in its order, then the kinds of water; those that the map has none
    /// of too.
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
