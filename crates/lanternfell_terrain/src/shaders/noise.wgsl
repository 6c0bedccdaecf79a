// Value noise with derivatives, for small details of the terrain and the water.
//
// The hash is integer-based (PCG; Jarzynski and Olano, "Hash Functions for GPU Rendering", 2020), so the pattern is the
// same on every GPU and does not degrade far from the origin.
#define_import_path lanternfell_terrain::noise

fn hash(cell: vec3<i32>) -> f32 {
    var v = bitcast<vec3<u32>>(cell) * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> vec3(16u);
    v.x += v.y * v.z;
    return f32(v.x >> 8u) * (1.0 / 16777216.0);
}

// Value noise in [-1, 1] (w) and its gradient (xyz).
fn value_noise(p: vec3<f32>) -> vec4<f32> {
    let base = floor(p);
    let f = p - base;
    let i = vec3<i32>(base);
    // Quintic interpolation: the second derivative is continuous, so no grid is visible in the shading.
    let u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    let du = 30.0 * f * f * (f * (f - 2.0) + 1.0);
    let a = hash(i);
    let b = hash(i + vec3(1, 0, 0));
    let c = hash(i + vec3(0, 1, 0));
    let d = hash(i + vec3(1, 1, 0));
    let e = hash(i + vec3(0, 0, 1));
    let g = hash(i + vec3(1, 0, 1));
    let h = hash(i + vec3(0, 1, 1));
    let k = hash(i + vec3(1, 1, 1));
    let kx = b - a;
    let ky = c - a;
    let kz = e - a;
    let kxy = a - b - c + d;
    let kyz = a - c - e + h;
    let kzx = a - b - e + g;
    let kxyz = b + c + e + k - a - d - g - h;
    let value = a + kx * u.x + ky * u.y + kz * u.z + kxy * u.x * u.y + kyz * u.y * u.z
        + kzx * u.z * u.x + kxyz * u.x * u.y * u.z;
    let gradient = du * vec3(
        kx + kxy * u.y + kzx * u.z + kxyz * u.y * u.z,
        ky + kyz * u.z + kxy * u.x + kxyz * u.z * u.x,
        kz + kzx * u.x + kyz * u.y + kxyz * u.x * u.y,
    );
    return vec4(2.0 * gradient, 2.0 * value - 1.0);
}

// A rotation about a slanted axis. Value noise has a grid, which is visible if the grids of several octaves are
// aligned. So each octave is rotated relative to the previous one.
const TURN = mat3x3<f32>(0.0, -0.8, -0.6, 0.8, 0.36, -0.48, 0.6, -0.48, 0.64);

// Several octaves of value noise. The first has wavelength 1, and each further one has about half the wavelength and
// `gain` times the amplitude. `blur` is the size of the smallest visible detail, in wavelengths of the first octave;
// shorter octaves fade out. Returns the same layout as value_noise.
fn fractal_noise(p: vec3<f32>, octaves: i32, gain: f32, blur: f32) -> vec4<f32> {
    var sum = vec4(0.0);
    var amplitude = 0.5;
    var scale = 1.0;
    var frame = TURN;
    for (var octave = 0; octave < octaves; octave++) {
        let n = value_noise(frame * p + 17.3 * f32(octave));
        let unseen = blur * scale;
        sum += amplitude / (1.0 + unseen * unseen) * vec4(n.xyz * frame, n.w);
        amplitude *= gain;
        scale *= 2.03;
        frame = 2.03 * TURN * frame;
    }
    return sum;
}
