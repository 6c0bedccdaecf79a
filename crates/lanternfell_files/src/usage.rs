//! Reports wrong command-line arguments in one line, with exit code 2.
//!
//! clap prints four lines: the explanation, a usage summary and a hint at `--help`. A single line
//! stands out in a script's log, so this module keeps only the explanation and joins its lines. All
//! Lanternfell programs report their errors this way.

use std::{
    io::{self, Write},
    process::ExitCode,
};

/// The exit code for wrong arguments.
pub const EXIT_CODE: u8 = 2;

/// Prints an error from clap and returns the exit code.
///
/// `--help` and `--version` are printed to standard output and succeed. A wrong argument is
/// reported in one line on standard error, followed by `hint`, and returns [`EXIT_CODE`].
pub fn report(error: &clap::Error, hint: &str) -> ExitCode {
    if !error.use_stderr() {
        // A closed pipe is not an error.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    print_error(&format!("{}{hint}", explanation(error)));
    ExitCode::from(EXIT_CODE)
}

/// Returns the explanation of an error in one line, without clap's usage summary and hint.
pub fn explanation(error: &clap::Error) -> String {
    let text = error.to_string();
    let end = text
        .find("\n\nUsage:")
        .or_else(|| text.find("\n\nFor more"));
    let text = &text[..end.unwrap_or(text.len())];
    in_one_line(text.strip_prefix("error: ").unwrap_or(text))
}

/// Prints `error: ` and the message in one line to standard error.
pub fn print_error(message: &str) {
    // A closed standard error cannot be reported anywhere.
    let _ = writeln!(io::stderr(), "error: {}", in_one_line(message));
}

fn in_one_line(message: &str) -> String {
    let words: Vec<&str> = message.split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use clap::{Arg, Command};

    use super::*;

    fn error(args: &[&str]) -> clap::Error {
        let size = Arg::new("size").long("size").required(true);
        let command = Command::new("app").arg(size.value_parser(["small", "large"]));
        command.try_get_matches_from(args).unwrap_err()
    }

    #[test]
    fn mistake_is_one_line_with_allowed_values() {
        for (args, words) in [
            (&["app", "--size", "huge"][..], "small, large"),
            (&["app", "--sise"], "'--sise'"),
            (&["app"], "--size <size>"),
        ] {
            let said = explanation(&error(args));
            assert!(said.contains(words), "{args:?}: {said}");
            assert!(!said.contains("Usage") && !said.contains('\n'), "{said}");
            assert_eq!(
                report(&error(args), ""),
                ExitCode::from(EXIT_CODE),
                "{args:?}"
            );
        }
    }

    #[test]
    fn help_succeeds() {
        assert_eq!(report(&error(&["app", "--help"]), ""), ExitCode::SUCCESS);
    }
}
