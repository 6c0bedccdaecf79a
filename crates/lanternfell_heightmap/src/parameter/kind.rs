//! The kinds of values that a parameter may have, and the types that hold them.

use core::fmt;

use crate::ParamError;

/// What kind of value a parameter has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A whole number.
    Whole,
    /// A number.
    Number,
    /// True or false.
    Switch,
    /// One of these.
    Choice(&'static [Choice]),
    /// Of that kind, or none at all.
    Optional(&'static Self),
    /// Several numbers, written as in a recipe; these words say what they are.
    List(&'static str),
}

/// One of the values that a parameter can be chosen from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// Its name, for [`Parameters::set`](super::Parameters::set).
    pub name: &'static str,
    /// A name that it had, which is still read.
    pub alias: Option<&'static str>,
    pub(crate) hidden: bool,
    pub(crate) docs: &'static [&'static str],
}

impl Choice {
    /// What it is, in a sentence without its full stop.
    pub fn about(&self) -> String {
        super::first_sentence(self.docs)
    }
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Of a [`Kind::Whole`].
    Whole(u32),
    /// Of a [`Kind::Number`].
    Number(f64),
    /// Of a [`Kind::Switch`].
    Switch(bool),
    /// The name of a [`Kind::Choice`].
    Choice(&'static str),
    /// The text of a [`Kind::List`], as in a recipe.
    List(String),
    /// No value, of a [`Kind::Optional`].
    None,
}

impl Value {
    /// It as a number, if it is one.
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

/// How no value is written.
const NONE: &str = "none";

impl Kind {
    /// The value that is written so; `None` if it is none of this kind.
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

    /// What can be chosen; nothing where the kind is no choice.
    pub fn choices(self) -> impl Iterator<Item = &'static Choice> {
        let choices = match self {
            Self::Choice(choices) => choices,
            _ => &[],
        };
        choices.iter().filter(|choice| !choice.hidden)
    }

    /// The kind itself, whether or not it is optional.
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

/// A type that a parameter may have.
pub trait ParameterType: Sized {
    /// The kind of its values.
    const KIND: Kind;

    /// It as a value.
    fn to_value(&self) -> Value;

    /// The value as this type; `None` if it is of another kind.
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

/// Types that are written as in a recipe: several numbers.
macro_rules! lists {
    ($($type:ty, $words:literal;)+) => {$(
        impl $crate::parameter::ParameterType for $type {
            const KIND: $crate::parameter::Kind = $crate::parameter::Kind::List($words);

            fn to_value(&self) -> $crate::parameter::Value {
                let text = ron::to_string(self).expect("lists of numbers can be written");
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
