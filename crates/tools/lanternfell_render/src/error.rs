//! Why a picture was not drawn.

use lanternfell_heightmap::{Cancelled, GenerateError, ParamError};
use thiserror::Error;

/// Why a picture was not drawn.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RenderError {
    /// A setting of the view is outside its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<GenerateError> for RenderError {
    fn from(error: GenerateError) -> Self {
        match error {
            GenerateError::Param(error) => Self::Param(error),
            GenerateError::Cancelled(cancelled) => Self::Cancelled(cancelled),
        }
    }
}
