//! The listener: covered eyes, ears like a bat, and arms that feel along the ground.

use super::figure::{Look, View, Views};

/// The appearance of the listener.
pub const LISTENER: Look = Look {
    views: &VIEWS,
    trunk: (1, 14),
    light: false,
    lies: None,
};

/// From all sides.
const VIEWS: Views = Views {
    south: View {
        stands: [
            "................",
            ".E..........E...",
            ".EE..EFFFE.EE...",
            ".sEEEFFFFFEEs...",
            ".sZsEFFFFFsZs...",
            ".ssskkkkkkkss...",
            "..ss2k2k2k2s....",
            "....FFFFFFF.....",
            ".....sskss......",
            "...3344k4433....",
            "..s343444343s...",
            "..s.3444443.s...",
            ".s..3444443..s..",
            ".s..3434343..s..",
            "ss..3.343.3..ss.",
            "................",
        ],
        strides: [".s..3434343..s..", ".ss.33.43.3.ss.."],
    },
    east: View {
        stands: [
            "................",
            "..EE............",
            "..sEE.EFFFE.....",
            "..sZsEFFFFFE....",
            "...sZsFFFFFF....",
            "...ssskkkkkk....",
            "....ssk2k2k2....",
            ".....FFFFFss....",
            "......FFskk.....",
            "...3344443......",
            "..34444443ss....",
            "..3444443..ss...",
            "..344443....ss..",
            "..343434.....s..",
            "..3.343......ss.",
            "................",
        ],
        strides: ["..343434....s...", ".33..33.....ss.."],
    },
    north: View {
        stands: [
            "................",
            "...E..........E.",
            "...EE.EFFFE..EE.",
            "...sEEFFFFFEEEs.",
            "...sssFFFFFFsss.",
            "...sskkkkkkkss..",
            "....sFFkkFFFs...",
            ".....FFFkFFF....",
            "......FkFFk.....",
            "....334444433...",
            "...s334444433s..",
            "...s.3444443.s..",
            "..s..3444443..s.",
            "..s..3434343..s.",
            ".ss..3.343.3..ss",
            "................",
        ],
        strides: ["..s..3434343..s.", "..ss.3.34.33.ss."],
    },
};
