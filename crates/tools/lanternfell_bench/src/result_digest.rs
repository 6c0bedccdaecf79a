//! Compact descriptions of results, to check that all entries did the same work.

use crate::{cell_digest::CellDigest, heights::Shape};

/// A result that can be compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ResultDigest {
    /// Lit or visible cells.
    Cells(CellDigest),
    /// A heightmap.
    Heights(Shape),
    /// Visible meshes.
    Meshes {
        /// Bytes of vertices and indices.
        bytes: f64,
        /// The number of triangles.
        triangles: f64,
    },
    /// Generated meshes per second.
    Made {
        /// Bytes of vertices and indices.
        bytes: f64,
        /// The number of meshes.
        meshes: f64,
    },
}

/// For example `1.25 MiB`.
pub fn show_bytes(bytes: f64) -> String {
    match bytes / f64::from(1 << 20) {
        ..0.995 => format!("{:.1} KiB", bytes / 1024.0),
        mebibytes @ ..99.95 => format!("{mebibytes:.2} MiB"),
        mebibytes => format!("{mebibytes:.0} MiB"),
    }
}

impl ResultDigest {
    /// The header of the column.
    pub fn column(&self) -> &'static str {
        match self {
            Self::Cells(_) => "cells",
            Self::Heights(_) => "heights",
            Self::Meshes { .. } => "meshes",
            Self::Made { .. } => "meshes made",
        }
    }

    /// A description. For cells it includes the difference from the reference.
    pub fn describe(&self, reference: Option<&Self>) -> String {
        match (self, reference) {
            (Self::Cells(seen), Some(Self::Cells(reference))) => seen.describe(Some(reference)),
            (Self::Cells(seen), _) => seen.describe(None),
            (Self::Heights(shape), _) => shape.to_string(),
            (Self::Meshes { bytes, triangles }, _) => {
                format!("{}, {triangles:.0} triangles", show_bytes(*bytes))
            }
            (Self::Made { bytes, meshes }, _) => {
                format!("{}/s, {meshes:.0}/s", show_bytes(*bytes))
            }
        }
    }

    /// Parses a count and a sum of cells; the mean, deviation and grain of a heightmap; or the
    /// properties of meshes.
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
    fn parses_all_kinds() {
        let cells = ResultDigest::Cells(CellDigest { count: 7, sum: 50 });
        assert_eq!(ResultDigest::read(&["7", "50"]), Some(cells));
        let heights = ResultDigest::read(&["0.5", "0.125", "1e-2"]);
        assert_eq!(
            heights.map(|found| found.describe(Some(&cells))),
            Some("0.500 +- 0.125, grain 0.010".into())
        );
        let shown = |words: &[&str]| ResultDigest::read(words).map(|found| found.describe(None));
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
