//! Benchmarks of Lanternfell beside its peers, all in one run.
//!
//! ```text
//! cargo run --release -p lanternfell_bench               everything
//! cargo run --release -p lanternfell_bench -- light      one section
//! cargo run --release -p lanternfell_bench -- --quick    small maps, few rounds
//! ```
//!
//! # How it is built
//! - [`stopwatch`], [`race`]: taking times, and several ways to do the same in turns.
//! - [`given`], [`map`], [`heights`]: what everybody is given.
//! - [`result_digest`], [`cell_digest`]: what everybody found.
//! - [`peers`]: those in other languages, each in a process of its own.
//! - [`report`], [`table`], [`machine`]: what is printed.
//! - [`mod@bench`]: what every section is given.
//! - [`light`], [`sight`], [`game`], [`cache`], [`terrain`], and the modules of [`heightmap`]: the sections, which say
//!   what is measured against what. Another section is another module, and another name in
//!   [`Section`].
//!
//! The README beside says how to read the output.

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

/// How long an entry may take in all its rounds together.
const PATIENCE: Duration = Duration::from_secs(3);

/// Measures Lanternfell beside its peers.
#[derive(Debug, Parser)]
#[command(about)]
struct Arguments {
    /// What to measure [default: everything].
    #[arg(value_enum)]
    sections: Vec<Section>,
    /// Small maps and few rounds: to see that it works.
    #[arg(long)]
    quick: bool,
    /// Print Markdown.
    #[arg(long)]
    markdown: bool,
    /// Make one map and print how many bytes that took: the benchmark asks itself.
    #[arg(long, hide = true)]
    peak: Option<heightmap::Peak>,
}

/// A part of the benchmarks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Section {
    /// The light automaton and its solver.
    Light,
    /// Fields of view.
    Sight,
    /// Gutterlight.
    Game,
    /// Heightmaps by fault lines.
    Faults,
    /// Heightmaps by a viscous fluid.
    Fluid,
    /// Heightmaps by hills.
    Hills,
    /// Heightmaps by simplex noise.
    Islands,
    /// Heightmaps by Worley noise.
    Worley,
    /// Normalising, smoothing, normals.
    Filters,
    /// Erosion.
    Erosion,
    /// What a cell costs on larger maps, and memory.
    Growth,
    /// Heights, rays and spheres asked of a surface.
    Queries,
    /// Blocks kept on disk.
    Cache,
    /// Terrain: what is drawn of it, flights, queries, and how far these are off.
    Terrain,
}

impl Section {
    /// Who is measured beside us in other processes.
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
        // Whoever closed the pipe has read enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // There is nowhere left to complain to if this fails too.
            let _ = writeln!(io::stderr(), "lanternfell_bench: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<()> {
    if let Some(peak) = &arguments.peak {
        let unknown = || io::Error::other("this system does not tell");
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
    bench.report.heading("Lanternfell beside its peers")?;
    for line in machine::describe() {
        bench.report.line(&line)?;
    }
    for answer in found {
        match answer {
            Ok(versions) => bench.report.line(&versions)?,
            Err(failure) => bench.report.left_out(&failure.to_string())?,
        }
    }
    let times = format!("{rounds} rounds, {milliseconds} ms for each entry in each round");
    bench.report.line(&times)?;
    bench.report.gap()?;
    for section in sections {
        section.run(&mut bench)?;
    }
    bench.report.finish()
}

/// Each peer of these sections once.
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
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
        let arguments = Arguments::parse_from(["bench", "sight", "--markdown"]);
        assert_eq!(arguments.sections, [Section::Sight]);
        assert!(arguments.markdown && !arguments.quick);
        assert!(Arguments::parse_from(["bench"]).sections.is_empty());
        assert!(Arguments::try_parse_from(["bench", "smell"]).is_err());
        assert!(Arguments::try_parse_from(["bench", "--peak", "snow:7"]).is_err());
    }

    #[test]
    fn each_peer_is_asked_once() {
        let sections = [&Section::Islands, &Section::Game, &Section::Hills];
        let peers = [Peer::RustCrates, Peer::TcodHeights, Peer::ThreeTerrain];
        assert_eq!(all_peers(&sections), peers);
    }
}
