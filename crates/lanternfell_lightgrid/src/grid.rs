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

/// A grid of cells, the light sources on it, and their light.
///
/// Cell (0, 0) is the north-west corner; x runs east and y south. Light is linear red, green and
/// blue, where 1 is full light.
///
/// Changes to cells, sources, ambient light and settings take effect with the next
/// [`step`](Self::step) or [`settle`](Self::settle).
#[derive(Debug, Clone)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(opaque, Clone, Debug, Deserialize, Serialize)
)]
pub struct LightGrid {
    pub(crate) scene: Scene,
    /// One, or one per color if the cells treat colors differently.
    pub(crate) media: Vec<Medium>,
    /// One, or one per color.
    pub(crate) channels: Vec<Channel>,
    /// The state of the settled solver.
    pub(crate) regions: Vec<Region>,
    /// Whether the light of all colors has the same proportions everywhere.
    pub(crate) alike: Alike,
    pub(crate) direct: Direct,
    pub(crate) dirty: Dirty,
    /// The next tile to check when changed tiles are drained.
    pub(crate) next_drained: usize,
    /// The changes since the last copy, for a background worker.
    pub(crate) edits: Edits,
}

/// What must be recomputed before the light goes on.
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
    /// The default side of a tile, in cells.
    pub const TILE: u32 = 32;
    /// The number of sweeps after which [`settle`](Self::settle) ends, even if the light is not
    /// at rest.
    pub const MAX_SWEEPS: u32 = 4096;

    /// A grid of `width` x `height` open cells in darkness, with light in three colors.
    ///
    /// # Errors
    ///
    /// No cells, or too many; settings outside of what is allowed.
    pub fn new(width: u32, height: u32, settings: LightSettings) -> Result<Self, LightError> {
        Scene::new(UVec2::new(width, height), false, settings).map(Self::of)
    }

    /// Like [`new`](Self::new), but with gray light. It takes a third of the memory. It also
    /// takes a third of the work, unless all lamps have one color and the light is
    /// [settled](Self::settle). Colors are converted to their luminance.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    pub fn gray(width: u32, height: u32, settings: LightSettings) -> Result<Self, LightError> {
        Scene::new(UVec2::new(width, height), true, settings).map(Self::of)
    }

    /// An empty scene, in darkness.
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

    /// Cells from west to east.
    pub fn width(&self) -> u32 {
        self.scene.size.x
    }

    /// Cells from north to south.
    pub fn height(&self) -> u32 {
        self.scene.size.y
    }

    /// Cells from west to east and from north to south.
    pub fn size(&self) -> UVec2 {
        self.scene.size
    }

    /// Whether the light is gray; see [`LightGrid::gray`].
    pub fn is_gray(&self) -> bool {
        self.scene.gray
    }

    /// Whether there is such a cell.
    pub fn contains(&self, cell: IVec2) -> bool {
        self.scene.contains(cell)
    }

    /// How light behaves here.
    pub fn settings(&self) -> &LightSettings {
        &self.scene.settings
    }

    /// Changes how light behaves. The light stays, and flows on by the new rule.
    ///
    /// # Errors
    ///
    /// Settings outside of what is allowed.
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
        // Other settings, such as the share of direct light, only change how light is mixed. Only
        // these two change how light flows, which wakes every lit tile.
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

    /// The relief under the cells; `None` by default.
    pub fn relief(&self) -> Option<&Arc<Relief>> {
        self.scene.relief.as_ref()
    }

    /// Sets the relief under the cells: hills hide what is behind them, and slopes catch light.
    /// It only affects light in [straight lines](LightSettings::direct), not the light that
    /// flows. `None` removes it.
    ///
    /// # Errors
    ///
    /// The relief has another size than the grid, or the grid is hexagonal.
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

    /// The share of the light that is lost in each step.
    pub fn decay(&self) -> f32 {
        self.scene.rule.decay()
    }

    /// How a cell treats light. Outside of the grid, nothing passes.
    pub fn cell(&self, cell: IVec2) -> Cell {
        self.scene.cell(cell)
    }

    /// Whether a cell blocks the line of sight. Everything outside of the grid does.
    pub fn is_opaque(&self, cell: IVec2) -> bool {
        self.scene.is_opaque(cell)
    }

    /// All cells, row by row.
    pub fn cells(&self) -> &[Cell] {
        self.scene.cells()
    }

    /// Changes one cell.
    ///
    /// # Errors
    ///
    /// There is no such cell, or its values are outside of 0 to 1.
    pub fn set_cell(&mut self, at: IVec2, cell: Cell) -> Result<(), LightError> {
        let index = self.scene.index_or_error(at)?;
        cell.validate()?;
        if self.scene.cells()[index] == cell {
            return Ok(());
        }
        self.scene.set_cell(index, cell);
        if self.media.len() == 1 && !self.is_gray() && is_colored(&cell) {
            // From now on each color has a medium of its own. `set_cells` may merge them again.
            self.media = vec![self.media[0].clone(); 3];
        }
        let (x, y) = (at.x as usize, at.y as usize);
        for color in 0..self.media.len() {
            let part = part_of(&self.scene, &cell, color);
            // A change of one color leaves the tiles of the others asleep.
            if self.media[color].set(x, y, part) {
                for color in self.channels_of(color) {
                    self.channels[color].touch(x, y);
                    self.regions[color].cell_changed(x, y);
                }
            }
        }
        // Even if no light changes: what shows the grid treats walls and open cells differently.
        self.mark_changed(Area::around(at, 0, self.size()));
        self.direct.cell_changed(at);
        self.edits.note_cell(at);
        // A source between cells divides its light among those that are not opaque, so an opaque
        // cell changes its shares.
        self.dirty.constraints = true;
        self.dirty.direct = true;
        Ok(())
    }

    /// The channels whose light passes through this medium: all of them if the colors share one.
    fn channels_of(&self, medium: usize) -> Range<usize> {
        if self.media.len() == 1 {
            0..self.channels.len()
        } else {
            medium..medium + 1
        }
    }

    /// Changes every cell.
    ///
    /// # Errors
    ///
    /// A cell's values are outside of 0 to 1. Nothing is changed then.
    pub fn fill(&mut self, cell: impl FnMut(IVec2) -> Cell) -> Result<(), LightError> {
        let width = self.width() as usize;
        let places = 0..width * self.height() as usize;
        let place = |i: usize| IVec2::new((i % width) as i32, (i / width) as i32);
        self.set_cells(places.map(place).map(cell).collect())
    }

    /// Replaces all cells, row by row.
    ///
    /// # Errors
    ///
    /// The number of cells is wrong, or a value is outside of 0 to 1. Then nothing is changed.
    pub fn set_cells(&mut self, cells: Vec<Cell>) -> Result<(), LightError> {
        self.scene.set_cells(cells)?;
        let Self { scene, media, .. } = self;
        let colored = !scene.gray && scene.cells().iter().any(is_colored);
        let colors = if colored { 3 } else { 1 };
        // The contents do not matter, since `fill` sets every cell. Cloning keeps the lattice and
        // the rule.
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

    /// Marks these cells as changed, so that they are shown again.
    pub(crate) fn mark_changed(&mut self, area: Area) {
        // The first channel records this for all colors.
        self.channels[0].mark_dirty(area);
    }

    /// Wakes everything after all cells, or the rule, have changed.
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

/// Whether the cell treats the colors differently.
fn is_colored(cell: &Cell) -> bool {
    !is_gray(cell.transparency) || !is_gray(cell.albedo)
}

/// A cell's transparency and albedo for one of the media.
fn part_of(scene: &Scene, cell: &Cell, color: usize) -> (f32, f32) {
    let part = |of| scene.in_color(of, color);
    (part(cell.transparency), part(cell.albedo))
}
