//! What light meets on maps of the Tiled editor, by [`bevy_ecs_tiled`].

use bevy::prelude::*;
use bevy_ecs_tiled::prelude::{
    TiledMap, TiledMapAsset, TiledMapReference, TiledName, TiledTile, TiledTileId, TiledTilesetId,
    get_tile_from_map, tiled,
};
use bevy_ecs_tilemap::prelude::TilemapId;
use lanternfell_lightgrid::Cell;
use serde::{Deserialize, Serialize};

use super::{LightTile, dress_tile};

/// On a Tiled map's entity, beside its [`TiledMap`]: which of its tiles are what to light. They get a [`LightTile`] each.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_ecs_tiled::prelude::*;
/// use lanternfell_torchlight::{FollowsTilemaps, TiledLight, prelude::*};
///
/// fn setup(mut commands: Commands, assets: Res<AssetServer>) {
///     // All of one layer are walls, and tiles of a class are glass.
///     let light = TiledLight::new()
///         .layer("walls", Cell::WALL)
///         .class("glass", Cell::glass(Vec3::new(0.6, 0.9, 0.6)));
///     commands.spawn((TiledMap(assets.load("keep.tmx")), light));
///     commands.spawn(FollowsTilemaps::default());
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Component, Reflect, Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct TiledLight {
    /// Which tiles, and what they are to light. Of those that a tile is the first counts; others let all pass.
    pub tiles: Vec<(TiledTileKind, Cell)>,
}

/// Some of a Tiled map's tiles.
#[derive(Reflect, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Debug, Clone, PartialEq)]
pub enum TiledTileKind {
    /// Those of the layer of this name.
    Layer(String),
    /// Those that have this class (in older files, type) in their tile set.
    Class(String),
    /// Those of which this property is true in their tile set.
    Property(String),
}

impl TiledLight {
    /// Nothing stands in light's way yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// And all tiles of the layer of this name are such a cell.
    #[must_use]
    pub fn layer(self, name: &str, cell: Cell) -> Self {
        self.with(TiledTileKind::Layer(name.to_owned()), cell)
    }

    /// And all tiles of this class.
    #[must_use]
    pub fn class(self, name: &str, cell: Cell) -> Self {
        self.with(TiledTileKind::Class(name.to_owned()), cell)
    }

    /// And all tiles of which this property is true.
    #[must_use]
    pub fn property(self, name: &str, cell: Cell) -> Self {
        self.with(TiledTileKind::Property(name.to_owned()), cell)
    }

    fn with(mut self, kind: TiledTileKind, cell: Cell) -> Self {
        self.tiles.push((kind, cell));
        self
    }

    fn cell_of(&self, tile: Option<&tiled::Tile<'_>>, layer: Option<&TiledName>) -> Option<Cell> {
        let is = |kind: &TiledTileKind| match kind {
            TiledTileKind::Layer(name) => layer.is_some_and(|layer| layer.0 == *name),
            TiledTileKind::Class(name) => tile.is_some_and(|tile| tile.user_type == *name),
            TiledTileKind::Property(name) => tile.is_some_and(|tile| {
                let value = tile.properties.get(name);
                matches!(value, Some(tiled::PropertyValue::BoolValue(true)))
            }),
        };
        let found = self.tiles.iter().find(|(kind, _)| is(kind));
        found.map(|(_, cell)| *cell)
    }
}

/// What the editor says of a tile.
#[derive(bevy::ecs::query::QueryData)]
pub(super) struct Tile {
    entity: Entity,
    tilemap: &'static TilemapId,
    id: &'static TiledTileId,
    tileset: &'static TiledTilesetId,
    lit: Option<&'static LightTile>,
}

pub(super) fn plugin(app: &mut App) {
    app.register_type::<TiledLight>();
}

/// Gives tiles what the rules of their map say.
pub(super) fn dress(
    mut commands: Commands,
    maps: Query<(Ref<TiledLight>, &TiledMap)>,
    assets: Option<Res<Assets<TiledMapAsset>>>,
    tilemaps: Query<(&TiledMapReference, &ChildOf)>,
    names: Query<&TiledName>,
    new_tiles: Query<Tile, Added<TiledTile>>,
    all_tiles: Query<Tile, With<TiledTile>>,
) {
    let Some(assets) = assets else { return };
    let rules_changed = maps.iter().any(|(rules, _)| rules.is_changed());
    let mut dress = |tile: TileItem| {
        let Ok((of, layer)) = tilemaps.get(tile.tilemap.0) else {
            return;
        };
        let Ok((rules, map)) = maps.get(of.0) else {
            return;
        };
        let asset = assets.get(&map.0);
        let said = asset.and_then(|asset| get_tile_from_map(&asset.map, tile.tileset.0, tile.id.0));
        let cell = rules.cell_of(said.as_ref(), names.get(layer.parent()).ok());
        dress_tile(&mut commands, tile.entity, tile.lit, cell);
    };
    if rules_changed {
        all_tiles.iter().for_each(&mut dress);
    } else {
        new_tiles.iter().for_each(&mut dress);
    }
}
