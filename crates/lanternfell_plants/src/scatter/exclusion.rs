//! Areas without instances: boxes, circles and paths.

use super::{ScatterError, disc::Window};

/// An area without instances, in world meters: x east, z south.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy_reflect", reflect(Clone, Debug, PartialEq))]
pub enum Exclusion {
    /// An axis-aligned box.
    Box {
        /// Northwest corner.
        min: [f64; 2],
        /// Southeast corner.
        max: [f64; 2],
    },
    /// A circle.
    Circle {
        /// Center.
        center: [f64; 2],
        /// Radius in meters.
        radius: f64,
    },
    /// A path through points, with round ends and joints.
    Path {
        /// The points of the path. A single point is a circle.
        points: Vec<[f64; 2]>,
        /// Full width in meters.
        width: f64,
    },
}

impl Exclusion {
    /// Returns the reason if the exclusion is invalid.
    fn fault(&self) -> Option<&'static str> {
        let finite = |place: &[f64; 2]| place.iter().all(|number| number.is_finite());
        let size = |size: f64| size.is_finite() && size >= 0.0;
        match self {
            Self::Box { min, max } if !finite(min) || !finite(max) => {
                Some("a corner is not finite")
            }
            Self::Box { min, max } if min[0] > max[0] || min[1] > max[1] => {
                Some("the corners of the box are swapped")
            }
            Self::Circle { center, .. } if !finite(center) => Some("the center is not finite"),
            Self::Circle { radius, .. } if !size(*radius) => {
                Some("the radius is negative or not finite")
            }
            Self::Path { points, .. } if points.is_empty() => Some("the path has no points"),
            Self::Path { points, .. } if !points.iter().all(finite) => {
                Some("a point is not finite")
            }
            Self::Path { width, .. } if !size(*width) => {
                Some("the width is negative or not finite")
            }
            Self::Box { .. } | Self::Circle { .. } | Self::Path { .. } => None,
        }
    }

    /// The convex pieces of the exclusion.
    fn pieces(&self) -> Vec<Piece> {
        match self {
            Self::Box { min, max } => vec![Piece::Box {
                min: *min,
                max: *max,
            }],
            Self::Circle { center, radius } => vec![Piece::Segment {
                from: *center,
                to: *center,
                radius: *radius,
            }],
            Self::Path { points, width } => {
                let radius = width / 2.0;
                let segment = |from: [f64; 2], to: [f64; 2]| Piece::Segment { from, to, radius };
                if let [point] = points[..] {
                    return vec![segment(point, point)];
                }
                points
                    .windows(2)
                    .map(|pair| segment(pair[0], pair[1]))
                    .collect()
            }
        }
    }
}

/// A convex piece of an exclusion.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Piece {
    Box {
        min: [f64; 2],
        max: [f64; 2],
    },
    Segment {
        from: [f64; 2],
        to: [f64; 2],
        radius: f64,
    },
}

impl Piece {
    /// Whether the bounding box overlaps the window.
    fn touches(&self, window: &Window) -> bool {
        let (min, max, grow) = match self {
            Self::Box { min, max } => (*min, *max, 0.0),
            Self::Segment { from, to, radius } => {
                let low = [from[0].min(to[0]), from[1].min(to[1])];
                (low, [from[0].max(to[0]), from[1].max(to[1])], *radius)
            }
        };
        (0..2).all(|axis| {
            min[axis] - grow <= window.max[axis] && max[axis] + grow >= window.min[axis]
        })
    }

    /// Whether a position is within `margin` of the piece.
    fn covers(&self, place: [f64; 2], margin: f64) -> bool {
        // The distance to the nearest point of the box is used, so a margin rounds its corners.
        let (offset, radius) = match *self {
            Self::Box { min, max } => {
                let beyond = |axis: usize| {
                    (min[axis] - place[axis])
                        .max(place[axis] - max[axis])
                        .max(0.0)
                };
                ([beyond(0), beyond(1)], margin)
            }
            Self::Segment { from, to, radius } => (from_segment(place, from, to), radius + margin),
        };
        offset[0] * offset[0] + offset[1] * offset[1] <= radius * radius
    }
}

/// The offset from the nearest point of a segment to a position.
fn from_segment(place: [f64; 2], from: [f64; 2], to: [f64; 2]) -> [f64; 2] {
    let along = [to[0] - from[0], to[1] - from[1]];
    let offset = [place[0] - from[0], place[1] - from[1]];
    let length = along[0] * along[0] + along[1] * along[1];
    let dot = offset[0] * along[0] + offset[1] * along[1];
    // A segment of zero length is a point.
    let t = if length > 0.0 {
        (dot / length).clamp(0.0, 1.0)
    } else {
        0.0
    };
    [offset[0] - along[0] * t, offset[1] - along[1] * t]
}

/// Validated exclusions, prepared for queries.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Exclusions {
    pieces: Vec<Piece>,
}

impl Exclusions {
    /// No exclusions.
    pub const NONE: Self = Self { pieces: Vec::new() };

    /// Validates exclusions.
    ///
    /// # Errors
    /// Returns the first exclusion with a value that is not finite, a negative size, swapped corners or no points.
    pub fn new<'a>(
        exclusions: impl IntoIterator<Item = &'a Exclusion>,
    ) -> Result<Self, ScatterError> {
        let mut pieces = Vec::new();
        for (index, exclusion) in exclusions.into_iter().enumerate() {
            if let Some(what) = exclusion.fault() {
                return Err(ScatterError::Exclusion { index, what });
            }
            pieces.extend(exclusion.pieces());
        }
        Ok(Self { pieces })
    }

    /// Whether a position is in one of the exclusions or within `margin` meters of one.
    pub fn cover(&self, place: [f64; 2], margin: f64) -> bool {
        self.pieces.iter().any(|piece| piece.covers(place, margin))
    }

    /// The exclusions that can overlap a window.
    pub(super) fn near(&self, window: Window) -> Self {
        let near = self.pieces.iter().filter(|piece| piece.touches(&window));
        Self {
            pieces: near.copied().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cover(exclusion: Exclusion, place: [f64; 2], margin: f64) -> bool {
        Exclusions::new([&exclusion]).unwrap().cover(place, margin)
    }

    #[test]
    fn shapes_cover_expected_positions() {
        let house = Exclusion::Box {
            min: [0.0, 0.0],
            max: [4.0, 2.0],
        };
        assert!(cover(house.clone(), [4.0, 1.0], 0.0));
        assert!(!cover(house.clone(), [4.1, 1.0], 0.0));
        assert!(cover(house.clone(), [4.6, 2.6], 1.0));
        assert!(!cover(house, [4.8, 2.8], 1.0), "corners are round");
        let pond = Exclusion::Circle {
            center: [1.0, 1.0],
            radius: 2.0,
        };
        assert!(cover(pond.clone(), [2.0, 2.0], 0.0));
        assert!(!cover(pond, [2.5, 2.5], 0.0));
        let path = Exclusion::Path {
            points: vec![[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]],
            width: 2.0,
        };
        for (place, inside) in [
            ([5.0, 0.9], true),
            ([5.0, 1.1], false),
            ([10.6, -0.6], true),
            ([10.8, -0.8], false),
        ] {
            assert_eq!(cover(path.clone(), place, 0.0), inside, "{place:?}");
        }
        assert!(cover(
            Exclusion::Path {
                points: vec![[3.0, 3.0]],
                width: 1.0
            },
            [3.4, 3.0],
            0.0
        ));
    }

    #[test]
    fn near_keeps_overlapping_pieces() {
        let far = Exclusion::Circle {
            center: [50.0, 0.0],
            radius: 3.0,
        };
        let near = Exclusion::Path {
            points: vec![[-100.0, 5.0], [100.0, 5.0]],
            width: 1.0,
        };
        let all = Exclusions::new([&far, &near]).unwrap();
        let window = Window {
            min: [0.0, 0.0],
            max: [10.0, 10.0],
        };
        assert_eq!(all.near(window), Exclusions::new([&near]).unwrap());
        assert_eq!(all.near(window.grown(40.0)), all);
    }

    #[test]
    fn rejects_invalid_exclusions() {
        let good = Exclusion::Circle {
            center: [0.0; 2],
            radius: 0.0,
        };
        let bad = [
            (
                Exclusion::Circle {
                    center: [0.0; 2],
                    radius: -1.0,
                },
                "radius",
            ),
            (
                Exclusion::Circle {
                    center: [f64::NAN; 2],
                    radius: 1.0,
                },
                "center",
            ),
            (
                Exclusion::Box {
                    min: [0.0, 1.0],
                    max: [1.0, 0.0],
                },
                "swapped",
            ),
            (
                Exclusion::Box {
                    min: [0.0, f64::INFINITY],
                    max: [1.0, 0.0],
                },
                "corner",
            ),
            (
                Exclusion::Path {
                    points: Vec::new(),
                    width: 1.0,
                },
                "no points",
            ),
            (
                Exclusion::Path {
                    points: vec![[f64::NAN; 2]],
                    width: 1.0,
                },
                "a point is",
            ),
            (
                Exclusion::Path {
                    points: vec![[0.0; 2]],
                    width: f64::NAN,
                },
                "width",
            ),
        ];
        for (bad, word) in bad {
            let message = Exclusions::new([&good, &bad]).unwrap_err().to_string();
            assert!(
                message.contains("exclusion 1") && message.contains(word),
                "{message}"
            );
        }
    }
}
