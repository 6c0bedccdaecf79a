//! Floors as they lie there before any thief comes, with all their secrets: for tools and
//! tests.

use lanternfell_lightgrid::LightGrid;

use crate::{Difficulty, Rules, floor::FLOORS, floor::Floor, generate::generate, light};

/// A floor of a keep that nobody has entered, and the settled light on it.
#[derive(Debug, Clone)]
pub struct Survey {
    /// The floor, its guards at the beginning of their routes.
    pub floor: Floor,
    /// The light of its lamps and lanterns, as the rules read it: gray.
    pub light: LightGrid,
    /// The same in colors, to be drawn.
    pub colors: LightGrid,
}

impl Survey {
    /// The floor at `depth`, from 0, of the keep that [`World::new`](crate::World::new) makes
    /// from the seed. None if the keep has no such floor.
    pub fn new(rules: &Rules, seed: u64, difficulty: Difficulty, depth: usize) -> Option<Self> {
        if depth >= FLOORS {
            return None;
        }
        let floor = generate(rules, seed, difficulty, depth);
        let mut light = light::build(rules, &floor);
        let set = light.set_sources(&light::sources(rules, &floor, None));
        debug_assert!(set.is_ok(), "{set:?}");
        light.settle(rules.light.tolerance);
        let colors = light::colored(&light, rules.light.tolerance);
        Some(Self {
            floor,
            light,
            colors,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Tile, World};

    #[test]
    fn a_survey_shows_the_floor_that_a_game_begins_on() {
        let rules = Rules::standard();
        let survey = Survey::new(&rules, 6, Difficulty::Ghost, 0).expect("the first floor");
        let world = World::new(6, Difficulty::Ghost);
        assert_eq!(survey.floor.tiles, world.floor().tiles);
        assert_eq!(survey.floor.guards, world.floor().guards);
        let up = survey.floor.up;
        assert_eq!(survey.floor.tile(up), Tile::StairsUp);
        // Only the thief's torch is missing.
        assert!(survey.light.luminance(up) < world.light().luminance(up));
        assert!(Survey::new(&rules, 6, Difficulty::Ghost, FLOORS).is_none());
    }
}
