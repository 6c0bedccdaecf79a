//! Signals and threads of the commands.

use crate::failure::Failure;

/// Lets a signal end the program after its temporary files are removed.
pub(crate) fn signals() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        lanternfell_files::remove_temporary_files();
        lanternfell_files::usage::print_error("canceled");
        std::process::exit(130);
    })
    .map_err(|error| Failure::Usage(format!("cannot handle Ctrl-C: {error}")))?;
    lanternfell_limits::end_by_terminate();
    Ok(())
}

/// Starts the threads that share the work, one per core. Without this, a failure to start them would be a panic.
pub(crate) fn threads() -> Result<(), Failure> {
    let threads = rayon::ThreadPoolBuilder::new().build_global();
    threads.map_err(|error| Failure::Usage(format!("cannot start the threads: {error}")))
}
