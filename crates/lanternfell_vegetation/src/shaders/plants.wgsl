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
    // xy: UV. zw: for impostors, UV in the top view.
    @location(2) uv: vec4<f32>,
    // w: 1 for leaves, which light shines through, else 0.
    @location(3) tint: vec4<f32>,
    // x: texture layer. y: how far this level has faded in. z: how far it has faded out. w: y of the root.
    @location(4) @interpolate(flat) shown: vec4<f32>,
    // Share of the top view in an impostor. -1 for meshes.
    @location(5) @interpolate(flat) top: f32,
#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    @location(6) unclipped_depth: f32,
#endif
}

const STEPS = 64.0;
const FURTHEST = 4096.0;
const FACES: i32 = 256;
const YAW: u32 = 9u;
const YAWS: f32 = 64.0;
// Must match `level.rs`.
const BAND = 0.08;
// Sines of the elevations of the camera between which an impostor changes from the side view to the top view. Chosen by
// eye.
const TOP_FROM = 0.65;
const TOP_TO = 0.9;

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

// An impostor: a card that faces the camera around the center of the plant.
struct Card {
    // From the root.
    offset: vec3<f32>,
    normal: vec3<f32>,
    top: f32,
    top_uv: vec2<f32>,
}

// `half_size` is half the width and height of the side view; `corner` is -1 or 1 to the right and up.
fn card(root: vec3<f32>, half_size: vec2<f32>, corner: vec2<f32>, yaw: f32) -> Card {
    var out: Card;
    var to_eye = normalize(view.world_position - root);
    if view.clip_from_view[3].w == 1.0 {
        to_eye = normalize(view.world_from_view[2].xyz);
    }
    let level = normalize(vec3(to_eye.x, 0.0, to_eye.z) + vec3(1e-5, 0.0, 0.0));
    let right = vec3(level.z, 0.0, -level.x);
    let up = cross(to_eye, right);
    // How high an ellipsoid of this size looks from here: from above, as high as it is wide.
    let high = length(half_size.yx * vec2(up.y, to_eye.y));
    out.offset = vec3(0.0, half_size.y, 0.0) + right * (corner.x * half_size.x) + up * (corner.y * high);
    out.top = smoothstep(TOP_FROM, TOP_TO, to_eye.y);
    // Normals like those of a rounded body: one side lit, the other dark.
    let aside = right * corner.x + level * 0.6 + vec3(0.0, 0.5 + 0.3 * corner.y, 0.0);
    let above = 0.7 * (right * corner.x - level * corner.y) + vec3(0.0, 1.0, 0.0);
    out.normal = normalize(mix(normalize(aside), normalize(above), out.top));
    // The top view lies still while the camera moves around it.
    let place = right.xz * corner.x - level.xz * corner.y;
    let turn = vec2(cos(yaw), sin(yaw));
    out.top_uv = 0.5 + 0.5 * vec2(dot(place, vec2(turn.x, -turn.y)), dot(place, turn.yx));
    return out;
}

@vertex
fn vertex(vertex: Vertex) -> Varying {
    var out: Varying;
    let world_from_local = mesh_functions::get_world_from_local(vertex.instance_index);
    let root = vec3<f32>(vertex.root.xyz) / STEPS;
    let world_root = (world_from_local * vec4(root, 1.0)).xyz;
    let layer = vertex.root.w & (FACES - 1);

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
    out.uv = vec4(vertex.uv * 32.0 - 16.0, 0.0, 0.0);
    out.tint = vec4(vertex.tint.rgb * 2.0, max(vertex.normal.w, 0.0));
    out.top = -1.0;
    var weight = vertex.tint.a;
    if (vertex.root.w & FACES) != 0 {
        let corner = vec2(2.0, -2.0) * out.uv.xy + vec2(-1.0, 1.0);
        let yaw = f32(vertex.root.w >> YAW) * (6.2831853 / YAWS);
        let card = card(world_root, abs(vertex.position - root).xy * scale, corner, yaw);
        offset = card.offset;
        world_position = world_root + offset;
        world_normal = card.normal;
        out.top = card.top;
        out.uv = vec4(out.uv.xy, card.top_uv);
        // The foot is darker than the head, and stands still.
        let rise = 0.5 + 0.5 * corner.y;
        out.tint *= vec4(vec3(mix(0.8 + 0.2 * rise, 0.95, card.top)), 1.0);
        weight *= mix(rise, 0.5, card.top);
    }
    world_position += swayed(world_root, offset, weight) + pressed(world_position, offset, weight);

    out.world_position = vec4(world_position, 1.0);
    out.world_normal = world_normal;
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
    let lot = gradient_noise(in.position.xy);
    // In between, each pixel shows one of the two views. A second dither, so that both do not select the same pixels.
    let is_top = fract(lot + 0.5) < in.top;
    let uv = select(in.uv.xy, in.uv.zw, is_top);
    let across = select(dpdx(in.uv.xy), dpdx(in.uv.zw), is_top);
    let down = select(dpdy(in.uv.xy), dpdy(in.uv.zw), is_top);
    let layer = i32(in.shown.x + 0.5) + i32(is_top);
    let color = textureSampleGrad(pictures, picture_sampler, uv, layer, across, down);
    // The texture repeats, and the corners of the card are outside the top view.
    let is_outside = is_top && any(abs(uv - 0.5) > vec2(0.5));
    if color.a < 0.5 || is_outside || lot >= in.shown.y || lot < in.shown.z {
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
