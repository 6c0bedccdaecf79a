//! Reading RON, the format of recipes, filters and manifests.

use ron::extensions::Extensions;

use crate::SyntaxError;

/// Deserializes RON as it is used in recipes, filters and tile manifests: an optional value does not need `Some`.
///
/// # Errors
/// Names the line, the column and the problem there.
pub fn read_ron<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, SyntaxError> {
    let ron = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    ron.from_str(text).map_err(|error| SyntaxError {
        line: error.span.start.line,
        column: error.span.start.col,
        message: message(&error.code),
    })
}

/// The message of an error. If an integer is out of range, it includes the allowed range.
fn message(error: &ron::Error) -> String {
    let range = match error {
        ron::Error::IntegerOutOfBounds | ron::Error::ExpectedInteger => {
            ": must be a whole number from 0 to 4294967295, or for a seed up to 18446744073709551615"
        }
        _ => "",
    };
    format!("{error}{range}")
}
