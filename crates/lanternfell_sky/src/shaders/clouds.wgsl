// Where the clouds are: shared by the dome and the shadows that they throw. The picture is looked at by whoever asks.
#define_import_path lanternfell_sky::clouds

// As in `clouds.rs`.
struct Clouds {
    // How far shapes and rims have drifted, in pictures.
    drift: vec4<f32>,
    // How much of the sky is behind them.
    cover: f32,
    // y of the sheet, in metres.
    height: f32,
    // Pictures in a metre.
    scale: f32,
    // How much of the light a shadow takes.
    shade: f32,
}

const FINER: f32 = 5.0;

// Where a ray from that point meets the sheet, in metres. The sheet bends down to the horizon, as the earth does, and
// who flies high does not come through it.
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

// How thick the cloud is, from 0 to 1. The ranks of shapes and rims are even from 0 to 1.
fn thickness(clouds: Clouds, shape: f32, rim: f32) -> f32 {
    let n = shape + 0.30 * (rim - 0.5);
    let edge = mix(1.16, -0.55, clouds.cover);
    return smoothstep(edge, edge + 0.38, n);
}
