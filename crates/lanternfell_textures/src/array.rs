//! How many layers an array texture gets.

/// The layers of an array texture that holds so many pictures: at least as many, and such that WebGL2 has an array.
///
/// wgpu tells OpenGL what a texture is before it knows how it will be looked at: it takes one layer for a plain
/// texture and any multiple of six, of squares, for cube maps, which WebGL2 has no arrays of. So there is a layer more
/// that nobody looks at. Source: `get_info_from_desc` of wgpu-hal 29, `gles/mod.rs`.
///
/// ```
/// # use lanternfell_textures::array_layers;
/// assert_eq!([1, 5, 6, 7, 36].map(array_layers), [2, 5, 7, 7, 37]);
/// ```
pub const fn array_layers(pictures: u32) -> u32 {
    match pictures {
        0 | 1 => 2,
        _ if pictures.is_multiple_of(6) => pictures + 1,
        _ => pictures,
    }
}
