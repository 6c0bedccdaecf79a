//! The `gutterlight` program. See the library of the same name.

use std::process::ExitCode;

/// When memory runs out, the program prints an error and removes its temporary files.
#[cfg(not(target_arch = "wasm32"))]
#[global_allocator]
static MEMORY: lanternfell_limits::OrExit =
    lanternfell_limits::OrExit::after(lanternfell_files::remove_temporary_files);

fn main() -> ExitCode {
    gutterlight::run()
}
