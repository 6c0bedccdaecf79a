//! Queries of a surface at a point: heights, normals, slopes, curvature.
//!
//! A position is compared with the rounded grid lines. The corners of a triangle are `f32`; heights
//! between them are computed in `f64` and rounded once at the end. So a height is accurate to half
//! a unit in its last place, or to 2^-50 of the triangle's highest corner if that is more, which is
//! the case near height 0.
//!
//! Cost: two reads of neighboring heights and about a dozen operations.

use glam::{DVec2, Vec2, Vec3};

use super::{
    Surface,
    facet::{Facet, SquareHalf},
};
use lanternfell_heightmap::analysis::{Curvature, CurvatureKind};

/// A position on a surface: a square, and the position in it from 0 to 1 on both axes.
#[derive(Debug, Clone, Copy)]
struct Place {
    column: u32,
    row: u32,
    part: DVec2,
}

impl Surface<'_> {
    /// Returns the height of the triangles at `(x, z)` in meters. Returns `None` outside the map
    /// and over a hole.
    #[inline]
    pub fn height(&self, at: Vec2) -> Option<f32> {
        Some(self.height_at(self.locate(at)?) as f32)
    }

    /// Returns the smooth unit normal at `(x, z)`, as used for shading. Returns `None` outside the
    /// map and over a hole.
    ///
    /// It is interpolated on the triangle from the [`vertex_normal`](Self::vertex_normal) of each
    /// corner, as a GPU does.
    pub fn normal(&self, at: Vec2) -> Option<Vec3> {
        let corners = self.around(self.locate(at)?);
        let normals = corners
            .map(|(column, row, weight)| weight * self.vertex_normal(column, row).as_dvec3());
        let [own, ne, sw] = normals;
        Some((own + ne + sw).normalize().as_vec3())
    }

    /// Returns the unit normal of the flat triangle at `(x, z)`, for example to place a foot.
    /// Returns `None` outside the map and over a hole.
    pub fn face_normal(&self, at: Vec2) -> Option<Vec3> {
        let (facet, extent) = self.face(at)?;
        Some(facet.normal(extent).as_vec3())
    }

    /// Returns the slope of the triangle at `(x, z)` in degrees, from 0 to 90. Returns `None`
    /// outside the map and over a hole.
    ///
    /// [`Slope`] measures a cell from its eight neighbors, which is smoother. Both agree on a
    /// plane.
    ///
    /// [`Slope`]: lanternfell_heightmap::analysis::Slope
    pub fn slope(&self, at: Vec2) -> Option<f32> {
        let (facet, extent) = self.face(at)?;
        Some(facet.slope(extent))
    }

    /// Returns the curvature at `(x, z)` in 1/meter, positive where the terrain is convex. Returns
    /// `None` outside the map and over a hole.
    ///
    /// A triangle is flat, so the result is interpolated from the [`Curvature`] of the cells at its
    /// corners. At a cell it is bit-identical to that curvature.
    pub fn curvature(&self, at: Vec2, kind: CurvatureKind) -> Option<f32> {
        let measure = Curvature { kind };
        let corners = self.around(self.locate(at)?);
        let bends = corners.map(|(column, row, weight)| {
            weight * f64::from(measure.of_cell(self.map, self.scale, (column, row)))
        });
        let [own, ne, sw] = bends;
        Some((own + ne + sw) as f32)
    }

    /// Computes the [`height`](Self::height) at each of `points`, and writes it to the same index
    /// of `heights`.
    ///
    /// If one slice is longer, the rest of it is ignored.
    pub fn heights(&self, points: &[Vec2], heights: &mut [Option<f32>]) {
        at_each(points, heights, |at| self.height(at));
    }

    /// Computes the [`normal`](Self::normal) at each of `points`, like [`heights`](Self::heights).
    pub fn normals(&self, points: &[Vec2], normals: &mut [Option<Vec3>]) {
        at_each(points, normals, |at| self.normal(at));
    }

    /// Computes the [`slope`](Self::slope) at each of `points`, like [`heights`](Self::heights).
    pub fn slopes(&self, points: &[Vec2], slopes: &mut [Option<f32>]) {
        at_each(points, slopes, |at| self.slope(at));
    }

    /// Computes the [`curvature`](Self::curvature) at each of `points`, like
    /// [`heights`](Self::heights).
    pub fn curvatures(&self, points: &[Vec2], kind: CurvatureKind, bends: &mut [Option<f32>]) {
        at_each(points, bends, |at| self.curvature(at, kind));
    }

    /// Returns the triangle at `(x, z)`: the column and row of its square's north-west cell, and
    /// which half it is. Returns `None` outside the map and over a hole.
    pub fn triangle_at(&self, at: Vec2) -> Option<((usize, usize), SquareHalf)> {
        let place = self.locate(at)?;
        let square = (place.column as usize, place.row as usize);
        Some((square, SquareHalf::at(place.part)))
    }

    /// Returns the height at a place, the same as [`Facet::height`]. The facet is selected without
    /// a branch: at random positions a CPU mispredicts every second branch, which takes as long as
    /// the rest.
    #[inline(always)]
    fn height_at(&self, place: Place) -> f64 {
        let (width, DVec2 { x: u, y: v }) = (self.map.width(), place.part);
        let nw = place.row as usize * width + place.column as usize;
        let (to_east, to_south) = (1.0 - u, 1.0 - v);
        let behind = u > to_south;
        let own = nw + if behind { width + 1 } else { 0 };
        let ne = if behind { to_south } else { u };
        let sw = if behind { to_east } else { v };
        let heights = self.map.heights();
        let height = |cell: usize| f64::from(heights[cell] * self.scale.relief);
        let own = height(own);
        own + (height(nw + 1) - own) * ne + (height(nw + width) - own) * sw
    }

    /// Returns the triangle at a position, and the extent of its square.
    fn face(&self, at: Vec2) -> Option<(Facet, DVec2)> {
        let place = self.locate(at)?;
        let facet = self.facet(place.column, place.row, SquareHalf::at(place.part));
        Some((facet, self.extent(place.column, place.row)))
    }

    /// Finds a position. Returns `None` outside the map and over a hole.
    #[inline(always)]
    fn locate(&self, at: Vec2) -> Option<Place> {
        let (column, u) = self.x.locate(at.x)?;
        let (row, v) = self.z.locate(at.y)?;
        let part = DVec2::new(u, v);
        (!self.is_hole(column, row)).then_some(Place { column, row, part })
    }

    /// Returns the cells at the corners of the triangle, and their weights.
    fn around(&self, place: Place) -> [(usize, usize, f64); 3] {
        let half = SquareHalf::at(place.part);
        let [ne, sw] = half.weights(place.part);
        let (column, row) = (place.column as usize, place.row as usize);
        let beyond = usize::from(half == SquareHalf::SouthEast);
        [
            (column + beyond, row + beyond, 1.0 - ne - sw),
            (column + 1, row, ne),
            (column, row + 1, sw),
        ]
    }

    /// Returns the heights of a triangle's corners.
    #[inline(always)]
    pub(super) fn facet(&self, column: u32, row: u32, half: SquareHalf) -> Facet {
        let width = self.map.width();
        let nw = row as usize * width + column as usize;
        let own = match half {
            SquareHalf::NorthWest => nw,
            SquareHalf::SouthEast => nw + width + 1,
        };
        let heights = self.map.heights();
        let height = |cell: usize| f64::from(heights[cell] * self.scale.relief);
        Facet {
            half,
            own: height(own),
            ne: height(nw + 1),
            sw: height(nw + width),
        }
    }

    /// Returns the extent of a square in meters, along x and z.
    pub(super) fn extent(&self, column: u32, row: u32) -> DVec2 {
        let ([west, east], [north, south]) = (self.x.sides(column), self.z.sides(row));
        DVec2::new(east - west, south - north)
    }
}

fn at_each<Answer>(
    points: &[Vec2],
    answers: &mut [Option<Answer>],
    ask: impl Fn(Vec2) -> Option<Answer>,
) {
    for (answer, &at) in answers.iter_mut().zip(points) {
        *answer = ask(at);
    }
}
