//! The lamplighter: a tall hat with a broad brim, a long coat, and a flame on a long pole.

use super::figure::{Look, View, Views};

/// The appearance of the lamplighter.
pub const LAMPLIGHTER: Look = Look {
    views: &VIEWS,
    trunk: (6, 14),
    light: true,
    lies: None,
};

/// From all sides, with the flame lit.
const VIEWS: Views = Views {
    south: View {
        stands: [
            "..Y.............",
            ".YWY....mmmm....",
            ".WWW....mnnm....",
            ".YWY....mnnm....",
            "..4.....XXXX....",
            "..n..mmnnnnnnmm.",
            "...n....sksk....",
            "...n....ssss....",
            "....n...FFFF....",
            "....n..noFFon...",
            "....sssonFnoon..",
            "....ssonnnnooo..",
            "......onnooonn..",
            ".....noonnoooon.",
            ".......kk..kk...",
            "................",
        ],
        strides: [".....noonnoooon.", ".......kkk..k..."],
    },
    east: View {
        stands: [
            ".............Y..",
            "...mmmm.....YWY.",
            "...mnnm.....WWW.",
            "...mnnm.....YWY.",
            "...XXXX......4..",
            ".mmnnnnmmm...n..",
            "...sssks....n...",
            "...sssss....n...",
            "....sFFF...n....",
            "...noFF....n....",
            "..noonn.ossn....",
            "..noonoooss.....",
            "..nooonn.n......",
            "..noooon.n......",
            "...kk.kk.n......",
            "................",
        ],
        strides: [".noooonn.n......", ".kk...kk.n......"],
    },
    north: View {
        stands: [
            ".............Y..",
            "....mmmm....YWY.",
            "....mnnm....WWW.",
            "....mnnm....YWY.",
            "....XXXX.....4..",
            ".mmnnnnnnmm..n..",
            "....EEEE....n...",
            "....EEEE....n...",
            "....nnnn...n....",
            "...noonno..n....",
            "...noonnosss....",
            "..noooonnnss....",
            "..nooonnonn.....",
            ".noooonnoon.....",
            "...kk..kk.......",
            "................",
        ],
        strides: [".noooonnoon.....", "...kkk..k......."],
    },
};
