//! Peers in other languages. Each is measured by a script in its own process.
//!
//! A script gets one file, the sheet. It measures inside its own process, so that neither its start nor reading the map
//! is in the times:
//!
//! ```text
//! map DIRECTORY/map 256                   the bytes of the map, row by row; cells per side
//! seconds 0.02                            the measuring time of each job
//! range 12                                the reach of a light
//! job 0 map symmetric 8 17,4 30,99        a number, and the task in words of the script
//! ```
//!
//! For heightmaps the first line is `ground 1024`, or with input heights `ground 1024 DIRECTORY/heights`: little-endian
//! `f32`, row by row.
//!
//! The script prints a line for each job: its number, nanoseconds per call, and the result. For cells the result is
//! their count and the sum of their indices (see [`crate::cell_digest`]), for heights the mean, the deviation and the
//! grain (see [`crate::heights`]). Without a sheet the script prints its versions in one line.
//!
//! ```text
//! result 0 15321.2 1043 20771112
//! result 1 7310022.0 0.5012 0.1633 0.0411
//! ```
//!
//! For meshes the result is `meshes` with their bytes and triangles, or `made` with the bytes and the number of meshes
//! that are generated per second. It is `-` if there is nothing to compare. Values other than times are printed as a
//! `row` of a table: a name and numbers, separated by tabs.

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

/// A library with a script, or several libraries that share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// `rot-js` from npm.
    RotJs,
    /// The fields of view of `tcod` from `PyPI`, the Python package of libtcod.
    Tcod,
    /// The heightmaps of `tcod`.
    TcodHeights,
    /// `three.terrain.js` from npm, with `three`.
    ThreeTerrain,
    /// Rust crates that would change the features of dependencies of the workspace.
    RustCrates,
    /// Terrain crates, separate for the same reason, and our own in the same build.
    Terrain,
}

const NPM: &str = "npm install --prefix crates/tools/lanternfell_bench/peers";
const PIP: &str = "pip install -r crates/tools/lanternfell_bench/peers/requirements.txt";
const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

impl Peer {
    /// The program, its script, and the command that installs the library.
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

    /// The command with all arguments except the sheet.
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
        // The cargo that runs this program, if there is one.
        let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from(program));
        let mut command = Command::new(cargo);
        command.args(["run", "--quiet", "--release", "--manifest-path"]);
        command.arg(script).arg("--");
        command
    }

    /// Runs the script and returns its standard output.
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

/// The exit code of a script whose library is not installed.
const NOT_INSTALLED: i32 = 3;

/// Why a peer is skipped, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The program or the library is missing.
    NotInstalled(Peer, String),
    /// The script failed.
    Failed(Peer, String),
    /// A line that is not a result.
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
                    "{name} is skipped: {why}. To install it, with {program} on PATH, run: {install}"
                )
            }
            Self::Failed(peer, why) => {
                write!(out, "{} is skipped, because it failed: {why}", peer.name())
            }
            Self::Unreadable(line) => write!(out, "skipped a line that is not a result: {line:?}"),
        }
    }
}

/// The peers that are available.
#[derive(Debug, Default)]
pub struct Peers {
    found: Vec<Peer>,
}

impl Peers {
    /// Asks each peer for its versions. Returns the available peers, and the versions or the failure of each.
    pub fn look_for(wanted: &[Peer]) -> (Self, Vec<Result<String, Failure>>) {
        let answers: Vec<_> = wanted.iter().map(|peer| peer.call(None)).collect();
        let pairs = wanted.iter().zip(&answers);
        let found = pairs.filter(|(_, answer)| answer.is_ok());
        let found = found.map(|(&peer, _)| peer).collect();
        (Self { found }, answers)
    }

    /// Measures the jobs of a sheet. The result is empty if the peer is not available.
    pub fn measure(&self, peer: Peer, sheet: &Path) -> Result<Vec<Finding>, Failure> {
        if !self.found.contains(&peer) {
            return Ok(Vec::new());
        }
        let answer = peer.call(Some(sheet))?;
        answer.lines().map(str::parse).collect()
    }

    /// Measures rows of a table. The result is empty if the peer is not available.
    pub fn rows(&self, peer: Peer, sheet: &Path) -> Result<Vec<Row>, Failure> {
        if !self.found.contains(&peer) {
            return Ok(Vec::new());
        }
        let answer = peer.call(Some(sheet))?;
        answer.lines().map(str::parse).collect()
    }
}

/// The jobs of a peer.
#[derive(Debug, Default)]
pub struct Sheet {
    jobs: Vec<String>,
}

impl Sheet {
    /// Adds a job and returns its number.
    pub fn add(&mut self, words: String) -> usize {
        self.jobs.push(words);
        self.jobs.len() - 1
    }

    /// Writes the sheet with the `wanted` jobs and its input files to `directory`. Returns the path of the sheet.
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

/// Writes the input to `directory`. Returns the first line of the sheet.
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

/// The answer of a peer to a job.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The number of the job.
    pub job: usize,
    /// Nanoseconds per call.
    pub nanoseconds: f64,
    /// The result, if it can be compared.
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

/// A row of a table of values other than times.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The name of the library.
    pub who: String,
    /// The values, in the order of the table.
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
    fn parses_results() {
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
    fn parses_rows() {
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
    fn reports_invalid_results() {
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
    fn missing_peers_have_install_instructions() {
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
    fn sheet_has_the_map_and_wanted_jobs() -> io::Result<()> {
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
