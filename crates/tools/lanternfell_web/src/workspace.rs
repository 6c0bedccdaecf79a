//! Paths: the root of the workspace, and cargo's target folder.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use crate::failure::Failure;

/// The folders of the workspace.
#[derive(Debug)]
pub struct Workspace {
    /// The folder with the workspace's `Cargo.toml`.
    pub root: PathBuf,
    /// Cargo's target folder.
    pub target: PathBuf,
}

impl Workspace {
    /// Finds the folders with `cargo metadata`.
    pub fn find() -> Result<Self, Failure> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let mut cargo = Command::new(cargo());
        cargo.args(["metadata", "--no-deps", "--format-version", "1"]);
        let said = said_by(cargo.arg("--manifest-path").arg(manifest))?;
        let said: Value = serde_json::from_str(&said).unwrap_or_default();
        let folder = |name| {
            said[name]
                .as_str()
                .map(PathBuf::from)
                .ok_or(Failure::Workspace(name))
        };
        Ok(Self {
            root: folder("workspace_root")?,
            target: folder("target_directory")?,
        })
    }

    /// The folder with the sources of the pages.
    pub fn sources(&self) -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR"))
    }

    /// The folder for data that is kept between runs.
    pub fn cache(&self) -> PathBuf {
        self.target.join("web")
    }

    /// The default output folder of the pages.
    pub fn site(&self) -> PathBuf {
        self.cache().join("site")
    }
}

/// The cargo executable that runs this program.
pub fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}

/// Runs a program and returns its standard output. Its standard error goes to the terminal.
pub fn said_by(command: &mut Command) -> Result<String, Failure> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stderr(std::process::Stdio::inherit()).output();
    let output = output.map_err(|error| Failure::Program {
        program: program.clone(),
        error,
    })?;
    if !output.status.success() {
        return Err(Failure::Failed {
            program,
            why: Some(output.status.to_string()),
        });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a program whose output goes to the terminal.
pub fn run(command: &mut Command) -> Result<(), Failure> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status();
    let status = status.map_err(|error| Failure::Program {
        program: program.clone(),
        error,
    })?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::Failed {
        program,
        why: Some(status.to_string()),
    })
}

/// The first of these programs that is on `PATH`.
pub fn on_path(names: &[&str]) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&paths).collect();
    let ending = std::env::consts::EXE_SUFFIX;
    let places = names.iter().flat_map(|name| {
        folders
            .iter()
            .map(move |folder| folder.join(format!("{name}{ending}")))
    });
    places.into_iter().find(|place| place.is_file())
}
