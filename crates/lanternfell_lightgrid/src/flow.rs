//! Advancing the light: by steps of the automaton, or directly to the settled state.

use crate::{
    channel::Channel,
    grid::LightGrid,
    medium::Medium,
    settle::{self, Alike, Region, Shades, Solve},
    threads::map_each,
};

/// The smallest tolerance. Smaller values are replaced by this one.
pub(crate) const LEAST_TOLERANCE: f32 = 1e-6;

/// Below this decay the threshold of cells is that of this decay. Rounding would keep cells further
/// from their averages than a smaller threshold allows.
const LEAST_DECAY: f32 = 1.0 / 4096.0;

/// The result of [`LightGrid::settle`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settled {
    /// The number of sweeps (passes over the unsettled part of the grid), in the color that took the
    /// most. 0 if nothing had changed.
    pub sweeps: u32,
    /// Whether the light came to rest: another call with this tolerance has nothing to do. If
    /// `false`, the next call continues from here.
    pub at_rest: bool,
    /// A proven upper bound on the distance of any light from the settled light, computed from how
    /// far cells are from their averages. Infinite if the grid is not at rest, or without decay.
    pub error: f32,
    /// Whether the tolerance was reached: `error` is at most twice the tolerance. The second half
    /// allows for rounding.
    pub reached: bool,
}

impl Settled {
    fn new(sweeps: u32, at_rest: bool, error: f32, tolerance: f32) -> Self {
        let error = if at_rest { error } else { f32::INFINITY };
        Self {
            sweeps,
            at_rest,
            error,
            reached: at_rest && error <= 2.0 * tolerance,
        }
    }
}

impl LightGrid {
    /// Advances the automaton by a number of steps. In each step light flows by at most one cell.
    pub fn step(&mut self, steps: u32) {
        self.prepare();
        if steps == 0 || self.channels.iter().all(Channel::rests) {
            return;
        }
        let stays_dark = self.stays_dark();
        self.light_changed();
        if stays_dark {
            self.alike = Alike::Dark;
        }
        self.edits.note_light();
        self.for_each_channel(|channel, medium| {
            for _ in 0..steps {
                if channel.rests() {
                    break;
                }
                channel.step(medium);
            }
        });
    }

    /// Brings the light to the state in which the automaton would come to rest, to within
    /// `tolerance`.
    ///
    /// A tolerance of 1/1000 is invisible. NaN and values below 1/1,000,000 are replaced by
    /// 1/1,000,000. [`Settled::error`] returns the accuracy that was reached.
    ///
    /// # Accuracy
    ///
    /// Two effects limit the accuracy. [`Settled::reached`] is `false` where the requested
    /// tolerance is not reached, or cannot be proven:
    ///
    /// - Rounding. For light of brightness `l` the proven error is at least about `2 l` / 1,000,000
    ///   divided by the decay: for light of 1 that is 0.00017 at a radius of 12, and 0.0015 at a
    ///   radius of 32.
    /// - Slow decay. If less than 1/4096 is lost in a step, at a radius of more than about seventy
    ///   cells, the solver does not refine cells further than for a decay of 1/4096. Measured for a
    ///   lamp of strength 1 on 140 x 140 open cells: the light is off by 0.0001 at a radius of 90,
    ///   and by 0.002 at 128. At 1000 it comes to rest at 0.72 in the corner opposite the lamp,
    ///   where 0.81 is correct.
    ///
    /// # Mixing with steps
    ///
    /// Unlike a step, settling does not set light below 1/65536 to zero. If you alternate both,
    /// each call therefore changes a few faint cells. Steps end at most 1/65536 divided by the
    /// decay below settled light.
    pub fn settle(&mut self, tolerance: f32) -> Settled {
        self.settle_within(tolerance, Self::MAX_SWEEPS)
    }

    /// Like [`settle`](Self::settle), but with a maximum number of sweeps for each color. The next
    /// call continues from where this one stopped. Use it to limit the time where light fades
    /// slowly.
    pub fn settle_within(&mut self, tolerance: f32, sweeps: u32) -> Settled {
        self.prepare();
        let tolerance = if tolerance >= LEAST_TOLERANCE {
            tolerance
        } else {
            LEAST_TOLERANCE
        };
        let solve = self.solve(tolerance, sweeps);
        let is_settled = |channel: &Channel| channel.is_settled(solve.threshold);
        if self.channels.iter().all(is_settled) {
            return Settled::new(0, true, self.error(), tolerance);
        }
        self.edits.note_light();
        let asked = self.shades();
        let shades = self.alike.as_asked(asked);
        let (sweeps, at_rest, swept) = settle::settle(
            &mut self.regions,
            &self.media,
            &mut self.channels,
            shades,
            solve,
        );
        self.alike = match (shades, asked) {
            (Some(shades), _) => Alike::Shades(shades),
            (None, Some(asked)) => self.alike.apart(asked, swept, at_rest),
            _ if self.stays_dark() => Alike::Dark,
            _ => Alike::No,
        };
        if let Some(due) = self.alike.due(self.scene.cells().len() as u64) {
            due.write(&mut self.channels);
            self.alike = Alike::Shades(due);
        }
        Settled::new(sweeps, at_rest, self.error(), tolerance)
    }

    /// Whether there is no light, and nothing that emits any.
    fn stays_dark(&self) -> bool {
        let mut lights = self.channels.iter().map(Channel::brightest);
        self.alike == Alike::Dark && lights.all(|light| light == 0.0)
    }

    /// The proportion of the colors that the sources demand, if there is a single one that settled
    /// light can follow.
    fn shades(&self) -> Option<Shades> {
        let [_] = &*self.media else { return None };
        // Light that does not fade remains after its lamp is gone, in a proportion that no lamp
        // demands.
        if self.decay() < LEAST_DECAY {
            return None;
        }
        Shades::asked(&self.channels, self.alike)
    }

    /// An upper bound on the distance of a grid at rest from the settled light.
    fn error(&self) -> f32 {
        let decay = self.decay();
        let errors = self
            .channels
            .iter()
            .map(|channel| settle::error(channel, decay));
        errors.fold(0.0, f32::max)
    }

    fn solve(&self, tolerance: f32, max_sweeps: u32) -> Solve {
        Solve {
            threshold: tolerance * self.decay().max(LEAST_DECAY),
            relaxation: self.relaxation(),
            max_sweeps,
        }
    }

    /// The factor of over-relaxation: how far a cell moves towards, and past, its average. From 1
    /// to below 2.
    pub(crate) fn relaxation(&self) -> f32 {
        let decay = self.decay();
        let lattice = self.scene.settings.neighborhood.lattice();
        let (own, all) = lattice.own_and_all();
        // `spread` is the part of a wave that remains after one step in which each cell takes the
        // average of its neighbors. On a small grid no wave is longer than the grid.
        let spread = (1.0 - decay) * (all - own) / (all - (1.0 - decay) * own);
        let longest = f64::from(self.scene.size.max_element() + 1);
        let spread = f64::from(spread).min(libm::cos(core::f64::consts::PI / longest));
        (2.0 / (1.0 + libm::sqrt(1.0 - spread * spread))) as f32
    }

    /// Notes that the light is no longer what the settled solver left.
    pub(crate) fn light_changed(&mut self) {
        self.alike = Alike::No;
        self.regions.iter_mut().for_each(Region::light_changed);
    }

    /// Discards the solver's knowledge of how cells treat light.
    pub(crate) fn forget_cells(&mut self) {
        self.regions.iter_mut().for_each(Region::clear);
    }

    /// Removes all light. The next step or settle starts from darkness.
    pub fn darken(&mut self) {
        for channel in &mut self.channels {
            channel.darken();
        }
        self.regions.iter_mut().for_each(Region::darken);
        self.alike = Alike::Dark;
        self.edits.note_darkness();
        self.direct.darken();
        self.dirty.direct = true;
    }

    /// Recomputes what has changed of the demands of sources and ambient light.
    pub(crate) fn prepare(&mut self) {
        if core::mem::take(&mut self.dirty.constraints) {
            self.place_sources();
        }
        if core::mem::take(&mut self.dirty.ambient) {
            self.place_ambient();
            self.direct.ambient_changed();
            self.dirty.direct = true;
        }
        self.update_direct();
    }

    /// Updates the light in straight lines after changes of sources and cells.
    pub(crate) fn update_direct(&mut self) {
        if core::mem::take(&mut self.dirty.direct) {
            self.direct.update(&self.scene);
            for area in self.direct.drain_changes() {
                self.channels[0].mark_dirty(area);
            }
        }
    }

    /// Calls `work` for every channel with its medium.
    fn for_each_channel(&mut self, work: impl Fn(&mut Channel, &Medium) + Sync + Send) {
        let media = &self.media;
        let cells = self.scene.cells().len();
        map_each(&mut self.channels, cells, |color, channel| {
            work(channel, &media[color.min(media.len() - 1)]);
        });
    }
}
