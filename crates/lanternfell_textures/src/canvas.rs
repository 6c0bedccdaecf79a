//! What textures are painted on: a square of color, height and roughness.
//!
//! Things are laid on it like leaves on the ground: each has a height of its own at every point,
//! and covers what is lower there. An edge covers a pixel by the share of it that it takes, so that
//! edges are smooth without painting at a finer size, if what lies higher comes later. On the
//! ground what leaves at the right comes in at the left: tiles meet. A card for a plant begins
//! empty, and what leaves it is lost.
//!
//! Cost: by the pixels within each thing's box, some nanoseconds each.

use crate::{
    color::{Rgb, mix, scale},
    rows,
};

/// What there is at a pixel.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Texel {
    /// Albedo, linear.
    pub(crate) color: Rgb,
    /// Metres.
    pub(crate) height: f32,
    /// Perceptual roughness, 0 to 1.
    pub(crate) rough: f32,
    /// How much of the pixel is covered; all of the ground.
    pub(crate) cover: f32,
}

impl Texel {
    /// A pixel that is all covered.
    #[inline(always)]
    pub(crate) fn solid(color: Rgb, height: f32, rough: f32) -> Self {
        Self {
            color,
            height,
            rough,
            cover: 1.0,
        }
    }

    /// A skin: it lies on whatever is there, and is no higher.
    #[inline(always)]
    pub(crate) fn skin(color: Rgb, rough: f32) -> Self {
        Self::solid(color, f32::INFINITY, rough)
    }
}

/// A square to paint on.
pub(crate) struct Canvas {
    /// Pixels a side, a power of two.
    pub(crate) size: usize,
    /// Metres a side, as what is painted thinks.
    pub(crate) metres: f32,
    /// Metres a side that there really are: a card may show more, to the sides and above.
    shown: f32,
    /// What a card would have to show, of `metres`, to have all within its borders.
    pub(crate) needed: f32,
    wraps: bool,
    /// Row by row, from the top.
    pub(crate) texels: Vec<Texel>,
}

/// A long thin thing: a blade, a leaf, a twig. It begins at a point, goes off at an angle, and
/// bends away from its direction, as a parabola does.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Strip {
    /// Where it begins, metres from the left.
    pub(crate) x: f32,
    /// Metres from the top.
    pub(crate) y: f32,
    /// Where it goes, in radians from right towards down.
    pub(crate) angle: f32,
    /// Metres.
    pub(crate) length: f32,
    /// How far its end is aside of its direction, metres.
    pub(crate) bend: f32,
    /// Half of its width where it is widest, metres.
    pub(crate) width: f32,
    /// How wide a shadow lies beside it, metres.
    pub(crate) shadow: f32,
}

impl Strip {
    /// The point at a share of its length.
    pub(crate) fn point(&self, t: f32) -> [f32; 2] {
        let (sin, cos) = libm::sincosf(self.angle);
        let (along, aside) = (self.length * t, self.bend * t * t);
        [
            self.x + cos * along - sin * aside,
            self.y + sin * along + cos * aside,
        ]
    }

    /// Its direction at a share of its length, in radians.
    pub(crate) fn heading(&self, t: f32) -> f32 {
        self.angle + libm::atan2f(2.0 * self.bend * t, self.length)
    }
}

/// How dark the shadow beside a strip is.
const SHADOW: f32 = 0.55;

impl Canvas {
    /// Ground: `texel(index, u, v)` at every pixel's center, in tiles.
    pub(crate) fn ground(
        size: usize,
        metres: f32,
        texel: impl Fn(usize, f32, f32) -> Texel + Sync + Send,
    ) -> Self {
        let center = |n: usize| (n as f32 + 0.5) / size as f32;
        let texels = rows::square(size, |x, y| texel(y * size + x, center(x), center(y)));
        Self {
            size,
            metres,
            shown: metres,
            needed: 1.0,
            wraps: true,
            texels,
        }
    }

    /// An empty card, which shows so many times its `metres`: more to the sides and above.
    pub(crate) fn empty(size: usize, metres: f32, times: f32) -> Self {
        Self {
            size,
            metres,
            shown: metres * times,
            needed: times,
            wraps: false,
            texels: vec![Texel::default(); size * size],
        }
    }

    /// A pixel's side in metres.
    pub(crate) fn pixel(&self) -> f32 {
        self.shown / self.size as f32
    }

    /// A point in metres from the left and the top of what is shown.
    fn placed(&self, x: f32, y: f32) -> [f32; 2] {
        let more = self.shown - self.metres;
        [x + more * 0.5, y + more]
    }

    /// The pixel at a point in metres, of the tile that repeats itself.
    pub(crate) fn under(&self, x: f32, y: f32) -> &Texel {
        let place = |n: f32| (n / self.pixel()).floor() as i32 & (self.size as i32 - 1);
        &self.texels[place(y) as usize * self.size + place(x) as usize]
    }

    /// Lays a strip: `share(t)` of its width, and what `ink(t, s, index)` says, `t` from 0 to 1
    /// along it, `s` from -1 to 1 across.
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
        // A bent strip in pieces, whose boxes together are smaller than one around all.
        let pieces = (strip.bend.abs() / margin).ceil().clamp(1.0, 8.0) as i32;
        for piece in 0..pieces {
            let ends = [piece, piece + 1].map(|end| end as f32 / pieces as f32);
            self.piece(strip, ends, margin, &share, &ink);
        }
    }

    /// The part of a strip from one share of its length to another.
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
        // The box around it: along and aside, turned.
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
            // Where this row is within: sin and cos times dx, and what dy adds, between two ends.
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
                // Each pixel is in one piece alone; the last has the end.
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

    /// A strip's pixel, at a share of its length and so far aside of its middle: it, or its shadow.
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
            self.lay(index, &ink(t, s, index), alpha);
        } else if off.abs() < half + strip.shadow {
            let height = ink(t, off.signum(), index).height;
            let dark = SHADOW * (1.0 - (off.abs() - half) / strip.shadow);
            let below = &mut self.texels[index];
            if below.height < height {
                below.color = scale(below.color, 1.0 - dark);
            }
        }
    }

    /// Lays what `ink(dx, dy, index)` says around a point, with how much it covers.
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
                    self.lay(index, &texel, alpha.min(1.0));
                }
            }
        }
    }

    /// Notes that something is at a pixel: on a card, it should be within the borders.
    #[inline(always)]
    fn need(&mut self, column: i32, row: i32) {
        let size = self.size as i32;
        let within = 2..size - 2;
        if self.wraps || (within.contains(&column) && row >= 2) {
            return;
        }
        // Of half the width, or of the height, with three pixels to spare.
        let aside = ((2 * column + 1 - size).abs() + 6) as f32 / size as f32;
        let up = (size - row + 3) as f32 / size as f32;
        self.needed = self.needed.max(aside.max(up) * self.shown / self.metres);
    }

    #[inline(always)]
    fn index(&self, column: i32, row: i32) -> Option<usize> {
        let size = self.size as i32;
        if self.wraps {
            // A power of two: the lowest bits are the place within the tile.
            return Some(((row & (size - 1)) * size + (column & (size - 1))) as usize);
        }
        let within = |n: i32| (0..size).contains(&n);
        (within(column) && within(row)).then_some((row * size + column) as usize)
    }

    /// Covers a pixel by a share: what is there, where it is higher; else what is still free of it.
    #[inline(always)]
    fn lay(&mut self, index: usize, texel: &Texel, alpha: f32) {
        let below = &mut self.texels[index];
        let alpha = alpha * texel.cover;
        // Two surfaces that cut each other change over within a millimetre.
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

/// Between which `x` is `factor * x + offset` within the ends.
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

/// The share of a pixel, `off` a middle line, that lies within `half` of it.
#[inline(always)]
fn covered(off: f32, half: f32, pixel: f32) -> f32 {
    let reach = pixel * 0.5;
    let overlap = (off + reach).min(half) - (off - reach).max(-half);
    (overlap / pixel).clamp(0.0, 1.0)
}
