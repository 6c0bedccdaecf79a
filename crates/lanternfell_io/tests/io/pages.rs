//! Builds TIFFs byte by byte: several images, in both byte orders, with any compression of strips or tiles.

use std::io::Cursor;

use tiff::{
    decoder::Decoder,
    encoder::{Compression, TiffEncoder, colortype::Gray8},
    tags::Tag,
};

/// The values of a tag.
#[derive(Clone)]
pub enum Values {
    Shorts(Vec<u16>),
    Longs(Vec<u32>),
    Doubles(Vec<f64>),
    Text(&'static str),
}

/// An image: its tags, and its strips or tiles as stored in the file.
pub struct Page {
    tags: Vec<(u16, Values)>,
    pub strips: Vec<Vec<u8>>,
    /// The indices of strips that are not written, as in a sparse file: their offset and length are 0.
    pub missing: Vec<usize>,
}

const STRIPS: (u16, u16) = (273, 279);
const TILES: (u16, u16) = (324, 325);

impl Page {
    /// An uncompressed gray image, whose strips are added later.
    pub fn new(kind: u32, [width, height]: [usize; 2], bits: u16) -> Self {
        let (width, height) = (width as u32, height as u32);
        let tags = vec![
            (254, Values::Longs(vec![kind])),
            (256, Values::Longs(vec![width])),
            (257, Values::Longs(vec![height])),
            (258, Values::Shorts(vec![bits])),
            (259, Values::Shorts(vec![1])),
            // Like GDAL: 4 is a mask.
            (262, Values::Shorts(vec![if bits == 1 { 4 } else { 1 }])),
            (277, Values::Shorts(vec![1])),
        ];
        Self {
            tags,
            strips: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// Sets strips of `rows` rows.
    pub fn rows(self, rows: usize, strips: Vec<Vec<u8>>) -> Self {
        let mut page = self.set(278, Values::Longs(vec![rows as u32]));
        page.strips = strips;
        page
    }

    pub fn set(mut self, tag: u16, values: Values) -> Self {
        self.tags.retain(|(old, _)| *old != tag);
        self.tags.push((tag, values));
        self
    }

    /// The tags that list its strips or tiles.
    fn lists(&self) -> (u16, u16) {
        let is_tiled = self.tags.iter().any(|(tag, _)| *tag == 322);
        if is_tiled { TILES } else { STRIPS }
    }
}

/// A file in one of the byte orders.
pub struct File {
    bytes: Vec<u8>,
    big_endian: bool,
}

impl File {
    /// Writes all pages, each followed by its strips, or all strips after the last page.
    pub fn of(pages: Vec<Page>, big_endian: bool, strips_last: bool) -> Vec<u8> {
        let bytes = if big_endian { b"MM\0\x2a" } else { b"II\x2a\0" };
        let bytes = bytes.to_vec();
        let mut file = Self { bytes, big_endian };
        let mut link = file.bytes.len();
        file.put(0_u32.to_be_bytes());
        let mut lists = Vec::new();
        for page in pages {
            let at = file.bytes.len() as u32;
            file.write(link, at.to_be_bytes());
            let (next, places) = file.directory(&page);
            link = next;
            let place = |index| (!page.missing.contains(&index)).then_some(places + 4 * index);
            let strips = page.strips.into_iter().enumerate();
            lists.extend(strips.filter_map(|(index, strip)| Some((place(index)?, strip))));
            if !strips_last {
                file.strips(&mut lists);
            }
        }
        file.strips(&mut lists);
        file.bytes
    }

    /// Writes a directory and the values that do not fit into its tags. Returns the positions of the offset of the next
    /// directory and of the strip offsets.
    fn directory(&mut self, page: &Page) -> (usize, usize) {
        let (places, lengths) = page.lists();
        let long = page.strips.iter().enumerate().map(|(index, strip)| {
            let is_missing = page.missing.contains(&index);
            if is_missing { 0 } else { strip.len() as u32 }
        });
        let long = long.collect();
        let mut tags = page.tags.clone();
        tags.push((places, Values::Longs(vec![0; page.strips.len()])));
        tags.push((lengths, Values::Longs(long)));
        tags.sort_by_key(|(tag, _)| *tag);
        self.put((tags.len() as u16).to_be_bytes());
        let mut behind = self.bytes.len() + 12 * tags.len() + 4;
        let (mut more, mut strips) = (Vec::new(), 0);
        for (tag, values) in &tags {
            let (kind, count, mut content) = self.content(values);
            self.put(tag.to_be_bytes());
            self.put(u16::to_be_bytes(kind));
            self.put((count as u32).to_be_bytes());
            let fits = content.len() <= 4;
            if *tag == places {
                strips = if fits { self.bytes.len() } else { behind };
            }
            if fits {
                content.resize(4, 0);
                self.bytes.extend(content);
            } else {
                self.put((behind as u32).to_be_bytes());
                behind += content.len();
                more.extend(content);
            }
        }
        let next = self.bytes.len();
        self.put(0_u32.to_be_bytes());
        self.bytes.extend(more);
        (next, strips)
    }

    fn strips(&mut self, strips: &mut Vec<(usize, Vec<u8>)>) {
        for (place, strip) in strips.drain(..) {
            let at = self.bytes.len() as u32;
            self.write(place, at.to_be_bytes());
            self.bytes.extend(strip);
        }
    }

    /// Returns the number of the type, the number of values, and their bytes.
    fn content(&self, values: &Values) -> (u16, usize, Vec<u8>) {
        let mut bytes = Vec::new();
        let (kind, count) = match values {
            Values::Shorts(list) => {
                let each = list.iter().map(|number| self.ordered(number.to_be_bytes()));
                bytes.extend(each.flatten());
                (3, list.len())
            }
            Values::Longs(list) => {
                let each = list.iter().map(|number| self.ordered(number.to_be_bytes()));
                bytes.extend(each.flatten());
                (4, list.len())
            }
            Values::Doubles(list) => {
                let each = list.iter().map(|number| self.ordered(number.to_be_bytes()));
                bytes.extend(each.flatten());
                (12, list.len())
            }
            Values::Text(text) => {
                bytes.extend(text.bytes().chain([0]));
                (2, bytes.len())
            }
        };
        (kind, count, bytes)
    }

    /// Returns a number in the byte order of the file.
    fn ordered<const N: usize>(&self, mut number: [u8; N]) -> [u8; N] {
        if !self.big_endian {
            number.reverse();
        }
        number
    }

    fn put<const N: usize>(&mut self, number: [u8; N]) {
        self.bytes.extend(self.ordered(number));
    }

    fn write<const N: usize>(&mut self, at: usize, number: [u8; N]) {
        let number = self.ordered(number);
        self.bytes[at..][..N].copy_from_slice(&number);
    }
}

/// Returns bytes as the encoder compresses them, in the only strip of an image with a single row.
pub fn packed(bytes: &[u8], compression: Compression) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    let encoder = TiffEncoder::new(&mut file).unwrap();
    let mut encoder = encoder.with_compression(compression);
    encoder
        .write_image::<Gray8>(bytes.len() as u32, 1, bytes)
        .unwrap();
    file.set_position(0);
    let mut decoder = Decoder::new(&mut file).unwrap();
    let mut number = |tag| decoder.get_tag_u32(tag).unwrap() as usize;
    let (at, length) = (number(Tag::StripOffsets), number(Tag::StripByteCounts));
    file.get_ref()[at..][..length].to_vec()
}

/// A Zstandard frame of this many equal bytes, 32768:1.
pub fn flat_zstandard(byte: u8, count: usize) -> Vec<u8> {
    const LONGEST: usize = 1 << 17;
    // The magic number, no options, and a window of 1 MiB.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0x50];
    for start in (0..count).step_by(LONGEST) {
        let length = LONGEST.min(count - start);
        let is_last = u32::from(start + length == count);
        frame.extend(&((length as u32) << 3 | 1 << 1 | is_last).to_le_bytes()[..3]);
        frame.push(byte);
    }
    frame
}

/// A Zstandard frame with one uncompressed block.
pub fn zstandard(bytes: &[u8]) -> Vec<u8> {
    let block = (bytes.len() as u32) << 3 | 1;
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0xa0];
    frame.extend((bytes.len() as u32).to_le_bytes());
    frame.extend(&block.to_le_bytes()[..3]);
    frame.extend(bytes);
    frame
}
