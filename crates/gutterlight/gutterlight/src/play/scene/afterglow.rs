//! Fades out extinguished light. After a flame goes out, the cells it lit are still drawn for a
//! moment, in the light that is left on screen, while their outlines fade in.
//!
//! The rules only know settled light: in the turn in which the torch goes out, everything is dark.
//! On screen, the light fades over time. Only cells that were visible until then are drawn, and
//! only as remembered: terrain and items, but no figures.

use bevy::prelude::*;
use gutterlight_rules::{GameEvent, IVec2, Sight, View};

use crate::play::game::FloorVisit;

/// Seconds for which cells are drawn.
const LASTS: f32 = 2.0;

/// The fading cells of one floor.
#[derive(Default)]
pub struct Afterglow {
    place: Option<FloorVisit>,
    width: usize,
    /// Whether each cell was visible at the last update.
    seen: Vec<bool>,
    /// The remaining seconds of each cell.
    left: Vec<f32>,
    /// Seconds until all extinguished light is gone.
    dying: f32,
    /// Whether any cell is fading.
    pub glows: bool,
}

/// Whether the event extinguishes a light.
pub fn is_dying(event: GameEvent) -> bool {
    matches!(
        event,
        GameEvent::Torch { lit: false }
            | GameEvent::TorchSpent
            | GameEvent::Lamp { burning: false, .. }
            | GameEvent::Wrapped { wrapped: true }
    )
}

impl Afterglow {
    /// Updates the cells from the view. `died` is whether a light has gone out since the last
    /// update.
    pub fn follow(&mut self, view: View<'_>, place: FloorVisit, died: bool, seconds: f32) {
        let size = view.size();
        let cells = (size.x * size.y) as usize;
        let elsewhere = self.place.replace(place) != Some(place);
        if elsewhere {
            self.width = size.x as usize;
            self.seen = vec![false; cells];
            self.left = vec![0.0; cells];
            self.dying = 0.0;
        }
        self.dying = match died {
            true => LASTS,
            false => (self.dying - seconds).max(0.0),
        };
        self.glows = false;
        let all = (0..size.y).flat_map(|y| (0..size.x).map(move |x| IVec2::new(x, y)));
        for ((at, seen), left) in all.zip(&mut self.seen).zip(&mut self.left) {
            let now = view.sight(at) == Sight::Seen;
            let lost = core::mem::replace(seen, now) && !now;
            *left = match () {
                () if now => 0.0,
                // This also includes cells that the thief touched in the dark and has left.
                () if lost => self.dying,
                () => (*left - seconds).max(0.0),
            };
            self.glows |= *left > 0.0;
        }
    }

    /// The remaining fraction of a cell's time, from 1 to 0.
    pub fn part(&self, at: IVec2) -> f32 {
        let place = at.y as usize * self.width + at.x as usize;
        self.left.get(place).map_or(0.0, |left| left / LASTS)
    }
}

#[cfg(test)]
mod tests {
    use gutterlight_rules::{Action, Difficulty, World};

    use super::*;

    #[test]
    fn cells_fade_after_torch_goes_out() {
        let mut world = World::new(7, Difficulty::Thief);
        let here = world.view().thief().at;
        let mut glow = Afterglow::default();
        glow.follow(world.view(), FloorVisit::default(), false, 0.0);
        assert!(!glow.glows);
        let events = world.act(Action::SnuffTorch).unwrap();
        assert!(events.iter().any(|event| is_dying(*event)));
        glow.follow(world.view(), FloorVisit::default(), true, 0.1);
        assert!(glow.glows);
        let mut last = 1.0;
        for _ in 0..25 {
            glow.follow(world.view(), FloorVisit::default(), false, 0.1);
            let cells = (0..60).map(|x| glow.part(IVec2::new(x, here.y)));
            let most = cells.fold(0.0, f32::max);
            assert!(most <= last, "{most} after {last}");
            last = most;
        }
        assert!(!glow.glows && last == 0.0);
    }

    #[test]
    fn cells_out_of_sight_do_not_fade() {
        let mut world = World::new(7, Difficulty::Thief);
        let mut glow = Afterglow::default();
        for way in gutterlight_rules::Direction::ALL.repeat(6) {
            glow.follow(world.view(), FloorVisit::default(), false, 0.1);
            assert!(!glow.glows, "{way:?}");
            // Walls refuse the step.
            let _ = world.act(Action::Walk(way));
        }
    }
}
