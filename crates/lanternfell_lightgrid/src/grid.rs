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
/// Cells are counted from the north-west corner, x eastwards and y southwards. Light is
/// linear red, green and blue, where 1 is full light.
///
/// What is changed (cells, sources, ambient light, settings) shows in the light from the
/// next [`step`](Self::step) or [`settle`](Self::settle) on.
#[derive(Debug, Clone)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(opaque, Clone, Debug, Deserialize, Serialize)
)]
pub struct LightGrid {
    pub(crate) scene: Scene,
    /// One, or one for each color where the cells treat colors differently.
    pub(crate) media: Vec<Medium>,
    /// One, or one for each color.
    pub(crate) channels: Vec<Channel>,
    /// Where the settled solver has been.
    pub(crate) regions: Vec<Region>,
    /// Whether the light of the colors is in one proportion.
    pub(crate) alike: Alike,
    pub(crate) direct: Direct,
    pub(crate) dirty: Dirty,
    /// The tile from which on those are drained whose light has changed.
    pub(crate) next_drained: usize,
    /// For a worker that works out its light.
    pub(crate) edits: Edits,
}

/// What has to be worked out again before the light goes on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dirty {
    /// What the sources ask of which cells.
    pub(crate) constraints: bool,
    pub(crate) ambient: bool,
    pub(crate) direct: bool,
}

impl LightGrid {
    /// The most cells from one side to the other.
    pub const MAX_SIDE: u32 = MAX_SIDE;
    /// The most cells in all.
    pub const MAX_CELLS: u32 = MAX_CELLS;
    /// How many cells a tile has a side, if nothing else is said.
    pub const TILE: u32 = 32;
    /// So many sweeps end [`settle`](Self::settle), come to rest or not.
    pub const MAX_SWEEPS: u32 = 4096;

    /// A grid of `width` x `height` open cells in darkness, with light in three colors.
    ///
    /// # Errors
    ///
    /// No cells, or too many; settings outside of what is allowed.
    pub fn new(width: u32, height: u32, settings: LightSettings) -> Result<Self, LightError> {
        Scene::new(UVec2::new(width, height), false, settings).map(Self::of)
    }

    /// As [`new`](Self::new), but with gray light: a third of the memory, and of the work unless all lamps have one color
    /// and the light is [settled](Self::settle).
    /// Of colors that it is given it takes the luminance.
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

    /// The land under the cells; none at first.
    pub fn relief(&self) -> Option<&Arc<Relief>> {
        self.scene.relief.as_ref()
    }

    /// Puts land under the cells, by which hills hide what lies behind them and slopes catch light: that in
    /// [straight lines](LightSettings::direct); the light that flows knows nothing of it. None takes it away.
    ///
    /// # Errors
    ///
    /// Land of another size than the grid's, or under hexagons.
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

    /// What a cell does with light; outside of the grid nothing passes.
    pub fn cell(&self, cell: IVec2) -> Cell {
        self.scene.cell(cell)
    }

    /// Whether a cell ends a line of sight, as everything outside of the grid does.
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
            // From here on the colors have a medium each.
            self.media = vec![self.media[0].clone(); 3];
        }
        let (x, y) = (at.x as usize, at.y as usize);
        for color in 0..self.media.len() {
            let part = part_of(&self.scene, &cell, color);
            if self.media[color].set(x, y, part) {
                for color in self.channels_of(color) {
                    self.channels[color].touch(x, y);
                    self.regions[color].cell_changed(x, y);
                }
            }
        }
        self.mark_changed(Area::around(at, 0, self.size()));
        self.direct.cell_changed(at);
        self.edits.note_cell(at);
        self.dirty.constraints = true;
        self.dirty.direct = true;
        Ok(())
    }

    /// The channels whose light goes through this medium: where colors share one, all.
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

    /// Changes every cell to those given, row by row.
    ///
    /// # Errors
    ///
    /// There are more or fewer than the grid has, or one's values are outside of 0 to 1.
    /// Nothing is changed then.
    pub fn set_cells(&mut self, cells: Vec<Cell>) -> Result<(), LightError> {
        self.scene.set_cells(cells)?;
        let Self { scene, media, .. } = self;
        let colored = !scene.gray && scene.cells().iter().any(is_colored);
        let colors = if colored { 3 } else { 1 };
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

    /// These cells are to be looked at by whoever shows them.
    pub(crate) fn mark_changed(&mut self, area: Area) {
        self.channels[0].mark_dirty(area);
    }

    /// All cells, or the rule, have changed.
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

/// Whether the cell treats colors differently.
fn is_colored(cell: &Cell) -> bool {
    !is_gray(cell.transparency) || !is_gray(cell.albedo)
}

/// A cell's transparency and albedo for one of the media.
fn part_of(scene: &Scene, cell: &Cell, color: usize) -> (f32, f32) {
    let part = |of| scene.in_color(of, color);
    (part(cell.transparency), part(cell.albedo))
}
