//! What light follows from: cells, sources, and regions with their ambient light.
//!
//! The light itself is computed from this in two ways that know nothing of each other,
//! [`channel`](crate::channel) and [`direct`](crate::direct).

use std::sync::Arc;

use glam::{IVec2, UVec2, Vec3};

use crate::{
    cell::Cell,
    color::luminance,
    error::{LightError, check_size},
    hexagonal,
    line::Crossings,
    relief::Relief,
    settings::{LightSettings, Rule},
    shadowcast::{FieldOfView, line_of_sight},
    source::Source,
};

/// What stands on a grid, and how light behaves there.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    pub(crate) size: UVec2,
    /// Whether light has no color: of colors that are given it takes the luminance.
    pub(crate) gray: bool,
    pub(crate) settings: LightSettings,
    /// What follows from the settings.
    pub(crate) rule: Rule,
    cells: Vec<Cell>,
    /// Which of them end a line of sight: looking asks for nothing else, and often.
    opaque: Vec<bool>,
    pub(crate) sources: Vec<Source>,
    /// The region of each cell; none at all while every cell is in region 0.
    pub(crate) regions: Option<Vec<u8>>,
    /// The ambient light of each region, up to the last that has any.
    pub(crate) ambient: Vec<Vec3>,
    /// The land under the cells.
    pub(crate) relief: Option<Arc<Relief>>,
}

impl Scene {
    /// Open cells in darkness.
    pub(crate) fn new(
        size: UVec2,
        gray: bool,
        settings: LightSettings,
    ) -> Result<Self, LightError> {
        check_size(size)?;
        settings.validate()?;
        let cells = size.x as usize * size.y as usize;
        Ok(Self {
            size,
            gray,
            settings,
            rule: Rule::new(&settings),
            cells: vec![Cell::OPEN; cells],
            opaque: vec![false; cells],
            sources: Vec::new(),
            regions: None,
            ambient: Vec::new(),
            relief: None,
        })
    }

    /// The place of a cell in row-by-row order.
    pub(crate) fn index(&self, cell: IVec2) -> Option<usize> {
        let (x, y) = (u32::try_from(cell.x).ok()?, u32::try_from(cell.y).ok()?);
        let inside = x < self.size.x && y < self.size.y;
        inside.then_some(y as usize * self.size.x as usize + x as usize)
    }

    pub(crate) fn index_or_error(&self, cell: IVec2) -> Result<usize, LightError> {
        self.index(cell).ok_or(LightError::Outside {
            cell,
            width: self.size.x,
            height: self.size.y,
        })
    }

    pub(crate) fn contains(&self, cell: IVec2) -> bool {
        self.index(cell).is_some()
    }

    /// All cells, row by row.
    pub(crate) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// What a cell does with light; outside of the grid nothing passes.
    pub(crate) fn cell(&self, cell: IVec2) -> Cell {
        self.index(cell).map_or(Cell::BLACK_WALL, |i| self.cells[i])
    }

    /// Whether a cell ends a line of sight, as everything outside of the grid does.
    pub(crate) fn is_opaque(&self, cell: IVec2) -> bool {
        self.index(cell).is_none_or(|i| self.opaque[i])
    }

    /// Puts what is seen from a cell into `view`.
    pub(crate) fn look(&self, view: &mut FieldOfView, from: IVec2, radius: u32) {
        let is_opaque = |cell| self.is_opaque(cell);
        if self.settings.neighborhood.is_hexagonal() {
            view.look_hexagonal(from, radius, is_opaque);
        } else {
            view.look(from, radius, is_opaque);
        }
    }

    /// Whether the line between two cells is free of opaque ones.
    pub(crate) fn line_of_sight(&self, from: IVec2, to: IVec2) -> bool {
        let is_opaque = |cell| self.is_opaque(cell);
        if self.settings.neighborhood.is_hexagonal() {
            hexagonal::line_of_sight(from, to, is_opaque)
        } else {
            line_of_sight(from, to, is_opaque)
        }
    }

    /// The cells on the line between two cells.
    pub(crate) fn line(&self, from: IVec2, to: IVec2) -> impl Iterator<Item = IVec2> + use<> {
        if self.settings.neighborhood.is_hexagonal() {
            Crossings::hexagonal(from, to).nearest()
        } else {
            Crossings::new(from, to).nearest()
        }
    }

    /// Changes a cell, by its place, to one that is valid.
    pub(crate) fn set_cell(&mut self, index: usize, cell: Cell) {
        self.cells[index] = cell;
        self.opaque[index] = cell.is_opaque();
    }

    /// Changes all cells, row by row.
    pub(crate) fn set_cells(&mut self, cells: Vec<Cell>) -> Result<(), LightError> {
        if cells.len() != self.cells.len() {
            return Err(LightError::Length {
                what: "cells",
                found: cells.len(),
                expected: self.cells.len(),
            });
        }
        cells.iter().try_for_each(Cell::validate)?;
        self.opaque = cells.iter().map(Cell::is_opaque).collect();
        self.cells = cells;
        Ok(())
    }

    /// The region that a cell belongs to; 0 unless it was changed.
    pub(crate) fn region(&self, cell: IVec2) -> u8 {
        let regions = self.regions.as_ref().zip(self.index(cell));
        regions.map_or(0, |(regions, index)| regions[index])
    }

    /// The ambient light of a region.
    pub(crate) fn ambient(&self, region: u8) -> Vec3 {
        let ambient = self.ambient.get(usize::from(region));
        ambient.copied().unwrap_or(Vec3::ZERO)
    }

    /// A color, or where light is gray its luminance.
    pub(crate) fn tinted(&self, color: Vec3) -> Vec3 {
        if self.gray {
            Vec3::splat(luminance(color))
        } else {
            color
        }
    }

    /// One of the three parts of a color.
    pub(crate) fn in_color(&self, light: Vec3, color: usize) -> f32 {
        self.tinted(light)[color]
    }
}
