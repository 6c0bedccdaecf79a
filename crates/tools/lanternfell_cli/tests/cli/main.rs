//! Runs the program like a user. Each test runs it in its own folder.

mod change;
mod completions;
mod convert;
mod edit;
mod edits;
mod engines;
mod errors;
mod generate;
mod grids;
mod heights;
mod help;
mod info;
mod limits;
mod manners;
mod masks;
mod measure;
mod meters;
mod mosaic;
mod pipes;
mod project;
mod range;
mod recipe;
mod render;
mod scenery;
mod sea;
mod select;
mod tile;
mod tile_files;
mod tile_meshes;
mod world;

use std::{
    path::PathBuf,
    process::{Child, Command},
};

use tempfile::TempDir;

/// A temporary folder in which the program runs. It is deleted at the end.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    /// Returns the names of all files in order, including temporary ones.
    fn names(&self) -> Vec<String> {
        self.names_in("")
    }

    /// Returns the names of all files in a subfolder.
    fn names_in(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(folder)).unwrap();
        let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<String> = entries
            .map(|entry| name(entry).into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Returns a command with these arguments, not started yet.
    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lanternfell"));
        command
            .current_dir(self.0.path())
            .args(words.split_whitespace());
        command
    }

    /// Runs a command that must succeed. Returns its standard output.
    #[track_caller]
    fn succeed(&self, words: &str) -> String {
        let output = self.command(words).output().unwrap();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{words}: {err}");
        assert_eq!(err, "", "{words}: standard error must be empty");
        out
    }

    /// Runs a command that must fail: exit code 2, one line that contains all of `parts`, and no change in the folder.
    #[track_caller]
    fn refuse(&self, words: &str, parts: &[&str]) {
        let before = self.names();
        let output = self.command(words).output().unwrap();
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {err}");
        assert_eq!(text(&output.stdout), "", "{words}");
        assert!(err.starts_with("error: "), "{words}: {err}");
        assert_eq!(
            err.trim_end().lines().count(),
            1,
            "{words}: one line, but {err}"
        );
        for part in parts {
            assert!(err.contains(part), "{words}: `{part}` is not in: {err}");
        }
        assert_eq!(self.names(), before, "{words}: no file may be written");
    }
}

/// Sends Ctrl-C.
fn interrupt(child: &Child) {
    let mut kill = Command::new("kill");
    kill.args(["-INT", &child.id().to_string()]);
    assert!(kill.status().unwrap().success());
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
