//! Lists of generators and filters with their parameters for the help, from the library's declarations.

use lanternfell_heightmap::{
    Filter, Generator, Operation, Parameter, Parameters, Recipe,
    parameter::{Described, Kind},
};

/// The width of the lists in characters.
const WIDTH: usize = 96;

/// The column in which descriptions start.
const COLUMN: usize = 24;

/// Lists every generator and its parameters.
pub(crate) fn of_generators() -> String {
    let list = Generator::DESCRIBED.iter();
    let list: Vec<String> = list
        .map(|generator| entry(generator.name, generator))
        .collect();
    list.concat()
}

/// Lists one item with its parameters and all values of choices.
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

/// Lists the erosion filters.
pub(crate) fn of_erosions() -> String {
    let erosions = Filter::DESCRIBED
        .iter()
        .filter(|filter| filter.name.ends_with("-erosion"));
    erosions
        .map(|filter| entry(&written(filter.name), filter))
        .collect()
}

/// Lists the parameters of each step of a recipe, followed by descriptions of its generators' parameters.
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

/// Returns the names that `--set STEP.NAME=VALUE` accepts for a step.
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

/// Lists every filter, as it is written in recipes, and its parameters.
pub(crate) fn of_filters() -> String {
    let list = Filter::DESCRIBED.iter();
    let list: Vec<String> = list
        .map(|filter| entry(&written(filter.name), filter))
        .collect();
    list.concat()
}

/// Lists the names of all parameters, one line per generator.
pub(crate) fn names_of_generators() -> String {
    let list = Generator::DESCRIBED.iter().map(|generator| {
        let names = generator.parameters.iter().map(|parameter| parameter.name);
        let names: Vec<&str> = names.collect();
        lines(2, generator.name, 16, &names.join(", "))
    });
    list.collect::<Vec<_>>().concat()
}

/// Returns the name of a filter as it is written in recipes: its name in RON, without the parentheses.
pub(crate) fn written(name: &str) -> String {
    let filter = Filter::from_name(name).unwrap_or(Filter::Normalize);
    let text = ron::to_string(&filter).unwrap_or_default();
    text.split('(').next().unwrap_or_default().to_owned()
}

fn entry(title: &str, described: &Described) -> String {
    let about = described.about();
    match described.parameters {
        // A single value that has no parameter name.
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

/// Lists the values of a choice, one line each.
fn choices(parameter: &Parameter) -> String {
    let Kind::Choice(_) = parameter.kind.innermost() else {
        return String::new();
    };
    let choices = parameter.kind.innermost().choices();
    choices
        .map(|choice| lines(6, choice.name, COLUMN, &choice.about()))
        .collect()
}

/// Describes a parameter: its meaning, range, unit, default, and choices.
pub(crate) fn line_with_choices(parameter: &Parameter) -> String {
    line(parameter) + &choices(parameter)
}

fn line(parameter: &Parameter) -> String {
    let words = format!("{}; {}", parameter.about(), parameter.details());
    lines(4, parameter.name, COLUMN, &words)
}

/// Returns a title and words, wrapped to the width of the list. All lines of words start in the same column.
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
    fn lists_contain_every_name_and_fit_width() {
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
    fn parameter_line_is_complete() {
        let text = of_generators();
        let line = format!(
            "{:COLUMN$}The number of hills; from 1 to 1000000, default 200\n",
            "    count"
        );
        assert!(text.contains(&line), "{text}");
    }
}
