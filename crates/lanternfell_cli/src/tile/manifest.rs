//! `tiles.ron`: what every process that makes tiles of a folder has to know.
//!
//! It stands before the first tile, and is never replaced: of several processes that begin a
//! folder at once, the system lets one give it its name, and the others compare. So all tiles
//! beside it are of one world and in one format.

use std::path::Path;

use lanternfell_files::AtomicFile;
use lanternfell_heightmap::{
    MapSize, Recipe, TilePrepass,
    io::{ByteOrder, RawFormat, Sample},
};
use serde::{Deserialize, Serialize};

use crate::{failure::Failure, job::Job, read::Input};

const NAME: &str = "tiles.ron";

/// Of this file's own format, and of what stands in the tiles beside it: since 2 those of .tif, .exr
/// and .asc are in metres.
const VERSION: u32 = 2;

/// A longer one is none: it is a recipe, some lines for each step, and for one with erosion a coarse
/// map of the world, seldom two or three, of 4 MiB each.
const LONGEST: u64 = 64 << 20;

/// Everything that decides the tiles' bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Layout {
    pub(super) recipe: Recipe,
    pub(super) tile: MapSize,
    pub(super) overlap: u32,
    /// The ending of the tiles' names, which tells their format.
    pub(super) ending: String,
    /// How numbers are kept, where the format leaves that open.
    pub(super) raw: Option<(Sample, ByteOrder)>,
}

/// What stands in the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    version: u32,
    /// The version of the program: another one may make another map of the same recipe.
    program: String,
    pub(super) layout: Layout,
    #[serde(alias = "survey")]
    pub(super) prepass: TilePrepass,
}

impl Layout {
    pub(super) fn raw_format(&self) -> Option<RawFormat> {
        self.raw.map(|(sample, order)| RawFormat { sample, order })
    }

    /// What this one has that the other has not.
    fn difference(&self, other: &Self) -> Option<&'static str> {
        let size = self.recipe.size == other.recipe.size;
        let seed = self.recipe.seed == other.recipe.seed;
        [
            (size, "size"),
            (seed, "seed"),
            (self.recipe == other.recipe, "recipe"),
            (self.tile == other.tile, "--tile"),
            (self.overlap == other.overlap, "--overlap"),
            (self.ending == other.ending, "--format"),
            (self.raw == other.raw, "--raw-format or --big-endian"),
        ]
        .into_iter()
        .find_map(|(same, what)| (!same).then_some(what))
    }
}

impl Manifest {
    /// The one in the folder, which must be of what is asked for; if there is none yet, the
    /// prepass is made and it is written.
    pub(super) fn open(folder: &Path, asked: Layout, job: &Job) -> Result<Self, Failure> {
        let path = folder.join(NAME);
        if path.exists() {
            return Self::read(&path)?.check(&asked, &path);
        }
        // Looked for after the manifest; the first tile may have come with it in between.
        if holds_tiles(folder)? && !path.exists() {
            return Err(Failure::Usage(format!(
                "{}: there are tiles, but no {NAME} that tells of which world they are: choose \
                 another folder",
                folder.display()
            )));
        }
        let progress = job.progress.span(0.0, 0.1);
        let prepass = job.with_bar("prepass", || asked.recipe.prepass(&progress))?;
        let made = Self {
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            layout: asked,
            prepass,
        };
        if made.write_new(&path)? {
            return Ok(made);
        }
        // Another process was faster.
        Self::read(&path)?.check(&made.layout, &path)
    }

    /// Whether it has got the name, which nobody had before.
    fn write_new(&self, path: &Path) -> Result<bool, Failure> {
        let layout = ron::ser::PrettyConfig::default().depth_limit(5);
        let mut text = ron::ser::to_string_pretty(self, layout)
            .expect("a manifest holds only numbers, names and lists, which RON can write");
        text.push('\n');
        let written = AtomicFile::prepare(path).and_then(|draft| {
            std::io::Write::write_all(&mut draft.file(), text.as_bytes())?;
            draft.finish_new()
        });
        written.map_err(|error| Failure::Write {
            path: path.to_owned(),
            error,
        })
    }

    fn read(path: &Path) -> Result<Self, Failure> {
        let mut file = Input::open(path)?;
        let foreign = "it is not what `lanternfell tile` writes there: choose another folder";
        if file.length > LONGEST {
            return Err(file.wrong(foreign));
        }
        let text = String::from_utf8(file.read()?).map_err(|_| file.wrong(foreign))?;
        ron::from_str(&text).map_err(|error| file.wrong(format_args!("{foreign} ({error})")))
    }

    fn check(self, asked: &Layout, path: &Path) -> Result<Self, Failure> {
        let ours = self.version == VERSION && self.program == env!("CARGO_PKG_VERSION");
        let difference = if ours {
            self.layout.difference(asked)
        } else {
            Some("version of this program")
        };
        match difference {
            None => Ok(self),
            Some(what) => Err(Failure::Usage(format!(
                "{}: the tiles there have another {what}: choose another folder",
                path.display()
            ))),
        }
    }
}

/// What the tiles in a folder are.
pub(super) fn layout_in(folder: &Path) -> Result<Layout, Failure> {
    let path = folder.join(NAME);
    if !path.is_file() {
        return Err(Failure::Usage(format!(
            "{}: a folder is a map if `lanternfell tile` wrote it, and this has no {NAME}",
            folder.display()
        )));
    }
    let manifest = Manifest::read(&path)?;
    if manifest.version != VERSION {
        return Err(Failure::Usage(format!(
            "{}: it is of version {}, and this program reads {VERSION}",
            path.display(),
            manifest.version
        )));
    }
    Ok(manifest.layout)
}

fn holds_tiles(folder: &Path) -> Result<bool, Failure> {
    let entries = std::fs::read_dir(folder).map_err(|error| Failure::Read {
        path: folder.to_owned(),
        error,
    })?;
    let mut names = entries.flatten().map(|entry| entry.file_name());
    Ok(names.any(|name| is_tile(&name.to_string_lossy())))
}

/// Whether a file of that name is, or may be taken for, a tile of any format.
fn is_tile(name: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let place = name
        .strip_prefix("tile_y")
        .and_then(|rest| rest.split_once("_x"));
    place.is_some_and(|(row, rest)| {
        let (column, _) = rest.split_once('.').unwrap_or((rest, ""));
        number(row) && number(column)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_known_by_their_names() {
        for name in ["tile_y0000_x0012.r32", "tile_y12345_x0.png"] {
            assert!(is_tile(name), "{name}");
        }
        for name in [
            "tiles.ron",
            "tile_y_x.png",
            "tile_yA_x0.png",
            "tile_y0.r32",
            "a.r32",
        ] {
            assert!(!is_tile(name), "{name}");
        }
    }
}
