//! Applies the modifiers of a terrain over the tiles of its strokes.
//!
//! A map gets its modifiers in the task that generates or updates it. On an endless terrain, a path can cross several
//! regions. So one task finds the heights of all paths on the plane, and each region only computes its own tiles:
//!
//! ```text
//!   map:    strokes, shapes ──────────────── Modified ──> tiles of the map
//!   plane:  strokes, shapes ── PlaneTiles ── Modified ─┬> tiles of region 1
//!                                                      └> tiles of region 2
//! ```

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use bevy::log::warn;
use lanternfell_edits::{
    BaseHeights, CellRect, Edits, MapBase, MapGrid, ModifiedTiles, Modifier, StampImage, Tile,
    TileAddress,
};
use lanternfell_heightmap::{Canceled, Progress, Recipe, RecipeError};
use lanternfell_tasks::pause;

use super::{EditTiles, Tiles, find};
use crate::ground::modifiers::{PlacedShape, Shape};

/// The tiles of strokes on a map or on a plane, and the modifiers over them.
#[derive(Debug)]
pub(super) struct Modified {
    pub(super) strokes: Tiles,
    pub(super) modifiers: ModifiedTiles,
    images: Arc<[RecipeImage]>,
}

/// The image of a stamp, or `None` if its recipe could not be generated.
type RecipeImage = (Box<Recipe>, Option<StampImage>);

/// The tiles of the strokes on a map at one moment, and the modifiers whose tiles are not computed yet. Cheap to create.
#[derive(Clone)]
pub(in crate::ground) struct StrokeTiles {
    pub(super) strokes: Tiles,
    pub(super) over: Over,
}

/// Modifiers over strokes.
#[derive(Clone)]
pub(super) enum Over {
    Shapes(Shapes),
    /// Those of a plane, and the cells of the map there.
    Plane(Arc<Modified>, CellRect),
}

/// Modifiers that are not applied yet.
#[derive(Clone, Default)]
pub(super) struct Shapes {
    shapes: Arc<[PlacedShape]>,
    /// The images that are known.
    images: Arc<[RecipeImage]>,
}

impl Shapes {
    /// `known` is what the same terrain had before, whose images are used again.
    pub(super) fn new(shapes: Arc<[PlacedShape]>, known: Option<&Arc<Modified>>) -> Self {
        let images = known.map_or_else(Arc::default, |known| known.images.clone());
        Self { shapes, images }
    }

    pub(super) fn are_none(&self) -> bool {
        self.shapes.is_empty()
    }

    /// Whether recipes of stamps have to be generated, which can take long.
    fn needs_images(&self) -> bool {
        self.shapes.iter().any(|placed| match &placed.shape {
            Shape::Ready(_) => false,
            Shape::Recipe(_, recipe) => !self.images.iter().any(|(of, _)| of == recipe),
        })
    }

    /// Applies the modifiers over strokes, to tiles without any. Reuses what is unchanged since `known`, which must have the
    /// same base.
    pub(super) async fn over(
        mut self,
        strokes: Tiles,
        mut modifiers: ModifiedTiles,
        base: &dyn BaseHeights,
        known: Option<&Arc<Modified>>,
        progress: &Progress,
    ) -> Result<Modified, Canceled> {
        let [making, applying] = [(0.0, 0.7), (0.7, 1.0)].map(|(from, to)| progress.span(from, to));
        self.make_images(&making).await?;
        let known = known.map(|known| &known.modifiers);
        let stroke = |address| find(&strokes, address).cloned();
        for (index, placed) in self.shapes.iter().enumerate() {
            applying.step(index, self.shapes.len())?;
            pause().await;
            if let Some(modifier) = self.modifier(&placed.shape) {
                modifiers.set_origin(placed.origin.to_array());
                modifiers.add(&modifier, (base, &stroke), known, &applying)?;
            }
        }
        Ok(Modified {
            strokes,
            modifiers,
            images: self.images,
        })
    }

    /// Generates the images that are not known, and forgets those that are not used.
    async fn make_images(&mut self, progress: &Progress) -> Result<(), Canceled> {
        let mut images: Vec<RecipeImage> = Vec::new();
        let count = self.shapes.len() as f32;
        for (index, placed) in self.shapes.iter().enumerate() {
            let Shape::Recipe(_, recipe) = &placed.shape else {
                continue;
            };
            if images.iter().any(|(of, _)| of == recipe) {
                continue;
            }
            let known = self.images.iter().find(|(of, _)| of == recipe);
            images.push(match known {
                Some(known) => known.clone(),
                None => {
                    pause().await;
                    let from = index as f32 / count;
                    let part = progress.span(from, from + 1.0 / count);
                    (recipe.clone(), image_of(recipe, &part)?)
                }
            });
        }
        self.images = images.into();
        Ok(())
    }

    /// Returns the modifier of a shape with its image.
    fn modifier<'a>(&self, shape: &'a Shape) -> Option<Cow<'a, Modifier>> {
        let (modifier, recipe) = match shape {
            Shape::Ready(modifier) => return Some(Cow::Borrowed(modifier)),
            Shape::Recipe(modifier, recipe) => (modifier, recipe),
        };
        let (_, image) = self.images.iter().find(|(of, _)| of == recipe)?;
        let mut modifier = modifier.clone();
        if let Modifier::Stamp(stamp) = &mut modifier {
            stamp.image = image.clone()?;
        }
        Some(Cow::Owned(modifier))
    }
}

/// All tiles of the strokes, in the order of their addresses.
pub(super) fn stroke_tiles(edits: &Edits) -> Tiles {
    let tiles = edits.tiles();
    let mut tiles: Vec<_> = tiles
        .map(|(address, tile)| (address, tile.clone()))
        .collect();
    tiles.sort_unstable_by_key(|(address, _)| *address);
    tiles.into()
}

impl StrokeTiles {
    /// `shown` are edits of the same terrain.
    pub(in crate::ground::edits) fn of(
        edits: &Edits,
        shapes: Arc<[PlacedShape]>,
        shown: Option<&EditTiles>,
    ) -> Self {
        let known = shown.and_then(|shown| shown.modified.as_ref());
        Self {
            strokes: stroke_tiles(edits),
            over: Over::Shapes(Shapes::new(shapes, known)),
        }
    }

    pub(in crate::ground) fn needs_images(&self) -> bool {
        match &self.over {
            Over::Shapes(shapes) => shapes.needs_images(),
            Over::Plane(..) => false,
        }
    }

    /// Applies the modifiers. Reuses what is unchanged since `before`, which must have the same base.
    pub(in crate::ground) async fn modified(
        self,
        before: &EditTiles,
        base: &MapBase,
        grid: MapGrid,
        progress: &Progress,
    ) -> Result<EditTiles, Canceled> {
        let [applying, tiling] = [(0.0, 0.7), (0.7, 1.0)].map(|(from, to)| progress.span(from, to));
        let (modified, area) = match self.over {
            Over::Shapes(shapes) if shapes.are_none() => {
                return Ok(EditTiles {
                    tiles: self.strokes,
                    modified: None,
                });
            }
            Over::Shapes(shapes) => {
                let strokes = self.strokes.clone();
                let known = before.modified.as_ref();
                let modified =
                    shapes.over(strokes, ModifiedTiles::new(grid), base, known, &applying);
                let area = CellRect::new(0, 0, grid.columns, grid.rows);
                (Arc::new(modified.await?), area)
            }
            Over::Plane(modified, area) => (modified, area),
        };
        let part = PartOfPlane { base, area };
        let tiles = modified.tiles(self.strokes, part, before, &tiling).await?;
        Ok(EditTiles {
            tiles,
            modified: Some(modified),
        })
    }
}

/// A map as the base of a plane, on which it covers an area.
struct PartOfPlane<'a> {
    base: &'a MapBase,
    area: CellRect,
}

impl PartOfPlane<'_> {
    /// The address of a tile of the plane on the map.
    fn own(&self, address: TileAddress) -> TileAddress {
        let first = TileAddress::of_cell(address.channel, self.area.column, self.area.row);
        let (column, row) = (address.column - first.column, address.row - first.row);
        TileAddress::new(address.channel, column, row)
    }
}

impl BaseHeights for PartOfPlane<'_> {
    fn heights_mm(&self, area: CellRect, heights: &mut [i32]) {
        let (column, row) = (area.column - self.area.column, area.row - self.area.row);
        let area = CellRect {
            column,
            row,
            ..area
        };
        self.base.heights_mm(area, heights);
    }
}

impl Modified {
    pub(super) fn of_strokes(strokes: Tiles, modifiers: ModifiedTiles) -> Self {
        Self {
            strokes,
            modifiers,
            images: Arc::default(),
        }
    }

    /// Returns the tiles of a map with these strokes.
    async fn tiles(
        &self,
        strokes: Tiles,
        map: PartOfPlane<'_>,
        before: &EditTiles,
        progress: &Progress,
    ) -> Result<Tiles, Canceled> {
        let mut tiles: BTreeMap<_, _> = strokes.iter().cloned().collect();
        let stroke = |address| find(&self.strokes, address).cloned();
        for address in self.modifiers.addresses(map.area) {
            let own = map.own(address);
            let old = find(&before.tiles, own);
            let known = before.modified.as_ref();
            let tile = match known.is_some_and(|known| self.is_alike(address, known)) {
                true => old.cloned(),
                false => {
                    progress.check()?;
                    pause().await;
                    let made = self.modifiers.tile(address, &map, &stroke);
                    made.map(|made| kept_if_equal(made, old))
                }
            };
            match tile {
                Some(tile) => tiles.insert(own, tile),
                None => tiles.remove(&own),
            };
        }
        Ok(tiles.into_iter().collect())
    }

    /// Whether a tile has the same strokes and modifiers as before.
    fn is_alike(&self, address: TileAddress, before: &Self) -> bool {
        let strokes = [&self.strokes, &before.strokes];
        let [new, old] = strokes.map(|tiles| find(tiles, address).map(Arc::as_ptr));
        new == old && self.modifiers.is_alike(address, &before.modifiers)
    }
}

/// Equal tiles stay the same one, so that they are not compared again.
fn kept_if_equal(made: Arc<Tile>, old: Option<&Arc<Tile>>) -> Arc<Tile> {
    match old {
        Some(old) if **old == *made => old.clone(),
        _ => made,
    }
}

/// Generates the image of a stamp. If that is not possible, logs a warning and returns `None`.
fn image_of(recipe: &Recipe, progress: &Progress) -> Result<Option<StampImage>, Canceled> {
    let map = match recipe.generate(progress) {
        Err(RecipeError::Canceled(canceled)) => return Err(canceled),
        map => map.map_err(|error| error.to_string()),
    };
    let image = map.and_then(|map| {
        let image = StampImage::from_map(&map, recipe.scale().relief);
        image.map_err(|error| error.to_string())
    });
    Ok(image
        .inspect_err(|error| warn!("a TerrainStamp has no effect: {error}"))
        .ok())
}
