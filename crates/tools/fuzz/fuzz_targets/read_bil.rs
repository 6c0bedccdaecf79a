//! ESRI BIL and float grids from arbitrary bytes: the header, a zero byte, and the numbers.
#![no_main]

use lanternfell_io::{BilHeader, Fill, Format, ReadOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let options = ReadOptions {
        fill: Some(Fill::Height(0.5)),
        ..ReadOptions::default()
    };
    let end = bytes.iter().position(|&byte| byte == 0);
    let (header, numbers) = bytes.split_at(end.unwrap_or(bytes.len()));
    for format in [Format::Bil, Format::Flt] {
        let Ok(header) = BilHeader::parse(header, format) else {
            continue;
        };
        if let Ok(map) = header.read(numbers, &options) {
            assert_eq!(header.size(), map.size());
        }
    }
});
