//! Places no two of which are nearer than a spacing, each square of the plane alone.
//!
//! Problem: throwing darts and dropping those that fall too near to an earlier one (Cook 1986) gives the most
//! natural look, but every dart hangs on all earlier ones: a cell could not be made alone.
//!
//! Idea: every dart is a *candidate* with a priority, and both are hashes of its lattice square. A candidate
//! stands if no candidate of a higher priority that stands is nearer than the spacing: the same darts, in a
//! random order that is known without throwing. Whether the higher one stands hangs on still higher ones near
//! it, and so on; such chains are short, and are cut after [`ROUNDS`].
//!
//! ```text
//!      3 --- 8      9 stands; so 7 falls, so 5 may stand; 8 stands, so 3 falls.
//!    5 --- 7 --- 9  Round 1: 8 and 9 stand. Round 2: 3 and 7 fall. Round 3: 5 stands.
//! ```
//!
//! Steps: in every round each undecided candidate looks at those of higher priority that are nearer than the
//! spacing, as they were after the round before. If one stands, it falls; if all have fallen, it stands. What is
//! undecided after the last round falls.
//!
//! # Why a cell alone is the same as the whole plane
//! What a candidate is after round `k` depends on candidates no further than `k` spacings: by the rule for one
//! spacing and round `k - 1` for the others. So with all candidates up to `ROUNDS` spacings outside of a
//! window, those inside are what they are on the whole plane. And no two that stand are too near: the lower
//! stood up only when the higher had fallen, and what has fallen stays so.
//!
//! Cost: [`PER_SQUARE`] candidates for each square of `spacing / sqrt(2)`; each is compared with those of
//! 5 x 5 squares once, then rounds look at lists of about a dozen.
//!
//! Source: Bowers, Wang, Wei and Maletz, *Parallel Poisson Disk Sampling with Spectrum Analysis on Surfaces*,
//! SIGGRAPH Asia 2010, whose priorities these are; Luby 1986 for the rounds.

use crate::hash::Key;

/// How many times candidates look at their neighbors. After 8 rounds one candidate in 7000 was left undecided,
/// after 12 none of 361,250.
pub(super) const ROUNDS: u32 = 12;

/// Candidates in a lattice square. With 1, 2, 3, 4 of them 0.51, 0.56, 0.58, 0.59 stand in a square of one
/// spacing; no more than 0.7 would ever fit (Lagae and Dutre 2008), and each costs as much as the first.
pub(super) const PER_SQUARE: u64 = 2;

/// A part of the plane, in metres: x to the east, z to the south. What lies on the south and east borders is
/// outside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) min: [f64; 2],
    pub(super) max: [f64; 2],
}

impl Window {
    /// The window grown on all sides.
    pub(super) fn grown(self, by: f64) -> Self {
        Self {
            min: self.min.map(|side| side - by),
            max: self.max.map(|side| side + by),
        }
    }

    pub(super) fn contains(&self, place: [f64; 2]) -> bool {
        (0..2).all(|axis| self.min[axis] <= place[axis] && place[axis] < self.max[axis])
    }
}

/// A place, and random bits that are its priority and the seed of all else about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub(super) position: [f64; 2],
    pub(super) bits: u64,
}

/// The candidates of squares, row by row.
struct Lattice {
    places: Vec<Place>,
    columns: usize,
    rows: usize,
}

/// The side of a lattice square: no two in one of them can both stand.
fn side(spacing: f64) -> f64 {
    spacing * core::f64::consts::FRAC_1_SQRT_2
}

/// How many candidates are looked at for a window of this side.
pub(super) fn cost(window: f64, spacing: f64) -> f64 {
    let squares = (window + 2.0 * f64::from(ROUNDS) * spacing) / side(spacing) + 2.0;
    squares * squares * PER_SQUARE as f64
}

/// All places in the window, in rows of lattice squares from the north, each from the west.
pub(super) fn places(key: Key, spacing: f64, window: Window) -> Vec<Place> {
    let lattice = Lattice::new(key, spacing, window.grown(spacing * f64::from(ROUNDS)));
    let stands = decide(&lattice.higher_neighbors(spacing));
    let standing = lattice.places.iter().zip(stands);
    standing
        .filter(|(place, stands)| *stands && window.contains(place.position))
        .map(|(place, _)| *place)
        .collect()
}

/// The candidates of one lattice square.
pub(super) fn candidates(key: Key, spacing: f64, square: [i64; 2]) -> impl Iterator<Item = Place> {
    let side = side(spacing);
    let mut draws = key.at(square).stream();
    (0..PER_SQUARE).map(move |_| Place {
        position: square.map(|index| (index as f64 + draws.unit()) * side),
        bits: draws.word(),
    })
}

impl Lattice {
    /// All squares that the window touches.
    fn new(key: Key, spacing: f64, window: Window) -> Self {
        let index = |coordinate: f64| (coordinate / side(spacing)).floor() as i64;
        let (min, max) = (window.min.map(index), window.max.map(index));
        let [columns, rows] = [0, 1].map(|axis| (max[axis] - min[axis] + 1) as usize);
        let mut places = Vec::with_capacity(columns * rows * PER_SQUARE as usize);
        for z in min[1]..=max[1] {
            for x in min[0]..=max[0] {
                places.extend(candidates(key, spacing, [x, z]));
            }
        }
        Self {
            places,
            columns,
            rows,
        }
    }

    /// For each candidate the numbers of those of higher priority that are nearer than the spacing.
    ///
    /// Equal priorities are told apart by the order of the squares, which is the same in any window.
    fn higher_neighbors(&self, spacing: f64) -> Lists {
        let mut lists = Lists {
            starts: vec![0],
            numbers: Vec::with_capacity(self.places.len() * 8),
        };
        let rank = |number: usize| (self.places[number].bits, number);
        for row in 0..self.rows {
            for column in 0..self.columns {
                for number in self.of_square(column, row) {
                    self.each_near(column, row, |other| {
                        if rank(other) > rank(number) && self.near(number, other, spacing) {
                            lists.numbers.push(other as u32);
                        }
                    });
                    lists.starts.push(lists.numbers.len() as u32);
                }
            }
        }
        lists
    }

    /// The candidates of a square.
    fn of_square(&self, column: usize, row: usize) -> core::ops::Range<usize> {
        let first = (row * self.columns + column) * PER_SQUARE as usize;
        first..first + PER_SQUARE as usize
    }

    /// Whatever could be nearer than the spacing: two squares are at least one spacing.
    fn each_near(&self, column: usize, row: usize, mut visit: impl FnMut(usize)) {
        for row in row.saturating_sub(2)..(row + 3).min(self.rows) {
            let (first, last) = (column.saturating_sub(2), (column + 2).min(self.columns - 1));
            let numbers = self.of_square(first, row).start..self.of_square(last, row).end;
            numbers.for_each(&mut visit);
        }
    }

    fn near(&self, a: usize, b: usize, spacing: f64) -> bool {
        distance_squared(self.places[a].position, self.places[b].position) < spacing * spacing
    }
}

/// The square of the distance of two places.
pub(super) fn distance_squared(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (x, z) = (a[0] - b[0], a[1] - b[1]);
    x * x + z * z
}

/// Lists of numbers, one after the other.
struct Lists {
    starts: Vec<u32>,
    numbers: Vec<u32>,
}

impl Lists {
    fn of(&self, number: usize) -> &[u32] {
        &self.numbers[self.starts[number] as usize..self.starts[number + 1] as usize]
    }
}

/// What a candidate is so far.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Undecided,
    Stands,
    Fallen,
}

/// Which candidates stand, by the lists of their higher neighbors.
fn decide(higher: &Lists) -> impl Iterator<Item = bool> + use<> {
    let count = higher.starts.len() - 1;
    let mut states = vec![State::Undecided; count];
    let mut open: Vec<usize> = (0..count).collect();
    for _ in 0..ROUNDS {
        // All look before any moves: a round must not see itself.
        let next: Vec<State> = open
            .iter()
            .map(|&number| after_round(higher.of(number), &states))
            .collect();
        for (&number, &state) in open.iter().zip(&next) {
            states[number] = state;
        }
        open.retain(|&number| states[number] == State::Undecided);
    }
    states.into_iter().map(|state| state == State::Stands)
}

/// What an undecided candidate is after a round, by its higher neighbors before it.
fn after_round(higher: &[u32], states: &[State]) -> State {
    let mut waits = false;
    for &other in higher {
        match states[other as usize] {
            State::Stands => return State::Fallen,
            State::Undecided => waits = true,
            State::Fallen => {}
        }
    }
    if waits {
        State::Undecided
    } else {
        State::Stands
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The whole plane at once, each candidate against each: the slow twin.
    fn slow(key: Key, spacing: f64, window: Window) -> Vec<Place> {
        let all = Lattice::new(key, spacing, window).places;
        let mut states = vec![State::Undecided; all.len()];
        for _ in 0..ROUNDS {
            let before = states.clone();
            for (number, place) in all
                .iter()
                .enumerate()
                .filter(|(n, _)| before[*n] == State::Undecided)
            {
                let higher = |(other, state): (usize, &State)| {
                    let near =
                        distance_squared(all[other].position, place.position) < spacing * spacing;
                    (near && all[other].bits > place.bits).then_some(*state)
                };
                let higher: Vec<State> = before.iter().enumerate().filter_map(higher).collect();
                if higher.contains(&State::Stands) {
                    states[number] = State::Fallen;
                } else if !higher.contains(&State::Undecided) {
                    states[number] = State::Stands;
                }
            }
        }
        let standing = all
            .into_iter()
            .zip(states)
            .filter(|(_, state)| *state == State::Stands);
        standing.map(|(place, _)| place).collect()
    }

    #[test]
    fn windows_alone_are_the_whole_plane() {
        for (seed, spacing) in [(1, 1.0), (2, 2.5), (3, 0.3)] {
            let key = Key::new(seed, 9);
            let inner = Window {
                min: [-11.0 * spacing, -7.0 * spacing],
                max: [9.0 * spacing, 8.0 * spacing],
            };
            let plane = slow(key, spacing, inner.grown(spacing * f64::from(ROUNDS)));
            let mut expected: Vec<Place> = plane
                .into_iter()
                .filter(|place| inner.contains(place.position))
                .collect();
            assert!(expected.len() > 100);
            let cut = [-2.0 * spacing, 0.7 * spacing];
            let mut parts = Vec::new();
            for (west, east) in [(inner.min[0], cut[0]), (cut[0], inner.max[0])] {
                for (north, south) in [(inner.min[1], cut[1]), (cut[1], inner.max[1])] {
                    parts.extend(places(
                        key,
                        spacing,
                        Window {
                            min: [west, north],
                            max: [east, south],
                        },
                    ));
                }
            }
            let order = |place: &Place| place.bits;
            parts.sort_by_key(order);
            expected.sort_by_key(order);
            assert_eq!(parts, expected);
        }
    }

    #[test]
    fn rounds_decide_nearly_all_and_gaps_are_few() {
        let window = Window {
            min: [0.0; 2],
            max: [300.0; 2],
        };
        let lattice = Lattice::new(Key::new(5, 0), 1.0, window);
        let lists = lattice.higher_neighbors(1.0);
        let stands: Vec<bool> = decide(&lists).collect();
        // One that neither stands nor has a neighbor that does was left undecided.
        let left = (0..stands.len()).filter(|&number| {
            !stands[number] && !lists.of(number).iter().any(|&other| stands[other as usize])
        });
        assert_eq!(left.count(), 0);
        let count = stands.iter().filter(|stands| **stands).count();
        let per_square = count as f64 / 90_000.0;
        assert!((0.55..0.57).contains(&per_square), "{per_square}");
    }
}
