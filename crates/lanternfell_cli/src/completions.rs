//! `lanternfell completions`: a script for a shell.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::{failure::Failure, job::print};

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

/// Writes the script that completes `program` to standard output.
pub(crate) fn run(command: &Completions, program: &mut Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(command.shell, program, "lanternfell", &mut script);
    print(String::from_utf8_lossy(&script))
}
