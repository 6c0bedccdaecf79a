// Caustics: the pattern of light on the floor of shallow water.
//
// Ripples refract light by an angle that depends on their slope. A point x of the surface illuminates the point x + k
// s(x) of the floor, where s is the slope and k the depth times a constant for the refraction. The determinant of this
// mapping's derivative is the factor by which a patch of light shrinks, and the brightness is its inverse. The shader
// needs the inverse mapping, which it approximates by one step of a fixed-point iteration.
//
// The ripples are a few wave trains, each rotated by the golden angle relative to the previous one. No two have the
// same direction, and no repetition is visible.
#define_import_path lanternfell_terrain::caustics

#import lanternfell_terrain::waves::TAU

const TRAINS = 6;
// Turns per meter of the longest train, and the factors of frequency and curvature from one train to the next.
const LONGEST = 0.385;
const SHORTER = 1.282;
const FLATTER = 0.928;
// The curvature of the longest train. All together have a curvature of about 1.
const CURVATURE = 0.685;
const GOLDEN = mat2x2<f32>(-0.737369, 0.675490, -0.675490, -0.737369);

// The slope of the ripples and its derivatives: along x and y, and the mixed one.
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
        // Half the speed of real waves, which looks better, and a whole number of turns per hour, after which the time
        // wraps.
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

// The brightness of the floor relative to light without refraction, about 1 on average. `strength` is the amount of
// focusing: 0 at the surface, and with 0.7 the lines are sharp.
fn caustics(place: vec2<f32>, time: f32, strength: f32) -> f32 {
    let above = place - strength * bend_at(place, time).slope;
    let bend = bend_at(above, time);
    let along = 1.0 + strength * bend.along;
    let across = strength * bend.across;
    let size = abs(along.x * along.y - across * across);
    return min(0.88 / max(size, 0.12), 3.5);
}
