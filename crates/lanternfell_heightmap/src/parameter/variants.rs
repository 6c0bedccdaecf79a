//! The macro that declares an enum whose variants have parameters.
//!
//! A variant has a name and, optionally, another spelling that is accepted (`| "spelling"`). It has no parameters, or
//! those of a struct (in parentheses), or a single value (in brackets, written like a field of
//! [`parameters!`](super::parameters)).

/// Declares an enum with the syntax that the [module](self) describes.
///
/// ```text
/// variants! {
///     /// One step from a map to a changed map.
///     pub enum Filter: "filter" {
///         /// Stretches the heights to fill 0 to 1.
///         Normalize = "normalize";
///         /// Steps of level terrain.
///         Terrace(Terrace) = "terrace";
///         /// Raises each height to this power.
///         Gamma[gamma: f64 = 2.0, in 1.0..=16.0] = "gamma" | "flatten";
///     }
/// }
/// ```
macro_rules! variants {
    (
        $(#[$meta:meta])*
        pub enum $enum:ident: $owner:literal {
            $(
                $(#[doc = $doc:literal])+
                $variant:ident
                    $(($payload:ident))?
                    $([
                        $parameter:ident: $type:ty = $default:expr
                            $(, in $least:literal..=$most:literal)?
                            $(, above $below:literal..=$top:literal)?
                            $(, limit $words:literal)?
                            $(, unit $unit:literal)?
                            $(, slider $left:literal..=$right:literal)?
                    ])?
                    = $name:literal $(| $alias:literal)?;
            )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        pub enum $enum {
            $(
                $(#[doc = $doc])+
                $(#[doc = concat!(
                    " By default `", stringify!($default), "`"
                    $(, "; from ", stringify!($least), " to ", stringify!($most))?
                    $(, "; above ", stringify!($below), " and at most ", stringify!($top))?
                    $(, "; ", $words)?
                    $(, " ", $unit)?,
                    "."
                )])?
                $variant $(($payload))? $(($type))?,
            )+
        }

        impl $enum {
            /// All variants: their names, descriptions and parameters.
            pub const DESCRIBED: &'static [$crate::parameter::Described] = {
                use $crate::parameter::*;
                const ALL: &[Described] = &[$({
                    const DOCS: &[&str] = &[$($doc),+];
                    const ALIAS: Option<&str> = declare::first(&[$($alias)?]);
                    Described {
                        name: $name,
                        alias: ALIAS,
                        docs: DOCS,
                        parameters: declare::first_table(&[
                            $(<$payload>::PARAMETERS)?
                            $(&[Parameter {
                                name: stringify!($parameter),
                                alias: ALIAS,
                                kind: <$type as ParameterType>::KIND,
                                bounds: Bounds::first(&[
                                    $(Bounds::From($least as f64, $most as f64))?
                                    $(Bounds::Above($below as f64, $top as f64))?
                                    $(Bounds::Described($words))?
                                ]),
                                unit: declare::first(&[$($unit)?]),
                                slider: declare::first_slider(&[$(Slider {
                                    least: $left as f64,
                                    most: $right as f64,
                                    logarithmic: false,
                                })?]),
                                docs: DOCS,
                                default: || <$type as ParameterType>::to_value(&$default),
                            }])?
                        ]),
                    }
                }),+];
                ALL
            };

            /// The names, in the order of the enum.
            pub const NAMES: [&'static str; Self::DESCRIBED.len()] =
                $crate::parameter::declare::names(Self::DESCRIBED);

            /// The variant called `name`, with default parameters.
            pub fn from_name(name: &str) -> Option<Self> {
                $(if name == $name $(|| name == $alias)? {
                    return Some(Self::$variant $((<$payload>::default()))? $(($default))?);
                })+
                None
            }

            /// The name, one of [`NAMES`](Self::NAMES).
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $name,)+
                }
            }
        }

        impl $crate::parameter::Parameters for $enum {
            fn owner(&self) -> &'static str {
                $($(if let Self::$variant(payload) = self {
                    let payload: &$payload = payload;
                    return payload.owner();
                })?)+
                $owner
            }

            fn parameters(&self) -> &'static [$crate::parameter::Parameter] {
                $($(if let Self::$variant(payload) = self {
                    let payload: &$payload = payload;
                    return payload.parameters();
                })?)+
                let mut described = Self::DESCRIBED.iter();
                let own = described.find(|described| described.name == self.name());
                own.map_or(&[], |own| own.parameters)
            }

            fn get(&self, name: &str) -> Option<$crate::parameter::Value> {
                $(
                    $(if let Self::$variant(payload) = self {
                        let payload: &$payload = payload;
                        return payload.get(name);
                    })?
                    $(if let Self::$variant(value) = self {
                        let value: &$type = value;
                        let value = $crate::parameter::ParameterType::to_value(value);
                        return (name == stringify!($parameter)).then_some(value);
                    })?
                )+
                None
            }

            fn put(&mut self, name: &str, value: &$crate::parameter::Value) -> bool {
                $(
                    $(if let Self::$variant(payload) = self {
                        let payload: &mut $payload = payload;
                        return payload.put(name, value);
                    })?
                    $(if let Self::$variant(own) = self {
                        let value = <$type as $crate::parameter::ParameterType>::from_value(value);
                        let value = value.filter(|_| name == stringify!($parameter));
                        return value.map(|value| *own = value).is_some();
                    })?
                )+
                false
            }
        }
    };
}
pub(crate) use variants;
