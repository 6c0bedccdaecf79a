//! Lists of generators and filters with their parameters, for help: as the library says them.

use lanternfell_heightmap::{
    Filter, Generator, Operation, Parameter, Parameters, Recipe,
    parameter::{Described, Kind},
};

/// The width of the lists.
const WIDTH: usize = 96;

/// Where what is said about a parameter begins.
const COLUMN: usize = 24;

/// Every generator and its parameters.
pub(crate) fn of_generators() -> String {
    let list = Generator::DESCRIBED.iter();
    let list: Vec<String> = list
        .map(|generator| entry(generator.name, generator))
        .collect();
    list.concat()
}

/// One of them and its parameters, with each value that can be chosen.
pub(crate) fn of(title: &str, described: &Described) -> String {
    let about = described.about();
    let mut text = match described.parameters {
        [only] if only.about() == about => of_value(title, &about, only),
        parameters => {
            let parameters = parameters.iter().map(line_with_choices);
            lines(2, title, COLUMN, &about) + &parameters.collect::<String>()
        }
    };
    if described.parameters.is_empty() {
        text += "    (no parameters)\n";
    }
    text
}

/// The erosions as filters.
pub(crate) fn of_erosions() -> String {
    let erosions = Filter::DESCRIBED
        .iter()
        .filter(|filter| filter.name.ends_with("-erosion"));
    erosions
        .map(|filter| entry(&written(filter.name), filter))
        .collect()
}

/// What can be set in each step of a recipe, and then what its generators' parameters are.
pub(crate) fn of_recipe(recipe: &Recipe) -> String {
    let settable = recipe.steps.iter().filter_map(|step| {
        let names = settable(&step.operation)?;
        let names: Vec<String> = names
            .iter()
            .map(|name| format!("{}.{name}", step.name))
            .collect();
        Some(lines(2, &step.name, 13, &names.join(", ")))
    });
    let mut text = settable.collect::<String>();
    for generator in Generator::DESCRIBED {
        let is_used = |operation: &Operation| matches!(operation, Operation::Generate { by, .. } if by.name() == generator.name);
        if recipe.steps.iter().any(|step| is_used(&step.operation)) {
            text += &format!("\n{}", entry(generator.name, generator));
        }
    }
    text
}

/// The names that `--set STEP.NAME=VALUE` knows in a step.
fn settable(operation: &Operation) -> Option<Vec<String>> {
    let names = |parameters: &[Parameter], before: &str| {
        let names = parameters
            .iter()
            .map(|parameter| format!("{before}{}", parameter.name));
        names.collect::<Vec<_>>()
    };
    let names = match operation {
        Operation::Generate { by, .. } => names(by.parameters(), ""),
        Operation::Filter { by, .. } if by.len() == 1 => names(by[0].parameters(), ""),
        Operation::Filter { by, .. } => {
            let of_each = by
                .iter()
                .map(|filter| names(filter.parameters(), &format!("{}.", filter.name())));
            of_each.collect::<Vec<_>>().concat()
        }
        Operation::Blend { how, .. } => {
            [vec!["weight".to_owned()], names(how.parameters(), "")].concat()
        }
        Operation::Select { by, .. } => names(by.parameters(), ""),
        Operation::Flat { .. } => vec!["height".to_owned()],
        Operation::Image { .. } => Vec::new(),
    };
    (!names.is_empty()).then_some(names)
}

/// Every filter as it is written, and its parameters.
pub(crate) fn of_filters() -> String {
    let list = Filter::DESCRIBED.iter();
    let list: Vec<String> = list
        .map(|filter| entry(&written(filter.name), filter))
        .collect();
    list.concat()
}

/// The names of all parameters of every generator, a line each.
pub(crate) fn names_of_generators() -> String {
    let list = Generator::DESCRIBED.iter().map(|generator| {
        let names = generator.parameters.iter().map(|parameter| parameter.name);
        let names: Vec<&str> = names.collect();
        lines(2, generator.name, 13, &names.join(", "))
    });
    list.collect::<Vec<_>>().concat()
}

/// How a filter is called in recipes: its name as RON, without what is in parentheses.
pub(crate) fn written(name: &str) -> String {
    let filter = Filter::from_name(name).unwrap_or(Filter::Normalize);
    let text = ron::to_string(&filter).unwrap_or_default();
    text.split('(').next().unwrap_or_default().to_owned()
}

fn entry(title: &str, described: &Described) -> String {
    let about = described.about();
    match described.parameters {
        // A value without a name of its own.
        [only] if only.about() == about => of_value(title, &about, only),
        parameters => {
            let mut text = lines(2, title, COLUMN, &about);
            parameters
                .iter()
                .for_each(|parameter| text.push_str(&line(parameter)));
            text
        }
    }
}

fn of_value(title: &str, about: &str, value: &Parameter) -> String {
    lines(2, title, COLUMN, &format!("{about}: {}", value.details()))
}

/// What a parameter can be chosen from, a line each.
fn choices(parameter: &Parameter) -> String {
    let Kind::Choice(_) = parameter.kind.innermost() else {
        return String::new();
    };
    let choices = parameter.kind.innermost().choices();
    choices
        .map(|choice| lines(6, choice.name, COLUMN, &choice.about()))
        .collect()
}

/// A parameter by its name: what it is, its bounds and unit, its default, and its choices.
pub(crate) fn line_with_choices(parameter: &Parameter) -> String {
    line(parameter) + &choices(parameter)
}

fn line(parameter: &Parameter) -> String {
    let words = format!("{}; {}", parameter.about(), parameter.details());
    lines(4, parameter.name, COLUMN, &words)
}

/// The words behind the title, in lines no wider than the list, all from one column on.
pub(crate) fn lines(indent: usize, title: &str, column: usize, words: &str) -> String {
    let mut text = format!("{:indent$}{title} ", "");
    let mut length = text.len();
    let mut is_first = true;
    for word in words.split(' ') {
        if !is_first && length + 1 + word.chars().count() > WIDTH {
            text.push('\n');
            length = 0;
        }
        let gap = if length < column {
            column - length
        } else {
            usize::from(!is_first)
        };
        text.push_str(&" ".repeat(gap));
        text.push_str(word);
        length += gap + word.chars().count();
        is_first = false;
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_name_everything_once_and_stay_narrow() {
        let (generators, filters) = (of_generators(), of_filters());
        for text in [&generators, &filters] {
            assert!(
                text.lines().all(|line| line.chars().count() <= WIDTH),
                "{text}"
            );
        }
        for generator in Generator::DESCRIBED {
            assert!(
                generators.contains(&format!("\n  {} ", generator.name))
                    || generators.starts_with(&format!("  {} ", generator.name))
            );
            for Parameter { name, .. } in generator.parameters {
                assert!(generators.contains(&format!("\n    {name} ")), "{name}");
            }
        }
        for name in Filter::NAMES {
            let title = format!("  {} ", written(name));
            assert!(
                filters.lines().any(|line| line.starts_with(&title)),
                "{name}"
            );
        }
    }

    #[test]
    fn a_parameter_is_told_whole() {
        let text = of_generators();
        let line = format!(
            "{:COLUMN$}How many hills; from 1 to 1000000, default 200\n",
            "    count"
        );
        assert!(text.contains(&line), "{text}");
    }
}
