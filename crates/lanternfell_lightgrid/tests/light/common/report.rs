//! Reports of failing tests: the case, the cells whose light differs, and the hashes that changed.

use std::fmt::{self, Display, Write};

use lanternfell_lightgrid::{IVec2, LightGrid};

/// Prints its name if the test fails while it is in scope.
pub struct Case(String);

impl Case {
    pub fn new(name: impl Display) -> Self {
        Self(name.to_string())
    }
}

impl Drop for Case {
    #[expect(clippy::print_stderr, reason = "explains why a test failed")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("case: {}", self.0);
        }
    }
}

/// Fails unless two grids have the same light, bit for bit.
pub fn assert_same_light(grid: &LightGrid, other: &LightGrid, case: impl Display) {
    assert_eq!(grid.size(), other.size(), "{case}");
    let bits = |grid: &LightGrid, cell| grid.light(cell).to_array().map(f32::to_bits);
    let differing: Vec<IVec2> = super::places(grid)
        .filter(|&cell| bits(grid, cell) != bits(other, cell))
        .collect();
    let difference = Difference {
        grid,
        other,
        cells: &differing,
    };
    assert!(differing.is_empty(), "{case}: {difference}");
}

/// Displays where the light of two grids differs.
struct Difference<'a> {
    grid: &'a LightGrid,
    other: &'a LightGrid,
    cells: &'a [IVec2],
}

impl Display for Difference<'_> {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        const WIDEST: i32 = 70;
        const TALLEST: i32 = 30;
        let first = self.cells.iter().copied().fold(IVec2::MAX, IVec2::min);
        let last = self.cells.iter().copied().fold(IVec2::MIN, IVec2::max);
        let shown = last.min(first + IVec2::new(WIDEST, TALLEST) - 1);
        writeln!(
            text,
            "the light of {} cells differs, from {first} to {last} \
             (+ brighter, - darker, ~ of another color, . the same):",
            self.cells.len()
        )?;
        for y in first.y..=shown.y {
            for x in first.x..=shown.x {
                text.write_char(self.sign(IVec2::new(x, y)))?;
            }
            text.write_char('\n')?;
        }
        for &cell in self.cells.iter().take(5) {
            let (light, other) = (self.grid.light(cell), self.other.light(cell));
            writeln!(text, "{cell}: {light:?}, not {other:?}")?;
        }
        Ok(())
    }
}

impl Difference<'_> {
    fn sign(&self, cell: IVec2) -> char {
        let (light, other) = (self.grid.light(cell), self.other.light(cell));
        let (sum, other_sum) = (light.element_sum(), other.element_sum());
        match sum.total_cmp(&other_sum) {
            _ if !self.cells.contains(&cell) => '.',
            std::cmp::Ordering::Greater => '+',
            std::cmp::Ordering::Less => '-',
            std::cmp::Ordering::Equal => '~',
        }
    }
}
