//! Errors that are thrown to JavaScript: a message of one line, and the invalid step and parameter
//! if there are any.

use core::fmt::Display;

use js_sys::{Error, Reflect};
use lanternfell_heightmap::{
    Canceled, GenerateError, HeightmapError, ParamError, RecipeError, SetError, SizeError,
};
use lanternfell_io::{ExportError, ImportError};
use lanternfell_lightgrid::LightError;
use lanternfell_render::RenderError;
use wasm_bindgen::JsValue;

/// An error that becomes a JavaScript exception.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Failure {
    /// A message of one line.
    pub(crate) message: String,
    /// The step of the recipe that is invalid.
    pub(crate) step: Option<String>,
    /// The parameter or option that is invalid.
    pub(crate) parameter: Option<String>,
    /// Whether the work was canceled.
    pub(crate) stopped: bool,
}

impl Failure {
    /// An error with a message only.
    pub(crate) fn new(message: impl Display) -> Self {
        Self {
            message: message.to_string(),
            ..Self::default()
        }
    }

    /// An error in an option or parameter.
    pub(crate) fn of_parameter(message: impl Display, parameter: impl Into<String>) -> Self {
        Self {
            parameter: Some(parameter.into()),
            ..Self::new(message)
        }
    }

    /// Adds the name of the step.
    pub(crate) fn in_step(self, step: &str) -> Self {
        Self {
            message: format!("step `{step}`: {}", self.message),
            step: Some(step.to_owned()),
            ..self
        }
    }

    /// Invalid JSON. Omits the line and column, since users do not see the JSON text.
    pub(crate) fn of_json(what: &str, error: &serde_json::Error) -> Self {
        let words = error.to_string();
        let words = words.split(" at line ").next().unwrap_or_default();
        Self::new(format_args!("{what}: {words}"))
    }
}

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> Self {
        let error = Error::new(&failure.message);
        let name = if failure.stopped {
            "AbortError"
        } else {
            "LanternfellError"
        };
        error.set_name(name);
        let known = [("step", failure.step), ("parameter", failure.parameter)];
        for (key, value) in known {
            if let Some(value) = value {
                // Can only fail on sealed objects, and this one is new.
                let _ = Reflect::set(&error, &key.into(), &value.into());
            }
        }
        error.into()
    }
}

impl From<Canceled> for Failure {
    fn from(canceled: Canceled) -> Self {
        Self {
            stopped: true,
            ..Self::new(canceled)
        }
    }
}

impl From<ParamError> for Failure {
    fn from(error: ParamError) -> Self {
        Self::of_parameter(&error, error.name)
    }
}

impl From<SizeError> for Failure {
    fn from(error: SizeError) -> Self {
        Self::of_parameter(error, "size")
    }
}

impl From<HeightmapError> for Failure {
    fn from(error: HeightmapError) -> Self {
        Self::of_parameter(error, "heights")
    }
}

impl From<SetError> for Failure {
    fn from(error: SetError) -> Self {
        let message = error.to_string();
        let (SetError::Unknown { name, .. } | SetError::Value { name, .. }) = error;
        Self::of_parameter(message, name)
    }
}

impl From<GenerateError> for Failure {
    fn from(error: GenerateError) -> Self {
        match error {
            GenerateError::Param(error) => error.into(),
            GenerateError::Canceled(canceled) => canceled.into(),
        }
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Param(error) => error.into(),
            RenderError::Canceled(canceled) => canceled.into(),
        }
    }
}

impl From<RecipeError> for Failure {
    fn from(error: RecipeError) -> Self {
        let message = error.to_string();
        let (step, parameter) = match error {
            RecipeError::Canceled(canceled) => return canceled.into(),
            RecipeError::Step { step, error } => (Some(step), Some(error.name.to_owned())),
            RecipeError::Param(error) => (None, Some(error.name.to_owned())),
            RecipeError::Image { step, .. } => (Some(step), None),
            RecipeError::Missing { step, .. } => (step, None),
            RecipeError::Name { name } | RecipeError::Twice { name } => (Some(name), None),
            RecipeError::Cycle { steps } => (steps.into_iter().next(), None),
            RecipeError::World { .. } => (None, Some("size".to_owned())),
            RecipeError::MissingHoles { .. } => (None, Some("holes".to_owned())),
            // The others concern the recipe as a whole.
            _ => (None, None),
        };
        Self {
            message,
            step,
            parameter,
            stopped: false,
        }
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Canceled(canceled) => canceled.into(),
            ExportError::Param(error) => error.into(),
            other => Self::new(other),
        }
    }
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        Self::new(error)
    }
}

impl From<LightError> for Failure {
    fn from(error: LightError) -> Self {
        Self::new(error)
    }
}
