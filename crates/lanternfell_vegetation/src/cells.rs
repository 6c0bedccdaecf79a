//! Spawns entities by cells of terrain: computed in the background, a few spawned per frame, despawned when no longer
//! needed.
//!
//! After edits of the terrain and other changes, a cell is computed again. Entities that the new cell contains too are kept
//! with all their components, and at most moved.

use std::collections::{BTreeMap, BTreeSet};

use bevy::{
    platform::collections::HashMap,
    prelude::*,
    tasks::{Task, futures::check_ready},
};

/// Number of cells computed at the same time.
const AT_ONCE: usize = 8;

/// Once this many entities were spawned in a frame, further cells wait for the next frame.
const ENTITIES: usize = 64;

/// What an entity is made from.
pub(crate) trait Placed {
    /// Whether the entity of `before` can stay, if it gets the transform of this one.
    fn is_same(&self, before: &Self) -> bool;

    fn transform(&self) -> &Transform;
}

/// Cells with keys `K`, each holding entities made from `T`.
pub(crate) struct Cells<K, T> {
    standing: BTreeMap<K, Standing<T>>,
    making: Vec<Making<K, T>>,
    /// Cells that are not started yet, in reverse order.
    missing: Vec<K>,
}

struct Standing<T> {
    revision: u64,
    entities: Vec<(Entity, T)>,
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

impl<K: Ord + Copy, T: Placed> Cells<K, T> {
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
        let gone = |cell: &K, standing: &mut Standing<T>| !stays(cell, standing.revision);
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
        mut spawn: impl FnMut(&mut Commands, &T) -> Option<Entity>,
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
            let mut before = Before::new(self.standing.remove(&making.cell));
            let mut entities = Vec::with_capacity(made.len());
            for new in made {
                let kept = before.keep(commands, &new);
                count += usize::from(kept.is_none());
                if let Some(entity) = kept.or_else(|| spawn(commands, &new)) {
                    entities.push((entity, new));
                }
            }
            before.put_away(commands);
            let standing = Standing {
                revision: making.revision,
                entities,
            };
            self.standing.insert(making.cell, standing);
        }
        self.making = left;
    }
}

impl<T> Standing<T> {
    fn put_away(self, commands: &mut Commands) {
        for (entity, _) in self.entities {
            commands.entity(entity).try_despawn();
        }
    }
}

/// The entities of a cell before it was computed again, by the bits of their x and z.
struct Before<T>(HashMap<[u32; 2], Vec<(Entity, T)>>);

fn column(placed: &impl Placed) -> [u32; 2] {
    placed
        .transform()
        .translation
        .xz()
        .to_array()
        .map(f32::to_bits)
}

impl<T: Placed> Before<T> {
    fn new(standing: Option<Standing<T>>) -> Self {
        let mut by_column = HashMap::<_, Vec<_>>::default();
        for (entity, placed) in standing.into_iter().flat_map(|standing| standing.entities) {
            by_column
                .entry(column(&placed))
                .or_default()
                .push((entity, placed));
        }
        Self(by_column)
    }

    /// Returns the entity that can stay, and moves it if its transform differs.
    fn keep(&mut self, commands: &mut Commands, new: &T) -> Option<Entity> {
        let here = self.0.get_mut(&column(new))?;
        let index = here.iter().position(|(_, before)| new.is_same(before))?;
        let (entity, before) = here.swap_remove(index);
        if new.transform() != before.transform() {
            commands.entity(entity).try_insert(*new.transform());
        }
        Some(entity)
    }

    fn put_away(self, commands: &mut Commands) {
        for (entity, _) in self.0.into_values().flatten() {
            commands.entity(entity).try_despawn();
        }
    }
}
