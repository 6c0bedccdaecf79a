//! What can go wrong while a heightmap is made: small enums, one per operation.

use thiserror::Error;

/// Heights that can not be a map's.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum HeightmapError {
    /// There are not as many as the map has cells, or its rows.
    #[error("there are {found} heights, but must be {expected}")]
    Number {
        /// How many there are.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
    /// One is NaN or infinite.
    #[error("the height of cell ({x}, {y}) is {height}, but must be finite")]
    NotFinite {
        /// The cell's column.
        x: usize,
        /// The cell's row.
        y: usize,
        /// The height that was refused.
        height: f32,
    },
    /// There is no such cell.
    #[error("cell ({x}, {y}) lies outside of the map of {width}x{height} cells")]
    Outside {
        /// The column that was asked for.
        x: usize,
        /// The row that was asked for.
        y: usize,
        /// The map's columns.
        width: usize,
        /// The map's rows.
        height: usize,
    },
}

/// A parameter outside its range.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{owner}: {name} is {}, but must be {allowed}", in_few_digits(*value))]
pub struct ParamError {
    /// What the parameter belongs to, for instance `hills`.
    pub owner: &'static str,
    /// The parameter's name, as in a recipe file.
    pub name: &'static str,
    /// The value that was refused.
    pub value: f64,
    /// What would have been accepted, for instance `from 0 to 1`.
    pub allowed: String,
}

/// A number as people write it: neither 300 digits nor a row of zeros.
fn in_few_digits(value: f64) -> String {
    let plain = value == 0.0 || !value.is_finite() || (1e-7..1e16).contains(&value.abs());
    if plain {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

impl ParamError {
    /// The number that is written like `value`: 1.1 for the `f32` 1.1, which is nearer to
    /// 1.100000024. Above and below are kept.
    pub fn shortest(value: f32) -> f64 {
        value.to_string().parse().unwrap_or(f64::from(value))
    }

    /// `Ok` when `value` is finite and from `min` to `max`, else an error that says so.
    pub fn check_range(
        owner: &'static str,
        name: &'static str,
        value: f64,
        min: f64,
        max: f64,
    ) -> Result<(), Self> {
        Self::check(
            (min..=max).contains(&value),
            owner,
            name,
            value,
            format_args!("from {min} to {max}"),
        )
    }

    /// `Ok` when `fine`, else an error that shows `allowed`.
    pub fn check(
        fine: bool,
        owner: &'static str,
        name: &'static str,
        value: f64,
        allowed: impl ToString,
    ) -> Result<(), Self> {
        if fine {
            return Ok(());
        }
        Err(Self {
            owner,
            name,
            value,
            allowed: allowed.to_string(),
        })
    }
}

/// The work was cancelled through its [`Progress`](crate::Progress).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("cancelled")]
pub struct Cancelled;

/// Why a heightmap was not made.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GenerateError {
    /// A parameter is outside its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Why a parameter could not be set by its name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SetError {
    /// There is no parameter of that name.
    #[error("{owner} has no parameter `{name}`; it has {known}")]
    Unknown {
        /// The generator.
        owner: &'static str,
        /// The name that was given.
        name: String,
        /// The names that exist, separated by commas.
        known: String,
    },
    /// The text is not a value of the parameter's kind.
    #[error("{owner}: {name} is `{value}`, but must be {allowed}")]
    Value {
        /// The generator.
        owner: &'static str,
        /// The parameter.
        name: String,
        /// The text that was given.
        value: String,
        /// What would have been accepted, for instance `a whole number from 1 to 16`.
        allowed: String,
    },
}

/// What is wrong in a text of RON, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {message}")]
pub struct SyntaxError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What was wrong there.
    pub message: String,
}

/// Why a filter could not be read from a text.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FilterError {
    /// The text is not RON, or not a filter.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// A parameter is outside its range.
    #[error(transparent)]
    Param(#[from] ParamError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_people_write_them() {
        let shown = |value| {
            let error = ParamError::check_range("a", "b", value, 0.0, 0.5).unwrap_err();
            error.to_string()
        };
        assert_eq!(shown(1e308), "a: b is 1e308, but must be from 0 to 0.5");
        assert!(shown(-1e-300).contains("b is -1e-300,"));
        assert!(shown(123_456_789.5).contains("b is 123456789.5,"));
        assert!(shown(f64::NAN).contains("b is NaN,"));
        assert!(shown(f64::INFINITY).contains("b is inf,"));
    }

    #[test]
    fn an_f32_keeps_its_digits() {
        assert_eq!(ParamError::shortest(1.1), 1.1);
        assert_eq!(ParamError::shortest(-0.3), -0.3);
        assert_eq!(ParamError::shortest(f32::INFINITY), f64::INFINITY);
        assert!(ParamError::shortest(f32::NAN).is_nan());
        assert!(ParamError::shortest(1.0 + f32::EPSILON) > 1.0);
    }
}
