//! `help NAME`, and the help of a generator or filter in a command line.

use super::Folder;

#[track_caller]
fn assert_help(words: &str, parts: &[&str]) -> String {
    let said = Folder::new().succeed(words);
    let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in parts {
        assert!(flat.contains(part), "{words}: `{part}` is not in: {said}");
    }
    said
}

#[test]
fn explains_parameters_everywhere() {
    assert_help(
        "help lacunarity",
        &[
            "lacunarity: a parameter of the generator fractal-noise generate fractal-noise --set lacunarity=VALUE",
            "lacunarity: a parameter of the generator ridged",
            "from 1 to 16, default 3",
        ],
    );
    assert_help(
        "help angle",
        &[
            "filter MAP --by 'ThermalErosion((angle: VALUE))'",
            "degrees",
        ],
    );
    assert_help(
        "help gamma",
        &["filter MAP --by 'Gamma(VALUE)'", "from 1 to 16, default 2"],
    );
    // The values of choices are listed too.
    assert_help(
        "help profile",
        &[
            "step",
            "linear",
            "cosine",
            "The shape of the rise across a line",
        ],
    );
    assert_help(
        "help billowed",
        &["a value of variant of the generator fractal-noise"],
    );
}

#[test]
fn finds_names_in_any_spelling() {
    let parts = ["hydraulic-erosion: a filter", "HydraulicErosion", "default"];
    let first = assert_help("help HydraulicErosion", &parts);
    assert!(
        first.lines().all(|line| line.chars().count() <= 100),
        "{first}"
    );
    for name in ["hydraulic-erosion", "hydraulic_erosion", "droplets"] {
        assert!(
            assert_help(&format!("help {name}"), &parts).starts_with(&first),
            "{name}"
        );
    }
    assert_help(
        "help hills",
        &["hills: a generator", "count", "radius_max", "cells"],
    );
    assert_help("help smooth-max", &["smooth-max: a blend", "width"]);
    assert_help(
        "help slope",
        &["slope: a selection", "slope: a value of measure --what"],
    );
    assert_help("help volcano", &["volcano: a preset"]);
    let option = assert_help("help sea-level", &["--sea-level: an option of render"]);
    assert_eq!(assert_help("help --sea-level", &[]), option);
    assert_eq!(assert_help("help sea_level", &["--sea-level"]), option);
    assert_help(
        "help json",
        &["--json: an option of info", "recipe presets"],
    );
}

#[test]
fn owner_selects_one_meaning() {
    let all = assert_help(
        "help scale",
        &["of the generator fractal-noise", "of the generator ridged"],
    );
    let one = assert_help("help ridged scale", &["of the generator ridged"]);
    assert!(
        !one.contains("fractal-noise") && all.contains(&one),
        "{one}"
    );
}

#[test]
fn explains_commands_like_help_option() {
    let folder = Folder::new();
    for command in ["generate", "render", "recipe", "recipe presets", "help"] {
        let asked = assert_help(&format!("help {command}"), &["Usage: lanternfell"]);
        assert_eq!(asked, folder.succeed(&format!("{command} --help")));
    }
    // The help of the command comes first, followed by other meanings of the name.
    let asked = assert_help("help filter", &["Usage: lanternfell filter"]);
    assert!(asked.starts_with(&folder.succeed("filter --help")));
    assert_eq!(
        assert_help("help", &["Commands:"]),
        folder.succeed("--help")
    );
    assert_eq!(
        assert_help("recipe help check", &[]),
        folder.succeed("recipe check --help")
    );
    assert_eq!(
        assert_help("recipe help", &[]),
        folder.succeed("recipe --help")
    );
}

#[test]
fn suggests_similar_names() {
    let folder = Folder::new();
    for (wrong, guess) in [
        ("lacunrity", "did you mean `lacunarity`?"),
        ("HydraulicErosoin", "`HydraulicErosion`"),
        ("volcno", "`volcano`"),
        ("rendr", "`render`"),
        ("xyzzyxyzzy", "lanternfell --help"),
        ("hills lacunarity", "unknown name `hills lacunarity`"),
    ] {
        folder.refuse(&format!("help {wrong}"), &["unknown name", guess]);
    }
}

#[test]
fn help_of_one_generator_or_filter() {
    for help in ["--help", "-h"] {
        let hills = assert_help(
            &format!("generate hills {help}"),
            &[
                "count The number of hills; from 1 to 1000000, default 200",
                "from 0 to 8192 cells",
            ],
        );
        assert!(!hills.contains("lacunarity"), "{hills}");
        assert_help(
            &format!("filter a.png --by Terrace {help}"),
            &["Terrace Steps of level terrain", "levels", "default"],
        );
    }
    let volcano = assert_help(
        "generate volcano --help",
        &["Parameters (--set NAME=VALUE;"],
    );
    assert!(volcano.contains('.'), "{volcano}");
    assert_help(
        "erode --help",
        &[
            "HydraulicErosion",
            "GlacialErosion",
            "equilibrium_line",
            "WindErosion",
        ],
    );
}

/// Every parameter in the help of a preset can be set.
#[test]
fn parameters_in_help_of_presets_can_be_set() {
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
