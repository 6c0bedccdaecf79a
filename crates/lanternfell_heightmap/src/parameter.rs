//! What a parameter is: said once, where it is declared, and read from there by all who ask.
//!
//! Problem: a parameter has a name, a default, a range, a unit and a meaning, and the file
//! format, its check, the command line, its help, panels and the documentation each need some of
//! them. Written down in each place they drift apart.
//!
//! Idea: a struct of parameters is declared by `parameters!`, and an enum of things that have
//! parameters by `variants!`; from the declaration come the type itself with its documentation
//! and its serde names, its default, and a table of [`Parameter`]s. [`Parameters`] reads and
//! changes any of them by name, so that whoever shows, sets or checks parameters does so in one
//! loop for all of them.
//!
//! ```text
//!   parameters! { ... }  ->  struct, serde, Default, docs
//!                        ->  PARAMETERS: [name, meaning, bounds, unit, default, slider]
//!                              |- set("count", "30")     --set, recipes
//!                              |- check_bounds()         validate
//!                              |- get, put               panels
//!                              '- about, allowed         --help, errors, tables
//! ```
//!
//! Bounds that depend on other parameters or on the map's size are said in words there
//! (`limit "..."`), and checked by a few lines beside the declaration.

pub(crate) mod declare;
mod kind;
mod variants;

pub(crate) use kind::lists;
pub use kind::{Choice, Kind, ParameterType, Value};

pub(crate) use declare::{choices, parameters};
pub(crate) use variants::variants;

use core::fmt;

use crate::{ParamError, SetError};

/// One parameter: all that is known of it beside its value.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its name, as in a recipe and for [`Parameters::set`].
    pub name: &'static str,
    /// A name that it had, which is still read.
    pub alias: Option<&'static str>,
    /// What kind of value it has.
    pub kind: Kind,
    /// Which values it may have; `None` where its kind says it all.
    pub bounds: Option<Bounds>,
    /// What its number counts, for instance `cells`.
    pub unit: Option<&'static str>,
    /// The part of its bounds that is worth a slider, where that is not all of it.
    pub slider: Option<Slider>,
    pub(crate) docs: &'static [&'static str],
    pub(crate) default: fn() -> Value,
}

/// The numbers that a slider goes through.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slider {
    /// The number at its left end.
    pub least: f64,
    /// The number at its right end.
    pub most: f64,
    /// Whether equal ways multiply the number instead of adding to it.
    pub logarithmic: bool,
}

/// Which numbers a parameter may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bounds {
    /// From the first to the second, both included.
    From(f64, f64),
    /// Above the first, at most the second.
    Above(f64, f64),
    /// 0, or from the first to the second.
    ZeroOrFrom(f64, f64),
    /// What these words say: it depends on something else.
    Said(&'static str),
}

impl Bounds {
    /// Whether the number is fine, as far as this alone can tell; NaN is not.
    pub fn contain(self, number: f64) -> bool {
        match self {
            Self::From(least, most) => (least..=most).contains(&number),
            Self::Above(least, most) => number > least && number <= most,
            Self::ZeroOrFrom(least, most) => number == 0.0 || (least..=most).contains(&number),
            Self::Said(_) => true,
        }
    }

    /// The lowest and the highest number, if they are known.
    pub fn ends(self) -> Option<(f64, f64)> {
        match self {
            Self::From(least, most) | Self::Above(least, most) => Some((least, most)),
            Self::ZeroOrFrom(_, most) => Some((0.0, most)),
            Self::Said(_) => None,
        }
    }

    /// The first of them, for the macros.
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
            Self::Said(words) => formatter.write_str(words),
        }
    }
}

impl Parameter {
    /// What it is, in a sentence without its full stop.
    pub fn about(&self) -> String {
        first_sentence(self.docs)
    }

    /// Its value where nobody sets it.
    pub fn default(&self) -> Value {
        (self.default)()
    }

    /// Which values are allowed, in words: `a whole number from 1 to 16`.
    pub fn allowed(&self) -> String {
        let inner = self.kind.innermost();
        let bounds = self.bounds.map(|bounds| format!(" {bounds}"));
        let or_none = if inner == self.kind { "" } else { " or none" };
        format!("{inner}{}{or_none}", bounds.unwrap_or_default())
    }

    /// All that a reader of a list wants to know beside its meaning: unit, bounds, default.
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
            // A third is not worth sixteen digits.
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

    /// The numbers for a slider; `None` if it is no number, or may be any.
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

/// Parameters that can be read and changed by their names.
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
    /// What they belong to, for errors.
    fn owner(&self) -> &'static str;

    /// All of them, in the order in which a reader should meet them.
    fn parameters(&self) -> &'static [Parameter];

    /// The value of the one of that name.
    fn get(&self, name: &str) -> Option<Value>;

    /// Changes the one of that name; `false`, and nothing happens, if there is none or the value
    /// is none of its kind.
    fn put(&mut self, name: &str, value: &Value) -> bool;

    /// Changes one by the text of its value, as `--set NAME=VALUE` does.
    ///
    /// # Errors
    /// When there is none of that name, or the text is none of its kind. Whether a number is in
    /// its range is for the owner's `validate`, since some depend on others and on the map.
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
    /// Names the first that is out of them.
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

/// The name, the meaning and the parameters of one variant of an enum.
#[derive(Debug, Clone, Copy)]
pub struct Described {
    /// Its name, in small letters.
    pub name: &'static str,
    /// A name that it had, which is still read.
    pub alias: Option<&'static str>,
    /// The parameters that it has.
    pub parameters: &'static [Parameter],
    pub(crate) docs: &'static [&'static str],
}

impl Described {
    /// What it is, in a sentence without its full stop.
    pub fn about(&self) -> String {
        first_sentence(self.docs)
    }
}

/// The names of parameters, separated by commas.
pub(crate) fn names(parameters: &[Parameter]) -> String {
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
    names.join(", ")
}

/// The parameters of the described thing of that name.
///
/// # Panics
/// At compile time, when there is no such thing.
pub(crate) const fn parameters_of(all: &[Described], name: &str) -> &'static [Parameter] {
    let mut index = 0;
    while index < all.len() {
        if is_same(all[index].name, name) {
            return all[index].parameters;
        }
        index += 1;
    }
    panic!("nothing of that name is described")
}

/// The highest number that the bounds of that parameter allow.
///
/// # Panics
/// At compile time, when there is no such parameter or its bounds are said in words.
pub(crate) const fn most(parameters: &[Parameter], name: &str) -> f64 {
    let mut index = 0;
    while index < parameters.len() {
        let parameter = &parameters[index];
        if is_same(parameter.name, name) {
            return match parameter.bounds {
                Some(
                    Bounds::From(_, most) | Bounds::Above(_, most) | Bounds::ZeroOrFrom(_, most),
                ) => most,
                Some(Bounds::Said(_)) | None => panic!("it has no highest number"),
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

/// Several tables as one, for the macros.
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

/// The parameters of things that have one each.
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

/// The first sentence of a documentation's lines: as plain text, without its full stop.
fn first_sentence(docs: &[&str]) -> String {
    let paragraph = docs.iter().take_while(|line| !line.trim().is_empty());
    let lines: Vec<&str> = paragraph.map(|line| line.trim()).collect();
    let text = lines.join(" ");
    let sentence = text
        .split_once(". ")
        .map_or(text.as_str(), |(first, _)| first);
    plain(sentence.trim_end_matches('.'))
}

/// Without the marks of links and code: of ``[`a`](b)`` remains `a`.
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
