//! A software renderer for plant meshes: side and top views for far levels of detail, and contact sheets.
//!
//! Problem: from afar, a tree is drawn as an image on a card. The image must look like the mesh that it replaces: the
//! same individual with the same leaves.
//!
//! Idea: render that mesh from the side and from above without lighting, with only skin colors and baked tints. The
//! engine then lights the cards like the near mesh.
//!
//! Steps: triangles are projected without perspective, filled with the edge-function test, and depth-tested. Texels
//! with alpha below 0.5 are holes. The image is rendered at a multiple of its size and averaged, which turns the edges
//! of leaves into alpha. Colors are extended into empty pixels, because mipmaps would otherwise get dark rims.
//!
//! ```text
//!   y ^    .---.        one pixel = SAMPLES x SAMPLES samples
//!     |   /     \
//!     |   \     /       u to the right: +x
//!     |     | |         v down:         -y
//!     +-----------> x   viewed from +z
//! ```
//!
//! Cost: tens of milliseconds for a tree at 128 x 256 pixels.
//!
//! Source: Pineda, *A Parallel Algorithm for Polygon Rasterization*, 1988.

use core::ops::Range;

use glam::{Vec2, Vec3, Vec4};

use crate::grow::{Frame, PlantMesh, Skin};

/// Samples per pixel of a silhouette along each axis.
const SAMPLES: usize = 3;

/// Distance in pixels by which colors are extended into empty pixels.
const BLEED: usize = 8;

/// An RGBA image with 8 bits per channel: sRGB color and alpha, in row-major order from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RgbaImage {
    /// Pixels per row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Four bytes per pixel.
    pub pixels: Vec<u8>,
}

/// The texture of a skin, borrowed from the caller.
#[derive(Debug, Clone)]
pub struct SkinImage<'a> {
    skin: Skin,
    width: usize,
    height: usize,
    pixels: &'a [u8],
    /// sRGB to linear lookup table.
    linear: [f32; 256],
}

impl<'a> SkinImage<'a> {
    /// Creates the texture from sRGB color and alpha, in row-major order from the top. Returns `None` if the number of
    /// bytes does not match or is 0.
    pub fn new(skin: Skin, width: usize, height: usize, pixels: &'a [u8]) -> Option<Self> {
        let bytes = width.checked_mul(height)?.checked_mul(4)?;
        let linear = core::array::from_fn(|byte| to_linear(byte as u8));
        (bytes > 0 && pixels.len() == bytes).then_some(Self {
            skin,
            width,
            height,
            pixels,
            linear,
        })
    }

    /// The nearest texel in linear color. Cut-out skins clamp, others repeat.
    fn texel(&self, uv: Vec2) -> Vec4 {
        let at = |coordinate: f32, count: usize| {
            let share = if self.skin.is_cut_out() {
                coordinate
            } else {
                coordinate - libm::floorf(coordinate)
            };
            // Negative numbers become 0 in the cast.
            ((share * count as f32) as usize).min(count - 1)
        };
        let place = 4 * (at(uv.y, self.height) * self.width + at(uv.x, self.width));
        let light = |channel: usize| self.linear[usize::from(self.pixels[place + channel])];
        let alpha = f32::from(self.pixels[place + 3]) / 255.0;
        Vec4::new(light(0), light(1), light(2), alpha)
    }
}

/// Converts an sRGB byte to linear.
fn to_linear(byte: u8) -> f32 {
    let share = f32::from(byte) / 255.0;
    if share <= 0.040_45 {
        share / 12.92
    } else {
        libm::powf((share + 0.055) / 1.055, 2.4)
    }
}

/// Converts a linear value to an sRGB byte.
fn to_srgb(light: f32) -> u8 {
    let light = light.clamp(0.0, 1.0);
    let share = if light <= 0.003_130_8 {
        light * 12.92
    } else {
        1.055 * libm::powf(light, 1.0 / 2.4) - 0.055
    };
    (share * 255.0 + 0.5) as u8
}

/// A render target with linear colors and a depth buffer.
#[derive(Debug, Clone)]
pub struct Canvas {
    width: usize,
    height: usize,
    colors: Vec<Vec4>,
    nearness: Vec<f32>,
}

/// A projected vertex.
#[derive(Debug, Clone, Copy)]
struct Corner {
    /// x right, y down, z toward the camera, in samples.
    place: Vec3,
    uv: Vec2,
    tint: Vec3,
}

impl Canvas {
    /// Creates an empty, transparent canvas of `width` x `height` samples.
    pub fn new(width: usize, height: usize) -> Self {
        let count = width * height;
        Self {
            width,
            height,
            colors: vec![Vec4::ZERO; count],
            nearness: vec![f32::NEG_INFINITY; count],
        }
    }

    /// Draws a mesh.
    ///
    /// `project` maps a position of the mesh to samples: x right, y down, z toward the camera. `light` returns the
    /// light for a normal. Skins that are not in `skins` get a plain color.
    pub fn draw(
        &mut self,
        mesh: &PlantMesh,
        skins: &[SkinImage],
        project: impl Fn(Vec3) -> Vec3,
        light: impl Fn(Vec3) -> Vec3,
    ) {
        let corner = |index: u32| {
            let index = index as usize;
            let [red, green, blue, _] = mesh.colors[index];
            Corner {
                place: project(Vec3::from(mesh.positions[index])),
                uv: Vec2::from(mesh.uvs[index]),
                tint: Vec3::new(red, green, blue) * light(Vec3::from(mesh.normals[index])),
            }
        };
        for part in &mesh.parts {
            let picture = skins.iter().find(|picture| picture.skin == part.skin);
            for triangle in mesh.indices[part.indices.clone()].as_chunks::<3>().0 {
                self.fill(triangle.map(corner), |uv| match picture {
                    Some(picture) => picture.texel(uv),
                    None => plain(part.skin, uv),
                });
            }
        }
    }

    /// Fills one triangle of any winding.
    fn fill(&mut self, corners: [Corner; 3], texel: impl Fn(Vec2) -> Vec4) {
        let [a, b, c] = corners.map(|corner| corner.place);
        let area = edge(a, b, c.truncate());
        // Triangles seen edge-on cover no sample and would divide by zero.
        if area.abs() < 1e-9 || !area.is_finite() {
            return;
        }
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let columns = clamped(low.x, high.x, self.width);
        // The weights of the vertices are linear on the screen, so each row needs only the value and step at its first
        // column.
        let at = |row: usize, column: usize| {
            let at = Vec2::new(column as f32 + 0.5, row as f32 + 0.5);
            Vec3::new(edge(b, c, at), edge(c, a, at), edge(a, b, at)) / area
        };
        for row in clamped(low.y, high.y, self.height) {
            let first = at(row, columns.start);
            let step = at(row, columns.start + 1) - first;
            for column in span(first, step, columns.clone()) {
                let weights = first + step * (column - columns.start) as f32;
                if weights.min_element() >= 0.0 {
                    self.sample(row * self.width + column, weights, &corners, &texel);
                }
            }
        }
    }

    /// Shades one sample of a triangle.
    fn sample(
        &mut self,
        index: usize,
        weights: Vec3,
        corners: &[Corner; 3],
        texel: impl Fn(Vec2) -> Vec4,
    ) {
        let [a, b, c] = corners;
        let nearness = a.place.z * weights.x + b.place.z * weights.y + c.place.z * weights.z;
        // Depth before texture: most samples of a crown are hidden.
        if nearness <= self.nearness[index] {
            return;
        }
        let color = texel(a.uv * weights.x + b.uv * weights.y + c.uv * weights.z);
        if color.w < 0.5 {
            return;
        }
        let tint = a.tint * weights.x + b.tint * weights.y + c.tint * weights.z;
        self.nearness[index] = nearness;
        self.colors[index] = (color.truncate() * tint).extend(1.0);
    }

    /// Resolves the canvas: each pixel is the mean of `samples` x `samples`, and alpha is the fraction of covered
    /// samples.
    pub fn image(&self, samples: usize) -> RgbaImage {
        let samples = samples.max(1);
        let (width, height) = (self.width / samples, self.height / samples);
        let mut colors = Vec::with_capacity(width * height);
        for row in 0..height {
            for column in 0..width {
                let mut sum = Vec4::ZERO;
                for y in 0..samples {
                    let first = (row * samples + y) * self.width + column * samples;
                    sum = self.colors[first..first + samples]
                        .iter()
                        .fold(sum, |sum, color| sum + *color);
                }
                // Average only covered samples, because alpha already holds the coverage.
                let covered = sum.w.max(1.0);
                colors.push((sum.truncate() / covered).extend(sum.w / (samples * samples) as f32));
            }
        }
        bleed(&mut colors, width);
        let pixels = colors.iter().flat_map(|color| {
            let [red, green, blue] = color.truncate().to_array().map(to_srgb);
            [red, green, blue, (color.w * 255.0 + 0.5) as u8]
        });
        RgbaImage {
            width,
            height,
            pixels: pixels.collect(),
        }
    }
}

/// The samples between two coordinates, clamped to the canvas.
fn clamped(low: f32, high: f32, count: usize) -> Range<usize> {
    // Negative numbers become 0 in the cast.
    (low as usize).min(count)..(high as usize).saturating_add(1).min(count)
}

/// The columns where no weight is negative, plus one on each side for rounding errors.
fn span(first: Vec3, step: Vec3, columns: Range<usize>) -> Range<usize> {
    // Each weight is linear along the row, so it is non-negative on one side of its zero. The span is the intersection
    // for all three. If the step is 0, the sign is constant along the row, and the test of each sample handles it.
    let (mut low, mut high) = (0.0_f32, columns.len() as f32);
    for axis in 0..3 {
        let zero = -first[axis] / step[axis];
        if step[axis] > 0.0 {
            low = low.max(zero);
        } else if step[axis] < 0.0 {
            high = high.min(zero);
        }
    }
    let start = columns.start + (low as usize).saturating_sub(1);
    start..(columns.start + (high.max(0.0) as usize).saturating_add(2)).min(columns.end)
}

/// Twice the signed area of a triangle on the screen.
fn edge(a: Vec3, b: Vec3, c: Vec2) -> f32 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Extends colors into empty pixels, one pixel per pass. The remaining pixels get the mean color.
fn bleed(colors: &mut [Vec4], width: usize) {
    let mut known: Vec<bool> = colors.iter().map(|color| color.w > 0.0).collect();
    for _ in 0..BLEED {
        // A copy, so that each pass extends by one pixel in all directions.
        let before = known.clone();
        for index in (0..colors.len()).filter(|&index| !before[index]) {
            let column = index % width;
            let left = (column > 0).then(|| index - 1);
            let right = (column + 1 < width).then(|| index + 1);
            let around = [left, right, index.checked_sub(width), Some(index + width)];
            let near = around
                .into_iter()
                .flatten()
                .filter(|&near| near < before.len() && before[near]);
            let (sum, count) = near.fold((Vec3::ZERO, 0.0), |(sum, count), near| {
                (sum + colors[near].truncate(), count + 1.0)
            });
            if count > 0.0 {
                colors[index] = (sum / count).extend(0.0);
                known[index] = true;
            }
        }
    }
    let weight = colors.iter().map(|color| color.w).sum::<f32>().max(1e-6);
    let mean = colors
        .iter()
        .map(|color| color.truncate() * color.w)
        .sum::<Vec3>()
        / weight;
    for (color, known) in colors.iter_mut().zip(known) {
        if !known {
            *color = mean.extend(0.0);
        }
    }
}

/// The look of a skin without a texture: a plain color, and an ellipse as the outline of leaves.
fn plain(skin: Skin, uv: Vec2) -> Vec4 {
    let color = match skin {
        Skin::Plant(skin) => Vec3::from(skin.plain_color()),
        Skin::Ground(_) => Vec3::new(0.30, 0.29, 0.27),
        Skin::Own { .. } | Skin::Impostor => Vec3::new(0.10, 0.20, 0.05),
    };
    if !skin.is_cut_out() {
        return color.extend(1.0);
    }
    let across = (uv.x - 0.5) * 2.0;
    let along = (uv.y - 0.5) * 2.0;
    let inside = across * across + along * along <= 1.0;
    color.extend(if inside { 1.0 } else { 0.0 })
}

/// How far the camera of a silhouette looks down at half the height. It decreases toward foot and top, so that nothing
/// leaves the frame. From exactly the side, horizontal branches would be thin lines, and only the trunk of a pine would
/// be visible.
const PITCH: f32 = 0.3;

/// Renders the side view of a mesh for its far level: unlit color and alpha. The camera looks slightly down.
///
/// The edges of the image match [`Frame::of`] the mesh, and so the cards of [`Level::Far`](crate::grow::Level::Far).
///
/// ```
/// use lanternfell_plants::{
///     grow::{Level, PlantKind, grow},
///     raster::silhouette,
/// };
///
/// let picture = silhouette(&grow(PlantKind::Birch, 7, Level::Near), &[], 64, 128);
/// assert_eq!(picture.pixels.len(), 4 * 64 * 128);
/// assert!(picture.pixels.chunks(4).any(|pixel| pixel[3] > 200));
/// ```
pub fn silhouette(mesh: &PlantMesh, skins: &[SkinImage], width: usize, height: usize) -> RgbaImage {
    view(mesh, skins, [width, height], |frame, place| {
        let tall = frame.height.max(1e-6);
        let share = (place.y / tall).clamp(0.0, 1.0);
        let lowered = PITCH * 4.0 * share * (1.0 - share) * place.z;
        let down = (frame.height - place.y + lowered) / tall;
        Vec3::new(across(frame, place.x), down, place.z)
    })
}

/// Renders a mesh from above for its far level: unlit color and alpha. x is to the right and z down.
///
/// The image is a square of `size` pixels per side around the plant's center line. It is twice as wide as the
/// [`half_width`](Frame::half_width) of [`Frame::of`] the mesh. The plant touches the edges only at their centers.
pub fn top_view(mesh: &PlantMesh, skins: &[SkinImage], size: usize) -> RgbaImage {
    view(mesh, skins, [size; 2], |frame, place| {
        Vec3::new(across(frame, place.x), across(frame, place.z), place.y)
    })
}

/// A horizontal distance from the center line as a share of the width, from the left edge.
fn across(frame: &Frame, distance: f32) -> f32 {
    distance / frame.half_width.max(1e-6) * 0.5 + 0.5
}

/// Renders an unlit view. `project` maps an upright position to shares of the width and the height, from the upper left
/// corner, and the nearness.
fn view(
    mesh: &PlantMesh,
    skins: &[SkinImage],
    [width, height]: [usize; 2],
    project: impl Fn(&Frame, Vec3) -> Vec3,
) -> RgbaImage {
    let frame = Frame::of(mesh);
    let mut canvas = Canvas::new(width * SAMPLES, height * SAMPLES);
    let size = Vec3::new(canvas.width as f32, canvas.height as f32, 1.0);
    let project = |place| project(&frame, frame.upright(place)) * size;
    canvas.draw(mesh, skins, project, |_| Vec3::ONE);
    canvas.image(SAMPLES)
}
