//! Luminance of colors.

use glam::Vec3;

/// The weights of red, green and blue in luminance, for linear sRGB (ITU-R BT.709).
pub const LUMINANCE: Vec3 = Vec3::new(0.2126, 0.7152, 0.0722);

/// Whether red, green and blue are equal.
pub(crate) fn is_gray(color: Vec3) -> bool {
    color.x == color.y && color.y == color.z
}

/// The luminance of a color. For gray it is exactly the gray value: the weighted sum could round to
/// another number.
pub(crate) fn luminance(color: Vec3) -> f32 {
    if is_gray(color) {
        color.x
    } else {
        color
            .dot(LUMINANCE)
            .clamp(color.min_element(), color.max_element())
    }
}
