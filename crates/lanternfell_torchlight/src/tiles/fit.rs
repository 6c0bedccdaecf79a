//! The placement of a light map whose cells are tiles.
//!
//! Tiles are on a lattice, as cells are. However, their rows start at the bottom or are columns, and either the even or
//! the odd rows of hexagons are shifted. The centers of all tiles along the borders, in units of the light map's
//! lattice, determine the number of cells and the position of the first cell.

use std::f32::consts::FRAC_PI_2;

use bevy::{
    math::{Affine2, Affine3A},
    prelude::*,
};
use bevy_ecs_tilemap::prelude::{HexCoordSystem, TilemapType};
use lanternfell_lightgrid::hexagonal::ROW_HEIGHT;

use super::tilemap::Tilemap;
use crate::frame::{Lattice, LightLayout};

/// The properties of a light map that covers tile maps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fit {
    pub(super) size: UVec2,
    pub(super) cell_size: f32,
    pub(super) layout: LightLayout,
    pub(super) is_hexagonal: bool,
    /// The place in the frame of the first tile map.
    in_first: Affine3A,
}

/// The lattice of a tile map.
struct Tiling {
    lattice: Lattice,
    /// The size of one unit of the lattice's plane (one cell width) in the frame of the tile map, along x and y.
    units: Vec2,
    /// Whether the rows of the lattice are columns of the tile map, from bottom to top, the first in the west.
    is_turned: bool,
}

impl Fit {
    /// Covers all of these tile maps. The cells are the tiles of the first one. `None` if there are no tile maps.
    pub(super) fn over(tilemaps: &[Tilemap]) -> Option<Self> {
        let first = tilemaps.first()?;
        let tiling = Tiling::of(first);
        let to_local = tiling.to_local();
        let from_local = to_local.inverse();
        // The outermost tiles in any direction are on a border, even if a tile map is rotated.
        let middles = tilemaps.iter().flat_map(|tilemap| {
            let to_first = tilemap.to_that_of(first);
            let middles = tilemap
                .border()
                .map(|tile| tilemap.middle(tile).extend(0.0));
            middles.map(move |middle| to_first.transform_point3(middle).truncate())
        });
        let middles: Vec<Vec2> = middles
            .map(|middle| from_local.transform_point2(middle))
            .collect();
        let (size, place) = span(tiling.lattice, &middles);
        // Above all tile maps.
        let heights = tilemaps.iter().map(|tilemap| {
            let origin = tilemap.to_world.translation.into();
            first.to_local.transform_point3(origin).z
        });
        let height = heights.fold(0.0, f32::max);
        let middle = to_local.transform_point2(place);
        let transform = Transform::from_translation(middle.extend(height))
            .with_rotation(Quat::from_rotation_z(tiling.angle()))
            // A light map has one cell size. Tiles whose width and height differ need a scale.
            .with_scale(Vec3::new(1.0, tiling.units.y / tiling.units.x, 1.0));
        Some(Self {
            size,
            cell_size: tiling.units.x,
            layout: match tiling.lattice {
                Lattice::Diamonds { height } => LightLayout::Diamonds { height },
                Lattice::Squares | Lattice::Hexagons => LightLayout::Rows,
            },
            is_hexagonal: tiling.lattice == Lattice::Hexagons,
            in_first: transform.compute_affine(),
        })
    }

    /// The place in the world, if the first tile map is at this place.
    pub(super) fn place(&self, first: &Tilemap) -> GlobalTransform {
        GlobalTransform::from(first.to_world * self.in_first)
    }
}

impl Tiling {
    fn of(tilemap: &Tilemap) -> Self {
        let grid = Vec2::from(tilemap.grid_size);
        match tilemap.kind {
            TilemapType::Square => Self {
                lattice: Lattice::Squares,
                units: grid,
                is_turned: false,
            },
            TilemapType::Isometric(_) => Self {
                lattice: Lattice::Diamonds {
                    height: grid.y / grid.x,
                },
                units: Vec2::splat(grid.x),
                is_turned: false,
            },
            TilemapType::Hexagon(system) => {
                let is_turned = matches!(
                    system,
                    HexCoordSystem::Column | HexCoordSystem::ColumnEven | HexCoordSystem::ColumnOdd
                );
                let (along, across) = if is_turned {
                    (grid.y, grid.x)
                } else {
                    (grid.x, grid.y)
                };
                Self {
                    lattice: Lattice::Hexagons,
                    // The distance between rows is three quarters of a hexagon.
                    units: Vec2::new(along, 0.75 * across / ROW_HEIGHT),
                    is_turned,
                }
            }
        }
    }

    fn angle(&self) -> f32 {
        if self.is_turned { FRAC_PI_2 } else { 0.0 }
    }

    /// From the lattice's plane, with y to the south, to the frame of the tile map.
    fn to_local(&self) -> Affine2 {
        let down = self.units * Vec2::new(1.0, -1.0);
        Affine2::from_scale_angle_translation(down, self.angle(), Vec2::ZERO)
    }
}

/// The number of cells that cover all of these tile centers, and the center of the cells on the lattice's plane.
fn span(lattice: Lattice, middles: &[Vec2]) -> (UVec2, Vec2) {
    let north = middles
        .iter()
        .map(|middle| middle.y)
        .fold(f32::INFINITY, f32::min);
    // In cells. The origin does not matter, because only differences are used.
    let cell = |middle: &Vec2| match lattice {
        Lattice::Squares => *middle,
        Lattice::Diamonds { height } => {
            let down = middle.y / height;
            Vec2::new(down + middle.x, down - middle.x)
        }
        Lattice::Hexagons => {
            // Rows count from the northernmost one, which determines which rows are shifted.
            let row = ((middle.y - north) / ROW_HEIGHT).round();
            Vec2::new(middle.x - 0.5 * row.rem_euclid(2.0), row)
        }
    };
    let cells = || middles.iter().map(cell);
    let low = cells().fold(Vec2::INFINITY, Vec2::min);
    let high = cells().fold(Vec2::NEG_INFINITY, Vec2::max);
    let size = (high - low).round().as_uvec2() + 1;
    let first = match lattice {
        Lattice::Squares => low,
        Lattice::Diamonds { height } => 0.5 * Vec2::new(low.x - low.y, (low.x + low.y) * height),
        Lattice::Hexagons => Vec2::new(low.x, north),
    };
    // `place` is relative to the center of the map, so this is the position of that center.
    (size, first - lattice.place(Vec2::ZERO, size))
}
