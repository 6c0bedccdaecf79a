//! Tests of the Markdown documents: links lead to existing files and headings, and the shown app and recipes are files
//! of this repository.

use std::{
    fs,
    path::{Path, PathBuf},
};

use lanternfell_heightmap::Recipe;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Reads a file. The path is relative to the root.
fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The documents, relative to the root: four of the root package, and every `README.md` in `crates`.
fn documents() -> Vec<PathBuf> {
    let of_root = [
        "README.md",
        "examples/README.md",
        "CONTRIBUTING.md",
        "ARCHITECTURE.md",
    ];
    let mut documents = Vec::from(of_root.map(PathBuf::from));
    let mut folders = vec![PathBuf::from("crates")];
    while let Some(folder) = folders.pop() {
        for entry in root().join(&folder).read_dir().unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name();
            let is_build_output = name == "target" || name == "node_modules";
            if entry.file_type().unwrap().is_dir() && !is_build_output {
                folders.push(folder.join(name));
            } else if name == "README.md" {
                documents.push(folder.join(name));
            }
        }
    }
    documents
}

/// The contents of the fenced code blocks in a language. Their first line is ` ```language`, and attributes may follow.
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

/// The text without its fenced code blocks.
fn without_blocks(text: &str) -> String {
    let mut is_block = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_block ^= is_fence;
        !is_block && !is_fence
    });
    lines.map(|line| format!("{line}\n")).collect()
}

/// The targets of `](target)`, `[name]: target`, `src="target"` and so on. A title may follow: `](target "title")`.
fn links(text: &str) -> Vec<&str> {
    let marks = [
        ("](", ')'),
        ("]: ", '\n'),
        ("src=\"", '"'),
        ("href=\"", '"'),
        ("srcset=\"", '"'),
    ];
    let targets = |(mark, end): (&'static str, char)| {
        let after_mark = text.split(mark).skip(1);
        after_mark.filter_map(move |rest| rest.split([end, ' ']).next())
    };
    marks.into_iter().flat_map(targets).collect()
}

/// The anchors of the headings, as GitHub generates them.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| -> String {
        let heading = heading.trim_start_matches('#').trim();
        let kept = heading.chars();
        kept.filter(|c| c.is_alphanumeric() || " -_".contains(*c))
            .map(|c| if c == ' ' { '-' } else { c })
            .flat_map(char::to_lowercase)
            .collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn readme_shows_minimal_terrain_example() {
    let readme = read("README.md");
    let example = read("examples/minimal_terrain.rs");
    // The README shows the code without its `//!` lines.
    let code = example
        .lines()
        .skip_while(|line| line.starts_with("//!") || line.is_empty());
    let code: String = code.map(|line| format!("{line}\n")).collect();
    assert!(code.contains("fn main()"));
    assert!(
        blocks(&readme, "rust").contains(&code),
        "README.md has no Rust block with the code of examples/minimal_terrain.rs:\n{code}"
    );
}

#[test]
fn shown_recipes_are_presets() {
    let recipe =
        |text: &str| Recipe::from_ron(text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    let presets = root().join("crates/lanternfell_heightmap/presets");
    let presets: Vec<Recipe> = presets
        .read_dir()
        .unwrap()
        .map(|file| recipe(&read(file.unwrap().path())))
        .collect();
    for document in documents() {
        for shown in blocks(&read(&document), "ron") {
            assert!(
                presets.contains(&recipe(&shown)),
                "{}: no file in crates/lanternfell_heightmap/presets contains this recipe:\n{shown}",
                document.display()
            );
        }
    }
}

#[test]
fn linked_files_and_headings_exist() {
    let mut images = 0;
    for document in documents() {
        let text = without_blocks(&read(&document));
        for link in links(&text) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            // A link without a path leads to a heading of the document itself.
            let target = match path {
                "" => document.clone(),
                _ => document.parent().unwrap().join(path),
            };
            let target = root().join(target);
            let name = document.display();
            assert!(
                target.exists(),
                "{name} links to {link}, which does not exist"
            );
            if !heading.is_empty() {
                let shown = match target.is_dir() {
                    true => target.join("README.md"),
                    false => target,
                };
                let headings = anchors(&without_blocks(&read(shown)));
                assert!(
                    headings.iter().any(|anchor| anchor == heading),
                    "{name} links to {link}, but the headings are {headings:?}"
                );
            }
            images += usize::from(path.ends_with(".png") || path.ends_with(".jpg"));
        }
    }
    assert!(images > 0, "no document shows an image");
}

/// Tests the functions that the other tests use.
#[test]
fn finds_blocks_links_and_anchors() {
    let text = "# The *first* Heading\na [b](c.md \"t\")\n```sh\nrun\n```\n```rust,no_run\nfn main() {}\n```\n\
                <img src=\"d.png\">\n[e]: f.md\n";
    assert_eq!(blocks(text, "rust"), ["fn main() {}\n"]);
    assert_eq!(blocks(text, "sh"), ["run\n"]);
    assert_eq!(links(text), ["c.md", "f.md", "d.png"]);
    assert_eq!(anchors(text), ["the-first-heading"]);
    let prose = without_blocks("# a\n```\n# b\n```\nc\n");
    assert_eq!(prose, "# a\nc\n");
    assert!(documents().contains(&"crates/lanternfell_terrain/README.md".into()));
}
