//! `lanternfell completions`: a script for a shell.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::{args::Arguments, failure::Failure, job::print};

/// `lanternfell completions`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  lanternfell completions bash > ~/.local/share/bash-completion/completions/lanternfell
  lanternfell completions fish > ~/.config/fish/completions/lanternfell.fish")]
pub(crate) struct Completions {
    /// The shell that reads the script
    #[arg(value_enum)]
    shell: Shell,
}

/// Writes the script to standard output.
pub(crate) fn run(command: &Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    let mut arguments = Arguments::command();
    clap_complete::generate(command.shell, &mut arguments, "lanternfell", &mut script);
    print(String::from_utf8_lossy(&script))
}
