//! What the player has met in any game: guards, tools and twists. The help explains these and hides the rest.

use std::collections::BTreeSet;

use gutterlight_rules::{GuardKind, Tool, Twist, View};
use serde::{Deserialize, Serialize};

use super::{
    Home, LORE, MOST_TEXT, Trouble, or_default, read, unless_in_the_way, words, write_ron,
};

/// The things that the player has met.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lore {
    /// Kinds of guards the player has seen.
    pub guards: BTreeSet<GuardKind>,
    /// Tools the player has carried.
    pub tools: BTreeSet<Tool>,
    /// Twists of floors the player has entered.
    pub twists: BTreeSet<Twist>,
}

impl Lore {
    /// Adds everything that is visible now. Returns whether anything was new.
    pub fn meet(&mut self, view: View<'_>) -> bool {
        let mut new = false;
        for guard in view.guards() {
            new |= self.guards.insert(guard.kind);
        }
        for stack in view.thief().tools.iter().flatten() {
            new |= self.tools.insert(stack.tool);
        }
        let twist = view.twist();
        new | twist.is_some_and(|twist| self.twists.insert(twist))
    }
}

impl Home {
    /// Loads the lore. If there is no valid file, it is empty. An invalid file is kept aside.
    pub fn lore(&self) -> (Lore, Option<Trouble>) {
        or_default(self.read_lore())
    }

    /// Writes the lore.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn keep_lore(&self, lore: &Lore) -> Result<(), Trouble> {
        unless_in_the_way(self.read_lore())?;
        write_ron(&*self.data, LORE, lore)
    }

    fn read_lore(&self) -> Result<Option<Lore>, Trouble> {
        read(&*self.data, LORE, MOST_TEXT, |bytes| {
            ron::de::from_bytes(bytes).map_err(words)
        })
    }
}
