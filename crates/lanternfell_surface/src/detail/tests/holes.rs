//! Tests of cuts with holes: no ground is missing, no hole is filled too far, and all sides match.

use glam::DVec2;

use lanternfell_heightmap::HoleMask;

use super::*;

/// Discs, some of them across the border, and scattered squares.
fn caves(size: MapSize, seed: u64) -> HoleMask {
    let mut rng = SeededRng::new(seed, b"caves   ");
    let mut holes = HoleMask::none(size);
    for _ in 0..6 {
        let center = Vec2::new(
            rng.unit() as f32 * size.width() as f32,
            rng.unit() as f32 * size.height() as f32,
        );
        holes.set_disc(center, 9.0 * rng.unit() as f32, true);
    }
    holes.set_where(true, |_, _| rng.below(40) == 0);
    holes
}

/// About every second square.
fn sieve(size: MapSize, seed: u64) -> HoleMask {
    let mut rng = SeededRng::new(seed, b"sieve   ");
    HoleMask::from_fn(size, |_, _| rng.below(2) == 0)
}

/// For each square, one point in each of the four triangles that its diagonals form.
const POINTS: [DVec2; 4] = [
    DVec2::new(0.5137, 0.1291),
    DVec2::new(0.1291, 0.4863),
    DVec2::new(0.5137, 0.8709),
    DVec2::new(0.8709, 0.4863),
];

struct Opened<'a> {
    map: &'a Heightmap,
    holes: &'a HoleMask,
    tree: DetailTree,
    /// The distance from each point to the nearest ground, in squares; 0 on the ground.
    to_ground: Vec<[f64; 4]>,
}

impl<'a> Opened<'a> {
    fn new(map: &'a Heightmap, holes: &'a HoleMask) -> Self {
        let tree = tree(map).with_holes(holes).unwrap();
        let squares = |hole: bool| {
            let columns = map.width() - 1;
            (0..columns * (map.height() - 1))
                .map(move |square| (square % columns, square / columns))
                .filter(move |&(column, row)| holes.is_hole(column, row) == hole)
        };
        let ground: Vec<DVec2> = squares(false)
            .map(|(x, y)| DVec2::new(x as f64, y as f64))
            .collect();
        let mut to_ground = vec![[0.0; 4]; (map.width() - 1) * (map.height() - 1)];
        for (column, row) in squares(true) {
            to_ground[row * (map.width() - 1) + column] = POINTS.map(|point| {
                let point = DVec2::new(column as f64, row as f64) + point;
                let off = |&low: &DVec2| point.distance(point.clamp(low, low + 1.0));
                ground.iter().map(off).fold(f64::INFINITY, f64::min)
            });
        }
        Self {
            map,
            holes,
            tree,
            to_ground,
        }
    }

    fn surface(&self) -> Surface<'a> {
        Surface::new(self.map, SCALE)
            .with_holes(self.holes)
            .unwrap()
    }

    fn cut(&self, viewers: &[Viewer], pixels: f32, weight: usize) -> Cut {
        self.tree
            .cut(viewers, SCALE, pixels, weight, &Cut::default())
    }

    /// Returns the position of a vertex, in squares from the map's north-west corner.
    fn cell(&self, place: Vec3) -> DVec2 {
        let flat = Vec2::new(place.x, place.z) + self.surface().half_extent();
        (flat / SCALE.spacing).round().as_dvec2()
    }

    /// Whether a position is in a hole or outside the map.
    fn is_open(&self, at: DVec2) -> bool {
        let squares = DVec2::new(
            (self.map.width() - 1) as f64,
            (self.map.height() - 1) as f64,
        );
        let outside = at.cmplt(DVec2::ZERO).any() || at.cmpge(squares).any();
        outside || self.holes.is_hole(at.x as usize, at.y as usize)
    }

    /// Checks a cut: each side of a triangle is the side of exactly one other triangle, or there is
    /// no ground beyond it. Each point of the ground is rendered exactly once. A point in a hole is
    /// only rendered within the reported error of the ground.
    fn check(&self, viewers: &[Viewer], cut: &Cut, case: &str) {
        let surface = self.surface();
        let mut sides: HashMap<_, (i32, [Vec3; 2])> = HashMap::new();
        let mut drawn = vec![[0_u8; 4]; self.to_ground.len()];
        for patch in &cut.patches {
            let finest = patch.level() + 1 == self.tree.levels();
            let longest = f64::from(self.tree.lattice.longest_side(patch.level()));
            let patch = self.tree.triangulate(&surface, *patch);
            for corners in ground(&patch) {
                let corners = corners.map(|corner| place(&patch, corner));
                for index in 0..3 {
                    let (from, to) = (corners[index], corners[(index + 1) % 3]);
                    let (a, b) = (bits(from), bits(to));
                    let side = sides.entry((a.min(b), a.max(b))).or_insert((0, [from, to]));
                    side.0 += if a < b { 1 } else { 100 };
                }
                self.points_in(corners, |square, point| {
                    drawn[square][point] += 1;
                    let off = self.to_ground[square][point];
                    let allowed = if finest { 0.0 } else { longest };
                    assert!(off <= allowed, "{case}: a hole is filled by {off} squares");
                    let seen = off as f32 * SCALE.spacing * self.most_pixels(viewers, square);
                    assert!(
                        seen <= 1.0001 * cut.error,
                        "{case}: a hole is filled by {seen} pixels of {}",
                        cut.error
                    );
                });
            }
        }
        for (times, [from, to]) in sides.into_values() {
            let alone = times == 1 || times == 100;
            assert!(times == 101 || alone, "{case}: {times} sides are one");
            assert!(
                times == 101 || self.beyond_is_open(from, to),
                "{case}: a crack at {from}"
            );
        }
        for (drawn, to_ground) in drawn.iter().zip(&self.to_ground) {
            for (&drawn, &off) in drawn.iter().zip(to_ground) {
                assert!(drawn <= 1, "{case}: drawn {drawn} times");
                assert!(drawn == 1 || off > 0.0, "{case}: ground is missing");
            }
        }
    }

    /// Returns the largest size of a meter in a square, in pixels.
    fn most_pixels(&self, viewers: &[Viewer], square: usize) -> f32 {
        let columns = self.map.width() - 1;
        let vertex = self.surface().vertex(square % columns, square / columns);
        let middle = vertex + Vec3::new(0.5, 0.0, 0.5) * SCALE.spacing;
        // The nearest point in the square is not far from its middle.
        let distance = |viewer: &Viewer| viewer.eye.distance(middle) + SCALE.spacing;
        let pixels = viewers.iter().map(|viewer| PIXELS / distance(viewer));
        pixels.fold(0.0, f32::max)
    }

    /// Calls `found` for the points in a triangle, with their square and number.
    fn points_in(&self, corners: [Vec3; 3], mut found: impl FnMut(usize, usize)) {
        let [a, b, c] = corners.map(|corner| self.cell(corner));
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        for row in low.y as usize..high.y as usize {
            for column in low.x as usize..high.x as usize {
                for (number, point) in POINTS.into_iter().enumerate() {
                    let at = DVec2::new(column as f64, row as f64) + point;
                    let is_left = |from: DVec2, to: DVec2| (to - from).perp_dot(at - from) < 0.0;
                    if is_left(a, b) && is_left(b, c) && is_left(c, a) {
                        found(row * (self.map.width() - 1) + column, number);
                    }
                }
            }
        }
    }

    /// Whether there is no ground to the right of a side, along its whole length.
    fn beyond_is_open(&self, from: Vec3, to: Vec3) -> bool {
        let (from, to) = (self.cell(from), self.cell(to));
        let steps = 2 * (to - from).abs().max_element() as usize;
        let beyond = (to - from).perp().normalize() * 1e-3;
        (0..steps).all(|step| {
            let at = from.lerp(to, (step as f64 + 0.37) / steps as f64);
            self.is_open(at + beyond)
        })
    }
}

#[test]
fn cuts_have_no_cracks_and_miss_no_ground() {
    let mut rng = SeededRng::new(3, b"cameras ");
    for (map, holes) in [
        (hills(83, 61), caves as fn(MapSize, u64) -> HoleMask),
        (rough(49, 65), caves),
        (hills(73, 66), sieve),
    ] {
        let holes = holes(map.size(), 1);
        assert!(holes.count() > 100, "{}", holes.count());
        let opened = Opened::new(&map, &holes);
        let mut sizes = Vec::new();
        for number in 0..200 {
            let viewers: Vec<Viewer> = (0..1 + number % 3)
                .map(|_| random_viewer(&mut rng, &map))
                .collect();
            let weight = if number % 2 == 0 {
                usize::MAX
            } else {
                10 + number
            };
            let cut = opened.cut(&viewers, 10.0 + (number % 7) as f32 * 40.0, weight);
            assert!(cut.weight() <= weight, "camera {number}");
            opened.check(&viewers, &cut, &format!("camera {number}"));
            sizes.push(cut.patches.len());
        }
        sizes.sort_unstable();
        sizes.dedup();
        assert!(sizes.len() > 40, "the cameras see similar cuts: {sizes:?}");
    }
}

#[test]
fn covers_ground_of_maps_of_any_size() {
    let eyes = [viewer(Vec3::new(10.0, 30.0, -5.0))];
    for (width, height) in [
        (2, 2),
        (2, 90),
        (90, 2),
        (5, 5),
        (6, 5),
        (17, 33),
        (18, 34),
        (65, 65),
        (66, 66),
        (129, 3),
    ] {
        let map = rough(width, height);
        for seed in 0..12 {
            let holes = if seed % 2 == 0 { caves } else { sieve }(map.size(), seed);
            let opened = Opened::new(&map, &holes);
            for pixels in [0.0, 20.0, 300.0, 1e9] {
                let cut = opened.cut(&eyes, pixels, usize::MAX);
                opened.check(&eyes, &cut, &format!("{width} x {height}, {pixels} pixels"));
            }
        }
    }
}

#[test]
fn zero_pixels_gives_every_square_of_ground() {
    for (holes, seed) in [(caves as fn(MapSize, u64) -> HoleMask, 2), (sieve, 3)] {
        let map = rough(50, 41);
        let holes = holes(map.size(), seed);
        let opened = Opened::new(&map, &holes);
        let cut = opened.cut(&[], 0.0, usize::MAX);
        let surface = opened.surface();
        let mut triangles = 0;
        for patch in patches(&opened.tree, &surface, &cut) {
            for corners in ground(&patch) {
                triangles += 1;
                let [a, b, c] = corners.map(|corner| place(&patch, corner));
                let middle = (a + b + c) / 3.0;
                let height = surface.height(Vec2::new(middle.x, middle.z));
                let height = height.expect("not a hole");
                assert!((height - middle.y).abs() < 1e-3, "at {middle}");
            }
        }
        assert_eq!(triangles, 2 * (49 * 40 - holes.count()));
        assert_eq!(cut.error, 0.0);
    }
}

#[test]
fn empty_mask_changes_nothing() {
    let mut rng = SeededRng::new(4, b"cameras ");
    for map in [hills(83, 61), rough(49, 65)] {
        let plain = tree(&map);
        let none = HoleMask::none(map.size());
        let opened = Opened::new(&map, &none);
        for _ in 0..30 {
            let viewers = [random_viewer(&mut rng, &map)];
            let cut = plain.cut(&viewers, SCALE, 20.0, 150, &Cut::default());
            assert_eq!(opened.cut(&viewers, 20.0, 150), cut);
            let surface = Surface::new(&map, SCALE);
            assert_eq!(
                patches(&opened.tree, &opened.surface(), &cut),
                patches(&plain, &surface, &cut)
            );
        }
        let filled = opened.tree.with_holes(&caves(map.size(), 3)).unwrap();
        assert_eq!(filled.range(), plain.range());
        assert!(filled.bytes() > plain.bytes());
    }
}

#[test]
fn no_patches_without_ground() {
    let map = rough(83, 61);
    let eyes = [viewer(Vec3::new(0.0, 5.0, 0.0))];
    let nothing = HoleMask::from_fn(map.size(), |_, _| true);
    let cut = Opened::new(&map, &nothing).cut(&eyes, 1.0, usize::MAX);
    assert_eq!((cut.patches.len(), cut.error), (0, 0.0));
    // Only the western half is a hole. The remaining ground needs about half of the patches.
    let west = HoleMask::from_fn(map.size(), |column, _| column < 41);
    let opened = Opened::new(&map, &west);
    let (half, whole) = (
        opened.cut(&eyes, 1.0, usize::MAX),
        tree(&map).cut(&eyes, SCALE, 1.0, usize::MAX, &Cut::default()),
    );
    opened.check(&eyes, &half, "half");
    assert!(
        2 * half.patches.len() < whole.patches.len() + 40,
        "{} of {}",
        half.patches.len(),
        whole.patches.len()
    );
}

/// On flat terrain, only holes need patches.
#[test]
fn outline_detail_depends_on_distance() {
    let flat = Heightmap::flat(MapSize::new(120, 100).unwrap());
    let mut holes = HoleMask::none(flat.size());
    holes.set_disc(Vec2::new(60.0, 50.0), 7.3, true);
    let opened = Opened::new(&flat, &holes);
    let mut before = usize::MAX;
    for height in [3.0, 300.0, 3e3, 3e4, 1e7] {
        let eyes = [viewer(Vec3::new(0.0, height, 0.0))];
        let cut = opened.cut(&eyes, 2.0, usize::MAX);
        opened.check(&eyes, &cut, &format!("from {height} m"));
        assert!(
            cut.error <= 2.0 && cut.patches.len() <= before,
            "{height} m"
        );
        before = cut.patches.len();
        if height == 3.0 {
            assert_eq!(cut.error, 0.0, "the outline has the finest level");
        }
    }
    assert_eq!(before, 2);
    // If the memory budget ends first, the error of the outline is reported.
    let eyes = [viewer(Vec3::new(0.0, 30.0, 0.0))];
    let few = opened.cut(&eyes, 2.0, 20);
    assert!(few.error > 2.0 && few.weight() <= 20, "{few:?}");
    opened.check(&eyes, &few, "few");
}

#[test]
fn rejects_mask_of_another_size() {
    let (map, other) = (rough(9, 9), MapSize::new(9, 10).unwrap());
    let error = tree(&map).with_holes(&HoleMask::none(other)).unwrap_err();
    assert_eq!((error.what, error.found), ("hole mask", other));
}
