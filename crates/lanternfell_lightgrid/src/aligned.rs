//! Numbers that begin where a cache line does.
//!
//! A vector that lies across the border of two lines is read in two goes, so rows that are gone over
//! vector by vector begin at a line's beginning.

use core::ops::{Deref, DerefMut};

/// How many numbers of four bytes a cache line holds.
pub(crate) const LINE: usize = 16;

/// Numbers of four bytes, the first of which begins a cache line.
#[derive(Debug, Default)]
pub(crate) struct Aligned<T> {
    /// A few more at either end.
    values: Vec<T>,
    first: usize,
    len: usize,
}

impl<T: Copy + Default> Aligned<T> {
    pub(crate) fn zeros(len: usize) -> Self {
        let values = vec![T::default(); len + LINE - 1];
        let first = values.as_ptr().align_offset(LINE * size_of::<T>());
        // It may be unknown where the line begins; nothing but time depends on it.
        let first = if first < LINE { first } else { 0 };
        Self { values, first, len }
    }

    /// So many, the new ones zeros.
    pub(crate) fn resize(&mut self, len: usize) {
        let before = self.len.min(len);
        if self.values.len() < len + LINE - 1 {
            // Twice as many, so that few of those that grow by and by are copied.
            let mut grown = Self::zeros(len.max(2 * self.len));
            grown[..before].copy_from_slice(&self[..before]);
            *self = grown;
        }
        self.len = len;
        self[before..].fill(T::default());
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.values[self.first..self.first + self.len]
    }
}

impl<T> DerefMut for Aligned<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.values[self.first..self.first + self.len]
    }
}

/// A copy lies elsewhere, where a line may begin at another place.
impl<T: Copy + Default> Clone for Aligned<T> {
    fn clone(&self) -> Self {
        let mut copy = Self::zeros(self.len);
        copy.copy_from_slice(self);
        copy
    }
}

impl<T: PartialEq> PartialEq for Aligned<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_begin_at_a_lines_beginning_too_and_are_equal() {
        // Several at once, so that not all lie where the allocator happens to begin one.
        let numbers: Vec<Aligned<f32>> = (1..40).map(Aligned::zeros).collect();
        for zeros in &numbers {
            let mut numbers = zeros.clone();
            assert_eq!(&numbers, zeros);
            assert!(numbers.as_ptr().addr().is_multiple_of(LINE * 4));
            *numbers.last_mut().expect("at least one") = 1.0;
            assert_ne!(&numbers, zeros);
            assert_eq!(numbers.clone(), numbers);
        }
    }

    #[test]
    fn new_ones_are_zeros_and_others_stay() {
        let mut numbers = Aligned::<u32>::default();
        let mut same = Vec::new();
        for len in [0, 5, 3, 40, 17, 18, 300] {
            numbers.resize(len);
            same.resize(len, 0);
            assert_eq!(*numbers, *same);
            assert!(len == 0 || numbers.as_ptr().addr().is_multiple_of(LINE * 4));
            numbers.fill(len as u32);
            same.fill(len as u32);
        }
    }
}
