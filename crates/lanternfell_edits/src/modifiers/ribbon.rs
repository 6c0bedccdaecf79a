//! The surface of a road: a ribbon of triangles that follows the terrain along a path.
//!
//! ```text
//!    u   0    0.5    1
//!        o─────o─────o     Cross sections are about a step apart, and closer where the path turns. Each has the same
//!        │ ╲   │ ╲   │     number of vertices, which are up to a step apart across the path.
//!        │   ╲ │   ╲ │
//!        o─────o─────o     v falls along the path, so that the top of a texture points ahead.
//! ```
//!
//! Where the radius of a bend is less than half of the width, neighboring cross sections cross each other on the inner
//! side. Each ends where it meets the one before or after it. Almost nothing of the bed is lost: a point beyond the
//! center of a bend is nearer to another part of the path.
//!
//! All steps are additions, multiplications, divisions, remainders and square roots, which IEEE 754 defines exactly, so the ribbon
//! has the same bits everywhere, if the heights have.
//!
//! Cost: one height for each vertex, and O(log n) for each cross section. A winding road of 5 km with a step of 1 m has
//! 45,000 vertices, which take 6 ms without the heights.

use super::{
    ModifierError,
    area::Bounds,
    check,
    curve::{Curve, Division, Node, length, place},
    path::PathModifier,
};

/// The maximum number of vertices across the path.
const MAX_COLUMNS: usize = 65;

/// The maximum number of pieces of the curve. A step that fits into the number of vertices needs fewer.
const MAX_PIECES: usize = 524_288;

/// The cosine of 15 degrees. Where two cross sections differ by more, there is another one between them.
const COARSE: f64 = 0.965_925_826_289_068_3;

/// How often the distance between two cross sections can be halved where the path turns.
const HALVINGS: u32 = 8;

/// Triangles with less than half of this area in square meters, seen from above, are left out.
const SLIVER: f64 = 1e-6;

/// The least mean width in meters that texture coordinates depend on.
const NARROWEST: f64 = 0.001;

/// The triangles of a road's surface, from its start to its end. Create it with [`PathModifier::ribbon`].
///
/// All lists except `indices` have one entry per vertex.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ribbon {
    /// Along x, y (up) and z in meters, in the terrain's local space.
    pub positions: Vec<[f32; 3]>,
    /// Unit vectors that point up.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates. u is 0 at the left edge and 1 at the right edge, looking along the path.
    ///
    /// v is 0 at the start of the path and falls by 1 over the mean width of the path. So a square texture keeps its
    /// proportions and its top points ahead. It repeats along the path: use an address mode that repeats. On a closed
    /// path, v ends with a whole number.
    pub uvs: Vec<[f32; 2]>,
    /// Three vertices for each triangle, counterclockwise seen from above.
    pub indices: Vec<u32>,
}

impl Ribbon {
    /// The maximum number of vertices.
    pub const MAX_VERTICES: usize = 262_144;
}

impl PathModifier {
    /// Returns the surface of the bed as triangles, for example to render asphalt with lane markings.
    ///
    /// `step` is the distance between vertices along the path and across it in meters, from 0.01 to 1000. It is
    /// reduced so that the length is a multiple of it. The spacing of the map is a good choice. Sharp bends have more vertices. There are from
    /// 3 to 65 vertices across. The step is larger if a ribbon could have more than [`Ribbon::MAX_VERTICES`].
    ///
    /// `height` returns the height of the terrain in meters at a position along x and z, in the terrain's local space, or
    /// `None` outside of the terrain and in holes. Return the heights with all modifiers, so that the ribbon is on the bed.
    /// The ribbon has a gap where there are no heights.
    ///
    /// The ribbon is not raised above the terrain: use a depth bias, or add a few centimeters to the heights. Its sides are
    /// those of the bed, but its ends are straight. Where the bed overlaps itself, the ribbon may overlap itself, too.
    ///
    /// The ribbon is empty if nothing of it is on the terrain, if the width is 0, or if all points are at one place.
    ///
    /// ```
    /// use lanternfell_edits::{
    ///     Bank, Earthwork, PathHeights, PathModifier, PathPoint, Pavement, Ribbon,
    /// };
    ///
    /// let point = |x: f32, z: f32| PathPoint { at: [x, 0.0, z], width: 6.0 };
    /// let road = PathModifier {
    ///     points: vec![point(-40.0, 0.0), point(0.0, 15.0), point(40.0, 0.0)],
    ///     closed: false,
    ///     heights: PathHeights::default(),
    ///     offset: 0.0,
    ///     camber: 0.0,
    ///     earthwork: Earthwork::default(),
    ///     bank: Bank::default(),
    ///     pavement: Pavement::default(),
    /// };
    /// // A slope that ends at x = 30.
    /// let height = |[x, _z]: [f32; 2]| (x <= 30.0).then_some(5.0 + 0.1 * x);
    /// let Ribbon { positions, normals, uvs, indices } = road.ribbon(1.0, height)?;
    ///
    /// assert!(positions.iter().all(|[x, y, _]| *x <= 30.0 && *y == 5.0 + 0.1 * x));
    /// assert_eq!([normals.len(), uvs.len()], [positions.len(); 2]);
    /// println!("{} triangles", indices.len() / 3);
    /// # Ok::<(), lanternfell_edits::ModifierError>(())
    /// ```
    ///
    /// # Errors
    /// Names the value of the path that is not [valid](super::Modifier::validate), or `step`.
    pub fn ribbon(
        &self,
        step: f32,
        height: impl FnMut([f32; 2]) -> Option<f32>,
    ) -> Result<Ribbon, ModifierError> {
        self.validate()?;
        check("step", step, 0.01, 1000.0)?;
        let widest = self.points.iter().map(|point| point.width);
        let widest = f64::from(widest.fold(0.0, f32::max));
        // The curve is at least as long as the lines between its points.
        let between = self.points.windows(2);
        let lines = between.map(|pair| length(place(&pair[0]), place(&pair[1])));
        let (step, _) = fitted(step.into(), lines.sum(), widest);
        let by = Division {
            longest: step,
            within: Bounds::EVERYWHERE,
            most: MAX_PIECES,
        };
        let Some(curve) = Curve::through(&self.points, self.closed, by) else {
            return Ok(Ribbon::default());
        };
        let (step, columns) = fitted(step, curve.length(), widest);
        let sections = Sections::of(&curve, step, Ribbon::MAX_VERTICES / columns);
        Ok(Strip::new(columns, v_per_meter(&curve), height).ribbon(&sections, curve.is_closed))
    }
}

/// Increases a step until a straight path of this length has at most half of the vertices that are allowed. The other
/// half is for bends. Also returns the number of vertices across.
fn fitted(mut step: f64, length: f64, widest: f64) -> (f64, usize) {
    let columns = |step: f64| {
        let half = (widest / step / 2.0).ceil() as usize;
        (2 * half + 1).clamp(3, MAX_COLUMNS)
    };
    let most = (Ribbon::MAX_VERTICES / 2) as f64;
    while length / step * columns(step) as f64 > most {
        step *= 17.0 / 16.0;
    }
    (step, columns(step))
}

/// How much v changes per meter.
fn v_per_meter(curve: &Curve) -> f64 {
    let pieces = curve.nodes.windows(2);
    let area: f64 = pieces
        .map(|pair| (pair[1].along - pair[0].along) * (pair[0].half_width + pair[1].half_width))
        .sum();
    let length = curve.length();
    let repeats = length / (area / length).max(NARROWEST);
    match curve.is_closed {
        true => -(repeats.round().max(1.0) / length),
        false => -(repeats / length),
    }
}

/// A cross section.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Section {
    middle: Node,
    /// The direction of the path. Its length is 1.
    ahead: [f64; 2],
    /// How far it reaches to the left and to the right, at most half of the width.
    reach: [f64; 2],
}

impl Section {
    fn left(&self) -> [f64; 2] {
        [self.ahead[1], -self.ahead[0]]
    }

    /// Ends both cross sections on the inner side of the bend where their lines meet. Then all triangles between them face
    /// up: no vertex is beyond the line of the other cross section.
    fn meet(&mut self, next: &mut Self) {
        let way = [0, 1].map(|axis| next.middle.at[axis] - self.middle.at[axis]);
        let turn = dot(self.left(), next.ahead);
        let inner = match turn {
            0.0 => return,
            _ => usize::from(turn < 0.0),
        };
        let directions = [next.ahead, self.ahead];
        for (section, ahead) in [self, next].into_iter().zip(directions) {
            let meeting = (dot(way, ahead) / turn.abs()).max(0.0);
            section.reach[inner] = section.reach[inner].min(meeting);
        }
    }
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// The cross sections of a path, from its start to its end. A closed path ends with the first one.
struct Sections<'a> {
    curve: &'a Curve,
    step: f64,
    made: Vec<Section>,
    /// How many more are allowed in bends.
    spare: usize,
}

impl<'a> Sections<'a> {
    fn of(curve: &'a Curve, step: f64, most: usize) -> Vec<Section> {
        let count = (curve.length() / step).ceil().max(1.0) as usize;
        let step = curve.length() / count as f64;
        let mut sections = Self {
            curve,
            step,
            made: Vec::with_capacity(count + 1),
            spare: most.saturating_sub(count + 1),
        };
        let first = sections.at(0.0);
        sections.made.push(first);
        for index in 1..count {
            sections.add(sections.at(index as f64 * step), HALVINGS);
        }
        let mut last = sections.at(curve.length());
        if curve.is_closed {
            last.ahead = first.ahead;
        }
        sections.add(last, HALVINGS);
        sections.meet();
        sections.made
    }

    /// The direction is that of the path over one step, so that it does not depend on smaller wiggles.
    fn at(&self, along: f64) -> Section {
        let middle = self.curve.at(along);
        let near = [-0.5, 0.5].map(|steps| self.curve.at(along + steps * self.step).at);
        let far = length(near[0], near[1]);
        let ahead = match far > 0.0 {
            true => [0, 1].map(|axis| (near[1][axis] - near[0][axis]) / far),
            // The path turns back here.
            false => [1.0, 0.0],
        };
        Section {
            middle: Node { along, ..middle },
            ahead,
            reach: [middle.half_width; 2],
        }
    }

    /// Adds a cross section, and before it those that are needed because the path turns.
    fn add(&mut self, section: Section, halvings: u32) {
        let last = self.made[self.made.len() - 1];
        let is_coarse = dot(last.ahead, section.ahead) < COARSE;
        if halvings > 0 && is_coarse && self.spare > 0 {
            self.spare -= 1;
            let middle = self.at((last.middle.along + section.middle.along) / 2.0);
            self.add(middle, halvings - 1);
            self.add(section, halvings - 1);
        } else {
            self.made.push(section);
        }
    }

    /// Ends all cross sections where they meet.
    fn meet(&mut self) {
        let last = self.made.len() - 1;
        for index in 0..last {
            if let [section, next, ..] = &mut self.made[index..] {
                section.meet(next);
            }
        }
        if self.curve.is_closed {
            let [first, end] = [self.made[0].reach, self.made[last].reach];
            let reach = [0, 1].map(|side| first[side].min(end[side]));
            (self.made[0].reach, self.made[last].reach) = (reach, reach);
        }
    }
}

/// The triangles between cross sections while they are added one by one.
struct Strip<F> {
    columns: usize,
    v_per_meter: f64,
    height: F,
    ribbon: Ribbon,
    /// The sums of the normals of the triangles at each vertex, weighted by their areas.
    normals: Vec<[f64; 3]>,
}

/// The vertices of a cross section from left to right. Those outside of the terrain do not exist.
type Vertices = Vec<Option<u32>>;

impl<F: FnMut([f32; 2]) -> Option<f32>> Strip<F> {
    fn new(columns: usize, v_per_meter: f64, height: F) -> Self {
        Self {
            columns,
            v_per_meter,
            height,
            ribbon: Ribbon::default(),
            normals: Vec::new(),
        }
    }

    fn ribbon(mut self, sections: &[Section], is_closed: bool) -> Ribbon {
        let first = self.add_vertices(&sections[0]);
        let mut last = first.clone();
        for section in &sections[1..] {
            let next = self.add_vertices(section);
            self.add_triangles(&last, &next);
            last = next;
        }
        if is_closed {
            self.join(&first, &last);
        }
        match self.ribbon.indices.is_empty() {
            true => Ribbon::default(),
            false => Ribbon {
                normals: self.normals.into_iter().map(unit).collect(),
                ..self.ribbon
            },
        }
    }

    fn add_vertices(&mut self, section: &Section) -> Vertices {
        let (left, half_width) = (section.left(), section.middle.half_width);
        let v = (section.middle.along * self.v_per_meter) as f32;
        let mut vertices = Vec::with_capacity(self.columns);
        for column in 0..self.columns {
            let u = column as f64 / (self.columns - 1) as f64;
            let away = (half_width * (1.0 - 2.0 * u)).clamp(-section.reach[1], section.reach[0]);
            let [x, z] = [0, 1].map(|axis| (section.middle.at[axis] + left[axis] * away) as f32);
            let height = (self.height)([x, z]).filter(|height| height.is_finite());
            vertices.push(height.map(|y| {
                self.ribbon.positions.push([x, y, z]);
                self.ribbon.uvs.push([u as f32, v]);
                self.normals.push([0.0; 3]);
                (self.normals.len() - 1) as u32
            }));
        }
        vertices
    }

    fn add_triangles(&mut self, last: &Vertices, next: &Vertices) {
        for column in 1..self.columns {
            let [a, b] = [last[column - 1], last[column]];
            let [c, d] = [next[column - 1], next[column]];
            for corners in [[a, b, c], [b, d, c]] {
                if let [Some(a), Some(b), Some(c)] = corners {
                    self.add_triangle([a, b, c]);
                }
            }
        }
    }

    fn add_triangle(&mut self, corners: [u32; 3]) {
        let normal = normal(corners.map(|corner| self.ribbon.positions[corner as usize]));
        if normal[1] < SLIVER {
            return;
        }
        self.ribbon.indices.extend(corners);
        for corner in corners {
            let sum = &mut self.normals[corner as usize];
            *sum = [0, 1, 2].map(|axis| sum[axis] + normal[axis]);
        }
    }

    /// Gives the vertices of the first and the last cross section the same normals.
    fn join(&mut self, first: &Vertices, last: &Vertices) {
        for (a, b) in first.iter().zip(last) {
            if let (&Some(a), &Some(b)) = (a, b) {
                let [a, b] = [a as usize, b as usize];
                let sum = [0, 1, 2].map(|axis| self.normals[a][axis] + self.normals[b][axis]);
                (self.normals[a], self.normals[b]) = (sum, sum);
            }
        }
    }
}

/// The normal of a triangle. Its length is twice the area.
fn normal(corners: [[f32; 3]; 3]) -> [f64; 3] {
    let [a, b, c] = corners.map(|corner| corner.map(f64::from));
    let [b, c] = [b, c].map(|at| [0, 1, 2].map(|axis| at[axis] - a[axis]));
    [
        b[1] * c[2] - b[2] * c[1],
        b[2] * c[0] - b[0] * c[2],
        b[0] * c[1] - b[1] * c[0],
    ]
}

/// A vertex without triangles has a normal that points straight up.
fn unit([x, y, z]: [f64; 3]) -> [f32; 3] {
    let length = (x * x + y * y + z * z).sqrt();
    match length > 0.0 {
        true => [x, y, z].map(|along| (along / length) as f32),
        false => [0.0, 1.0, 0.0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modifiers::{
        earthwork::{Bank, Earthwork, Pavement},
        nearest::Pieces,
        path::{PathHeights, PathPoint},
    };
    use lanternfell_random::SeededRng;

    const STEP: f32 = 1.0;

    fn random_path(random: &mut SeededRng, closed: bool) -> PathModifier {
        let mut number = |most: f32| random.unit() as f32 * most;
        let points = (0..8).map(|_| PathPoint {
            at: [number(60.0), 0.0, number(60.0)],
            width: number(10.0),
        });
        PathModifier {
            points: points.collect(),
            closed,
            heights: PathHeights::Points,
            offset: 0.0,
            camber: 0.0,
            earthwork: Earthwork::default(),
            bank: Bank::default(),
            pavement: Pavement::default(),
        }
    }

    /// The bed of a path with a margin of 5 cm, because widths change quickly in bends, and its length.
    fn bed(path: &PathModifier) -> (Pieces, f64) {
        let by = Division {
            longest: STEP.into(),
            within: Bounds {
                min: [-200.0; 2],
                max: [200.0; 2],
            },
            most: 10_000,
        };
        let curve = Curve::through(&path.points, path.closed, by).unwrap();
        let length = curve.length();
        (Pieces::new(curve.nodes, 0.05, by), length)
    }

    fn triangles(ribbon: &Ribbon) -> impl Iterator<Item = [[f32; 3]; 3]> {
        let corners = ribbon.indices.as_chunks::<3>().0.iter();
        corners.map(|corners| corners.map(|corner| ribbon.positions[corner as usize]))
    }

    #[test]
    fn random_ribbons_face_up_and_are_on_the_bed() {
        let mut random = SeededRng::new(5, b"ribbon  ");
        for case in 0..60 {
            let path = random_path(&mut random, case % 2 == 1);
            let height = |[x, z]: [f32; 2]| Some(x * x / 90.0 - z / 5.0);
            let ribbon = path.ribbon(STEP, height).unwrap();
            assert!(triangles(&ribbon).all(|corners| normal(corners)[1] > 0.0));
            let (bed, _) = bed(&path);
            for [x, _, z] in &ribbon.positions {
                let near = bed.nearest([*x, *z].map(f64::from));
                assert!(!near.is_empty(), "{case}: {x}, {z} is off the bed");
            }
            for normal in &ribbon.normals {
                let length = normal.iter().map(|along| along * along).sum::<f32>();
                assert!((length - 1.0).abs() < 1e-5 && normal[1] > 0.0);
            }
        }
    }

    /// Whether a position is in a triangle, seen from above.
    fn is_in(corners: [[f32; 3]; 3], [x, z]: [f32; 2]) -> bool {
        let [a, b, c] = corners;
        [[a, b], [b, c], [c, a]]
            .iter()
            .all(|&[from, to]| normal([from, to, [x, 0.0, z]])[1] >= 0.0)
    }

    /// Except for gaps between chords and arcs, and where the path turns back within a step.
    #[test]
    fn random_ribbons_cover_the_bed() {
        let mut random = SeededRng::new(7, b"covers  ");
        let (mut on_bed, mut lost) = (0, 0);
        for case in 0..24 {
            let path = random_path(&mut random, case % 2 == 1);
            let ribbon = path.ribbon(STEP, |_| Some(0.0)).unwrap();
            let (bed, length) = bed(&path);
            for _ in 0..400 {
                let at = [(); 2].map(|()| random.between(-5.0, 65.0) as f32);
                let near = bed.nearest(at.map(f64::from));
                let ends = |along: f64| !path.closed && (along <= 0.0 || along >= length);
                match near.first() {
                    Some(near) if near.distance <= 0.0 && !ends(near.along) => {}
                    _ => continue,
                }
                on_bed += 1;
                if !triangles(&ribbon).any(|corners| is_in(corners, at)) {
                    lost += 1;
                }
            }
        }
        assert!(on_bed > 1000 && lost * 100 < on_bed, "{lost} of {on_bed}");
    }
}
