//! Checks that everything that runs in a page compiles. Does not build modules, which saves minutes.

use crate::{
    failure::Failure,
    pages::{ENGINE_PACKAGES, Kind, PAGES},
    say,
    toolchain::Toolchain,
    workspace::{Workspace, run},
};

/// Compiles the package, the root library and the programs of the pages, with all crates they depend on.
///
/// # Errors
/// If something does not compile, or compiles with a warning.
pub fn check(workspace: &Workspace) -> Result<(), Failure> {
    let toolchain = Toolchain::find()?;
    say(&toolchain.about());
    let mut cargo = toolchain.strict("check");
    cargo
        .args(["--locked", "--lib", "--package", "lanternfell_js"])
        .args(ENGINE_PACKAGES)
        .arg("--manifest-path")
        .arg(workspace.root.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&workspace.target);
    for page in PAGES {
        if let Kind::Engine(example) = page.kind {
            cargo.args(["--example", example]);
        }
    }
    run(&mut cargo)
}
