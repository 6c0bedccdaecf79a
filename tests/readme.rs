//! What the README says is true.

use std::{fs, path::Path};

use lanternfell_heightmap::Recipe;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The code between the fences of each block whose first line is ` ```language…`.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            continue;
        };
        let block: String = lines
            .by_ref()
            .take_while(|line| !line.starts_with("```"))
            .map(|line| format!("{line}\n"))
            .collect();
        if info.split([',', ' ']).next() == Some(language) {
            blocks.push(block);
        }
    }
    blocks
}

/// An example's code without the `//!` lines at its head.
fn code(path: &str) -> String {
    let text = read(path);
    let lines = text
        .lines()
        .skip_while(|line| line.starts_with("//!") || line.is_empty());
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn its_app_is_the_minimal_example() {
    let readme = read("README.md");
    let shown = blocks(&readme, "rust");
    let example = code("examples/minimal_terrain.rs");
    assert!(example.contains("fn main()"));
    assert!(
        shown.contains(&example),
        "none of README.md's {} Rust blocks is the code of examples/minimal_terrain.rs:\n{example}",
        shown.len()
    );
}

#[test]
fn its_recipes_are_files_that_can_be_drawn() {
    let readme = read("README.md");
    let recipe =
        |text: &str| Recipe::from_ron(text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    let files: Vec<Recipe> = root()
        .join("crates/lanternfell_heightmap/presets")
        .read_dir()
        .unwrap()
        .map(|file| recipe(&fs::read_to_string(file.unwrap().path()).unwrap()))
        .collect();
    for shown in blocks(&readme, "ron") {
        assert!(
            files.contains(&recipe(&shown)),
            "no file in crates/lanternfell_heightmap/presets holds\n{shown}"
        );
    }
}

/// What `](…)`, `src="…"` and `href="…"` lead to.
fn links(text: &str) -> Vec<&str> {
    let marks = [
        ("](", ')'),
        ("src=\"", '"'),
        ("href=\"", '"'),
        ("srcset=\"", '"'),
    ];
    let after = |(mark, end): (&'static str, char)| {
        text.split(mark)
            .skip(1)
            .filter_map(move |rest| rest.split(end).next())
    };
    marks.into_iter().flat_map(after).collect()
}

#[test]
fn its_local_links_and_pictures_exist() {
    let readme = read("README.md");
    let mut pictures = 0;
    for link in links(&readme) {
        // A title may follow: `](file "title")`.
        let target = link.split(['#', ' ']).next().unwrap_or_default();
        if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
            continue;
        }
        assert!(
            root().join(target).exists(),
            "README.md leads to {target}, which is not there"
        );
        pictures += usize::from(target.ends_with(".png") || target.ends_with(".jpg"));
    }
    assert!(pictures > 0, "README.md shows no picture");
}

#[test]
fn its_headings_are_where_its_links_lead() {
    let readme = read("README.md");
    let anchor = |heading: &str| -> String {
        let kept = heading
            .trim()
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| {
            if c == ' ' {
                '-'
            } else {
                c.to_ascii_lowercase()
            }
        })
        .collect()
    };
    let headings: Vec<String> = readme
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| anchor(line.trim_start_matches('#')))
        .collect();
    for link in links(&readme) {
        if let Some(heading) = link.strip_prefix('#') {
            assert!(
                headings.iter().any(|known| known == heading),
                "no heading #{heading}"
            );
        }
    }
}

/// The finders above find things, and only those.
#[test]
fn blocks_and_links_are_found() {
    let text = "a [b](c.md \"t\")\n```sh\nrun\n```\n```rust,no_run\nfn main() {}\n```\n<img src=\"d.png\">";
    assert_eq!(blocks(text, "rust"), ["fn main() {}\n"]);
    assert_eq!(blocks(text, "sh"), ["run\n"]);
    assert_eq!(links(text), ["c.md \"t\"", "d.png"]);
}
