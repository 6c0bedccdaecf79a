//! Watching long work: a progress bar on the terminal, and Ctrl-C.

use std::{
    io::IsTerminal,
    sync::mpsc::{self, RecvTimeoutError},
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

/// The progress of a command's work, cancelled by Ctrl-C and by a request to terminate. A
/// second one does not wait for the work to notice: it ends the program at once.
pub(crate) fn cancel_on_signals() -> Result<Progress, Failure> {
    let progress = Progress::default();
    let cancelled = progress.clone();
    ctrlc::set_handler(move || {
        if cancelled.is_cancelled() {
            output::abandon();
            std::process::exit(130);
        }
        cancelled.cancel();
    })?;
    Ok(progress)
}

/// Does `work` while a bar on standard error shows its progress, from 0 to 1 of
/// `progress`; without a bar when `quiet` or when standard error is no terminal.
pub(crate) fn with_bar<T>(
    label: &'static str,
    quiet: bool,
    progress: &Progress,
    work: impl FnOnce() -> T,
) -> T {
    if quiet || !std::io::stderr().is_terminal() {
        return work();
    }
    std::thread::scope(|scope| {
        // Dropped when the work is done, or panics: the bar's thread wakes up and ends.
        let (done, waiting) = mpsc::channel::<()>();
        scope.spawn(move || show(label, progress, &waiting));
        let result = work();
        drop(done);
        result
    })
}

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
