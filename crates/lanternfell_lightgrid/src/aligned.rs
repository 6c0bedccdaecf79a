//! Lists of 4-byte numbers that start at a cache line.
//!
//! Loading a vector that crosses the border of two cache lines takes two accesses. Rows that are
//! processed vector by vector therefore start at a cache line.

use core::ops::{Deref, DerefMut};

/// The number of 4-byte numbers in a cache line.
pub(crate) const LINE: usize = 16;

/// A list of 4-byte numbers that starts at a cache line.
#[derive(Debug, Default)]
pub(crate) struct Aligned<T> {
    /// The numbers, with some padding before and after.
    values: Vec<T>,
    first: usize,
    len: usize,
}

impl<T: Copy + Default> Aligned<T> {
    pub(crate) fn zeros(len: usize) -> Self {
        let values = vec![T::default(); len + LINE - 1];
        let first = values.as_ptr().align_offset(LINE * size_of::<T>());
        // The offset may be unknown, for example in const evaluation or Miri. It only affects
        // performance.
        let first = if first < LINE { first } else { 0 };
        Self { values, first, len }
    }

    /// Resizes the list. New numbers are zero.
    pub(crate) fn resize(&mut self, len: usize) {
        let before = self.len.min(len);
        if self.values.len() < len + LINE - 1 {
            // Doubles the capacity, so that lists that grow gradually are rarely copied.
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

/// A clone has another address, so its offset to the cache line may be different.
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
    fn clones_are_aligned_and_equal() {
        // Several at once, because the allocator may happen to align some of them.
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
    fn resize_keeps_values_and_adds_zeros() {
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
