//! Dates of scores and of the daily keep.

use std::{
    fmt::{Display, Formatter},
    str::FromStr,
};

use chrono::{DateTime, Datelike, NaiveDate};
use gutterlight_rules::Difficulty;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use web_time::{SystemTime, UNIX_EPOCH};

/// A calendar date in UTC, written as `2026-11-21`.
///
/// ```
/// use gutterlight::home::Date;
///
/// let day: Date = "2026-11-21".parse()?;
/// assert_eq!(day.daily_seed(), 20261121);
/// # Ok::<(), gutterlight::home::NoDate>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Date(NaiveDate);

/// The difficulty of the daily keep. It is fixed, so that its scores are comparable.
pub const DAILY_DIFFICULTY: Difficulty = Difficulty::Thief;

/// The error of parsing a [`Date`]: the text is not a date from the year 1 to 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("expected a date such as 2026-11-21")]
pub struct NoDate;

impl Date {
    /// The current date, from the system clock.
    pub fn today() -> Self {
        Self::at(SystemTime::now())
    }

    /// Clamps a clock before 1970 or after 9999 to 1970-01-01.
    fn at(moment: SystemTime) -> Self {
        let seconds = moment
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(0));
        let day = DateTime::from_timestamp(seconds, 0).map(|moment| moment.date_naive());
        Self(day.filter(|day| day.year() <= 9999).unwrap_or_default())
    }

    /// The seed of the daily keep.
    pub fn daily_seed(self) -> u64 {
        let (year, month, day) = (self.0.year(), self.0.month(), self.0.day());
        let year = u64::from(year.unsigned_abs());
        year * 10_000 + u64::from(month) * 100 + u64::from(day)
    }
}

impl Display for Date {
    fn fmt(&self, page: &mut Formatter<'_>) -> std::fmt::Result {
        Display::fmt(&self.0, page)
    }
}

impl FromStr for Date {
    type Err = NoDate;

    fn from_str(text: &str) -> Result<Self, NoDate> {
        let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").map_err(|_| NoDate)?;
        // `chrono` also accepts single digits, signs and spaces.
        let is_plain = (1..=9999).contains(&date.year()) && date.to_string() == text;
        is_plain.then_some(Self(date)).ok_or(NoDate)
    }
}

impl TryFrom<String> for Date {
    type Error = NoDate;

    fn try_from(text: String) -> Result<Self, NoDate> {
        text.parse()
    }
}

impl From<Date> for String {
    fn from(date: Date) -> Self {
        date.to_string()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn dates_round_trip_as_text() {
        for text in ["0001-01-01", "1970-01-01", "2024-02-29", "9999-12-31"] {
            let date: Date = text.parse().expect(text);
            assert_eq!(date.to_string(), text);
        }
    }

    #[test]
    fn rejects_invalid_dates() {
        for text in [
            "",
            "2026-11-2",
            "2026-11-211",
            "2026-11-00",
            "2026-13-01",
            "2026-00-01",
            "2026-02-29",
            "1900-02-29",
            "0000-01-01",
            "+026-11-21",
            "2026-+1-21",
            "2026/11/21",
            "20261121",
            "2026-325",
            "2026-W47-6",
            "2026-11-21T12:00",
            "21-11-2026",
            "2026-11-2\u{661}",
            "\u{661}\u{662}\u{663}\u{664}-",
        ] {
            assert_eq!(text.parse::<Date>(), Err(NoDate), "{text}");
        }
    }

    #[test]
    fn dates_are_ordered_and_give_seeds() {
        let days = ["1999-12-31", "2000-01-01", "2000-01-02", "2000-02-01"];
        let days = days.map(|day| day.parse::<Date>().expect(day));
        assert!(days.is_sorted());
        let seeds = days.map(Date::daily_seed);
        assert_eq!(seeds, [19991231, 20000101, 20000102, 20000201]);
    }

    #[test]
    fn times_map_to_utc_dates() {
        for (seconds, day) in [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (86_400, "1970-01-02"),
            (951_782_400, "2000-02-29"),
            (1_795_305_599, "2026-11-21"),
            (1_795_305_600, "2026-11-22"),
        ] {
            let moment = UNIX_EPOCH + Duration::from_secs(seconds);
            assert_eq!(Date::at(moment).to_string(), day, "{seconds}");
        }
    }

    #[test]
    fn out_of_range_clock_gives_first_day() {
        let first = "1970-01-01".parse().expect("a date");
        assert_eq!(Date::at(UNIX_EPOCH - Duration::from_secs(1)), first);
        let late = UNIX_EPOCH + Duration::from_secs(u64::from(u32::MAX) * 1000);
        assert_eq!(Date::at(late), first);
    }
}
