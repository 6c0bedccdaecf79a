//! Limits that hold for every game, with any rules. Rules and saved games are checked against
//! them.

use glam::IVec2;

/// The maximum size of a floor in cells: from west to east, and from north to south.
pub(crate) const MOST_CELLS: IVec2 = IVec2::new(128, 96);

/// The maximum initial health of anyone.
pub(crate) const MOST_HEALTH: i16 = 1000;

/// The maximum nerve and the maximum breath.
pub(crate) const MOST_NERVE: i16 = 1000;

/// The maximum number of ticks that a torch glows.
pub(crate) const MOST_EMBERS: u16 = 400;

/// The maximum number of tool slots.
pub(crate) const MOST_SLOTS: u8 = 16;

/// The maximum number of guards on a floor. `Guard::mourns` has one bit for each.
pub(crate) const MOST_GUARDS: usize = 64;

/// The maximum number of ticks that a guard can save.
pub(crate) const MOST_SAVED: u16 = 16;

/// The number of buckets in the search for sound. It must be more than the cost of the most
/// expensive step: a diagonal step of 14, plus half of the muffling of both cells. The rules are
/// checked for this.
pub(crate) const SOUND_BUCKETS: usize = 512;
