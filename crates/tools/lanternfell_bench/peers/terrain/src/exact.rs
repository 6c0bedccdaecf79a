//! The terrain as exact triangles in `f64`: the reference for all queries.

use glam::{DVec2, DVec3};

use crate::ground::{Ground, Way};

/// A tolerance, so that rays do not slip through edges.
const SLACK: f64 = 1e-9;

/// The column and row of a square's corner.
type Cell = (usize, usize);

/// The triangles of the terrain.
pub struct Exact<'a> {
    ground: &'a Ground,
    half: f64,
}

impl<'a> Exact<'a> {
    pub fn new(ground: &'a Ground) -> Self {
        let half = f64::from(ground.half());
        Self { ground, half }
    }

    fn vertex(&self, column: usize, row: usize) -> DVec3 {
        let scale = self.ground.scale();
        let spacing = f64::from(scale.spacing);
        let height = f64::from(self.ground.map.get(column, row)) * f64::from(scale.relief);
        let place = |cell: usize| cell as f64 * spacing - self.half;
        DVec3::new(place(column), height, place(row))
    }

    /// Both triangles of the square to the south-east of a cell.
    fn triangles(&self, (column, row): Cell) -> [[DVec3; 3]; 2] {
        let (ne, sw) = (self.vertex(column + 1, row), self.vertex(column, row + 1));
        [
            [self.vertex(column, row), sw, ne],
            [self.vertex(column + 1, row + 1), ne, sw],
        ]
    }

    /// The square that contains a point.
    pub fn square(&self, at: DVec2) -> Cell {
        let last = self.ground.side() - 2;
        let spacing = f64::from(self.ground.scale().spacing);
        let cell = |place: f64| (((place + self.half) / spacing).max(0.0) as usize).min(last);
        (cell(at.x), cell(at.y))
    }

    /// The height of the terrain.
    pub fn height(&self, at: DVec2) -> Option<f64> {
        let both = self.triangles(self.square(at));
        both.into_iter()
            .find_map(|triangle| height_in(triangle, at))
    }

    /// The distance at which a ray first hits a triangle. Walks from square to square and tests the neighbors too,
    /// since an edge belongs to both.
    pub fn cast(&self, way: Way) -> Option<f64> {
        let (origin, direction) = (way.origin.as_dvec3(), way.direction.as_dvec3().normalize());
        let spacing = f64::from(self.ground.scale().spacing);
        let (mut begin, mut end) = (0.0_f64, f64::INFINITY);
        for axis in [0, 2] {
            let times = [-self.half, self.half].map(|edge| (edge - origin[axis]) / direction[axis]);
            begin = begin.max(times[0].min(times[1]));
            end = end.min(times[0].max(times[1]));
        }
        let last = self.ground.side() as isize - 2;
        let mut time = begin;
        while time <= end {
            // With steps of half a square, every square on the way is tested.
            let at = origin + time * direction;
            let (column, row) = self.square(DVec2::new(at.x, at.z));
            let mut first: Option<f64> = None;
            for (x, z) in (-1..=1).flat_map(|x| (-1..=1).map(move |z| (x, z))) {
                let (x, z) = (column as isize + x, row as isize + z);
                if x < 0 || z < 0 || x > last || z > last {
                    continue;
                }
                for triangle in self.triangles((x as usize, z as usize)) {
                    if let Some(hit) = through(triangle, origin, direction) {
                        first = Some(first.map_or(hit, |before| before.min(hit)));
                    }
                }
            }
            // A more distant hit may be behind a hit in the next squares.
            if first.is_some_and(|hit| hit <= time + spacing) {
                return first;
            }
            time += 0.5 * spacing;
        }
        None
    }
}

/// The height of a triangle above a point. `None` outside of it.
pub fn height_in([a, b, c]: [DVec3; 3], at: DVec2) -> Option<f64> {
    let flat = |p: DVec3| DVec2::new(p.x, p.z);
    let (ab, ac, away) = (flat(b - a), flat(c - a), at - flat(a));
    let whole = ab.perp_dot(ac);
    let (u, v) = (away.perp_dot(ac) / whole, ab.perp_dot(away) / whole);
    let inside = u >= -SLACK && v >= -SLACK && u + v <= 1.0 + SLACK;
    inside.then_some(a.y + u * (b.y - a.y) + v * (c.y - a.y))
}

/// The intersection of a ray and a triangle (Möller and Trumbore).
fn through([a, b, c]: [DVec3; 3], origin: DVec3, direction: DVec3) -> Option<f64> {
    let (ab, ac, away) = (b - a, c - a, origin - a);
    let across = direction.cross(ac);
    let turn = away.cross(ab);
    let whole = ab.dot(across);
    let (u, v) = (away.dot(across) / whole, direction.dot(turn) / whole);
    let time = ac.dot(turn) / whole;
    let inside = u >= -SLACK && v >= -SLACK && u + v <= 1.0 + SLACK;
    (inside && time >= 0.0).then_some(time)
}
