//! The demands of each source on cells.

use glam::Vec3;

use crate::scene::Scene;

/// The demands of one source on one cell.
struct Asked {
    /// The index of the cell, row by row.
    place: usize,
    source: usize,
    held: Vec3,
    dark: Vec3,
}

/// The demands of all sources, sorted by cell and then by source.
pub(super) struct AskedCells(Vec<Asked>);

impl AskedCells {
    pub(super) fn of(scene: &Scene) -> Self {
        let mut all = Vec::new();
        for (n, source) in scene.sources.iter().enumerate() {
            let light = scene.tinted(source.light);
            let holds = source.holds(
                scene.settings.neighborhood,
                scene.rule.adjacent_light,
                |cell| scene.is_opaque(cell),
            );
            for (cell, held, share) in holds {
                if let Some(place) = scene.index(cell) {
                    all.push(Asked {
                        place,
                        source: n,
                        held: (light * held).max(Vec3::ZERO),
                        dark: (-light * share).max(Vec3::ZERO),
                    });
                }
            }
        }
        all.sort_by_key(|asked| (asked.place, asked.source));
        Self(all)
    }

    /// The brightest light at which any cell is held.
    pub(super) fn greatest(&self) -> f32 {
        let held = self.0.iter().map(|asked| asked.held.max_element());
        held.fold(0.0, f32::max)
    }

    /// Whether there is any darkness.
    pub(super) fn is_dark(&self) -> bool {
        self.0.iter().any(|asked| asked.dark != Vec3::ZERO)
    }

    /// The source that holds a cell at the brightest light in one color, and that light.
    pub(super) fn held(&self, place: usize, color: usize) -> Option<(usize, f32)> {
        self.greatest_of(place, |asked| asked.held[color])
    }

    /// The darkness that takes the most light of one color from a cell, and how much.
    pub(super) fn dark(&self, place: usize, color: usize) -> Option<(usize, f32)> {
        self.greatest_of(place, |asked| asked.dark[color])
    }

    fn greatest_of(&self, place: usize, of: impl Fn(&Asked) -> f32) -> Option<(usize, f32)> {
        let first = self.0.partition_point(|asked| asked.place < place);
        let here = self.0[first..].iter();
        let mut most = None;
        for asked in here.take_while(|asked| asked.place == place) {
            let light = of(asked);
            if light > most.map_or(0.0, |(_, most)| most) {
                most = Some((asked.source, light));
            }
        }
        most
    }
}
