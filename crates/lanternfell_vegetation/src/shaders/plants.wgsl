// All plants: their level of detail, the wind in them, and their light.
//
// Every vertex knows its plant's root. How far the nearest camera is from there says whether this level of the
// plant is drawn: two levels that meet at a distance fade into each other, each in the pixels that the other leaves.

#import bevy_pbr::{
    mesh_functions,
    mesh_view_bindings::view,
    view_transformations::position_world_to_clip,
}

#ifdef PREPASS_PIPELINE
#ifdef PREPASS_FRAGMENT
#import bevy_pbr::prepass_io::FragmentOutput
#ifdef MOTION_VECTOR_PREPASS
#import bevy_pbr::pbr_prepass_functions::calculate_motion_vector
#endif
#endif
#else
#import bevy_pbr::{
    mesh_view_bindings::lights,
    mesh_types::MESH_FLAGS_SHADOW_RECEIVER_BIT,
    pbr_functions::{apply_pbr_lighting, calculate_view, main_pass_post_lighting_processing},
    pbr_types::{pbr_input_new, STANDARD_MATERIAL_FLAGS_ALPHA_MODE_MASK, STANDARD_MATERIAL_FLAGS_FOG_ENABLED_BIT},
}
#ifdef LIT_BY_IMAGE
#import lanternfell_terrain::ground_light::light_at
#endif
#endif

// As in `presence.rs`.
const EYES: i32 = 4;
const PRESSERS: i32 = 8;

struct Presence {
    // Where the wind blows to, metres per second, and its phase, which begins again after 64 turns: what it is multiplied
    // by is a whole number of 64ths.
    wind: vec4<f32>,
    // How many cameras and pressers there are, and how bright white is in the image's full light, in candela per square
    // metre.
    counts: vec4<f32>,
    eyes: array<vec4<f32>, EYES>,
    pressers: array<vec4<f32>, PRESSERS>,
    // From a place in the world to that on the image of light.
    light_u: vec4<f32>,
    light_v: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> presence: Presence;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var pictures: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var picture_sampler: sampler;
@group(#{MATERIAL_BIND_GROUP}) @binding(3) var light_image: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(4) var light_sampler: sampler;

// As in `merge.rs`.
struct Vertex {
    @builtin(instance_index) instance_index: u32,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec4<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) tint: vec4<f32>,
    @location(4) root: vec4<i32>,
    @location(5) range: vec2<f32>,
}

struct Varying {
    @builtin(position) position: vec4<f32>,
    @location(0) world_position: vec4<f32>,
    @location(1) world_normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    // In w whether it is a leaf, which light comes through: 1, or 0.
    @location(3) tint: vec4<f32>,
    // Layer of the picture; how much has come, and how much has gone; y of the root.
    @location(4) @interpolate(flat) shown: vec4<f32>,
#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    @location(5) unclipped_depth: f32,
#endif
}

const STEPS = 64.0;
const FURTHEST = 4096.0;
const FACES: i32 = 256;
// As in `level.rs`.
const BAND = 0.08;

// How far over a border a distance is: 0 before, 1 beyond.
fn beyond(away: f32, border: f32) -> f32 {
    let band = max(BAND * border, 0.25);
    return saturate((away - border) / (2.0 * band) + 0.5);
}

fn distance_to_eyes(place: vec3<f32>) -> f32 {
    var nearest = distance(presence.eyes[0].xyz, place);
    for (var eye = 1; eye < EYES; eye++) {
        nearest = min(nearest, distance(presence.eyes[eye].xyz, place));
    }
    return nearest;
}

// How far the wind moves something of that weight.
fn swayed(root: vec3<f32>, offset: vec3<f32>, weight: f32) -> vec3<f32> {
    let speed = presence.wind.z;
    let to = vec3(presence.wind.x, 0.0, presence.wind.y);
    let aside = vec3(-to.z, 0.0, to.x);
    let phase = presence.wind.w;
    // Gusts run over the land, with the wind.
    let along = dot(root, to);
    let gust = 0.6 + 0.4 * sin(0.11 * along - 0.5 * phase) * sin(0.043 * dot(root, aside) + 0.171875 * phase);
    let own = dot(root.xz, vec2(1.7, 2.3));
    let slow = sin(2.0 * phase + own);
    let quick = sin(6.0 * phase + 3.0 * own + 4.0 * (offset.x + offset.z));
    let reach = weight * (0.012 + 0.0035 * max(offset.y, 0.0)) * speed * gust;
    return (to * (0.55 + 0.45 * slow) + aside * (0.35 * quick) + vec3(0.0, 0.12 * quick, 0.0)) * reach;
}

// How far those who tread on it push something small aside.
fn pressed(place: vec3<f32>, offset: vec3<f32>, weight: f32) -> vec3<f32> {
    // Trees do not mind.
    let small = saturate(1.3 - offset.y) * min(weight * 3.0, 1.0);
    var push = vec3(0.0);
    for (var presser = 0; presser < PRESSERS; presser++) {
        let who = presence.pressers[presser];
        let away = place - who.xyz;
        let far = length(away);
        let near = saturate(1.0 - far / max(who.w, 0.01));
        let aside = away.xz / max(length(away.xz), 0.01);
        push += vec3(aside.x, -1.2, aside.y) * (near * offset.y);
    }
    return push * small;
}

@vertex
fn vertex(vertex: Vertex) -> Varying {
    var out: Varying;
    let world_from_local = mesh_functions::get_world_from_local(vertex.instance_index);
    let root = vec3<f32>(vertex.root.xyz) / STEPS;
    let world_root = (world_from_local * vec4(root, 1.0)).xyz;
    let faces = vertex.root.w >= FACES;
    let layer = vertex.root.w % FACES;

    // In metres of the terrain, which may be scaled.
    let scale = length(world_from_local[0].xyz);
    let away = distance_to_eyes(world_root) / scale;
    let range = vertex.range * FURTHEST;
    let has_come = select(beyond(away, range.x), 1.0, range.x <= 0.0);
    let has_gone = select(beyond(away, range.y), 0.0, range.y >= FURTHEST - 1.0);
    out.shown = vec4(f32(layer), has_come, has_gone, world_root.y);

    var world_position = (world_from_local * vec4(vertex.position, 1.0)).xyz;
    var world_normal = mesh_functions::mesh_normal_local_to_world(vertex.normal.xyz, vertex.instance_index);
    var offset = world_position - world_root;
    if faces {
        // Upright, and leaning back for who looks down on it, so that it does not become thin.
        var to_eye = normalize(view.world_position - world_root);
        if view.clip_from_view[3].w == 1.0 {
            to_eye = normalize(view.world_from_view[2].xyz);
        }
        let level = normalize(vec3(to_eye.x, 0.0, to_eye.z) + vec3(1e-5, 0.0, 0.0));
        let right = vec3(level.z, 0.0, -level.x);
        let lean = 0.75 * asin(clamp(to_eye.y, 0.0, 1.0));
        let up = vec3(0.0, cos(lean), 0.0) - level * sin(lean);
        let card = (vertex.position - root) * scale;
        offset = right * card.x + up * card.y;
        world_position = world_root + offset;
        world_normal = normalize(right * vertex.normal.x + vec3(0.0, vertex.normal.y, 0.0) + level * vertex.normal.z);
    }
    let weight = vertex.tint.a;
    world_position += swayed(world_root, offset, weight) + pressed(world_position, offset, weight);

    out.world_position = vec4(world_position, 1.0);
    out.world_normal = world_normal;
    out.uv = vertex.uv * 32.0 - 16.0;
    out.tint = vec4(vertex.tint.rgb * 2.0, max(vertex.normal.w, 0.0));
    out.position = position_world_to_clip(world_position);
    if has_come <= 0.0 || has_gone >= 1.0 {
        // All corners of a plant in one place have no area.
        out.position = vec4(2.0, 2.0, 2.0, 1.0);
    }
#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    out.unclipped_depth = out.position.z;
    out.position.z = min(out.position.z, 1.0);
#endif
    return out;
}

// Jimenez, "Next generation post processing in Call of Duty: Advanced Warfare", 2014: each pixel another number, evenly.
fn gradient_noise(pixel: vec2<f32>) -> f32 {
    return fract(52.9829189 * fract(dot(floor(pixel), vec2(0.06711056, 0.00583715))));
}

// The picture's color here; nothing where it has a hole or another level is drawn.
fn covered(in: Varying) -> vec4<f32> {
    let color = textureSample(pictures, picture_sampler, in.uv, i32(in.shown.x + 0.5));
    let lot = gradient_noise(in.position.xy);
    if color.a < 0.5 || lot >= in.shown.y || lot < in.shown.z {
        discard;
    }
    return color;
}

#ifdef PREPASS_PIPELINE
#ifdef PREPASS_FRAGMENT
@fragment
fn fragment(in: Varying) -> FragmentOutput {
    var out: FragmentOutput;
    let color = covered(in);
#ifdef NORMAL_PREPASS
    out.normal = vec4(normalize(in.world_normal) * 0.5 + 0.5, 1.0);
#endif
#ifdef MOTION_VECTOR_PREPASS
    // Of the camera's motion; what the wind does in a frame is little.
    out.motion_vector = calculate_motion_vector(in.world_position, in.world_position);
#endif
#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    out.frag_depth = in.unclipped_depth;
#endif
    return out;
}
#else
@fragment
fn fragment(in: Varying) {
    let color = covered(in);
}
#endif
#else
// How far leaves turn to the sun, chosen by eye: less than 1, so that there always is a normal.
const TRANSMISSION: f32 = 0.7;

// How much of the sky's light comes through a leaf from its other side, as a share of what this side throws back,
// chosen by eye.
const THROUGH: f32 = 1.0;

// So many metres above its root a plant has half of the light that falls on the ground, chosen by eye.
const LIT_HEIGHT: f32 = 5.0;

@fragment
fn fragment(in: Varying) -> @location(0) vec4<f32> {
    let color = covered(in);
    var input = pbr_input_new();
    input.material.base_color = vec4(color.rgb * in.tint.rgb, 1.0);
    input.material.perceptual_roughness = 0.85;
    // A leaf's shine seen against the sun would be gray.
    input.material.reflectance = vec3(mix(0.25, 0.08, in.tint.w));
    input.material.flags = STANDARD_MATERIAL_FLAGS_FOG_ENABLED_BIT | STANDARD_MATERIAL_FLAGS_ALPHA_MODE_MASK;
#ifdef LIT_BY_IMAGE
    let light = light_at(light_image, light_sampler, presence.light_u, presence.light_v, in.world_position.xyz);
    // It is that on the ground: high crowns have less of it.
    let above = max(in.world_position.y - in.shown.w, 0.0) / LIT_HEIGHT;
    let lit = light * (presence.counts.z / (1.0 + above * above));
    input.material.emissive = vec4(input.material.base_color.rgb * lit, 1.0);
#endif
    input.frag_coord = in.position;
    input.world_position = in.world_position;
    input.is_orthographic = view.clip_from_view[3].w == 1.0;
    input.world_normal = normalize(in.world_normal);
    // Leaves that look away from the sun glow with the light that comes through them: as if they were half turned to it.
    let sun = lights.directional_lights[0];
    // As far as it shines: without a sun another light is left as it falls.
    let direct = max(sun.color.r, sun.color.g) / 3.14159;
    let share = direct / max(direct + lights.ambient_color.g, 1e-6);
    input.N = normalize(input.world_normal + sun.direction_to_light * (TRANSMISSION * share * in.tint.w));
    input.diffuse_occlusion = vec3(1.0 + THROUGH * in.tint.w);
    input.V = calculate_view(in.world_position, input.is_orthographic);
    input.flags = MESH_FLAGS_SHADOW_RECEIVER_BIT;
    return main_pass_post_lighting_processing(input, apply_pbr_lighting(input));
}
#endif
