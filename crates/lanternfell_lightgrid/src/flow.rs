//! How the light goes on: by steps of the automaton, or to where those would end.

use crate::{
    channel::Channel,
    grid::LightGrid,
    medium::Medium,
    settle::{self, Alike, Region, Shades, Solve},
    threads::map_each,
};

/// Smaller tolerances are taken for this.
pub(crate) const LEAST_TOLERANCE: f32 = 1e-6;

/// Where less is lost in a step, cells are asked to be as near to their averages as here: rounding
/// keeps them further away than the tolerance would have them.
const LEAST_DECAY: f32 = 1.0 / 4096.0;

/// How a grid came to rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settled {
    /// How many times the unsettled part of the grid was gone over, in the color that took the most; 0 when nothing had
    /// changed.
    pub sweeps: u32,
    /// Whether it came to rest: for this tolerance the next call finds nothing to do. If
    /// not, it goes on from here.
    pub at_rest: bool,
    /// No light is further from the settled light than this: proven, by how far cells are
    /// from their averages. Infinite as long as the grid is not at rest, and without decay,
    /// where nothing says how far the end of the way is.
    pub error: f32,
    /// Whether the tolerance was reached: whether `error` is the tolerance and for rounding at
    /// most as much again.
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
    /// Goes on by `steps` steps of the automaton: light flows by at most one cell a step.
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

    /// Brings the light to where the automaton would come to rest, but for `tolerance`.
    ///
    /// A tolerance of 1/1000 can not be seen; smaller than 1/1,000,000, or not a number, is
    /// taken as that. [`Settled::error`] says how near the light is.
    ///
    /// Light as bright as `l` can not be told to be nearer than about `2 l` / 1,000,000 divided by
    /// the decay, since its last bits are rounded: 0.00017 for light of 1 at a radius of 12, 0.0015
    /// at 32. And where less than 1/4096 is lost in a step, which is a radius of some seventy cells,
    /// no more is asked of cells than at 1/4096. Light of 1 on 140 x 140 open cells was measured to
    /// be off by 0.0001 at a radius of 90 and by 0.002 at 128; at 1000 it comes to rest at 0.72 in
    /// the corner across from its lamp's, where 0.81 is right. That is more than is asked for, or
    /// can not be told to be less: such light is not [`reached`](Settled::reached).
    ///
    /// Faint light that the automaton takes for none, below 1/65536, is left here: a grid
    /// that is settled and stepped by turns finds a little to do at each change, and steps end at
    /// most 1/65536 divided by the decay below this.
    pub fn settle(&mut self, tolerance: f32) -> Settled {
        self.settle_within(tolerance, Self::MAX_SWEEPS)
    }

    /// As [`settle`](Self::settle), but with at most so many sweeps of each color: for apps that must not
    /// wait where light fades slowly. The next call goes on.
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

    /// Whether there is no light, and nothing that gives any.
    fn stays_dark(&self) -> bool {
        let mut lights = self.channels.iter().map(Channel::brightest);
        self.alike == Alike::Dark && lights.all(|light| light == 0.0)
    }

    /// What the settled light of the colors is of the brightest by what sources ask, if it is in one proportion.
    fn shades(&self) -> Option<Shades> {
        let [_] = &*self.media else { return None };
        // Light that does not fade stays when its lamp has gone: it is more than what lamps ask for.
        if self.decay() < LEAST_DECAY {
            return None;
        }
        Shades::asked(&self.channels, self.alike)
    }

    /// How far a grid at rest is from the settled light at most.
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

    /// How far a cell best goes towards, and past, its average: from 1 to below 2.
    pub(crate) fn relaxation(&self) -> f32 {
        let decay = self.decay();
        let lattice = self.scene.settings.neighborhood.lattice();
        let (own, all) = lattice.own_and_all();
        // How much of a wave is left after one step in which each cell takes the average
        // of the others; on a small grid a wave can not be longer than the grid.
        let spread = (1.0 - decay) * (all - own) / (all - (1.0 - decay) * own);
        let longest = f64::from(self.scene.size.max_element() + 1);
        let spread = f64::from(spread).min(libm::cos(core::f64::consts::PI / longest));
        (2.0 / (1.0 + libm::sqrt(1.0 - spread * spread))) as f32
    }

    /// The light is not as the settled solver left it.
    pub(crate) fn light_changed(&mut self) {
        self.alike = Alike::No;
        self.regions.iter_mut().for_each(Region::light_changed);
    }

    /// Nothing is known any more of what cells do with light.
    pub(crate) fn forget_cells(&mut self) {
        self.regions.iter_mut().for_each(Region::clear);
    }

    /// Darkness everywhere, until the next step.
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

    /// Works out again what has changed of what the sources and regions ask for.
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

    /// Brings the light in straight lines in line with the sources and cells.
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
