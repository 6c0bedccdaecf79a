//! Tracks which tiles of the grid a step must visit.
//!
//! # The idea
//!
//! The next light of a cell depends on the cell itself and the cells around it. If neither a tile
//! nor its eight neighbors have changed since the last visit of the tile, another visit would not
//! change a bit. Each tile records when it last changed and when a step last visited it. The clock
//! advances by one with each step.
//!
//! ```text
//!   . . . . . .      #  changed in the last step
//!   . o o o . .      o  visited in the next step, like #
//!   . o # o o .      .  not visited
//!   . o o # o .
//!   . . o o o .
//! ```
//!
//! Skipping tiles is exact, so the size of the tiles cannot change a result.

type Time = u64;

/// The times at which each tile changed and was visited.
#[derive(Debug, Clone)]
pub(crate) struct Activity {
    across: usize,
    down: usize,
    now: Time,
    /// When any tile last changed.
    last_change: Time,
    changed: Vec<Time>,
    visited: Vec<Time>,
    /// When each row of tiles was last scanned.
    scanned: Vec<Time>,
    /// When any tile in each row of tiles last changed.
    row_changed: Vec<Time>,
    /// The largest change of light in each tile at its last visit.
    pub(crate) change: Vec<f32>,
}

impl Activity {
    /// Dark tiles, which remain dark until something changes.
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

    /// Whether any tile has changed since `time`.
    pub(crate) fn anything_since(&self, time: Time) -> bool {
        self.last_change > time
    }

    pub(crate) fn now(&self) -> Time {
        self.now
    }

    /// Advances the clock. The next step sees the changes of the step that ends now.
    pub(crate) fn tick(&mut self) {
        self.now += 1;
    }

    /// Records a change in a tile. Steps see it from the next one on.
    pub(crate) fn touch(&mut self, tile_x: usize, tile_y: usize) {
        // In the future, so that a visit in the present step does not count as having seen it.
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

    /// Marks in `visit` the tiles that a step must visit in one row of tiles, and records the
    /// visits. Returns whether there are any.
    pub(crate) fn visits(&mut self, tile_y: usize, visit: &mut Vec<bool>) -> bool {
        visit.clear();
        let rows = tile_y.saturating_sub(1)..(tile_y + 2).min(self.down);
        let latest = self.row_changed[rows.clone()].iter().max();
        // A quick test of whole rows of tiles, which is all that a quiet grid costs.
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

    /// Whether the next step of the automaton would visit the tile.
    pub(crate) fn is_awake(&self, tile_x: usize, tile_y: usize) -> bool {
        let rows = tile_y.saturating_sub(1)..(tile_y + 2).min(self.down);
        let columns = tile_x.saturating_sub(1)..(tile_x + 2).min(self.across);
        let seen = self.visited[tile_y * self.across + tile_x];
        let mut around = rows.flat_map(|y| columns.clone().map(move |x| y * self.across + x));
        around.any(|tile| self.changed[tile] > seen)
    }
}
