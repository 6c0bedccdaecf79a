//! The cells where the settled solver starts: those that differ from their averages.

use glam::UVec2;

use super::{ground::Ground, moves};
use crate::area::Area;

/// The cells that differ from their averages.
#[derive(Default)]
pub(super) struct Seeds {
    /// Cells that pass light on.
    pub(super) cells: Vec<(usize, usize)>,
    /// Cells that do not.
    pub(super) walls: Vec<(usize, usize)>,
}

impl Seeds {
    /// Examines the cells in the changed areas and next to them.
    pub(super) fn find(ground: Ground<'_>, areas: &[Area], ceiling: f32, threshold: f32) -> Self {
        let (light, transparency) = (ground.light(), ground.transparency());
        let whole = Area::whole(UVec2::new(light.width() as u32, light.height() as u32));
        let mut seeds = Self::default();
        for area in areas {
            for cell in area.grown(1).within(whole).cells() {
                let at @ (x, y) = (cell.x as usize, cell.y as usize);
                if moves(ground.wanted(at, ceiling), light.get(x, y), threshold) {
                    let is_open = transparency.get(x, y) > 0.0;
                    let found = if is_open {
                        &mut seeds.cells
                    } else {
                        &mut seeds.walls
                    };
                    found.push(at);
                }
            }
        }
        seeds
    }
}
