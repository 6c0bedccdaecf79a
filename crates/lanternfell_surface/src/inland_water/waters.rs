//! What water there is at a place.
//!
//! Idea: for each square of the map over which any triangle lies, a list of them, with the ground at its corners.
//! Squares are found by halving within their row: of a map of rivers most have none.
//!
//! Where several lie over each other, the highest is what is seen and asked for.
//!
//! Cost: a place on a river takes 0.2 to 1 µs, the more the more triangles there are. Memory: 60 bytes for each square with water, 8 for each triangle
//! over it.

use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::{
    ground::Ground,
    lake::LakeWater,
    ribbon::{Frame, RibbonMesh, RiverWaterPoint, finite},
    standing::Standing,
};
use lanternfell_heightmap::{Cancelled, Heightmap, MapSize, Progress, rows};

/// Where a river ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RiverEnd {
    /// In the sea.
    Sea,
    /// In the lake of this index.
    Lake(usize),
    /// In the larger river of this index, which is less than its own.
    River(usize),
    /// Where water leaves the map.
    Outlet,
}

/// Water that runs: from a spring or a lake to a lake, a larger river or the sea.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RiverWater {
    /// Its middle, downstream, about half a cell from one to the next; at least two.
    pub points: Vec<RiverWaterPoint>,
    /// The index of the lake that it leaves; `None` where it begins at a spring.
    pub from_lake: Option<usize>,
    /// Where it ends.
    pub end: RiverEnd,
    pub(super) mesh: RibbonMesh,
}

impl RiverWater {
    /// Its surface, to be drawn.
    pub fn mesh(&self) -> &RibbonMesh {
        &self.mesh
    }

    /// How long it is, in metres.
    pub fn length(&self) -> f32 {
        self.mesh
            .distances
            .last()
            .map_or(0.0, |distance| distance[1])
    }
}

/// Whose water it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaterBody {
    /// That of the river of this index.
    River(usize),
    /// That of the lake of this index.
    Lake(usize),
}

/// The water at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WaterSample {
    /// How high its surface is, in metres.
    pub height: f32,
    /// How far that is above the ground, in metres; above 0.
    pub depth: f32,
    /// Which way and how fast it flows, along x and z, in metres per second.
    pub velocity: [f32; 2],
    /// How rough it is, from 0, smooth, to 1, a fall.
    pub turbulence: f32,
    /// Whose it is.
    pub body: WaterBody,
}

/// The rivers and lakes of a map.
///
/// Made by [`InlandWater::lay`](super::InlandWater::lay). Where the ground is changed later, this does not know.
#[derive(Debug, Clone, PartialEq)]
pub struct Waters {
    rivers: Vec<RiverWater>,
    lakes: Vec<LakeWater>,
    lookup: Lookup,
}

impl Waters {
    pub(super) fn new(rivers: Vec<RiverWater>, lakes: Vec<LakeWater>, lookup: Lookup) -> Self {
        Self {
            rivers,
            lakes,
            lookup,
        }
    }

    /// The rivers, by reaches: each from a spring or a lake to what it ends in. Those that others end in come first.
    pub fn rivers(&self) -> &[RiverWater] {
        &self.rivers
    }

    /// The lakes, by the first of their cells, row by row.
    pub fn lakes(&self) -> &[LakeWater] {
        &self.lakes
    }

    /// The size of the map in cells.
    pub fn size(&self) -> MapSize {
        self.lookup.frame.size()
    }

    pub(super) fn into_parts(self) -> (Vec<RiverWater>, Vec<LakeWater>, Lookup) {
        (self.rivers, self.lakes, self.lookup)
    }

    /// Whether there is neither a river nor a lake.
    pub fn is_empty(&self) -> bool {
        self.rivers.is_empty() && self.lakes.is_empty()
    }

    /// Where it is: 1 on the cells of a map of that size that are next to some of it, and 0 elsewhere. The size may be
    /// another than that of the map: no river is lost on a coarser one, and on a finer one cells of it lie apart.
    pub fn mask(&self, size: MapSize) -> Heightmap {
        let frame = &self.lookup.frame;
        let mut cells = vec![0.0; size.cells()];
        let last = DVec2::new((size.width() - 1) as f64, (size.height() - 1) as f64);
        let to_mask = last / frame.last();
        let squares = self.lookup.squares.iter().map(|square| {
            let middle = DVec2::new(square.column.into(), square.row.into()) + 0.5;
            frame.metres(middle)
        });
        // Where its banks are steep a river's water is narrower than a square.
        let points = self.rivers.iter().flat_map(|river| &river.points);
        let points = points.map(|point| {
            let [x, _, z] = point.position.map(f64::from);
            DVec2::new(x, z)
        });
        for place in squares.chain(points) {
            let cell = (frame.cells(place.x, place.y) * to_mask).round();
            let cell = cell.clamp(DVec2::ZERO, last);
            let cell = &mut cells[cell.y as usize * size.width() + cell.x as usize];
            // On a coarse map most are known by then: to look for water takes longest.
            if *cell == 0.0 && self.at(place.x as f32, place.y as f32).is_some() {
                *cell = 1.0;
            }
        }
        Heightmap::from_heights(size, cells).expect("there is a number for each cell")
    }

    /// The water at `(x, z)`, in metres as [`Surface`](crate::surface::Surface) has them; `None` where the ground is
    /// dry, or under the sea alone.
    ///
    /// It is that of the triangles, to within what an `f32` can tell.
    pub fn at(&self, x: f32, z: f32) -> Option<WaterSample> {
        let lookup = &self.lookup;
        let (place, metres) = (
            lookup.frame.cells(x.into(), z.into()),
            DVec2::new(x.into(), z.into()),
        );
        let square = lookup.square(place)?;
        let part = place - DVec2::new(square.column.into(), square.row.into());
        let ground = square_height(square.ground, part);
        let mut top = (ground, None);
        if let Some(lake) = square.lake {
            let height = square_height(square.sheet, part);
            if height > top.0 {
                let body = WaterBody::Lake(lake as usize);
                top = (height, Some((body, [0.0; 2], 0.0)));
            }
        }
        let (first, end) = square.triangles;
        for over in &lookup.triangles[first as usize..end as usize] {
            let mesh = &self.rivers[over.river as usize].mesh;
            let first = 3 * over.triangle as usize;
            let vertices = [0, 1, 2].map(|corner| mesh.indices[first + corner] as usize);
            let [a, b, c] = vertices;
            let corners = [mesh.positions[a], mesh.positions[b], mesh.positions[c]];
            let Some(weights) = weights(corners, metres) else {
                continue;
            };
            let mix = |of: [f32; 3]| {
                let [a, b, c] = of;
                f64::from(a) * weights[0] + f64::from(b) * weights[1] + f64::from(c) * weights[2]
            };
            let height = mix([corners[0][1], corners[1][1], corners[2][1]]);
            if height > top.0 {
                let along = |axis: usize| {
                    mix([mesh.flow[a][axis], mesh.flow[b][axis], mesh.flow[c][axis]]) as f32
                };
                let roughness = [mesh.turbulence[a], mesh.turbulence[b], mesh.turbulence[c]];
                let body = WaterBody::River(over.river as usize);
                top = (
                    height,
                    Some((body, [along(0), along(1)], mix(roughness) as f32)),
                );
            }
        }
        let (body, velocity, turbulence) = top.1?;
        Some(WaterSample {
            height: finite(top.0),
            depth: finite(top.0 - ground),
            velocity,
            turbulence,
            body,
        })
    }
}

/// How much each corner of a triangle counts at a place; `None` outside.
#[inline]
pub(super) fn weights([a, b, c]: [[f32; 3]; 3], at: DVec2) -> Option<[f64; 3]> {
    let side = |to: [f32; 3]| {
        let (x, z) = (f64::from(to[0]), f64::from(to[2]));
        DVec2::new(x - f64::from(a[0]), z - f64::from(a[2]))
    };
    let (to_b, to_c) = (side(b), side(c));
    let from_a = DVec2::new(at.x - f64::from(a[0]), at.y - f64::from(a[2]));
    let whole = to_b.perp_dot(to_c);
    let (second, third) = (from_a.perp_dot(to_c), to_b.perp_dot(from_a));
    // A place on a side is of both triangles; not a number is of none.
    let (sign, least) = (whole.signum(), -1e-9 * whole.abs());
    let first = whole - second - third;
    let inside = sign * second >= least && sign * third >= least && sign * first >= least;
    inside.then(|| [first / whole, second / whole, third / whole])
}

/// The height in a square that is cut as the ground is, by that of its corners: north-west, north-east, south-west,
/// south-east.
fn square_height([nw, ne, sw, se]: [f32; 4], part: DVec2) -> f64 {
    let [nw, ne, sw, se] = [nw, ne, sw, se].map(f64::from);
    if part.x + part.y > 1.0 {
        se + (ne - se) * (1.0 - part.y) + (sw - se) * (1.0 - part.x)
    } else {
        nw + (ne - nw) * part.x + (sw - nw) * part.y
    }
}

/// A square with water.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Square {
    pub(super) column: u32,
    pub(super) row: u32,
    /// The ground at its corners, in metres.
    pub(super) ground: [f32; 4],
    /// The lake over it, and how high its sheet is at the corners.
    pub(super) lake: Option<u32>,
    pub(super) sheet: [f32; 4],
    /// The first of its triangles, and the one after the last.
    pub(super) triangles: (u32, u32),
}

/// A triangle over a square: whose, and which.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Over {
    pub(super) river: u32,
    pub(super) triangle: u32,
}

/// Finds water by its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lookup {
    pub(super) frame: Frame,
    /// Where the squares of each row begin, and at last how many there are.
    rows: Vec<u32>,
    columns: Vec<u32>,
    pub(super) squares: Vec<Square>,
    pub(super) triangles: Vec<Over>,
}

impl Lookup {
    /// Of these rivers, and lakes over these squares in their order.
    pub(super) fn new(
        rivers: &[RiverWater],
        lake_squares: &[(usize, u32)],
        ground: &Ground,
        standing: &Standing,
        frame: Frame,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let mut over: Vec<Vec<(u32, u32)>> = vec![Vec::new(); rivers.len()];
        rows::for_each_row(&mut over, 1, progress, |river, over| {
            over[0] = overlaps(&rivers[river].mesh, ground, &frame);
        })?;
        // By counting: for each square where its triangles begin, which then moves to where they end.
        let mut ends = vec![0_u32; ground.heights.len() + 1];
        for &(cell, _) in over.iter().flatten() {
            ends[cell as usize + 1] += 1;
        }
        for cell in 1..ends.len() {
            ends[cell] += ends[cell - 1];
        }
        let mut triangles = vec![Over::default(); ends[ends.len() - 1] as usize];
        for (river, over) in over.into_iter().enumerate() {
            for (cell, triangle) in over {
                let end = &mut ends[cell as usize];
                triangles[*end as usize] = Over {
                    river: river as u32,
                    triangle,
                };
                *end += 1;
            }
        }
        let mut lookup = Self::empty(frame, triangles);
        let (mut lakes, mut first) = (lake_squares.iter().peekable(), 0);
        for (cell, &end) in ends.iter().enumerate() {
            let lake = lakes.next_if(|&&(at, _)| at == cell).map(|&(_, lake)| lake);
            if end > first || lake.is_some() {
                lookup.add(square(cell, lake, (first, end), ground, standing));
            }
            first = end;
        }
        Ok(lookup.whole())
    }

    /// Of these triangles, without any square.
    pub(super) fn empty(frame: Frame, triangles: Vec<Over>) -> Self {
        Self {
            frame,
            rows: vec![0],
            columns: Vec::new(),
            squares: Vec::new(),
            triangles,
        }
    }

    /// Adds a square; not, and says so, unless it comes after all that are there.
    pub(super) fn add(&mut self, square: Square) -> bool {
        let place = |square: &Square| (square.row, square.column);
        let last = self.squares.last();
        if last.is_some_and(|last| place(last) >= place(&square)) {
            return false;
        }
        let row = square.row as usize;
        self.rows.resize(row + 1, self.squares.len() as u32);
        self.columns.push(square.column);
        self.squares.push(square);
        true
    }

    /// It, with all its squares.
    pub(super) fn whole(mut self) -> Self {
        let squares = self.squares.len() as u32;
        self.rows.resize(self.frame.size().height() + 1, squares);
        self
    }

    /// The square at that place, in cells.
    fn square(&self, at: DVec2) -> Option<&Square> {
        // Written so that not a number fails too.
        if !(at.x >= 0.0 && at.y >= 0.0 && at.cmple(self.frame.last()).all()) {
            return None;
        }
        let corner = at.min(self.frame.last() - 1.0).floor();
        let row = corner.y as usize;
        let (first, end) = (self.rows[row] as usize, self.rows[row + 1] as usize);
        let found = self.columns[first..end]
            .binary_search(&(corner.x as u32))
            .ok()?;
        Some(&self.squares[first + found])
    }
}

/// The square of that north-western cell, with this lake and these triangles over it.
fn square(
    nw: usize,
    lake: Option<u32>,
    triangles: (u32, u32),
    ground: &Ground,
    standing: &Standing,
) -> Square {
    let corners = [nw, nw + 1, nw + ground.width, nw + ground.width + 1];
    Square {
        column: (nw % ground.width) as u32,
        row: (nw / ground.width) as u32,
        ground: corners.map(|cell| finite(ground.metres(cell))),
        lake,
        sheet: lake.map_or([0.0; 4], |lake| {
            corners.map(|cell| finite(standing.sheet(lake, cell, ground)))
        }),
        triangles,
    }
}

/// Each square that a triangle touches with the triangle's number, in the order of triangles.
fn overlaps(mesh: &RibbonMesh, ground: &Ground, frame: &Frame) -> Vec<(u32, u32)> {
    let positions = mesh.positions.iter();
    let places: Vec<DVec2> = positions
        .map(|&[x, _, z]| frame.cells(x.into(), z.into()))
        .collect();
    let mut over = Vec::with_capacity(mesh.indices.len());
    for (triangle, corners) in (0..).zip(mesh.indices.as_chunks::<3>().0) {
        let [a, b, c] = corners.map(|at| places[at as usize]);
        let low = ground.facet(a.min(b).min(c) - ROUNDED).square;
        let high = ground.facet(a.max(b).max(c) + ROUNDED).square;
        for row in low.1..=high.1 {
            for column in low.0..=high.0 {
                let middle = DVec2::new(column as f64 + 0.5, row as f64 + 0.5);
                let sides = [[a, b], [b, c], [c, a]];
                if sides.iter().all(|&side| !is_outside(middle, side)) {
                    over.push(((row * ground.width + column) as u32, triangle));
                }
            }
        }
    }
    over
}

/// How far, in cells, what is rounded may lie across a line.
const ROUNDED: f64 = 1e-3;

/// Whether all of the square around a middle lies outside this side of a triangle.
fn is_outside(middle: DVec2, [from, to]: [DVec2; 2]) -> bool {
    let side = to - from;
    let reach = (0.5 + ROUNDED) * (side.x.abs() + side.y.abs());
    side.perp_dot(middle - from) > reach
}
