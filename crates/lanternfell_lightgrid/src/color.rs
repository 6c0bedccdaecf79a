//! How bright a color looks.

use glam::Vec3;

/// How bright red, green and blue look beside each other: the weights of luminance in
/// linear sRGB (ITU-R BT.709).
pub const LUMINANCE: Vec3 = Vec3::new(0.2126, 0.7152, 0.0722);

/// Whether red, green and blue are alike.
pub(crate) fn is_gray(color: Vec3) -> bool {
    color.x == color.y && color.y == color.z
}

/// The luminance; of gray exactly itself, whatever the rounding of the weights' sum.
pub(crate) fn luminance(color: Vec3) -> f32 {
    if is_gray(color) {
        color.x
    } else {
        color
            .dot(LUMINANCE)
            .clamp(color.min_element(), color.max_element())
    }
}
