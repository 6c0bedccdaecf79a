//! What the thief does: checked first, then done.
//!
//! ```text
//!    check:   may_walk, may_open, ...   -> Ok, or why not         changes nothing
//!    perform: may_walk again, then walk -> the ticks that it takes
//! ```
//!
//! Each action has a question and a deed, side by side in a file of its group. The question
//! asks the truth. But a refusal must not tell the thief what he can not know, so
//! [`World::check`] forgives one that is about a cell in which nothing is seen; the deed then
//! finds the same thing in its way, and the thief has fumbled in the dark for a beat.

mod ember;
mod fight;
mod fire;
mod flood;
mod hands;
mod lamps;
mod openings;
mod perks;
mod smoke;
mod stairs;
#[cfg(test)]
mod tests;
mod thrown;
mod tools;
mod torch;
mod walk;

use glam::IVec2;

use crate::{Action, Direction, GameEvent, Refusal, Tile, World, action::Gait};

impl World {
    /// Whether an action is possible now, as far as the thief can tell.
    ///
    /// # Errors
    /// If it is not: why.
    pub fn check(&self, action: Action) -> Result<(), Refusal> {
        if self.state.ending.is_some() {
            return Err(Refusal::GameOver);
        }
        if self.state.offer.is_some() && !matches!(action, Action::Learn(_)) {
            return Err(Refusal::PerkPending);
        }
        match self.may(action) {
            Err(refusal) if self.is_secret(action, refusal) => Ok(()),
            truth => truth,
        }
    }

    /// Whether an action would succeed in truth.
    fn may(&self, action: Action) -> Result<(), Refusal> {
        match action {
            Action::Walk(way) => self.may_step(way, Gait::Walk).map(drop),
            Action::Sneak(way) => self.may_step(way, Gait::Sneak).map(drop),
            Action::Run(way) => self.may_step(way, Gait::Run).map(drop),
            Action::Wait => Ok(()),
            Action::Peek(way) => self.may_peek(way).map(drop),
            Action::Open(way) => self.may_open(way).map(drop),
            Action::Close(way) => self.may_close(way).map(drop),
            Action::PickUp => self.may_pick_up().map(drop),
            Action::Drop { slot } => self.stack(slot).map(drop),
            Action::Throw { slot, at } => self.may_throw(slot, at),
            Action::Use { slot } => self.may_use(slot).map(drop),
            Action::LightTorch => self.may_light_torch(),
            Action::SnuffTorch => self.may_snuff_torch(),
            Action::DropTorch => self.torch().map(drop),
            Action::ThrowTorch { at } => self.may_throw_torch(at),
            Action::Douse(way) => self.may_douse(way).map(drop),
            Action::Relight(way) => self.may_relight(way).map(drop),
            Action::Takedown(way) => self.may_take_down(way).map(drop),
            Action::Shove(way) => self.may_shove(way).map(drop),
            Action::Fight(way) => self.may_fight(way).map(drop),
            Action::Climb => self.may_climb().map(drop),
            Action::WrapEmber => self.may_wrap_ember(),
            Action::UnwrapEmber => self.may_unwrap_ember(),
            Action::Learn(choice) => self.may_learn(choice).map(drop),
        }
    }

    /// Does an action that was checked, and returns how many ticks it takes.
    pub(crate) fn perform(&mut self, action: Action) -> u16 {
        match action {
            Action::Walk(way) => self.step(way, Gait::Walk),
            Action::Sneak(way) => self.step(way, Gait::Sneak),
            Action::Run(way) => self.step(way, Gait::Run),
            Action::Wait => crate::BEAT,
            Action::Peek(way) => self.peek(way),
            Action::Open(way) => self.open(way),
            Action::Close(way) => self.close(way),
            Action::PickUp => self.pick_up(),
            Action::Drop { slot } => self.drop_tool(slot),
            Action::Throw { slot, at } => self.throw(slot, at),
            Action::Use { slot } => self.use_tool(slot),
            Action::LightTorch => self.light_torch(),
            Action::SnuffTorch => self.snuff_torch(),
            Action::DropTorch => self.drop_torch(),
            Action::ThrowTorch { at } => self.throw_torch(at),
            Action::Douse(way) => self.douse(way),
            Action::Relight(way) => self.relight(way),
            Action::Takedown(way) => self.take_down(way),
            Action::Shove(way) => self.shove(way),
            Action::Fight(way) => self.fight(way),
            Action::Climb => self.climb(),
            Action::WrapEmber => self.wrap_ember(true),
            Action::UnwrapEmber => self.wrap_ember(false),
            Action::Learn(choice) => self.learn(choice),
        }
    }

    /// The next cell this way, if hands and feet get there: not round a solid corner.
    fn reach(&self, way: Direction) -> Result<IVec2, Refusal> {
        let here = self.state.thief.at;
        let next = here + way.step();
        match self.floor().corners_free(here, next) {
            true => Ok(next),
            false => Err(Refusal::Corner),
        }
    }

    /// Whether a refusal is about what is in the next cell, and the thief does not know what
    /// that is: in thick smoke, for one, not even the cells around are all seen.
    fn is_secret(&self, action: Action, refusal: Refusal) -> bool {
        let Some(way) = way_of(action).filter(|_| tells_of_next(refusal)) else {
            return false;
        };
        let next = self.state.thief.at + way.step();
        let memory = self.floor().memory.get(next).copied().flatten();
        let remembered = memory.is_some_and(|memory| memory.tile == self.floor().tile(next));
        let known = match refusal {
            Refusal::Blocked(_) => remembered || self.sees(next),
            _ => self.sees(next),
        };
        !known
    }

    /// Changes a tile: a door, a curtain, a shutter.
    fn turn(&mut self, at: IVec2, tile: Tile, open: bool) {
        if let Some(here) = self.floor_mut().tiles.get_mut(at) {
            *here = tile;
        }
        self.update_cell(at);
        self.tell(GameEvent::Turned { at, open });
    }
}

/// The way in which an action reaches for the next cell.
fn way_of(action: Action) -> Option<Direction> {
    match action {
        Action::Walk(way)
        | Action::Sneak(way)
        | Action::Run(way)
        | Action::Peek(way)
        | Action::Open(way)
        | Action::Close(way)
        | Action::Douse(way)
        | Action::Relight(way)
        | Action::Takedown(way)
        | Action::Shove(way)
        | Action::Fight(way) => Some(way),
        _ => None,
    }
}

/// Whether a refusal tells what is in the next cell, or what is not.
fn tells_of_next(refusal: Refusal) -> bool {
    matches!(
        refusal,
        Refusal::Blocked(_)
            | Refusal::Occupied(_)
            | Refusal::Locked
            | Refusal::NothingToOpen
            | Refusal::NothingToClose
            | Refusal::DoorObstructed
            | Refusal::NoLamp
            | Refusal::NotDousable(_)
            | Refusal::LampDark
            | Refusal::LampBurns
            | Refusal::Nobody
            | Refusal::OnGuard(_)
            | Refusal::TooHeavy(_)
            | Refusal::NoRoom
    )
}
