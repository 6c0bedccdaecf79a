//! Picking things up and putting them down.
//!
//! The topmost item in the cell that can be taken is taken. Full slots do not prevent the thief
//! from taking a treasure below a tool. Nothing is lost, except fuel that does not fit into the
//! thief's torch.

use crate::{
    BEAT, Ember, GameEvent, Item, Placed, Refusal, Sound, Stack, Torch, World, ai, sound,
    sound_source::SoundSource, twist,
};

/// The index of the item to pick up.
pub(super) fn may_pick_up(world: &World) -> Result<usize, Refusal> {
    let at = world.state.thief.at;
    let items = world.floor().items.iter().enumerate().rev();
    let mut why = None;
    for (place, placed) in items.filter(|(_, placed)| placed.at == at) {
        match may_take(world, placed.item) {
            Ok(()) => return Ok(place),
            Err(refusal) => why = why.or(Some(refusal)),
        }
    }
    Err(why.unwrap_or(Refusal::NothingHere))
}

fn may_take(world: &World, item: Item) -> Result<(), Refusal> {
    let thief = &world.state.thief;
    match item {
        Item::Tool(stack) if room_for(world, stack) == 0 => Err(Refusal::SlotsFull),
        Item::Torch(_)
            if thief.torch.is_some()
                && world.state.thief.fuel_room(world.rules.thief.fuel) == 0 =>
        {
            Err(Refusal::TorchFull)
        }
        _ => Ok(()),
    }
}

/// How many tools of a stack fit into the slots.
fn room_for(world: &World, stack: Stack) -> u8 {
    let most = world.rules.tools.stack;
    let room = |slot: &Option<Stack>| match slot {
        None => most,
        Some(held) if held.tool == stack.tool => most.saturating_sub(held.count),
        Some(_) => 0,
    };
    let rooms = world.state.thief.tools.iter().map(room);
    rooms.fold(0, u8::saturating_add).min(stack.count)
}

/// Picks up the item.
pub(super) fn pick_up(world: &mut World) -> u16 {
    let Ok(place) = may_pick_up(world) else {
        return BEAT;
    };
    let item = world.floor_mut().items.remove(place).item;
    rustle(world);
    match item {
        Item::Tool(stack) => take_tools(world, stack, place),
        _ => {
            world.emit(GameEvent::Took { item });
            take(world, item);
        }
    }
    BEAT
}

fn take(world: &mut World, item: Item) {
    let depth = world.state.depth;
    let thief = &mut world.state.thief;
    match item {
        Item::Tool(_) => {}
        Item::Torch(torch) => take_torch_up(world, torch),
        Item::Key => thief.take_key(depth),
        Item::Prisoner => twist::prisoner::free(world),
        Item::Treasure(worth) => thief.purse = thief.purse.saturating_add(worth.into()),
        Item::Cloth(beats) => thief.cloth = thief.cloth.saturating_add(beats),
        Item::Ember => {
            let wrapped = thief.cloth > 0;
            thief.ember = Some(Ember { wrapped });
            world.emit(GameEvent::Alarm);
            ai::think::raise_alarm(world);
        }
    }
}

fn take_torch_up(world: &mut World, torch: Torch) {
    if world.state.thief.torch.is_some() {
        world.state.thief.refuel(torch.fuel, world.rules.thief.fuel);
        return;
    }
    world.state.thief.torch = Some(torch);
    if torch.lit {
        world.emit(GameEvent::Torch { lit: true });
    }
}

/// Puts as many tools as fit into the slots, first onto stacks of the same tool. The rest stays on
/// the floor.
fn take_tools(world: &mut World, stack: Stack, place: usize) {
    let most = world.rules.tools.stack;
    let taken = room_for(world, stack);
    let mut left = taken;
    let slots = &mut world.state.thief.tools;
    for held in slots
        .iter_mut()
        .flatten()
        .filter(|held| held.tool == stack.tool)
    {
        let more = left.min(most.saturating_sub(held.count));
        held.count += more;
        left -= more;
    }
    for slot in slots.iter_mut().filter(|slot| slot.is_none()) {
        let count = left.min(most);
        left -= count;
        *slot = (count > 0).then_some(Stack { count, ..stack });
    }
    let part = |count| Item::Tool(Stack { count, ..stack });
    if stack.count > taken {
        let at = world.state.thief.at;
        let item = part(stack.count - taken);
        world.floor_mut().items.insert(place, Placed { at, item });
    }
    world.emit(GameEvent::Took { item: part(taken) });
}

/// Puts down everything in a slot.
pub(super) fn drop_tool(world: &mut World, slot: u8) -> u16 {
    let Some(stack) = world
        .state
        .thief
        .tools
        .get_mut(usize::from(slot))
        .and_then(Option::take)
    else {
        return BEAT;
    };
    world.state.thief.take_off_cloak();
    put_down(world, Item::Tool(stack));
    BEAT
}

/// Drops an item at the thief's feet.
pub(super) fn put_down(world: &mut World, item: Item) {
    let at = world.state.thief.at;
    world.floor_mut().items.push(Placed { at, item });
    world.emit(GameEvent::Dropped { item });
    rustle(world);
}

fn rustle(world: &mut World) {
    let (at, reach) = (world.state.thief.at, world.rules.noise.pick_up);
    sound::make(world, Sound::Curtain, at, reach, SoundSource::Thief);
}
