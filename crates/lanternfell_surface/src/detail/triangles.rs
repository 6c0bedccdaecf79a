//! The triangles of a patch.
//!
//! Vertices are told from the patch's own corner, so that they are exact far from the middle of the land as well.
//! Where two patches touch, both must draw the same vertex at the same place to the last bit, or between
//! them single pixels would show what is behind. So every place is first rounded to a grid so coarse that
//! sums and differences of two are exact: to the 2^-23rd part of the next power of two beyond the land's
//! half extent, which is what an `f32` could tell there anyway.

use glam::{IVec2, Vec3};

use crate::surface::Surface;
use lanternfell_heightmap::HoleMask;

use super::{
    DetailTree, Patch,
    lattice::{Lattice, RightTriangle},
    outline,
    patch::Shape,
};

/// The triangles of a [`Patch`], ready for a mesh: lists of vertices, and three indices per triangle,
/// counterclockwise seen from above.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PatchTriangles {
    /// Where the patch stands in the land's frame, in metres; `y` is 0.
    pub origin: Vec3,
    /// Where each vertex is, in metres from the origin.
    pub positions: Vec<[f32; 3]>,
    /// The unit normal of each vertex, from the whole map.
    pub normals: Vec<[f32; 3]>,
    /// Each vertex's place on the map, 0 to 1 from west to east and from north to south.
    pub uvs: Vec<[f32; 2]>,
    /// Indices of vertices; three make a triangle.
    pub indices: Vec<u16>,
}

impl PatchTriangles {
    /// The lowest and the highest corner of the box around the vertices, in metres from the origin.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let corners = self.positions.iter().map(|&position| Vec3::from(position));
        corners.fold(
            (Vec3::INFINITY, Vec3::NEG_INFINITY),
            |(low, high), corner| (low.min(corner), high.max(corner)),
        )
    }
}

/// How far below height 0 the wall around the whole map reaches, as a part of the relief.
const WALL_FOOT: f32 = 0.25;

impl DetailTree {
    /// The triangles of a patch, with the wall down to the foot of the land where it is at the border of the map.
    ///
    /// Where a triangle is nothing but hole in the surface, neither it nor its wall is there. One that has both
    /// ground and hole is drawn whole, which at the finest level none has. The tree had better have the [same
    /// holes](DetailTree::with_holes), or their outlines are as fine as the heights want it. Where there are holes
    /// some vertices may be of no triangle.
    ///
    /// # Panics
    /// When the surface is not over a map of this tree's size.
    pub fn triangulate(&self, surface: &Surface<'_>, patch: Patch) -> PatchTriangles {
        assert_eq!(
            self.size(),
            surface.map().size(),
            "the tree is of another map"
        );
        let mut maker = Maker::new(&self.lattice, surface, patch);
        match patch.shape {
            Shape::Square(corner) => maker.square(corner),
            Shape::Triangle(triangle) => maker.triangle(triangle),
        }
        maker.triangles
    }
}

/// The places of rows and columns, in metres, on the grid of exact sums.
struct Places {
    spacing: f64,
    half: [f64; 2],
    /// A power of two, and so is one over it.
    grid: f64,
    per_grid: f64,
}

impl Places {
    fn new(surface: &Surface<'_>) -> Self {
        let spacing = f64::from(surface.scale().spacing);
        let half = |cells: usize| (cells - 1) as f64 / 2.0;
        let half = [half(surface.map().width()), half(surface.map().height())];
        let (_, exponent) = libm::frexp(spacing * half[0].max(half[1]));
        Self {
            spacing,
            half,
            grid: libm::ldexp(1.0, exponent - 23),
            per_grid: libm::ldexp(1.0, 23 - exponent),
        }
    }

    fn of(&self, cell: IVec2) -> [f32; 2] {
        let place = |cell: i32, half: f64| {
            ((f64::from(cell) - half) * self.spacing * self.per_grid).round() * self.grid
        };
        [
            place(cell.x, self.half[0]) as f32,
            place(cell.y, self.half[1]) as f32,
        ]
    }
}

struct Maker<'a> {
    lattice: &'a Lattice,
    surface: &'a Surface<'a>,
    /// Where there are some in the patch.
    holes: Option<&'a HoleMask>,
    places: Places,
    /// The cell of each vertex, on the map.
    cells: Vec<IVec2>,
    triangles: PatchTriangles,
}

impl<'a> Maker<'a> {
    fn new(lattice: &'a Lattice, surface: &'a Surface<'a>, patch: Patch) -> Self {
        let places = Places::new(surface);
        let [x, z] = places.of(patch.corner(lattice));
        let origin = Vec3::new(x, 0.0, z);
        let holes = surface.holes();
        Self {
            lattice,
            surface,
            holes: holes.filter(|holes| outline::has_holes(lattice, holes, patch.bounds(lattice))),
            places,
            cells: Vec::new(),
            triangles: PatchTriangles {
                origin,
                ..Default::default()
            },
        }
    }

    /// Every cell of a square of the finest level, each square between cells cut as the surface is.
    fn square(&mut self, corner: IVec2) {
        let size = (self.lattice.squares - corner).min(IVec2::splat(self.lattice.side));
        self.reserve(
            ((size.x + 1) * (size.y + 1)) as usize,
            (2 * size.x * size.y) as usize,
        );
        for y in 0..=size.y {
            for x in 0..=size.x {
                self.add_vertex(corner + IVec2::new(x, y));
            }
        }
        let at = |x: i32, y: i32| (y * (size.x + 1) + x) as u16;
        for y in 0..size.y {
            for x in 0..size.x {
                let (nw, ne, sw, se) = (at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1));
                self.add_triangle([nw, sw, ne]);
                self.add_triangle([sw, se, ne]);
            }
        }
    }

    /// A triangle, halved until each short side is cut into as many parts as there are in a patch.
    ///
    /// Vertex `(i, j)` lies `i` steps from the apex to the left and `j` to the right. Each parallelogram between four
    /// vertices is cut between those two whose numbers have an even sum.
    fn triangle(&mut self, triangle: RightTriangle) {
        let side = self.lattice.side;
        let (left, right) = (
            (triangle.left - triangle.apex) / side,
            (triangle.right - triangle.apex) / side,
        );
        self.reserve(
            ((side + 1) * (side + 2) / 2) as usize,
            (side * side) as usize,
        );
        for j in 0..=side {
            for i in 0..=side - j {
                self.add_vertex(triangle.apex + left * i + right * j);
            }
        }
        let at = |i: i32, j: i32| (j * (2 * side + 3 - j) / 2 + i) as u16;
        for j in 0..side {
            for i in 0..side - j {
                let (a, b, c) = (at(i, j), at(i + 1, j), at(i, j + 1));
                if i + j + 1 == side {
                    self.add_triangle([a, b, c]);
                    continue;
                }
                let d = at(i + 1, j + 1);
                if (i + j) % 2 == 0 {
                    self.add_triangle([a, b, d]);
                    self.add_triangle([a, d, c]);
                } else {
                    self.add_triangle([a, b, c]);
                    self.add_triangle([b, d, c]);
                }
            }
        }
    }

    fn reserve(&mut self, vertices: usize, triangles: usize) {
        self.cells.reserve_exact(vertices);
        self.triangles.positions.reserve_exact(vertices);
        self.triangles.normals.reserve_exact(vertices);
        self.triangles.uvs.reserve_exact(vertices);
        self.triangles.indices.reserve_exact(3 * triangles);
    }

    /// Adds the vertex of a lattice point, moved onto the map.
    fn add_vertex(&mut self, point: IVec2) {
        let cell = self.lattice.onto_map(point);
        let (column, row) = (cell.x as usize, cell.y as usize);
        let height = self.surface.map().get(column, row) * self.surface.scale().relief;
        self.push(cell, height);
    }

    fn push(&mut self, cell: IVec2, y: f32) -> u16 {
        let [x, z] = self.places.of(cell);
        let origin = self.triangles.origin;
        let normal = self.surface.vertex_normal(cell.x as usize, cell.y as usize);
        let uv = cell.as_vec2() / self.lattice.squares.as_vec2();
        self.cells.push(cell);
        self.triangles
            .positions
            .push([x - origin.x, y, z - origin.z]);
        self.triangles.normals.push(normal.to_array());
        self.triangles.uvs.push(uv.to_array());
        (self.cells.len() - 1) as u16
    }

    /// Adds a triangle, unless it is beyond the map or nothing but hole, and a piece of wall below each side at the
    /// map's border.
    fn add_triangle(&mut self, corners: [u16; 3]) {
        let cells = corners.map(|corner| self.cells[usize::from(corner)]);
        if (cells[1] - cells[0]).perp_dot(cells[2] - cells[0]) >= 0 || self.is_hole(cells) {
            return;
        }
        self.triangles.indices.extend(corners);
        for index in 0..3 {
            let next = (index + 1) % 3;
            if self.at_border(cells[index], cells[next]) {
                self.add_wall(corners[index], corners[next]);
            }
        }
    }

    fn is_hole(&self, cells: [IVec2; 3]) -> bool {
        let squares = self.lattice.squares;
        self.holes
            .is_some_and(|holes| outline::is_hole(holes, squares, cells))
    }

    fn at_border(&self, from: IVec2, to: IVec2) -> bool {
        let last = self.lattice.squares;
        (from.x == to.x && (from.x == 0 || from.x == last.x))
            || (from.y == to.y && (from.y == 0 || from.y == last.y))
    }

    /// Hangs a piece of wall from a side that runs counterclockwise around the land, so that it faces outwards.
    fn add_wall(&mut self, from: u16, to: u16) {
        let foot = -WALL_FOOT * self.surface.scale().relief;
        let mut low = |top: u16| self.push(self.cells[usize::from(top)], foot);
        let (low_from, low_to) = (low(from), low(to));
        self.triangles
            .indices
            .extend([from, low_from, to, to, low_from, low_to]);
    }
}
