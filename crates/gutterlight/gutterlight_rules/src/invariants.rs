//! Invariants that the rules rely on: no one is in a wall, no two are in one cell, no index is out
//! of range.
//!
//! The rules preserve the invariants by themselves. Saved games are untrusted, so they are checked
//! before they are played, and tests check after every action of long random games. The allowed
//! ranges are wider than those of the rules, because a saved game may continue with other rules.

#[cfg(test)]
mod tests;

use core::ops::RangeInclusive;

use glam::IVec2;
use thiserror::Error;

use crate::{
    AlertState, Ending, Guard, GuardId, Item, Perk, Plane, Stack, Thief, Tile, Torch, World,
    floor::{FLOORS, Floor},
    guard::SURE,
    light,
    limits::{
        MOST_CELLS, MOST_EMBERS, MOST_GUARDS, MOST_HEALTH, MOST_NERVE, MOST_SAVED, MOST_SLOTS,
    },
    rules::BEAT,
    thief::Tally,
    world::State,
};

/// The maximum number of lamps on a floor. `Guard::lamp` is a byte.
const MOST_LAMPS: usize = 256;

/// The maximum of turns, ticks and other counters. It is far from the limits of their types.
const MOST_COUNTED: u32 = 1 << 30;

/// A violated invariant, described in words: `watchman 0: it is at [0, 0], in a wall (floor 1)`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct InvariantViolation(String);

/// An error unless `holds`.
fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), InvariantViolation> {
    if holds {
        Ok(())
    } else {
        Err(InvariantViolation(otherwise()))
    }
}

/// An error unless a number is in a range.
fn within<T: PartialOrd + core::fmt::Display>(
    what: &str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<(), InvariantViolation> {
    ensure(range.contains(&value), || {
        format!(
            "{what} is {value}, but must be from {} to {}",
            range.start(),
            range.end()
        )
    })
}

impl World {
    /// Checks all invariants. They hold for every world, so this is only useful for tests and
    /// debugging. [`load`](Self::load) calls it too.
    ///
    /// # Errors
    /// The first invariant that is violated.
    pub fn check_invariants(&self) -> Result<(), InvariantViolation> {
        self.state.check()?;
        self.check_light()?;
        self.check_record()
    }

    /// Checks that a record with known rules contains every action.
    fn check_record(&self) -> Result<(), InvariantViolation> {
        let turns = self.record.actions.len();
        let whole = turns == self.state.turn as usize;
        ensure(whole || self.record.fingerprint.is_none(), || {
            format!("{turns} of {} actions are recorded", self.state.turn)
        })
    }

    /// Checks that the light belongs to this floor.
    fn check_light(&self) -> Result<(), InvariantViolation> {
        let floor = self.floor();
        let expected = (floor.tiles.width() as u32, floor.tiles.height() as u32);
        ensure(
            (self.light.width(), self.light.height()) == expected,
            || "the light is for a floor of another size".to_owned(),
        )?;
        let settings = light::settings(&self.rules);
        let same = self.light.is_gray() && *self.light.settings() == settings;
        ensure(same, || {
            "the light has colors, or the settings of other rules".to_owned()
        })?;
        let mut cells = floor.tiles.cells();
        let wrong = cells.find(|&at| self.light.cell(at) != light::cell(&self.rules, floor, at));
        ensure(wrong.is_none(), || {
            let at = wrong.unwrap_or_default();
            format!("the light cell at {at} does not match its tile")
        })
    }
}

impl State {
    pub(crate) fn check(&self) -> Result<(), InvariantViolation> {
        self.check_floors()?;
        self.thief.check(self.ending)?;
        self.check_thief_on_floor()?;
        self.check_followers()?;
        self.check_counts()?;
        self.check_offer()?;
        ensure(self.dice.seed() == self.seed, || {
            "the dice have another seed".to_owned()
        })
    }

    fn check_floors(&self) -> Result<(), InvariantViolation> {
        let floors = self.floors.len();
        ensure(
            (1..=FLOORS).contains(&floors) && self.depth < floors,
            || format!("floor {} of {floors} does not exist", self.depth),
        )?;
        for (depth, floor) in self.floors.iter().enumerate() {
            floor.check().map_err(|InvariantViolation(what)| {
                InvariantViolation(format!("{what} (floor {depth})"))
            })?;
        }
        Ok(())
    }

    fn check_thief_on_floor(&self) -> Result<(), InvariantViolation> {
        let (floor, at) = (&self.floors[self.depth], self.thief.at);
        ensure(can_stand(floor, at), || {
            format!("the thief is at {at}, in {}", floor.tile(at).name())
        })?;
        ensure(floor.guard_at(at).is_none(), || {
            format!("the thief and a guard are both at {at}")
        })
    }

    fn check_followers(&self) -> Result<(), InvariantViolation> {
        within("followers", self.followers.len(), 0..=FLOORS * MOST_GUARDS)?;
        for (guard, _) in &self.followers {
            check_mind(guard, MOST_CELLS)?;
            let fit = guard.is_standing() && guard.lamp.is_none_or(|lamp| lamp < u8::MAX);
            ensure(fit, || {
                format!(
                    "a {} on the stairs is not standing, or has an invalid lamp",
                    guard.kind.name()
                )
            })?;
            let floor = &self.floors[self.depth];
            let point_of_interest = guard
                .point_of_interest
                .is_none_or(|at| floor.tiles.contains(at));
            ensure(point_of_interest, || {
                "a follower goes outside of the floor".to_owned()
            })?;
        }
        Ok(())
    }

    fn check_counts(&self) -> Result<(), InvariantViolation> {
        let Tally {
            times_seen,
            times_suspected,
            takedowns,
            kills,
            lamps_doused,
            beats_hidden,
            beats_lit,
            beats_torch,
            bells,
            // Any value is allowed.
            tools: _,
        } = self.tally;
        let counts = [
            ("turns", self.turn),
            ("ticks", self.tick),
            ("times seen", times_seen),
            ("times suspected", times_suspected),
            ("takedowns", takedowns),
            ("kills", kills),
            ("lamps doused", lamps_doused),
            ("beats hidden", beats_hidden),
            ("beats lit", beats_lit),
            ("beats with a torch", beats_torch),
            ("bells", bells),
        ];
        for (name, count) in counts {
            within(name, count, 0..=MOST_COUNTED)?;
        }
        let beat = u32::from(BEAT) * 100;
        self.check_story()?;
        within("burned fuel", self.burnt.0, 0..=beat - 1)?;
        within("burned cloth", self.burnt.1, 0..=beat - 1)
    }

    /// Checks that all cells of the story are on floors of this game.
    fn check_story(&self) -> Result<(), InvariantViolation> {
        let story = &self.story;
        let inside = |depth: usize, at: IVec2| {
            let floor = self.floors.get(depth);
            floor.is_some_and(|floor| floor.tiles.contains(at))
        };
        let mut ways = story.ways.iter().enumerate();
        let way = ways.all(|(depth, way)| way.iter().all(|&at| inside(depth, at)));
        let mut seen = story.sightings.iter();
        let seen = seen.all(|it| {
            [it.at, it.from]
                .iter()
                .all(|&at| inside(it.depth.into(), at))
        });
        let mut doused = story.doused.iter();
        let doused = doused.all(|it| inside(it.depth.into(), it.at));
        ensure(way && seen && doused, || {
            "the story has cells outside of the floors".to_owned()
        })
    }

    fn check_offer(&self) -> Result<(), InvariantViolation> {
        let Some(offer) = self.offer else {
            return Ok(());
        };
        let new = offer.iter().all(|&perk| !self.thief.has(perk));
        ensure(new && all_differ(&offer), || {
            "a perk on offer is already known, or offered twice".to_owned()
        })
    }
}

impl Thief {
    fn check(&self, ending: Option<Ending>) -> Result<(), InvariantViolation> {
        let dead = matches!(ending, Some(Ending::Slain(_) | Ending::Burnt));
        let health = match dead {
            true => i16::MIN..=0,
            false => 1..=2 * MOST_HEALTH,
        };
        within("the thief's health", self.health, health)?;
        within("the thief's nerve", self.nerve, 0..=MOST_NERVE)?;
        within("the thief's breath", self.breath, 0..=MOST_NERVE)?;
        within("embers", self.embers, 0..=MOST_EMBERS)?;
        within("slots", self.tools.len(), 1..=usize::from(MOST_SLOTS))?;
        for &stack in self.tools.iter().flatten() {
            check_stack(stack)?;
        }
        self.torch.map_or(Ok(()), check_torch)?;
        let wrapped = self.ember.is_some_and(|ember| ember.wrapped);
        ensure(!wrapped || self.cloth > 0, || {
            "the Ember is wrapped without cloth".to_owned()
        })?;
        ensure(
            ending != Some(Ending::Escaped) || self.ember.is_some(),
            || "the thief escaped without the Ember".to_owned(),
        )?;
        ensure(ending != Some(Ending::Rescued) || self.rescued, || {
            "the thief left with a prisoner, but freed none".to_owned()
        })?;
        within("perks", self.perks.len(), 0..=Perk::ALL.len())?;
        ensure(all_differ(&self.perks), || {
            "a perk was learned twice".to_owned()
        })
    }
}

impl Floor {
    fn check(&self) -> Result<(), InvariantViolation> {
        self.check_tiles()?;
        self.check_lamps()?;
        self.check_items()?;
        self.check_ground()?;
        self.check_alarm()?;
        self.check_guards()
    }

    fn check_tiles(&self) -> Result<(), InvariantViolation> {
        let size = size(&self.tiles);
        within("the width", size.x, 3..=MOST_CELLS.x)?;
        within("the height", size.y, 3..=MOST_CELLS.y)?;
        let fits = crate::invariants::size(&self.scent) == size
            && crate::invariants::size(&self.memory) == size;
        ensure(fits, || {
            "scent or memory have another size than the floor".to_owned()
        })?;
        if let Some(at) = self.gap() {
            return Err(InvariantViolation(format!("the border is open at {at}")));
        }
        ensure(self.is_passable(self.up), || {
            format!("the stairs up at {} are blocked", self.up)
        })?;
        let down = self
            .down
            .is_none_or(|down| self.tile(down) == Tile::StairsDown);
        ensure(down, || "there are no stairs down at their cell".to_owned())
    }

    fn check_lamps(&self) -> Result<(), InvariantViolation> {
        within("lamps", self.fixtures.len(), 0..=MOST_LAMPS)?;
        let dark = |at| self.tile(at).is_opaque();
        let wrong = self.fixtures.iter().find(|lamp| dark(lamp.at));
        ensure(wrong.is_none(), || {
            let at = wrong.map(|lamp| lamp.at).unwrap_or_default();
            format!("a lamp is at {at}, in {}", self.tile(at).name())
        })
    }

    fn check_items(&self) -> Result<(), InvariantViolation> {
        for placed in &self.items {
            let at = placed.at;
            ensure(self.tiles.contains(at) && !self.tile(at).is_solid(), || {
                format!(
                    "{} is at {at}, in {}",
                    placed.item.name(),
                    self.tile(at).name()
                )
            })?;
            match placed.item {
                Item::Tool(stack) => check_stack(stack)?,
                Item::Torch(torch) => check_torch(torch)?,
                Item::Key | Item::Treasure(_) | Item::Cloth(_) | Item::Ember | Item::Prisoner => {}
            }
        }
        Ok(())
    }

    /// Checks smoke and oil.
    fn check_ground(&self) -> Result<(), InvariantViolation> {
        for smoke in &self.smoke {
            within("smoke", smoke.density, 1..=100)?;
        }
        let mut smoke: Vec<IVec2> = self.smoke.iter().map(|smoke| smoke.at).collect();
        let mut oil: Vec<IVec2> = self.oil.iter().map(|oil| oil.at).collect();
        for (name, cells) in [("smoke", &mut smoke), ("oil", &mut oil)] {
            let inside = cells.iter().all(|&at| self.tiles.contains(at));
            ensure(inside, || format!("{name} is outside of the floor"))?;
            let count = cells.len();
            cells.sort_unstable_by_key(|at| (at.y, at.x));
            cells.dedup();
            ensure(cells.len() == count, || {
                format!("{name} is in a cell twice")
            })?;
        }
        Ok(())
    }

    fn check_alarm(&self) -> Result<(), InvariantViolation> {
        let alarm = &self.alarm;
        within("fright", alarm.fright, 0..=MOST_COUNTED)?;
        within("the last report to a hunter", alarm.told, 0..=MOST_COUNTED)?;
        let known = alarm.quarry.is_none_or(|at| self.tiles.contains(at));
        ensure(known, || {
            "the last known position of the thief is outside of the floor".to_owned()
        })
    }

    fn check_guards(&self) -> Result<(), InvariantViolation> {
        within("guards", self.guards.len(), 0..=MOST_GUARDS)?;
        for (id, guard) in self.guards.iter().enumerate() {
            self.check_guard(id as GuardId, guard)
                .map_err(|InvariantViolation(what)| {
                    InvariantViolation(format!("{} {id}: {what}", guard.kind.name()))
                })?;
        }
        Ok(())
    }

    fn check_guard(&self, id: GuardId, guard: &Guard) -> Result<(), InvariantViolation> {
        check_mind(guard, size(&self.tiles))?;
        let lamp = guard
            .lamp
            .is_none_or(|lamp| usize::from(lamp) < self.fixtures.len());
        ensure(lamp, || "it goes to a lamp that does not exist".to_owned())?;
        let dead = guard.alert_state == AlertState::Dead;
        ensure(dead == (guard.health <= 0), || {
            format!(
                "it is {} with a health of {}",
                guard.alert_state.name(),
                guard.health
            )
        })?;
        if guard.has_left() {
            return ensure(dead, || "it has left the floor, but is not dead".to_owned());
        }
        let at = guard.at;
        let stands = guard.is_standing();
        ensure(
            if stands {
                can_stand(self, at)
            } else {
                self.is_passable(at)
            },
            || format!("it is at {at}, in {}", self.tile(at).name()),
        )?;
        ensure(!stands || self.guard_at(at) == Some(id), || {
            format!("another guard is at {at} too")
        })
    }
}

/// Checks a guard's plans: indices, cells and counts. A guard on the stairs still has the plans of
/// another floor.
fn check_mind(guard: &Guard, size: IVec2) -> Result<(), InvariantViolation> {
    let inside = |at: &IVec2| at.cmpge(IVec2::ZERO).all() && at.cmplt(size).all();
    ensure(usize::from(guard.leg) < guard.route.len(), || {
        format!(
            "it walks to waypoint {} of {}",
            guard.leg,
            guard.route.len()
        )
    })?;
    let cells = guard.route.iter().chain(&guard.path);
    let all = cells
        .chain(&guard.point_of_interest)
        .chain([&guard.home])
        .all(inside);
    ensure(all, || "it goes outside of the floor".to_owned())?;
    within("its health", guard.health, 0..=MOST_HEALTH)?;
    within("its awareness", guard.awareness, 0..=SURE)?;
    within("its saved time", guard.saved, 0..=MOST_SAVED)
}

fn check_stack(stack: Stack) -> Result<(), InvariantViolation> {
    ensure(stack.count > 0, || {
        format!("there is an empty stack of {}", stack.tool.name())
    })
}

fn check_torch(torch: Torch) -> Result<(), InvariantViolation> {
    ensure(!torch.lit || torch.fuel > 0, || {
        "a torch burns without fuel".to_owned()
    })
}

fn size<T>(plane: &Plane<T>) -> IVec2 {
    IVec2::new(plane.width(), plane.height())
}

/// Whether someone can stand in a cell now.
fn can_stand(floor: &Floor, at: IVec2) -> bool {
    floor.is_passable(at) && floor.tile(at).is_walkable()
}

fn all_differ<T: PartialEq>(things: &[T]) -> bool {
    let mut rest = things;
    while let [first, others @ ..] = rest {
        if others.contains(first) {
            return false;
        }
        rest = others;
    }
    true
}
