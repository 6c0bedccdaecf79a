//! The contribution of each source, and of the ambient light of each region, to the light of a
//! cell.
//!
//! # The problem
//!
//! Whose torch revealed the thief? Which lamp should be put out? Settling the light once per lamp
//! is expensive if there are many.
//!
//! # The idea
//!
//! Settled light is linear as long as the same cells are held by sources or ambient light. The
//! light of a cell is a sum over these held cells: the held light times a weight. The weights are
//! those of a random walk that starts in the cell. Each step goes to one of the cells in the
//! average of the current cell, with the probability of its weight there. The walk may be lost to
//! decay, and ends in the first held cell:
//!
//! ```text
//!    light(c) = sum over held cells (weight * held light),   weight = expected arrivals from c
//! ```
//!
//! One solution of the transposed equations, from the cell outward, therefore gives all weights at
//! once (the adjoint method). It is in [`walk`].
//!
//! # Meaning of a part
//!
//! The parts add up to the actual light, except for [`Contributions::rest`]. The part of a source
//! in flowing light is its strength times the derivative of the light with respect to it. A lamp
//! that gets stronger by one percent adds one percent of its part, as long as the set of held cells
//! does not change.
//!
//! A part is *not* the light that is missing when the lamp is removed: its cell is then no longer
//! held, and passes on the light of other lamps. The flowing light drops by at most the part.
//!
//! Where the light is not linear, the parts are defined as follows:
//!
//! - A lamp has no part if other lamps make its cell brighter than it does. If several lamps hold
//!   one cell, the strongest has the whole part, or the first of several equally strong ones. The
//!   same applies to ambient light.
//! - A darkness (a source with negative light) has a negative part: the light it takes away times
//!   the weight. A darkness that takes all the light of its cell has no part, because the cell
//!   would not change if the darkness were stronger. It blocks the light of others like a wall.
//! - Straight light ([`LightSettings::direct`](crate::LightSettings::direct)) of several lamps is
//!   less than their sum. Each lamp gets a part in proportion to its light alone. Where ambient
//!   light is brighter, it has the whole part.
//! - Colors are independent: a lamp may have a part in one of them only.
//!
//! # Cost
//!
//! Sweeps over the cells from which more light than the tolerance arrives, once for all colors if
//! the same cells are held in each, and one visit per source. The cost does not depend on the size
//! of the grid, except for clearing four bytes per cell, and the cost of the sweeps does not depend
//! on the number of lamps.
//!
//! Measured for all parts at a tolerance of 1/1000, compared with settling one lamp on the same 256
//! x 256 cells in the same run (release build, a two-core AMD EPYC with other load; 64 lamps, or 4
//! with a radius of 40):
//!
//! | | all parts | one lamp settled |
//! |---|---|---|
//! | rooms of 16 x 16 cells, radius 12 | 0.27 ms | 0.49 ms |
//! | open ground, radius 12 | 1.9 ms | 0.85 ms |
//! | open ground, radius 40 | 72 ms | 15 ms |
//!
//! Hexagons take the same time as squares to within 13 %, measured in one run.
//!
//! With 1024 lamps on 1024 x 1024 cells, the first two took 0.8 and 2.4 ms. The method is
//! worthwhile from a few lamps upwards. It is slow where light reaches far;
//! [`contributions_within`](LightGrid::contributions_within) limits the time.
//!
//! Source: boundary values weighted by the probabilities of a random walk: R. Courant, K.
//! Friedrichs and H. Lewy, "Über die partiellen Differenzengleichungen der mathematischen Physik",
//! Mathematische Annalen 100, 1928. One transposed solution for all weights: importance in neutron
//! transport, J. Lewins, *Importance: The Adjoint Function*, 1965.

mod asked;
mod held;
mod walk;

use std::collections::BTreeMap;

use glam::{DVec3, IVec2, Vec3};

use crate::{
    channel::Channel, color::luminance, error::LightError, flow::LEAST_TOLERANCE, grid::LightGrid,
};
use asked::AskedCells;
use held::{Held, Holds};
use walk::LightWalk;

/// The parts of sources and ambient light in the light of a cell, as returned by
/// [`LightGrid::contributions`].
#[derive(Debug, Clone, PartialEq)]
pub struct Contributions {
    /// The light of the cell, as [`LightGrid::light`] returns it.
    pub light: Vec3,
    /// The part of each source, by its index in [`LightGrid::sources`]. The part of a darkness is
    /// negative.
    pub sources: Vec<Vec3>,
    /// The part of the ambient light of each region that has one, in the order of the regions.
    pub ambient: Vec<(u8, Vec3)>,
    /// The light minus all parts. If the light is settled, it is zero to within the tolerances of
    /// both. Otherwise it includes the light that has yet to flow or fade.
    pub rest: Vec3,
}

impl Contributions {
    /// The share of a source in the luminance of the cell. It is from 0 to 1, unless there is
    /// darkness or the light is not settled. 0 in a dark cell, and for an index without a source.
    pub fn share(&self, source: usize) -> f32 {
        let all = luminance(self.light);
        let part = self.sources.get(source).copied().unwrap_or(Vec3::ZERO);
        if all > 0.0 {
            luminance_of_part(part) / all
        } else {
            0.0
        }
    }

    /// The index of the source with the largest part by luminance; the first of several equal ones.
    /// `None` if no source has a part.
    pub fn main_source(&self) -> Option<usize> {
        let mut most = (None, 0.0);
        for (n, &part) in self.sources.iter().enumerate() {
            let luminance = luminance_of_part(part);
            if luminance > most.1 {
                most = (Some(n), luminance);
            }
        }
        most.0
    }
}

/// The luminance of a part, which may be negative in some colors.
fn luminance_of_part(part: Vec3) -> f32 {
    luminance(part.max(Vec3::ZERO)) - luminance((-part).max(Vec3::ZERO))
}

impl LightGrid {
    /// Computes the part of each source, and of the ambient light of each region, in the light of a
    /// cell.
    ///
    /// Call it after [`settle`](Self::settle). The parts add up to the light of the cell, to within
    /// `tolerance` plus the tolerance of the settled light. The error of each part is at most
    /// `tolerance`. NaN and values below 1/1,000,000 are replaced by 1/1,000,000. With very little
    /// decay the method may stop early, after [`MAX_SWEEPS`](Self::MAX_SWEEPS);
    /// [`Contributions::rest`] is then larger.
    ///
    /// The part of a source in flowing light is its strength times the derivative of the light with
    /// respect to it. It is not the light that is missing without the source, which is at most the
    /// part; use [`what_if`](Self::what_if) for that.
    ///
    /// - A lamp in a cell that other lamps make brighter than it does has no part.
    /// - If several lamps are in one cell, the strongest has the whole part; of equally strong
    ///   ones, the first.
    /// - A darkness (a source with negative light) has a negative part, or none if it takes all the
    ///   light of its cell.
    /// - Straight light is divided in proportion to the light that each lamp would bring alone.
    ///
    /// # Errors
    ///
    /// [`LightError::Outside`] if the cell is outside of the grid.
    ///
    /// ```
    /// use lanternfell_lightgrid::{IVec2, LightGrid, LightSettings, Source, Vec3};
    ///
    /// let mut grid = LightGrid::new(40, 20, LightSettings::default())?;
    /// let torch = Source::new(IVec2::new(8, 10), Vec3::new(1.0, 0.6, 0.2));
    /// let moon = Source::new(IVec2::new(30, 10), Vec3::new(0.3, 0.3, 0.5));
    /// grid.set_sources(&[torch, moon])?;
    /// grid.settle(1e-4);
    ///
    /// let thief = grid.contributions(IVec2::new(14, 10), 1e-4)?;
    /// assert_eq!(thief.main_source(), Some(0));
    /// assert!(thief.share(0) > 0.9 && thief.share(1) > 0.0);
    /// let sum = thief.sources[0] + thief.sources[1];
    /// assert!((sum - thief.light).abs().max_element() < 3e-4);
    /// # Ok::<(), lanternfell_lightgrid::LightError>(())
    /// ```
    pub fn contributions(&self, cell: IVec2, tolerance: f32) -> Result<Contributions, LightError> {
        self.contributions_within(cell, tolerance, Self::MAX_SWEEPS)
    }

    /// Like [`contributions`](Self::contributions), but with a maximum number of sweeps. Use it to
    /// limit the time where light reaches far.
    ///
    /// Light that needs more sweeps, and light from more than `sweeps` cells away, is left in
    /// [`Contributions::rest`]. About three times the radius is enough for most tolerances.
    ///
    /// # Errors
    ///
    /// [`LightError::Outside`] if the cell is outside of the grid.
    pub fn contributions_within(
        &self,
        cell: IVec2,
        tolerance: f32,
        sweeps: u32,
    ) -> Result<Contributions, LightError> {
        self.scene.index_or_error(cell)?;
        // NaN fails the comparison, so it is replaced as well.
        let tolerance = if tolerance >= LEAST_TOLERANCE {
            tolerance
        } else {
            LEAST_TOLERANCE
        };
        let asked = AskedCells::of(&self.scene);
        let mut parts = Parts::new(self.sources().len());
        let share = f64::from(self.direct.share());
        if share < 1.0 {
            self.add_flowing(cell, (tolerance, sweeps), &asked, &mut parts);
        }
        if share > 0.0 {
            // The light is a mix of both kinds. Scale the flowing parts before adding the straight
            // ones.
            parts.scale(1.0 - share);
            let straight = self.direct.parts(&self.scene, cell);
            for (source, part) in straight.sources {
                parts.sources[source] += part.as_dvec3() * share;
            }
            parts.add_ambient(self.region(cell), straight.ambient.as_dvec3() * share);
        }
        Ok(parts.of(self.light(cell)))
    }

    /// Adds the parts of flowing light.
    fn add_flowing(
        &self,
        cell: IVec2,
        (tolerance, sweeps): (f32, u32),
        asked: &AskedCells,
        parts: &mut Parts,
    ) {
        let start = (cell.x as usize, cell.y as usize);
        let most = asked.is_dark().then(|| self.brightest(asked));
        let mut walk: Option<LightWalk> = None;
        for color in 0..self.channels.len() {
            let holds = Holds::new(self, asked, color, most);
            // The weights depend on the medium and on which cells are held, but not on the light
            // itself. If both match, one walk serves all colors.
            let same = |walk: &LightWalk| self.media.len() == 1 && walk.is_held_as(&holds);
            let walk = match walk.take().filter(same) {
                Some(same) => walk.insert(same),
                None => walk.insert(LightWalk::from(
                    start,
                    &holds,
                    self.relaxation(),
                    (f64::from(tolerance), sweeps),
                )),
            };
            for (x, y, held, weight) in walk.weights() {
                self.add_part(asked, color, ((x, y), held, weight), parts);
            }
        }
        if self.is_gray() {
            parts.spread_gray();
        }
    }

    /// Adds the parts in one color for a cell that the walk reaches with this weight.
    fn add_part(
        &self,
        asked: &AskedCells,
        color: usize,
        ((x, y), held, weight): ((usize, usize), Held, f64),
        parts: &mut Parts,
    ) {
        let place = y * self.width() as usize + x;
        match held {
            Held::Black => return,
            Held::Source => {
                if let Some((source, light)) = asked.held(place, color) {
                    parts.sources[source][color] += weight * f64::from(light);
                }
            }
            Held::Ambient => {
                let region = self.region(IVec2::new(x as i32, y as i32));
                let light = self.scene.in_color(self.ambient(region), color);
                let mut part = DVec3::ZERO;
                part[color] = weight * f64::from(light);
                parts.add_ambient(region, part);
            }
            // Not held. As in all kinds except black, a darkness may take light here; it is
            // subtracted below.
            Held::Free => {}
        }
        if let Some((source, dark)) = asked.dark(place, color) {
            parts.sources[source][color] -= weight * f64::from(dark);
        }
    }

    /// An upper bound on all light, and on the demands of sources and ambient light.
    fn brightest(&self, asked: &AskedCells) -> f32 {
        let there = self.channels.iter().map(Channel::ceiling);
        let ambient = self.scene.ambient.iter().map(|light| light.max_element());
        let all = there.chain(ambient).chain([asked.greatest()]);
        all.fold(f32::MIN_POSITIVE, f32::max)
    }
}

/// The sums of the parts.
struct Parts {
    sources: Vec<DVec3>,
    ambient: BTreeMap<u8, DVec3>,
}

impl Parts {
    fn new(sources: usize) -> Self {
        Self {
            sources: vec![DVec3::ZERO; sources],
            ambient: BTreeMap::new(),
        }
    }

    fn all(&mut self) -> impl Iterator<Item = &mut DVec3> {
        self.sources.iter_mut().chain(self.ambient.values_mut())
    }

    fn add_ambient(&mut self, region: u8, part: DVec3) {
        if part != DVec3::ZERO {
            *self.ambient.entry(region).or_default() += part;
        }
    }

    fn scale(&mut self, by: f64) {
        self.all().for_each(|part| *part *= by);
    }

    /// Copies the first color to the others. Gray light has only one.
    fn spread_gray(&mut self) {
        self.all().for_each(|part| *part = DVec3::splat(part.x));
    }

    fn of(mut self, light: Vec3) -> Contributions {
        let sum: DVec3 = self.all().map(|part| *part).sum();
        Contributions {
            light,
            sources: self.sources.iter().map(|part| part.as_vec3()).collect(),
            ambient: self
                .ambient
                .iter()
                .map(|(&region, part)| (region, part.as_vec3()))
                .collect(),
            rest: (light.as_dvec3() - sum).as_vec3(),
        }
    }
}
