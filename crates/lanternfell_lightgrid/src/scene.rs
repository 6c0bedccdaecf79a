//! The input of the lighting: cells, sources, and regions with their ambient light.
//!
//! Two independent modules compute light from it: [`channel`](crate::channel) and
//! [`direct`](crate::direct).

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

/// The contents of a grid and its settings.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    pub(crate) size: UVec2,
    /// Whether light is gray. Colors are then converted to their luminance.
    pub(crate) gray: bool,
    pub(crate) settings: LightSettings,
    /// Values derived from the settings.
    pub(crate) rule: Rule,
    cells: Vec<Cell>,
    /// Whether each cell blocks the line of sight. A compact copy, because field-of-view queries
    /// read nothing else.
    opaque: Vec<bool>,
    pub(crate) sources: Vec<Source>,
    /// The region of each cell. `None` while all cells are in region 0.
    pub(crate) regions: Option<Vec<u8>>,
    /// The ambient light of each region, up to the last region that has any.
    pub(crate) ambient: Vec<Vec3>,
    /// The relief under the cells.
    pub(crate) relief: Option<Arc<Relief>>,
}

impl Scene {
    /// A scene of open cells without light.
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

    /// The index of a cell in row-by-row order.
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

    /// The optical properties of a cell; [`Cell::BLACK_WALL`] outside of the grid.
    pub(crate) fn cell(&self, cell: IVec2) -> Cell {
        self.index(cell).map_or(Cell::BLACK_WALL, |i| self.cells[i])
    }

    /// Whether a cell blocks the line of sight. Cells outside of the grid do.
    pub(crate) fn is_opaque(&self, cell: IVec2) -> bool {
        self.index(cell).is_none_or(|i| self.opaque[i])
    }

    /// Computes which cells are visible from a cell, and stores them in `view`.
    pub(crate) fn look(&self, view: &mut FieldOfView, from: IVec2, radius: u32) {
        let is_opaque = |cell| self.is_opaque(cell);
        if self.settings.neighborhood.is_hexagonal() {
            view.compute_hexagonal(from, radius, is_opaque);
        } else {
            view.compute(from, radius, is_opaque);
        }
    }

    /// Whether no opaque cell blocks the line between two cells.
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

    /// Replaces a cell, given its index. The new cell must be valid.
    pub(crate) fn set_cell(&mut self, index: usize, cell: Cell) {
        self.cells[index] = cell;
        self.opaque[index] = cell.is_opaque();
    }

    /// Replaces all cells, row by row.
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

    /// The region of a cell. Default: 0.
    pub(crate) fn region(&self, cell: IVec2) -> u8 {
        let regions = self.regions.as_ref().zip(self.index(cell));
        regions.map_or(0, |(regions, index)| regions[index])
    }

    /// The ambient light of a region.
    pub(crate) fn ambient(&self, region: u8) -> Vec3 {
        let ambient = self.ambient.get(usize::from(region));
        ambient.copied().unwrap_or(Vec3::ZERO)
    }

    /// The color, converted to its luminance if light is gray.
    pub(crate) fn tinted(&self, color: Vec3) -> Vec3 {
        if self.gray {
            Vec3::splat(luminance(color))
        } else {
            color
        }
    }

    /// One component of a color, converted to luminance if light is gray.
    pub(crate) fn in_color(&self, light: Vec3, color: usize) -> f32 {
        self.tinted(light)[color]
    }
}
