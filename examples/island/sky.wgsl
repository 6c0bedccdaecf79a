// The dome of the sky: a gradient, the sun with its glow, two sheets of cloud, stars.
//
// At the horizon it is exactly the fog's color, so that the sea runs into it.

#import bevy_pbr::{
    forward_io::VertexOutput,
    mesh_view_bindings::{globals, view},
}
#import lanternfell_terrain::noise::{fractal_noise, hash}

// Colors are linear. Vectors begin at whole sixteens of bytes.
struct Sky {
    horizon: vec3<f32>,
    // How narrow the glow around the sun is.
    glow_exponent: f32,
    zenith: vec3<f32>,
    // How well the stars are seen.
    starlight: f32,
    glow: vec3<f32>,
    sun: vec3<f32>,
    // The direction of the sun or of the moon.
    to_sun: vec3<f32>,
    cloud: vec3<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> sky: Sky;

// How thick the cloud is where the ray meets its sheet, from 0 to 1.
fn thickness(place: vec2<f32>) -> f32 {
    let drift = vec2(globals.time * 0.006, globals.time * 0.002);
    let n = fractal_noise(vec3(place + drift, 3.7 + globals.time * 0.004), 5, 0.5, 0.0).w;
    return smoothstep(0.02, 0.62, n);
}

fn stars(direction: vec3<f32>) -> f32 {
    let p = direction * 170.0;
    let cell = floor(p);
    let h = hash(vec3<i32>(cell));
    let center = cell + 0.5;
    let spot = 1.0 - smoothstep(0.08, 0.32, length(p - center));
    return select(0.0, spot * (h - 0.985) * 66.0, h > 0.985);
}

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    let direction = normalize(in.world_position.xyz - view.world_position.xyz);
    let height = max(direction.y, 0.0);
    let toward = dot(direction, sky.to_sun);

    // The glow belongs to the thick air near the horizon, and fades above it.
    let depth = exp(-5.5 * height);
    let glow = sky.glow * pow(max(toward, 0.0), sky.glow_exponent);
    var color = mix(sky.zenith, sky.horizon, depth) + glow * (0.35 + 0.65 * depth);
    color += vec3(0.7, 0.8, 1.0) * stars(direction) * sky.starlight * smoothstep(0.0, 0.25, height);

    let disc = smoothstep(0.99945, 0.99975, toward);
    let halo = 0.35 * pow(max(toward, 0.0), 900.0) + 0.06 * pow(max(toward, 0.0), 60.0);

    if direction.y > 0.005 {
        let sheet = direction.xz / (direction.y + 0.06);
        let place = sheet * 0.75;
        let cloud = thickness(place);
        // A second look a little towards the sun tells how much cloud the light has crossed.
        let shade = thickness(place + normalize(sky.to_sun.xz + vec2(0.001)) * 0.10);
        let lit = clamp(1.0 - 0.55 * shade + 0.25 * (cloud - shade), 0.25, 1.15);
        let silver = pow(max(toward, 0.0), 12.0) * (1.0 - cloud) * 0.8;
        let cloud_color = mix(color, sky.cloud * (lit + silver), 0.88);
        let seen = cloud * smoothstep(0.01, 0.16, direction.y) * 0.85;
        color += sky.sun * (disc * 40.0 * (1.0 - seen) + halo * (1.0 - 0.6 * seen));
        color = mix(color, cloud_color, seen);
    } else {
        color += sky.sun * halo * 0.5;
    }
    return vec4(color, 1.0);
}
