//! Manifests of tile folders from arbitrary text.
#![no_main]

use lanternfell_io::tiles::TileManifest;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(manifest) = TileManifest::from_ron(text) {
        let grid = manifest.layout().grid();
        let last = grid
            .nth(grid.count() - 1)
            .expect("the grid has at least one tile");
        let end = (last.region.columns().end, last.region.rows().end);
        assert_eq!(end, (grid.world().width(), grid.world().height()));
        assert_eq!(TileManifest::from_ron(&manifest.to_ron()), Ok(manifest));
    }
});
