//! PNG files from arbitrary bytes, as gray and as encoded heights.
#![no_main]

use lanternfell_io::{self as io, Fill, Format, PngEncoding, ReadOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = Format::sniff(bytes);
    let size = io::size(bytes, Format::Png);
    for encoding in [None, Some(PngEncoding::Terrarium), Some(PngEncoding::Mapbox)] {
        let options = ReadOptions {
            fill: Some(Fill::Height(0.5)),
            encoding,
            ..ReadOptions::default()
        };
        if let Ok(map) = io::read(bytes, Format::Png, &options) {
            assert_eq!(size, Ok(map.size()));
        }
    }
});
