//! What a game's end tells: the way the thief took, who saw him where, which lamps he put out.

use glam::IVec2;
use serde::{Deserialize, Serialize};

use crate::GuardKind;

/// Cells that are remembered of the way over a floor; whoever goes on for longer has shown enough.
const MOST_CELLS_OF_WAY: usize = 10_000;

/// Times of being seen, and lamps, that are remembered.
const MOST_NOTES: usize = 1000;

/// A guard became sure of the thief.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sighting {
    /// On which floor, from 0.
    pub depth: u8,
    /// Where the thief was.
    pub at: IVec2,
    /// What kind of guard.
    pub by: GuardKind,
    /// Where it stood.
    pub from: IVec2,
    /// When, in ticks of the game.
    pub tick: u32,
}

/// A lamp that the thief put out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doused {
    /// On which floor, from 0.
    pub depth: u8,
    /// Where.
    pub at: IVec2,
}

/// How the thief came through the keep.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Story {
    /// The cells in which the thief was at the end of a turn, floor by floor; where he came back to
    /// a floor, its way goes on.
    pub ways: Vec<Vec<IVec2>>,
    /// Who became sure of him, in order.
    pub sightings: Vec<Sighting>,
    /// What he put out, in order.
    pub doused: Vec<Doused>,
}

impl Story {
    /// The thief is in a cell at the end of a turn. A turn without a step adds nothing.
    pub(crate) fn walk(&mut self, depth: usize, at: IVec2) {
        if self.ways.len() <= depth {
            self.ways.resize(depth + 1, Vec::new());
        }
        let way = &mut self.ways[depth];
        if way.last() != Some(&at) && way.len() < MOST_CELLS_OF_WAY {
            way.push(at);
        }
    }

    /// A guard became sure of the thief.
    pub(crate) fn see(&mut self, sighting: Sighting) {
        if self.sightings.len() < MOST_NOTES {
            self.sightings.push(sighting);
        }
    }

    /// The thief put out a lamp.
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
    fn the_way_is_kept_without_the_turns_in_which_nobody_moved() {
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
    fn it_is_known_who_saw_the_thief_and_what_he_put_out() {
        let mut world = hall();
        world.guard_mut(0).facing = Direction::West;
        world.guard_mut(0).watch = Direction::West;
        while world.view().never_seen() {
            world.act(Action::Wait).expect("time passes");
            assert!(world.view().turn() < 40, "he stands in the light");
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
    fn the_floors_are_shown_when_the_game_is_over_and_not_before() {
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
    fn whoever_gets_out_unseen_has_a_mark() {
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
    fn whoever_gives_up_leaves_a_score_and_a_replay() {
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
