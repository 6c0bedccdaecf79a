//! Colors that are shades of one light.
//!
//! Lamps are often all of one color, as torches are. Then green and blue are the red light in other strengths: where
//! light passes alike in all colors it is solved once, for the brightest, and the others are parts of it. (Twice what
//! lamps hold, and take away, makes twice the light at rest.)
//!
//! That what lamps ask is in one proportion is not enough: so must the light be from which the solver goes on, cell by
//! cell, since those that do not move stay as they are. It is in darkness. Later on, when the light has flowed by steps or
//! lamps were of several colors, each color is solved by itself for a while: until as much work was done
//! that would have been spared as it takes to write all cells anew. That is done then, at once.

use super::region::Region;
use crate::{
    area::Area,
    channel::{Channel, limit},
    source::SourceConstraint,
};

/// By this part of itself what a lamp holds may be off the proportion: a lamp's color is a rounded product of its
/// tint and two strengths, and what its cells hold another.
const LAMP_ROUNDING: f32 = 8.0 * f32::EPSILON;

/// By this part of the brightest a shade may be off a light that is in proportion: by that of lamps that give and
/// of those that take away, and by its own rounding.
pub(super) const SHADE_ROUNDING: f32 = 2.0 * LAMP_ROUNDING + f32::EPSILON;

/// By this part of itself more than the brightest a shade may be off its average: it is rounded, and may lie beside a lamp
/// that is out of proportion.
pub(super) const OFF_AVERAGE: f32 = 3.0 * f32::EPSILON;

/// To write a cell in all colors takes as long as so many cells of a sweep.
const WRITTEN: u64 = 16;

/// What the other colors are of the brightest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shades {
    brightest: usize,
    parts: [f32; 3],
}

/// Whether the light of the colors is in one proportion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Alike {
    /// There is none.
    Dark,
    /// All cells are, but for rounding, and for what is left alone of a lamp that hardly changes.
    Shades(Shades),
    /// It has come to rest for lamps that are, but each color by itself: in sweeps over so many cells that would have
    /// been spared.
    Apart {
        asked: Shades,
        spared: u64,
    },
    No,
}

impl Alike {
    /// In what proportion it is, if that is what lamps ask for.
    pub(crate) fn as_asked(self, asked: Option<Shades>) -> Option<Shades> {
        asked.filter(|&asked| self == Self::Dark || self == Self::Shades(asked))
    }

    /// After each color was solved by itself, in sweeps over so many cells, for lamps that ask for this.
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

    /// The proportion in which it is time to bring a light of so many cells.
    pub(crate) fn due(self, cells: u64) -> Option<Shades> {
        match self {
            Self::Apart { asked, spared } if spared >= WRITTEN * cells => Some(asked),
            _ => None,
        }
    }
}

impl Shades {
    /// What sources ask for, if it is in one proportion: in that of before, if that is as good.
    pub(crate) fn asked(channels: &[Channel], alike: Alike) -> Option<Self> {
        // Ambient light is a lower bound of its own in each color, so parts of one light would not meet it.
        let channels: &[Channel; 3] = channels.try_into().ok()?;
        if channels.iter().any(Channel::has_floor) {
            return None;
        }
        // The old proportion differs from a new one by rounding, and with it the light stays in proportion.
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

    /// Makes all light of the other colors what it is of the brightest.
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
            // A color that no lamp has is none of the light.
            own.is_empty() && part == 0.0
                // Both lists are row by row, so the same cells are in the same places.
                || own.len() == brightest.len()
                    && own.iter().zip(brightest).all(|(own, most)| {
                        (own.0, own.1) == (most.0, most.1)
                            && is_part(own.2.held, most.2.held, part)
                            && is_part(own.2.dark, most.2.dark, part)
                    })
        })
    }

    /// The place of the brightest, and what each is of it.
    pub(super) fn brightest(&self) -> usize {
        self.brightest
    }

    pub(super) fn part(&self, color: usize) -> f32 {
        self.parts[color]
    }
}

/// A color that is a part of another one.
pub(super) struct Shade<'a> {
    pub(super) channel: &'a mut Channel,
    part: f32,
    /// Where something has changed since the light was settled last.
    areas: Vec<Area>,
}

impl<'a> Shade<'a> {
    /// Nothing is looked for in its areas: in the other color the same has changed.
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

    /// Takes the light of the other color over, where that has moved, and of these walls.
    pub(super) fn end(&mut self, region: &Region, brightest: &Channel, walls: &[(usize, usize)]) {
        region.write(self.channel, self.part);
        for &at @ (x, y) in walls {
            let light = shade_of(brightest, at, self.channel, self.part);
            self.channel.put(x, y, light);
        }
    }

    /// The other color's cells moved by so much at most in its last sweep.
    pub(super) fn note_residual(&mut self, change: f32) {
        self.channel.note_residual(&self.areas, self.part * change);
    }
}

/// What such a part of the brightest light of a cell is.
fn shade_of(brightest: &Channel, at @ (x, y): (usize, usize), channel: &Channel, part: f32) -> f32 {
    let light = brightest.light().get(x, y);
    shade(channel, part, at, (light, brightest.constraint(x, y)))
}

/// What is such a part of the brightest light of a cell, of which a source asks this. Where that is what the source holds,
/// it is what the source holds in this color.
pub(super) fn shade(
    channel: &Channel,
    part: f32,
    (x, y): (usize, usize),
    (light, source): (f32, Option<SourceConstraint>),
) -> f32 {
    // A product would be off by a rounding from what this color's own lamp holds.
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
