//! `completions`: the suggestions in shells.

use std::process::Command;

use super::{Folder, text};

/// Returns the suggestions of bash for these words, the last of which is being typed.
fn offered(folder: &Folder, words: &[&str]) -> Vec<String> {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let script = format!(
        "source completions.bash; COMP_WORDS=({}); COMP_CWORD={}; \
         _lanternfell_names lanternfell '{}' '{}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        quoted.join(" "),
        words.len() - 1,
        words[words.len() - 1],
        words[words.len() - 2],
    );
    let output = Command::new("bash")
        .args(["-c", &script])
        .current_dir(folder.0.path())
        .output();
    let said = text(&output.unwrap().stdout);
    said.lines()
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(unix)]
#[test]
fn bash_completes_presets_files_and_names() {
    let folder = Folder::new();
    let script = folder.succeed("completions bash");
    folder.write("completions.bash", &script);
    folder.write("volume.png", "");
    let is = |words: &[&str], expected: &[&str]| {
        assert_eq!(offered(&folder, words), expected, "{words:?}");
    };
    is(&["lanternfell", "render", "volc"], &["volcano"]);
    is(
        &["lanternfell", "render", "vol"],
        &["volcano", "volume.png"],
    );
    is(&["lanternfell", "generate", "rid"], &["ridged"]);
    is(&["lanternfell", "-q", "generate", "rid"], &["ridged"]);
    is(&["lanternfell", "help", "lacun"], &["lacunarity"]);
    is(&["lanternfell", "help", "Hydr"], &["HydraulicErosion"]);
    is(&["lanternfell", "mea"], &["measure"]);
    is(
        &["lanternfell", "measure", "--what", "catch"],
        &["catchment"],
    );
    is(&["lanternfell", "recipe", "show", "volc"], &["volcano"]);
    is(
        &["lanternfell", "edit", "apply", "a.edits", "volc"],
        &["volcano"],
    );
    is(&["lanternfell", "edit", "show", "volc"], &[]);
    assert!(offered(&folder, &["lanternfell", "render", "--vi"]).contains(&"--view".to_owned()));
    let registered = Command::new("bash")
        .args(["-c", "source completions.bash; complete -p lanternfell"])
        .current_dir(folder.0.path())
        .output();
    assert!(text(&registered.unwrap().stdout).contains("-F _lanternfell_names"));
}

#[test]
fn all_shells_complete_presets() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.succeed(&format!("completions {shell}"));
        for name in ["rolling-hills", "ridged", "lacunarity"] {
            assert!(script.contains(name), "{shell}: {name}");
        }
    }
}
