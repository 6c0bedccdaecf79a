//! Logs as bytes.
//!
//! ```text
//!   magic    8 bytes   "LFEDITS" and a zero
//!   version  u16
//!   length   u64       of the body
//!   hash     u64       FNV-1a of the body
//!   body               postcard: `Body`
//! ```
//!
//! Numbers are little-endian. The body has the entries in order, so that two equal logs have equal
//! bytes. Each image of a stamp is stored once, and the entries have placeholders.
//!
//! **Untrusted bytes.** The hash shows damage, but anyone can compute it. So every value is checked
//! as if it came from a player. Memory before that check is at most a small multiple of the number
//! of bytes, because serde reserves at most 1 MiB for elements that it has not read yet. The tiles
//! that the strokes cover are bounded by [`EditLimits`].

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use lanternfell_random::Fnv1a;
use serde::{Deserialize, Serialize};

use super::{EditLimits, Edits};
use crate::{
    base::BaseHeights,
    brush::Brush,
    cells::TileAddress,
    entry::{Entry, Operation},
    error::{EditError, ReadError},
    image::StampImage,
    stroke::Stroke,
    tile::Tile,
};

const MAGIC: [u8; 8] = *b"LFEDITS\0";
const VERSION: u16 = 1;
const HEADER: usize = 26;

/// The contents of a log.
#[derive(Serialize, Deserialize)]
struct Body<'a> {
    /// Entries before this time are part of `baked`.
    compacted: u64,
    clock: u64,
    /// The last number of each author.
    authors: Vec<(u32, u32)>,
    /// What compacted entries did.
    baked: Vec<(TileAddress, Cow<'a, Tile>)>,
    images: Vec<StampImage>,
    /// The image of each stamp, in the order of the entries.
    stamps: Vec<u32>,
    entries: Vec<Cow<'a, Entry>>,
}

impl Edits {
    /// Encodes the log. Files with these bytes have the extension `.edits`.
    ///
    /// Copies of a log have the same bytes if they were compacted at the same times. The order in
    /// which their entries arrived does not matter.
    pub fn to_bytes(&self) -> Vec<u8> {
        let baked = self.state.checkpoints.baked.iter();
        let baked = baked.map(|(&tile, state)| (tile, Cow::Borrowed(&**state)));
        let mut body = Body {
            compacted: self.compacted,
            clock: self.log.clock,
            authors: self.log.last_sequences().collect(),
            baked: baked.collect(),
            images: Vec::new(),
            stamps: Vec::new(),
            entries: Vec::with_capacity(self.len()),
        };
        let mut numbers = BTreeMap::new();
        for entry in self.entries() {
            let Some(image) = image_of(entry) else {
                body.entries.push(Cow::Borrowed(entry));
                continue;
            };
            let number = *numbers.entry(image.key()).or_insert_with(|| {
                body.images.push(image.clone());
                body.images.len() as u32 - 1
            });
            body.stamps.push(number);
            let mut entry = entry.clone();
            replace_image(&mut entry, StampImage::placeholder());
            body.entries.push(Cow::Owned(entry));
        }
        let body = postcard::to_stdvec(&body).expect("postcard can encode all types of the body");
        seal(&body)
    }

    /// Decodes a log over a terrain, and applies it.
    ///
    /// # Errors
    /// If the bytes are not a whole and undamaged log of this version, or have an entry that is not
    /// allowed or exceeds the limits.
    pub fn from_bytes(
        bytes: &[u8],
        base: Arc<dyn BaseHeights>,
        limits: EditLimits,
    ) -> Result<Self, ReadError> {
        let mut body = open(bytes)?;
        check(body.clock <= Entry::MAX_TIME, "clock")?;
        check(body.compacted <= body.clock + 1, "time of compaction")?;
        let mut edits = Self::with_limits(base, limits);
        edits.compacted = body.compacted;
        edits.take_baked(std::mem::take(&mut body.baked))?;
        edits.log.clock = body.clock;
        for &(author, last_sequence) in &body.authors {
            edits.log.resume(author, last_sequence);
        }
        let entries = body.into_entries()?;
        check(
            entries.is_sorted_by(|a, b| a.key() < b.key()),
            "order of the entries",
        )?;
        // Tombstones first, so that undone strokes are never applied.
        let is_stroke = |entry: &Entry| entry.operation.stored_stroke().is_some();
        let (strokes, tombstones): (Vec<_>, Vec<_>) = entries.into_iter().partition(is_stroke);
        for entry in tombstones.into_iter().chain(strokes) {
            let is_new = edits.log.slot(entry.id).is_none();
            check(is_new, "id of an entry, which occurs twice")?;
            edits.insert(entry).map_err(ReadError::Entry)?;
        }
        Ok(edits)
    }

    fn take_baked(&mut self, baked: Vec<(TileAddress, Cow<'_, Tile>)>) -> Result<(), ReadError> {
        let (tiles, most) = (baked.len(), self.limits.tiles);
        if tiles > most {
            return Err(ReadError::Entry(EditError::Tiles { tiles, most }));
        }
        check(baked.is_sorted_by(|a, b| a.0 < b.0), "order of the tiles")?;
        for (address, tile) in baked {
            // As far as strokes reach, and more.
            let near = -(Stroke::MAX_POSITION >> 12)..=Stroke::MAX_POSITION >> 12;
            let is_near = near.contains(&address.column) && near.contains(&address.row);
            let is_of_channel = tile.channel() == address.channel;
            check(is_near && is_of_channel, "address of a tile")?;
            check(tile.is_valid() && !tile.is_empty(), "cells of a tile")?;
            let tile = Arc::new(tile.into_owned());
            self.state.start_with(address, tile);
        }
        Ok(())
    }
}

impl Body<'_> {
    /// The entries, with their images.
    fn into_entries(self) -> Result<Vec<Entry>, ReadError> {
        let mut stamps = self.stamps.into_iter();
        let mut entries = Vec::with_capacity(self.entries.len());
        for entry in self.entries {
            let mut entry = entry.into_owned();
            if let Some(image) = image_of(&entry) {
                check(image.is_placeholder(), "image of a stamp")?;
                let number = stamps.next().map(|number| number as usize);
                let image = number.and_then(|number| self.images.get(number));
                let image = image.filter(|image| !image.is_placeholder());
                let image = image.ok_or(ReadError::Malformed("number of an image"))?;
                replace_image(&mut entry, image.clone());
            }
            entries.push(entry);
        }
        check(stamps.next().is_none(), "number of stamps")?;
        Ok(entries)
    }
}

/// Puts the header before a body.
fn seal(body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + body.len());
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(Fnv1a::of_bytes(body.iter().copied()).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// Checks the header and the hash, and decodes the body.
fn open(bytes: &[u8]) -> Result<Body<'static>, ReadError> {
    let (magic, rest) = bytes.split_first_chunk().ok_or(ReadError::Foreign)?;
    if *magic != MAGIC {
        return Err(ReadError::Foreign);
    }
    let found = bytes.len() as u64;
    let expected = HEADER as u64;
    let short = || ReadError::Length { found, expected };
    let (version, rest) = rest.split_first_chunk().ok_or_else(short)?;
    let version = u16::from_le_bytes(*version);
    if version != VERSION {
        return Err(ReadError::Version {
            found: version,
            expected: VERSION,
        });
    }
    let (length, rest) = rest.split_first_chunk().ok_or_else(short)?;
    let (hash, body) = rest.split_first_chunk().ok_or_else(short)?;
    let expected = u64::from_le_bytes(*length).saturating_add(HEADER as u64);
    if expected != found {
        return Err(ReadError::Length { found, expected });
    }
    if Fnv1a::of_bytes(body.iter().copied()) != u64::from_le_bytes(*hash) {
        return Err(ReadError::Damaged);
    }
    let body = postcard::take_from_bytes(body);
    let (body, rest) = body.map_err(|_| ReadError::Malformed("body"))?;
    check(rest.is_empty(), "end of the body")?;
    Ok(body)
}

fn check(is_fine: bool, name: &'static str) -> Result<(), ReadError> {
    match is_fine {
        true => Ok(()),
        false => Err(ReadError::Malformed(name)),
    }
}

fn image_of(entry: &Entry) -> Option<&StampImage> {
    match &entry.operation.stored_stroke()?.brush {
        Brush::Stamp { image } => Some(image),
        _ => None,
    }
}

fn replace_image(entry: &mut Entry, with: StampImage) {
    if let Operation::Stroke(stroke) | Operation::Drag(stroke) = &mut entry.operation
        && let Brush::Stamp { image } = &mut stroke.brush
    {
        *image = with;
    }
}
