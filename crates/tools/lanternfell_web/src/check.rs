//! Whether all that runs in a page compiles for it. No module is made, so it takes minutes less.

use crate::{
    failure::Failure,
    pages::{ENGINE_FEATURES, Kind, PAGES},
    say,
    toolchain::Toolchain,
    workspace::{Workspace, run},
};

/// Compiles the package, the root's library and the pages' programs, with all crates that they are made of.
///
/// # Errors
/// When one does not compile, or with a warning.
pub fn check(workspace: &Workspace) -> Result<(), Failure> {
    let toolchain = Toolchain::find()?;
    say(&toolchain.about());
    let mut cargo = toolchain.strict("check");
    cargo
        .args(["--locked", "--lib", "--no-default-features"])
        .args(["--package", "lanternfell", "--package", "lanternfell_js"])
        .args(["--features", &features()])
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

/// Of two packages, features have their package's name before them.
fn features() -> String {
    let features = ENGINE_FEATURES.split(',');
    let named: Vec<String> = features
        .map(|feature| format!("lanternfell/{feature}"))
        .collect();
    named.join(",")
}

#[cfg(test)]
mod tests {
    #[test]
    fn features_are_the_root_packages() {
        assert_eq!(
            super::features(),
            "lanternfell/rapier,lanternfell/web-worker"
        );
    }
}
