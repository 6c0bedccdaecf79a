//! The place of a TIFF on the ground: three of GeoTIFF's tags.
//!
//! | tag | holds |
//! |---|---|
//! | 33550 | width and height of a pixel |
//! | 33922 | a pixel's column and row, and where on the ground its corner lies |
//! | 34735 | keys: whether pixels are areas or points, and the coordinate system's number |
//!
//! A key is four numbers: its own, the tag that its value stands in (0: here), how many
//! values, the value.

use std::io::Cursor;

use tiff::{decoder::Decoder, tags::Tag};

use super::{
    super::{CoordinateSystem, GeoReference, ImportError},
    directory,
};

/// Keys, by their number.
const RASTER_TYPE: u16 = 1025;
const GEOGRAPHIC: u16 = 2048;
const PROJECTED: u16 = 3072;

/// Values of [`RASTER_TYPE`]: a pixel is an area, or the point in its middle.
const AREA: u16 = 1;
const POINT: u16 = 2;

/// "Spelt out elsewhere".
const USER_DEFINED: u16 = 32_767;

/// As [`io::geo_reference`](super::super::geo_reference()).
pub(in super::super) fn geo_reference(bytes: &[u8]) -> Result<Option<GeoReference>, ImportError> {
    let size = directory::size(bytes)?;
    let Ok(mut decoder) = Decoder::new(Cursor::new(bytes)) else {
        return Ok(None);
    };
    let mut doubles = |tag| decoder.get_tag_f64_vec(tag).unwrap_or_default();
    let (scale, tie) = (
        doubles(Tag::ModelPixelScaleTag),
        doubles(Tag::ModelTiepointTag),
    );
    let (&[width, height, ..], &[column, row, _, east, north, ..]) = (&scale[..], &tie[..]) else {
        return Ok(None);
    };
    if (width - height).abs() > 1e-6 * width.abs() {
        return Ok(None);
    }
    let keys = decoder.get_tag_u16_vec(Tag::GeoKeyDirectoryTag);
    let keys = keys.unwrap_or_default();
    // The middle of pixel 0, 0 is half a pixel from its corner.
    let half = if value(&keys, RASTER_TYPE) == Some(POINT) {
        0.5
    } else {
        0.0
    };
    let west = east - (column + half) * width;
    let south = north + (row + half) * width - width * size.height() as f64;
    let system = value(&keys, PROJECTED).map(CoordinateSystem::Projected);
    let system = system.or(value(&keys, GEOGRAPHIC).map(CoordinateSystem::Geographic));
    let place = GeoReference {
        corner: [west, south],
        cell: width,
        system,
    };
    Ok(place.validate().is_ok().then_some(place))
}

/// The value of a key that stands among the keys and is one of the register's.
fn value(keys: &[u16], wanted: u16) -> Option<u16> {
    let (keys, _) = keys.get(4..)?.as_chunks::<4>();
    let found = keys.iter().find(|key| key[0] == wanted && key[1] == 0)?;
    (found[3] != USER_DEFINED).then_some(found[3])
}

/// The keys of a map in that coordinate system, whose pixels are areas.
pub(super) fn keys(system: Option<CoordinateSystem>) -> Vec<u16> {
    const MODEL_TYPE: u16 = 1024;
    let mut keys = Vec::new();
    let key = |number: u16, value: u16| [number, 0, 1, value];
    match system {
        Some(CoordinateSystem::Projected(number)) => {
            keys.extend([
                key(MODEL_TYPE, 1),
                key(RASTER_TYPE, AREA),
                key(PROJECTED, number),
            ]);
        }
        Some(CoordinateSystem::Geographic(number)) => {
            keys.extend([
                key(MODEL_TYPE, 2),
                key(RASTER_TYPE, AREA),
                key(GEOGRAPHIC, number),
            ]);
        }
        None => keys.push(key(RASTER_TYPE, AREA)),
    }
    let head = [1, 1, 0, keys.len() as u16];
    head.into_iter().chain(keys.into_iter().flatten()).collect()
}
