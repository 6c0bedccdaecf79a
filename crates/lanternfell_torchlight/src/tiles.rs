//! Light maps that follow the tile maps of [`bevy_ecs_tilemap`], and of crates that are built on it.
//!
//! Problem: a tile is an entity in one of several tile maps. Tile maps may be next to each other or overlap, and their
//! tiles are squares, diamonds or hexagons. A cell of a light map is somewhere in the same world.
//!
//! Idea: look up the tiles at the center of each cell, in all tile maps. If the tile maps change relative to each
//! other, look up all cells. If a tile changes, look up the cells that it covers. A light map that
//! [fits](FollowsTilemaps::fits) is placed so that each cell is a tile, and moves with the tile maps.
//!
//! ```text
//!   tile maps ── moved together ──────────────────────────> placement
//!              ─ other change ───> fit: size, layout, place ──> look up all cells
//!   LightTile ── changed ─┐
//!   TileStorage ──────────┴───────────────────────────────> look up the cells under it
//! ```
//!
//! Cost: per run, one lookup per tile map, also if all of them move together. If a tile storage was accessed mutably, a
//! comparison of all its tiles. For each changed tile, a lookup in all tile maps for each cell that it covers.

mod fit;
#[cfg(feature = "ecs_ldtk")]
mod ldtk;
#[cfg(feature = "ecs_tiled")]
mod tiled;
mod tilemap;

use std::{iter::repeat, mem::take};

use bevy::{
    ecs::{
        entity::EntityHashMap,
        schedule::{InternedScheduleLabel, ScheduleLabel},
    },
    prelude::*,
};
use bevy_ecs_tilemap::prelude::{TilePos, TileStorage, TilemapId};
use lanternfell_lightgrid::{Cell, LightGrid, LightSettings, Neighborhood};
use serde::{Deserialize, Serialize};

#[cfg(feature = "ecs_ldtk")]
pub use ldtk::{LdtkLight, LdtkTile};
#[cfg(feature = "ecs_tiled")]
pub use tiled::{TiledLight, TiledTileKind};

use crate::{
    blocker::sane,
    frame::Frame,
    map::{TorchlightMap, follow_fields},
    position::{InTorchlightMap, Positions},
    systems::TorchlightSystems,
};
use fit::Fit;
use tilemap::{Tilemap, TilemapData, TilemapDataItem, lie_alike};

/// The cell of a tile of [`bevy_ecs_tilemap`], in every [`TorchlightMap`] that [`FollowsTilemaps`]. Add it to the
/// entity of the tile.
///
/// Tiles without this component let all light pass. Overlapping tiles are combined. The component is immutable: insert
/// a new one to change it. For things that move, open or close often, use a [`LightBlocker`](crate::LightBlocker)
/// instead.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[component(immutable)]
#[serde(default, deny_unknown_fields)]
pub struct LightTile {
    /// How light passes through the tile. Values are clamped to 0 to 1, and NaN is replaced by 0. Default:
    /// [`Cell::WALL`].
    pub cell: Cell,
}

impl Default for LightTile {
    fn default() -> Self {
        Self { cell: Cell::WALL }
    }
}

impl LightTile {
    /// A tile through which light passes as through this cell.
    pub const fn new(cell: Cell) -> Self {
        Self { cell }
    }
}

/// Fills the cells of a [`TorchlightMap`] from the tile maps of [`bevy_ecs_tilemap`], and updates them when tiles
/// change. Add it to the entity of the light map, or spawn it to create one.
///
/// A tile map with an [`InTorchlightMap`] applies only to the light map that it names.
///
/// When tile maps are added, removed or changed, or when some of them move and others do not, all cells are looked up
/// at once. This takes about as long as spawning the tiles. Changed tiles, and tile maps that rest or move together,
/// cost almost nothing.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_ecs_tilemap::prelude::*;
/// use lanternfell_torchlight::{FollowsTilemaps, LightTile};
///
/// fn setup(mut commands: Commands) {
///     // A light map over all tile maps.
///     commands.spawn(FollowsTilemaps::default());
/// }
///
/// /// The third image of the tileset is a wall.
/// fn build_walls(mut commands: Commands, tiles: Query<(Entity, &TileTextureIndex), Added<TilePos>>) {
///     for (tile, index) in &tiles {
///         if index.0 == 2 {
///             commands.entity(tile).insert(LightTile::default());
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// # bevy::ecs::system::assert_is_system(build_walls);
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[require(TorchlightMap, Followed)]
#[serde(default, deny_unknown_fields)]
pub struct FollowsTilemaps {
    /// Whether the light map takes its place, its size and its [layout](crate::LightLayout) from the tile maps,
    /// whenever they change. Default: `true`.
    ///
    /// The light map then gets a new grid, with the settings and the ambient light of the old one. It is hexagonal if
    /// the tile maps are. If the tile maps differ, the lowest one (by z) determines the cell size. If all tile maps
    /// move together, cells and light do not change. (Tested up to 3,000 tiles from the origin. Further out,
    /// floating-point precision is too low to detect this, and all cells are looked up.)
    ///
    /// If `false`, the light map stays where it is. Its cells may then be smaller than tiles.
    pub fits: bool,
    /// The cell where there is no tile. Default: [`Cell::OPEN`].
    pub empty: Cell,
}

impl Default for FollowsTilemaps {
    fn default() -> Self {
        Self {
            fits: true,
            empty: Cell::OPEN,
        }
    }
}

/// On a map that follows tile maps: the state from which its cells were made.
#[derive(Component, Debug, Default)]
struct Followed {
    tilemaps: Vec<Tilemap>,
    place: OwnPlace,
    /// `None` if all cells must be looked up.
    asked: Option<Asked>,
}

/// The place and size of a map that does not fit.
type OwnPlace = Option<(GlobalTransform, UVec2)>;

/// The state when all cells were last looked up.
#[derive(Debug)]
struct Asked {
    tilemaps: Vec<Tilemap>,
    place: OwnPlace,
    /// `Some` if the map fits, and a grid of that size is possible.
    fit: Option<Fit>,
}

impl Asked {
    /// Whether a lookup of all cells would give the same results, apart from changed tiles.
    fn holds_for(&self, tilemaps: &[Tilemap], place: OwnPlace) -> bool {
        self.place == place
            && match place {
                Some(_) => self.tilemaps == tilemaps,
                None => lie_alike(&self.tilemaps, tilemaps),
            }
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.register_type::<LightTile>()
        .register_type::<FollowsTilemaps>()
        .init_resource::<SeenTiles>()
        .add_observer(note_insertion)
        .add_observer(note_removal)
        .add_observer(forget_cells);
    #[cfg(feature = "ecs_ldtk")]
    ldtk::plugin(app);
    #[cfg(feature = "ecs_tiled")]
    tiled::plugin(app);
}

pub(crate) fn follow_in(app: &mut App, schedule: impl ScheduleLabel) {
    let schedule: InternedScheduleLabel = schedule.intern();
    let follow = follow
        .in_set(TorchlightSystems::Collect)
        .before(follow_fields);
    app.add_systems(schedule, follow);
    #[cfg(feature = "ecs_ldtk")]
    app.add_systems(
        schedule,
        ldtk::dress
            .in_set(TorchlightSystems::Collect)
            .before(self::follow),
    );
    #[cfg(feature = "ecs_tiled")]
    app.add_systems(
        schedule,
        tiled::dress
            .in_set(TorchlightSystems::Collect)
            .before(self::follow),
    );
}

/// The known state of the tiles.
#[derive(Resource, Default)]
struct SeenTiles {
    /// Positions at which tiles got or lost a [`LightTile`] since the last run.
    changed: Vec<TilePlace>,
    /// The tiles of each tile map in the last run.
    stored: EntityHashMap<Vec<Option<Entity>>>,
}

type TilePlace = (TilemapId, TilePos);

type Place = (&'static TilemapId, &'static TilePos);

fn note_insertion(insert: On<Insert, LightTile>, tiles: Query<Place>, mut seen: ResMut<SeenTiles>) {
    seen.note(tiles.get(insert.entity));
}

/// `On<Remove>` runs before the removal, so the tile still has its position.
fn note_removal(remove: On<Remove, LightTile>, tiles: Query<Place>, mut seen: ResMut<SeenTiles>) {
    seen.note(tiles.get(remove.entity));
}

/// A newly inserted map has cells that did not come from tiles.
fn forget_cells(insert: On<Insert, TorchlightMap>, mut maps: Query<&mut Followed>) {
    if let Ok(mut followed) = maps.get_mut(insert.entity) {
        followed.asked = None;
    }
}

type Follower = (
    Entity,
    Ref<'static, FollowsTilemaps>,
    &'static mut Followed,
    &'static mut TorchlightMap,
);

fn follow(
    mut commands: Commands,
    positions: Positions,
    tilemaps: Query<TilemapData>,
    tiles: Query<&'static LightTile>,
    mut seen: ResMut<SeenTiles>,
    mut maps: Query<Follower>,
    parents: Query<&ChildOf>,
) {
    // Without a map, no state is kept. The first map looks up all of its cells.
    if maps.is_empty() {
        *seen = SeenTiles::default();
        return;
    }
    let found = found(&tilemaps, &positions);
    let mut changed = take(&mut seen.changed);
    seen.follow_storages(&found, &tilemaps, &mut changed);
    for (entity, follows, mut followed, mut map) in &mut maps {
        let own = found
            .iter()
            .filter(|(_, of)| of.is_none_or(|of| of == entity));
        let own: Vec<Tilemap> = own.map(|(tilemap, _)| *tilemap).collect();
        let Some(global) = positions.global(entity) else {
            *followed = Followed::default();
            continue;
        };
        let map = map.bypass_change_detection();
        // A map that fits is placed by the tile maps, so its own place does not matter.
        let place = (!follows.fits).then(|| (global, map.grid().size()));
        let moved = followed.tilemaps != own || followed.place != place;
        // Either the last results are still valid, or all cells must be looked up.
        let asked = followed.asked.take();
        let asked = asked.filter(|asked| !follows.is_changed() && asked.holds_for(&own, place));
        let mut all_ask = asked.is_none();
        let mut asked = asked.unwrap_or_else(|| Asked {
            tilemaps: own.clone(),
            place,
            fit: follows.fits.then(|| Fit::over(&own)).flatten(),
        });
        if let Some(fit) = asked.fit.filter(|_| moved || all_ask) {
            match fit_map(map, &fit) {
                // A new grid contains only open cells.
                Some(is_new) => all_ask |= is_new,
                // No such grid is possible. The map stays as it is until the tile maps change relative to each other.
                None => (asked.fit, all_ask) = (None, false),
            }
        }
        let fitted = asked.fit.zip(own.first());
        let fitted = fitted.map(|(fit, first)| fit.place(first));
        if let Some(place) = fitted.filter(|_| moved || all_ask) {
            // The place is in world space, but a map may be a child of something that moves.
            let above = parents.get(entity).ok();
            let above = above.and_then(|parent| positions.global(parent.parent()));
            let local = place.reparented_to(&above.unwrap_or_default());
            commands.entity(entity).try_insert(local);
        }
        let ask = Ask {
            tilemaps: with_storages(&own, &tilemaps),
            tiles: &tiles,
            empty: sane(&follows.empty),
        };
        // If something else has moved the map, it returns with the next move of the tile maps.
        let lies = fitted.unwrap_or(global);
        if all_ask {
            ask.all(map, &lies);
        } else {
            for tile in &changed {
                ask.under(map, &lies, tile);
            }
        }
        *followed = Followed {
            tilemaps: own,
            place,
            asked: Some(asked),
        };
    }
}

impl SeenTiles {
    /// Tiles without a position are ignored. They are found when a tile storage contains them.
    fn note<E>(&mut self, place: Result<(&TilemapId, &TilePos), E>) {
        if let Ok((of, at)) = place {
            self.changed.push((*of, *at));
        }
    }

    /// Adds the positions at which a tile map contains another tile than before.
    fn follow_storages(
        &mut self,
        found: &[(Tilemap, Option<Entity>)],
        tilemaps: &Query<TilemapData>,
        changed: &mut Vec<TilePlace>,
    ) {
        self.stored.retain(|tilemap, _| tilemaps.contains(*tilemap));
        for (tilemap, _) in found {
            let Ok(data) = tilemaps.get(tilemap.entity) else {
                continue;
            };
            let stored = self.stored.entry(tilemap.entity).or_default();
            if stored.is_empty() || data.storage.is_changed() {
                let now: Vec<Option<Entity>> = data.storage.iter().copied().collect();
                // A storage that is new was empty before.
                let before = stored.iter().copied().chain(repeat(None));
                let differs = (0..).zip(now.iter().zip(before));
                let differs = differs.filter(|(_, (now, before))| **now != *before);
                let width = data.storage.size.x.max(1);
                let place = |index: u32| TilePos::new(index % width, index / width);
                let of = TilemapId(tilemap.entity);
                changed.extend(differs.map(|(index, _)| (of, place(index))));
                *stored = now;
            }
        }
    }
}

/// All tile maps, the lowest first, each with the light map that it is restricted to.
fn found(tilemaps: &Query<TilemapData>, positions: &Positions) -> Vec<(Tilemap, Option<Entity>)> {
    let lying = tilemaps.iter().filter_map(|data: TilemapDataItem| {
        let place = positions.global(data.entity)?;
        let of = data.of.map(|&InTorchlightMap(map)| map);
        Some((Tilemap::new(&data, &place)?, of))
    });
    let mut found: Vec<_> = lying.collect();
    found.sort_by(|(a, _), (b, _)| {
        // Entities break ties, so that the order is the same in each run.
        let z = a.z().total_cmp(&b.z());
        z.then(a.entity.index_u32().cmp(&b.entity.index_u32()))
    });
    found
}

/// Gives the map the size and layout of the fit, but not its place. Returns whether its grid is new, or `None` if a
/// grid of this size is not possible.
fn fit_map(map: &mut TorchlightMap, fit: &Fit) -> Option<bool> {
    let mut settings = *map.grid().settings();
    // If the neighborhood is one of squares, keep the app's choice.
    if settings.neighborhood.is_hexagonal() != fit.is_hexagonal {
        settings.neighborhood = if fit.is_hexagonal {
            Neighborhood::Hexagonal
        } else {
            Neighborhood::default()
        };
    }
    let is_new = map.grid().size() != fit.size || settings != *map.grid().settings();
    if is_new {
        let made = if map.grid().is_gray() {
            LightGrid::gray(fit.size.x, fit.size.y, settings)
        } else {
            LightGrid::new(fit.size.x, fit.size.y, settings)
        };
        let mut grid = match made {
            Ok(grid) => grid,
            Err(error) => {
                warn!("no light map can cover all tile maps: {error}");
                return None;
            }
        };
        // The new grid takes over what `FollowsTilemaps::fits` promises.
        for region in 0..=u8::MAX {
            let ambient = map.grid().ambient(region);
            if ambient != Vec3::ZERO {
                let taken = grid.set_ambient(region, ambient);
                debug_assert!(taken.is_ok(), "{taken:?}");
            }
        }
        let own = map.settings;
        *map = TorchlightMap::new(grid).with_plane(map.plane);
        // The app may have chosen another neighborhood in this frame.
        let neighborhood = if own.neighborhood.is_hexagonal() == fit.is_hexagonal {
            own.neighborhood
        } else {
            settings.neighborhood
        };
        map.settings = LightSettings {
            neighborhood,
            ..own
        };
    }
    map.set_cell_size(fit.cell_size);
    map.layout = fit.layout;
    Some(is_new)
}

/// A lookup of cells.
struct Ask<'a, 'w, 's> {
    /// The tile maps, each with its storage.
    tilemaps: Vec<(&'a Tilemap, &'a TileStorage)>,
    tiles: &'a Query<'w, 's, &'static LightTile>,
    empty: Cell,
}

fn with_storages<'a>(
    own: &'a [Tilemap],
    tilemaps: &'a Query<TilemapData>,
) -> Vec<(&'a Tilemap, &'a TileStorage)> {
    let held = own.iter().filter_map(|tilemap| {
        let data = tilemaps.get(tilemap.entity).ok()?;
        Some((tilemap, data.storage.into_inner()))
    });
    held.collect()
}

impl Ask<'_, '_, '_> {
    /// The combined cell of all tiles at a world position.
    fn at(&self, place: Vec3) -> Cell {
        let tiles = self.tilemaps.iter().filter_map(|(tilemap, storage)| {
            let at = tilemap.tile_at(place)?;
            let tile = storage.checked_get(&at)?;
            let lit = self.tiles.get(tile);
            Some(lit.map_or(Cell::OPEN, |lit| sane(&lit.cell)))
        });
        // The lowest tile map comes first.
        let together = tiles.reduce(|below, above| below.behind(&above));
        together.unwrap_or(self.empty)
    }

    fn all(&self, map: &mut TorchlightMap, place: &GlobalTransform) {
        let frame = map.frame(place);
        let taken = map.fill(|cell| self.at(world(place, &frame, cell)));
        debug_assert!(taken.is_ok(), "{taken:?}");
    }

    /// Looks up the cells that a tile covers.
    fn under(&self, map: &mut TorchlightMap, place: &GlobalTransform, (of, at): &TilePlace) {
        let mut tilemaps = self.tilemaps.iter();
        let Some((tilemap, _)) = tilemaps.find(|(other, _)| other.entity == of.0) else {
            return;
        };
        let frame = map.frame(place);
        // The bounding rectangle of the tile in cells. The tile may be rotated against the map. Cells of the rectangle
        // that the tile does not cover get the same result as before.
        let corners = tilemap.corners(*at).map(|corner| frame.cell_at(corner));
        let [first, others @ ..] = corners;
        let low = others.iter().fold(first, |low, &corner| low.min(corner));
        let high = others.iter().fold(first, |high, &corner| high.max(corner));
        let last = map.grid().size().as_vec2() - 1.0;
        // Rounding outward may add cells that the tile only touches. Their result does not change.
        let low = low.floor().clamp(Vec2::ZERO, last).as_ivec2();
        let high = high.ceil().clamp(Vec2::ZERO, last).as_ivec2();
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                let cell = IVec2::new(x, y);
                let taken = map.set_cell(cell, self.at(world(place, &frame, cell)));
                debug_assert!(taken.is_ok(), "{taken:?}");
            }
        }
    }
}

/// The world position of the center of a cell.
fn world(place: &GlobalTransform, frame: &Frame, cell: IVec2) -> Vec3 {
    place.transform_point(frame.local(cell.as_vec2()))
}

/// Sets the `LightTile` of a tile according to the rules, or removes an earlier one.
#[cfg(any(feature = "ecs_ldtk", feature = "ecs_tiled"))]
fn dress_tile(commands: &mut Commands, tile: Entity, has: Option<&LightTile>, cell: Option<Cell>) {
    match (cell, has) {
        (Some(cell), has) if has.is_none_or(|has| has.cell != cell) => {
            commands.entity(tile).try_insert(LightTile { cell });
        }
        (None, Some(_)) => {
            commands.entity(tile).try_remove::<LightTile>();
        }
        _ => {}
    }
}
