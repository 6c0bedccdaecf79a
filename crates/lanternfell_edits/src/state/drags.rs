//! The effects of drags in progress.
//!
//! A longer version of a drag has all dabs of the version before it, and a few more. So only these are
//! added to the effects on each tile.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    brush::Brush,
    cells::Channel,
    weights::{Dabs, Effects},
};

/// The number of drags whose effects are kept.
const MOST: usize = 8;

/// If a drag has effects on more tiles than this, only those that its last dabs reached are kept. 1 MiB.
const MOST_TILES: usize = 64;

/// No effects are kept if the last dabs reached more tiles than this. 32 MiB.
const MOST_REACHED: usize = 2048;

#[derive(Debug, Clone)]
struct Drag {
    /// The number of dabs with these effects.
    dabs: usize,
    effects: Effects,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Drags(BTreeMap<u32, Drag>);

impl Drags {
    /// The effects of the current version of a drag on some of its tiles.
    pub(super) fn effects(&self, slot: u32) -> Option<&Effects> {
        self.0.get(&slot).map(|drag| &drag.effects)
    }

    /// Follows a change of a slot. `versions` are those before and after it if the stroke only got
    /// longer. Returns effects of both versions.
    pub(super) fn change(&mut self, slot: u32, versions: Option<[&Dabs<'_>; 2]>) -> [Effects; 2] {
        let drag = self.0.remove(&slot);
        let Some([before, after]) = versions else {
            return Default::default();
        };
        let brush = &after.stroke.brush;
        if matches!(brush, Brush::Stamp { .. }) || brush.channel() == Channel::Holes {
            return Default::default();
        }
        let dabs = before.count();
        let drag = drag.filter(|drag| drag.dabs == dabs);
        let mut old = drag.map(|drag| drag.effects).unwrap_or_default();
        let mut new = old.clone();
        let tiles = after.reached_from(dabs);
        for &tile in &tiles {
            let known = || Arc::new(before.effects(tile).into_owned());
            let effects = old.entry(tile).or_insert_with(known);
            let mut longer = effects.to_vec();
            after.add_effects(dabs, tile, &mut longer);
            new.insert(tile, Arc::new(longer));
        }
        let mut kept = new.clone();
        // Without new dabs, the last ones are those of an earlier version.
        if kept.len() > MOST_TILES && !tiles.is_empty() {
            kept.retain(|tile, _| tiles.contains(tile));
        }
        if kept.len() > MOST_REACHED {
            kept.clear();
        }
        if self.0.len() >= MOST {
            self.0.clear();
        }
        let drag = Drag {
            dabs: after.count(),
            effects: kept,
        };
        self.0.insert(slot, drag);
        [old, new]
    }

    /// The memory of the effects in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let effects = self.0.values().flat_map(|drag| drag.effects.values());
        effects.map(|effects| size_of_val(&***effects)).sum()
    }

    /// Forgets the effects of a drag that has ended.
    pub(crate) fn end(&mut self, slot: u32) {
        self.0.remove(&slot);
    }

    /// Forgets all effects. The next version of each drag computes its effects again.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
