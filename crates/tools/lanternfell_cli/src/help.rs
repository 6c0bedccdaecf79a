//! `lanternfell help`: explains a name in every context in which it occurs.
//!
//! A name may be that of a command, a generator, a parameter of several of them, or an option. The help lists all
//! meanings, from the declarations. The help of `generate hills --help` is also made here, and only describes hills.

mod places;
mod similar;

use std::ffi::OsString;

use clap::{Args, Command};
use lanternfell_heightmap::{Filter, Generator, Preset};

use crate::{failure::Failure, generate, job::print, parameters};
use places::Place;

/// `lanternfell help`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  lanternfell help generate
  lanternfell help roughness
  lanternfell help HydraulicErosion
  lanternfell help hills count")]
pub(crate) struct Help {
    /// A command, generator, filter, preset, parameter or option; a parameter may be preceded by its owner
    #[arg(value_name = "NAME", allow_hyphen_values = true)]
    names: Vec<String>,
}

impl Help {
    /// Creates the arguments for a command below another one, or for that one itself.
    pub(crate) fn below(parent: &str, command: Option<&str>) -> Self {
        let names = [parent].into_iter().chain(command);
        Self {
            names: names.map(str::to_owned).collect(),
        }
    }
}

pub(crate) fn run(command: &Help, program: &mut Command) -> Result<(), Failure> {
    program.build();
    // An option may be given as it is typed, so this command accepts words with hyphens. `--help` after a name is then
    // such a word.
    let names = command.names.iter().map(String::as_str);
    let names: Vec<&str> = names
        .filter(|name| !["-h", "--help"].contains(name))
        .collect();
    let mut sections = Vec::new();
    sections.extend(of_command(program, &names));
    let all = places::all(program);
    let meant = |place: &&Place| match names.as_slice() {
        [name] => place.is_called(name),
        [owner, name] => place.is_called(name) && place.belongs_to(owner),
        _ => false,
    };
    sections.extend(all.iter().filter(meant).map(|place| place.text.clone()));
    if sections.is_empty() {
        return Err(unknown(&names, &all, program));
    }
    print(sections.join("\n"))
}

/// Returns all names that have a description, for completions.
pub(crate) fn topics(program: &Command) -> Vec<String> {
    let mut program = program.clone();
    program.build();
    let all = places::all(&program);
    let places = all.iter().flat_map(Place::names);
    let commands = program.get_subcommands().map(Command::get_name);
    let mut names: Vec<String> = commands.chain(places).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

/// Returns the output of `--help` for a command, given by one word per level. No words mean the program itself.
fn of_command(program: &Command, names: &[&str]) -> Option<String> {
    names
        .iter()
        .try_fold(program, |command, name| command.find_subcommand(name))?;
    let words = ["lanternfell"].iter().chain(names).chain(&["--help"]);
    let answer = program.clone().try_get_matches_from(words);
    answer.err().map(|help| help.to_string())
}

fn unknown(names: &[&str], all: &[Place], program: &Command) -> Failure {
    let wrong = names.join(" ");
    let commands = program.get_subcommands().map(Command::get_name);
    let known = all.iter().flat_map(Place::names).chain(commands);
    let last = names.last().copied().unwrap_or_default();
    let meant = similar::similar(last.trim_start_matches('-'), known);
    let meant: Vec<String> = meant.iter().map(|name| format!("`{name}`")).collect();
    let hint = match meant.split_last() {
        None => "`lanternfell --help` lists the commands, and `lanternfell generate --help` the parameters"
            .to_owned(),
        Some((last, [])) => format!("did you mean {last}?"),
        Some((last, others)) => format!("did you mean {} or {last}?", others.join(", ")),
    };
    Failure::Usage(format!("unknown name `{wrong}`: {hint}"))
}

/// Returns the program with the help for what these words name: `generate hills --help` and `filter MAP --by terrace
/// --help` only describe this generator or filter.
pub(crate) fn tailored(program: Command, words: &[OsString]) -> Command {
    let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
    if !words.iter().any(|word| ["-h", "--help"].contains(word)) {
        return program;
    }
    let (command, list) = match words.get(1) {
        Some(&"generate") => ("generate", words.iter().find_map(|word| of_generator(word))),
        Some(&"filter") => ("filter", words.iter().find_map(|word| of_filter(word))),
        _ => return program,
    };
    let Some(list) = list else {
        return program;
    };
    program.mut_subcommand(command, |command| {
        command.after_help(list.clone()).after_long_help(list)
    })
}

fn of_generator(name: &str) -> Option<String> {
    if let Some(preset) = Preset::find(name) {
        let list = parameters::of_recipe(&preset.recipe());
        let title = "--set NAME=VALUE; a NAME without STEP belongs to the first generator";
        return Some(format!("Parameters ({title}):\n{list}{}", generate::SHARED));
    }
    let mut all = Generator::DESCRIBED.iter();
    let described =
        all.find(|generator| generator.name == name || generator.alias == Some(name))?;
    let list = parameters::of(described.name, described);
    Some(format!(
        "Parameters (--set NAME=VALUE):\n{list}{}",
        generate::SHARED
    ))
}

fn of_filter(text: &str) -> Option<String> {
    let name = text.split('(').next().unwrap_or_default();
    let filter = Filter::from_name(name).or_else(|| {
        let of = |described: &&lanternfell_heightmap::parameter::Described| {
            parameters::written(described.name) == name
        };
        let described = Filter::DESCRIBED.iter().find(of)?;
        Filter::from_name(described.name)
    })?;
    let described = Filter::DESCRIBED
        .iter()
        .find(|other| other.name == filter.name())?;
    Some(parameters::of(
        &parameters::written(described.name),
        described,
    ))
}
