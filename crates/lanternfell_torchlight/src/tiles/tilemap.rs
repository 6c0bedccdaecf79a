//! A tile map with its placement in the world.

use bevy::{ecs::query::QueryData, math::Affine3A, prelude::*};
use bevy_ecs_tilemap::prelude::{
    TilePos, TileStorage, TilemapAnchor, TilemapGridSize, TilemapSize, TilemapTileSize, TilemapType,
};

use crate::position::InTorchlightMap;

#[derive(QueryData)]
pub(super) struct TilemapData {
    pub(super) entity: Entity,
    size: &'static TilemapSize,
    grid_size: &'static TilemapGridSize,
    tile_size: &'static TilemapTileSize,
    kind: &'static TilemapType,
    anchor: Option<&'static TilemapAnchor>,
    pub(super) storage: Ref<'static, TileStorage>,
    pub(super) of: Option<&'static InTorchlightMap>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tilemap {
    pub(super) entity: Entity,
    pub(super) size: TilemapSize,
    pub(super) grid_size: TilemapGridSize,
    pub(super) kind: TilemapType,
    tile_size: TilemapTileSize,
    anchor: TilemapAnchor,
    pub(super) to_world: Affine3A,
    pub(super) to_local: Affine3A,
}

impl Tilemap {
    /// Returns `None` if the tile map has no extent.
    pub(super) fn new(data: &TilemapDataItem, place: &GlobalTransform) -> Option<Self> {
        let to_world = place.affine();
        let (size, grid) = (*data.size, *data.grid_size);
        let is_flat = !to_world.is_finite() || to_world.matrix3.determinant() == 0.0;
        // Negated, so that NaN is rejected too.
        if is_flat || size.count() == 0 || !(grid.x > 0.0 && grid.y > 0.0) {
            return None;
        }
        let tilemap = Self {
            entity: data.entity,
            size,
            grid_size: grid,
            kind: *data.kind,
            tile_size: *data.tile_size,
            anchor: data.anchor.copied().unwrap_or_default(),
            to_world,
            to_local: to_world.inverse(),
        };
        // The anchor and the tile size may be NaN too.
        tilemap
            .middle(TilePos::new(0, 0))
            .is_finite()
            .then_some(tilemap)
    }

    pub(super) fn z(&self) -> f32 {
        self.to_world.translation.z
    }

    /// The center of a tile in the frame of the tile map.
    pub(super) fn middle(&self, tile: TilePos) -> Vec2 {
        tile.center_in_world(
            &self.size,
            &self.grid_size,
            &self.tile_size,
            &self.kind,
            &self.anchor,
        )
    }

    /// The tile position at a world position, if it is on the tile map.
    pub(super) fn tile_at(&self, place: Vec3) -> Option<TilePos> {
        let local = self.to_local.transform_point3(place).truncate();
        TilePos::from_world_pos(
            &local,
            &self.size,
            &self.grid_size,
            &self.tile_size,
            &self.kind,
            &self.anchor,
        )
    }

    /// The corners in world space of a rectangle that encloses a tile of any shape.
    pub(super) fn corners(&self, tile: TilePos) -> [Vec3; 4] {
        let (middle, half) = (self.middle(tile), 0.5 * Vec2::from(self.grid_size));
        [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)].map(|corner| {
            let corner = middle + half * Vec2::from(corner);
            self.to_world.transform_point3(corner.extend(0.0))
        })
    }

    /// All tiles along the border.
    pub(super) fn border(&self) -> impl Iterator<Item = TilePos> {
        let (last_x, last_y) = (self.size.x - 1, self.size.y - 1);
        let rows = (0..=last_x).flat_map(move |x| [TilePos::new(x, 0), TilePos::new(x, last_y)]);
        let columns = (0..=last_y).flat_map(move |y| [TilePos::new(0, y), TilePos::new(last_x, y)]);
        rows.chain(columns)
    }

    /// Positions in the frame of the tile map that determine its placement: the outer corners of its corner tiles.
    fn outline(&self) -> [Vec3; 4] {
        let half = 0.5 * Vec2::from(self.grid_size);
        let last = Vec2::new(self.size.x as f32 - 1.0, self.size.y as f32 - 1.0);
        [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].map(|corner| {
            let corner = Vec2::from(corner);
            let tile = (corner * last).as_uvec2();
            let middle = self.middle(TilePos::new(tile.x, tile.y));
            (middle + (2.0 * corner - 1.0) * half).extend(0.0)
        })
    }

    /// From the frame of this tile map to that of another.
    pub(super) fn to_that_of(self, other: &Self) -> Affine3A {
        other.to_local * self.to_world
    }

    /// Whether both are equal except for their placement.
    fn is_same_elsewhere(&self, other: &Self) -> bool {
        let Self {
            to_world, to_local, ..
        } = *other;
        let there = Self {
            to_world,
            to_local,
            ..*self
        };
        there == *other
    }
}

/// How far tile maps may shift relative to each other and still count as aligned: this fraction of a tile along x and
/// y, and this many units along z. Lookups happen at the centers of tiles, and moving together does not change all
/// transforms by exactly the same amount.
const NUDGE: f32 = 1e-3;

/// Whether both lists contain the same tile maps with the same relative placement, regardless of where they are
/// together.
pub(super) fn lie_alike(those: &[Tilemap], these: &[Tilemap]) -> bool {
    let (Some(that_first), Some(this_first)) = (those.first(), these.first()) else {
        return those.is_empty() && these.is_empty();
    };
    let tile = Vec2::from(this_first.grid_size).extend(1.0);
    let mut both = those.iter().zip(these);
    those.len() == these.len()
        && both.all(|(that, this)| {
            let (before, now) = (that.to_that_of(that_first), this.to_that_of(this_first));
            let lies_there = |corner: Vec3| {
                let moved = now.transform_point3(corner) - before.transform_point3(corner);
                // Written so that NaN counts as moved.
                moved.abs().cmplt(NUDGE * tile).all()
            };
            that.is_same_elsewhere(this) && this.outline().into_iter().all(lies_there)
        })
}
