//! Generates the map of a terrain from its loaded sources, in the background.
//!
//! ```text
//! recipe + images ── generate ──────────────────────────────┐
//!                                                            ├──> heights from 0 to 1, square cells
//! map ── square cells ── normalize to 0 to 1, keep meters ──┘
//! ```
//!
//! Holes are kept: a recipe's holes come from its step, a map's holes are resampled to the new cells.
//!
//! A map that already has this form is shared, not copied.

use lanternfell_heightmap::{
    Elevation, GenerateError, Heightmap, MapFrame, MapSize, Progress, Recipe, RecipeError, Scale,
    filter::Resampling,
    hydrology::{EditableDrainage, Hydrology},
};
use lanternfell_surface::{
    Surface,
    inland_water::{InlandWater, Waters},
};

use crate::{
    error::{TerrainError, Unmade},
    map::{TerrainMap, is_stretched, stretch},
};

/// The source of a terrain with all files loaded. Two equal inputs give the same terrain.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum GroundInput {
    Recipe {
        /// With the terrain's scale, if it has one.
        recipe: Recipe,
        /// The recipe's images, in the order of [`Recipe::images`].
        images: Vec<TerrainMap>,
        inland: Option<InlandWater>,
    },
    Map {
        map: TerrainMap,
        /// Replaces the map's own scale.
        scale: Option<Scale>,
        inland: Option<InlandWater>,
    },
}

/// The share of the progress for generating a map, if rivers and lakes follow.
const DRY_SHARE: f32 = 0.8;

/// The default sea level of a map without sea, as a height from 0 to 1. It covers the lowest points but no valley.
const SHALLOW: f32 = 0.002;

impl GroundInput {
    /// Checks everything that can be checked before generation. Reads every height of a map.
    pub(crate) fn validate(&self) -> Result<(), TerrainError> {
        if let Some(inland) = self.inland() {
            inland.validate()?;
        }
        match self {
            Self::Recipe { recipe, .. } => check_recipe(recipe),
            Self::Map { map, scale, .. } => check_map(map, *scale),
        }
    }

    /// The settings of rivers and lakes, if there are any.
    pub(crate) fn inland(&self) -> Option<&InlandWater> {
        match self {
            Self::Recipe { inland, .. } | Self::Map { inland, .. } => inland.as_ref(),
        }
    }

    /// The recipe, if this is one.
    pub(crate) fn recipe(&self) -> Option<&Recipe> {
        match self {
            Self::Recipe { recipe, .. } => Some(recipe),
            Self::Map { .. } => None,
        }
    }

    /// Whether both inputs give identical heights and holes. Their scales may differ.
    pub(crate) fn shares_heights_with(&self, other: &Self) -> bool {
        match (self, other) {
            // River beds are sized in meters, and rivers end at the sea level, so both depend on more than the heights.
            _ if self.inland().is_some() || other.inland().is_some() => self == other,
            (
                Self::Recipe { recipe, images, .. },
                Self::Recipe {
                    recipe: other,
                    images: others,
                    ..
                },
            ) => images == others && recipe.produces_map_of(other),
            (Self::Map { map, .. }, Self::Map { map: other, .. }) => map == other,
            (Self::Recipe { .. }, Self::Map { .. }) | (Self::Map { .. }, Self::Recipe { .. }) => {
                false
            }
        }
    }

    /// Generates the map, with square cells and heights from 0 to 1.
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
            Some((inland, progress)) => {
                let (scale, hydrology) = (self.scale(&map)?, self.hydrology(&map));
                add_inland_water(&map, &progress, |heights, progress| {
                    inland.carve(heights, scale, &hydrology, progress)
                })
            }
        }
    }

    /// The same input without rivers and lakes.
    pub(super) fn dry(&self) -> Self {
        let mut dry = self.clone();
        match &mut dry {
            Self::Recipe { inland, .. } | Self::Map { inland, .. } => *inland = None,
        }
        dry
    }

    /// Where rivers of the map end.
    pub(super) fn hydrology(&self, map: &TerrainMap) -> Hydrology {
        Hydrology {
            sea_level: Some(self.sea_share(map.frame())),
            border: true,
        }
    }

    /// Adds rivers and lakes to an edited map of the [dry](Self::dry) input. Returns the map unchanged if there are none.
    pub(super) fn add_water_to_edited(
        &self,
        map: &TerrainMap,
        drainage: &mut EditableDrainage,
        progress: &Progress,
    ) -> Result<TerrainMap, Unmade> {
        let Some(inland) = self.inland() else {
            return Ok(map.clone());
        };
        let scale = self.scale(map)?;
        add_inland_water(map, progress, |heights, progress| {
            inland.carve_edited(heights, scale, drainage, progress)
        })
    }

    /// The sea level as a height from 0 to 1.
    ///
    /// A recipe defines it. The sea level of a map is, in this order: the level in its
    /// [`Scenery`](lanternfell_heightmap::Scenery); 0 m, if the map has elevations in meters and terrain below 0 m;
    /// slightly above its lowest point.
    pub(crate) fn sea_share(&self, frame: &MapFrame) -> f32 {
        if let Some(recipe) = self.recipe() {
            return recipe.water_level();
        }
        if frame.scenery.sea_level.is_some()
            && let Some(level) = frame.sea_level()
        {
            return level.clamp(0.0, 1.0);
        }
        let zero = -frame.elevation.offset / frame.elevation.relief;
        if frame.elevation_is_explicit && zero > 0.0 {
            zero as f32
        } else {
            SHALLOW
        }
    }

    /// Returns the map of the recipe's step with this name, for use as a mask, or `None` if the step does not exist.
    /// Steps that it shares with the terrain are generated again.
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

    /// The scale of a terrain with this map, which was generated from this input.
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

/// Adds rivers and lakes to a map, and carves their beds into the heights.
fn add_inland_water(
    map: &TerrainMap,
    progress: &Progress,
    carve: impl FnOnce(&mut Heightmap, &Progress) -> Result<Waters, GenerateError>,
) -> Result<TerrainMap, Unmade> {
    let (low, high) = map.heights().range();
    let mut heights = map.heights().clone();
    let waters = carve(&mut heights, progress).map_err(|error| match error {
        GenerateError::Canceled(_) => Unmade::Canceled,
        GenerateError::Param(error) => TerrainError::from(error).into(),
    })?;
    // River banks can rise above the highest point.
    let (size, mut heights) = (heights.size(), heights.into_heights());
    let (low, high) = (low.min(0.0), high.max(1.0));
    for height in &mut heights {
        *height = height.clamp(low, high);
    }
    let heights = Heightmap::from_heights(size, heights);
    let heights = heights.expect("the number of heights is unchanged and all are finite");
    Ok(map.with_heights(heights).with_waters(waters))
}

/// Returns the recipe with this step as its result, or `None` if it has no such step.
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

/// Returns a function that finds an image of the recipe by name.
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
        let (_, image) = found.next().ok_or("the image is missing")?;
        let mut model = image.to_model();
        stretch(&mut model);
        Ok(model.heights)
    }
}

/// Converts a map to square cells and heights from 0 to 1, with a positive relief.
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

/// The elevation of a map's heights. As for files, heights outside of 0 to 1 are meters if nothing else is specified.
fn elevation_of(map: &TerrainMap) -> Elevation {
    let frame = map.frame();
    if frame.elevation_is_explicit {
        return frame.elevation;
    }
    Elevation::of_range(map.heights().range()).unwrap_or(frame.elevation)
}

/// The size of the map after it is resampled to square cells.
fn square_size(map: &TerrainMap) -> Result<MapSize, TerrainError> {
    let Some((width, height)) = map.frame().place.square_cells(map.size()) else {
        return Ok(map.size());
    };
    Ok(MapSize::new(width, height)?)
}

/// The scale of a frame. Returns an error if it is outside of the allowed range.
fn scale_of(frame: &MapFrame, size: MapSize) -> Result<Scale, TerrainError> {
    let [east, south] = frame.place.spacing(size.height());
    let scale = Scale {
        spacing: (east * south).sqrt() as f32,
        relief: frame.elevation.relief as f32,
    };
    scale.validate()?;
    // The scale is valid. Return the frame's own, which is rounded in the same way as everywhere else.
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
