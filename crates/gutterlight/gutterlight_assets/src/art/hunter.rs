//! The hunter, a watchman who was called to hunt the thief: a wide hat, a long red coat, and a lantern in the hand.

use super::figure::{Look, View, Views};

/// The appearance of the hunter.
pub const HUNTER: Look = Look {
    views: &VIEWS,
    trunk: (3, 13),
    light: true,
    lies: None,
};

/// From all sides, with the lantern lit.
const VIEWS: Views = Views {
    south: View {
        stands: [
            "................",
            "......2333......",
            ".....122233.....",
            ".....122223.....",
            "..1122222222311.",
            ".....sksskss....",
            ".....sssssss....",
            "......smmms.....",
            "....xXXmmmXXx...",
            "...xxXXXZXXXXx..",
            "...xXxXXZXXxXx..",
            ".n.sxXXyyyXxXs..",
            "nnn.xXXXxXXXx...",
            "YWY.xXXXxXXXx...",
            "YYY.xxmm.mmxx...",
            "................",
        ],
        strides: ["YWY.xXXXxXXXx...", "YYY.xxmmm..xx..."],
    },
    east: View {
        stands: [
            "................",
            "......2333......",
            ".....122233.....",
            ".....122223.....",
            "..112222222311..",
            "......sssks.....",
            "......sssss.....",
            ".......smm......",
            ".....xXXXm......",
            "....xxXXXZX.....",
            "....xXXxXXXX.n..",
            "....xXXxXXsssn..",
            "....xXXXyyX.nnn.",
            "...xxXXXxXX.YWY.",
            "...xxXmm.mm.YYY.",
            "................",
        ],
        strides: ["...xxXXXxXX.YWY.", "..xx.mm...mmYYY."],
    },
    north: View {
        stands: [
            "................",
            "......2333......",
            ".....122233.....",
            ".....122223.....",
            ".1132222222211..",
            "....mmmmmmm.....",
            "....mmmmmmm.....",
            ".....mmmmm......",
            "...xXXXxXXXx....",
            "..xxXXXxXXXxx...",
            "..xXXXXxXXXXx...",
            "..sxXXXxXXXxs.n.",
            "...xXXXxXXXx.nnn",
            "...xXXXxXXXx.YWY",
            "...xxmm.mmxx.YYY",
            "................",
        ],
        strides: ["...xXXXxXXXx.YWY", "...xx..mmmxx.YYY"],
    },
};
