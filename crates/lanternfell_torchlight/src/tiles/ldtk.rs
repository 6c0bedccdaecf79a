//! What light meets in worlds of the LDtk editor, by [`bevy_ecs_ldtk`].

use bevy::prelude::*;
use bevy_ecs_ldtk::prelude::{IntGridCell, LayerMetadata, TileEnumTags};
use bevy_ecs_tilemap::prelude::TilemapId;
use lanternfell_lightgrid::Cell;
use serde::{Deserialize, Serialize};

use super::{LightTile, dress_tile};

/// On an LDtk world's entity: which of its tiles are what to light. They get a [`LightTile`] each.
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
///     // Value 1 of each IntGrid layer is a wall, and tiles that are tagged as glass are that.
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
    /// Which tiles, and what they are to light. Of those that a tile is the first counts; others let all pass.
    pub tiles: Vec<(LdtkTile, Cell)>,
}

/// Some of an LDtk world's tiles.
#[derive(Reflect, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Debug, Clone, PartialEq)]
pub enum LdtkTile {
    /// Those with this value of an IntGrid layer.
    IntGrid {
        /// The layer's name; none for all such layers.
        layer: Option<String>,
        /// As it stands in the editor, 1 or more.
        value: i32,
    },
    /// Those of which the picture has this tag in its tile set.
    EnumTag(String),
}

impl LdtkLight {
    /// Nothing stands in light's way yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// And those with this value of any IntGrid layer are such a cell.
    #[must_use]
    pub fn int_grid(self, value: i32, cell: Cell) -> Self {
        self.with(LdtkTile::IntGrid { layer: None, value }, cell)
    }

    /// And those with this value of the layer of this name.
    #[must_use]
    pub fn int_grid_of(self, layer: &str, value: i32, cell: Cell) -> Self {
        let layer = Some(layer.to_owned());
        self.with(LdtkTile::IntGrid { layer, value }, cell)
    }

    /// And those of which the picture has this tag.
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

/// What the editor says of a tile.
#[derive(bevy::ecs::query::QueryData)]
pub(super) struct Tile {
    entity: Entity,
    tilemap: &'static TilemapId,
    value: Option<&'static IntGridCell>,
    tags: Option<&'static TileEnumTags>,
    lit: Option<&'static LightTile>,
}

type Said = Or<(With<IntGridCell>, With<TileEnumTags>)>;
type SaidAnew = Or<(Changed<IntGridCell>, Changed<TileEnumTags>)>;

pub(super) fn plugin(app: &mut App) {
    app.register_type::<LdtkLight>();
}

/// Gives tiles what the rules of their world say.
pub(super) fn dress(
    mut commands: Commands,
    worlds: Query<Ref<LdtkLight>>,
    layers: Query<&LayerMetadata>,
    parents: Query<&ChildOf>,
    new_tiles: Query<Tile, SaidAnew>,
    all_tiles: Query<Tile, Said>,
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
