//! The generator enum: one of the generators, chosen at run time.
//!
//! To add a generator, write its module, declare its [parameters](crate::parameter), and implement [`Evaluate`] with
//! `evaluate!`. Then add it to the enum and to `generators!` in this file.

use crate::{
    Faults, Fluid, FractalNoise, GenerateError, Heightmap, Hills, MapSize, ParamError, Parameters,
    Progress, RidgedMultifractal, RiverDelta, SetError, Worley,
    evaluate::{Evaluate, Parts},
    parameter::{Parameter, Value, variants},
};

variants! {
    /// A generator and its parameters.
    ///
    /// The heights of a generated map are within 0 to 1. [`Faults`], [`Fluid`] and [`Hills`] stretch their heights to
    /// fill that range. In [`FractalNoise`], [`RidgedMultifractal`] and [`Worley`] a height depends only on the
    /// position, so the range is not always filled.
    pub enum Generator: "generator" {
        /// A thousand random lines, each of which raises one half of the map.
        Faults(Faults) = "faults";
        /// Noise that settles like the surface of a viscous fluid.
        Fluid(Fluid) = "fluid";
        /// Octaves of simplex noise, with the sea at middle height.
        FractalNoise(FractalNoise) = "fractal-noise" | "islands";
        /// Hundreds of overlapping paraboloids.
        Hills(Hills) = "hills";
        /// Ridges with ever finer ridges on them, above smooth valleys.
        RidgedMultifractal(RidgedMultifractal) = "ridged";
        /// Distances to scattered points: cells, cracks, craters.
        Worley(Worley) = "worley";
        /// A river that branches into channels on the delta that it has built.
        RiverDelta(RiverDelta) = "delta";
    }
}

/// Declares `Generator::evaluator`, and `From` for each of these generators.
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
    /// All parameters: names, descriptions, ranges and defaults.
    pub fn parameters(&self) -> &'static [Parameter] {
        Parameters::parameters(self)
    }

    /// The value of the parameter `name`, or `None` if the parameter does not exist.
    pub fn get(&self, name: &str) -> Option<Value> {
        Parameters::get(self, name)
    }

    /// Sets the parameter `name` from text, as `--set name=value` does.
    ///
    /// This does not check the range, because some ranges depend on other parameters and on the map size.
    /// [`validate`](Self::validate) does.
    ///
    /// # Errors
    /// If the parameter does not exist, or the text is not a value of its kind.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SetError> {
        Parameters::set(self, name, value)
    }

    /// Checks every parameter against its range for a map of this size.
    ///
    /// # Errors
    /// Names the first parameter that is out of range.
    pub fn validate(&self, size: MapSize) -> Result<(), ParamError> {
        self.evaluator().validate(size)
    }

    /// Generates the map of this seed.
    ///
    /// # Errors
    /// If a parameter is out of range, or the work is canceled.
    pub fn generate(
        &self,
        size: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.evaluator().generate(size, seed, progress)
    }

    /// How parts of the map can be made without the whole.
    pub(crate) fn parts(&self) -> Parts<'_> {
        self.evaluator().parts()
    }

    /// The sea level, from 0 to 1, that suits this generator's maps best.
    ///
    /// The article on simplex islands puts the sea in the middle, and the article on hills puts it slightly above the
    /// lowest point. For most other generators, about a third of the map is below the level.
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
    fn from_name_finds_every_generator() {
        for name in Generator::NAMES {
            assert_eq!(Generator::from_name(name).unwrap().name(), name);
        }
        let article = Generator::from_name("islands");
        assert_eq!(article, Generator::from_name("fractal-noise"));
        assert_eq!(Generator::from_name("perlin"), None);
    }

    #[test]
    fn parameters_accept_their_defaults() {
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
    fn set_errors_list_allowed_names_and_values() {
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
    fn same_seed_same_map() {
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
