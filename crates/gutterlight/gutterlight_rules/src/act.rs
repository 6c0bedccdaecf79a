//! The actions of the thief: each is checked first and then performed.
//!
//! ```text
//!    check:   may_walk, may_open, ...   -> Ok, or the refusal     changes nothing
//!    perform: may_walk again, then walk -> the ticks that it takes
//! ```
//!
//! Each action has a check and an effect in the same file. The check knows the true state of the
//! world, but a refusal must not tell the player anything that the thief cannot know.
//! [`World::check`] therefore accepts an action that would be refused because of a cell that the
//! thief does not see. The effect then fails for the same reason, and the thief has fumbled in the
//! dark for a beat.

mod absence;
pub(crate) mod ember;
pub(crate) mod fight;
pub(crate) mod fire;
pub(crate) mod flood;
pub(crate) mod hands;
pub(crate) mod lamps;
pub(crate) mod openings;
pub(crate) mod perks;
pub(crate) mod rest;
pub(crate) mod smoke;
pub(crate) mod stairs;
#[cfg(test)]
mod tests;
pub(crate) mod thrown;
pub(crate) mod tools;
pub(crate) mod torch;
pub(crate) mod walk;

use glam::IVec2;

use crate::{
    Action, Direction, Ending, GameEvent, Refusal, Tile, World, action::Gait, light, sight,
};

impl World {
    /// Checks whether an action is possible now, as far as the thief can tell.
    ///
    /// # Errors
    /// The reason why it is not.
    pub fn check(&self, action: Action) -> Result<(), Refusal> {
        if self.state.ending.is_some() {
            return Err(Refusal::GameOver);
        }
        let chooses = matches!(action, Action::Learn(_) | Action::GiveUp);
        if self.state.offer.is_some() && !chooses {
            return Err(Refusal::PerkPending);
        }
        match may(self, action) {
            Err(refusal) if is_secret(self, action, refusal) => Ok(()),
            truth => truth,
        }
    }
}

/// Whether an action would really succeed, also for reasons that the thief cannot know.
fn may(world: &World, action: Action) -> Result<(), Refusal> {
    match action {
        Action::Walk(way) => walk::may_step(world, way, Gait::Walk).map(drop),
        Action::Sneak(way) => walk::may_step(world, way, Gait::Sneak).map(drop),
        Action::Run(way) => walk::may_step(world, way, Gait::Run).map(drop),
        Action::Wait | Action::GiveUp => Ok(()),
        Action::Peek(way) => walk::may_peek(world, way).map(drop),
        Action::Open(way) => openings::may_open(world, way).map(drop),
        Action::Close(way) => openings::may_close(world, way).map(drop),
        Action::PickUp => hands::may_pick_up(world).map(drop),
        Action::Drop { slot } => world.state.thief.stack(slot).map(drop),
        Action::Throw { slot, at } => thrown::may_throw(world, slot, at),
        Action::Use { slot } => tools::may_use(world, slot).map(drop),
        Action::LightTorch => torch::may_light_torch(world),
        Action::SnuffTorch => torch::may_snuff_torch(world),
        Action::DropTorch => torch::in_hand(world).map(drop),
        Action::ThrowTorch { at } => thrown::may_throw_torch(world, at),
        Action::Douse(way) => lamps::may_douse(world, way).map(drop),
        Action::Relight(way) => lamps::may_relight(world, way).map(drop),
        Action::Takedown(way) => fight::may_take_down(world, way).map(drop),
        Action::Shove(way) => fight::may_shove(world, way).map(drop),
        Action::Fight(way) => fight::may_fight(world, way).map(drop),
        Action::Climb => stairs::may_climb(world).map(drop),
        Action::WrapEmber => ember::may_wrap_ember(world),
        Action::UnwrapEmber => ember::may_unwrap_ember(world),
        Action::Learn(choice) => perks::may_learn(world, choice).map(drop),
    }
}

/// Performs an action that was checked. Returns how many ticks it takes.
pub(crate) fn perform(world: &mut World, action: Action) -> u16 {
    match action {
        Action::Walk(way) => walk::step(world, way, Gait::Walk),
        Action::Sneak(way) => walk::step(world, way, Gait::Sneak),
        Action::Run(way) => walk::step(world, way, Gait::Run),
        Action::Wait => rest::wait(world),
        Action::Peek(way) => walk::peek(world, way),
        Action::Open(way) => openings::open(world, way),
        Action::Close(way) => openings::close(world, way),
        Action::PickUp => hands::pick_up(world),
        Action::Drop { slot } => hands::drop_tool(world, slot),
        Action::Throw { slot, at } => thrown::throw(world, slot, at),
        Action::Use { slot } => tools::use_tool(world, slot),
        Action::LightTorch => torch::light_torch(world),
        Action::SnuffTorch => torch::snuff_torch(world),
        Action::DropTorch => torch::drop_torch(world),
        Action::ThrowTorch { at } => thrown::throw_torch(world, at),
        Action::Douse(way) => lamps::douse(world, way),
        Action::Relight(way) => lamps::relight(world, way),
        Action::Takedown(way) => fight::take_down(world, way),
        Action::Shove(way) => fight::shove(world, way),
        Action::Fight(way) => fight::fight(world, way),
        Action::Climb => stairs::climb(world),
        Action::WrapEmber => ember::wrap_ember(world, true),
        Action::UnwrapEmber => ember::wrap_ember(world, false),
        Action::Learn(choice) => perks::learn(world, choice),
        Action::GiveUp => give_up(world),
    }
}

/// The loudness of a walking step of the thief now, in tenths of a cell.
pub(crate) fn walk_loudness(world: &World) -> u16 {
    walk::loudness_of(world, Gait::Walk)
}

/// Whether the thief stands at the gate and has been on a deeper floor. Giving up then means
/// leaving the keep.
pub(crate) fn may_leave(world: &World) -> bool {
    let state = &world.state;
    let at_gate = state.depth == 0 && world.floor().tile(state.thief.at) == Tile::StairsUp;
    at_gate && state.floors.len() > 1
}

/// Ends the game, which takes no time. At the gate this leaves the keep, if the thief has been on a
/// deeper floor.
fn give_up(world: &mut World) -> u16 {
    let ending = match may_leave(world) {
        false => Ending::GaveUp,
        true if world.state.thief.ember.is_some() => Ending::Escaped,
        true if world.state.thief.rescued => Ending::Rescued,
        true => Ending::TurnedBack,
    };
    world.end(ending);
    0
}

/// The next cell in a direction, unless a solid corner blocks the way there.
fn reach(world: &World, way: Direction) -> Result<IVec2, Refusal> {
    let here = world.state.thief.at;
    let next = here + way.step();
    match world.floor().corners_free(here, next) {
        true => Ok(next),
        false => Err(Refusal::Corner),
    }
}

/// Whether a refusal is about the contents of the next cell, and the thief does not know them. In
/// thick smoke, for example, even neighboring cells can be out of sight.
fn is_secret(world: &World, action: Action, refusal: Refusal) -> bool {
    let Some(way) = way_of(action).filter(|_| reveals_next_cell(refusal)) else {
        return false;
    };
    let next = world.state.thief.at + way.step();
    let memory = world.floor().memory.get(next).copied().flatten();
    let remembered = memory.is_some_and(|memory| memory.tile == world.floor().tile(next));
    let known = match refusal {
        Refusal::Blocked(_) => remembered || sight::sees(world, next),
        _ => sight::sees(world, next),
    };
    !known
}

/// Changes the tile of a door, a curtain or a shutter.
fn turn_tile(world: &mut World, at: IVec2, tile: Tile, open: bool) {
    if let Some(here) = world.floor_mut().tiles.get_mut(at) {
        *here = tile;
    }
    light::update_cell(world, at);
    world.emit(GameEvent::Turned { at, open });
}

/// The direction of an action that affects the next cell.
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

/// Whether a refusal reveals something about the next cell.
fn reveals_next_cell(refusal: Refusal) -> bool {
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
