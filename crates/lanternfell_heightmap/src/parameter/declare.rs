//! The macros that declare parameters, and enums of choices.
//!
//! A declaration looks like the struct or enum that it expands to. The attributes after a field set its default, its
//! validation, its row in the table, and the last sentence of its documentation:
//!
//! ```text
//! parameters! {
//!     /// Heights by overlapping hills.
//!     pub struct Hills: "hills" {
//!         /// How many hills.
//!         pub count: u32 = 200, in 1..=1_000_000, slider 1..=5000 log;
//!         /// The smallest radius.
//!         pub radius_min: f64 = 2.0, limit "from 0 to radius_max", unit "cells";
//!     }
//! }
//! ```
//!
//! | after the field, in this order, all optional | meaning |
//! |---|---|
//! | `in 1..=9` | the bounds, both included |
//! | `above 0.0..=1.0` | the bounds, without the first |
//! | `zero_or 0.1..=9.0` | 0 or within these bounds |
//! | `limit "words"` | bounds in words, checked by hand because they depend on something else |
//! | `unit "cells"` | the unit of the number |
//! | `slider 1..=50`, optionally followed by `log` | the range of a useful slider, if it is smaller than the bounds |
//! | `alias "name"` | another spelling that `Parameters::set` accepts |
//! | `omit_if "path"` | a predicate: if true, the field is omitted from a written recipe |

/// Declares an enum of plain names, for a parameter that is a choice.
///
/// In `Fbm = "fbm" | "plain"` the first name is the one for [`Parameters::set`](crate::parameter::Parameters::set), and
/// the second is an alternative spelling that it accepts. Recipes use the name of the variant. A `[hidden]` variant is
/// accepted but not listed.
macro_rules! choices {
    (
        $(#[$meta:meta])*
        pub enum $enum:ident {
            $(
                $(#[doc = $doc:literal])+
                $variant:ident = $name:literal $(| $alias:literal)?
                    $([$hidden:ident])?,
            )+
        }
        default $default:ident
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum $enum {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl $enum {
            /// The name for `--set`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }

        impl Default for $enum {
            fn default() -> Self {
                Self::$default
            }
        }

        impl $crate::parameter::ParameterType for $enum {
            const KIND: $crate::parameter::Kind = $crate::parameter::Kind::Choice(&[
                $($crate::parameter::Choice {
                    name: $name,
                    alias: $crate::parameter::declare::first(&[$($alias)?]),
                    hidden: !stringify!($($hidden)?).is_empty(),
                    docs: &[$($doc),+],
                },)+
            ]);

            fn to_value(&self) -> $crate::parameter::Value {
                $crate::parameter::Value::Choice(self.name())
            }

            fn from_value(value: &$crate::parameter::Value) -> Option<Self> {
                match value {
                    $($crate::parameter::Value::Choice($name) => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use choices;

/// Declares a struct of parameters. The [module](self) documents the syntax.
///
/// `group name: Type = "...";` after the fields adds an `Option` of another such struct, whose parameters are listed
/// after the struct's own. The other struct declares a prefix for its names in that list, after its owner: `pub struct
/// FaultErosion: "faults", "erosion_" { ... }`.
macro_rules! parameters {
    ($(#[$meta:meta])* pub struct $struct:ident: $owner:literal { $($fields:tt)* }) => {
        $crate::parameter::parameters! {
            $(#[$meta])* pub struct $struct: $owner, "" { $($fields)* }
        }
    };
    (
        $(#[$meta:meta])*
        pub struct $struct:ident: $owner:literal, $prefix:literal {
            $(
                $(#[doc = $doc:literal])+
                pub $field:ident: $type:ty = $default:expr
                    $(, in $least:literal..=$most:literal)?
                    $(, above $below:literal..=$top:literal)?
                    $(, zero_or $small:literal..=$large:literal)?
                    $(, limit $words:literal)?
                    $(, unit $unit:literal)?
                    $(, slider $left:literal..=$right:literal $($log:ident)?)?
                    $(, alias $alias:literal)?
                    $(, omit_if $omitted:literal)?;
            )+
            $(group $group:ident: $group_type:ident = $group_doc:literal;)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $struct {
            $(
                $(#[doc = $doc])+
                #[doc = concat!(
                    " By default `", stringify!($default), "`"
                    $(, "; from ", stringify!($least), " to ", stringify!($most))?
                    $(, "; above ", stringify!($below), " and at most ", stringify!($top))?
                    $(, "; 0, or from ", stringify!($small), " to ", stringify!($large))?
                    $(, "; ", $words)?
                    $(, " ", $unit)?,
                    "."
                )]
                $(#[serde(skip_serializing_if = $omitted)])?
                pub $field: $type,
            )+
            $(
                #[doc = $group_doc]
                pub $group: Option<$group_type>,
            )?
        }

        impl Default for $struct {
            fn default() -> Self {
                Self {
                    $($field: $default,)+
                    $($group: None::<$group_type>,)?
                }
            }
        }

        impl $struct {
            /// The name in errors.
            pub(crate) const OWNER: &'static str = $owner;

            /// Its parameters: names, descriptions, bounds, units and defaults.
            pub const PARAMETERS: &'static [$crate::parameter::Parameter] = {
                use $crate::parameter::*;
                const OWN: &[Parameter] = &[$(Parameter {
                    name: concat!($prefix, stringify!($field)),
                    alias: declare::first(&[$($alias)?]),
                    kind: <$type as ParameterType>::KIND,
                    bounds: Bounds::first(&[
                        $(Bounds::From($least as f64, $most as f64))?
                        $(Bounds::Above($below as f64, $top as f64))?
                        $(Bounds::ZeroOrFrom($small as f64, $large as f64))?
                        $(Bounds::Described($words))?
                    ]),
                    unit: declare::first(&[$($unit)?]),
                    slider: declare::first_slider(&[$(Slider {
                        least: $left as f64,
                        most: $right as f64,
                        logarithmic: !stringify!($($log)?).is_empty(),
                    })?]),
                    docs: &[$($doc),+],
                    default: || <$type as ParameterType>::to_value(&$default),
                }),+];
                const LENGTH: usize = OWN.len() $(+ <$group_type>::PARAMETERS.len())?;
                &join::<LENGTH>(&[OWN, $(<$group_type>::PARAMETERS)?])
            };
        }

        impl $crate::parameter::Parameters for $struct {
            fn owner(&self) -> &'static str {
                Self::OWNER
            }

            fn parameters(&self) -> &'static [$crate::parameter::Parameter] {
                Self::PARAMETERS
            }

            fn get(&self, name: &str) -> Option<$crate::parameter::Value> {
                use $crate::parameter::ParameterType;
                $(if name == concat!($prefix, stringify!($field)) {
                    return Some(self.$field.to_value());
                })+
                None $(.or($crate::parameter::declare::get_in(self.$group.as_ref(), name)))?
            }

            fn put(&mut self, name: &str, value: &$crate::parameter::Value) -> bool {
                use $crate::parameter::ParameterType;
                $(if name == concat!($prefix, stringify!($field)) {
                    let value = <$type>::from_value(value);
                    return value.map(|value| self.$field = value).is_some();
                })+
                false $(|| $crate::parameter::declare::put_in(&mut self.$group, name, value))?
            }
        }
    };
}
pub(crate) use parameters;

use super::{Described, Parameter, Parameters, Slider, Value};

/// The only text, if there is one.
pub(crate) const fn first(all: &[&'static str]) -> Option<&'static str> {
    match all {
        [first, ..] => Some(*first),
        [] => None,
    }
}

/// The only slider, if there is one.
pub(crate) const fn first_slider(all: &[Slider]) -> Option<Slider> {
    match all {
        [first, ..] => Some(*first),
        [] => None,
    }
}

/// The only table, or an empty one.
pub(crate) const fn first_table(all: &[&'static [Parameter]]) -> &'static [Parameter] {
    match all {
        [first, ..] => first,
        [] => &[],
    }
}

/// The names of all variants.
pub(crate) const fn names<const COUNT: usize>(all: &[Described]) -> [&'static str; COUNT] {
    let mut names = [""; COUNT];
    let mut index = 0;
    while index < COUNT {
        names[index] = all[index].name;
        index += 1;
    }
    names
}

/// The value of a parameter of a group: [`Value::None`] if the group is `None`.
pub(crate) fn get_in<G: Parameters + Default>(group: Option<&G>, name: &str) -> Option<Value> {
    match group {
        Some(group) => group.get(name),
        None => G::default().get(name).map(|_| Value::None),
    }
}

/// Sets a parameter of a group. This creates the group if it is `None`; [`Value::None`] removes the group.
pub(crate) fn put_in<G>(group: &mut Option<G>, name: &str, value: &Value) -> bool
where
    G: Parameters + Default + Clone,
{
    let mut changed = group.clone().unwrap_or_default();
    if *value == Value::None && changed.get(name).is_some() {
        *group = None;
        return true;
    }
    let fits = changed.put(name, value);
    if fits {
        *group = Some(changed);
    }
    fits
}
