//! Tracks which tiles of the grid a step must visit.
//!
//! # The idea
//!
//! The next light of a cell depends on itself and the cells around it. If nothing has changed in
//! a tile and its eight neighbors since its last visit, another visit would not change it, to the
//! last bit. Every tile records when it last changed and when a step last visited it. The clock
//! advances by one with each step.
//!
//! ```text
//!   . . . . . .      #  changed in the last step
//!   . o o o . .      o  visited in the next step, with #
//!   . o # o o .      .  not even looked at
//!   . o o # o .
//!   . . o o o .
//! ```
//!
//! Skipping is exact, so the size of the tiles can not change a result.

type Time = u64;

/// When each tile changed and was visited.
#[derive(Debug, Clone)]
pub(crate) struct Activity {
    across: usize,
    down: usize,
    now: Time,
    /// When anything changed last, anywhere.
    last_change: Time,
    changed: Vec<Time>,
    visited: Vec<Time>,
    /// When each row of tiles was last scanned.
    scanned: Vec<Time>,
    /// When anything in a row of tiles changed last.
    row_changed: Vec<Time>,
    /// The largest change of light in each tile at its last visit.
    pub(crate) change: Vec<f32>,
}

impl Activity {
    /// Dark tiles, which stay dark until something is changed.
    pub(crate) fn new(across: usize, down: usize) -> Self {
        Self {
            across,
            down,
            now: 0,
            last_change: 0,
            changed: vec![0; across * down],
            visited: vec![0; across * down],
            scanned: vec![0; down],
            row_changed: vec![0; down],
            change: vec![0.0; across * down],
        }
    }

    /// Whether anything anywhere has changed since.
    pub(crate) fn anything_since(&self, time: Time) -> bool {
        self.last_change > time
    }

    pub(crate) fn now(&self) -> Time {
        self.now
    }

    /// Advances the clock: the next step sees what changed in the step that ends now.
    pub(crate) fn tick(&mut self) {
        self.now += 1;
    }

    /// Records a change in this tile, which steps see from the next on.
    pub(crate) fn touch(&mut self, tile_x: usize, tile_y: usize) {
        // In the future, so that a visit in the running step does not count as having seen it.
        let time = self.now + 1;
        self.changed[tile_y * self.across + tile_x] = time;
        self.row_changed[tile_y] = time;
        self.last_change = time;
    }

    pub(crate) fn touch_all(&mut self) {
        let time = self.now + 1;
        self.changed.fill(time);
        self.row_changed.fill(time);
        self.last_change = time;
    }

    /// Marks in `visit` the tiles of a row of tiles that a step must visit, and records the
    /// visit. Returns whether there are any.
    pub(crate) fn visits(&mut self, tile_y: usize, visit: &mut Vec<bool>) -> bool {
        visit.clear();
        let rows = tile_y.saturating_sub(1)..(tile_y + 2).min(self.down);
        let latest = self.row_changed[rows.clone()].iter().max();
        // A quick test for whole rows of tiles, which is all that a quiet grid costs.
        if latest.is_none_or(|&latest| latest <= self.scanned[tile_y]) {
            return false;
        }
        self.scanned[tile_y] = self.now;
        let mut any = false;
        for tile_x in 0..self.across {
            let columns = tile_x.saturating_sub(1)..(tile_x + 2).min(self.across);
            let seen = self.visited[tile_y * self.across + tile_x];
            let dirty = rows.clone().any(|y| {
                let row = &self.changed[y * self.across..][..self.across];
                row[columns.clone()].iter().any(|&time| time > seen)
            });
            if dirty {
                self.visited[tile_y * self.across + tile_x] = self.now;
            }
            visit.push(dirty);
            any |= dirty;
        }
        any
    }

    /// Whether the automaton's next step would visit the tile.
    pub(crate) fn is_awake(&self, tile_x: usize, tile_y: usize) -> bool {
        let rows = tile_y.saturating_sub(1)..(tile_y + 2).min(self.down);
        let columns = tile_x.saturating_sub(1)..(tile_x + 2).min(self.across);
        let seen = self.visited[tile_y * self.across + tile_x];
        let mut around = rows.flat_map(|y| columns.clone().map(move |x| y * self.across + x));
        around.any(|tile| self.changed[tile] > seen)
    }
}
