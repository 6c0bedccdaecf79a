//! Lists of generators and filters with their parameters, for `--help`: as the library says them.

use lanternfell_heightmap::{Filter, Generator, Parameter, parameter::Described};

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
fn written(name: &str) -> String {
    let filter = Filter::from_name(name).unwrap_or(Filter::Normalize);
    let text = ron::to_string(&filter).unwrap_or_default();
    text.split('(').next().unwrap_or_default().to_owned()
}

fn entry(title: &str, described: &Described) -> String {
    let about = described.about();
    match described.parameters {
        // A value without a name of its own.
        [only] if only.about() == about => {
            lines(2, title, COLUMN, &format!("{about}: {}", only.details()))
        }
        parameters => {
            let mut text = lines(2, title, COLUMN, &about);
            parameters
                .iter()
                .for_each(|parameter| text.push_str(&line(parameter)));
            text
        }
    }
}

fn line(parameter: &Parameter) -> String {
    let words = format!("{}; {}", parameter.about(), parameter.details());
    lines(4, parameter.name, COLUMN, &words)
}

/// The words behind the title, in lines no wider than the list, all from one column on.
fn lines(indent: usize, title: &str, column: usize, words: &str) -> String {
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
