//! Serializes [`GroundWork`] and its result, for the web worker.

use lanternfell_heightmap::{Recipe, Scale};
use lanternfell_surface::{HeightPyramid, detail::DetailTree, inland_water::InlandWater};
use serde::{Deserialize, Serialize};

use super::{
    super::input::GroundInput,
    {GroundMade, GroundWork},
};
use crate::{
    background::wire::{
        Damaged, Order, Sink, Source, put_floats, put_map, put_some_floats, put_value, put_whole,
        take_floats, take_map, take_some_floats, take_value, take_whole,
    },
    error::TerrainError,
    map::TerrainMap,
};

/// A [`GroundWork`] without its maps, which follow.
#[derive(Serialize, Deserialize)]
struct GroundHead {
    kind: GroundKind,
    is_drawn: bool,
    most_in_heightfield: u64,
}

#[derive(Serialize, Deserialize)]
enum GroundKind {
    /// The map exists already. Only the derived data is computed.
    Known,
    Recipe {
        recipe: Recipe,
        images: u32,
        inland: Option<InlandWater>,
    },
    Map {
        scale: Option<Scale>,
        inland: Option<InlandWater>,
    },
}

/// Which map an answer contains: the one from the order, or a new one.
const GIVEN: u32 = 0;
const NEW: u32 = 1;

impl Order for GroundWork {
    const NAME: &'static str = "ground";

    async fn write(&self, to: &mut impl Sink) {
        let (kind, maps) = match (&self.known, &self.input) {
            (Some(known), _) => (GroundKind::Known, std::slice::from_ref(known)),
            (
                None,
                GroundInput::Recipe {
                    recipe,
                    images,
                    inland,
                },
            ) => {
                let kind = GroundKind::Recipe {
                    recipe: recipe.clone(),
                    images: images.len() as u32,
                    inland: *inland,
                };
                (kind, images.as_slice())
            }
            (None, GroundInput::Map { map, scale, inland }) => {
                let (scale, inland) = (*scale, *inland);
                let kind = GroundKind::Map { scale, inland };
                (kind, std::slice::from_ref(map))
            }
        };
        let head = GroundHead {
            kind,
            is_drawn: self.is_drawn,
            most_in_heightfield: self.most_in_heightfield as u64,
        };
        put_value(to, &head);
        for map in maps {
            // The worker does not need the rivers and lakes of the input.
            put_map(to, &map.without_waters()).await;
        }
    }

    async fn read(from: &mut impl Source) -> Result<Self, Damaged> {
        let head: GroundHead = take_value(from)?;
        let mut known = None;
        let input = match head.kind {
            GroundKind::Known => {
                let map = take_map(from).await?;
                check_holes(&map)?;
                known = Some(map.clone());
                GroundInput::Map {
                    map,
                    scale: None,
                    inland: None,
                }
            }
            GroundKind::Recipe {
                recipe,
                images,
                inland,
            } => {
                let mut maps = Vec::new();
                for _ in 0..images {
                    maps.push(take_map(from).await?);
                }
                GroundInput::Recipe {
                    recipe,
                    images: maps,
                    inland,
                }
            }
            GroundKind::Map { scale, inland } => {
                let map = take_map(from).await?;
                GroundInput::Map { map, scale, inland }
            }
        };
        Ok(Self {
            input,
            known,
            is_drawn: head.is_drawn,
            most_in_heightfield: head.most_in_heightfield.try_into().unwrap_or(usize::MAX),
        })
    }

    async fn write_made(&self, made: &GroundMade, to: &mut impl Sink) {
        if self
            .sent()
            .is_some_and(|sent| sent.shares_heights_with(&made.map))
        {
            put_whole(to, GIVEN);
        } else {
            put_whole(to, NEW);
            put_map(to, &made.map).await;
        }
        let pyramid: Vec<f32> = made.pyramid.numbers().collect();
        put_floats(to, &pyramid).await;
        let tree: Option<Vec<f32>> = made.tree.as_ref().map(|tree| tree.numbers().collect());
        put_some_floats(to, tree.as_deref()).await;
        put_some_floats(to, made.bent.as_deref()).await;
    }

    async fn read_made(&self, from: &mut impl Source) -> Result<GroundMade, Damaged> {
        let map = match (take_whole(from)?, self.sent()) {
            (GIVEN, Some(sent)) => self.given().unwrap_or_else(|| sent.clone()),
            (NEW, _) => take_map(from).await?,
            _ => return Err(Damaged::Kind),
        };
        check_holes(&map)?;
        let size = map.size();
        let pyramid = HeightPyramid::from_numbers(size, &take_floats(from).await?)?;
        let tree = take_some_floats(from).await?;
        let tree = tree.map(|numbers| DetailTree::from_numbers(size, &numbers));
        let bent = take_some_floats(from).await?;
        if bent.as_ref().is_some_and(|bent| bent.len() != size.cells()) {
            return Err(Damaged::Short);
        }
        Ok(GroundMade {
            map,
            pyramid,
            tree: tree.transpose()?,
            bent,
        })
    }

    fn check(&self) -> Result<(), TerrainError> {
        match self.known {
            Some(_) => Ok(()),
            None => self.input.validate(),
        }
    }
}

impl GroundWork {
    /// The map that is part of the order, unless the order is a recipe.
    fn sent(&self) -> Option<&TerrainMap> {
        self.known.as_ref().or(match &self.input {
            GroundInput::Map { map, .. } => Some(map),
            GroundInput::Recipe { .. } => None,
        })
    }
}

/// Checks the size of the holes here, because later code expects it to be correct.
fn check_holes(map: &TerrainMap) -> Result<(), Damaged> {
    match map.holes() {
        Some(holes) if holes.size() != map.size() => Err(Damaged::Kind),
        _ => Ok(()),
    }
}
