//! The watchman: a kettle helmet, a blue coat, and a lantern on a pole.

use super::figure::{Look, View, Views};

/// The appearance of the watchman.
pub const WATCHMAN: Look = Look {
    views: &VIEWS,
    trunk: (5, 12),
    light: true,
    lies: None,
};

/// From all sides, with the lantern lit.
const VIEWS: Views = Views {
    south: View {
        stands: [
            "................",
            "..nnn..3456.....",
            "..k.n.344566....",
            ".444n.344556....",
            ".YWYn33444555...",
            ".WWWn.skssks....",
            ".YWYn.ssssss....",
            ".444n..ssss.....",
            "....nd3dlld3d...",
            "....s3ddllddd3..",
            "....s3ddLLdd.3..",
            "....n.mmYYmm.s..",
            "....n.ddllddd...",
            "....n.dbllbd....",
            "....n.mm..mm....",
            "................",
        ],
        strides: ["....n.dbllbd....", "....n.mmm.k....."],
    },
    east: View {
        stands: [
            "................",
            "...3456...nnnn..",
            "..344566..n..k..",
            "..344566..n.444.",
            ".333445555n.YWY.",
            "...sssks..n.WWW.",
            "...sssss..n.YWY.",
            "....sss...n.444.",
            "..bddddd..n.....",
            "..bdd33dd3s.....",
            "..bddd3333s.....",
            "..mmmmmYY.n.....",
            "..bddddd..n.....",
            "..bddddd..n.....",
            "...mm.mm..n.....",
            "................",
        ],
        strides: ["..bdddddd.n.....", ".mmk...mm.n....."],
    },
    north: View {
        stands: [
            "................",
            ".....3456..nnn..",
            "....344566.n.k..",
            "....344556.n444.",
            "...33444555nYWY.",
            "....mnnnnm.nWWW.",
            "....mmnnmm.nYWY.",
            ".....mmmm..n444.",
            "...d3dddd3dn....",
            "..3ddddddddds...",
            "..3.ddbbdd3.s...",
            "..s.mmmmmm..n...",
            "...dddbbddd.n...",
            "....db..bd..n...",
            "....mm..mm..n...",
            "................",
        ],
        strides: ["....db..bd..n...", "....k..mmm..n..."],
    },
};
