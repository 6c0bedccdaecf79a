//! `lanternfell completions`: prints a completion script for a shell.
//!
//! clap writes the script for commands and options. In most shells it completes no positional arguments, and in zsh
//! only either files or names. This module therefore adds the names of presets and generators, in addition to files,
//! and the names of filters, parameters and options after `help`.

use clap::{Args, Command};
use clap_complete::Shell;
use lanternfell_heightmap::{Generator, Preset};

use crate::{failure::Failure, help, job::print};

/// `lanternfell completions`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  lanternfell completions bash > ~/.local/share/bash-completion/completions/lanternfell
  lanternfell completions fish > ~/.config/fish/completions/lanternfell.fish")]
pub(crate) struct Completions {
    /// Shell for which to print the script
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the completion script of `program` to standard output.
pub(crate) fn run(command: &Completions, program: &mut Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(command.shell, program, "lanternfell", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let names = Names::of(program);
    print(match command.shell {
        Shell::Bash => names.in_bash(&script),
        Shell::Zsh => names.in_zsh(&script),
        Shell::Fish => names.in_fish(&script),
        Shell::Elvish => names.in_elvish(&script),
        Shell::PowerShell => names.in_powershell(&script),
        _ => script,
    })
}

/// The names that positional arguments can have.
struct Names {
    /// The commands that take a map or a recipe.
    commands: Vec<String>,
    /// The commands below others that do, with the name of the other.
    nested: Vec<(&'static str, Vec<String>)>,
    /// Presets and generators with descriptions.
    maps: Vec<(&'static str, String)>,
    /// The names that `help` knows.
    topics: Vec<String>,
}

impl Names {
    fn of(program: &Command) -> Self {
        let presets = Preset::ALL
            .iter()
            .map(|preset| (preset.name, preset.about()));
        let nested = |parent| {
            program
                .find_subcommand(parent)
                .map_or(Vec::new(), taking_maps)
        };
        let generators = Generator::DESCRIBED.iter();
        let generators = generators.map(|generator| (generator.name, generator.about()));
        Self {
            commands: taking_maps(program),
            nested: ["recipe", "edit"]
                .map(|parent| (parent, nested(parent)))
                .into(),
            maps: presets.chain(generators).collect(),
            topics: help::topics(program),
        }
    }

    fn maps(&self) -> String {
        let names: Vec<&str> = self.maps.iter().map(|(name, _)| *name).collect();
        names.join(" ")
    }

    /// Bash: after clap's function, adds names and files where no option or value of an option is being typed.
    fn in_bash(&self, script: &str) -> String {
        let below = |parent: &str, commands: &[String]| {
            let paths = commands.iter().map(|command| format!("{parent}/{command}"));
            paths.collect::<Vec<_>>().join("|")
        };
        let commands = below("", &self.commands);
        let nested = self.nested.iter().map(|(parent, commands)| {
            let commands = below(parent, commands);
            format!(
                "            /{parent}) command={parent} ;;\n            {commands}) command=map; break ;;\n"
            )
        });
        let nested: String = nested.collect();
        let (maps, topics) = (self.maps(), self.topics.join(" "));
        let function = format!(
            r#"_lanternfell_names() {{
    _lanternfell "$@"
    local cur="${{COMP_WORDS[COMP_CWORD]}}" prev="${{COMP_WORDS[COMP_CWORD-1]}}" word command="" names=""
    [[ $cur == -* || ( $prev == -* && $prev != - && $prev != -q && $prev != --quiet ) ]] && return 0
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case "$command/$word" in
            {commands}) command=map; break ;;
{nested}            /help) command=help; break ;;
        esac
    done
    case "$command" in
        map) names="{maps}" ;;
        help) names="{topics}" ;;
        *) return 0 ;;
    esac
    COMPREPLY=( $(compgen -W "$names" -- "$cur") )
    if [[ $command == map ]]; then
        compopt -o filenames 2>/dev/null
        COMPREPLY+=( $(compgen -f -- "$cur") )
    fi
}}

"#
        );
        let (before, registered) = split_at_last(script, "if [[ \"${BASH_VERSINFO[0]}\" -eq 4");
        let registered = registered.replace("-F _lanternfell ", "-F _lanternfell_names ");
        format!("{before}{function}{registered}")
    }

    /// zsh: sets an action for these arguments.
    fn in_zsh(&self, script: &str) -> String {
        let described = self.maps.iter().map(|(name, about)| {
            let about = about.replace('\'', "").replace(':', "\\:");
            format!("        '{name}:{about}'\n")
        });
        let functions = format!(
            r#"_lanternfell_maps() {{
    local -a names=(
{}    )
    _alternative 'files:file:_files'
    _describe -t names 'preset or generator' names
}}

_lanternfell_topics() {{
    local -a topics=({})
    _describe -t topics 'name' topics
}}

"#,
            described.collect::<String>(),
            self.topics.join(" ")
        );
        let line = |line: &str| {
            let is = |name: &str| {
                line.starts_with(&format!("':{name} -- "))
                    || line.starts_with(&format!("'*::{name} -- "))
            };
            if is("source") || is("more") {
                line.replace(":_default' \\", ":_lanternfell_maps' \\")
            } else if is("names") {
                line.replace(":_default' \\", ":_lanternfell_topics' \\")
            } else {
                line.to_owned()
            }
        };
        let lines: Vec<String> = script.lines().map(line).collect();
        let script = lines.join("\n") + "\n";
        let (before, registered) =
            split_at_last(&script, "if [ \"$funcstack[1]\" = \"_lanternfell\" ]");
        format!("{before}{functions}{registered}")
    }

    /// fish: completes files by default, so only names are added.
    fn in_fish(&self, script: &str) -> String {
        let using = "__fish_lanternfell_using_subcommand";
        let mut places = vec![format!("{using} {}", self.commands.join(" "))];
        places.extend(self.nested.iter().map(|(parent, commands)| {
            let commands = commands.join(" ");
            format!("{using} {parent}; and __fish_seen_subcommand_from {commands}")
        }));
        let mut script = script.to_owned();
        for place in &places {
            for (name, about) in &self.maps {
                let about = about.replace('\\', "\\\\").replace('\'', "\\'");
                script +=
                    &format!("complete -c lanternfell -n \"{place}\" -a \"{name}\" -d '{about}'\n");
            }
        }
        let topics = self.topics.join(" ");
        script + &format!("complete -c lanternfell -n \"{using} help\" -f -a \"{topics}\"\n")
    }

    /// Adds a line for each name after the head of each command's list.
    fn in_lists(
        &self,
        script: &str,
        head: impl Fn(&str) -> String,
        line: impl Fn(&str, &str) -> String,
    ) -> String {
        let maps: String = self
            .maps
            .iter()
            .map(|(name, about)| line(name, &about.replace('\'', "''")))
            .collect();
        let mut script = script.to_owned();
        let nested = self.nested.iter().flat_map(|(parent, commands)| {
            let path = move |command| format!("{parent};{command}");
            commands.iter().map(path)
        });
        for command in self.commands.iter().cloned().chain(nested) {
            let head = head(&command);
            script = script.replacen(&head, &format!("{head}{maps}"), 1);
        }
        let topics: String = self.topics.iter().map(|name| line(name, name)).collect();
        script.replacen(&head("help"), &format!("{}{topics}", head("help")), 1)
    }

    fn in_elvish(&self, script: &str) -> String {
        let head = |command: &str| format!("&'lanternfell;{command}'= {{");
        self.in_lists(script, head, |name, about| {
            format!("\n            cand {name} '{about}'")
        })
    }

    fn in_powershell(&self, script: &str) -> String {
        let head = |command: &str| format!("'lanternfell;{command}' {{");
        self.in_lists(script, head, |name, about| {
            format!("\n            [CompletionResult]::new('{name}', '{name}', [CompletionResultType]::ParameterValue, '{about}')")
        })
    }
}

/// Returns the names of the subcommands that take a map or a recipe.
fn taking_maps(program: &Command) -> Vec<String> {
    let takes_map = |command: &&Command| {
        let mut positionals = command.get_positionals();
        positionals.any(|argument| argument.get_id() == "source")
    };
    let commands = program.get_subcommands().filter(takes_map);
    commands
        .map(|command| command.get_name().to_owned())
        .collect()
}

/// Splits a script at the last occurrence of these words, or at its end if they do not occur.
fn split_at_last<'a>(script: &'a str, words: &str) -> (&'a str, &'a str) {
    script.split_at(script.rfind(words).unwrap_or(script.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;

    fn names() -> Names {
        Names::of(&Cli::command())
    }

    #[test]
    fn completes_maps_for_commands_that_take_maps() {
        let names = names();
        for command in [
            "generate", "render", "filter", "erode", "measure", "mesh", "info", "convert",
            "preview",
        ] {
            assert!(
                names.commands.iter().any(|known| known == command),
                "{command}"
            );
        }
        assert!(names.maps().contains("volcano") && names.maps().contains("ridged"));
        assert!(names.topics.iter().any(|topic| topic == "lacunarity"));
    }

    #[test]
    fn every_script_contains_the_names() {
        for shell in [
            Shell::Bash,
            Shell::Zsh,
            Shell::Fish,
            Shell::Elvish,
            Shell::PowerShell,
        ] {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "lanternfell", &mut script);
            let plain = String::from_utf8(script).unwrap();
            let names = names();
            let lists = names.commands.len();
            let (script, times) = match shell {
                Shell::Bash => (names.in_bash(&plain), 1),
                Shell::Zsh => (names.in_zsh(&plain), 1),
                Shell::Fish => (names.in_fish(&plain), 1),
                Shell::Elvish => (names.in_elvish(&plain), lists),
                _ => (names.in_powershell(&plain), lists),
            };
            assert!(!plain.contains("rolling-hills"), "{shell}");
            assert!(script.matches("rolling-hills").count() >= times, "{shell}");
            assert!(script.contains("lacunarity"), "{shell}");
        }
    }
}
