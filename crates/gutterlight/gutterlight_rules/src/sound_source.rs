//! Who makes a sound: guards mind the thief and things, and few sounds of each other.

use crate::GuardId;

/// Who made a sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SoundSource {
    /// The thief.
    Thief,
    /// Something that was thrown, or fell.
    Thing,
    /// A guard.
    Guard(GuardId),
}
