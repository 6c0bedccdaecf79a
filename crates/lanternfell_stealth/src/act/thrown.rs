//! What is thrown flies along a straight line, stops before what is solid, and does its work
//! where it falls.
//!
//! ```text
//!    @ - - - - # x      aimed at x behind the corner: it falls before the wall
//! ```

use glam::IVec2;
use lanternfell_lightgrid::line;

use crate::{
    BEAT, GameEvent, Item, Placed, Refusal, Sound, Stack, Tool, Torch, World,
    act::fight::percent_of,
    direction::steps_between,
    guard::{Lantern, perceive::SoundSource},
};

impl World {
    pub(super) fn may_throw(&self, slot: u8, at: IVec2) -> Result<(), Refusal> {
        let tool = self.stack(slot)?.tool;
        match tool.is_thrown() {
            true => self.may_aim(at),
            false => Err(Refusal::NotThrown(tool)),
        }
    }

    pub(super) fn may_throw_torch(&self, at: IVec2) -> Result<(), Refusal> {
        self.torch()?;
        self.may_aim(at)
    }

    /// Whether something can be aimed at a cell, as far as the thief knows it. All that is
    /// seen is remembered too.
    fn may_aim(&self, at: IVec2) -> Result<(), Refusal> {
        if steps_between(self.state.thief.at, at) > self.rules.thief.throw {
            return Err(Refusal::TooFar);
        }
        let memory = self.floor().memory.get(at).copied().flatten();
        let tile = memory.ok_or(Refusal::Unseen)?.tile;
        match tile.is_solid() {
            true => Err(Refusal::NoThrow(tile.name())),
            false => Ok(()),
        }
    }

    /// Where something falls that is thrown at a cell; a dart stops at the first guard.
    fn falls_at(&self, target: IVec2, dart: bool) -> IVec2 {
        let floor = self.floor();
        let mut at = self.state.thief.at;
        for next in line(at, target).skip(1) {
            let sides = [IVec2::new(next.x, at.y), IVec2::new(at.x, next.y)];
            let squeezed = sides.into_iter().all(|side| floor.tile(side).is_solid());
            if floor.tile(next).is_solid() || squeezed {
                break;
            }
            at = next;
            if dart && floor.guard_at(at).is_some() {
                break;
            }
        }
        at
    }

    /// Throws one of what is in a slot.
    pub(super) fn throw(&mut self, slot: u8, target: IVec2) -> u16 {
        let Ok(Stack { tool, .. }) = self.stack(slot) else {
            return BEAT;
        };
        self.take_one(slot);
        let to = self.falls_at(target, tool == Tool::SleepingDart);
        self.tell_throw(Item::Tool(Stack { tool, count: 1 }), to);
        match tool {
            Tool::OilFlask => {
                self.pour_oil(to);
                self.make_impact_heard(Sound::Glass, to, self.rules.noise.glass);
            }
            Tool::WaterVial => {
                self.splash(to);
                self.make_impact_heard(Sound::Glass, to, self.rules.noise.glass);
            }
            Tool::SmokeBomb => self.burst(to),
            Tool::Pebbles => self.make_impact_heard(Sound::Pebble, to, self.rules.noise.pebble),
            Tool::SleepingDart => self.prick(to),
            // None of these is thrown.
            Tool::Picklock
            | Tool::DarkCloak
            | Tool::EarTrumpet
            | Tool::Salve
            | Tool::BlinkScroll => {}
        }
        BEAT
    }

    fn tell_throw(&mut self, item: Item, to: IVec2) {
        let from = self.state.thief.at;
        self.state.thief.facing =
            crate::Direction::towards(from, to).unwrap_or(self.state.thief.facing);
        self.tell(GameEvent::Threw { item, from, to });
    }

    fn make_impact_heard(&mut self, sound: Sound, at: IVec2, reach: u16) {
        self.sound(sound, at, reach, SoundSource::Thing);
    }

    /// Throws the torch, burning or not.
    pub(super) fn throw_torch(&mut self, target: IVec2) -> u16 {
        let Some(torch) = self.state.thief.torch.take() else {
            return BEAT;
        };
        let (at, item) = (self.falls_at(target, false), Item::Torch(torch));
        self.floor_mut().items.push(Placed { at, item });
        self.tell_throw(item, at);
        self.make_impact_heard(Sound::Fall, at, self.rules.noise.fall);
        self.kindle();
        BEAT
    }

    /// A water vial breaks: flames around it go out.
    fn splash(&mut self, at: IVec2) {
        let cells = self.flood(at, self.rules.tools.water_radius);
        let wet = |at: IVec2| cells.contains(&at);
        for lamp in 0..self.floor().fixtures.len() {
            let fixture = self.floor().fixtures[lamp];
            if fixture.kind.is_flame() && fixture.burning && wet(fixture.at) {
                self.put_out_lamp(lamp);
            }
        }
        let dark = self.rules.tools.lantern_out;
        let floor = self.floor_mut();
        floor.oil.retain(|oil| oil.burns == 0 || !wet(oil.at));
        for placed in floor.items.iter_mut().filter(|placed| wet(placed.at)) {
            if let Item::Torch(torch) = placed.item {
                placed.item = Item::Torch(Torch {
                    lit: false,
                    ..torch
                });
            }
        }
        for guard in floor.guards.iter_mut().filter(|guard| wet(guard.at)) {
            if guard.lantern == Lantern::Lit {
                guard.lantern = Lantern::Out(dark);
            }
        }
    }

    /// A dart hits whoever stands there.
    fn prick(&mut self, at: IVec2) {
        let Some(id) = self.floor().guard_at(at) else {
            return;
        };
        let full = self.rules.tools.dart_sleep;
        let aware = percent_of(full, self.rules.combat.aware_sleep);
        let guard = self.guard(id);
        let unaware = guard.is_asleep() || guard.alert_state.is_unaware();
        // Wardens sleep for their part, aware or not.
        let warden = guard.kind == crate::GuardKind::Warden;
        self.put_to_sleep(id, if unaware || warden { full } else { aware });
        let reach = self.rules.noise.fall;
        self.make_impact_heard(Sound::Fall, at, reach);
    }
}
