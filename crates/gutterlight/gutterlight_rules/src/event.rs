//! Events: what happened in a turn, as far as the thief can perceive it.

use glam::IVec2;
use lanternfell_lightgrid::LightBand;
use serde::{Deserialize, Serialize};

use crate::{
    AlertState, Direction, FixtureKind, Ground, GuardId, GuardKind, Item, Perk, Tool, Twist,
};

/// A kind of sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Sound {
    /// Footsteps.
    Steps(Ground),
    /// A hound's paws.
    Paws,
    /// A door that opens or closes.
    Door,
    /// Cloth that is moved: a curtain, the Ember's wrapping, or an item that is picked up or put
    /// down.
    Curtain,
    /// A lock that is unlocked or picked.
    Lock,
    /// A shutter that opens or closes.
    Shutter,
    /// Blows and shoves.
    Fight,
    /// A body or a thrown torch that hits the floor.
    Fall,
    /// A flask or vial that breaks.
    Glass,
    /// A pebble that hits the floor.
    Pebble,
    /// A flame that is lit.
    Flame,
    /// A flame that is put out.
    Hiss,
    /// A smoke bomb that bursts.
    Burst,
    /// A guard's voice.
    Voice(Bark),
    /// A guard that calls its comrades.
    Call,
    /// A hound that has found the thief.
    Howl,
    /// The unexplained noise of the scripted opening.
    Something,
}

impl Sound {
    /// The English caption, as a noun phrase that fits "You hear ...".
    pub const fn name(self) -> &'static str {
        match self {
            Self::Steps(Ground::Water) => "splashing",
            Self::Steps(Ground::Gravel) => "crunching steps",
            Self::Steps(_) => "footsteps",
            Self::Paws => "padding paws",
            Self::Door => "a door",
            Self::Curtain => "the rustle of cloth",
            Self::Lock => "a lock turning",
            Self::Shutter => "a shutter creaking",
            Self::Fight => "blows",
            Self::Fall => "a thud",
            Self::Glass => "breaking glass",
            Self::Pebble => "a pebble clattering",
            Self::Flame => "a flame catching",
            Self::Hiss => "a hiss",
            Self::Burst => "a muffled bang",
            Self::Voice(_) => "a voice",
            Self::Call => "a shout",
            Self::Howl => "a howl",
            Self::Something => "something",
        }
    }
}

/// A line that a guard says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Bark {
    /// The guard became suspicious.
    WhoIsThere,
    /// The guard goes to investigate.
    GoAndLook,
    /// The guard begins to search.
    ComeOut,
    /// The guard gives up and calms down.
    MustHaveBeenRats,
    /// The guard is sure of the thief.
    Thief,
    /// The guard lost the thief.
    LostHim,
    /// The guard sees a lamp that should burn and does not.
    LampOut,
    /// The guard finds a comrade on the ground.
    ManDown,
    /// The guard misses a comrade.
    WhereIsHe,
    /// A lamplighter sees the thief.
    Help,
    /// The Ember was taken.
    EmberGone,
}

impl Bark {
    /// The line in English.
    pub const fn words(self) -> &'static str {
        match self {
            Self::WhoIsThere => "Who's there?",
            Self::GoAndLook => "I'd better take a look.",
            Self::ComeOut => "Show yourself!",
            Self::MustHaveBeenRats => "Must have been rats.",
            Self::Thief => "Thief!",
            Self::LostHim => "Where did he go?",
            Self::LampOut => "That lamp should be lit.",
            Self::ManDown => "Man down!",
            Self::WhereIsHe => "He should be at his post.",
            Self::Help => "Help! Help!",
            Self::EmberGone => "The Ember! The Ember is gone!",
        }
    }
}

/// The one who does or suffers something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Who {
    /// The thief.
    Thief,
    /// A guard of the current floor.
    Guard(GuardId),
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Ending {
    /// The thief left the keep with the Ember.
    Escaped,
    /// A guard killed the thief.
    Slain(GuardKind),
    /// The thief burned to death.
    Burnt,
    /// The player gave up.
    GaveUp,
    /// The thief left the keep without the Ember.
    TurnedBack,
    /// The thief left the keep without the Ember, but with a prisoner.
    Rescued,
    /// The thief was still in the keep in full daylight, and was caught.
    Caught,
}

/// A stage of the scripted opening, in which the torch goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Blackout {
    /// The torch gutters.
    Gutters,
    /// The torch goes out.
    Out,
    /// Nothing can be heard.
    Silence,
    /// A noise in the dark.
    Noise,
    /// The noise again, nearer.
    Nearer,
    /// Light appears at the end of the corridor.
    Glow,
    /// The torch can be lit again.
    Over,
}

/// An hour of the night that the thief notices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Hour {
    /// The night will soon be over.
    Late,
    /// Day breaks. From now on, all bells ring for good on every floor.
    Dawn,
}

/// Something that happened in a turn, as far as the thief sees, hears or feels it.
///
/// [`World::act`](crate::World::act) returns the events of a turn in order. Things that are neither
/// seen nor heard are never reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameEvent {
    /// The thief or a guard in sight took a step.
    Moved {
        /// Who moved.
        who: Who,
        /// The cell before the step.
        from: IVec2,
        /// The cell after the step.
        to: IVec2,
    },
    /// The thief was teleported.
    Blinked {
        /// The cell before.
        from: IVec2,
        /// The cell after.
        to: IVec2,
    },
    /// A door, curtain or shutter in sight was opened or closed.
    Turned {
        /// The cell.
        at: IVec2,
        /// Whether it is open now.
        open: bool,
    },
    /// A lock was opened.
    Unlocked {
        /// The cell of the door.
        at: IVec2,
        /// Whether a picklock was used instead of the key.
        picked: bool,
    },
    /// The thief heard a sound whose source is not in sight.
    Heard {
        /// The kind of sound.
        sound: Sound,
        /// The direction from which the sound arrives, if it can be told.
        towards: Option<Direction>,
        /// The length of the sound's path, in steps.
        steps: u16,
        /// The cell at which to draw a ring.
        at: IVec2,
    },
    /// The thief or someone in sight made a sound.
    Sounded {
        /// The kind of sound.
        sound: Sound,
        /// The cell of the source.
        at: IVec2,
        /// How far the sound is heard over open floor, in cells.
        reach: u16,
    },
    /// The thief's torch was lit or put out, or it burned out.
    Torch {
        /// Whether it is lit now.
        lit: bool,
    },
    /// The fuel of the thief's torch is low.
    TorchLow,
    /// The thief's torch has burned out.
    TorchSpent,
    /// A lamp in sight was lit or put out.
    Lamp {
        /// The kind of lamp.
        kind: FixtureKind,
        /// The cell.
        at: IVec2,
        /// Whether it is lit now.
        burning: bool,
    },
    /// Something in sight caught fire.
    Fire {
        /// The cell.
        at: IVec2,
    },
    /// A smoke bomb burst.
    Smoke {
        /// The cell.
        at: IVec2,
    },
    /// The thief's light band changed.
    Band {
        /// The band before.
        from: LightBand,
        /// The band now.
        to: LightBand,
    },
    /// The alert state of a guard in sight changed.
    AlertState {
        /// The guard.
        guard: GuardId,
        /// The new alert state.
        alert_state: AlertState,
    },
    /// A guard in sight or within hearing said something.
    Said {
        /// The guard, if it is in sight.
        guard: Option<GuardId>,
        /// The line.
        bark: Bark,
    },
    /// The thief picked something up.
    Took {
        /// The item.
        item: Item,
    },
    /// The thief put something down.
    Dropped {
        /// The item.
        item: Item,
    },
    /// The thief threw something.
    Threw {
        /// The item.
        item: Item,
        /// The cell of the thief.
        from: IVec2,
        /// The cell where it landed.
        to: IVec2,
    },
    /// The thief used a tool.
    Used {
        /// The tool.
        tool: Tool,
    },
    /// A blow was struck.
    Struck {
        /// The attacker.
        by: Who,
        /// The target.
        whom: Who,
        /// The health it cost; 0 for a miss.
        damage: i16,
    },
    /// Fire burned someone in sight.
    Burnt {
        /// Who burned.
        whom: Who,
        /// The health it cost.
        damage: i16,
    },
    /// A guard in sight fell to the ground.
    Downed {
        /// The guard.
        guard: GuardId,
        /// Whether it is dead rather than unconscious.
        dead: bool,
    },
    /// The thief shoved a guard.
    Shoved {
        /// The guard.
        guard: GuardId,
        /// Its new cell.
        to: IVec2,
    },
    /// The thief was healed.
    Healed {
        /// The health gained.
        health: i16,
    },
    /// The thief's nerve reached zero, or came back.
    Nerve {
        /// Whether nerve is zero, so that steps are louder.
        gone: bool,
    },
    /// The Ember was wrapped in cloth, or unwrapped.
    Wrapped {
        /// Whether it is wrapped now.
        wrapped: bool,
    },
    /// The cloth is used up and the Ember shines.
    ClothBurnt,
    /// The thief entered another floor. Everything seen and heard before belongs to the old floor.
    Entered {
        /// The index of the floor, from 0.
        depth: u8,
    },
    /// Three perks are on offer.
    PerkOffered {
        /// The perks.
        perks: [Perk; 3],
    },
    /// The thief learned a perk.
    Learnt {
        /// The perk.
        perk: Perk,
    },
    /// The Ember was taken and the whole keep wakes up.
    Alarm,
    /// The number of bells that ring on this floor changed.
    Bells {
        /// The number of bells now.
        bells: u8,
        /// Whether the number rose.
        risen: bool,
    },
    /// The night reached this hour.
    Night(Hour),
    /// The twist of this floor becomes noticeable. The texts are [`Twist::on_entering`] and
    /// [`Twist::on_stirring`].
    Twist {
        /// The twist.
        twist: Twist,
        /// `false` when the thief enters the floor, `true` when the twist does something later.
        stirs: bool,
    },
    /// The scripted opening reached its next stage.
    Blackout(Blackout),
    /// The game is over.
    Ended(Ending),
}
