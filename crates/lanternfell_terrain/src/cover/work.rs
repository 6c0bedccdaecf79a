//! The work of a cover: for new terrain, and after edits.

use std::{collections::BTreeSet, sync::Arc};

use bevy::{prelude::*, tasks::BoxedFuture};
use lanternfell_heightmap::{Heightmap, MapSize, Progress};
use lanternfell_surface::layers::{ControlMap, ControlMapBuilder, LayerError, LayerRules};
use lanternfell_tasks::pause;

use super::{
    CoverInputs, CoverKey, CoverTextures, Covering, MakingCover, NeedsTerrainCover, TerrainCover,
    images::{CoverImages, CoverTextureIds, ReliefLevels},
};
use crate::ground::{
    FreshSurface, MadePart, Part, RegionEdits, SurfaceChange, TerrainEdits, TerrainSurface, Wanted,
    replace,
};

/// The result of a task: the cover, and its images if the app renders.
pub(super) type MadeCover = Result<(TerrainCover, Option<CoverImages>), LayerError>;

/// The maximum resolution. Lower in a browser, where covers are computed between frames.
const MAX_TEXELS: usize = if cfg!(target_arch = "wasm32") {
    256
} else {
    ControlMap::MAX_TEXELS
};

/// A cover that is to be computed.
pub(super) struct CoverWork {
    pub(super) key: CoverKey,
    pub(super) is_drawn: bool,
    /// Whether the terrain can be edited.
    pub(super) is_editable: bool,
}

/// The cover of new or edited terrain.
struct CoverPart {
    work: CoverWork,
    /// The current cover and its textures.
    known: Option<TerrainCover>,
    textures: Option<CoverTextureIds>,
}

impl CoverWork {
    /// Computes the cover of new terrain.
    pub(super) async fn of(self, ground: &TerrainSurface, progress: &Progress) -> MadeCover {
        let masks = Arc::new(Masks::of(ground, &self.key.rules, &progress.span(0.0, 0.5)).await);
        let maps = masks.maps();
        let builder = self.key.builder(ground, &maps);
        pause().await;
        let rest = progress.span(0.5, 1.0);
        let surface = ground.surface();
        let (mut map, control) = builder
            .with_inputs_in_parts(
                surface.map(),
                surface.scale(),
                self.key.sea_level(ground),
                &rest,
                pause,
            )
            .await?;
        let all = 0..map.size().height();
        ground.paint(&mut map, self.key.names.len(), &[all]).await;
        let levels = self.is_drawn.then(|| ReliefLevels::of(&map));
        let images = levels.as_ref().map(|levels| CoverImages::new(&map, levels));
        drop(maps);
        let unmasked = masks.missing.clone();
        let inputs = CoverInputs {
            control,
            masks,
            levels,
        };
        let inputs = self.is_editable.then(|| Arc::new(inputs));
        Ok((
            TerrainCover::new(map, ground, self.key, inputs, unmasked),
            images,
        ))
    }
}

impl CoverPart {
    /// Updates the current cover after edits of the terrain if nothing else differs. Otherwise computes it again.
    async fn after(
        self,
        ground: &TerrainSurface,
        change: &SurfaceChange,
        progress: &Progress,
    ) -> MadeCover {
        let work = self.work;
        let known = self.known.as_ref().filter(|known| known.key == work.key);
        let Some((known, inputs)) = known.and_then(|known| Some((known, known.inputs.as_ref()?)))
        else {
            return work.of(ground, progress).await;
        };
        let CoverInputs {
            control,
            masks,
            levels,
        } = &**inputs;
        let (mut map, mut control) = (ControlMap::clone(&known.map), control.clone());
        pause().await;
        let maps = masks.maps();
        let rows = change.rows_of_layers();
        let changed = work
            .key
            .builder(ground, &maps)
            .update_in_parts(
                (&mut map, &mut control),
                ground.map(),
                rows,
                progress,
                pause,
            )
            .await?;
        ground
            .paint(&mut map, work.key.names.len(), &changed.texels)
            .await;
        pause().await;
        let levels = work.is_drawn.then(|| match levels.clone() {
            Some(mut levels) => {
                levels.update(&map, &changed.relief);
                levels
            }
            None => ReliefLevels::of(&map),
        });
        let images = levels.as_ref().map(|levels| match self.textures {
            Some(textures) => CoverImages::of_rows(textures, &map, levels, &changed),
            None => CoverImages::new(&map, levels),
        });
        let (masks, unmasked) = (masks.clone(), known.unmasked.clone());
        let inputs = Some(Arc::new(CoverInputs {
            control,
            masks,
            levels,
        }));
        Ok((
            TerrainCover::new(map, ground, work.key, inputs, unmasked),
            images,
        ))
    }
}

impl CoverKey {
    fn builder<'a>(
        &'a self,
        ground: &'a TerrainSurface,
        masks: &'a [(&'a str, &'a Heightmap)],
    ) -> ControlMapBuilder<'a> {
        let builder = ControlMap::builder(&self.rules)
            .at(self.place.as_dvec2())
            .at_most(MAX_TEXELS)
            .unedited(ground.unedited_map())
            .masks(masks);
        match ground.waters() {
            Some(waters) => builder.waters(waters),
            None => builder,
        }
    }

    fn sea_level(&self, ground: &TerrainSurface) -> f32 {
        let relief = ground.surface().scale().relief;
        self.level.unwrap_or(ground.water_level() / relief)
    }
}

impl TerrainCover {
    fn new(
        map: ControlMap,
        ground: &TerrainSurface,
        key: CoverKey,
        inputs: Option<Arc<CoverInputs>>,
        unmasked: Vec<usize>,
    ) -> Self {
        Self {
            lying: lying(&map),
            map: Arc::new(map),
            inputs,
            extent: 2.0 * ground.surface().half_extent(),
            unmasked,
            key,
        }
    }
}

/// One bit for each layer that any texel has a share of.
fn lying(map: &ControlMap) -> u16 {
    let of_texel = |&[layers, share]: &[u8; 2]| {
        let second = if share > 0 { 1 << (layers >> 4) } else { 0 };
        1 << (layers & 15) | second
    };
    map.texels()
        .iter()
        .map(of_texel)
        .fold(0, |all, one| all | one)
}

/// The masks that rules refer to. These are steps of the terrain's recipe.
#[derive(Debug)]
pub(super) struct Masks {
    found: Vec<(String, Heightmap)>,
    /// The layers whose masks do not exist, and the names of these masks.
    missing: Vec<usize>,
    missing_names: Vec<String>,
    /// A mask that is 0 everywhere.
    nothing: Heightmap,
}

impl Masks {
    async fn of(ground: &TerrainSurface, rules: &LayerRules, progress: &Progress) -> Self {
        let rules = || rules.rules.iter().enumerate();
        let named = || rules().filter_map(|(layer, rule)| Some((layer, rule.mask.as_deref()?)));
        let names: BTreeSet<&str> = named().map(|(_, name)| name).collect();
        let mut found: Vec<(String, Heightmap)> = Vec::new();
        for name in names {
            match ground.step(name, progress).await {
                Ok(mask) => found.extend(mask.map(|mask| (name.to_owned(), mask))),
                // The layer is then reported as one without a mask, with its name.
                Err(error) => debug!("failed to generate the mask {name:?}: {error}"),
            }
        }
        let is_missing = |name: &str| found.iter().all(|(known, _)| known != name);
        let (missing, missing_names) = named()
            .filter(|(_, name)| is_missing(name))
            .map(|(layer, name)| (layer, name.to_owned()))
            .unzip();
        Self {
            found,
            missing,
            missing_names,
            nothing: Heightmap::flat(MapSize::new(2, 2).expect("2 x 2 is the smallest map size")),
        }
    }

    /// All masks with their names. Layers whose masks do not exist do not appear.
    fn maps(&self) -> Vec<(&str, &Heightmap)> {
        let found = self.found.iter().map(|(name, map)| (name.as_str(), map));
        let missing = self.missing_names.iter();
        found
            .chain(missing.map(|name| (name.as_str(), &self.nothing)))
            .collect()
    }
}

impl CoverWork {
    pub(super) fn begin(
        _: &World,
        terrain: EntityRef,
        wanted: &mut Wanted,
    ) -> Option<Box<dyn Part>> {
        let is_drawn = wanted.is_drawn;
        if !is_drawn && !terrain.contains::<NeedsTerrainCover>() {
            return None;
        }
        let key = CoverKey::new(terrain.get_components::<Covering>().ok()?);
        Some(Box::new(CoverPart {
            work: Self {
                key,
                is_drawn,
                is_editable: terrain.contains::<TerrainEdits>()
                    || terrain.contains::<RegionEdits>(),
            },
            known: terrain.get::<TerrainCover>().cloned(),
            textures: terrain.get().map(CoverTextures::ids),
        }))
    }
}

impl Part for CoverPart {
    fn make<'a>(
        self: Box<Self>,
        ground: &'a mut FreshSurface,
    ) -> BoxedFuture<'a, Box<dyn MadePart>> {
        Box::pin(async move {
            let unstoppable = Progress::default();
            let (surface, change) = (&ground.surface, &ground.change);
            let cover = match change {
                Some(change) => self.after(surface, change, &unstoppable).await,
                None => self.work.of(surface, &unstoppable).await,
            };
            let made: Box<dyn MadePart> = Box::new(cover);
            made
        })
    }
}

impl MadePart for MadeCover {
    /// Removes the old cover in any case, because it belongs to the old terrain. If the layers are invalid there is no
    /// cover; the next attempt, which follows at once, logs the reason.
    fn put_in_place(self: Box<Self>, terrain: &mut EntityWorldMut) {
        match *self {
            Ok((cover, images)) => cover.put_in_place(images, terrain),
            Err(_) => {
                terrain.remove::<(TerrainCover, CoverTextures, MakingCover)>();
            }
        }
    }
}

impl TerrainCover {
    pub(super) fn put_in_place(self, images: Option<CoverImages>, terrain: &mut EntityWorldMut) {
        let before = terrain.get::<CoverTextures>().cloned();
        let map = &self.map;
        let shown = |world: &mut World| images?.show(world, map, before);
        match terrain.world_scope(shown) {
            // Insertion of equal textures would count as a change.
            Some(textures) if terrain.get() != Some(&textures) => terrain.insert(textures),
            Some(_) => terrain,
            None => terrain.remove::<CoverTextures>(),
        };
        // The old control map is dropped on another thread.
        replace(terrain, self);
        terrain.remove::<MakingCover>();
    }
}
