//! Progress bar, summary line and Ctrl-C handling of a command.

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
use lanternfell_files::usage::{controls_terminal, printable};
use lanternfell_heightmap::Progress;
use serde_json::Value;

use crate::failure::Failure;

/// Work that ends before this time shows no progress bar, which would only flash.
const PATIENCE: Duration = Duration::from_millis(500);

/// The interval between updates of the bar.
const TICK: Duration = Duration::from_millis(60);

/// The number of steps of the bar.
const STEPS: u64 = 1000;

/// The work of a command.
pub(crate) struct Job {
    /// Canceled by Ctrl-C and by a request to terminate.
    pub(crate) progress: Progress,
    /// Print no progress bar and no summary.
    quiet: bool,
}

impl Job {
    /// Installs the handler for Ctrl-C and for a request to terminate.
    ///
    /// The first signal cancels the work. A second one ends the program at once. So does the first one while the work
    /// waits for a pipe and cannot notice the cancellation.
    pub(crate) fn begin(quiet: bool) -> Result<Self, Failure> {
        let progress = Progress::default();
        let canceled = progress.clone();
        ctrlc::set_handler(move || {
            let is_second = canceled.is_canceled();
            canceled.cancel();
            if is_second || WAITING.load(Ordering::SeqCst) {
                lanternfell_files::remove_temporary_files();
                // Files that were already finished stay, and a pipe may have received a part, so the message does not
                // say that no file was written.
                let _ = writeln!(std::io::stderr(), "error: canceled");
                std::process::exit(130);
            }
        })?;
        lanternfell_limits::end_by_terminate();
        Ok(Self { progress, quiet })
    }

    /// Runs `work` with a progress bar on standard error. There is no bar in quiet mode or if standard error is not a
    /// terminal.
    pub(crate) fn with_bar<T>(&self, label: &'static str, work: impl FnOnce() -> T) -> T {
        if self.quiet || !std::io::stderr().is_terminal() {
            return work();
        }
        std::thread::scope(|scope| {
            // Dropped when the work ends or panics, which wakes up and ends the thread of the bar.
            let (done, waiting) = mpsc::channel::<()>();
            // Without a thread there is no bar.
            let _ = std::thread::Builder::new()
                .spawn_scoped(scope, move || show(label, &self.progress, &waiting));
            let result = work();
            drop(done);
            result
        })
    }

    /// Prints a line about the written file to standard output, unless in quiet mode, or if standard output is the
    /// file.
    pub(crate) fn summary(&self, written: &Path, line: &str) -> Result<(), Failure> {
        if self.quiet || is_standard_output(written) {
            return Ok(());
        }
        say(line)
    }
}

/// Whether the work waits for a pipe and cannot notice a cancellation.
static WAITING: AtomicBool = AtomicBool::new(false);

/// Runs `work`, which reads from or writes to a pipe and may block.
pub(crate) fn waiting<T>(work: impl FnOnce() -> T) -> T {
    WAITING.store(true, Ordering::SeqCst);
    let result = work();
    WAITING.store(false, Ordering::SeqCst);
    result
}

/// Returns whether a path is standard output. Replacing it like other files would replace the file to which standard
/// output is redirected.
pub(crate) fn is_standard_output(path: &Path) -> bool {
    let names = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    names.iter().any(|name| path == Path::new(name))
}

/// Prints a line to standard output. It may contain text from a file, so control characters are escaped.
pub(crate) fn say(line: &str) -> Result<(), Failure> {
    print(format_args!("{}\n", printable(line)))
}

/// Prints a JSON value to standard output. Control characters are escaped as JSON requires of some of them.
pub(crate) fn say_json(value: &Value) -> Result<(), Failure> {
    let mut text = String::new();
    for letter in value.to_string().chars() {
        if controls_terminal(letter) {
            text += &format!("\\u{:04x}", u32::from(letter));
        } else {
            text.push(letter);
        }
    }
    print(format_args!("{text}\n"))
}

/// Prints text to standard output. A closed pipe is not an error.
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

/// The name of standard output in errors.
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
