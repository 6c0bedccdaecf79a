//! Shows the light that another channel has computed.

use super::state::Channel;
use crate::plane::Plane;

/// The light that a channel takes over.
pub(crate) struct Shown<'a> {
    /// The new light. Receives the previous light of the channel.
    pub(crate) light: &'a mut Plane,
    /// The channel that has computed it.
    pub(crate) worked: &'a Channel,
    /// The tiles with new light. `None` if the channels have different tiles, or if the other
    /// channel has changed since.
    pub(crate) changed: Option<&'a Vec<bool>>,
}

impl Channel {
    /// Takes over the light that another channel has computed, with all state needed to continue
    /// from it as that channel would. Calls `changed_sources` with each cell whose constraints
    /// differ.
    pub(crate) fn show(&mut self, shown: Shown<'_>, changed_sources: impl FnMut(usize, usize)) {
        let Shown {
            light,
            worked,
            changed,
        } = shown;
        core::mem::swap(&mut self.light, light);
        self.back_is_old = true;
        // The sources' constraints for this light, not those for the previous light.
        self.take_bounds(worked, changed_sources);
        self.was_shade = worked.was_shade;
        self.any_dirty = true;
        let Some(changed) = changed else {
            self.dirty.fill(true);
            self.threshold = f32::INFINITY;
            self.was_shade = true;
            self.touch_all();
            return;
        };
        for (dirty, changed) in self.dirty.iter_mut().zip(changed) {
            *dirty |= changed;
        }
        self.threshold = worked.threshold;
        self.tiles.clone_from(&worked.tiles);
        self.unsettled.clone_from(&worked.unsettled);
        self.step_quiet_since = worked.step_quiet_since;
    }
}
