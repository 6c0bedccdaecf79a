//! Peers in other languages: each is measured by a script of its own, in its own process.
//!
//! A script is given one file, the sheet, and measures inside its own process, so that
//! neither its start nor the reading of the map is in the times:
//!
//! ```text
//! map DIRECTORY/map 256                   the map's bytes, row by row; cells on a side
//! seconds 0.02                            measure each job for about so long
//! range 12                                how far a light reaches
//! job 0 map symmetric 8 17,4 30,99        a number, and what to do, in the script's words
//! ```
//!
//! On heightmaps the first line is `ground 1024`, and where there are heights to begin with
//! `ground 1024 DIRECTORY/heights`: little-endian `f32`, row by row.
//!
//! It answers a line for each job: its number, nanoseconds per call, and what it found. Of
//! cells that is the count and the sum of their places (see [`crate::seen`]), of heights the
//! mean, the deviation and the grain (see [`crate::heights`]). Without a sheet it says in a
//! line which versions it runs.
//!
//! ```text
//! result 0 15321.2 1043 20771112
//! result 1 7310022.0 0.5012 0.1633 0.0411
//! ```
//!
//! Of meshes it is `meshes` with their bytes and triangles, or `made` with the bytes and the number of those that are
//! made each second; `-` where there is nothing to compare. What is no time is a `row` of a table: a name, a tab and
//! numbers with tabs between.

use std::{
    env,
    ffi::OsString,
    fmt, fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use crate::{
    given::{Given, LAMP_RADIUS},
    result_digest::ResultDigest,
};

/// A library with a script, or several that share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// `rot-js` from npm.
    RotJs,
    /// `tcod` from `PyPI`, the Python package of libtcod: its fields of view.
    Tcod,
    /// Its heightmaps.
    TcodHeights,
    /// `three.terrain.js` from npm, with `three`.
    ThreeTerrain,
    /// Rust crates that would build the whole workspace with other features.
    RustCrates,
    /// Crates of terrain, for the same reason; and ours, built as they are.
    Terrain,
}

const NPM: &str = "npm install --prefix crates/tools/lanternfell_bench/peers";
const PIP: &str = "pip install -r crates/tools/lanternfell_bench/peers/requirements.txt";
const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

impl Peer {
    /// What runs the script, the script, and how its library is installed.
    fn parts(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::RotJs => ("node", "rot_js.mjs", NPM),
            Self::Tcod => (PYTHON, "tcod_fov.py", PIP),
            Self::TcodHeights => (PYTHON, "tcod_heightmap.py", PIP),
            Self::ThreeTerrain => ("node", "three_terrain.mjs", NPM),
            Self::RustCrates => (
                "cargo",
                "rust/Cargo.toml",
                "cargo build --release --manifest-path \
                 crates/tools/lanternfell_bench/peers/rust/Cargo.toml",
            ),
            Self::Terrain => (
                "cargo",
                "terrain/Cargo.toml",
                "cargo build --release --manifest-path \
                 crates/tools/lanternfell_bench/peers/terrain/Cargo.toml",
            ),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::RotJs => "rot-js",
            Self::Tcod | Self::TcodHeights => "tcod",
            Self::ThreeTerrain => "three.terrain.js",
            Self::RustCrates => "a package of Rust crates",
            Self::Terrain => "a package of terrain crates",
        }
    }

    /// The program, with all arguments but the sheet.
    fn command(self) -> Command {
        let (program, script, _) = self.parts();
        let script = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("peers")
            .join(script);
        if !matches!(self, Self::RustCrates | Self::Terrain) {
            let mut command = Command::new(program);
            command.arg(script);
            return command;
        }
        // The cargo that runs this, if one does.
        let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from(program));
        let mut command = Command::new(cargo);
        command.args(["run", "--quiet", "--release", "--manifest-path"]);
        command.arg(script).arg("--");
        command
    }

    /// What the script writes to its standard output.
    fn call(self, sheet: Option<&Path>) -> Result<String, Failure> {
        let output = self.command().args(sheet).output();
        let output = output.map_err(|error| Failure::NotInstalled(self, error.to_string()))?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        if output.status.success() {
            return Ok(text(&output.stdout));
        }
        let errors = text(&output.stderr);
        let last = errors
            .lines()
            .last()
            .unwrap_or("no reason given")
            .to_owned();
        Err(match output.status.code() {
            Some(NOT_INSTALLED) => Failure::NotInstalled(self, last),
            _ => Failure::Failed(self, last),
        })
    }
}

/// The exit code of a script that does not find its library.
const NOT_INSTALLED: i32 = 3;

/// Why a peer is left out, in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The program or the library is missing.
    NotInstalled(Peer, String),
    /// The script failed.
    Failed(Peer, String),
    /// A line that is no result.
    Unreadable(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInstalled(peer, why) => {
                let (program, _, install) = peer.parts();
                let name = peer.name();
                write!(
                    out,
                    "{name} is left out ({why}); with {program} there, install it: {install}"
                )
            }
            Self::Failed(peer, why) => write!(out, "{} is left out, it failed: {why}", peer.name()),
            Self::Unreadable(line) => write!(out, "left out, not a result: {line:?}"),
        }
    }
}

/// The peers that are there.
#[derive(Debug, Default)]
pub struct Peers {
    found: Vec<Peer>,
}

impl Peers {
    /// Asks each of these for its versions; those, or why it is left out, are beside.
    pub fn look_for(wanted: &[Peer]) -> (Self, Vec<Result<String, Failure>>) {
        let answers: Vec<_> = wanted.iter().map(|peer| peer.call(None)).collect();
        let pairs = wanted.iter().zip(&answers);
        let found = pairs.filter(|(_, answer)| answer.is_ok());
        let found = found.map(|(&peer, _)| peer).collect();
        (Self { found }, answers)
    }

    /// Has a sheet measured. Nothing comes from a peer that is not there.
    pub fn measure(&self, peer: Peer, sheet: &Path) -> Result<Vec<Finding>, Failure> {
        if !self.found.contains(&peer) {
            return Ok(Vec::new());
        }
        let answer = peer.call(Some(sheet))?;
        answer.lines().map(str::parse).collect()
    }

    /// Has rows of a table measured. Nothing comes from a peer that is not there.
    pub fn rows(&self, peer: Peer, sheet: &Path) -> Result<Vec<Row>, Failure> {
        if !self.found.contains(&peer) {
            return Ok(Vec::new());
        }
        let answer = peer.call(Some(sheet))?;
        answer.lines().map(str::parse).collect()
    }
}

/// What a peer is to do.
#[derive(Debug, Default)]
pub struct Sheet {
    jobs: Vec<String>,
}

impl Sheet {
    /// Adds a job, and returns its number.
    pub fn add(&mut self, words: String) -> usize {
        self.jobs.push(words);
        self.jobs.len() - 1
    }

    /// Writes it into `directory` with the `wanted` jobs and the files it speaks of, and
    /// returns how it is called.
    pub fn write(
        &self,
        directory: &Path,
        given: Given<'_>,
        goal: Duration,
        wanted: &[usize],
    ) -> io::Result<PathBuf> {
        let path = directory.join("sheet");
        let mut file = io::BufWriter::new(fs::File::create(&path)?);
        writeln!(file, "{}", write_given(directory, given)?)?;
        writeln!(file, "seconds {}", goal.as_secs_f64())?;
        writeln!(file, "range {}", LAMP_RADIUS)?;
        for (number, words) in self.jobs.iter().enumerate() {
            if wanted.contains(&number) {
                writeln!(file, "job {number} {words}")?;
            }
        }
        file.flush()?;
        Ok(path)
    }
}

/// Writes what everybody is given into `directory`; the sheet's first line.
fn write_given(directory: &Path, given: Given<'_>) -> io::Result<String> {
    match given {
        Given::Cells(map) => {
            let path = directory.join("map");
            fs::write(&path, map.bytes())?;
            Ok(format!("map {} {}", path.display(), map.side()))
        }
        Given::Heights(ground) if ground.heights().is_empty() => {
            Ok(format!("ground {}", ground.side()))
        }
        Given::Heights(ground) => {
            let path = directory.join("heights");
            let heights = ground.heights().iter();
            let bytes: Vec<u8> = heights.flat_map(|z| z.to_le_bytes()).collect();
            fs::write(&path, bytes)?;
            Ok(format!("ground {} {}", ground.side(), path.display()))
        }
    }
}

/// A peer's answer to a job.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The job's number.
    pub job: usize,
    /// Nanoseconds per call.
    pub nanoseconds: f64,
    /// What it found, where that can be compared.
    pub found: Option<ResultDigest>,
}

impl std::str::FromStr for Finding {
    type Err = Failure;

    fn from_str(line: &str) -> Result<Self, Failure> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let read = || -> Option<Self> {
            let ["result", job, nanoseconds, found @ ..] = &words[..] else {
                return None;
            };
            Some(Self {
                job: job.parse().ok()?,
                nanoseconds: nanoseconds
                    .parse()
                    .ok()
                    .filter(|time: &f64| time.is_finite())?,
                found: match found {
                    ["-"] => None,
                    found => Some(ResultDigest::read(found)?),
                },
            })
        };
        read().ok_or_else(|| Failure::Unreadable(line.to_owned()))
    }
}

/// A row of a table that is no race.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Whose it is.
    pub who: String,
    /// What was measured, in the order of the table.
    pub numbers: Vec<f64>,
}

impl std::str::FromStr for Row {
    type Err = Failure;

    fn from_str(line: &str) -> Result<Self, Failure> {
        let read = || {
            let (who, numbers) = line.strip_prefix("row ")?.split_once('\t')?;
            let numbers: Result<Vec<f64>, _> = numbers.split('\t').map(str::parse).collect();
            Some(Self {
                who: who.into(),
                numbers: numbers.ok()?,
            })
        };
        read().ok_or_else(|| Failure::Unreadable(line.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cell_digest::CellDigest,
        heights::Heights,
        map::{Kind, Map},
    };

    #[test]
    fn results_are_read() {
        let finding: Result<Finding, _> = " result 3 15321.25  1043 20771112".parse();
        let found = ResultDigest::Cells(CellDigest {
            count: 1043,
            sum: 20_771_112,
        });
        assert_eq!(
            finding,
            Ok(Finding {
                job: 3,
                nanoseconds: 15321.25,
                found: Some(found)
            })
        );
        let finding: Result<Finding, _> = "result 0 1e9 0.5 0.25 1e-3".parse();
        assert_eq!(finding.map(|finding| finding.nanoseconds), Ok(1e9));
        let finding: Result<Finding, _> = "result 0 7.5 -".parse();
        assert_eq!(finding.map(|finding| finding.found), Ok(None));
    }

    #[test]
    fn rows_are_read() {
        let row: Result<Row, _> = "row a single mesh\t0\t2.5e-1".parse();
        let numbers = vec![0.0, 0.25];
        let who = "a single mesh".into();
        assert_eq!(row, Ok(Row { who, numbers }));
        for line in [
            "",
            "row",
            "row name",
            "row name\t",
            "row name\t1\tx",
            "name\t1",
        ] {
            let row: Result<Row, _> = line.parse();
            assert_eq!(row, Err(Failure::Unreadable(line.into())));
        }
    }

    #[test]
    fn what_is_no_result_is_shown() {
        for line in [
            "",
            "result",
            "result 3 15 10",
            "result 3 15 10 4 5 6",
            "result -1 15 10 4",
            "result 3 NaN 10 4",
            "result 3 inf 10 4",
            "result 3 15 10.5 4",
            "3 15 10 4 result",
            "Warning: something is deprecated",
        ] {
            let finding: Result<Finding, _> = line.parse();
            assert_eq!(finding, Err(Failure::Unreadable(line.into())));
        }
    }

    #[test]
    fn who_is_missing_is_told_how_to_come() {
        let line = Failure::NotInstalled(Peer::RotJs, "no such file".into()).to_string();
        assert!(
            line.contains("npm install --prefix crates/tools/lanternfell_bench/peers"),
            "{line}"
        );
        let line = Failure::NotInstalled(Peer::TcodHeights, "no such file".into()).to_string();
        assert!(line.contains("pip install -r"), "{line}");
        assert!(
            Peers::default()
                .measure(Peer::Tcod, Path::new("none"))
                .is_ok_and(|all| all.is_empty())
        );
    }

    #[test]
    fn a_sheet_has_the_map_and_the_wanted_jobs() -> io::Result<()> {
        let directory = tempfile::tempdir()?;
        let map = Map::new(Kind::Open, 16);
        let mut sheet = Sheet::default();
        assert_eq!(sheet.add("cold 1 2,3".into()), 0);
        assert_eq!(sheet.add("cold 3 2,3".into()), 1);
        let write = |given, wanted: &[usize]| {
            let path = sheet.write(directory.path(), given, Duration::from_millis(500), wanted)?;
            fs::read_to_string(path)
        };
        let map_path = directory.path().join("map");
        let head = format!("map {} 16\nseconds 0.5\nrange 12\n", map_path.display());
        assert_eq!(
            write((&map).into(), &[0, 1])?,
            head.clone() + "job 0 cold 1 2,3\njob 1 cold 3 2,3\n"
        );
        assert_eq!(fs::read(&map_path)?, map.bytes());
        assert_eq!(write((&map).into(), &[1])?, head + "job 1 cold 3 2,3\n");

        let (bare, ground) = (Heights::bare(7), Heights::of(vec![0.0, 0.5, 1.0, -2.0]));
        assert!(write((&bare).into(), &[])?.starts_with("ground 7\n"));
        let path = directory.path().join("heights");
        let head = format!("ground 2 {}\n", path.display());
        assert!(write((&ground).into(), &[])?.starts_with(&head));
        assert_eq!(fs::read(&path)?[4..8], 0.5_f32.to_le_bytes());
        Ok(())
    }
}
