//! The story of a game: the thief's way, who saw the thief where, and which lamps were put out.

use glam::IVec2;
use serde::{Deserialize, Serialize};

use crate::GuardKind;

/// The maximum number of cells that are recorded for a floor. Later steps are not recorded.
const MOST_CELLS_OF_WAY: usize = 10_000;

/// The maximum number of sightings, and of doused lamps, that are recorded.
const MOST_NOTES: usize = 1000;

/// A guard that became sure of the thief.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sighting {
    /// The index of the floor, from 0.
    pub depth: u8,
    /// The cell of the thief.
    pub at: IVec2,
    /// The kind of guard.
    pub by: GuardKind,
    /// The cell of the guard.
    pub from: IVec2,
    /// The time, in ticks of the game.
    pub tick: u32,
}

/// A lamp that the thief put out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doused {
    /// The index of the floor, from 0.
    pub depth: u8,
    /// The cell of the lamp.
    pub at: IVec2,
}

/// What a front end can show about a finished game.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Story {
    /// The thief's cells at the end of each turn, for each floor. After a return to a floor, its
    /// list continues.
    pub ways: Vec<Vec<IVec2>>,
    /// The sightings, in order.
    pub sightings: Vec<Sighting>,
    /// The lamps that the thief put out, in order.
    pub doused: Vec<Doused>,
}

impl Story {
    /// Records the thief's cell at the end of a turn. A turn without a step adds nothing.
    pub(crate) fn walk(&mut self, depth: usize, at: IVec2) {
        if self.ways.len() <= depth {
            self.ways.resize(depth + 1, Vec::new());
        }
        let way = &mut self.ways[depth];
        if way.last() != Some(&at) && way.len() < MOST_CELLS_OF_WAY {
            way.push(at);
        }
    }

    /// Records that a guard became sure of the thief.
    pub(crate) fn see(&mut self, sighting: Sighting) {
        if self.sightings.len() < MOST_NOTES {
            self.sightings.push(sighting);
        }
    }

    /// Records that the thief put out a lamp.
    pub(crate) fn douse(&mut self, depth: usize, at: IVec2) {
        if self.doused.len() < MOST_NOTES {
            let depth = depth as u8;
            self.doused.push(Doused { depth, at });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Difficulty, Direction, Ending, GameEvent, Refusal, Rules, World};

    const HALL: &str = "
        ##############
        #<.!..@.....s#
        ##############";

    fn hall() -> World {
        World::from_drawing(Rules::standard(), 3, HALL).expect("a drawing")
    }

    #[test]
    fn turns_without_a_step_add_no_cell() {
        let mut world = hall();
        for action in [
            Action::Walk(Direction::West),
            Action::Wait,
            Action::Walk(Direction::West),
        ] {
            world.act(action).expect("free ground");
        }
        let way = &world.view().story().ways[0];
        let west = |x| IVec2::new(x, 1);
        assert_eq!(way[way.len() - 3..], [west(6), west(5), west(4)]);
        assert_eq!(world.check_invariants(), Ok(()));
    }

    #[test]
    fn records_sightings_and_doused_lamps() {
        let mut world = hall();
        world.guard_mut(0).facing = Direction::West;
        world.guard_mut(0).watch = Direction::West;
        while world.view().never_seen() {
            world.act(Action::Wait).expect("time passes");
            assert!(world.view().turn() < 40, "the thief is in the light");
        }
        let story = world.view().story();
        let seen = story.sightings[0];
        assert_eq!((seen.depth, seen.by), (0, GuardKind::Sentry));
        assert_eq!(seen.at, IVec2::new(6, 1));
        assert_eq!(
            story.sightings.len() as u32,
            world.view().tally().times_seen
        );
        let mut world = hall();
        world.floor_mut().guards.clear();
        for _ in 0..2 {
            world.act(Action::Walk(Direction::West)).expect("free");
        }
        world.act(Action::Douse(Direction::West)).expect("a sconce");
        let at = IVec2::new(3, 1);
        assert_eq!(world.view().story().doused, [Doused { depth: 0, at }]);
    }

    #[test]
    fn floors_are_revealed_only_after_the_end() {
        let mut world = hall();
        assert!(world.view().revealed(0).is_none());
        let events = world.act(Action::GiveUp).expect("at any time");
        assert_eq!(events, [GameEvent::Ended(Ending::GaveUp)]);
        assert!(world.view().revealed(0).is_some());
        assert!(world.view().revealed(1).is_none());
        assert_eq!(world.act(Action::Wait), Err(Refusal::GameOver));
        assert_eq!(world.check_invariants(), Ok(()));
    }

    #[test]
    fn unseen_escape_is_marked() {
        let mut world = hall();
        world.state.ending = Some(Ending::Escaped);
        assert!(
            world
                .view()
                .morgue()
                .contains("Times seen       0, a shadow\n")
        );
        world.state.tally.times_seen = 1;
        assert!(world.view().morgue().contains("Times seen       1\n"));
        world.state.tally.times_seen = 0;
        world.state.ending = Some(Ending::Burnt);
        assert!(world.view().morgue().contains("Times seen       0\n"));
    }

    #[test]
    fn giving_up_leaves_a_score_and_a_replay() {
        let mut world = World::new(5, Difficulty::Thief);
        world.act(Action::Wait).expect("time passes");
        world.act(Action::GiveUp).expect("at any time");
        let view = world.view();
        assert_eq!(view.score(), Rules::standard().score.floor);
        assert!(view.morgue().contains("Gave up in the Cellars."));
        let again = world.replay().expect("a game from its beginning");
        assert_eq!(again.play(Rules::standard()).as_ref(), Ok(&world));
        let line = view.summary();
        let words = "Gave up on floor 1: seen 0, lit ";
        assert!(line.starts_with(words), "{line}");
        assert!(line.ends_with("100 points, keep 5 (thief)"), "{line}");
    }
}
