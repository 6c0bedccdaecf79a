//! TIFF files from arbitrary bytes.
#![no_main]

use lanternfell_io::{self as io, Fill, Format, ReadOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let options = ReadOptions {
        fill: Some(Fill::Interpolate),
        ..ReadOptions::default()
    };
    let _ = Format::sniff(bytes);
    let size = io::size(bytes, Format::Tiff);
    if let Ok(map) = io::read(bytes, Format::Tiff, &options) {
        assert_eq!(size, Ok(map.size()));
    }
    let second = ReadOptions {
        band: Some(2),
        ..options
    };
    let _ = io::read(bytes, Format::Tiff, &second);
});
