//! Runs the tests in node and in a browser.
//!
//! The tests are scripts in `browser/`. They are copied to the cache, where npm installs their dependencies from the
//! lockfile. The tests use the installed browser and do not download one.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use serde_json::json;

use crate::{
    failure::Failure,
    module::Module,
    pages::Page,
    say,
    serve::Server,
    toolchain::Toolchain,
    workspace::{Workspace, on_path, run},
};

/// The path on the test server at which the pages are tested. Requests outside of it would not work on every host.
const FOLDER: &str = "/some/folder";

/// The programs that the tests need.
#[derive(Debug)]
pub struct Tools {
    node: PathBuf,
    npm: PathBuf,
    /// `None` if only the tests in node run.
    chromium: Option<PathBuf>,
}

impl Tools {
    /// Finds the programs on `PATH`, including a browser if `browser` is `true`.
    ///
    /// # Errors
    /// Names the first program that is missing.
    pub fn find(browser: bool) -> Result<Self, Failure> {
        let chromium = [
            "chromium",
            "chromium-browser",
            "google-chrome",
            "google-chrome-stable",
            "chrome",
        ];
        let missing = Failure::Missing("chromium or google-chrome, which are not on PATH");
        let browser = browser.then(|| on_path(&chromium).ok_or(missing));
        Ok(Self {
            node: on_path(&["node"]).ok_or(Failure::Missing("node, which is not on PATH"))?,
            npm: on_path(&["npm"]).ok_or(Failure::Missing("npm, which is not on PATH"))?,
            chromium: browser.transpose()?,
        })
    }
}

/// Tests the package in node and the pages in the browser, and saves screenshots.
pub fn test(
    tools: &Tools,
    workspace: &Workspace,
    site: &Path,
    pages: &[&Page],
    compare: bool,
) -> Result<(), Failure> {
    let cache = workspace.cache().join("browser");
    install(tools, &workspace.sources().join("browser"), &cache)?;
    let toolchain = Toolchain::find()?;
    let hashes = Module::HASHES.make(workspace, &toolchain, None)?;
    let storage = Module::STORAGE.make(workspace, &toolchain, None)?;
    test_in_node(tools, workspace, site, &hashes)?;
    let contract = workspace
        .root
        .join("crates/lanternfell_files/tests/storage/browser.mjs");
    run(Command::new(&tools.node).arg(&contract).arg(&storage))?;
    let Some(chromium) = &tools.chromium else {
        return Ok(());
    };

    let server = Server::bind(site, 0)?.also_at(FOLDER);
    let address = server
        .address()
        .map_err(|error| Failure::Port { port: 0, error })?;
    thread::spawn(move || server.run());
    let pictures = workspace.cache().join("pictures");
    let config = json!({
        "address": format!("http://{address}{FOLDER}/"),
        "chromium": chromium,
        "pictures": pictures,
        "pages": pages.iter().map(|page| page.name).collect::<Vec<_>>(),
        "compare": compare,
        "hashes": hashes,
        "storage": storage,
        "contract": contract,
        "pinned": workspace.root.join("crates/tools/lanternfell_js/tests/hashes.json"),
    });
    let mut node = Command::new(&tools.node);
    let tried = run(node.arg(cache.join("run.js")).arg(config.to_string()));
    say(&format!("screenshots are in {}", pictures.display()));
    tried
}

/// Runs the tests that need no browser: those of the built package, and those of the scripts of the pages.
fn test_in_node(
    tools: &Tools,
    workspace: &Workspace,
    site: &Path,
    hashes: &Path,
) -> Result<(), Failure> {
    let mut files = test_files(&workspace.sources().join("tests"))?;
    files.append(&mut test_files(
        &workspace.root.join("crates/tools/lanternfell_js/tests"),
    )?);
    let package = std::path::absolute(site.join("lanternfell")).map_err(Failure::of(site))?;
    let mut node = Command::new(&tools.node);
    let installed = workspace.cache().join("browser/node_modules");
    let variables = [
        ("LANTERNFELL_PACKAGE", package.as_path()),
        ("LANTERNFELL_HASHES", hashes),
        ("LANTERNFELL_THREE", &installed.join("three")),
        ("LANTERNFELL_TYPESCRIPT", &installed.join("typescript")),
    ];
    node.envs(variables);
    run(node.arg("--test").args(files))
}

/// The files in a folder that are tests for node.
fn test_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(Failure::of(folder))? {
        let path = entry.map_err(Failure::of(folder))?.path();
        if path.to_string_lossy().ends_with(".test.mjs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Copies the scripts to the cache and installs their dependencies. npm runs only if the lockfile has changed.
fn install(tools: &Tools, from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to).map_err(Failure::of(to))?;
    for entry in fs::read_dir(from).map_err(Failure::of(from))? {
        let path = entry.map_err(Failure::of(from))?.path();
        let copy = to.join(path.file_name().unwrap_or_default());
        fs::copy(&path, &copy).map_err(Failure::of(&path))?;
    }
    let locked = to.join("package-lock.json");
    let installed = to.join("node_modules/installed-lock.json");
    let text = fs::read(&locked).map_err(Failure::of(&locked))?;
    if fs::read(&installed).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let mut npm = Command::new(&tools.npm);
    npm.current_dir(to).args([
        "ci",
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
        "--loglevel=error",
    ]);
    run(&mut npm)?;
    fs::write(&installed, text).map_err(Failure::of(&installed))
}
