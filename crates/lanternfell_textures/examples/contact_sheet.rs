//! All kinds of ground as one picture, for whoever changes a texture: look at it.
//!
//! `cargo run --release -p lanternfell_textures --example contact_sheet -- sheet.png [KIND] [SIZE]`
//!
//! Each tile stands twice in each direction, so that repetition and seams would show, lit by a low
//! sun from the top left and some sky. With a kind's name only that kind, at full size.

use std::{env, process::ExitCode};

use image::{Rgb, RgbImage};
use lanternfell_textures::{GroundKind, GroundTexture, synthesize};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            #[expect(clippy::print_stderr, reason = "this is a program")]
            {
                eprintln!("{error}");
            }
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let path = arguments.first().ok_or("which file is the sheet to be?")?;
    let wanted = arguments.get(1).filter(|name| *name != "all");
    let size = arguments.get(2).map_or(Ok(512), |size| size.parse())?;
    let is_wanted = |kind: &GroundKind| wanted.is_none_or(|name| kind.name() == name.as_str());
    let kinds: Vec<GroundKind> = GroundKind::ALL.into_iter().filter(is_wanted).collect();
    if kinds.is_empty() {
        return Err("there is no kind of this name".into());
    }
    let columns = if kinds.len() == 1 { 1 } else { 4 };
    // Four kinds a row, each two tiles wide at half size; a single one at full size.
    let shrink = if kinds.len() == 1 { 1 } else { 2 };
    let side = size * 2 / shrink;
    let rows = (kinds.len() as u32).div_ceil(columns);
    let mut sheet = RgbImage::new(columns * side, rows * side);
    for (n, kind) in kinds.iter().enumerate() {
        let texture = synthesize(*kind, size, 1)?;
        let (left, top) = (n as u32 % columns * side, n as u32 / columns * side);
        for y in 0..side {
            for x in 0..side {
                sheet.put_pixel(left + x, top + y, averaged(&texture, x, y, shrink));
            }
        }
    }
    sheet.save(path)?;
    Ok(())
}

/// The light of a pixel of the sheet: of `shrink` x `shrink` of the texture.
fn averaged(texture: &GroundTexture, x: u32, y: u32, shrink: u32) -> Rgb<u8> {
    let mut sum = [0.0; 3];
    for dy in 0..shrink {
        for dx in 0..shrink {
            let light = lit(texture, x * shrink + dx, y * shrink + dy);
            for (sum, light) in sum.iter_mut().zip(light) {
                *sum += light / (shrink * shrink) as f32;
            }
        }
    }
    Rgb(sum.map(encode))
}

/// A pixel in the light of a low sun and a blue sky, with a highlight.
fn lit(texture: &GroundTexture, x: u32, y: u32) -> [f32; 3] {
    let size = texture.size();
    let first = ((y % size * size + x % size) * 4) as usize;
    let color = &texture.color_height()[first..first + 4];
    let material = &texture.normal_material()[first..first + 4];
    let [nx, ny] = [material[0], material[1]].map(|byte| (f32::from(byte) - 128.0) / 127.0);
    let nz = (1.0 - nx * nx - ny * ny).max(0.0).sqrt();
    let (rough, open) = (
        f32::from(material[2]) / 255.0,
        f32::from(material[3]) / 255.0,
    );
    // 38 degrees high.
    let sun = [-0.60, -0.51, 0.616];
    let facing = (nx * sun[0] + ny * sun[1] + nz * sun[2]).max(0.0);
    // Halfway between the sun and a viewer above.
    let half = [-0.334, -0.284, 0.899];
    let shine = (nx * half[0] + ny * half[1] + nz * half[2]).max(0.0);
    let alpha = (rough * rough).max(0.02);
    let spread = shine * shine * (alpha * alpha - 1.0) + 1.0;
    let highlight = 0.04 * alpha * alpha / (4.0 * spread * spread) * facing;
    let sky = [0.42, 0.50, 0.62];
    let warm = [2.3, 2.1, 1.8];
    std::array::from_fn(|n| {
        let albedo = decode(color[n]);
        let diffuse = albedo * (warm[n] * facing + sky[n] * open * (0.5 + 0.5 * nz));
        // A simple curve, so that snow keeps its forms.
        let light = diffuse + warm[n] * highlight;
        0.8 * light / (1.0 + 0.3 * light)
    })
}

fn decode(code: u8) -> f32 {
    let curved = f32::from(code) / 255.0;
    if curved <= 0.040_45 {
        curved / 12.92
    } else {
        ((curved + 0.055) / 1.055).powf(2.4)
    }
}

fn encode(value: f32) -> u8 {
    let curved = if value <= 0.003_130_8 {
        value * 12.92
    } else {
        1.055 * value.powf(1.0 / 2.4) - 0.055
    };
    (curved.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}
