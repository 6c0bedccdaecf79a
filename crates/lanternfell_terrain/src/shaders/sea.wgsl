// What the water's vertices and its fragments both know: the settings, the ground below, the waves.
#define_import_path lanternfell_terrain::sea

#import bevy_pbr::mesh_view_bindings::globals
#import lanternfell_terrain::waves::{sharpen, train_at, Train}

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
    // How far the sea reaches.
    extent: f32,
    // One divided by metres: how sharp crests are.
    sharpening: f32,
    // The depth, in wavelengths, from which on waves are full.
    shoal: f32,
    // The standard deviation of the waves' height in metres, above 0.
    deviation: f32,
    // How much foam is on crests.
    whitecaps: f32,
    // What glimmers on all sides of one who is under water.
    glimmer: vec3<f32>,
    // How bright white water is in the full light of an image.
    luminance: f32,
    // From a place in the world to that image.
    light_u: vec4<f32>,
    light_v: vec4<f32>,
    trains: array<Train, 8>,
    // Here and not by itself: with WebGL2's limits there is room for no more uniform buffers.
    seas: Seas,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> water: Water;
// The height of the ground in metres, a texel for each cell or for each few cells. Its lowest bit is set where a
// river runs out.
@group(#{MATERIAL_BIND_GROUP}) @binding(101) var ground: texture_2d<f32>;

fn ground_texel(at: vec2<i32>) -> vec2<f32> {
    let last = vec2<i32>(textureDimensions(ground)) - 1;
    let height = textureLoad(ground, clamp(at, vec2(0), last), 0).r;
    return vec2(height, f32(bitcast<u32>(height) & 1u));
}

// The ground's height at a place, and how much of it is a river's mouth; between texels by hand: WebGL2 does not
// filter floats.
fn ground_at(place: vec2<f32>) -> vec2<f32> {
    let texel = (place + water.half_extent) * water.texels_per_meter;
    let base = floor(texel);
    let f = texel - base;
    let i = vec2<i32>(base);
    let north = mix(ground_texel(i), ground_texel(i + vec2(1, 0)), f.x);
    let south = mix(ground_texel(i + vec2(0, 1)), ground_texel(i + vec2(1, 1)), f.x);
    return mix(north, south, f.y);
}

// How deep the sea seems, in attenuation distances, where so much of the way to the border is behind: in the end as
// dark as another sea that goes on there.
fn deepness(fall: f32) -> f32 {
    let squared = fall * fall;
    let fourth = squared * squared;
    return 6.0 * squared + 8.0 * fourth * fourth;
}

// How deep the water is, and how much of the place is a river's mouth. The sea floor seems to fall away towards the
// land's border, along a square with round corners, so that the border itself is lost in the deep.
fn depth_and_mouth_at(place: vec2<f32>) -> vec2<f32> {
    let part = abs(place) / water.half_extent;
    let squared = part * part;
    let rim = sqrt(sqrt(dot(squared, squared)));
    let fall = smoothstep(0.55, 1.0, rim);
    let outside = length(max(abs(place) - water.half_extent, vec2(0.0)));
    // Land that is high where it ends does not go on beyond.
    let highest = select(1e30, water.level, water.rim * outside > 0.0);
    let bed = ground_at(place);
    let depth = water.level - min(bed.x, highest)
        + water.rim * (water.attenuation_distance * deepness(fall) + 0.5 * outside);
    return vec2(depth, bed.y);
}

fn depth_at(place: vec2<f32>) -> f32 {
    return depth_and_mouth_at(place).x;
}

// The height of the waves above the level sea where they are drawn, with the slope in xy: each train as long as it
// is several cells of the mesh long.
fn drawn_swell(place: vec2<f32>, depth: f32, distance: f32) -> vec3<f32> {
    var sum = vec3(0.0);
    for (var k = 0; k < 8; k++) {
        let train = water.trains[k];
        let drawn = 1.0 - smoothstep(4.0, 8.0, distance / train.length);
        sum += drawn * train_at(train, place, globals.time, depth / water.shoal);
    }
    return sharpen(sum, water.sharpening);
}

// The same for light and shade, as far as a pixel is finer than a train.
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
