//! One of the generators, chosen at run time: what a recipe's layer holds.
//!
//! Who adds one writes its module, declares its [parameters](crate::parameter), says by
//! [`Evaluate`] how its maps are made, and adds a line to the enum and to
//! [`evaluator`](Generator::evaluator): all else follows from there.

use crate::{
    Faults, Fluid, FractalNoise, GenerateError, Heightmap, Hills, MapSize, ParamError, Parameters,
    Progress, RidgedMultifractal, RiverDelta, SetError, Window, Worley,
    parameter::{Parameter, Value, variants},
    sums::Normalization,
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
        FractalNoise(FractalNoise) = "islands" reads "Islands";
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

/// How a generator's maps are made.
pub(crate) trait Evaluate {
    /// Checks every parameter on a map of this size.
    fn validate(&self, size: MapSize) -> Result<(), ParamError>;

    /// Makes the map of this seed.
    fn generate(
        &self,
        size: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError>;

    /// How a part of the map is made alone.
    fn parts(&self) -> Parts<'_>;

    /// See [`Generator::sea_level`].
    fn sea_level(&self) -> f32;
}

/// How a part of a generator's map is made alone.
pub(crate) enum Parts<'a> {
    /// Its heights are functions of their places.
    Pointwise(&'a dyn Pointwise),
    /// Its sums are stretched to 0 to 1 by the lowest and the highest of the whole map.
    Stretched(&'a dyn Stretched),
    /// Not at all, for this reason.
    Whole(&'static str),
}

/// A generator that [`Parts::Pointwise`] describes.
pub(crate) trait Pointwise {
    /// The part of the seed's map that lies in the window.
    fn part(
        &self,
        window: Window,
        world: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        let origin = (window.x() as i64, window.y() as i64);
        self.plane_part(origin, window.size(), world, seed, progress)
    }

    /// The rectangle whose north-west cell is at `origin` of the endless plane on which the seed's map
    /// of the world begins at (0, 0).
    fn plane_part(
        &self,
        origin: (i64, i64),
        size: MapSize,
        world: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError>;

    /// Whether its map has a border that the plane has not.
    fn has_border(&self) -> bool {
        false
    }
}

/// A generator that [`Parts::Stretched`] describes.
pub(crate) trait Stretched {
    /// What has to be known of the whole map, in the memory of a few rows.
    fn prepass(
        &self,
        world: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Normalization, GenerateError>;

    /// The part of the seed's map that lies in the window, by what the prepass has found.
    fn part(
        &self,
        window: Window,
        world: MapSize,
        seed: u64,
        normalization: &Normalization,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError>;
}

impl Generator {
    fn evaluator(&self) -> &dyn Evaluate {
        match self {
            Self::Faults(faults) => faults,
            Self::Fluid(fluid) => fluid,
            Self::FractalNoise(noise) => noise,
            Self::Hills(hills) => hills,
            Self::RidgedMultifractal(ridged) => ridged,
            Self::Worley(worley) => worley,
            Self::RiverDelta(delta) => delta,
        }
    }

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

/// A generator's [`Evaluate`], from the methods that it has for its users, and
/// `Generator::from` it.
macro_rules! evaluate {
    ($type:ident, $sea_level:expr, $self:ident => $parts:expr) => {
        impl $crate::generator::Evaluate for $type {
            fn validate(&self, size: $crate::MapSize) -> Result<(), $crate::ParamError> {
                self.validate(size)
            }

            fn generate(
                &self,
                size: $crate::MapSize,
                seed: u64,
                progress: &$crate::Progress,
            ) -> Result<$crate::Heightmap, $crate::GenerateError> {
                self.generate(size, seed, progress)
            }

            fn parts(&$self) -> $crate::generator::Parts<'_> {
                $parts
            }

            fn sea_level(&self) -> f32 {
                $sea_level
            }
        }

        impl From<$type> for $crate::Generator {
            fn from(own: $type) -> Self {
                Self::$type(own)
            }
        }
    };
}
pub(crate) use evaluate;

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
