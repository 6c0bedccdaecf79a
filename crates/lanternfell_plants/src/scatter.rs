//! Rule-based scattering of plants and stones, for each cell of the plane independently.
//!
//! Problem: a forest has no rows and no overlapping trunks. It follows the terrain and leaves paths free. An endless
//! world computes it cell by cell, in any order and on any thread, and discards cells again. So the content of a cell
//! must not depend on which cells were computed before.
//!
//! Idea: for each rule there is a set of *places* on the plane with a minimum distance between them. The set depends
//! only on the seed and the salt of the rule. The terrain only decides which places are used. A cell therefore needs no
//! more than its surroundings. Changing the terrain or a density map changes which places are used there and moves
//! nothing else.
//!
//! ```text
//!  seed, salt --> places --> density, patches? --> exclusions? --> terrain? --> earlier rules? --> instance
//! ```
//!
//! Steps, for each rule in order (large plants first):
//!
//! 1. Compute the places in the cell and, around it, as far as later rules need. Later rules keep their distance from
//!    these instances, which in turn keep their distance from still earlier rules. So the distances add up along the
//!    rules (the *reach*).
//! 2. Apply the tests above to each place, cheap ones first. Each test depends only on the place, so their order does
//!    not change the result.
//!
//! Cost: about three microseconds per instance, more in cells with few instances. The terrain is only queried for
//! places that pass density, patches and exclusions.
//!
//! The bits of the result depend on the seed, the rules and the terrain queries, but not on the cell size or the
//! machine.
//!
//! Sources: the places are those of Bowers et al. 2010 (see `disc.rs`).

mod buckets;
mod clump;
mod disc;
mod error;
mod exclusion;
mod rule;
mod site;

use core::f32::consts::TAU;

use glam::Vec3;

use crate::hash::{Draws, Key};

use self::{
    buckets::Buckets,
    disc::{Place, Window},
};
pub use self::{
    error::ScatterError,
    exclusion::{Exclusion, Exclusions},
    rule::{Clumping, ScatterRule, SoftRange},
    site::{Instance, Site},
};

/// Smallest allowed spacing of a rule, in meters.
const MIN_SPACING: f64 = 0.05;

/// Most candidates per rule and cell. This many use about 150 MB while the cell is computed.
const MAX_CANDIDATES: f64 = 4e6;

/// Largest distance from the origin in meters. There, an `f64` resolves millimeters.
const MAX_REACH: f64 = 4e12;

/// Separates the hashes of patches from those of places.
const PATCHES: u64 = 0x7061_7463_6865_7300;

/// Validated rules that scatter over a plane.
///
/// ```
/// use lanternfell_plants::scatter::{Exclusion, Exclusions, Scatter, ScatterRule, Site};
///
/// let pine = ScatterRule { name: "pine".into(), spacing: 4.0, crown: 1.8, clearance: 0.4, ..Default::default() };
/// let fern = ScatterRule { name: "fern".into(), spacing: 0.8, ..Default::default() };
/// let scatter = Scatter::new(vec![pine, fern], 7, 32.0)?;
/// let path = Exclusion::Path { points: vec![[0.0, 16.0], [32.0, 16.0]], width: 3.0 };
/// let stands = scatter.cell([0, 0], |_, _| Some(Site::default()), &Exclusions::new([&path])?)?;
///
/// assert!(stands[0].len() > 20 && stands[1].len() > 500);
/// assert!(stands[0].iter().all(|pine| (pine.position[1] - 16.0).abs() > 1.5));
/// # Ok::<(), lanternfell_plants::scatter::ScatterError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Scatter {
    rules: Vec<ScatterRule>,
    seed: u64,
    cell_size: f64,
    /// How far around a cell each rule must be evaluated, in meters.
    reaches: Vec<f64>,
}

impl Scatter {
    /// Creates a scatter for square cells of `cell_size` meters (0.5 to 100,000).
    ///
    /// Earlier rules have priority over later ones: list large plants first.
    ///
    /// # Errors
    /// Returns the first value out of range, or the first rule that is too dense for the cell size.
    pub fn new(rules: Vec<ScatterRule>, seed: u64, cell_size: f64) -> Result<Self, ScatterError> {
        if !(0.5..=100_000.0).contains(&cell_size) {
            return Err(ScatterError::CellSize { size: cell_size });
        }
        for rule in &rules {
            rule.check()?;
        }
        let reaches = reaches(&rules);
        for (rule, reach) in rules.iter().zip(&reaches) {
            let candidates = disc::cost(cell_size + 2.0 * reach, f64::from(rule.spacing));
            if candidates > MAX_CANDIDATES {
                let (rule, spacing) = (rule.name.clone(), rule.spacing);
                return Err(ScatterError::TooDense {
                    rule,
                    spacing,
                    cell_size,
                    candidates,
                });
            }
        }
        Ok(Self {
            rules,
            seed,
            cell_size,
            reaches,
        })
    }

    /// The rules.
    pub fn rules(&self) -> &[ScatterRule] {
        &self.rules
    }

    /// The width of a cell, in meters.
    pub fn cell_size(&self) -> f64 {
        self.cell_size
    }

    /// The largest distance outside a cell at which [`cell`](Self::cell) queries the terrain, in meters.
    pub fn reach(&self) -> f64 {
        self.reaches.iter().copied().fold(0.0, f64::max)
    }

    /// Computes the instances in a cell: one list per rule. Cell (0, 0) has its northwest corner at the origin.
    ///
    /// `ground` describes the terrain at a position (x east, z south, in meters), or returns `None` where nothing may
    /// grow (water, holes). It is also queried up to [`reach`](Self::reach) meters outside the cell. It must always
    /// return the same result for the same position.
    ///
    /// # Errors
    /// Returns [`ScatterError::TooFar`] if the cell is too far from the origin.
    pub fn cell(
        &self,
        cell: [i64; 2],
        ground: impl Fn(&ScatterRule, [f64; 2]) -> Option<Site>,
        exclusions: &Exclusions,
    ) -> Result<Vec<Vec<Instance>>, ScatterError> {
        let corner = cell.map(|index| index as f64 * self.cell_size);
        if corner.iter().any(|side| side.abs() > MAX_REACH) {
            return Err(ScatterError::TooFar {
                cell,
                size: self.cell_size,
            });
        }
        let next = cell.map(|index| (index + 1) as f64 * self.cell_size);
        let window = Window {
            min: corner,
            max: next,
        };
        // In order, because each rule needs the instances of all earlier ones, also around the cell.
        let mut standing: Vec<Vec<Instance>> = Vec::with_capacity(self.rules.len());
        for index in 0..self.rules.len() {
            let next = self.standing(index, window, &standing, &ground, exclusions);
            standing.push(next);
        }
        // Clip to the cell only now: the surroundings were needed as obstacles.
        for instances in &mut standing {
            instances.retain(|instance| window.contains(instance.position));
        }
        Ok(standing)
    }

    /// The instances of one rule in the cell, and around it as far as later rules need.
    fn standing(
        &self,
        index: usize,
        cell: Window,
        earlier: &[Vec<Instance>],
        ground: &impl Fn(&ScatterRule, [f64; 2]) -> Option<Site>,
        exclusions: &Exclusions,
    ) -> Vec<Instance> {
        let rule = &self.rules[index];
        let window = cell.grown(self.reaches[index]);
        let earlier = self.obstacles(index, window, earlier);
        let exclusions = exclusions.near(window.grown(f64::from(rule.margin)));
        let sower = Sower::new(rule, self.seed);
        let spacing = f64::from(rule.spacing);
        let sown = disc::places(sower.key, spacing, window, |place| sower.sow(place));
        let stand = |sown: Sown| {
            let place = sown.place.position;
            if exclusions.cover(place, f64::from(rule.margin)) {
                return None;
            }
            // Cheapest first: exclusions, then the terrain, then the obstacles.
            let instance = sown.on(rule, &ground(rule, place)?)?;
            let crowded = |obstacle: &Obstacle| obstacle.crowds(&instance, rule);
            (!earlier.iter().any(crowded)).then_some(instance)
        };
        sown.into_iter().filter_map(stand).collect()
    }

    /// The earlier rules that this rule keeps its distance from.
    fn obstacles<'a>(
        &'a self,
        index: usize,
        window: Window,
        earlier: &'a [Vec<Instance>],
    ) -> Vec<Obstacle<'a>> {
        let obstacle = |(rule, instances): (&'a ScatterRule, &'a Vec<Instance>)| {
            let most = rule.keeps_at_most(&self.rules[index]);
            let any = most > 0.0 && !instances.is_empty();
            any.then(|| Obstacle {
                rule,
                most,
                stands: Buckets::new(instances, window.grown(most), most),
            })
        };
        self.rules
            .iter()
            .zip(earlier)
            .filter_map(obstacle)
            .collect()
    }
}

/// Scatters a single rule in one cell. For several rules that keep their distance from each other, use [`Scatter`].
///
/// # Errors
/// See [`Scatter::new`] and [`Scatter::cell`].
pub fn scatter(
    rule: &ScatterRule,
    seed: u64,
    cell: [i64; 2],
    cell_size: f64,
    ground: impl Fn([f64; 2]) -> Option<Site>,
    exclusions: &Exclusions,
) -> Result<Vec<Instance>, ScatterError> {
    let scatter = Scatter::new(vec![rule.clone()], seed, cell_size)?;
    let mut stands = scatter.cell(cell, |_, place| ground(place), exclusions)?;
    Ok(stands.pop().unwrap_or_default())
}

/// How far around a cell each rule must be evaluated. 0 for the last rule; for an earlier rule, the reach of each later
/// rule plus the distance that this rule keeps from it, at most.
fn reaches(rules: &[ScatterRule]) -> Vec<f64> {
    let mut reaches = vec![0.0; rules.len()];
    // From the last rule back, because reaches add up along chains: an instance of rule 1 may decide about a place of
    // rule 2, and that about a place of rule 3 in the cell.
    for index in (0..rules.len()).rev() {
        for later in index + 1..rules.len() {
            let keeps = rules[index].keeps_at_most(&rules[later]);
            if keeps > 0.0 {
                reaches[index] = f64::max(reaches[index], reaches[later] + keeps);
            }
        }
    }
    reaches
}

/// The instances of an earlier rule.
struct Obstacle<'a> {
    rule: &'a ScatterRule,
    /// The largest distance that the current rule keeps from it.
    most: f64,
    stands: Buckets<'a>,
}

impl Obstacle<'_> {
    /// Whether an instance of a later rule is too close to one of these.
    fn crowds(&self, instance: &Instance, rule: &ScatterRule) -> bool {
        let keeps = |other: &Instance| self.rule.keeps_from(other.scale, rule, instance.scale);
        self.stands.any_nearer(instance.position, self.most, keeps)
    }
}

/// The random numbers of one rule.
struct Sower<'a> {
    rule: &'a ScatterRule,
    key: Key,
    patches: Key,
}

impl<'a> Sower<'a> {
    fn new(rule: &'a ScatterRule, seed: u64) -> Self {
        let patches = rule
            .clumping
            .and_then(|clumping| clumping.salt)
            .unwrap_or_else(|| rule.salt());
        Self {
            rule,
            key: Key::new(seed, rule.salt()),
            patches: Key::new(seed, patches).with(PATCHES),
        }
    }

    /// Applies density and patches to a place, before the terrain is queried.
    fn sow(&self, place: &Place) -> Option<Sown> {
        // The hash of a place is its only source of randomness.
        let mut draws = Key::new(place.bits, self.rule.salt()).stream();
        let lot = draws.unit_f32();
        let mut likely = self.rule.density;
        if lot < likely
            && let Some(clumping) = &self.rule.clumping
        {
            likely *= clump::share(clumping, self.patches, place.position);
        }
        (lot < likely).then_some(Sown {
            place: *place,
            lot,
            likely,
            draws,
        })
    }
}

/// A place that passed density and patches.
struct Sown {
    place: Place,
    /// Random number; the place is used if `lot` is less than the probability.
    lot: f32,
    likely: f32,
    draws: Draws,
}

impl Sown {
    /// Returns the instance if the terrain suits the rule.
    fn on(mut self, rule: &ScatterRule, site: &Site) -> Option<Instance> {
        let fitness = rule.fitness(site);
        let shares = rule.layer_share(site.layers) * rule.biome_share(site.biome);
        let likely = self.likely * shares * fitness * site.density;
        // The comparison is false if the probability is NaN. The terrain must have a finite normal and height.
        let stands = self.lot < likely && site.normal.is_finite() && site.height.is_finite();
        if !stands {
            return None;
        }
        // Draw in a fixed order, after the decision. Another order or an additional draw changes every plant.
        let share = self.draws.unit_f32();
        let yaw = self.draws.unit_f32() * TAU;
        let tilt = (rule.tilt * self.draws.unit_f32().sqrt()).to_radians();
        let toward = self.draws.unit_f32() * TAU;
        Some(Instance {
            position: self.place.position,
            height: site.height,
            up: up(site.normal, rule.upright, tilt, toward),
            yaw,
            scale: rule.size[0] + (rule.size[1] - rule.size[0]) * share * fitness,
            variant: variant(&rule.variants, self.draws.unit()),
            seed: (self.draws.word() >> 32) as u32,
        })
    }
}

/// The up vector: between the terrain's normal and vertical, then tilted toward a direction.
fn up(normal: Vec3, upright: f32, tilt: f32, toward: f32) -> Vec3 {
    let leaning = (normal + (Vec3::Y - normal) * upright).normalize_or(Vec3::Y);
    let (sin, cos) = libm::sincosf(toward);
    // The part of the horizontal direction that is perpendicular to `leaning`.
    let level = Vec3::new(cos, 0.0, sin);
    let across = (level - leaning * leaning.dot(level)).normalize_or(Vec3::X);
    let (sin, cos) = libm::sincosf(tilt);
    (leaning * cos + across * sin).normalize_or(Vec3::Y)
}

/// Chooses a variant by weight. `lot` is from 0 to 1.
fn variant(weights: &[f32], lot: f64) -> u32 {
    let sum: f64 = weights.iter().copied().map(f64::from).sum();
    let mut left = lot * sum;
    for (index, &weight) in weights.iter().enumerate() {
        left -= f64::from(weight);
        if left < 0.0 {
            return index as u32;
        }
    }
    // Rounding can leave a remainder: use the last variant with a weight.
    weights
        .iter()
        .rposition(|&weight| weight > 0.0)
        .unwrap_or(0) as u32
}
