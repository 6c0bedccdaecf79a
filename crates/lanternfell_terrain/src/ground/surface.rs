//! The finished surface of a terrain.

use std::{
    ops::Range,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use bevy::{math::I64Vec2, prelude::*};
use lanternfell_edits::MapBase;
use lanternfell_heightmap::{
    Canceled, ElevationModel, Heightmap, HoleMask, MapFrame, Progress, Recipe, RecipeError, Scale,
    hydrology::EditableDrainage,
};
use lanternfell_surface::{
    HeightPyramid, Surface, detail::DetailTree, inland_water::Waters, layers::ControlMap,
};
use lanternfell_tasks::pause;

use super::{
    change::{SurfaceChange, differences},
    edits::{EditTiles, StrokeTiles, grid_of},
    input::GroundInput,
};
use crate::{
    cells::CellArea,
    error::{TerrainError, Unmade},
    map::TerrainMap,
};

const SAME_SIZE: &str = "edits do not change the size of the map";

/// The finished surface of a terrain: its heightmap, scale and georeference.
///
/// The plugin inserts it on the terrain's entity when the terrain is complete. It is cheap to clone, because the map is
/// shared.
#[derive(Component, Debug, Clone)]
pub struct TerrainSurface {
    /// A unique number.
    id: u64,
    map: TerrainMap,
    /// The map that edits are applied to. It has no riverbeds if `wet` is `Some`.
    base: TerrainMap,
    edits: EditTiles,
    /// For terrain with edits and rivers or lakes.
    wet: Option<Arc<Wet>>,
    scale: Scale,
    origin: Arc<GroundInput>,
    /// Speeds up ray casts.
    pyramid: Arc<HeightPyramid>,
    /// The errors of all levels of detail. `None` without a renderer.
    detail: Option<Arc<DetailTree>>,
}

/// Edits below rivers and lakes.
#[derive(Debug, Clone)]
struct Wet {
    /// The edited map without riverbeds.
    dry: TerrainMap,
    /// With it, only the drainage that an edit changes is computed again.
    drainage: Arc<Mutex<EditableDrainage>>,
    /// The surface before the last edit, and what differs from it. `None` if more than edits differ.
    change: Option<(u64, SurfaceChange)>,
}

/// Edited heights without riverbeds, and what they were edited from.
pub(super) struct EditedHeights {
    map: TerrainMap,
    base: TerrainMap,
    edits: EditTiles,
    scale: Scale,
}

impl EditedHeights {
    /// The map and its edits, if its heights are not shared.
    fn into_unshared(self) -> Option<(TerrainMap, EditTiles)> {
        let Self {
            map, base, edits, ..
        } = self;
        // Without edits, both share their heights.
        drop(base);
        map.is_unshared().then_some((map, edits))
    }
}

/// An edited map, and what it was edited from.
pub(super) struct EditedGround {
    /// With riverbeds.
    pub(super) map: TerrainMap,
    base: TerrainMap,
    edits: EditTiles,
    wet: Option<Wet>,
}

/// What follows from edits.
pub(super) enum Followed {
    /// A surface that was updated, and what has changed.
    Update(Box<(TerrainSurface, SurfaceChange)>),
    /// So much changes that the rest has to be generated again.
    Generate(Box<EditedGround>),
}

impl EditedGround {
    /// `dry` is the map `base` with the edits, both without riverbeds. `drainage` is that of older edits.
    pub(super) fn new(
        (dry, base, edits): (TerrainMap, TerrainMap, EditTiles),
        (input, drainage): (&GroundInput, Option<&Arc<Mutex<EditableDrainage>>>),
        progress: &Progress,
    ) -> Result<Self, Unmade> {
        if input.inland().is_none() {
            return Ok(Self {
                map: dry,
                base,
                edits,
                wet: None,
            });
        }
        let new = || Arc::new(Mutex::new(EditableDrainage::new(input.hydrology(&base))));
        let drainage = drainage.cloned().unwrap_or_else(new);
        // An update that panicked or was canceled leaves nothing incomplete.
        let mut known = drainage.lock().unwrap_or_else(PoisonError::into_inner);
        let map = input.add_water_to_edited(&dry, &mut known, progress)?;
        drop(known);
        Ok(Self {
            map,
            base,
            edits,
            wet: Some(Wet {
                dry,
                drainage,
                change: None,
            }),
        })
    }
}

fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl TerrainSurface {
    /// `origin` is the input that the map was generated from, and `pyramid` belongs to the map.
    pub(crate) fn new(
        origin: GroundInput,
        map: TerrainMap,
        scale: Scale,
        pyramid: HeightPyramid,
    ) -> Self {
        Self {
            id: next_id(),
            base: map.clone(),
            edits: EditTiles::default(),
            wet: None,
            map,
            scale,
            origin: Arc::new(origin),
            pyramid: Arc::new(pyramid),
            detail: None,
        }
    }

    /// Sets what the map was edited from.
    pub(super) fn with_edited(self, ground: EditedGround) -> Self {
        let EditedGround {
            base, edits, wet, ..
        } = ground;
        Self {
            base,
            edits,
            wet: wet.map(Arc::new),
            ..self
        }
    }

    /// Sets the errors of all levels of detail.
    pub(super) fn with_detail(self, detail: Option<DetailTree>) -> Self {
        let detail = detail.map(Arc::new);
        Self { detail, ..self }
    }

    /// The errors of all levels of detail. `None` without a renderer.
    pub(crate) fn detail(&self) -> Option<&Arc<DetailTree>> {
        self.detail.as_ref()
    }

    /// Returns the map without edits if the input has identical heights and holes. For edits, it has no riverbeds.
    pub(super) fn map_for(&self, input: &GroundInput, is_edited: bool) -> Option<TerrainMap> {
        let is_dry = self.wet.is_some() || input.inland().is_none();
        let is_meant = input.inland().is_none() || is_dry == is_edited;
        let same = is_meant && self.origin.shares_heights_with(input);
        same.then(|| self.base.clone())
    }

    /// Whether a surface of this input has the same map without edits, and the same scale and frame.
    pub(super) fn is_of(&self, input: &GroundInput) -> bool {
        *self.origin == *input
    }

    /// What has changed by edits since another surface, or `None` if more than edits differ.
    pub(crate) fn change_since(&self, before: &Self) -> Option<SurfaceChange> {
        let is_alike = self.base == before.base
            && self.scale == before.scale
            && self.map.shares_waters_with(&before.map);
        if !is_alike {
            return None;
        }
        match &self.wet {
            None => self
                .edits
                .small_change_since(&before.edits, self.map.size()),
            Some(_) if self.id == before.id => Some(SurfaceChange::default()),
            Some(wet) => {
                let (of, change) = wet.change.as_ref()?;
                (*of == before.id).then(|| change.clone())
            }
        }
    }

    /// Returns the surface with other edits. If more changes than a part of it, returns what it has to be generated from.
    ///
    /// `older` are the heights before those of this surface, if they exist. If they are not shared, their memory is used again: on
    /// large maps, new memory takes longer than everything else.
    pub(super) async fn with_edits(
        &self,
        strokes: StrokeTiles,
        older: Option<EditedHeights>,
        progress: &Progress,
    ) -> Result<Followed, Unmade> {
        let base = MapBase::new(self.base.shared_heights().clone(), self.scale)
            .expect("the scale of a terrain is valid");
        let grid = grid_of(self.map.size(), self.scale);
        let modifying = progress.span(0.0, 0.1);
        let edits = strokes
            .modified(&self.edits, &base, grid, &modifying)
            .await?;
        let mut change = edits.change_since(&self.edits, self.map.size());
        let older = older.filter(|older| older.base == self.base && older.scale == self.scale);
        let older = older.and_then(EditedHeights::into_unshared);
        let (edited, of) = older.unwrap_or_else(|| (self.dry_map().clone(), self.edits.clone()));
        let map = edits.replace(&of, edited, &self.base, &base, progress);
        let edited = EditedGround::new(
            (map.await?, self.base.clone(), edits),
            (&self.origin, self.wet.as_ref().map(|wet| &wet.drainage)),
            &progress.span(0.1, 0.7),
        )?;
        pause().await;
        let EditedGround {
            mut map,
            edits,
            mut wet,
            ..
        } = match edited {
            edited if change.is_large(self.map.size()) => {
                return Ok(Followed::Generate(edited.into()));
            }
            edited if edited.map.waters() != self.map.waters() => {
                return Ok(Followed::Generate(edited.into()));
            }
            edited => edited,
        };
        if let Some(wet) = &mut wet {
            map = map.with_waters_of(&self.map);
            // Beds of rivers next to the edits can change too.
            change.areas.extend(differences(self.map(), map.heights()));
            wet.change = Some((self.id, change.clone()));
        }
        let (mut pyramid, mut detail) = (self.pyramid.clone(), self.detail.clone());
        for [columns, rows] in change.ranges() {
            progress.check()?;
            pause().await;
            let heights = map.heights();
            Arc::make_mut(&mut pyramid)
                .update(heights, columns.clone(), rows.clone())
                .expect(SAME_SIZE);
            if let Some(detail) = &mut detail {
                Arc::make_mut(detail)
                    .update(heights, columns, rows)
                    .expect(SAME_SIZE);
            }
        }
        if change.holes
            && let Some(detail) = &mut detail
        {
            let none = HoleMask::none(map.size());
            let tree = DetailTree::clone(detail).with_holes(map.holes().unwrap_or(&none));
            *detail = Arc::new(tree.expect(SAME_SIZE));
        }
        let surface = Self {
            id: next_id(),
            map,
            edits,
            wet: wet.map(Arc::new),
            pyramid,
            detail,
            ..self.clone()
        };
        Ok(Followed::Update(Box::new((surface, change))))
    }

    /// The edits at the moment of this surface.
    pub(super) fn edits(&self) -> &EditTiles {
        &self.edits
    }

    /// The map with edits, but without riverbeds.
    fn dry_map(&self) -> &TerrainMap {
        self.wet.as_ref().map_or(&self.map, |wet| &wet.dry)
    }

    /// The edited heights, for another edit of the same base.
    pub(super) fn edited_heights(&self) -> EditedHeights {
        EditedHeights {
            map: self.dry_map().clone(),
            base: self.base.clone(),
            edits: self.edits.clone(),
            scale: self.scale,
        }
    }

    /// The rectangles in the terrain's local space, along x and z in meters, in which [edits](crate::TerrainEdits) have
    /// changed heights, holes, layers or the density of plants since the surface was `before`.
    ///
    /// The surface is equal outside of these rectangles, and normals are equal one cell further out. Use it to update
    /// what depends on the terrain, such as navigation meshes.
    ///
    /// Returns `None` if everything can differ, for example because the terrain was generated from another source. With
    /// rivers and lakes, it also returns `None` if they have changed, or if `before` is not the last surface before this
    /// one. The same applies if more than 128 tiles of 64 x 64 cells differ.
    ///
    /// ```
    /// use bevy::prelude::*;
    /// use lanternfell_terrain::prelude::*;
    ///
    /// fn follow(ground: Single<&TerrainSurface, Changed<TerrainSurface>>, mut known: Local<Option<TerrainSurface>>) {
    ///     let before = known.replace(ground.clone());
    ///     match before.and_then(|before| ground.changes_since(&before)) {
    ///         Some(areas) => info!("edited: {areas:?}"),
    ///         None => info!("new terrain"),
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(follow);
    /// ```
    pub fn changes_since(&self, before: &Self) -> Option<Vec<Rect>> {
        let half = self.surface().half_extent();
        let whole = CellArea::of_map(self.map.size());
        let at = |cell: I64Vec2| cell.as_vec2() * self.scale.spacing - half;
        let change = self.change_since(before)?;
        // The triangles around a changed cell end at the next cells.
        let areas = change.all().filter_map(|area| area.grown(1).common(&whole));
        Some(
            areas
                .map(|area| Rect::from_corners(at(area.min), at(area.max)))
                .collect(),
        )
    }

    /// The heightmap, with heights from 0 to 1. [Edited](crate::TerrainEdits) heights can be outside of this range.
    pub fn map(&self) -> &Heightmap {
        self.map.heights()
    }

    /// The heightmap that [edits](crate::TerrainEdits) are applied to. Without `TerrainEdits`, this is
    /// [`map`](Self::map). With them, it has no riverbeds.
    pub fn unedited_map(&self) -> &Heightmap {
        self.base.heights()
    }

    /// The density of plants at a position in the terrain's local space, as [edits](crate::TerrainEdits) have set it: from
    /// 0 for no plants to 1, which is the density without edits.
    pub fn plant_density(&self, at: Vec2) -> f32 {
        let cell = (at + self.surface().half_extent()) / self.scale.spacing;
        let cell = cell.round().as_i64vec2();
        self.edits.plant_density(cell.x, cell.y)
    }

    /// Whether [edits](crate::TerrainEdits), paths, platforms or stamps have changed the height at a position in the
    /// terrain's local space. Holes, painted layers and riverbeds do not count. Returns `false` outside of the terrain.
    pub fn is_edited(&self, at: Vec2) -> bool {
        if !at.abs().cmple(self.surface().half_extent()).all() {
            return false;
        }
        let cell = (at + self.surface().half_extent()) / self.scale.spacing;
        let (first, last) = (cell.floor().as_i64vec2(), cell.ceil().as_i64vec2());
        let mut cells =
            (first.y..=last.y).flat_map(|row| (first.x..=last.x).map(move |column| (column, row)));
        cells.any(|(column, row)| self.edits.height_change(column, row) != 0)
    }

    /// Adds the layers that edits have painted to rows of texels of the terrain's control map, which has this number of
    /// layers.
    pub(crate) async fn paint(
        &self,
        control: &mut ControlMap,
        layers: usize,
        rows: &[Range<usize>],
    ) {
        let size = self.map.size();
        self.edits.paint(control, size, layers, rows).await;
    }

    /// The heights of the lowest and the highest point in meters, in the terrain's local space.
    pub fn height_range(&self) -> (f32, f32) {
        let (low, high) = self.pyramid.range();
        (low * self.scale.relief, high * self.scale.relief)
    }

    /// The holes of the terrain, or `None` if it has no hole mask. They are not rendered, have no collider, and are
    /// ignored by queries.
    pub fn holes(&self) -> Option<&HoleMask> {
        self.map.holes()
    }

    /// The rivers and lakes of the terrain, if it was spawned with
    /// [`Terrain::inland_water`](crate::Terrain::inland_water).
    pub fn waters(&self) -> Option<&Waters> {
        self.map.waters()
    }

    /// The recipe of the terrain, with the terrain's scale. `None` if the source is a map.
    ///
    /// Save it with [`Recipe::to_ron`] to generate the same terrain again. It does not contain
    /// [`TerrainEdits`](crate::TerrainEdits).
    pub fn recipe(&self) -> Option<&Recipe> {
        self.origin.recipe()
    }

    /// Generates the map of a step of the terrain's recipe, for example to use it as a mask. Returns `None` if there is
    /// no such step.
    ///
    /// The map covers the terrain, but may have another size. For a region of an endless terrain, it covers the region.
    ///
    /// Call this in a background task: the step and all its inputs are generated again.
    ///
    /// # Errors
    /// If the step cannot be generated on its own, or `progress` was canceled.
    pub async fn step(
        &self,
        name: &str,
        progress: &Progress,
    ) -> Result<Option<Heightmap>, TerrainError> {
        self.origin
            .step(name, progress)
            .await
            .map_err(|unmade| match unmade {
                Unmade::Canceled => RecipeError::Canceled(Canceled).into(),
                Unmade::Failed(error) => error,
            })
    }

    /// The frame of the map: how its heights and cells map to elevations and positions.
    pub fn frame(&self) -> &MapFrame {
        self.map.frame()
    }

    /// Returns a copy of the map with its metadata, to write it to a file with [`io::write`](lanternfell_io::write()).
    /// For large maps, call this in a background task.
    ///
    /// The copy contains [`TerrainEdits`](crate::TerrainEdits). If they leave the range from 0 to 1, formats for
    /// integers need [`WriteOptions::stretch`](lanternfell_io::WriteOptions::stretch).
    ///
    /// ```
    /// use lanternfell_terrain::{
    ///     TerrainSurface,
    ///     io::{self, Format, WriteOptions},
    /// };
    ///
    /// fn as_grid(ground: &TerrainSurface) -> Result<Vec<u8>, io::ExportError> {
    ///     let (mut file, options) = (Vec::new(), WriteOptions::default());
    ///     let model = ground.elevation_model();
    ///     io::write(&model, Format::Ascii, &options, &mut file, &Default::default())?;
    ///     Ok(file)
    /// }
    /// ```
    pub fn elevation_model(&self) -> ElevationModel {
        self.map.to_model()
    }

    /// The surface in meters, in the terrain's local space, with its holes. It has all queries, including ray casts.
    pub fn surface(&self) -> Surface<'_> {
        let surface = Surface::new(self.map(), self.scale)
            .with_pyramid(&self.pyramid)
            .expect("the pyramid belongs to this map");
        match self.holes() {
            None => surface,
            Some(holes) => surface
                .with_holes(holes)
                .expect("the size of the holes is checked before generation"),
        }
    }

    /// The y of the sea level in meters, in the terrain's local space. [`Water::level`](crate::Water::level) overrides
    /// it.
    ///
    /// A recipe defines its sea level. The sea level of a map is, in this order: the level in its
    /// [`Scenery`](lanternfell_heightmap::Scenery); 0 m, if the map has elevations in meters and terrain below 0 m;
    /// slightly above its lowest point.
    pub fn water_level(&self) -> f32 {
        self.origin.sea_share(self.frame()) * self.scale.relief
    }
}
