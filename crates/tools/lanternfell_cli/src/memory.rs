//! Refuses work that needs more memory than is available, before it starts.
//!
//! The estimates are lower bounds: the maps that must be in memory at the same time. Work that passes may still run out
//! of memory, but work that is refused could not end.

use std::fmt::Display;

use lanternfell_heightmap::{MapSize, Recipe};

use crate::failure::Failure;

/// Work that needs less is not checked.
const LITTLE: u64 = 64 << 20;

/// Returns the size in bytes of a map.
pub(crate) fn of_map(size: MapSize) -> u64 {
    4 * size.cells() as u64
}

/// Returns the size in bytes of the maps that exist at the same time while a recipe is made.
pub(crate) fn of_recipe(recipe: &Recipe) -> u64 {
    // An invalid recipe has its own error.
    let maps = recipe.peak_map_count().unwrap_or(1) as u64;
    maps.saturating_mul(of_map(recipe.size))
}

/// Returns an error if `needed` bytes are more than the system has. `what` needs them.
pub(crate) fn check(needed: u64, what: impl Display) -> Result<(), Failure> {
    if needed <= LITTLE {
        return Ok(());
    }
    let available = lanternfell_limits::available_memory();
    available.map_or(Ok(()), |available| within(needed, available, what))
}

fn within(needed: u64, available: u64, what: impl Display) -> Result<(), Failure> {
    if needed <= available {
        return Ok(());
    }
    let [needed, available] = [needed, available].map(|bytes| bytes.div_ceil(1 << 20));
    Err(Failure::Usage(format!(
        "not enough memory: {what} needs at least {needed} MiB, but {available} MiB are available; use fewer cells"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_does_not_fit() {
        assert!(within(1000, 1000, "a map").is_ok());
        let error = within(3 << 30, 1 << 30, "a map of 16384x16384 cells").unwrap_err();
        let said = error.to_string();
        for part in ["a map of 16384x16384 cells", "3072 MiB", "1024 MiB"] {
            assert!(said.contains(part), "{said}");
        }
    }
}
