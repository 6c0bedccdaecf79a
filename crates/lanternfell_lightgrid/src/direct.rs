//! Light in straight lines: crisp shadows, which can be mixed with flowing light.
//!
//! # The problem
//!
//! The light of the automaton is soft and bends around corners. A pillar next to a torch casts
//! hardly any shadow.
//!
//! # The idea
//!
//! Each source lights the cells in its field of view (symmetric shadowcasting). The brightness is
//! that of flowing light at the same distance along an axis on open ground. On open ground the two
//! kinds of light are therefore the same along the axes and nearly the same elsewhere
//! ([`LightSettings::direct`](crate::LightSettings::direct) lists the differences), and mixing them
//! only adds shadows. Light through smoke or glass is multiplied by the transparency of the cells
//! on the line.
//!
//! A source between cells shines from the cells that share it, from each with its share. When the
//! source moves, shadows fade over instead of jumping.
//!
//! On hexagons the axes are the directions to the six neighbors, and distances are those in the
//! plane.
//!
//! Ambient light and darkness are included, in their own cells only.
//!
//! Several lights `a` in one cell add up to `M (1 - Π (1 - a / M))`, where `M` is the brightest
//! source. For faint lights this is nearly their sum, and it never exceeds `M`.
//!
//! # Cost
//!
//! One field of view for each source that has moved, and the area that it lit before and lights
//! now. Other cells are not visited, unless the brightest source changes, because it is part of all
//! sums. Without direct light there is no cost and no memory.

pub(crate) mod falloff;
mod parts;
mod stamp;

use glam::{IVec2, Vec3};

use crate::{
    area::{Area, Spans},
    scene::Scene,
};
use falloff::FalloffTable;
use stamp::Stamp;

/// If more cells have changed, everything is recomputed.
const MANY: usize = 1024;

/// The light in straight lines of all sources.
#[derive(Debug, Clone, Default)]
pub(crate) struct Direct {
    /// The share of direct light, from the settings of the last update.
    share: f32,
    light: Vec<Vec3>,
    stamps: Vec<Stamp>,
    falloff: FalloffTable,
    /// The `M` in the module documentation.
    brightest: f32,
    changed_cells: Vec<IVec2>,
    /// Whether the next update recomputes everything.
    recompute_all: bool,
    /// Whether the next update sums up all cells again.
    ambient_changed: bool,
    changes: Vec<Area>,
}

impl Direct {
    /// The share of direct light.
    pub(crate) fn share(&self) -> f32 {
        self.share
    }

    /// The mixed light of a cell, given its index and its flowing light.
    pub(crate) fn mix(&self, flowing: Vec3, index: usize) -> Vec3 {
        if self.share == 0.0 {
            return flowing;
        }
        flowing * (1.0 - self.share) + self.light[index] * self.share
    }

    /// The straight light of all cells, row by row. Empty if the share is 0.
    pub(crate) fn light(&self) -> &[Vec3] {
        &self.light
    }

    /// Swaps the light with that of a worker. The next update recomputes everything.
    pub(crate) fn show(&mut self, light: &mut Vec<Vec3>, worked: &Self) {
        core::mem::swap(&mut self.light, light);
        self.share = worked.share;
        self.recompute_all = true;
        self.changed_cells.clear();
    }

    /// Makes the next update recompute everything.
    pub(crate) fn renew(&mut self) {
        self.recompute_all = true;
    }

    /// Makes the next update sum up all cells again.
    pub(crate) fn ambient_changed(&mut self) {
        self.ambient_changed = true;
    }

    /// Removes all light until the next update.
    pub(crate) fn darken(&mut self) {
        self.light.fill(Vec3::ZERO);
        self.recompute_all = true;
    }

    pub(crate) fn cell_changed(&mut self, cell: IVec2) {
        if self.stamps.is_empty() || self.recompute_all {
            return;
        }
        self.changed_cells.push(cell);
        if self.changed_cells.len() > MANY {
            self.changed_cells.clear();
            self.recompute_all = true;
        }
    }

    /// Returns the areas in which the light has changed since the last call.
    pub(crate) fn drain_changes(&mut self) -> impl Iterator<Item = Area> {
        core::mem::take(&mut self.changes).into_iter()
    }

    /// Updates the light after changes of the scene.
    pub(crate) fn update(&mut self, scene: &Scene) {
        let share = scene.settings.direct;
        if self.share != share {
            // With a share of 0 no data is kept. With another share all stamps are new.
            *self = Self {
                share,
                recompute_all: true,
                ..Self::default()
            };
            self.changes.push(Area::whole(scene.size));
        }
        if share == 0.0 {
            self.changed_cells.clear();
            return;
        }
        let mut changes = self.renew_stamps(scene);
        let lights = scene
            .sources
            .iter()
            .map(|source| source.light.max_element());
        let brightest = lights.fold(0.0, f32::max);
        // The sum of two lights depends on the brightest source (see `add_up`), so all sums change.
        if self.brightest != brightest {
            self.brightest = brightest;
            changes.extend(self.stamps.iter().map(|stamp| stamp.area));
        }
        if core::mem::take(&mut self.ambient_changed) {
            changes.push(Area::whole(scene.size));
        }
        changes.retain(|area| !area.is_empty());
        if !changes.is_empty() {
            self.add_up(&Spans::over(&changes, scene.size), scene);
        }
        self.changes.extend(changes);
    }

    /// Recomputes the stamps of new and changed sources, and of those near a changed cell. Returns
    /// the areas in which the light changes.
    fn renew_stamps(&mut self, scene: &Scene) -> Vec<Area> {
        let mut changes = Vec::new();
        if core::mem::take(&mut self.recompute_all) {
            self.stamps.clear();
            self.light.resize(scene.cells().len(), Vec3::ZERO);
            self.falloff = FalloffTable::new(scene.settings.neighborhood, scene.rule.decay());
            changes.push(Area::whole(scene.size));
        }
        // Stamps have the same order as the sources. Stamps beyond the last source are removed.
        let kept = self.stamps.len().min(scene.sources.len());
        changes.extend(self.stamps.drain(kept..).map(|stamp| stamp.area));
        let changed = core::mem::take(&mut self.changed_cells);
        for (n, source) in scene.sources.iter().enumerate() {
            if let Some(stamp) = self.stamps.get_mut(n) {
                let undisturbed = !changed.iter().any(|&cell| stamp.area.contains(cell));
                if undisturbed && stamp.source == *source {
                    continue;
                }
                // The area before; the area now is added below. A source that only flickers keeps
                // its field of view.
                changes.push(stamp.area);
                if undisturbed && stamp.take_over(source, &self.falloff) {
                    continue;
                }
            }
            let stamp = Stamp::new(source, scene, &self.falloff);
            changes.push(stamp.area);
            match self.stamps.get_mut(n) {
                Some(old) => *old = stamp,
                None => self.stamps.push(stamp),
            }
        }
        changes
    }

    /// Sums up all light in these cells, in the order of the sources.
    fn add_up(&mut self, spans: &Spans, scene: &Scene) {
        let width = scene.size.x as usize;
        let index = |cell: IVec2| cell.y as usize * width + cell.x as usize;
        for cell in spans.within(Area::whole(scene.size)) {
            self.light[index(cell)] = Vec3::ZERO;
        }
        let most = Vec3::splat(self.brightest);
        for stamp in &self.stamps {
            let source = scene.tinted(stamp.source.light).max(Vec3::ZERO);
            for cell in spans.within(stamp.area) {
                let light = &mut self.light[index(cell)];
                // Each light adds its fraction of what is missing to `brightest`, so the sum never
                // exceeds it.
                let more = stamp.light(cell, source);
                *light = (*light + more - *light * more / self.brightest.max(f32::MIN_POSITIVE))
                    .min(most);
            }
        }
        if !scene.ambient.is_empty() {
            for cell in spans.within(Area::whole(scene.size)) {
                let ambient = scene.tinted(scene.ambient(scene.region(cell)));
                self.light[index(cell)] = self.light[index(cell)].max(ambient);
            }
        }
        for (cell, dark) in self.darknesses(spans, scene) {
            let light = &mut self.light[index(cell)];
            *light = (*light - dark).max(Vec3::ZERO);
        }
    }

    /// The cells of these spans with a darkness, each once, with the greatest darkness.
    fn darknesses(&self, spans: &Spans, scene: &Scene) -> Vec<(IVec2, Vec3)> {
        let sources = self.stamps.iter().map(|stamp| stamp.source);
        let dark = sources.filter(|source| source.light.min_element() < 0.0);
        let shares = dark.flat_map(|source| {
            let dark = (-scene.tinted(source.light)).max(Vec3::ZERO);
            source
                .shares(scene.settings.neighborhood)
                .map(move |(cell, share)| (cell, dark * share))
        });
        let mut all: Vec<_> = shares.filter(|(cell, _)| spans.contains(*cell)).collect();
        all.sort_by_key(|(cell, _)| (cell.y, cell.x));
        all.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.1 = first.1.max(later.1);
            }
            same
        });
        all
    }
}
