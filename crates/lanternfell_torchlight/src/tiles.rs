//! Cells from the tiles of [`bevy_ecs_tilemap`], and of what is built on it.
//!
//! Problem: a tile is an entity of one of many tile maps, which lie beside and over each other, in squares, diamonds or
//! hexagons; a cell of light lies somewhere in the world.
//!
//! Idea: each cell asks what tiles lie at its middle, whatever the maps are like. All cells ask when the tile maps
//! lie otherwise beside each other than they did, and where a tile changed, those that it covers. A light map that
//! [fits](FollowsTilemaps::fits) lies so that each of its cells is a tile, and goes along where all tile maps go.
//!
//! ```text
//!   tile maps ── moved together ──────────────────────────> place
//!              ─ else changed ──> fit: size, layout, place ──> all cells ask
//!   LightTile ── changed ─┐
//!   TileStorage ──────────┴───────────────────────────────> the cells under it ask
//! ```
//!
//! Cost: where nothing changed a glance at each tile map, also where all moved together; where one's storage was
//! touched, a comparison of all that it holds; each tile that changed a look into all tile maps for each cell that it covers.

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
use lanternfell_lightgrid::{Cell, LightGrid, Neighborhood};
use serde::{Deserialize, Serialize};

#[cfg(feature = "ecs_ldtk")]
pub use ldtk::{LdtkLight, LdtkTile};
#[cfg(feature = "ecs_tiled")]
pub use tiled::{TiledLight, TiledTileKind};

use crate::{
    blocker::sane,
    collect::collect_blockers,
    frame::Frame,
    map::LightMap,
    position::{InLightMap, Positions},
    systems::TorchlightSystems,
};
use fit::Fit;
use tilemap::{Tilemap, TilemapData, TilemapDataItem, lie_alike};

/// On a tile of a [`bevy_ecs_tilemap`]: what light meets there, in every [`LightMap`] that [`FollowsTilemaps`].
///
/// It is changed by inserting another. A tile without it lets all light pass. Tiles over each other stand in each other's light. For what moves, or opens and
/// closes often, take a [`LightBlocker`](crate::LightBlocker) instead.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[component(immutable)]
#[serde(default, deny_unknown_fields)]
pub struct LightTile {
    /// What it does with light; [`Cell::WALL`] by default. Its values are brought into 0 to 1, and what is
    /// no number is 0.
    pub cell: Cell,
}

impl Default for LightTile {
    fn default() -> Self {
        Self { cell: Cell::WALL }
    }
}

impl LightTile {
    /// Lets light through as this cell does.
    pub const fn new(cell: Cell) -> Self {
        Self { cell }
    }
}

/// On a [`LightMap`]: its cells are those of the tiles of all tile maps of [`bevy_ecs_tilemap`], which keep them up to
/// date. Tile maps with an [`InLightMap`] are for the one that it names.
///
/// When tile maps come, go or change, or one moves and another does not, all cells ask at once what lies under them: that
/// takes about as long as spawning the tiles did. Tiles that change, and tile maps that stay or move all together, cost next to
/// nothing.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_ecs_tilemap::prelude::*;
/// use lanternfell_torchlight::{FollowsTilemaps, LightTile};
///
/// fn setup(mut commands: Commands) {
///     // A light map over all there is.
///     commands.spawn(FollowsTilemaps::default());
/// }
///
/// /// The third picture of the tile set is a wall.
/// fn build_walls(mut commands: Commands, tiles: Query<(Entity, &TileTextureIndex), Added<TilePos>>) {
///     for (tile, picture) in &tiles {
///         if picture.0 == 2 {
///             commands.entity(tile).insert(LightTile::default());
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// # bevy::ecs::system::assert_is_system(build_walls);
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[require(LightMap, Followed)]
#[serde(default, deny_unknown_fields)]
pub struct FollowsTilemaps {
    /// Whether it takes its place, its size and its [layout](crate::LightLayout) from the tile maps too, each time
    /// that those change: yes by default. Its grid is a new one then, with the settings and the ambient light of the old;
    /// of hexagons where they are. If not, it stays where it is, and its cells may be finer than tiles.
    ///
    /// Where tile maps differ, the one that lies lowest says how large cells are. Where all of them move together, cells
    /// and light stay as they are (tested up to 3,000 tiles from the world's middle: far out numbers become too coarse to
    /// tell, and all cells ask).
    pub fits: bool,
    /// What cells are where there is no tile; [`Cell::OPEN`] by default.
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

/// On a map that follows: of what its cells were made.
#[derive(Component, Debug, Default)]
struct Followed {
    tilemaps: Vec<Tilemap>,
    place: OwnPlace,
    /// Nothing where all cells have to ask.
    asked: Option<Asked>,
}

/// Where a map that does not fit lay, and its size.
type OwnPlace = Option<(GlobalTransform, UVec2)>;

/// Of what, when all cells asked the last time.
#[derive(Debug)]
struct Asked {
    tilemaps: Vec<Tilemap>,
    place: OwnPlace,
    /// If it fits, and can.
    fit: Option<Fit>,
}

impl Asked {
    /// Whether all cells would get the same answers; but where a tile has changed.
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
        .before(collect_blockers);
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

/// What is known of tiles.
#[derive(Resource, Default)]
struct SeenTiles {
    /// Where tiles got or lost a [`LightTile`] since it was looked.
    changed: Vec<TilePlace>,
    /// What each tile map held then.
    stored: EntityHashMap<Vec<Option<Entity>>>,
}

type TilePlace = (TilemapId, TilePos);

type Place = (&'static TilemapId, &'static TilePos);

fn note_insertion(insert: On<Insert, LightTile>, tiles: Query<Place>, mut seen: ResMut<SeenTiles>) {
    seen.note(tiles.get(insert.entity));
}

/// The tile is there still, and says where.
fn note_removal(remove: On<Remove, LightTile>, tiles: Query<Place>, mut seen: ResMut<SeenTiles>) {
    seen.note(tiles.get(remove.entity));
}

/// Another map has cells that none of the tiles have told of.
fn forget_cells(insert: On<Insert, LightMap>, mut maps: Query<&mut Followed>) {
    if let Ok(mut followed) = maps.get_mut(insert.entity) {
        followed.asked = None;
    }
}

type Follower = (
    Entity,
    Ref<'static, FollowsTilemaps>,
    &'static mut Followed,
    &'static mut LightMap,
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
    // Without a map nothing is remembered: the first one asks for all of its cells.
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
        // A map that fits goes where the tile maps go, so its own place changes nothing.
        let place = (!follows.fits).then(|| (global, map.grid().size()));
        let moved = followed.tilemaps != own || followed.place != place;
        // The answers of the last time hold, or all cells have to ask.
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
                // A new grid has only open cells.
                Some(is_new) => all_ask |= is_new,
                // It stays as it is until they lie otherwise.
                None => (asked.fit, all_ask) = (None, false),
            }
        }
        let fitted = asked.fit.zip(own.first());
        let fitted = fitted.map(|(fit, first)| fit.place(first));
        if let Some(place) = fitted.filter(|_| moved || all_ask) {
            // The place is in the world, and a map may be a child of something that moves.
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
        // Where it has been put elsewhere meanwhile it comes back with the next move.
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
    /// One that does not say where it lies is found when its tile map holds it.
    fn note<E>(&mut self, place: Result<(&TilemapId, &TilePos), E>) {
        if let Ok((of, at)) = place {
            self.changed.push((*of, *at));
        }
    }

    /// Where tile maps hold another tile than before.
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
                // A storage that is seen for the first time held nothing before.
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

/// All tile maps, the lowest first, and for which light map each is.
fn found(tilemaps: &Query<TilemapData>, positions: &Positions) -> Vec<(Tilemap, Option<Entity>)> {
    let lying = tilemaps.iter().filter_map(|data: TilemapDataItem| {
        let place = positions.global(data.entity)?;
        let of = data.of.map(|&InLightMap(map)| map);
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

/// Makes the map one of this size and layout; its place is not part of it. Whether its grid is a new one; `None` if there
/// can be none so large.
fn fit_map(map: &mut LightMap, fit: &Fit) -> Option<bool> {
    let mut settings = *map.grid().settings();
    // Which neighborhood of squares it is, is the app's choice and stays.
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
                warn!("a light map can not lie over all tile maps: {error}");
                return None;
            }
        };
        // The new grid takes over what `FollowsTilemaps::fits` promises to keep.
        for region in 0..=u8::MAX {
            let ambient = map.grid().ambient(region);
            if ambient != Vec3::ZERO {
                let taken = grid.set_ambient(region, ambient);
                debug_assert!(taken.is_ok(), "{taken:?}");
            }
        }
        *map = LightMap::new(grid).with_plane(map.plane());
    }
    map.set_cell_size(fit.cell_size);
    map.set_layout(fit.layout);
    Some(is_new)
}

/// What is asked for a cell.
struct Ask<'a, 'w, 's> {
    /// Each with what it holds.
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
    /// What all tiles at a place of the world make together.
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

    fn all(&self, map: &mut LightMap, place: &GlobalTransform) {
        let frame = map.frame(place);
        let taken = map.fill(|cell| self.at(world(place, &frame, cell)));
        debug_assert!(taken.is_ok(), "{taken:?}");
    }

    /// The cells that a tile covers.
    fn under(&self, map: &mut LightMap, place: &GlobalTransform, (of, at): &TilePlace) {
        let mut tilemaps = self.tilemaps.iter();
        let Some((tilemap, _)) = tilemaps.find(|(other, _)| other.entity == of.0) else {
            return;
        };
        let frame = map.frame(place);
        // The rectangle of cells around the tile, which may be turned against the map. Cells in it that
        // the tile does not cover get the same answer as before.
        let corners = tilemap.corners(*at).map(|corner| frame.cell_at(corner));
        let [first, others @ ..] = corners;
        let low = others.iter().fold(first, |low, &corner| low.min(corner));
        let high = others.iter().fold(first, |high, &corner| high.max(corner));
        let last = map.grid().size().as_vec2() - 1.0;
        // Those that it touches but at its border change nothing.
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

/// Where the middle of a cell is.
fn world(place: &GlobalTransform, frame: &Frame, cell: IVec2) -> Vec3 {
    place.transform_point(frame.local(cell.as_vec2()))
}

/// Gives a tile the cell that rules say, or takes away what they said before.
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
