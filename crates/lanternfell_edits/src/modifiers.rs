//! Modifiers: roads, river beds, dams, platforms below buildings, and stamps that stay movable.
//!
//! Problem: a stroke of a brush is done once. A road or the ground below a building is moved again and again, and the
//! terrain that it covered must come back exactly.
//!
//! Idea: modifiers are not entries of the log. Each is a function of the terrain below it. They are applied in order
//! over the tiles of all strokes, and the log never reads the result:
//!
//! ```text
//!   base ── strokes of the log ──> tiles ── modifiers 1, 2, 3 ──> tiles that are shown
//! ```
//!
//! If a modifier moves, the tiles below its old and its new position change. [`ModifiedTiles::is_alike`] returns whether
//! a tile can be kept.
//!
//! ```
//! use std::sync::Arc;
//! use lanternfell_edits::{
//!     Channel, Edits, FlatBase, MapGrid, ModifiedTiles, Modifier, Placement, PlatformModifier,
//!     Tile, TileAddress,
//! };
//! use lanternfell_heightmap::Progress;
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
//! let progress = Progress::default();
//! modified.add(&Modifier::Platform(platform), (&base, &strokes), None, &progress)?;
//! let middle = TileAddress::of_cell(Channel::Heights, 64, 64);
//! let tile = modified.tile(middle, &base, &strokes);
//! let Some(Tile::Heights(deltas)) = tile.as_deref() else {
//!     panic!("the platform has raised the middle of the map");
//! };
//! assert_eq!(deltas[0], 1000);
//! # Ok::<(), lanternfell_heightmap::Canceled>(())
//! ```
//!
//! # Cost
//!
//! Tiles: 20 to 30 ns for each cell and each narrow road, and up to 1 us where a path and its banks are hundreds of
//! meters wide. The heights along a path: about 1 us per cell of its length, unless nothing below it has changed.

mod area;
mod curve;
mod earthwork;
mod nearest;
mod path;
mod platform;
mod profile;
mod ribbon;
mod stamp;

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fmt::Display,
    sync::Arc,
};

use lanternfell_heightmap::{Canceled, Progress};
use thiserror::Error;

use self::{
    area::{Bounds, Grid},
    earthwork::{NearBed, Works},
    path::{PathBed, Terrain},
};
pub use self::{
    area::{MapGrid, Placement},
    earthwork::{Bank, Earthwork, Pavement},
    path::{PathHeights, PathModifier, PathPoint},
    platform::PlatformModifier,
    ribbon::Ribbon,
    stamp::{StampBlend, StampModifier},
};
use crate::{
    base::BaseHeights,
    cells::{CellRect, Channel, TILE_CELLS, TILE_SIDE, TileAddress},
    tile::Tile,
};

/// A movable shape that changes the terrain below it. All lengths are in meters, in the terrain's local space.
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

/// A modifier, and the local space of its positions.
#[derive(Debug, Clone, PartialEq)]
struct Placed {
    grid: Grid,
    shape: Applied,
}

impl Placed {
    fn changes(&self, channel: Channel) -> bool {
        self.shape.changes(channel)
    }

    /// The height of a cell, which was at a height before.
    fn height(&self, cell: [i64; 2], before: i32) -> i32 {
        self.shape.height(self.grid.position(cell), before)
    }

    /// Changes a cell of a tile. `base` is the height without edits.
    fn change(&self, tile: &mut Tile, cell: [i64; 2], base: i32) {
        let index = TileAddress::index(cell[0], cell[1]);
        self.shape
            .change(tile, index, self.grid.position(cell), base);
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
            Self::Path(path) => path.areas().collect(),
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
            Channel::Heights => works.earthwork != Earthwork::None,
            Channel::Holes => false,
            Channel::Paint => works.pavement.layer.is_some(),
            Channel::Plants => !works.pavement.plants,
        }
    }

    /// The nearest bed of a path or a platform.
    fn bed(&self, at: [f64; 2]) -> Option<(NearBed, Works)> {
        match self {
            Self::Path(path) => Some((path.near(at).next()?, path.works)),
            Self::Platform(platform) => Some((platform.near(at), platform.works())),
            Self::Stamp(_) => None,
        }
    }

    fn height(&self, at: [f64; 2], before: i32) -> i32 {
        match self {
            // The nearest part is the last one, so that its bed is complete.
            Self::Path(path) => {
                let parts = path.near(at).rev();
                parts.fold(before, |mm, near| path.works.height(&near, mm))
            }
            Self::Platform(platform) => platform.works().height(&platform.near(at), before),
            Self::Stamp(stamp) => stamp.height(at, before),
        }
    }

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

/// The maximum number of tiles of a modifier. A rectangle of 16,384 x 16,384 cells can meet 257 x 257.
const MOST_TILES: usize = 66_049;

/// Returns a tile of the strokes, or `None` if it has none.
type Strokes<'a> = &'a dyn Fn(TileAddress) -> Option<Arc<Tile>>;

/// The tiles of a terrain with its modifiers.
#[derive(Debug, Clone)]
pub struct ModifiedTiles {
    grid: Grid,
    /// In the order in which they are applied.
    modifiers: Vec<Arc<Placed>>,
    /// Those that may change a tile.
    on: BTreeMap<[i64; 2], Vec<Arc<Placed>>>,
    /// What the beds of paths were made from.
    paths: Vec<MadePath>,
}

/// A path, and the tiles that its heights come from.
#[derive(Debug, Clone)]
struct MadePath {
    grid: Grid,
    path: PathModifier,
    below: Vec<Below>,
    made: Arc<Placed>,
}

/// A tile below a modifier.
#[derive(Debug, Clone)]
struct Below {
    tile: [i64; 2],
    strokes: Option<Arc<Tile>>,
    modifiers: Vec<Arc<Placed>>,
}

impl ModifiedTiles {
    /// Creates the tiles of a map without modifiers. If the map has no cells, or its spacing is not above 0, modifiers
    /// have no effect.
    pub fn new(grid: MapGrid) -> Self {
        Self::on(Grid::of_map(grid))
    }

    /// Creates the tiles of an endless plane without modifiers. Cells are `spacing` meters apart, and cell (0, 0) is at 0 in
    /// the local space of the modifiers. If the spacing is not above 0, modifiers have no effect.
    pub fn of_plane(spacing: f32) -> Self {
        Self::on(Grid::of_plane(spacing))
    }

    /// Sets the cell at 0 in the local space of the modifiers that are added next, on a plane: far from cell (0, 0), the
    /// `f32` of modifiers would be imprecise otherwise. It has no effect on a map.
    pub fn set_origin(&mut self, cell: [i64; 2]) {
        if self.grid.is_plane() {
            self.grid = self.grid.at(cell);
        }
    }

    fn on(grid: Grid) -> Self {
        Self {
            grid,
            modifiers: Vec::new(),
            on: BTreeMap::new(),
            paths: Vec::new(),
        }
    }

    /// Adds a modifier over those that were added before. `base` is the terrain below the edits.
    ///
    /// The modifier has no effect if it is not [valid](Modifier::validate), if it is a path whose points are all at
    /// one place, or one with more than 65,536 pieces of 16 cells, or if it meets more than 66,049 tiles.
    ///
    /// `before` are the tiles before a change of modifiers or strokes, over the same base. What is equal there is not
    /// computed again.
    ///
    /// # Errors
    /// If `progress` is canceled. It does not advance.
    pub fn add(
        &mut self,
        modifier: &Modifier,
        (base, strokes): (&dyn BaseHeights, Strokes<'_>),
        before: Option<&Self>,
        progress: &Progress,
    ) -> Result<(), Canceled> {
        if !self.grid.is_valid() || modifier.validate().is_err() {
            return Ok(());
        }
        let before = before.filter(|before| before.grid.is_like(self.grid));
        let applied = match modifier {
            Modifier::Path(path) => {
                let known = before.and_then(|before| self.known_path(path, strokes, before));
                let made = match known {
                    Some(known) => Some(known.clone()),
                    None => self.make_path(path, (base, strokes), progress)?,
                };
                let Some(made) = made else {
                    return Ok(());
                };
                let bed = made.made.clone();
                self.paths.push(made);
                bed
            }
            Modifier::Platform(platform) => {
                self.known_or_new(Applied::Platform(platform.clone()), before)
            }
            Modifier::Stamp(stamp) => self.known_or_new(Applied::Stamp(stamp.clone()), before),
        };
        if let Some(tiles) = self.tiles_of(&applied) {
            for tile in tiles {
                self.on.entry(tile).or_default().push(applied.clone());
            }
            self.modifiers.push(applied);
        }
        Ok(())
    }

    /// The tiles that a modifier meets. `None` if there are too many.
    fn tiles_of(&self, modifier: &Placed) -> Option<BTreeSet<[i64; 2]>> {
        let areas = modifier.shape.areas().into_iter();
        let cells = areas.filter_map(|area| self.grid.within(area));
        let mut tiles = BTreeSet::new();
        for tile in cells.flat_map(|cells| cells.tiles(Channel::Heights)) {
            tiles.insert([tile.column, tile.row]);
            if tiles.len() > MOST_TILES {
                return None;
            }
        }
        Some(tiles)
    }

    fn placed(&self, shape: Applied) -> Placed {
        Placed {
            grid: self.grid,
            shape,
        }
    }

    fn known_or_new(&self, shape: Applied, before: Option<&Self>) -> Arc<Placed> {
        let applied = self.placed(shape);
        let all = before.into_iter().chain([self]);
        let mut known = all.flat_map(|tiles| &tiles.modifiers);
        match known.find(|known| ***known == applied) {
            Some(known) => known.clone(),
            None => Arc::new(applied),
        }
    }

    /// Returns the same path on the same terrain.
    fn known_path<'a>(
        &self,
        path: &PathModifier,
        strokes: Strokes<'_>,
        before: &'a Self,
    ) -> Option<&'a MadePath> {
        before.paths.iter().find(|known| {
            known.grid == self.grid
                && known.path == *path
                && known.below.iter().all(|below| {
                    let address = below.address();
                    let same = |a: &Arc<Tile>, b: &Arc<Tile>| Arc::ptr_eq(a, b);
                    let is_same_tile = match (&below.strokes, strokes(address)) {
                        (None, None) => true,
                        (Some(old), Some(new)) => same(old, &new),
                        _ => false,
                    };
                    is_same_tile && are_same(&below.modifiers, self.modifiers_on(address))
                })
        })
    }

    fn make_path(
        &self,
        path: &PathModifier,
        (base, strokes): (&dyn BaseHeights, Strokes<'_>),
        progress: &Progress,
    ) -> Result<Option<MadePath>, Canceled> {
        let terrain = TerrainBelow {
            tiles: self,
            base,
            strokes,
            used: RefCell::default(),
        };
        let Some(bed) = PathBed::new(path, self.grid, &terrain, progress)? else {
            return Ok(None);
        };
        let used = terrain.used.into_inner().into_values();
        Ok(Some(MadePath {
            grid: self.grid,
            path: path.clone(),
            below: used.map(|(below, _)| below).collect(),
            made: Arc::new(self.placed(Applied::Path(bed))),
        }))
    }

    /// Whether there are no modifiers.
    pub fn is_empty(&self) -> bool {
        self.modifiers.is_empty()
    }

    /// Returns the tiles in an area that modifiers may change, in the order of their addresses within each channel.
    pub fn addresses(&self, area: CellRect) -> impl Iterator<Item = TileAddress> {
        let side = TILE_SIDE as i64;
        let [first, last] = [
            [area.column, area.row],
            [area.end_column() - 1, area.end_row() - 1],
        ]
        .map(|cell| cell.map(|along| along.div_euclid(side)));
        let rows = first[1]..=last[1];
        Channel::ALL.into_iter().flat_map(move |channel| {
            let columns = self.on.range(first..=last.max(first));
            let rows = rows.clone();
            let tiles = columns.filter(move |([_, row], _)| rows.contains(row));
            tiles.filter_map(move |(&[column, row], on)| {
                let is_changed = on.iter().any(|modifier| modifier.changes(channel));
                is_changed.then_some(TileAddress::new(channel, column, row))
            })
        })
    }

    /// Whether a tile has the same modifiers as in `before`. If it also has the same strokes and the same base, its cells
    /// are equal.
    pub fn is_alike(&self, address: TileAddress, before: &Self) -> bool {
        let [new, old] = [self, before].map(|tiles| tiles.modifiers_on(address));
        self.grid.is_like(before.grid) && are_same(new, old)
    }

    fn modifiers_on(&self, address: TileAddress) -> &[Arc<Placed>] {
        let on = self.on.get(&[address.column, address.row]);
        on.map_or(&[], |on| on)
    }

    /// Computes a tile with all strokes and modifiers. Returns `None` if the tile has no edits.
    pub fn tile(
        &self,
        address: TileAddress,
        base: &dyn BaseHeights,
        strokes: Strokes<'_>,
    ) -> Option<Arc<Tile>> {
        let before = strokes(address);
        let channel = address.channel;
        let changing: Vec<&Placed> = self
            .modifiers_on(address)
            .iter()
            .map(|modifier| &**modifier)
            .filter(|modifier| modifier.changes(channel))
            .collect();
        let area = self.grid.common(address.area());
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
            for modifier in &changing {
                modifier.change(&mut tile, cell, base);
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

fn are_same(a: &[Arc<Placed>], b: &[Arc<Placed>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b))
}

impl Below {
    fn address(&self) -> TileAddress {
        let [column, row] = self.tile;
        TileAddress::new(Channel::Heights, column, row)
    }

    /// The height of a cell, which was at a height without edits.
    fn mm(&self, cell: [i64; 2], base: i32) -> i32 {
        let delta = match self.strokes.as_deref() {
            Some(Tile::Heights(deltas)) => deltas[TileAddress::index(cell[0], cell[1])],
            _ => 0,
        };
        let modifiers = self.modifiers.iter();
        modifiers.fold(base.wrapping_add(delta), |mm, modifier| {
            modifier.height(cell, mm)
        })
    }
}

/// The terrain below the next modifier.
struct TerrainBelow<'a> {
    tiles: &'a ModifiedTiles,
    base: &'a dyn BaseHeights,
    strokes: Strokes<'a>,
    /// The tiles that were read, and their heights without edits.
    used: RefCell<BTreeMap<[i64; 2], (Below, Vec<i32>)>>,
}

impl TerrainBelow<'_> {
    fn on_tile<T>(&self, cell: [i64; 2], read: impl FnOnce(&Below, &[i32]) -> T) -> T {
        let address = TileAddress::of_cell(Channel::Heights, cell[0], cell[1]);
        let mut used = self.used.borrow_mut();
        let (below, heights) = used
            .entry([address.column, address.row])
            .or_insert_with(|| {
                let mut heights = vec![0; TILE_CELLS];
                self.base.heights_mm(address.area(), &mut heights);
                let below = Below {
                    tile: [address.column, address.row],
                    strokes: (self.strokes)(address),
                    modifiers: self.tiles.modifiers_on(address).to_vec(),
                };
                (below, heights)
            });
        read(below, heights)
    }

    fn cell_mm(&self, cell: [i64; 2]) -> f64 {
        let index = TileAddress::index(cell[0], cell[1]);
        self.on_tile(cell, |below, heights| below.mm(cell, heights[index]).into())
    }
}

impl Terrain for TerrainBelow<'_> {
    /// The height of the last bed, or the mean of the nearest four cells, weighted by their distances. Outside of the
    /// map, the nearest cells count.
    fn mm(&self, at: [f64; 2]) -> (f64, bool) {
        let grid = self.tiles.grid;
        let [(column, x), (row, z)] = grid.cell(at);
        let first = [column, row];
        let bed = self.on_tile(first, |below, _| {
            let beds = below
                .modifiers
                .iter()
                .rev()
                .filter(|modifier| modifier.changes(Channel::Heights))
                .filter_map(|modifier| modifier.shape.bed(grid.position_on(modifier.grid, at)));
            let mut under = beds.filter(|(near, _)| near.distance <= 0.0);
            under.next().map(|(near, _)| near.mm)
        });
        if let Some(mm) = bed {
            return (mm, true);
        }
        let last = [0, 1].map(|axis| grid.next(axis, first[axis]));
        let row = |row: i64| {
            let [west, east] = [first[0], last[0]].map(|column| self.cell_mm([column, row]));
            west + (east - west) * x
        };
        let [north, south] = [row(first[1]), row(last[1])];
        (north + (south - north) * z, false)
    }
}
