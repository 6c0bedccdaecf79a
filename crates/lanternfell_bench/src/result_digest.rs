//! What an entry found or made, to see that all did the same work.

use crate::{cell_digest::CellDigest, heights::Shape};

/// Something that can be compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ResultDigest {
    /// Cells that are lit or seen.
    Cells(CellDigest),
    /// A heightmap.
    Heights(Shape),
}

impl ResultDigest {
    /// The column that it stands in.
    pub fn column(&self) -> &'static str {
        match self {
            Self::Cells(_) => "cells",
            Self::Heights(_) => "heights",
        }
    }

    /// In words; for cells with the difference from the reference's.
    pub fn beside(&self, reference: Option<&Self>) -> String {
        match (self, reference) {
            (Self::Cells(seen), Some(Self::Cells(reference))) => seen.beside(Some(reference)),
            (Self::Cells(seen), _) => seen.beside(None),
            (Self::Heights(shape), _) => shape.to_string(),
        }
    }

    /// Reads a count and a sum of cells, or a map's mean, deviation and grain.
    pub fn read(words: &[&str]) -> Option<Self> {
        let number = |word: &str| word.parse().ok().filter(|value: &f64| value.is_finite());
        match *words {
            [count, sum] => Some(Self::Cells(CellDigest {
                count: count.parse().ok()?,
                sum: sum.parse().ok()?,
            })),
            [mean, deviation, grain] => Some(Self::Heights(Shape {
                mean: number(mean)?,
                deviation: number(deviation)?,
                grain: number(grain)?,
                off: None,
            })),
            _ => None,
        }
    }
}

impl From<CellDigest> for ResultDigest {
    fn from(seen: CellDigest) -> Self {
        Self::Cells(seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_are_read() {
        let cells = ResultDigest::Cells(CellDigest { count: 7, sum: 50 });
        assert_eq!(ResultDigest::read(&["7", "50"]), Some(cells));
        let heights = ResultDigest::read(&["0.5", "0.125", "1e-2"]);
        assert_eq!(
            heights.map(|found| found.beside(Some(&cells))),
            Some("0.500 +- 0.125, grain 0.010".into())
        );
        for words in [&["7"][..], &["7.5", "1"], &["1", "2", "NaN"], &[]] {
            assert_eq!(ResultDigest::read(words), None, "{words:?}");
        }
    }
}
