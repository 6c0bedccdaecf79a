//! What happened in a turn, as far as the thief can tell.

use glam::IVec2;
use lanternfell_lightgrid::LightBand;
use serde::{Deserialize, Serialize};

use crate::{
    AlertState, Direction, FixtureKind, Ground, GuardId, GuardKind, Item, Perk, Tool, Twist,
};

/// What makes a sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Sound {
    /// Feet.
    Steps(Ground),
    /// Paws.
    Paws,
    /// A door, opened or closed.
    Door,
    /// Cloth drawn aside.
    Curtain,
    /// A lock that turns, or is picked.
    Lock,
    /// Wood on iron: a shutter.
    Shutter,
    /// Blows.
    Fight,
    /// A body that falls.
    Fall,
    /// Glass that breaks.
    Glass,
    /// A pebble.
    Pebble,
    /// A flame that catches.
    Flame,
    /// A flame that is put out.
    Hiss,
    /// A bomb that bursts.
    Burst,
    /// Someone's voice.
    Voice(Bark),
    /// A guard that calls its comrades.
    Call,
    /// A hound that has found you.
    Howl,
    /// What is heard in the dark.
    Something,
}

impl Sound {
    /// As it is captioned.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Steps(Ground::Water) => "splashing",
            Self::Steps(Ground::Gravel) => "crunching steps",
            Self::Steps(_) => "footsteps",
            Self::Paws => "paws",
            Self::Door => "a door",
            Self::Curtain => "the rustle of cloth",
            Self::Lock => "a lock",
            Self::Shutter => "a shutter",
            Self::Fight => "blows",
            Self::Fall => "a fall",
            Self::Glass => "breaking glass",
            Self::Pebble => "a pebble",
            Self::Flame => "a flame",
            Self::Hiss => "a hiss",
            Self::Burst => "a burst",
            Self::Voice(_) => "a voice",
            Self::Call => "a shout",
            Self::Howl => "a howl",
            Self::Something => "something",
        }
    }
}

/// What a guard says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Bark {
    /// Has become suspicious.
    WhoIsThere,
    /// Goes to look.
    GoAndLook,
    /// Begins to search.
    ComeOut,
    /// Gives up.
    MustHaveBeenRats,
    /// Is sure.
    Thief,
    /// Has lost you.
    LostHim,
    /// Sees a dark lamp.
    LampOut,
    /// Finds a comrade on the ground.
    ManDown,
    /// Misses one.
    WhereIsHe,
    /// A lamplighter sees you.
    Help,
    /// The Ember is gone.
    EmberGone,
}

impl Bark {
    /// The words, in English.
    pub const fn words(self) -> &'static str {
        match self {
            Self::WhoIsThere => "Who is there?",
            Self::GoAndLook => "I had better look.",
            Self::ComeOut => "Come out of there!",
            Self::MustHaveBeenRats => "Rats, I suppose.",
            Self::Thief => "Thief!",
            Self::LostHim => "Where did he go?",
            Self::LampOut => "That lamp should burn.",
            Self::ManDown => "Man down!",
            Self::WhereIsHe => "He should be at his post.",
            Self::Help => "Help! Help!",
            Self::EmberGone => "The Ember! The Ember is gone!",
        }
    }
}

/// Who does or suffers something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Who {
    /// You.
    Thief,
    /// A guard of this floor.
    Guard(GuardId),
}

/// How the game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Ending {
    /// Out of the keep with the Ember.
    Escaped,
    /// Killed by a guard.
    Slain(GuardKind),
    /// Burnt to death.
    Burnt,
    /// The thief gave up.
    GaveUp,
    /// Out of the keep again, without the Ember.
    TurnedBack,
    /// Out of the keep without the Ember, but with someone who was a prisoner there.
    Rescued,
}

/// The stages of the opening, in which the torch goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Blackout {
    /// The torch gutters.
    Gutters,
    /// It is out.
    Out,
    /// Nothing can be heard at all.
    Silence,
    /// And then you hear a noise.
    Noise,
    /// And again, nearer.
    Nearer,
    /// Light falls in at the corridor's end.
    Glow,
    /// It can be lit again.
    Over,
}

/// What happened in a turn, in order, as far as the thief sees, hears or feels it. Nothing
/// unseen and unheard is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameEvent {
    /// Someone in sight went a step.
    Moved {
        /// Who.
        who: Who,
        /// From this cell.
        from: IVec2,
        /// To this one.
        to: IVec2,
    },
    /// The thief was taken elsewhere at once.
    Blinked {
        /// From this cell.
        from: IVec2,
        /// To this one.
        to: IVec2,
    },
    /// A door, curtain or shutter in sight was opened or closed.
    Turned {
        /// Where.
        at: IVec2,
        /// Whether it is open now.
        open: bool,
    },
    /// A lock was opened.
    Unlocked {
        /// Where.
        at: IVec2,
        /// With a picklock, not the key.
        picked: bool,
    },
    /// A sound was heard whose source is not seen.
    Heard {
        /// What it sounds like.
        sound: Sound,
        /// From where, as far as can be told: the way along which it came.
        towards: Option<Direction>,
        /// Steps that it came, along its way.
        steps: u16,
        /// Where to draw its ring.
        at: IVec2,
    },
    /// A sound was made by the thief, or by someone in sight.
    Sounded {
        /// What it sounds like.
        sound: Sound,
        /// Where.
        at: IVec2,
        /// How far it is heard over open floor, in cells.
        reach: u16,
    },
    /// The torch in the hand was lit or put out, or went out.
    Torch {
        /// Whether it burns now.
        lit: bool,
    },
    /// The torch will burn out soon.
    TorchLow,
    /// The torch has burnt out.
    TorchSpent,
    /// A lamp in sight was lit or put out.
    Lamp {
        /// What kind of lamp.
        kind: FixtureKind,
        /// Where.
        at: IVec2,
        /// Whether it burns now.
        burning: bool,
    },
    /// Something in sight caught fire.
    Fire {
        /// Where.
        at: IVec2,
    },
    /// Smoke burst.
    Smoke {
        /// Where.
        at: IVec2,
    },
    /// The thief is lit differently.
    Band {
        /// As before.
        from: LightBand,
        /// As now.
        to: LightBand,
    },
    /// A guard in sight changed its mind.
    AlertState {
        /// Which guard.
        guard: GuardId,
        /// Its alert state now.
        alert_state: AlertState,
    },
    /// A guard in sight or hearing said something.
    Said {
        /// Which guard, if it is seen.
        guard: Option<GuardId>,
        /// What.
        bark: Bark,
    },
    /// Something was taken.
    Took {
        /// What.
        item: Item,
    },
    /// Something was put down.
    Dropped {
        /// What.
        item: Item,
    },
    /// Something flew.
    Threw {
        /// What.
        item: Item,
        /// From this cell.
        from: IVec2,
        /// To this one.
        to: IVec2,
    },
    /// A tool was used.
    Used {
        /// Which.
        tool: Tool,
    },
    /// A blow was struck.
    Struck {
        /// By whom.
        by: Who,
        /// At whom.
        whom: Who,
        /// What it cost; 0 if it missed.
        damage: i16,
    },
    /// Fire burnt someone in sight.
    Burnt {
        /// Whom.
        whom: Who,
        /// What it cost.
        damage: i16,
    },
    /// Somebody fell.
    Downed {
        /// Who.
        guard: GuardId,
        /// For good.
        dead: bool,
    },
    /// A guard was pushed.
    Shoved {
        /// Who.
        guard: GuardId,
        /// To this cell.
        to: IVec2,
    },
    /// The thief was healed.
    Healed {
        /// By so much.
        health: i16,
    },
    /// Nerve has gone, or has come back.
    Nerve {
        /// Whether steps are louder now.
        gone: bool,
    },
    /// The Ember was wrapped in cloth, or unwrapped.
    Wrapped {
        /// Whether it is wrapped now.
        wrapped: bool,
    },
    /// The cloth is used up: the Ember shines.
    ClothBurnt,
    /// Another floor was entered; everything seen and heard before is elsewhere.
    Entered {
        /// Which, from 0.
        depth: u8,
    },
    /// Three things are on offer.
    PerkOffered {
        /// These.
        perks: [Perk; 3],
    },
    /// One was learnt.
    Learnt {
        /// This one.
        perk: Perk,
    },
    /// The whole keep wakes up.
    Alarm,
    /// More bells ring on this floor than before, or fewer.
    Bells {
        /// So many do.
        bells: u8,
        /// Whether it was fewer before.
        risen: bool,
    },
    /// What is other on this floor makes itself felt: [`Twist::on_entering`], or
    /// [`Twist::on_stirring`].
    Twist {
        /// What it is.
        twist: Twist,
        /// Whether it goes on now, after it was noticed on the way in.
        stirs: bool,
    },
    /// The opening goes on.
    Blackout(Blackout),
    /// The game is over.
    Ended(Ending),
}
