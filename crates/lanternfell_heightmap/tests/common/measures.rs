//! Checks that apply to all computations on maps.

use std::fmt::Debug;

use lanternfell_heightmap::{Canceled, Progress};

/// Checks that the result is the same on one, two and seven threads.
#[track_caller]
pub fn same_on_any_threads<T: PartialEq + Send>(name: &str, work: impl Fn() -> T + Sync) {
    let found = [1, 2, 7].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(&work)
    });
    assert!(found[0] == found[1] && found[0] == found[2], "{name}");
}

/// Checks that canceled work stops, and that other work reports its progress to the end.
#[track_caller]
pub fn minds_its_progress<T: PartialEq + Debug, E: PartialEq + Debug + From<Canceled>>(
    name: &str,
    work: impl Fn(&Progress) -> Result<T, E>,
) {
    let canceled = Progress::default();
    canceled.cancel();
    assert_eq!(work(&canceled), Err(Canceled.into()), "{name}");
    let progress = Progress::default();
    work(&progress).unwrap();
    let fraction = progress.fraction();
    assert!(fraction > 0.999, "{name}: {fraction}");
}
