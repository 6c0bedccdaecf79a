//! `tiles.ron`: the manifest of a folder of tiles, with the data that is needed to generate more of them.
//!
//! ```text
//! (
//!     version: 1,
//!     program: "0.1.0",
//!     layout: (recipe: (...), tile: (1024, 1024), overlap: 0, extension: "r32", raw: Some((f32, little))),
//!     prepass: (...),
//! )
//! ```
//!
//! The text is not trusted. Its length, and the length of the part that can expand in memory, are checked before it is
//! parsed. All values are checked afterward.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{TileLayout, TileLayoutError};
use crate::{ByteOrder, RawFormat, Sample};
use lanternfell_heightmap::{
    MapSize, Progress, Recipe, SyntaxError, TileError, TilePrepass, read_ron,
};

/// The content of `tiles.ron`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TileManifest {
    version: u32,
    /// The version of Lanternfell that created it.
    program: String,
    layout: TileLayout,
    prepass: TilePrepass,
}

/// The error of reading a [`TileManifest`].
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TileManifestError {
    /// The text is longer than [`TileManifest::MAX_BYTES`], or has too much text outside of its coarse maps.
    #[error("it is longer than a manifest of tiles can be")]
    TooLong,
    /// The text is not RON, or not a manifest.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// The manifest has a version that this release cannot read.
    #[error(
        "it has version {found}, but this release reads version {known}",
        known = TileManifest::VERSION
    )]
    Version {
        /// The version found.
        found: u64,
    },
    /// The layout is invalid.
    #[error(transparent)]
    Layout(#[from] TileLayoutError),
}

impl TileManifest {
    /// The file name of a manifest.
    pub const FILE_NAME: &str = "tiles.ron";

    /// The version of the manifest's format and of the tiles' contents.
    pub const VERSION: u32 = 1;

    /// The maximum length of a manifest in bytes. It contains a recipe, a few lines for each step, and for each erosion
    /// step a coarse map of the world of up to 4 MiB. Most recipes have one erosion step, and few have two or three.
    pub const MAX_BYTES: usize = 64 << 20;

    /// Creates a manifest. It runs [`Recipe::prepass`] to compute the data that the tiles of this layout need from the
    /// whole world.
    ///
    /// # Errors
    /// The errors of [`Recipe::prepass`].
    pub fn new(layout: TileLayout, progress: &Progress) -> Result<Self, TileError> {
        let prepass = layout.recipe().prepass(progress)?;
        Ok(Self {
            version: Self::VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            layout,
            prepass,
        })
    }

    /// Reads a manifest and checks it.
    ///
    /// The [prepass](Self::prepass) is checked later, by [`Recipe::tiles`].
    ///
    /// # Errors
    /// When the text is not a valid manifest. The error names the place.
    pub fn from_ron(text: &str) -> Result<Self, TileManifestError> {
        if text.len() > Self::MAX_BYTES || without_digits(text) > LONGEST_WITHOUT_DIGITS {
            return Err(TileManifestError::TooLong);
        }
        let read: Unchecked = read_ron(text).map_err(|error| match version_of(text) {
            Some(found) if found != u64::from(Self::VERSION) => {
                TileManifestError::Version { found }
            }
            _ => error.into(),
        })?;
        if read.version != Self::VERSION {
            let found = read.version.into();
            return Err(TileManifestError::Version { found });
        }
        Ok(Self {
            version: read.version,
            program: read.program,
            layout: read.layout.check()?,
            prepass: read.prepass,
        })
    }

    /// Writes the manifest as RON.
    pub fn to_ron(&self) -> String {
        let layout = ron::ser::PrettyConfig::default().depth_limit(5);
        let mut text = ron::ser::to_string_pretty(self, layout)
            .expect("a manifest only contains numbers, names and lists, which RON can represent");
        text.push('\n');
        text
    }

    /// Returns the layout of the tiles.
    pub fn layout(&self) -> &TileLayout {
        &self.layout
    }

    /// Converts the manifest into its layout.
    pub fn into_layout(self) -> TileLayout {
        self.layout
    }

    /// Returns the data that tiles need from the whole world, for [`Recipe::tiles`].
    pub fn prepass(&self) -> &TilePrepass {
        &self.prepass
    }

    /// Returns whether this release created the manifest.
    ///
    /// Another release may generate other heights from the same recipe, so its tiles must not be mixed with ours.
    pub fn is_of_this_release(&self) -> bool {
        self.program == env!("CARGO_PKG_VERSION")
    }
}

/// A manifest as stored in a file, before it is checked.
#[derive(Deserialize)]
#[serde(rename = "Manifest", deny_unknown_fields)]
struct Unchecked {
    version: u32,
    program: String,
    layout: UncheckedLayout,
    prepass: TilePrepass,
}

#[derive(Deserialize)]
#[serde(rename = "Layout", deny_unknown_fields)]
struct UncheckedLayout {
    recipe: Recipe,
    tile: MapSize,
    overlap: u32,
    extension: String,
    raw: Option<(Sample, ByteOrder)>,
    #[serde(default)]
    range: Option<(f64, f64)>,
    #[serde(default)]
    texture: Option<String>,
}

impl UncheckedLayout {
    fn check(self) -> Result<TileLayout, TileLayoutError> {
        let raw = self.raw.map(|(sample, order)| RawFormat { sample, order });
        let range = self.range.map(<[f64; 2]>::from);
        TileLayout::new(self.recipe, self.tile, self.overlap, self.extension, raw)?
            .with_range(range)
            .map(|layout| layout.with_texture(self.texture))
    }
}

/// Returns the version of a manifest whose other fields may be unknown, or `None` if the text is not a manifest.
fn version_of(text: &str) -> Option<u64> {
    /// A recipe also has a version, but no program.
    #[derive(Deserialize)]
    struct Header {
        version: u64,
        #[serde(rename = "program")]
        _program: String,
    }
    read_ron(text).ok().map(|Header { version, .. }| version)
}

/// The maximum length of a manifest without the digits of its coarse maps: a recipe with deeper indentation, and a few
/// lines for each step.
const LONGEST_WITHOUT_DIGITS: usize = 4 * Recipe::MAX_BYTES;

/// Returns the number of bytes of a text that are not in long rows of hexadecimal digits.
///
/// Digits take no more memory than their text. Other parts do: a list may need twenty times as much.
fn without_digits(text: &str) -> usize {
    /// A shorter row may be a number or a name.
    const ROW: usize = 1000;
    let is_digits = |part: &&str| part.len() >= ROW && part.bytes().all(|b| b.is_ascii_hexdigit());
    text.len()
        - text
            .split('"')
            .filter(is_digits)
            .map(str::len)
            .sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_bytes_outside_digit_rows() {
        let row = "0123456789abcdef".repeat(100);
        for (text, rest) in [
            (format!("(heights: \"{row}\")"), 13),
            (format!("\"{row}\"\"{row}\""), 4),
            (format!("\"{row}x\""), row.len() + 3),
            ("\"0123\"".to_owned(), 6),
            (String::new(), 0),
        ] {
            assert_eq!(without_digits(&text), rest);
        }
    }
}
