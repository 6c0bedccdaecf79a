//! Orders and answers: from work to bytes, from these to the work that is done, and back.

use std::sync::Arc;

use bevy::math::Vec3;
use lanternfell_heightmap::{Heightmap, MapSize, Plane, Progress, Recipe, Scale};
use lanternfell_surface::{HeightPyramid, detail::DetailTree, inland_water::InlandWater};
use serde::{Deserialize, Serialize};

use super::{
    GroundWork, PlaneWork, TextureWork,
    ground_work::GroundMade,
    wire::{
        Damaged, Order, Sink, Source, put_bytes, put_floats, put_map, put_some_floats, put_text,
        put_value, put_whole, take_bytes, take_floats, take_map, take_some_floats, take_text,
        take_value, take_whole,
    },
};
use crate::{
    ground::{GroundInput, Unmade},
    source::TerrainMap,
    terrain::TerrainError,
    textures::MadeTexture,
};

/// What became of an order, in its answer's first number.
const MADE: u32 = 0;
const CANCELLED: u32 = 1;
const FAILED: u32 = 2;

/// The bytes of an order.
pub(super) async fn write_order<W: Order>(work: &W, to: &mut impl Sink) {
    put_text(to, W::NAME);
    work.write(to).await;
}

/// Does what an order's bytes ask for: the bytes of the answer.
pub(super) async fn serve(mut order: &[u8], progress: &Progress) -> Vec<u8> {
    let mut answer = Vec::new();
    if let Err(damaged) = serve_any(&mut order, progress, &mut answer).await {
        answer.clear();
        put_whole(&mut answer, FAILED);
        put_text(&mut answer, &format!("an order came damaged: {damaged}"));
    }
    answer
}

async fn serve_any(
    order: &mut &[u8],
    progress: &Progress,
    answer: &mut Vec<u8>,
) -> Result<(), Damaged> {
    match take_text(order)?.as_str() {
        GroundWork::NAME => serve_one::<GroundWork>(order, progress, answer).await,
        PlaneWork::NAME => serve_one::<PlaneWork>(order, progress, answer).await,
        TextureWork::NAME => serve_one::<TextureWork>(order, progress, answer).await,
        _ => Err(Damaged::Kind),
    }
}

async fn serve_one<W: Order>(
    order: &mut &[u8],
    progress: &Progress,
    answer: &mut Vec<u8>,
) -> Result<(), Damaged> {
    let work = W::read(order).await?;
    end(order)?;
    match work.make(progress) {
        Ok(made) => {
            put_whole(answer, MADE);
            work.write_made(&made, answer).await;
        }
        Err(Unmade::Cancelled) => put_whole(answer, CANCELLED),
        Err(Unmade::Failed(error)) => {
            put_whole(answer, FAILED);
            put_text(answer, &error.to_string());
        }
    }
    Ok(())
}

/// What the answer to that work says.
pub(super) async fn read_answer<W: Order>(
    work: &W,
    answer: &mut impl Source,
) -> Result<W::Made, Unmade> {
    let read = read_whole_answer(work, answer).await;
    read.unwrap_or_else(|damaged| Err(failed(format!("the answer came damaged: {damaged}"))))
}

async fn read_whole_answer<W: Order>(
    work: &W,
    answer: &mut impl Source,
) -> Result<Result<W::Made, Unmade>, Damaged> {
    let found = match take_whole(answer)? {
        MADE => Ok(work.read_made(answer).await?),
        CANCELLED => Err(Unmade::Cancelled),
        // The error itself, and not only its words, if it is found here too.
        FAILED => {
            let why = take_text(answer)?;
            Err(work.check().map_or_else(Unmade::from, |()| failed(why)))
        }
        _ => return Err(Damaged::Kind),
    };
    end(answer)?;
    Ok(found)
}

/// It was not made, in the words of who tried to.
pub(super) fn failed(why: String) -> Unmade {
    TerrainError::Worker(why).into()
}

fn end(from: &impl Source) -> Result<(), Damaged> {
    match from.left() {
        0 => Ok(()),
        _ => Err(Damaged::Long),
    }
}

/// All of a [`GroundWork`] but its maps, which follow.
#[derive(Serialize, Deserialize)]
struct GroundHead {
    kind: GroundKind,
    is_drawn: bool,
    most_in_heightfield: u64,
}

#[derive(Serialize, Deserialize)]
enum GroundKind {
    /// The map is known, and only measured.
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

/// Where the map of an answer comes from.
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
            // Who makes ground of it has no use for its rivers.
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
    /// The map that goes with the order and is not made of others.
    fn sent(&self) -> Option<&TerrainMap> {
        self.known.as_ref().or(match &self.input {
            GroundInput::Map { map, .. } => Some(map),
            GroundInput::Recipe { .. } => None,
        })
    }
}

/// Holes of another map would be found out too late.
fn check_holes(map: &TerrainMap) -> Result<(), Damaged> {
    match map.holes() {
        Some(holes) if holes.size() != map.size() => Err(Damaged::Kind),
        _ => Ok(()),
    }
}

/// A [`PlaneWork`].
#[derive(Serialize, Deserialize)]
struct PlaneHead {
    recipe: Recipe,
    origin: (i64, i64),
    size: MapSize,
}

impl Order for PlaneWork {
    const NAME: &'static str = "plane";

    async fn write(&self, to: &mut impl Sink) {
        let head = PlaneHead {
            recipe: self.plane.recipe().clone(),
            origin: self.origin,
            size: self.size,
        };
        put_value(to, &head);
    }

    async fn read(from: &mut impl Source) -> Result<Self, Damaged> {
        let head: PlaneHead = take_value(from)?;
        let plane: Plane = head.recipe.plane()?;
        Ok(Self {
            plane: Arc::new(plane),
            origin: head.origin,
            size: head.size,
        })
    }

    async fn write_made(&self, made: &Heightmap, to: &mut impl Sink) {
        put_floats(to, made.heights()).await;
    }

    async fn read_made(&self, from: &mut impl Source) -> Result<Heightmap, Damaged> {
        let heights = take_floats(from).await?;
        Ok(Heightmap::from_heights(self.size, heights)?)
    }

    fn check(&self) -> Result<(), TerrainError> {
        Ok(())
    }
}

/// The largest texture that anybody asks for.
const LARGEST: u32 = 2048;

impl Order for TextureWork {
    const NAME: &'static str = "texture";

    async fn write(&self, to: &mut impl Sink) {
        put_text(to, self.kind.name());
        put_whole(to, self.size);
    }

    async fn read(from: &mut impl Source) -> Result<Self, Damaged> {
        let name = take_text(from)?;
        let mut kinds = lanternfell_textures::GroundKind::ALL.into_iter();
        let kind = kinds.find(|kind| kind.name() == name);
        let (kind, size) = (kind.ok_or(Damaged::Kind)?, take_whole(from)?);
        if size > LARGEST {
            return Err(Damaged::Long);
        }
        Ok(Self { kind, size })
    }

    async fn write_made(&self, made: &MadeTexture, to: &mut impl Sink) {
        put_whole(to, made.size);
        put_floats(to, &made.average.to_array()).await;
        put_bytes(to, &made.color).await;
        put_bytes(to, &made.material).await;
    }

    async fn read_made(&self, from: &mut impl Source) -> Result<MadeTexture, Damaged> {
        let size = take_whole(from)?;
        let average = take_floats(from).await?;
        let made = MadeTexture {
            average: Vec3::from_array(average.try_into().map_err(|_| Damaged::Short)?),
            size,
            color: take_bytes(from).await?,
            material: take_bytes(from).await?,
            // What code makes has no maps.
            left_out: false,
        };
        match made.is_whole() && (size == self.size || size == 0) {
            true => Ok(made),
            false => Err(Damaged::Short),
        }
    }

    fn check(&self) -> Result<(), TerrainError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
