//! Saves and loads drawings, as RON or as PNG with one pixel per cell.
//!
//! In a PNG each material and each lamp has its own color. A pixel is read as the nearest of these colors, so you can
//! paint maps in any program with approximately this palette.
//!
//! In a browser, files are downloaded and uploaded.

use std::{ffi::OsStr, io::Cursor, path::Path};

use bevy::prelude::*;
use image::{ImageFormat, ImageReader, Limits, Rgb, RgbImage};
use lanternfell_files::read_limited;
use serde::{Deserialize, Serialize};

use crate::drawing::{Drawing, Hue, Lamp, Material};

/// The RON format of a drawing.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Drawing", deny_unknown_fields)]
struct SavedDrawing {
    /// One string per row and one character per cell; see [`LETTERS`].
    rows: Vec<String>,
    lamps: Vec<Lamp>,
}

/// The materials, with their letter in RON and their color in PNG.
const LETTERS: [(char, Material, [u8; 3]); 11] = [
    ('.', Material::Floor, [200, 200, 205]),
    ('#', Material::Wall, [110, 96, 84]),
    ('B', Material::Black, [0, 0, 0]),
    ('M', Material::Mirror, [160, 210, 230]),
    ('~', Material::Smoke, [150, 150, 160]),
    ('a', Material::Glass(Hue::Amber), [170, 110, 30]),
    ('r', Material::Glass(Hue::Red), [150, 20, 20]),
    ('g', Material::Glass(Hue::Green), [20, 130, 40]),
    ('b', Material::Glass(Hue::Blue), [30, 50, 150]),
    ('v', Material::Glass(Hue::Violet), [110, 30, 140]),
    ('w', Material::Glass(Hue::White), [230, 240, 240]),
];

/// The colors of lamps in PNG, in the order of [`Hue::ALL`].
const LAMPS: [[u8; 3]; 7] = [
    [255, 200, 60],
    [255, 60, 60],
    [60, 255, 90],
    [60, 110, 255],
    [200, 80, 255],
    [255, 255, 255],
    [60, 0, 60],
];

/// Saves a drawing. The file extension selects the format.
pub fn save(drawing: &Drawing, path: &Path) -> Result<(), String> {
    let bytes = match ending(path)? {
        Format::Ron => to_ron(drawing)?,
        Format::Png => to_png(drawing)?,
    };
    if cfg!(target_arch = "wasm32") {
        return download(path, &bytes);
    }
    lanternfell_files::write(path, &bytes).map_err(|error| format!("{}: {error}", path.display()))
}

fn download(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match lanternfell::headless::web_page::offer_file(&name, bytes) {
        true => Ok(()),
        false => Err("the page cannot offer a download".to_owned()),
    }
}

/// Loads a drawing. The file extension selects the format.
pub fn load(path: &Path) -> Result<Drawing, String> {
    let format = ending(path)?;
    let bytes = read_limited(path, LONGEST).map_err(|error| error.to_string());
    let drawing = bytes.and_then(|bytes| format.read(&bytes));
    drawing.map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads a drawing from the bytes of a file. The extension of `name` selects the format.
pub fn take(name: &str, bytes: &[u8]) -> Result<Drawing, String> {
    let format = ending(Path::new(name))?;
    let drawing = format.read(bytes);
    drawing.map_err(|error| format!("{name}: {error}"))
}

/// Maximum size of a file in bytes. The largest drawing with its lamps is far smaller.
pub const LONGEST: usize = 16 << 20;

enum Format {
    Ron,
    Png,
}

impl Format {
    fn read(&self, bytes: &[u8]) -> Result<Drawing, String> {
        match self {
            Self::Ron => from_ron(bytes),
            Self::Png => from_png(bytes),
        }
    }
}

fn ending(path: &Path) -> Result<Format, String> {
    let ending = path.extension().map(OsStr::to_ascii_lowercase);
    match ending.as_ref().and_then(|ending| ending.to_str()) {
        Some("ron") => Ok(Format::Ron),
        Some("png") => Ok(Format::Png),
        _ => Err(format!(
            "{}: extension must be .ron or .png",
            path.display()
        )),
    }
}

fn to_ron(drawing: &Drawing) -> Result<Vec<u8>, String> {
    let letter = |material| {
        LETTERS
            .iter()
            .find(|entry| entry.1 == material)
            .map_or('#', |e| e.0)
    };
    let mut rows = vec![String::new(); drawing.size().y as usize];
    for (cell, material) in drawing.cells() {
        rows[cell.y as usize].push(letter(material));
    }
    let saved = SavedDrawing {
        rows,
        lamps: drawing.lamps().to_vec(),
    };
    let pretty = ron::ser::PrettyConfig::default();
    let text = ron::ser::to_string_pretty(&saved, pretty).map_err(|error| error.to_string())?;
    Ok(text.into_bytes())
}

fn from_ron(text: &[u8]) -> Result<Drawing, String> {
    let saved: SavedDrawing = ron::de::from_bytes(text).map_err(|error| error.to_string())?;
    let width = saved.rows.first().map_or(0, |row| row.chars().count());
    let mut drawing = Drawing::solid(checked(width, saved.rows.len())?);
    for (y, row) in saved.rows.iter().enumerate() {
        let letters = row.chars().count();
        if letters != width {
            return Err(format!(
                "row {} has {letters} cells, but the first row has {width}",
                y + 1
            ));
        }
        for (x, letter) in row.chars().enumerate() {
            let entry = LETTERS.iter().find(|entry| entry.0 == letter);
            let entry = entry.ok_or_else(|| format!("unknown cell `{letter}` in row {}", y + 1))?;
            drawing.set(IVec2::new(x as i32, y as i32), entry.1);
        }
    }
    for lamp in saved.lamps {
        let at = UVec2::from(lamp.at);
        if at.cmpge(drawing.size()).any() {
            return Err(format!(
                "lamp at ({}, {}) is outside of the drawing",
                at.x, at.y
            ));
        }
        drawing.hang_lamp(at.as_ivec2(), lamp.hue);
    }
    Ok(drawing)
}

pub fn to_png(drawing: &Drawing) -> Result<Vec<u8>, String> {
    let color = |material| {
        LETTERS
            .iter()
            .find(|e| e.1 == material)
            .map_or([0; 3], |e| e.2)
    };
    let size = drawing.size();
    let mut picture = RgbImage::new(size.x, size.y);
    for (cell, material) in drawing.cells() {
        picture.put_pixel(cell.x as u32, cell.y as u32, Rgb(color(material)));
    }
    for lamp in drawing.lamps() {
        let hue = Hue::ALL
            .iter()
            .zip(LAMPS)
            .find(|(hue, _)| **hue == lamp.hue);
        if let Some((_, color)) = hue {
            picture.put_pixel(lamp.at.0, lamp.at.1, Rgb(color));
        }
    }
    let mut bytes = Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, ImageFormat::Png)
        .map_err(|error| error.to_string())?;
    Ok(bytes.into_inner())
}

pub fn from_png(bytes: &[u8]) -> Result<Drawing, String> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
    let mut limits = Limits::default();
    limits.max_image_width = Some(Drawing::MAX_SIDE);
    limits.max_image_height = Some(Drawing::MAX_SIDE);
    reader.limits(limits);
    let picture = reader
        .decode()
        .map_err(|error| error.to_string())?
        .to_rgb8();
    let size = checked(picture.width() as usize, picture.height() as usize)?;
    let mut drawing = Drawing::solid(size);
    for (x, y, pixel) in picture.enumerate_pixels() {
        let at = UVec2::new(x, y).as_ivec2();
        let away = |color: &[u8; 3]| -> u32 {
            let parts = color.iter().zip(pixel.0);
            parts.map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
        };
        let material = LETTERS.iter().min_by_key(|entry| away(&entry.2));
        let lamp = Hue::ALL
            .into_iter()
            .zip(&LAMPS)
            .min_by_key(|(_, color)| away(color));
        if let (Some(material), Some(lamp)) = (material, lamp) {
            if away(lamp.1) < away(&material.2) {
                drawing.hang_lamp(at, lamp.0);
            } else {
                drawing.set(at, material.1);
            }
        }
    }
    Ok(drawing)
}

fn checked(width: usize, height: usize) -> Result<UVec2, String> {
    let allowed = 1..=Drawing::MAX_SIDE as usize;
    if allowed.contains(&width) && allowed.contains(&height) {
        return Ok(UVec2::new(width as u32, height as u32));
    }
    Err(format!(
        "the drawing has {width} x {height} cells, but each side must be from 1 to {}",
        Drawing::MAX_SIDE
    ))
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// The cells, and the lamps sorted by row as a PNG yields them.
    pub fn content(drawing: &Drawing) -> (Vec<(IVec2, Material)>, Vec<Lamp>) {
        let mut lamps = drawing.lamps().to_vec();
        lamps.sort_by_key(|lamp| (lamp.at.1, lamp.at.0));
        (drawing.cells().collect(), lamps)
    }

    #[test]
    fn sample_drawings_round_trip_in_both_formats() {
        let drawings = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/drawings");
        let folder = tempfile::tempdir().unwrap();
        for name in ["corridor.ron", "glass_and_smoke.ron", "two_colors.ron"] {
            let drawing = load(&drawings.join(name)).expect(name);
            for format in ["ron", "png"] {
                let path = folder.path().join(name).with_extension(format);
                save(&drawing, &path).unwrap();
                let back = load(&path).unwrap();
                assert!(content(&back) == content(&drawing), "{name} as {format}");
            }
        }
    }
}
