//! Selects a band of a TIFF, and finds its alpha band.
//!
//! The samples of a cell are stored together, or each band has separate strips or tiles:
//!
//! ```text
//! together: 1 2 a 1 2 a 1 2 a ...        planes: 1 1 1 ...  2 2 2 ...  a a a ...
//! ```
//!
//! The directory is patched so that the `tiff` crate decodes the selected band. An image in planes becomes an image
//! with a single band. In an image with colors, the crate would leave out samples that are not colors, so it becomes
//! gray, with all samples.
//!
//! An extra sample of the kind "alpha" is a mask: where it is 0, a cell has no height. `gdalwarp -dstalpha` writes one.
//!
//! Source: Adobe, *TIFF revision 6.0*, 1992, `ExtraSamples`, `PlanarConfiguration`; GDAL, *GeoTIFF driver*.

use super::{
    super::ImportError,
    blocks,
    patched::Patched,
    read::{is_damaged, not_read},
};

const BITS: u16 = 258;
const INTERPRETATION: u16 = 262;
const SAMPLES: u16 = 277;
const PLANES: u16 = 284;
const EXTRA: u16 = 338;
const FORMAT: u16 = 339;

/// Photometric interpretations.
const WHITE_IS_ZERO: u64 = 0;
const BLACK_IS_ZERO: u64 = 1;
const RGB: u64 = 2;
const CMYK: u64 = 5;

/// The planar configuration in which each band has its own strips or tiles.
const SEPARATE: u64 = 2;

/// The kinds of extra samples that are alpha: associated and unassociated.
const ALPHA: [u64; 2] = [1, 2];

/// The selected band. Samples and bands are counted from 0.
pub(super) struct Selected {
    /// The band in the file.
    pub(super) band: usize,
    /// The sample of each pixel that is the height.
    pub(super) sample: usize,
    pub(super) alpha: Option<Alpha>,
    /// The first three samples are red, green and blue, and must be equal.
    pub(super) colored: bool,
}

/// Where alpha is stored.
#[derive(Clone, Copy)]
pub(super) enum Alpha {
    /// In a sample of each pixel.
    Sample(usize),
    /// In a separate plane.
    Plane(usize),
}

/// Selects a band of the first directory, and patches the directory. `wanted` is counted from 1.
pub(super) fn select(file: &mut Patched<'_>, wanted: Option<u32>) -> Result<Selected, ImportError> {
    let layout = Layout::of(file);
    let band = layout.band(wanted)?;
    let alpha = layout.alpha.filter(|&alpha| alpha != band);
    let colored = wanted.is_none() && layout.is_rgb();
    if layout.count > 1 && layout.in_planes {
        if colored {
            return Err(not_read("colors in several planes"));
        }
        select_plane(file, band)?;
        let alpha = alpha.map(Alpha::Plane);
        return Ok(Selected {
            band,
            sample: 0,
            alpha,
            colored,
        });
    }
    let is_wanted = wanted.is_some() && layout.interpretation == CMYK;
    if layout.count > 1 && (layout.is_rgb() || is_wanted) {
        make_gray(file);
    }
    let alpha = alpha.map(Alpha::Sample);
    Ok(Selected {
        band,
        sample: band,
        alpha,
        colored,
    })
}

/// The bands of a directory.
struct Layout {
    count: usize,
    in_planes: bool,
    interpretation: u64,
    /// The number of samples that belong to the interpretation.
    colors: usize,
    /// The first alpha band.
    alpha: Option<usize>,
}

impl Layout {
    /// Reads the tags. The `tiff` crate reports invalid values.
    fn of(file: &mut Patched<'_>) -> Self {
        let mut numbers = |tag| {
            let list = file.first_directory().and_then(|at| file.list(at, tag))?;
            file.items(&list)
        };
        let mut first = |tag, default| {
            let found = numbers(tag).and_then(|numbers| numbers.first().copied());
            found.unwrap_or(default)
        };
        let count = first(SAMPLES, 1).clamp(1, u16::MAX.into()) as usize;
        let in_planes = first(PLANES, 1) == SEPARATE;
        let interpretation = first(INTERPRETATION, BLACK_IS_ZERO);
        let extra = numbers(EXTRA).unwrap_or_default();
        let colors = count.saturating_sub(extra.len());
        let alpha = extra.iter().position(|kind| ALPHA.contains(kind));
        let alpha = alpha.map(|place| colors + place);
        Self {
            count,
            in_planes,
            interpretation,
            colors,
            alpha: alpha.filter(|&alpha| alpha < count),
        }
    }

    fn is_rgb(&self) -> bool {
        self.interpretation == RGB && matches!(self.colors, 3 | 4)
    }

    /// Returns the index of the selected band.
    fn band(&self, wanted: Option<u32>) -> Result<usize, ImportError> {
        if let Some(wanted) = wanted {
            let band = usize::try_from(wanted).ok().and_then(|n| n.checked_sub(1));
            return band
                .filter(|&band| band < self.count)
                .ok_or_else(|| ImportError::NotThere {
                    option: "band",
                    value: wanted.to_string(),
                    found: self.named(),
                });
        }
        if !matches!(self.interpretation, WHITE_IS_ZERO | BLACK_IS_ZERO) {
            // Colors start at the first sample.
            return Ok(0);
        }
        let mut heights = (0..self.count).filter(|&band| Some(band) != self.alpha);
        match (heights.next(), heights.next()) {
            (_, Some(_)) => Err(ImportError::Several {
                option: "band",
                found: self.named(),
            }),
            (only, None) => Ok(only.unwrap_or(0)),
        }
    }

    /// Describes the bands for an error.
    fn named(&self) -> String {
        let bands = match self.count {
            1 => "1 band".to_owned(),
            count => format!("{count} bands"),
        };
        match self.alpha {
            Some(alpha) if self.count > 1 => format!("{bands}, of which {} is alpha", alpha + 1),
            _ => bands,
        }
    }
}

/// Patches the first directory of an image in planes: only this band is left.
pub(super) fn select_plane(file: &mut Patched<'_>, band: usize) -> Result<(), ImportError> {
    let count = Layout::of(file).count;
    let incomplete = || is_damaged("its directory is incomplete");
    let start = file.first_directory().ok_or_else(incomplete)?;
    for tag in blocks::LISTS.into_iter().flat_map(<[u16; 2]>::from) {
        let Some(list) = file.list(start, tag) else {
            continue;
        };
        let all = file.items(&list).ok_or_else(incomplete)?;
        let each = all.len() / count;
        let own = all.get(band * each..(band + 1) * each);
        let own = own.filter(|own| !own.is_empty() && all.len() == each * count);
        let own = own.ok_or_else(incomplete)?;
        file.write_list(start, tag, own).ok_or_else(incomplete)?;
    }
    // These have one number per band, or one for all.
    for tag in [BITS, FORMAT] {
        let Some(list) = file.list(start, tag) else {
            continue;
        };
        let all = file.items(&list).ok_or_else(incomplete)?;
        let own = all.get(band).or(all.last()).ok_or_else(incomplete)?;
        file.write_single(start, tag, *own);
    }
    // A single band needs no list of extra samples, but a tag cannot be removed.
    for (tag, value) in [(SAMPLES, 1), (PLANES, 1), (EXTRA, 0)] {
        file.write_single(start, tag, value);
    }
    if Layout::of(file).interpretation != WHITE_IS_ZERO {
        make_gray(file);
    }
    Ok(())
}

/// Patches the first directory: its samples are gray.
fn make_gray(file: &mut Patched<'_>) {
    let start = file.first_directory();
    if let Some(list) = start.and_then(|start| file.list(start, INTERPRETATION)) {
        file.write_item(&list, 0, BLACK_IS_ZERO);
    }
}
