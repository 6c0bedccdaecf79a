//! TIFFs with several bands and with alpha, as `gdalwarp -dstalpha` writes it, with the samples of a cell together or
//! in planes (`INTERLEAVE=BAND`).

use lanternfell_io::{self as io, Fill, Format, ImportError, ReadOptions};
use tiff::encoder::{Compression, DeflateLevel};

use super::{
    pages::{File, Page, Values, packed, zstandard},
    unpacked::unpacked,
};

const SIZE: [usize; 2] = [21, 18];
const CELLS: usize = SIZE[0] * SIZE[1];

/// A way to compress a strip.
type Pack = (u16, fn(&[u8]) -> Vec<u8>);

const PACKS: [Pack; 5] = [
    (1, <[u8]>::to_vec),
    (5, |bytes| packed(bytes, Compression::Lzw)),
    (8, |bytes| {
        packed(bytes, Compression::Deflate(DeflateLevel::Fast))
    }),
    (32_773, |bytes| packed(bytes, Compression::Packbits)),
    (50_000, zstandard),
];

/// How the bands are stored.
#[derive(Debug, Clone, Copy)]
struct Layout {
    in_planes: bool,
    is_tiled: bool,
    big_endian: bool,
}

fn layouts() -> impl Iterator<Item = Layout> {
    (0..8).map(|bits| Layout {
        in_planes: bits & 1 > 0,
        is_tiled: bits & 2 > 0,
        big_endian: bits & 4 > 0,
    })
}

impl Layout {
    /// An image of these bands in `f32`.
    fn page(self, bands: &[Vec<f32>], (method, pack): Pack) -> Page {
        let shorts = |value| Values::Shorts(vec![value; bands.len()]);
        let page = Page::new(0, SIZE, 32)
            .set(258, shorts(32))
            .set(259, Values::Shorts(vec![method]))
            .set(277, Values::Shorts(vec![bands.len() as u16]))
            .set(284, Values::Shorts(vec![1 + u16::from(self.in_planes)]))
            .set(339, shorts(3));
        let bytes = |z: f32| {
            if self.big_endian {
                z.to_be_bytes()
            } else {
                z.to_le_bytes()
            }
        };
        let planes: Vec<&[Vec<f32>]> = if self.in_planes {
            bands.chunks(1).collect()
        } else {
            vec![bands]
        };
        let [wide, tall] = if self.is_tiled {
            [16, 16]
        } else {
            [SIZE[0], 5]
        };
        let mut strips = Vec::new();
        for plane in planes {
            let tops = (0..SIZE[1]).step_by(tall);
            for (top, left) in
                tops.flat_map(|top| (0..SIZE[0]).step_by(wide).map(move |left| (top, left)))
            {
                let end = if self.is_tiled {
                    top + tall
                } else {
                    SIZE[1].min(top + tall)
                };
                let cells = (top..end).flat_map(|y| (left..left + wide).map(move |x| (x, y)));
                let inside = |(x, y): (usize, usize)| x < SIZE[0] && y < SIZE[1];
                let number = |(x, y), band: &Vec<f32>| {
                    if inside((x, y)) {
                        band[y * SIZE[0] + x]
                    } else {
                        0.0
                    }
                };
                let numbers =
                    cells.flat_map(|cell| plane.iter().map(move |band| number(cell, band)));
                strips.push(pack(&numbers.flat_map(bytes).collect::<Vec<u8>>()));
            }
        }
        if !self.is_tiled {
            return page.rows(tall, strips);
        }
        let mut page = page
            .set(322, Values::Shorts(vec![16]))
            .set(323, Values::Shorts(vec![16]));
        page.strips = strips;
        page
    }

    fn file(self, page: Page) -> Vec<u8> {
        File::of(vec![page], self.big_endian, false)
    }
}

/// The heights of a band.
fn heights(band: usize) -> Vec<f32> {
    (0..CELLS)
        .map(|cell| (cell * 13 % 89 + 100 * band) as f32)
        .collect()
}

/// Alpha, which is 0 in every fifth cell.
fn alpha() -> Vec<f32> {
    (0..CELLS)
        .map(|cell| [0.0, 255.0, 1.0, 128.0, 255.0][cell % 5])
        .collect()
}

/// The extra samples of a number of bands of which the last is alpha.
fn extra(bands: usize) -> Values {
    let mut kinds = vec![0; bands - 2];
    kinds.push(2);
    Values::Shorts(kinds)
}

fn select(band: Option<u32>, fill: Option<f32>) -> ReadOptions {
    ReadOptions {
        band,
        fill: fill.map(Fill::Height),
        ..ReadOptions::default()
    }
}

fn read(file: &[u8], options: &ReadOptions) -> Result<Vec<f32>, ImportError> {
    let model = io::read(file, Format::Tiff, options)?;
    let heights = model.heights.heights().to_vec();
    assert_eq!(unpacked(file, Format::Tiff, options).1, heights);
    Ok(heights)
}

#[test]
fn alpha_is_a_mask() {
    for layout in layouts() {
        for pack in PACKS {
            let what = format!("{layout:?}, {}", pack.0);
            let page = layout.page(&[heights(0), alpha()], pack);
            for kind in [1, 2] {
                let page = layout.page(&[heights(0), alpha()], pack);
                let file = layout.file(page.set(338, Values::Shorts(vec![kind])));
                let gap = ImportError::Gap { column: 0, row: 0 };
                assert_eq!(read(&file, &select(None, None)), Err(gap), "{what}");
                let mut expected = heights(0);
                expected.iter_mut().step_by(5).for_each(|z| *z = -1.0);
                assert_eq!(
                    read(&file, &select(None, Some(-1.0))).unwrap(),
                    expected,
                    "{what}"
                );
                assert_eq!(
                    read(&file, &select(Some(1), Some(-1.0))).unwrap(),
                    expected,
                    "{what}"
                );
                // Alpha itself can be read.
                assert_eq!(
                    read(&file, &select(Some(2), None)).unwrap(),
                    alpha(),
                    "{what}"
                );
            }
            // Without the kind of the extra sample, these are two bands of heights.
            let line = read(&layout.file(page), &select(None, None))
                .unwrap_err()
                .to_string();
            assert!(
                line.contains("2 bands") && line.contains("`band`"),
                "{line}"
            );
        }
    }
}

#[test]
fn selects_one_of_several_bands() {
    for layout in layouts() {
        for pack in PACKS {
            let what = format!("{layout:?}, {}", pack.0);
            let bands: Vec<Vec<f32>> = (0..3).map(heights).collect();
            let file = layout.file(
                layout
                    .page(&bands, pack)
                    .set(338, Values::Shorts(vec![0, 0])),
            );
            for fill in [None, Some(7.0)] {
                let found = "3 bands".to_owned();
                let several = ImportError::Several {
                    option: "band",
                    found,
                };
                assert_eq!(read(&file, &select(None, fill)), Err(several), "{what}");
                for band in 0..3 {
                    let found = read(&file, &select(Some(band + 1), fill)).unwrap();
                    assert_eq!(found, heights(band as usize), "{what}, {band}");
                }
                for band in [0, 4, u32::MAX] {
                    let line = read(&file, &select(Some(band), fill))
                        .unwrap_err()
                        .to_string();
                    let expected = format!("band is {band}, but the file has 3 bands");
                    assert_eq!(line, expected, "{what}");
                }
            }
        }
    }
}

#[test]
fn each_band_has_its_own_metadata_and_the_same_alpha() {
    const XML: &str = "<GDALMetadata>\n\
        <Item name=\"OFFSET\" sample=\"1\" role=\"offset\">100</Item>\n\
        <Item name=\"SCALE\" sample=\"1\" role=\"scale\">2</Item>\n\
        <Item name=\"UNITTYPE\" sample=\"1\" role=\"unittype\">m</Item>\n</GDALMetadata>";
    for layout in layouts() {
        let page = layout.page(&[heights(0), heights(1), alpha()], PACKS[2]);
        let page = page.set(338, extra(3)).set(42_112, Values::Text(XML));
        let file = layout.file(page);
        let line = read(&file, &select(None, None)).unwrap_err().to_string();
        assert!(line.contains("3 bands, of which 3 is alpha"), "{line}");
        let mut expected = heights(1);
        expected.iter_mut().step_by(5).for_each(|z| *z = 9.0);
        let options = select(Some(2), Some(9.0));
        assert_eq!(read(&file, &options).unwrap(), expected, "{layout:?}");
        let frame = io::read(&file, Format::Tiff, &options).unwrap().frame;
        assert_eq!(
            (frame.elevation.offset, frame.elevation.relief),
            (100.0, 2.0)
        );
        let frame = io::read(&file, Format::Tiff, &select(Some(1), Some(9.0)))
            .unwrap()
            .frame;
        assert_eq!((frame.elevation.offset, frame.elevation.relief), (0.0, 1.0));
    }
}

/// Missing strips have no height if there is alpha, because alpha is missing too.
#[test]
fn missing_strips_are_transparent() {
    for layout in layouts() {
        let mut page = layout.page(&[heights(0), vec![255.0; CELLS]], PACKS[2]);
        page.missing = vec![1];
        if layout.in_planes {
            let planes = page.strips.len() / 2;
            page.missing.push(planes + 1);
        }
        let file = layout.file(page.set(338, Values::Shorts(vec![2])));
        let is_missing = |cell: usize| {
            let (x, y) = (cell % SIZE[0], cell / SIZE[0]);
            if layout.is_tiled {
                x >= 16 && y < 16
            } else {
                (5..10).contains(&y)
            }
        };
        let expected = heights(0).into_iter().enumerate();
        let expected = expected.map(|(cell, z)| if is_missing(cell) { 5.0 } else { z });
        let found = read(&file, &select(None, Some(5.0))).unwrap();
        assert_eq!(found, expected.collect::<Vec<_>>(), "{layout:?}");
    }
}

/// Bytes of colors, which are gray except in cell 30.
fn colors(layout: Layout, bands: &[u8]) -> Vec<u8> {
    let kinds = bands.len();
    let number = |cell: usize, band: u8| match band {
        b'a' => {
            if cell.is_multiple_of(5) {
                0
            } else {
                255
            }
        }
        b'b' if cell == 31 => 99,
        _ => (cell % 50) as u8,
    };
    let cells = 0..CELLS;
    let strips: Vec<Vec<u8>> = if layout.in_planes {
        let plane = |&band| cells.clone().map(|cell| number(cell, band)).collect();
        bands.iter().map(plane).collect()
    } else {
        let all = cells.flat_map(|cell| bands.iter().map(move |&band| number(cell, band)));
        vec![all.collect()]
    };
    let mut page = Page::new(0, SIZE, 8)
        .set(258, Values::Shorts(vec![8; kinds]))
        .set(262, Values::Shorts(vec![2]))
        .set(277, Values::Shorts(vec![kinds as u16]))
        .set(284, Values::Shorts(vec![1 + u16::from(layout.in_planes)]));
    if kinds > 3 {
        page = page.set(338, Values::Shorts(vec![2]));
    }
    layout.file(page.rows(SIZE[1], strips))
}

#[test]
fn colors_need_a_band_unless_they_are_gray() {
    for layout in layouts().filter(|layout| !layout.is_tiled) {
        for bands in [&b"rgb"[..], b"rgba"] {
            let file = colors(layout, bands);
            let fill = Some(-1.0);
            let error = read(&file, &select(None, fill)).unwrap_err();
            if layout.in_planes {
                let line = error.to_string();
                assert!(line.contains("colors in several planes"), "{line}");
            } else {
                assert_eq!(error, ImportError::Colored { column: 10, row: 1 });
            }
            for band in 1..=3 {
                let found = read(&file, &select(Some(band), fill)).unwrap();
                let is_gap = |cell: usize| bands.len() > 3 && cell.is_multiple_of(5);
                let number = |cell: usize| {
                    if band == 3 && cell == 31 {
                        99
                    } else {
                        cell % 50
                    }
                };
                let height = |cell| {
                    if is_gap(cell) {
                        -1.0
                    } else {
                        number(cell) as f32 / 255.0
                    }
                };
                assert_eq!(
                    found,
                    (0..CELLS).map(height).collect::<Vec<_>>(),
                    "{layout:?}, {band}"
                );
            }
        }
        if !layout.in_planes {
            let gray = colors(layout, b"rgga");
            let found = read(&gray, &select(None, Some(-1.0))).unwrap();
            assert_eq!((found[30], found[31]), (-1.0, 31.0 / 255.0));
        }
    }
}

/// A file with a single band is read with `band` 1.
#[test]
fn band_1_is_the_only_band() {
    let file = File::of(
        vec![Page::new(0, [2, 2], 8).rows(2, vec![vec![0, 51, 102, 255]])],
        false,
        false,
    );
    let expected = vec![0.0, 0.2, 0.4, 1.0];
    assert_eq!(read(&file, &select(Some(1), None)), Ok(expected));
    let line = read(&file, &select(Some(2), None)).unwrap_err().to_string();
    assert_eq!(line, "band is 2, but the file has 1 band");
}
