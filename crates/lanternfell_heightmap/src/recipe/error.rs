//! The errors of recipes. Where possible they name the step.

use thiserror::Error;

use super::Recipe;
use crate::{Canceled, GenerateError, ParamError, SyntaxError};

/// Why a recipe cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// The text is not RON, or not a recipe.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// The text has a version of the file format that this release does not support.
    #[error(
        "recipe version {found} is not supported: this release reads version {known}",
        known = Recipe::VERSION
    )]
    Version {
        /// The version in the text.
        found: u64,
    },
    /// There are no steps, or more than [`Recipe::MAX_STEPS`].
    #[error("the recipe has {found} steps, but must have from 1 to {max}", max = Recipe::MAX_STEPS)]
    Steps {
        /// The number of steps.
        found: usize,
    },
    /// The name of a step is not allowed.
    #[error("`{name}` is not a valid step name: use 1 to 40 letters, digits, `-` or `_`")]
    Name {
        /// The name.
        name: String,
    },
    /// Two steps have the same name.
    #[error("two steps are named `{name}`")]
    Twice {
        /// The name.
        name: String,
    },
    /// A step refers to a step that does not exist, or the recipe's result does.
    #[error("{}: there is no step `{missing}`", user(step.as_deref()))]
    Missing {
        /// The step with the reference; `None` for the recipe's result.
        step: Option<String>,
        /// The step that does not exist.
        missing: String,
    },
    /// The step for the holes does not exist.
    #[error("holes: there is no step `{missing}`")]
    MissingHoles {
        /// The step that does not exist.
        missing: String,
    },
    /// Steps depend on each other in a cycle.
    #[error("step `{}` depends on itself: {}", steps[0], circle(steps))]
    Cycle {
        /// The steps of the cycle. Each depends on the next one, and the last on the first.
        steps: Vec<String>,
    },
    /// The map is too large to be generated in one piece.
    #[error(
        "a map of {width}x{height} cells is too large for one piece, which has at most {max} cells per \
         side: generate it in tiles",
        max = crate::MapSize::MAX_SIDE
    )]
    World {
        /// The width in cells.
        width: u64,
        /// The height in cells.
        height: u64,
    },
    /// A parameter of a step is out of range.
    #[error("step `{step}`: {error}")]
    Step {
        /// The name of the step.
        step: String,
        /// The error of the parameter.
        error: ParamError,
    },
    /// An image does not exist or is not a heightmap.
    #[error("step `{step}`: image `{image}`: {why}")]
    Image {
        /// The step that needs the image.
        step: String,
        /// The name of the image in the recipe.
        image: String,
        /// The message of the function that provides images.
        why: String,
    },
    /// A parameter of the recipe itself is out of range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The work was canceled.
    #[error(transparent)]
    Canceled(#[from] Canceled),
}

impl RecipeError {
    /// Creates the error of a step's parameter.
    pub(super) fn step(step: &str, error: ParamError) -> Self {
        let step = step.to_owned();
        Self::Step { step, error }
    }

    /// Converts an error that occurred while a step was run.
    pub(super) fn making(step: &str, error: GenerateError) -> Self {
        match error {
            GenerateError::Param(error) => Self::step(step, error),
            GenerateError::Canceled(canceled) => canceled.into(),
        }
    }
}

fn user(step: Option<&str>) -> String {
    step.map_or("result".to_owned(), |step| format!("step `{step}`"))
}

fn circle(steps: &[String]) -> String {
    let around = steps.iter().chain(steps.first());
    let names: Vec<String> = around.map(|name| format!("`{name}`")).collect();
    names.join(" -> ")
}
