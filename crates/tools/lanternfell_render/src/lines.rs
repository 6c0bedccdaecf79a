//! Antialiased lines on an image.
//!
//! The coverage of a pixel depends on its distance from the center of the line. A line `w` pixels
//! wide covers pixels nearer than `w/2 - 1/2` completely, and pixels beyond `w/2 + 1/2` not at all.
//!
//! ```text
//!   covered  1 |____
//!              |    \        Edges are never jagged. Joints of lines are invisible,
//!            0 |_____\____   since the larger coverage counts, not the sum.
//!               w/2 - + 1/2
//! ```

use glam::DVec2;

use lanternfell_heightmap::{Canceled, Progress, RgbImage, rows};

/// The coverage of each pixel, in 255ths.
pub(super) struct Ink {
    width: usize,
    covered: Vec<u8>,
}

impl Ink {
    /// Creates an empty layer.
    pub(super) fn new(width: usize, height: usize) -> Self {
        let covered = vec![0; width * height];
        Self { width, covered }
    }

    /// Adds a line between two points with this `strength` (0 to 1). Coordinates are in pixels from
    /// the center of the first pixel.
    pub(super) fn line(&mut self, from: DVec2, to: DVec2, width: f64, strength: f64) {
        let reach = width / 2.0 + 0.5;
        let height = self.covered.len() / self.width;
        let (low, high) = (from.min(to) - reach, from.max(to) + reach);
        let columns = pixels(low.x, high.x, self.width);
        for y in pixels(low.y, high.y, height) {
            for x in columns.clone() {
                let distance = distance(DVec2::new(x as f64, y as f64), from, to);
                let share = (reach - distance).clamp(0.0, 1.0) * strength;
                let pixel = &mut self.covered[y * self.width + x];
                *pixel = (*pixel).max((share * 255.0 + 0.5) as u8);
            }
        }
    }

    /// The coverage of a pixel, in 255ths.
    #[cfg(test)]
    pub(super) fn share(&self, x: usize, y: usize) -> u8 {
        self.covered[y * self.width + x]
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn height(&self) -> usize {
        self.covered.len() / self.width
    }

    /// The pixels of a rotated box: their indices, and their positions along and across the box,
    /// relative to its center. `half` is half the length and height of the box.
    fn in_box(
        &self,
        middle: DVec2,
        along: DVec2,
        half: DVec2,
    ) -> impl Iterator<Item = (usize, DVec2)> + use<> {
        let reach = along.abs() * half.x + along.perp().abs() * half.y;
        let columns = pixels(middle.x - reach.x, middle.x + reach.x, self.width);
        let rows = pixels(middle.y - reach.y, middle.y + reach.y, self.height());
        let width = self.width;
        let all = rows.flat_map(move |y| columns.clone().map(move |x| (x, y)));
        let placed = all.map(move |(x, y)| {
            let off = DVec2::new(x as f64, y as f64) - middle;
            let turned = DVec2::new(off.dot(along), off.dot(along.perp()));
            (y * width + x, turned)
        });
        placed.filter(move |(_, off)| off.x.abs() <= half.x && off.y.abs() <= half.y)
    }

    /// The mean coverage of a rotated box, from 0 to 1. Excludes ink closer to its axis than `own`.
    pub(super) fn share_of_box(&self, middle: DVec2, along: DVec2, half: DVec2, own: f64) -> f64 {
        let (mut sum, mut count) = (0_u32, 0_u32);
        for (pixel, off) in self.in_box(middle, along, half) {
            count += 1;
            if off.y.abs() > own {
                sum += u32::from(self.covered[pixel]);
            }
        }
        f64::from(sum) / f64::from(255 * count.max(1))
    }

    /// Clears a rotated box.
    pub(super) fn clear_box(&mut self, middle: DVec2, along: DVec2, half: DVec2) {
        for (pixel, _) in self.in_box(middle, along, half) {
            self.covered[pixel] = 0;
        }
    }

    /// Blends a color into the image where there is ink.
    pub(super) fn print(
        &self,
        picture: &mut RgbImage,
        color: [u8; 3],
        progress: &Progress,
    ) -> Result<(), Canceled> {
        rows::for_each_row(picture.bytes_mut(), 3 * self.width, progress, |y, row| {
            let covered = &self.covered[y * self.width..][..self.width];
            for (pixel, &share) in row.as_chunks_mut::<3>().0.iter_mut().zip(covered) {
                for (byte, ink) in pixel.iter_mut().zip(color) {
                    *byte = mix(*byte, ink, share);
                }
            }
        })
    }
}

/// The integers from `low` to `high` that are pixels.
fn pixels(low: f64, high: f64, count: usize) -> core::ops::Range<usize> {
    let from = low.ceil().clamp(0.0, count as f64) as usize;
    let to = (high.floor() + 1.0).clamp(from as f64, count as f64) as usize;
    from..to
}

/// The distance of a point from a line segment.
fn distance(point: DVec2, from: DVec2, to: DVec2) -> f64 {
    let along = to - from;
    let length = along.length_squared();
    let share = if length > 0.0 {
        ((point - from).dot(along) / length).clamp(0.0, 1.0)
    } else {
        0.0
    };
    point.distance(from + along * share)
}

/// `share` 255ths of `above`, the rest of `below`, rounded.
fn mix(below: u8, above: u8, share: u8) -> u8 {
    let (below, above, share) = (u32::from(below), u32::from(above), u32::from(share));
    ((below * (255 - share) + above * share + 127) / 255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(lines: &[(DVec2, DVec2)]) -> Vec<u8> {
        let mut ink = Ink::new(9, 5);
        for &(from, to) in lines {
            ink.line(from, to, 1.0, 1.0);
        }
        ink.covered
    }

    #[test]
    fn covers_exact_pixels() {
        let line = (DVec2::new(1.0, 2.0), DVec2::new(7.0, 2.0));
        let covered = drawn(&[line]);
        for (pixel, &share) in covered.iter().enumerate() {
            let inside = pixel / 9 == 2 && (1..=7).contains(&(pixel % 9));
            assert_eq!(share, if inside { 255 } else { 0 }, "pixel {pixel}");
        }
    }

    #[test]
    fn splits_line_between_pixels() {
        let line = (DVec2::new(-3.0, 1.5), DVec2::new(20.0, 1.5));
        let covered = drawn(&[line]);
        assert_eq!(covered[9..18], [128; 9]);
        assert_eq!(covered[18..27], [128; 9]);
        assert_eq!((covered[0], covered[27]), (0, 0));
    }

    #[test]
    fn joints_are_invisible() {
        let middle = DVec2::new(4.0, 2.0);
        let (west, east) = (DVec2::new(1.0, 1.0), DVec2::new(7.0, 3.0));
        let whole = drawn(&[(west, east)]);
        let halves = drawn(&[(west, middle), (middle, east)]);
        assert_eq!(whole, halves);
        let point = drawn(&[(middle, middle)]);
        assert_eq!(point[2 * 9 + 4], 255);
        let nowhere = drawn(&[(DVec2::splat(-50.0), DVec2::splat(-40.0))]);
        assert!(nowhere.iter().all(|&share| share == 0));
    }

    #[test]
    fn blends_ink() {
        assert_eq!((mix(10, 200, 0), mix(10, 200, 255)), (10, 200));
        assert_eq!(mix(0, 255, 128), 128);
        let mut picture = RgbImage::black(9, 5);
        let mut ink = Ink::new(9, 5);
        ink.line(DVec2::new(0.0, 0.0), DVec2::new(8.0, 0.0), 1.0, 0.5);
        ink.print(&mut picture, [200, 100, 0], &Progress::default())
            .unwrap();
        assert_eq!(
            (picture.pixel(3, 0), picture.pixel(3, 2)),
            ([100, 50, 0], [0; 3])
        );
    }
}
