//! What blocks light in fine cells, and the flowing light of the grid.

use glam::{IVec2, UVec2, Vec2, Vec3};

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::std_traits::ReflectDefault;

use super::exchanged;
use crate::{
    area::Area,
    error::{LightError, check_range, check_size},
    grid::LightGrid,
};

/// A round object that blocks light, smaller or larger than a cell, for example a pillar or a
/// character.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(Clone, Debug, Default, PartialEq)
)]
pub struct Disc {
    /// The center in cells; whole numbers are cell centers.
    pub at: Vec2,
    /// The radius in cells, from 0 to [`MAX_RADIUS`](Self::MAX_RADIUS).
    pub radius: f32,
}

impl Disc {
    /// The maximum radius in cells.
    pub const MAX_RADIUS: f32 = 64.0;

    pub(super) fn validate(&self) -> Result<(), LightError> {
        for value in self.at.to_array() {
            check_range("disc.at", value, f32::MIN, f32::MAX)?;
        }
        check_range("disc.radius", self.radius, 0.0, Self::MAX_RADIUS)
    }

    /// Whether a position in cells is inside the disc.
    pub(super) fn contains(&self, at: Vec2) -> bool {
        self.at.distance_squared(at) <= self.radius * self.radius
    }

    /// The cells that the disc may touch.
    fn area(&self, size: UVec2) -> Area {
        let reach = self.radius.ceil() as u32 + 1;
        let area = Area::around(self.at.round().as_ivec2(), reach, size);
        area.within(Area::whole(size))
    }
}

/// Flags of a fine cell that block light: a part of a wall, a disc, or the end of the crack between
/// two walls that touch at a corner, where light must not leak.
const WALL: u8 = 1;
const DISC: u8 = 2;
const CRACK: u8 = 4;

/// Whether a fine cell contains something visible that blocks light.
pub(super) fn is_solid(blocked: u8) -> bool {
    blocked & (WALL | DISC) != 0
}

/// What blocks light in fine cells, and the flowing light.
#[derive(Debug, Clone)]
pub(super) struct FineGround {
    /// The size of the grid.
    size: UVec2,
    subdivisions: u32,
    /// The flags of each fine cell, row by row.
    blocked: Vec<u8>,
    discs: Vec<Disc>,
    /// For each cell of the grid: whether it blocks the line of sight, its transparency, and its
    /// flowing light.
    opaque: Vec<bool>,
    passes: Vec<Vec3>,
    flow: Vec<Vec3>,
    /// The ambient light of each cell. Empty without ambient light.
    ambient: Vec<Vec3>,
}

impl FineGround {
    /// Open cells without light.
    pub(super) fn new(size: UVec2, subdivisions: u32) -> Result<Self, LightError> {
        let fine = size * subdivisions;
        check_size(fine)?;
        let cells = size.element_product() as usize;
        Ok(Self {
            size,
            subdivisions,
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

    pub(super) fn subdivisions(&self) -> u32 {
        self.subdivisions
    }

    pub(super) fn fine_size(&self) -> UVec2 {
        self.size * self.subdivisions
    }

    /// Converts a position in cells to fine cells.
    pub(super) fn to_fine(&self, at: Vec2) -> Vec2 {
        // Whole numbers are centers in both units, and the corner of the grid is at -1/2.
        (at + 0.5) * self.subdivisions as f32 - 0.5
    }

    /// The center of a fine cell, in cells.
    pub(super) fn to_cells(&self, fine: IVec2) -> Vec2 {
        (fine.as_vec2() + 0.5) / self.subdivisions as f32 - 0.5
    }

    /// The cell that contains a fine cell.
    pub(super) fn cell_of(&self, fine: IVec2) -> IVec2 {
        fine.div_euclid(IVec2::splat(self.subdivisions as i32))
    }

    /// The cells that contain an area of fine cells.
    pub(super) fn cells_around(&self, fine: Area) -> Area {
        Area {
            first: self.cell_of(fine.first),
            // `end` is not part of the area, and may be in the next cell.
            end: self.cell_of(fine.end - 1) + 1,
        }
    }

    /// The part of a rectangle that is inside the grid, in units of cells divided by `subdivisions`.
    pub(super) fn inside(&self, first: UVec2, size: UVec2, subdivisions: u32) -> Area {
        let most = self.size * subdivisions;
        Area {
            first: first.min(most).as_ivec2(),
            end: first.saturating_add(size).min(most).as_ivec2(),
        }
    }

    /// For an area of fine cells: its part inside the grid, the cells that contain it, and these
    /// including the cells around them. `None` if it is outside of the grid.
    pub(super) fn around(&self, first: UVec2, size: UVec2) -> Option<(Area, Area, Area)> {
        let wanted = self.inside(first, size, self.subdivisions);
        if wanted.is_empty() {
            return None;
        }
        let cells = self.cells_around(wanted);
        let around = cells.grown(1).within(Area::whole(self.size));
        Some((wanted, cells, around))
    }

    /// The fine cells of an area of cells.
    pub(super) fn fine(&self, cells: Area) -> Area {
        let subdivisions = self.subdivisions as i32;
        Area {
            first: cells.first * subdivisions,
            end: cells.end * subdivisions,
        }
    }

    pub(super) fn contains(&self, cell: IVec2) -> bool {
        cell.cmpge(IVec2::ZERO).all() && cell.cmplt(self.size.as_ivec2()).all()
    }

    /// The index of a cell of the grid.
    fn index(&self, cell: IVec2) -> usize {
        cell.y as usize * self.size.x as usize + cell.x as usize
    }

    /// Whether a cell of the grid blocks the line of sight.
    pub(super) fn is_wall(&self, cell: IVec2) -> bool {
        self.opaque[self.index(cell)]
    }

    /// The transparency of a cell. Zero outside of the grid.
    pub(super) fn passes(&self, cell: IVec2) -> Vec3 {
        if !self.contains(cell) {
            return Vec3::ZERO;
        }
        self.passes[self.index(cell)]
    }

    /// The flowing light of a cell of the grid.
    pub(super) fn flow(&self, cell: IVec2) -> Vec3 {
        self.flow[self.index(cell)]
    }

    /// Whether there is ambient light anywhere.
    pub(super) fn has_ambient(&self) -> bool {
        !self.ambient.is_empty()
    }

    /// The ambient light of a cell of the grid, if there is any.
    pub(super) fn ambient(&self, cell: IVec2) -> Vec3 {
        self.ambient[self.index(cell)]
    }

    /// The flags of the fine cells of a row, from `first` to before column `end`.
    pub(super) fn blocked_row(&self, first: IVec2, end: i32) -> &[u8] {
        let place = first.y as usize * self.fine_size().x as usize + first.x as usize;
        &self.blocked[place..place + (end - first.x) as usize]
    }

    /// Whether a fine cell blocks light.
    pub(super) fn is_blocked(&self, fine: IVec2) -> bool {
        self.blocked_by(fine) != 0
    }

    /// Whether a fine cell blocks light that comes from inside this disc.
    pub(super) fn is_blocked_but_for(&self, disc: &Disc, fine: IVec2) -> bool {
        // The flags do not record which disc is in a fine cell. With a wall or a crack as well,
        // light is blocked in any case.
        match self.blocked_by(fine) {
            0 => false,
            DISC => !disc.contains(self.to_cells(fine)),
            _ => true,
        }
    }

    /// The first disc that contains a position in cells.
    pub(super) fn disc_at(&self, at: Vec2) -> Option<&Disc> {
        self.discs.iter().find(|disc| disc.contains(at))
    }

    fn blocked_by(&self, fine: IVec2) -> u8 {
        let inside = fine.cmpge(IVec2::ZERO).all() && fine.cmplt(self.fine_size().as_ivec2()).all();
        if !inside {
            // As if a wall surrounded the grid: rays end there.
            return WALL;
        }
        self.blocked[fine.y as usize * self.fine_size().x as usize + fine.x as usize]
    }

    /// Copies the cells of an area. Returns the areas where the transparency has changed.
    pub(super) fn take(&mut self, grid: &LightGrid, area: Area) -> Vec<Area> {
        let scene = &grid.scene;
        // Without ambient light, as on most maps, it takes no memory and no time.
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
            // Flowing light changes often, and does not require new fields of view.
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
                // Each corner is the north-western one of some cell, which may be outside of the
                // grid.
                for corner in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    self.stop_crack(at + IVec2::from(corner));
                }
            }
        }
        // Cracks end in the adjacent cells.
        other.into_iter().map(|area| area.grown(1)).collect()
    }

    /// Blocks, or unblocks, the crack at the north-western corner of a cell.
    fn stop_crack(&mut self, corner: IVec2) {
        let around = [(-1, -1), (0, -1), (-1, 0), (0, 0)].map(|(x, y)| IVec2::new(x, y));
        let wall = around.map(|step| {
            let cell = corner + step;
            self.contains(cell) && self.is_wall(cell)
        });
        // If two walls touch only at the corner, a diagonal ray would slip through between them
        // from one open cell into the other. The four fine cells around the corner therefore block
        // it.
        let crack = wall == [true, false, false, true] || wall == [false, true, true, false];
        let width = self.fine_size().x as usize;
        for step in around {
            let fine = corner * self.subdivisions as i32 + step;
            if self.contains(corner + step) {
                let blocked = &mut self.blocked[fine.y as usize * width + fine.x as usize];
                *blocked = *blocked & !CRACK | if crack { CRACK } else { 0 };
            }
        }
    }

    /// Replaces the discs. Returns the areas of discs that were removed or added.
    pub(super) fn set_discs(&mut self, discs: &[Disc]) -> Vec<Area> {
        let (gone, come) = exchanged(&self.discs, discs, |old, new| old == new);
        if gone.is_empty() && come.is_empty() {
            return Vec::new();
        }
        let area = |disc: &Disc| disc.area(self.size);
        let mut other: Vec<Area> = self.discs[gone].iter().map(area).collect();
        let new: Vec<Area> = discs[come.clone()].iter().map(area).collect();
        // All overlapping discs share one flag. Removed discs clear their whole areas, and the
        // remaining discs that were affected are drawn again.
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

    /// For the fine cells of an area whose centers are inside a shape, keeps the flags in `keep`
    /// and adds those in `put`.
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
