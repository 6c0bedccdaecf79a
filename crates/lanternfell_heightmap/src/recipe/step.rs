//! The steps of recipes and their operations.

use serde::{Deserialize, Serialize};

use super::Selection;
use crate::{
    Blend, Filter, Generator, MapSize, ParamError, Parameters, SetError,
    parameter::{self, ParameterType},
};

/// One step of a recipe: a name and an operation.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The name by which other steps refer to this one: 1 to 40 letters, digits, `-` or `_`.
    pub name: String,
    /// The operation that makes the map of this step.
    pub operation: Operation,
}

/// An operation that makes the map of a step. It refers to other steps by name.
///
/// The optional `salt` selects one of the many random number streams of the recipe's seed. By
/// default it is derived from the step's name. So two steps use different random numbers, and
/// adding a third step changes neither. Steps with the same salt share their random numbers, and
/// salt 0 is the seed itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Operation {
    /// Generates a map.
    Generate {
        /// The generator.
        by: Generator,
        /// Selects the random numbers. Default: derived from the name of the step.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        salt: Option<u64>,
    },
    /// A map with the same height everywhere.
    Flat {
        /// The height, from 0 to 1.
        height: f32,
    },
    /// A map from outside, resampled to the recipe's size. The caller of
    /// [`generate_with`](super::Recipe::generate_with) provides it.
    Image {
        /// The name of the image. For the command-line tool it is a file name, relative to the
        /// recipe.
        name: String,
    },
    /// Blends a map onto another one.
    Blend {
        /// The step of the lower map.
        ground: String,
        /// The step of the map that is blended onto it.
        layer: String,
        /// The blend mode. Default: add.
        #[serde(default)]
        how: Blend,
        /// The weight of the layer, from 0 to 1. Default: 1.
        #[serde(default = "full_weight")]
        weight: f64,
        /// A step whose heights from 0 to 1 are the local weight of the layer. Default: 1
        /// everywhere.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mask: Option<String>,
    },
    /// Applies filters to a map, one after the other.
    Filter {
        /// The step whose map is filtered.
        of: String,
        /// The filters, in the order in which they are applied.
        by: Vec<Filter>,
        /// A step whose heights from 0 to 1 are the local strength of the filters. Default: 1
        /// everywhere.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mask: Option<String>,
        /// Selects the random numbers of the filters. Default: derived from the name of the step.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        salt: Option<u64>,
    },
    /// A mask: 1 where a map matches the selection, 0 elsewhere.
    Select {
        /// The step whose map is examined.
        of: String,
        /// The selection.
        by: Selection,
    },
}

fn full_weight() -> f64 {
    1.0
}

impl Step {
    /// The maximum number of characters in a name.
    pub const LONGEST_NAME: usize = 40;

    /// Creates a step with this name.
    pub fn new(name: impl Into<String>, operation: Operation) -> Self {
        let name = name.into();
        Self { name, operation }
    }

    /// Whether the name is allowed.
    pub(super) fn has_a_proper_name(&self) -> bool {
        let proper = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
        (1..=Self::LONGEST_NAME).contains(&self.name.chars().count())
            && self.name.chars().all(proper)
    }
}

impl From<Generator> for Operation {
    /// A generator whose random numbers depend on the name of the step.
    fn from(by: Generator) -> Self {
        Self::Generate { by, salt: None }
    }
}

impl Operation {
    /// Applies these filters to the map of a step, everywhere.
    pub fn filter(of: impl Into<String>, by: Vec<Filter>) -> Self {
        Self::Filter {
            of: of.into(),
            by,
            mask: None,
            salt: None,
        }
    }

    /// The name of the operation in recipe files.
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

    /// The names of the steps that the operation uses.
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

    /// The step whose map this operation modifies, if there is one.
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

    /// Whether the unmodified input is still needed after the new map is made.
    pub(super) fn keeps_its_ground(&self) -> bool {
        matches!(self, Self::Filter { mask: Some(_), .. })
    }

    /// Whether the result depends on the size of cells and heights in meters.
    pub(super) fn depends_on_scale(&self) -> bool {
        match self {
            Self::Filter { by, .. } => by.iter().any(Filter::depends_on_scale),
            Self::Select { by, .. } => by.depends_on_scale(),
            Self::Generate { .. } | Self::Flat { .. } | Self::Image { .. } | Self::Blend { .. } => {
                false
            }
        }
    }

    /// The powers of all `Gamma` filters that apply to the whole map.
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

    /// Sets a parameter from text, as `--set STEP.NAME=VALUE` does.
    ///
    /// The names are those of the generator, of the blend mode and its `weight`, of the selection,
    /// or `height`. If a step has several filters, `FILTER.NAME` selects the filter; filters with
    /// the same name are all set to the same value.
    ///
    /// # Errors
    /// If the operation has no such parameter, or the text is not a value of its kind.
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

    /// The approximate cost relative to other operations on the same map.
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

/// Sets a parameter of the only filter. If the name is preceded by the name of a filter, sets it in
/// all filters with that name.
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

/// Sets a number that is a parameter of the step itself.
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

/// The names, separated by commas.
fn listed(names: impl IntoIterator<Item = String>) -> String {
    let names: Vec<String> = names.into_iter().filter(|name| !name.is_empty()).collect();
    if names.is_empty() {
        return "none".to_owned();
    }
    names.join(", ")
}
