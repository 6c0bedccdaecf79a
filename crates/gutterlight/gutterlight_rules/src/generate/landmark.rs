//! Landmarks: [drawn rooms](super::prefab) without a lock, by which players recognize a floor.
//!
//! Each theme has its own great rooms (the hall of the Cellars, the basin and pool of the
//! Cistern, the nave and garth of the Chapel, the hall of the Ember). Landmarks can be on any
//! floor. Corridors and tunnels connect them like other rooms. Each landmark presents a problem to
//! a thief who crosses it: light, noise, or a detour.

use super::plan::{Plan, RoomKind};

/// The drawings of all landmarks.
pub(super) const LANDMARKS: [&str; 10] = [
    // A well: water inside a ring of stone.
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
    // A library: wooden stacks, and one light to read by.
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
    // An armory behind bars.
    "
    ##########
    #........#
    #.==..==.#
    #........#
    ####+#####
       #@#
       ###",
    // A shrine with a violet crystal between pillars.
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
    // A kitchen: a fire, and shells that crunch underfoot.
    "
    #########
    #..Y....#
    #.....::#
    #...::::#
    ###+#####
      #@#
      ###",
    // A bath: water from wall to wall, with a dry edge on one side.
    "
    ##########
    #~~~~~~~~#
    #~~O~~O~~#
    #~~~~~~~~#
    #........#
    ####+#####
       #@#
       ###",
    // A court with moonlight in the middle.
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
    // An ossuary with heaps of bones.
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
    // A gallery with a carpet, and a light at each end.
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
    /// Places some landmarks where they fit.
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
    use crate::{Difficulty, Rules, Tile, drawing, generate::dig_layout};

    #[test]
    fn landmarks_are_empty_and_distinct() {
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
                dig_layout(&mut plan);
                let mut rooms = plan.room_ids();
                rooms.any(|id| plan.room(id).kind == RoomKind::Landmark)
            });
            assert!(with.count() >= 10, "{:?}", table.theme);
        }
    }
}
