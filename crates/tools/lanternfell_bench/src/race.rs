//! Measures several implementations of the same task alternately.
//!
//! A race has contests ("radius 8", "radius 20"), and a contest has entries ("ours", "theirs").
//! Each round measures all entries of all contests, so that temporary disturbances of the machine
//! affect all entries.

use std::{
    io,
    time::{Duration, Instant},
};

use crate::{
    cell_digest::CellDigest,
    given::Given,
    heights::Shape,
    peers::{Finding, Peer, Peers, Sheet},
    result_digest::ResultDigest,
    stopwatch::{Samples, Stopwatch},
};

/// How thoroughly to measure.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// The number of rounds.
    pub rounds: u32,
    /// The measuring time of an entry per round.
    pub goal: Duration,
    /// The time budget of an entry for all rounds. An entry that exceeds it is skipped in the
    /// remaining rounds.
    pub patience: Duration,
    /// Whether to use small maps.
    pub quick: bool,
}

/// An implementation of the task.
pub struct Entry<'a> {
    /// The name of the library and variant.
    pub who: String,
    /// Whether it is the one that Lanternfell recommends.
    pub ours: bool,
    /// The measured times.
    pub samples: Samples,
    /// The result, if it can be compared.
    pub found: Option<ResultDigest>,
    /// Whether it is measured in the first round only, because it is slow.
    once: bool,
    /// The total time spent.
    spent: Duration,
    runner: Runner<'a>,
}

impl Entry<'_> {
    /// Whether it need not be measured again.
    fn has_enough(&self, plan: &Plan) -> bool {
        self.spent > plan.patience || (self.once && !self.spent.is_zero())
    }
}

/// Measures with a stopwatch and returns the last generated heights.
type Maker<'a> = Box<dyn FnMut(&mut Stopwatch) -> Vec<f32> + 'a>;

enum Runner<'a> {
    Here(Box<dyn FnMut(&mut Stopwatch) + 'a>),
    /// Generates a heightmap. If the map should equal that of the reference, the second value is
    /// the maximum difference.
    Makes(Maker<'a>, Option<f64>),
    There(Peer, usize),
}

/// A task and its implementations. The first entry is the reference.
pub struct Contest<'a> {
    /// The task.
    pub what: String,
    /// The implementations.
    pub entries: Vec<Entry<'a>>,
}

/// Identifies an entry by its contest and its index.
#[derive(Debug, Clone, Copy)]
pub struct EntryId(usize, usize);

/// Contests on the same input.
pub struct Race<'a> {
    /// The title.
    pub title: String,
    /// The contests in order.
    pub contests: Vec<Contest<'a>>,
    given: Given<'a>,
    sheets: Vec<(Peer, Sheet)>,
}

impl<'a> Race<'a> {
    /// Creates a race without contests. Peers in other processes get the same input.
    pub fn new(title: impl Into<String>, given: impl Into<Given<'a>>) -> Self {
        Self {
            title: title.into(),
            contests: Vec::new(),
            given: given.into(),
            sheets: Vec::new(),
        }
    }

    /// Starts a contest. Entries that are added from now on belong to it.
    pub fn contest(&mut self, what: impl Into<String>) {
        self.contests.push(Contest {
            what: what.into(),
            entries: Vec::new(),
        });
    }

    /// Adds an implementation of ours.
    pub fn ours(
        &mut self,
        who: impl Into<String>,
        seen: Option<CellDigest>,
        run: impl FnMut(&mut Stopwatch) + 'a,
    ) -> EntryId {
        self.add(who.into(), true, seen, Runner::Here(Box::new(run)))
    }

    /// Adds another implementation that runs in this process.
    pub fn other(
        &mut self,
        who: impl Into<String>,
        seen: Option<CellDigest>,
        run: impl FnMut(&mut Stopwatch) + 'a,
    ) -> EntryId {
        self.add(who.into(), false, seen, Runner::Here(Box::new(run)))
    }

    /// Adds an implementation of ours that generates a heightmap.
    pub fn our_map(
        &mut self,
        who: impl Into<String>,
        make: impl FnMut(&mut Stopwatch) -> Vec<f32> + 'a,
    ) -> EntryId {
        let runner = Runner::Makes(Box::new(make), None);
        self.add(who.into(), true, None, runner)
    }

    /// Adds another implementation in this process that generates a heightmap.
    pub fn other_map(
        &mut self,
        who: impl Into<String>,
        make: impl FnMut(&mut Stopwatch) -> Vec<f32> + 'a,
    ) -> EntryId {
        let runner = Runner::Makes(Box::new(make), None);
        self.add(who.into(), false, None, runner)
    }

    /// Adds an implementation in another process.
    pub fn peer(&mut self, who: impl Into<String>, peer: Peer, job: String) -> EntryId {
        self.add_there(who.into(), false, peer, job)
    }

    /// Adds an implementation of ours that runs in the process of a peer.
    pub fn ours_there(&mut self, who: impl Into<String>, peer: Peer, job: String) -> EntryId {
        self.add_there(who.into(), true, peer, job)
    }

    fn add_there(&mut self, who: String, ours: bool, peer: Peer, job: String) -> EntryId {
        let sheet = match self.sheets.iter().position(|(of, _)| *of == peer) {
            Some(place) => place,
            None => {
                self.sheets.push((peer, Sheet::default()));
                self.sheets.len() - 1
            }
        };
        let job = self.sheets[sheet].1.add(job);
        self.add(who, ours, None, Runner::There(peer, job))
    }

    /// Limits an entry to the first round.
    pub fn once(&mut self, id: EntryId) {
        self.entry(id).once = true;
    }

    /// Requires the heights of an entry to equal those of the contest's first entry, within
    /// `tolerance`.
    pub fn same_to(&mut self, id: EntryId, tolerance: f64) {
        if let Runner::Makes(_, may_differ) = &mut self.entry(id).runner {
            *may_differ = Some(tolerance);
        }
    }

    fn entry(&mut self, id: EntryId) -> &mut Entry<'a> {
        &mut self.contests[id.0].entries[id.1]
    }

    fn add(
        &mut self,
        who: String,
        ours: bool,
        seen: Option<CellDigest>,
        runner: Runner<'a>,
    ) -> EntryId {
        if self.contests.is_empty() {
            self.contest("");
        }
        let contest = self.contests.len() - 1;
        let entries = &mut self.contests[contest].entries;
        entries.push(Entry {
            who,
            ours,
            samples: Samples::default(),
            found: seen.map(ResultDigest::from),
            once: false,
            spent: Duration::ZERO,
            runner,
        });
        EntryId(contest, entries.len() - 1)
    }

    /// Runs all rounds. Returns the failures of peers, one line each.
    ///
    /// # Errors
    /// If the files for peers could not be written.
    pub fn run(&mut self, plan: &Plan, peers: &Peers) -> io::Result<Vec<String>> {
        let directory = tempfile::tempdir()?;
        let mut notes = Vec::new();
        for _ in 0..plan.rounds {
            for contest in &mut self.contests {
                contest.run(plan);
            }
            for (peer, sheet) in &self.sheets {
                let wanted = wanted_jobs(&self.contests, *peer, plan);
                if wanted.is_empty() {
                    continue;
                }
                let path = sheet.write(directory.path(), self.given, plan.goal, &wanted)?;
                match peers.measure(*peer, &path) {
                    Ok(findings) => enter(&mut self.contests, *peer, &findings),
                    Err(failure) => notes.push(failure.to_string()),
                }
            }
        }
        notes.dedup();
        Ok(notes)
    }

    /// The minimum and the median time, in nanoseconds.
    pub fn times(&self, id: EntryId) -> Option<(f64, f64)> {
        let samples = &self.contests[id.0].entries[id.1].samples;
        samples.min().zip(samples.median())
    }
}

impl Contest<'_> {
    /// Measures all entries in this process once. Their results are examined in the first round.
    fn run(&mut self, plan: &Plan) {
        let mut reference: Option<Vec<f32>> = None;
        for entry in &mut self.entries {
            if entry.has_enough(plan) {
                continue;
            }
            let (mut watch, start) = (Stopwatch::new(plan.goal), Instant::now());
            match &mut entry.runner {
                Runner::There(..) => continue,
                Runner::Here(run) => run(&mut watch),
                Runner::Makes(make, tolerance) => {
                    let heights = make(&mut watch);
                    if entry.found.is_none() {
                        entry.found = Some(ResultDigest::Heights(match (&reference, tolerance) {
                            (Some(model), Some(most)) => {
                                Shape::compared_with(&heights, model, *most)
                            }
                            _ => Shape::of(&heights),
                        }));
                    }
                    reference.get_or_insert(heights);
                }
            }
            entry.spent += start.elapsed();
            entry.samples.push(watch.mean().unwrap_or(f64::NAN));
        }
    }
}

/// The jobs of a peer that are still to be measured.
fn wanted_jobs(contests: &[Contest<'_>], peer: Peer, plan: &Plan) -> Vec<usize> {
    let entries = contests.iter().flat_map(|contest| &contest.entries);
    let wanted = entries.filter(|entry| !entry.has_enough(plan));
    let job = |entry: &Entry<'_>| match entry.runner {
        Runner::There(of, job) if of == peer => Some(job),
        _ => None,
    };
    wanted.filter_map(job).collect()
}

/// Assigns the findings of a peer to its entries.
fn enter(contests: &mut [Contest<'_>], peer: Peer, findings: &[Finding]) {
    for entry in contests.iter_mut().flat_map(|contest| &mut contest.entries) {
        let Runner::There(of, job) = entry.runner else {
            continue;
        };
        for finding in findings
            .iter()
            .filter(|finding| (peer, finding.job) == (of, job))
        {
            entry.samples.push(finding.nanoseconds);
            // At least 1, so that an entry limited to one round counts as measured.
            let taken = finding.nanoseconds.clamp(1.0, 1e18);
            entry.spent += Duration::from_nanos(taken as u64);
            entry.found = finding.found;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::{
        heights::Heights,
        map::{Kind, Map},
    };

    const PLAN: Plan = Plan {
        rounds: 3,
        goal: Duration::ZERO,
        patience: Duration::from_secs(1000),
        quick: true,
    };

    #[test]
    fn entries_alternate() -> io::Result<()> {
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
    fn slow_entries_are_skipped() -> io::Result<()> {
        let map = Map::new(Kind::Open, 16);
        // Long enough that a busy machine does not exceed the budget in the first round.
        let sleep = |watch: &mut Stopwatch| {
            watch.time(|| std::thread::sleep(Duration::from_millis(40)));
        };
        let mut race = Race::new("sleepers", &map);
        let slow = race.ours("slow", None, sleep);
        let plan = Plan {
            patience: Duration::from_millis(60),
            ..PLAN
        };
        race.run(&plan, &Peers::default())?;
        assert_eq!(race.entry(slow).samples.rounds(), 2);
        Ok(())
    }

    #[test]
    fn compares_maps_with_the_first() -> io::Result<()> {
        let ground = Heights::bare(2);
        let made = |heights: [f32; 4]| move |watch: &mut Stopwatch| watch.time(|| heights.to_vec());
        let mut race = Race::new("maps", &ground);
        let a = race.our_map("a", made([0.0, 0.5, 0.5, 1.0]));
        let b = race.other_map("b", made([0.0, 0.5, 0.5, 0.75]));
        let c = race.other_map("c", made([0.0, 0.5, 0.5, 0.75]));
        race.same_to(c, 0.5);
        race.run(&PLAN, &Peers::default())?;
        let mut off = |id| match race.entry(id).found {
            Some(ResultDigest::Heights(shape)) => shape.off,
            _ => panic!("no heights"),
        };
        assert_eq!([a, b, c].map(&mut off), [None, None, Some((0.25, 0.5))]);
        Ok(())
    }

    #[test]
    fn assigns_findings_to_entries() {
        let map = Map::new(Kind::Open, 16);
        let mut race = Race::new("peers", &map);
        race.contest("one");
        race.peer("rot", Peer::RotJs, "cold".into());
        race.peer("tcod", Peer::Tcod, "basic".into());
        race.contest("two");
        let once = race.peer("tcod", Peer::Tcod, "shadow".into());
        race.once(once);
        assert_eq!(wanted_jobs(&race.contests, Peer::Tcod, &PLAN), [0, 1]);
        let found = ResultDigest::Cells(CellDigest { count: 5, sum: 6 });
        let finding = |job, nanoseconds| Finding {
            job,
            nanoseconds,
            found: Some(found),
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
            .map(|entry| (entry.samples.median(), entry.found))
            .collect();
        assert_eq!(
            times,
            [
                (None, None),
                (Some(20.0), Some(found)),
                (Some(30.0), Some(found))
            ]
        );
        assert_eq!(wanted_jobs(&race.contests, Peer::Tcod, &PLAN), [0]);
        assert_eq!(wanted_jobs(&race.contests, Peer::RotJs, &PLAN), [0]);
    }
}
