//! Oil, and fire.
//!
//! Oil lies where a flask broke. It catches fire from a flame in its cell (a torch on the
//! ground, a sconce, a brazier) and from burning oil beside it, burns for a while, and is
//! gone. Whoever stands in fire is burnt each beat; guards leap out of it, if they can.

use glam::IVec2;

use crate::{Direction, Ending, GameEvent, GuardId, Item, Torch, Who, World, floor::Oil};

impl World {
    /// A flask breaks: oil covers the floor around, and catches fire if there is any.
    pub(super) fn pour_oil(&mut self, at: IVec2) {
        for cell in self.flood(at, self.rules.tools.oil_radius) {
            let oil = &mut self.floor_mut().oil;
            if oil.iter().all(|oil| oil.at != cell) {
                oil.push(Oil { at: cell, burns: 0 });
            }
        }
        self.kindle();
    }

    /// Oil with a flame in its cell catches fire.
    pub(super) fn kindle(&mut self) {
        let floor = self.floor();
        let flame = |at: IVec2| {
            let torch = |item| matches!(item, Item::Torch(Torch { lit: true, .. }));
            let mut lamps = floor.fixtures.iter();
            floor
                .items
                .iter()
                .any(|placed| placed.at == at && torch(placed.item))
                || lamps.any(|lamp| lamp.at == at && lamp.burning && lamp.kind.is_flame())
        };
        let oil = floor
            .oil
            .iter()
            .filter(|oil| oil.burns == 0 && flame(oil.at));
        let cells: Vec<IVec2> = oil.map(|oil| oil.at).collect();
        self.set_alight(&cells);
    }

    fn set_alight(&mut self, cells: &[IVec2]) {
        let burns = self.rules.tools.oil_burns;
        for oil in &mut self.floor_mut().oil {
            if oil.burns == 0 && cells.contains(&oil.at) {
                oil.burns = burns;
            }
        }
        for &at in cells {
            // Fire in a straight line of sight is seen by its own light.
            if self.sight.contains(at) {
                self.tell(GameEvent::Fire { at });
            }
        }
    }

    /// Time passes: fire burns down, spreads to the oil beside it, and burns who is in it.
    pub(crate) fn burn_floor(&mut self, ticks: u16) {
        if self.floor().oil.is_empty() {
            return;
        }
        let beside = self.oil_beside_fire();
        self.floor_mut().oil.retain_mut(|oil| {
            let burns = oil.burns > 0;
            oil.burns = oil.burns.saturating_sub(ticks);
            !burns || oil.burns > 0
        });
        self.set_alight(&beside);
        self.kindle();
        for _ in 0..self.beats_over(ticks) {
            self.burn_all();
        }
    }

    /// Oil that does not burn, next to oil that does. A door closed over it keeps it from air.
    fn oil_beside_fire(&self) -> Vec<IVec2> {
        let floor = self.floor();
        let catches = |oil: &&Oil| {
            let around = Direction::ALL.map(|way| oil.at + way.step());
            let reached = |&at: &IVec2| floor.fire_at(at) && floor.corners_free(oil.at, at);
            oil.burns == 0 && !floor.tile(oil.at).is_solid() && around.iter().any(reached)
        };
        floor.oil.iter().filter(catches).map(|oil| oil.at).collect()
    }

    /// A beat in the fire.
    fn burn_all(&mut self) {
        for id in self.guard_ids() {
            let guard = self.guard(id);
            if guard.health > 0 && self.floor().fire_at(guard.at) {
                self.burn_guard(id);
            }
        }
        if self.floor().fire_at(self.state.thief.at) {
            let damage = self.rules.tools.fire_damage;
            self.state.thief.health -= damage;
            self.tell(GameEvent::Burnt {
                whom: Who::Thief,
                damage,
            });
            if self.state.thief.health <= 0 {
                self.end(Ending::Burnt);
            }
        }
    }

    fn burn_guard(&mut self, id: GuardId) {
        let (at, damage) = (self.guard(id).at, self.rules.tools.fire_damage);
        let whom = Who::Guard(id);
        if self.sight.contains(at) {
            self.tell(GameEvent::Burnt { whom, damage });
        }
        if self.hurt(id, damage) || !self.guard(id).is_standing() {
            return;
        }
        self.wake(id);
        let investigating = self.rules.awareness.investigating;
        let guard = self.guard_mut(id);
        guard.awareness = guard.awareness.max(investigating);
        guard.point_of_interest = guard.point_of_interest.or(Some(at));
        guard.path.clear();
        if let Some(to) = self.free_cell_near(at, self.rules.combat.leap) {
            self.guard_mut(id).at = to;
            let moved = GameEvent::Moved {
                who: whom,
                from: at,
                to,
            };
            self.tell_seen(to, moved);
        }
    }
}
