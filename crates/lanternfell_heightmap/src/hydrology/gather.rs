//! Sums over everything upstream, and passes back upstream, on every core.
//!
//! Idea: a cell can pass on its sum as soon as all its donors have arrived, wherever they are. So each strip of rows is
//! summed independently as far as possible. Water that leaves a strip waits at the seam, and so does everything
//! downstream of it. When all strips are done, only the rivers that cross seams remain. These are few cells.
//!
//! ```text
//!    1  1  1  1         the strip above: at * a cell waits at the seam
//!     \ /   |  |
//!      3    2  *        the strip below: the cells R that it reaches are the
//!    - | -  | -|- -     rest, all others are summed independently
//!      R    R  1
//! ```
//!
//! The upstream pass works in reverse: first the rest, from the outlets up, then each strip independently. The receiver
//! of a cell of a strip is either in the same strip or in the rest.
//!
//! Cost: O(n). Memory: one byte per cell, and 4 for an [`Order`]. The sum must not depend on the order of the donors;
//! counts satisfy this.

use super::{
    flood::CELLS_PER_STEP,
    flow::{DONE, Flow},
};
use crate::{Canceled, Progress, rows};

/// All cells except outlets, each after its donors: strip by strip, then the rest.
#[derive(Debug, Default)]
pub(crate) struct Order {
    /// The cells of each strip, followed by the rest.
    parts: Vec<Vec<u32>>,
    /// The number of cells per strip.
    strip: usize,
}

impl Order {
    /// The cells, each after its donors.
    pub(crate) fn cells(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().flatten().map(|&cell| cell as usize)
    }

    /// From the outlets up, sets the value of each cell to `take(cell, value of its receiver)`.
    pub(crate) fn upstream<T: Copy + Send>(
        &self,
        flow: &Flow,
        values: &mut [T],
        progress: &Progress,
        take: impl Fn(usize, T) -> T + Sync + Send,
    ) -> Result<(), Canceled> {
        let Some((rest, strips)) = self.parts.split_last() else {
            return progress.step(1, 1);
        };
        let climb = |first: usize, values: &mut [T], cells: &[u32]| {
            for cells in cells.rchunks(CELLS_PER_STEP) {
                progress.check()?;
                for &cell in cells.iter().rev() {
                    let cell = cell as usize;
                    let receiver = flow.grid.step(cell, flow.directions[cell]);
                    values[cell - first] = take(cell, values[receiver - first]);
                }
            }
            Ok(())
        };
        climb(0, values, rest)?;
        rows::for_each_row(values, self.strip, progress, |index, values| {
            // The loop over strips reports the cancellation.
            climb(index * self.strip, values, &strips[index]).ok();
        })
    }
}

impl Flow {
    /// Once for each cell that is not an outlet, after all its donors, sets its receiver's value to
    /// `pour(cell, its value, receiver's value)`. The result must not depend on the order of the donors.
    pub(super) fn gather<T: Copy + Send>(
        &self,
        values: &mut [T],
        strip_rows: usize,
        progress: &Progress,
        pour: impl Fn(usize, T, T) -> T + Sync + Send,
    ) -> Result<(), Canceled> {
        self.gather_by(values, strip_rows, None, progress, pour)
    }

    /// The same as [`gather`](Self::gather), and records the order.
    pub(crate) fn gather_in_order<T: Copy + Send>(
        &self,
        values: &mut [T],
        strip_rows: usize,
        order: &mut Order,
        progress: &Progress,
        pour: impl Fn(usize, T, T) -> T + Sync + Send,
    ) -> Result<(), Canceled> {
        self.gather_by(values, strip_rows, Some(order), progress, pour)
    }

    fn gather_by<T: Copy + Send>(
        &self,
        values: &mut [T],
        strip_rows: usize,
        order: Option<&mut Order>,
        progress: &Progress,
        pour: impl Fn(usize, T, T) -> T + Sync + Send,
    ) -> Result<(), Canceled> {
        let mut waiting = self.count_donors(&progress.span(0.0, 0.2))?;
        let cells = self.grid.width * strip_rows;
        let noting = order.is_some();
        let mut unnoted = Order::default();
        let order = order.unwrap_or(&mut unnoted);
        let chunks = values.chunks_mut(cells).zip(waiting.chunks_mut(cells));
        order.strip = cells;
        order.parts.resize_with(chunks.len() + 1, Vec::new);
        order.parts.iter_mut().for_each(Vec::clear);
        let mut strips: Vec<_> = chunks
            .zip(&mut order.parts)
            .enumerate()
            .map(|(index, ((values, waiting), order))| {
                order.reserve_exact(if noting { values.len() } else { 0 });
                Strip {
                    flow: self,
                    first: index * cells,
                    values,
                    waiting,
                    leaving: Vec::new(),
                    order: noting.then_some(order),
                }
            })
            .collect();
        let strip_progress = progress.span(0.2, 0.95);
        rows::for_each_row(&mut strips, 1, &strip_progress, |_, strip| {
            strip[0].gather(&pour, progress);
        })?;
        let leaving: Vec<Vec<u32>> = strips.into_iter().map(|strip| strip.leaving).collect();
        let mut map = Strip {
            flow: self,
            first: 0,
            values,
            waiting: &mut waiting,
            leaving: Vec::new(),
            order: order.parts.last_mut().filter(|_| noting),
        };
        for cells in leaving {
            progress.check()?;
            for cell in cells {
                map.pour_down(cell as usize, &pour);
            }
        }
        progress.step(1, 1)
    }
}

/// Some rows of a map.
struct Strip<'a, T> {
    flow: &'a Flow,
    /// The index of the first cell on the map.
    first: usize,
    values: &'a mut [T],
    /// The number of donors for which each cell still waits.
    waiting: &'a mut [u8],
    /// Cells that are complete and whose receivers are in another strip.
    leaving: Vec<u32>,
    /// The order in which cells were processed, if it is recorded.
    order: Option<&'a mut Vec<u32>>,
}

impl<T: Copy> Strip<'_, T> {
    /// Processes all cells that do not depend on other strips. Stops if the work is canceled.
    fn gather(&mut self, pour: &impl Fn(usize, T, T) -> T, progress: &Progress) {
        for at in 0..self.waiting.len() {
            if at % CELLS_PER_STEP == 0 && progress.is_canceled() {
                return;
            }
            if self.waiting[at] == 0 {
                self.pour_down(self.first + at, pour);
            }
        }
    }

    /// Starts at a complete cell, and continues downstream while cells are complete.
    fn pour_down(&mut self, leaf: usize, pour: &impl Fn(usize, T, T) -> T) {
        let mut cell = leaf;
        while let Some(receiver) = self.flow.receiver(cell) {
            let (up, down) = (cell - self.first, receiver.wrapping_sub(self.first));
            if down >= self.values.len() {
                self.leaving.push(cell as u32);
                return;
            }
            self.values[down] = pour(cell, self.values[up], self.values[down]);
            if let Some(order) = &mut self.order {
                order.push(cell as u32);
            }
            self.waiting[down] -= 1;
            if self.waiting[down] != 0 {
                return;
            }
            self.waiting[down] = DONE;
            cell = receiver;
        }
    }
}
