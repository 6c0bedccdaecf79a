//! Which way to wasm there is.
//!
//! Either the Rust that runs this has the target's standard library (`rustup target add`), or a
//! distribution's Rust has the library's sources, from which cargo builds it. Everything else is the same.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    failure::Failure,
    workspace::{cargo, on_path, said_by},
};

/// The target of every page.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Every browser that has WebGL2 and is still updated has SIMD; it halves the time of generation.
const FLAGS: &str = "-Ctarget-feature=+simd128";

/// A way to compile for [`TARGET`].
#[derive(Debug, PartialEq, Eq)]
pub enum Toolchain {
    /// The standard library is installed.
    Installed,
    /// It is built from a distribution's sources.
    FromSources {
        /// The distribution's compiler.
        rustc: PathBuf,
        /// Its linker for wasm.
        linker: PathBuf,
    },
}

impl Toolchain {
    /// The first that this machine has.
    ///
    /// # Errors
    /// When there is none.
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

    /// What was found, in a line.
    pub fn about(&self) -> String {
        match self {
            Self::Installed => format!("{TARGET}: installed with {}", rustc().display()),
            Self::FromSources { rustc, linker } => format!(
                "{TARGET}: built from the sources of {}, linked by {}",
                rustc.display(),
                linker.display()
            ),
        }
    }

    /// Cargo, told to compile this way. Its subcommand comes first.
    pub fn cargo(&self, subcommand: &str) -> Command {
        self.cargo_with(subcommand, FLAGS)
    }

    /// The same, to which warnings are errors.
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
                // Building the library is not stable; the distribution's compiler is.
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker)
                .env("RUSTFLAGS", format!("-Clinker-flavor=wasm-ld {flags}")),
        };
        command
    }
}

/// The compiler that cargo takes.
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
    fn sources_are_built_by_their_own_compiler() {
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
    fn an_installed_library_needs_nothing_but_the_target() {
        let command = Toolchain::Installed.cargo("check");
        assert_eq!(arguments(&command), ["check", "--target", TARGET]);
        assert!(command.get_envs().all(|(name, _)| name == "RUSTFLAGS"));
    }

    #[test]
    fn a_compiler_that_is_not_there_has_neither() {
        let nowhere = Path::new("/nowhere/rustc");
        assert!(!has_library(nowhere) && !has_sources(nowhere));
    }
}
