//! Clean exits for programs that run out of memory or exceed the file size limit.
//!
//! Problem: when memory runs out, Rust aborts. No destructor runs, so temporary files remain, and the exit code is that
//! of a crash. When a file exceeds `ulimit -f`, the system kills the program with a signal, with the same result.
//! Fallible allocations would have to be used in every library.
//!
//! Idea: [`OrExit`] is an allocator that wraps the system's allocator. When an allocation fails, the program prints one
//! line, cleans up and ends with exit code 2, at any point of the program. [`report_full_files`] ignores the signal, so
//! that writing fails as on a full disk. [`end_by_terminate`] turns other signals that would kill the program into
//! SIGTERM, which programs handle. [`available_memory`] lets a program refuse work before it starts.
//!
//! Limits: a system that overcommits memory, as Linux does by default, may kill the program later with a signal that
//! cannot be caught. An allocation with `try_reserve` also ends the program if it fails.
//!
//! This is the only file in the workspace with `unsafe` code. Each unsafe function forwards its arguments unchanged.

mod memory;

pub use memory::available_memory;

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    io::Write,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// The exit code after an error.
const WRONG: i32 = 2;

thread_local! {
    /// Whether this thread ends the program, or waits for its end. Accessing it needs no memory.
    static ENDS_IT: Cell<bool> = const { Cell::new(false) };
}

/// An allocator that uses the system's allocator and ends the program when memory runs out.
pub struct OrExit {
    clean_up: fn(),
    is_ending: AtomicBool,
}

impl OrExit {
    /// Creates the allocator. `clean_up` runs before the program ends.
    ///
    /// At that point there is little or no memory, and any thread may hold any lock, so `clean_up` must not wait for a
    /// lock.
    pub const fn after(clean_up: fn()) -> Self {
        Self {
            clean_up,
            is_ending: AtomicBool::new(false),
        }
    }

    /// Returns the allocation, or ends the program if it failed.
    fn checked(&self, got: *mut u8, size: usize) -> *mut u8 {
        // The clean-up may allocate memory, and gets the usual result if that fails.
        if !got.is_null() || ENDS_IT.replace(true) {
            return got;
        }
        while self.is_ending.swap(true, Ordering::SeqCst) {
            // Another thread was first, and will end this one too.
            std::thread::sleep(Duration::from_secs(1));
        }
        // Formatted on the stack.
        let mut line = [0_u8; 80];
        let mut rest = &mut line[..];
        let megabytes = size.div_ceil(1 << 20);
        let _ = writeln!(
            rest,
            "error: not enough memory: {megabytes} MiB more are needed"
        );
        let length = 80 - rest.len();
        // Ignore errors: standard error may be closed.
        let _ = std::io::stderr().write_all(&line[..length]);
        (self.clean_up)();
        std::process::exit(WRONG)
    }
}

// SAFETY: every call is forwarded to `System`, which fulfills the contract, with the arguments and guarantees of the
// caller. The only other effect is the end of the program.
unsafe impl GlobalAlloc for OrExit {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        self.checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        self.checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: guaranteed by the caller; all of our memory comes from `System`.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: guaranteed by the caller; all of our memory comes from `System`.
        self.checked(unsafe { System.realloc(memory, layout, size) }, size)
    }
}

/// Makes writing beyond the file size limit fail, as on a full disk, instead of ending the program.
///
/// Has no effect on systems without such a limit.
pub fn report_full_files() {
    #[cfg(unix)]
    // SAFETY: ignoring a signal runs no code of ours, and both numbers are constants of the system.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// Lets the signals SIGQUIT (Ctrl-\), SIGXCPU (`ulimit -t`), SIGALRM, SIGUSR1 and SIGUSR2 arrive as SIGTERM.
///
/// By default they end the program at once, without removing its temporary files. With this, the handler for SIGTERM is
/// enough, and the program must install one. Signals that the parent process ignores stay ignored.
///
/// Has no effect on systems without these signals.
pub fn end_by_terminate() {
    #[cfg(unix)]
    {
        extern "C" fn terminate(_: libc::c_int) {
            // SAFETY: both functions may be called in a signal handler.
            unsafe {
                libc::kill(libc::getpid(), libc::SIGTERM);
            }
        }
        let handler = terminate as extern "C" fn(libc::c_int);
        for signal in [
            libc::SIGQUIT,
            libc::SIGXCPU,
            libc::SIGALRM,
            libc::SIGUSR1,
            libc::SIGUSR2,
        ] {
            // SAFETY: the handler is a function for a signal, and the numbers are constants of the system.
            unsafe {
                if libc::signal(signal, handler as libc::sighandler_t) == libc::SIG_IGN {
                    libc::signal(signal, libc::SIG_IGN);
                }
            }
        }
    }
}
