//! RAW files of any size and data type from arbitrary bytes. The first four bytes select the size,
//! the data type and the byte order.
#![no_main]

use lanternfell_heightmap::MapSize;
use lanternfell_io::{self as io, ByteOrder, Format, RawFormat, ReadOptions, Sample};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some(([width, height, sample, order], raw)) = bytes.split_first_chunk() else {
        return;
    };
    let options = ReadOptions {
        size: MapSize::new((*width).into(), (*height).into()).ok(),
        raw: RawFormat {
            sample: [Sample::U8, Sample::U16, Sample::I16, Sample::F32][usize::from(*sample) % 4],
            order: [ByteOrder::Little, ByteOrder::Big][usize::from(*order) % 2],
        },
        ..ReadOptions::default()
    };
    if let Ok(map) = io::read(raw, Format::Raw, &options) {
        let mut again = Vec::new();
        if io::write_raw(&map.heights, options.raw, &mut again).is_ok() {
            assert_eq!(again, raw);
        }
    }
});
