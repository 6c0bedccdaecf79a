/// A kind of scattered object. The name has eight letters and seeds the random numbers, so different layers get
/// different numbers. `square` is the side length in meters of the grid squares, each of which gets one candidate
/// position.
struct Layer {
    name: &'static [u8; 8],
    square: f64,
}

/// Returns a random number generator that depends only on this square, so any part of the world can be populated
/// independently.
fn numbers(seed: u64, layer: &Layer, square: I64Vec2) -> SeededRng {
    let place = (square.x as u64) << 32 ^ (square.y as u64 & 0xffff_ffff);
    SeededRng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ place, layer.name)
}

/// Returns the transforms of a layer's objects on a terrain, in the terrain's local space.
fn places(
    ground: &TerrainSurface,
    region: Option<&TerrainRegion>,
    (seed, layer): (u64, &Layer),
    fits: impl Fn(&Surface, Vec3) -> bool,
) -> Vec<Transform> {
    let surface = ground.surface();
    let spacing = f64::from(surface.scale().spacing);
    // The squares cover the whole world. A region of an endless terrain is only a part of it.
    let middle = region.map_or(DVec2::ZERO, |region| {
        (region.north_west + region.south_east).as_dvec2() / 2.0 * spacing
    });
    let half = surface.half_extent().as_dvec2();
    let first = ((middle - half) / layer.square).floor().as_i64vec2();
    let last = ((middle + half) / layer.square).floor().as_i64vec2();
    let mut found = Vec::new();
    for y in first.y..=last.y {
        for x in first.x..=last.x {
            let square = I64Vec2::new(x, y);
            let mut random = numbers(seed, layer, square);
            let part = DVec2::new(random.unit(), random.unit());
            let at = ((square.as_dvec2() + part) * layer.square - middle).as_vec2();
            let turn = random.between(0.0, TAU) as f32;
            let size = random.between(0.7, 1.3) as f32;
            // `None` outside of the terrain and in holes.
            let Some(height) = surface.height(at) else {
                continue;
            };
            let place = Vec3::new(at.x, height, at.y);
            if fits(&surface, place) {
                let turned = Transform::from_rotation(Quat::from_rotation_y(turn));
                found.push(turned.with_translation(place).with_scale(Vec3::splat(size)));
            }
        }
    }
    found
}
