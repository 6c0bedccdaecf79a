//! A pixel canvas for maps: cells, lines between cell centers, and marks.

use bevy::{
    asset::RenderAssetUsages,
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};
use gutterlight_assets::art::palette::Ink;

/// The color of the background and of the edges of marks.
pub const GROUND: Ink = [8, 7, 10];

/// Marks are scaled by one for this many pixels per cell.
const CELL_OF_MARK: i32 = 6;

/// Rows of pixels of equal length. `#` is a drawn pixel.
pub type Mark = &'static [&'static str];

/// RGBA pixels, row by row.
pub struct Paper {
    pub pixels: Vec<u8>,
    /// The size in pixels.
    pub size: IVec2,
    /// The size of a cell in pixels.
    side: i32,
}

impl Paper {
    /// A canvas filled with the background color at this opacity.
    pub fn new(size: IVec2, side: i32, alpha: u8) -> Self {
        let size = size.max(IVec2::ONE);
        let [red, green, blue] = GROUND;
        Self {
            pixels: [red, green, blue, alpha].repeat((size.x * size.y) as usize),
            size,
            side,
        }
    }

    pub fn into_image(self) -> Image {
        Image::new(
            Extent3d {
                width: self.size.x as u32,
                height: self.size.y as u32,
                depth_or_array_layers: 1,
            },
            TextureDimension::D2,
            self.pixels,
            TextureFormat::Rgba8UnormSrgb,
            RenderAssetUsages::RENDER_WORLD,
        )
    }

    /// Fills a cell.
    pub fn cell(&mut self, at: IVec2, ink: Ink) {
        self.fill(at * self.side, self.side, ink);
    }

    /// The pixel at the center of a cell.
    fn middle(&self, at: IVec2) -> IVec2 {
        at * self.side + self.side / 2
    }

    /// Draws a line between the centers of two cells. Of every `every` pixels, one is drawn.
    pub fn line(&mut self, from: IVec2, to: IVec2, ink: Ink, every: i32) {
        let (from, to) = (self.middle(from), self.middle(to));
        let way = (to - from).as_vec2();
        let length = (to - from).abs().max_element();
        let thick = 1 + i32::from(self.side > 6);
        for step in (0..=length).filter(|step| step % (every * thick) < thick) {
            let part = step as f32 / length.max(1) as f32;
            let at = from + (way * part).round().as_ivec2();
            self.fill(at, thick, ink);
        }
    }

    /// Draws a mark at the center of a cell, with a dark edge. It is scaled with the cells.
    pub fn mark(&mut self, at: IVec2, mark: Mark, ink: Ink) {
        let scale = (self.side / CELL_OF_MARK).max(1);
        let high = mark.len() as i32;
        let wide = mark.first().map_or(0, |row| row.len()) as i32;
        let corner = self.middle(at) - IVec2::new(wide, high) * scale / 2;
        let is_drawn = |x: i32, y: i32| {
            let row = usize::try_from(y).ok().and_then(|y| mark.get(y));
            let place = usize::try_from(x).ok();
            row.zip(place)
                .is_some_and(|(row, x)| row.as_bytes().get(x) == Some(&b'#'))
        };
        for y in -1..=high {
            for x in -1..=wide {
                let offsets = [(1, 0), (-1, 0), (0, 1), (0, -1)];
                let edge = offsets.iter().any(|(dx, dy)| is_drawn(x + dx, y + dy));
                let first = corner + IVec2::new(x, y) * scale;
                if is_drawn(x, y) {
                    self.fill(first, scale, ink);
                } else if edge {
                    self.fill(first, scale, GROUND);
                }
            }
        }
    }

    /// Fills a square.
    fn fill(&mut self, corner: IVec2, side: i32, ink: Ink) {
        for y in 0..side {
            for x in 0..side {
                self.set(corner + IVec2::new(x, y), ink);
            }
        }
    }

    /// The index of the first byte of a pixel. `None` outside.
    fn place(&self, at: IVec2) -> Option<usize> {
        let inside = at.cmpge(IVec2::ZERO).all() && at.cmplt(self.size).all();
        inside.then(|| 4 * (at.y * self.size.x + at.x) as usize)
    }

    /// Sets a pixel. Ignores positions outside.
    fn set(&mut self, at: IVec2, [red, green, blue]: Ink) {
        if let Some(first) = self.place(at) {
            self.pixels[first..first + 4].copy_from_slice(&[red, green, blue, 255]);
        }
    }

    /// The color of a pixel.
    #[cfg(test)]
    pub fn ink(&self, at: IVec2) -> Option<Ink> {
        let first = self.place(at)?;
        let pixel = &self.pixels[first..first + 3];
        Some([pixel[0], pixel[1], pixel[2]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_is_clipped() {
        let mut paper = Paper::new(IVec2::splat(4), 2, 255);
        let white = [255; 3];
        paper.line(IVec2::splat(-3), IVec2::splat(5), white, 1);
        paper.mark(IVec2::splat(9), &["###", "###"], white);
        paper.cell(IVec2::new(-1, 1), white);
        assert_eq!(paper.ink(IVec2::ONE), Some(white));
        assert_eq!(paper.ink(IVec2::new(0, 3)), Some(GROUND));
        assert_eq!(paper.ink(IVec2::splat(4)), None);
    }
}
