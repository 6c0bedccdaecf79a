//! What the player has met in all games: guards, tools, and what floors can be like. Help tells of these,
//! and leaves the others to be found.

use std::collections::BTreeSet;

use gutterlight_rules::{GuardKind, Tool, Twist, View};
use serde::{Deserialize, Serialize};

use super::{
    Home, LORE, MOST_TEXT, Trouble, or_default, read, unless_in_the_way, words, write_ron,
};

/// What was met.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lore {
    /// Guards that were seen.
    pub guards: BTreeSet<GuardKind>,
    /// Tools that were carried.
    pub tools: BTreeSet<Tool>,
    /// What floors were like.
    pub twists: BTreeSet<Twist>,
}

impl Lore {
    /// Adds what is met now. Whether anything of it is new.
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
    /// What was met: nothing if there is no file, or one that can not be used. That one is kept aside.
    pub fn lore(&self) -> (Lore, Option<Trouble>) {
        or_default(self.read_lore())
    }

    /// Writes what was met.
    ///
    /// # Errors
    /// If the file can not be written.
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
