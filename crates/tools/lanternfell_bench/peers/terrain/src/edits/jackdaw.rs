//! Strokes of `jackdaw_terrain`. Without its editor it has the brushes, and reads and writes rectangles of heights. Its
//! editor makes undo of them, and so does this module: a rectangle around the stroke, before and after it.
//!
//! The editor copies all heights when a stroke begins, since it does not know the rectangle yet. This is not measured.

use jackdaw_terrain::{GridRect, Heightmap, SculptTool, apply_brush};

use super::{Drag, FRAME, RADIUS, Sculptor, THOUSANDTHS, Tool, Undoable};
use crate::{ground::Ground, jackdaw::map};

/// The exponent of a falloff that decreases evenly.
const FALLOFF: f32 = 1.0;

/// The effect per second.
const STRENGTH: f32 = THOUSANDTHS as f32 / 1000.0 / FRAME;

/// The heights of a rectangle before and after a stroke.
struct Record {
    rect: GridRect,
    before: Vec<f32>,
    after: Vec<f32>,
}

pub struct Jackdaw {
    map: Heightmap,
    records: Vec<Record>,
}

impl Jackdaw {
    pub fn new(ground: &Ground) -> Self {
        let (map, records) = (map(ground), Vec::new());
        Self { map, records }
    }

    /// The rectangle around all dabs.
    fn around(&self, drag: &Drag) -> GridRect {
        let rects = drag.dabs.iter();
        let rects =
            rects.filter_map(|&dab| GridRect::brush(self.map.resolution, dab, RADIUS.into()));
        let all = rects.reduce(GridRect::union);
        all.expect("strokes are on the terrain")
    }
}

impl Sculptor for Jackdaw {
    fn stroke(&mut self, tool: Tool, drag: &Drag) {
        let tool = match tool {
            Tool::Raise => SculptTool::Raise,
            Tool::Lower => SculptTool::Lower,
            Tool::Flatten => SculptTool::Flatten,
            Tool::Smooth => SculptTool::Smooth,
        };
        let (map, radius) = (&mut self.map, RADIUS.into());
        for &dab in &drag.dabs {
            apply_brush(map, tool, dab, radius, STRENGTH, FALLOFF, FRAME, None);
        }
    }

    fn height(&self, column: usize, row: usize) -> f32 {
        self.map.get_height(column as u32, row as u32)
    }
}

impl Undoable for Jackdaw {
    fn recorded(&mut self, tool: Tool, drag: &Drag) {
        let rect = self.around(drag);
        let read = |map: &Heightmap| rect.read(&map.heights, map.resolution);
        let before = read(&self.map);
        self.stroke(tool, drag);
        let after = read(&self.map);
        self.records.push(Record {
            rect,
            before,
            after,
        });
    }

    fn undo(&mut self) {
        if let Some(Record { rect, before, .. }) = self.records.pop() {
            rect.write(&mut self.map.heights, self.map.resolution, &before);
        }
    }

    /// A file has all heights, and no strokes.
    fn bytes(&self) -> [f64; 3] {
        let bytes =
            |record: &Record| size_of_val(&record.before[..]) + size_of_val(&record.after[..]);
        let memory: usize = self.records.iter().map(bytes).sum();
        [f64::NAN, memory as f64, 0.0]
    }
}
