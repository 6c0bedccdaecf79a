//! Files, as bytes.

use js_sys::Function;
use lanternfell_heightmap::{
    MapSize,
    io::{self, ByteOrder, Format, PngDepth, RawFormat, ReadOptions, Sample, WriteOptions},
};
use serde::Deserialize;
use serde_json::Value as Json;
use wasm_bindgen::prelude::*;

use crate::{
    error::Failure,
    map::{self, Land, MadeMap},
    progress::watched,
    view,
};

/// What JavaScript says beside the map. Each format takes what concerns it.
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

/// The format of files that end so.
fn format(extension: &str) -> Result<Format, Failure> {
    Format::from_extension(extension)
        .ok_or_else(|| Failure::new(format_args!("there is no format `{extension}`")))
}

/// The bytes of a map in the format with that extension.
#[wasm_bindgen]
pub fn write(
    extension: &str,
    facts: &str,
    heights: Vec<f32>,
    options: &str,
    on_progress: Option<Function>,
) -> Result<Vec<u8>, JsValue> {
    /// The part of the work after which the colors are drawn.
    const COLORED: f32 = 0.5;
    let format = format(extension)?;
    let options = self::options(options)?;
    let texture = options.texture.as_ref().map(ToString::to_string);
    let texture = texture.map(|json| view::read(&json)).transpose()?;
    let land = map::land(facts, heights)?;
    let Land { model, sea_level } = &land;
    watched(on_progress, |progress| {
        let colors = texture.map(|view| {
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
        let mut file = Vec::new();
        let rest = progress.span(if colors.is_some() { COLORED } else { 0.0 }, 1.0);
        io::write(model, format, &settings, &mut file, &rest)?;
        Ok(file)
    })
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

/// The map in the bytes of a format; of RAW with its size.
#[wasm_bindgen]
pub fn read(
    extension: &str,
    bytes: &[u8],
    size: Option<Vec<f64>>,
    options: &str,
) -> Result<MadeMap, JsValue> {
    let Options { sample, order, .. } = self::options(options)?;
    let settings = ReadOptions {
        size: size.as_deref().map(size_of).transpose()?,
        raw: RawFormat { sample, order },
        fill: None,
    };
    let model = io::read(bytes, format(extension)?, &settings).map_err(Failure::from)?;
    Ok(MadeMap::new(Land::of_file(model), None))
}

fn size_of(sides: &[f64]) -> Result<MapSize, Failure> {
    let &[width, height] = sides else {
        return Err(Failure::of_parameter(
            "size must be a width and a height",
            "size",
        ));
    };
    Ok(MapSize::new(width as u64, height as u64)?)
}
