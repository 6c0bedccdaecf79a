//! Which layers lie where on a terrain: worked out in the background from their rules.
//!
//! ```text
//!   TerrainLayers ─┐                       ┌─> GroundCover     what rules of games and plants ask
//!   TerrainSurface ┼─ task ─> control map ─┤
//!   Water's level ─┘                       └─> two textures    what the land's shader reads
//! ```
//!
//! New ground comes with its cover. Where only layers or the sea change, the old cover stays until the new one
//! is there; newest wins.

mod images;

use std::sync::Arc;

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell_heightmap::{
    Progress,
    layers::{ControlMap, LayerError, LayerRules},
};

pub(crate) use images::{CoverImages, CoverTextures};

use crate::{
    background::pause,
    endless::PlanePlace,
    generation::Generating,
    layers::TerrainLayers,
    surface::TerrainSurface,
    systems::TerrainSystems,
    terrain::{Terrain, with_terrain},
    water::Water,
};

/// On a terrain's entity that is drawn: which of its [`TerrainLayers`] lie where. Cloning it is cheap.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::{GroundCover, TerrainLayers, prelude::*};
///
/// fn is_on_sand(place: Vec2, layers: &TerrainLayers, cover: &GroundCover) -> bool {
///     let [(most, _), _] = cover.layers_at(place);
///     layers.index("sand") == Some(most)
/// }
/// ```
#[derive(Component, Debug, Clone)]
pub struct GroundCover {
    map: Arc<ControlMap>,
    extent: Vec2,
    key: CoverKey,
}

impl GroundCover {
    /// The two layers that have most of a place, in the terrain's own frame along x and z, and each one's share.
    /// Beyond the land's border, what lies at it.
    pub fn layers_at(&self, place: Vec2) -> [(u8, f32); 2] {
        let share = place / self.extent + 0.5;
        self.map.layers_at(share.x, share.y)
    }

    /// All of it.
    pub fn map(&self) -> &ControlMap {
        &self.map
    }
}

/// What a cover is made of besides the ground: as long as it is the same, the cover is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CoverKey {
    rules: LayerRules,
    /// As a height of the map; `None` for what the ground says.
    level: Option<f32>,
    place: Vec2,
}

impl CoverKey {
    pub(crate) fn new(layers: &TerrainLayers, water: &Water, place: Option<&PlanePlace>) -> Self {
        Self {
            rules: layers.rules(),
            level: water.level,
            place: place.copied().unwrap_or_default().0,
        }
    }
}

/// What one task makes: the cover, and its images.
pub(crate) type MadeCover = Result<(GroundCover, CoverImages), LayerError>;

/// In a browser a cover is made between two frames, where there are not many milliseconds.
const MOST_TEXELS: usize = if cfg!(target_arch = "wasm32") {
    256
} else {
    ControlMap::MOST_TEXELS
};

/// Works out the cover of some ground. In a background task.
pub(crate) async fn make_cover(
    ground: &TerrainSurface,
    key: CoverKey,
    progress: &Progress,
) -> MadeCover {
    let surface = ground.surface();
    let level = key
        .level
        .unwrap_or(ground.water_level() / surface.scale().relief);
    let builder = ControlMap::builder(&key.rules)
        .at(key.place.as_dvec2())
        .at_most(MOST_TEXELS);
    pause().await;
    let map = builder.of(surface.map(), surface.scale(), level, progress)?;
    pause().await;
    let images = CoverImages::new(&map);
    let cover = GroundCover {
        map: Arc::new(map),
        extent: 2.0 * surface.half_extent(),
        key,
    };
    Ok((cover, images))
}

/// On a terrain's entity while its cover is being made anew.
#[derive(Component)]
pub(crate) struct MakingCover {
    key: CoverKey,
    progress: Progress,
    task: Option<Task<MadeCover>>,
}

impl Drop for MakingCover {
    /// Replaced by newer work, or its terrain is gone.
    fn drop(&mut self) {
        self.progress.cancel();
        if let Some(task) = self.task.take() {
            task.detach();
        }
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (ask_for_covers, receive_covers)
            .chain()
            .in_set(TerrainSystems::Present),
    );
}

type Asked = (
    Entity,
    &'static TerrainLayers,
    &'static Water,
    &'static TerrainSurface,
    Option<&'static PlanePlace>,
    Option<&'static GroundCover>,
    Option<&'static MakingCover>,
);

type AskedAgain = (
    Or<(
        Changed<TerrainLayers>,
        Changed<Water>,
        Changed<TerrainSurface>,
    )>,
    // New ground brings its own, of what there was when it was begun: asked again when it is there.
    Without<Generating>,
);

/// Begins to make the cover of every terrain whose layers or sea are not those that its cover is of.
fn ask_for_covers(mut commands: Commands, terrains: Query<Asked, AskedAgain>) {
    for (entity, layers, water, ground, place, cover, making) in &terrains {
        let key = CoverKey::new(layers, water, place);
        if making.is_some_and(|making| making.key == key) {
            continue;
        }
        if cover.is_some_and(|cover| cover.key == key) {
            with_terrain(&mut commands, entity, |mut terrain| {
                terrain.remove::<MakingCover>();
            });
            continue;
        }
        let progress = Progress::default();
        let (ground, wanted, going_on) = (ground.clone(), key.clone(), progress.clone());
        let task = AsyncComputeTaskPool::get()
            .spawn(async move { make_cover(&ground, wanted, &going_on).await });
        let making = MakingCover {
            key,
            progress,
            task: Some(task),
        };
        with_terrain(&mut commands, entity, |mut terrain| {
            terrain.insert(making);
        });
    }
}

/// Takes in what finished tasks made. What can not be is said once, and the old cover stays.
pub(crate) fn receive_covers(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    mut making: Query<(Entity, &mut MakingCover), With<Terrain>>,
) {
    for (entity, mut making) in &mut making {
        let Some(answer) = making.task.as_mut().and_then(check_ready) else {
            continue;
        };
        making.task = None;
        match answer {
            Ok((cover, made)) => {
                let textures = made.add_to(&mut images);
                with_terrain(&mut commands, entity, |mut terrain| {
                    terrain.insert((cover, textures)).remove::<MakingCover>();
                });
            }
            Err(error) => {
                say_wrong(entity, &error);
                // Kept with its key, so that it is not said again.
            }
        }
    }
}

/// Says why the layers do not lie as they should.
pub(crate) fn say_wrong(terrain: Entity, error: &LayerError) {
    warn!("the layers of {terrain} are not laid: {error}");
}
