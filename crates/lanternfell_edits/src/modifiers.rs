//! Things on the terrain that stay movable: roads, river beds, dams, platforms below buildings, and stamps.
//!
//! Problem: a stroke of a brush is done once. A road or the ground below a building is moved again and again, and the
//! terrain that it covered must come back exactly.
//!
//! Idea: modifiers are no entries of the log. They are functions of the terrain below them, and are applied in their
//! order over the tiles of all strokes. The result is other tiles, which nothing else depends on:
//!
//! ```text
//!   base ── strokes of the log ──> tiles ── modifiers 1, 2, 3 ──> tiles that are shown
//! ```
//!
//! A moved modifier changes the tiles that it was on and those that it is on now. [`ModifiedTiles::is_alike`] recognizes
//! the others, so that they need not be computed again.
//!
//! ```
//! use std::sync::Arc;
//! use lanternfell_edits::{
//!     Channel, Edits, FlatBase, MapGrid, ModifiedTiles, Modifier, Placement, PlatformModifier,
//!     Tile, TileAddress,
//! };
//!
//! let base = FlatBase { height_mm: 4000 };
//! let edits = Edits::new(Arc::new(base));
//! let strokes = |address| edits.tile(address).cloned();
//! // Level ground of 12 x 8 m at the center of the terrain, at a height of 5 m.
//! let platform = PlatformModifier {
//!     size: [12.0, 8.0],
//!     ..PlatformModifier::at(Placement { at: [0.0, 5.0, 0.0], direction: [1.0, 0.0] })
//! };
//!
//! let grid = MapGrid { columns: 129, rows: 129, spacing: 1.0 };
//! let mut modified = ModifiedTiles::new(grid);
//! modified.add(&Modifier::Platform(platform), (&base, &strokes), None);
//! let middle = TileAddress::of_cell(Channel::Heights, 64, 64);
//! let tile = modified.tile(middle, &base, &strokes);
//! let Some(Tile::Heights(deltas)) = tile.as_deref() else {
//!     panic!("the platform has raised the middle of the map");
//! };
//! assert_eq!(deltas[0], 1000);
//! ```
//!
//! # Cost
//!
//! About 10 to 100 ns for each cell of a tile and each modifier on it. The height profile of a path costs about 1 us per
//! cell of its length, and is computed again after each change.

mod area;
mod curve;
mod earthwork;
mod nearest;
mod path;
mod platform;
mod profile;
mod stamp;

use std::{collections::BTreeMap, fmt::Display, sync::Arc};

use thiserror::Error;

use self::{
    area::Bounds,
    earthwork::{NearBed, Works},
    path::{Ground, PathBed},
};
pub use self::{
    area::{MapGrid, Placement},
    earthwork::{Bank, Earthwork, Pavement},
    path::{PathHeights, PathModifier, PathPoint},
    platform::PlatformModifier,
    stamp::{StampBlend, StampModifier},
};
use crate::{
    base::BaseHeights,
    cells::{CellRect, Channel, TileAddress},
    scene::{BaseTiles, Scene},
    tile::Tile,
};

/// Something movable that changes the terrain below it. All lengths are in meters, in the terrain's local space.
#[derive(Debug, Clone, PartialEq)]
pub enum Modifier {
    /// A road, a river bed or a dam.
    Path(PathModifier),
    /// Level ground.
    Platform(PlatformModifier),
    /// An image of heights.
    Stamp(StampModifier),
}

/// A modifier with a value that is not allowed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the {name} is {value}, but must be from {from} to {to}")]
pub struct ModifierError {
    /// The name of the value.
    pub name: &'static str,
    /// The value.
    pub value: String,
    /// The smallest allowed value.
    pub from: String,
    /// The largest allowed value.
    pub to: String,
}

/// Checks that a value is within its range. NaN is not.
fn check<T: PartialOrd + Display>(
    name: &'static str,
    value: T,
    from: T,
    to: T,
) -> Result<(), ModifierError> {
    match value >= from && value <= to {
        true => Ok(()),
        false => Err(ModifierError {
            name,
            value: value.to_string(),
            from: from.to_string(),
            to: to.to_string(),
        }),
    }
}

impl Modifier {
    /// Checks that all values are within their ranges.
    ///
    /// # Errors
    /// Names the value that is not.
    pub fn validate(&self) -> Result<(), ModifierError> {
        match self {
            Self::Path(path) => path.validate(),
            Self::Platform(platform) => platform.validate(),
            Self::Stamp(stamp) => stamp.validate(),
        }
    }
}

/// A modifier with everything that does not depend on the cell.
#[derive(Debug, Clone, PartialEq)]
enum Applied {
    Path(PathBed),
    Platform(PlatformModifier),
    Stamp(StampModifier),
}

impl Applied {
    /// The areas that it may change.
    fn areas(&self) -> Vec<Bounds> {
        match self {
            Self::Path(path) => path.areas(),
            Self::Platform(platform) => vec![platform.bounds()],
            Self::Stamp(stamp) => vec![stamp.bounds()],
        }
    }

    fn changes(&self, channel: Channel) -> bool {
        let works = match self {
            Self::Path(path) => path.works,
            Self::Platform(platform) => platform.works(),
            Self::Stamp(_) => return channel == Channel::Heights,
        };
        match channel {
            Channel::Heights => true,
            Channel::Holes => false,
            Channel::Paint => works.pavement.layer.is_some(),
            Channel::Plants => !works.pavement.plants,
        }
    }

    /// The bed of a path or a platform near a position.
    fn bed(&self, at: [f64; 2]) -> Option<(NearBed, Works)> {
        match self {
            Self::Path(path) => Some((path.near(at)?, path.works)),
            Self::Platform(platform) => Some((platform.near(at), platform.works())),
            Self::Stamp(_) => None,
        }
    }

    fn height(&self, at: [f64; 2], ground: i32) -> i32 {
        if let Self::Stamp(stamp) = self {
            return stamp.height(at, ground);
        }
        match self.bed(at) {
            Some((near, works)) => works.height(&near, ground),
            None => ground,
        }
    }

    /// Changes a cell of a tile. `base` is the height without edits.
    fn change(&self, tile: &mut Tile, index: usize, at: [f64; 2], base: i32) {
        match tile {
            Tile::Heights(deltas) => {
                let delta = &mut deltas[index];
                *delta = self
                    .height(at, base.wrapping_add(*delta))
                    .wrapping_sub(base);
            }
            Tile::Paint(cells) => {
                let paint = self.bed(at).and_then(|(near, works)| works.paint(&near));
                if let Some((layer, cover)) = paint {
                    cells[index] = cells[index].paint(layer, cover);
                }
            }
            Tile::Plants(densities) => {
                let clears = |(near, works): (NearBed, Works)| works.clears(&near);
                if self.bed(at).is_some_and(clears) {
                    densities[index] = 0;
                }
            }
            Tile::Holes(_) => {}
        }
    }
}

/// Returns a tile of the strokes, or `None` if it has none.
type Strokes<'a> = &'a dyn Fn(TileAddress) -> Option<Arc<Tile>>;

/// The tiles of a terrain with its modifiers.
#[derive(Debug, Clone)]
pub struct ModifiedTiles {
    grid: MapGrid,
    /// In the order in which they are applied.
    modifiers: Vec<Arc<Applied>>,
    /// Those that may change a tile.
    on: BTreeMap<[i64; 2], Vec<Arc<Applied>>>,
}

impl ModifiedTiles {
    /// Creates the tiles of a map without modifiers.
    pub fn new(grid: MapGrid) -> Self {
        Self {
            grid,
            modifiers: Vec::new(),
            on: BTreeMap::new(),
        }
    }

    /// Adds a modifier over those that were added before. It has no effect if it is not [valid](Modifier::validate), or
    /// if all points of a path are at one place. `base` is the terrain below the edits.
    ///
    /// `before` are the tiles before a change: what is equal there is recognized by [`is_alike`](Self::is_alike).
    pub fn add(
        &mut self,
        modifier: &Modifier,
        (base, strokes): (&dyn BaseHeights, Strokes<'_>),
        before: Option<&Self>,
    ) {
        if modifier.validate().is_err() {
            return;
        }
        let applied = match modifier {
            Modifier::Path(path) => {
                let base = BaseTiles::of(base);
                let scene = Scene {
                    base: &base,
                    tile: strokes,
                };
                let Some(bed) = PathBed::new(path, self.grid, &Below { tiles: self, scene }) else {
                    return;
                };
                Applied::Path(bed)
            }
            Modifier::Platform(platform) => Applied::Platform(platform.clone()),
            Modifier::Stamp(stamp) => Applied::Stamp(stamp.clone()),
        };
        let mut known = before.iter().flat_map(|before| &before.modifiers);
        let applied = match known.find(|known| ***known == applied) {
            Some(known) => known.clone(),
            None => Arc::new(applied),
        };
        for area in applied.areas() {
            let cells = self.grid.within(area);
            for tile in cells.iter().flat_map(|cells| cells.tiles(Channel::Heights)) {
                let on = self.on.entry([tile.column, tile.row]).or_default();
                if !on.last().is_some_and(|last| Arc::ptr_eq(last, &applied)) {
                    on.push(applied.clone());
                }
            }
        }
        self.modifiers.push(applied);
    }

    /// Whether there are no modifiers.
    pub fn is_empty(&self) -> bool {
        self.modifiers.is_empty()
    }

    /// Returns the tiles that modifiers may change, in the order of their addresses within each channel.
    pub fn addresses(&self) -> impl Iterator<Item = TileAddress> {
        Channel::ALL.into_iter().flat_map(move |channel| {
            self.on.iter().filter_map(move |(&[column, row], on)| {
                let is_changed = on.iter().any(|modifier| modifier.changes(channel));
                is_changed.then_some(TileAddress::new(channel, column, row))
            })
        })
    }

    /// Whether the same modifiers are on a tile as in `before`. Then the tile is the same too, if the strokes and the base
    /// are.
    pub fn is_alike(&self, address: TileAddress, before: &Self) -> bool {
        let [new, old] = [self, before].map(|tiles| tiles.modifiers_on(address));
        self.grid == before.grid && new.len() == old.len() && {
            let mut pairs = new.iter().zip(old);
            pairs.all(|(new, old)| Arc::ptr_eq(new, old))
        }
    }

    fn modifiers_on(&self, address: TileAddress) -> &[Arc<Applied>] {
        let on = self.on.get(&[address.column, address.row]);
        on.map_or(&[], |on| on)
    }

    /// Computes a tile with all strokes and modifiers. Returns `None` if it is as without edits.
    pub fn tile(
        &self,
        address: TileAddress,
        base: &dyn BaseHeights,
        strokes: Strokes<'_>,
    ) -> Option<Arc<Tile>> {
        let before = strokes(address);
        let channel = address.channel;
        let changing: Vec<&Applied> = self
            .modifiers_on(address)
            .iter()
            .map(|modifier| &**modifier)
            .filter(|modifier| modifier.changes(channel))
            .collect();
        let area = address.area().intersection(self.grid.cells());
        let (false, Some(area)) = (changing.is_empty(), area) else {
            return before;
        };
        let empty = || Tile::empty(channel);
        let mut tile = before.as_deref().cloned().unwrap_or_else(empty);
        let mut heights = vec![0; area.cells()];
        if channel == Channel::Heights {
            base.heights_mm(area, &mut heights);
        }
        for (cell, base) in cells(area).zip(heights) {
            let (at, index) = (
                self.grid.position(cell),
                TileAddress::index(cell[0], cell[1]),
            );
            for modifier in &changing {
                modifier.change(&mut tile, index, at, base);
            }
        }
        match before {
            Some(before) if *before == tile => Some(before),
            _ => (!tile.is_empty()).then(|| tile.into()),
        }
    }
}

/// The cells of an area, row by row.
fn cells(area: CellRect) -> impl Iterator<Item = [i64; 2]> {
    let rows = area.row..area.end_row();
    rows.flat_map(move |row| (area.column..area.end_column()).map(move |column| [column, row]))
}

/// The terrain below the next modifier.
struct Below<'a> {
    tiles: &'a ModifiedTiles,
    scene: Scene<'a>,
}

impl Below<'_> {
    fn cell_mm(&self, [column, row]: [i64; 2]) -> f64 {
        let before = self.scene.height([column, row]) as i32;
        let at = self.tiles.grid.position([column, row]);
        let address = TileAddress::of_cell(Channel::Heights, column, row);
        let on = self.tiles.modifiers_on(address);
        on.iter()
            .fold(before, |mm, modifier| modifier.height(at, mm))
            .into()
    }
}

impl Ground for Below<'_> {
    /// Interpolates between the nearest four cells. Outside the map, the nearest cells count.
    fn mm(&self, at: [f64; 2]) -> (f64, bool) {
        let grid = self.tiles.grid;
        let most = [grid.columns, grid.rows].map(|cells| f64::from(cells) - 1.0);
        let cell = grid.cell(at);
        let cell = [0, 1].map(|axis| cell[axis].clamp(0.0, most[axis]));
        let first = cell.map(|along| along.floor() as i64);
        let last = [0, 1].map(|axis| (first[axis] + 1).min(most[axis] as i64));
        let [x, z] = [0, 1].map(|axis| cell[axis] - first[axis] as f64);
        let row = |row: i64| {
            let [west, east] = [first[0], last[0]].map(|column| self.cell_mm([column, row]));
            west + (east - west) * x
        };
        let [north, south] = [row(first[1]), row(last[1])];
        let address = TileAddress::of_cell(Channel::Heights, first[0], first[1]);
        let mut on = self.tiles.modifiers_on(address).iter();
        let is_bed = on.any(|modifier| {
            let bed = modifier.bed(at);
            bed.is_some_and(|(near, _)| near.distance <= 0.0)
        });
        (north + (south - north) * z, is_bed)
    }
}
