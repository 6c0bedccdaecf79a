// Definitions for both the vertex and the fragment shader of water: settings, sea floor, waves.
#define_import_path lanternfell_terrain::sea

#import bevy_pbr::mesh_view_bindings::globals
#import lanternfell_terrain::waves::{sharpen, train_at, Train}

// The data of a sea that its neighbors need.
struct OtherSea {
    // Maps a world position to the terrain of the sea, from -1 to 1 along both axes.
    east: vec4<f32>,
    south: vec4<f32>,
    // The extent of the sea, in units of half the terrain's size.
    reach: vec2<f32>,
    // 1 if this sea comes first beyond all terrains, otherwise 0.
    is_first: f32,
    unused: f32,
}

// This sea and its neighbors. Unused if there are no neighbors.
struct Seas {
    own: OtherSea,
    others: array<OtherSea, 8>,
    // The number of neighbors, in x.
    count: vec4<u32>,
}

// Colors are linear, lengths in meters. Each color and the number after it fill 16 bytes.
struct Water {
    shallow: vec3<f32>,
    // The length of the path through water after which a third of the light remains.
    attenuation_distance: f32,
    deep: vec3<f32>,
    // The strength of the ripples.
    ripples: f32,
    foam: vec3<f32>,
    // The depth up to which there is foam.
    foam_depth: f32,
    // The color of the sky at the horizon.
    horizon: vec3<f32>,
    // The strength of the sky reflection.
    reflection: f32,
    // The color of the sky overhead.
    zenith: vec3<f32>,
    // y of the surface, in the terrain's local space.
    level: f32,
    // Half the size of the terrain along x and z.
    half_extent: vec2<f32>,
    // The resolution of the height texture along both axes.
    texels_per_meter: vec2<f32>,
    // Position of the terrain's center on the plane to which noise is anchored.
    place: vec2<f32>,
    // 1 if the sea floor falls away at the border, 0 if terrain continues beyond it.
    rim: f32,
    // The extent of the sea.
    extent: f32,
    // The sharpness of crests, in 1/meter.
    sharpening: f32,
    // The depth, in wavelengths, from which on waves have their full height.
    shoal: f32,
    // The standard deviation of the wave height, above 0.
    deviation: f32,
    // The amount of foam on crests.
    whitecaps: f32,
    // The light scattered inside the water, seen from under water.
    glimmer: vec3<f32>,
    // The luminance of white water in the full light of an image.
    luminance: f32,
    // Maps a world position to a texture coordinate of that image.
    light_u: vec4<f32>,
    light_v: vec4<f32>,
    trains: array<Train, 8>,
    // Part of this struct because the limits of WebGL2 leave no room for another uniform buffer.
    seas: Seas,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> water: Water;
// The terrain height in meters, one texel per cell or per several cells. The lowest bit is set at the mouth of a river.
@group(#{MATERIAL_BIND_GROUP}) @binding(101) var ground: texture_2d<f32>;

fn ground_texel(at: vec2<i32>) -> vec2<f32> {
    let last = vec2<i32>(textureDimensions(ground)) - 1;
    let height = textureLoad(ground, clamp(at, vec2(0), last), 0).r;
    return vec2(height, f32(bitcast<u32>(height) & 1u));
}

// The terrain height at a position (x), and how much of the position is the mouth of a river (y). Interpolated by hand,
// because WebGL2 does not filter 32-bit floats.
fn ground_at(place: vec2<f32>) -> vec2<f32> {
    let texel = (place + water.half_extent) * water.texels_per_meter;
    let base = floor(texel);
    let f = texel - base;
    let i = vec2<i32>(base);
    let north = mix(ground_texel(i), ground_texel(i + vec2(1, 0)), f.x);
    let south = mix(ground_texel(i + vec2(0, 1)), ground_texel(i + vec2(1, 1)), f.x);
    return mix(north, south, f.y);
}

// The additional apparent depth in attenuation distances, where `fall` goes from 0 to 1 toward the border. At the
// border the water is as dark as that of another sea that continues there.
fn deepness(fall: f32) -> f32 {
    let squared = fall * fall;
    let fourth = squared * squared;
    return 6.0 * squared + 8.0 * fourth * fourth;
}

// The depth of the water (x), and how much of the position is the mouth of a river (y). The sea floor falls away toward
// the border of the terrain, along a square with rounded corners, so that the border itself is hidden in deep water.
fn depth_and_mouth_at(place: vec2<f32>) -> vec2<f32> {
    let part = abs(place) / water.half_extent;
    let squared = part * part;
    let rim = sqrt(sqrt(dot(squared, squared)));
    let fall = smoothstep(0.55, 1.0, rim);
    let outside = length(max(abs(place) - water.half_extent, vec2(0.0)));
    // Terrain above the sea at the border does not continue beyond it.
    let highest = select(1e30, water.level, water.rim * outside > 0.0);
    let bed = ground_at(place);
    let depth = water.level - min(bed.x, highest)
        + water.rim * (water.attenuation_distance * deepness(fall) + 0.5 * outside);
    return vec2(depth, bed.y);
}

fn depth_at(place: vec2<f32>) -> f32 {
    return depth_and_mouth_at(place).x;
}

// The displacement of the waves as rendered (z) and its slope (xy). Each train fades out with distance, where it gets
// too short for the cells of the mesh.
fn drawn_swell(place: vec2<f32>, depth: f32, distance: f32) -> vec3<f32> {
    var sum = vec3(0.0);
    for (var k = 0; k < 8; k++) {
        let train = water.trains[k];
        let drawn = 1.0 - smoothstep(4.0, 8.0, distance / train.length);
        sum += drawn * train_at(train, place, globals.time, depth / water.shoal);
    }
    return sharpen(sum, water.sharpening);
}

// The same for shading. Each train fades out where it gets shorter than a pixel.
fn seen_swell(place: vec2<f32>, depth: f32, distance: f32) -> vec3<f32> {
    var sum = vec3(0.0);
    for (var k = 0; k < 8; k++) {
        let train = water.trains[k];
        let across = distance / (28.0 * train.length);
        let seen = 1.0 / (1.0 + across * across);
        sum += seen * train_at(train, place, globals.time, depth / water.shoal);
    }
    return sharpen(sum, water.sharpening);
}
