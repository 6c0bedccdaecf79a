//! The map that a command works on, whatever it comes from.

use lanternfell_heightmap::{Heightmap, Progress, Scale};

use crate::{
    args::MapArgs,
    failure::Failure,
    generate,
    source::{self, Source},
};

/// The sea of a map that comes without one: slightly above the lowest ground.
const SEA_LEVEL: f32 = 0.04;

/// Where a map comes from: found and checked, but not made yet.
pub(crate) struct Origin {
    source: Source,
    /// As the user calls it.
    name: String,
    /// A recipe's own, or what suits its generator; just above the lowest ground for files.
    pub(crate) sea_level: f32,
}

/// A map, and what is known about it.
pub(crate) struct Land {
    pub(crate) map: Heightmap,
    pub(crate) scale: Scale,
    /// A few words.
    pub(crate) about: String,
}

impl Origin {
    pub(crate) fn open(arguments: &MapArgs) -> Result<Self, Failure> {
        let source = source::open(arguments)?;
        let sea_level = match &source {
            Source::Recipe(recipe) => recipe.water_level(),
            Source::Map(_) => SEA_LEVEL,
        };
        Ok(Self {
            source,
            name: arguments.source.clone(),
            sea_level,
        })
    }

    /// Makes the map. Heights outside 0 to 1 (possible in `f32`) are stretched to that range.
    pub(crate) fn make(self, progress: &Progress) -> Result<Land, Failure> {
        match self.source {
            Source::Recipe(recipe) => Ok(Land {
                map: recipe.generate(progress)?,
                scale: recipe.scale(),
                about: generate::about(&recipe),
            }),
            Source::Map(mut map) => {
                let (low, high) = map.range();
                let mut about = format!("{}, {}x{}", self.name, map.width(), map.height());
                if low < 0.0 || high > 1.0 {
                    map.normalise();
                    about += &format!(", its heights {low} to {high} stretched to 0 to 1");
                }
                Ok(Land {
                    scale: Scale::of_size(map.size()),
                    map,
                    about,
                })
            }
        }
    }
}
