//! Taking things, and putting them down.
//!
//! Of what lies in a cell the topmost is taken that can be: a full hand does not keep the
//! thief from the treasure below. Nothing is lost in taking, but for the fuel that a torch
//! in the hand has no room for.

use crate::{
    BEAT, Ember, GameEvent, Item, Placed, Refusal, Sound, Stack, Torch, World,
    act::{openings, tools},
    guard,
    sound::{self, SoundSource},
};

/// Which of the floor's items is taken.
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
        Item::Torch(_) if thief.torch.is_some() && fuel_room(world) == 0 => Err(Refusal::TorchFull),
        _ => Ok(()),
    }
}

/// How many of a stack fit into the slots.
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

/// Beats of fuel that the torch in the hand has room for; 0 without one.
pub(super) fn fuel_room(world: &World) -> u16 {
    let torch = world.state.thief.torch;
    torch.map_or(0, |torch| world.rules.thief.fuel.saturating_sub(torch.fuel))
}

/// Pours fuel into the torch in the hand; what it has no room for is lost.
pub(super) fn refuel(world: &mut World, beats: u16) {
    let poured = beats.min(fuel_room(world));
    if let Some(torch) = &mut world.state.thief.torch {
        torch.fuel += poured;
    }
}

/// Takes it.
pub(super) fn pick_up(world: &mut World) -> u16 {
    let Ok(place) = may_pick_up(world) else {
        return BEAT;
    };
    let item = world.floor_mut().items.remove(place).item;
    rustle(world);
    match item {
        Item::Tool(stack) => take_tools(world, stack, place),
        _ => {
            world.tell(GameEvent::Took { item });
            take(world, item);
        }
    }
    BEAT
}

fn take(world: &mut World, item: Item) {
    let key = openings::key_bit(world);
    let thief = &mut world.state.thief;
    match item {
        Item::Tool(_) => {}
        Item::Torch(torch) => take_torch_up(world, torch),
        Item::Key => thief.keys |= key,
        Item::Treasure(worth) => thief.purse = thief.purse.saturating_add(worth.into()),
        Item::Cloth(beats) => thief.cloth = thief.cloth.saturating_add(beats),
        Item::Ember => {
            let wrapped = thief.cloth > 0;
            thief.ember = Some(Ember { wrapped });
            world.tell(GameEvent::Alarm);
            guard::think::raise_alarm(world);
        }
    }
}

fn take_torch_up(world: &mut World, torch: Torch) {
    if world.state.thief.torch.is_some() {
        refuel(world, torch.fuel);
        return;
    }
    world.state.thief.torch = Some(torch);
    if torch.lit {
        world.tell(GameEvent::Torch { lit: true });
    }
}

/// Puts as many as there is room for into the slots, equal ones first; the others stay.
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
    world.tell(GameEvent::Took { item: part(taken) });
}

/// What is in a slot.
pub(super) fn stack(world: &World, slot: u8) -> Result<Stack, Refusal> {
    let slot = world.state.thief.tools.get(usize::from(slot));
    slot.copied().flatten().ok_or(Refusal::EmptySlot)
}

/// Takes one out of a slot that holds something.
pub(super) fn take_one(world: &mut World, slot: u8) {
    if let Some(slot) = world.state.thief.tools.get_mut(usize::from(slot)) {
        *slot = slot.filter(|stack| stack.count > 1).map(|stack| Stack {
            count: stack.count - 1,
            ..stack
        });
    }
}

/// Puts down all that is in a slot.
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
    tools::take_off_cloak(world);
    put_down(world, Item::Tool(stack));
    BEAT
}

/// Lets something fall at the thief's feet.
pub(super) fn put_down(world: &mut World, item: Item) {
    let at = world.state.thief.at;
    world.floor_mut().items.push(Placed { at, item });
    world.tell(GameEvent::Dropped { item });
    rustle(world);
}

fn rustle(world: &mut World) {
    let (at, reach) = (world.state.thief.at, world.rules.noise.pick_up);
    sound::make(world, Sound::Curtain, at, reach, SoundSource::Thief);
}
