//! The output: a table for each race, the budgets, and a list of what is slower than in other
//! libraries.

use std::{
    fmt,
    io::{self, Write},
};

use crate::{
    race::{Contest, Race},
    result_digest::ResultDigest,
    stopwatch::show_time,
    table::Table,
};

/// Prints results as they arrive, and collects those that are printed at the end.
pub struct Report<'a> {
    out: &'a mut dyn Write,
    markdown: bool,
    budgets: Vec<Budget>,
    losses: Vec<Loss>,
    /// Losses other than times.
    other_losses: Vec<String>,
    left_out: Vec<String>,
}

/// The limit of a measured value.
pub struct Budget {
    what: String,
    limit: f64,
    /// The minimum and the median. `None` if it was not measured.
    measured: Option<(f64, f64)>,
    show: fn(f64) -> String,
}

impl Budget {
    /// A time in nanoseconds.
    pub fn time(what: impl Into<String>, limit: f64, measured: Option<(f64, f64)>) -> Self {
        Self {
            what: what.into(),
            limit,
            measured,
            show: show_time,
        }
    }

    /// A multiple of another value.
    pub fn times(
        what: impl Into<String>,
        limit: f64,
        larger: Option<(f64, f64)>,
        smaller: Option<(f64, f64)>,
    ) -> Self {
        let show = |times| format!("{times:.2} x");
        Self {
            show,
            ..Self::share(what, limit, larger, smaller)
        }
    }

    /// A fraction of another time.
    pub fn share(
        what: impl Into<String>,
        limit: f64,
        part: Option<(f64, f64)>,
        whole: Option<(f64, f64)>,
    ) -> Self {
        let measured = part
            .zip(whole)
            .map(|(part, whole)| (part.0 / whole.0, part.1 / whole.1));
        Self {
            what: what.into(),
            limit,
            measured,
            show: |share| format!("1/{:.1}", 1.0 / share),
        }
    }

    fn verdict(&self) -> &'static str {
        match self.measured {
            Some((_, median)) if median <= self.limit => "ok",
            Some(_) => "MISSED",
            None => "not measured",
        }
    }
}

/// An entry that is faster than ours.
#[derive(Debug, PartialEq)]
struct Loss {
    race: String,
    contest: String,
    ours: String,
    other: String,
    /// The ratio of our median to theirs.
    times: f64,
    /// Whether their minimum time is shorter too. If not, the difference may be noise.
    surely: bool,
}

impl<'a> Report<'a> {
    /// Creates an empty report.
    pub fn new(out: &'a mut dyn Write, markdown: bool) -> Self {
        Self {
            out,
            markdown,
            budgets: Vec::new(),
            losses: Vec::new(),
            other_losses: Vec::new(),
            left_out: Vec::new(),
        }
    }

    /// Starts a section.
    pub fn heading(&mut self, text: &str) -> io::Result<()> {
        let mark = if self.markdown { "## " } else { "" };
        writeln!(self.out, "{mark}{text}\n")
    }

    /// Prints a line.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        let mark = if self.markdown { "- " } else { "  " };
        writeln!(self.out, "{mark}{text}")
    }

    /// Prints why a library was skipped, and repeats it in the list at the end.
    pub fn left_out(&mut self, why: &str) -> io::Result<()> {
        if !self.left_out.iter().any(|before| before == why) {
            self.left_out.push(why.into());
        }
        self.line(why)
    }

    /// Ends a paragraph.
    pub fn gap(&mut self) -> io::Result<()> {
        writeln!(self.out)?;
        self.out.flush()
    }

    /// Prints a table.
    pub fn table<const COLUMNS: usize>(
        &mut self,
        title: &str,
        table: &Table<COLUMNS>,
    ) -> io::Result<()> {
        let mark = if self.markdown { "### " } else { "" };
        writeln!(self.out, "{mark}{title}\n")?;
        table.write(self.out, self.markdown)?;
        self.gap()
    }

    /// Prints the times of a race, and collects the entries that are faster than ours.
    pub fn race(&mut self, race: &Race<'_>, notes: &[String]) -> io::Result<()> {
        self.table(&race.title, &table_of(race))?;
        for note in notes {
            self.left_out(note)?;
        }
        if !notes.is_empty() {
            self.gap()?;
        }
        for contest in &race.contests {
            self.losses.extend(losses(&race.title, contest));
        }
        Ok(())
    }

    /// Adds a budget, to be printed at the end.
    pub fn budget(&mut self, budget: Budget) {
        self.budgets.push(budget);
    }

    /// Adds a loss other than a time, to be printed at the end.
    pub fn loss(&mut self, line: String) {
        self.other_losses.push(line);
    }

    /// Prints the budgets, and all entries that are faster than ours.
    pub fn finish(mut self) -> io::Result<()> {
        if !self.budgets.is_empty() {
            self.heading("Budgets")?;
            self.write_budgets()?;
            self.gap()?;
        }
        self.heading("Where we lose")?;
        let never = self.losses.is_empty() && self.other_losses.is_empty();
        match (never, self.left_out.is_empty()) {
            (true, true) => self.line("nowhere")?,
            (true, false) => self.line("nowhere, among the libraries that were measured")?,
            (false, _) => (),
        }
        for loss in std::mem::take(&mut self.losses) {
            self.line(&loss.to_string())?;
        }
        for loss in std::mem::take(&mut self.other_losses) {
            self.line(&loss)?;
        }
        for why in std::mem::take(&mut self.left_out) {
            self.line(&why)?;
        }
        self.gap()
    }

    fn write_budgets(&mut self) -> io::Result<()> {
        let mut table = Table::new(["what", "budget", "min", "median", ""], "lrrrl");
        for budget in &self.budgets {
            let show = |time: Option<f64>| time.map_or("-".into(), budget.show);
            table.add([
                budget.what.clone(),
                format!("<= {}", (budget.show)(budget.limit)),
                show(budget.measured.map(|times| times.0)),
                show(budget.measured.map(|times| times.1)),
                budget.verdict().into(),
            ]);
        }
        table.write(self.out, self.markdown)
    }
}

/// A row for each entry that was measured.
fn table_of(race: &Race<'_>) -> Table<7> {
    let entries = || race.contests.iter().flat_map(|contest| &contest.entries);
    let mut found = entries().filter_map(|entry| entry.found.as_ref());
    let last = found.next().map_or("", ResultDigest::column);
    let most = entries().map(|entry| entry.samples.rounds()).max();
    let header = ["what", "who", "min", "median", "spread", "ratio", last];
    let mut table = Table::new(header, "llrrrrl");
    for contest in &race.contests {
        let reference = contest.entries.first();
        let median_of_reference = reference.and_then(|entry| entry.samples.median());
        let reference_result = reference.and_then(|entry| entry.found.as_ref());
        let mut what = contest.what.as_str();
        for (place, entry) in contest.entries.iter().enumerate() {
            let samples = &entry.samples;
            let Some((min, median)) = samples.min().zip(samples.median()) else {
                continue;
            };
            let found = match (&entry.found, reference_result) {
                (Some(found), Some(_)) if place == 0 => found.describe(None),
                (Some(found), Some(_)) => found.describe(reference_result),
                _ => String::new(),
            };
            table.add([
                std::mem::take(&mut what).into(),
                format!("{}{}", entry.who, fewer(samples.rounds(), most)),
                show_time(min),
                show_time(median),
                samples.spread().map_or("-".into(), show_part),
                median_of_reference.map_or("-".into(), |ours| show_ratio(median / ours)),
                found,
            ]);
        }
    }
    table
}

/// A note for entries that were measured in fewer rounds than others.
fn fewer(rounds: usize, most: Option<usize>) -> String {
    match rounds {
        _ if Some(rounds) == most => String::new(),
        1 => " (once)".into(),
        _ => format!(" ({rounds} times)"),
    }
}

/// For example `7 %`.
fn show_part(part: f64) -> String {
    format!("{:.0} %", 100.0 * part)
}

/// The ratio to the reference, with about three digits.
fn show_ratio(ratio: f64) -> String {
    match ratio {
        ..9.995 => format!("{ratio:.2}"),
        ..99.95 => format!("{ratio:.1}"),
        _ => format!("{ratio:.0}"),
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            race,
            contest,
            ours,
            other,
            times,
            surely,
        } = self;
        write!(
            out,
            "{race}: {contest}: {other} is {times:.2} times as fast as {ours}"
        )?;
        if !surely {
            write!(out, " (not by the minimum times)")?;
        }
        Ok(())
    }
}

/// Each pair of an entry of ours and a faster one of another library.
fn losses(race: &str, contest: &Contest<'_>) -> Vec<Loss> {
    let timed = contest.entries.iter().filter_map(|entry| {
        let samples = &entry.samples;
        Some((entry, samples.min()?, samples.median()?))
    });
    let (ours, others): (Vec<_>, Vec<_>) = timed.partition(|(entry, ..)| entry.ours);
    let pairs = ours
        .iter()
        .flat_map(|ours| others.iter().map(move |other| (ours, other)));
    pairs
        .filter(|(ours, other)| other.2 < ours.2)
        .map(|(ours, other)| Loss {
            race: race.into(),
            contest: contest.what.clone(),
            ours: ours.0.who.clone(),
            other: other.0.who.clone(),
            times: ours.2 / other.2,
            surely: other.1 < ours.1,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cell_digest::CellDigest,
        map::{Kind, Map},
    };

    /// A race with a loss, as if it had been run.
    fn race(map: &Map) -> Race<'_> {
        let mut race = Race::new("open, 16 x 16", map);
        race.contest("radius 8");
        let seen = Some(CellDigest { count: 10, sum: 4 });
        race.ours("ours", seen, |_| ());
        race.other("theirs", seen, |_| ());
        race.other("slow", None, |_| ());
        race.other("missing", None, |_| ());
        for (entry, time) in [
            (0, 2000.0),
            (0, 2000.0),
            (1, 490.0),
            (1, 510.0),
            (2, 25_000.0),
        ] {
            race.contests[0].entries[entry].samples.push(time);
        }
        race
    }

    fn printed(
        markdown: bool,
        print: impl FnOnce(Report<'_>) -> io::Result<()>,
    ) -> io::Result<String> {
        let mut out = Vec::new();
        print(Report::new(&mut out, markdown))?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }

    #[test]
    fn prints_race_as_text() -> io::Result<()> {
        let map = Map::new(Kind::Open, 16);
        let text = printed(false, |mut report| {
            report.race(&race(&map), &["a note".into()])
        })?;
        let expected = "\
open, 16 x 16

  what      who              min   median  spread  ratio  cells
  radius 8  ours         2.00 us  2.00 us     0 %   1.00  10
            theirs        490 ns   500 ns     2 %   0.25  10 the same
            slow (once)  25.0 us  25.0 us       -   12.5

  a note

";
        assert_eq!(text, expected, "{text}");
        Ok(())
    }

    #[test]
    fn lists_losses() -> io::Result<()> {
        let map = Map::new(Kind::Open, 16);
        let text = printed(true, |mut report| {
            report.race(&race(&map), &[])?;
            report.finish()
        })?;
        let end = "## Where we lose\n\n- open, 16 x 16: radius 8: theirs is 4.00 times as fast as ours\n\n";
        assert!(text.ends_with(end), "{text}");
        assert!(
            text.contains("### open, 16 x 16\n\n| what | who |"),
            "{text}"
        );
        let text = printed(false, |mut report| {
            report.gap()?;
            report.finish()
        })?;
        assert_eq!(text, "\nWhere we lose\n\n  nowhere\n\n");
        let text = printed(false, |mut report| {
            report.loss("memory: theirs keeps less".into());
            report.finish()
        })?;
        assert_eq!(text, "Where we lose\n\n  memory: theirs keeps less\n\n");
        let text = printed(false, |mut report| {
            report.left_out("tcod is left out")?;
            report.left_out("tcod is left out")?;
            report.finish()
        })?;
        let end = "Where we lose\n\n  nowhere, among the libraries that were measured\n  tcod is left out\n\n";
        assert!(text.ends_with(end), "{text}");
        Ok(())
    }

    #[test]
    fn marks_losses_that_may_be_noise() {
        let map = Map::new(Kind::Open, 16);
        let mut race = race(&map);
        for time in [400.0, 2000.0, 2100.0] {
            race.contests[0].entries[0].samples.push(time);
        }
        let losses = losses("race", &race.contests[0]);
        let lines: Vec<_> = losses.iter().map(Loss::to_string).collect();
        let line =
            "race: radius 8: theirs is 4.00 times as fast as ours (not by the minimum times)";
        assert_eq!(lines, [line]);
    }

    #[test]
    fn budgets_use_the_median() -> io::Result<()> {
        let text = printed(false, |mut report| {
            report.budget(Budget::time("pass", 50e3, Some((40e3, 50e3))));
            report.budget(Budget::time("step", 2e3, Some((1e3, 2.1e3))));
            report.budget(Budget::time("settle", 2e3, None));
            report.budget(Budget::share(
                "lamp",
                0.1,
                Some((1.0, 2.0)),
                Some((20.0, 25.0)),
            ));
            let (much, little) = (Some((3.0, 4.0)), Some((2.0, 2.0)));
            report.budget(Budget::times("memory", 2.5, much, little));
            report.budget(Budget::share(
                "lamps",
                0.1,
                Some((1.0, 3.0)),
                Some((20.0, 25.0)),
            ));
            report.finish()
        })?;
        let expected = "\
Budgets

  what        budget      min   median
  pass    <= 50.0 us  40.0 us  50.0 us  ok
  step    <= 2.00 us  1.00 us  2.10 us  MISSED
  settle  <= 2.00 us        -        -  not measured
  lamp     <= 1/10.0   1/20.0   1/12.5  ok
  memory   <= 2.50 x   1.50 x   2.00 x  ok
  lamps    <= 1/10.0   1/20.0    1/8.3  MISSED
";
        assert!(text.starts_with(expected), "{text}");
        Ok(())
    }
}
