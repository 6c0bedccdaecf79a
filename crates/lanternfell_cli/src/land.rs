//! The map that a command works on, whatever it comes from.

use std::path::{Component, Path};

use lanternfell_heightmap::{Heightmap, Progress, Scale};

use crate::{
    args::MapArgs,
    failure::Failure,
    generate, read,
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
    /// What is known of it.
    pub(crate) scale: Scale,
    /// Whether that was said, by the recipe, the file or the user, and is no default.
    pub(crate) scale_is_said: bool,
}

/// A map, and what is known about it.
pub(crate) struct Land {
    pub(crate) map: Heightmap,
    /// A few words.
    pub(crate) about: String,
}

impl Origin {
    pub(crate) fn open(arguments: &MapArgs) -> Result<Self, Failure> {
        let source = source::open(arguments)?;
        let asked = &arguments.change.scale;
        let (sea_level, scale, scale_is_said) = match &source {
            Source::Recipe { recipe, .. } => {
                (recipe.water_level(), recipe.scale(), recipe.scale.is_some())
            }
            Source::Map { map, scale } => {
                let known = scale.unwrap_or_else(|| Scale::of_size(map.size()));
                (
                    SEA_LEVEL,
                    asked.or(known)?,
                    scale.is_some() || asked.given(),
                )
            }
        };
        Ok(Self {
            source,
            name: arguments.source.clone(),
            sea_level,
            scale,
            scale_is_said,
        })
    }

    /// How far a height of 1 rises, in lengths of the map's longer side, as far as pictures go;
    /// if its scale was said.
    pub(crate) fn vertical_scale(&self) -> Option<f64> {
        let size = match &self.source {
            Source::Recipe { recipe, .. } => recipe.size,
            Source::Map { map, .. } => map.size(),
        };
        let cells = size.width().max(size.height()) as f64;
        let rise = f64::from(self.scale.steepness()) / cells;
        self.scale_is_said.then_some(rise.clamp(0.01, 2.0))
    }

    /// Makes the map, as it is.
    pub(crate) fn make(self, progress: &Progress) -> Result<Land, Failure> {
        match self.source {
            Source::Recipe { recipe, folder } => {
                let images = |name: &str| image(folder.as_deref(), name);
                Ok(Land {
                    map: recipe.generate_with(&images, progress)?,
                    about: generate::about(&recipe),
                })
            }
            Source::Map { map, .. } => {
                let about = format!("{}, {}x{}", self.name, map.width(), map.height());
                Ok(Land { map, about })
            }
        }
    }

    /// Makes the map to be shown: heights outside 0 to 1 (possible in `f32`) are stretched to
    /// that range.
    pub(crate) fn make_to_show(self, progress: &Progress) -> Result<Land, Failure> {
        let mut land = self.make(progress)?;
        let (low, high) = land.map.range();
        if low < 0.0 || high > 1.0 {
            land.map.normalise();
            land.about += &format!(", its heights {low} to {high} stretched to 0 to 1");
        }
        Ok(land)
    }
}

/// An image that a recipe names: a heightmap in a file beside it, or in a folder there. A
/// recipe may come from anywhere, and must not read whatever it likes.
pub(crate) fn image(folder: Option<&Path>, name: &str) -> Result<Heightmap, String> {
    let Some(folder) = folder else {
        return Err("only recipes in files have images, beside them".to_owned());
    };
    let is_below = |part: Component| matches!(part, Component::Normal(_));
    if !Path::new(name).components().all(is_below) {
        return Err("an image lies beside its recipe, or in a folder there".to_owned());
    }
    let arguments = MapArgs::of_file(name);
    let (map, _) = read::file(&folder.join(name), &arguments).map_err(|error| error.to_string())?;
    Ok(map)
}
