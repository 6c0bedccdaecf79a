//! Compiles a crate to a WebAssembly module with its JavaScript: cargo, `wasm-bindgen`, `wasm-opt`.
//!
//! `wasm-bindgen` is linked as a library in exactly the locked version, so that users need not install a matching
//! program. Each module has a folder in the cache, and is processed again only if the output of cargo has changed.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::UNIX_EPOCH,
};

use serde_json::Value;
use wasm_bindgen_cli_support::Bindgen;

use crate::{
    failure::Failure,
    toolchain::Toolchain,
    workspace::{Workspace, run, said_by},
};

/// The features that `wasm-opt` can use: those of all browsers with SIMD.
const FEATURES: &[&str] = &[
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--enable-simd",
];

/// A module that cargo builds.
#[derive(Debug, Clone, Copy)]
pub struct Module<'a> {
    /// The name of the cargo target, and of the files `NAME.js` and `NAME_bg.wasm`.
    pub name: &'a str,
    /// The folder in the cache.
    pub folder: &'a str,
    /// The cargo subcommand.
    pub command: &'a str,
    /// The cargo arguments that select the target.
    pub choice: &'a [&'a str],
    /// The cargo profile.
    pub profile: &'a str,
}

/// The cargo profile of the package.
const PACKAGE_PROFILE: &str = "web";

impl Module<'_> {
    /// The module of the package.
    pub const PACKAGE: Self = Self {
        name: "lanternfell_js",
        folder: "package",
        // `rustc` selects a single crate type. With `rlib` in addition, cargo would disable link-time optimization.
        command: "rustc",
        choice: &[
            "--package",
            "lanternfell_js",
            "--lib",
            "--crate-type",
            "cdylib",
        ],
        profile: PACKAGE_PROFILE,
    };

    /// The package with a function for each pinned hash, for tests.
    pub const HASHES: Self = Self {
        folder: "hashes",
        choice: &[
            "--package",
            "lanternfell_js",
            "--lib",
            "--crate-type",
            "cdylib",
            "--features",
            "hashes",
        ],
        ..Self::PACKAGE
    };

    /// The tests of `lanternfell_files` for the storage of a browser.
    pub const STORAGE: Self = Self {
        name: "storage",
        folder: "storage",
        command: "rustc",
        choice: &["--package", "lanternfell_files", "--test", "storage"],
        profile: PACKAGE_PROFILE,
    };

    /// Builds the module and returns its folder.
    pub fn make(
        &self,
        workspace: &Workspace,
        toolchain: &Toolchain,
        wasm_opt: Option<&Path>,
    ) -> Result<PathBuf, Failure> {
        let linked = self.link(workspace, toolchain)?;
        let folder = workspace.cache().join("modules").join(self.folder);
        let stamp = stamp(&linked, wasm_opt)?;
        let stamp_file = folder.join("stamp");
        if fs::read_to_string(&stamp_file).is_ok_and(|old| old == stamp) {
            return Ok(folder);
        }
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(Failure::of(&folder))?;
        }
        self.bind(&linked, &folder)?;
        if let Some(program) = wasm_opt {
            self.optimize(program, &folder)?;
        }
        fs::write(&stamp_file, stamp).map_err(Failure::of(&stamp_file))?;
        Ok(folder)
    }

    fn link(&self, workspace: &Workspace, toolchain: &Toolchain) -> Result<PathBuf, Failure> {
        let mut cargo = toolchain.cargo(self.command);
        cargo
            .arg("--manifest-path")
            .arg(workspace.root.join("Cargo.toml"))
            .args(["--locked", "--profile", self.profile])
            .arg("--target-dir")
            .arg(&workspace.target)
            .arg("--message-format=json-render-diagnostics")
            .args(self.choice);
        let said = said_by(&mut cargo)?;
        linked(&said, self.name).ok_or_else(|| Failure::Failed {
            program: "cargo".to_owned(),
            why: Some(format!("no module `{}` was linked", self.name)),
        })
    }

    fn bind(&self, linked: &Path, folder: &Path) -> Result<(), Failure> {
        let mut bindgen = Bindgen::new();
        let made = bindgen
            .input_path(linked)
            .out_name(self.name)
            .web(true)
            .and_then(|bindgen| {
                // Without a path, the script looks for the module next to itself. Names are a third of a module with
                // Bevy.
                bindgen
                    .omit_default_module_path(false)
                    .remove_name_section(true)
                    .remove_producers_section(true)
                    .generate(folder)
            });
        made.map_err(|error| Failure::Failed {
            program: "wasm-bindgen".to_owned(),
            why: Some(format!("{error:#}")),
        })
    }

    fn optimize(&self, program: &Path, folder: &Path) -> Result<(), Failure> {
        let file = folder.join(format!("{}_bg.wasm", self.name));
        let mut wasm_opt = Command::new(program);
        wasm_opt.arg(&file).arg("-o").arg(&file);
        run(wasm_opt.arg("-O2").args(FEATURES))
    }
}

/// Finds the module of a cargo target in the messages of cargo.
fn linked(said: &str, target: &str) -> Option<PathBuf> {
    let messages = said.lines().filter_map(|line| line.parse::<Value>().ok());
    let files = messages
        .filter(|message| message["target"]["name"] == target)
        .filter_map(|message| message["filenames"].as_array().cloned())
        .flatten();
    files
        .filter_map(|file| file.as_str().map(PathBuf::from))
        .find(|file| file.extension().is_some_and(|ending| ending == "wasm"))
}

/// A stamp that identifies the content of a file without reading it.
fn stamp(linked: &Path, wasm_opt: Option<&Path>) -> Result<String, Failure> {
    let data = fs::metadata(linked).map_err(Failure::of(linked))?;
    let changed = data.modified().map_err(Failure::of(linked))?;
    let since = changed.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(format!(
        "{} {} {:?}",
        data.len(),
        since.as_nanos(),
        wasm_opt
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamp_changes_with_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.wasm");
        assert!(stamp(&file, None).is_err());
        fs::write(&file, "a").unwrap();
        let first = stamp(&file, None).unwrap();
        assert_eq!(stamp(&file, None).unwrap(), first);
        assert_ne!(stamp(&file, Some(Path::new("wasm-opt"))).unwrap(), first);
        fs::write(&file, "ab").unwrap();
        assert_ne!(stamp(&file, None).unwrap(), first);
    }

    #[test]
    fn finds_module_in_cargo_messages() {
        let said = r#"{"reason":"compiler-artifact","target":{"name":"storage"},"filenames":["/t/libstorage.rlib"]}
            {"reason":"compiler-artifact","target":{"name":"other"},"filenames":["/t/other.wasm"]}
            {"reason":"compiler-artifact","target":{"name":"storage"},"filenames":["/t/deps/storage-12ab.wasm"]}
            {"reason":"build-finished","success":true}"#;
        let found = linked(said, "storage");
        assert_eq!(found, Some(PathBuf::from("/t/deps/storage-12ab.wasm")));
        assert_eq!(linked(said, "island"), None);
        assert_eq!(linked("", "storage"), None);
    }

    /// A module that is processed by another version of `wasm-bindgen` than it was compiled with does not load.
    #[test]
    fn wasm_bindgen_versions_match() {
        let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../Cargo.lock");
        let Ok(lock) = fs::read_to_string(lock) else {
            return;
        };
        let version = |name: &str| {
            let lines = lock.split(&format!("name = \"{name}\"\n")).nth(1);
            lines
                .and_then(|lines| lines.lines().next())
                .map(str::to_owned)
        };
        assert!(version("wasm-bindgen").is_some());
        assert_eq!(version("wasm-bindgen"), version("wasm-bindgen-cli-support"));
    }
}
