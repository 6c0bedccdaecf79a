//! Files as byte arrays.

use js_sys::Function;
use lanternfell_heightmap::MapSize;
use lanternfell_io::{
    self as io, ByteOrder, Format, PngDepth, RawFormat, ReadOptions, Sample, WriteOptions,
};
use serde::Deserialize;
use serde_json::Value as Json;
use wasm_bindgen::prelude::*;

use crate::{
    bytes::Bytes,
    error::Failure,
    map::{self, Land, MadeMap, has_room},
    progress::watched,
    view::{self, View},
};

/// The options from JavaScript. Each format uses those that apply to it.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Options {
    depth: Option<u32>,
    sample: Sample,
    order: ByteOrder,
    stretch: bool,
    step: Option<u32>,
    texture: Option<Json>,
}

fn options(json: &str) -> Result<Options, Failure> {
    serde_json::from_str(json).map_err(|error| Failure::of_json("options", &error))
}

/// The format for a file extension.
fn format(extension: &str) -> Result<Format, Failure> {
    Format::from_extension(extension)
        .ok_or_else(|| Failure::new(format_args!("unknown format `{extension}`")))
}

/// Writes a map in the format for this file extension.
#[wasm_bindgen]
pub fn write(
    extension: &str,
    facts: &str,
    heights: Vec<f32>,
    options: &str,
    on_progress: Option<Function>,
) -> Result<Vec<u8>, JsValue> {
    /// The share of the progress for drawing the texture.
    const COLORED: f32 = 0.5;
    let format = format(extension)?;
    let options = self::options(options)?;
    let texture = options.texture.as_ref().map(texture_of).transpose()?;
    let land = map::land(facts, heights)?;
    let Land { model, sea_level } = &land;
    watched(on_progress, |progress| {
        let colors = texture.map(|view| {
            if !has_room([4 * model.size().cells()]) {
                return Err(Failure::new(
                    "the map and a copy of it do not fit into memory",
                ));
            }
            let land = Land {
                model: model.clone(),
                sea_level: *sea_level,
            };
            view::draw(land, &view, &progress.span(0.0, COLORED))
        });
        let colors = colors.transpose()?;
        let settings = WriteOptions {
            depth: depth(options.depth)?,
            raw: RawFormat {
                sample: options.sample,
                order: options.order,
            },
            stretch: options.stretch,
            step: options.step.unwrap_or(1),
            texture: colors.as_ref(),
            ..WriteOptions::default()
        };
        let mut file = Bytes::default();
        let rest = progress.span(if colors.is_some() { COLORED } else { 0.0 }, 1.0);
        io::write(model, format, &settings, &mut file, &rest)?;
        Ok(file.0)
    })
}

/// The view for the texture of a mesh. It must have one pixel per cell.
fn texture_of(json: &Json) -> Result<View, Failure> {
    match view::read(&json.to_string())? {
        View::Perspective(_) => Err(Failure::of_parameter(
            "texture must be a `top` or `shaded` view",
            "texture",
        )),
        view => Ok(view),
    }
}

fn depth(bits: Option<u32>) -> Result<PngDepth, Failure> {
    match bits {
        None | Some(16) => Ok(PngDepth::Sixteen),
        Some(8) => Ok(PngDepth::Eight),
        Some(other) => Err(Failure::of_parameter(
            format_args!("depth is {other}, but must be 8 or 16"),
            "depth",
        )),
    }
}

/// Reads a map from the bytes of a file. RAW needs its size.
#[wasm_bindgen]
pub fn read(
    extension: &str,
    bytes: &[u8],
    size: Option<Vec<f64>>,
    options: &str,
) -> Result<MadeMap, JsValue> {
    let Options { sample, order, .. } = self::options(options)?;
    let format = format(extension)?;
    let size = size.as_deref().map(size_of).transpose()?;
    check_memory(bytes, format, size)?;
    let settings = ReadOptions {
        size,
        raw: RawFormat { sample, order },
        ..ReadOptions::default()
    };
    let model = io::read(bytes, format, &settings).map_err(Failure::from)?;
    Ok(MadeMap::new(Land::of_file(model), None))
}

/// Returns an error if the map in a file does not fit into memory. A small file can contain a large
/// map.
fn check_memory(bytes: &[u8], format: Format, said: Option<MapSize>) -> Result<(), Failure> {
    let size = match said {
        Some(size) => size,
        None => io::size(bytes, format)?,
    };
    if has_room([4 * size.cells()]) {
        return Ok(());
    }
    let (width, height) = size.into();
    Err(Failure::new(format_args!(
        "a map of {width}x{height} cells does not fit into memory"
    )))
}

fn size_of(sides: &[f64]) -> Result<MapSize, Failure> {
    let &[width, height] = sides else {
        return Err(Failure::of_parameter(
            "size must be an array of width and height",
            "size",
        ));
    };
    Ok(MapSize::new(width as u64, height as u64)?)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn texture_must_be_a_view_from_above() {
        let texture = |view: &str| texture_of(&serde_json::json!({ "view": view }));
        assert!(texture("top").is_ok() && texture("shaded").is_ok());
        let failure = texture("perspective").err().unwrap();
        assert_eq!(failure.parameter.as_deref(), Some("texture"));
    }

    #[test]
    fn checks_memory_before_reading() {
        assert!(has_room([1 << 10; 3]) && !has_room([usize::MAX / 4; 3]));
        let mut file = Bytes::default();
        file.write_all(b"land").unwrap();
        assert_eq!(file.0, b"land");
        assert!(check_memory(b"no PNG", Format::Png, None).is_err());
    }
}
