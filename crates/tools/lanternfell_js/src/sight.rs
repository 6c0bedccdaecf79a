//! What is seen, and lines, over walls that JavaScript holds: a byte for each cell, 0 where it is open.

use lanternfell_lightgrid::{FieldOfView, IVec2, UVec2, line as line_of_cells};
use wasm_bindgen::prelude::*;

use crate::error::Failure;

/// The longest line, in cells along an axis: as long as the largest grid is wide.
const LONGEST: u64 = lanternfell_lightgrid::LightGrid::MAX_SIDE as u64;

/// Walls around which nothing is open.
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
        let words = format_args!("{found} walls were given for {width} x {height} cells");
        Err(Failure::of_parameter(words, "walls"))
    }

    fn is_opaque(&self, cell: IVec2) -> bool {
        let (x, y) = (cell.x as u32, cell.y as u32);
        let inside = cell.min_element() >= 0 && x < self.size.x && y < self.size.y;
        !inside || self.cells[(y * self.size.x + x) as usize] != 0
    }
}

/// 1 for each cell that is seen.
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
    view.look(IVec2::new(x, y), radius, |cell| walls.is_opaque(cell));
    Ok(bytes(&view, width, height))
}

/// 1 for each cell of a grid of that size that is seen.
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

/// Whether the line between two cells is free.
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

/// The cells of a line, both ends included.
#[wasm_bindgen]
pub fn line(x: i32, y: i32, to_x: i32, to_y: i32) -> Result<Vec<i32>, JsValue> {
    let (from, to) = (IVec2::new(x, y), IVec2::new(to_x, to_y));
    check_length(from, to)?;
    Ok(line_of_cells(from, to)
        .flat_map(|cell| cell.to_array())
        .collect())
}

/// An error for a line that would take minutes, or all memory.
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
    fn beyond_the_border_all_is_wall() {
        let open = vec![0; 12];
        let seen = field_of_view(&open, 4, 3, 1, 1, 10).unwrap();
        assert_eq!(seen, [1; 12]);
        assert!(line_of_sight(&open, 4, 3, 0, 0, 3, 2).unwrap());
        let mut pillar = open;
        pillar[5] = 1;
        assert!(!line_of_sight(&pillar, 4, 3, 0, 1, 3, 1).unwrap());
    }

    #[test]
    fn a_line_has_both_ends() {
        assert_eq!(line(0, 0, 2, 0).unwrap(), [0, 0, 1, 0, 2, 0]);
    }
}
