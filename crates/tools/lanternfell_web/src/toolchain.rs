//! Finds a toolchain for WebAssembly.
//!
//! Either the current Rust toolchain has the standard library of the target (`rustup target add`), or the Rust of a
//! Linux distribution has the library's source, from which cargo builds it. Everything else is the same.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    failure::Failure,
    workspace::{cargo, on_path, said_by},
};

/// The target of all pages.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Every maintained browser with WebGL2 supports SIMD. It halves the time of terrain generation.
const FLAGS: &str = "-Ctarget-feature=+simd128";

/// A toolchain that can compile for [`TARGET`].
#[derive(Debug, PartialEq, Eq)]
pub enum Toolchain {
    /// The standard library is installed.
    Installed,
    /// The standard library is built from the source of a distribution.
    FromSources {
        /// The compiler of the distribution.
        rustc: PathBuf,
        /// The linker for WebAssembly.
        linker: PathBuf,
    },
}

impl Toolchain {
    /// Returns the first toolchain on this machine.
    ///
    /// # Errors
    /// If no toolchain on this machine can compile to WebAssembly.
    pub fn find() -> Result<Self, Failure> {
        if has_library(&rustc()) {
            return Ok(Self::Installed);
        }
        let rustc = PathBuf::from("/usr/bin/rustc");
        let linker = on_path(&["wasm-ld", "wasm-ld-19", "wasm-ld-20", "wasm-ld-18"]);
        match linker {
            Some(linker) if has_sources(&rustc) => Ok(Self::FromSources { rustc, linker }),
            _ => Err(Failure::NoWasmTarget),
        }
    }

    /// A description of the toolchain in one line.
    pub fn about(&self) -> String {
        match self {
            Self::Installed => format!("{TARGET}: installed with {}", rustc().display()),
            Self::FromSources { rustc, linker } => format!(
                "{TARGET}: built from the source of {}, linked with {}",
                rustc.display(),
                linker.display()
            ),
        }
    }

    /// A cargo command for this toolchain. The subcommand comes first.
    pub fn cargo(&self, subcommand: &str) -> Command {
        self.cargo_with(subcommand, FLAGS)
    }

    /// Like [`cargo`](Self::cargo), with warnings as errors.
    pub fn strict(&self, subcommand: &str) -> Command {
        self.cargo_with(subcommand, &format!("{FLAGS} -Dwarnings"))
    }

    fn cargo_with(&self, subcommand: &str, flags: &str) -> Command {
        let mut command = Command::new(cargo());
        command.arg(subcommand).args(["--target", TARGET]);
        match self {
            Self::Installed => command.env("RUSTFLAGS", flags),
            Self::FromSources { rustc, linker } => command
                .arg("-Zbuild-std=std,panic_abort")
                .env("RUSTC", rustc)
                // Building the library requires unstable cargo features, but the compiler of the distribution is
                // stable.
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker)
                .env("RUSTFLAGS", format!("-Clinker-flavor=wasm-ld {flags}")),
        };
        command
    }
}

/// The compiler that cargo uses.
fn rustc() -> PathBuf {
    std::env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from)
}

fn has_library(rustc: &Path) -> bool {
    let mut command = Command::new(rustc);
    let folder = said_by(command.args(["--print", "target-libdir", "--target", TARGET]));
    folder.is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}

fn has_sources(rustc: &Path) -> bool {
    let root = said_by(Command::new(rustc).args(["--print", "sysroot"]));
    let library = "lib/rustlib/src/rust/library/std/Cargo.toml";
    root.is_ok_and(|root| Path::new(root.trim()).join(library).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(command: &Command) -> Vec<String> {
        command
            .get_args()
            .map(|word| word.to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn builds_std_with_the_distribution_compiler() {
        let debian = Toolchain::FromSources {
            rustc: "/usr/bin/rustc".into(),
            linker: "/usr/bin/wasm-ld-19".into(),
        };
        let command = debian.cargo("build");
        assert!(arguments(&command).contains(&"-Zbuild-std=std,panic_abort".to_owned()));
        assert!(
            command
                .get_envs()
                .any(|(name, value)| name == "RUSTC" && value == Some("/usr/bin/rustc".as_ref()))
        );
        assert!(debian.about().contains("wasm-ld-19"));
    }

    #[test]
    fn installed_target_needs_no_extra_arguments() {
        let command = Toolchain::Installed.cargo("check");
        assert_eq!(arguments(&command), ["check", "--target", TARGET]);
        assert!(command.get_envs().all(|(name, _)| name == "RUSTFLAGS"));
    }

    #[test]
    fn missing_compiler_has_no_target() {
        let nowhere = Path::new("/nowhere/rustc");
        assert!(!has_library(nowhere) && !has_sources(nowhere));
    }
}
