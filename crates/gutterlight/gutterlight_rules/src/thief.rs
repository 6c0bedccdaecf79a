//! You.

use glam::IVec2;
use lanternfell_lightgrid::LightBand;
use serde::{Deserialize, Serialize};

use crate::{Direction, Refusal, Stack, Tool, Torch};

/// What a thief has learnt between floors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Perk {
    /// Steps are quieter.
    LightFeet,
    /// More is seen in the dark around.
    CatEyes,
    /// Lamps are put out without a sound, and stay out: nobody misses them before a second bell rings.
    WetFingers,
    /// In the dark a walk is as quiet as a sneak.
    NightWalker,
    /// A fourth slot.
    DeepPockets,
    /// A takedown makes no sound, and nobody finds or misses whoever was taken down.
    NoTraces,
    /// More health.
    ThickSkin,
    /// Cloth wraps the Ember for longer.
    WetCloth,
}

impl Perk {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::LightFeet,
        Self::CatEyes,
        Self::WetFingers,
        Self::NightWalker,
        Self::DeepPockets,
        Self::NoTraces,
        Self::ThickSkin,
        Self::WetCloth,
    ];

    /// As a title.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LightFeet => "light feet",
            Self::CatEyes => "cat eyes",
            Self::WetFingers => "wet fingers",
            Self::NightWalker => "night walker",
            Self::DeepPockets => "deep pockets",
            Self::NoTraces => "no traces",
            Self::ThickSkin => "thick skin",
            Self::WetCloth => "wet cloth",
        }
    }
}

/// The Ember in the thief's hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ember {
    /// Wrapped it gives no light, and burns cloth.
    pub wrapped: bool,
}

/// The thief's whole state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Thief {
    /// Where.
    pub at: IVec2,
    /// Which way the last step went.
    pub facing: Direction,
    /// At 0 the game is lost.
    pub health: i16,
    /// From 0 to the table's `nerve`; at 0 steps get louder.
    pub nerve: i16,
    /// Ticks of running left.
    pub breath: i16,
    /// The torch in the hand.
    pub torch: Option<Torch>,
    /// For how many more ticks it glows, after it went out.
    pub embers: u16,
    /// The tools in the slots: three, or four with deep pockets.
    pub tools: Vec<Option<Stack>>,
    /// What has been stolen.
    pub purse: u32,
    /// The floors whose key is on the ring, a bit for each.
    pub keys: u8,
    /// For how many beats there is cloth to wrap the Ember.
    pub cloth: u16,
    /// The Ember, once taken.
    pub ember: Option<Ember>,
    /// Whether the dark cloak is worn.
    pub cloaked: bool,
    /// For how many more ticks the ear trumpet is held.
    pub trumpet: u16,
    /// What has been learnt, in order.
    pub perks: Vec<Perk>,
    /// Whether a prisoner was freed, and waits at the gate.
    pub rescued: bool,
    /// How lit the thief is; kept for its hysteresis.
    pub band: LightBand,
}

impl Thief {
    /// Whether it has learnt that.
    pub fn has(&self, perk: Perk) -> bool {
        self.perks.contains(&perk)
    }

    /// Whether the torch in the hand burns.
    pub fn torch_burns(&self) -> bool {
        self.torch.is_some_and(|torch| torch.lit)
    }

    /// Whether the torch in the hand is out, and still glows.
    pub fn torch_glows(&self) -> bool {
        self.embers > 0 && self.torch.is_some_and(|torch| !torch.lit)
    }

    /// The torch leaves the hand; what glowed of it goes out.
    pub(crate) fn let_go_of_torch(&mut self) -> Option<Torch> {
        self.embers = 0;
        self.torch.take()
    }

    /// Whether the Ember shines.
    pub fn ember_shines(&self) -> bool {
        self.ember.is_some_and(|ember| !ember.wrapped)
    }

    /// What is in a slot.
    ///
    /// # Errors
    /// If nothing is, or there is no such slot.
    pub(crate) fn stack(&self, slot: u8) -> Result<Stack, Refusal> {
        let slot = self.tools.get(usize::from(slot));
        slot.copied().flatten().ok_or(Refusal::EmptySlot)
    }

    /// Takes one out of a slot that holds something.
    pub(crate) fn take_one(&mut self, slot: u8) {
        if let Some(slot) = self.tools.get_mut(usize::from(slot)) {
            *slot = slot.filter(|stack| stack.count > 1).map(|stack| Stack {
                count: stack.count - 1,
                ..stack
            });
        }
    }

    /// Whoever has put down the last cloak does not wear it.
    pub(crate) fn take_off_cloak(&mut self) {
        self.cloaked &= self.slot_of(Tool::DarkCloak).is_some();
    }

    /// Beats of fuel that the torch in the hand has room for, if one holds so many; 0 without
    /// a torch.
    pub(crate) fn fuel_room(&self, holds: u16) -> u16 {
        self.torch
            .map_or(0, |torch| holds.saturating_sub(torch.fuel))
    }

    /// Pours fuel into the torch in the hand; what it has no room for is lost.
    pub(crate) fn refuel(&mut self, beats: u16, holds: u16) {
        let poured = beats.min(self.fuel_room(holds));
        if let Some(torch) = &mut self.torch {
            torch.fuel += poured;
        }
    }

    /// Whether the key of a floor is on the ring.
    pub(crate) fn has_key(&self, depth: usize) -> bool {
        self.keys & key_bit(depth) != 0
    }

    /// Puts the key of a floor on the ring.
    pub(crate) fn take_key(&mut self, depth: usize) {
        self.keys |= key_bit(depth);
    }

    /// The slot that holds this tool, if any does.
    pub fn slot_of(&self, tool: Tool) -> Option<u8> {
        let holds = |slot: &Option<Stack>| slot.is_some_and(|stack| stack.tool == tool);
        self.tools.iter().position(holds).map(|slot| slot as u8)
    }
}

/// The bit of a floor's key.
fn key_bit(depth: usize) -> u8 {
    1 << depth.min(7)
}

/// How the thief did, for scores and the morgue.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// How often a guard became sure.
    pub times_seen: u32,
    /// How often one became suspicious.
    pub times_suspected: u32,
    /// Guards put to sleep by hand or dart.
    pub takedowns: u32,
    /// Guards killed.
    pub kills: u32,
    /// Lamps put out.
    pub lamps_doused: u32,
    /// Beats spent hidden.
    pub beats_hidden: u32,
    /// Beats spent in plain light.
    pub beats_lit: u32,
    /// Beats with a burning torch in the hand.
    pub beats_torch: u32,
    /// How often a bell began to ring.
    pub bells: u32,
    /// How often each tool was used, in the order of [`Tool::ALL`].
    pub tools: [u16; Tool::ALL.len()],
}

impl Tally {
    /// How often a tool was used.
    pub fn used(&self, tool: Tool) -> u16 {
        self.tools[tool as usize]
    }

    /// A tool is used.
    pub(crate) fn use_tool(&mut self, tool: Tool) {
        let count = &mut self.tools[tool as usize];
        *count = count.saturating_add(1);
    }
}
