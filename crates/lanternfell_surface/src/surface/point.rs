//! What a surface answers at a point: heights, normals, slopes, curvature.
//!
//! A place is found by the drawn grid lines, a height is that of the drawn triangle (its corners are
//! `f32`, what lies between is computed in `f64`), and only the answer is rounded. So a height is off
//! by half a unit in its last place, and by 2^-50 of the triangle's highest corner where that is more:
//! near height 0.
//!
//! Cost: two reads of neighboring heights, and about a dozen operations.

use glam::{DVec2, Vec2, Vec3};

use super::{
    Surface,
    facet::{Facet, SquareHalf},
};
use lanternfell_heightmap::analysis::{Curvature, CurvatureKind};

/// A place on a surface: a square, and where in it, from 0 to 1 on both axes.
#[derive(Debug, Clone, Copy)]
struct Place {
    column: u32,
    row: u32,
    part: DVec2,
}

impl Surface<'_> {
    /// The height in metres at `(x, z)`, on the triangles; `None` beyond the border and over a hole.
    #[inline]
    pub fn height(&self, at: Vec2) -> Option<f32> {
        Some(self.height_at(self.locate(at)?) as f32)
    }

    /// The unit normal at `(x, z)`, smooth across triangles: what shading shows. `None` beyond the
    /// border and over a hole.
    ///
    /// That of each cell is [`vertex_normal`](Self::vertex_normal); between them it is interpolated on
    /// the triangle, as a GPU does.
    pub fn normal(&self, at: Vec2) -> Option<Vec3> {
        let corners = self.around(self.locate(at)?);
        let normals = corners
            .map(|(column, row, weight)| weight * self.vertex_normal(column, row).as_dvec3());
        let [own, ne, sw] = normals;
        Some((own + ne + sw).normalize().as_vec3())
    }

    /// The unit normal of the triangle at `(x, z)`, which is flat: what a foot stands on. `None` beyond
    /// the border and over a hole.
    pub fn face_normal(&self, at: Vec2) -> Option<Vec3> {
        let (facet, extent) = self.face(at)?;
        Some(facet.normal(extent).as_vec3())
    }

    /// How steep the triangle at `(x, z)` is, in degrees from 0 to 90, as [`Slope`] counts by default.
    /// `None` beyond the border and over a hole.
    ///
    /// [`Slope`] measures a cell by its eight neighbors, so it is smoother; on a plane both agree.
    ///
    /// [`Slope`]: lanternfell_heightmap::analysis::Slope
    pub fn slope(&self, at: Vec2) -> Option<f32> {
        let (facet, extent) = self.face(at)?;
        Some(facet.slope(extent))
    }

    /// How the land bends at `(x, z)`, in 1/metre, positive where it is convex. `None` beyond the border
    /// and over a hole.
    ///
    /// A triangle is flat, so this is that of the cells, by [`Curvature`] and with its bits, interpolated
    /// on the triangle between them.
    pub fn curvature(&self, at: Vec2, kind: CurvatureKind) -> Option<f32> {
        let measure = Curvature { kind };
        let corners = self.around(self.locate(at)?);
        let bends = corners.map(|(column, row, weight)| {
            weight * f64::from(measure.of_cell(self.map, self.scale, (column, row)))
        });
        let [own, ne, sw] = bends;
        Some((own + ne + sw) as f32)
    }

    /// The [`height`](Self::height) at each of `points`, into the place of `heights` with the same
    /// number; those of the longer of the two that have no partner are left alone.
    pub fn heights(&self, points: &[Vec2], heights: &mut [Option<f32>]) {
        at_each(points, heights, |at| self.height(at));
    }

    /// The [`normal`](Self::normal) at each of `points`, as [`heights`](Self::heights).
    pub fn normals(&self, points: &[Vec2], normals: &mut [Option<Vec3>]) {
        at_each(points, normals, |at| self.normal(at));
    }

    /// The [`slope`](Self::slope) at each of `points`, as [`heights`](Self::heights).
    pub fn slopes(&self, points: &[Vec2], slopes: &mut [Option<f32>]) {
        at_each(points, slopes, |at| self.slope(at));
    }

    /// The [`curvature`](Self::curvature) at each of `points`, as [`heights`](Self::heights).
    pub fn curvatures(&self, points: &[Vec2], kind: CurvatureKind, bends: &mut [Option<f32>]) {
        at_each(points, bends, |at| self.curvature(at, kind));
    }

    /// The square and the half of it at `(x, z)`: column and row of its north-west cell. `None` beyond
    /// the border and over a hole.
    pub fn triangle_at(&self, at: Vec2) -> Option<((usize, usize), SquareHalf)> {
        let place = self.locate(at)?;
        let square = (place.column as usize, place.row as usize);
        Some((square, SquareHalf::at(place.part)))
    }

    /// The height there: that of its [`Facet`], which is not chosen by a branch but by numbers. At places
    /// in no order a processor would guess every other branch wrongly, which takes as long as the rest.
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

    /// The triangle there, and the extent of its square.
    fn face(&self, at: Vec2) -> Option<(Facet, DVec2)> {
        let place = self.locate(at)?;
        let facet = self.facet(place.column, place.row, SquareHalf::at(place.part));
        Some((facet, self.extent(place.column, place.row)))
    }

    /// Where that is, unless beyond the border or over a hole.
    #[inline(always)]
    fn locate(&self, at: Vec2) -> Option<Place> {
        let (column, u) = self.x.locate(at.x)?;
        let (row, v) = self.z.locate(at.y)?;
        let part = DVec2::new(u, v);
        (!self.is_hole(column, row)).then_some(Place { column, row, part })
    }

    /// The cells at the corners of the triangle there, and how much each counts.
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

    /// The corners' heights of a triangle.
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

    /// How wide and how long a square is.
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
