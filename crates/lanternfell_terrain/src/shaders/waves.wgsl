// The waves of a sea: the same sum as in waves.rs, which says how it is made.
#define_import_path lanternfell_terrain::waves

const TAU: f32 = 6.283185307;

// One train of waves.
struct Train {
    // Turns per metre.
    turns: vec2<f32>,
    // Turns per second.
    frequency: f32,
    // In turns.
    phase: f32,
    // Metres.
    amplitude: f32,
    // Metres from crest to crest.
    length: f32,
    unused: vec2<f32>,
}

// Height in z and slope in xy of one train at a place, over ground that is so many wavelengths deep.
fn train_at(train: Train, place: vec2<f32>, time: f32, depth: f32) -> vec3<f32> {
    let turns = dot(train.turns, place) - train.frequency * time + train.phase;
    let angle = TAU * fract(turns);
    let high = train.amplitude * smoothstep(0.0, 1.0, depth / train.length);
    return high * vec3(-TAU * train.turns * sin(angle), cos(angle));
}

// Sharper crests, flatter troughs.
fn sharpen(swell: vec3<f32>, sharpening: f32) -> vec3<f32> {
    let steeper = 1.0 + sharpening * swell.z;
    return vec3(swell.xy * steeper, swell.z * (0.5 + 0.5 * steeper));
}
