//! `help NAME`, and the help of what a command line names.

use super::Folder;

#[track_caller]
fn told(words: &str, parts: &[&str]) -> String {
    let said = Folder::new().succeed(words);
    let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in parts {
        assert!(flat.contains(part), "{words}: `{part}` is not in: {said}");
    }
    said
}

#[test]
fn a_parameter_is_told_wherever_it_occurs() {
    told(
        "help lacunarity",
        &[
            "lacunarity, of the generator islands: generate islands --set lacunarity=VALUE",
            "lacunarity, of the generator ridged",
            "from 1 to 16, default 3",
        ],
    );
    told(
        "help angle",
        &[
            "filter MAP --by 'ThermalErosion((angle: VALUE))'",
            "degrees",
        ],
    );
    told(
        "help gamma",
        &["filter MAP --by 'Gamma(VALUE)'", "from 1 to 16, default 2"],
    );
    // What can be chosen is told, too.
    told(
        "help profile",
        &[
            "step",
            "linear",
            "cosine",
            "How the ground rises across a line",
        ],
    );
    told(
        "help billowed",
        &["a value of variant of the generator islands"],
    );
}

#[test]
fn things_are_found_however_their_names_are_written() {
    let parts = ["hydraulic-erosion, a filter", "HydraulicErosion", "default"];
    let first = told("help HydraulicErosion", &parts);
    assert!(
        first.lines().all(|line| line.chars().count() <= 100),
        "{first}"
    );
    for name in ["hydraulic-erosion", "hydraulic_erosion", "droplets"] {
        assert!(
            told(&format!("help {name}"), &parts).starts_with(&first),
            "{name}"
        );
    }
    told(
        "help hills",
        &["hills, a generator", "count", "radius_max", "cells"],
    );
    told("help smooth-max", &["smooth-max, a blend", "width"]);
    told(
        "help slope",
        &["slope, a selection", "slope, a value of measure --what"],
    );
    told("help volcano", &["volcano, a preset"]);
    let option = told("help sea-level", &["--sea-level, of render"]);
    assert_eq!(told("help --sea-level", &[]), option);
    assert_eq!(told("help sea_level", &["--sea-level"]), option);
    told("help json", &["--json, of info", "recipe presets"]);
}

#[test]
fn what_belongs_to_something_is_told_alone() {
    let all = told(
        "help scale",
        &["of the generator islands", "of the generator ridged"],
    );
    let one = told("help ridged scale", &["of the generator ridged"]);
    assert!(!one.contains("islands") && all.contains(&one), "{one}");
}

#[test]
fn commands_have_their_help_as_before() {
    let folder = Folder::new();
    for command in ["generate", "render", "recipe", "recipe presets", "help"] {
        let asked = told(&format!("help {command}"), &["Usage: lanternfell"]);
        assert_eq!(asked, folder.succeed(&format!("{command} --help")));
    }
    // Behind the command's, whatever else has its name.
    let asked = told("help filter", &["Usage: lanternfell filter"]);
    assert!(asked.starts_with(&folder.succeed("filter --help")));
    assert_eq!(told("help", &["Commands:"]), folder.succeed("--help"));
    assert_eq!(
        told("recipe help check", &[]),
        folder.succeed("recipe check --help")
    );
    assert_eq!(told("recipe help", &[]), folder.succeed("recipe --help"));
}

#[test]
fn misspelt_names_are_guessed() {
    let folder = Folder::new();
    for (wrong, guess) in [
        ("lacunrity", "did you mean `lacunarity`?"),
        ("HydraulicErosoin", "`HydraulicErosion`"),
        ("volcno", "`volcano`"),
        ("rendr", "`render`"),
        ("xyzzyxyzzy", "lanternfell --help"),
        ("hills lacunarity", "nothing is called `hills lacunarity`"),
    ] {
        folder.refuse(&format!("help {wrong}"), &["nothing is called", guess]);
    }
}

#[test]
fn the_help_of_a_generator_is_that_generator_s() {
    for help in ["--help", "-h"] {
        let hills = told(
            &format!("generate hills {help}"),
            &[
                "count How many hills; from 1 to 1000000, default 200",
                "from 0 to 8192 cells",
            ],
        );
        assert!(!hills.contains("lacunarity"), "{hills}");
        told(
            &format!("filter a.png --by Terrace {help}"),
            &["Terrace A staircase", "levels", "default"],
        );
    }
    let volcano = told(
        "generate volcano --help",
        &["Parameters (--set NAME=VALUE;"],
    );
    assert!(volcano.contains('.'), "{volcano}");
    told(
        "erode --help",
        &[
            "HydraulicErosion",
            "GlacialErosion",
            "equilibrium_line",
            "WindErosion",
        ],
    );
}

/// What the help of a preset names can be set.
#[test]
fn what_is_told_of_presets_can_be_set() {
    let folder = Folder::new();
    for preset in ["volcano", "alpine", "canyons"] {
        let help = folder.succeed(&format!("help {preset}"));
        let words = help.split([' ', ',', '\n']);
        let names: Vec<&str> = words
            .filter(|word| word.contains('.') && !word.ends_with('.'))
            .collect();
        let is_name = |name: &&&str| {
            name.chars()
                .all(|letter| letter.is_alphanumeric() || "._-".contains(letter))
                && name.chars().any(char::is_alphabetic)
        };
        let names: Vec<&&str> = names.iter().filter(is_name).collect();
        assert!(names.len() > 3, "{help}");
        for name in names {
            let output = folder
                .command(&format!("recipe show {preset}"))
                .output()
                .unwrap();
            assert!(output.status.success());
            let output = folder.command(&format!(
                "generate {preset} --size 64 --set {name}=no-value -o a.ron"
            ));
            let output = { output }.output().unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(said.contains("is `no-value`"), "{name}: {said}");
        }
    }
}
