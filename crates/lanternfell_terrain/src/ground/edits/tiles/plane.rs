//! The edits of an endless plane, and those of its regions.

use std::sync::Arc;

use bevy::math::I64Vec2;
use lanternfell_edits::{BaseHeights, CellRect, Edits, ModifiedTiles, TILE_SIDE, TileAddress};
use lanternfell_heightmap::Progress;

use super::{
    Tiles,
    modified::{Modified, Over, Shapes, StrokeTiles, stroke_tiles},
};
use crate::{
    cells::CellArea,
    ground::{edits::EditablePlane, modifiers::TerrainModifiers},
};

/// The edits of a plane at one moment: the tiles of its strokes and the modifiers over them. Cheap to clone.
#[derive(Clone)]
pub(crate) struct PlaneTiles(Arc<Modified>);

/// The work that makes [`PlaneTiles`].
pub(crate) struct PlaneWork {
    strokes: Tiles,
    shapes: Shapes,
    /// The plane without modifiers.
    none: ModifiedTiles,
    known: Option<Arc<Modified>>,
}

impl PlaneWork {
    /// `shown` are edits on the same base.
    pub(crate) fn new(
        edits: &Edits,
        modifiers: Option<&TerrainModifiers>,
        plane: EditablePlane,
        shown: Option<&PlaneTiles>,
    ) -> Self {
        let shapes = modifiers.map(|modifiers| modifiers.shapes.clone());
        let known = shown.map(|PlaneTiles(shown)| shown.clone());
        Self {
            strokes: stroke_tiles(edits),
            shapes: Shapes::new(shapes.unwrap_or_default(), known.as_ref()),
            none: ModifiedTiles::of_plane(plane.spacing),
            known,
        }
    }

    pub(crate) fn has_modifiers(&self) -> bool {
        !self.shapes.are_none()
    }

    /// Finds the heights of all paths. `base` is the source.
    pub(crate) async fn make(self, base: &dyn BaseHeights) -> PlaneTiles {
        let (known, progress) = (self.known.as_ref(), Progress::default());
        let made = self
            .shapes
            .over(self.strokes, self.none, base, known, &progress);
        PlaneTiles(Arc::new(made.await.expect("nobody cancels the progress")))
    }

    /// The strokes without modifiers.
    pub(crate) fn make_now(self) -> PlaneTiles {
        PlaneTiles(Arc::new(Modified::of_strokes(self.strokes, self.none)))
    }
}

impl PlaneTiles {
    /// Those of an area whose first column and row are multiples of the side of a tile. The first tile of the area gets
    /// the column and row 0.
    pub(in crate::ground) fn within(&self, area: &CellArea) -> StrokeTiles {
        let side = TILE_SIDE as i64;
        debug_assert_eq!(area.min % side, I64Vec2::ZERO);
        let (first, last) = (area.min / side, area.max.div_euclid(I64Vec2::splat(side)));
        let is_inside = |tile: &TileAddress| {
            (first.x..=last.x).contains(&tile.column) && (first.y..=last.y).contains(&tile.row)
        };
        let strokes = self.0.strokes.iter();
        let strokes = strokes.filter(|(address, _)| is_inside(address));
        let strokes = strokes.map(|(address, tile)| {
            let (column, row) = (address.column - first.x, address.row - first.y);
            (TileAddress::new(address.channel, column, row), tile.clone())
        });
        let cells = area.cells();
        let area = CellRect::new(area.min.x, area.min.y, cells.x as u32, cells.y as u32);
        let is_modified = self.0.modifiers.addresses(area).next().is_some();
        StrokeTiles {
            strokes: strokes.collect(),
            over: match is_modified {
                true => Over::Plane(self.0.clone(), area),
                false => Over::Shapes(Shapes::default()),
            },
        }
    }
}

impl StrokeTiles {
    pub(in crate::ground) fn is_empty(&self) -> bool {
        self.strokes.is_empty() && matches!(self.over, Over::Shapes(_))
    }

    /// Whether both have the same tiles in the same area of a plane.
    pub(in crate::ground) fn are(&self, other: &Self) -> bool {
        let pairs = self.strokes.iter().zip(other.strokes.iter());
        let are_strokes = self.strokes.len() == other.strokes.len()
            && pairs
                .into_iter()
                .all(|((a, tile), (b, other))| a == b && Arc::ptr_eq(tile, other));
        are_strokes
            && match (&self.over, &other.over) {
                (Over::Plane(new, area), Over::Plane(old, _)) => {
                    let [tiles, olds] = [new, old].map(|all| all.modifiers.addresses(*area));
                    let is_alike = |address| new.modifiers.is_alike(address, &old.modifiers);
                    tiles
                        .map(|tile| (tile, is_alike(tile)))
                        .eq(olds.map(|tile| (tile, true)))
                }
                (Over::Shapes(_), Over::Shapes(_)) => true,
                _ => false,
            }
    }
}
