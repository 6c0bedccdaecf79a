//! What every section is given: how to measure, whom, and where to print it.

use std::io::{self, Write};

use crate::{
    peers::Peers,
    race::{Plan, Race},
    report::Report,
};

/// What every section is given.
pub struct Bench<'a> {
    /// How thoroughly to measure.
    pub plan: Plan,
    /// Those that are there.
    pub peers: Peers,
    /// Where the results go.
    pub report: Report<'a>,
}

impl Bench<'_> {
    /// Runs a race and prints it.
    pub fn run(&mut self, race: &mut Race<'_>) -> io::Result<()> {
        // What takes minutes says what it is at; not in the output, which may go to a file.
        writeln!(io::stderr(), "measuring: {}", race.title)?;
        let notes = race.run(&self.plan, &self.peers)?;
        self.report.race(race, &notes)
    }
}
