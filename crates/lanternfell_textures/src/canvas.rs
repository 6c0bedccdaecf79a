//! The canvas on which textures are painted: a square of pixels with color, height and roughness.
//!
//! Shapes are painted on it one after the other. A shape has a height at each point and covers what
//! is lower there. At an edge, it covers the fraction of the pixel that it overlaps. So edges are
//! smooth without supersampling, provided that higher shapes come later.
//!
//! A canvas of ground wraps around, so that it tiles. A card of a plant starts empty, and parts
//! outside it are lost.
//!
//! Cost: some nanoseconds per pixel in the bounding box of each shape.

use crate::{
    color::{Rgb, mix, scale},
    rows,
};

/// The content of a pixel.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Texel {
    /// Albedo, linear.
    pub(crate) color: Rgb,
    /// Height in meters.
    pub(crate) height: f32,
    /// Perceptual roughness, 0 to 1.
    pub(crate) rough: f32,
    /// The covered fraction of the pixel. It is 1 everywhere on ground.
    pub(crate) cover: f32,
}

impl Texel {
    /// A fully covered pixel.
    #[inline(always)]
    pub(crate) fn solid(color: Rgb, height: f32, rough: f32) -> Self {
        Self {
            color,
            height,
            rough,
            cover: 1.0,
        }
    }

    /// A layer of color that is on top of everything and does not change the height.
    #[inline(always)]
    pub(crate) fn skin(color: Rgb, rough: f32) -> Self {
        Self::solid(color, f32::INFINITY, rough)
    }
}

/// A square canvas.
pub(crate) struct Canvas {
    /// The side in pixels, a power of two.
    pub(crate) size: usize,
    /// The side in meters, in the coordinates of the painting functions.
    pub(crate) meters: f32,
    /// The side in meters that is actually on the canvas. A card may show more, to the sides and
    /// above.
    shown: f32,
    /// The minimum of `shown / meters` with which everything fits on a card.
    pub(crate) needed: f32,
    wraps: bool,
    /// Row by row from the top.
    pub(crate) texels: Vec<Texel>,
}

/// A long, thin shape: a blade, a leaf or a twig. It starts at a point, runs in a direction, and
/// bends away from it along a parabola.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Strip {
    /// The distance of its start from the left, in meters.
    pub(crate) x: f32,
    /// The distance of its start from the top, in meters.
    pub(crate) y: f32,
    /// The direction in radians, clockwise from the right.
    pub(crate) angle: f32,
    /// The length in meters.
    pub(crate) length: f32,
    /// The sideways offset of its end from the direction, in meters.
    pub(crate) bend: f32,
    /// Half of its largest width, in meters.
    pub(crate) width: f32,
    /// The width of the shadow on both sides, in meters.
    pub(crate) shadow: f32,
}

impl Strip {
    /// Returns the point at a fraction of its length.
    pub(crate) fn point(&self, t: f32) -> [f32; 2] {
        let (sin, cos) = libm::sincosf(self.angle);
        let (along, aside) = (self.length * t, self.bend * t * t);
        [
            self.x + cos * along - sin * aside,
            self.y + sin * along + cos * aside,
        ]
    }

    /// Returns the direction at a fraction of its length, in radians.
    pub(crate) fn heading(&self, t: f32) -> f32 {
        self.angle + libm::atan2f(2.0 * self.bend * t, self.length)
    }
}

/// The darkness of the shadow next to a strip.
const SHADOW: f32 = 0.55;

impl Canvas {
    /// Creates ground: calls `texel(index, u, v)` for each pixel, with the coordinates of its
    /// center from 0 to 1.
    pub(crate) fn ground(
        size: usize,
        meters: f32,
        texel: impl Fn(usize, f32, f32) -> Texel + Sync + Send,
    ) -> Self {
        let center = |n: usize| (n as f32 + 0.5) / size as f32;
        let texels = rows::square(size, |x, y| texel(y * size + x, center(x), center(y)));
        Self {
            size,
            meters,
            shown: meters,
            needed: 1.0,
            wraps: true,
            texels,
        }
    }

    /// Creates an empty card. It shows `times` its `meters`, with the additional space to the sides
    /// and above.
    pub(crate) fn empty(size: usize, meters: f32, times: f32) -> Self {
        Self {
            size,
            meters,
            shown: meters * times,
            needed: times,
            wraps: false,
            texels: vec![Texel::default(); size * size],
        }
    }

    /// Returns the side of a pixel in meters.
    pub(crate) fn pixel(&self) -> f32 {
        self.shown / self.size as f32
    }

    /// Converts painting coordinates to meters from the left and the top of what is shown.
    fn placed(&self, x: f32, y: f32) -> [f32; 2] {
        let more = self.shown - self.meters;
        [x + more * 0.5, y + more]
    }

    /// Returns the pixel of a seamless tile at a point in meters.
    pub(crate) fn under(&self, x: f32, y: f32) -> &Texel {
        let place = |n: f32| (n / self.pixel()).floor() as i32 & (self.size as i32 - 1);
        &self.texels[place(y) as usize * self.size + place(x) as usize]
    }

    /// Lays a strip. `share(t)` is its width as a fraction of the maximum. `ink(t, s, index)`
    /// returns its texel, with `t` from 0 to 1 along it and `s` from -1 to 1 across it.
    #[inline(always)]
    pub(crate) fn strip(
        &mut self,
        strip: &Strip,
        share: impl Fn(f32) -> f32,
        ink: impl Fn(f32, f32, usize) -> Texel,
    ) {
        let [x, y] = self.placed(strip.x, strip.y);
        let strip = &Strip { x, y, ..*strip };
        let margin = strip.width + strip.shadow.max(self.pixel() * 0.5);
        // A bent strip is split into pieces, whose bounding boxes are smaller in total than a
        // single one.
        let pieces = (strip.bend.abs() / margin).ceil().clamp(1.0, 8.0) as i32;
        for piece in 0..pieces {
            let ends = [piece, piece + 1].map(|end| end as f32 / pieces as f32);
            self.piece(strip, ends, margin, &share, &ink);
        }
    }

    /// Lays the part of a strip between two fractions of its length.
    #[inline(always)]
    fn piece(
        &mut self,
        strip: &Strip,
        ends: [f32; 2],
        margin: f32,
        share: &impl Fn(f32) -> f32,
        ink: &impl Fn(f32, f32, usize) -> Texel,
    ) {
        let pixel = self.pixel();
        let (sin, cos) = libm::sincosf(strip.angle);
        let along = [
            strip.length * ends[0] - pixel,
            strip.length * ends[1] + pixel,
        ];
        let bends = ends.map(|end| strip.bend * end * end);
        let aside = [
            bends[0].min(bends[1]) - margin,
            bends[0].max(bends[1]) + margin,
        ];
        // The bounding box, from the rotated corners.
        let corner = |a: f32, b: f32| strip.y + sin * a + cos * b;
        let corners = [
            corner(along[0], aside[0]),
            corner(along[1], aside[0]),
            corner(along[0], aside[1]),
            corner(along[1], aside[1]),
        ];
        let top = corners.iter().copied().fold(f32::MAX, f32::min);
        let bottom = corners.iter().copied().fold(f32::MIN, f32::max);
        for row in (top / pixel).floor() as i32..=(bottom / pixel).floor() as i32 {
            let dy = (row as f32 + 0.5) * pixel - strip.y;
            // The range of dx in which this row is inside: `factor * dx + offset` is between two
            // ends.
            let one = span(cos, sin * dy, along);
            let two = span(-sin, cos * dy, aside);
            let (left, right) = (one[0].max(two[0]), one[1].min(two[1]));
            if left > right {
                continue;
            }
            let columns = ((strip.x + left) / pixel).floor() as i32
                ..=((strip.x + right) / pixel).floor() as i32;
            for column in columns {
                let dx = (column as f32 + 0.5) * pixel - strip.x;
                let t = (cos * dx + sin * dy) / strip.length;
                // Each pixel belongs to one piece. Only the last piece includes its end.
                if t < ends[0] || t > ends[1] || (t == ends[1] && t < 1.0) {
                    continue;
                }
                let off = cos * dy - sin * dx - strip.bend * t * t;
                if off.abs() > margin {
                    continue;
                }
                let share = share(t);
                if off.abs() <= strip.width * share {
                    self.need(column, row);
                }
                if let Some(index) = self.index(column, row) {
                    self.across(strip, index, t, off, share, ink);
                }
            }
        }
    }

    /// Paints one pixel of a strip, or its shadow. `t` is the fraction of the length and `off` the
    /// distance from the centerline.
    #[inline(always)]
    fn across(
        &mut self,
        strip: &Strip,
        index: usize,
        t: f32,
        off: f32,
        share: f32,
        ink: &impl Fn(f32, f32, usize) -> Texel,
    ) {
        let half = strip.width * share;
        let alpha = covered(off, half, self.pixel());
        if alpha > 0.0 {
            let s = if half > 0.0 {
                (off / half).clamp(-1.0, 1.0)
            } else {
                0.0
            };
            self.blend(index, &ink(t, s, index), alpha);
        } else if off.abs() < half + strip.shadow {
            let height = ink(t, off.signum(), index).height;
            let dark = SHADOW * (1.0 - (off.abs() - half) / strip.shadow);
            let below = &mut self.texels[index];
            if below.height < height {
                below.color = scale(below.color, 1.0 - dark);
            }
        }
    }

    /// Paints a patch around a point. `ink(dx, dy, index)` returns the texel and its coverage.
    #[inline(always)]
    pub(crate) fn patch(
        &mut self,
        x: f32,
        y: f32,
        reach: f32,
        ink: impl Fn(f32, f32, usize) -> Option<(Texel, f32)>,
    ) {
        let pixel = self.pixel();
        let [x, y] = self.placed(x, y);
        let range =
            |at: f32| ((at - reach) / pixel).floor() as i32..=((at + reach) / pixel).floor() as i32;
        for row in range(y) {
            let dy = (row as f32 + 0.5) * pixel - y;
            for column in range(x) {
                let Some(index) = self.index(column, row) else {
                    continue;
                };
                let dx = (column as f32 + 0.5) * pixel - x;
                if let Some((texel, alpha)) = ink(dx, dy, index)
                    && alpha > 0.0
                {
                    self.blend(index, &texel, alpha.min(1.0));
                }
            }
        }
    }

    /// Records that a shape covers a pixel. On a card, this pixel should be within the borders.
    #[inline(always)]
    fn need(&mut self, column: i32, row: i32) {
        let size = self.size as i32;
        let within = 2..size - 2;
        if self.wraps || (within.contains(&column) && row >= 2) {
            return;
        }
        // As a fraction of half the width or of the height, with a margin of three pixels.
        let aside = ((2 * column + 1 - size).abs() + 6) as f32 / size as f32;
        let up = (size - row + 3) as f32 / size as f32;
        self.needed = self.needed.max(aside.max(up) * self.shown / self.meters);
    }

    #[inline(always)]
    fn index(&self, column: i32, row: i32) -> Option<usize> {
        let size = self.size as i32;
        if self.wraps {
            // `size` is a power of two: the lowest bits are the position within the tile.
            return Some(((row & (size - 1)) * size + (column & (size - 1))) as usize);
        }
        let within = |n: i32| (0..size).contains(&n);
        (within(column) && within(row)).then_some((row * size + column) as usize)
    }

    /// Blends a texel with a coverage of `alpha`. It covers what is lower, and otherwise only the
    /// uncovered part of the pixel.
    #[inline(always)]
    fn blend(&mut self, index: usize, texel: &Texel, alpha: f32) {
        let below = &mut self.texels[index];
        let alpha = alpha * texel.cover;
        // Where two surfaces intersect, they blend over one millimeter.
        let above = ((texel.height - below.height) * 1000.0 + 0.5).clamp(0.0, 1.0);
        let mut weight = alpha * above;
        if below.cover < 1.0 {
            let cover = alpha + below.cover * (1.0 - alpha);
            if cover <= 0.0 {
                return;
            }
            weight = (weight + alpha * (1.0 - above) * (1.0 - below.cover)) / cover;
            below.cover = cover;
        }
        below.color = mix(below.color, texel.color, weight);
        if texel.height < f32::INFINITY {
            below.height += (texel.height - below.height) * weight;
        }
        below.rough += (texel.rough - below.rough) * weight;
    }
}

/// Returns the range of `x` in which `factor * x + offset` is between the ends.
#[inline(always)]
fn span(factor: f32, offset: f32, ends: [f32; 2]) -> [f32; 2] {
    if factor.abs() < 1e-6 {
        let inside = (ends[0]..=ends[1]).contains(&offset);
        return if inside {
            [f32::MIN, f32::MAX]
        } else {
            [1.0, -1.0]
        };
    }
    let a = (ends[0] - offset) / factor;
    let b = (ends[1] - offset) / factor;
    [a.min(b), a.max(b)]
}

/// Returns the fraction of a pixel within `half` of a centerline that is `off` away.
#[inline(always)]
fn covered(off: f32, half: f32, pixel: f32) -> f32 {
    let reach = pixel * 0.5;
    let overlap = (off + reach).min(half) - (off - reach).max(-half);
    (overlap / pixel).clamp(0.0, 1.0)
}
