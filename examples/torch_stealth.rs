//! Gutterlight: down five floors of a drowned keep for the Ember, and up again, unseen.
//!
//! ```text
//! cargo run --release --example torch_stealth
//! cargo run --release --example torch_stealth -- --help
//! ```
//!
//! The game is a program of its own, the crate `gutterlight`; this starts it.

use std::process::ExitCode;

fn main() -> ExitCode {
    gutterlight::run()
}
