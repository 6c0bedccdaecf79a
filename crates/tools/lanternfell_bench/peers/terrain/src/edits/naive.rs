//! Strokes without a library: loops over an array of heights, without undo.

use glam::Vec2;

use super::{Drag, RADIUS, Sculptor, THOUSANDTHS, Tool, reached};
use crate::ground::Ground;

pub struct Naive {
    side: usize,
    meters: Vec<f32>,
}

impl Naive {
    pub fn new(ground: &Ground) -> Self {
        let (side, meters) = (ground.side(), ground.meters());
        Self { side, meters }
    }

    fn dab(&mut self, center: Vec2, change: impl Fn(usize, usize, f32) -> f32) {
        let radius = f32::from(RADIUS);
        for row in reached(center.y, self.side) {
            for column in reached(center.x, self.side) {
                let distance = center.distance(Vec2::new(column as f32, row as f32));
                if distance < radius {
                    let share = (1.0 - distance / radius) * f32::from(THOUSANDTHS) / 1000.0;
                    let height = &mut self.meters[row * self.side + column];
                    *height += change(column, row, *height) * share;
                }
            }
        }
    }

    /// Moves heights toward the means of 3 x 3 cells before the dab.
    fn smooth(&mut self, center: Vec2) {
        let (rows, columns) = (reached(center.y, self.side), reached(center.x, self.side));
        let (north, west) = (rows.start() - 1, columns.start() - 1);
        let width = columns.end() + 2 - west;
        let copied = (north..=rows.end() + 1).flat_map(|row| {
            let begin = row * self.side + west;
            self.meters[begin..begin + width].iter().copied()
        });
        let before: Vec<f32> = copied.collect();
        self.dab(center, |column, row, height| {
            let corner = (row - 1 - north) * width + column - 1 - west;
            let rows = [0, width, 2 * width].map(|row| &before[corner + row..][..3]);
            rows.into_iter().flatten().sum::<f32>() / 9.0 - height
        });
    }
}

impl Sculptor for Naive {
    fn stroke(&mut self, tool: Tool, drag: &Drag) {
        let first = drag.dabs[0].round().as_usizevec2();
        let level = self.height(first.x, first.y);
        for &center in &drag.dabs {
            match tool {
                Tool::Raise => self.dab(center, |_, _, _| 1.0),
                Tool::Lower => self.dab(center, |_, _, _| -1.0),
                Tool::Flatten => self.dab(center, |_, _, height| level - height),
                Tool::Smooth => self.smooth(center),
            }
        }
    }

    fn height(&self, column: usize, row: usize) -> f32 {
        self.meters[row * self.side + column]
    }
}
