//! Landmarks: [drawn rooms](super::prefab) without a lock, by which a floor is remembered.
//!
//! Each theme has its great rooms (the hall of the Cellars, the Cistern's basin and pool, the Chapel's
//! nave and garth, the hall of the Ember); these can be anywhere. Rooms and tunnels join them like others.
//! Each asks something of whoever crosses it: light, noise, or a way round.

use super::plan::{Plan, RoomKind};

/// The landmarks that there are.
pub(super) const LANDMARKS: [&str; 10] = [
    // A well: water in a ring of stone.
    "
    #########
    #.......#
    #..~~~..#
    #..~~~..#
    #..~~~..#
    #.......#
    ####+####
       #@#
       ###",
    // A library: stacks of wood, and one light to read by.
    "
    ############
    #..........#
    #.OOO.OOO..#
    #..........#
    #.OOO.OOO.!#
    #..........#
    #####+######
        #@#
        ###",
    // An armoury, behind bars.
    "
    ##########
    #........#
    #.==..==.#
    #........#
    ####+#####
       #@#
       ###",
    // A shrine between pillars, violet.
    "
    #########
    #O.....O#
    #..___..#
    #.__*__.#
    #..___..#
    #O.....O#
    ####+####
       #@#
       ###",
    // A kitchen: the fire burns, and shells crunch under the foot.
    "
    #########
    #..Y....#
    #.....::#
    #...::::#
    ###+#####
      #@#
      ###",
    // A bath: water from wall to wall, a dry edge on one side.
    "
    ##########
    #~~~~~~~~#
    #~~O~~O~~#
    #~~~~~~~~#
    #........#
    ####+#####
       #@#
       ###",
    // A court with the moon in its middle.
    "
    ###########
    #.........#
    #.O.,,,.O.#
    #...,m,...#
    #.O.,,,.O.#
    #.........#
    #####+#####
        #@#
        ###",
    // An ossuary: bones in heaps.
    "
    ##########
    #:.:O:.:.#
    #.O.::.O.#
    #:..O:.:.#
    ####+#####
       #@#
       ###",
    // A fungus cellar.
    "
    #########
    #,,f,,,,#
    #,,,,,,,#
    #,O,,O,f#
    #,,,,,,,#
    ####+####
       #@#
       ###",
    // A gallery with a carpet, a light at each end.
    "
    ##############
    #............#
    #!__________!#
    #............#
    #####+########
        #@#
        ###",
];

impl Plan<'_> {
    /// Puts some landmarks where they fit.
    pub(super) fn add_landmarks(&mut self) {
        let (least, most) = self.rules.generation.layout.landmarks;
        for _ in 0..self.rng.within(least, most) {
            let Some(placed) = self.place_prefab(&LANDMARKS, RoomKind::Landmark) else {
                return;
            };
            self.open_doorway(placed.door);
            self.room_mut(placed.id).lit = placed.fixtures.iter().any(|lamp| lamp.kind.is_flame());
            self.fixtures.extend(placed.fixtures);
        }
    }
}

#[cfg(test)]
mod tests {
    use lanternfell_random::SeededRng;

    use super::*;
    use crate::{Difficulty, Rules, Tile, drawing, generate::lay};

    #[test]
    fn landmarks_are_open_empty_and_no_two_alike() {
        let mut known: Vec<Vec<Tile>> = Vec::new();
        for text in LANDMARKS {
            let floor = drawing::parse(&Rules::standard(), text).expect(text).floor;
            assert!(floor.items.is_empty() && floor.guards.is_empty(), "{text}");
            let tiles = floor.tiles.values().to_vec();
            assert!(!known.contains(&tiles), "{text}");
            known.push(tiles);
        }
    }

    #[test]
    fn floors_of_every_theme_have_landmarks() {
        let rules = Rules::standard();
        for table in &rules.floors {
            let with = (0..12).filter(|&seed| {
                let rng = SeededRng::new(seed, b"test    ");
                let mut plan = Plan::new(&rules, table, Difficulty::Thief, false, rng);
                lay(&mut plan);
                let mut rooms = plan.room_ids();
                rooms.any(|id| plan.room(id).kind == RoomKind::Landmark)
            });
            assert!(with.count() >= 10, "{:?}", table.theme);
        }
    }
}
