//! Parameters as data: declared once, then used by files, validation, command lines, panels and docs.
//!
//! Problem: a parameter has a name, a default, a range, a unit and a description. The file format, validation, the
//! command line and its help, panels and the documentation each need some of these. If each place has its own copy, the
//! copies drift apart.
//!
//! Idea: `parameters!` declares a struct of parameters, and `variants!` declares an enum whose variants have
//! parameters. The declaration expands to the type with its documentation, serde names and defaults, and to a table of
//! [`Parameter`]s. [`Parameters`] reads and changes any parameter by name, so code that shows, sets or checks
//! parameters is one loop for all types.
//!
//! ```text
//!   parameters! { ... }  ->  struct, serde, Default, docs
//!                        ->  PARAMETERS: [name, description, bounds, unit, default, slider]
//!                              |- set("count", "30")     --set, recipes
//!                              |- check_bounds()         validate
//!                              |- get, put               panels
//!                              '- about, allowed         --help, errors, tables
//! ```
//!
//! Bounds that depend on other parameters or on the map size are declared as text (`limit "..."`) and checked by a few
//! lines of code next to the declaration.

pub(crate) mod declare;
mod kind;
mod variants;

pub(crate) use kind::lists;
pub use kind::{Choice, Kind, ParameterType, Value};

pub(crate) use declare::{choices, parameters};
pub(crate) use variants::variants;

use core::fmt;

use crate::{ParamError, SetError};

/// The description of one parameter.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// The name in recipes and for [`Parameters::set`].
    pub name: &'static str,
    /// A former name that is still accepted.
    pub alias: Option<&'static str>,
    /// The kind of its value.
    pub kind: Kind,
    /// The values it may have; `None` if its kind allows all of them.
    pub bounds: Option<Bounds>,
    /// The unit of its number, for example `cells`.
    pub unit: Option<&'static str>,
    /// The range of a useful slider, if it is smaller than the bounds.
    pub slider: Option<Slider>,
    pub(crate) docs: &'static [&'static str],
    pub(crate) default: fn() -> Value,
}

/// The range of a slider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slider {
    /// The number at the left end.
    pub least: f64,
    /// The number at the right end.
    pub most: f64,
    /// Whether equal distances on the slider multiply the number instead of adding to it.
    pub logarithmic: bool,
}

/// The numbers that a parameter may have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bounds {
    /// From the first to the second, both included.
    From(f64, f64),
    /// Above the first and at most the second.
    Above(f64, f64),
    /// 0, or from the first to the second.
    ZeroOrFrom(f64, f64),
    /// A range in words, because it depends on something else. Not checked by [`contain`](Self::contain).
    Described(&'static str),
}

impl Bounds {
    /// Whether the number is within these bounds. NaN is not. Always `true` for [`Said`](Self::Described).
    pub fn contain(self, number: f64) -> bool {
        match self {
            Self::From(least, most) => (least..=most).contains(&number),
            Self::Above(least, most) => number > least && number <= most,
            Self::ZeroOrFrom(least, most) => number == 0.0 || (least..=most).contains(&number),
            Self::Described(_) => true,
        }
    }

    /// The lowest and the highest number, or `None` for [`Said`](Self::Described).
    pub fn ends(self) -> Option<(f64, f64)> {
        match self {
            Self::From(least, most) | Self::Above(least, most) => Some((least, most)),
            Self::ZeroOrFrom(_, most) => Some((0.0, most)),
            Self::Described(_) => None,
        }
    }

    /// The first of these bounds. For the macros.
    pub(crate) const fn first(all: &[Self]) -> Option<Self> {
        match all {
            [first, ..] => Some(*first),
            [] => None,
        }
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::From(least, most) => write!(formatter, "from {least} to {most}"),
            Self::Above(least, most) => write!(formatter, "above {least} and at most {most}"),
            Self::ZeroOrFrom(least, most) => write!(formatter, "0, or from {least} to {most}"),
            Self::Described(words) => formatter.write_str(words),
        }
    }
}

impl Parameter {
    /// The description: the first sentence of its documentation, without the full stop.
    pub fn about(&self) -> String {
        first_sentence(self.docs)
    }

    /// The default value.
    pub fn default(&self) -> Value {
        (self.default)()
    }

    /// The allowed values in words, for example `a whole number from 1 to 16`.
    pub fn allowed(&self) -> String {
        let inner = self.kind.innermost();
        let bounds = self.bounds.map(|bounds| format!(" {bounds}"));
        let or_none = if inner == self.kind { "" } else { " or none" };
        format!("{inner}{}{or_none}", bounds.unwrap_or_default())
    }

    /// Choices, bounds with unit, and default, for tables and help texts.
    pub fn details(&self) -> String {
        let choices = match self.kind.innermost() {
            kind @ (Kind::Choice(_) | Kind::Switch) => Some(kind.to_string()),
            Kind::Whole | Kind::Number | Kind::List(_) | Kind::Optional(_) => None,
        };
        let bounds = self.bounds.map(|bounds| match self.unit {
            Some(unit) => format!("{bounds} {unit}"),
            None => bounds.to_string(),
        });
        let default = match self.default() {
            // 0.3333 is precise enough for 1/3.
            Value::Number(number) if number.to_string().len() > 8 => format!("{number:.4}"),
            default => default.to_string(),
        };
        let default = format!("default {default}");
        let known: Vec<String> = [choices, bounds, Some(default)]
            .into_iter()
            .flatten()
            .collect();
        known.join(", ")
    }

    /// The range of its slider: the declared one, or else its bounds. `None` if it has neither.
    pub fn slider(&self) -> Option<Slider> {
        let whole = |(least, most)| Slider {
            least,
            most,
            logarithmic: false,
        };
        self.slider
            .or_else(|| self.bounds.and_then(Bounds::ends).map(whole))
    }

    fn is_called(&self, name: &str) -> bool {
        self.name == name || self.alias == Some(name)
    }
}

/// A type whose parameters can be read and changed by name.
///
/// ```
/// use lanternfell_heightmap::{Hills, parameter::{Parameters, Value}};
///
/// let mut hills = Hills::default();
/// hills.set("count", "30")?;
/// assert_eq!(hills.count, 30);
/// for parameter in hills.parameters() {
///     println!("{}: {}", parameter.name, parameter.about());
/// }
/// assert_eq!(hills.get("count"), Some(Value::Whole(30)));
/// assert!(hills.set("count", "many").is_err());
/// # Ok::<(), lanternfell_heightmap::SetError>(())
/// ```
pub trait Parameters {
    /// The name of the type in errors, for example `hills`.
    fn owner(&self) -> &'static str;

    /// All parameters, in the order in which they should be shown.
    fn parameters(&self) -> &'static [Parameter];

    /// The value of the parameter `name`, or `None` if the parameter does not exist.
    fn get(&self, name: &str) -> Option<Value>;

    /// Sets the parameter `name`. Returns `false` and changes nothing if the parameter does not exist or the value has
    /// the wrong kind.
    fn put(&mut self, name: &str, value: &Value) -> bool;

    /// Sets a parameter from text, as `--set NAME=VALUE` does.
    ///
    /// This does not check the range, because some ranges depend on other parameters and on the map. The owner's
    /// `validate` does.
    ///
    /// # Errors
    /// If the parameter does not exist, or the text is not a value of its kind.
    fn set(&mut self, name: &str, text: &str) -> Result<(), SetError> {
        let known = self.parameters();
        let found = known.iter().find(|parameter| parameter.is_called(name));
        let parameter = found.ok_or_else(|| SetError::Unknown {
            owner: self.owner(),
            name: name.to_owned(),
            known: names(known),
        })?;
        let value = parameter.kind.read(text);
        if value.is_some_and(|value| self.put(parameter.name, &value)) {
            return Ok(());
        }
        Err(SetError::Value {
            owner: self.owner(),
            name: parameter.name.to_owned(),
            value: text.to_owned(),
            allowed: parameter.allowed(),
        })
    }

    /// Checks every parameter against its own bounds.
    ///
    /// # Errors
    /// Names the first parameter that is out of bounds.
    fn check_bounds(&self) -> Result<(), ParamError> {
        let owner = self.owner();
        for Parameter { name, bounds, .. } in self.parameters() {
            let number = self.get(name).as_ref().and_then(Value::number);
            if let (Some(number), Some(bounds)) = (number, bounds) {
                ParamError::check(bounds.contain(number), owner, name, number, bounds)?;
            }
        }
        Ok(())
    }
}

/// The name, description and parameters of one variant of an enum.
#[derive(Debug, Clone, Copy)]
pub struct Described {
    /// The name, in lower case.
    pub name: &'static str,
    /// A former name that is still accepted.
    pub alias: Option<&'static str>,
    /// The parameters of this variant.
    pub parameters: &'static [Parameter],
    pub(crate) docs: &'static [&'static str],
}

impl Described {
    /// The description: the first sentence of its documentation, without the full stop.
    pub fn about(&self) -> String {
        first_sentence(self.docs)
    }
}

/// The names of parameters, separated by commas.
pub(crate) fn names(parameters: &[Parameter]) -> String {
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
    names.join(", ")
}

/// The parameters of the variant `name`.
///
/// # Panics
/// At compile time, if the variant does not exist.
pub(crate) const fn parameters_of(all: &[Described], name: &str) -> &'static [Parameter] {
    let mut index = 0;
    while index < all.len() {
        if is_same(all[index].name, name) {
            return all[index].parameters;
        }
        index += 1;
    }
    panic!("there is no variant of that name")
}

/// The highest number that the bounds of the parameter `name` allow.
///
/// # Panics
/// At compile time, if the parameter does not exist, or its bounds are in words.
pub(crate) const fn most(parameters: &[Parameter], name: &str) -> f64 {
    let mut index = 0;
    while index < parameters.len() {
        let parameter = &parameters[index];
        if is_same(parameter.name, name) {
            return match parameter.bounds {
                Some(
                    Bounds::From(_, most) | Bounds::Above(_, most) | Bounds::ZeroOrFrom(_, most),
                ) => most,
                Some(Bounds::Described(_)) | None => panic!("the parameter has no highest number"),
            };
        }
        index += 1;
    }
    panic!("there is no such parameter")
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut index = 0;
    while index < a.len() && index < b.len() && a[index] == b[index] {
        index += 1;
    }
    index == a.len() && index == b.len()
}

/// Concatenates several tables. For the macros.
pub(crate) const fn join<const LENGTH: usize>(tables: &[&[Parameter]]) -> [Parameter; LENGTH] {
    let mut joined = [tables[0][0]; LENGTH];
    let (mut table, mut length) = (0, 0);
    while table < tables.len() {
        let mut index = 0;
        while index < tables[table].len() {
            joined[length] = tables[table][index];
            (index, length) = (index + 1, length + 1);
        }
        table += 1;
    }
    assert!(length == LENGTH);
    joined
}

/// The parameters of variants that have exactly one each.
pub(crate) const fn of_each<const LENGTH: usize>(all: &[Described]) -> [Parameter; LENGTH] {
    let mut joined = [all[0].parameters[0]; LENGTH];
    let mut index = 0;
    while index < LENGTH {
        assert!(all[index].parameters.len() == 1);
        joined[index] = all[index].parameters[0];
        index += 1;
    }
    joined
}

/// The first sentence of documentation lines, as plain text without its full stop.
fn first_sentence(docs: &[&str]) -> String {
    let paragraph = docs.iter().take_while(|line| !line.trim().is_empty());
    let lines: Vec<&str> = paragraph.map(|line| line.trim()).collect();
    let text = lines.join(" ");
    let sentence = text
        .split_once(". ")
        .map_or(text.as_str(), |(first, _)| first);
    plain(sentence.trim_end_matches('.'))
}

/// Removes the markup of links and code: ``[`a`](b)`` becomes `a`.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        let (start, link) = before.rsplit_once('[').unwrap_or((before, ""));
        plain.extend([start, link]);
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain.replace("[`", "").replace("`]", "").replace('`', "")
}
