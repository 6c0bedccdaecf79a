//! Meshes as pictures, drawn on the CPU: pictures of plants from the side for their far levels, and contact sheets.
//!
//! Problem: far away a tree is a picture on crossed cards, and must look like the mesh it replaces: the same
//! individual, with the same leaves.
//!
//! Idea: draw that very mesh, from the side, without light: only the skins' colors and the baked tints.
//! The engine then lights the cards as it does the near mesh.
//!
//! Steps: triangles are projected in parallel, filled where their three edge functions agree, and kept where they are
//! nearest; texels whose alpha is below a half are holes. The picture is drawn several times as large and
//! averaged: so the edges of leaves become alpha. Colors go on into what is left empty, or else mip-maps would draw dark
//! rims.
//!
//! ```text
//!   y ^    .---.        one pixel = SAMPLES x SAMPLES samples
//!     |   /     \
//!     |   \     /       u to the right: +x
//!     |     | |         v down:         -y
//!     +-----------> x   seen from +z
//! ```
//!
//! Cost: tens of milliseconds for a tree at 128 x 256 pixels. Source: Pineda, *A Parallel Algorithm for Polygon
//! Rasterization*, 1988.

use core::ops::Range;

use glam::{Vec2, Vec3, Vec4};

use crate::grow::{Frame, PlantMesh, Skin};

/// Samples of a pixel of a silhouette along each axis.
const SAMPLES: usize = 3;

/// How many pixels colors go on into what is empty.
const BLEED: usize = 8;

/// A picture of eight bits: red, green, blue (sRGB) and alpha for each pixel, row by row from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Four bytes for each pixel.
    pub pixels: Vec<u8>,
}

/// A skin's picture, of somebody else's.
#[derive(Debug, Clone)]
pub struct SkinPicture<'a> {
    skin: Skin,
    width: usize,
    height: usize,
    pixels: &'a [u8],
    /// The light of each byte.
    linear: [f32; 256],
}

impl<'a> SkinPicture<'a> {
    /// Red, green, blue (sRGB) and alpha of each pixel, row by row from the top; none if there are not as many bytes.
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

    /// The nearest texel, in linear light; leaves end at the edges, bark goes on.
    fn texel(&self, uv: Vec2) -> Vec4 {
        let at = |coordinate: f32, count: usize| {
            let share = if self.skin.is_cut_out() {
                coordinate
            } else {
                coordinate - libm::floorf(coordinate)
            };
            // Casts of negative numbers give 0.
            ((share * count as f32) as usize).min(count - 1)
        };
        let place = 4 * (at(uv.y, self.height) * self.width + at(uv.x, self.width));
        let light = |channel: usize| self.linear[usize::from(self.pixels[place + channel])];
        let alpha = f32::from(self.pixels[place + 3]) / 255.0;
        Vec4::new(light(0), light(1), light(2), alpha)
    }
}

/// Linear light of an sRGB byte.
fn to_linear(byte: u8) -> f32 {
    let share = f32::from(byte) / 255.0;
    if share <= 0.040_45 {
        share / 12.92
    } else {
        libm::powf((share + 0.055) / 1.055, 2.4)
    }
}

/// The sRGB byte of linear light.
fn to_srgb(light: f32) -> u8 {
    let light = light.clamp(0.0, 1.0);
    let share = if light <= 0.003_130_8 {
        light * 12.92
    } else {
        1.055 * libm::powf(light, 1.0 / 2.4) - 0.055
    };
    (share * 255.0 + 0.5) as u8
}

/// What is drawn on: colors in linear light, and how near each is.
#[derive(Debug, Clone)]
pub struct Canvas {
    width: usize,
    height: usize,
    colors: Vec<Vec4>,
    nearness: Vec<f32>,
}

/// A corner of a triangle on its way to the screen.
#[derive(Debug, Clone, Copy)]
struct Corner {
    /// Right, down, and toward the eye, in samples.
    place: Vec3,
    uv: Vec2,
    tint: Vec3,
}

impl Canvas {
    /// An empty, transparent one.
    pub fn new(width: usize, height: usize) -> Self {
        let count = width * height;
        Self {
            width,
            height,
            colors: vec![Vec4::ZERO; count],
            nearness: vec![f32::NEG_INFINITY; count],
        }
    }

    /// Draws a mesh. `project` brings a place of the mesh to samples to the right, down and toward the eye;
    /// `light` says what a vertex's normal receives. Skins without a picture get a plain color.
    pub fn draw(
        &mut self,
        mesh: &PlantMesh,
        skins: &[SkinPicture],
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

    /// Fills one triangle, whichever way it winds.
    fn fill(&mut self, corners: [Corner; 3], texel: impl Fn(Vec2) -> Vec4) {
        let [a, b, c] = corners.map(|corner| corner.place);
        let area = edge(a, b, c.truncate());
        // Triangles seen from the edge cover no sample, and would divide by zero.
        if area.abs() < 1e-9 || !area.is_finite() {
            return;
        }
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let columns = clamped(low.x, high.x, self.width);
        // Weights of the corners are straight over the screen: they are known by their values at the first column.
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

    /// One sample of a triangle.
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

    /// The picture, each pixel the mean of `samples` x `samples`; its alpha is the share of them that was drawn on.
    pub fn picture(&self, samples: usize) -> Picture {
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
                // The color is the mean of the samples that were drawn on, not of all: alpha already holds their share.
                let covered = sum.w.max(1.0);
                colors.push((sum.truncate() / covered).extend(sum.w / (samples * samples) as f32));
            }
        }
        bleed(&mut colors, width);
        let pixels = colors.iter().flat_map(|color| {
            let [red, green, blue] = color.truncate().to_array().map(to_srgb);
            [red, green, blue, (color.w * 255.0 + 0.5) as u8]
        });
        Picture {
            width,
            height,
            pixels: pixels.collect(),
        }
    }
}

/// The samples between two places that there are.
fn clamped(low: f32, high: f32, count: usize) -> Range<usize> {
    // Casts of negative numbers give 0.
    (low as usize).min(count)..(high as usize).saturating_add(1).min(count)
}

/// The columns where no weight is negative, and one more on both sides for what is lost in rounding.
fn span(first: Vec3, step: Vec3, columns: Range<usize>) -> Range<usize> {
    // Each weight is linear along the row, so it is not negative on one side of its zero. The span is where all three are.
    // A step of 0 leaves the span: then the sign is the same along the row, and the test of each sample finds it.
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

/// Twice the area of a triangle on the screen, by its sign the side that the third corner is on.
fn edge(a: Vec3, b: Vec3, c: Vec2) -> f32 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Colors of what is not empty go on into what is, a pixel at a time; then the mean of all.
fn bleed(colors: &mut [Vec4], width: usize) {
    let mut known: Vec<bool> = colors.iter().map(|color| color.w > 0.0).collect();
    for _ in 0..BLEED {
        // A copy, so that colors move one pixel per pass in all directions alike.
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

/// What a skin looks like without a picture: a color, and a leaf's outline.
fn plain(skin: Skin, uv: Vec2) -> Vec4 {
    let color = match skin {
        Skin::Plant(skin) => Vec3::from(skin.plain_color()),
        Skin::Ground(_) => Vec3::new(0.30, 0.29, 0.27),
        Skin::Own { .. } | Skin::Picture => Vec3::new(0.10, 0.20, 0.05),
    };
    if !skin.is_cut_out() {
        return color.extend(1.0);
    }
    let across = (uv.x - 0.5) * 2.0;
    let along = (uv.y - 0.5) * 2.0;
    let inside = across * across + along * along <= 1.0;
    color.extend(if inside { 1.0 } else { 0.0 })
}

/// How much the eye of a silhouette looks down at half the height, less toward the foot and the top so that nothing leaves
/// the frame: level branches, one above the other, would be lines from straight aside, and the stem would be all that is
/// seen of a pine.
const PITCH: f32 = 0.3;

/// A picture of a mesh from the side, a little from above, for its far level: color without light, and alpha.
///
/// Its edges are those of [`Frame::of`] the mesh, and so those of the cards of [`Level::Far`](crate::grow::Level::Far).
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
pub fn silhouette(mesh: &PlantMesh, skins: &[SkinPicture], width: usize, height: usize) -> Picture {
    let frame = Frame::of(mesh);
    let mut canvas = Canvas::new(width * SAMPLES, height * SAMPLES);
    let (half, tall) = (frame.half_width.max(1e-6), frame.height.max(1e-6));
    let (columns, rows) = (canvas.width as f32, canvas.height as f32);
    let project = |place: Vec3| {
        let place = frame.upright(place);
        let right = (place.x / half * 0.5 + 0.5) * columns;
        let share = (place.y / tall).clamp(0.0, 1.0);
        let lowered = PITCH * 4.0 * share * (1.0 - share) * place.z;
        let down = (frame.height - place.y + lowered) / tall * rows;
        Vec3::new(right, down, place.z)
    };
    canvas.draw(mesh, skins, project, |_| Vec3::ONE);
    canvas.picture(SAMPLES)
}
