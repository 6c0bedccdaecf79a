//! A channel's light given to another, for which it was worked out.

use super::state::Channel;
use crate::plane::Plane;

/// What a channel is to show.
pub(crate) struct Shown<'a> {
    /// Its light; takes what was shown before.
    pub(crate) light: &'a mut Plane,
    /// The channel that has worked it out.
    pub(crate) worked: &'a Channel,
    /// The tiles in which it is new; none where tiles are not those that it was worked out in.
    pub(crate) changed: Option<&'a Vec<bool>>,
}

impl Channel {
    /// Shows the light that another channel has worked out, and would go on from it as that one; `changed_sources` hears of
    /// cells of which sources ask for something else.
    pub(crate) fn show(&mut self, shown: Shown<'_>, changed_sources: impl FnMut(usize, usize)) {
        let Shown {
            light,
            worked,
            changed,
        } = shown;
        core::mem::swap(&mut self.light, light);
        self.back_is_old = true;
        // What the sources asked of this light, and not of that before it.
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
