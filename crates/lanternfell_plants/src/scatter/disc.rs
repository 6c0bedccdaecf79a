//! Poisson-disk sampling of the plane, for each window independently.
//!
//! Problem: dart throwing, which drops each dart that is too close to an earlier one (Cook 1986), gives the most
//! natural look. But each dart depends on all earlier ones, so a cell could not be computed alone.
//!
//! Idea: every dart is a *candidate* with a priority. Both its position and its priority are hashes of its lattice
//! square. A candidate stands if no standing candidate of higher priority is closer than the spacing. This is dart
//! throwing in a random order that is known in advance. Whether the higher candidate stands depends on still higher
//! ones near it, and so on. Such chains are short and are cut off after [`ROUNDS`].
//!
//! ```text
//!      3 --- 8      9 stands; so 7 falls, so 5 may stand; 8 stands, so 3 falls.
//!    5 --- 7 --- 9  Round 1: 8 and 9 stand. Round 2: 3 and 7 fall. Round 3: 5 stands.
//! ```
//!
//! Definition: in every round, each undecided candidate looks at the higher candidates within the spacing, in their
//! state after the previous round. If one of them stands, the candidate falls. If all of them have fallen, it stands.
//! Candidates that are undecided after the last round fall.
//!
//! Evaluation: running all rounds would waste most of the work on candidates outside the window. So the code evaluates
//! candidates lazily, with memoization. A candidate evaluates its higher neighbors, highest first, until one stands;
//! they do the same recursively. This gives the verdict, and an upper bound of the round in which it is reached. The
//! rounds themselves run only for a candidate whose bound is beyond the last round, or whose evaluation leaves the
//! [`APRON`] around the window. That was needed for 770 of five million candidates, with windows of 8 spacings. Every
//! other verdict was reached with complete neighborhoods and within its bound, so it equals the verdict of the rounds.
//!
//! # Why a window gives the same result as the whole plane
//! The state of a candidate after round `k` depends on candidates at most `k` spacings away: on its neighbors within
//! one spacing, which depend on candidates `k - 1` spacings away. So with all candidates up to `ROUNDS` spacings
//! outside a window, those inside have the same state as on the whole plane. No two standing candidates are too close,
//! because the lower one stands only after the higher one has fallen, and fallen candidates stay fallen.
//!
//! Cost: [`PER_SQUARE`] candidates for each square of side `spacing / sqrt(2)` in the window and its apron. Each
//! evaluated candidate is compared once with those of 5 x 5 squares. Compared with running all rounds, whose windows
//! must be 12 spacings larger on all sides, trees in cells of 32 m take a ninth of the time, and grass half.
//!
//! Source: Bowers, Wang, Wei and Maletz, *Parallel Poisson Disk Sampling with Spectrum Analysis on Surfaces*, SIGGRAPH
//! Asia 2010, for the priorities; Luby 1986 for the rounds.

use crate::hash::Key;

/// Number of rounds. After 8 rounds one candidate in 7000 was undecided, after 12 none of 361,250.
pub(super) const ROUNDS: u32 = 12;

/// Width of the border of candidates around a window, in spacings.
const APRON: f64 = 4.0;

/// Candidates per lattice square. With 1, 2, 3 or 4 candidates, 0.51, 0.56, 0.58 or 0.59 stand per square of one
/// spacing. The maximum is 0.7 (Lagae and Dutre 2008), and each candidate costs the same.
pub(super) const PER_SQUARE: u64 = 2;

/// A rectangle of the plane in meters: x east, z south. The south and east borders are exclusive.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) min: [f64; 2],
    pub(super) max: [f64; 2],
}

impl Window {
    /// The window, enlarged on all sides.
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

/// A candidate: its position, and random bits that are its priority and the seed of its other random numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub(super) position: [f64; 2],
    pub(super) bits: u64,
}

/// The candidates of a rectangle of squares, in row-major order.
struct Lattice {
    places: Vec<Place>,
    columns: usize,
    rows: usize,
}

/// Width of a lattice square. At most one candidate per square can stand.
fn side(spacing: f64) -> f64 {
    spacing * core::f64::consts::FRAC_1_SQRT_2
}

/// Number of candidates for a window of this width.
pub(super) fn cost(window: f64, spacing: f64) -> f64 {
    let squares = (window + 2.0 * APRON * spacing) / side(spacing) + 2.0;
    squares * squares * PER_SQUARE as f64
}

/// Returns `take` of all standing candidates in the window for which it is `Some`, by lattice squares in row-major
/// order from the northwest.
///
/// `take` is called first, and the verdict is computed only if it returns `Some`. It must depend on the place alone.
pub(super) fn places<T>(
    key: Key,
    spacing: f64,
    window: Window,
    take: impl Fn(&Place) -> Option<T>,
) -> Vec<T> {
    let lattice = Lattice::new(key, spacing, window.grown(spacing * APRON));
    let mut inquiry = Inquiry::new(&lattice, spacing);
    let candidates = lattice.places.iter().enumerate();
    candidates
        .filter(|(_, place)| window.contains(place.position))
        .filter_map(|(number, place)| {
            // `take` first: on most terrain it rejects most candidates, and it needs no neighbors.
            let taken = take(place)?;
            let stands = match inquiry.verdict(number) {
                Verdict::Stands { .. } => true,
                Verdict::Falls { .. } => false,
                Verdict::Unknown => stands_after_all_rounds(key, spacing, place),
            };
            stands.then_some(taken)
        })
        .collect()
}

/// Computes the verdict of one candidate with the rounds.
fn stands_after_all_rounds(key: Key, spacing: f64, place: &Place) -> bool {
    let alone = Window {
        min: place.position,
        max: place.position,
    };
    let lattice = Lattice::new(key, spacing, alone.grown(spacing * f64::from(ROUNDS)));
    // The apron is as wide as information can travel in `ROUNDS` rounds, so the result equals that of the whole plane.
    let stands = decide(&lattice.higher_neighbors(spacing));
    let mut standing = lattice.places.iter().zip(stands);
    standing.any(|(other, stands)| stands && other == place)
}

/// The verdict about a candidate, with an upper bound of the round in which it is reached.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Verdict {
    Stands { round: u32 },
    Falls { round: u32 },
    Unknown,
}

/// Evaluates candidates lazily and caches their verdicts.
struct Inquiry<'a> {
    lattice: &'a Lattice,
    spacing: f64,
    /// `None` for candidates that were not evaluated.
    verdicts: Vec<Option<Verdict>>,
}

/// Most candidates within two squares on all sides.
const MOST_NEAR: usize = 25 * PER_SQUARE as usize;

impl<'a> Inquiry<'a> {
    fn new(lattice: &'a Lattice, spacing: f64) -> Self {
        Self {
            verdicts: vec![None; lattice.places.len()],
            lattice,
            spacing,
        }
    }

    fn verdict(&mut self, number: usize) -> Verdict {
        if let Some(verdict) = self.verdicts[number] {
            return verdict;
        }
        // At the border of the lattice a higher neighbor may be missing, so the verdict could differ between windows.
        let verdict = if self.lattice.is_at_border(number) {
            Verdict::Unknown
        } else {
            self.ask(number).within_rounds()
        };
        self.verdicts[number] = Some(verdict);
        verdict
    }

    /// Evaluates the higher neighbors, highest first: it is the most likely to stand, which decides at once.
    fn ask(&mut self, number: usize) -> Verdict {
        // On the stack, because this recursion is the inner loop of all scattering. Ranks increase along the recursion,
        // so it ends.
        let mut higher = [0; MOST_NEAR];
        let mut count = 0;
        self.lattice
            .each_higher_neighbor(number, self.spacing, |other| {
                higher[count] = other;
                count += 1;
            });
        let higher = &mut higher[..count];
        higher.sort_unstable_by_key(|&other| core::cmp::Reverse(self.lattice.rank(other)));
        let mut verdict = Verdict::Stands { round: 1 };
        for &other in &*higher {
            match (self.verdict(other), verdict) {
                // Even after an `Unknown`: one standing neighbor decides, regardless of the others.
                (Verdict::Stands { round }, _) => return Verdict::Falls { round: round + 1 },
                (Verdict::Falls { round: after }, Verdict::Stands { round }) => {
                    let round = round.max(after + 1);
                    verdict = Verdict::Stands { round };
                }
                (Verdict::Unknown, _) => verdict = Verdict::Unknown,
                _ => {}
            }
        }
        verdict
    }
}

impl Verdict {
    fn within_rounds(self) -> Self {
        match self {
            Self::Stands { round } | Self::Falls { round } if round > ROUNDS => Self::Unknown,
            known => known,
        }
    }
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
    /// Creates the candidates of all squares that overlap the window.
    fn new(key: Key, spacing: f64, window: Window) -> Self {
        let index = |coordinate: f64| (coordinate / side(spacing)).floor() as i64;
        let (min, max) = (window.min.map(index), window.max.map(index));
        let [columns, rows] = [0, 1].map(|axis| (max[axis] - min[axis] + 1) as usize);
        let mut places = Vec::with_capacity(columns * rows * PER_SQUARE as usize);
        // Row by row: the order breaks ties of rank and orders the result, so it must not depend on the window.
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

    /// For each candidate, the indices of higher candidates within the spacing.
    fn higher_neighbors(&self, spacing: f64) -> Lists {
        let mut lists = Lists {
            starts: vec![0],
            numbers: Vec::with_capacity(self.places.len() * 8),
        };
        for number in 0..self.places.len() {
            self.each_higher_neighbor(number, spacing, |other| lists.numbers.push(other as u32));
            lists.starts.push(lists.numbers.len() as u32);
        }
        lists
    }

    /// Visits the higher candidates within the spacing.
    fn each_higher_neighbor(&self, number: usize, spacing: f64, mut visit: impl FnMut(usize)) {
        let (column, row) = self.square_of(number);
        let (rank, place) = (self.rank(number), self.places[number].position);
        self.each_near(column, row, |other| {
            let near = || distance_squared(self.places[other].position, place) < spacing * spacing;
            if self.rank(other) > rank && near() {
                visit(other);
            }
        });
    }

    /// Priority, with ties broken by the order of the squares, which is the same in any window.
    fn rank(&self, number: usize) -> (u64, usize) {
        (self.places[number].bits, number)
    }

    /// Column and row of a candidate's square.
    fn square_of(&self, number: usize) -> (usize, usize) {
        let square = number / PER_SQUARE as usize;
        (square % self.columns, square / self.columns)
    }

    /// Whether neighbors may be outside the lattice.
    fn is_at_border(&self, number: usize) -> bool {
        let (column, row) = self.square_of(number);
        let inside = |index: usize, count: usize| index >= 2 && index + 2 < count;
        !inside(column, self.columns) || !inside(row, self.rows)
    }

    /// The indices of a square's candidates.
    fn of_square(&self, column: usize, row: usize) -> core::ops::Range<usize> {
        let first = (row * self.columns + column) * PER_SQUARE as usize;
        first..first + PER_SQUARE as usize
    }

    /// Visits all candidates that can be within the spacing: two squares are wider than one spacing.
    fn each_near(&self, column: usize, row: usize, mut visit: impl FnMut(usize)) {
        for row in row.saturating_sub(2)..(row + 3).min(self.rows) {
            let (first, last) = (column.saturating_sub(2), (column + 2).min(self.columns - 1));
            // Adjacent squares of a row are contiguous in memory: one range instead of five.
            let numbers = self.of_square(first, row).start..self.of_square(last, row).end;
            numbers.for_each(&mut visit);
        }
    }
}

/// The squared distance of two positions.
pub(super) fn distance_squared(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (x, z) = (a[0] - b[0], a[1] - b[1]);
    x * x + z * z
}

/// Lists of indices, stored contiguously.
struct Lists {
    starts: Vec<u32>,
    numbers: Vec<u32>,
}

impl Lists {
    fn of(&self, number: usize) -> &[u32] {
        &self.numbers[self.starts[number] as usize..self.starts[number + 1] as usize]
    }
}

/// The state of a candidate between rounds.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Undecided,
    Stands,
    Fallen,
}

/// Runs all rounds. Returns whether each candidate stands.
fn decide(higher: &Lists) -> impl Iterator<Item = bool> + use<> {
    let count = higher.starts.len() - 1;
    let mut states = vec![State::Undecided; count];
    let mut open: Vec<usize> = (0..count).collect();
    for _ in 0..ROUNDS {
        // Compute all new states before writing any: a round must not see its own changes.
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

/// The state of an undecided candidate after a round, given its higher neighbors before the round.
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

    /// Reference implementation: the whole plane at once, each candidate against each.
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
    fn windows_match_the_whole_plane() {
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
                        |place| Some(*place),
                    ));
                }
            }
            let order = |place: &Place| place.bits;
            parts.sort_by_key(order);
            expected.sort_by_key(order);
            assert_eq!(parts, expected);
        }
    }

    fn square(from: [f64; 2], side: f64) -> Window {
        Window {
            min: from,
            max: from.map(|least| least + side),
        }
    }

    #[test]
    fn lazy_verdicts_match_the_rounds() {
        for (seed, spacing) in [(1, 1.0), (2, 3.7)] {
            let key = Key::new(seed, 4);
            let window = square([-31.0 * spacing, 1e3 * spacing], 60.0 * spacing);
            let around = Lattice::new(key, spacing, window.grown(spacing * f64::from(ROUNDS)));
            let stands = decide(&around.higher_neighbors(spacing));
            let inside = |place: &Place| window.contains(place.position);
            let standing: Vec<Place> = around
                .places
                .iter()
                .zip(stands)
                .filter(|(place, stands)| *stands && inside(place))
                .map(|(place, _)| *place)
                .collect();
            assert_eq!(places(key, spacing, window, |place| Some(*place)), standing);
            for place in around.places.iter().filter(|place| inside(place)).take(60) {
                let stands = stands_after_all_rounds(key, spacing, place);
                assert_eq!(stands, standing.contains(place), "{place:?}");
            }
        }
    }

    #[test]
    fn few_verdicts_need_the_rounds() {
        let (mut unknown, mut all) = (0, 0);
        for cell in 0..400 {
            let window = square([8.0 * cell as f64, 0.0], 8.0);
            let lattice = Lattice::new(Key::new(3, 1), 1.0, window.grown(APRON));
            let mut inquiry = Inquiry::new(&lattice, 1.0);
            for (number, place) in lattice.places.iter().enumerate() {
                if window.contains(place.position) {
                    all += 1;
                    unknown += usize::from(inquiry.verdict(number) == Verdict::Unknown);
                }
            }
        }
        assert!(all > 100_000 && unknown * 4000 < all, "{unknown} of {all}");
    }

    #[test]
    fn unknown_verdicts_fall_back_to_the_rounds() {
        // Without an apron, every candidate within two squares of the border is unknown.
        let (key, window) = (Key::new(8, 2), square([0.0; 2], 6.0));
        let lattice = Lattice::new(key, 1.0, window);
        let mut inquiry = Inquiry::new(&lattice, 1.0);
        assert_eq!(inquiry.verdict(0), Verdict::Unknown);
        let all = places(key, 1.0, window, |place| Some(*place));
        let alone = |place: &Place| stands_after_all_rounds(key, 1.0, place);
        let inside = lattice
            .places
            .iter()
            .filter(|place| window.contains(place.position));
        let standing: Vec<Place> = inside.filter(|place| alone(place)).copied().collect();
        assert_eq!(all, standing);
    }

    #[test]
    fn rounds_leave_no_candidate_undecided() {
        let window = Window {
            min: [0.0; 2],
            max: [300.0; 2],
        };
        let lattice = Lattice::new(Key::new(5, 0), 1.0, window);
        let lists = lattice.higher_neighbors(1.0);
        let stands: Vec<bool> = decide(&lists).collect();
        // A fallen candidate without a standing higher neighbor was left undecided.
        let left = (0..stands.len()).filter(|&number| {
            !stands[number] && !lists.of(number).iter().any(|&other| stands[other as usize])
        });
        assert_eq!(left.count(), 0);
        let count = stands.iter().filter(|stands| **stands).count();
        let per_square = count as f64 / 90_000.0;
        assert!((0.55..0.57).contains(&per_square), "{per_square}");
    }
}
