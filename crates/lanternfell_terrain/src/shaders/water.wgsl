// A sea that is clear where it is shallow, deep-colored where it is deep, with moving
// ripples, a line of foam along the coast and a reflection of the sky.
//
// Without waves only its normals and its foam move.

#import bevy_pbr::{
    forward_io::{VertexOutput, FragmentOutput},
    mesh_functions::get_world_from_local,
    mesh_view_bindings::{globals, view},
    pbr_fragment::pbr_input_from_standard_material,
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
}
#ifdef LIT_BY_IMAGE
// In the place of what glows, as for land.
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
// What is longer, waves are.
const LONGEST_RIPPLE: f32 = 0.238;
#else
const LONGEST_RIPPLE: f32 = 0.045;
#endif

// The slope of the ripples: four sizes of noise, drifting in different directions, the largest of so many in a metre.
fn ripples(place: vec2<f32>, distance: f32) -> vec2<f32> {
    let t = globals.time;
    var slope = vec2(0.0);
    var scale = LONGEST_RIPPLE;
    // Steeper where they are all there is.
    var strength = 0.9 * pow(0.045 / LONGEST_RIPPLE, 0.4);
    var drift = vec2(0.8, 0.6);
    for (var size = 0; size < 4; size++) {
        // A ripple smaller than a pixel is noise on the screen: let it go first.
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
// Patterns that water takes along fade out before they are drawn out, and begin anew elsewhere: two of them, half a
// turn apart. (Vlachos, Water Flow in Portal 2, 2010.)
const TURN: f32 = 2.4;

// How much sooner light is lost than in the sea: streams carry sand.
const MURK: f32 = 3.0;

struct Turns {
    // How far the flow has taken each, in metres.
    first: vec2<f32>,
    second: vec2<f32>,
    // How much of the second is seen.
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

// Foam is drawn out along a river, so many times as long as wide.
const STREAKS: vec2<f32> = vec2<f32>(2.6, 0.8);

// From -1 to 1, at a place so far across a river and along it, whose foam goes so fast: in metres.
fn streaks(at: vec2<f32>, speed: f32) -> f32 {
    let place = (at - vec2(0.0, speed * globals.time)) * STREAKS;
    let coarse = value_noise(vec3(place, globals.time * 0.6)).w;
    let fine = value_noise(vec3(place * 2.7, globals.time * 0.9)).w;
    return 0.5 * coarse + 0.35 * fine + 0.25 * value_noise(vec3(place * 6.1, globals.time * 1.3)).w;
}

// How much of the water is foam: none where it is smooth, tatters in rapids, and most of a fall. Far away streaks are
// too small to be seen, and what is left is how much there is of them.
fn rapids(rough: f32, streaks: f32, distance: f32) -> f32 {
    let least = mix(1.0, -0.05, rough);
    let near = smoothstep(least - 0.25, least + 0.45, streaks);
    return mix(near, 0.6 * rough * rough, smoothstep(40.0, 200.0, distance));
}
#endif

// Where a point of the world lies on a sea's land, in half lands.
fn on_land(sea: OtherSea, point: vec4<f32>) -> vec2<f32> {
    return abs(vec2(dot(sea.east, point), dot(sea.south, point)));
}

// Whether another sea is drawn at a point of the world, which is over this one's land or not: over a land its own
// is, beyond all lands the first.
fn is_of(other: OtherSea, point: vec4<f32>, is_own: bool) -> bool {
    let there = on_land(other, point);
    let is_over_land = max(there.x, there.y) <= 1.0;
    let is_first = other.is_first > 0.5;
    return (is_over_land && (!is_own || is_first))
        || (!is_own && is_first && all(there <= other.reach));
}

fn is_of_another_sea(point: vec4<f32>) -> bool {
    // A little more, so that nothing is left out between two lands that touch.
    let own_land = on_land(water.seas.own, point);
    let is_own = max(own_land.x, own_land.y) <= 1.00001;
    for (var k = 0u; k < water.seas.count.x; k++) {
        if is_of(water.seas.others[k], point, is_own) {
            return true;
        }
    }
    return false;
}

// The index of refraction of water.
const INDEX: f32 = 1.333;

// The surface for one who is under it: a window of 97 degrees to the sky, which is not bent here, and around it
// a mirror (Snell's window). `facing` is the cosine of the angle in water, `down` the sine at which the mirror looks down.
fn from_below(facing: f32, down: f32, foam: f32) -> vec4<f32> {
    // In air the angle is larger, up to flat: there is nothing beyond.
    let sine = min(INDEX * INDEX * (1.0 - facing * facing), 1.0);
    let mirror = 0.02 + 0.98 * pow(1.0 - sqrt(1.0 - sine), 5.0);
    // It is darker towards the deep, and foam keeps some light off.
    let color = water.glimmer * (1.15 - 0.75 * down) * (1.0 - 0.4 * foam);
    return vec4(color, max(mirror, 0.6 * foam));
}

#ifdef REFRACTION
#ifdef DEPTH_PREPASS
// Of the four pixels that a sample between them is mixed of.
fn nearest_depth(pixel: vec2<f32>) -> f32 {
    var nearest = 0.0;
    for (var k = 0; k < 4; k++) {
        let corner = vec2(f32(k & 1), f32(k >> 1)) - 0.5;
        nearest = max(nearest, prepass_depth(vec4(pixel + corner, 0.0, 0.0), 0u));
    }
    return nearest;
}
#endif

// How far it is from a fragment of the surface to what was drawn behind it, straight on.
fn straight_on(here: vec4<f32>, at: vec3<f32>) -> f32 {
#ifdef DEPTH_PREPASS
    let part = (here.xy - view.viewport.xy) / view.viewport.zw;
    // Where nothing is, it is far.
    let depth = max(prepass_depth(here, 0u), 1e-9);
    let end = view.world_from_clip * vec4(part * vec2(2.0, -2.0) + vec2(-1.0, 1.0), depth, 1.0);
    return distance(end.xyz / end.w, at);
#else
    return 1e9;
#endif
}

// What was drawn behind a fragment of the surface, where a ray ends that the surface bends; straight on where
// something is in front of it, or nothing is known.
fn behind(here: vec4<f32>, end: vec3<f32>) -> vec3<f32> {
    var pixel = here.xy;
#ifdef DEPTH_PREPASS
    let clip = view.clip_from_world * vec4(end, 1.0);
    let part = clip.xy / clip.w * vec2(0.5, -0.5) + 0.5;
    // Towards the picture's border less and less.
    let inner = min(part, 1.0 - part);
    let known = smoothstep(0.0, 0.1, min(inner.x, inner.y)) * step(0.0, clip.w);
    let bent = mix(pixel, part * view.viewport.zw + view.viewport.xy, known);
    pixel = select(pixel, bent, nearest_depth(bent) < here.z);
#endif
    let size = vec2<f32>(textureDimensions(view_transmission_texture));
    return textureSampleLevel(view_transmission_texture, view_transmission_sampler, pixel / size, 0.0).rgb;
}

// How far a ray goes on in the air, in metres: to what is seen of it.
const AIR: f32 = 500.0;
#endif

#ifdef WAVES
// Whether an eye, seen from the middle of the sea, is over its waves: it sees the far side of one only because water hides nothing.
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
    // What is behind is mixed in by hand, below.
    pbr_input.material.specular_transmission = 0.0;
#endif

    // The surface is a unit square scaled to the sea's extent along x and z: only its y
    // axis has the terrain's own scale.
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

    // Where patterns are the same whatever part of the plane the land is.
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

    // Light is swallowed along its way to the ground, which is longer at a flat angle.
    let v = to_eye / (distance * meter);
    let facing = clamp(dot(normal, v), 0.0, 1.0);
    var through = depth * (1.0 + 0.8 * (1.0 - facing));
#ifdef REFRACTION
    // Something may float above the ground.
    through = min(through, straight_on(in.position, in.world_position.xyz) / meter);
#endif
#ifdef INLAND
    through *= MURK;
#endif
    let way = through / water.attenuation_distance;
    let swallowed = 1.0 - exp(-way);
    // Schlick's approximation for water, whose reflectance at a right angle is 0.02.
    let mirror = 0.02 + 0.98 * pow(1.0 - facing, 5.0);

    let seen = 1.0 / (1.0 + distance * distance * 1e-5);
#ifdef INLAND
    let torn = streaks(in.uv, in.color.a);
    var foam = 0.92 * rapids(rough, torn, distance);
#else
    // Foam: a thin line where the water ends, and bands that run up to it; a river takes it along.
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
    // On crests, where it is torn by what is small.
    let crest = swell.z / water.deviation + 0.9 * fine + 0.5 * lap;
    foam = max(foam, water.whitecaps * smoothstep(2.5, 4.0, crest) * seen);
#endif

    var body = mix(water.shallow, water.deep, 1.0 - exp(-0.45 * way));
    var white = water.foam;
#ifdef INLAND
    // Water that is full of air is brighter, and foam is not of one white.
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
    let sky = mix(water.horizon, water.zenith, pow(clamp(up, 0.0, 1.0), 0.55));
    let shine = mirror * water.reflection * (1.0 - foam);
    let above = vec4(mix(lit.rgb, sky, shine), max(max(swallowed, mirror), foam));
    var color = select(from_below(facing, clamp(-up, 0.0, 1.0), foam), above, is_front);
#ifdef INLAND
    // It begins and ends in other water, and at its edge is as deep as nothing.
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
