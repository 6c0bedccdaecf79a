//! From what a terrain is made of, once it is all there, to its ground. In the background.
//!
//! ```text
//! recipe + images ── generated ─────────────────────────────┐
//!                                                            ├──> heights from 0 to 1, square cells
//! map ── square cells ── stretched to 0 to 1, metres kept ──┘
//! ```
//!
//! Holes come along: of a recipe those that it tells, of a map its own, in the new squares.
//!
//! A map that is so already is shared, not copied.
//!
//! All later code handles one kind of map: heights from 0 to 1, with a [`Scale`] in meters. The frame keeps the meters
//! above sea level. If heights could also be meters, layers, water, walls and colliders would each need two cases.

use lanternfell_heightmap::{
    Elevation, GenerateError, Heightmap, MapFrame, MapSize, Progress, Recipe, RecipeError, Scale,
    filter::Resampling, hydrology::Hydrology,
};
use lanternfell_surface::{Surface, inland_water::InlandWater};

use crate::{
    error::{TerrainError, Unmade},
    map::{TerrainMap, is_stretched, stretch},
};

/// What ground is made of. Two are equal when they give the same ground.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum GroundInput {
    Recipe {
        /// With the terrain's own scale, if it has one.
        recipe: Recipe,
        /// As many as the recipe names, in its order.
        images: Vec<TerrainMap>,
        inland: Option<InlandWater>,
    },
    Map {
        map: TerrainMap,
        /// In the place of the map's own.
        scale: Option<Scale>,
        inland: Option<InlandWater>,
    },
}

/// The part of the progress that a map takes before rivers and lakes are laid.
const DRY_SHARE: f32 = 0.8;

/// The sea of a map of dry land: it wets the lowest ground and no valley.
const SHALLOW: f32 = 0.002;

impl GroundInput {
    /// What can be known to be wrong before anything is made. Of a map every height is looked at.
    pub(crate) fn validate(&self) -> Result<(), TerrainError> {
        if let Some(inland) = self.inland() {
            inland.validate()?;
        }
        match self {
            Self::Recipe { recipe, .. } => check_recipe(recipe),
            Self::Map { map, scale, .. } => check_map(map, *scale),
        }
    }

    /// The rivers and lakes that are asked for.
    pub(crate) fn inland(&self) -> Option<&InlandWater> {
        match self {
            Self::Recipe { inland, .. } | Self::Map { inland, .. } => inland.as_ref(),
        }
    }

    /// The recipe, if it is one.
    pub(crate) fn recipe(&self) -> Option<&Recipe> {
        match self {
            Self::Recipe { recipe, .. } => Some(recipe),
            Self::Map { .. } => None,
        }
    }

    /// Whether both are made of the very same heights, with the very same holes, at whatever scale.
    pub(crate) fn shares_heights_with(&self, other: &Self) -> bool {
        match (self, other) {
            // Beds are as deep as metres say, and rivers end where the sea begins.
            _ if self.inland().is_some() || other.inland().is_some() => self == other,
            (
                Self::Recipe { recipe, images, .. },
                Self::Recipe {
                    recipe: other,
                    images: others,
                    ..
                },
            ) => images == others && recipe.gives_the_map_of(other),
            (Self::Map { map, .. }, Self::Map { map: other, .. }) => map == other,
            (Self::Recipe { .. }, Self::Map { .. }) | (Self::Map { .. }, Self::Recipe { .. }) => {
                false
            }
        }
    }

    /// Makes the map: square cells, and heights from 0 to 1.
    pub(crate) fn make(&self, progress: &Progress) -> Result<TerrainMap, Unmade> {
        self.validate()?;
        let (dry, wet) = match self.inland() {
            None => (progress.clone(), None),
            Some(inland) => (
                progress.span(0.0, DRY_SHARE),
                Some((inland, progress.span(DRY_SHARE, 1.0))),
            ),
        };
        let map = match self {
            Self::Recipe { recipe, images, .. } => generate(recipe, images, &dry)?,
            Self::Map { map, .. } => prepare(map, &dry)?,
        };
        match wet {
            None => Ok(map),
            Some((inland, progress)) => self.lay(inland, &map, &progress),
        }
    }

    /// Lays rivers and lakes over a map, with beds in it.
    fn lay(
        &self,
        inland: &InlandWater,
        map: &TerrainMap,
        progress: &Progress,
    ) -> Result<TerrainMap, Unmade> {
        let scale = self.scale(map)?;
        let hydrology = Hydrology {
            sea_level: Some(self.sea_share(map.frame())),
            border: true,
        };
        let mut heights = map.heights().clone();
        let laid = inland.lay(&mut heights, scale, &hydrology, progress);
        let waters = laid.map_err(|error| match error {
            GenerateError::Cancelled(_) => Unmade::Cancelled,
            GenerateError::Param(error) => TerrainError::from(error).into(),
        })?;
        // Banks on the highest ground.
        let (size, mut heights) = (heights.size(), heights.into_heights());
        for height in &mut heights {
            *height = height.clamp(0.0, 1.0);
        }
        let heights = Heightmap::from_heights(size, heights);
        let heights = heights.expect("as many heights as before, and all are numbers");
        Ok(map.with_heights(heights).with_waters(waters))
    }

    /// The sea's level as a height of the ground: as the recipe has it; of a map where that
    /// [says](lanternfell_heightmap::Scenery), or that of 0 m, if it tells metres and has ground below that, and else
    /// slightly above its lowest ground.
    pub(crate) fn sea_share(&self, frame: &MapFrame) -> f32 {
        if let Some(recipe) = self.recipe() {
            return recipe.water_level();
        }
        if let Some(level) = frame.sea_level() {
            return level.clamp(0.0, 1.0);
        }
        let zero = -frame.elevation.offset / frame.elevation.relief;
        if frame.elevation_is_said && zero > 0.0 {
            zero as f32
        } else {
            SHALLOW
        }
    }

    /// The map of the recipe's step of that name, if there is one: a mask for what follows from the ground. What the
    /// step shares with the ground is made again.
    pub(crate) async fn step(
        &self,
        name: &str,
        progress: &Progress,
    ) -> Result<Option<Heightmap>, Unmade> {
        let (recipe, images) = match self {
            Self::Recipe { recipe, images, .. } => (recipe, images),
            Self::Map { map, .. } => {
                return match map.whole() {
                    Some(whole) => whole.step(name, progress).await,
                    None => Ok(None),
                };
            }
        };
        let Some(of_step) = recipe_of_step(recipe, name) else {
            return Ok(None);
        };
        let map = of_step.generate_with(&find_image(&of_step, images), progress)?;
        Ok(Some(map))
    }

    /// The scale of the ground whose map was made of this.
    pub(crate) fn scale(&self, map: &TerrainMap) -> Result<Scale, TerrainError> {
        match self {
            Self::Recipe { recipe, .. } => Ok(recipe.scale()),
            Self::Map { scale, .. } => match scale {
                Some(scale) => {
                    scale.validate()?;
                    Ok(*scale)
                }
                None => scale_of(map.frame(), map.size()),
            },
        }
    }
}

/// The recipe whose result is that step, if it has one of that name.
pub(crate) fn recipe_of_step(recipe: &Recipe, name: &str) -> Option<Recipe> {
    let is_there = recipe.steps.iter().any(|step| step.name == name);
    is_there.then(|| Recipe {
        result: Some(name.to_owned()),
        ..recipe.clone()
    })
}

fn generate(
    recipe: &Recipe,
    images: &[TerrainMap],
    progress: &Progress,
) -> Result<TerrainMap, RecipeError> {
    let image = find_image(recipe, images);
    let (heights, holes) = recipe.generate_with_holes(&image, progress)?;
    let map = TerrainMap::new(heights, recipe.frame());
    Ok(match holes {
        Some(holes) => map.with_holes(holes),
        None => map,
    })
}

/// Gives a recipe its images, as many as it names.
fn find_image(
    recipe: &Recipe,
    images: &[TerrainMap],
) -> impl Fn(&str) -> Result<Heightmap, String> {
    let names = recipe.images();
    move |name| {
        let mut found = names
            .iter()
            .zip(images)
            .filter(|(other, _)| **other == name);
        let (_, image) = found.next().ok_or("it is not there")?;
        let mut model = image.to_model();
        stretch(&mut model);
        Ok(model.heights)
    }
}

/// The map as ground: with square cells, and heights from 0 to 1 that grow upwards.
fn prepare(map: &TerrainMap, progress: &Progress) -> Result<TerrainMap, Unmade> {
    let square = square_size(map)?;
    let frame = MapFrame {
        elevation: elevation_of(map),
        ..*map.frame()
    };
    let is_ready = is_stretched(map.heights().range()) && frame.elevation.relief > 0.0;
    if is_ready && square == map.size() {
        return Ok(map.clone());
    }
    let (heights, place) = if square == map.size() {
        (map.heights().clone(), frame.place)
    } else {
        let heights = map.heights();
        (
            heights.resampled(square, Resampling::Bilinear, progress)?,
            frame.place.resized(map.size(), square),
        )
    };
    let mut model = MapFrame { place, ..frame }.of(heights);
    stretch(&mut model);
    Ok(TerrainMap::from(model).with_holes_of(map))
}

/// What the heights of a map stand for. As where files are read, numbers beyond 0 to 1 of which nothing
/// is said are metres.
fn elevation_of(map: &TerrainMap) -> Elevation {
    let frame = map.frame();
    if frame.elevation_is_said || is_stretched(map.heights().range()) {
        frame.elevation
    } else {
        Elevation::METRES
    }
}

/// The size of the map once its cells are square.
fn square_size(map: &TerrainMap) -> Result<MapSize, TerrainError> {
    let Some((width, height)) = map.frame().place.square_cells(map.size()) else {
        return Ok(map.size());
    };
    Ok(MapSize::new(width, height)?)
}

/// The scale that a frame tells, unless it is beyond what can be drawn.
fn scale_of(frame: &MapFrame, size: MapSize) -> Result<Scale, TerrainError> {
    let [east, south] = frame.place.spacing(size.height());
    let scale = Scale {
        spacing: (east * south).sqrt() as f32,
        relief: frame.elevation.relief as f32,
    };
    scale.validate()?;
    // Within the limits, so that it rounds as every other measure of the map does.
    Ok(frame.scale(size))
}

fn check_recipe(recipe: &Recipe) -> Result<(), TerrainError> {
    recipe.validate()?;
    if !recipe.size.is_of_map() {
        let (width, height) = recipe.size.into();
        return Err(RecipeError::World { width, height }.into());
    }
    Ok(())
}

fn check_map(map: &TerrainMap, scale: Option<Scale>) -> Result<(), TerrainError> {
    map.frame().validate()?;
    square_size(map)?;
    if let Some(holes) = map.holes() {
        Surface::new(map.heights(), Scale::of_size(map.size())).with_holes(holes)?;
    }
    if let Some(scale) = scale {
        return Ok(scale.validate()?);
    }
    let mut frame = *map.frame();
    frame.elevation = elevation_of(map);
    frame.elevation.relief = frame.elevation.relief.abs();
    let (low, high) = map.heights().range();
    if !is_stretched((low, high)) {
        frame.elevation = frame.elevation.stretched((low, high));
    }
    scale_of(&frame, map.size()).map(|_| ())
}
