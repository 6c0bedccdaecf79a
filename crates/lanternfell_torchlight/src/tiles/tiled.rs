//! Cells for maps of the Tiled editor, loaded by [`bevy_ecs_tiled`].

use bevy::prelude::*;
use bevy_ecs_tiled::prelude::{
    TiledMap, TiledMapAsset, TiledMapReference, TiledName, TiledTile, TiledTileId, TiledTilesetId,
    get_tile_from_map, tiled,
};
use bevy_ecs_tilemap::prelude::TilemapId;
use lanternfell_lightgrid::Cell;
use serde::{Deserialize, Serialize};

use super::{LightTile, dress_tile};

/// Maps the tiles of a Tiled map to cells. Add it to the entity with the [`TiledMap`].
///
/// Each matching tile gets a [`LightTile`].
///
/// ```
/// use bevy::prelude::*;
/// use bevy_ecs_tiled::prelude::*;
/// use lanternfell_torchlight::{FollowsTilemaps, TiledLight, prelude::*};
///
/// fn setup(mut commands: Commands, assets: Res<AssetServer>) {
///     // All tiles of one layer are walls. Tiles of a class are glass.
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
    /// The kinds of tiles and their cells. For each tile, the first match counts. Tiles without a match let all light
    /// pass.
    pub tiles: Vec<(TiledTileKind, Cell)>,
}

/// A kind of tile in a Tiled map.
#[derive(Reflect, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Debug, Clone, PartialEq)]
pub enum TiledTileKind {
    /// Tiles of the layer with this name.
    Layer(String),
    /// Tiles with this class in their tileset (called type in older files).
    Class(String),
    /// Tiles with this boolean property set to true in their tileset.
    Property(String),
}

impl TiledLight {
    /// Creates an empty list of rules, so that no tile affects light.
    pub fn new() -> Self {
        Self::default()
    }

    /// Maps all tiles of the layer with this name to a cell.
    #[must_use]
    pub fn layer(self, name: &str, cell: Cell) -> Self {
        self.with(TiledTileKind::Layer(name.to_owned()), cell)
    }

    /// Maps all tiles of this class to a cell.
    #[must_use]
    pub fn class(self, name: &str, cell: Cell) -> Self {
        self.with(TiledTileKind::Class(name.to_owned()), cell)
    }

    /// Maps all tiles whose boolean property of this name is true to a cell.
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

/// The data of a tile from the editor.
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

/// Updates the [`LightTile`]s according to the [`TiledLight`] of their map.
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
