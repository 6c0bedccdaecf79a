// Streaks of rain around the view.

#import bevy_pbr::mesh_view_bindings::view
#import lanternfell_sky::exposure::{exposed, output}

struct Rain {
    // How far the box has fallen, in box sizes.
    fallen: vec3<f32>,
    // Fraction of the streaks that is drawn.
    share: f32,
    // In m/s.
    velocity: vec3<f32>,
    opacity: f32,
    // Scaled for Bevy's default exposure.
    color: vec3<f32>,
    // Height (y) below which no rain is drawn.
    floor: f32,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> rain: Rain;

// Size of the box in meters. Must match `rain.rs`.
const BOX = vec3<f32>(24.0, 18.0, 24.0);
// Seconds of motion that a streak shows.
const TRAIL = 0.07;
// Width of a streak, in meters.
const WIDTH = 0.005;

struct Varying {
    @builtin(position) position: vec4<f32>,
    // x: across the streak, from -1 to 1. y: along it, from 0 to 1. z: opacity.
    @location(0) seen: vec3<f32>,
    // Height (y) in the world.
    @location(1) height: f32,
}

@vertex
fn vertex(@location(0) place: vec3<f32>, @location(2) corner: vec2<f32>) -> Varying {
    var out: Varying;
    let eye = view.world_position;
    // Of all repetitions, take the one around the eye.
    let in_box = fract(place + rain.fallen - eye / BOX) - 0.5;
    let drop = eye + in_box * BOX;
    let side = select(-1.0, 1.0, corner.x == 1.0 || corner.x == 3.0);
    let end = select(0.0, 1.0, corner.x >= 2.0);
    let along = normalize(rain.velocity);
    let to_eye = eye - drop;
    let away = max(length(to_eye), 0.01);
    let across = normalize(cross(along, to_eye) + vec3(1e-5, 0.0, 0.0));
    // Draw streaks thinner than a pixel one pixel wide, with less opacity.
    let pixel = away * 2.0 / (view.clip_from_view[1].y * view.viewport.w);
    let width = max(WIDTH, pixel);
    let point = drop + across * (side * 0.5 * width) + rain.velocity * (TRAIL * (end - 0.5));
    out.position = view.clip_from_world * vec4(point, 1.0);
    out.height = point.y;
    let rim = 1.0 - smoothstep(0.36, 0.5, max(max(abs(in_box.x), abs(in_box.z)), abs(in_box.y)));
    let near = smoothstep(0.4, 1.6, away);
    out.seen = vec3(side, end, rain.opacity * rim * near * WIDTH / width * 2.4);
    if corner.y >= rain.share {
        // Move all vertices to one point, so that the triangles have no area.
        out.position = vec4(2.0, 2.0, 2.0, 1.0);
    }
    return out;
}

@fragment
fn fragment(in: Varying) -> @location(0) vec4<f32> {
    if in.height < rain.floor {
        discard;
    }
    let soft = (1.0 - abs(in.seen.x) * 0.5) * sin(3.14159 * in.seen.y);
    return vec4(output(exposed(rain.color, view.exposure), in.position.xy), saturate(in.seen.z * soft));
}
