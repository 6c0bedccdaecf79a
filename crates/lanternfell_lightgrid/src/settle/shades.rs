//! Colors that are shades of one light.
//!
//! Lamps are often all of one color, as torches are. Then green and blue are the red light in other strengths: where
//! light passes alike in all colors it is solved once, for the brightest, and the others are parts of it. (The light at
//! rest follows from what lamps hold by averages and maxima alone, so that it grows with them.)
//!
//! That what lamps ask is in one proportion is not enough: so must the light be from which the solver goes on. It is in
//! darkness, and when it was settled last for lamps of that proportion. Then cells that do not move stay as they are in
//! all colors.

use super::region::Region;
use crate::{
    area::Area,
    channel::{Channel, limit},
    source::SourceConstraint,
};

/// By this part of itself what a lamp holds may be off the proportion: a lamp's color is a rounded product of its
/// tint and strength, and what its cells hold another.
const LAMP_ROUNDING: f32 = 6.0 * f32::EPSILON;

/// By this part of itself a shade may be off a light that is in proportion: by that of lamps, and by its own rounding.
pub(super) const SHADE_ROUNDING: f32 = LAMP_ROUNDING + f32::EPSILON;

/// What the other colors are of the brightest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shades {
    brightest: usize,
    parts: [f32; 3],
}

/// Whether the light of the colors is in one proportion.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(crate) enum Alike {
    /// There is none.
    #[default]
    Dark,
    Shades(Shades),
    No,
}

impl Alike {
    /// Whether it is in this one.
    pub(crate) fn is(self, shades: Shades) -> bool {
        self == Self::Dark || self == Self::Shades(shades)
    }
}

impl Shades {
    /// What sources ask for, if it is in one proportion: in that which the light has, if that is as good.
    pub(crate) fn asked(channels: &[Channel], alike: Alike) -> Option<Self> {
        let channels: &[Channel; 3] = channels.try_into().ok()?;
        if channels.iter().any(Channel::has_floor) {
            return None;
        }
        if let Alike::Shades(shades) = alike
            && shades.are_those_of(channels)
        {
            return Some(shades);
        }
        let lights = channels.each_ref().map(Channel::brightest);
        let most = lights.into_iter().fold(0.0, f32::max);
        let shades = Self {
            brightest: lights.iter().position(|&light| light == most)?,
            parts: lights.map(|light| light / most),
        };
        (most > 0.0 && shades.are_those_of(channels)).then_some(shades)
    }

    fn are_those_of(&self, channels: &[Channel; 3]) -> bool {
        let brightest = channels[self.brightest].constrained();
        let is_part =
            |here: f32, there: f32, part: f32| (here - part * there).abs() <= LAMP_ROUNDING * here;
        channels.iter().zip(self.parts).all(|(channel, part)| {
            let own = channel.constrained();
            // A color that no lamp has is none of the light.
            own.is_empty() && part == 0.0
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
            let light = brightest.light().get(x, y);
            let light = part_of(
                self.channel,
                self.part,
                at,
                (light, brightest.constraint(x, y)),
            );
            self.channel.put(x, y, light);
        }
    }

    /// The other color's cells moved by so much at most in its last sweep.
    pub(super) fn note_residual(&mut self, change: f32) {
        self.channel.note_residual(&self.areas, self.part * change);
    }
}

/// What is a part of the light of a cell of another color. Where that is what a source holds, it is what the source holds
/// in this color.
pub(super) fn part_of(
    channel: &Channel,
    part: f32,
    (x, y): (usize, usize),
    (light, source): (f32, Option<SourceConstraint>),
) -> f32 {
    match (source, channel.constraint(x, y)) {
        (Some(there), Some(here)) if light == there.held => here.held,
        _ => limit(part * light, 0.0, channel.ceiling()),
    }
}
