//! Auxiliary files of a map (projection, world file and others) from arbitrary bytes.
#![no_main]

use lanternfell_heightmap::{ElevationModel, Heightmap, MapSize};
use lanternfell_io::{AuxiliaryFile, read_projection, read_world_file};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = read_projection(bytes);
    if let Ok(place) = read_world_file(bytes, MapSize::default()) {
        assert!(place.validate().is_ok());
    }
    for kind in AuxiliaryFile::ALL {
        let mut map = ElevationModel::of_heights(Heightmap::flat(MapSize::default()));
        let _ = kind.apply(&mut map, bytes);
        assert!(map.frame.validate().is_ok());
    }
});
