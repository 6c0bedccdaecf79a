//! Reads files with `unpack`, which must give the same map as `read`.

use std::io::Cursor;

use lanternfell_heightmap::Progress;
use lanternfell_io::{self as io, Format, ReadOptions, UnpackedMap};

/// Unpacks a valid file. Returns the map and its heights.
#[track_caller]
pub fn unpacked(file: &[u8], format: Format, options: &ReadOptions) -> (UnpackedMap, Vec<f32>) {
    let (mut scratch, quiet) = (Cursor::new(Vec::new()), Progress::default());
    let map = io::unpack(Cursor::new(file), format, options, &mut scratch, &quiet).unwrap();
    let numbers = scratch.get_ref().as_chunks().0.iter();
    let heights = numbers.map(|&bytes| f32::from_le_bytes(bytes)).collect();
    (map, heights)
}
