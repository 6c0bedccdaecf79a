//! What an entry found or made, to see that all did the same work.

use crate::{cell_digest::CellDigest, heights::Shape};

/// Something that can be compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ResultDigest {
    /// Cells that are lit or seen.
    Cells(CellDigest),
    /// A heightmap.
    Heights(Shape),
    /// Meshes that are drawn.
    Meshes {
        /// Of vertices and indices.
        bytes: f64,
        /// How many these have.
        triangles: f64,
    },
    /// Meshes that are made, each second.
    Made {
        /// Of vertices and indices.
        bytes: f64,
        /// How many these are.
        meshes: f64,
    },
}

/// As in `1.25 MiB`.
pub fn show_bytes(bytes: f64) -> String {
    match bytes / f64::from(1 << 20) {
        ..0.995 => format!("{:.1} KiB", bytes / 1024.0),
        mebibytes @ ..99.95 => format!("{mebibytes:.2} MiB"),
        mebibytes => format!("{mebibytes:.0} MiB"),
    }
}

impl ResultDigest {
    /// The column that it stands in.
    pub fn column(&self) -> &'static str {
        match self {
            Self::Cells(_) => "cells",
            Self::Heights(_) => "heights",
            Self::Meshes { .. } => "meshes",
            Self::Made { .. } => "meshes made",
        }
    }

    /// In words; for cells with the difference from the reference's.
    pub fn beside(&self, reference: Option<&Self>) -> String {
        match (self, reference) {
            (Self::Cells(seen), Some(Self::Cells(reference))) => seen.beside(Some(reference)),
            (Self::Cells(seen), _) => seen.beside(None),
            (Self::Heights(shape), _) => shape.to_string(),
            (Self::Meshes { bytes, triangles }, _) => {
                format!("{}, {triangles:.0} triangles", show_bytes(*bytes))
            }
            (Self::Made { bytes, meshes }, _) => {
                format!("{}/s, {meshes:.0}/s", show_bytes(*bytes))
            }
        }
    }

    /// Reads a count and a sum of cells, or a map's mean, deviation and grain; or what meshes are.
    pub fn read(words: &[&str]) -> Option<Self> {
        let number = |word: &str| word.parse().ok().filter(|value: &f64| value.is_finite());
        match *words {
            ["meshes", bytes, triangles] => Some(Self::Meshes {
                bytes: number(bytes)?,
                triangles: number(triangles)?,
            }),
            ["made", bytes, meshes] => Some(Self::Made {
                bytes: number(bytes)?,
                meshes: number(meshes)?,
            }),
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
    fn all_kinds_are_read() {
        let cells = ResultDigest::Cells(CellDigest { count: 7, sum: 50 });
        assert_eq!(ResultDigest::read(&["7", "50"]), Some(cells));
        let heights = ResultDigest::read(&["0.5", "0.125", "1e-2"]);
        assert_eq!(
            heights.map(|found| found.beside(Some(&cells))),
            Some("0.500 +- 0.125, grain 0.010".into())
        );
        let shown = |words: &[&str]| ResultDigest::read(words).map(|found| found.beside(None));
        let meshes = shown(&["meshes", "2097152", "350"]);
        assert_eq!(meshes, Some("2.00 MiB, 350 triangles".into()));
        let made = shown(&["made", "102400", "3.2"]);
        assert_eq!(made, Some("100.0 KiB/s, 3/s".into()));
        for words in [
            &["meshes", "1", "x"][..],
            &["7"],
            &["7.5", "1"],
            &["1", "2", "NaN"],
            &[],
        ] {
            assert_eq!(ResultDigest::read(words), None, "{words:?}");
        }
    }
}
