//! The error type of all views.

use lanternfell_heightmap::{Canceled, GenerateError, ParamError};
use thiserror::Error;

/// The reason why a view could not be drawn.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RenderError {
    /// A setting of the view is outside its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The work was canceled.
    #[error(transparent)]
    Canceled(#[from] Canceled),
}

impl From<GenerateError> for RenderError {
    fn from(error: GenerateError) -> Self {
        match error {
            GenerateError::Param(error) => Self::Param(error),
            GenerateError::Canceled(canceled) => Self::Canceled(canceled),
        }
    }
}
