//! The component that asks for a terrain, and the events that answer it.

use bevy::prelude::*;
use lanternfell_heightmap::{Recipe, Scale};
use lanternfell_surface::inland_water::InlandWater;

use super::{input::GroundInput, source::TerrainSource};
use crate::{error::TerrainError, file::image_path, map::TerrainMap};

/// A terrain to be made at this entity.
///
/// [`TerrainPlugin`](crate::TerrainPlugin) registers more required components for it: [`TerrainLayers`](crate::TerrainLayers),
/// [`Water`](crate::Water), [`TerrainDetail`](crate::TerrainDetail) and [`TerrainCollider`](crate::TerrainCollider).
///
/// The land lies centered on the entity's [`Transform`], x to the east, z to the south, and
/// height 0 of the map at y = 0. Chunks, water and collider follow the transform. Turn it
/// about the y axis only, and scale it evenly: up stays up.
///
/// ```
/// use lanternfell_terrain::prelude::*;
///
/// // A recipe; maps in hand and files (`assets.load("alps.tif")`) are given the same way.
/// let terrain = Terrain::new(Recipe::default());
/// assert_eq!(terrain.validate(), Ok(()));
/// // The same land, 2 m from cell to cell and 90 m high.
/// let scale = Scale { spacing: 2.0, relief: 90.0 };
/// let larger = terrain.with_scale(scale);
/// assert_eq!(larger.scale, Some(scale));
/// ```
///
/// # Maps as ground
/// A map's heights beyond 0 to 1 are stretched to that, so that all ground is alike to colors, water
/// and shaders, and its frame with them, so that the metres stay: y = 0 is the map's lowest ground
/// then, [`TerrainSurface::datum`](crate::TerrainSurface::datum) metres above its zero. Cells that are
/// not square (on a map of degrees, in its middle) are made so, the finer side kept.
///
/// # Holes
/// The mouth of a cave, a shaft, what a building stands in: a recipe tells them by a step
/// ([`Recipe::holes`]), a map in hand by a mask ([`TerrainMap::with_holes`]). A hole is whole squares
/// between four cells. They are not drawn (far away a hole may be drawn smaller than it is, by no more than
/// [`TerrainDetail::pixel_error`](crate::TerrainDetail::pixel_error)), the collider is open there, and queries answer `None`. What is seen and stood
/// on inside is for the app to put there; the sea is as it is without them.
#[derive(Component, Reflect, Debug, Default, Clone, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[require(Transform, Visibility)]
pub struct Terrain {
    /// What the ground is made of.
    pub source: TerrainSource,
    /// Metres from cell to cell, and from the lowest to the highest point of the map. `None`, the
    /// default: as the source says; if it says nothing, one metre from cell to cell, and as high as
    /// a map of its size looks good with (16 % of its longer side).
    ///
    /// A recipe is made with it in the place of its own, so that its erosion sees the metres that the
    /// land has. Without such steps a change of the scale does not make the map anew.
    pub scale: Option<Scale>,
    /// The rivers and lakes that it has, in beds of their own; none by default. They run to the sea that the source
    /// has. [`TerrainSurface::waters`](crate::TerrainSurface::waters) tells where they are,
    /// [`WaterQuery`](crate::WaterQuery) what stands and flows there.
    pub inland_water: Option<InlandWater>,
}

impl Terrain {
    /// The terrain of this source, at the source's own scale.
    pub fn new(source: impl Into<TerrainSource>) -> Self {
        let source = source.into();
        Self {
            source,
            scale: None,
            inland_water: None,
        }
    }

    /// The same terrain at another scale than its source's.
    pub fn with_scale(mut self, scale: Scale) -> Self {
        self.scale = Some(scale);
        self
    }

    /// The same terrain with rivers and lakes.
    pub fn with_inland_water(mut self, inland: InlandWater) -> Self {
        self.inland_water = Some(inland);
        self
    }

    /// The most metres that spacing and relief may be: beyond, `f32` gets too coarse.
    pub const MAX_SCALE: f32 = Scale::MAX;

    /// The recipe that the ground is made of, if it is given as one and not as a file.
    pub fn recipe(&self) -> Option<&Recipe> {
        match &self.source {
            TerrainSource::Recipe(recipe) => Some(recipe),
            TerrainSource::File(_) | TerrainSource::Map(_) => None,
        }
    }

    /// [`recipe`](Self::recipe), to change.
    pub fn recipe_mut(&mut self) -> Option<&mut Recipe> {
        match &mut self.source {
            TerrainSource::Recipe(recipe) => Some(recipe),
            TerrainSource::File(_) | TerrainSource::Map(_) => None,
        }
    }

    /// Checks whatever can be known before anything is made: the recipe, the names of its images, or
    /// the map, of which every height is looked at; the scale and the size. What is in files is not
    /// known before they are loaded.
    ///
    /// # Errors
    /// Names the first that is wrong, and what is allowed.
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

    /// This recipe at the terrain's scale.
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

    /// This map at the terrain's scale.
    pub(crate) fn map_input(&self, map: &TerrainMap) -> GroundInput {
        GroundInput::Map {
            map: map.clone(),
            scale: self.scale,
            inland: self.inland_water,
        }
    }
}

/// Makes `C` a required component of [`Terrain`]. A `#[require(..)]` on `Terrain` would make the ground know its parts.
///
/// Bevy refuses once an entity has had a [`Terrain`]. For an app that spawns one before it adds the plugin, terrains get
/// their missing components one by one instead.
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

/// Queues `work` on a terrain's entity. It is not done when by then somebody else's command
/// has taken away the entity or its [`Terrain`].
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

/// Triggered on a [`Terrain`]'s entity when its new ground is complete: shown, and with its
/// [`TerrainSurface`](crate::TerrainSurface) and collider in place. What stands on the land is
/// [put there anew](crate::guide::scattering) then.
#[derive(EntityEvent, Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerrainReady {
    /// The entity of the [`Terrain`].
    pub entity: Entity,
}

/// Triggered on a [`Terrain`]'s entity when it can not be made. The old ground stays. Of files that are
/// tried again the same error is told once.
#[derive(EntityEvent, Debug, Clone, PartialEq)]
pub struct TerrainFailed {
    /// The entity of the [`Terrain`].
    pub entity: Entity,
    /// What is wrong, and what is allowed.
    pub error: TerrainError,
}

#[cfg(test)]
mod tests {
    use lanternfell_heightmap::{Heightmap, HoleMask, MapFrame, MapSize, Operation};

    use super::*;
    use crate::file::TerrainFile;

    #[test]
    fn a_scale_that_is_none_is_refused_by_name() {
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
        // A recipe's own scale does not matter when there is another.
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
    fn a_world_that_exists_in_tiles_only_is_refused() {
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
            assert!(why.contains("in tiles only"), "{why}");
        }
        assert_eq!(error(size(16_384, 16_384)), Ok(()));
    }

    #[test]
    fn an_image_that_can_not_be_one_is_refused_by_name() {
        for name in ["../coast.png", "coast.xcf", ""] {
            let name = name.to_owned();
            let image = Operation::Image { name: name.clone() };
            let recipe = Recipe::beginning_with(MapSize::default(), 0, "coast", image);
            let error = Terrain::new(recipe).validate().unwrap_err().to_string();
            assert!(error.contains(&format!("image `{name}`")), "{error}");
        }
    }

    #[test]
    fn a_map_is_looked_at_before_it_is_made() {
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
        // With square cells it would be a hundred times as wide.
        assert!(with([100.0, 1.0]).unwrap_err().contains("29901x200"));
        assert!(with([6.0, 1.0]).is_ok());
        assert!(with([1e300, 1e-300]).unwrap_err().contains("not square"));
    }

    #[test]
    fn holes_of_another_map_are_refused_by_size() {
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
