// The waves of a sea. The same sum as in `waves.rs`, which documents it.
#define_import_path lanternfell_terrain::waves

const TAU: f32 = 6.283185307;

// One wave train.
struct Train {
    // Turns per meter.
    turns: vec2<f32>,
    // Turns per second.
    frequency: f32,
    // In turns.
    phase: f32,
    // Meters.
    amplitude: f32,
    // Meters from crest to crest.
    length: f32,
    unused: vec2<f32>,
}

// The height (z) and slope (xy) of one train at a position. `depth` is the depth of the water divided by `shoal`.
fn train_at(train: Train, place: vec2<f32>, time: f32, depth: f32) -> vec3<f32> {
    let turns = dot(train.turns, place) - train.frequency * time + train.phase;
    let angle = TAU * fract(turns);
    let high = train.amplitude * smoothstep(0.0, 1.0, depth / train.length);
    return high * vec3(-TAU * train.turns * sin(angle), cos(angle));
}

// Makes crests sharper and troughs flatter.
fn sharpen(swell: vec3<f32>, sharpening: f32) -> vec3<f32> {
    let steeper = 1.0 + sharpening * swell.z;
    return vec3(swell.xy * steeper, swell.z * (0.5 + 0.5 * steeper));
}
