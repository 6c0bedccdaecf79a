//! Simulates a flight with real patches and the plugin's default memory budget. Measures how many
//! pixels the rendered terrain jumps when patches are replaced.

use std::collections::HashSet;

use glam::Mat4;

use lanternfell_heightmap::{FractalNoise, Hills};

use super::*;

const SIZE: u64 = 2049;
/// Half the size of a 1920 x 1080 screen in pixels, with Bevy's field of view.
const SCREEN: Vec2 = Vec2::new(960.0, 540.0);
const FIELD_OF_VIEW: f32 = std::f32::consts::FRAC_PI_4;
/// The pixels and the weight that `TerrainPlugin` requests if `TerrainDetail` has one pixel and 64
/// MiB.
const PIXELS_AHEAD: f32 = 0.75;
const WEIGHT: usize = 523;
/// Meters per second.
const SPEED: f32 = 50.0;
const FRAMES_A_SECOND: f32 = 60.0;
/// The number of frames from choosing patches until they are rendered, during which their meshes
/// are built.
const DELAY: usize = 6;
const FRAMES: usize = 480;
const ABOVE_GROUND: f32 = 25.0;

/// Returns the transform from the terrain's local space to the screen.
fn view(eye: Vec3) -> Mat4 {
    let ahead = Mat4::look_to_rh(eye, Vec3::new(1.0, -0.2, 0.1), Vec3::Y);
    Mat4::perspective_infinite_rh(FIELD_OF_VIEW, SCREEN.x / SCREEN.y, 0.1) * ahead
}

/// Returns a position on the screen in pixels from its center, or `None` outside it.
fn seen(view: &Mat4, place: Vec3) -> Option<Vec2> {
    let clip = *view * place.extend(1.0);
    let at = clip.truncate().truncate() / clip.w;
    (clip.w > 0.0 && at.abs().max_element() <= 1.0).then_some(at * SCREEN)
}

/// Returns a viewer for the corners of the screen, where a perspective projection enlarges objects
/// most. The plugin does the same.
fn corner_viewer(eye: Vec3) -> Viewer {
    let up = 1.0 / (FIELD_OF_VIEW / 2.0).tan();
    let across = up * SCREEN.y / SCREEN.x;
    let pixels = SCREEN.y * up * (1.0 + 1.0 / (across * across) + 1.0 / (up * up));
    Viewer {
        eye,
        lens: Lens::Perspective(pixels),
    }
}

/// Triangles in a grid, to find the one at a position.
struct Drawn {
    triangles: Vec<[Vec3; 3]>,
    bins: HashMap<(i32, i32), Vec<u32>>,
}

/// Meters.
const BIN: f32 = 16.0;

impl Drawn {
    fn new(patches: &[PatchTriangles]) -> Self {
        let corners =
            |patch: &PatchTriangles, corners: [u16; 3]| corners.map(|corner| place(patch, corner));
        let triangles: Vec<[Vec3; 3]> = patches
            .iter()
            .flat_map(|patch| ground(patch).map(|triangle| corners(patch, triangle)))
            .collect();
        let mut bins: HashMap<(i32, i32), Vec<u32>> = HashMap::new();
        for (number, [a, b, c]) in triangles.iter().enumerate() {
            let (low, high) = (a.min(*b).min(*c) / BIN, a.max(*b).max(*c) / BIN);
            for x in low.x.floor() as i32..=high.x.floor() as i32 {
                for z in low.z.floor() as i32..=high.z.floor() as i32 {
                    bins.entry((x, z)).or_default().push(number as u32);
                }
            }
        }
        Self { triangles, bins }
    }

    fn height(&self, at: Vec2) -> Option<f32> {
        let bin = ((at.x / BIN).floor() as i32, (at.y / BIN).floor() as i32);
        self.bins.get(&bin)?.iter().find_map(|&number| {
            let [a, b, c] = self.triangles[number as usize];
            let (ab, ac, ap) = ((b - a).xz(), (c - a).xz(), at - a.xz());
            let area = ab.perp_dot(ac);
            let (u, v) = (ap.perp_dot(ac) / area, ab.perp_dot(ap) / area);
            let is_in = u >= -1e-4 && v >= -1e-4 && u + v <= 1.0001;
            is_in.then_some(a.y + (b.y - a.y) * u + (c.y - a.y) * v)
        })
    }
}

/// Returns the largest jump in pixels when the patches of one cut replace those of the other. Both
/// are flat between the vertices of both, so only the vertices are compared.
fn largest_jump(tree: &DetailTree, surface: &Surface<'_>, cuts: [&Cut; 2], eye: Vec3) -> f32 {
    let sets = cuts.map(|cut| cut.patches.iter().copied().collect::<HashSet<Patch>>());
    let only = |one: usize| -> Vec<PatchTriangles> {
        let patches = cuts[one]
            .patches
            .iter()
            .filter(|patch| !sets[1 - one].contains(patch));
        patches
            .map(|&patch| tree.triangulate(surface, patch))
            .collect()
    };
    let view = view(eye);
    let changed = [0, 1].map(only);
    let drawn = [0, 1].map(|one| Drawn::new(&changed[one]));
    let mut largest: f32 = 0.0;
    for (one, patches) in changed.iter().enumerate() {
        for patch in patches {
            for corner in ground(patch).flatten() {
                let here = place(patch, corner);
                let Some(before) = seen(&view, here) else {
                    continue;
                };
                let Some(other) = drawn[1 - one].height(here.xz()) else {
                    continue;
                };
                if let Some(after) = seen(&view, here.with_y(other)) {
                    largest = largest.max(before.distance(after));
                }
            }
        }
    }
    largest
}

/// Returns the largest jump in pixels during a flight, the number of changes, and the largest
/// reported error.
fn fly(map: &Heightmap, scale: Scale) -> (f32, usize, f32) {
    let tree = DetailTree::new(map, &Progress::default()).unwrap();
    let surface = Surface::new(map, scale);
    let eye = |frame: usize| {
        let x = SPEED / FRAMES_A_SECOND * frame as f32 - 0.4 * SIZE as f32 * scale.spacing;
        let at = Vec2::new(x, 0.05 * x);
        Vec3::new(at.x, surface.height(at).unwrap() + ABOVE_GROUND, at.y)
    };
    let choose = |frame: usize, before: &Cut| {
        tree.cut(
            &[corner_viewer(eye(frame))],
            scale,
            PIXELS_AHEAD,
            WEIGHT,
            before,
        )
    };
    let mut shown = choose(0, &Cut::default());
    let (mut largest, mut changes, mut reported) = (0.0_f32, 0, shown.error);
    let mut frame = 0;
    while frame < FRAMES {
        let next = choose(frame, &shown);
        reported = reported.max(next.error);
        if next.patches == shown.patches {
            frame += 1;
        } else {
            frame += DELAY;
            changes += 1;
            let jump = largest_jump(&tree, &surface, [&shown, &next], eye(frame));
            largest = largest.max(jump);
        }
        shown = next;
    }
    (largest, changes, reported)
}

#[track_caller]
fn assert_smooth_flight(map: &Heightmap) {
    let scale = Scale {
        spacing: 1.0,
        relief: 160.0,
    };
    let (jump, changes, reported) = fly(map, scale);
    assert!(changes > 10, "{changes}");
    // The reported error also covers terrain that is out of sight.
    assert!(jump <= 1.0, "{jump} pixels, reported {reported}");
    assert!(jump > 0.1, "{jump} pixels: nothing was compared");
}

#[test]
fn smooth_terrain_jumps_less_than_a_pixel() {
    let size = MapSize::new(SIZE, SIZE).unwrap();
    let hills = Hills {
        count: 1000,
        radius_max: 300.0,
        ..Hills::default()
    };
    assert_smooth_flight(&hills.generate(size, 3, &Progress::default()).unwrap());
}

#[test]
fn rough_terrain_jumps_less_than_a_pixel() {
    let size = MapSize::new(SIZE, SIZE).unwrap();
    let noise = FractalNoise {
        octaves: 7,
        scale: 900.0,
        lacunarity: 2.0,
        gain: 0.5,
        ..FractalNoise::default()
    };
    assert_smooth_flight(&noise.generate(size, 3, &Progress::default()).unwrap());
}
