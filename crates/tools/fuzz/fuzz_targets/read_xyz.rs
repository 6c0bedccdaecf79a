//! XYZ grids from arbitrary bytes.
#![no_main]

use lanternfell_io::{self as io, Fill, Format, ReadOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let options = ReadOptions {
        fill: Some(Fill::Height(0.5)),
        ..ReadOptions::default()
    };
    let _ = Format::sniff(bytes);
    let size = io::size(bytes, Format::Xyz);
    if let Ok(map) = io::read(bytes, Format::Xyz, &options) {
        assert_eq!(size, Ok(map.size()));
    }
});
