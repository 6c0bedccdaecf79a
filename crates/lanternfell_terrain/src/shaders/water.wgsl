// A sea that is clear where it is shallow, deep-colored where it is deep, with moving
// ripples, a line of foam along the coast and a reflection of the sky.
//
// Only its normals and its foam move: the surface stays level, so that a game may ask how
// deep the water is.

#import bevy_pbr::{
    forward_io::{VertexOutput, FragmentOutput},
    mesh_functions::get_world_from_local,
    mesh_view_bindings::{globals, view},
    pbr_fragment::pbr_input_from_standard_material,
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
}
#import lanternfell_terrain::noise::value_noise

// A sea, as far as another one is to know of it.
struct OtherSea {
    // From a point of the world to where it lies on the land, from -1 to 1 along both axes.
    east: vec4<f32>,
    south: vec4<f32>,
    // How far the sea reaches, in half lands.
    reach: vec2<f32>,
    // Whether it comes first beyond all lands: 1, or 0.
    is_first: f32,
    unused: f32,
}

// This sea among those around it; nothing is said where there are none.
struct Seas {
    own: OtherSea,
    others: array<OtherSea, 8>,
    // In x.
    count: vec4<u32>,
}

// Colors are linear, lengths in metres. Each color and the number after it fill 16 bytes.
struct Water {
    shallow: vec3<f32>,
    // The way through water after which a third of the light is left.
    attenuation_distance: f32,
    deep: vec3<f32>,
    // Their strength.
    ripples: f32,
    foam: vec3<f32>,
    // The depth up to which there is foam.
    foam_depth: f32,
    // The sky's color at the horizon.
    horizon: vec3<f32>,
    // How strongly the sky is reflected.
    reflection: f32,
    // The sky's color overhead.
    zenith: vec3<f32>,
    // y of the surface, in the terrain's frame.
    level: f32,
    // Of the land, along x and z.
    half_extent: vec2<f32>,
    // Of the image of heights, along both.
    texels_per_meter: vec2<f32>,
    // Of the middle of the land on the plane that noise is strewn over.
    place: vec2<f32>,
    // How deep the sea seems along the border: 0 where land goes on beyond.
    rim: f32,
    unused: f32,
    // Here and not by itself: with WebGL2's limits there is room for no more uniform buffers.
    seas: Seas,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> water: Water;
// The height of the ground in metres, a texel for each cell or for each few cells.
@group(#{MATERIAL_BIND_GROUP}) @binding(101) var ground: texture_2d<f32>;

fn ground_texel(at: vec2<i32>) -> f32 {
    let last = vec2<i32>(textureDimensions(ground)) - 1;
    return textureLoad(ground, clamp(at, vec2(0), last), 0).r;
}

// The ground's height at a place, between texels by hand: WebGL2 does not filter floats.
fn ground_height(place: vec2<f32>) -> f32 {
    let texel = (place + water.half_extent) * water.texels_per_meter;
    let base = floor(texel);
    let f = texel - base;
    let i = vec2<i32>(base);
    let north = mix(ground_texel(i), ground_texel(i + vec2(1, 0)), f.x);
    let south = mix(ground_texel(i + vec2(0, 1)), ground_texel(i + vec2(1, 1)), f.x);
    return mix(north, south, f.y);
}

// How deep the sea seems, in attenuation distances, where so much of the way to the border is behind.
fn deepness(fall: f32) -> f32 {
#ifdef SEVERAL_SEAS
    // As dark as another sea that goes on there.
    return 6.0 * fall * fall + 8.0 * pow(fall, 8.0);
#else
    return 6.0 * fall * fall;
#endif
}

// How deep the water is. The sea floor seems to fall away towards the land's border, along
// a square with round corners, so that the border itself is lost in the deep.
fn depth_at(place: vec2<f32>) -> f32 {
    let part = abs(place) / water.half_extent;
    let squared = part * part;
    let rim = sqrt(sqrt(dot(squared, squared)));
    let fall = smoothstep(0.55, 1.0, rim);
    let outside = length(max(abs(place) - water.half_extent, vec2(0.0)));
    // Land that is high where it ends does not go on beyond.
    let highest = select(1e30, water.level, water.rim * outside > 0.0);
    return water.level - min(ground_height(place), highest)
        + water.rim * (water.attenuation_distance * deepness(fall) + 0.5 * outside);
}

// The slope of the ripples: four sizes of noise, drifting in different directions.
fn ripples(place: vec2<f32>, distance: f32) -> vec2<f32> {
    let t = globals.time;
    var slope = vec2(0.0);
    var scale = 0.045;
    var strength = 0.9;
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

    // The surface is a unit square scaled to the sea's extent along x and z: only its y
    // axis has the terrain's own scale.
    let frame = get_world_from_local(in.instance_index);
    let meter = length(frame[1].xyz);
    let up_axis = frame[1].xyz / meter;
    let east = normalize(frame[0].xyz);
    let south = normalize(frame[2].xyz);
    let offset = in.world_position.xyz - frame[3].xyz;
    let place = vec2(dot(offset, east), dot(offset, south)) / meter;
    let depth = max(depth_at(place), 0.0);
    let to_eye = view.world_position.xyz - in.world_position.xyz;
    let distance = length(to_eye) / meter;

    // Where patterns are the same whatever part of the plane the land is.
    let on_plane = place + water.place;
    let slope = ripples(on_plane, distance) * (0.35 + 0.65 * smoothstep(0.0, 1.5, depth));
    let side = select(-1.0, 1.0, is_front);
    let normal = normalize(up_axis - east * slope.x - south * slope.y) * side;
    pbr_input.N = normal;

    // Light is swallowed along its way to the ground, which is longer at a flat angle.
    let v = to_eye / (distance * meter);
    let facing = clamp(dot(normal, v), 0.0, 1.0);
    let way = depth * (1.0 + 0.8 * (1.0 - facing)) / water.attenuation_distance;
    let swallowed = 1.0 - exp(-way);
    // Schlick's approximation for water, whose reflectance at a right angle is 0.02.
    let mirror = 0.02 + 0.98 * pow(1.0 - facing, 5.0);

    // Foam: a thin line where the water ends, and bands that run up to it.
    let lap = value_noise(vec3(on_plane * 0.35, globals.time * 0.25)).w;
    let fine = value_noise(vec3(on_plane * 1.9, globals.time * 0.5)).w;
    let reach = depth / max(water.foam_depth, 0.001);
    let edge = 1.0 - smoothstep(0.10, 0.38, reach + 0.16 * fine + 0.12 * lap);
    let wave = sin(6.5 * reach + 1.1 * globals.time + 3.0 * lap);
    let bands = smoothstep(0.72, 1.0, wave + 0.30 * fine) * (1.0 - smoothstep(0.2, 1.0, reach));
    let seen = 1.0 / (1.0 + distance * distance * 1e-5);
    let foam = clamp(edge * 0.75 + bands * 0.45, 0.0, 1.0) * seen * step(0.001, water.foam_depth);

    let body = mix(water.shallow, water.deep, 1.0 - exp(-0.45 * way));
    pbr_input.material.base_color = vec4(mix(body, water.foam, foam), 1.0);
    pbr_input.material.perceptual_roughness = mix(0.12, 0.6, max(foam, smoothstep(150.0, 3000.0, distance) * 0.5));
    var out: FragmentOutput;
    let lit = apply_pbr_lighting(pbr_input);

    let reflected = reflect(-v, normal);
    let up = clamp(dot(reflected, up_axis), 0.0, 1.0);
    let sky = mix(water.horizon, water.zenith, pow(up, 0.55));
    let shine = mirror * water.reflection * (1.0 - foam) * select(0.0, 1.0, is_front);
    let color = mix(lit.rgb, sky, shine);
    let alpha = max(max(swallowed, mirror), foam);
    out.color = main_pass_post_lighting_processing(pbr_input, vec4(color, alpha));
    return out;
}
