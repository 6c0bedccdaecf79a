//! The kinds of guards: every trait of a kind is in the table, so that no rule asks for a kind by name.

use core::ops::{Index, IndexMut};
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{FloorRules, GuardRules};
use crate::GuardKind;

/// What each kind of guard is like.
///
/// In the table it is a map that must have every kind. Here it is an array, because path finding
/// reads it for every cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    try_from = "BTreeMap<GuardKind, GuardRules>",
    into = "BTreeMap<GuardKind, GuardRules>"
)]
pub struct GuardTable([GuardRules; GuardKind::ALL.len()]);

impl TryFrom<BTreeMap<GuardKind, GuardRules>> for GuardTable {
    type Error = String;

    fn try_from(mut map: BTreeMap<GuardKind, GuardRules>) -> Result<Self, String> {
        let mut take = |kind| map.remove(&kind).ok_or(format!("guards has no {kind:?}"));
        let rows: Vec<GuardRules> = GuardKind::ALL
            .into_iter()
            .map(&mut take)
            .collect::<Result<_, _>>()?;
        let rows = rows.try_into();
        rows.map(Self)
            .map_err(|_| "guards has not one row for each kind".to_owned())
    }
}

impl From<GuardTable> for BTreeMap<GuardKind, GuardRules> {
    fn from(table: GuardTable) -> Self {
        GuardKind::ALL.into_iter().zip(table.0).collect()
    }
}

// `ALL` lists the kinds in the order of their declaration: a test checks it.
impl Index<GuardKind> for GuardTable {
    type Output = GuardRules;

    fn index(&self, kind: GuardKind) -> &GuardRules {
        &self.0[kind as usize]
    }
}

impl IndexMut<GuardKind> for GuardTable {
    fn index_mut(&mut self, kind: GuardKind) -> &mut GuardRules {
        &mut self.0[kind as usize]
    }
}

/// Where guards of a kind are posted on a new floor, in the order in which they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Posting {
    /// Around the Ember.
    Ember,
    /// At a post that overlooks the way between the stairs.
    Watch,
    /// On a round through a few rooms, or asleep in the barracks before one.
    Barracks,
    /// On a round through a few rooms.
    Round,
    /// From flame to flame: it counts them, and misses a dark one near it without seeing it.
    Lamps,
}

impl Posting {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Ember,
        Self::Watch,
        Self::Barracks,
        Self::Round,
        Self::Lamps,
    ];
}

impl FloorRules {
    /// How many guards of a kind there are.
    pub fn count(&self, kind: GuardKind) -> u32 {
        self.guards.get(&kind).copied().unwrap_or(0)
    }

    /// The same, to be changed.
    pub(crate) fn count_mut(&mut self, kind: GuardKind) -> &mut u32 {
        self.guards.entry(kind).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    #[test]
    fn each_kind_has_the_row_of_its_name() {
        for (place, kind) in GuardKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, place);
        }
        let rules = Rules::standard();
        let map = BTreeMap::from(rules.guards.clone());
        for kind in GuardKind::ALL {
            assert_eq!(map[&kind], *rules.guard(kind));
        }
        assert_eq!(GuardTable::try_from(map.clone()), Ok(rules.guards.clone()));
        let mut short = map;
        short.remove(&GuardKind::Hound);
        assert_eq!(
            GuardTable::try_from(short),
            Err("guards has no Hound".to_owned())
        );
    }
}
