//! What a step does, and from which others.

use serde::{Deserialize, Serialize};

use super::Selection;
use crate::{
    Blend, Filter, Generator, MapSize, ParamError, Parameters, SetError,
    parameter::{self, ParameterType},
};

/// One step of a recipe: a name, and what makes its map.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What other steps call it: from 1 to 40 letters, digits, `-` or `_`.
    pub name: String,
    /// What makes its map.
    pub operation: Operation,
}

/// What makes a step's map. Other steps are named by their names.
///
/// A `salt` says which of the seed's many streams of random numbers a step draws from. Without
/// one that follows from the step's name, so that two steps differ, and adding a third changes
/// neither. Steps with the same number share theirs, and 0 is the seed itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Operation {
    /// A generator's map.
    Generate {
        /// The generator.
        by: Generator,
        /// Which random numbers it draws; by its step's name by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        salt: Option<u64>,
    },
    /// The same height everywhere.
    Flat {
        /// The height, from 0 to 1.
        height: f32,
    },
    /// A map from outside, brought to the recipe's size: whoever generates hands it in.
    Image {
        /// What it is called; to the command-line tool, a file beside the recipe.
        name: String,
    },
    /// A map, laid on another one.
    Blend {
        /// The step below.
        ground: String,
        /// The step that is laid on it.
        layer: String,
        /// How. Adds by default.
        #[serde(default)]
        how: Blend,
        /// How strongly, from 0 to 1; 1 by default.
        #[serde(default = "full_weight")]
        weight: f64,
        /// A step whose heights from 0 to 1 say where, and how strongly; everywhere by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mask: Option<String>,
    },
    /// A map, changed by filters, one after the other.
    Filter {
        /// The step that is changed.
        of: String,
        /// The filters, in this order.
        by: Vec<Filter>,
        /// A step whose heights from 0 to 1 say where, and how strongly; everywhere by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mask: Option<String>,
        /// Which random numbers the filters draw; by their step's name by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        salt: Option<u64>,
    },
    /// A mask: 1 where a map is as asked for, 0 where it is not.
    Select {
        /// The step that is looked at.
        of: String,
        /// What is asked for.
        by: Selection,
    },
}

fn full_weight() -> f64 {
    1.0
}

impl Step {
    /// The most letters of a name.
    pub const LONGEST_NAME: usize = 40;

    /// A step of this name.
    pub fn new(name: impl Into<String>, operation: Operation) -> Self {
        let name = name.into();
        Self { name, operation }
    }

    /// Whether other steps could call it so.
    pub(super) fn has_a_proper_name(&self) -> bool {
        let proper = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
        (1..=Self::LONGEST_NAME).contains(&self.name.chars().count())
            && self.name.chars().all(proper)
    }
}

impl From<Generator> for Operation {
    /// A generator that draws by its step's name.
    fn from(by: Generator) -> Self {
        Self::Generate { by, salt: None }
    }
}

impl Operation {
    /// These filters on that step, everywhere.
    pub fn filter(of: impl Into<String>, by: Vec<Filter>) -> Self {
        Self::Filter {
            of: of.into(),
            by,
            mask: None,
            salt: None,
        }
    }

    /// What it is called in a file.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Generate { .. } => "Generate",
            Self::Flat { .. } => "Flat",
            Self::Image { .. } => "Image",
            Self::Blend { .. } => "Blend",
            Self::Filter { .. } => "Filter",
            Self::Select { .. } => "Select",
        }
    }

    /// The steps that it is made from.
    pub fn inputs(&self) -> Vec<&str> {
        let all = match self {
            Self::Generate { .. } | Self::Flat { .. } | Self::Image { .. } => [None; 3],
            Self::Blend {
                ground,
                layer,
                mask,
                ..
            } => [Some(ground), Some(layer), mask.as_ref()],
            Self::Filter { of, mask, .. } => [Some(of), mask.as_ref(), None],
            Self::Select { of, .. } => [Some(of), None, None],
        };
        all.into_iter().flatten().map(String::as_str).collect()
    }

    /// The step whose land this one goes on with, if there is one.
    pub(super) fn ground(&self) -> Option<&str> {
        match self {
            Self::Blend { ground, .. } => Some(ground),
            Self::Filter { of, .. } => Some(of),
            Self::Generate { .. }
            | Self::Flat { .. }
            | Self::Image { .. }
            | Self::Select { .. } => None,
        }
    }

    /// Whether the ground as it was is still needed when the new one is made.
    pub(super) fn keeps_its_ground(&self) -> bool {
        matches!(self, Self::Filter { mask: Some(_), .. })
    }

    /// Whether it makes another map of the same ones where cells or heights are other metres.
    pub(super) fn depends_on_scale(&self) -> bool {
        match self {
            Self::Filter { by, .. } => by.iter().any(Filter::depends_on_scale),
            Self::Select { by, .. } => by.depends_on_scale(),
            Self::Generate { .. } | Self::Flat { .. } | Self::Image { .. } | Self::Blend { .. } => {
                false
            }
        }
    }

    /// By which powers the whole map is flattened.
    pub(super) fn powers(&self) -> impl Iterator<Item = f64> + '_ {
        let filters = match self {
            Self::Filter { by, mask: None, .. } => by.as_slice(),
            _ => &[],
        };
        filters.iter().filter_map(|filter| match filter {
            Filter::Gamma(power) => Some(*power),
            _ => None,
        })
    }

    /// Checks every parameter.
    /// Sets one of its parameters from its text, as `--set STEP.NAME=VALUE` does: of its
    /// generator, of its blend or the `weight` of that, of its selection, or its `height`. Of
    /// several filters `FILTER.NAME` says which one's; filters of one name are set alike.
    ///
    /// # Errors
    /// When it has no such parameter, or the text is no value of its kind.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SetError> {
        match (self, name) {
            (Self::Generate { by, .. }, _) => by.set(name, value),
            (Self::Filter { by, .. }, _) => set_in_filters(by, name, value),
            (Self::Select { by, .. }, _) => by.set(name, value),
            (Self::Blend { weight, .. }, "weight") => set_number(weight, ("blend", name), value),
            (Self::Blend { how, .. }, _) => how.set(name, value).map_err(|error| match error {
                SetError::Unknown { owner, name, .. } => SetError::Unknown {
                    owner,
                    name,
                    known: listed(["weight".to_owned(), parameter::names(how.parameters())]),
                },
                other => other,
            }),
            (Self::Flat { height }, "height") => set_number(height, ("flat", name), value),
            (Self::Flat { .. }, _) => Err(unknown("flat", name, "height".to_owned())),
            (Self::Image { .. }, _) => Err(unknown("image", name, listed([]))),
        }
    }

    pub(super) fn validate(&self, size: MapSize) -> Result<(), ParamError> {
        match self {
            Self::Generate { by, .. } => by.validate(size),
            Self::Flat { height } => {
                let height = ParamError::shortest(*height);
                ParamError::check_range("flat", "height", height, 0.0, 1.0)
            }
            Self::Image { .. } => Ok(()),
            Self::Blend { how, weight, .. } => {
                how.validate()?;
                Blend::check_weight(*weight)
            }
            Self::Filter { by, .. } => by.iter().try_for_each(Filter::validate),
            Self::Select { by, .. } => by.validate(),
        }
    }

    /// About how long it takes, beside others on the same map.
    pub(super) fn work(&self) -> f32 {
        match self {
            Self::Generate { .. } => 4.0,
            Self::Filter { by, .. } => by.iter().map(Filter::work).sum(),
            Self::Flat { .. } | Self::Image { .. } | Self::Blend { .. } | Self::Select { .. } => {
                1.0
            }
        }
    }
}

/// Sets a parameter of the only filter, or with its name before it of all that are called so.
fn set_in_filters(filters: &mut [Filter], name: &str, value: &str) -> Result<(), SetError> {
    if let ([filter], None) = (&mut *filters, name.split_once('.')) {
        return filter.set(name, value);
    }
    let known = filters.iter().flat_map(|filter| {
        let names = filter.parameters().iter();
        names.map(move |parameter| format!("{}.{}", filter.name(), parameter.name))
    });
    let known = listed(known.collect::<Vec<_>>());
    let split = name.split_once('.');
    let (filter, parameter) = split.ok_or_else(|| unknown("filter", name, known.clone()))?;
    let called = Filter::from_name(filter);
    let mut called: Vec<&mut Filter> = filters
        .iter_mut()
        .filter(|other| {
            called
                .as_ref()
                .is_some_and(|called| called.name() == other.name())
        })
        .collect();
    if called.is_empty() {
        return Err(unknown("filter", name, known));
    }
    called
        .iter_mut()
        .try_for_each(|filter| filter.set(parameter, value))
}

/// Sets a number that is no parameter of anything but the step.
fn set_number<T: ParameterType>(
    number: &mut T,
    (owner, name): (&'static str, &str),
    text: &str,
) -> Result<(), SetError> {
    let value = T::KIND.read(text);
    *number = value
        .and_then(|value| T::from_value(&value))
        .ok_or_else(|| SetError::Value {
            owner,
            name: name.to_owned(),
            value: text.to_owned(),
            allowed: T::KIND.to_string(),
        })?;
    Ok(())
}

fn unknown(owner: &'static str, name: &str, known: String) -> SetError {
    SetError::Unknown {
        owner,
        name: name.to_owned(),
        known,
    }
}

/// The names separated by commas.
fn listed(names: impl IntoIterator<Item = String>) -> String {
    let names: Vec<String> = names.into_iter().filter(|name| !name.is_empty()).collect();
    if names.is_empty() {
        return "none".to_owned();
    }
    names.join(", ")
}
