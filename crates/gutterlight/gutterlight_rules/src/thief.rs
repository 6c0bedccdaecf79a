//! The thief: health, nerve, tools, perks and statistics.

use glam::IVec2;
use lanternfell_lightgrid::LightBand;
use serde::{Deserialize, Serialize};

use crate::{Direction, Refusal, Stack, Tool, Torch};

/// A perk, learned between floors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Perk {
    /// Steps are quieter.
    LightFeet,
    /// The thief sees more of the surrounding cells in the dark.
    CatEyes,
    /// Lamps are put out silently, and guards do not miss them until a second bell rings.
    WetFingers,
    /// In the dark, walking is as quiet as sneaking.
    NightWalker,
    /// A fourth tool slot.
    DeepPockets,
    /// A takedown makes no sound, and no one finds or misses the guard.
    NoTraces,
    /// More health.
    ThickSkin,
    /// The cloth around the Ember lasts longer.
    WetCloth,
}

impl Perk {
    /// All perks, in declaration order.
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

    /// The name in English.
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

/// The Ember, carried by the thief.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ember {
    /// Whether it is wrapped. A wrapped Ember gives no light and burns cloth.
    pub wrapped: bool,
}

/// The complete state of the thief.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Thief {
    /// The cell of the thief.
    pub at: IVec2,
    /// The direction of the last step or action.
    pub facing: Direction,
    /// Remaining health. At 0 the game is lost.
    pub health: i16,
    /// Nerve, from 0 to `ThiefRules::nerve`. At 0 steps are louder.
    pub nerve: i16,
    /// Breath: the remaining ticks of running.
    pub breath: i16,
    /// The thief's torch.
    pub torch: Option<Torch>,
    /// The remaining ticks that the thief's torch glows after it went out.
    pub embers: u16,
    /// The tool slots: three, or four with the perk [`DeepPockets`](Perk::DeepPockets).
    pub tools: Vec<Option<Stack>>,
    /// The value of the stolen treasure.
    pub purse: u32,
    /// The floors whose key the thief has, one bit for each.
    pub keys: u8,
    /// The remaining beats of cloth to wrap the Ember in.
    pub cloth: u16,
    /// The Ember, once it was taken.
    pub ember: Option<Ember>,
    /// Whether the dark cloak is worn.
    pub cloaked: bool,
    /// The remaining ticks that the ear trumpet helps.
    pub trumpet: u16,
    /// The learned perks, in order.
    pub perks: Vec<Perk>,
    /// Whether the thief freed a prisoner, who waits at the gate.
    pub rescued: bool,
    /// The light band of the thief. Stored because bands have hysteresis.
    pub band: LightBand,
}

impl Thief {
    /// Whether the thief has learned a perk.
    pub fn has(&self, perk: Perk) -> bool {
        self.perks.contains(&perk)
    }

    /// Whether the thief's torch is lit.
    pub fn torch_burns(&self) -> bool {
        self.torch.is_some_and(|torch| torch.lit)
    }

    /// Whether the thief's torch is out and still glows.
    pub fn torch_glows(&self) -> bool {
        self.embers > 0 && self.torch.is_some_and(|torch| !torch.lit)
    }

    /// Takes the torch out of the hand. Its glow ends.
    pub(crate) fn let_go_of_torch(&mut self) -> Option<Torch> {
        self.embers = 0;
        self.torch.take()
    }

    /// Whether the thief carries the Ember unwrapped.
    pub fn ember_shines(&self) -> bool {
        self.ember.is_some_and(|ember| !ember.wrapped)
    }

    /// The stack in a slot.
    ///
    /// # Errors
    /// If the slot is empty, or does not exist.
    pub(crate) fn stack(&self, slot: u8) -> Result<Stack, Refusal> {
        let slot = self.tools.get(usize::from(slot));
        slot.copied().flatten().ok_or(Refusal::EmptySlot)
    }

    /// Removes one tool from a slot. Does nothing if the slot is empty.
    pub(crate) fn take_one(&mut self, slot: u8) {
        if let Some(slot) = self.tools.get_mut(usize::from(slot)) {
            *slot = slot.filter(|stack| stack.count > 1).map(|stack| Stack {
                count: stack.count - 1,
                ..stack
            });
        }
    }

    /// Takes the cloak off if none is left in the slots.
    pub(crate) fn take_off_cloak(&mut self) {
        self.cloaked &= self.slot_of(Tool::DarkCloak).is_some();
    }

    /// How many beats of fuel still fit into the thief's torch, if a torch holds `holds` beats. 0
    /// without a torch.
    pub(crate) fn fuel_room(&self, holds: u16) -> u16 {
        self.torch
            .map_or(0, |torch| holds.saturating_sub(torch.fuel))
    }

    /// Adds fuel to the thief's torch. Fuel that does not fit is lost.
    pub(crate) fn refuel(&mut self, beats: u16, holds: u16) {
        let poured = beats.min(self.fuel_room(holds));
        if let Some(torch) = &mut self.torch {
            torch.fuel += poured;
        }
    }

    /// Whether the thief has the key of a floor.
    pub(crate) fn has_key(&self, depth: usize) -> bool {
        self.keys & key_bit(depth) != 0
    }

    /// Adds the key of a floor.
    pub(crate) fn take_key(&mut self, depth: usize) {
        self.keys |= key_bit(depth);
    }

    /// The first slot that holds this tool.
    pub fn slot_of(&self, tool: Tool) -> Option<u8> {
        let holds = |slot: &Option<Stack>| slot.is_some_and(|stack| stack.tool == tool);
        self.tools.iter().position(holds).map(|slot| slot as u8)
    }
}

/// The bit of a floor in `Thief::keys`.
fn key_bit(depth: usize) -> u8 {
    1 << depth.min(7)
}

/// Statistics of a game, for the score and the report at its end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// How often a guard became sure of the thief.
    pub times_seen: u32,
    /// How often a guard became suspicious.
    pub times_suspected: u32,
    /// Guards knocked out by hand or by a dart.
    pub takedowns: u32,
    /// Guards killed.
    pub kills: u32,
    /// Lamps put out.
    pub lamps_doused: u32,
    /// Beats in the band `Hidden`.
    pub beats_hidden: u32,
    /// Beats in the bands `Lit` and `Blazing`.
    pub beats_lit: u32,
    /// Beats with a lit torch.
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

    /// Counts one use of a tool.
    pub(crate) fn use_tool(&mut self, tool: Tool) {
        let count = &mut self.tools[tool as usize];
        *count = count.saturating_add(1);
    }
}
