//! Restores the light of a channel after it was settled temporarily.
//!
//! The settled solver writes few cells, so their previous light is recorded when they are written.
//! The state of the tiles is small, and is copied.

use super::{state::Channel, unsettled::Unsettled};
use crate::activity::Activity;

/// The previous state of a channel, except for its light and the constraints of sources.
#[derive(Debug)]
pub(crate) struct Before {
    tiles: Activity,
    dirty: Vec<bool>,
    any_dirty: bool,
    threshold: f32,
    was_shade: bool,
    unsettled: Unsettled,
    ceiling: f32,
}

/// The cells that were written, in the order of writing, and their previous light. `None` while
/// nothing needs to be restored, which includes clones.
#[derive(Debug, Default)]
pub(super) struct Overwritten(Option<Vec<(u32, u32, f32)>>);

impl Overwritten {
    pub(super) fn note(&mut self, x: usize, y: usize, light: f32) {
        if let Some(cells) = &mut self.0 {
            cells.push((x as u32, y as u32, light));
        }
    }
}

impl Clone for Overwritten {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Channel {
    /// Starts to record the light that is overwritten.
    pub(crate) fn remember(&mut self) -> Before {
        self.overwritten = Overwritten(Some(Vec::new()));
        Before {
            tiles: self.tiles.clone(),
            dirty: self.dirty.clone(),
            any_dirty: self.any_dirty,
            threshold: self.threshold,
            was_shade: self.was_shade,
            unsettled: self.unsettled.clone(),
            ceiling: self.ceiling,
        }
    }

    /// Restores the previous state. The constraints of the sources must have been restored already.
    pub(crate) fn put_back(&mut self, before: Before) {
        // In reverse order: if a cell was written more than once, the first record counts.
        for (x, y, light) in self.overwritten.0.take().into_iter().flatten().rev() {
            self.light.set(x as usize, y as usize, light);
        }
        let Before {
            tiles,
            dirty,
            any_dirty,
            threshold,
            was_shade,
            unsettled,
            ceiling,
        } = before;
        (self.tiles, self.dirty, self.any_dirty) = (tiles, dirty, any_dirty);
        (self.threshold, self.was_shade) = (threshold, was_shade);
        (self.unsettled, self.ceiling) = (unsettled, ceiling);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_do_not_record() {
        let mut channel = Channel::new(4, 4, 4);
        let before = channel.remember();
        let mut copy = channel.clone();
        for channel in [&mut channel, &mut copy] {
            channel.put(1, 2, 0.5);
            channel.put(1, 2, 0.75);
        }
        assert!(copy.overwritten.0.is_none());
        channel.put_back(before);
        assert!(channel.overwritten.0.is_none());
        assert_eq!((channel.light.get(1, 2), copy.light.get(1, 2)), (0.0, 0.75));
    }
}
