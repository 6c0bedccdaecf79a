//! Gutterlight, a torch-stealth roguelike: steal the Ember from the bottom of a drowned keep, five floors down, and
//! climb out again unseen.
//!
//! ```text
//! cargo run --release --example torch_stealth
//! cargo run --release --example torch_stealth -- --help
//! ```
//!
//! The game is a separate program, the crate `gutterlight`. This example starts it.

use std::process::ExitCode;

fn main() -> ExitCode {
    gutterlight::run()
}
