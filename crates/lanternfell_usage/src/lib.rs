//! How a program says that what it was asked for can not be done.
//!
//! clap explains a mistake, sums up the usage and hints at `--help`, in several lines. In a
//! script's log one line is worth more, so the explanation alone is kept, and the words of an
//! error are put in one line whatever they are made of.

use std::{
    io::{self, Write},
    process::ExitCode,
};

/// The exit code for wrong arguments.
pub const WRONG: u8 = 2;

/// Answers what clap could not take: help and version go to standard output and are a success;
/// a mistake is one line on standard error and exit code [`WRONG`]. `hint` is put behind it.
pub fn answer(error: &clap::Error, hint: &str) -> ExitCode {
    if !error.use_stderr() {
        // A closed pipe is no reason to fail: whoever closed it has read enough.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    say_wrong(&format!("{}{hint}", mistake(error)));
    ExitCode::from(WRONG)
}

/// What is wrong, without the summary and the hint that clap adds in lines of their own.
pub fn mistake(error: &clap::Error) -> String {
    let text = error.to_string();
    let end = text
        .find("\n\nUsage:")
        .or_else(|| text.find("\n\nFor more"));
    let text = &text[..end.unwrap_or(text.len())];
    in_one_line(text.strip_prefix("error: ").unwrap_or(text))
}

/// `error: ` and the message in one line, on standard error.
pub fn say_wrong(message: &str) {
    // Whoever closed standard error does not want to know.
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
    fn a_mistake_is_one_line_that_says_what_is_allowed() {
        for (args, words) in [
            (&["app", "--size", "huge"][..], "small, large"),
            (&["app", "--sise"], "'--sise'"),
            (&["app"], "--size <size>"),
        ] {
            let said = mistake(&error(args));
            assert!(said.contains(words), "{args:?}: {said}");
            assert!(!said.contains("Usage") && !said.contains('\n'), "{said}");
            assert_eq!(answer(&error(args), ""), ExitCode::from(WRONG), "{args:?}");
        }
    }

    #[test]
    fn help_is_no_mistake() {
        assert_eq!(answer(&error(&["app", "--help"]), ""), ExitCode::SUCCESS);
    }
}
