//! All meanings of names: the library's declarations, and the program's options.

use std::collections::BTreeMap;

use clap::{Arg, Command};
use lanternfell_heightmap::{
    Blend, Filter, Generator, Parameter, Preset, Selection, parameter::Described,
};

use crate::parameters::{self, lines};

/// One meaning of a name.
pub(super) struct Place {
    /// Its names, the main one first.
    names: Vec<String>,
    /// All names of its owner, if it has one.
    owner: Vec<String>,
    /// Its description, in whole lines.
    pub(super) text: String,
}

impl Place {
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.names.iter().any(|known| is_same(known, name))
    }

    pub(super) fn belongs_to(&self, owner: &str) -> bool {
        self.owner.iter().any(|known| is_same(known, owner))
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}

/// Compares names, ignoring case, hyphens and underscores: `HydraulicErosion` and `hydraulic-erosion`, `--sea-level`
/// and `sea_level`.
fn is_same(a: &str, b: &str) -> bool {
    let letters = |name: &str| {
        let letters = name.chars().filter(|letter| !"-_ ".contains(*letter));
        letters.flat_map(char::to_lowercase).collect::<String>()
    };
    letters(a) == letters(b)
}

/// A list of things that have parameters.
struct List {
    /// The kind of thing, for instance `filter`.
    what: &'static str,
    described: &'static [Described],
    /// Returns how its name is written in recipes and commands.
    written: fn(&str) -> String,
    /// Returns the syntax that sets a parameter.
    set: fn(owner: &str, parameter: &str, is_value: bool) -> String,
}

const LISTS: [List; 4] = [
    List {
        what: "generator",
        described: Generator::DESCRIBED,
        written: str::to_owned,
        set: |owner, parameter, _| format!("generate {owner} --set {parameter}=VALUE"),
    },
    List {
        what: "filter",
        described: Filter::DESCRIBED,
        written: parameters::written,
        set: |owner, parameter, is_value| {
            if is_value {
                format!("filter MAP --by '{owner}(VALUE)'")
            } else {
                format!("filter MAP --by '{owner}(({parameter}: VALUE))'")
            }
        },
    },
    List {
        what: "blend",
        described: Blend::DESCRIBED,
        written: str::to_owned,
        set: |_, parameter, _| format!("--set STEP.{parameter}=VALUE"),
    },
    List {
        what: "selection",
        described: Selection::DESCRIBED,
        written: str::to_owned,
        set: |_, parameter, _| format!("--set STEP.{parameter}=VALUE"),
    },
];

/// Returns all meanings, in the order in which they are printed.
pub(super) fn all(program: &Command) -> Vec<Place> {
    let mut all = Vec::new();
    for list in &LISTS {
        all.extend(list.described.iter().map(|described| list.entry(described)));
    }
    all.extend(Preset::ALL.iter().map(preset));
    for list in &LISTS {
        for described in list.described {
            for parameter in described.parameters {
                all.push(list.parameter(described, parameter));
                all.extend(list.choices(described, parameter));
            }
        }
    }
    all.extend(options(program));
    all
}

impl List {
    fn names(&self, described: &Described) -> Vec<String> {
        let alias = described.alias.map(str::to_owned);
        let names = [
            Some(described.name.to_owned()),
            alias,
            Some((self.written)(described.name)),
        ];
        names.into_iter().flatten().collect()
    }

    fn entry(&self, described: &Described) -> Place {
        let title = (self.written)(described.name);
        let text = format!(
            "{}: a {}\n{}",
            described.name,
            self.what,
            parameters::of(&title, described)
        );
        Place {
            names: self.names(described),
            owner: Vec::new(),
            text,
        }
    }

    fn parameter(&self, described: &Described, parameter: &Parameter) -> Place {
        let Self { what, .. } = self;
        let owner = (self.written)(described.name);
        let is_value = described.parameters.len() == 1 && parameter.about() == described.about();
        let set = (self.set)(&owner, parameter.name, is_value);
        let text = format!(
            "{}: a parameter of the {what} {}\n    {set}\n{}",
            parameter.name,
            described.name,
            parameters::line_with_choices(parameter)
        );
        let alias = parameter.alias.map(str::to_owned);
        Place {
            names: [Some(parameter.name.to_owned()), alias]
                .into_iter()
                .flatten()
                .collect(),
            owner: self.names(described),
            text,
        }
    }

    fn choices<'a>(
        &'a self,
        described: &'a Described,
        parameter: &'a Parameter,
    ) -> impl Iterator<Item = Place> + 'a {
        parameter.kind.innermost().choices().map(move |choice| {
            let (name, what) = (choice.name, self.what);
            let title = format!(
                "{name}: a value of {} of the {what} {}",
                parameter.name, described.name
            );
            let alias = choice.alias.map(str::to_owned);
            Place {
                names: [Some(name.to_owned()), alias]
                    .into_iter()
                    .flatten()
                    .collect(),
                owner: [vec![parameter.name.to_owned()], self.names(described)].concat(),
                text: format!("{title}\n{}", paragraph(INDENT, &choice.about())),
            }
        })
    }
}

/// Wraps words to lines that start in the same column.
fn paragraph(column: usize, words: &str) -> String {
    lines(column - 1, "", column, words)
}

/// The indentation of descriptions of values and options.
const INDENT: usize = 4;

fn preset(preset: &Preset) -> Place {
    let name = preset.name;
    let about = paragraph(2, &preset.about());
    let steps = parameters::of_recipe(&preset.recipe());
    Place {
        names: vec![name.to_owned()],
        owner: Vec::new(),
        text: format!("{name}: a preset; change it with --set NAME=VALUE\n{about}{steps}"),
    }
}

/// Returns the options of all commands, and the values of options that have a fixed set. An option with the same
/// description in several commands appears once.
fn options(program: &Command) -> Vec<Place> {
    let mut commands: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    let mut values = Vec::new();
    for (name, command) in commands_of(program, "") {
        let options = command
            .get_arguments()
            .filter(|option| !option.is_hide_set());
        for option in options {
            let Some(long) = option.get_long().filter(|long| *long != "help") else {
                continue;
            };
            let key = (long.to_owned(), words(option));
            commands.entry(key).or_default().push(name.clone());
            values.extend(values_of(option, long, &name));
        }
    }
    let option = |((long, words), commands): ((String, String), Vec<String>)| {
        let title = lines(
            0,
            &format!("--{long}:"),
            INDENT,
            &format!("an option of {}", commands.join(", ")),
        );
        Place {
            text: title + &paragraph(INDENT, &words),
            names: vec![long],
            owner: commands,
        }
    };
    commands.into_iter().map(option).chain(values).collect()
}

/// Returns all commands below a command, with their full names.
fn commands_of<'a>(program: &'a Command, above: &str) -> Vec<(String, &'a Command)> {
    let below = program.get_subcommands().flat_map(|command| {
        let name = format!("{above}{}", command.get_name());
        let below = commands_of(command, &format!("{name} "));
        [vec![(name, command)], below].concat()
    });
    below
        .filter(|(_, command)| command.get_name() != "help")
        .collect()
}

fn values_of(option: &Arg, long: &str, command: &str) -> Vec<Place> {
    let values = option.get_possible_values().into_iter();
    let visible = values.filter(|value| !value.is_hide_set());
    let place = |value: clap::builder::PossibleValue| {
        let name = value.get_name().to_owned();
        let help = value.get_help()?.to_string();
        Some(Place {
            text: format!(
                "{name}: a value of {command} --{long}\n{}",
                paragraph(INDENT, &help)
            ),
            names: vec![name],
            owner: vec![command.to_owned(), long.to_owned()],
        })
    };
    visible.filter_map(place).collect()
}

/// Returns the help of an option in one line.
fn words(option: &Arg) -> String {
    let help = option.get_long_help().or(option.get_help());
    let text = help.map(ToString::to_string).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
