// Draws the cloud layer into a shadow map. Each pixel is a ray of light, which hits cloud or clear sky.

#import bevy_pbr::mesh_view_bindings::view
#import lanternfell_sky::clouds::{Clouds, on_sheet, rim_place, shape_place, thickness}

struct Shadow {
    clouds: Clouds,
    to_light: vec3<f32>,
    // Shadow distance from the camera, in meters.
    end: f32,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> shadow: Shadow;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var map: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var map_sampler: sampler;

struct Varying {
    @builtin(position) position: vec4<f32>,
    // Where the ray hits y = 0.
    @location(0) ground: vec3<f32>,
}

@vertex
fn vertex(@location(0) position: vec3<f32>) -> Varying {
    var out: Varying;
    // In front of all other shadow casters.
    out.position = vec4(position.xy, 1.0, 1.0);
    let world = view.world_from_clip * vec4(position.xy, 0.5, 1.0);
    let start = world.xyz / world.w;
    // The rays are parallel, so the hit point interpolates linearly between the vertices.
    out.ground = start - shadow.to_light * (start.y / max(shadow.to_light.y, 0.05));
    return out;
}

// Ordered 4x4 dithering (Bayer 1973). The shadow filter covers about as many texels.
fn threshold(pixel: vec2<f32>) -> f32 {
    let p = vec2<u32>(pixel);
    let x = p.x ^ p.y;
    let y = p.y;
    let rank = ((x & 1u) << 3u) | ((y & 1u) << 2u) | (x & 2u) | ((y & 2u) >> 1u);
    return (f32(rank) + 0.5) / 16.0;
}

fn cut(in: Varying) {
    let place = on_sheet(shadow.clouds, in.ground, shadow.to_light);
    let shape = textureSampleLevel(map, map_sampler, shape_place(shadow.clouds, place), 0.0).r;
    let rim = textureSampleLevel(map, map_sampler, rim_place(shadow.clouds, place), 1.0).g;
    let away = distance(in.ground.xz, view.lod_view_world_position.xz);
    let fading = 1.0 - smoothstep(0.55 * shadow.end, 0.85 * shadow.end, away);
    let cloud = smoothstep(0.05, 0.85, thickness(shadow.clouds, shape, rim)) * shadow.clouds.shade * fading;
    if cloud < threshold(in.position.xy) {
        discard;
    }
}

#ifdef PREPASS_FRAGMENT
#import bevy_pbr::prepass_io::FragmentOutput

@fragment
fn fragment(in: Varying) -> FragmentOutput {
    var out: FragmentOutput;
    cut(in);
#ifdef NORMAL_PREPASS
    out.normal = vec4(0.5, 1.0, 0.5, 1.0);
#endif
#ifdef MOTION_VECTOR_PREPASS
    out.motion_vector = vec2(0.0);
#endif
#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    out.frag_depth = 1.0;
#endif
    return out;
}
#else
@fragment
fn fragment(in: Varying) {
    cut(in);
}
#endif
