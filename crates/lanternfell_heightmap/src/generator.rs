//! One of the four generators, chosen at run time: what a recipe's layer holds.

use core::{fmt::Arguments, ops::RangeInclusive};

use serde::{Deserialize, Serialize};

use crate::{
    Faults, Fluid, FractalNoise, GenerateError, Heightmap, Hills, MapSize, ParamError, Progress,
    SetError, Window, sums::Normalization,
};

/// A generator and its parameters.
///
/// Every generator fills a map with heights from 0 to 1. Three of them stretch theirs to
/// that range; [`FractalNoise`] does not, because its sea level is a fixed height.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Generator {
    /// Fault lines.
    Faults(Faults),
    /// The surface of a viscous fluid.
    Fluid(Fluid),
    /// Octaves of simplex noise.
    #[serde(alias = "Islands")]
    FractalNoise(FractalNoise),
    /// Overlapping paraboloids.
    Hills(Hills),
}

impl Generator {
    /// The generators' names, as [`from_name`](Self::from_name) knows them.
    pub const NAMES: [&'static str; 4] = ["faults", "fluid", "islands", "hills"];

    /// The generator of that name with its default parameters.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "faults" => Some(Faults::default().into()),
            "fluid" => Some(Fluid::default().into()),
            "islands" => Some(FractalNoise::default().into()),
            "hills" => Some(Hills::default().into()),
            _ => None,
        }
    }

    /// The generator's name, one of [`NAMES`](Self::NAMES).
    pub fn name(&self) -> &'static str {
        match self {
            Self::Faults(_) => "faults",
            Self::Fluid(_) => "fluid",
            Self::FractalNoise(_) => "islands",
            Self::Hills(_) => "hills",
        }
    }

    /// The names that [`set`](Self::set) knows.
    pub fn parameters(&self) -> &'static [&'static str] {
        match self {
            Self::Faults(_) => Faults::PARAMETERS,
            Self::Fluid(_) => Fluid::PARAMETERS,
            Self::FractalNoise(_) => FractalNoise::PARAMETERS,
            Self::Hills(_) => Hills::PARAMETERS,
        }
    }

    /// Sets the parameter `name` from its text, as `--set name=value` does.
    ///
    /// Whether the value is in range is [`validate`](Self::validate)'s business, since
    /// some ranges depend on other parameters and on the map's size.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SetError> {
        let setting = Setting {
            owner: self.name(),
            known: self.parameters(),
            name,
            value,
        };
        match self {
            Self::Faults(faults) => faults.set(setting),
            Self::Fluid(fluid) => fluid.set(setting),
            Self::FractalNoise(noise) => noise.set(setting),
            Self::Hills(hills) => hills.set(setting),
        }
    }

    /// Checks every parameter against its range on a map of this size.
    pub fn validate(&self, size: MapSize) -> Result<(), ParamError> {
        match self {
            Self::Faults(faults) => faults.validate(size),
            Self::Fluid(fluid) => fluid.validate(size),
            Self::FractalNoise(noise) => noise.validate(size),
            Self::Hills(hills) => hills.validate(size),
        }
    }

    /// Makes the map of this seed: validates, draws, and evaluates.
    pub fn generate(
        &self,
        size: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        match self {
            Self::Faults(faults) => faults.generate(size, seed, progress),
            Self::Fluid(fluid) => fluid.generate(size, seed, progress),
            Self::FractalNoise(noise) => noise.generate(size, seed, progress),
            Self::Hills(hills) => hills.generate(size, seed, progress),
        }
    }

    /// Whether the heights are stretched to 0 to 1, so that the whole map has to be
    /// [measured](Self::prepass) before a part of it can be made.
    pub(crate) fn is_stretched(&self) -> bool {
        !matches!(self, Self::FractalNoise(_))
    }

    /// What has to be known of a whole map before a part of it can be made alone; in the memory
    /// of a few rows. `None` where nothing has.
    pub(crate) fn prepass(
        &self,
        world: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Option<Normalization>, GenerateError> {
        Ok(match self {
            Self::Faults(faults) => {
                Some(faults.normalization(world, &faults.draw(world, seed), progress)?)
            }
            Self::Hills(hills) => Some(Hills::normalization(
                world,
                &hills.draw(world, seed),
                progress,
            )?),
            Self::Fluid(_) | Self::FractalNoise(_) => None,
        })
    }

    /// Why a part of a map can not be made alone; `None` if it can.
    pub(crate) fn whole_only(&self) -> Option<&'static str> {
        match self {
            Self::Fluid(_) => Some("a fluid's surface moves as a whole"),
            Self::Faults(faults) if faults.erosion.is_some() => {
                Some("the erosion of faults sweeps over the whole map")
            }
            _ => None,
        }
    }

    /// The part of [`generate`](Self::generate)'s map that lies in the window, by what its
    /// [`prepass`](Self::prepass) has found; all 0 where parts can
    /// [not be made](Self::whole_only).
    pub(crate) fn generate_in(
        &self,
        window: Window,
        world: MapSize,
        seed: u64,
        normalization: Option<&Normalization>,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        match (self, normalization) {
            (Self::Faults(faults), Some(normalization)) => {
                faults.lift_in(window, normalization, &faults.draw(world, seed), progress)
            }
            (Self::Hills(hills), Some(normalization)) => {
                Hills::raise_in(window, normalization, &hills.draw(world, seed), progress)
            }
            (Self::FractalNoise(noise), _) => noise.generate_in(window, world, seed, progress),
            _ => Ok(Heightmap::flat(window.size())),
        }
    }

    /// The height, from 0 to 1, at which water suits this generator's maps best.
    ///
    /// The article on simplex islands puts the sea in the middle, the one on hills
    /// slightly above the lowest ground; for the other two the middle third is low land.
    pub fn sea_level(&self) -> f32 {
        match self {
            Self::Faults(_) | Self::Fluid(_) => 0.4,
            Self::FractalNoise(_) => FractalNoise::SEA_LEVEL,
            Self::Hills(_) => 0.04,
        }
    }
}

impl Default for Generator {
    /// The default [`Hills`].
    fn default() -> Self {
        Self::Hills(Hills::default())
    }
}

impl From<Faults> for Generator {
    fn from(faults: Faults) -> Self {
        Self::Faults(faults)
    }
}

impl From<Fluid> for Generator {
    fn from(fluid: Fluid) -> Self {
        Self::Fluid(fluid)
    }
}

impl From<FractalNoise> for Generator {
    fn from(noise: FractalNoise) -> Self {
        Self::FractalNoise(noise)
    }
}

impl From<Hills> for Generator {
    fn from(hills: Hills) -> Self {
        Self::Hills(hills)
    }
}

/// One `name=value` on its way into a generator.
pub(crate) struct Setting<'a> {
    owner: &'static str,
    known: &'static [&'static str],
    pub(crate) name: &'a str,
    value: &'a str,
}

impl Setting<'_> {
    /// Parses a whole number into `target`; `range` tells the error what is allowed.
    pub(crate) fn whole(
        &self,
        target: &mut u32,
        range: RangeInclusive<u32>,
    ) -> Result<(), SetError> {
        let (least, most) = range.into_inner();
        self.parse(
            target,
            format_args!("a whole number from {least} to {most}"),
        )
    }

    /// Parses a number into `target`.
    pub(crate) fn number(&self, target: &mut f64) -> Result<(), SetError> {
        self.parse(target, format_args!("a number"))
    }

    /// Parses `true` or `false` into `target`.
    pub(crate) fn switch(&self, target: &mut bool) -> Result<(), SetError> {
        self.parse(target, format_args!("true or false"))
    }

    /// Looks the value up among named choices; `allowed` lists them for the error.
    pub(crate) fn choice<T: Copy>(
        &self,
        target: &mut T,
        choices: &[(&str, T)],
        allowed: &'static str,
    ) -> Result<(), SetError> {
        let found = choices.iter().find(|(name, _)| *name == self.value);
        let (_, choice) = found.ok_or_else(|| self.wrong_value(format_args!("{allowed}")))?;
        *target = *choice;
        Ok(())
    }

    /// The error for a name that the generator does not have.
    pub(crate) fn unknown(&self) -> SetError {
        SetError::Unknown {
            owner: self.owner,
            name: self.name.to_owned(),
            known: self.known.join(", "),
        }
    }

    fn parse<T: std::str::FromStr>(
        &self,
        target: &mut T,
        allowed: Arguments<'_>,
    ) -> Result<(), SetError> {
        *target = self.value.parse().map_err(|_| self.wrong_value(allowed))?;
        Ok(())
    }

    fn wrong_value(&self, allowed: Arguments<'_>) -> SetError {
        SetError::Value {
            owner: self.owner,
            name: self.name.to_owned(),
            value: self.value.to_owned(),
            allowed: allowed.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_generator_is_found_by_its_name() {
        for name in Generator::NAMES {
            assert_eq!(Generator::from_name(name).unwrap().name(), name);
        }
        assert_eq!(Generator::from_name("perlin"), None);
    }

    #[test]
    fn every_listed_parameter_can_be_set() {
        let texts = ["1", "1.5", "true", "step", "two-points", "plain", "none"];
        for name in Generator::NAMES {
            let mut generator = Generator::from_name(name).unwrap();
            for parameter in generator.parameters() {
                let fits = |text| generator.set(parameter, text).is_ok();
                assert!(texts.into_iter().any(fits), "{name}: {parameter}");
            }
        }
    }

    #[test]
    fn wrong_names_and_values_say_what_is_allowed() {
        let mut hills = Generator::from_name("hills").unwrap();
        let error = hills.set("radius", "3").unwrap_err().to_string();
        assert!(
            error.contains("`radius`") && error.contains("radius_min, radius_max"),
            "{error}"
        );
        let error = hills.set("count", "many").unwrap_err().to_string();
        assert!(
            error.contains("count is `many`") && error.contains("a whole number"),
            "{error}"
        );
        for count in ["-5", "99999999999", "2.5"] {
            let error = hills.set("count", count).unwrap_err().to_string();
            let words = format!("count is `{count}`, but must be a whole number from 1 to 1000000");
            assert!(error.contains(&words), "{error}");
        }
        assert_eq!(hills, Generator::from_name("hills").unwrap());
    }

    #[test]
    fn a_seed_gives_the_same_map_again_and_another_seed_another() {
        let size = MapSize::new(33, 20).unwrap();
        let progress = Progress::default();
        for name in Generator::NAMES {
            let mut generator = Generator::from_name(name).unwrap();
            if name == "hills" {
                generator.set("radius_max", "8").unwrap();
            }
            let map = |seed| generator.generate(size, seed, &progress).unwrap();
            assert_eq!(map(5), map(5), "{name}");
            assert_ne!(map(5), map(6), "{name}");
            let (low, high) = map(5).range();
            assert!(low >= 0.0 && high <= 1.0, "{name}: {low} to {high}");
        }
    }
}
