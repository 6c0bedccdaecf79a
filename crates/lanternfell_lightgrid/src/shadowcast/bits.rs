//! The cells of a field of view: one bit for each cell of a square, in rows of 64-bit words.
//!
//! Only the rows from the first to the last visible cell are cleared and iterated. A small room is
//! therefore cheap even with a large radius.

/// A set of cells of a square. Coordinates start at the north-western corner.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SquareBits {
    words: Vec<u64>,
    /// The number of cells along a side; 0 before the first computation.
    side: usize,
    /// The number of words per row.
    stride: usize,
    /// The rows with a set bit: the first, and the one after the last.
    top: usize,
    bottom: usize,
}

impl SquareBits {
    /// Clears the set and resizes the square to `side` cells along a side. Reuses the memory.
    pub(super) fn reset(&mut self, side: usize) {
        let used = self.top.min(self.bottom) * self.stride..self.bottom * self.stride;
        self.words[used].fill(0);
        self.side = side;
        self.stride = side.div_ceil(64);
        self.words.resize(self.stride * side, 0);
        (self.top, self.bottom) = (side, 0);
    }

    #[inline]
    pub(super) fn contains(&self, x: u32, y: u32) -> bool {
        let (x, y) = (x as usize, y as usize);
        if x >= self.side || y >= self.side {
            return false;
        }
        self.words[y * self.stride + x / 64] >> (x % 64) & 1 == 1
    }

    /// Adds a cell.
    #[inline]
    pub(super) fn insert(&mut self, x: usize, y: usize) {
        self.touch(y, y);
        self.words[y * self.stride + x / 64] |= 1 << (x % 64);
    }

    /// Adds the cells `from..=to` of row `y`, one word at a time.
    #[inline]
    pub(super) fn insert_in_row(&mut self, y: usize, from: usize, to: usize) {
        self.touch(y, y);
        let (first, last) = (y * self.stride + from / 64, y * self.stride + to / 64);
        let (head, tail) = (u64::MAX << (from % 64), u64::MAX >> (63 - to % 64));
        if first == last {
            self.words[first] |= head & tail;
            return;
        }
        self.words[first] |= head;
        self.words[first + 1..last].fill(u64::MAX);
        self.words[last] |= tail;
    }

    /// Adds the cells `from..=to` of column `x`, one by one.
    #[inline]
    pub(super) fn insert_in_column(&mut self, x: usize, from: usize, to: usize) {
        self.touch(from, to);
        let bit = 1 << (x % 64);
        let rows = &mut self.words[from * self.stride..(to + 1) * self.stride];
        for row in rows.chunks_exact_mut(self.stride) {
            row[x / 64] |= bit;
        }
    }

    #[inline]
    fn touch(&mut self, top: usize, bottom: usize) {
        self.top = self.top.min(top);
        self.bottom = self.bottom.max(bottom + 1);
    }

    pub(super) fn len(&self) -> usize {
        self.rows()
            .flat_map(|(_, row)| row)
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.top >= self.bottom
    }

    /// The cells of the set as (x, y), row by row.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.rows().flat_map(|(y, row)| {
            let words = row.iter().enumerate();
            words.flat_map(move |(at, &word)| ones(word).map(move |x| (at as u32 * 64 + x, y)))
        })
    }

    fn rows(&self) -> impl Iterator<Item = (u32, &[u64])> {
        let rows = self.words.chunks_exact(self.stride.max(1)).enumerate();
        let used = rows.take(self.bottom).skip(self.top);
        used.map(|(y, row)| (y as u32, row))
    }
}

/// The positions of the set bits of a word, lowest first.
fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let place = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(place)
    })
}
