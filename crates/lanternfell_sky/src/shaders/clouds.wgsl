// Positions and density of the clouds, shared by the dome and the cloud shadows. The importing shader samples the
// texture.
#define_import_path lanternfell_sky::clouds

// Matches `CloudUniform` in `clouds.rs`.
struct Clouds {
    // Drift of shapes (xy) and edges (zw), in texture tiles.
    drift: vec4<f32>,
    // Fraction of the sky behind clouds.
    cover: f32,
    // Height (y) of the layer, in meters.
    height: f32,
    // Texture tiles per meter.
    scale: f32,
    // Fraction of the light that a shadow removes.
    shade: f32,
}

const FINER: f32 = 5.0;

// Where a ray from `eye` hits the layer, in meters. The layer bends down toward the horizon, as on a round earth. A
// camera that flies high stays below it.
fn on_sheet(clouds: Clouds, eye: vec3<f32>, direction: vec3<f32>) -> vec2<f32> {
    let above = max(clouds.height - eye.y, 0.35 * clouds.height);
    return eye.xz + direction.xz * (above / (max(direction.y, 0.0) + 0.06));
}

fn shape_place(clouds: Clouds, place: vec2<f32>) -> vec2<f32> {
    return place * clouds.scale + clouds.drift.xy;
}

fn rim_place(clouds: Clouds, place: vec2<f32>) -> vec2<f32> {
    return place * (clouds.scale * FINER) + clouds.drift.zw;
}

// Cloud density, from 0 to 1. `shape` and `rim` are uniformly distributed from 0 to 1.
fn thickness(clouds: Clouds, shape: f32, rim: f32) -> f32 {
    let n = shape + 0.30 * (rim - 0.5);
    let edge = mix(1.16, -0.55, clouds.cover);
    return smoothstep(edge, edge + 0.38, n);
}
