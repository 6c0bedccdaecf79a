//! What stands in the light's way in fine cells, and what flows in the grid's own.

use glam::{IVec2, UVec2, Vec2, Vec3};

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::std_traits::ReflectDefault;

use super::exchanged;
use crate::{
    area::Area,
    error::{LightError, check_range, check_size},
    grid::LightGrid,
};

/// Something round that light does not pass, smaller than a cell or larger: a pillar, a figure.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(Clone, Debug, Default, PartialEq)
)]
pub struct Disc {
    /// Its middle, in cells; whole numbers are middles of cells.
    pub at: Vec2,
    /// In cells, from 0 to [`MAX_RADIUS`](Self::MAX_RADIUS).
    pub radius: f32,
}

impl Disc {
    /// The largest radius, in cells.
    pub const MAX_RADIUS: f32 = 64.0;

    pub(super) fn validate(&self) -> Result<(), LightError> {
        for value in self.at.to_array() {
            check_range("disc.at", value, f32::MIN, f32::MAX)?;
        }
        check_range("disc.radius", self.radius, 0.0, Self::MAX_RADIUS)
    }

    /// Whether a place in cells lies in it.
    pub(super) fn contains(&self, at: Vec2) -> bool {
        self.at.distance_squared(at) <= self.radius * self.radius
    }

    /// The cells that it may touch.
    fn area(&self, size: UVec2) -> Area {
        let reach = self.radius.ceil() as u32 + 1;
        let area = Area::around(self.at.round().as_ivec2(), reach, size);
        area.within(Area::whole(size))
    }
}

/// Light passes a fine cell unless one of these stands there: part of a wall, a disc, or the end of the crack between two
/// walls that touch at a corner, through which nothing is to leak.
const WALL: u8 = 1;
const DISC: u8 = 2;
const CRACK: u8 = 4;

/// Whether what stands in a fine cell can be seen.
pub(super) fn is_solid(blocked: u8) -> bool {
    blocked & (WALL | DISC) != 0
}

/// What stands in the light's way, and what flows.
#[derive(Debug, Clone)]
pub(super) struct FineGround {
    /// Of the grid.
    size: UVec2,
    finer: u32,
    /// What stands in each fine cell, row by row.
    blocked: Vec<u8>,
    discs: Vec<Disc>,
    /// Of each cell of the grid: whether it ends a line of sight, what it passes, the light that flows there.
    opaque: Vec<bool>,
    passes: Vec<Vec3>,
    flow: Vec<Vec3>,
    /// The ambient light of each cell; none at all while there is none.
    ambient: Vec<Vec3>,
}

impl FineGround {
    /// Open cells in darkness.
    pub(super) fn new(size: UVec2, finer: u32) -> Result<Self, LightError> {
        let fine = size * finer;
        check_size(fine)?;
        let cells = size.element_product() as usize;
        Ok(Self {
            size,
            finer,
            blocked: vec![0; fine.element_product() as usize],
            discs: Vec::new(),
            opaque: vec![false; cells],
            passes: vec![Vec3::ONE; cells],
            flow: vec![Vec3::ZERO; cells],
            ambient: Vec::new(),
        })
    }

    pub(super) fn size(&self) -> UVec2 {
        self.size
    }

    pub(super) fn finer(&self) -> u32 {
        self.finer
    }

    pub(super) fn fine_size(&self) -> UVec2 {
        self.size * self.finer
    }

    /// Where a place that is given in cells lies in fine cells.
    pub(super) fn to_fine(&self, at: Vec2) -> Vec2 {
        // In both, whole numbers are middles: the corner of the grid is at -1/2.
        (at + 0.5) * self.finer as f32 - 0.5
    }

    /// Where the middle of a fine cell lies, in cells.
    pub(super) fn to_cells(&self, fine: IVec2) -> Vec2 {
        (fine.as_vec2() + 0.5) / self.finer as f32 - 0.5
    }

    /// The cell in which a fine one lies.
    pub(super) fn cell_of(&self, fine: IVec2) -> IVec2 {
        fine.div_euclid(IVec2::splat(self.finer as i32))
    }

    /// The cells in which an area of fine ones lies.
    pub(super) fn cells_around(&self, fine: Area) -> Area {
        Area {
            first: self.cell_of(fine.first),
            // The end is not part of the area, and may be in the cell behind.
            end: self.cell_of(fine.end - 1) + 1,
        }
    }

    /// The part that lies inside, in cells or in cells that are so many times `finer`.
    pub(super) fn inside(&self, first: UVec2, size: UVec2, finer: u32) -> Area {
        let most = self.size * finer;
        Area {
            first: first.min(most).as_ivec2(),
            end: first.saturating_add(size).min(most).as_ivec2(),
        }
    }

    /// What is needed for some fine cells: those that there are, the cells in which they lie, and with those around.
    pub(super) fn around(&self, first: UVec2, size: UVec2) -> Option<(Area, Area, Area)> {
        let wanted = self.inside(first, size, self.finer);
        if wanted.is_empty() {
            return None;
        }
        let cells = self.cells_around(wanted);
        let around = cells.grown(1).within(Area::whole(self.size));
        Some((wanted, cells, around))
    }

    /// The fine cells of an area of cells.
    pub(super) fn fine(&self, cells: Area) -> Area {
        let finer = self.finer as i32;
        Area {
            first: cells.first * finer,
            end: cells.end * finer,
        }
    }

    pub(super) fn contains(&self, cell: IVec2) -> bool {
        cell.cmpge(IVec2::ZERO).all() && cell.cmplt(self.size.as_ivec2()).all()
    }

    /// The place of a cell of the grid.
    fn index(&self, cell: IVec2) -> usize {
        cell.y as usize * self.size.x as usize + cell.x as usize
    }

    /// Whether a cell of the grid ends a line of sight.
    pub(super) fn is_wall(&self, cell: IVec2) -> bool {
        self.opaque[self.index(cell)]
    }

    /// What a cell passes; outside of the grid nothing.
    pub(super) fn passes(&self, cell: IVec2) -> Vec3 {
        if !self.contains(cell) {
            return Vec3::ZERO;
        }
        self.passes[self.index(cell)]
    }

    /// What flows at a cell of the grid.
    pub(super) fn flow(&self, cell: IVec2) -> Vec3 {
        self.flow[self.index(cell)]
    }

    /// Whether there is ambient light anywhere.
    pub(super) fn has_ambient(&self) -> bool {
        !self.ambient.is_empty()
    }

    /// The ambient light at a cell of the grid, where there is any.
    pub(super) fn ambient(&self, cell: IVec2) -> Vec3 {
        self.ambient[self.index(cell)]
    }

    /// What stands in a row's fine cells from `first` on.
    pub(super) fn blocked_row(&self, first: IVec2, end: i32) -> &[u8] {
        let place = first.y as usize * self.fine_size().x as usize + first.x as usize;
        &self.blocked[place..place + (end - first.x) as usize]
    }

    /// Whether no light passes a fine cell.
    pub(super) fn is_blocked(&self, fine: IVec2) -> bool {
        self.blocked_by(fine) != 0
    }

    /// Whether no light passes a fine cell, that comes out of this disc.
    pub(super) fn is_blocked_but_for(&self, disc: &Disc, fine: IVec2) -> bool {
        // Which disc is in a fine cell is not kept, only that there is one. Where there is a wall or a
        // crack as well, light is stopped in any case.
        match self.blocked_by(fine) {
            0 => false,
            DISC => !disc.contains(self.to_cells(fine)),
            _ => true,
        }
    }

    /// The first disc that a place, in cells, lies in.
    pub(super) fn disc_at(&self, at: Vec2) -> Option<&Disc> {
        self.discs.iter().find(|disc| disc.contains(at))
    }

    fn blocked_by(&self, fine: IVec2) -> u8 {
        let inside = fine.cmpge(IVec2::ZERO).all() && fine.cmplt(self.fine_size().as_ivec2()).all();
        if !inside {
            // As if a wall stood around the grid: rays end there.
            return WALL;
        }
        self.blocked[fine.y as usize * self.fine_size().x as usize + fine.x as usize]
    }

    /// Takes over the cells of an area; those that pass other light than before.
    pub(super) fn take(&mut self, grid: &LightGrid, area: Area) -> Vec<Area> {
        let scene = &grid.scene;
        // Without ambient light, as on most maps, it costs neither memory nor time.
        if self.ambient.is_empty() && scene.ambient.iter().any(|&light| light != Vec3::ZERO) {
            self.ambient = vec![Vec3::ZERO; self.flow.len()];
        }
        let mut other: Option<Area> = None;
        for at in area.cells() {
            let index = self.index(at);
            self.flow[index] = grid.flowing(at);
            if let Some(ambient) = self.ambient.get_mut(index) {
                *ambient = scene.tinted(scene.ambient(scene.region(at)));
            }
            // The light that flows changes often, and for it alone no lamp has to look again.
            let passes = scene.tinted(scene.cell(at).transparency);
            let opaque = scene.is_opaque(at);
            if (self.passes[index], self.opaque[index]) == (passes, opaque) {
                continue;
            }
            self.passes[index] = passes;
            let here = Area {
                first: at,
                end: at + 1,
            };
            other = Some(other.map_or(here, |other| other.union(here)));
            if self.opaque[index] != opaque {
                self.opaque[index] = opaque;
                self.block(here, if opaque { WALL } else { 0 }, !WALL, |_| true);
                // Each corner is that to the north-west of some cell, also beyond the grid.
                for corner in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    self.stop_crack(at + IVec2::from(corner));
                }
            }
        }
        // Cracks end in the cells beside.
        other.into_iter().map(|area| area.grown(1)).collect()
    }

    /// Stops what would leak at the north-western corner of a cell, or no longer does.
    fn stop_crack(&mut self, corner: IVec2) {
        let around = [(-1, -1), (0, -1), (-1, 0), (0, 0)].map(|(x, y)| IVec2::new(x, y));
        let wall = around.map(|step| {
            let cell = corner + step;
            self.contains(cell) && self.is_wall(cell)
        });
        // Two walls that touch at the corner only. A ray along the diagonal would slip through between
        // them, from one open cell into the other, so the four fine cells around the corner block it.
        let crack = wall == [true, false, false, true] || wall == [false, true, true, false];
        let width = self.fine_size().x as usize;
        for step in around {
            let fine = corner * self.finer as i32 + step;
            if self.contains(corner + step) {
                let blocked = &mut self.blocked[fine.y as usize * width + fine.x as usize];
                *blocked = *blocked & !CRACK | if crack { CRACK } else { 0 };
            }
        }
    }

    /// Makes these the discs; the areas that they were in and are in, where they are others.
    pub(super) fn set_discs(&mut self, discs: &[Disc]) -> Vec<Area> {
        let (gone, come) = exchanged(&self.discs, discs, |old, new| old == new);
        if gone.is_empty() && come.is_empty() {
            return Vec::new();
        }
        let area = |disc: &Disc| disc.area(self.size);
        let mut other: Vec<Area> = self.discs[gone].iter().map(area).collect();
        let new: Vec<Area> = discs[come.clone()].iter().map(area).collect();
        // The bit of a disc is shared by all that overlap. So discs that are gone clear whole areas, and
        // those that stay are put again where they were disturbed.
        for &area in &other {
            self.block(area, 0, !DISC, |_| true);
        }
        for (n, disc) in discs.iter().enumerate() {
            let area = disc.area(self.size);
            let disturbed = |other: &Area| !other.within(area).is_empty();
            if come.contains(&n) || other.iter().any(disturbed) {
                self.block(area, DISC, !0, |at| disc.contains(at));
            }
        }
        self.discs.clear();
        self.discs.extend_from_slice(discs);
        other.extend(new);
        other.retain(|area| !area.is_empty());
        other
    }

    /// In the fine cells of an area whose middles are in a shape: keeps what `keep` says, and puts something there.
    fn block(&mut self, area: Area, put: u8, keep: u8, is_in: impl Fn(Vec2) -> bool) {
        let fine = self.fine(area);
        let width = self.fine_size().x as usize;
        for cell in fine.cells() {
            if is_in(self.to_cells(cell)) {
                let blocked = &mut self.blocked[cell.y as usize * width + cell.x as usize];
                *blocked = *blocked & keep | put;
            }
        }
    }
}
