//! Generated floors without a game, with all their secrets. For tools and tests.

use lanternfell_lightgrid::LightGrid;

use crate::{Difficulty, Rules, floor::FLOORS, floor::Floor, generate::generate, light};

/// A newly generated floor, and its settled light.
#[derive(Debug, Clone)]
pub struct Survey {
    /// The floor, with guards at the start of their routes.
    pub floor: Floor,
    /// The gray light that the rules read.
    pub light: LightGrid,
    /// The same light in color, for drawing.
    pub colors: LightGrid,
}

impl Survey {
    /// Generates the floor at the index `depth`, from 0, of the keep of
    /// `World::new(seed, difficulty)`. `None` if the keep has no such floor.
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
    fn survey_equals_the_first_floor_of_a_game() {
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
