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
//! It answers a line for each job: its number, nanoseconds per call, and of the cells it
//! found the count and the sum of their places (see [`crate::seen`]). Without a sheet it
//! says in a line which versions it runs.
//!
//! ```text
//! result 0 15321.2 1043 20771112
//! ```

use std::{
    fmt, fs,
    io::{self, Write},
    path::Path,
    process::Command,
};

use crate::{map::Map, seen::Seen};

/// A library with a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// `rot-js` from npm.
    RotJs,
    /// `tcod` from `PyPI`, the Python package of libtcod.
    Tcod,
}

impl Peer {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::RotJs, Self::Tcod];

    /// What runs the script, the script, and how its library is installed.
    fn parts(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::RotJs => (
                "node",
                "rot_js.mjs",
                "npm install --prefix crates/lanternfell_bench/peers",
            ),
            Self::Tcod => (
                if cfg!(windows) { "python" } else { "python3" },
                "tcod_fov.py",
                "pip install -r crates/lanternfell_bench/peers/requirements.txt",
            ),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::RotJs => "rot-js",
            Self::Tcod => "tcod",
        }
    }

    /// What the script writes to its standard output.
    fn call(self, sheet: Option<&Path>) -> Result<String, Failure> {
        let (program, script, _) = self.parts();
        let script = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("peers")
            .join(script);
        let output = Command::new(program).arg(script).args(sheet).output();
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
    /// Asks each for its versions; those, or why it is left out, are beside.
    pub fn look_for() -> (Self, Vec<Result<String, Failure>>) {
        let answers = Peer::ALL.map(|peer| peer.call(None));
        let found = Peer::ALL
            .into_iter()
            .zip(&answers)
            .filter(|(_, answer)| answer.is_ok());
        let found = found.map(|(peer, _)| peer).collect();
        (Self { found }, answers.into())
    }

    /// Has a sheet measured. Nothing comes from a peer that is not there.
    pub fn measure(&self, peer: Peer, sheet: &Path) -> Result<Vec<Finding>, Failure> {
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
    jobs: Vec<Job>,
}

#[derive(Debug)]
struct Job {
    words: String,
    once: bool,
}

impl Sheet {
    /// Adds a job, and returns its number. One that takes long is done in the first round
    /// only.
    pub fn add(&mut self, words: String, once: bool) -> usize {
        self.jobs.push(Job { words, once });
        self.jobs.len() - 1
    }

    /// Writes it into `directory`, with the map's file, and returns how it is called.
    pub fn write(
        &self,
        directory: &Path,
        map: &Map,
        seconds: f64,
        first_round: bool,
    ) -> io::Result<std::path::PathBuf> {
        let map_path = directory.join("map");
        fs::write(&map_path, map.bytes())?;
        let path = directory.join("sheet");
        let mut file = io::BufWriter::new(fs::File::create(&path)?);
        writeln!(file, "map {} {}", map_path.display(), map.side())?;
        writeln!(file, "seconds {seconds}")?;
        writeln!(file, "range {}", crate::light::RADIUS)?;
        for (number, job) in self.jobs.iter().enumerate() {
            if first_round || !job.once {
                writeln!(file, "job {number} {}", job.words)?;
            }
        }
        file.flush()?;
        Ok(path)
    }
}

/// A peer's answer to a job.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The job's number.
    pub job: usize,
    /// Nanoseconds per call.
    pub nanoseconds: f64,
    /// What it found.
    pub seen: Seen,
}

impl std::str::FromStr for Finding {
    type Err = Failure;

    fn from_str(line: &str) -> Result<Self, Failure> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let read = || -> Option<Self> {
            let ["result", job, nanoseconds, count, sum] = words[..] else {
                return None;
            };
            Some(Self {
                job: job.parse().ok()?,
                nanoseconds: nanoseconds
                    .parse()
                    .ok()
                    .filter(|time: &f64| time.is_finite())?,
                seen: Seen {
                    count: count.parse().ok()?,
                    sum: sum.parse().ok()?,
                },
            })
        };
        read().ok_or_else(|| Failure::Unreadable(line.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Kind;

    #[test]
    fn results_are_read() {
        let finding: Result<Finding, _> = " result 3 15321.25  1043 20771112".parse();
        let seen = Seen {
            count: 1043,
            sum: 20_771_112,
        };
        assert_eq!(
            finding,
            Ok(Finding {
                job: 3,
                nanoseconds: 15321.25,
                seen
            })
        );
        let finding: Result<Finding, _> = "result 0 1e9 0 0".parse();
        assert_eq!(finding.map(|finding| finding.nanoseconds), Ok(1e9));
    }

    #[test]
    fn what_is_no_result_is_shown() {
        for line in [
            "",
            "result",
            "result 3 15 10",
            "result 3 15 10 4 5",
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
            line.contains("npm install --prefix crates/lanternfell_bench/peers"),
            "{line}"
        );
        let line = Failure::NotInstalled(Peer::Tcod, "no such file".into()).to_string();
        assert!(line.contains("pip install -r"), "{line}");
        assert!(
            Peers::default()
                .measure(Peer::Tcod, Path::new("none"))
                .is_ok_and(|all| all.is_empty())
        );
    }

    #[test]
    fn long_jobs_are_on_the_first_sheet_only() -> io::Result<()> {
        let directory = tempfile::tempdir()?;
        let map = Map::new(Kind::Open, 16);
        let mut sheet = Sheet::default();
        assert_eq!(sheet.add("cold 1 2,3".into(), false), 0);
        assert_eq!(sheet.add("cold 3 2,3".into(), true), 1);
        let write = |first| sheet.write(directory.path(), &map, 0.5, first);
        let first = fs::read_to_string(write(true)?)?;
        let map_path = directory.path().join("map");
        assert_eq!(fs::read(&map_path)?, map.bytes());
        let head = format!("map {} 16\nseconds 0.5\nrange 12\n", map_path.display());
        assert_eq!(first, head.clone() + "job 0 cold 1 2,3\njob 1 cold 3 2,3\n");
        assert_eq!(
            fs::read_to_string(write(false)?)?,
            head + "job 0 cold 1 2,3\n"
        );
        Ok(())
    }
}
