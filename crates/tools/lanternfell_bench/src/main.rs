//! Benchmarks that compare Lanternfell with other libraries in one run.
//!
//! ```text
//! cargo run --release -p lanternfell_bench               everything
//! cargo run --release -p lanternfell_bench -- light      one section
//! cargo run --release -p lanternfell_bench -- --quick    small maps, few rounds
//! ```
//!
//! # Modules
//! - [`stopwatch`], [`race`]: measure times, and alternate between implementations of the same task.
//! - [`given`], [`map`], [`heights`]: the inputs, which are the same for all implementations.
//! - [`result_digest`], [`cell_digest`]: compact descriptions of the results.
//! - [`peers`]: libraries in other languages, each in its own process.
//! - [`report`], [`table`], [`machine`]: the output.
//! - [`mod@bench`]: the context of every section.
//! - [`light`], [`sight`], [`game`], [`cache`], [`terrain`], and the modules of [`heightmap`]: the sections, which
//!   define what is compared. To add a section, add a module and a name in [`Section`].
//!
//! The README describes how to read the output.

mod bench;
mod cache;
mod cell_digest;
mod game;
mod given;
mod heightmap;
mod heights;
mod light;
mod machine;
mod map;
mod peers;
mod race;
mod report;
mod result_digest;
mod sight;
mod stopwatch;
mod table;
mod terrain;

use std::{
    io::{self, Write},
    process::ExitCode,
    time::Duration,
};

use clap::{Parser, ValueEnum};

use bench::Bench;
use peers::{Peer, Peers};
use race::Plan;
use report::Report;

/// The time budget of an entry for all its rounds.
const PATIENCE: Duration = Duration::from_secs(3);

/// Compares the speed of Lanternfell with that of other libraries
#[derive(Debug, Parser)]
#[command(about)]
struct Arguments {
    /// The sections to run [default: all]
    #[arg(value_enum)]
    sections: Vec<Section>,
    /// Use small maps and few rounds, to check that everything works
    #[arg(long)]
    quick: bool,
    /// Print Markdown
    #[arg(long)]
    markdown: bool,
    /// Generate one map and print its peak memory in bytes. Used internally
    #[arg(long, hide = true)]
    peak: Option<heightmap::Peak>,
}

/// A section of the benchmarks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Section {
    /// The light automaton and its solver
    Light,
    /// Fields of view
    Sight,
    /// Gutterlight
    Game,
    /// Heightmaps from fault lines
    Faults,
    /// Heightmaps from a viscous fluid
    Fluid,
    /// Heightmaps from hills
    Hills,
    /// Heightmaps from simplex noise
    Islands,
    /// Heightmaps from Worley noise
    Worley,
    /// Normalization, smoothing and normals
    Filters,
    /// Erosion
    Erosion,
    /// Time per cell on larger maps, and memory
    Growth,
    /// Heights, rays and spheres on a surface
    Queries,
    /// Blocks cached on disk
    Cache,
    /// Terrain: meshes, flights, queries and their errors
    Terrain,
}

impl Section {
    /// The libraries that run in other processes.
    fn peers(self) -> &'static [Peer] {
        match self {
            Self::Light => &[Peer::RotJs],
            Self::Sight => &[Peer::Tcod],
            Self::Game
            | Self::Fluid
            | Self::Worley
            | Self::Growth
            | Self::Queries
            | Self::Cache => &[],
            Self::Faults => &[Peer::ThreeTerrain],
            Self::Hills => &[Peer::TcodHeights, Peer::ThreeTerrain],
            Self::Islands | Self::Filters => {
                &[Peer::RustCrates, Peer::TcodHeights, Peer::ThreeTerrain]
            }
            Self::Erosion => &[Peer::RustCrates, Peer::TcodHeights],
            Self::Terrain => &[Peer::Terrain],
        }
    }

    fn run(self, bench: &mut Bench<'_>) -> io::Result<()> {
        match self {
            Self::Light => light::run(bench),
            Self::Sight => sight::run(bench),
            Self::Game => game::run(bench),
            Self::Faults => heightmap::faults(bench),
            Self::Fluid => heightmap::fluid(bench),
            Self::Hills => heightmap::hills(bench),
            Self::Islands => heightmap::islands(bench),
            Self::Worley => heightmap::worley(bench),
            Self::Filters => heightmap::filters(bench),
            Self::Erosion => heightmap::erosion(bench),
            Self::Growth => heightmap::growth(bench),
            Self::Queries => heightmap::queries(bench),
            Self::Cache => cache::run(bench),
            Self::Terrain => terrain::run(bench),
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut out = io::stdout().lock();
    match run(&arguments, &mut out) {
        Ok(()) => ExitCode::SUCCESS,
        // A closed pipe is not an error.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // If this fails, the error cannot be reported.
            let _ = writeln!(io::stderr(), "lanternfell_bench: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<()> {
    if let Some(peak) = &arguments.peak {
        let unknown = || io::Error::other("peak memory is not available on this system");
        return writeln!(out, "{}", peak.measure().ok_or_else(unknown)?);
    }
    let wanted =
        |section: &&Section| arguments.sections.is_empty() || arguments.sections.contains(section);
    let sections: Vec<_> = Section::value_variants().iter().filter(wanted).collect();
    let (rounds, milliseconds) = if arguments.quick { (2, 4) } else { (7, 20) };
    let (peers, found) = Peers::look_for(&all_peers(&sections));
    let mut bench = Bench {
        plan: Plan {
            rounds,
            goal: Duration::from_millis(milliseconds),
            patience: PATIENCE,
            quick: arguments.quick,
        },
        peers,
        report: Report::new(out, arguments.markdown),
    };
    bench
        .report
        .heading("Lanternfell compared with other libraries")?;
    for line in machine::describe() {
        bench.report.line(&line)?;
    }
    for answer in found {
        match answer {
            Ok(versions) => bench.report.line(&versions)?,
            Err(failure) => bench.report.left_out(&failure.to_string())?,
        }
    }
    let times = format!("{rounds} rounds, {milliseconds} ms per entry and round");
    bench.report.line(&times)?;
    bench.report.gap()?;
    for section in sections {
        section.run(&mut bench)?;
    }
    bench.report.finish()
}

/// The peers of these sections without duplicates.
fn all_peers(sections: &[&Section]) -> Vec<Peer> {
    let mut peers = Vec::new();
    for &peer in sections.iter().flat_map(|section| section.peers()) {
        if !peers.contains(&peer) {
            peers.push(peer);
        }
    }
    peers
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn parses_arguments() {
        Arguments::command().debug_assert();
        let arguments = Arguments::parse_from(["bench", "sight", "--markdown"]);
        assert_eq!(arguments.sections, [Section::Sight]);
        assert!(arguments.markdown && !arguments.quick);
        assert!(Arguments::parse_from(["bench"]).sections.is_empty());
        assert!(Arguments::try_parse_from(["bench", "smell"]).is_err());
        assert!(Arguments::try_parse_from(["bench", "--peak", "snow:7"]).is_err());
    }

    #[test]
    fn peers_have_no_duplicates() {
        let sections = [&Section::Islands, &Section::Game, &Section::Hills];
        let peers = [Peer::RustCrates, Peer::TcodHeights, Peer::ThreeTerrain];
        assert_eq!(all_peers(&sections), peers);
    }
}
