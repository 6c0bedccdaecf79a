//! Damaged and malicious files must give an error or a map, never a panic, and must not allocate more memory than their
//! content justifies. One test at a time, because the allocator counts the memory of all threads.

mod common {
    pub mod files;
}
#[path = "io/pages.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod pages;

use std::sync::Mutex;

use common::files;
use exr::prelude::{Blocks, Compression, Vec2};
use lanternfell_heightmap::{
    CoordinateSystem, ElevationModel, GeoReference, Heightmap, MapFrame, MapSize, Scale, SeededRng,
};
use lanternfell_io::{
    self as io, BilHeader, Fill, Format, ImportError, PngDepth, PngEncoding, RawFormat,
    ReadOptions, Sidecar, WriteOptions,
};
use lanternfell_test_support::cases;
use pages::{Page, Values};
use peak_alloc::PeakAlloc;
use tiff::encoder::{Compression as TiffCompression, colortype};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Returns the result of `work` and its peak memory in bytes.
fn measured<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = work();
    (result, MEMORY.peak_usage().saturating_sub(before))
}

/// Reads arbitrary bytes. Checks that the memory is bounded by their length, and that errors have one line.
fn read(bytes: &[u8], format: Format) -> Result<Heightmap, ImportError> {
    read_with(bytes, format, &ReadOptions::default())
}

/// The same, with the band, channel and part of these options.
fn read_with(
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
) -> Result<Heightmap, ImportError> {
    let options = ReadOptions {
        fill: Some(Fill::Height(0.5)),
        size: MapSize::new(5, 4).ok(),
        raw: RawFormat::R32,
        no_data: vec![-9999.0],
        ..options.clone()
    };
    let (result, memory) = measured(|| io::read(bytes, format, &options));
    // A valid file may expand to several thousand times its size. Its samples and its heights may be in memory at the
    // same time, and decoders have their own tables.
    let most = 3 * 4096 * bytes.len() + (1 << 20);
    assert!(
        memory <= most,
        "{format}: {memory} bytes for {}",
        bytes.len()
    );
    let _ = io::size(bytes, format);
    if let Err(error) = &result {
        let line = error.to_string();
        assert!(!line.is_empty() && !line.contains('\n'), "{line}");
    }
    if format == Format::Png {
        for encoding in [PngEncoding::Terrarium, PngEncoding::Mapbox] {
            let encoding = Some(encoding);
            let options = ReadOptions {
                encoding,
                ..options.clone()
            };
            let (_, memory) = measured(|| io::read(bytes, format, &options));
            assert!(memory <= most, "{encoding:?}: {memory} bytes");
        }
    }
    result.map(|model| model.heights)
}

/// A map of terraces with a few heights.
fn terraces() -> Heightmap {
    let size = MapSize::new(40, 35).unwrap();
    let heights = (0..size.cells()).map(|cell| (cell / 130 * 5 % 7) as f32 / 8.0);
    Heightmap::from_heights(size, heights.collect()).unwrap()
}

/// Returns files of every kind, each with its format.
fn all() -> Vec<(Format, Vec<u8>)> {
    let map = files::ramp(7, 5);
    let mut options = WriteOptions::default();
    let mut files = Vec::new();
    for depth in [PngDepth::Eight, PngDepth::Sixteen] {
        options.depth = depth;
        for format in [Format::Png, Format::Pgm] {
            files.push((format, files::written(&map, format, &options)));
        }
    }
    files.push((
        Format::Pgm,
        b"P2\n# gray\n3 2 100\n0 50 100\n99 1 0\n".to_vec(),
    ));
    for format in [Format::Exr, Format::Ascii, Format::Tiff, Format::Xyz] {
        files.push((format, files::written(&map, format, &options)));
    }
    options.tiff = io::Sample::U16;
    files.push((Format::Tiff, files::written(&map, Format::Tiff, &options)));
    files.extend(placed(&map));
    let asc =
        b"NCOLS 2\nNROWS 2\nxllcenter 1\nyllcenter 2\ncellsize 3\nNODATA_value -9\n1 2e-3\n.5 4\n";
    files.push((Format::Ascii, asc.to_vec()));
    let xyz = b"lon;lat;z\n1;5;2\n1;6.5;3\n3;5;4e1\n3;6.5;-5\n7;6.5;1\n";
    files.push((Format::Xyz, xyz.to_vec()));
    // Large and regular enough that the encoders compress the data, so that the decoders are tested.
    let map = terraces();
    files.extend(exrs(&map).into_iter().map(|bytes| (Format::Exr, bytes)));
    files.extend(tiffs(&map).into_iter().map(|bytes| (Format::Tiff, bytes)));
    files
}

/// Returns files with all metadata.
fn placed(map: &Heightmap) -> Vec<(Format, Vec<u8>)> {
    let scale = Scale {
        spacing: 1.5,
        relief: 1743.0,
    };
    let mut model = ElevationModel {
        heights: map.clone(),
        frame: MapFrame::of_scale(scale, true),
    };
    model.frame.place = GeoReference {
        cell: [0.5, 0.25],
        system: Some(CoordinateSystem::Geographic(4326)),
        ..GeoReference::at([8.0, 47.0], 1.0)
    };
    model.frame.no_data = Some(-9999.0);
    let options = WriteOptions::default();
    let formats = [
        Format::Png,
        Format::Exr,
        Format::Ascii,
        Format::Tiff,
        Format::Xyz,
    ];
    let written = |format| (format, files::written_model(&model, format, &options));
    formats.into_iter().map(written).collect()
}

fn exrs(map: &Heightmap) -> Vec<Vec<u8>> {
    let mut files = vec![files::exr_colors(map, 0.0)];
    let tiles = Blocks::Tiles(Vec2(24, 16));
    for compression in [
        Compression::Uncompressed,
        Compression::RLE,
        Compression::ZIP1,
        Compression::ZIP16,
        Compression::PIZ,
        Compression::PXR24,
    ] {
        files.push(files::exr(map, compression, Blocks::ScanLines, false));
        files.push(files::exr(map, compression, tiles, true));
    }
    files
}

fn tiffs(map: &Heightmap) -> Vec<Vec<u8>> {
    use colortype::{Gray8, Gray16, Gray32Float, Gray64Float, GrayI16, RGB8};
    let bytes: Vec<u8> = map.heights().iter().map(|z| (255.0 * z) as u8).collect();
    let words: Vec<u16> = bytes.iter().map(|&byte| 257 * u16::from(byte)).collect();
    let signed: Vec<i16> = bytes.iter().map(|&byte| i16::from(byte) - 100).collect();
    let doubles: Vec<f64> = map.heights().iter().map(|&z| z.into()).collect();
    let colors: Vec<u8> = bytes.iter().flat_map(|&byte| [byte; 3]).collect();
    let deflate = TiffCompression::Deflate(tiff::encoder::DeflateLevel::Fast);
    vec![
        files::tiff::<Gray8>(map, TiffCompression::Packbits, &bytes),
        files::tiff::<Gray16>(map, TiffCompression::Lzw, &words),
        files::tiff::<GrayI16>(map, deflate, &signed),
        files::tiff::<Gray32Float>(map, deflate, map.heights()),
        files::tiff::<Gray64Float>(map, TiffCompression::Uncompressed, &doubles),
        files::tiff::<RGB8>(map, TiffCompression::Lzw, &colors),
    ]
}

#[test]
fn reads_and_detects_valid_files() {
    let _one = ONE_AT_A_TIME.lock();
    for (number, (format, bytes)) in all().into_iter().enumerate() {
        let map = read(&bytes, format);
        assert!(map.is_ok(), "{format}, file {number}: {map:?}");
        assert_eq!(io::size(&bytes, format), Ok(map.unwrap().size()));
        assert_eq!(Format::sniff(&bytes), Some(format), "file {number}");
    }
}

#[test]
fn rejects_truncated_files() {
    let _one = ONE_AT_A_TIME.lock();
    // A part of the points is a smaller grid.
    let files = all()
        .into_iter()
        .filter(|(format, _)| *format != Format::Xyz);
    for (number, (format, bytes)) in files.enumerate() {
        let text = matches!(format, Format::Ascii) || bytes.starts_with(b"P2");
        // A PNG may lack its end chunk, and a text format some digits of its last number.
        let trimmed = bytes.trim_ascii_end();
        let needed = match format {
            Format::Png => bytes.len() - 12,
            _ if text => 2 + trimmed.iter().rposition(u8::is_ascii_whitespace).unwrap(),
            _ => bytes.len(),
        };
        for length in 0..bytes.len() {
            let result = read(&bytes[..length], format);
            // Some TIFFs end with padding or the texts of their tags.
            if length < needed && format != Format::Tiff {
                assert!(result.is_err(), "{format}, file {number}, {length} bytes");
            }
            if result.is_ok() {
                assert!(
                    length + 16 > needed,
                    "{format}, file {number}, {length} bytes"
                );
            }
        }
    }
}

/// Deflate data of `bytes` bytes that expands to 158 times as many zeros. Each code `1100_0101 00000`, most significant
/// bit first, repeats the last byte 258 times.
fn deflated_zeros(bytes: usize) -> Vec<u8> {
    // The header, and a block of fixed codes that begins with the literal 0.
    let mut bits: Vec<bool> = vec![true, true, false];
    bits.extend([false, false, true, true, false, false, false, false]);
    let repeat = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0].map(|bit| bit == 1);
    while bits.len() < 8 * bytes {
        bits.extend(repeat);
    }
    let packed = bits.chunks(8).map(|bits| {
        let bits = bits.iter().enumerate();
        bits.fold(0, |byte, (place, &bit)| byte | u8::from(bit) << place)
    });
    [0x78, 0x01].into_iter().chain(packed).collect()
}

/// Returns a PNG with an additional chunk after its header.
fn with_chunk(png: &[u8], kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut checked = kind.to_vec();
    checked.extend(content);
    let mut crc = u32::MAX;
    for byte in &checked {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            let odd = crc & 1;
            crc = (crc >> 1) ^ (odd * 0xedb8_8320);
        }
    }
    let (header, rest) = png.split_at(33);
    let length = (content.len() as u32).to_be_bytes();
    [header, &length, &checked, &(!crc).to_be_bytes(), rest].concat()
}

#[test]
fn png_text_chunks_are_not_decompressed() {
    let _one = ONE_AT_A_TIME.lock();
    // Large enough that the limit for pixels would allow the decompressed text.
    let map = files::ramp(2000, 1500);
    let png = files::written(&map, Format::Png, &WriteOptions::default());
    let zeros = deflated_zeros(1 << 20);
    let options = ReadOptions::default();
    let (expected, plain) = measured(|| io::read(&png, Format::Png, &options).unwrap());
    let chunks: [(&[u8; 4], &[u8]); 4] = [
        (b"iCCP", b"profile\0\0"),
        (b"zTXt", b"Comment\0\0"),
        (b"iTXt", b"Comment\0\x01\0\0\0"),
        (b"zTXt", b"lanternfell\0\0"),
    ];
    for (kind, head) in chunks {
        let bytes = with_chunk(&png, kind, &[head, &zeros].concat());
        let (read, memory) = measured(|| io::read(&bytes, Format::Png, &options).unwrap());
        assert_eq!(read.heights, expected.heights);
        let name = String::from_utf8_lossy(kind);
        // Decompressed, it would be 150 MiB.
        assert!(
            memory < plain + (4 << 20),
            "{name}: {memory}, plain {plain}"
        );
    }
}

/// Changes random bytes: bits, numbers, and pieces.
fn damage(bytes: &mut Vec<u8>, other: &[u8], rng: &mut SeededRng) {
    for _ in 0..=rng.below(3) {
        let length = bytes.len().max(1) as u64;
        let at = (rng.below(length) as usize).min(bytes.len());
        let rest = bytes.len() - at;
        match rng.below(8) {
            0 if rest > 0 => bytes[at] ^= 1 << rng.below(8),
            1 if rest > 0 => bytes[at] = rng.below(256) as u8,
            2 if rest > 0 => bytes[at] = b"0123456789-+.eE# \n\xffN"[rng.below(20) as usize],
            3 | 4 if rest >= 4 => {
                const NUMBERS: [u32; 10] = [
                    0,
                    1,
                    2,
                    16_384,
                    16_385,
                    65_535,
                    1 << 16,
                    1 << 31,
                    (1 << 31) - 1,
                    u32::MAX,
                ];
                let number = NUMBERS[rng.below(10) as usize];
                let number = if rng.below(2) == 0 {
                    number.to_le_bytes()
                } else {
                    number.to_be_bytes()
                };
                bytes[at..at + 4].copy_from_slice(&number);
            }
            5 => bytes.truncate(at),
            6 => {
                let length = rng.below(16).min(rest as u64) as usize;
                bytes.drain(at..at + length);
            }
            _ => {
                let from = rng.below(other.len() as u64) as usize;
                let length = rng.below(32).min((other.len() - from) as u64) as usize;
                bytes.splice(at..at, other[from..from + length].iter().copied());
            }
        }
    }
}

#[test]
fn damaged_files_never_panic() {
    let _one = ONE_AT_A_TIME.lock();
    let files = all();
    let mut rng = SeededRng::new(6, b"hostile ");
    let (mut refused, mut taken) = (0, 0);
    for round in 0..cases(60_000, 2_000_000) as usize {
        let (format, bytes) = &files[round % files.len()];
        let other = &files[rng.below(files.len() as u64) as usize].1;
        let mut bytes = bytes.clone();
        damage(&mut bytes, other, &mut rng);
        match read(&bytes, *format) {
            Ok(_) => taken += 1,
            Err(_) => refused += 1,
        }
        let _ = Format::sniff(&bytes);
    }
    // Both results must be frequent, otherwise the damage is too weak or never reaches the heights.
    let share = f64::from(taken) / f64::from(taken + refused);
    assert!(
        (0.05..0.9).contains(&share),
        "{share} of the files are still read"
    );
}

/// Files with several bands, channels and parts, and sparse files, with options that select one map.
fn several() -> Vec<(Format, Vec<u8>, ReadOptions)> {
    let layers = files::exr_layers(&terraces());
    let part = |part: &str| ReadOptions {
        part: Some(part.to_owned()),
        channel: Some("Y".to_owned()),
        ..ReadOptions::default()
    };
    let mut files = vec![
        (Format::Exr, layers.clone(), part("1")),
        (Format::Exr, layers, part("first")),
    ];
    for band in [Some(1), Some(3), None] {
        for bits in 0..16 {
            let options = ReadOptions {
                band,
                ..ReadOptions::default()
            };
            let [in_planes, is_tiled, is_sparse, is_packed] =
                [1, 2, 4, 8].map(|bit| bits & bit > 0);
            let bands = if band.is_none() { 2 } else { 3 };
            let bytes = bands_in(bands, in_planes, is_tiled, is_sparse, is_packed);
            files.push((Format::Tiff, bytes, options));
        }
    }
    files
}

/// Bands of bytes of 32 x 32 cells. The last is alpha.
fn bands_in(
    bands: usize,
    in_planes: bool,
    is_tiled: bool,
    is_sparse: bool,
    is_packed: bool,
) -> Vec<u8> {
    let extra: Vec<u16> = (1..bands)
        .map(|band| if band + 1 == bands { 2 } else { 0 })
        .collect();
    let page = Page::new(0, [32, 32], 8)
        .set(258, Values::Shorts(vec![8; bands]))
        .set(
            259,
            Values::Shorts(vec![if is_packed { 50_000 } else { 1 }]),
        )
        .set(277, Values::Shorts(vec![bands as u16]))
        .set(284, Values::Shorts(vec![1 + u16::from(in_planes)]))
        .set(338, Values::Shorts(extra));
    let (planes, each) = if in_planes {
        (bands, 256)
    } else {
        (1, 256 * bands)
    };
    let strip = |strip: usize| {
        if is_packed {
            pages::flat_zstandard(strip as u8, each)
        } else {
            vec![strip as u8 + 1; each]
        }
    };
    let strips = (0..4 * planes).map(strip).collect();
    let mut page = if is_tiled {
        let mut page = page
            .set(322, Values::Shorts(vec![16]))
            .set(323, Values::Shorts(vec![16]));
        page.strips = strips;
        page
    } else {
        page.rows(8, strips)
    };
    if is_sparse {
        page.missing = vec![1, 3];
    }
    pages::File::of(vec![page], false, false)
}

#[test]
fn damaged_files_with_several_maps_never_panic() {
    let _one = ONE_AT_A_TIME.lock();
    let files = several();
    for (number, (format, bytes, options)) in files.iter().enumerate() {
        let map = read_with(bytes, *format, options);
        assert!(map.is_ok(), "file {number}: {map:?}");
    }
    let mut rng = SeededRng::new(9, b"several ");
    let (mut refused, mut taken) = (0, 0);
    for round in 0..cases(30_000, 1_000_000) as usize {
        let (format, bytes, options) = &files[round % files.len()];
        let other = &files[rng.below(files.len() as u64) as usize].1;
        let mut bytes = bytes.clone();
        damage(&mut bytes, other, &mut rng);
        match read_with(&bytes, *format, options) {
            Ok(_) => taken += 1,
            Err(_) => refused += 1,
        }
        let _ = read(&bytes, *format);
    }
    assert!(taken > 1000 && refused > 1000, "{taken} and {refused}");
}

#[test]
fn rejects_bytes_of_other_formats() {
    let _one = ONE_AT_A_TIME.lock();
    for (own, bytes) in all() {
        for format in Format::ALL {
            if format != own {
                assert!(read(&bytes, format).is_err(), "{own} as {format}");
            }
        }
    }
}

#[test]
fn damaged_sidecars_never_panic() {
    let _one = ONE_AT_A_TIME.lock();
    let whole = files::sidecar();
    for length in 0..whole.len() - 1 {
        let kept = &whole[..length];
        assert!(Sidecar::parse(kept).is_err() || kept.trim_ascii_end().ends_with(b"}"));
    }
    let mut rng = SeededRng::new(7, b"hostile ");
    for _ in 0..5000 {
        let mut bytes = whole.clone();
        damage(&mut bytes, &whole, &mut rng);
        let (result, memory) = measured(|| Sidecar::parse(&bytes));
        assert!(memory < 1 << 16);
        if let Ok(sidecar) = result {
            assert!(sidecar.frame.validate().is_ok());
            let (low, high) = sidecar.range;
            assert!(low.is_finite() && high.is_finite() && low <= high);
        }
    }
    let deep = [vec![b'['; 60_000], vec![b'{'; 1000]].concat();
    assert!(Sidecar::parse(&deep).is_err());
    assert!(Sidecar::parse(&vec![b' '; 1 << 20]).is_err());
}

/// The headers of BIL files and their numbers are damaged independently.
#[test]
fn damaged_headers_never_panic() {
    let _one = ONE_AT_A_TIME.lock();
    let texts: [&[u8]; 2] = [
        b"NROWS 5\nNCOLS 4\nNBITS 16\nPIXELTYPE SIGNEDINT\nBYTEORDER M\nSKIPBYTES 3\nTOTALROWBYTES 9\nULXMAP 15\n\
          ULYMAP 45\nXDIM 30\nYDIM 10\nNODATA -32768\n",
        b"ncols 4\nnrows 5\nxllcorner -10.5\nyllcorner 37\ncellsize 0.25\nNODATA_value -9999\nbyteorder LSBFIRST\n",
    ];
    let options = ReadOptions {
        fill: Some(Fill::Height(0.5)),
        ..ReadOptions::default()
    };
    let mut rng = SeededRng::new(8, b"hostile ");
    let (mut refused, mut taken) = (0, 0);
    for round in 0..cases(20_000, 1_000_000) as usize {
        let (format, text) = [(Format::Bil, texts[0]), (Format::Flt, texts[1])][round % 2];
        let mut text = text.to_vec();
        let numbers: Vec<u8> = (0..80 + rng.below(8))
            .map(|_| rng.below(250) as u8)
            .collect();
        damage(&mut text, texts[rng.below(2) as usize], &mut rng);
        let work = || BilHeader::parse(&text, format)?.read(&numbers, &options);
        let (result, memory) = measured(work);
        assert!(memory < 1 << 16, "{memory} bytes");
        match result {
            Ok(map) => {
                assert!(map.frame.validate_on(map.size()).is_ok());
                taken += 1;
            }
            Err(error) => {
                assert!(!error.to_string().contains('\n'), "{error}");
                refused += 1;
            }
        }
    }
    let share = f64::from(taken) / f64::from(taken + refused);
    assert!(
        (0.05..0.9).contains(&share),
        "{share} of the files are still read"
    );
}

#[test]
#[ignore = "writes seed files for the fuzzer to the folder LANTERNFELL_SEEDS"]
fn seeds_of_the_fuzzer() {
    let Ok(folder) = std::env::var("LANTERNFELL_SEEDS") else {
        return;
    };
    let write = |target: String, number: usize, bytes: &[u8]| {
        // Tests run in the folder of their crate.
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folder = root.join(&folder).join(target);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(number.to_string()), bytes).unwrap();
    };
    for (number, (format, bytes)) in all().into_iter().enumerate() {
        let name = format!("{format:?}").to_ascii_lowercase();
        write(format!("read_{name}"), number, &bytes);
    }
    write("sidecar".to_owned(), 0, &files::sidecar());
}
