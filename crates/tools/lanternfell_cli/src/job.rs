//! What every command is given: how far it is, and whom it may tell.
//!
//! A progress bar on the terminal, a line at the end, and Ctrl-C.

use std::{
    fmt::Display,
    io::{ErrorKind, IsTerminal, Write},
    path::Path,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};
use lanternfell_heightmap::Progress;

use crate::{failure::Failure, output};

/// Shorter work shows no bar: it would only flash.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often the bar moves.
const TICK: Duration = Duration::from_millis(60);

/// Steps of the bar from empty to full.
const STEPS: u64 = 1000;

/// A command's work as a whole.
pub(crate) struct Job {
    /// Cancelled by Ctrl-C and by a request to terminate.
    pub(crate) progress: Progress,
    /// No progress bar and no summary.
    quiet: bool,
}

impl Job {
    /// Listens for Ctrl-C and for a request to terminate. A second one does not wait for the
    /// work to notice: it ends the program at once. So does the first when the work can not
    /// notice, because it waits for a pipe.
    pub(crate) fn begin(quiet: bool) -> Result<Self, Failure> {
        let progress = Progress::default();
        let cancelled = progress.clone();
        ctrlc::set_handler(move || {
            let is_second = cancelled.is_cancelled();
            cancelled.cancel();
            if is_second || WAITING.load(Ordering::SeqCst) {
                output::abandon();
                // What was written before this file stands, and a pipe may have got a part.
                let _ = writeln!(std::io::stderr(), "error: cancelled");
                std::process::exit(130);
            }
        })?;
        Ok(Self { progress, quiet })
    }

    /// Does `work` while a bar on standard error shows the job's progress; without a bar when
    /// quiet or when standard error is no terminal.
    pub(crate) fn with_bar<T>(&self, label: &'static str, work: impl FnOnce() -> T) -> T {
        if self.quiet || !std::io::stderr().is_terminal() {
            return work();
        }
        std::thread::scope(|scope| {
            // Dropped when the work is done, or panics: the bar's thread wakes up and ends.
            let (done, waiting) = mpsc::channel::<()>();
            scope.spawn(move || show(label, &self.progress, &waiting));
            let result = work();
            drop(done);
            result
        })
    }

    /// One line on standard output about what was written, unless quiet, or it was written
    /// there.
    pub(crate) fn summary(&self, written: &Path, line: &str) -> Result<(), Failure> {
        if self.quiet || is_standard_output(written) {
            return Ok(());
        }
        say(line)
    }
}

/// Whether the work waits for a pipe, and can not notice that it is cancelled.
static WAITING: AtomicBool = AtomicBool::new(false);

/// Reads from or writes to a pipe, which may take as long as others please.
pub(crate) fn waiting<T>(work: impl FnOnce() -> T) -> T {
    WAITING.store(true, Ordering::SeqCst);
    let result = work();
    WAITING.store(false, Ordering::SeqCst);
    result
}

/// Whether a file of that name is standard output: replacing it as other files are would
/// replace what standard output is redirected to.
pub(crate) fn is_standard_output(path: &Path) -> bool {
    let names = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    names.iter().any(|name| path == Path::new(name))
}

/// One line on standard output.
pub(crate) fn say(line: &str) -> Result<(), Failure> {
    print(format_args!("{line}\n"))
}

/// Text on standard output. A closed pipe is no reason to fail: whoever closed it has read
/// enough.
pub(crate) fn print(text: impl Display) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let written = waiting(|| write!(out, "{text}").and_then(|()| out.flush()));
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Write {
            path: STANDARD_OUTPUT.into(),
            error,
        }),
        _ => Ok(()),
    }
}

/// What standard output is called in errors.
pub(crate) const STANDARD_OUTPUT: &str = "standard output";

fn show(label: &'static str, progress: &Progress, done: &mpsc::Receiver<()>) {
    let goes_on = |wait| matches!(done.recv_timeout(wait), Err(RecvTimeoutError::Timeout));
    if !goes_on(PATIENCE) {
        return;
    }
    let bar = ProgressBar::new(STEPS).with_message(label);
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} %  {eta}") {
        bar.set_style(style);
    }
    while goes_on(TICK) {
        bar.set_position((f64::from(progress.fraction()) * STEPS as f64) as u64);
    }
    bar.finish_and_clear();
}
