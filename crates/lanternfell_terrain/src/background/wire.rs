//! Serialization of work and results, in pieces so that large maps do not block the main thread.
//!
//! ```text
//!   text      length  bytes           RON, for small values
//!   floats    length  4 bytes each    little-endian
//!   wholes    length  4 bytes each
//! ```
//!
//! Small values are serde types. Maps are serialized by hand, for two reasons that rule out a serde format such as
//! postcard. Arrays have a number for each cell of a map, and in a browser both sides must pause after each 256 KiB,
//! but a serializer can not be suspended. And the app's bytes are a JavaScript buffer, which is read piece by piece
//! into the final arrays, while a serde format needs the whole message in memory as well. Small values use RON and not
//! postcard because recipes leave out absent fields (`skip_serializing_if`), which a format without field names can not
//! read back.
//!
//! Input is validated like a file. Although it comes from another instance of the same program, damaged bytes give an
//! error and never a panic.

use lanternfell_heightmap::{
    Elevation, GeoReference, Heightmap, HeightmapError, HoleMask, HoleMaskError, LengthUnit,
    MapFrame, MapSize, Scenery, TileError,
};
use lanternfell_surface::{NumbersError, inland_water::Waters};
use lanternfell_tasks::pause;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use thiserror::Error;

use super::Work;

use crate::{error::TerrainError, map::TerrainMap};

/// Work that can be sent to a worker.
pub(crate) trait Order: Work + Sized {
    /// The name of this kind of work, which starts each order.
    const NAME: &'static str;

    async fn write(&self, to: &mut impl Sink);

    async fn read(from: &mut impl Source) -> Result<Self, Damaged>;

    /// Writes the result.
    async fn write_made(&self, made: &Self::Made, to: &mut impl Sink);

    async fn read_made(&self, from: &mut impl Source) -> Result<Self::Made, Damaged>;

    /// Returns an error in the input, if there is one, without doing the work.
    fn check(&self) -> Result<(), TerrainError>;
}

/// A destination of bytes.
pub(crate) trait Sink {
    fn put(&mut self, bytes: &[u8]);
}

impl Sink for Vec<u8> {
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

/// A source of bytes.
pub(crate) trait Source {
    /// The number of bytes left.
    fn left(&self) -> usize;

    /// Fills `bytes` with the next bytes. The caller must not request more than are left.
    fn fill(&mut self, bytes: &mut [u8]);
}

impl Source for &[u8] {
    fn left(&self) -> usize {
        self.len()
    }

    fn fill(&mut self, bytes: &mut [u8]) {
        let (these, rest) = self.split_at(bytes.len());
        bytes.copy_from_slice(these);
        *self = rest;
    }
}

/// The reason why bytes are not a valid order or answer.
#[derive(Debug, Error)]
pub(crate) enum Damaged {
    #[error("unexpected end of data")]
    Short,
    #[error("unexpected data at the end, or a length above the limit")]
    Long,
    #[error("unknown kind of data")]
    Kind,
    #[error("{0}")]
    Text(String),
    #[error(transparent)]
    Heights(#[from] HeightmapError),
    #[error(transparent)]
    Holes(#[from] HoleMaskError),
    #[error(transparent)]
    Numbers(#[from] NumbersError),
    #[error("invalid rivers and lakes")]
    Waters(#[from] postcard::Error),
    #[error("the rivers and lakes are for a map of another size")]
    WatersSize,
    #[error(transparent)]
    Plane(#[from] TileError),
}

/// Numbers that are read or written between two pauses: 256 KiB.
const PIECE: usize = 1 << 16;
/// The size of a number in bytes.
const SIZE: usize = 4;

pub(crate) fn put_whole(to: &mut impl Sink, number: u32) {
    to.put(&number.to_le_bytes());
}

pub(crate) fn take_whole(from: &mut impl Source) -> Result<u32, Damaged> {
    let mut bytes = [0; SIZE];
    if from.left() < bytes.len() {
        return Err(Damaged::Short);
    }
    from.fill(&mut bytes);
    Ok(u32::from_le_bytes(bytes))
}

/// Reads the number of elements that follow, each of `size` bytes. All of them must be present.
fn take_length(from: &mut impl Source, size: usize) -> Result<usize, Damaged> {
    let length = take_whole(from)? as usize;
    match length.checked_mul(size) {
        Some(bytes) if bytes <= from.left() => Ok(length),
        _ => Err(Damaged::Short),
    }
}

pub(crate) fn put_text(to: &mut impl Sink, text: &str) {
    put_whole(to, text.len() as u32);
    to.put(text.as_bytes());
}

pub(crate) fn take_text(from: &mut impl Source) -> Result<String, Damaged> {
    let mut bytes = vec![0; take_length(from, 1)?];
    from.fill(&mut bytes);
    String::from_utf8(bytes).map_err(|error| Damaged::Text(error.to_string()))
}

pub(crate) fn put_value(to: &mut impl Sink, value: &impl Serialize) {
    let text = ron::to_string(value);
    put_text(
        to,
        &text.expect("numbers, names and lists can be serialized"),
    );
}

pub(crate) fn take_value<T: DeserializeOwned>(from: &mut impl Source) -> Result<T, Damaged> {
    let text = take_text(from)?;
    ron::from_str(&text).map_err(|error| Damaged::Text(error.to_string()))
}

async fn put_numbers<T: Copy>(
    to: &mut impl Sink,
    numbers: &[T],
    bytes_of: impl Fn(T) -> [u8; SIZE],
) {
    put_whole(to, numbers.len() as u32);
    let mut bytes = vec![0; SIZE * numbers.len().min(PIECE)];
    for piece in numbers.chunks(PIECE) {
        pause().await;
        let bytes = &mut bytes[..SIZE * piece.len()];
        for (bytes, number) in bytes.chunks_exact_mut(SIZE).zip(piece) {
            bytes.copy_from_slice(&bytes_of(*number));
        }
        to.put(bytes);
    }
}

async fn take_numbers<T>(
    from: &mut impl Source,
    of_bytes: impl Fn([u8; SIZE]) -> T,
) -> Result<Vec<T>, Damaged> {
    let length = take_length(from, SIZE)?;
    let mut numbers = Vec::with_capacity(length);
    let mut bytes = vec![0; SIZE * length.min(PIECE)];
    while numbers.len() < length {
        pause().await;
        let bytes = &mut bytes[..SIZE * (length - numbers.len()).min(PIECE)];
        from.fill(bytes);
        let (piece, _) = bytes.as_chunks::<SIZE>();
        numbers.extend(piece.iter().map(|bytes| of_bytes(*bytes)));
    }
    Ok(numbers)
}

pub(crate) async fn put_bytes(to: &mut impl Sink, bytes: &[u8]) {
    put_whole(to, bytes.len() as u32);
    for piece in bytes.chunks(SIZE * PIECE) {
        pause().await;
        to.put(piece);
    }
}

pub(crate) async fn take_bytes(from: &mut impl Source) -> Result<Vec<u8>, Damaged> {
    let mut bytes = vec![0; take_length(from, 1)?];
    for piece in bytes.chunks_mut(SIZE * PIECE) {
        pause().await;
        from.fill(piece);
    }
    Ok(bytes)
}

pub(crate) async fn put_floats(to: &mut impl Sink, numbers: &[f32]) {
    put_numbers(to, numbers, f32::to_le_bytes).await;
}

pub(crate) async fn take_floats(from: &mut impl Source) -> Result<Vec<f32>, Damaged> {
    take_numbers(from, f32::from_le_bytes).await
}

async fn put_wholes(to: &mut impl Sink, numbers: &[u32]) {
    put_numbers(to, numbers, u32::to_le_bytes).await;
}

async fn take_wholes(from: &mut impl Source) -> Result<Vec<u32>, Damaged> {
    take_numbers(from, u32::from_le_bytes).await
}

/// Writes a flag, and the numbers if there are any.
pub(crate) async fn put_some_floats(to: &mut impl Sink, numbers: Option<&[f32]>) {
    put_whole(to, numbers.is_some().into());
    if let Some(numbers) = numbers {
        put_floats(to, numbers).await;
    }
}

pub(crate) async fn take_some_floats(from: &mut impl Source) -> Result<Option<Vec<f32>>, Damaged> {
    Ok(match take_whole(from)? {
        0 => None,
        1 => Some(take_floats(from).await?),
        _ => return Err(Damaged::Kind),
    })
}

/// The frame and size of a map.
#[derive(Serialize, Deserialize)]
struct MapHead {
    size: MapSize,
    offset: f64,
    relief: f64,
    unit: Option<LengthUnit>,
    no_data: Option<f64>,
    place: GeoReference,
    scenery: Scenery,
    elevation_is_explicit: bool,
    place_is_explicit: bool,
    has_holes: bool,
    has_waters: bool,
}

impl MapHead {
    fn of(map: &TerrainMap) -> Self {
        let frame = map.frame();
        Self {
            size: map.size(),
            offset: frame.elevation.offset,
            relief: frame.elevation.relief,
            unit: frame.unit,
            no_data: frame.no_data,
            place: frame.place,
            scenery: frame.scenery,
            elevation_is_explicit: frame.elevation_is_explicit,
            place_is_explicit: frame.place_is_explicit,
            has_holes: map.holes().is_some(),
            has_waters: map.waters().is_some(),
        }
    }

    fn frame(&self) -> MapFrame {
        let (offset, relief) = (self.offset, self.relief);
        MapFrame {
            elevation: Elevation { offset, relief },
            unit: self.unit,
            no_data: self.no_data,
            place: self.place,
            scenery: self.scenery,
            elevation_is_explicit: self.elevation_is_explicit,
            place_is_explicit: self.place_is_explicit,
        }
    }
}

pub(crate) async fn put_map(to: &mut impl Sink, map: &TerrainMap) {
    put_value(to, &MapHead::of(map));
    put_floats(to, map.heights().heights()).await;
    if let Some(holes) = map.holes() {
        put_value(to, &holes.size());
        put_wholes(to, &holes.runs()).await;
    }
    if let Some(waters) = map.waters() {
        let bytes = postcard::to_stdvec(waters);
        put_bytes(to, &bytes.expect("lists with lengths can be serialized")).await;
    }
}

pub(crate) async fn take_map(from: &mut impl Source) -> Result<TerrainMap, Damaged> {
    let head: MapHead = take_value(from)?;
    let heights = take_floats(from).await?;
    let mut map = TerrainMap::new(Heightmap::from_heights(head.size, heights)?, head.frame());
    if head.has_holes {
        // A mask of the wrong size is valid here. The terrain reports the mismatch later.
        let size = take_value(from)?;
        let runs = take_wholes(from).await?;
        map = map.with_holes(HoleMask::from_runs(size, &runs)?);
    }
    if head.has_waters {
        let bytes = take_bytes(from).await?;
        let waters: Waters = postcard::from_bytes(&bytes)?;
        if waters.size() != head.size {
            return Err(Damaged::WatersSize);
        }
        map = map.with_waters(waters);
    }
    Ok(map)
}
