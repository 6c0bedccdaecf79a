//! RON, as recipes and what stands in them are written.

use ron::extensions::Extensions;

use crate::SyntaxError;

/// Reads RON as recipes, filters and manifests of tiles are written: an optional value needs no `Some`.
///
/// # Errors
/// Names the line, the column and what is wrong there.
pub fn read_ron<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, SyntaxError> {
    let ron = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    ron.from_str(text).map_err(|error| SyntaxError {
        line: error.span.start.line,
        column: error.span.start.col,
        message: message(&error.code),
    })
}

/// What was wrong in a text; for a number of the wrong size also which ones there are.
fn message(error: &ron::Error) -> String {
    let range = match error {
        ron::Error::IntegerOutOfBounds | ron::Error::ExpectedInteger => {
            ": must be a whole number from 0 to 4294967295, or as a seed to 18446744073709551615"
        }
        _ => "",
    };
    format!("{error}{range}")
}
