//! Where a light map lies so that each of its cells is a tile.
//!
//! Tiles lie on a lattice as cells do, but their rows begin at the bottom, or are columns, and the shifted ones of
//! hexagons are even or odd. What the middles of all tiles along the borders are in the units of the light map's
//! lattice says how many cells it must have, and where its first one is.

use std::f32::consts::FRAC_PI_2;

use bevy::{
    math::{Affine2, Affine3A},
    prelude::*,
};
use bevy_ecs_tilemap::prelude::{HexCoordSystem, TilemapType};
use lanternfell_lightgrid::hexagonal::ROW_HEIGHT;

use super::tilemap::Tilemap;
use crate::frame::{Lattice, LightLayout};

/// What a light map is like that lies over tile maps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fit {
    pub(super) size: UVec2,
    pub(super) cell_size: f32,
    pub(super) layout: LightLayout,
    pub(super) is_hexagonal: bool,
    /// Where it lies, in the frame of the first tile map.
    in_first: Affine3A,
}

/// The lattice of a tile map's tiles.
struct Tiling {
    lattice: Lattice,
    /// Units of the tile map's own frame for one of the lattice's plane, in which a cell is one wide, along x and y.
    units: Vec2,
    /// Whether its rows are columns, from the bottom to the top, the first in the west.
    is_turned: bool,
}

impl Fit {
    /// Over all of these, with cells as the first has tiles; `None` where there is none.
    pub(super) fn over(tilemaps: &[Tilemap]) -> Option<Self> {
        let first = tilemaps.first()?;
        let tiling = Tiling::of(first);
        let to_local = tiling.to_local();
        let from_local = to_local.inverse();
        // The outermost tiles in any direction are on a border, also where a tile map is turned.
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
        // Above all of them.
        let heights = tilemaps.iter().map(|tilemap| {
            let origin = tilemap.to_world.translation.into();
            first.to_local.transform_point3(origin).z
        });
        let height = heights.fold(0.0, f32::max);
        let middle = to_local.transform_point2(place);
        let transform = Transform::from_translation(middle.extend(height))
            .with_rotation(Quat::from_rotation_z(tiling.angle()))
            // A light map has one cell size, so tiles that are not as high as wide need a scale.
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

    /// Where it lies, with the first tile map here.
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
                    // Rows are three quarters of a hexagon apart.
                    units: Vec2::new(along, 0.75 * across / ROW_HEIGHT),
                    is_turned,
                }
            }
        }
    }

    fn angle(&self) -> f32 {
        if self.is_turned { FRAC_PI_2 } else { 0.0 }
    }

    /// From the lattice's plane, where y goes south, to the tile map's own frame.
    fn to_local(&self) -> Affine2 {
        let down = self.units * Vec2::new(1.0, -1.0);
        Affine2::from_scale_angle_translation(down, self.angle(), Vec2::ZERO)
    }
}

/// How many cells there must be for all of these middles, and where the middle of them all is: on the lattice's plane.
fn span(lattice: Lattice, middles: &[Vec2]) -> (UVec2, Vec2) {
    let north = middles
        .iter()
        .map(|middle| middle.y)
        .fold(f32::INFINITY, f32::min);
    // In cells, counted from any place, since only differences matter.
    let cell = |middle: &Vec2| match lattice {
        Lattice::Squares => *middle,
        Lattice::Diamonds { height } => {
            let down = middle.y / height;
            Vec2::new(down + middle.x, down - middle.x)
        }
        Lattice::Hexagons => {
            // Rows count from the northernmost one, which decides which of them are shifted.
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
    // `place` counts from the map's middle, so this is where that is.
    (size, first - lattice.place(Vec2::ZERO, size))
}
