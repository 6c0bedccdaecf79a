//! The senses and habits of a bot, which can be switched off.

/// The senses and habits of a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Temper {
    /// Prefers darkness, and uses the torch only where it is safe.
    pub light: bool,
    /// Listens, and avoids being heard.
    pub noise: bool,
    /// Avoids guards, hides and flees. Without it, the bot walks on and fights.
    pub guards: bool,
    /// Never wants to be seen: is patient and leaves treasure alone.
    pub unseen: bool,
}

impl Temper {
    pub(super) const CAREFUL: Self = Self {
        light: true,
        noise: true,
        guards: true,
        unseen: false,
    };
    pub(super) const GHOST: Self = Self {
        unseen: true,
        ..Self::CAREFUL
    };
    pub(super) const LIGHT_BLIND: Self = Self {
        light: false,
        ..Self::CAREFUL
    };
    pub(super) const NOISE_DEAF: Self = Self {
        noise: false,
        ..Self::CAREFUL
    };
    pub(super) const RECKLESS: Self = Self {
        light: false,
        noise: false,
        guards: false,
        unseen: false,
    };
}
