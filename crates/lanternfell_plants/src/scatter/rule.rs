//! Scatter rules, which users write.

use lanternfell_random::Fnv1a;

use super::{MIN_SPACING, ScatterError, Site};

/// Largest distance in meters that a rule may use.
const MAX_DISTANCE: f64 = 10_000.0;

/// Most variants of a rule.
const MAX_VARIANTS: usize = 256;

/// A range with soft ends: 1 from `low` to `high`, falling to 0 over the distance `soft` on both sides.
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
    /// Start of the range.
    pub low: f32,
    /// End of the range.
    pub high: f32,
    /// Width of the fade on each side. 0: a hard edge.
    pub soft: f32,
}

impl SoftRange {
    /// All values.
    pub const ANY: Self = Self::new(f32::MIN, f32::MAX, 0.0);

    /// All values from 0 up. For heights: everything above the sea.
    pub const ABOVE_ZERO: Self = Self::new(0.0, f32::MAX, 0.0);

    /// Creates a range from `low` to `high` that fades over `soft` on each side.
    pub const fn new(low: f32, high: f32, soft: f32) -> Self {
        Self { low, high, soft }
    }

    /// Returns the weight at `value`, from 0 to 1. It falls along a smoothstep curve, and is 0 for NaN.
    pub fn share(&self, value: f32) -> f32 {
        if (self.low..=self.high).contains(&value) {
            return 1.0;
        }
        // Handle NaN here, because `max` would ignore it.
        if value.is_nan() || self.soft <= 0.0 {
            return 0.0;
        }
        let beyond = (self.low - value).max(value - self.high);
        smooth(1.0 - beyond / self.soft)
    }
}

/// The weight that belongs to a number, or 0 if it is not listed.
fn likely(named: &[(u8, f32)], number: u8) -> f32 {
    let found = named.iter().find(|(other, _)| *other == number);
    found.map_or(0.0, |(_, share)| *share)
}

/// Smoothstep, clamped to 0 to 1.
pub(super) fn smooth(share: f32) -> f32 {
    let t = share.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Patches: noise over the plane that varies the density of a rule.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy_reflect", reflect(Clone, Debug, PartialEq))]
pub struct Clumping {
    /// Approximate distance between patches in meters, from 0.1 to 100,000.
    pub wavelength: f32,
    /// From 0 (no patches) to 1 (nothing between the patches).
    pub strength: f32,
    /// Rules with the same salt share their patches, for example flowers and tall grass in the same clearings. `None`:
    /// the rule has its own patches.
    pub salt: Option<u64>,
}

/// Where one kind of plant or stone grows, how densely, and how it is oriented.
///
/// Each place that the spacing allows is used with the probability
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
With the feature `serde`, rules can be read from files. Missing fields have their default.

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
    /// Name, used in errors. Without a salt, it also seeds the random numbers.
    pub name: String,
    /// Minimum distance between two instances in meters, from 0.05 to 10,000. Default: 4.
    pub spacing: f32,
    /// Fraction of the places that are used, from 0 to 1. Default: 1.
    pub density: f32,
    /// Probability on each terrain layer, from 0 to 1; layers not listed have 0. Empty: all layers.
    pub layers: Vec<(u8, f32)>,
    /// Probability in each biome, from 0 to 1; biomes not listed have 0. Empty: all biomes.
    #[cfg_attr(feature = "bevy_reflect", reflect(default))]
    pub biomes: Vec<(u8, f32)>,
    /// The slope of the terrain, in degrees. Default: any.
    pub slope: SoftRange,
    /// The height of the terrain above the sea, in meters. Default: [`SoftRange::ABOVE_ZERO`]. To include the sea bed,
    /// use [`SoftRange::ANY`].
    pub height: SoftRange,
    /// The moisture of the terrain, from 0 to 1. Default: any.
    pub moisture: SoftRange,
    /// Patches. Default: `None`.
    pub clumping: Option<Clumping>,
    /// Smallest and largest scale. Where slope, height or moisture suit the plant less, it stays smaller. Default: 1
    /// for both.
    pub size: [f32; 2],
    /// Orientation: 1 is vertical on any slope, 0 is perpendicular to the terrain. Default: 1.
    pub upright: f32,
    /// Largest additional tilt in a random direction, in degrees from 0 to 90. Default: 0.
    pub tilt: f32,
    /// Radius in meters at scale 1 in which later rules place nothing, for example the trunk or a boulder. Default: 0.
    pub clearance: f32,
    /// Radius of the crown in meters at scale 1. Crowns of different rules do not overlap. Default: 0. Then the plant
    /// has no crown and may grow below those of others.
    pub crown: f32,
    /// Distance from exclusions in meters. Default: 0.
    pub margin: f32,
    /// Weights of the variants, from which each instance chooses one at random. 1 to 256 entries. Default: one variant.
    pub variants: Vec<f32>,
    /// Seeds the random numbers instead of the name. Default: `None`.
    pub salt: Option<u64>,
}

impl Default for ScatterRule {
    /// Everywhere above the sea, 4 m apart, vertical, with one size and one variant.
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
    /// Validates all fields.
    ///
    /// # Errors
    /// Returns the first field out of range.
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

    /// Checks that there is at least one variant with a weight above 0.
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

    /// Checks that the ends of a range are finite and in order.
    fn soft_range(&self, what: &'static str, range: SoftRange) -> Result<(), ScatterError> {
        let most = f64::from(f32::MAX);
        self.range(what, range.low, -most, most)?;
        self.range(what, range.high, f64::from(range.low), most)?;
        self.range(what, range.soft, 0.0, most)
    }

    /// Checks that a field is from `least` to `most`.
    fn range(
        &self,
        what: &'static str,
        value: f32,
        least: f64,
        most: f64,
    ) -> Result<(), ScatterError> {
        let value = f64::from(value);
        // Tolerate the rounding error of `f32` at the lower end. NaN is in no range.
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

    /// The salt that, together with the seed, determines the random numbers.
    pub(super) fn salt(&self) -> u64 {
        self.salt
            .unwrap_or_else(|| Fnv1a::of_bytes(self.name.bytes()))
    }

    /// How well the shape and moisture of the terrain suit the rule, from 0 to 1.
    pub(super) fn fitness(&self, site: &Site) -> f32 {
        self.slope.share(site.slope())
            * self.height.share(site.height)
            * self.moisture.share(site.moisture)
    }

    /// Probability on these layers.
    pub(super) fn layer_share(&self, layers: [(u8, f32); 2]) -> f32 {
        let of = |(layer, share)| likely(&self.layers, layer) * share;
        match self.layers.is_empty() {
            true => 1.0,
            false => layers.map(of).iter().sum(),
        }
    }

    /// Probability in this biome. If the biome is unknown, 1 without biome weights, else 0.
    pub(super) fn biome_share(&self, biome: Option<u8>) -> f32 {
        match self.biomes.is_empty() {
            true => 1.0,
            false => biome.map_or(0.0, |biome| likely(&self.biomes, biome)),
        }
    }

    /// The minimum distance between an instance of this rule and one of a later rule, in meters.
    pub(super) fn keeps_from(&self, scale: f32, later: &Self, later_scale: f32) -> f64 {
        let (scale, later_scale) = (f64::from(scale), f64::from(later_scale));
        let clear = f64::from(self.clearance) * scale;
        if self.crown > 0.0 && later.crown > 0.0 {
            let crowns = f64::from(self.crown) * scale + f64::from(later.crown) * later_scale;
            return clear.max(crowns);
        }
        clear
    }

    /// The largest value of [`keeps_from`](Self::keeps_from).
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
    fn names_field_out_of_range() {
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
    fn crowns_keep_apart_but_not_from_undergrowth() {
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
