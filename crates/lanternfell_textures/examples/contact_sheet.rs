//! Renders all textures into one image, to check changes by eye.
//!
//! `cargo run --release -p lanternfell_textures --example contact_sheet -- sheet.png [WHICH]
//! [SIZE]`
//!
//! Tiles are repeated twice in each direction to show repetition and seams. Cards are cut out in
//! front of a plain sky. Everything is lit by a low sun from the top left and some sky light. WHICH
//! is "ground" (the default), "plants", or the name of a single texture, which is then rendered at
//! full size. SIZE is the texture size in pixels (default: 512).

use std::{env, process::ExitCode};

use image::{Rgb, RgbImage};
use lanternfell_textures::{GroundKind, PlantSkin, PlantTexture, synthesize, synthesize_plant};

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
    let path = arguments.first().ok_or("the output file is missing")?;
    let which = arguments.get(1).map_or("ground", String::as_str);
    let size = arguments.get(2).map_or(Ok(512), |size| size.parse())?;
    let mut pictures = Vec::new();
    for kind in GroundKind::ALL {
        if which == "ground" || which == kind.name() {
            let texture = synthesize(kind, size, 1)?;
            pictures.push(Picture {
                size,
                colors: texture.color_height().to_vec(),
                materials: texture.normal_material().to_vec(),
                tile: true,
            });
        }
    }
    for kind in PlantSkin::ALL {
        if which == "plants" || which == kind.name() {
            let texture = synthesize_plant(kind, size, 1)?;
            pictures.push(Picture {
                size,
                colors: texture.color_alpha().to_vec(),
                materials: texture.normal_material().to_vec(),
                tile: kind.is_bark(),
            });
        }
    }
    if pictures.is_empty() {
        return Err("unknown texture name".into());
    }
    sheet(&pictures).save(path)?;
    Ok(())
}

/// Arranges four images per row, each two tiles wide at half size. A single image has full size.
fn sheet(pictures: &[Picture]) -> RgbImage {
    let single = pictures.len() == 1;
    let columns = if single { 1 } else { 4 };
    let side = pictures[0].size * if single { 2 } else { 1 };
    let rows = (pictures.len() as u32).div_ceil(columns);
    let mut sheet = RgbImage::new(columns * side, rows * side);
    for (n, picture) in pictures.iter().enumerate() {
        let (left, top) = (n as u32 % columns * side, n as u32 / columns * side);
        for y in 0..side {
            for x in 0..side {
                sheet.put_pixel(left + x, top + y, picture.pixel(x, y, side));
            }
        }
    }
    sheet
}

struct Picture {
    size: u32,
    colors: Vec<u8>,
    materials: Vec<u8>,
    tile: bool,
}

impl Picture {
    /// Returns a pixel of a square that shows two tiles per side, or one card.
    fn pixel(&self, x: u32, y: u32, side: u32) -> Rgb<u8> {
        let seen = if self.tile { 2 * self.size } else { self.size };
        let (from, to) = ((x * seen / side, y * seen / side), seen.div_ceil(side));
        let mut sum = [0.0; 3];
        for dy in 0..to {
            for dx in 0..to {
                let light = self.light((from.0 + dx) % self.size, (from.1 + dy) % self.size);
                for (sum, light) in sum.iter_mut().zip(light) {
                    *sum += light / (to * to) as f32;
                }
            }
        }
        Rgb(sum.map(encode))
    }

    fn light(&self, x: u32, y: u32) -> [f32; 3] {
        let pixel = (y * self.size + x) as usize * 4;
        let color = &self.colors[pixel..pixel + 4];
        if !self.tile && color[3] < PlantTexture::CUTOFF {
            return [0.30, 0.38, 0.48];
        }
        lit(color, &self.materials[pixel..pixel + 4])
    }
}

/// Returns a pixel in the light of a low sun and a blue sky, with a highlight.
fn lit(color: &[u8], material: &[u8]) -> [f32; 3] {
    let [nx, ny] = [material[0], material[1]].map(|byte| (f32::from(byte) - 128.0) / 127.0);
    let nz = (1.0 - nx * nx - ny * ny).max(0.0).sqrt();
    let (rough, open) = (
        f32::from(material[2]) / 255.0,
        f32::from(material[3]) / 255.0,
    );
    // 38 degrees above the horizon.
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
        // A simple tone curve, so that snow keeps its shape.
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
