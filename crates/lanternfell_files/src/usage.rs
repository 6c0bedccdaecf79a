//! Reports wrong command-line arguments in one line, with exit code 2.
//!
//! clap prints four lines: the explanation, a usage summary and a hint at `--help`. A single line
//! stands out in a script's log, so this module keeps only the explanation and joins its lines. All
//! Lanternfell programs report their errors this way.
//!
//! A message may contain text from a file, such as the name of a column or a unit. Such text must
//! not control the terminal or fill it, so this module escapes control characters and cuts long
//! messages.

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
///
/// Control characters are [escaped](printable), and a message of more than 2000 characters is cut in
/// the middle.
pub fn print_error(message: &str) {
    // A closed standard error cannot be reported anywhere.
    let _ = writeln!(io::stderr(), "error: {}", in_one_line(message));
}

fn in_one_line(message: &str) -> String {
    let words: Vec<&str> = message.split_whitespace().collect();
    printable(&cut(&words.join(" ")))
}

/// The maximum number of characters of a message, and how many of its end are kept: it usually says
/// what is allowed.
const LONGEST: usize = 2000;
const END: usize = 500;

/// Cuts a long message in the middle.
fn cut(message: &str) -> String {
    let count = message.chars().count();
    if count <= LONGEST {
        return message.to_owned();
    }
    let at = |number| message.char_indices().nth(number).map_or(0, |(at, _)| at);
    let (start, end) = (&message[..at(LONGEST - END)], &message[at(count - END)..]);
    format!("{start} [... {} characters ...] {end}", count - LONGEST)
}

/// Returns the text with control characters escaped, for example as `\u{1b}`. Line breaks stay.
///
/// Use it for text that may come from a file, before it is printed to a terminal. Besides the control
/// characters, it escapes the invisible characters that change the direction of text, which can
/// disguise a file name.
///
/// ```
/// use lanternfell_files::usage::printable;
///
/// assert_eq!(printable("42\u{1b}[2J m\n"), "42\\u{1b}[2J m\n");
/// ```
pub fn printable(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter != '\n' && controls_terminal(letter) {
            escaped.extend(letter.escape_unicode());
        } else {
            escaped.push(letter);
        }
    }
    escaped
}

/// Returns whether a character controls a terminal or the direction of text.
pub fn controls_terminal(letter: char) -> bool {
    let turns = matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}')
        || matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || turns
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

    /// Reported: control characters of header words and file names reach the terminal, and
    /// messages have 300 KB.
    #[test]
    fn messages_are_short_and_printable() {
        let hostile = "a\u{1b}]0;title\u{7}\u{9b}31m\r\u{202e}gnp.ron\u{7f}";
        let said = in_one_line(hostile);
        assert_eq!(said, r"a\u{1b}]0;title\u{7}\u{9b}31m \u{202e}gnp.ron\u{7f}");
        let long = format!("bad word {}: must be a number", "\u{e9}".repeat(300_000));
        let said = in_one_line(&long);
        assert!(said.chars().count() < 2100, "{}", said.len());
        assert!(said.starts_with("bad word \u{e9}"), "{said}");
        assert!(said.ends_with("must be a number"), "{said}");
        assert!(said.contains(&format!("[... {} characters ...]", 300_000 + 27 - 2000)));
    }

    #[test]
    fn help_succeeds() {
        assert_eq!(report(&error(&["app", "--help"]), ""), ExitCode::SUCCESS);
    }
}
