//! Fields of view and lines. The walls are given by JavaScript, with one byte per cell. 0 is open.

use lanternfell_lightgrid::{FieldOfView, IVec2, UVec2, line as line_of_cells};
use wasm_bindgen::prelude::*;

use crate::error::Failure;

/// The longest line, in cells along an axis: the side of the largest grid.
const LONGEST: u64 = lanternfell_lightgrid::LightGrid::MAX_SIDE as u64;

/// Walls on a grid. Cells outside the grid are walls too.
struct Walls<'a> {
    cells: &'a [u8],
    size: UVec2,
}

impl<'a> Walls<'a> {
    fn new(cells: &'a [u8], width: u32, height: u32) -> Result<Self, Failure> {
        let (expected, found) = (u64::from(width) * u64::from(height), cells.len());
        if expected == found as u64 {
            let size = UVec2::new(width, height);
            return Ok(Self { cells, size });
        }
        let words = format_args!(
            "walls has {found} entries, but a grid of {width} x {height} cells needs {expected}"
        );
        Err(Failure::of_parameter(words, "walls"))
    }

    fn is_opaque(&self, cell: IVec2) -> bool {
        let (x, y) = (cell.x as u32, cell.y as u32);
        let inside = cell.min_element() >= 0 && x < self.size.x && y < self.size.y;
        !inside || self.cells[(y * self.size.x + x) as usize] != 0
    }
}

/// Returns 1 for each visible cell.
#[wasm_bindgen]
pub fn field_of_view(
    walls: &[u8],
    width: u32,
    height: u32,
    x: i32,
    y: i32,
    radius: u32,
) -> Result<Vec<u8>, JsValue> {
    let walls = Walls::new(walls, width, height)?;
    let mut view = FieldOfView::new();
    view.compute(IVec2::new(x, y), radius, |cell| walls.is_opaque(cell));
    Ok(bytes(&view, width, height))
}

/// 1 for each visible cell of a grid of this size.
pub(crate) fn bytes(view: &FieldOfView, width: u32, height: u32) -> Vec<u8> {
    let mut bytes = vec![0; width as usize * height as usize];
    for cell in view.cells() {
        let (x, y) = (cell.x as u32, cell.y as u32);
        if cell.min_element() >= 0 && x < width && y < height {
            bytes[(y * width + x) as usize] = 1;
        }
    }
    bytes
}

/// Whether no wall is on the line between two cells.
#[wasm_bindgen]
pub fn line_of_sight(
    walls: &[u8],
    width: u32,
    height: u32,
    x: i32,
    y: i32,
    to_x: i32,
    to_y: i32,
) -> Result<bool, JsValue> {
    let walls = Walls::new(walls, width, height)?;
    let (from, to) = (IVec2::new(x, y), IVec2::new(to_x, to_y));
    check_length(from, to)?;
    let is_opaque = |cell| walls.is_opaque(cell);
    Ok(lanternfell_lightgrid::line_of_sight(from, to, is_opaque))
}

/// The cells of a line, including both ends.
#[wasm_bindgen]
pub fn line(x: i32, y: i32, to_x: i32, to_y: i32) -> Result<Vec<i32>, JsValue> {
    let (from, to) = (IVec2::new(x, y), IVec2::new(to_x, to_y));
    check_length(from, to)?;
    Ok(line_of_cells(from, to)
        .flat_map(|cell| cell.to_array())
        .collect())
}

/// Rejects lines that would take minutes, or all memory.
fn check_length(from: IVec2, to: IVec2) -> Result<(), Failure> {
    let (across, down) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    let found = u64::from(across.max(down));
    if found <= LONGEST {
        return Ok(());
    }
    Err(Failure::new(format_args!(
        "the line is {found} cells long, but at most {LONGEST} are allowed"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outside_cells_are_walls() {
        let open = vec![0; 12];
        let seen = field_of_view(&open, 4, 3, 1, 1, 10).unwrap();
        assert_eq!(seen, [1; 12]);
        assert!(line_of_sight(&open, 4, 3, 0, 0, 3, 2).unwrap());
        let mut pillar = open;
        pillar[5] = 1;
        assert!(!line_of_sight(&pillar, 4, 3, 0, 1, 3, 1).unwrap());
    }

    #[test]
    fn line_includes_both_ends() {
        assert_eq!(line(0, 0, 2, 0).unwrap(), [0, 0, 1, 0, 2, 0]);
    }
}
