//! Errors of rules, cells and exclusions.

use thiserror::Error;

use super::{MAX_CANDIDATES, MAX_REACH};

/// Why a rule, cell or exclusion is invalid.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ScatterError {
    /// A field of a rule is out of range or not finite.
    #[error("rule {rule:?}: {what} is {value}, but must be from {least} to {most}")]
    Range {
        /// Name of the rule.
        rule: String,
        /// Name of the field.
        what: &'static str,
        /// Its value.
        value: f64,
        /// Smallest allowed value.
        least: f64,
        /// Largest allowed value.
        most: f64,
    },
    /// The rule has no variants, too many, or none with a weight above 0.
    #[error(
        "rule {rule:?}: {count} variants; expected 1 to {most}, at least one with a weight above 0"
    )]
    Variants {
        /// Name of the rule.
        rule: String,
        /// Number of variants.
        count: usize,
        /// Largest allowed number.
        most: usize,
    },
    /// The rule needs too many candidates per cell.
    #[error(
        "rule {rule:?}: a spacing of {spacing} m needs {candidates:.0} candidates for one cell of {cell_size} m, \
         but at most {} are allowed; increase the spacing, or reduce the cell size, clearance or crown",
        MAX_CANDIDATES
    )]
    TooDense {
        /// Name of the rule.
        rule: String,
        /// Its spacing in meters.
        spacing: f32,
        /// Width of a cell in meters.
        cell_size: f64,
        /// Number of candidates per cell.
        candidates: f64,
    },
    /// The cell size is out of range.
    #[error("the cell size is {size} m, but must be from 0.5 to 100000 m")]
    CellSize {
        /// The given size in meters.
        size: f64,
    },
    /// The cell is too far from the origin to tell positions apart.
    #[error("cell ({}, {}) of {size} m is more than {} m from the origin", cell[0], cell[1], MAX_REACH)]
    TooFar {
        /// The cell.
        cell: [i64; 2],
        /// Width of a cell in meters.
        size: f64,
    },
    /// An exclusion is invalid.
    #[error("exclusion {index}: {what}")]
    Exclusion {
        /// Index of the exclusion.
        index: usize,
        /// Description of the problem.
        what: &'static str,
    },
}
