//! What can be wrong with rules and exclusions.

use thiserror::Error;

use super::{MAX_CANDIDATES, MAX_REACH};

/// Why nothing can be scattered by these rules.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ScatterError {
    /// A rule's number is not one, or is outside of what is allowed.
    #[error("rule {rule:?}: {what} is {value}, but must be from {least} to {most}")]
    Range {
        /// The rule's name.
        rule: String,
        /// The field's name.
        what: &'static str,
        /// What it is.
        value: f64,
        /// The least that is allowed.
        least: f64,
        /// The most that is allowed.
        most: f64,
    },
    /// No variant, too many, or none that is ever chosen.
    #[error(
        "rule {rule:?}: {count} variants, but there must be from 1 to {most}, and one with a weight above 0"
    )]
    Variants {
        /// The rule's name.
        rule: String,
        /// How many there are.
        count: usize,
        /// The most that is allowed.
        most: usize,
    },
    /// More places than a cell can take.
    #[error(
        "rule {rule:?}: {spacing} m between two leaves {candidates:.0} places to look at for one cell of \
         {cell_size} m, but at most {} are allowed: wider spacing, smaller cells, or a shorter clearance or crown",
        MAX_CANDIDATES
    )]
    TooDense {
        /// The rule's name.
        rule: String,
        /// Its spacing, in metres.
        spacing: f32,
        /// The cells' side, in metres.
        cell_size: f64,
        /// How many places there would be.
        candidates: f64,
    },
    /// The cells' side can not be used.
    #[error("cells of {size} m a side, but they must be from 0.5 to 100000 m")]
    CellSize {
        /// What was asked for, in metres.
        size: f64,
    },
    /// The cell lies where places can no longer be told apart.
    #[error("cell ({}, {}) of {size} m is further than {} m from the middle", cell[0], cell[1], MAX_REACH)]
    TooFar {
        /// The cell.
        cell: [i64; 2],
        /// The cells' side, in metres.
        size: f64,
    },
    /// An exclusion has a number that is not one, a negative size, or no points.
    #[error("exclusion {index}: {what} can not be used")]
    Exclusion {
        /// Which of them, from 0.
        index: usize,
        /// What is wrong.
        what: &'static str,
    },
}
