//! Several ways to do the same, measured in turns.
//!
//! A race has contests ("radius 8", "radius 20"), a contest has entries ("ours", "theirs").
//! Each round goes through all entries of all contests, so what disturbs the machine for a
//! while disturbs everybody.

use std::{io, time::Duration};

use crate::{
    map::Map,
    peers::{Peer, Peers, Sheet},
    seen::Seen,
    stopwatch::{Samples, Stopwatch},
};

/// How thoroughly to measure.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// How many times everything is measured.
    pub rounds: u32,
    /// How long an entry is measured in each round.
    pub goal: Duration,
    /// Whether small maps are enough.
    pub quick: bool,
}

/// One way to do it.
pub struct Entry<'a> {
    /// Whose it is, and which.
    pub who: String,
    /// Whether it is what Lanternfell recommends here.
    pub ours: bool,
    /// The times.
    pub samples: Samples,
    /// What it found, where that can be compared.
    pub seen: Option<Seen>,
    /// Whether it is measured in the first round only, as it takes long.
    pub once: bool,
    runner: Runner<'a>,
}

enum Runner<'a> {
    Here(Box<dyn FnMut(&mut Stopwatch) + 'a>),
    There(Peer, usize),
}

/// One thing to be done, and the ways to do it. The first is the reference.
pub struct Contest<'a> {
    /// What is done.
    pub what: String,
    /// The ways.
    pub entries: Vec<Entry<'a>>,
}

/// Which entry of which contest.
#[derive(Debug, Clone, Copy)]
pub struct EntryId(usize, usize);

/// Contests on one map.
pub struct Race<'a> {
    /// What they are about.
    pub title: String,
    /// One after the other.
    pub contests: Vec<Contest<'a>>,
    map: &'a Map,
    sheets: Vec<(Peer, Sheet)>,
}

impl<'a> Race<'a> {
    /// No contests yet. The map is what peers in other processes are given.
    pub fn new(title: impl Into<String>, map: &'a Map) -> Self {
        Self {
            title: title.into(),
            contests: Vec::new(),
            map,
            sheets: Vec::new(),
        }
    }

    /// Begins a contest; the entries that are added from now on are in it.
    pub fn contest(&mut self, what: impl Into<String>) {
        self.contests.push(Contest {
            what: what.into(),
            entries: Vec::new(),
        });
    }

    /// Adds our way.
    pub fn ours(
        &mut self,
        who: impl Into<String>,
        seen: Option<Seen>,
        run: impl FnMut(&mut Stopwatch) + 'a,
    ) -> EntryId {
        self.add(who.into(), true, seen, Runner::Here(Box::new(run)))
    }

    /// Adds another way that runs in this process.
    pub fn other(
        &mut self,
        who: impl Into<String>,
        seen: Option<Seen>,
        run: impl FnMut(&mut Stopwatch) + 'a,
    ) -> EntryId {
        self.add(who.into(), false, seen, Runner::Here(Box::new(run)))
    }

    /// Adds another way that runs in a process of its own.
    pub fn peer(&mut self, who: impl Into<String>, peer: Peer, job: String, once: bool) {
        let sheet = match self.sheets.iter().position(|(of, _)| *of == peer) {
            Some(place) => place,
            None => {
                self.sheets.push((peer, Sheet::default()));
                self.sheets.len() - 1
            }
        };
        let job = self.sheets[sheet].1.add(job, once);
        let id = self.add(who.into(), false, None, Runner::There(peer, job));
        self.contests[id.0].entries[id.1].once = once;
    }

    /// Measures the entry in the first round only.
    pub fn once(&mut self, id: EntryId) {
        self.contests[id.0].entries[id.1].once = true;
    }

    fn add(&mut self, who: String, ours: bool, seen: Option<Seen>, runner: Runner<'a>) -> EntryId {
        if self.contests.is_empty() {
            self.contest("");
        }
        let contest = self.contests.len() - 1;
        let entries = &mut self.contests[contest].entries;
        entries.push(Entry {
            who,
            ours,
            samples: Samples::default(),
            seen,
            once: false,
            runner,
        });
        EntryId(contest, entries.len() - 1)
    }

    /// Goes through all rounds; what went wrong with peers, a line each.
    ///
    /// # Errors
    ///
    /// The files for peers could not be written.
    pub fn run(&mut self, plan: &Plan, peers: &Peers) -> io::Result<Vec<String>> {
        let directory = tempfile::tempdir()?;
        let mut notes = Vec::new();
        for round in 0..plan.rounds {
            for entry in self
                .contests
                .iter_mut()
                .flat_map(|contest| &mut contest.entries)
            {
                if let Runner::Here(run) = &mut entry.runner
                    && (round == 0 || !entry.once)
                {
                    let mut watch = Stopwatch::new(plan.goal);
                    run(&mut watch);
                    entry.samples.push(watch.mean().unwrap_or(f64::NAN));
                }
            }
            for (peer, sheet) in &self.sheets {
                let seconds = plan.goal.as_secs_f64();
                let path = sheet.write(directory.path(), self.map, seconds, round == 0)?;
                match peers.measure(*peer, &path) {
                    Ok(findings) => enter(&mut self.contests, *peer, &findings),
                    Err(failure) => notes.push(failure.to_string()),
                }
            }
        }
        notes.dedup();
        Ok(notes)
    }

    /// The shortest and the median time, in nanoseconds.
    pub fn times(&self, id: EntryId) -> Option<(f64, f64)> {
        let samples = &self.contests[id.0].entries[id.1].samples;
        samples.min().zip(samples.median())
    }
}

/// Gives each finding to the entry that asked for it.
fn enter(contests: &mut [Contest<'_>], peer: Peer, findings: &[crate::peers::Finding]) {
    for entry in contests.iter_mut().flat_map(|contest| &mut contest.entries) {
        let Runner::There(of, job) = entry.runner else {
            continue;
        };
        for finding in findings
            .iter()
            .filter(|finding| (peer, finding.job) == (of, job))
        {
            entry.samples.push(finding.nanoseconds);
            entry.seen = Some(finding.seen);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::{map::Kind, peers::Finding};

    const PLAN: Plan = Plan {
        rounds: 3,
        goal: Duration::ZERO,
        quick: true,
    };

    #[test]
    fn entries_take_turns() -> io::Result<()> {
        let map = Map::new(Kind::Open, 16);
        let calls = RefCell::new(String::new());
        let call = |name: char| {
            let calls = &calls;
            move |watch: &mut Stopwatch| watch.time(|| calls.borrow_mut().push(name))
        };
        let mut race = Race::new("letters", &map);
        race.contest("first");
        let a = race.ours("a", None, call('a'));
        let b = race.other("b", None, call('b'));
        race.contest("second");
        race.ours("c", None, call('c'));
        race.once(b);
        assert_eq!(race.times(a), None);
        assert!(race.run(&PLAN, &Peers::default())?.is_empty());
        assert!(race.times(a).is_some_and(|(min, median)| min <= median));
        drop(race);
        assert_eq!(calls.into_inner(), "abcacac");
        Ok(())
    }

    #[test]
    fn findings_go_to_who_asked() {
        let map = Map::new(Kind::Open, 16);
        let mut race = Race::new("peers", &map);
        race.contest("one");
        race.peer("rot", Peer::RotJs, "cold".into(), false);
        race.peer("tcod", Peer::Tcod, "basic".into(), false);
        race.contest("two");
        race.peer("tcod", Peer::Tcod, "shadow".into(), true);
        let seen = Seen { count: 5, sum: 6 };
        let finding = |job, nanoseconds| Finding {
            job,
            nanoseconds,
            seen,
        };
        enter(
            &mut race.contests,
            Peer::Tcod,
            &[finding(1, 30.0), finding(0, 20.0), finding(7, 1.0)],
        );
        let times: Vec<_> = race
            .contests
            .iter()
            .flat_map(|contest| &contest.entries)
            .map(|entry| (entry.samples.median(), entry.seen, entry.once))
            .collect();
        assert_eq!(
            times,
            [
                (None, None, false),
                (Some(20.0), Some(seen), false),
                (Some(30.0), Some(seen), true)
            ]
        );
    }
}
