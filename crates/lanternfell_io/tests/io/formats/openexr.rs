//! OpenEXR: compressions, blocks and number formats.

use exr::prelude::{Blocks, Compression, Vec2};
use lanternfell_io::{self as io, Format, ReadOptions};

use super::{files, map, read};

#[test]
fn reads_all_kinds_of_exr() {
    // Halves can represent these heights exactly.
    let heights: Vec<f32> = (0..70 * 50)
        .map(|cell| (cell / 90 % 33) as f32 / 32.0)
        .collect();
    let map = map(70, &heights);
    for compression in [
        Compression::Uncompressed,
        Compression::RLE,
        Compression::ZIP1,
        Compression::ZIP16,
        Compression::PIZ,
        Compression::PXR24,
    ] {
        for blocks in [Blocks::ScanLines, Blocks::Tiles(Vec2(32, 16))] {
            for half in [false, true] {
                let file = files::exr(&map, compression, blocks, half);
                assert_eq!(
                    read(&file, Format::Exr).unwrap(),
                    map,
                    "{compression}, {blocks:?}"
                );
            }
        }
    }
    // Tiles in two parts.
    for (part, sign) in [("first", 1.0), ("second", -1.0)] {
        let options = ReadOptions {
            part: Some(part.to_owned()),
            ..ReadOptions::default()
        };
        let found = io::read(&files::exr_layers(&map), Format::Exr, &options).unwrap();
        let expected = map.heights().iter().map(|z| sign * z);
        assert!(
            found.heights.heights().iter().copied().eq(expected),
            "{part}"
        );
    }
    let lossy = files::exr(&map, Compression::B44, Blocks::ScanLines, true);
    let line = read(&lossy, Format::Exr).unwrap_err().to_string();
    assert!(line.contains("not supported: b44"), "{line}");
}
