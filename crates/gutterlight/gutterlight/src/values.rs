//! Parsers for values of arguments. The errors state the allowed values, and clap adds the name of
//! the argument.

use core::{fmt::Display, ops::RangeInclusive, str::FromStr};

use gutterlight_rules::{Difficulty, FLOORS};

/// Parses a seed.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    whole_number(text, 0..=u64::MAX)
}

/// Parses a floor number, which counts from 1.
pub(crate) fn floor(text: &str) -> Result<usize, String> {
    whole_number(text, 1..=FLOORS)
}

/// Parses an integer in a range.
pub(crate) fn whole_number<N: FromStr + PartialOrd + Display>(
    text: &str,
    allowed: RangeInclusive<N>,
) -> Result<N, String> {
    let number = text.parse().ok().filter(|number| allowed.contains(number));
    number.ok_or_else(|| {
        let (least, most) = allowed.into_inner();
        format!("must be a whole number from {least} to {most}")
    })
}

/// Parses a difficulty name.
pub(crate) fn difficulty(text: &str) -> Result<Difficulty, String> {
    named(text, Difficulty::ALL, Difficulty::name)
}

/// Finds the value with this name.
pub(crate) fn named<T: Copy, const N: usize>(
    text: &str,
    all: [T; N],
    name: impl Fn(T) -> &'static str,
) -> Result<T, String> {
    let found = all.into_iter().find(|&one| name(one) == text);
    found.ok_or_else(|| format!("must be {}", listed(&all.map(name))))
}

/// Joins names as `a, b or c`.
fn listed(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        names => names.concat(),
    }
}
