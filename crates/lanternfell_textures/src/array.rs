//! The number of layers of an array texture.

/// Returns the number of layers of an array texture for this many textures, such that it works in
/// WebGL2.
///
/// The result is at least `pictures`; an additional layer is unused. On OpenGL, wgpu must choose
/// the kind of a texture before it knows its views. It treats a single layer as a plain texture,
/// and a multiple of six square layers as cube maps, for which WebGL2 has no arrays. Source:
/// `get_info_from_desc` of wgpu-hal 29, `gles/mod.rs`.
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
