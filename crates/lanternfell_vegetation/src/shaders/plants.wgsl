// Shader of all plants: level of detail, wind and lighting.
//
// Every vertex stores the root of its plant. The distance from the nearest camera to the root decides whether this
// level is drawn. Where two levels meet, they are dithered: each pixel shows one of them.

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

// Must match `presence.rs`.
const EYES: i32 = 4;
const PRESSERS: i32 = 8;

struct Presence {
    // Direction (xy), speed in m/s (z) and phase (w) of the wind. The phase wraps after 64 turns, so all factors of it
    // must be multiples of 1/64.
    wind: vec4<f32>,
    // Number of cameras (x) and pressers (y). Luminance of white in the full light of the light map, in cd/m² (z).
    counts: vec4<f32>,
    eyes: array<vec4<f32>, EYES>,
    pressers: array<vec4<f32>, PRESSERS>,
    // Transform from world positions to UVs of the light map.
    light_u: vec4<f32>,
    light_v: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> presence: Presence;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var pictures: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var picture_sampler: sampler;
@group(#{MATERIAL_BIND_GROUP}) @binding(3) var light_image: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(4) var light_sampler: sampler;

// Must match `merge.rs`.
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
    // w: 1 for leaves, which light shines through, else 0.
    @location(3) tint: vec4<f32>,
    // x: texture layer. y: how far this level has faded in. z: how far it has faded out. w: y of the root.
    @location(4) @interpolate(flat) shown: vec4<f32>,
#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    @location(5) unclipped_depth: f32,
#endif
}

const STEPS = 64.0;
const FURTHEST = 4096.0;
const FACES: i32 = 256;
// Must match `level.rs`.
const BAND = 0.08;

// How far a distance is beyond a border: 0 before, 1 after, linear within the band.
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

// Displacement of a vertex by the wind.
fn swayed(root: vec3<f32>, offset: vec3<f32>, weight: f32) -> vec3<f32> {
    let speed = presence.wind.z;
    let to = vec3(presence.wind.x, 0.0, presence.wind.y);
    let aside = vec3(-to.z, 0.0, to.x);
    let phase = presence.wind.w;
    // Gusts move across the terrain with the wind.
    let along = dot(root, to);
    let gust = 0.6 + 0.4 * sin(0.11 * along - 0.5 * phase) * sin(0.043 * dot(root, aside) + 0.171875 * phase);
    let own = dot(root.xz, vec2(1.7, 2.3));
    let slow = sin(2.0 * phase + own);
    let quick = sin(6.0 * phase + 3.0 * own + 4.0 * (offset.x + offset.z));
    let reach = weight * (0.012 + 0.0035 * max(offset.y, 0.0)) * speed * gust;
    return (to * (0.55 + 0.45 * slow) + aside * (0.35 * quick) + vec3(0.0, 0.12 * quick, 0.0)) * reach;
}

// Displacement of a vertex by pressers.
fn pressed(place: vec3<f32>, offset: vec3<f32>, weight: f32) -> vec3<f32> {
    // Only small plants bend.
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

    // In meters of the terrain, which may be scaled.
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
        // Upright, but leaning back when seen from above, so that it does not become thin.
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
        // Move all vertices to one point, so that the triangles have no area.
        out.position = vec4(2.0, 2.0, 2.0, 1.0);
    }
#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    out.unclipped_depth = out.position.z;
    out.position.z = min(out.position.z, 1.0);
#endif
    return out;
}

// Interleaved gradient noise, evenly distributed per pixel (Jimenez, "Next generation post processing in Call of Duty:
// Advanced Warfare", 2014).
fn gradient_noise(pixel: vec2<f32>) -> f32 {
    return fract(52.9829189 * fract(dot(floor(pixel), vec2(0.06711056, 0.00583715))));
}

// Samples the texture. Discards holes and pixels that another level draws.
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
    // Only the camera's motion; the motion in the wind is small.
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
// How far leaf normals turn toward the sun, chosen by eye. Must be less than 1, so that the normal is never zero.
const TRANSMISSION: f32 = 0.7;

// How much sky light shines through a leaf from behind, relative to the light reflected by the front. Chosen by eye.
const THROUGH: f32 = 1.0;

// Height in meters above the root at which a plant gets half of the light map's light. Chosen by eye.
const LIT_HEIGHT: f32 = 5.0;

@fragment
fn fragment(in: Varying) -> @location(0) vec4<f32> {
    let color = covered(in);
    var input = pbr_input_new();
    input.material.base_color = vec4(color.rgb * in.tint.rgb, 1.0);
    input.material.perceptual_roughness = 0.85;
    // Less specular reflection on leaves: seen against the sun, it would look gray.
    input.material.reflectance = vec3(mix(0.25, 0.08, in.tint.w));
    input.material.flags = STANDARD_MATERIAL_FLAGS_FOG_ENABLED_BIT | STANDARD_MATERIAL_FLAGS_ALPHA_MODE_MASK;
#ifdef LIT_BY_IMAGE
    let light = light_at(light_image, light_sampler, presence.light_u, presence.light_v, in.world_position.xyz);
    // The light map holds light at ground level; crowns get less with height.
    let above = max(in.world_position.y - in.shown.w, 0.0) / LIT_HEIGHT;
    let lit = light * (presence.counts.z / (1.0 + above * above));
    input.material.emissive = vec4(input.material.base_color.rgb * lit, 1.0);
#endif
    input.frag_coord = in.position;
    input.world_position = in.world_position;
    input.is_orthographic = view.clip_from_view[3].w == 1.0;
    input.world_normal = normalize(in.world_normal);
    // Leaves that face away from the sun transmit its light: bend their normals toward it.
    let sun = lights.directional_lights[0];
    // Scale by the share of sunlight, so that other lights are not affected when there is no sun.
    let direct = max(sun.color.r, sun.color.g) / 3.14159;
    let share = direct / max(direct + lights.ambient_color.g, 1e-6);
    input.N = normalize(input.world_normal + sun.direction_to_light * (TRANSMISSION * share * in.tint.w));
    input.diffuse_occlusion = vec3(1.0 + THROUGH * in.tint.w);
    input.V = calculate_view(in.world_position, input.is_orthographic);
    input.flags = MESH_FLAGS_SHADOW_RECEIVER_BIT;
    return main_pass_post_lighting_processing(input, apply_pbr_lighting(input));
}
#endif
