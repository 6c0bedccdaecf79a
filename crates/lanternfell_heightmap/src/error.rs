//! Errors of heightmap generation: small enums, one per operation.

use thiserror::Error;

/// Heights that a map cannot have.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum HeightmapError {
    /// The number of heights is not the number of cells of the map, or of its rows.
    #[error("found {found} heights, expected {expected}")]
    Number {
        /// The number of heights found.
        found: usize,
        /// The number of heights expected.
        expected: usize,
    },
    /// A height is NaN or infinite.
    #[error("the height of cell ({x}, {y}) is {height}, but must be finite")]
    NotFinite {
        /// The cell's column.
        x: usize,
        /// The cell's row.
        y: usize,
        /// The height that was rejected.
        height: f32,
    },
    /// The cell does not exist.
    #[error("cell ({x}, {y}) is outside the map of {width}x{height} cells")]
    Outside {
        /// The requested column.
        x: usize,
        /// The requested row.
        y: usize,
        /// The number of columns of the map.
        width: usize,
        /// The number of rows of the map.
        height: usize,
    },
}

/// A parameter is out of its range.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{owner}: {name} is {}, but must be {allowed}", in_few_digits(*value))]
pub struct ParamError {
    /// The type that has the parameter, for example `hills`.
    pub owner: &'static str,
    /// The parameter's name, as in a recipe.
    pub name: &'static str,
    /// The value that was rejected.
    pub value: f64,
    /// The allowed values, for example `from 0 to 1`.
    pub allowed: String,
}

/// Formats a number with few digits: in scientific notation if it is very large or very small.
fn in_few_digits(value: f64) -> String {
    let plain = value == 0.0 || !value.is_finite() || (1e-7..1e16).contains(&value.abs());
    if plain {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

impl ParamError {
    /// The `f64` with the same shortest decimal representation as `value`: 1.1 for the `f32` 1.1, whose exact value is
    /// about 1.100000024.
    ///
    /// The conversion is monotonic: it keeps which of two values is larger.
    pub fn shortest(value: f32) -> f64 {
        value.to_string().parse().unwrap_or(f64::from(value))
    }

    /// Returns an error that names the range unless `value` is from `min` to `max`. NaN is out of range.
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

    /// Returns an error with the text `allowed` unless `fine`.
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

/// The work was canceled through its [`Progress`](crate::Progress).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("canceled")]
pub struct Canceled;

/// Why a heightmap could not be generated.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GenerateError {
    /// A parameter is out of its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The work was canceled.
    #[error(transparent)]
    Canceled(#[from] Canceled),
}

/// Why a parameter could not be set by name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SetError {
    /// There is no parameter of that name.
    #[error("{owner} has no parameter `{name}`; it has {known}")]
    Unknown {
        /// The type that was to be changed, for example `hills`.
        owner: &'static str,
        /// The name that was given.
        name: String,
        /// The names that exist, separated by commas.
        known: String,
    },
    /// The text is not a value of the parameter's kind.
    #[error("{owner}: {name} is `{value}`, but must be {allowed}")]
    Value {
        /// The type that has the parameter, for example `hills`.
        owner: &'static str,
        /// The name of the parameter.
        name: String,
        /// The text that was given.
        value: String,
        /// The allowed values, for example `a whole number from 1 to 16`.
        allowed: String,
    },
}

/// A syntax error in RON text, with its position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {message}")]
pub struct SyntaxError {
    /// The line, starting at 1.
    pub line: usize,
    /// The column, starting at 1.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
}

/// Why a filter could not be read from text.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FilterError {
    /// The text is not RON, or not a filter.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// A parameter is out of its range.
    #[error(transparent)]
    Param(#[from] ParamError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_show_numbers_with_few_digits() {
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
    fn shortest_keeps_the_digits_of_an_f32() {
        assert_eq!(ParamError::shortest(1.1), 1.1);
        assert_eq!(ParamError::shortest(-0.3), -0.3);
        assert_eq!(ParamError::shortest(f32::INFINITY), f64::INFINITY);
        assert!(ParamError::shortest(f32::NAN).is_nan());
        assert!(ParamError::shortest(1.0 + f32::EPSILON) > 1.0);
    }
}
