//! The rules for the kinds of guards. Code reads the traits of a kind from here, and does not
//! compare kinds by name.

use core::ops::{Index, IndexMut};
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{FloorRules, GuardRules};
use crate::GuardKind;

/// The rules for each kind of guard.
///
/// In RON it is a map that must contain every kind. In memory it is an array, because path finding
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
            .map_err(|_| "guards must have one row for each kind".to_owned())
    }
}

impl From<GuardTable> for BTreeMap<GuardKind, GuardRules> {
    fn from(table: GuardTable) -> Self {
        GuardKind::ALL.into_iter().zip(table.0).collect()
    }
}

// `ALL` lists the kinds in declaration order, which a test checks.
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

/// Where guards of a kind are placed on a new floor. The variants are in the order of placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Posting {
    /// Around the Ember.
    Ember,
    /// At a post that overlooks the path between the stairs.
    Watch,
    /// On a route through a few rooms, or asleep in the barracks.
    Barracks,
    /// On a route through a few rooms.
    Round,
    /// On a route from flame to flame. Such a guard notices a dark lamp nearby without seeing it.
    Lamps,
}

impl Posting {
    /// All postings, in declaration order.
    pub const ALL: [Self; 5] = [
        Self::Ember,
        Self::Watch,
        Self::Barracks,
        Self::Round,
        Self::Lamps,
    ];
}

impl FloorRules {
    /// The number of guards of a kind.
    pub fn count(&self, kind: GuardKind) -> u32 {
        self.guards.get(&kind).copied().unwrap_or(0)
    }

    /// The number of guards of a kind, for changing it.
    pub(crate) fn count_mut(&mut self, kind: GuardKind) -> &mut u32 {
        self.guards.entry(kind).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    #[test]
    fn kinds_index_their_own_rules() {
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
