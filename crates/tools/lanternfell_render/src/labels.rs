//! Places the height labels of contours, as on printed maps.
//!
//! ```text
//!      ___                A line is divided into stretches. In each, every place
//!     /   \___ 250 __     that is long enough for the label and its margins is
//!    |               \    rated, and the best place is taken.
//! ```
//!
//! A place is better if the line is straighter and more level there, and if fewer other lines pass through it. Places
//! that are too curved or too crowded are rejected. So are places outside the map or near another label, with a larger
//! distance for labels of the same number. The label is written along the line, never upside down. All lines are
//! interrupted at it, and a light rim keeps it readable on dark slopes. The longest lines are labeled first.
//!
//! Cost: for each labeled line its length times the area of a label.
//!
//! Source: Imhof, *Die Anordnung der Namen in der Karte*, 1962, for the rating of places.

use glam::DVec2;

use crate::{
    lettering::{self, Line},
    lines::Ink,
};
use lanternfell_heightmap::{Canceled, Progress, analysis::Contour};

/// A label on its line.
pub(super) struct Label {
    text: String,
    middle: DVec2,
    /// A unit vector, never to the west.
    along: DVec2,
    /// Half the length and height of the label with its margins.
    half: DVec2,
}

/// The distance between labels of a line, in heights of a digit.
const APART: f64 = 60.0;

/// The margins of a label along the line and across, in heights of a digit.
const MARGIN: DVec2 = DVec2::new(0.6, 0.35);

/// The minimum distance between labels of the same number, in heights of a digit.
const SAME: f64 = 25.0;

/// The width of the light rim around a label, in heights of a digit.
const RIM: f64 = 0.2;

/// The maximum deviation of the line from a straight label, in heights of a digit.
const CROOKED: f64 = 0.45;

/// The maximum share of a label's area that other lines may cover.
const CROWDED: f64 = 0.12;

/// The minimum length of a ring, in lengths of its label.
const RING: f64 = 3.0;

/// Places the labels of `lines`, with digits `size` pixels high.
pub(super) fn place(
    lines: &[(&Contour, String)],
    ink: &Ink,
    size: f64,
    progress: &Progress,
) -> Result<Vec<Label>, Canceled> {
    let mut order: Vec<(f64, usize)> = Vec::new();
    for (index, (contour, _)) in lines.iter().enumerate() {
        order.push((contour.length(), index));
    }
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut placed = Vec::new();
    for (done, &(length, index)) in order.iter().enumerate() {
        progress.step(done, order.len())?;
        let (contour, text) = &lines[index];
        let long = lettering::length(text, size);
        let need = if contour.closed {
            RING * long
        } else {
            1.5 * long
        };
        if length < need {
            continue;
        }
        let way = Way::along(contour);
        let stretches = (length / (APART * size)).floor().max(1.0) as usize;
        for stretch in 0..stretches {
            let part = |k: usize| length * k as f64 / stretches as f64;
            let best = best(
                &way,
                (part(stretch), part(stretch + 1)),
                (text, long, size),
                ink,
                &placed,
            );
            placed.extend(best);
        }
    }
    Ok(placed)
}

/// The best place whose center is in this stretch of the line. `None` if there is no good one.
fn best(
    way: &Way,
    (from, to): (f64, f64),
    (text, long, size): (&str, f64, f64),
    ink: &Ink,
    placed: &[Label],
) -> Option<Label> {
    let half = DVec2::new(0.5 * long, 0.5 * size) + MARGIN * size;
    let mut best: Option<(f64, Label)> = None;
    let steps = ((to - from) / size).ceil().max(1.0) as usize;
    for step in 0..steps {
        let at = from + (to - from) * (step as f64 + 0.5) / steps as f64;
        let Some((middle, along, bend)) = way.straight(at, half.x) else {
            continue;
        };
        let label = Label {
            text: text.to_owned(),
            middle,
            along,
            half,
        };
        if bend > CROOKED * size
            || !label.is_within(ink)
            || placed.iter().any(|other| label.is_near(other, size))
        {
            continue;
        }
        let crowd = ink.share_of_box(middle, along, half, bend + 1.5);
        let cost = bend / size + 4.0 * crowd + 0.5 * along.y.abs();
        if crowd <= CROWDED && best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, label));
        }
    }
    best.map(|(_, label)| label)
}

impl Label {
    /// Whether the label is completely on the map.
    fn is_within(&self, ink: &Ink) -> bool {
        let reach = self.along.abs() * self.half.x + self.along.perp().abs() * self.half.y;
        let (low, high) = (self.middle - reach, self.middle + reach);
        low.min_element() >= 1.0
            && high.x <= ink.width() as f64 - 2.0
            && high.y <= ink.height() as f64 - 2.0
    }

    /// Whether the label touches another one, or nearly, as capsules. Labels of the same number need a larger distance.
    fn is_near(&self, other: &Self, size: f64) -> bool {
        if self.text == other.text && self.middle.distance(other.middle) < SAME * size {
            return true;
        }
        let least = (1.2 * (self.half.y + other.half.y)).max(0.3 * self.half.x);
        let ends = |label: &Self| {
            [-1.0, -0.5, 0.0, 0.5, 1.0].map(|k| label.middle + label.along * (k * label.half.x))
        };
        let (ours, theirs) = (ends(self), ends(other));
        ours.iter()
            .any(|a| theirs.iter().any(|b| a.distance(*b) < least))
    }

    /// Interrupts all lines in `ink` and draws the label there, with digits `size` pixels high. Draws its rim into
    /// `rim`.
    pub(super) fn write(&self, ink: &mut Ink, rim: &mut Ink, size: f64) {
        ink.clear_box(self.middle, self.along, self.half - MARGIN * (0.4 * size));
        let up = DVec2::new(self.along.y, -self.along.x);
        let long = lettering::length(&self.text, size);
        let line = Line {
            start: self.middle - self.along * (0.5 * long) - up * (0.5 * size),
            along: self.along,
            size,
        };
        lettering::write(rim, &self.text, line, RIM * size);
        lettering::write(ink, &self.text, line, 0.0);
    }
}

/// A polyline, parameterized by arc length.
struct Way {
    points: Vec<DVec2>,
    /// The arc length at each point, in pixels.
    lengths: Vec<f64>,
    closed: bool,
}

impl Way {
    fn along(contour: &Contour) -> Self {
        let mut points = contour.points.clone();
        if contour.closed {
            points.extend(contour.points.first());
        }
        let mut lengths = vec![0.0];
        let mut length = 0.0;
        for ends in points.windows(2) {
            length += ends[0].distance(ends[1]);
            lengths.push(length);
        }
        let closed = contour.closed;
        Self {
            points,
            lengths,
            closed,
        }
    }

    fn length(&self) -> f64 {
        self.lengths.last().copied().unwrap_or(0.0)
    }

    /// The point at arc length `at`. On a ring it wraps around.
    fn point(&self, at: f64) -> DVec2 {
        let at = if self.closed {
            at.rem_euclid(self.length())
        } else {
            at
        };
        let next = self.lengths.partition_point(|&length| length <= at);
        let next = next.clamp(1, self.points.len() - 1);
        let (before, after) = (self.lengths[next - 1], self.lengths[next]);
        let share = ((at - before) / (after - before).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        self.points[next - 1].lerp(self.points[next], share)
    }

    /// The straight line that approximates the polyline over `half` to both sides of `at`: its center, its direction
    /// (never to the west), and how far the polyline deviates from it. `None` where the polyline ends before or turns
    /// back.
    fn straight(&self, at: f64, half: f64) -> Option<(DVec2, DVec2, f64)> {
        if !self.closed && (at < half || at + half > self.length()) {
            return None;
        }
        let (a, b) = (self.point(at - half), self.point(at + half));
        let chord = a.distance(b);
        if chord < 1.8 * half {
            return None;
        }
        let along = (b - a) / chord;
        let along = if along.x < 0.0 || along.x == 0.0 && along.y > 0.0 {
            -along
        } else {
            along
        };
        let samples = (2.0 * half).ceil() as usize;
        let mut off = (0.0_f64, 0.0_f64);
        for sample in 0..=samples {
            let point = self.point(at - half + 2.0 * half * sample as f64 / samples as f64);
            let across = (point - a).perp_dot(along);
            off = (off.0.min(across), off.1.max(across));
        }
        // Shifted to the middle of the deviations, so that the label is centered on the line.
        let shift = 0.5 * (off.0 + off.1);
        let side = DVec2::new(along.y, -along.x);
        Some((0.5 * (a + b) + side * shift, along, 0.5 * (off.1 - off.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: f64 = 8.0;

    fn ring(radius: f64) -> Contour {
        let turn = |k: i32| f64::from(k) / 360.0 * core::f64::consts::TAU;
        let point = |k| {
            DVec2::new(
                150.0 + radius * libm::cos(turn(k)),
                100.0 + radius * libm::sin(turn(k)),
            )
        };
        Contour {
            level: 0.5,
            closed: true,
            points: (0..360).map(point).collect(),
        }
    }

    fn drawn(contours: &[&Contour]) -> Ink {
        let mut ink = Ink::new(300, 200);
        for contour in contours {
            let next = contour.points.iter().skip(1).chain(contour.points.first());
            for (&from, &to) in contour.points.iter().zip(next) {
                ink.line(from, to, 1.0, 1.0);
            }
        }
        ink
    }

    fn placed(contours: &[&Contour]) -> Vec<Label> {
        let lines: Vec<_> = contours
            .iter()
            .map(|&contour| (contour, "250".to_owned()))
            .collect();
        place(&lines, &drawn(contours), SIZE, &Progress::default()).unwrap()
    }

    #[test]
    fn label_is_upright_on_a_level_stretch() {
        let ring = ring(80.0);
        let labels = placed(&[&ring]);
        let [label] = labels.as_slice() else {
            panic!("{} labels instead of 1", labels.len());
        };
        assert!((label.middle.distance(DVec2::new(150.0, 100.0)) - 80.0).abs() < 3.0);
        assert!(label.along.x > 0.99, "{}", label.along);
    }

    #[test]
    fn skips_small_or_outside_lines() {
        assert!(placed(&[&ring(5.0)]).is_empty());
        let mut outside = ring(80.0);
        outside
            .points
            .iter_mut()
            .for_each(|point| point.y += 1000.0);
        assert!(placed(&[&outside]).is_empty());
    }

    #[test]
    fn labels_keep_apart() {
        let rings = [40.0, 60.0, 80.0, 96.0].map(ring);
        let lines: Vec<_> = (0..)
            .zip(&rings)
            .map(|(k, ring)| (ring, format!("{}00", k + 1)))
            .collect();
        let ink = drawn(&rings.iter().collect::<Vec<_>>());
        let labels = place(&lines, &ink, SIZE, &Progress::default()).unwrap();
        assert_eq!(labels.len(), 4);
        for (index, label) in labels.iter().enumerate() {
            assert!(
                labels[..index]
                    .iter()
                    .all(|other| !label.is_near(other, SIZE))
            );
        }
        // Only one with the same number.
        let rings = [60.0, 68.0, 76.0].map(ring);
        assert_eq!(placed(&rings.iter().collect::<Vec<_>>()).len(), 1);
    }

    #[test]
    fn lines_are_interrupted_at_labels() {
        let ring = ring(80.0);
        let mut ink = drawn(&[&ring]);
        let label = &placed(&[&ring])[0];
        label.write(&mut ink, &mut Ink::new(300, 200), SIZE);
        let in_gap = label.middle + label.along * (label.half.x - 0.35 * SIZE);
        let at = |point: DVec2| ink.share(point.x.round() as usize, point.y.round() as usize);
        assert_eq!(at(in_gap), 0, "the gap");
        let written = (0..300 * 200).filter(|k| ink.share(k % 300, k / 300) > 128);
        assert!(written.count() > 400);
    }
}
