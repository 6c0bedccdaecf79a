//! Several authors, with entries that arrive late, twice and in any order.

use std::sync::Arc;

use lanternfell_edits::{Change, Channel, EditError, EditId, Edited, Edits, Entry};
use lanternfell_random::SeededRng;
use lanternfell_test_support::cases;

use crate::{
    model::{Model, Rough},
    random::{AREA, CROWDED, any, place},
};

/// One copy of the log, and the entries that are on their way to it.
struct Copy {
    edits: Edits,
    /// The drag in progress.
    drag: Option<EditId>,
    incoming: Vec<Entry>,
}

impl Copy {
    fn new() -> Self {
        Self {
            edits: Edits::with_limits(Arc::new(Rough), CROWDED),
            drag: None,
            incoming: Vec::new(),
        }
    }

    /// Starts, extends or ends a drag.
    fn drag(&mut self, author: u32, rng: &mut SeededRng) -> Edited {
        let Some(id) = self.drag else {
            let made = self.edits.start_drag(author, any(rng)).unwrap();
            self.drag = Some(made.id);
            return made;
        };
        if rng.percent(25) {
            self.drag = None;
            return self.edits.end_drag(id).unwrap();
        }
        let positions: Vec<_> = (0..rng.below(3)).map(|_| place(rng)).collect();
        self.edits.extend_drag(id, &positions).unwrap()
    }

    /// Compares with the model, and the changes with the difference to the state before.
    fn check(&self, before: Option<Model>, changes: &[Change], what: &str) {
        let model = Model::of(AREA, self.edits.entries());
        Model::read(AREA, &self.edits).assert_is(&model, what);
        check_changes(&before.unwrap(), &model, changes, what);
    }
}

/// Checks that the changed rectangles have all cells that differ, and are not larger.
fn check_changes(before: &Model, after: &Model, changes: &[Change], what: &str) {
    let width = AREA.columns as usize;
    for channel in Channel::ALL {
        let differs = |column: i64, row: i64| {
            let at = (row - AREA.row) as usize * width + (column - AREA.column) as usize;
            match channel {
                Channel::Heights => before.heights[at] != after.heights[at],
                Channel::Holes => before.holes[at] != after.holes[at],
                Channel::Paint => before.paint[at] != after.paint[at],
                Channel::Plants => before.plants[at] != after.plants[at],
            }
        };
        let rects = changes.iter().filter(|change| change.channel == channel);
        let rects: Vec<_> = rects.map(|change| change.area).collect();
        for row in AREA.row..AREA.end_row() {
            for column in AREA.column..AREA.end_column() {
                let within = rects
                    .iter()
                    .filter(|rect| rect.contains(column, row))
                    .count();
                assert!(
                    within <= 1,
                    "{what}: {channel:?} {column} {row} is in {within}"
                );
                let missing = within == 0 && differs(column, row);
                assert!(!missing, "{what}: {channel:?} {column} {row} is missing");
            }
        }
        for rect in rects {
            let rows = || rect.row..rect.end_row();
            let columns = || rect.column..rect.end_column();
            let sides = [
                columns().any(|column| differs(column, rect.row)),
                columns().any(|column| differs(column, rect.end_row() - 1)),
                rows().any(|row| differs(rect.column, row)),
                rows().any(|row| differs(rect.end_column() - 1, row)),
            ];
            assert_eq!(
                sides, [true; 4],
                "{what}: {channel:?} {rect:?} is too large"
            );
        }
    }
}

/// Lets authors edit, undo and redo, and delivers the entries at random.
fn play(seed: u64, steps: usize, checked: usize) {
    let mut rng = SeededRng::new(seed, b"merging ");
    let mut copies: Vec<Copy> = (0..3).map(|_| Copy::new()).collect();
    for step in 0..steps {
        let author = rng.below(3) as usize;
        let copy = &mut copies[author];
        let name = author as u32 + 7;
        let before = (step % checked == 0).then(|| Model::read(AREA, &copy.edits));
        let made = match rng.below(14) {
            0 | 1 => copy.edits.undo(name).unwrap(),
            2 => copy.edits.redo(name).unwrap(),
            3 => {
                // A moderator undoes or brings back anything.
                let all: Vec<_> = copy.edits.entries().map(|entry| entry.id).collect();
                let id = rng.pick(&all).copied().unwrap_or_default();
                let done = match copy.edits.is_active(id) {
                    true => copy.edits.undo_edit(name, id),
                    false => copy.edits.redo_edit(name, id),
                };
                match done {
                    Ok(made) => Some(made),
                    Err(error) => {
                        assert_eq!(error, EditError::Unknown { id });
                        None
                    }
                }
            }
            4..8 => Some(copy.drag(name, &mut rng)),
            _ => Some(copy.edits.stroke(name, any(&mut rng)).unwrap()),
        };
        if let Some(made) = made {
            let entry = copy.edits.entry(made.id).unwrap().clone();
            let what = format!("seed {seed}, step {step}, {:?}", entry.operation);
            if step % checked == 0 {
                copy.check(before, &made.changes, &what);
            }
            for (other, copy) in copies.iter_mut().enumerate() {
                let times = usize::from(other != author) + usize::from(rng.percent(20));
                copy.incoming.extend(vec![entry.clone(); times]);
            }
        }
        for copy in &mut copies {
            while rng.percent(45) && !copy.incoming.is_empty() {
                let at = rng.below(copy.incoming.len() as u64) as usize;
                let entry = copy.incoming.swap_remove(at);
                let what = format!("seed {seed}, step {step}, late {:?}", entry.operation);
                let before = (step % checked == 0).then(|| Model::read(AREA, &copy.edits));
                let changes = copy.edits.insert(entry).unwrap();
                if step % checked == 0 {
                    copy.check(before, &changes, &what);
                }
            }
        }
    }
    for copy in &mut copies {
        rng.shuffle(&mut copy.incoming);
        for entry in std::mem::take(&mut copy.incoming) {
            copy.edits.insert(entry).unwrap();
        }
        let model = Model::of(AREA, copy.edits.entries());
        Model::read(AREA, &copy.edits).assert_is(&model, &format!("seed {seed}, at the end"));
    }
    let [a, b, c] = [0, 1, 2].map(|at| copies[at].edits.to_bytes());
    assert!(a == b && b == c, "seed {seed}");
    let tiles = |at: usize| copies[at].edits.tiles();
    assert!(
        tiles(0).eq(tiles(1)) && tiles(1).eq(tiles(2)),
        "seed {seed}"
    );
}

#[test]
fn merged_logs_equal_the_model_after_each_step() {
    for seed in 0..8 {
        play(seed, 14, 1);
    }
}

#[test]
fn merged_logs_equal_the_model() {
    for seed in 0..cases(16, 2000) {
        play(seed.into(), 40, 13);
    }
}
