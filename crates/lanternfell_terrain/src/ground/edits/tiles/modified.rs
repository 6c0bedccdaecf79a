//! Applies the modifiers of a terrain over the tiles of its strokes.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use bevy::{log::warn, math::I64Vec2};
use lanternfell_edits::{
    Edits, MapBase, MapGrid, ModifiedTiles, Modifier, StampImage, TILE_SIDE, Tile, TileAddress,
};
use lanternfell_heightmap::{Canceled, Progress, Recipe, RecipeError};
use lanternfell_tasks::pause;

use super::{EditTiles, Tiles, find};
use crate::{cells::CellArea, ground::modifiers::Shape};

/// The tiles of strokes, and the modifiers over them.
#[derive(Debug)]
pub(super) struct Modified {
    strokes: Tiles,
    modifiers: ModifiedTiles,
    images: Arc<[RecipeImage]>,
}

/// The image of a stamp, or `None` if its recipe could not be generated.
type RecipeImage = (Box<Recipe>, Option<StampImage>);

/// The tiles of the strokes at one moment, and the modifiers that are not applied yet. Cheap to create.
#[derive(Clone)]
pub(in crate::ground) struct StrokeTiles {
    strokes: Tiles,
    shapes: Arc<[Shape]>,
    /// The images that are known.
    images: Arc<[RecipeImage]>,
}

impl StrokeTiles {
    /// `shown` are edits of the same terrain, whose images are used again.
    pub(in crate::ground::edits) fn of(
        edits: &Edits,
        shapes: Arc<[Shape]>,
        shown: Option<&EditTiles>,
    ) -> Self {
        let mut tiles: Vec<_> = edits
            .tiles()
            .map(|(address, tile)| (address, tile.clone()))
            .collect();
        tiles.sort_unstable_by_key(|(address, _)| *address);
        let modified = shown.and_then(|shown| shown.modified.as_ref());
        Self {
            strokes: tiles.into(),
            shapes,
            images: modified.map_or_else(Arc::default, |modified| modified.images.clone()),
        }
    }

    /// The tiles in an area whose first column and row are multiples of the side of a tile, without modifiers. The first
    /// tile of the area gets the column and row 0.
    pub(in crate::ground::edits) fn within(edits: &Edits, area: &CellArea) -> Self {
        let side = TILE_SIDE as i64;
        debug_assert_eq!(area.min % side, I64Vec2::ZERO);
        let (first, last) = (area.min / side, area.max.div_euclid(I64Vec2::splat(side)));
        let is_inside = |tile: &TileAddress| {
            (first.x..=last.x).contains(&tile.column) && (first.y..=last.y).contains(&tile.row)
        };
        let mut tiles: Vec<_> = edits
            .tiles()
            .filter(|(address, _)| is_inside(address))
            .map(|(address, tile)| {
                let (column, row) = (address.column - first.x, address.row - first.y);
                (TileAddress::new(address.channel, column, row), tile.clone())
            })
            .collect();
        tiles.sort_unstable_by_key(|(address, _)| *address);
        Self {
            strokes: tiles.into(),
            shapes: Arc::default(),
            images: Arc::default(),
        }
    }

    pub(in crate::ground::edits) fn is_empty(&self) -> bool {
        self.strokes.is_empty()
    }

    /// Whether both have the same tiles and no modifiers.
    pub(in crate::ground::edits) fn are(&self, other: &Self) -> bool {
        let pairs = self.strokes.iter().zip(other.strokes.iter());
        self.strokes.len() == other.strokes.len()
            && pairs
                .into_iter()
                .all(|((a, tile), (b, other))| a == b && Arc::ptr_eq(tile, other))
    }

    /// Whether recipes of stamps have to be generated, which can take long.
    pub(in crate::ground) fn needs_images(&self) -> bool {
        self.shapes.iter().any(|shape| match shape {
            Shape::Ready(_) => false,
            Shape::Recipe(_, recipe) => !self.images.iter().any(|(of, _)| of == recipe),
        })
    }

    /// Applies the modifiers. Reuses what is unchanged since `before`, which must have the same base.
    pub(in crate::ground) async fn modified(
        mut self,
        before: &EditTiles,
        base: &MapBase,
        grid: MapGrid,
        progress: &Progress,
    ) -> Result<EditTiles, Canceled> {
        if self.shapes.is_empty() {
            return Ok(EditTiles {
                tiles: self.strokes,
                modified: None,
            });
        }
        let [making, applying, tiling] =
            [(0.0, 0.5), (0.5, 0.7), (0.7, 1.0)].map(|(from, to)| progress.span(from, to));
        self.make_images(&making).await?;
        let modifiers = self.apply(before, base, grid, &applying).await?;
        let tiles = self.tiles(&modifiers, before, base, &tiling).await?;
        Ok(EditTiles {
            tiles,
            modified: Some(Arc::new(Modified {
                strokes: self.strokes,
                modifiers,
                images: self.images,
            })),
        })
    }

    /// Generates the images that are not known, and forgets those that are not used.
    async fn make_images(&mut self, progress: &Progress) -> Result<(), Canceled> {
        let mut images: Vec<RecipeImage> = Vec::new();
        let count = self.shapes.len() as f32;
        for (index, shape) in self.shapes.iter().enumerate() {
            let Shape::Recipe(_, recipe) = shape else {
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

    async fn apply(
        &self,
        before: &EditTiles,
        base: &MapBase,
        grid: MapGrid,
        progress: &Progress,
    ) -> Result<ModifiedTiles, Canceled> {
        let known = before.modified.as_ref().map(|known| &known.modifiers);
        let stroke = |address| find(&self.strokes, address).cloned();
        let mut modifiers = ModifiedTiles::new(grid);
        for (index, shape) in self.shapes.iter().enumerate() {
            progress.step(index, self.shapes.len())?;
            pause().await;
            if let Some(modifier) = self.modifier(shape) {
                modifiers.add(&modifier, (base, &stroke), known, progress)?;
            }
        }
        Ok(modifiers)
    }

    async fn tiles(
        &self,
        modifiers: &ModifiedTiles,
        before: &EditTiles,
        base: &MapBase,
        progress: &Progress,
    ) -> Result<Tiles, Canceled> {
        let stroke = |address| find(&self.strokes, address).cloned();
        let mut tiles: BTreeMap<_, _> = self.strokes.iter().cloned().collect();
        for address in modifiers.addresses() {
            let old = find(&before.tiles, address);
            let tile = match self.is_known(modifiers, before, address) {
                true => old.cloned(),
                false => {
                    progress.check()?;
                    pause().await;
                    let made = modifiers.tile(address, base, &stroke);
                    made.map(|made| kept_if_equal(made, old))
                }
            };
            match tile {
                Some(tile) => tiles.insert(address, tile),
                None => tiles.remove(&address),
            };
        }
        Ok(tiles.into_iter().collect())
    }

    /// Whether a tile has the same strokes and modifiers as before.
    fn is_known(
        &self,
        modifiers: &ModifiedTiles,
        before: &EditTiles,
        address: TileAddress,
    ) -> bool {
        before.modified.as_ref().is_some_and(|known| {
            let strokes = [&self.strokes, &known.strokes];
            let [new, old] = strokes.map(|tiles| find(tiles, address).map(Arc::as_ptr));
            new == old && modifiers.is_alike(address, &known.modifiers)
        })
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
