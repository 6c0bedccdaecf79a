//! The sources of sounds. Guards react to sounds of the thief and of things, but only to few sounds
//! of each other.

use crate::GuardId;

/// The source of a sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SoundSource {
    /// The thief.
    Thief,
    /// Something that was thrown or that fell.
    Thing,
    /// A guard.
    Guard(GuardId),
}
