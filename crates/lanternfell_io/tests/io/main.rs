//! Tests of file formats: round trips, known bytes, and rejected files. Tests that measure memory are separate
//! programs: `io_hostile.rs`, `io_memory.rs`.

mod auxiliary_files;
#[cfg(feature = "tiff")]
mod bands;
mod bil;
#[cfg(feature = "png")]
mod encodings;
#[cfg(feature = "exr")]
mod exr_choice;
#[cfg(all(feature = "lerc", feature = "exr", feature = "png"))]
mod flat;
#[cfg(all(
    feature = "exr",
    feature = "mesh-files",
    feature = "png",
    feature = "sidecar",
    feature = "tiff"
))]
mod formats;
#[cfg(feature = "lerc")]
mod gdal_lerc;
mod hgt;
#[cfg(feature = "tiff")]
mod large_blocks;
#[cfg(feature = "lerc")]
mod lerc;
#[cfg(feature = "tiff")]
mod long_strips;
#[cfg(feature = "tiff")]
mod masks;
#[cfg(all(feature = "exr", feature = "png", feature = "tiff"))]
mod meaning;
#[cfg(feature = "mesh-files")]
mod mesh;
#[cfg(feature = "mesh-files")]
mod mesh_holes;
#[cfg(feature = "mesh-files")]
mod mesh_rectangles;
#[cfg(feature = "mesh-files")]
mod mesh_tiles;
#[cfg(feature = "tiff")]
mod metadata;
#[cfg(feature = "tiff")]
#[cfg_attr(
    not(all(feature = "lerc", feature = "exr", feature = "png")),
    expect(dead_code, reason = "`flat.rs` uses the rest")
)]
mod pages;
#[cfg(feature = "png")]
mod png_and_raw;
mod range;
mod reproject;
#[cfg(feature = "lerc")]
mod sparse;
mod tiles;
#[cfg(any(feature = "exr", feature = "tiff"))]
mod unpacked;
#[cfg(all(
    feature = "exr",
    feature = "mesh-files",
    feature = "png",
    feature = "sidecar",
    feature = "tiff"
))]
mod verify;
mod whole_meters;
#[cfg(feature = "tiff")]
mod world;
mod xyz;
