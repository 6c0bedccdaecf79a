//! The warden: as big as its cell, with horns, a fire between the horns, and a great cloak.

use super::figure::{Look, View, Views};

/// The appearance of the warden.
pub const WARDEN: Look = Look {
    views: &VIEWS,
    trunk: (1, 14),
    light: true,
    lies: None,
};

/// From all sides, with the fire lit.
const VIEWS: Views = Views {
    south: View {
        stands: [
            ".6............6.",
            ".56....YY....65.",
            ".55...YWWY...55.",
            "..555.WWWW.555..",
            "...45544445554..",
            ".....31YY13.....",
            "....331111133...",
            "....31YkkY13....",
            ".qPP.31kk13.PPq.",
            "qPy4y311113y4yPq",
            "qPyyy4y44y4yyyPq",
            "qP.44y4554y44.Pq",
            "qPp.yyyWWyyy.pPq",
            "qPpp3344443.ppPq",
            "qPpp334.443.ppPq",
            ".pp.kkk.kkk..pp.",
        ],
        strides: ["qPpp3344443.ppPq", "qPpp334.kkk.ppPq"],
    },
    east: View {
        stands: [
            "...6........66..",
            "...56..YY..65...",
            "...55.YWWY.55...",
            "....55WWWW55....",
            ".....5544455....",
            "....331111YY....",
            "....3311111k....",
            "....33111YkY....",
            "..PPP3111kkk....",
            ".PPyy4y3113.....",
            "qPPyy4yy4.......",
            "qPPPy44554ss....",
            "qPPPPyyyyyW.....",
            "qPPPp344443.....",
            "qPPpp344.43.....",
            ".pp.kkkk.kkk....",
        ],
        strides: ["qPPPp344443.....", "qPPppkkk.43....."],
    },
    north: View {
        stands: [
            ".6............6.",
            ".56....YY....65.",
            ".55...YWWY...55.",
            "..555.WWWW.555..",
            "...45544445554..",
            "....3344443.....",
            "....33444433....",
            "....33444433....",
            ".qPPPPPyyPPPPPq.",
            "qPy4yPPPPPPy4yPq",
            "qPyyyPPqPPPyyyPq",
            "qPPPPPqPPqPPPPPq",
            "qPPpPPqPPqPPpPPq",
            "qPPpPqPPPPqPpPPq",
            "qPppPqPPPPqPppPq",
            ".pp.kkk.kkk..pp.",
        ],
        strides: ["qPPpPqPPPPqPpPPq", "qPppPkkkPPqPppPq"],
    },
};
