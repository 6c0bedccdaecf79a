//! The triangles of a patch.
//!
//! Vertices are relative to the corner of the patch, so that they are exact far from the middle
//! of the terrain too. Where two patches touch, both must put a shared vertex at the same
//! position to the last bit. Otherwise single pixels between them would show the background.
//! Every position is therefore first rounded to a grid so coarse that sums and differences of two
//! positions are exact in `f32`. Its step is 2^-23 of the next power of two above half the extent
//! of the terrain, which is the resolution of an `f32` there anyway.

use glam::{IVec2, Vec3};

use crate::surface::Surface;
use lanternfell_heightmap::HoleMask;

use super::{
    DetailTree, Patch,
    lattice::{Lattice, RightTriangle},
    outline,
    patch::Shape,
};

/// The triangles of a [`Patch`], ready for a mesh: vertex lists, and three indices per triangle,
/// counterclockwise seen from above.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PatchTriangles {
    /// The position of the patch in the terrain's local space, in meters; `y` is 0.
    pub origin: Vec3,
    /// The position of each vertex, in meters from the origin.
    pub positions: Vec<[f32; 3]>,
    /// The unit normal of each vertex, from the whole map.
    pub normals: Vec<[f32; 3]>,
    /// The position of each vertex on the map: 0 to 1 from west to east and from north to south.
    pub uvs: Vec<[f32; 2]>,
    /// Vertex indices, three per triangle.
    pub indices: Vec<u16>,
}

impl PatchTriangles {
    /// Returns the minimum and maximum corners of the bounding box, in meters from the origin.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let corners = self.positions.iter().map(|&position| Vec3::from(position));
        corners.fold(
            (Vec3::INFINITY, Vec3::NEG_INFINITY),
            |(low, high), corner| (low.min(corner), high.max(corner)),
        )
    }
}

/// How far the skirt around the whole map extends below height 0, as a share of the relief.
const WALL_FOOT: f32 = 0.25;

impl DetailTree {
    /// Returns the triangles of a patch. At the border of the map they include a wall down to the
    /// foot of the terrain.
    ///
    /// A triangle that is all hole in the surface is left out, and so is its wall. A triangle with
    /// both ground and hole is rendered whole; at the finest level there are no such triangles. The
    /// tree should have the [same holes](DetailTree::with_holes) as the surface. Otherwise their
    /// outlines are only as fine as the heights require. Where there are holes, some vertices may
    /// belong to no triangle.
    ///
    /// # Panics
    /// If the map of the surface does not have the tree's [size](DetailTree::size).
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

/// The positions of rows and columns in meters, on the grid of exact sums.
struct Places {
    spacing: f64,
    half: [f64; 2],
    /// A power of two, as is its inverse.
    grid: f64,
    per_grid: f64,
}

impl Places {
    fn new(surface: &Surface<'_>) -> Self {
        let spacing = f64::from(surface.scale().spacing);
        let half = |cells: usize| (cells - 1) as f64 / 2.0;
        let half = [half(surface.map().width()), half(surface.map().height())];
        // Half the extent is below `2^exponent`, so every position is a multiple of the grid
        // below 2^23 in magnitude. Differences stay below 2^24, which `f32` holds exactly.
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
    /// The holes, if the patch has any.
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

    /// Every cell of a square of the finest level. Each square between cells is split along the
    /// same diagonal as the surface.
    fn square(&mut self, corner: IVec2) {
        // A patch at the southern or eastern border may extend beyond the map.
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
        // 65 x 65 vertices and a wall of at most 4 x 64 pieces fit into `u16` indices.
        let at = |x: i32, y: i32| (y * (size.x + 1) + x) as u16;
        for y in 0..size.y {
            for x in 0..size.x {
                let (nw, ne, sw, se) = (at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1));
                self.add_triangle([nw, sw, ne]);
                self.add_triangle([sw, se, ne]);
            }
        }
    }

    /// A triangle, halved until each short side has as many parts as a patch.
    ///
    /// Vertex `(i, j)` is `i` steps from the apex to the left and `j` to the right. Each
    /// parallelogram of four vertices is split along the diagonal whose vertices have an even
    /// index sum.
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
        // Row `j` has `side + 1 - j` vertices. The first term is the sum of all rows before.
        let at = |i: i32, j: i32| (j * (2 * side + 3 - j) / 2 + i) as u16;
        for j in 0..side {
            for i in 0..side - j {
                let (a, b, c) = (at(i, j), at(i + 1, j), at(i, j + 1));
                if i + j + 1 == side {
                    self.add_triangle([a, b, c]);
                    continue;
                }
                let d = at(i + 1, j + 1);
                // The diagonals alternate as repeated halving makes them. The errors of the tree
                // are measured for exactly these triangles.
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

    /// Adds a triangle unless it is outside the map or nothing but hole, and adds a piece of wall
    /// below each side at the border of the map.
    fn add_triangle(&mut self, corners: [u16; 3]) {
        let cells = corners.map(|corner| self.cells[usize::from(corner)]);
        // Vertices beyond the border were moved onto the map, which may collapse a triangle or
        // flip it. Rows run south, so a counterclockwise triangle has a negative product.
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

    /// Adds a piece of wall below a side that runs counterclockwise around the terrain, so that
    /// it faces outward.
    fn add_wall(&mut self, from: u16, to: u16) {
        let foot = -WALL_FOOT * self.surface.scale().relief;
        // The wall gets vertices of its own only at its foot. Its top reuses those of the
        // terrain, so that no gap can open.
        let mut low = |top: u16| {
            let top = usize::from(top);
            // Ground that was dug away can be lower than 0.
            let y = self.triangles.positions[top][1].min(0.0);
            self.push(self.cells[top], y + foot)
        };
        let (low_from, low_to) = (low(from), low(to));
        self.triangles
            .indices
            .extend([from, low_from, to, to, low_from, low_to]);
    }
}
