//! An adaptive binary range coder.
//!
//! Each bit is coded with the probability that its context has learned, so a bit that was always the
//! same costs almost nothing. All numbers are integers, so both sides learn the same.
//!
//! Source: Martin, *Range encoding: an algorithm for removing redundancy from a digitised message*,
//! 1979. The propagation of carries is that of LZMA (Pavlov, *LZMA specification*, 2015).

/// The context of a bit: the probability of a zero, and how often it was used.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context {
    zero: u16,
    uses: u8,
}

impl Default for Context {
    fn default() -> Self {
        Self {
            zero: 1 << 15,
            uses: 0,
        }
    }
}

impl Context {
    /// The first uses count more than later ones. After these many, old ones fade.
    const MEMORY: u8 = 50;

    fn bound(self, range: u32) -> u32 {
        // The range has at least 24 bits, so neither part is empty.
        (range >> 16) * u32::from(self.zero)
    }

    fn learn(&mut self, bit: bool) {
        let target: i32 = if bit { 64 } else { 65_536 - 64 };
        let step = (target - i32::from(self.zero)) / (i32::from(self.uses) + 2);
        self.zero = (i32::from(self.zero) + step) as u16;
        self.uses = (self.uses + 1).min(Self::MEMORY);
    }
}

/// Writes or reads bits, so that a format is written once for both directions.
pub(super) trait Coder {
    /// Codes one bit. A reader ignores `bit` and returns the one that it read.
    fn bit(&mut self, context: &mut Context, bit: bool) -> bool;

    /// Codes the lowest bits of a number without a context.
    fn raw(&mut self, value: u32, bits: u32) -> u32 {
        (0..bits).rev().fold(0, |read, at| {
            let mut even = Context::default();
            read << 1 | u32::from(self.bit(&mut even, value >> at & 1 == 1))
        })
    }
}

#[derive(Debug, Clone)]
pub(super) struct Encoder {
    low: u64,
    range: u32,
    /// The last byte, which a carry may change, and the number of bytes 0xFF behind it.
    last: Option<u8>,
    full: usize,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(super) fn new() -> Self {
        Self {
            low: 0,
            range: u32::MAX,
            last: None,
            full: 0,
            bytes: Vec::new(),
        }
    }

    /// The number of bytes after [`finish`](Self::finish), or more.
    pub(super) fn len(&self) -> usize {
        self.bytes.len() + 1 + self.full + 4
    }

    fn shift(&mut self) {
        let carry = (self.low >> 32) as u8;
        if self.low < 0xFF00_0000 || carry > 0 {
            self.bytes
                .extend(self.last.map(|byte| byte.wrapping_add(carry)));
            let full = std::mem::take(&mut self.full);
            self.bytes
                .extend(std::iter::repeat_n(0xFF_u8.wrapping_add(carry), full));
            self.last = Some((self.low >> 24) as u8);
        } else {
            self.full += 1;
        }
        self.low = (self.low & 0x00FF_FFFF) << 8;
    }

    /// Returns the bytes. Zeros at the end are left out, because a reader assumes them.
    pub(super) fn finish(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift();
        }
        let used = self.bytes.iter().rposition(|&byte| byte != 0);
        self.bytes.truncate(used.map_or(0, |last| last + 1));
        self.bytes
    }
}

impl Coder for Encoder {
    fn bit(&mut self, context: &mut Context, bit: bool) -> bool {
        let bound = context.bound(self.range);
        if bit {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        context.learn(bit);
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.shift();
        }
        bit
    }
}

#[derive(Debug)]
pub(super) struct Decoder<'a> {
    code: u32,
    range: u32,
    bytes: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self {
            code: 0,
            range: u32::MAX,
            bytes,
        };
        for _ in 0..4 {
            decoder.shift();
        }
        decoder
    }

    fn shift(&mut self) {
        let (byte, rest) = self.bytes.split_first().unwrap_or((&0, &[]));
        self.code = self.code << 8 | u32::from(*byte);
        self.bytes = rest;
    }
}

impl Coder for Decoder<'_> {
    fn bit(&mut self, context: &mut Context, _: bool) -> bool {
        let bound = context.bound(self.range);
        let bit = self.code >= bound;
        if bit {
            self.code -= bound;
            self.range -= bound;
        } else {
            self.range = bound;
        }
        context.learn(bit);
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.shift();
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_random::SeededRng;

    #[test]
    fn bits_survive_a_round_trip() {
        for (seed, percent) in [0, 1, 50, 99, 100, 1].into_iter().enumerate() {
            let mut rng = SeededRng::new(seed as u64, b"coder   ");
            let bits: Vec<bool> = (0..20_000).map(|_| rng.percent(percent)).collect();
            let mut encoder = Encoder::new();
            let mut contexts = [Context::default(); 3];
            for (at, &bit) in bits.iter().enumerate() {
                encoder.bit(&mut contexts[at % 3], bit);
                if at % 100 == 0 {
                    encoder.raw(at as u32, 32);
                }
            }
            let most = encoder.len();
            let bytes = encoder.finish();
            assert!(bytes.len() <= most);
            if percent % 100 == 0 {
                assert!(bytes.len() < 800 + 60, "{} bytes", bytes.len());
            }
            let mut decoder = Decoder::new(&bytes);
            let mut contexts = [Context::default(); 3];
            for (at, &bit) in bits.iter().enumerate() {
                assert_eq!(decoder.bit(&mut contexts[at % 3], false), bit);
                if at % 100 == 0 {
                    assert_eq!(decoder.raw(0, 32), at as u32);
                }
            }
        }
    }
}
