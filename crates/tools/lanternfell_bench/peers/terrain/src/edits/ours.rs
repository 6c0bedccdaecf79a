//! Strokes of `lanternfell_edits`. Changed tiles are applied to the map after each dab, as `TerrainPlugin` does in a
//! task.

use std::{slice, sync::Arc};

use lanternfell_edits::{Brush, Change, EditedMap, Edits, Falloff, MapBase, Stroke, TileAddress};
use lanternfell_heightmap::Heightmap;

use super::{Drag, RADIUS, Sculptor, THOUSANDTHS, Tool, UNITS, Undoable};
use crate::ground::Ground;

const AUTHOR: u32 = 1;

/// How the positions of the pointer arrive.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// One per frame.
    Drag,
    /// All at once, as from another player or a file.
    Whole,
}

/// A log of strokes, and the map with them.
pub struct Ours {
    way: Way,
    relief: f32,
    unedited: Arc<Heightmap>,
    base: MapBase,
    edits: Edits,
    edited: Arc<Heightmap>,
}

/// A stroke with the common radius, falloff and strength.
pub(super) fn stroke(brush: Brush, positions: &[[i64; 2]]) -> Stroke {
    let strength = match brush {
        Brush::Raise { .. } | Brush::Lower { .. } => 1000,
        _ => THOUSANDTHS,
    };
    let radius = u32::from(RADIUS) * UNITS as u32;
    Stroke {
        falloff: Falloff::Linear,
        strength,
        ..Stroke::along(brush, radius, positions.iter().copied())
    }
}

fn brush(tool: Tool) -> Brush {
    let mm = THOUSANDTHS.into();
    match tool {
        Tool::Raise => Brush::Raise { mm },
        Tool::Lower => Brush::Lower { mm },
        Tool::Flatten => Brush::Flatten { mm: None },
        Tool::Smooth => Brush::Smooth { reach: 1 },
    }
}

impl Ours {
    pub fn new(ground: &Ground, way: Way) -> Self {
        let unedited = Arc::new(ground.map.clone());
        let base = MapBase::new(unedited.clone(), ground.scale());
        let base = base.expect("the scale is within its range");
        Self {
            way,
            relief: ground.scale().relief,
            edits: Edits::new(Arc::new(base.clone())),
            edited: Arc::new(ground.map.clone()),
            unedited,
            base,
        }
    }

    fn drag(&mut self, brush: Brush, positions: &[[i64; 2]]) {
        let begin = stroke(brush, &positions[..1]);
        let begun = self.edits.start_drag(AUTHOR, begin);
        let begun = begun.expect("the stroke is valid");
        self.apply(&begun.changes);
        for position in &positions[1..] {
            let longer = self.edits.extend_drag(begun.id, slice::from_ref(position));
            self.apply(&longer.expect("the stroke is valid").changes);
        }
        let ended = self.edits.end_drag(begun.id);
        self.apply(&ended.expect("the drag is in progress").changes);
    }

    /// Applies the tiles that changed to the map, in place.
    fn apply(&mut self, changes: &[Change]) {
        let heights = std::mem::replace(&mut self.edited, self.unedited.clone());
        let mut map = EditedMap::new(&self.base, None).from_older(heights, None);
        for Change { channel, area } in changes {
            let address = TileAddress::of_cell(*channel, area.column, area.row);
            map.set(address, self.edits.tile(address).map(|tile| &**tile));
        }
        (self.edited, _) = map.finish();
    }
}

impl Sculptor for Ours {
    fn stroke(&mut self, tool: Tool, drag: &Drag) {
        let brush = brush(tool);
        match self.way {
            Way::Drag => self.drag(brush, &drag.positions),
            Way::Whole => {
                let stroke = stroke(brush, &drag.positions);
                let made = self.edits.stroke(AUTHOR, stroke);
                self.apply(&made.expect("the stroke is valid").changes);
            }
        }
    }

    fn height(&self, column: usize, row: usize) -> f32 {
        self.edited.get(column, row) * self.relief
    }
}

impl Undoable for Ours {
    fn recorded(&mut self, tool: Tool, drag: &Drag) {
        self.stroke(tool, drag);
    }

    fn undo(&mut self) {
        let undone = self.edits.undo(AUTHOR).expect("no limit is reached");
        self.apply(&undone.expect("there is a stroke").changes);
    }

    fn bytes(&self) -> [f64; 3] {
        let none = Edits::new(self.edits.base().clone()).to_bytes().len();
        let file = self.edits.to_bytes().len() - none;
        let unedited = size_of_val(self.unedited.heights());
        [file, self.edits.memory().total(), unedited].map(|bytes| bytes as f64)
    }
}
