//! What one source shines on.

use glam::{IVec2, Vec3};

use super::falloff::{FAINTEST, FalloffTable};
use crate::{
    area::Area, hexagonal::rows_within, neighborhood::Neighborhood, scene::Scene,
    shadowcast::FieldOfView, source::Source,
};

/// What one source shines on, and how brightly for its strength.
#[derive(Debug, Clone)]
pub(super) struct Stamp {
    pub(super) source: Source,
    pub(super) area: Area,
    /// The share of its light that reaches each cell of the area.
    shares: Vec<Vec3>,
    /// In cells.
    radius: u32,
}

impl Stamp {
    /// Of this source, seen as far as `falloff` says.
    pub(super) fn new(source: &Source, scene: &Scene, falloff: &FalloffTable) -> Self {
        let radius = falloff.radius(source.light.max_element());
        let neighborhood = scene.settings.neighborhood;
        // Rows of hexagons lie nearer to each other.
        let reach = if neighborhood.is_hexagonal() {
            rows_within(radius)
        } else {
            radius
        };
        let area = Area::around(neighborhood.cell_at(source.at), reach + 1, scene.size);
        let mut stamp = Self {
            source: *source,
            area,
            shares: vec![Vec3::ZERO; area.count()],
            radius,
        };
        if radius > 0 {
            stamp.look(scene);
            stamp.fade(scene, falloff);
            stamp.shade(scene);
        }
        stamp
    }

    /// Takes over a source that differs in its light alone; whether it could.
    pub(super) fn take_over(&mut self, source: &Source, falloff: &FalloffTable) -> bool {
        let stays = source.at == self.source.at && source.height == self.source.height;
        let same = stays && falloff.radius(source.light.max_element()) <= self.radius;
        if same {
            self.source = *source;
        }
        same
    }

    /// The light that it brings to a cell of its area, when its source gives so much.
    ///
    /// What is too faint is cut off here, by its value: so the light does not depend on
    /// whether the stamp was made for a stronger source.
    pub(super) fn light(&self, cell: IVec2, light: Vec3) -> Vec3 {
        let share = self.shares[self.area.place(cell)];
        if share.max_element() * light.max_element() < FAINTEST {
            return Vec3::ZERO;
        }
        share * light
    }

    /// Finds what each of the cells that share the source sees.
    fn look(&mut self, scene: &Scene) {
        let mut view = FieldOfView::new();
        let mut shares = 0.0;
        for (from, share) in self.source.shares(scene.settings.neighborhood) {
            if !scene.contains(from) || scene.is_opaque(from) {
                // The shares of cells in walls go to the others.
                continue;
            }
            shares += share;
            scene.look(&mut view, from, self.radius);
            for cell in view.cells().filter(|&cell| self.area.contains(cell)) {
                self.shares[self.area.place(cell)] += Vec3::splat(share);
            }
        }
        for seen in &mut self.shares {
            *seen /= f32::max(shares, f32::MIN_POSITIVE);
        }
    }

    /// What of the light comes to a cell over open ground. Of hexagons the cells that share the source
    /// shine each by its share here too: those beside the line between two of them are so near to its
    /// middle that it would be much brighter there than what flows.
    fn faded(&self, cell: IVec2, neighborhood: Neighborhood, falloff: &FalloffTable) -> f32 {
        if !neighborhood.is_hexagonal() {
            return falloff.at(self.source.at.distance(cell.as_vec2()));
        }
        let place = |cell: IVec2| neighborhood.to_plane(cell.as_vec2());
        let shares = self.source.shares(neighborhood);
        let light =
            shares.map(|(from, share)| share * falloff.at(place(from).distance(place(cell))));
        // The shares' sum may be rounded to more than the whole.
        light.sum::<f32>().min(1.0)
    }

    /// Dims what is seen by its distance, and by what lies on the way.
    fn fade(&mut self, scene: &Scene, falloff: &FalloffTable) {
        let neighborhood = scene.settings.neighborhood;
        let home = neighborhood.cell_at(self.source.at);
        let clear = self.area.cells().all(|cell| is_clear(scene, cell));
        for cell in self.area.cells() {
            let place = self.area.place(cell);
            if self.shares[place] != Vec3::ZERO {
                let faded = self.faded(cell, neighborhood, falloff);
                self.shares[place] *= faded;
                if !clear {
                    self.shares[place] *= passed(scene, home, cell);
                }
            }
        }
    }

    /// Takes away what the land hides.
    fn shade(&mut self, scene: &Scene) {
        if let Some(relief) = &scene.relief {
            let at = self.source.at;
            let lamp = at.extend(relief.ground_at(at) + self.source.height);
            relief.shade(lamp, self.radius, self.area, &mut self.shares);
        }
    }
}

/// Whether light passes a cell whole, or not at all.
fn is_clear(scene: &Scene, cell: IVec2) -> bool {
    let transparency = scene.cell(cell).transparency;
    transparency == Vec3::ONE || transparency == Vec3::ZERO
}

/// What the cells between two cells pass.
fn passed(scene: &Scene, from: IVec2, to: IVec2) -> Vec3 {
    let between = scene
        .line(from, to)
        .filter(|&cell| cell != from && cell != to);
    between.fold(Vec3::ONE, |light, cell| {
        let transparency = scene.cell(cell).transparency;
        // A line may cut the corner of a wall that the view passes.
        if transparency == Vec3::ZERO {
            light
        } else {
            light * scene.tinted(transparency)
        }
    })
}
