//! Layers painted by hand: brush strokes over the control map of the rules.
//!
//! Problem: no rule can say where a path winds through a meadow. A stroke consists of many short
//! lines with soft borders. If each line were painted separately, the joints would be painted twice
//! and show.
//!
//! Idea: first compute the distance of each texel to the nearest line, in a buffer over the
//! stroke's bounding box. Then paint each texel once, according to its distance.
//!
//! Cost: the texels in the bounding box of each line, plus once those in the bounding box of the
//! stroke.

use std::ops::Range;

use glam::Vec2;

use super::ControlMap;

/// A brush stroke that paints one layer along a line, for example a path.
///
/// Its coordinates are in meters to the east and south of the map's center.
///
/// ```
/// # use lanternfell_heightmap::{FractalNoise, Generator, MapSize, Progress, Scale};
/// use glam::Vec2;
/// use lanternfell_surface::layers::{ControlMap, LayerRule, LayerRules, LayerStroke};
///
/// # let progress = Progress::default();
/// # let map = FractalNoise::default().generate(MapSize::new(128, 128)?, 7, &progress)?;
/// let scale = Scale::of_size(map.size());
/// let rules = LayerRules { rules: vec![LayerRule::default(); 2], ..LayerRules::default() };
/// let mut control = ControlMap::of(&rules, &map, scale, 0.0, &progress)?;
/// let path = LayerStroke {
///     points: vec![Vec2::new(-20.0, 0.0), Vec2::new(0.0, 5.0), Vec2::new(20.0, 0.0)],
///     ..LayerStroke::new(1, 3.0)
/// };
/// control.stroke(&path, scale.spacing * Vec2::splat(127.0));
/// let share = Vec2::new(0.0, 5.0) / (scale.spacing * 127.0) + 0.5;
/// assert_eq!(control.layers_at(share.x, share.y)[0], (1, 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LayerStroke {
    /// The layer, from 0 to 15. Others paint nothing.
    pub layer: u8,
    /// The points of the line. A single point paints a disc, and an empty list nothing.
    pub points: Vec<Vec2>,
    /// The radius of the brush in meters.
    pub radius: f32,
    /// The width of the soft border in meters, inside the radius. Clamped to the radius.
    pub fade: f32,
    /// The share that the layer gets on the line, from 0 to 1.
    pub strength: f32,
}

impl LayerStroke {
    /// Creates a stroke with a radius in meters. It has no points yet, full strength, and fades
    /// over half the radius.
    pub fn new(layer: u8, radius: f32) -> Self {
        Self {
            layer,
            points: Vec::new(),
            radius,
            fade: radius / 2.0,
            strength: 1.0,
        }
    }

    /// Returns the share that the layer gets at a distance from the line, in meters.
    fn at_distance(&self, meters: f32) -> f32 {
        let fade = self.fade.clamp(0.0, self.radius);
        let part = match fade > 0.0 {
            true => ((self.radius - meters) / fade).clamp(0.0, 1.0),
            false => 1.0,
        };
        self.strength * part * part * (3.0 - 2.0 * part)
    }
}

impl ControlMap {
    /// Paints a stroke over the layers. `extent` is the extent of the map along both axes, in
    /// meters.
    ///
    /// Nothing happens if the stroke has no points, if a number is not finite, or if the radius is
    /// negative.
    pub fn stroke(&mut self, stroke: &LayerStroke, extent: Vec2) {
        self.stroke_rows(stroke, extent, 0..self.size().height());
    }

    /// Like [`stroke`](Self::stroke), but only paints texels in these rows.
    pub fn stroke_rows(&mut self, stroke: &LayerStroke, extent: Vec2, rows: Range<usize>) {
        let grid = Grid::new(self, extent);
        let Some(whole) = grid.around(&stroke.points, stroke.radius) else {
            return;
        };
        let whole = whole.in_rows(&rows);
        if whole.y.is_empty() {
            return;
        }
        let width = whole.x.len();
        let mut distances = vec![f32::INFINITY; width * whole.y.len()];
        for line in lines(&stroke.points) {
            let Some(near) = grid.around(&line, stroke.radius) else {
                continue;
            };
            let Texels {
                x: columns,
                y: near,
            } = near.in_rows(&rows);
            for y in near {
                let row = (y - whole.y.start) * width;
                for x in columns.clone() {
                    let nearest = &mut distances[row + x - whole.x.start];
                    *nearest = nearest.min(distance(line, grid.place(x, y)));
                }
            }
        }
        for (y, row) in whole.y.zip(distances.chunks_exact(width)) {
            for (x, &distance) in whole.x.clone().zip(row) {
                if distance <= stroke.radius {
                    self.paint(x, y, stroke.layer, stroke.at_distance(distance));
                }
            }
        }
    }
}

/// Returns the segments between points. A single point is one segment of length 0.
fn lines(points: &[Vec2]) -> impl Iterator<Item = [Vec2; 2]> + '_ {
    let single = match points {
        [point] => Some([*point, *point]),
        _ => None,
    };
    let pairs = points.windows(2).map(|pair| [pair[0], pair[1]]);
    single.into_iter().chain(pairs)
}

/// Returns the distance from a position to a segment.
fn distance([from, to]: [Vec2; 2], place: Vec2) -> f32 {
    let along = to - from;
    let length = along.length_squared();
    let part = match length > 0.0 {
        true => ((place - from).dot(along) / length).clamp(0.0, 1.0),
        false => 0.0,
    };
    place.distance(from + part * along)
}

/// The positions of the texels.
struct Grid {
    extent: Vec2,
    /// The number of texels along each axis minus one.
    last: Vec2,
}

/// A range of columns and rows of texels.
struct Texels {
    x: Range<usize>,
    y: Range<usize>,
}

impl Texels {
    /// The part in these rows. It can be empty.
    fn in_rows(&self, rows: &Range<usize>) -> Self {
        Self {
            x: self.x.clone(),
            y: self.y.start.max(rows.start)..self.y.end.min(rows.end),
        }
    }
}

impl Grid {
    fn new(map: &ControlMap, extent: Vec2) -> Self {
        let size = map.size();
        let last = Vec2::new((size.width() - 1) as f32, (size.height() - 1) as f32);
        Self { extent, last }
    }

    /// Returns the position of a texel in meters.
    fn place(&self, x: usize, y: usize) -> Vec2 {
        (Vec2::new(x as f32, y as f32) / self.last - 0.5) * self.extent
    }

    /// Returns the texels that may be within `radius` meters of the points.
    fn around(&self, points: &[Vec2], radius: f32) -> Option<Texels> {
        let min = points.iter().copied().reduce(Vec2::min)? - radius;
        let max = points.iter().copied().reduce(Vec2::max)? + radius;
        let [first, last] = [min, max].map(|place| (place / self.extent + 0.5) * self.last);
        // Written so that NaN fails too.
        let meets = |first: f32, last: f32, most: f32| first <= most && last >= 0.0;
        if !(radius >= 0.0
            && meets(first.x, last.x, self.last.x)
            && meets(first.y, last.y, self.last.y))
        {
            return None;
        }
        let (first, last) = (first.max(Vec2::ZERO).ceil(), last.min(self.last).floor());
        let range = |first: f32, last: f32| first as usize..(last as usize + 1);
        Some(Texels {
            x: range(first.x, last.x),
            y: range(first.y, last.y),
        })
    }
}
