//! Which source asks what of which cell.

use glam::Vec3;

use crate::scene::Scene;

/// What one source asks of one cell.
struct Asked {
    /// The cell's place, row by row.
    place: usize,
    source: usize,
    held: Vec3,
    dark: Vec3,
}

/// What the sources ask, by cell and then by source.
pub(super) struct AskedCells(Vec<Asked>);

impl AskedCells {
    pub(super) fn of(scene: &Scene) -> Self {
        let mut all = Vec::new();
        for (n, source) in scene.sources.iter().enumerate() {
            let light = scene.tinted(source.light);
            let holds = source.holds(scene.settings.neighborhood, scene.rule.beside, |cell| {
                scene.is_opaque(cell)
            });
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

    /// The brightest that any cell is held at.
    pub(super) fn greatest(&self) -> f32 {
        let held = self.0.iter().map(|asked| asked.held.max_element());
        held.fold(0.0, f32::max)
    }

    /// Whether anything is asked to be darker.
    pub(super) fn is_dark(&self) -> bool {
        self.0.iter().any(|asked| asked.dark != Vec3::ZERO)
    }

    /// The source that holds a cell brightest in a color, and at what; none where none does.
    pub(super) fn held(&self, place: usize, color: usize) -> Option<(usize, f32)> {
        self.greatest_of(place, |asked| asked.held[color])
    }

    /// The darkness that takes most of a cell's light of a color, and how much it takes.
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
