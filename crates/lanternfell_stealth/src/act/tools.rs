//! Tools that are used on oneself.

use core::cmp::Reverse;

use glam::IVec2;

use crate::{BEAT, GameEvent, Perk, Refusal, Tool, World, direction::steps_between};

impl World {
    /// The tool to use.
    pub(super) fn may_use(&self, slot: u8) -> Result<Tool, Refusal> {
        let tool = self.stack(slot)?.tool;
        let thief = &self.state.thief;
        match tool {
            Tool::OilFlask if self.torch().is_err() => Err(Refusal::NoTorch),
            Tool::OilFlask if self.fuel_room() == 0 => Err(Refusal::TorchFull),
            Tool::Salve
                if thief.health >= self.most_health() && thief.nerve >= self.rules.thief.nerve =>
            {
                Err(Refusal::NotHurt)
            }
            Tool::BlinkScroll if self.darkest_place().is_none() => Err(Refusal::NoDarkness),
            Tool::Picklock => Err(Refusal::OnlyForLocks(tool)),
            Tool::WaterVial | Tool::SmokeBomb | Tool::Pebbles | Tool::SleepingDart => {
                Err(Refusal::OnlyThrown(tool))
            }
            Tool::OilFlask
            | Tool::Salve
            | Tool::BlinkScroll
            | Tool::DarkCloak
            | Tool::EarTrumpet => Ok(tool),
        }
    }

    /// Uses it. All but the cloak are used up.
    pub(super) fn use_tool(&mut self, slot: u8) -> u16 {
        let Ok(tool) = self.may_use(slot) else {
            return BEAT;
        };
        self.tell(GameEvent::Used { tool });
        if tool == Tool::DarkCloak {
            self.state.thief.cloaked ^= true;
            return 0;
        }
        self.take_one(slot);
        match tool {
            Tool::OilFlask => self.refuel(self.rules.tools.oil_fuel),
            Tool::EarTrumpet => self.state.thief.trumpet = self.rules.tools.trumpet_ticks,
            Tool::Salve => self.heal(),
            Tool::BlinkScroll => self.blink(),
            _ => {}
        }
        BEAT
    }

    /// Whoever has put down the last cloak does not wear it.
    pub(super) fn take_off_cloak(&mut self) {
        let thief = &mut self.state.thief;
        thief.cloaked &= thief.slot_of(Tool::DarkCloak).is_some();
    }

    fn most_health(&self) -> i16 {
        let more = match self.state.thief.has(Perk::ThickSkin) {
            true => self.rules.perks.thick_skin,
            false => 0,
        };
        self.rules.thief.health + more
    }

    fn heal(&mut self) {
        let (most_health, most_nerve) = (self.most_health(), self.rules.thief.nerve);
        let rules = &self.rules.tools;
        let thief = &mut self.state.thief;
        let (health, nerve) = (thief.health, thief.nerve);
        thief.health = health
            .saturating_add(rules.salve_heals)
            .min(most_health.max(health));
        thief.nerve = nerve.saturating_add(rules.salve_nerve).min(most_nerve);
        let health = thief.health - health;
        let returned = nerve == 0 && thief.nerve > 0;
        self.tell(GameEvent::Healed { health });
        if returned {
            self.tell(GameEvent::Nerve { gone: false });
        }
    }

    fn blink(&mut self) {
        if let Some(to) = self.darkest_place() {
            let from = core::mem::replace(&mut self.state.thief.at, to);
            self.tell(GameEvent::Blinked { from, to });
        }
    }

    /// The darkest free cell in reach that is in sight or remembered, but not the thief's
    /// own; of equally dark ones the farthest.
    fn darkest_place(&self) -> Option<IVec2> {
        let here = self.state.thief.at;
        let reach = self.rules.tools.blink_reach;
        let side = reach as i32;
        let square = (-side..=side).flat_map(|y| (-side..=side).map(move |x| IVec2::new(x, y)));
        let free = |&at: &IVec2| {
            let floor = self.floor();
            let known =
                self.sight.contains(at) || floor.memory.get(at).is_some_and(Option::is_some);
            at != here
                && known
                && floor.is_passable(at)
                && floor.tile(at).is_walkable()
                && floor.guard_at(at).is_none()
                && !floor.fire_at(at)
        };
        let darkness = |&at: &IVec2| {
            // Light is never negative, and such floats are ordered as their bits are.
            let light = self.light.luminance(at).to_bits();
            (light, Reverse(steps_between(here, at)), at.y, at.x)
        };
        square
            .map(|step| here + step)
            .filter(free)
            .min_by_key(darkness)
    }
}
