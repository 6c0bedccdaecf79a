//! The strips or tiles of a TIFF: which of them are missing, and whether they can hold what they declare.
//!
//! # Missing blocks
//!
//! In a sparse file, strips and tiles without data are not stored: their offset or length is 0. Their cells have the
//! no-data value, or 0 if the file has none. Cloud-optimized TIFFs often have such tiles.
//!
//! A single strip with a length of 0 has data: some programs write this, and `libtiff` computes the length.
//!
//! # Declared sizes
//!
//! A small file may declare a large map, and memory must not be allocated for it before it is known to be true. If a
//! file of n bytes declares at most 4096 n bytes of samples, its memory is bounded well enough. Valid files declare
//! more where a map is flat or mostly missing, so such files are checked first, strip by strip:
//!
//! | compression | a strip can hold its cells if |
//! |---|---|
//! | Zstandard | decompressing it in pieces of 64 KiB gives that many bytes |
//! | LERC | its header declares that number of cells and its checksum is right |
//! | others | it declares at most 4096 times its length, which the best ratios do not reach |
//! | (missing) | it has at most 64 MiB |
//!
//! Cost: such files are decompressed twice. The strips together may have at most 4 GiB, which bounds the time.
//!
//! Source: GDAL, *GeoTIFF driver*, "Sparse files"; `libtiff`, `tif_dirread.c`, `BYTECOUNTLOOKSBAD`.

use super::{
    super::{ImportError, check_claim},
    directory::Shape,
    packed::Packing,
    patched::Patched,
    stream::Method,
};

/// The tags with offsets and byte counts: first of strips, then of tiles.
pub(super) const LISTS: [(u16, u16); 2] = [(273, 279), (324, 325)];

const HEIGHT: u16 = 257;

/// A strip may declare this many times its length without a further check.
const TIGHTEST: u64 = 4096;

/// The maximum size in bytes of a missing strip or tile. Tiles of 4096 x 4096 cells are the largest in use.
const MOST_MISSING: u64 = 1 << 26;

/// The maximum size in bytes of all strips together that are decompressed for the check. The largest map of `f64` has
/// half of it.
const MOST_CHECKED: u64 = 1 << 32;

/// The strips or tiles of a directory.
#[derive(Default)]
pub(super) struct Blocks {
    /// The offset and the length of each, or zeros if it is missing.
    pub(super) at: Vec<(u64, u64)>,
    /// The size in bytes of a full strip or tile.
    pub(super) each: u64,
    /// The number of pieces into which each is divided, or 0 if they are not divided.
    pub(super) pieces: usize,
    /// The length of the file.
    found: u64,
    /// How many bytes of samples the file was checked to contain.
    checked: u64,
}

impl Blocks {
    /// Lists the strips or tiles of the first directory. The list is empty if the directory is invalid, which the
    /// `tiff` crate reports.
    pub(super) fn of(file: &mut Patched<'_>, packing: Option<&Packing>) -> Self {
        let found = file.length();
        let blocks = Self::listed(file, packing).unwrap_or_default();
        Self { found, ..blocks }
    }

    fn listed(file: &mut Patched<'_>, packing: Option<&Packing>) -> Option<Self> {
        let start = file.first_directory()?;
        let mut lists = LISTS.into_iter();
        let (from, long) =
            lists.find_map(|(from, long)| file.list(start, from).zip(file.list(start, long)))?;
        let shape = file.shape(start)?;
        let each = shape.bytes().filter(|&each| each > 0)?;
        let (from, long) = (file.items(&from)?, file.items(&long)?);
        let is_single = from.len() == 1;
        let block = |(from, long)| {
            let is_missing = from == 0 || long == 0 && !is_single;
            if is_missing { (0, 0) } else { (from, long) }
        };
        let mut blocks = Self {
            at: from.into_iter().zip(long).map(block).collect(),
            each,
            ..Self::default()
        };
        let claimed = each.saturating_mul(blocks.at.len() as u64);
        let needs_check = claimed / TIGHTEST > file.length();
        if needs_check && claimed <= MOST_CHECKED {
            let height = file.list(start, HEIGHT)?;
            let height = file.first_item(&height)?;
            let hold = blocks.hold(file, packing, shape, height);
            blocks.checked = if hold.is_some() { claimed } else { 0 };
        }
        Some(blocks)
    }

    /// Returns `Some` if each strip or tile can hold its cells.
    fn hold(
        &self,
        file: &mut Patched<'_>,
        packing: Option<&Packing>,
        shape: Shape,
        height: u64,
    ) -> Option<()> {
        let mut left = height;
        let mut packed = Vec::new();
        for &(from, long) in &self.at {
            // The last strip of a map may be shorter. Tiles are always complete.
            let tall = if shape.is_strip {
                shape.tall.min(left)
            } else {
                shape.tall
            };
            left = left.saturating_sub(tall);
            let needed = shape.row()? * tall;
            let holds = match packing {
                _ if from == 0 => needed <= MOST_MISSING,
                _ if from.checked_add(long)? > file.length() => false,
                None | Some(Packing::Stream(Method::Deflate | Method::Lzw | Method::PackBits)) => {
                    needed / TIGHTEST <= long
                }
                Some(packing) => {
                    packed.resize(usize::try_from(long).ok()?, 0);
                    file.read_at(from, &mut packed)?;
                    packing.holds(&packed, needed, self.each)
                }
            };
            holds.then_some(())?;
        }
        Some(())
    }

    /// Returns whether the strip or tile is missing.
    pub(super) fn is_missing(&self, index: usize) -> bool {
        self.at.get(index) == Some(&(0, 0))
    }

    /// Returns an error if the file cannot hold this number of bytes of samples.
    pub(super) fn check_claim(&self, claimed: u64) -> Result<(), ImportError> {
        if claimed <= self.checked {
            return Ok(());
        }
        check_claim(claimed, usize::try_from(self.found).unwrap_or(usize::MAX))
    }
}
