//! Renders all kinds of plants and stones into one PNG:
//! `cargo run --release -p lanternfell_plants --example plants_sheet -- sheet.png`.
//!
//! Columns: the near level of three seeds, the middle level, and the cards of the far level. To render eight larger
//! images of a single kind, add its name as the second argument.

use std::error::Error;

use glam::Vec3;
use image::RgbImage;
use lanternfell_plants::{
    grow::{FarLevel, GroundKind, Level, PlantKind, PlantMesh, PlantSkin, Skin, grow},
    raster::{Canvas, RgbaImage, SkinImage, silhouette},
};
use lanternfell_textures::{TextureError, synthesize, synthesize_plant};

/// Samples per pixel along each axis.
const SAMPLES: usize = 3;

/// Texels per side of each texture.
const SIDE: u32 = 256;

/// Direction to the sun.
const SUN: Vec3 = Vec3::new(-0.55, 0.72, 0.42);

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("usage: plants_sheet FILE.png [KIND]")?;
    let skins = textures()?;
    let kind = words.next().map(|word| {
        let kind = PlantKind::ALL.into_iter().find(|kind| kind.name() == word);
        kind.ok_or(format!("unknown kind {word:?}"))
    });
    let (cells, columns, side) = match kind.transpose()? {
        Some(kind) => (one_kind(kind, &skins), 4, 420),
        None => (all_kinds(&skins), 10, 190),
    };
    let rows = cells.len().div_ceil(columns);
    let mut sheet = RgbImage::new((columns * side) as u32, (rows * side) as u32);
    for (index, cell) in cells.iter().enumerate() {
        let picture = cell.draw(side, &skins);
        let corner = [(index % columns) * side, (index / columns) * side];
        paste(&mut sheet, &picture, corner);
    }
    sheet.save(path)?;
    Ok(())
}

/// One plant on the sheet.
struct Cell {
    mesh: PlantMesh,
    /// The image for its far level.
    far: Option<RgbaImage>,
    /// Height of the cell in meters.
    extent: f32,
}

fn cell(kind: PlantKind, seed: u64, level: Level, skins: &[Texture]) -> Cell {
    let near = grow(kind, seed, Level::Near);
    let (min, max) = near.bounds();
    let wide = (max[0] - min[0]).max(max[2] - min[2]);
    let extent = 1.12 * f32::max(max[1], wide);
    let far = (level == Level::Far && kind.far_level() == FarLevel::Impostor)
        .then(|| silhouette(&near, &borrowed(skins), 128, 256));
    Cell {
        mesh: grow(kind, seed, level),
        far,
        extent,
    }
}

fn all_kinds(skins: &[Texture]) -> Vec<Cell> {
    let row = |kind| {
        [
            (1, Level::Near),
            (2, Level::Near),
            (3, Level::Near),
            (1, Level::Middle),
            (1, Level::Far),
        ]
        .map(|(seed, level)| cell(kind, seed, level, skins))
    };
    PlantKind::ALL.into_iter().flat_map(row).collect()
}

fn one_kind(kind: PlantKind, skins: &[Texture]) -> Vec<Cell> {
    let near = (1..=6).map(|seed| (seed, Level::Near));
    let all = near.chain([(1, Level::Middle), (1, Level::Far)]);
    all.map(|(seed, level)| cell(kind, seed, level, skins))
        .collect()
}

/// A skin with its pixels: sRGB color and alpha.
struct Texture {
    skin: Skin,
    pixels: Vec<u8>,
}

/// Generates the textures of all skins.
fn textures() -> Result<Vec<Texture>, TextureError> {
    let plant = |skin| {
        Ok(Texture {
            skin: Skin::Plant(skin),
            pixels: synthesize_plant(skin, SIDE, 1)?.color_alpha().to_vec(),
        })
    };
    let mut textures = PlantSkin::ALL
        .into_iter()
        .map(plant)
        .collect::<Result<Vec<_>, _>>()?;
    let mut stone = synthesize(GroundKind::Granite, SIDE, 1)?
        .color_height()
        .to_vec();
    // The fourth byte is a height, not alpha.
    stone.chunks_exact_mut(4).for_each(|texel| texel[3] = 255);
    textures.push(Texture {
        skin: Skin::Ground(GroundKind::Granite),
        pixels: stone,
    });
    Ok(textures)
}

fn borrowed(textures: &[Texture]) -> Vec<SkinImage<'_>> {
    let side = SIDE as usize;
    let pictures = textures.iter();
    pictures
        .filter_map(|texture| SkinImage::new(texture.skin, side, side, &texture.pixels))
        .collect()
}

impl Cell {
    /// Renders the plant from slightly above, lit by the sun and the sky.
    fn draw(&self, side: usize, skins: &[Texture]) -> RgbaImage {
        let mut canvas = Canvas::new(side * SAMPLES, side * SAMPLES);
        let mut skins = borrowed(skins);
        let far = self.far.as_ref();
        skins.extend(
            far.and_then(|far| SkinImage::new(Skin::Impostor, far.width, far.height, &far.pixels)),
        );
        let scale = (side * SAMPLES) as f32 / self.extent;
        let (turn, pitch) = (0.5_f32.sin_cos(), 0.14_f32.sin_cos());
        let project = |place: Vec3| {
            let x = place.x * turn.1 - place.z * turn.0;
            let z = place.x * turn.0 + place.z * turn.1;
            let up = place.y * pitch.1 - z * pitch.0;
            let near = place.y * pitch.0 + z * pitch.1;
            Vec3::new(
                (x + self.extent / 2.0) * scale,
                (self.extent * 0.95 - up) * scale,
                near,
            )
        };
        let light = |normal: Vec3| {
            let sun = normal.dot(SUN).max(0.0);
            let sky = 0.5 + 0.5 * normal.y;
            Vec3::new(2.6, 2.35, 1.9) * sun + Vec3::new(0.55, 0.68, 0.85) * sky + Vec3::splat(0.12)
        };
        canvas.draw(&self.mesh, &skins, project, light);
        canvas.image(SAMPLES)
    }
}

/// Composites the image over a sky and a strip of ground.
fn paste(sheet: &mut RgbImage, picture: &RgbaImage, corner: [usize; 2]) {
    for (index, pixel) in picture.pixels.chunks(4).enumerate() {
        let (x, y) = (index % picture.width, index / picture.width);
        let down = y as f32 / picture.height as f32;
        let sky = if down > 0.95 {
            [122.0, 128.0, 96.0]
        } else {
            [176.0 + 40.0 * down, 200.0 + 22.0 * down, 226.0]
        };
        let alpha = f32::from(pixel[3]) / 255.0;
        let mixed = [0, 1, 2].map(|channel| {
            (f32::from(pixel[channel]) * alpha + sky[channel] * (1.0 - alpha)) as u8
        });
        sheet.put_pixel(
            (corner[0] + x) as u32,
            (corner[1] + y) as u32,
            image::Rgb(mixed),
        );
    }
}
