//! Where plants and stones stand: by rules, each cell of the plane alone.
//!
//! Problem: a forest has no rows and no two trunks in one place, knows the ground and leaves paths free. A world
//! without end makes it cell by cell, in any order, on any thread, and forgets it again: what stands in a cell
//! must not hang on which cells were made before.
//!
//! Idea: for each rule there are *places* on the plane no two of which are too near, a function of the seed
//! and the rule's salt alone. The ground only decides which of them are taken. So a
//! cell needs nothing but its surroundings, and painting ground or a density map changes what stands there and
//! moves nothing else.
//!
//! ```text
//!  seed, salt --> places ------+--> density, patches? --> exclusions? --> earlier rules? --> ground? --> stands
//!                              |
//!  reach: how far around the cell the rule must be known, for those that keep away from it
//! ```
//!
//! Steps, rule by rule, big things first: the places of the cell, and of as much around it as later rules need
//! (they keep away from what stands there, and what stands there keeps away from still earlier ones: the
//! reaches add up); for each the tests above, the cheapest first. Each is a yes or no by the place alone, so
//! their order changes nothing.
//!
//! Cost: about three microseconds for one that stands, and more where a cell holds few; the ground is asked
//! only for places that density, patches
//! and exclusions leave.
//! The bits hang on the seed, the rules and what the ground answers: not on the cell's size, nor on the machine.
//!
//! Sources: see [`ScatterRule`] for what a rule says; the places are those of Bowers et al. 2010.

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

/// Least spacing of a rule, in metres.
const MIN_SPACING: f64 = 0.05;

/// Most places that one rule may look at for one cell: about 150 MB while it works.
const MAX_CANDIDATES: f64 = 4e6;

/// Furthest from the world's middle that anything stands, in metres: there a double tells millimetres apart.
const MAX_REACH: f64 = 4e12;

/// Sets the hashes of patches apart from those of places.
const PATCHES: u64 = 0x7061_7463_6865_7300;

/// Rules that scatter over a plane, checked once.
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
    /// How far around a cell each rule must be known.
    reaches: Vec<f64>,
}

impl Scatter {
    /// Rules in the order of their importance, those of big things first, for square cells of so many metres.
    ///
    /// # Errors
    /// The first field out of its range, and a rule that would look at too many places for one cell.
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

    /// The side of a cell, in metres.
    pub fn cell_size(&self) -> f64 {
        self.cell_size
    }

    /// How far outside of a cell the ground is asked about, at most, in metres.
    pub fn reach(&self) -> f64 {
        self.reaches.iter().copied().fold(0.0, f64::max)
    }

    /// What stands in a cell, for each rule; cell (0, 0) begins at the world's middle and lies southeast of it.
    ///
    /// `ground` says what a place is like for a rule, or that there is none (water, a hole); it is asked up to
    /// [`reach`](Self::reach) outside of the cell too, and must say the same of a place whenever it is asked.
    ///
    /// # Errors
    /// A cell that is too far away.
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
        // In order: a rule sees what stands of all earlier ones, also beyond the cell where it keeps away from it.
        let mut standing: Vec<Vec<Instance>> = Vec::with_capacity(self.rules.len());
        for index in 0..self.rules.len() {
            let next = self.standing(index, window, &standing, &ground, exclusions);
            standing.push(next);
        }
        // Only now cut to the cell: the surroundings were needed as obstacles.
        for instances in &mut standing {
            instances.retain(|instance| window.contains(instance.position));
        }
        Ok(standing)
    }

    /// What stands of one rule in the cell and as far around it as later rules need.
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
            // Cheapest first: exclusions, then the ground, then the obstacles.
            let instance = sown.on(rule, &ground(rule, place)?)?;
            let crowded = |obstacle: &Obstacle| obstacle.crowds(&instance, rule);
            (!earlier.iter().any(crowded)).then_some(instance)
        };
        sown.into_iter().filter_map(stand).collect()
    }

    /// The earlier rules that a rule keeps away from.
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

/// What one rule scatters in one cell; [`Scatter`] is for several that keep away from each other.
///
/// # Errors
/// As [`Scatter::new`] and [`Scatter::cell`].
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

/// How far around a cell each rule must be known: the last in the cell alone; an earlier one as far as any
/// later rule must be known and keeps away from it.
fn reaches(rules: &[ScatterRule]) -> Vec<f64> {
    let mut reaches = vec![0.0; rules.len()];
    // From the last rule back, because a reach adds up along chains of rules: what stands of rule 1 at a place may decide
    // about rule 2 there, and that about rule 3 in the cell.
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

/// What stands of an earlier rule.
struct Obstacle<'a> {
    rule: &'a ScatterRule,
    /// The longest distance that is kept from it.
    most: f64,
    stands: Buckets<'a>,
}

impl Obstacle<'_> {
    /// Whether an instance of a later rule is too near to one of these.
    fn crowds(&self, instance: &Instance, rule: &ScatterRule) -> bool {
        let keeps = |other: &Instance| self.rule.keeps_from(other.scale, rule, instance.scale);
        self.stands.any_nearer(instance.position, self.most, keeps)
    }
}

/// One rule's random numbers.
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

    /// What is left of a place by density and patches, before the ground is asked.
    fn sow(&self, place: &Place) -> Option<Sown> {
        // The priority's own bits are all that is random about a place.
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

/// A place that is taken if the ground lets it.
struct Sown {
    place: Place,
    /// It stands if this is less than how likely it is.
    lot: f32,
    likely: f32,
    draws: Draws,
}

impl Sown {
    /// What stands there on this ground, if it suits.
    fn on(mut self, rule: &ScatterRule, site: &Site) -> Option<Instance> {
        let fitness = rule.fitness(site);
        let shares = rule.layer_share(site.layers) * rule.biome_share(site.biome);
        let likely = self.likely * shares * fitness * site.density;
        // Never where that is no number; nor on ground that has no direction or height.
        let stands = self.lot < likely && site.normal.is_finite() && site.height.is_finite();
        if !stands {
            return None;
        }
        // The draws come in a fixed order after the decision. Another order, or one more in between, changes every plant.
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

/// Between upright and square to the ground, then tilted toward a side.
fn up(normal: Vec3, upright: f32, tilt: f32, toward: f32) -> Vec3 {
    let leaning = (normal + (Vec3::Y - normal) * upright).normalize_or(Vec3::Y);
    let (sin, cos) = libm::sincosf(toward);
    // Across the axis it leans along: what is left of a level direction.
    let level = Vec3::new(cos, 0.0, sin);
    let across = (level - leaning * leaning.dot(level)).normalize_or(Vec3::X);
    let (sin, cos) = libm::sincosf(tilt);
    (leaning * cos + across * sin).normalize_or(Vec3::Y)
}

/// The variant whose share of the weights `lot`, from 0 to 1, falls in.
fn variant(weights: &[f32], lot: f64) -> u32 {
    let sum: f64 = weights.iter().copied().map(f64::from).sum();
    let mut left = lot * sum;
    for (index, &weight) in weights.iter().enumerate() {
        left -= f64::from(weight);
        if left < 0.0 {
            return index as u32;
        }
    }
    // Rounding may leave a little: then it is the last that has a weight.
    weights
        .iter()
        .rposition(|&weight| weight > 0.0)
        .unwrap_or(0) as u32
}
