// Caustics: the net of light on the bed of shallow water.
//
// Ripples bend light aside by their slope, the further the deeper it goes: a place x of the surface lights the place
// x + k s(x) of the bed, s the slope and k the depth by what bending leaves of it. How much a patch of light shrinks on
// that way is the determinant of the map's derivative, and its inverse is how bright the bed is there. The bed asks
// backwards, by one step of a fixed point.
//
// The ripples are a few trains of waves, each turned by the golden angle against the one before: no two run alike,
// and nothing is seen to repeat.
#define_import_path lanternfell_terrain::caustics

#import lanternfell_terrain::waves::TAU

const TRAINS = 6;
// Turns per metre of the longest, how much shorter each further one is, and how much less steep.
const LONGEST = 0.385;
const SHORTER = 1.282;
const FLATTER = 0.928;
// Of the longest: all together have a curvature of about 1.
const CURVATURE = 0.685;
const GOLDEN = mat2x2<f32>(-0.737369, 0.675490, -0.675490, -0.737369);

// What the ripples do to light: its slope, and how that changes along x, along y and across.
struct Bend {
    slope: vec2<f32>,
    along: vec2<f32>,
    across: f32,
}

fn bend_at(place: vec2<f32>, time: f32) -> Bend {
    var bend = Bend(vec2(0.0), vec2(0.0), 0.0);
    var direction = vec2(0.955, 0.296);
    var turns = LONGEST;
    var curvature = CURVATURE;
    for (var k = 0; k < TRAINS; k++) {
        // Half as fast as waves of that length are, which pleases; whole turns in the hour after which time begins anew.
        let frequency = round(0.5 * sqrt(9.81 * turns / TAU) * 3600.0) / 3600.0;
        let phase = TAU * fract(turns * dot(direction, place) - frequency * time + 0.27 * f32(k));
        bend.slope += direction * (cos(phase) * curvature / (TAU * turns));
        let change = sin(phase) * curvature;
        bend.along -= direction * direction * change;
        bend.across -= direction.x * direction.y * change;
        direction = GOLDEN * direction;
        turns *= SHORTER;
        curvature *= FLATTER;
    }
    return bend;
}

// How much brighter the bed is at a place, beside light that is not bent: about 1 in the mean. `strength` is how far
// light has come together: 0 at the surface, and with 0.7 the lines are sharp.
fn caustics(place: vec2<f32>, time: f32, strength: f32) -> f32 {
    let above = place - strength * bend_at(place, time).slope;
    let bend = bend_at(above, time);
    let along = 1.0 + strength * bend.along;
    let across = strength * bend.across;
    let size = abs(along.x * along.y - across * across);
    return min(0.88 / max(size, 0.12), 3.5);
}
