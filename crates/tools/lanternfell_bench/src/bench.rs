//! The context of every section: how to measure, which peers are available, and where to print the
//! results.

use std::io::{self, Write};

use crate::{
    peers::Peers,
    race::{Plan, Race},
    report::Report,
};

/// The context of every section.
pub struct Bench<'a> {
    /// How thoroughly to measure.
    pub plan: Plan,
    /// The available peers.
    pub peers: Peers,
    /// The output.
    pub report: Report<'a>,
}

impl Bench<'_> {
    /// Runs a race and prints it.
    pub fn run(&mut self, race: &mut Race<'_>) -> io::Result<()> {
        // Progress for long runs. Printed to standard error, since standard output may go to a
        // file.
        writeln!(io::stderr(), "measuring: {}", race.title)?;
        let notes = race.run(&self.plan, &self.peers)?;
        self.report.race(race, &notes)
    }
}
