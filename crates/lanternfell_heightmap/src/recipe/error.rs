//! Why a recipe can not be used: always with the step that is wrong.

use thiserror::Error;

use super::Recipe;
use crate::{Cancelled, GenerateError, ParamError, SyntaxError};

/// Why a recipe can not be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RecipeError {
    /// The text is not RON, or not a recipe.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// The text is of a version that this crate does not read.
    #[error(
        "recipe version {found} is not known: this release reads version {known}",
        known = Recipe::VERSION
    )]
    Version {
        /// The version that the text names.
        found: u64,
    },
    /// There is no step, or more than [`Recipe::MAX_STEPS`].
    #[error("a recipe has from 1 to {max} steps, and this one has {found}", max = Recipe::MAX_STEPS)]
    Steps {
        /// How many there are.
        found: usize,
    },
    /// A step has no proper name.
    #[error("`{name}` is no name for a step: it has from 1 to 40 letters, digits, `-` or `_`")]
    Name {
        /// Its name.
        name: String,
    },
    /// Two steps have one name.
    #[error("there are two steps `{name}`")]
    Twice {
        /// Their name.
        name: String,
    },
    /// A step, or the recipe's result, is to be made from a step that is not there.
    #[error("{}: there is no step `{missing}`", user(step.as_deref()))]
    Missing {
        /// The step that needs the other; `None` for the recipe's result.
        step: Option<String>,
        /// The step that is not there.
        missing: String,
    },
    /// The step that should tell the holes is not there.
    #[error("holes: there is no step `{missing}`")]
    MissingHoles {
        /// The step that is not there.
        missing: String,
    },
    /// Steps need each other in a circle.
    #[error("step `{}` needs itself: {}", steps[0], circle(steps))]
    Cycle {
        /// Each needs the next, and the last the first.
        steps: Vec<String>,
    },
    /// There can be no map of its size in one piece.
    #[error(
        "a map has at most {max} cells a side, and this one has {width}x{height}: it can be made in \
         tiles only",
        max = crate::MapSize::MAX_SIDE
    )]
    World {
        /// Its width in cells.
        width: u64,
        /// Its height in cells.
        height: u64,
    },
    /// A parameter of a step is outside its range.
    #[error("step `{step}`: {error}")]
    Step {
        /// The step.
        step: String,
        /// What is wrong with it.
        error: ParamError,
    },
    /// An image is not there, or is no heightmap.
    #[error("step `{step}`: image `{image}`: {why}")]
    Image {
        /// The step that needs it.
        step: String,
        /// Its name in the recipe.
        image: String,
        /// What whoever was asked for it says.
        why: String,
    },
    /// A parameter of the recipe itself is outside its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl RecipeError {
    /// A step's wrong parameter.
    pub(super) fn step(step: &str, error: ParamError) -> Self {
        let step = step.to_owned();
        Self::Step { step, error }
    }

    /// What went wrong while a step was made.
    pub(super) fn making(step: &str, error: GenerateError) -> Self {
        match error {
            GenerateError::Param(error) => Self::step(step, error),
            GenerateError::Cancelled(cancelled) => cancelled.into(),
        }
    }
}

fn user(step: Option<&str>) -> String {
    step.map_or("result".to_owned(), |step| format!("step `{step}`"))
}

fn circle(steps: &[String]) -> String {
    let around = steps.iter().chain(steps.first());
    let names: Vec<String> = around.map(|name| format!("`{name}`")).collect();
    names.join(" is made from ")
}
