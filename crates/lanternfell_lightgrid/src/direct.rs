//! Light in straight lines: crisp shadows, to be mixed with the light that flows.
//!
//! # The problem
//!
//! The automaton's light is soft and bends round corners; a pillar beside a torch casts
//! hardly a shadow.
//!
//! # The idea
//!
//! Each source shines on what its cell sees (symmetric shadowcasting), as brightly as the
//! automaton's light would be there on open ground along an axis. So on open ground the two kinds
//! of light are the same on the axes, and nearly so elsewhere ([`LightSettings::direct`](crate::LightSettings::direct) has the
//! numbers): mixing them only adds the shadows. On the way through smoke or
//! glass the light is multiplied by what the cells of the line pass.
//!
//! A source between cells shines from the cells that share it, each by its share: as it
//! moves, shadows fade over instead of jumping.
//!
//! On hexagons the axes are the ways to the six neighbors, and distances are those in the plane.
//!
//! Ambient light and darkness are in it too, each in its own cells.
//!
//! Where several lights `a` meet they add up as `M (1 - Π (1 - a / M))`, with `M` the
//! brightest source: nearly a sum where they are faint, and never above `M`.
//!
//! # Cost
//!
//! One field of view for each source that moved, and the area it lit before and after.
//! The rest is not looked at, unless the brightest source changes: it is in all sums. Off (and without memory) when its share is 0.

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

/// So many changed cells are not looked at one by one.
const MANY: usize = 1024;

/// The light in straight lines, of all sources.
#[derive(Debug, Clone, Default)]
pub(crate) struct Direct {
    /// The share of this light in all light; of the settings, once they are applied.
    share: f32,
    light: Vec<Vec3>,
    stamps: Vec<Stamp>,
    falloff: FalloffTable,
    /// The `M` above.
    brightest: f32,
    changed_cells: Vec<IVec2>,
    /// All is to be done again.
    anew: bool,
    /// All is to be added up again.
    ambient_changed: bool,
    changes: Vec<Area>,
}

impl Direct {
    /// The share of this light in all light.
    pub(crate) fn share(&self) -> f32 {
        self.share
    }

    /// The light at a cell, by its place in the grid, of which `flowing` is the other kind.
    pub(crate) fn mix(&self, flowing: Vec3, index: usize) -> Vec3 {
        if self.share == 0.0 {
            return flowing;
        }
        flowing * (1.0 - self.share) + self.light[index] * self.share
    }

    /// The light of all cells, row by row; none while its share is 0.
    pub(crate) fn light(&self) -> &[Vec3] {
        &self.light
    }

    /// Exchanges the light for that which another has worked out. With the next update all is done
    /// again.
    pub(crate) fn show(&mut self, light: &mut Vec<Vec3>, worked: &Self) {
        core::mem::swap(&mut self.light, light);
        self.share = worked.share;
        self.anew = true;
        self.changed_cells.clear();
    }

    /// With the next update all is done again.
    pub(crate) fn renew(&mut self) {
        self.anew = true;
    }

    /// With the next update all is added up again.
    pub(crate) fn ambient_changed(&mut self) {
        self.ambient_changed = true;
    }

    /// Darkness, until the next update.
    pub(crate) fn darken(&mut self) {
        self.light.fill(Vec3::ZERO);
        self.anew = true;
    }

    pub(crate) fn cell_changed(&mut self, cell: IVec2) {
        if self.stamps.is_empty() || self.anew {
            return;
        }
        self.changed_cells.push(cell);
        if self.changed_cells.len() > MANY {
            self.changed_cells.clear();
            self.anew = true;
        }
    }

    /// The areas in which the light has changed since the last call.
    pub(crate) fn drain_changes(&mut self) -> impl Iterator<Item = Area> {
        core::mem::take(&mut self.changes).into_iter()
    }

    /// Brings the light in line with the scene's sources and cells.
    pub(crate) fn update(&mut self, scene: &Scene) {
        let share = scene.settings.direct;
        if self.share != share {
            // With a share of 0 nothing is kept, with another one all stamps are new.
            *self = Self {
                share,
                anew: true,
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
        // The sum of two lights depends on the brightest of all (`add_up`), so every sum changes with it.
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

    /// Makes the stamps of new and changed sources, and of those near a changed cell;
    /// returns the areas in which something changes.
    fn renew_stamps(&mut self, scene: &Scene) -> Vec<Area> {
        let mut changes = Vec::new();
        if core::mem::take(&mut self.anew) {
            self.stamps.clear();
            self.light.resize(scene.cells().len(), Vec3::ZERO);
            self.falloff = FalloffTable::new(scene.settings.neighborhood, scene.rule.decay());
            changes.push(Area::whole(scene.size));
        }
        // Stamps are in the order of the sources. Those beyond the last source leave darkness behind.
        let kept = self.stamps.len().min(scene.sources.len());
        changes.extend(self.stamps.drain(kept..).map(|stamp| stamp.area));
        let changed = core::mem::take(&mut self.changed_cells);
        for (n, source) in scene.sources.iter().enumerate() {
            if let Some(stamp) = self.stamps.get_mut(n) {
                let undisturbed = !changed.iter().any(|&cell| stamp.area.contains(cell));
                if undisturbed && stamp.source == *source {
                    continue;
                }
                // Where it was, and below where it is. A source that only flickers keeps what it sees.
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

    /// Adds up all light over these cells, in the order of the sources.
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
                // The sum never exceeds the brightest: each light adds its part of what is still missing.
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

    /// Those of the cells in which there is a darkness, each once with the greatest.
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
