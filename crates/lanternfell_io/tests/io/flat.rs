//! Flat maps, which compress better than 4096:1 with some methods. Damaged files that declare as much are in
//! `io_memory.rs`.

use std::io::{Cursor, Write};

use exr::prelude::{
    Blocks, Compression as ExrCompression, Encoding, Image, Layer, LayerAttributes, LineOrder,
    SpecificChannels, Vec2, WritableImage,
};
use flate2::write::ZlibEncoder;
use lanternfell_io::{self as io, Format, ReadOptions};
use lerc::Precision;
use tiff::encoder::{Compression, DeflateLevel};

use super::{
    pages::{File, Page, Values, flat_zstandard, packed},
    unpacked::unpacked,
};

fn assert_flat(file: &[u8], format: Format, cells: usize, expected: f32, ratio: usize) {
    assert!(file.len() * ratio < cells, "{format}: {} bytes", file.len());
    let found = io::read(file, format, &ReadOptions::default()).unwrap();
    assert_eq!(found.heights.heights().len(), cells);
    assert_eq!(found.heights.range(), (expected, expected));
}

/// Bytes of 51 in strips of `rows` rows or, with `side`, in tiles.
fn bytes(method: u16, [width, height]: [usize; 2]) -> Page {
    Page::new(0, [width, height], 8).set(259, Values::Shorts(vec![method]))
}

#[test]
fn reads_flat_zstandard() {
    let side = 4096;
    let strips = |rows: usize| vec![flat_zstandard(51, rows * side); side / rows];
    for rows in [side, 512] {
        let page = bytes(50_000, [side; 2]).rows(rows, strips(rows));
        assert_flat(
            &File::of(vec![page], false, false),
            Format::Tiff,
            side * side,
            0.2,
            4096,
        );
    }
    let mut page = bytes(50_000, [side; 2])
        .set(322, Values::Shorts(vec![1024]))
        .set(323, Values::Shorts(vec![1024]));
    page.strips = vec![flat_zstandard(51, 1 << 20); 16];
    assert_flat(
        &File::of(vec![page], true, true),
        Format::Tiff,
        side * side,
        0.2,
        4096,
    );
    // The last strip is shorter.
    let page = bytes(50_000, [side, 4000]);
    let page = page.rows(
        3000,
        vec![
            flat_zstandard(51, 3000 * side),
            flat_zstandard(51, 1000 * side),
        ],
    );
    assert_flat(
        &File::of(vec![page], false, false),
        Format::Tiff,
        side * 4000,
        0.2,
        4096,
    );
}

/// A map that is mostly sea, with an island.
#[test]
fn reads_island_in_flat_zstandard() {
    let (side, rows) = (4096, 64);
    let mut strips = vec![flat_zstandard(0, rows * side); side / rows];
    let mut island = flat_zstandard(0, (rows - 1) * side);
    island.extend(flat_zstandard(255, 100));
    island.extend(flat_zstandard(0, side - 100));
    strips[40] = island;
    let file = File::of(
        vec![bytes(50_000, [side; 2]).rows(rows, strips)],
        false,
        false,
    );
    assert!(file.len() * 4096 < side * side);
    let found = io::read(&file, Format::Tiff, &ReadOptions::default()).unwrap();
    let heights = found.heights.heights();
    let start = (41 * rows - 1) * side;
    assert!(heights[start..start + 100].iter().all(|&z| z == 1.0));
    assert_eq!(heights.iter().filter(|&&z| z == 1.0).count(), 100);
}

/// LERC stores a flat strip of any size in about 100 bytes. `unpack` needs no map in memory.
#[test]
fn reads_flat_lerc() {
    let side = 3600;
    let page = |around: u32| {
        let blob = lerc::encode_slice(
            side,
            side,
            &vec![7.0_f64; (side * side) as usize],
            Precision::Lossless,
        );
        let blob = blob.unwrap();
        let blob = match around {
            0 => blob,
            _ => packed(&blob, Compression::Deflate(DeflateLevel::Fast)),
        };
        Page::new(0, [side as usize; 2], 64)
            .set(259, Values::Shorts(vec![34_887]))
            .set(339, Values::Shorts(vec![3]))
            .set(50_674, Values::Longs(vec![4, around]))
            .rows(side as usize, vec![blob])
    };
    for around in [0, 1] {
        let file = File::of(vec![page(around)], false, false);
        assert!(
            file.len() * 64 * 4096 < 8 * (side * side) as usize,
            "{}",
            file.len()
        );
        let (_, heights) = unpacked(&file, Format::Tiff, &ReadOptions::default());
        assert!(heights.iter().all(|&z| z == 7.0));
    }
}

/// Some writers store equal tiles once, so the tiles of a flat map are all at the same offset.
#[test]
fn tiles_may_share_their_bytes() {
    let (side, count) = (4096, 64);
    for (method, compression) in [
        (5, Compression::Lzw),
        (8, Compression::Deflate(DeflateLevel::Best)),
    ] {
        let mut page = bytes(method, [side; 2])
            .set(322, Values::Shorts(vec![512]))
            .set(323, Values::Shorts(vec![512]));
        page.strips = vec![packed(&[51; 512 * 512], compression)];
        page.strips.resize(count, Vec::new());
        let mut file = File::of(vec![page], false, false);
        for tag in [324_u16, 325] {
            let entry = [&tag.to_le_bytes()[..], &[4, 0, count as u8, 0, 0, 0]].concat();
            let at = file.windows(8).position(|bytes| bytes == entry).unwrap() + 8;
            let list = u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
            let first: [u8; 4] = file[list..list + 4].try_into().unwrap();
            file[list..list + 4 * count].copy_from_slice(&first.repeat(count));
        }
        assert_flat(&file, Format::Tiff, side * side, 0.2, 4096);
    }
}

/// Gray of 1 bit takes 8 times more memory than in the file, where Deflate may be at its best ratio.
#[test]
fn reads_flat_png_of_1_bit() {
    let side = 8192;
    for palette in [false, true] {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, side, side);
        encoder.set_depth(png::BitDepth::One);
        if palette {
            encoder.set_color(png::ColorType::Indexed);
            encoder.set_palette(vec![0, 0, 0, 255, 255, 255]);
        } else {
            encoder.set_color(png::ColorType::Grayscale);
        }
        let mut writer = encoder.write_header().unwrap();
        // Black pixels, and a byte of each row for its filter.
        let row = vec![0; 1 + (side / 8) as usize];
        let mut packer = ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        packer.write_all(&row.repeat(side as usize)).unwrap();
        let packed = packer.finish().unwrap();
        writer.write_chunk(png::chunk::IDAT, &packed).unwrap();
        writer.finish().unwrap();
        assert_flat(&file, Format::Png, (side * side) as usize, 0.0, 4096);
        // Without its end it is an error, before memory for the map is allocated.
        let line = io::read(
            &file[..file.len() / 2],
            Format::Png,
            &ReadOptions::default(),
        );
        assert!(line.unwrap_err().to_string().contains("PNG is damaged"));
    }
}

/// No other method reaches 4096:1.
#[test]
fn reads_flat_maps_of_all_other_methods() {
    let side = 2048;
    let cells = side * side;
    for (method, compression) in [
        (5, Compression::Lzw),
        (8, Compression::Deflate(DeflateLevel::Best)),
        (32_773, Compression::Packbits),
    ] {
        let strip = packed(&vec![51; cells], compression);
        let page = bytes(method, [side; 2]).rows(side, vec![strip]);
        assert_flat(
            &File::of(vec![page], false, false),
            Format::Tiff,
            cells,
            0.2,
            50,
        );
    }
    for compression in [
        ExrCompression::RLE,
        ExrCompression::ZIP1,
        ExrCompression::ZIP16,
        ExrCompression::PIZ,
    ] {
        for blocks in [Blocks::ScanLines, Blocks::Tiles(Vec2(512, 512))] {
            let encoding = Encoding {
                compression,
                blocks,
                line_order: LineOrder::Increasing,
            };
            let channels = SpecificChannels::build()
                .with_channel::<f32>("Y")
                .with_pixel_fn(|_| (0.0_f32,));
            let attributes = LayerAttributes::default();
            let layer = Layer::new(Vec2(side, side), attributes, encoding, channels);
            let mut file = Cursor::new(Vec::new());
            let image = Image::from_layer(layer);
            image.write().non_parallel().to_buffered(&mut file).unwrap();
            assert_flat(file.get_ref(), Format::Exr, cells, 0.0, 5);
        }
    }
}
