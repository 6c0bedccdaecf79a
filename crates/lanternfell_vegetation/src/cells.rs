//! Spawns entities by cells of terrain: computed in the background, a few spawned per frame, despawned when no longer
//! needed.

use std::collections::{BTreeMap, BTreeSet};

use bevy::{
    prelude::*,
    tasks::{Task, futures::check_ready},
};

/// Number of cells computed at the same time.
const AT_ONCE: usize = 8;

/// Once this many entities were spawned in a frame, further cells wait for the next frame.
const ENTITIES: usize = 64;

/// Cells with keys `K`, each holding entities made from `T`.
pub(crate) struct Cells<K, T> {
    standing: BTreeMap<K, Standing>,
    making: Vec<Making<K, T>>,
    /// Cells that are not started yet, in reverse order.
    missing: Vec<K>,
}

struct Standing {
    revision: u64,
    entities: Vec<Entity>,
}

struct Making<K, T> {
    cell: K,
    revision: u64,
    task: Task<Vec<T>>,
}

impl<K, T> Default for Cells<K, T> {
    fn default() -> Self {
        Self {
            standing: BTreeMap::new(),
            making: Vec::new(),
            missing: Vec::new(),
        }
    }
}

impl<K: Ord + Copy, T> Cells<K, T> {
    /// Counts cells of older revisions that are up to date as those of this revision.
    pub(crate) fn keep_current(&mut self, now: u64, is_current: impl Fn(&K, u64) -> bool) {
        let standing = self.standing.iter_mut();
        let standing = standing.map(|(cell, standing)| (*cell, &mut standing.revision));
        let making = self.making.iter_mut();
        let making = making.map(|making| (making.cell, &mut making.revision));
        for (cell, revision) in standing.chain(making) {
            if is_current(&cell, *revision) {
                *revision = now;
            }
        }
    }

    /// Sets the wanted cells in order of priority, and those that may stay if they exist. Entities of an older revision
    /// stay until their replacement is ready.
    pub(crate) fn want(
        &mut self,
        commands: &mut Commands,
        revision: u64,
        wanted: &[K],
        stays: &BTreeSet<K>,
    ) {
        let known: BTreeSet<K> = wanted.iter().copied().collect();
        let stays =
            |cell: &K, of: u64| known.contains(cell) || (of == revision && stays.contains(cell));
        let gone = |cell: &K, standing: &mut Standing| !stays(cell, standing.revision);
        for (_, standing) in self.standing.extract_if(.., gone) {
            standing.put_away(commands);
        }
        // Tasks of older revisions keep running. Otherwise, if the revision changed every frame, no cell would ever
        // finish.
        self.making
            .retain(|making| stays(&making.cell, making.revision));
        let is_there = |cell: &&K| {
            let standing = self.standing.get(cell);
            let is_made =
                |making: &Making<K, T>| making.cell == **cell && making.revision == revision;
            standing.is_some_and(|standing| standing.revision == revision)
                || self.making.iter().any(is_made)
        };
        let missing = wanted.iter().rev().filter(|cell| !is_there(cell));
        self.missing = missing.copied().collect();
    }

    /// Whether all wanted cells are spawned.
    pub(crate) fn are_complete(&self) -> bool {
        self.making.is_empty() && self.missing.is_empty()
    }

    /// Starts missing cells, and spawns finished ones.
    pub(crate) fn go_on(
        &mut self,
        commands: &mut Commands,
        revision: u64,
        make: impl Fn(K) -> Task<Vec<T>>,
        mut spawn: impl FnMut(&mut Commands, T) -> Option<Entity>,
    ) {
        while self.making.len() < AT_ONCE
            && let Some(cell) = self.missing.pop()
        {
            let task = make(cell);
            self.making.push(Making {
                cell,
                revision,
                task,
            });
        }
        let mut count = 0;
        let mut left = Vec::new();
        for mut making in self.making.drain(..) {
            let there = self.standing.get(&making.cell);
            if there.is_some_and(|there| there.revision > making.revision) {
                continue;
            }
            let made = if count < ENTITIES {
                check_ready(&mut making.task)
            } else {
                None
            };
            let Some(made) = made else {
                left.push(making);
                continue;
            };
            let spawned = made.into_iter().filter_map(|one| spawn(commands, one));
            let standing = Standing {
                revision: making.revision,
                entities: spawned.collect(),
            };
            count += standing.entities.len();
            if let Some(before) = self.standing.insert(making.cell, standing) {
                before.put_away(commands);
            }
        }
        self.making = left;
    }
}

impl Standing {
    fn put_away(self, commands: &mut Commands) {
        for entity in self.entities {
            commands.entity(entity).try_despawn();
        }
    }
}
