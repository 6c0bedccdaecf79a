//! One of the generators, chosen at run time: what a recipe's layer holds.
//!
//! To add one, write its module, declare its [parameters](crate::parameter), implement [`Evaluate`] with `evaluate!`,
//! and add it to the enum and to `generators!` in this file.

use crate::{
    Faults, Fluid, FractalNoise, GenerateError, Heightmap, Hills, MapSize, ParamError, Parameters,
    Progress, RidgedMultifractal, RiverDelta, SetError, Worley,
    evaluate::{Evaluate, Parts},
    parameter::{Parameter, Value, variants},
};

variants! {
    /// A generator and its parameters.
    ///
    /// Every generator fills a map with heights from 0 to 1. Three of them stretch theirs to
    /// that range; the others do not: their heights are functions of the place alone.
    pub enum Generator: "generator" {
        /// A random line lifts one half of the map, a thousand times.
        Faults(Faults) = "faults";
        /// Noise settles like the surface of a viscous fluid.
        Fluid(Fluid) = "fluid";
        /// Octaves of simplex noise over a sea at middle height.
        FractalNoise(FractalNoise) = "islands";
        /// Hundreds of overlapping paraboloids.
        Hills(Hills) = "hills";
        /// Crests that grow finer crests, above smooth valleys.
        RidgedMultifractal(RidgedMultifractal) = "ridged";
        /// Distances to scattered points: cells, cracks, craters.
        Worley(Worley) = "worley";
        /// A river that branches to the sea, and the land that it has built.
        RiverDelta(RiverDelta) = "delta";
    }
}

/// Declares `Generator::evaluator` and `Generator::from` each of these.
macro_rules! generators {
    ($($generator:ident),+ $(,)?) => {
        impl Generator {
            fn evaluator(&self) -> &dyn Evaluate {
                match self {
                    $(Self::$generator(generator) => generator,)+
                }
            }
        }

        $(impl From<$generator> for Generator {
            fn from(generator: $generator) -> Self {
                Self::$generator(generator)
            }
        })+
    };
}

generators!(
    Faults,
    Fluid,
    FractalNoise,
    Hills,
    RidgedMultifractal,
    Worley,
    RiverDelta,
);

impl Generator {
    /// All its parameters: names, meanings, ranges and defaults.
    pub fn parameters(&self) -> &'static [Parameter] {
        Parameters::parameters(self)
    }

    /// The value of the parameter of that name.
    pub fn get(&self, name: &str) -> Option<Value> {
        Parameters::get(self, name)
    }

    /// Sets the parameter `name` from its text, as `--set name=value` does.
    ///
    /// Whether the value is in range is [`validate`](Self::validate)'s business, since
    /// some ranges depend on other parameters and on the map's size.
    ///
    /// # Errors
    /// When it has no such parameter, or the text is no value of its kind.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SetError> {
        Parameters::set(self, name, value)
    }

    /// Checks every parameter against its range on a map of this size.
    ///
    /// # Errors
    /// Names the first that is out of its range.
    pub fn validate(&self, size: MapSize) -> Result<(), ParamError> {
        self.evaluator().validate(size)
    }

    /// Makes the map of this seed: validates, draws, and evaluates.
    ///
    /// # Errors
    /// When a parameter is out of its range, or the work was cancelled.
    pub fn generate(
        &self,
        size: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.evaluator().generate(size, seed, progress)
    }

    /// How a part of its map is made alone.
    pub(crate) fn parts(&self) -> Parts<'_> {
        self.evaluator().parts()
    }

    /// The height, from 0 to 1, at which water suits this generator's maps best.
    ///
    /// The article on simplex islands puts the sea in the middle, the one on hills
    /// slightly above the lowest ground; for others about the lowest third is low land.
    pub fn sea_level(&self) -> f32 {
        self.evaluator().sea_level()
    }
}

impl Default for Generator {
    /// The default [`Hills`].
    fn default() -> Self {
        Self::Hills(Hills::default())
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
    fn every_parameter_can_be_set_to_its_default_and_read() {
        for name in Generator::NAMES {
            let mut generator = Generator::from_name(name).expect(name);
            for parameter in generator.parameters() {
                let default = parameter.default();
                generator
                    .set(parameter.name, &default.to_string())
                    .expect(name);
                assert_eq!(generator.get(parameter.name), Some(default), "{name}");
                assert!(!parameter.about().is_empty(), "{name}: {}", parameter.name);
            }
            assert!(generator.validate(MapSize::default()).is_ok(), "{name}");
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
            let mut generator = Generator::from_name(name).expect(name);
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
