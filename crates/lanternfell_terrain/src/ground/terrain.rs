//! The component that requests a terrain, and the events that report the result.

use bevy::prelude::*;
use lanternfell_heightmap::{Recipe, Scale};
use lanternfell_surface::inland_water::InlandWater;

use super::{input::GroundInput, source::TerrainSource};
use crate::{
    error::TerrainError, file::image_path, installed::warn_without_plugin, map::TerrainMap,
};

/// A procedural terrain or a heightmap, generated and rendered by [`TerrainPlugin`](crate::TerrainPlugin).
///
/// The default is [`Recipe::default`]: hills on 256 x 256 cells of 1 m, which the border of the map cuts off. For an
/// island, use `Recipe::new(MapSize::default(), seed, Hills { island: true, ..default() })`.
///
/// The plugin adds [`TerrainLayers`](crate::TerrainLayers), [`Water`](crate::Water),
/// [`TerrainDetail`](crate::TerrainDetail) and [`TerrainCollider`](crate::TerrainCollider) as required components.
///
/// The terrain is centered on the entity's [`Transform`]. x points east, z points south, and height 0 of the map is at
/// y = 0. Chunks, water and colliders follow the transform. Rotate it only about the y axis, and scale it uniformly.
/// A transform that mirrors the terrain or is not finite is rejected: the plugin logs a warning once and restores the
/// last valid transform.
///
/// Terrain, water and plants are on the [`RenderLayers`](bevy::camera::visibility::RenderLayers) of this entity, and
/// only cameras on these layers determine the level of detail.
///
/// ```
/// use lanternfell_terrain::prelude::*;
///
/// // The source is a recipe. Maps in memory and files (`assets.load::<TerrainFile>("alps.tif")`) work the same way.
/// let terrain = Terrain::new(Recipe::default());
/// assert_eq!(terrain.validate(), Ok(()));
/// // The same terrain with a cell spacing of 2 m and a relief of 90 m.
/// let scale = Scale { spacing: 2.0, relief: 90.0 };
/// let larger = terrain.with_scale(scale);
/// assert_eq!(larger.scale, Some(scale));
/// ```
///
/// # Heights of maps
/// The source of a terrain always has heights from 0 to 1. Heights that exceed this range, such as those of a GeoTIFF in meters,
/// are normalized to it. The terrain keeps its size in meters: y = 0 is the lowest point of the map,
/// [`TerrainSurface::datum`](crate::TerrainSurface::datum) meters above the map's zero, which is usually sea level.
///
/// Maps with cells that are not square are resampled to square cells. The finer of both spacings is kept. If the
/// spacing is in degrees, the spacing at the center of the map is used.
///
/// # Holes
/// A terrain can have holes, for example for a cave entrance, a shaft or a basement. A recipe defines them in a step
/// ([`Recipe::holes`]), a map in memory with a mask ([`TerrainMap::with_holes`]).
///
/// A hole consists of whole squares between four cells. They are not rendered, the collider is open there, and queries
/// return `None`. The plugin does not add anything inside of a hole. Holes do not affect the sea. Far from the camera,
/// a hole may be rendered smaller, by at most [`TerrainDetail::pixel_error`](crate::TerrainDetail::pixel_error).
#[derive(Component, Reflect, Debug, Default, Clone, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[component(on_add = warn_without_plugin)]
#[require(Transform, Visibility)]
pub struct Terrain {
    /// The source of the terrain: a recipe, a file, or a map in memory.
    pub source: TerrainSource,
    /// The spacing of cells, and the relief: the difference between heights 0 and 1. Both are in meters.
    ///
    /// `None` (the default) uses the scale of the source. If the source has no scale, the spacing is 1 m and the relief
    /// is 16% of the longer side.
    ///
    /// A recipe is generated with this scale instead of its own, so that erosion and other steps use the actual size.
    /// If no step depends on the scale, changing it does not regenerate the map.
    pub scale: Option<Scale>,
    /// The settings of rivers and lakes, which are carved into the terrain. `None` (the default) for no rivers and
    /// lakes.
    ///
    /// Rivers flow into the sea of the source. [`TerrainSurface::waters`](crate::TerrainSurface::waters) returns their
    /// positions, and [`WaterQuery`](crate::WaterQuery) the level and flow of their water.
    pub inland_water: Option<InlandWater>,
}

impl Terrain {
    /// Creates a terrain with the scale of its source.
    pub fn new(source: impl Into<TerrainSource>) -> Self {
        let source = source.into();
        Self {
            source,
            scale: None,
            inland_water: None,
        }
    }

    /// Sets a scale that replaces that of the source.
    #[must_use]
    pub fn with_scale(mut self, scale: Scale) -> Self {
        self.scale = Some(scale);
        self
    }

    /// Adds rivers and lakes.
    #[must_use]
    pub fn with_inland_water(mut self, inland: InlandWater) -> Self {
        self.inland_water = Some(inland);
        self
    }

    /// The maximum of spacing and relief in meters. Larger terrains would exceed the precision of `f32`.
    pub const MAX_SCALE: f32 = Scale::MAX;

    /// Returns the recipe, or `None` if the source is a file or a map.
    pub fn recipe(&self) -> Option<&Recipe> {
        match &self.source {
            TerrainSource::Recipe(recipe) => Some(recipe),
            TerrainSource::File(_) | TerrainSource::Map(_) => None,
        }
    }

    /// Returns the recipe mutably, or `None` if the source is a file or a map.
    pub fn recipe_mut(&mut self) -> Option<&mut Recipe> {
        match &mut self.source {
            TerrainSource::Recipe(recipe) => Some(recipe),
            TerrainSource::File(_) | TerrainSource::Map(_) => None,
        }
    }

    /// Checks everything that can be checked before generation: the recipe and the names of its images, or every height
    /// of the map; the scale, and the size. The contents of files are checked when they are loaded.
    ///
    /// # Errors
    /// Returns the first invalid value, with what is allowed.
    pub fn validate(&self) -> Result<(), TerrainError> {
        if let Some(scale) = self.scale {
            scale.validate()?;
        }
        if let Some(inland) = self.inland_water {
            inland.validate()?;
        }
        match &self.source {
            TerrainSource::Recipe(recipe) => {
                for name in recipe.images() {
                    image_path(None, name).map_err(TerrainError::image)?;
                }
                self.recipe_input(recipe, Vec::new()).validate()
            }
            TerrainSource::Map(map) => self.map_input(map).validate(),
            TerrainSource::File(_) => Ok(()),
        }
    }

    /// Generation input for this recipe, with the terrain's scale.
    pub(crate) fn recipe_input(&self, recipe: &Recipe, images: Vec<TerrainMap>) -> GroundInput {
        let recipe = Recipe {
            scale: self.scale.or(recipe.scale),
            ..recipe.clone()
        };
        GroundInput::Recipe {
            recipe,
            images,
            inland: self.inland_water,
        }
    }

    /// Generation input for this map, with the terrain's scale.
    pub(crate) fn map_input(&self, map: &TerrainMap) -> GroundInput {
        GroundInput::Map {
            map: map.clone(),
            scale: self.scale,
            inland: self.inland_water,
        }
    }
}

/// Makes `C` a required component of [`Terrain`]. This is not a `#[require(..)]` attribute, because `Terrain` does not
/// know the modules of the other components.
///
/// Bevy returns an error once an entity with a [`Terrain`] exists. In an app that spawns a terrain before it adds the
/// plugin, observers insert missing components instead.
pub(crate) fn require_on_terrain<C: Component + Default>(app: &mut App) {
    if app.try_register_required_components::<Terrain, C>().is_ok() {
        return;
    }
    let world = app.world_mut();
    let mut bare = world.query_filtered::<Entity, (With<Terrain>, Without<C>)>();
    let bare: Vec<Entity> = bare.iter(world).collect();
    for terrain in bare {
        world.entity_mut(terrain).insert(C::default());
    }
    app.add_observer(|add: On<Add, Terrain>, mut commands: Commands| {
        commands.entity(add.entity).insert_if_new(C::default());
    });
}

/// Queues a command on a terrain's entity. It does nothing if an earlier command has removed the entity or its
/// [`Terrain`].
pub(crate) fn with_terrain(
    commands: &mut Commands,
    terrain: Entity,
    work: impl FnOnce(EntityWorldMut) + Send + 'static,
) {
    commands.queue(move |world: &mut World| {
        if let Ok(entity) = world.get_entity_mut(terrain)
            && entity.contains::<Terrain>()
        {
            work(entity);
        }
    });
}

/// Triggered on the entity of a [`Terrain`] when the new terrain is complete.
///
/// Its [`TerrainSurface`](crate::TerrainSurface) and collider are in place, and it is shown. A region of an
/// [`EndlessTerrain`](crate::EndlessTerrain) is still hidden at that time. When it is shown instead of the previous
/// region, the event is also triggered on the entity of the endless terrain.
///
/// Observe it to [place objects](crate::guide::scattering) on the new terrain.
#[derive(EntityEvent, Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerrainReady {
    /// The entity of the [`Terrain`].
    pub entity: Entity,
}

/// Triggered on the entity of a [`Terrain`] when it cannot be generated. The old terrain stays.
///
/// If a file is loaded again with the same error, the event is not triggered again.
#[derive(EntityEvent, Debug, Clone, PartialEq)]
pub struct TerrainFailed {
    /// The entity of the [`Terrain`].
    pub entity: Entity,
    /// The error, which names the invalid value and what is allowed.
    pub error: TerrainError,
}

#[cfg(test)]
mod tests {
    use lanternfell_heightmap::{Heightmap, HoleMask, MapFrame, MapSize, Operation};

    use super::*;
    use crate::file::TerrainFile;

    #[test]
    fn rejects_invalid_scale() {
        for (spacing, relief) in [
            (0.0, 1.0),
            (1.0, -2.0),
            (f32::NAN, 1.0),
            (1.0, f32::INFINITY),
        ] {
            let scale = Scale { spacing, relief };
            let map = Heightmap::flat(MapSize::default());
            for terrain in [Terrain::default(), Terrain::new(map), Terrain::new(file())] {
                let error = terrain.with_scale(scale).validate().unwrap_err();
                let error = error.to_string();
                assert!(
                    error.contains("spacing") != error.contains("relief"),
                    "{error}"
                );
            }
        }
        assert_eq!(Terrain::default().validate(), Ok(()));
        // The recipe's scale is ignored if the terrain has one.
        let mut terrain = Terrain::default();
        terrain.recipe_mut().unwrap().scale = Some(Scale {
            spacing: 0.0,
            relief: 1.0,
        });
        assert!(terrain.validate().is_err());
        let scale = Scale::of_size(MapSize::default());
        assert_eq!(terrain.with_scale(scale).validate(), Ok(()));
    }

    fn file() -> Handle<TerrainFile> {
        Handle::default()
    }

    #[test]
    fn rejects_world_size_for_single_map() {
        let size = |width, height| MapSize::of_world(width, height).unwrap();
        let recipe = |size| Recipe {
            size,
            ..Recipe::default()
        };
        let error = |size| {
            Terrain::new(recipe(size))
                .validate()
                .map_err(|error| error.to_string())
        };
        for (width, height) in [(20_000, 40), (65_536, 65_536)] {
            let why = error(size(width, height)).unwrap_err();
            assert!(why.contains("in tiles"), "{why}");
        }
        assert_eq!(error(size(16_384, 16_384)), Ok(()));
    }

    #[test]
    fn rejects_invalid_image_names() {
        for name in ["../coast.png", "coast.xcf", ""] {
            let name = name.to_owned();
            let image = Operation::Image { name: name.clone() };
            let recipe = Recipe::beginning_with(MapSize::default(), 0, "coast", image);
            let error = Terrain::new(recipe).validate().unwrap_err().to_string();
            assert!(error.contains(&format!("image `{name}`")), "{error}");
        }
    }

    #[test]
    fn validates_maps() {
        let size = MapSize::new(300, 200).unwrap();
        let ramp = (0..size.cells()).map(|cell| cell as f32 * 1e30).collect();
        let heights = Heightmap::from_heights(size, ramp).unwrap();
        let error = Terrain::new(heights).validate().unwrap_err().to_string();
        assert!(error.contains("relief is"), "{error}");
        let flat = Heightmap::flat(size);
        let with = |cell| {
            let mut frame = MapFrame::of_size(size);
            frame.place.cell = cell;
            let terrain = Terrain::new(TerrainMap::new(flat.clone(), frame));
            terrain.validate().map_err(|error| error.to_string())
        };
        assert_eq!(with([30.0, 20.0]), Ok(()));
        assert!(with([0.0, 1.0]).unwrap_err().contains("cell is 0"));
        assert!(with([f64::NAN, 1.0]).unwrap_err().contains("cell is NaN"));
        assert!(with([1e6, 1e6]).unwrap_err().contains("spacing is"));
        // With square cells it would be 100 times as wide.
        assert!(with([100.0, 1.0]).unwrap_err().contains("29901x200"));
        assert!(with([6.0, 1.0]).is_ok());
        assert!(with([1e300, 1e-300]).unwrap_err().contains("not square"));
    }

    #[test]
    fn rejects_hole_mask_of_other_size() {
        let size = |width| MapSize::new(width, 20).unwrap();
        let with = |width| {
            let map = TerrainMap::from(Heightmap::flat(size(30)));
            let terrain = Terrain::new(map.with_holes(HoleMask::none(size(width))));
            terrain.validate().map_err(|error| error.to_string())
        };
        assert_eq!(with(30), Ok(()));
        let error = with(31).unwrap_err();
        assert!(
            error.contains("hole mask") && error.contains("31x20"),
            "{error}"
        );
    }
}
