//! Cells for worlds of the LDtk editor, loaded by [`bevy_ecs_ldtk`].

use bevy::prelude::*;
use bevy_ecs_ldtk::prelude::{IntGridCell, LayerMetadata, TileEnumTags};
use bevy_ecs_tilemap::prelude::TilemapId;
use lanternfell_lightgrid::Cell;
use serde::{Deserialize, Serialize};

use super::{LightTile, dress_tile};

/// Maps the tiles of an LDtk world to cells. Add it to the entity of the world.
///
/// Each matching tile gets a [`LightTile`].
///
/// ```
/// use bevy::prelude::*;
/// use bevy_ecs_ldtk::prelude::*;
/// use lanternfell_torchlight::{FollowsTilemaps, LdtkLight, prelude::*};
///
/// fn setup(mut commands: Commands, assets: Res<AssetServer>) {
///     let world = LdtkWorldBundle {
///         ldtk_handle: assets.load("keep.ldtk").into(),
///         ..default()
///     };
///     // Value 1 of any IntGrid layer is a wall. Tiles with the tag `Glass` are glass.
///     let light = LdtkLight::new()
///         .int_grid(1, Cell::WALL)
///         .enum_tag("Glass", Cell::glass(Vec3::new(0.6, 0.9, 0.6)));
///     commands.spawn((world, light));
///     commands.spawn(FollowsTilemaps::default());
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Component, Reflect, Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct LdtkLight {
    /// The kinds of tiles and their cells. For each tile, the first match counts. Tiles without a match let all light
    /// pass.
    pub tiles: Vec<(LdtkTile, Cell)>,
}

/// A kind of tile in an LDtk world.
#[derive(Reflect, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Debug, Clone, PartialEq)]
pub enum LdtkTile {
    /// Tiles with this value in an IntGrid layer.
    IntGrid {
        /// The name of the layer, or `None` for all IntGrid layers.
        layer: Option<String>,
        /// The value as shown in the editor, at least 1.
        value: i32,
    },
    /// Tiles whose image has this enum tag in its tileset.
    EnumTag(String),
}

impl LdtkLight {
    /// Creates an empty list of rules, so that no tile affects light.
    pub fn new() -> Self {
        Self::default()
    }

    /// Maps tiles with this value in any IntGrid layer to a cell.
    #[must_use]
    pub fn int_grid(self, value: i32, cell: Cell) -> Self {
        self.with(LdtkTile::IntGrid { layer: None, value }, cell)
    }

    /// Maps tiles with this value in the IntGrid layer of this name to a cell.
    #[must_use]
    pub fn int_grid_of(self, layer: &str, value: i32, cell: Cell) -> Self {
        let layer = Some(layer.to_owned());
        self.with(LdtkTile::IntGrid { layer, value }, cell)
    }

    /// Maps tiles whose image has this enum tag to a cell.
    #[must_use]
    pub fn enum_tag(self, tag: &str, cell: Cell) -> Self {
        self.with(LdtkTile::EnumTag(tag.to_owned()), cell)
    }

    fn with(mut self, tile: LdtkTile, cell: Cell) -> Self {
        self.tiles.push((tile, cell));
        self
    }

    fn cell_of(&self, tile: &TileItem, layer: Option<&LayerMetadata>) -> Option<Cell> {
        let is = |kind: &LdtkTile| match kind {
            LdtkTile::IntGrid { layer: of, value } => {
                let name = layer.map(|layer| &layer.identifier);
                tile.value.is_some_and(|own| own.value == *value)
                    && of.as_ref().is_none_or(|of| name == Some(of))
            }
            LdtkTile::EnumTag(tag) => tile.tags.is_some_and(|own| own.tags.contains(tag)),
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
    value: Option<&'static IntGridCell>,
    tags: Option<&'static TileEnumTags>,
    lit: Option<&'static LightTile>,
}

type WithTileData = Or<(With<IntGridCell>, With<TileEnumTags>)>;
type ChangedTileData = Or<(Changed<IntGridCell>, Changed<TileEnumTags>)>;

pub(super) fn plugin(app: &mut App) {
    app.register_type::<LdtkLight>();
}

/// Updates the [`LightTile`]s according to the [`LdtkLight`] of their world.
pub(super) fn dress(
    mut commands: Commands,
    worlds: Query<Ref<LdtkLight>>,
    layers: Query<&LayerMetadata>,
    parents: Query<&ChildOf>,
    new_tiles: Query<Tile, ChangedTileData>,
    all_tiles: Query<Tile, WithTileData>,
) {
    let rules_changed = worlds.iter().any(|rules| rules.is_changed());
    let mut dress = |tile: TileItem| {
        let mut above = parents.iter_ancestors(tile.tilemap.0);
        if let Some(rules) = above.find_map(|above| worlds.get(above).ok()) {
            let cell = rules.cell_of(&tile, layers.get(tile.tilemap.0).ok());
            dress_tile(&mut commands, tile.entity, tile.lit, cell);
        }
    };
    if rules_changed {
        all_tiles.iter().for_each(&mut dress);
    } else {
        new_tiles.iter().for_each(&mut dress);
    }
}
