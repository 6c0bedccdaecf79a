//! Tests of folders of tiles: reading regions, and rejected content.

mod damaged;
mod folder;
mod range;

use lanternfell_heightmap::{Heightmap, MapRegion, MapSize};

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

#[track_caller]
fn assert_tile(whole: &Heightmap, tile: &Heightmap, region: MapRegion) {
    assert_eq!(tile.size(), region.size());
    for y in 0..tile.height() {
        let expected = &whole.row(region.y() + y)[region.x()..][..tile.width()];
        let same = expected
            .iter()
            .zip(tile.row(y))
            .all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(same, "row {y} of {region:?}");
    }
}
