//! Taking things, and putting them down.
//!
//! Of what lies in a cell the topmost is taken that can be: a full hand does not keep the
//! thief from the treasure below. Nothing is lost in taking, but for the fuel that a torch
//! in the hand has no room for.

use crate::{
    BEAT, Ember, GameEvent, Item, Placed, Refusal, Sound, Stack, Torch, World,
    guard::perceive::SoundSource,
};

impl World {
    /// Which of the floor's items is taken.
    pub(super) fn may_pick_up(&self) -> Result<usize, Refusal> {
        let at = self.state.thief.at;
        let items = self.floor().items.iter().enumerate().rev();
        let mut why = None;
        for (place, placed) in items.filter(|(_, placed)| placed.at == at) {
            match self.may_take(placed.item) {
                Ok(()) => return Ok(place),
                Err(refusal) => why = why.or(Some(refusal)),
            }
        }
        Err(why.unwrap_or(Refusal::NothingHere))
    }

    fn may_take(&self, item: Item) -> Result<(), Refusal> {
        let thief = &self.state.thief;
        match item {
            Item::Tool(stack) if self.room_for(stack) == 0 => Err(Refusal::SlotsFull),
            Item::Torch(_) if thief.torch.is_some() && self.fuel_room() == 0 => {
                Err(Refusal::TorchFull)
            }
            _ => Ok(()),
        }
    }

    /// How many of a stack fit into the slots.
    fn room_for(&self, stack: Stack) -> u8 {
        let most = self.rules.tools.stack;
        let room = |slot: &Option<Stack>| match slot {
            None => most,
            Some(held) if held.tool == stack.tool => most.saturating_sub(held.count),
            Some(_) => 0,
        };
        let rooms = self.state.thief.tools.iter().map(room);
        rooms.fold(0, u8::saturating_add).min(stack.count)
    }

    /// Beats of fuel that the torch in the hand has room for; 0 without one.
    pub(super) fn fuel_room(&self) -> u16 {
        let torch = self.state.thief.torch;
        torch.map_or(0, |torch| self.rules.thief.fuel.saturating_sub(torch.fuel))
    }

    /// Pours fuel into the torch in the hand; what it has no room for is lost.
    pub(super) fn refuel(&mut self, beats: u16) {
        let poured = beats.min(self.fuel_room());
        if let Some(torch) = &mut self.state.thief.torch {
            torch.fuel += poured;
        }
    }

    /// Takes it.
    pub(super) fn pick_up(&mut self) -> u16 {
        let Ok(place) = self.may_pick_up() else {
            return BEAT;
        };
        let item = self.floor_mut().items.remove(place).item;
        self.rustle();
        match item {
            Item::Tool(stack) => self.take_tools(stack, place),
            _ => {
                self.tell(GameEvent::Took { item });
                self.take(item);
            }
        }
        BEAT
    }

    fn take(&mut self, item: Item) {
        let key = self.key_bit();
        let thief = &mut self.state.thief;
        match item {
            Item::Tool(_) => {}
            Item::Torch(torch) => self.take_torch_up(torch),
            Item::Key => thief.keys |= key,
            Item::Treasure(worth) => thief.purse = thief.purse.saturating_add(worth.into()),
            Item::Cloth(beats) => thief.cloth = thief.cloth.saturating_add(beats),
            Item::Ember => {
                let wrapped = thief.cloth > 0;
                thief.ember = Some(Ember { wrapped });
                self.tell(GameEvent::Alarm);
                self.raise_alarm();
            }
        }
    }

    fn take_torch_up(&mut self, torch: Torch) {
        if self.state.thief.torch.is_some() {
            self.refuel(torch.fuel);
            return;
        }
        self.state.thief.torch = Some(torch);
        if torch.lit {
            self.tell(GameEvent::Torch { lit: true });
        }
    }

    /// Puts as many as there is room for into the slots, equal ones first; the others stay.
    fn take_tools(&mut self, stack: Stack, place: usize) {
        let most = self.rules.tools.stack;
        let taken = self.room_for(stack);
        let mut left = taken;
        let slots = &mut self.state.thief.tools;
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
            let at = self.state.thief.at;
            let item = part(stack.count - taken);
            self.floor_mut().items.insert(place, Placed { at, item });
        }
        self.tell(GameEvent::Took { item: part(taken) });
    }

    /// What is in a slot.
    pub(super) fn stack(&self, slot: u8) -> Result<Stack, Refusal> {
        let slot = self.state.thief.tools.get(usize::from(slot));
        slot.copied().flatten().ok_or(Refusal::EmptySlot)
    }

    /// Takes one out of a slot that holds something.
    pub(super) fn take_one(&mut self, slot: u8) {
        if let Some(slot) = self.state.thief.tools.get_mut(usize::from(slot)) {
            *slot = slot.filter(|stack| stack.count > 1).map(|stack| Stack {
                count: stack.count - 1,
                ..stack
            });
        }
    }

    /// Puts down all that is in a slot.
    pub(super) fn drop_tool(&mut self, slot: u8) -> u16 {
        let Some(stack) = self
            .state
            .thief
            .tools
            .get_mut(usize::from(slot))
            .and_then(Option::take)
        else {
            return BEAT;
        };
        self.take_off_cloak();
        self.put_down(Item::Tool(stack));
        BEAT
    }

    /// Lets something fall at the thief's feet.
    pub(super) fn put_down(&mut self, item: Item) {
        let at = self.state.thief.at;
        self.floor_mut().items.push(Placed { at, item });
        self.tell(GameEvent::Dropped { item });
        self.rustle();
    }

    fn rustle(&mut self) {
        let (at, reach) = (self.state.thief.at, self.rules.noise.pick_up);
        self.sound(Sound::Curtain, at, reach, SoundSource::Thief);
    }
}
