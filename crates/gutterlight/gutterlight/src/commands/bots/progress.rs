//! A progress bar on standard error, if standard error is a terminal.

#[cfg(not(feature = "progress-bar"))]
pub(super) struct Progress;

#[cfg(not(feature = "progress-bar"))]
impl Progress {
    pub(super) fn new(_games: usize) -> Self {
        Self
    }

    pub(super) fn count_one(&self) {}

    pub(super) fn finish(&self) {}
}

#[cfg(feature = "progress-bar")]
pub(super) struct Progress(indicatif::ProgressBar);

#[cfg(feature = "progress-bar")]
impl Progress {
    pub(super) fn new(games: usize) -> Self {
        use indicatif::{ProgressBar, ProgressStyle};
        use std::io::{IsTerminal, stderr};

        if !stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::new(games as u64).with_message("playing");
        match ProgressStyle::with_template("{msg} {wide_bar} {pos} of {len}  {eta}") {
            Ok(style) => Self(bar.with_style(style)),
            Err(_) => Self(bar),
        }
    }

    pub(super) fn count_one(&self) {
        self.0.inc(1);
    }

    pub(super) fn finish(&self) {
        self.0.finish_and_clear();
    }
}
