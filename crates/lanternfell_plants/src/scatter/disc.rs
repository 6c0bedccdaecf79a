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
//! Rounds: in every round each undecided candidate looks at those of higher priority that are nearer than the
//! spacing, as they were after the round before. If one stands, it falls; if all have fallen, it stands. What is
//! undecided after the last round falls.
//!
//! Steps: rounds are what is meant, and most of their work is for nobody. A candidate that is asked for asks its
//! higher neighbors, the highest first, until one stands; they do the same, and all remember. That says who stands,
//! and by which round at the latest. Only where that is after the last round, or where the asking goes on further
//! than [`APRON`] around the window, the rounds are gone through for that candidate: for 770 of five million, where
//! windows were of 8 spacings. A verdict that is known was found among whole neighborhoods, and no later than it says.
//!
//! # Why a cell alone is the same as the whole plane
//! What a candidate is after round `k` depends on candidates no further than `k` spacings: by the rule for one
//! spacing and round `k - 1` for the others. So with all candidates up to `ROUNDS` spacings outside of a
//! window, those inside are what they are on the whole plane. And no two that stand are too near: the lower
//! stood up only when the higher had fallen, and what has fallen stays so.
//!
//! Cost: [`PER_SQUARE`] candidates for each square of `spacing / sqrt(2)` in the window and its apron; each that is
//! asked for or about is compared once with those of 5 x 5 squares. Trees in cells of 32 m take a ninth of what
//! rounds for all took, whose windows had to be 12 spacings larger on all sides; grass in such cells half.
//!
//! Source: Bowers, Wang, Wei and Maletz, *Parallel Poisson Disk Sampling with Spectrum Analysis on Surfaces*,
//! SIGGRAPH Asia 2010, whose priorities these are; Luby 1986 for the rounds.

use crate::hash::Key;

/// How many times candidates look at their neighbors. After 8 rounds one candidate in 7000 was left undecided,
/// after 12 none of 361,250.
pub(super) const ROUNDS: u32 = 12;

/// How many spacings around a window there are candidates to be asked about.
const APRON: f64 = 4.0;

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

/// How many candidates there are for a window of this side.
pub(super) fn cost(window: f64, spacing: f64) -> f64 {
    let squares = (window + 2.0 * APRON * spacing) / side(spacing) + 2.0;
    squares * squares * PER_SQUARE as f64
}

/// What `take` makes of the places in the window, in rows of lattice squares from the north, each from the west.
///
/// It is asked of candidates, and whether they stand only where it takes one: it must hang on the place alone.
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
            // `take` goes first: it refuses most candidates on most ground, and needs no neighbors.
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

/// By the rounds, as they are defined.
fn stands_after_all_rounds(key: Key, spacing: f64, place: &Place) -> bool {
    let alone = Window {
        min: place.position,
        max: place.position,
    };
    let lattice = Lattice::new(key, spacing, alone.grown(spacing * f64::from(ROUNDS)));
    // The apron is as wide as information can travel in `ROUNDS` rounds, so the result is that of the whole plane.
    let stands = decide(&lattice.higher_neighbors(spacing));
    let mut standing = lattice.places.iter().zip(stands);
    standing.any(|(other, stands)| stands && other == place)
}

/// What is known of a candidate, and after how many rounds at the latest it is so.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Verdict {
    Stands { round: u32 },
    Falls { round: u32 },
    Unknown,
}

/// Asks candidates whether they stand, and remembers it.
struct Inquiry<'a> {
    lattice: &'a Lattice,
    spacing: f64,
    /// None of those that were not asked.
    verdicts: Vec<Option<Verdict>>,
}

/// As many as two squares to all sides hold.
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
        // At the border of the lattice a higher neighbor may be missing, so a verdict could differ between windows.
        let verdict = if self.lattice.is_at_border(number) {
            Verdict::Unknown
        } else {
            self.ask(number).within_rounds()
        };
        self.verdicts[number] = Some(verdict);
        verdict
    }

    /// Asks the higher neighbors, the highest first: most often it stands, and answers for all.
    fn ask(&mut self, number: usize) -> Verdict {
        // On the stack: this recurses, and is the inner loop of all scattering. Ranks grow along the recursion, so it ends.
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
                // Even after an `Unknown`: one neighbor that stands decides, whatever the others do.
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
    /// All squares that the window touches.
    fn new(key: Key, spacing: f64, window: Window) -> Self {
        let index = |coordinate: f64| (coordinate / side(spacing)).floor() as i64;
        let (min, max) = (window.min.map(index), window.max.map(index));
        let [columns, rows] = [0, 1].map(|axis| (max[axis] - min[axis] + 1) as usize);
        let mut places = Vec::with_capacity(columns * rows * PER_SQUARE as usize);
        // Row by row: the order decides ties of rank and the order of the result, and must not depend on the window.
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

    /// Those of higher priority that are nearer than the spacing.
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

    /// Equal priorities are told apart by the order of the squares, which is the same in any window.
    fn rank(&self, number: usize) -> (u64, usize) {
        (self.places[number].bits, number)
    }

    /// Column and row of a candidate's square.
    fn square_of(&self, number: usize) -> (usize, usize) {
        let square = number / PER_SQUARE as usize;
        (square % self.columns, square / self.columns)
    }

    /// Whether there may be neighbors outside.
    fn is_at_border(&self, number: usize) -> bool {
        let (column, row) = self.square_of(number);
        let inside = |index: usize, count: usize| index >= 2 && index + 2 < count;
        !inside(column, self.columns) || !inside(row, self.rows)
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
            // Squares of a row are neighbors in memory: one range instead of five.
            let numbers = self.of_square(first, row).start..self.of_square(last, row).end;
            numbers.for_each(&mut visit);
        }
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
    fn who_asks_hears_what_the_rounds_say() {
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
    fn nearly_all_is_known_without_the_rounds() {
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
    fn what_is_not_known_nearby_is_decided_by_the_rounds() {
        // Without an apron nothing within two squares of the border is.
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
