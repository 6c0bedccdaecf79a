//! What a bot heeds: the same mind, with senses switched off.

/// What a bot heeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Temper {
    /// Prefers darkness, and shows a light only where it is safe.
    pub light: bool,
    /// Listens, and sets its feet so as not to be heard.
    pub noise: bool,
    /// Keeps away from guards, hides and flees; or else it walks on, and fights.
    pub guards: bool,
    /// Wants to be seen by nobody at all: it has time, and leaves lie what shines.
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
