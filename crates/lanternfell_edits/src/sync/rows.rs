//! Rows of tiles, compressed so that each packet can be read without the others.
//!
//! A tile may not fit into a packet, and packets get lost. So the unit is a row of 64 cells, of which
//! a receiver asks for those that it misses. A packet has as many rows as fit.
//!
//! ```text
//!        nw  n  ne        A cell is predicted from its neighbors (the median of w, n, and w + n - nw),
//!         w [?]           and the difference is coded. How much the neighbors differ from each other
//!                         selects the context, because where they differ the next one does as well.
//! ```
//!
//! Cells without edits cost almost nothing. Cells of smooth strokes cost some bits each.
//!
//! Source: Weinberger, Seroussi and Sapiro, *The LOCO-I lossless image compression algorithm*, 2000,
//! for the prediction.

use serde::{Deserialize, Serialize};

use super::coder::{Coder, Context, Decoder, Encoder};
use crate::{
    cells::{Channel, TILE_SIDE, TileAddress},
    tile::{ALL_PLANTS, PaintCell, Tile},
};

/// Rows of tiles in a packet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PackedRows {
    runs: Vec<Run>,
    bytes: Vec<u8>,
}

/// Some rows of a tile that follow each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Run {
    address: TileAddress,
    first: u8,
    count: u8,
}

/// The largest size of a run in a packet.
const RUN_BYTES: usize = 24;

/// A tile as numbers: one plane of 64 x 64, or four for paint. 0 stands for cells without edits.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Planes {
    channel: Channel,
    cells: Vec<i32>,
    /// The rows that are known.
    known: u64,
}

type Row = [i32; TILE_SIDE];

impl Planes {
    pub(super) fn unknown(channel: Channel) -> Self {
        let count = planes(channel) * TILE_SIDE * TILE_SIDE;
        Self {
            channel,
            cells: vec![0; count],
            known: 0,
        }
    }

    pub(super) fn of(tile: &Tile) -> Self {
        let mut planes = Self::unknown(tile.channel());
        planes.known = u64::MAX;
        let (one, rest) = planes.cells.split_at_mut(TILE_SIDE * TILE_SIDE);
        match tile {
            Tile::Heights(cells) => one.copy_from_slice(cells),
            Tile::Holes(rows) => {
                for (at, cell) in one.iter_mut().enumerate() {
                    *cell = (rows[at / TILE_SIDE] >> (at % TILE_SIDE) & 1) as i32;
                }
            }
            Tile::Plants(cells) => {
                for (to, from) in one.iter_mut().zip(cells) {
                    *to = (ALL_PLANTS - from).into();
                }
            }
            Tile::Paint(cells) => {
                let (b, rest) = rest.split_at_mut(TILE_SIDE * TILE_SIDE);
                let (c, d) = rest.split_at_mut(TILE_SIDE * TILE_SIDE);
                for (at, cell) in cells.iter().enumerate() {
                    let [x, y] = cell.layers;
                    let [z, w] = cell.covers;
                    [one[at], b[at], c[at], d[at]] = [x, y, z, uncovered(z, w)].map(i32::from);
                }
            }
        }
        planes
    }

    /// The rows that are missing.
    pub(super) fn missing(&self) -> u64 {
        !self.known
    }

    /// The tile, or `None` if a row is missing or no tile has these cells.
    pub(super) fn tile(&self) -> Option<Tile> {
        if self.known != u64::MAX {
            return None;
        }
        let bytes: Result<Vec<u8>, _> = self.cells.iter().map(|&cell| cell.try_into()).collect();
        let tile = match self.channel {
            Channel::Heights => Tile::Heights(self.cells.clone().into()),
            Channel::Holes => {
                let bit = |row: u64, &cell: &u8| row << 1 | u64::from(cell & 1);
                let bytes = bytes.ok()?;
                let rows = bytes.chunks(TILE_SIDE);
                Tile::Holes(rows.map(|row| row.iter().rev().fold(0, bit)).collect())
            }
            Channel::Plants => {
                let cells = bytes.ok()?.into_iter().map(|cell| ALL_PLANTS - cell);
                Tile::Plants(cells.collect())
            }
            Channel::Paint => {
                let bytes = bytes.ok()?;
                let plane = |at: usize, plane: usize| bytes[plane * TILE_SIDE * TILE_SIDE + at];
                let cell = |at| PaintCell {
                    layers: [plane(at, 0), plane(at, 1)],
                    covers: [plane(at, 2), uncovered(plane(at, 2), plane(at, 3))],
                };
                Tile::Paint((0..TILE_SIDE * TILE_SIDE).map(cell).collect())
            }
        };
        (tile.is_valid() && !tile.is_empty()).then_some(tile)
    }

    fn row(&self, plane: usize, row: usize) -> &[i32] {
        &self.cells[(plane * TILE_SIDE + row) * TILE_SIDE..][..TILE_SIDE]
    }

    /// Takes the rows of a run.
    pub(super) fn take(&mut self, rows: &UnpackedRows) {
        let first = usize::from(rows.first);
        let planes = planes(self.channel);
        if rows.address.channel != self.channel {
            return;
        }
        for (at, values) in rows.rows.iter().enumerate() {
            let (row, plane) = (first + at / planes, at % planes);
            let start = (plane * TILE_SIDE + row) * TILE_SIDE;
            self.cells[start..][..TILE_SIDE].copy_from_slice(values);
            self.known |= 1 << row;
        }
    }
}

pub(super) fn planes(channel: Channel) -> usize {
    match channel {
        Channel::Heights | Channel::Holes | Channel::Plants => 1,
        Channel::Paint => 4,
    }
}

/// What two covers leave, plus one, or 0 if the second is 0. It stays the same where one layer fades into
/// another. With the result as the second cover, it returns that cover.
fn uncovered(first: u8, second: u8) -> u8 {
    match second {
        0 => 0,
        _ => (256 - u16::from(first)).saturating_sub(second.into()) as u8,
    }
}

/// The rows of a run, each once per plane.
pub(super) struct UnpackedRows {
    pub(super) address: TileAddress,
    first: u8,
    rows: Vec<Row>,
}

/// What has been learned about differences.
#[derive(Clone)]
struct Model {
    /// For each plane and activity, whether a difference has more bits than this.
    sizes: Vec<[Context; 33]>,
    /// For each number of bits, the two bits below the highest.
    upper: Vec<[Context; 4]>,
    signs: [Context; 3],
}

const ACTIVITIES: usize = 16;

impl Model {
    fn new() -> Self {
        Self {
            sizes: vec![[Context::default(); 33]; 4 * ACTIVITIES],
            upper: vec![[Context::default(); 4]; 33],
            signs: [Context::default(); 3],
        }
    }

    /// Codes a row. `row` is written, or read into.
    fn row(
        &mut self,
        coder: &mut impl Coder,
        plane: usize,
        north: Option<&[i32]>,
        row: &mut [i32],
    ) {
        let mut before = 0;
        for x in 0..row.len() {
            let west = |at: usize| x.checked_sub(at).map(|at| row[at]);
            let w = west(1).or(north.map(|north| north[x])).unwrap_or(0);
            let [nw, n, ne] = match north {
                Some(north) => {
                    [x.saturating_sub(1), x, (x + 1).min(row.len() - 1)].map(|x| north[x])
                }
                None => [west(2).unwrap_or(w), w, w],
            };
            let predicted = median(w, n, w.wrapping_add(n).wrapping_sub(nw));
            let activity = activity([w, nw, n, ne]);
            let difference = row[x].wrapping_sub(predicted);
            let sign = &mut self.signs[before];
            let sizes = &mut self.sizes[plane * ACTIVITIES + activity];
            let read = number(coder, sizes, &mut self.upper, sign, difference);
            before = match read {
                0 => 0,
                1.. => 1,
                _ => 2,
            };
            row[x] = predicted.wrapping_add(read);
        }
    }
}

fn median(a: i32, b: i32, c: i32) -> i32 {
    c.clamp(a.min(b), a.max(b))
}

/// How much the neighbors of a cell differ: 0 if all are without edits, 1 if all are equal.
fn activity([w, nw, n, ne]: [i32; 4]) -> usize {
    let apart = |a: i32, b: i32| u64::from(a.wrapping_sub(b).unsigned_abs());
    let sum = apart(w, nw) + apart(n, nw) + apart(n, ne);
    match (sum, w | n) {
        (0, 0) => 0,
        (0, _) => 1,
        _ => (1 + (64 - sum.leading_zeros()) as usize).min(ACTIVITIES - 1),
    }
}

/// Codes a number: how many bits it has, its sign, and its bits.
fn number(
    coder: &mut impl Coder,
    sizes: &mut [Context; 33],
    upper: &mut [[Context; 4]],
    sign: &mut Context,
    value: i32,
) -> i32 {
    let amount = value.unsigned_abs();
    let size = 32 - amount.leading_zeros();
    let mut bits = 0;
    while bits < 32 && coder.bit(&mut sizes[bits as usize], bits < size) {
        bits += 1;
    }
    if bits == 0 {
        return 0;
    }
    let is_negative = coder.bit(sign, value < 0);
    let mut read = 1;
    let contexts = &mut upper[bits as usize];
    let modeled = (bits - 1).min(2);
    for at in 1..=modeled {
        let context = &mut contexts[if at == 1 { 0 } else { 1 + (read & 1) as usize }];
        read = read << 1 | u32::from(coder.bit(context, amount >> (bits - 1 - at) & 1 == 1));
    }
    let rest = bits - 1 - modeled;
    let read = read << rest | coder.raw(amount, rest);
    let read = read as i32;
    if is_negative {
        read.wrapping_neg()
    } else {
        read
    }
}

/// Packs the rows of tiles, those whose bits are set, into parts of at most `most` bytes.
pub(super) fn pack<'a>(
    tiles: impl IntoIterator<Item = (TileAddress, &'a Tile, u64)>,
    most: usize,
) -> Vec<PackedRows> {
    let mut packer = Packer {
        most,
        model: Model::new(),
        coder: Encoder::new(),
        runs: Vec::new(),
        packed: Vec::new(),
    };
    for (address, tile, rows) in tiles {
        let planes = Planes::of(tile);
        for row in (0..TILE_SIDE).filter(|row| rows >> row & 1 == 1) {
            packer.add(address, &planes, row);
        }
    }
    packer.flush();
    packer.packed
}

struct Packer {
    most: usize,
    model: Model,
    coder: Encoder,
    runs: Vec<Run>,
    packed: Vec<PackedRows>,
}

impl Packer {
    fn add(&mut self, address: TileAddress, tile: &Planes, row: usize) {
        let (model, coder) = (self.model.clone(), self.coder.clone());
        self.code(address, tile, row);
        if self.coder.len() + self.runs.len() * RUN_BYTES > self.most {
            // It does not fit: take it back.
            (self.model, self.coder) = (model, coder);
            if let Some(run) = self.runs.last_mut() {
                run.count -= 1;
            }
            self.runs.retain(|run| run.count > 0);
            self.flush();
            self.code(address, tile, row);
        }
    }

    fn code(&mut self, address: TileAddress, tile: &Planes, row: usize) {
        let follows = |run: &Run| run.address == address && run.first + run.count == row as u8;
        let is_next = self.runs.last().is_some_and(follows);
        for plane in 0..planes(tile.channel) {
            let north = is_next.then(|| tile.row(plane, row - 1));
            let mut cells = [0; TILE_SIDE];
            cells.copy_from_slice(tile.row(plane, row));
            self.model.row(&mut self.coder, plane, north, &mut cells);
        }
        match self.runs.last_mut() {
            Some(run) if is_next => run.count += 1,
            _ => self.runs.push(Run {
                address,
                first: row as u8,
                count: 1,
            }),
        }
    }

    fn flush(&mut self) {
        self.model = Model::new();
        let bytes = std::mem::replace(&mut self.coder, Encoder::new()).finish();
        let runs = std::mem::take(&mut self.runs);
        if !runs.is_empty() {
            self.packed.push(PackedRows { runs, bytes });
        }
    }
}

/// Unpacks rows. Returns `None` if a run does not fit into a tile.
pub(super) fn unpack(packed: &PackedRows) -> Option<Vec<UnpackedRows>> {
    let mut model = Model::new();
    let mut decoder = Decoder::new(&packed.bytes);
    let mut all = Vec::new();
    for run in &packed.runs {
        let Run {
            address,
            first,
            count,
        } = *run;
        let ends = usize::from(first) + usize::from(count);
        if count == 0 || ends > TILE_SIDE {
            return None;
        }
        let planes = planes(address.channel);
        let mut rows: Vec<Row> = Vec::with_capacity(usize::from(count) * planes);
        for at in 0..usize::from(count) * planes {
            let mut row = [0; TILE_SIDE];
            let north = at.checked_sub(planes).map(|north| rows[north]);
            let north = north.as_ref().map(|north| &north[..]);
            model.row(&mut decoder, at % planes, north, &mut row);
            rows.push(row);
        }
        all.push(UnpackedRows {
            address,
            first,
            rows,
        });
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_random::SeededRng;

    fn tile(rng: &mut SeededRng, kind: u64) -> Tile {
        let mut cell = |_| match kind % 3 {
            0 => rng.word() as i32,
            1 => 0,
            _ => rng.within(-2, 2),
        };
        match kind / 3 {
            0 => Tile::Heights((0..4096).map(cell).collect()),
            1 => Tile::Holes((0..64).map(|at| cell(at) as u64 | 1).collect()),
            2 => Tile::Plants((0..4096).map(|at| cell(at) as u8 & 0xFE).collect()),
            _ => {
                let paint = |value: i32| match value & 16 {
                    0 => PaintCell {
                        layers: [(value & 15) as u8, 0],
                        covers: [200, 0],
                    },
                    _ => PaintCell {
                        layers: [3, (value & 1) as u8],
                        covers: [239 - (value & 31) as u8, 1 + (value & 15) as u8],
                    },
                };
                Tile::Paint((0..4096).map(|at| paint(cell(at))).collect())
            }
        }
    }

    #[test]
    fn rows_survive_a_round_trip_in_any_order_and_number() {
        let mut rng = SeededRng::new(1, b"rows    ");
        for kind in 0..12 {
            let tile = tile(&mut rng, kind);
            let far = TileAddress::new(tile.channel(), -(1 << 44), 1 << 44);
            let mut planes = Planes::unknown(tile.channel());
            while planes.tile().is_none() {
                let wanted = planes.missing();
                let mut packets = pack([(far, &tile, wanted)], 1100);
                rng.shuffle(&mut packets);
                for packet in packets {
                    let bytes = postcard::to_stdvec(&packet).unwrap();
                    assert!(bytes.len() <= 1100, "{}", bytes.len());
                    if rng.percent(60) {
                        for rows in unpack(&packet).unwrap() {
                            planes.take(&rows);
                        }
                    }
                }
                if tile.is_empty() {
                    break;
                }
            }
            assert!(
                tile.is_empty() || planes.tile().as_ref() == Some(&tile),
                "{kind}"
            );
        }
    }
}
