//! The kinds of values that parameters have, and the types that hold them.

use core::fmt;

use crate::ParamError;

/// The kind of a parameter's value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A whole number.
    Whole,
    /// A number.
    Number,
    /// True or false.
    Switch,
    /// One of these choices.
    Choice(&'static [Choice]),
    /// A value of this kind, or none.
    Optional(&'static Self),
    /// Several numbers, written as in a recipe; the text describes them.
    List(&'static str),
}

/// One of the values of a [`Kind::Choice`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// The name for [`Parameters::set`](super::Parameters::set).
    pub name: &'static str,
    /// A former name that is still accepted.
    pub alias: Option<&'static str>,
    pub(crate) hidden: bool,
    pub(crate) docs: &'static [&'static str],
}

impl Choice {
    /// The description: the first sentence of its documentation, without the full stop.
    pub fn about(&self) -> String {
        super::first_sentence(self.docs)
    }
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// The value of a [`Kind::Whole`].
    Whole(u32),
    /// The value of a [`Kind::Number`].
    Number(f64),
    /// The value of a [`Kind::Switch`].
    Switch(bool),
    /// The name of the choice of a [`Kind::Choice`].
    Choice(&'static str),
    /// The RON text of a [`Kind::List`].
    List(String),
    /// The absence of a value, for a [`Kind::Optional`].
    None,
}

impl Value {
    /// The value as a number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Whole(number) => Some(f64::from(*number)),
            Self::Number(number) => Some(*number),
            Self::Switch(_) | Self::Choice(_) | Self::List(_) | Self::None => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => write!(formatter, "{number}"),
            Self::Number(number) => write!(formatter, "{number}"),
            Self::Switch(on) => write!(formatter, "{on}"),
            Self::Choice(name) => formatter.write_str(name),
            Self::List(text) => formatter.write_str(text),
            Self::None => formatter.write_str(NONE),
        }
    }
}

/// The text for no value.
const NONE: &str = "none";

impl Kind {
    /// Parses a value of this kind; `None` if the text is not one.
    pub fn read(self, text: &str) -> Option<Value> {
        match self {
            Self::Whole => text.parse().ok().map(Value::Whole),
            Self::Number => text.parse().ok().map(Value::Number),
            Self::Switch => text.parse().ok().map(Value::Switch),
            Self::Choice(choices) => choices
                .iter()
                .find(|choice| choice.name == text || choice.alias == Some(text))
                .map(|choice| Value::Choice(choice.name)),
            Self::Optional(_) if text == NONE => Some(Value::None),
            Self::Optional(kind) => kind.read(text),
            Self::List(_) => Some(Value::List(text.to_owned())),
        }
    }

    /// The choices that are listed; empty if the kind is not a choice.
    pub fn choices(self) -> impl Iterator<Item = &'static Choice> {
        let choices = match self {
            Self::Choice(choices) => choices,
            _ => &[],
        };
        choices.iter().filter(|choice| !choice.hidden)
    }

    /// The kind without its [`Optional`](Self::Optional), if it has one.
    #[must_use]
    pub fn innermost(self) -> Self {
        match self {
            Self::Optional(kind) => kind.innermost(),
            other => other,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => formatter.write_str("a whole number"),
            Self::Number => formatter.write_str("a number"),
            Self::Switch => formatter.write_str("true or false"),
            Self::Choice(_) => {
                let names: Vec<&str> = self.choices().map(|choice| choice.name).collect();
                match names.split_last() {
                    Some((last, [])) => formatter.write_str(last),
                    Some((last, others)) => write!(formatter, "{} or {last}", others.join(", ")),
                    None => Ok(()),
                }
            }
            Self::Optional(kind) => write!(formatter, "{kind} or {NONE}"),
            Self::List(words) => formatter.write_str(words),
        }
    }
}

/// A type that a parameter can have.
pub trait ParameterType: Sized {
    /// The kind of its values.
    const KIND: Kind;

    /// Converts to a [`Value`].
    fn to_value(&self) -> Value;

    /// Converts from a [`Value`]; `None` if it is of another kind.
    fn from_value(value: &Value) -> Option<Self>;
}

impl ParameterType for u32 {
    const KIND: Kind = Kind::Whole;

    fn to_value(&self) -> Value {
        Value::Whole(*self)
    }

    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Whole(number) => Some(*number),
            _ => None,
        }
    }
}

impl ParameterType for f64 {
    const KIND: Kind = Kind::Number;

    fn to_value(&self) -> Value {
        Value::Number(*self)
    }

    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }
}

impl ParameterType for f32 {
    const KIND: Kind = Kind::Number;

    fn to_value(&self) -> Value {
        Value::Number(ParamError::shortest(*self))
    }

    fn from_value(value: &Value) -> Option<Self> {
        f64::from_value(value).map(|number| number as Self)
    }
}

impl ParameterType for bool {
    const KIND: Kind = Kind::Switch;

    fn to_value(&self) -> Value {
        Value::Switch(*self)
    }

    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Switch(on) => Some(*on),
            _ => None,
        }
    }
}

impl<T: ParameterType> ParameterType for Option<T> {
    const KIND: Kind = Kind::Optional(&T::KIND);

    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::None, T::to_value)
    }

    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::None => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

/// Implements [`ParameterType`] for types that are written as in a recipe: pairs and lists of numbers.
macro_rules! lists {
    ($($type:ty, $words:literal;)+) => {$(
        impl $crate::parameter::ParameterType for $type {
            const KIND: $crate::parameter::Kind = $crate::parameter::Kind::List($words);

            fn to_value(&self) -> $crate::parameter::Value {
                let text = ron::to_string(self).expect("RON can represent lists of numbers");
                $crate::parameter::Value::List(text)
            }

            fn from_value(value: &$crate::parameter::Value) -> Option<Self> {
                match value {
                    $crate::parameter::Value::List(text) => $crate::text::read_ron(text).ok(),
                    _ => None,
                }
            }
        }
    )+};
}
pub(crate) use lists;

lists! {
    (f64, f64), "a pair of numbers, as (0.5, 0.5),";
    Vec<f64>, "a list of numbers, as [1, 2, 1],";
    Vec<(f64, f64)>, "a list of pairs, as [(0, 0.2), (1, 0.8)],";
    Vec<Vec<(f64, f64)>>, "a list of lists of pairs, as [[(0.2, 0.3), (0.8, 0.2)]],";
}
