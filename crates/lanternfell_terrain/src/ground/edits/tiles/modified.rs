//! Applies the modifiers of a terrain over the tiles of its strokes.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use bevy::log::warn;
use lanternfell_edits::{Edits, MapBase, MapGrid, ModifiedTiles, Modifier, StampImage};
use lanternfell_heightmap::{Canceled, Progress, Recipe, RecipeError};
use lanternfell_tasks::pause;

use super::{EditTiles, Tiles, find};
use crate::ground::modifiers::Shape;

/// The tiles of strokes, and the modifiers over them.
#[derive(Debug)]
pub(super) struct Modified {
    strokes: Tiles,
    modifiers: ModifiedTiles,
    /// The images of stamps that were made from recipes.
    images: Vec<(Box<Recipe>, StampImage)>,
}

/// The tiles of the strokes at one moment, and the modifiers that are not applied yet. Cheap to create.
#[derive(Clone)]
pub(in crate::ground) struct StrokeTiles {
    strokes: Tiles,
    shapes: Arc<[Shape]>,
}

impl StrokeTiles {
    pub(in crate::ground::edits) fn of(edits: &Edits, shapes: Arc<[Shape]>) -> Self {
        let mut tiles: Vec<_> = edits
            .tiles()
            .map(|(address, tile)| (address, tile.clone()))
            .collect();
        tiles.sort_unstable_by_key(|(address, _)| *address);
        Self {
            strokes: tiles.into(),
            shapes,
        }
    }

    /// Applies the modifiers. Takes the tiles that are the same from `before`, the edits of the same base before this
    /// change.
    pub(in crate::ground) async fn modified(
        self,
        before: &EditTiles,
        base: &MapBase,
        grid: MapGrid,
        progress: &Progress,
    ) -> Result<EditTiles, Canceled> {
        let Self { strokes, shapes } = self;
        if shapes.is_empty() {
            return Ok(EditTiles {
                tiles: strokes,
                modified: None,
            });
        }
        let known = before.modified.as_deref();
        let stroke = |address| find(&strokes, address).cloned();
        let mut modifiers = ModifiedTiles::new(grid);
        let mut images = Vec::new();
        for shape in shapes.iter() {
            progress.check()?;
            pause().await;
            let modifier = with_image(shape, known, &mut images, progress)?;
            let known = known.map(|known| &known.modifiers);
            modifiers.add(&modifier, (base, &stroke), known);
        }
        let mut tiles: BTreeMap<_, _> = strokes.iter().cloned().collect();
        for address in modifiers.addresses() {
            let is_known = known.is_some_and(|known| {
                let [new, old] = [&strokes, &known.strokes].map(|tiles| find(tiles, address));
                modifiers.is_alike(address, &known.modifiers)
                    && new.map(Arc::as_ptr) == old.map(Arc::as_ptr)
            });
            let old = find(&before.tiles, address);
            let tile = match is_known {
                true => old.cloned(),
                false => {
                    progress.check()?;
                    pause().await;
                    let made = modifiers.tile(address, base, &stroke);
                    // Equal tiles stay the same one, so that they are not compared again.
                    made.map(|made| match old {
                        Some(old) if **old == *made => old.clone(),
                        _ => made,
                    })
                }
            };
            match tile {
                Some(tile) => tiles.insert(address, tile),
                None => tiles.remove(&address),
            };
        }
        Ok(EditTiles {
            tiles: tiles.into_iter().collect(),
            modified: Some(Arc::new(Modified {
                strokes,
                modifiers,
                images,
            })),
        })
    }
}

/// Returns the modifier of a shape. The image of a recipe is generated, unless it is known.
fn with_image<'a>(
    shape: &'a Shape,
    known: Option<&Modified>,
    images: &mut Vec<(Box<Recipe>, StampImage)>,
    progress: &Progress,
) -> Result<Cow<'a, Modifier>, Canceled> {
    let (mut modifier, recipe) = match shape {
        Shape::Ready(modifier) => return Ok(Cow::Borrowed(modifier)),
        Shape::Recipe(modifier, recipe) => (modifier.clone(), recipe),
    };
    let known = known.iter().flat_map(|known| &known.images);
    let mut known = known.chain(&*images);
    let image = match known.find(|(of, _)| of == recipe) {
        Some((_, image)) => image.clone(),
        None => {
            // The work of a stamp is no known part of the whole.
            let map = match recipe.generate(&progress.span(0.0, 0.0)) {
                Err(RecipeError::Canceled(canceled)) => return Err(canceled),
                map => map.map_err(|error| error.to_string()),
            };
            let image = map.and_then(|map| {
                let image = StampImage::from_map(&map, recipe.scale().relief);
                image.map_err(|error| error.to_string())
            });
            image.unwrap_or_else(|error| {
                warn!("a `TerrainStamp` has no effect: {error}");
                StampImage::default()
            })
        }
    };
    if let Modifier::Stamp(stamp) = &mut modifier {
        stamp.image = image.clone();
    }
    images.push((recipe.clone(), image));
    Ok(Cow::Owned(modifier))
}
