//! Layers laid by hand: strokes of a brush over the rules' control map.
//!
//! Problem: a path winds through a meadow, a yard lies before a house; no rule says where. A stroke of many short
//! lines with soft borders must not be laid twice where two of them meet, or each joint shows.
//!
//! Idea: first how far each texel is from the nearest line, in a buffer over the stroke's box, line by line; then each
//! texel is painted once, by its distance.
//!
//! Cost: the texels in each line's own box, and once those in the stroke's.

use std::ops::Range;

use glam::Vec2;

use super::ControlMap;

/// A line of a brush, laid with one layer: a path, a yard, a stroke of a pointer. Metres east and south of the map's
/// middle.
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
    /// Which layer, from 0 to 15; others paint nothing.
    pub layer: u8,
    /// Where the brush goes; a single point is a dab, none is nothing.
    pub points: Vec<Vec2>,
    /// Metres from the line to where it ends.
    pub radius: f32,
    /// In the outermost so many metres of the radius it gets weaker; at most the whole radius.
    pub fade: f32,
    /// How much of the place it gets on the line, from 0 to 1.
    pub strength: f32,
}

impl LayerStroke {
    /// A stroke of that layer and radius in metres, half of it faded, at full strength; without points yet.
    pub fn new(layer: u8, radius: f32) -> Self {
        Self {
            layer,
            points: Vec::new(),
            radius,
            fade: radius / 2.0,
            strength: 1.0,
        }
    }

    /// How much it gets of a place that far from it.
    fn at_distance(&self, metres: f32) -> f32 {
        let fade = self.fade.clamp(0.0, self.radius);
        let part = match fade > 0.0 {
            true => ((self.radius - metres) / fade).clamp(0.0, 1.0),
            false => 1.0,
        };
        self.strength * part * part * (3.0 - 2.0 * part)
    }
}

impl ControlMap {
    /// Lays a stroke over what is there; `extent` is that of the map along both axes, in metres.
    ///
    /// A stroke that is nowhere, or has no radius, changes nothing.
    pub fn stroke(&mut self, stroke: &LayerStroke, extent: Vec2) {
        let grid = Grid::new(self, extent);
        let Some(whole) = grid.around(&stroke.points, stroke.radius) else {
            return;
        };
        let width = whole.x.len();
        let mut distances = vec![f32::INFINITY; width * whole.y.len()];
        for line in lines(&stroke.points) {
            let Some(near) = grid.around(&line, stroke.radius) else {
                continue;
            };
            for y in near.y {
                let row = (y - whole.y.start) * width;
                for x in near.x.clone() {
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

/// The lines between points; a single point is a line to itself.
fn lines(points: &[Vec2]) -> impl Iterator<Item = [Vec2; 2]> + '_ {
    let single = match points {
        [point] => Some([*point, *point]),
        _ => None,
    };
    let pairs = points.windows(2).map(|pair| [pair[0], pair[1]]);
    single.into_iter().chain(pairs)
}

/// From a place to the nearest point of a line.
fn distance([from, to]: [Vec2; 2], place: Vec2) -> f32 {
    let along = to - from;
    let length = along.length_squared();
    let part = match length > 0.0 {
        true => ((place - from).dot(along) / length).clamp(0.0, 1.0),
        false => 0.0,
    };
    place.distance(from + part * along)
}

/// Where texels lie.
struct Grid {
    extent: Vec2,
    /// Texels along each axis, less one.
    last: Vec2,
}

/// Some columns and rows of texels.
struct Texels {
    x: Range<usize>,
    y: Range<usize>,
}

impl Grid {
    fn new(map: &ControlMap, extent: Vec2) -> Self {
        let size = map.size();
        let last = Vec2::new((size.width() - 1) as f32, (size.height() - 1) as f32);
        Self { extent, last }
    }

    /// Metres.
    fn place(&self, x: usize, y: usize) -> Vec2 {
        (Vec2::new(x as f32, y as f32) / self.last - 0.5) * self.extent
    }

    /// The texels that may lie within some metres of points.
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
