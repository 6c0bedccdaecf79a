//! Auxiliary files of a map (projection, world file and others) from arbitrary bytes.
#![no_main]

use lanternfell_heightmap::MapSize;
use lanternfell_io::{
    self as io, AuxiliaryFile, Format, ReadOptions, read_projection, read_world_file,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = read_projection(bytes);
    if let Ok(place) = read_world_file(bytes, MapSize::default()) {
        assert!(place.validate().is_ok());
    }
    for kind in AuxiliaryFile::ALL {
        let size = MapSize::new(4, 3).expect("a valid size");
        let options = ReadOptions {
            size: Some(size),
            ..ReadOptions::default()
        };
        let map = io::import(&[1; 2 * 4 * 3], Format::Raw, &options);
        let mut map = map.expect("the bytes of 12 cells");
        let _ = kind.apply(&mut map, bytes);
        assert!(map.model.frame.validate().is_ok());
    }
});
