//! Writes every sprite of the game to one PNG file, scaled by three:
//! `cargo run -p gutterlight_assets --example sheet -- sheet.png`. With `colorblind` as a second
//! argument, it uses the color-blind palette.

use std::{error::Error, fs::File, io::BufWriter};

use gutterlight_assets::art::{Atlas, Palette};

/// The scale factor.
const SCALE: u32 = 3;

/// The background: neither dark nor bright.
const GRAY: u8 = 92;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os()
        .nth(1)
        .ok_or("expected the path of a PNG file to write")?;
    let colorblind = std::env::args_os()
        .nth(2)
        .is_some_and(|word| word == "colorblind");
    let atlas = Atlas::draw(Palette::colorblind_if(colorblind));
    let (width, height) = (atlas.width * SCALE, atlas.height * SCALE);
    let mut pixels = Vec::with_capacity((3 * width * height) as usize);
    for y in 0..height {
        for x in 0..width {
            let from = 4 * ((y / SCALE) * atlas.width + x / SCALE) as usize;
            let alpha = u32::from(atlas.pixels[from + 3]);
            for &ink in &atlas.pixels[from..from + 3] {
                let mixed = u32::from(ink) * alpha + u32::from(GRAY) * (255 - alpha);
                pixels.push((mixed / 255) as u8);
            }
        }
    }
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(())
}
