//! `tiles.ron`: what the tiles beside it are, and what whoever makes more of them has to know.
//!
//! ```text
//! (
//!     version: 1,
//!     program: "0.1.0",
//!     layout: (recipe: (...), tile: (1024, 1024), overlap: 0, ending: "r32", raw: Some((f32, little))),
//!     prepass: (...),
//! )
//! ```
//!
//! Its text may come from anywhere. How long it is, and how much of it can become more in memory than
//! it is as text, is looked at before it is parsed; then everything in it is checked.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{TileLayout, TileLayoutError};
use crate::{ByteOrder, RawFormat, Sample};
use lanternfell_heightmap::{
    MapSize, Progress, Recipe, SyntaxError, TileError, TilePrepass, read_ron,
};

/// What stands in `tiles.ron`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TileManifest {
    version: u32,
    /// The release that made it.
    program: String,
    layout: TileLayout,
    prepass: TilePrepass,
}

/// Why a text is no [`TileManifest`].
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TileManifestError {
    /// It is longer than any can be.
    #[error("it is longer than the description of a world can be")]
    TooLong,
    /// It is not RON, or not a manifest.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// It is of a version that this crate does not read.
    #[error(
        "it is of version {found}, and this release reads {known}",
        known = TileManifest::VERSION
    )]
    Version {
        /// The version that it names.
        found: u64,
    },
    /// There can be no tiles like that.
    #[error(transparent)]
    Layout(#[from] TileLayoutError),
}

impl TileManifest {
    /// The name of its file, beside the tiles.
    pub const FILE_NAME: &str = "tiles.ron";

    /// The version of the manifest's format and of the tiles' contents.
    pub const VERSION: u32 = 1;

    /// No manifest's text is longer, in bytes: it is a recipe, some lines for each step, and for one
    /// with erosion a coarse map of the world, seldom two or three, of 4 MiB each.
    pub const MAX_BYTES: usize = 64 << 20;

    /// Finds out, by [`Recipe::prepass`], what tiles of this layout have to know of their world.
    ///
    /// # Errors
    /// As [`Recipe::prepass`].
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
    /// The [prepass](Self::prepass) is checked by [`Recipe::tiles`], which alone needs it.
    ///
    /// # Errors
    /// Says what is wrong with the text, and where.
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
            .expect("a manifest holds only numbers, names and lists, all of which RON can write");
        text.push('\n');
        text
    }

    /// What the tiles are.
    pub fn layout(&self) -> &TileLayout {
        &self.layout
    }

    /// Takes that out.
    pub fn into_layout(self) -> TileLayout {
        self.layout
    }

    /// What tiles have to know of their world, for [`Recipe::tiles`].
    pub fn prepass(&self) -> &TilePrepass {
        &self.prepass
    }

    /// Whether this release has made it: another one may make another map of the same recipe, so its
    /// tiles must not stand beside ours.
    pub fn is_of_this_release(&self) -> bool {
        self.program == env!("CARGO_PKG_VERSION")
    }
}

/// A manifest as it stands in a file.
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
    ending: String,
    raw: Option<(Sample, ByteOrder)>,
}

impl UncheckedLayout {
    fn check(self) -> Result<TileLayout, TileLayoutError> {
        let raw = self.raw.map(|(sample, order)| RawFormat { sample, order });
        TileLayout::new(self.recipe, self.tile, self.overlap, self.ending, raw)
    }
}

/// The version that a manifest's text names, whatever else it holds; `None` when it is none.
fn version_of(text: &str) -> Option<u64> {
    /// A recipe has a version, too, but no program.
    #[derive(Deserialize)]
    struct Header {
        version: u64,
        #[serde(rename = "program")]
        _program: String,
    }
    read_ron(text).ok().map(|Header { version, .. }| version)
}

/// A manifest's bytes but for the digits of its coarse maps: a recipe, deeper indented, and some lines
/// for each of its steps.
const LONGEST_WITHOUT_DIGITS: usize = 4 * Recipe::MAX_BYTES;

/// The bytes of a text that are not in long rows of hexadecimal digits.
///
/// Those stay as long as they are. A list may become twenty times as long as its text.
fn without_digits(text: &str) -> usize {
    /// A shorter one may be a number or a name.
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
    fn digits_are_told_from_text() {
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
