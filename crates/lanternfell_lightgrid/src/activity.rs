//! Which tiles of the grid need to be visited.
//!
//! # The idea
//!
//! A cell's next light depends on itself and the cells around it. So when nothing has
//! changed in a tile and its eight neighbors since the tile was visited last, visiting it
//! again would change nothing, to the last bit. Every tile remembers when it changed last
//! and when a step visited it last; the clock goes on by one with each step.
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
    /// When it was last looked which tiles of a row of tiles to visit.
    scanned: Vec<Time>,
    /// When anything in a row of tiles changed last.
    row_changed: Vec<Time>,
    /// By how much the light in a tile changed, at most, when it was visited last.
    pub(crate) change: Vec<f32>,
}

impl Activity {
    /// Tiles in darkness, which stays dark unless something is changed.
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

    /// The clock goes on: what changed in the step that ends now is seen by the next.
    pub(crate) fn tick(&mut self) {
        self.now += 1;
    }

    /// Something in this tile has changed: what steps see from the next on.
    pub(crate) fn touch(&mut self, tile_x: usize, tile_y: usize) {
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

    /// Marks in `visit` the tiles of a row of tiles that a step has to visit, as visited now;
    /// whether there are any.
    pub(crate) fn visits(&mut self, tile_y: usize, visit: &mut Vec<bool>) -> bool {
        visit.clear();
        let rows = tile_y.saturating_sub(1)..(tile_y + 2).min(self.down);
        let latest = self.row_changed[rows.clone()].iter().max();
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
