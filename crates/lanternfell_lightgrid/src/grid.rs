//! The grid: cells, sources, and the light on them.

use core::ops::Range;
use std::sync::Arc;

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use glam::{IVec2, UVec2};

use crate::{
    area::Area,
    cell::Cell,
    channel::Channel,
    color::is_gray,
    direct::Direct,
    edits::Edits,
    error::LightError,
    limits::{MAX_CELLS, MAX_SIDE},
    medium::Medium,
    relief::Relief,
    scene::Scene,
    settings::{LightSettings, Rule},
    settle::{Alike, Region},
};

/// A grid of cells with light sources, and the light in each cell.
///
/// Cell (0, 0) is the north-west corner, x points east and y points south. Light is linear red,
/// green and blue; 1 is full light.
///
/// Changes to cells, sources, ambient light and settings affect the light in the next
/// [`step`](Self::step) or [`settle`](Self::settle).
#[derive(Debug, Clone)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(opaque, Clone, Debug, Deserialize, Serialize)
)]
pub struct LightGrid {
    pub(crate) scene: Scene,
    /// One for all colors, or one for each color if some cells treat colors differently.
    pub(crate) media: Vec<Medium>,
    /// One for gray light, or one for each color.
    pub(crate) channels: Vec<Channel>,
    /// The solver state of each channel.
    pub(crate) regions: Vec<Region>,
    /// Whether the light of the three colors has the same proportion in all cells.
    pub(crate) alike: Alike,
    pub(crate) direct: Direct,
    pub(crate) dirty: Dirty,
    /// The next tile to check when changed tiles are drained.
    pub(crate) next_drained: usize,
    /// The changes since the last copy to a [`LightWorker`](crate::LightWorker).
    pub(crate) edits: Edits,
}

/// What to recompute before the next step or settle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dirty {
    /// The constraints that sources put on cells.
    pub(crate) constraints: bool,
    pub(crate) ambient: bool,
    pub(crate) direct: bool,
}

impl LightGrid {
    /// The maximum number of cells along a side.
    pub const MAX_SIDE: u32 = MAX_SIDE;
    /// The maximum number of cells.
    pub const MAX_CELLS: u32 = MAX_CELLS;
    /// The default side length of a tile, in cells.
    pub const TILE: u32 = 32;
    /// The number of sweeps after which [`settle`](Self::settle) returns even if the light is not
    /// at rest.
    pub const MAX_SWEEPS: u32 = 4096;

    /// Creates a grid of `width` x `height` open cells, without light. The light has three colors.
    ///
    /// # Errors
    ///
    /// - [`LightError::Size`] if the grid has no cells, more than [`MAX_SIDE`](Self::MAX_SIDE)
    ///   along a side, or more than [`MAX_CELLS`](Self::MAX_CELLS) in total
    /// - [`LightError::Range`] if a setting is out of range
    pub fn new(width: u32, height: u32, settings: LightSettings) -> Result<Self, LightError> {
        Scene::new(UVec2::new(width, height), false, settings).map(Self::of)
    }

    /// Creates a grid with gray light. Colors of sources and cells are converted to their
    /// luminance.
    ///
    /// A gray grid takes a third of the memory of a colored one. It also takes a third of the time,
    /// except for [`settle`](Self::settle) when all lamps have the same color.
    ///
    /// # Errors
    ///
    /// The same as for [`new`](Self::new).
    pub fn gray(width: u32, height: u32, settings: LightSettings) -> Result<Self, LightError> {
        Scene::new(UVec2::new(width, height), true, settings).map(Self::of)
    }

    /// A grid with this scene and no light.
    fn of(scene: Scene) -> Self {
        let (width, height) = (scene.size.x as usize, scene.size.y as usize);
        let lattice = scene.settings.neighborhood.lattice();
        let channels = if scene.gray { 1 } else { 3 };
        Self {
            media: vec![Medium::new(width, height, lattice, scene.rule.keep)],
            channels: vec![Channel::new(width, height, Self::TILE as usize); channels],
            regions: vec![Region::default(); channels],
            alike: Alike::Dark,
            direct: Direct::default(),
            dirty: Dirty {
                constraints: false,
                ambient: false,
                direct: true,
            },
            next_drained: 0,
            edits: Edits::default(),
            scene,
        }
    }

    /// The number of cells from west to east.
    pub fn width(&self) -> u32 {
        self.scene.size.x
    }

    /// The number of cells from north to south.
    pub fn height(&self) -> u32 {
        self.scene.size.y
    }

    /// The number of cells from west to east and from north to south.
    pub fn size(&self) -> UVec2 {
        self.scene.size
    }

    /// Whether the light is gray, as created by [`LightGrid::gray`].
    pub fn is_gray(&self) -> bool {
        self.scene.gray
    }

    /// Whether the cell is inside the grid.
    pub fn contains(&self, cell: IVec2) -> bool {
        self.scene.contains(cell)
    }

    /// The current settings.
    pub fn settings(&self) -> &LightSettings {
        &self.scene.settings
    }

    /// Changes the settings. The present light remains and evolves under the new rule.
    ///
    /// # Errors
    ///
    /// - [`LightError::Range`] if a setting is out of range
    /// - [`LightError::HexagonalRelief`] if the new neighborhood is hexagonal and the grid has a
    ///   [`Relief`]
    pub fn set_settings(&mut self, settings: LightSettings) -> Result<(), LightError> {
        settings.validate()?;
        if self.scene.relief.is_some() && settings.neighborhood.is_hexagonal() {
            return Err(LightError::HexagonalRelief);
        }
        let old = core::mem::replace(&mut self.scene.settings, settings);
        if settings == old {
            return Ok(());
        }
        self.dirty.direct = true;
        // The share of direct light only changes how the two kinds of light are mixed. These two
        // settings change how light flows, which wakes every lit tile.
        if (old.neighborhood, old.falloff) != (settings.neighborhood, settings.falloff) {
            self.scene.rule = Rule::new(&settings);
            for medium in &mut self.media {
                medium.set_rule(settings.neighborhood.lattice(), self.scene.rule.keep);
            }
            self.direct.renew();
            self.wake_all();
        }
        Ok(())
    }

    /// The relief under the cells. Default: `None`.
    pub fn relief(&self) -> Option<&Arc<Relief>> {
        self.scene.relief.as_ref()
    }

    /// Sets the relief under the cells, or removes it with `None`.
    ///
    /// With a relief, hills cast shadows and slopes that face a lamp are brighter. This affects
    /// only light in [straight lines](LightSettings::direct), not light that flows.
    ///
    /// # Errors
    ///
    /// - [`LightError::ReliefSize`] if the relief is not as large as the grid
    /// - [`LightError::HexagonalRelief`] if the grid is hexagonal
    pub fn set_relief(&mut self, relief: Option<Arc<Relief>>) -> Result<(), LightError> {
        if let Some(relief) = &relief {
            let size = relief.size();
            if size != self.size() {
                return Err(LightError::ReliefSize {
                    width: size.x,
                    height: size.y,
                });
            }
            if self.settings().neighborhood.is_hexagonal() {
                return Err(LightError::HexagonalRelief);
            }
        }
        self.scene.relief = relief;
        self.direct.renew();
        self.dirty.direct = true;
        Ok(())
    }

    /// The share of the light that is lost in each step, from 0 to 1.
    pub fn decay(&self) -> f32 {
        self.scene.rule.decay()
    }

    /// The optical properties of a cell; [`Cell::BLACK_WALL`] outside of the grid.
    pub fn cell(&self, cell: IVec2) -> Cell {
        self.scene.cell(cell)
    }

    /// Whether a cell blocks the line of sight. Cells outside of the grid do.
    pub fn is_opaque(&self, cell: IVec2) -> bool {
        self.scene.is_opaque(cell)
    }

    /// All cells, row by row from north to south.
    pub fn cells(&self) -> &[Cell] {
        self.scene.cells()
    }

    /// Replaces one cell.
    ///
    /// # Errors
    ///
    /// - [`LightError::Outside`] if the cell is outside of the grid
    /// - [`LightError::Range`] if a value of `cell` is not from 0 to 1
    pub fn set_cell(&mut self, at: IVec2, cell: Cell) -> Result<(), LightError> {
        let index = self.scene.index_or_error(at)?;
        cell.validate()?;
        if self.scene.cells()[index] == cell {
            return Ok(());
        }
        self.scene.set_cell(index, cell);
        if self.media.len() == 1 && !self.is_gray() && is_colored(&cell) {
            // From now on each color has its own medium. `set_cells` may merge them again.
            self.media = vec![self.media[0].clone(); 3];
        }
        let (x, y) = (at.x as usize, at.y as usize);
        for color in 0..self.media.len() {
            let part = part_of(&self.scene, &cell, color);
            // A change in one color does not wake the tiles of the others.
            if self.media[color].set(x, y, part) {
                for color in self.channels_of(color) {
                    self.channels[color].touch(x, y);
                    self.regions[color].cell_changed(x, y);
                }
            }
        }
        // Mark it even if the light does not change: renderers draw walls and open cells
        // differently.
        self.mark_changed(Area::around(at, 0, self.size()));
        self.direct.cell_changed(at);
        self.edits.note_cell(at);
        // The light of a source between cells is shared among its cells, which depends on which of
        // them are opaque.
        self.dirty.constraints = true;
        self.dirty.direct = true;
        Ok(())
    }

    /// The channels that use this medium: all channels if the colors share one medium.
    fn channels_of(&self, medium: usize) -> Range<usize> {
        if self.media.len() == 1 {
            0..self.channels.len()
        } else {
            medium..medium + 1
        }
    }

    /// Replaces all cells by the results of a function.
    ///
    /// # Errors
    ///
    /// [`LightError::Range`] if a value of a cell is not from 0 to 1. The grid is then unchanged.
    pub fn fill(&mut self, cell: impl FnMut(IVec2) -> Cell) -> Result<(), LightError> {
        let width = self.width() as usize;
        let places = 0..width * self.height() as usize;
        let place = |i: usize| IVec2::new((i % width) as i32, (i / width) as i32);
        self.set_cells(places.map(place).map(cell).collect())
    }

    /// Replaces all cells, in row-by-row order from north to south.
    ///
    /// # Errors
    ///
    /// - [`LightError::Length`] if the number of cells is wrong
    /// - [`LightError::Range`] if a value of a cell is not from 0 to 1
    ///
    /// In both cases the grid is unchanged.
    pub fn set_cells(&mut self, cells: Vec<Cell>) -> Result<(), LightError> {
        self.scene.set_cells(cells)?;
        let Self { scene, media, .. } = self;
        let colored = !scene.gray && scene.cells().iter().any(is_colored);
        let colors = if colored { 3 } else { 1 };
        // `fill` sets every cell below, so the old contents do not matter. Cloning keeps the
        // lattice and the rule.
        if media.len() != colors {
            *media = vec![media[0].clone(); colors];
        }
        let width = scene.size.x as usize;
        for (color, medium) in media.iter_mut().enumerate() {
            medium.fill(|x, y| part_of(scene, &scene.cells()[y * width + x], color));
        }
        self.mark_changed(Area::whole(self.size()));
        self.direct.renew();
        self.wake_all();
        Ok(())
    }

    /// Marks these cells as changed, so that [`drain_changes`](Self::drain_changes) reports them.
    pub(crate) fn mark_changed(&mut self, area: Area) {
        // The first channel records these marks for all colors.
        self.channels[0].mark_dirty(area);
    }

    /// Wakes all lit tiles after a change of all cells or of the rule.
    fn wake_all(&mut self) {
        for channel in &mut self.channels {
            channel.touch_lit();
        }
        self.forget_cells();
        self.edits.note_all_cells();
        self.dirty.constraints = true;
        self.dirty.direct = true;
    }
}

/// Whether a cell treats the colors differently.
fn is_colored(cell: &Cell) -> bool {
    !is_gray(cell.transparency) || !is_gray(cell.albedo)
}

/// The transparency and albedo of a cell in one color.
fn part_of(scene: &Scene, cell: &Cell, color: usize) -> (f32, f32) {
    let part = |of| scene.in_color(of, color);
    (part(cell.transparency), part(cell.albedo))
}
