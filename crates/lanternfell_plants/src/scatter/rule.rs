//! What a kind of plant or stone wants: the values a user writes.

use lanternfell_random::Fnv1a;

use super::{MIN_SPACING, ScatterError, Site};

/// Longest distance, in metres, that a rule may name.
const MAX_DISTANCE: f64 = 10_000.0;

/// Most variants that a rule may choose among.
const MAX_VARIANTS: usize = 256;

/// A range with soft ends: 1 from `low` to `high`, falling to 0 over `soft` beyond either.
///
/// ```
/// use lanternfell_plants::scatter::SoftRange;
///
/// let meadow = SoftRange::new(2.0, 60.0, 10.0);
/// assert_eq!(meadow.share(30.0), 1.0);
/// assert_eq!(meadow.share(65.0), 0.5);
/// assert_eq!(meadow.share(70.0), 0.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy_reflect", reflect(Clone, Debug, PartialEq))]
pub struct SoftRange {
    /// Where it begins.
    pub low: f32,
    /// Where it ends.
    pub high: f32,
    /// Over how much it fades on both sides; 0: a hard edge.
    pub soft: f32,
}

impl SoftRange {
    /// Whatever the value is.
    pub const ANY: Self = Self::new(f32::MIN, f32::MAX, 0.0);

    /// Whatever is not below 0: of heights, all dry land.
    pub const ABOVE_ZERO: Self = Self::new(0.0, f32::MAX, 0.0);

    /// From `low` to `high`, fading over `soft` beyond.
    pub const fn new(low: f32, high: f32, soft: f32) -> Self {
        Self { low, high, soft }
    }

    /// How much of it holds at `value`, from 0 to 1; 0 for NaN. Smooth where it begins and ends to fall.
    pub fn share(&self, value: f32) -> f32 {
        if (self.low..=self.high).contains(&value) {
            return 1.0;
        }
        // NaN is in no range, and `max` would take the other number for it.
        if value.is_nan() || self.soft <= 0.0 {
            return 0.0;
        }
        let beyond = (self.low - value).max(value - self.high);
        smooth(1.0 - beyond / self.soft)
    }
}

/// The share that goes with a number; 0 if it is not among them.
fn likely(named: &[(u8, f32)], number: u8) -> f32 {
    let found = named.iter().find(|(other, _)| *other == number);
    found.map_or(0.0, |(_, share)| *share)
}

/// From 0 to 1, and 0 or 1 beyond, level at both ends.
pub(super) fn smooth(share: f32) -> f32 {
    let t = share.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Patches: a noise over the plane that thins a kind out here and leaves it there.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy_reflect", reflect(Clone, Debug, PartialEq))]
pub struct Clumping {
    /// About from one patch to the next, in metres.
    pub wavelength: f32,
    /// 0: none; 1: nothing between the patches.
    pub strength: f32,
    /// Rules with the same salt share their patches: flowers in the same clearings as tall grass. Without one
    /// a rule has its own.
    pub salt: Option<u64>,
}

/// Where one kind stands, how densely, and how.
///
/// A place that spacing leaves is taken with the probability
/// `density * site.density * layers * biomes * slope * height * moisture * clumping`.
///
/// ```
/// use lanternfell_plants::scatter::{ScatterRule, SoftRange};
///
/// let pine = ScatterRule {
///     name: "pine".into(),
///     spacing: 4.0,
///     crown: 2.0,
///     slope: SoftRange::new(0.0, 25.0, 10.0),
///     ..ScatterRule::default()
/// };
/// assert!(pine.check().is_ok());
/// ```
#[cfg_attr(
    feature = "serde",
    doc = "
With the feature `serde` rules are read from files; what is left out is as by default.

```
use lanternfell_plants::scatter::ScatterRule;

let rule: ScatterRule = ron::from_str(r#\"(name: \"fern\", spacing: 0.8, layers: [(1, 1.0)], salt: Some(3))\"#)?;
assert_eq!((rule.spacing, rule.density, rule.salt), (0.8, 1.0, Some(3)));
assert_eq!(ron::from_str::<ScatterRule>(&ron::to_string(&rule)?)?, rule);
assert!(ron::from_str::<ScatterRule>(\"(spacin: 0.8)\").is_err());
# Ok::<(), Box<dyn std::error::Error>>(())
```"
)]
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy_reflect", reflect(Clone, Debug, PartialEq))]
pub struct ScatterRule {
    /// What it is called; errors say it, and without a salt it chooses the random numbers.
    pub name: String,
    /// Least distance between two, in metres.
    pub spacing: f32,
    /// How many of the places that spacing leaves are taken, from 0 to 1.
    pub density: f32,
    /// How likely it stands on each ground layer, from 0 to 1; on those not named, never. None: on all.
    pub layers: Vec<(u8, f32)>,
    /// How likely it stands in each biome, from 0 to 1; in those not named, never. None: in all.
    #[cfg_attr(feature = "bevy_reflect", reflect(default))]
    pub biomes: Vec<(u8, f32)>,
    /// The ground's slope, in degrees.
    pub slope: SoftRange,
    /// The ground's height above the sea, in metres; by default all dry land. What may stand on the sea's bed says so,
    /// as by [`SoftRange::ANY`].
    pub height: SoftRange,
    /// The ground's moisture, from 0 to 1.
    pub moisture: SoftRange,
    /// Patches, if any.
    pub clumping: Option<Clumping>,
    /// Smallest and largest scale. At the edge of what a kind bears it stays small.
    pub size: [f32; 2],
    /// 1: it stands upright on any slope; 0: square to the ground.
    pub upright: f32,
    /// How far it leans from there in a random direction, at most, in degrees.
    pub tilt: f32,
    /// Radius at scale 1, in metres, in which nothing of a later rule stands: trunks, boulders.
    pub clearance: f32,
    /// Radius at scale 1, in metres, that no other crown reaches into; 0: it has none, and stands below crowns.
    pub crown: f32,
    /// How far it keeps from exclusions, in metres.
    pub margin: f32,
    /// How often each variant is chosen, relative to the others.
    pub variants: Vec<f32>,
    /// Chooses the random numbers instead of the name.
    pub salt: Option<u64>,
}

impl Default for ScatterRule {
    /// Everywhere on dry land, four metres apart, upright, of one size and one variant.
    fn default() -> Self {
        Self {
            name: String::new(),
            spacing: 4.0,
            density: 1.0,
            layers: Vec::new(),
            biomes: Vec::new(),
            slope: SoftRange::ANY,
            height: SoftRange::ABOVE_ZERO,
            moisture: SoftRange::ANY,
            clumping: None,
            size: [1.0, 1.0],
            upright: 1.0,
            tilt: 0.0,
            clearance: 0.0,
            crown: 0.0,
            margin: 0.0,
            variants: vec![1.0],
            salt: None,
        }
    }
}

impl ScatterRule {
    /// Says which field can not be used, if any.
    ///
    /// # Errors
    /// The first field out of its range.
    pub fn check(&self) -> Result<(), ScatterError> {
        self.range("spacing", self.spacing, MIN_SPACING, MAX_DISTANCE)?;
        self.range("density", self.density, 0.0, 1.0)?;
        for &(_, share) in &self.layers {
            self.range("layers", share, 0.0, 1.0)?;
        }
        for &(_, share) in &self.biomes {
            self.range("biomes", share, 0.0, 1.0)?;
        }
        self.soft_range("slope", self.slope)?;
        self.soft_range("height", self.height)?;
        self.soft_range("moisture", self.moisture)?;
        if let Some(clumping) = self.clumping {
            self.range(
                "clumping.wavelength",
                clumping.wavelength,
                0.1,
                MAX_DISTANCE * 10.0,
            )?;
            self.range("clumping.strength", clumping.strength, 0.0, 1.0)?;
        }
        self.range("size[0]", self.size[0], 0.001, 1000.0)?;
        self.range("size[1]", self.size[1], f64::from(self.size[0]), 1000.0)?;
        self.range("upright", self.upright, 0.0, 1.0)?;
        self.range("tilt", self.tilt, 0.0, 90.0)?;
        self.range("clearance", self.clearance, 0.0, MAX_DISTANCE)?;
        self.range("crown", self.crown, 0.0, MAX_DISTANCE)?;
        self.range("margin", self.margin, 0.0, MAX_DISTANCE)?;
        self.check_variants()
    }

    /// At least one variant, and something to choose among them by.
    fn check_variants(&self) -> Result<(), ScatterError> {
        for &weight in &self.variants {
            self.range("variants", weight, 0.0, 1e6)?;
        }
        let sum: f64 = self.variants.iter().copied().map(f64::from).sum();
        if self.variants.len() <= MAX_VARIANTS && sum > 0.0 {
            return Ok(());
        }
        Err(ScatterError::Variants {
            rule: self.name.clone(),
            count: self.variants.len(),
            most: MAX_VARIANTS,
        })
    }

    /// An error that names the field unless its ends are numbers in order.
    fn soft_range(&self, what: &'static str, range: SoftRange) -> Result<(), ScatterError> {
        let most = f64::from(f32::MAX);
        self.range(what, range.low, -most, most)?;
        self.range(what, range.high, f64::from(range.low), most)?;
        self.range(what, range.soft, 0.0, most)
    }

    /// An error that names the field unless it lies between `least` and `most`.
    fn range(
        &self,
        what: &'static str,
        value: f32,
        least: f64,
        most: f64,
    ) -> Result<(), ScatterError> {
        let value = f64::from(value);
        // Below the least by no more than what is lost in `f32`; NaN lies in no range.
        if (least - least.abs() * 1e-7..=most).contains(&value) {
            return Ok(());
        }
        Err(ScatterError::Range {
            rule: self.name.clone(),
            what,
            value,
            least,
            most,
        })
    }

    /// What its random numbers depend on beside the seed.
    pub(super) fn salt(&self) -> u64 {
        self.salt
            .unwrap_or_else(|| Fnv1a::of_bytes(self.name.bytes()))
    }

    /// How well a site suits it, from 0 to 1, by the ground's shape and water alone.
    pub(super) fn fitness(&self, site: &Site) -> f32 {
        self.slope.share(site.slope())
            * self.height.share(site.height)
            * self.moisture.share(site.moisture)
    }

    /// How likely it stands on these layers.
    pub(super) fn layer_share(&self, layers: [(u8, f32); 2]) -> f32 {
        let of = |(layer, share)| likely(&self.layers, layer) * share;
        match self.layers.is_empty() {
            true => 1.0,
            false => layers.map(of).iter().sum(),
        }
    }

    /// How likely it stands in this biome; where none is known, only if it asks for none.
    pub(super) fn biome_share(&self, biome: Option<u8>) -> f32 {
        match self.biomes.is_empty() {
            true => 1.0,
            false => biome.map_or(0.0, |biome| likely(&self.biomes, biome)),
        }
    }

    /// The distance that this kind and one of a later rule keep, at their scales, in metres.
    pub(super) fn keeps_from(&self, scale: f32, later: &Self, later_scale: f32) -> f64 {
        let (scale, later_scale) = (f64::from(scale), f64::from(later_scale));
        let clear = f64::from(self.clearance) * scale;
        if self.crown > 0.0 && later.crown > 0.0 {
            let crowns = f64::from(self.crown) * scale + f64::from(later.crown) * later_scale;
            return clear.max(crowns);
        }
        clear
    }

    /// The longest distance that it may keep from one of a later rule.
    pub(super) fn keeps_at_most(&self, later: &Self) -> f64 {
        self.keeps_from(self.size[1], later, later.size[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soft_ranges_fall_on_both_sides() {
        let range = SoftRange::new(-1.0, 1.0, 2.0);
        let shares = [-4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0].map(|value| range.share(value));
        assert_eq!(shares, [0.0, 0.0, 0.5, 1.0, 1.0, 1.0, 0.5, 0.0]);
        assert_eq!(SoftRange::new(0.0, 1.0, 0.0).share(1.001), 0.0);
        assert_eq!(range.share(f32::NAN), 0.0);
        assert_eq!(SoftRange::ANY.share(-1e30), 1.0);
    }

    #[test]
    fn a_field_out_of_range_is_named() {
        let rule = |change: fn(&mut ScatterRule)| {
            let mut rule = ScatterRule {
                name: "fern".into(),
                ..ScatterRule::default()
            };
            change(&mut rule);
            rule.check().map_err(|error| error.to_string())
        };
        assert_eq!(rule(|_| ()), Ok(()));
        assert_eq!(rule(|rule| rule.spacing = 0.05), Ok(()));
        let message = rule(|rule| rule.spacing = 0.04).unwrap_err();
        assert!(
            message.contains("fern") && message.contains("spacing is 0.03999"),
            "{message}"
        );
        let named = |change, field: &str| {
            let message = rule(change).unwrap_err();
            assert!(message.contains(field), "{field}: {message}");
        };
        named(|rule| rule.spacing = f32::NAN, "spacing");
        named(|rule| rule.density = 1.5, "density");
        named(|rule| rule.layers = vec![(1, -1.0)], "layers");
        named(|rule| rule.biomes = vec![(1, 2.0)], "biomes");
        named(|rule| rule.slope = SoftRange::new(3.0, 2.0, 0.0), "slope");
        named(|rule| rule.height.soft = -1.0, "height");
        named(|rule| rule.moisture.low = f32::NAN, "moisture");
        named(|rule| rule.size = [2.0, 1.0], "size[1]");
        named(|rule| rule.size = [0.0, 1.0], "size[0]");
        named(|rule| rule.upright = -0.1, "upright");
        named(|rule| rule.tilt = 91.0, "tilt");
        named(|rule| rule.clearance = f32::INFINITY, "clearance");
        named(|rule| rule.crown = -1.0, "crown");
        named(|rule| rule.margin = -1.0, "margin");
        named(|rule| rule.variants = Vec::new(), "variants");
        named(|rule| rule.variants = vec![0.0; 3], "variants");
        named(|rule| rule.variants = vec![1.0; 257], "257 variants");
        named(
            |rule| {
                rule.clumping = Some(Clumping {
                    wavelength: 0.0,
                    strength: 1.0,
                    salt: None,
                });
            },
            "clumping.wavelength",
        );
    }

    #[test]
    fn crowns_keep_apart_and_undergrowth_stands_below() {
        let tree = ScatterRule {
            clearance: 0.5,
            crown: 3.0,
            ..ScatterRule::default()
        };
        let bush = ScatterRule {
            crown: 1.0,
            ..ScatterRule::default()
        };
        let fern = ScatterRule::default();
        assert_eq!(tree.keeps_from(2.0, &bush, 0.5), 6.5);
        assert_eq!(tree.keeps_from(2.0, &fern, 0.5), 1.0);
        assert_eq!(bush.keeps_from(1.0, &fern, 1.0), 0.0);
    }
}
