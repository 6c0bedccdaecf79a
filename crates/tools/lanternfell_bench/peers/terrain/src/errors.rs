//! The errors of meshes and of queries.

use std::collections::HashMap;

use glam::{DVec2, Vec2, Vec3};

use crate::{
    exact::{Exact, height_in},
    ground::{Ground, Way, pixels},
    jobs::Answer,
    pieces::Piece,
};

/// The number of points at which heights are compared.
const POINTS: usize = 100_000;

/// The points are within this many meters of the corner with the largest coordinates.
const CORNER: f32 = 512.0;

/// The number of compared rays of each kind.
const RAYS: usize = 300;

/// A hit farther than this from the exact one counts as elsewhere, in meters.
const SAME: f64 = 0.1;

/// The row of memory and meshes: bytes in addition to the heights, bytes of meshes, their triangles, and the maximum
/// screen-space error for the camera.
pub fn drawn(who: &str, ground: &Ground, extra_bytes: usize, view: &[Piece]) -> Answer {
    let bytes: usize = view.iter().map(Piece::bytes).sum();
    let triangles: usize = view.iter().map(Piece::triangles).sum();
    let off = off_by(view, ground);
    Answer::Line(format!(
        "row {who}\t{extra_bytes}\t{bytes}\t{triangles}\t{off}"
    ))
}

/// The maximum distance in pixels between a cell and the triangle that is rendered over it.
fn off_by(view: &[Piece], ground: &Ground) -> f64 {
    let eye = ground.eye(0.0);
    let (scale, half) = (ground.scale(), ground.half());
    let mut most = 0.0_f64;
    let mut one = |corners: [Vec3; 3]| {
        let columns = corners.map(|corner| ((corner.x + half) / scale.spacing).round() as usize);
        let rows = corners.map(|corner| ((corner.z + half) / scale.spacing).round() as usize);
        let range = |cells: [usize; 3]| {
            let low = cells.iter().copied().min().unwrap_or(0);
            (low, cells.iter().copied().max().unwrap_or(0))
        };
        let ((west, east), (north, south)) = (range(columns), range(rows));
        // The finest triangles contain no cells other than their corners.
        if east - west <= 1 && south - north <= 1 {
            return;
        }
        let exact = corners.map(Vec3::as_dvec3);
        for (row, column) in (north..=south).flat_map(|row| (west..=east).map(move |at| (row, at)))
        {
            let place = |cell: usize| cell as f32 * scale.spacing - half;
            let at = Vec3::new(
                place(column),
                ground.map.get(column, row) * scale.relief,
                place(row),
            );
            let Some(height) = height_in(exact, DVec2::new(at.x.into(), at.z.into())) else {
                continue;
            };
            let meters = (height - f64::from(at.y)).abs();
            most = most.max(meters * f64::from(pixels() / at.distance(eye)));
        }
    };
    view.iter().for_each(|piece| piece.each_triangle(&mut one));
    most
}

/// Measures the errors of queries, in meters.
pub struct Errors<'a> {
    who: &'static str,
    ground: &'a Ground,
    exact: Exact<'a>,
    columns: Vec<String>,
}

impl<'a> Errors<'a> {
    pub fn new(who: &'static str, ground: &'a Ground) -> Self {
        Self {
            who,
            ground,
            exact: Exact::new(ground),
            columns: Vec::new(),
        }
    }

    /// The lowest coordinate along both axes, and the points.
    fn points(&self) -> (f32, Vec<Vec2>) {
        let half = self.ground.half();
        let low = (half - CORNER).max(-half);
        let points = self.ground.points_within(POINTS, [low; 2], [half; 2]);
        (low, points)
    }

    /// Compares heights of a crate without meshes with triangles between the cells, divided along our diagonal.
    pub fn heights_on_cells(&mut self, answer: impl Fn(Vec2) -> f32) {
        let (_, points) = self.points();
        let off = |at: &Vec2| {
            let exact = self.exact.height(at.as_dvec2())?;
            Some((f64::from(answer(*at)) - exact).abs())
        };
        let all: Vec<f64> = points.iter().filter_map(off).collect();
        let worst = all.iter().copied().fold(0.0, f64::max);
        let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
        self.columns
            .push(format!("{}\t{worst}\t{mean}\tNaN", all.len()));
    }

    /// Compares heights with the crate's own triangles: maximum and mean error. Also measures the maximum distance of
    /// these triangles from the exact surface.
    pub fn heights(
        &mut self,
        whole: impl Iterator<Item = Piece>,
        answer: impl Fn(Vec2) -> Option<f32>,
    ) {
        let (low, points) = self.points();
        let mut squares: HashMap<_, Vec<Vec2>> = HashMap::new();
        for &at in &points {
            let square = self.exact.square(at.as_dvec2());
            squares.entry(square).or_default().push(at);
        }
        let (mut worst, mut sum, mut number, mut drawn_off) = (0.0_f64, 0.0, 0_usize, 0.0_f64);
        let edge = f64::from(low) - 1.0;
        for piece in whole {
            piece.each_triangle(|corners| {
                let corners = corners.map(Vec3::as_dvec3);
                let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
                if middle.x < edge || middle.z < edge {
                    return;
                }
                let square = self.exact.square(DVec2::new(middle.x, middle.z));
                for &at in squares.get(&square).into_iter().flatten() {
                    let Some(drawn) = height_in(corners, at.as_dvec2()) else {
                        continue;
                    };
                    let Some(exact) = self.exact.height(at.as_dvec2()) else {
                        continue;
                    };
                    let answer = answer(at).map_or(f64::INFINITY, f64::from);
                    let off = (answer - drawn).abs();
                    (worst, sum, number) = (worst.max(off), sum + off, number + 1);
                    drawn_off = drawn_off.max((drawn - exact).abs());
                }
            });
        }
        let mean = sum / number.max(1) as f64;
        self.columns
            .push(format!("{number}\t{worst}\t{mean}\t{drawn_off}"));
    }

    /// Compares rays: the number of correct hits and their maximum error, hits elsewhere, and missed hits.
    pub fn rays(&mut self, cast: impl Fn(Way) -> Option<f32>) {
        for picking in [true, false] {
            let (mut hits, mut others, mut missed, mut off) = (0, 0, 0, 0.0_f64);
            for way in self.ground.rays(picking).into_iter().take(RAYS) {
                match (cast(way).map(f64::from), self.exact.cast(way)) {
                    (Some(found), Some(exact)) if (found - exact).abs() < SAME => {
                        hits += 1;
                        off = off.max((found - exact).abs());
                    }
                    (Some(_), _) => others += 1,
                    (None, Some(_)) => missed += 1,
                    (None, None) => {}
                }
            }
            self.columns
                .push(format!("{hits}\t{others}\t{missed}\t{off}"));
        }
    }

    pub fn answer(self) -> Answer {
        Answer::Line(format!("row {}\t{}", self.who, self.columns.join("\t")))
    }
}
