//! Colors that are multiples (shades) of one light.
//!
//! Lamps are often all of the same color, for example torches. Then green and blue light are
//! multiples of red light. If the cells treat all colors alike, the solver solves only the
//! brightest color and computes the others from it. (At rest, the light is linear: doubling what
//! lamps hold and take away doubles the light.)
//!
//! It is not sufficient that the demands of the lamps are proportional. Cells that do not move keep
//! their light, so the light from which the solver starts must be proportional in every cell as
//! well. This is true in darkness. After steps, or lamps of several colors, each color is solved
//! separately at first. When this has cost as much additional work as rewriting all cells, all
//! cells are rewritten in proportion at once.

use super::region::Region;
use crate::{
    area::Area,
    channel::{Channel, limit},
    source::SourceConstraint,
};

/// The relative error of the proportion of what lamps hold. The color of a lamp is a rounded
/// product of its tint and two strengths, and the light held in its cells is another product.
const LAMP_ROUNDING: f32 = 8.0 * f32::EPSILON;

/// The maximum distance of a shade from exactly proportional light, relative to the brightest
/// color: the errors of lamps that give and of lamps that take away light, and the rounding of the
/// shade.
pub(super) const SHADE_ROUNDING: f32 = 2.0 * LAMP_ROUNDING + f32::EPSILON;

/// The additional distance of a shade from its average, relative to itself: it is rounded, and may
/// be next to a lamp that is not exactly proportional.
pub(super) const OFF_AVERAGE: f32 = 3.0 * f32::EPSILON;

/// Writing a cell in all colors takes as long as sweeping this many cells.
const WRITTEN: u64 = 16;

/// The proportions of the colors, relative to the brightest one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shades {
    brightest: usize,
    parts: [f32; 3],
}

/// Whether the light of the colors has the same proportion in all cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Alike {
    /// There is no light.
    Dark,
    /// All cells have this proportion, except for rounding and for changes of lamps that are too
    /// small to be solved for.
    Shades(Shades),
    /// The light has come to rest for lamps with the proportion `asked`, but each color was solved
    /// separately. `spared` is the number of cells in sweeps that shades would have saved.
    Apart {
        asked: Shades,
        spared: u64,
    },
    No,
}

impl Alike {
    /// The proportion of the light, if it is the one that lamps demand.
    pub(crate) fn as_asked(self, asked: Option<Shades>) -> Option<Shades> {
        asked.filter(|&asked| self == Self::Dark || self == Self::Shades(asked))
    }

    /// The state after each color was solved separately in sweeps over `cells` cells, for lamps
    /// with the proportion `asked`.
    pub(crate) fn apart(self, asked: Shades, cells: u64, at_rest: bool) -> Self {
        let before = match self {
            Self::Apart {
                asked: same,
                spared,
            } if same == asked => spared,
            _ if at_rest => 0,
            _ => return Self::No,
        };
        Self::Apart {
            asked,
            spared: before.saturating_add(cells),
        }
    }

    /// The proportion in which all cells should now be rewritten, if that is worthwhile for this
    /// number of cells.
    pub(crate) fn due(self, cells: u64) -> Option<Shades> {
        match self {
            Self::Apart { asked, spared } if spared >= WRITTEN * cells => Some(asked),
            _ => None,
        }
    }
}

impl Shades {
    /// The proportion that the sources demand, if there is one. Prefers the previous proportion if
    /// it fits as well.
    pub(crate) fn asked(channels: &[Channel], alike: Alike) -> Option<Self> {
        // Ambient light is a separate lower bound in each color, which multiples of one light would
        // not satisfy.
        let channels: &[Channel; 3] = channels.try_into().ok()?;
        if channels.iter().any(Channel::has_floor) {
            return None;
        }
        // The previous proportion may differ from a new one by rounding. Keeping it keeps the light
        // in proportion.
        if let Alike::Shades(before) | Alike::Apart { asked: before, .. } = alike
            && before.are_those_of(channels)
        {
            return Some(before);
        }
        let lights = channels.each_ref().map(Channel::brightest);
        let most = lights.into_iter().fold(0.0, f32::max);
        let shades = Self {
            brightest: lights.iter().position(|&light| light == most)?,
            parts: lights.map(|light| light / most),
        };
        (most > 0.0 && shades.are_those_of(channels)).then_some(shades)
    }

    /// Sets all light of the other colors to multiples of the brightest one.
    pub(crate) fn write(&self, channels: &mut [Channel]) {
        for color in (0..channels.len()).filter(|&color| color != self.brightest) {
            let [brightest, channel] = channels
                .get_disjoint_mut([self.brightest, color])
                .expect("two colors");
            channel.note_shade(self.parts[color]);
            for at @ (x, y) in cells(channel) {
                let light = shade_of(brightest, at, channel, self.parts[color]);
                channel.put(x, y, light);
            }
        }
    }

    fn are_those_of(&self, channels: &[Channel; 3]) -> bool {
        let brightest = channels[self.brightest].constrained();
        let is_part =
            |here: f32, there: f32, part: f32| (here - part * there).abs() <= LAMP_ROUNDING * here;
        channels.iter().zip(self.parts).all(|(channel, part)| {
            let own = channel.constrained();
            // A color that no lamp has is zero.
            own.is_empty() && part == 0.0
                // Both lists are row by row, so the same cells have the same indices.
                || own.len() == brightest.len()
                    && own.iter().zip(brightest).all(|(own, most)| {
                        (own.0, own.1) == (most.0, most.1)
                            && is_part(own.2.held, most.2.held, part)
                            && is_part(own.2.dark, most.2.dark, part)
                    })
        })
    }

    /// The index of the brightest color.
    pub(super) fn brightest(&self) -> usize {
        self.brightest
    }

    pub(super) fn part(&self, color: usize) -> f32 {
        self.parts[color]
    }
}

/// A color that is a multiple of another one.
pub(super) struct Shade<'a> {
    pub(super) channel: &'a mut Channel,
    part: f32,
    /// The areas that have changed since the light was settled last.
    areas: Vec<Area>,
}

impl<'a> Shade<'a> {
    /// Starts without examining the areas, because the brightest color has changed in the same
    /// cells.
    pub(super) fn begin(channel: &'a mut Channel, part: f32, threshold: f32) -> Self {
        channel.ask_for(threshold);
        channel.note_shade(part);
        let areas = channel.drain_unsettled();
        Self {
            channel,
            part,
            areas,
        }
    }

    /// Takes over the light of the brightest color in cells where that has moved, and in these
    /// walls.
    pub(super) fn end(&mut self, region: &Region, brightest: &Channel, walls: &[(usize, usize)]) {
        region.write(self.channel, self.part);
        for &at @ (x, y) in walls {
            let light = shade_of(brightest, at, self.channel, self.part);
            self.channel.put(x, y, light);
        }
    }

    /// Records the largest change in the last sweep, given that of the brightest color.
    pub(super) fn note_residual(&mut self, change: f32) {
        self.channel.note_residual(&self.areas, self.part * change);
    }
}

/// The light of a cell, computed from the brightest color.
fn shade_of(brightest: &Channel, at @ (x, y): (usize, usize), channel: &Channel, part: f32) -> f32 {
    let light = brightest.light().get(x, y);
    shade(channel, part, at, (light, brightest.constraint(x, y)))
}

/// The light of a cell, given its light and the constraint of sources in the brightest color. If a
/// source holds the cell there, the result is the light that the source holds in this color.
pub(super) fn shade(
    channel: &Channel,
    part: f32,
    (x, y): (usize, usize),
    (light, source): (f32, Option<SourceConstraint>),
) -> f32 {
    // The product would differ by a rounding from what the lamp holds in this color.
    let held = source.filter(|source| source.held == light);
    match held.and_then(|_| channel.constraint(x, y)) {
        Some(here) => here.held,
        None => limit(part * light, 0.0, channel.ceiling()),
    }
}

/// All cells, row by row.
fn cells(channel: &Channel) -> impl Iterator<Item = (usize, usize)> + use<> {
    let (width, height) = (channel.light().width(), channel.light().height());
    (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
}
