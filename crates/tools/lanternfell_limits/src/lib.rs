//! What a program does where the system's memory or its largest file ends.
//!
//! Problem: when there is no memory, Rust aborts: no destructor runs, so that temporary files are
//! left, and the exit code is that of a crash. When a file gets larger than `ulimit -f` allows,
//! the system ends the program by a signal, with the same result. Asking for every piece of
//! memory in a way that can fail would have to reach into every library.
//!
//! Idea: [`OrExit`] is an allocator that asks the system's own; where that has nothing, the
//! program says so in one line, cleans up and ends with exit code 2, from wherever it is.
//! [`report_full_files`] ignores the signal: then writing fails as it does on a full disk.
//!
//! Limits: a system that promises more memory than it has, as Linux does by default, may end
//! the program later by a signal that can not be caught. Memory that is asked for by
//! `try_reserve` ends the program too.
//!
//! This is the one file of the workspace that has `unsafe` code: each piece hands on what it is
//! asked for, unchanged.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    io::Write,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// The exit code of a program that did not do what it was asked for.
const WRONG: i32 = 2;

thread_local! {
    /// Whether this thread ends the program, or waits for its end. It needs no memory.
    static ENDS_IT: Cell<bool> = const { Cell::new(false) };
}

/// The system's allocator, which ends the program where there is no memory.
pub struct OrExit {
    clean_up: fn(),
    is_ending: AtomicBool,
}

impl OrExit {
    /// Calls `clean_up` before the end. There is no memory then, or only a little, and any thread
    /// may hold any lock: it must not wait for one.
    pub const fn after(clean_up: fn()) -> Self {
        Self {
            clean_up,
            is_ending: AtomicBool::new(false),
        }
    }

    /// What was got, or the end of the program.
    fn checked(&self, got: *mut u8, size: usize) -> *mut u8 {
        // Cleaning up may ask for memory itself, and gets the usual answer.
        if !got.is_null() || ENDS_IT.replace(true) {
            return got;
        }
        while self.is_ending.swap(true, Ordering::SeqCst) {
            // Another thread was first, and ends this one too.
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
        // Whoever closed standard error does not want to know.
        let _ = std::io::stderr().write_all(&line[..length]);
        (self.clean_up)();
        std::process::exit(WRONG)
    }
}

// SAFETY: every call is handed on to `System`, which keeps the promises, with the arguments and
// the promises of its caller; the only other thing that happens is the end of the program.
unsafe impl GlobalAlloc for OrExit {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        self.checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        self.checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises; all of our memory is `System`'s.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises; all of our memory is `System`'s.
        self.checked(unsafe { System.realloc(memory, layout, size) }, size)
    }
}

/// Lets writing fail, as on a full disk, where a file may not get larger: the system would end
/// the program instead. Does nothing where there is no such limit.
pub fn report_full_files() {
    #[cfg(unix)]
    // SAFETY: to ignore a signal runs no code of ours at any other time, and both numbers are
    // the system's own.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}
