// The sky dome: a gradient, the sun and its glow, stars, the moon and the cloud layer.
//
// At the horizon the color equals the fog color, so that the sea blends into it.
//
// No branch condition depends on a uniform alone, because that crashes Mesa 22. Branches per direction skip invisible
// parts: stars by day, the moon away from its disc, and everything below the horizon. There, terrain and sea hide most
// of the dome, but the dome may be drawn before them.

#import bevy_pbr::mesh_view_bindings::{globals, view}
#ifdef DISTANCE_FOG
#import bevy_pbr::mesh_view_bindings::fog
#endif
#import lanternfell_sky::clouds::{Clouds, FINER, on_sheet, rim_place, shape_place, thickness}
#import lanternfell_sky::exposure::{exposed, output}

// Colors are linear, scaled for Bevy's default exposure. Vectors are aligned to 16 bytes.
struct Sky {
    clouds: Clouds,
    stars_from_world: mat3x3<f32>,
    horizon: vec3<f32>,
    // Exponent of the glow around the sun. Larger is narrower.
    glow_exponent: f32,
    zenith: vec3<f32>,
    // Visibility of the stars.
    starlight: f32,
    glow: vec3<f32>,
    // Amount of fog.
    haze: f32,
    sun: vec3<f32>,
    // How closed the cloud cover is.
    overcast: f32,
    to_sun: vec3<f32>,
    // Lit fraction of the moon's disc.
    moonlight: f32,
    to_moon: vec3<f32>,
    // 0 by day, 1 at night.
    by_night: f32,
    cloud: vec3<f32>,
    // Amount of rain.
    veil: f32,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> sky: Sky;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var map: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var map_sampler: sampler;

struct Varying {
    @builtin(position) position: vec4<f32>,
    @location(0) ray: vec3<f32>,
}

@vertex
fn vertex(@location(0) position: vec3<f32>) -> Varying {
    var out: Varying;
    // At the far depth (reversed z).
    out.position = vec4(position.xy, 0.0, 1.0);
    let near = view.view_from_clip * vec4(position.xy, 1.0, 1.0);
    let is_parallel = view.clip_from_view[3].w == 1.0;
    let ray = select(near.xyz / near.w, vec3(0.0, 0.0, -1.0), is_parallel);
    out.ray = (view.world_from_view * vec4(ray, 0.0)).xyz;
    return out;
}

// Three random numbers from 0 to 1 per cell (pcg3d; Jarzynski and Olano, "Hash Functions for GPU Rendering", 2020).
fn random(cell: vec3<f32>) -> vec3<f32> {
    var v = bitcast<vec3<u32>>(vec3<i32>(cell)) * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> vec3(16u);
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return vec3<f32>(v >> vec3(8u)) * (1.0 / 16777216.0);
}

// One layer of twinkling stars: a cell in space holds a star with probability `share`.
fn stars(direction: vec3<f32>, cells: f32, size: f32, share: f32) -> vec3<f32> {
    let p = direction * cells;
    let cell = floor(p);
    let lot = random(cell);
    let other = random(cell + 71.0);
    let center = cell + 0.3 + 0.4 * other;
    let spot = 1.0 - smoothstep(0.15 * size, size, length(p - center));
    let twinkle = 0.75 + 0.25 * sin(globals.time * (2.0 + 5.0 * lot.y) + 40.0 * lot.z);
    let bright = step(1.0 - share, lot.x) * (0.25 + 0.75 * other.x * other.x);
    let color = mix(vec3(1.0, 0.82, 0.66), vec3(0.70, 0.82, 1.0), lot.y);
    return color * (spot * bright * twinkle);
}

// The Milky Way, a band across the sphere.
fn milky_way(direction: vec3<f32>) -> f32 {
    let away = dot(direction, vec3(0.455, 0.485, 0.747)) / 0.24;
    let along = vec2(dot(direction, vec3(-0.87, 0.41, 0.27)), dot(direction, vec3(-0.19, -0.77, 0.61)));
    let dust = textureSampleLevel(map, map_sampler, along * 0.35, 1.0);
    return exp(-away * away) * (0.35 + 0.65 * dust.r) * (0.5 + 0.5 * dust.g);
}

// Radius of the moon: 0.6 degrees, larger than the real 0.26, because people remember it larger.
const MOON = 0.0105;

// Returns the moon's color, and in w how much of the sky behind it is hidden.
fn moon(direction: vec3<f32>) -> vec4<f32> {
    let right = normalize(cross(sky.to_moon, vec3(0.0, 1.0, 0.001)));
    let up = cross(right, sky.to_moon);
    let p = vec2(dot(direction, right), dot(direction, up)) / MOON;
    let r2 = dot(p, p);
    let normal = right * p.x + up * p.y - sky.to_moon * sqrt(max(1.0 - r2, 0.0));
    let lit = smoothstep(-0.04, 0.22, dot(normal, sky.to_sun));
    let seas = textureSampleLevel(map, map_sampler, p * 0.055 + vec2(0.31, 0.62), 0.0).r;
    let disc = (1.0 - smoothstep(0.90, 1.02, sqrt(r2))) * step(0.0, dot(direction, sky.to_moon));
    let ground = mix(0.62, 1.0, smoothstep(0.30, 0.62, seas));
    return vec4(vec3(1.0, 0.96, 0.88) * (lit * ground + 0.012), disc);
}

// Samples shape and edge at a position of the layer, with the given screen-space derivatives.
fn cloud_at(place: vec2<f32>, dx: vec2<f32>, dy: vec2<f32>) -> vec2<f32> {
    let shape_scale = sky.clouds.scale;
    let rim_scale = sky.clouds.scale * FINER;
    let shape = textureSampleGrad(map, map_sampler, shape_place(sky.clouds, place), dx * shape_scale, dy * shape_scale).r;
    let rim = textureSampleGrad(map, map_sampler, rim_place(sky.clouds, place), dx * rim_scale, dy * rim_scale).g;
    return vec2(shape, rim);
}

// Sine of the angle below the horizon at which only the gradient is drawn.
const BELOW = -0.05;

@fragment
fn fragment(in: Varying) -> @location(0) vec4<f32> {
    let direction = normalize(in.ray);
    let height = max(direction.y, 0.0);
    let to_sun = dot(direction, sky.to_sun);
    let to_moon = dot(direction, sky.to_moon);

    // The glow is strongest in the thick air near the horizon and fades above it.
    let depth = mix(exp(-5.5 * height), 1.0, sky.haze * exp(-1.2 * height));
    let glow = sky.glow * pow(max(to_sun, 0.0), sky.glow_exponent);
    var color = mix(sky.zenith, sky.horizon, depth) + glow * (0.35 + 0.65 * depth);

    let place = on_sheet(sky.clouds, view.world_position, direction);
    // Derivatives must be computed here, before any branch, where neighboring pixels run the same code.
    let dx = dpdx(place);
    let dy = dpdy(place);
    // If the camera has other fog than the sky's (for example under water), show that fog below the horizon. The sky's
    // fog is recognized by its glow color, whose alpha is 1.
#ifdef DISTANCE_FOG
    let is_other = 1.0 - step(0.5, fog.directional_light_color.a);
    let hidden = vec4(fog.base_color.rgb, is_other * (1.0 - smoothstep(0.0, 0.02, direction.y)));
#else
    let hidden = vec4(0.0);
#endif
    if direction.y < BELOW {
        return vec4(output(mix(exposed(color, view.exposure), hidden.rgb, hidden.a), in.position.xy), 1.0);
    }

    var disc = vec4(0.0);
    if to_moon > 1.0 - MOON * MOON {
        disc = moon(direction);
    }
    let starlight = sky.starlight * smoothstep(0.0, 0.25, height) * (1.0 - disc.w);
    if starlight > 0.0 {
        let in_stars = sky.stars_from_world * direction;
        let far = stars(in_stars, 150.0, 0.30, 0.022) * 2.4 + stars(in_stars, 260.0, 0.36, 0.03) * 0.8;
        color += (far + vec3(0.021, 0.024, 0.034) * milky_way(in_stars)) * starlight;
    }

    // Fraction of sun and moon that clouds and fog let through.
    let clear = (1.0 - 0.97 * sky.overcast) * (1.0 - 0.8 * sky.haze);
    let sun_disc = smoothstep(0.99945, 0.99975, to_sun) * 40.0;
    let sun_halo = 0.35 * pow(max(to_sun, 0.0), 900.0) + 0.06 * pow(max(to_sun, 0.0), 60.0);
    let above = smoothstep(-0.02, 0.03, direction.y);
    let pale = mix(0.30, 1.5, sky.by_night);
    let moon_glow = sky.by_night * sky.moonlight;
    let moon_halo = moon_glow * (0.10 * pow(max(to_moon, 0.0), 700.0) + 0.035 * pow(max(to_moon, 0.0), 40.0));
    let halos = sky.sun * sun_halo + vec3(0.55, 0.68, 0.95) * moon_halo;
    let discs = sky.sun * sun_disc + disc.rgb * disc.w * pale;

    // Clouds. A second sample toward the light estimates how much of it is blocked.
    let source = mix(sky.to_sun, sky.to_moon, sky.by_night);
    let here = cloud_at(place, dx, dy);
    let toward_light = cloud_at(place + source.xz * (190.0 / max(length(source), 0.2)), dx, dy);
    let cloud = thickness(sky.clouds, here.x, here.y);
    let shade = thickness(sky.clouds, toward_light.x, toward_light.y);
    let folds = (here.x - 0.5) * 0.16 + (here.y - 0.5) * 0.22;
    let lit = clamp(1.02 - 0.34 * shade - 0.16 * cloud + 0.45 * (cloud - shade), 0.3, 1.2);
    let gray = 0.92 - folds - 0.10 * sky.veil;
    let toward = max(max(to_sun, 0.0), max(to_moon, 0.0) * moon_glow);
    let silver = pow(toward, 12.0) * (1.0 - cloud) * 0.8 * clear;
    let cloud_color = sky.cloud * (mix(lit, gray, sky.overcast) + silver) + glow * 0.25;
    let seen = cloud * mix(smoothstep(0.01, 0.20, direction.y) * 0.9, smoothstep(-0.02, 0.35, direction.y), sky.overcast)
        * (1.0 - 0.85 * sky.haze * exp(-1.2 * height));

    // Fade out toward `BELOW`, below which only the gradient is drawn.
    let halos_end = smoothstep(BELOW, 0.0, direction.y);
    color += discs * (clear * above * (1.0 - seen)) + halos_end * halos * (clear * (1.0 - 0.6 * seen));
    // The fog's color is exposed already.
    color = mix(exposed(mix(color, cloud_color, seen), view.exposure), hidden.rgb, hidden.a);
    return vec4(output(max(color, vec3(0.0)), in.position.xy), 1.0);
}
