// The surface of water: clear in shallow places, colored in deep ones, with moving ripples, foam along the coast and a
// reflection of the sky.
//
// Without waves only the normals and the foam move.

#import bevy_pbr::{
    forward_io::{VertexOutput, FragmentOutput},
    mesh_functions::get_world_from_local,
    mesh_view_bindings::{globals, view},
    pbr_fragment::pbr_input_from_standard_material,
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
}
#ifdef LIT_BY_IMAGE
// The light image uses the binding of the emissive texture, as in land.wgsl.
#import bevy_pbr::pbr_bindings::{emissive_texture, emissive_sampler}
#import lanternfell_terrain::ground_light::light_at
#endif
#ifdef REFRACTION
#import bevy_pbr::mesh_view_bindings::{view_transmission_sampler, view_transmission_texture}
#ifdef DEPTH_PREPASS
#import bevy_pbr::prepass_utils::prepass_depth
#endif
#endif
#import lanternfell_terrain::noise::value_noise
#import lanternfell_terrain::sea::{depth_and_mouth_at, depth_at, drawn_swell, OtherSea, seen_swell, water}

#ifdef WAVES
// The wave trains cover everything longer.
const LONGEST_RIPPLE: f32 = 0.238;
#else
const LONGEST_RIPPLE: f32 = 0.045;
#endif

// The slope of the ripples: four sizes of noise that drift in different directions. LONGEST_RIPPLE is the frequency of
// the largest in 1/meter.
fn ripples(place: vec2<f32>, distance: f32) -> vec2<f32> {
    let t = globals.time;
    var slope = vec2(0.0);
    var scale = LONGEST_RIPPLE;
    // Steeper if there are no waves.
    var strength = 0.9 * pow(0.045 / LONGEST_RIPPLE, 0.4);
    var drift = vec2(0.8, 0.6);
    for (var size = 0; size < 4; size++) {
        // Ripples smaller than a pixel would cause noise on the screen, so they fade out first.
        let seen = 1.0 / (1.0 + pow(distance * scale * 0.035, 2.0));
        let p = place * scale + drift * t * (0.10 + 0.07 * f32(size));
        slope += value_noise(vec3(p, t * 0.16)).xy * strength * seen;
        drift = vec2(-drift.y, drift.x) * 0.9 + vec2(0.3, -0.2);
        scale *= 2.3;
        strength *= 0.72;
    }
    return slope * 0.055 * water.ripples;
}

#ifdef INLAND
// Patterns that move with the flow would be stretched over time. So there are two of them, half a period apart, and
// each fades out before it is reset (Vlachos, Water Flow in Portal 2, 2010).
const TURN: f32 = 2.4;

// The factor by which light is absorbed faster than in the sea, because streams carry sand.
const MURK: f32 = 3.0;

struct Turns {
    // The displacement of each pattern by the flow, in meters.
    first: vec2<f32>,
    second: vec2<f32>,
    // The weight of the second pattern.
    part: f32,
}

fn turns(flow: vec2<f32>) -> Turns {
    let turn = globals.time / TURN;
    let first = fract(turn);
    let second = fract(turn + 0.5);
    let way = flow * TURN;
    return Turns(way * first, way * second + 37.0, abs(2.0 * first - 1.0));
}

fn flowing_ripples(place: vec2<f32>, flow: vec2<f32>, distance: f32) -> vec2<f32> {
    let t = turns(flow);
    let first = ripples(place - t.first, distance);
    return mix(first, ripples(place - t.second, distance), t.part);
}

// Frequencies of foam across the river and along it. Foam is stretched along the river.
const STREAKS: vec2<f32> = vec2<f32>(2.6, 0.8);

// A noise value from -1 to 1. `at` is the position across the river and along it in meters, and `speed` the speed of
// the foam in meters per second.
fn streaks(at: vec2<f32>, speed: f32) -> f32 {
    let place = (at - vec2(0.0, speed * globals.time)) * STREAKS;
    let coarse = value_noise(vec3(place, globals.time * 0.6)).w;
    let fine = value_noise(vec3(place * 2.7, globals.time * 0.9)).w;
    return 0.5 * coarse + 0.35 * fine + 0.25 * value_noise(vec3(place * 6.1, globals.time * 1.3)).w;
}

// The fraction of foam: none on smooth water, streaks in rapids, and most of a waterfall. Far away the streaks are too
// small to be visible and are replaced by their mean.
fn rapids(rough: f32, streaks: f32, distance: f32) -> f32 {
    let least = mix(1.0, -0.05, rough);
    let near = smoothstep(least - 0.25, least + 0.45, streaks);
    return mix(near, 0.6 * rough * rough, smoothstep(40.0, 200.0, distance));
}
#endif

// The position of a world point on the terrain of a sea, in units of half the terrain's size.
fn on_land(sea: OtherSea, point: vec4<f32>) -> vec2<f32> {
    return abs(vec2(dot(sea.east, point), dot(sea.south, point)));
}

// Whether another sea is drawn at a world point. `is_own` means that the point is over this sea's terrain. Over a
// terrain its own sea is drawn, elsewhere the first one.
fn is_of(other: OtherSea, point: vec4<f32>, is_own: bool) -> bool {
    let there = on_land(other, point);
    let is_over_land = max(there.x, there.y) <= 1.0;
    let is_first = other.is_first > 0.5;
    return (is_over_land && (!is_own || is_first))
        || (!is_own && is_first && all(there <= other.reach));
}

fn is_of_another_sea(point: vec4<f32>) -> bool {
    // A small tolerance, so that no gap appears between two adjacent terrains.
    let own_land = on_land(water.seas.own, point);
    let is_own = max(own_land.x, own_land.y) <= 1.00001;
    for (var k = 0u; k < water.seas.count.x; k++) {
        if is_of(water.seas.others[k], point, is_own) {
            return true;
        }
    }
    return false;
}

// The refractive index of water.
const INDEX: f32 = 1.333;

// EV100 of Bevy's default exposure, for which the colors of the sky are scaled.
const DEFAULT_EV100: f32 = 9.7;

// A color of the sky, as this view sees it.
fn exposed(color: vec3<f32>) -> vec3<f32> {
    return color * (view.exposure * 1.2 * exp2(DEFAULT_EV100));
}

// The surface seen from below: a cone of 97 degrees shows the sky (Snell's window, without refraction here), and the
// surface around it is a mirror. `facing` is the cosine of the angle in water, and `down` the sine of the angle at
// which the reflected ray points down.
fn from_below(facing: f32, down: f32, foam: f32) -> vec4<f32> {
    // The angle in air is larger, up to 90 degrees. Beyond this there is total reflection.
    let sine = min(INDEX * INDEX * (1.0 - facing * facing), 1.0);
    let mirror = 0.02 + 0.98 * pow(1.0 - sqrt(1.0 - sine), 5.0);
    // The reflection is darker toward the deep, and foam blocks some light.
    let color = exposed(water.glimmer) * (1.15 - 0.75 * down) * (1.0 - 0.4 * foam);
    return vec4(color, max(mirror, 0.6 * foam));
}

#ifdef REFRACTION
#ifdef DEPTH_PREPASS
// The nearest depth of the four pixels that a bilinear sample uses.
fn nearest_depth(pixel: vec2<f32>) -> f32 {
    var nearest = 0.0;
    for (var k = 0; k < 4; k++) {
        let corner = vec2(f32(k & 1), f32(k >> 1)) - 0.5;
        nearest = max(nearest, prepass_depth(vec4(pixel + corner, 0.0, 0.0), 0u));
    }
    return nearest;
}
#endif

// The distance from a fragment of the surface to the scene behind it, without refraction.
fn straight_on(here: vec4<f32>, at: vec3<f32>) -> f32 {
#ifdef DEPTH_PREPASS
    let part = (here.xy - view.viewport.xy) / view.viewport.zw;
    // Without geometry behind the water, the distance is large.
    let depth = max(prepass_depth(here, 0u), 1e-9);
    let end = view.world_from_clip * vec4(part * vec2(2.0, -2.0) + vec2(-1.0, 1.0), depth, 1.0);
    return distance(end.xyz / end.w, at);
#else
    return 1e9;
#endif
}

// The color of the scene behind a fragment of the surface, at the end of the refracted ray. Falls back to no refraction
// if something in front of the water is at that pixel, or the depth is not known.
fn behind(here: vec4<f32>, end: vec3<f32>) -> vec3<f32> {
    var pixel = here.xy;
#ifdef DEPTH_PREPASS
    let clip = view.clip_from_world * vec4(end, 1.0);
    let part = clip.xy / clip.w * vec2(0.5, -0.5) + 0.5;
    // Refraction fades out toward the border of the screen.
    let inner = min(part, 1.0 - part);
    let known = smoothstep(0.0, 0.1, min(inner.x, inner.y)) * step(0.0, clip.w);
    let bent = mix(pixel, part * view.viewport.zw + view.viewport.xy, known);
    pixel = select(pixel, bent, nearest_depth(bent) < here.z);
#endif
    let size = vec2<f32>(textureDimensions(view_transmission_texture));
    return textureSampleLevel(view_transmission_texture, view_transmission_sampler, pixel / size, 0.0).rgb;
}

// The assumed length in meters of a refracted ray in air, from the surface to the visible scene.
const AIR: f32 = 500.0;
#endif

#ifdef WAVES
// Whether an eye (relative to the center of the sea) is above the waves. Back faces seen from above are discarded,
// because otherwise the far sides of waves would be visible through the blended water.
fn is_above(eye: vec3<f32>, east: vec3<f32>, up: vec3<f32>, south: vec3<f32>, meter: f32) -> bool {
    let place = vec2(dot(eye, east), dot(eye, south)) / meter;
    return dot(eye, up) / meter > drawn_swell(place, max(depth_at(place), 0.0), 0.0).z;
}
#endif

@fragment
fn fragment(
    in: VertexOutput,
    @builtin(front_facing) is_front: bool,
) -> FragmentOutput {
#ifdef SEVERAL_SEAS
    if is_of_another_sea(vec4(in.world_position.xyz, 1.0)) {
        discard;
    }
#endif
    var pbr_input = pbr_input_from_standard_material(in, is_front);
#ifdef REFRACTION
    // The scene behind the water is mixed in below.
    pbr_input.material.specular_transmission = 0.0;
#endif

    // The surface of a flat sea is a square scaled to the sea's extent along x and z. Only its y axis has the terrain's
    // own scale.
    let frame = get_world_from_local(in.instance_index);
    let meter = length(frame[1].xyz);
    let up_axis = frame[1].xyz / meter;
    let east = normalize(frame[0].xyz);
    let south = normalize(frame[2].xyz);
    let offset = in.world_position.xyz - frame[3].xyz;
    let place = vec2(dot(offset, east), dot(offset, south)) / meter;
#ifdef WAVES
    if !is_front && is_above(view.world_position.xyz - frame[3].xyz, east, up_axis, south, meter) {
        discard;
    }
#endif
#ifdef INLAND
    let below = in.color.g;
#else
    let bed = depth_and_mouth_at(place);
    let below = max(bed.x, 0.0);
#endif
    let to_eye = view.world_position.xyz - in.world_position.xyz;
    let distance = length(to_eye) / meter;

    // The position on the plane, so that patterns do not depend on the region of an endless terrain.
    let on_plane = place + water.place;
#ifdef INLAND
    let rough = in.color.r;
    var slope = flowing_ripples(on_plane, in.uv_b, distance) * (0.5 + 2.5 * rough);
#else
    var slope = ripples(on_plane, distance) * (0.35 + 0.65 * smoothstep(0.0, 1.5, below));
#endif
#ifdef WAVES
    let swell = seen_swell(place, below, distance);
    slope += swell.xy;
    let depth = max(below + swell.z, 0.0);
#else
    let depth = below;
#endif
    let side = select(-1.0, 1.0, is_front);
    let normal = normalize(up_axis - east * slope.x - south * slope.y) * side;
    pbr_input.N = normal;

    // Light is absorbed along its path to the floor, which is longer at a grazing angle.
    let v = to_eye / (distance * meter);
    let facing = clamp(dot(normal, v), 0.0, 1.0);
    var through = depth * (1.0 + 0.8 * (1.0 - facing));
#ifdef REFRACTION
    // Something may float above the floor.
    through = min(through, straight_on(in.position, in.world_position.xyz) / meter);
#endif
#ifdef INLAND
    through *= MURK;
#endif
    let way = through / water.attenuation_distance;
    let swallowed = 1.0 - exp(-way);
    // Schlick's approximation for water, whose reflectance at normal incidence is 0.02.
    let mirror = 0.02 + 0.98 * pow(1.0 - facing, 5.0);

    let seen = 1.0 / (1.0 + distance * distance * 1e-5);
#ifdef INLAND
    let torn = streaks(in.uv, in.color.a);
    var foam = 0.92 * rapids(rough, torn, distance);
#else
    // Foam: a thin line at the edge of the water, and bands that move toward it. Rivers prevent it at their mouths.
    let lap = value_noise(vec3(on_plane * 0.35, globals.time * 0.25)).w;
    let fine = value_noise(vec3(on_plane * 1.9, globals.time * 0.5)).w;
    let reach = depth / max(water.foam_depth, 0.001);
    let edge = 1.0 - smoothstep(0.10, 0.38, reach + 0.16 * fine + 0.12 * lap);
    let wave = sin(6.5 * reach + 1.1 * globals.time + 3.0 * lap);
    let bands = smoothstep(0.72, 1.0, wave + 0.30 * fine) * (1.0 - smoothstep(0.2, 1.0, reach));
    let shore = clamp(edge * 0.75 + bands * 0.45, 0.0, 1.0) * step(0.001, water.foam_depth);
    var foam = shore * seen * (1.0 - bed.y);
#endif
#ifdef WAVES
    // Foam on crests, broken up by noise.
    let crest = swell.z / water.deviation + 0.9 * fine + 0.5 * lap;
    foam = max(foam, water.whitecaps * smoothstep(2.5, 4.0, crest) * seen);
#endif

    var body = mix(water.shallow, water.deep, 1.0 - exp(-0.45 * way));
    var white = water.foam;
#ifdef INLAND
    // Aerated water is brighter, and the foam has varying brightness.
    body = mix(body, 0.7 * water.shallow + 0.1 * water.foam, 0.7 * rough);
    white *= 0.62 + 0.3 * smoothstep(-0.2, 0.7, torn);
#endif
    pbr_input.material.base_color = vec4(mix(body, white, foam), 1.0);
#ifdef LIT_BY_IMAGE
    let light = light_at(emissive_texture, emissive_sampler, water.light_u, water.light_v, in.world_position.xyz);
    pbr_input.material.emissive = vec4(pbr_input.material.base_color.rgb * light * water.luminance, 1.0);
#endif
    pbr_input.material.perceptual_roughness = mix(0.12, 0.6, max(foam, smoothstep(150.0, 3000.0, distance) * 0.5));
    var out: FragmentOutput;
    let lit = apply_pbr_lighting(pbr_input);

    let reflected = reflect(-v, normal);
    let up = dot(reflected, up_axis);
    let sky = exposed(mix(water.horizon, water.zenith, pow(clamp(up, 0.0, 1.0), 0.55)));
    let shine = mirror * water.reflection * (1.0 - foam);
    let above = vec4(mix(lit.rgb, sky, shine), max(max(swallowed, mirror), foam));
    var color = select(from_below(facing, clamp(-up, 0.0, 1.0), foam), above, is_front);
#ifdef INLAND
    // Rivers and lakes fade out where they end in other water, and at their edges where the depth is zero.
    color.a *= in.color.b * smoothstep(0.0, 0.06, below);
#endif
    out.color = main_pass_post_lighting_processing(pbr_input, color);
#ifdef REFRACTION
    let bent = refract(-v, normal, select(INDEX, 1.0 / INDEX, is_front));
    let down = min(depth / max(dot(-bent, up_axis), 0.1), through);
    let end = in.world_position.xyz + bent * select(AIR, down, is_front) * meter;
    out.color = vec4(mix(behind(in.position, end), out.color.rgb, color.a), 1.0);
#endif
    return out;
}
