//! What no game exceeds, whatever its rules: what is saved, and tables, are checked for it.

use glam::IVec2;

/// The most cells of a floor from west to east, and from north to south.
pub(crate) const MOST_CELLS: IVec2 = IVec2::new(128, 96);

/// The most health that anybody begins with.
pub(crate) const MOST_HEALTH: i16 = 1000;

/// The most nerve, and the most breath.
pub(crate) const MOST_NERVE: i16 = 1000;

/// The most ticks that a torch glows.
pub(crate) const MOST_EMBERS: u16 = 400;

/// The most slots.
pub(crate) const MOST_SLOTS: u8 = 16;

/// Guards on a floor at most: there is a bit for each in what they mourn.
pub(crate) const MOST_GUARDS: usize = 64;

/// Ticks that a guard can save up.
pub(crate) const MOST_SAVED: u16 = 16;

/// More than the dearest step: a corner of 14, and twice half of the most that a cell swallows.
/// Rules are checked for that.
pub(crate) const SOUND_BUCKETS: usize = 512;
