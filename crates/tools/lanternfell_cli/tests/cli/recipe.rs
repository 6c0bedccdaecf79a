//! `recipe`, `completions` and `--threads`.

use lanternfell_heightmap::Recipe;

use super::{Folder, text};

const GOOD: &str = r#"(version: 1, size: (64, 48), steps: {
    "hills": Generate(by: Hills((radius_max: 20))),
    "low": Filter(of: "hills", by: [Gamma(2)]),
})"#;

#[test]
fn check_reports_every_invalid_recipe() {
    let folder = Folder::new();
    folder.write("good.ron", GOOD);
    folder.write("again.ron", GOOD);
    let said = folder.succeed("recipe check good.ron again.ron");
    assert_eq!(
        said,
        "good.ron: 2 steps, 64x48, 0.0 MiB of maps in memory\n\
         again.ron: 2 steps, 64x48, 0.0 MiB of maps in memory\n"
    );
    folder.write("bad.ron", GOOD.replace("\"hills\",", "\"hils\","));
    folder.refuse(
        "recipe check bad.ron",
        &["bad.ron: step `low`: there is no step `hils`"],
    );
    let output = folder
        .command("recipe check bad.ron good.ron none.ron")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let wrong = text(&output.stderr);
    let lines: Vec<&str> = wrong.lines().collect();
    assert_eq!(lines.len(), 2, "{wrong}");
    assert!(
        lines[0].contains("bad.ron") && lines[1].contains("none.ron"),
        "{wrong}"
    );
    assert!(text(&output.stdout).starts_with("good.ron: 2 steps"));
}

#[test]
fn check_reads_images() {
    let folder = Folder::new();
    let recipe = r#"(version: 1, size: (8, 8), steps: { "drawn": Image(name: "in/drawn.png") })"#;
    folder.write("image.ron", recipe);
    let wrong = &["image.ron: step `drawn`", "in/drawn.png"];
    folder.refuse("recipe check image.ron", wrong);
    std::fs::create_dir(folder.path("in")).unwrap();
    folder.write("in/drawn.png", "no picture");
    folder.refuse("recipe check image.ron", &["PNG"]);
    folder.succeed("generate hills --size 8 -o in/drawn.png");
    folder.succeed("recipe check image.ron");
}

#[test]
fn show_prints_text_json_and_ron() {
    let folder = Folder::new();
    folder.write("good.ron", GOOD);
    let said = folder.succeed("recipe show good.ron");
    assert!(said.contains("\n  hills  Generate by hills\n"), "{said}");
    assert!(
        said.contains("\n* low    Filter of hills, 1 filter"),
        "{said}"
    );
    let json: serde_json::Value =
        serde_json::from_str(&folder.succeed("recipe show good.ron --json")).unwrap();
    assert_eq!(json["width"], 64);
    assert_eq!(json["bytes_of_maps"], 4 * 64 * 48);
    assert_eq!(json["result"], "low");
    assert_eq!(json["steps"][1]["inputs"][0], "hills");
    let again = Recipe::from_ron(&folder.succeed("recipe show good.ron --ron")).unwrap();
    assert_eq!(again, Recipe::from_ron(GOOD).unwrap());
    folder.refuse("recipe show nothing", &["`nothing`", "presets", ".ron"]);
    folder.refuse("recipe show good.ron --ron --json", &["--ron", "--json"]);
}

#[test]
fn lists_shows_and_generates_presets() {
    let folder = Folder::new();
    let said = folder.succeed("recipe presets");
    assert!(said.contains("volcano  "), "{said}");
    let json: serde_json::Value =
        serde_json::from_str(&folder.succeed("recipe presets --json")).unwrap();
    assert_eq!(json.as_array().unwrap().len(), said.lines().count());
    for name in json
        .as_array()
        .unwrap()
        .iter()
        .map(|preset| preset["name"].as_str().unwrap())
    {
        assert!(
            folder
                .succeed(&format!("recipe show {name}"))
                .contains(" step"),
            "{name}"
        );
    }
    folder.succeed("generate volcano --size 300 --seed 4 -q -o a.r16");
    assert_eq!(folder.read("a.r16").len(), 300 * 300 * 2);
}

#[test]
fn sets_parameters_of_any_generator() {
    let folder = Folder::new();
    let blended = r#"(version: 1, size: (64, 48), seed: 3, steps: {
        "hills": Generate(by: Hills((radius_max: 20))),
        "islands": Generate(by: FractalNoise(())),
        "blend": Blend(ground: "hills", layer: "islands", how: Max, weight: 0.5),
    })"#;
    folder.write("old.ron", blended);
    folder.succeed("generate old.ron --set islands.octaves=2 --set count=7 -o new.ron");
    let new = text(&folder.read("new.ron"));
    assert!(
        new.contains("octaves: 2") && new.contains("count: 7"),
        "{new}"
    );
    folder.refuse(
        "generate old.ron --set isle.octaves=2 -o a.png",
        &["--set isle.octaves", "no step `isle`"],
    );
    folder.refuse(
        "generate old.ron --set blend.weight=2 -o a.png",
        &["step `blend`: blend: weight is 2", "from 0 to 1"],
    );
    folder.refuse(
        "generate old.ron --set blend.height=2 -o a.png",
        &["blend has no parameter `height`; it has weight"],
    );
    folder.refuse(
        "generate old.ron --set islands.lines=2 -o a.png",
        &["fractal-noise has no parameter `lines`"],
    );
    folder.refuse(
        "generate old.ron --set islands.octaves=0 -o a.png",
        &["step `islands`: fractal-noise: octaves is 0"],
    );
}

#[test]
fn sets_parameters_of_any_filter() {
    let folder = Folder::new();
    folder.write(
        "steps.ron",
        r#"(version: 1, size: (64, 64), steps: {
            "hills": Generate(by: Hills((radius_max: 20))),
            "low": Filter(of: "hills", by: [Gamma(2)]),
            "steps": Filter(of: "low", by: [Terrace((levels: 5)), Smooth(Gaussian(2))]),
            "high": Select(of: "steps", by: Height((from: 0.5))),
            "land": Blend(ground: "steps", layer: "hills", how: SmoothMax(0.1), mask: "high"),
        })"#,
    );
    let sets = [
        ("low.gamma=3", "Gamma(3.0)"),
        ("steps.terrace.levels=7", "levels: 7"),
        ("steps.smooth.gaussian=4", "Gaussian(4.0)"),
        ("high.fade=0.25", "fade: 0.25"),
        ("land.width=0.5", "SmoothMax(0.5)"),
        ("land.weight=0.75", "weight: 0.75"),
    ];
    let all: Vec<String> = sets.iter().map(|(set, _)| format!("--set {set}")).collect();
    folder.succeed(&format!("generate steps.ron {} -o new.ron", all.join(" ")));
    let new = text(&folder.read("new.ron"));
    for (set, written) in sets {
        assert!(new.contains(written), "{set}: {new}");
    }
    folder.refuse(
        "generate steps.ron --set steps.levels=7 -o a.png",
        &["no parameter `levels`", "terrace.levels", "smooth.gaussian"],
    );
    folder.refuse(
        "generate steps.ron --set steps.terrace.levels=many -o a.png",
        &["terrace: levels is `many`", "a whole number from 2 to 256"],
    );
    folder.refuse(
        "generate steps.ron --set steps.terrace.levels=1 -o a.png",
        &["step `steps`: terrace: levels is 1", "from 2 to 256"],
    );
}

#[test]
fn help_lists_all_parameters_with_ranges() {
    let folder = Folder::new();
    let generate = folder.succeed("generate --help");
    for words in [
        "radius_min",
        "0 to radius_max",
        "default 1000",
        "f1, f2 or f2-f1",
    ] {
        assert!(generate.contains(words), "{words}: {generate}");
    }
    let filter = folder.succeed("filter --help");
    // Ignore the line breaks, which depend on the width.
    let filter: Vec<&str> = filter.split_whitespace().collect();
    let filter = filter.join(" ");
    for words in [
        "Terrace",
        "from 2 to 256, default 8",
        "StreamPowerErosion",
        "none",
    ] {
        assert!(filter.contains(words), "{words}: {filter}");
    }
    assert!(folder.succeed("filter -h").contains("stream-power-erosion"));
}

#[test]
fn thread_count_does_not_change_the_map() {
    let folder = Folder::new();
    let made = |threads: u32| {
        folder.succeed(&format!(
            "generate volcano --size 300 --threads {threads} -o {threads}.r32"
        ));
        folder.read(&format!("{threads}.r32"))
    };
    assert_eq!(made(1), made(7));
    for threads in ["0", "-1", "many", "99999"] {
        folder.refuse(
            &format!("generate hills --threads={threads} -o a.png"),
            &["--threads", "from 1 to 1024"],
        );
    }
}

#[test]
fn prints_completion_scripts() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.succeed(&format!("completions {shell}"));
        assert!(
            script.contains("lanternfell") && script.contains("sun-elevation"),
            "{shell}"
        );
    }
    folder.refuse("completions tcsh", &["tcsh", "bash"]);
}
