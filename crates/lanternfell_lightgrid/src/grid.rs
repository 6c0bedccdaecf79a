//! The grid: cells, sources, and the light on them.

use glam::{IVec2, UVec2, Vec3};

use crate::{
    Cell, LightError, LightSettings, Source,
    channel::{Channel, Solve},
    direct::Direct,
    medium::Medium,
    reach::OpenGround,
    threads::for_each_channel,
};

/// How bright red, green and blue look beside each other: the weights of luminance in
/// linear sRGB (ITU-R BT.709).
pub const LUMINANCE: Vec3 = Vec3::new(0.2126, 0.7152, 0.0722);

/// A grid of cells, the light sources on it, and their light.
///
/// Cells are counted from the north-west corner, x eastwards and y southwards. Light is
/// linear red, green and blue, where 1 is full light.
///
/// What is changed (cells, sources, ambient light, settings) shows in the light from the
/// next [`step`](Self::step) or [`settle`](Self::settle) on.
#[derive(Debug, Clone)]
pub struct LightGrid {
    pub(crate) size: UVec2,
    pub(crate) settings: LightSettings,
    pub(crate) cells: Vec<Cell>,
    /// Which of them end a line of sight: looking asks for nothing else, and often.
    opaque: Vec<bool>,
    pub(crate) sources: Vec<Source>,
    /// The region of each cell; none at all while every cell is in region 0.
    pub(crate) regions: Option<Vec<u8>>,
    /// The ambient light of each region, up to the last that has any.
    pub(crate) ambient: Vec<Vec3>,
    /// One, or one for each color where the cells treat colors differently.
    media: Vec<Medium>,
    /// One, or one for each color.
    pub(crate) channels: Vec<Channel>,
    pub(crate) direct: Direct,
    /// The light beside a light on open ground, along an axis and a diagonal.
    pub(crate) beside: (f32, f32),
    /// What has to be worked out again before the next step.
    pub(crate) stale: Stale,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Stale {
    pub(crate) pins: bool,
    pub(crate) ambient: bool,
    pub(crate) direct: bool,
}

/// How a grid came to rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled {
    /// How many times the unsettled part of the grid was gone over; 0 when nothing had
    /// changed.
    pub sweeps: u32,
    /// Whether the tolerance was reached. If not, the next call goes on from here.
    pub reached: bool,
}

impl LightGrid {
    /// The most cells from one side to the other.
    pub const MAX_SIDE: u32 = 16_384;
    /// The most cells in all.
    pub const MAX_CELLS: u32 = 1 << 24;
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
        Self::with_colors(width, height, settings, 3)
    }

    /// As [`new`](Self::new), but with gray light: a third of the work and of the memory.
    /// Of colors that it is given it takes the luminance.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    pub fn gray(width: u32, height: u32, settings: LightSettings) -> Result<Self, LightError> {
        Self::with_colors(width, height, settings, 1)
    }

    pub(crate) fn with_colors(
        width: u32,
        height: u32,
        settings: LightSettings,
        colors: usize,
    ) -> Result<Self, LightError> {
        check_size(width, height)?;
        settings.validate()?;
        let (w, h) = (width as usize, height as usize);
        let rule = Rule::new(&settings);
        Ok(Self {
            size: UVec2::new(width, height),
            settings,
            cells: vec![Cell::OPEN; w * h],
            opaque: vec![false; w * h],
            sources: Vec::new(),
            regions: None,
            ambient: Vec::new(),
            media: vec![Medium::new(
                w,
                h,
                settings.neighborhood.weights(),
                rule.keep,
            )],
            channels: vec![Channel::new(w, h, Self::TILE as usize); colors],
            direct: Direct::default(),
            beside: rule.beside,
            stale: Stale {
                pins: false,
                ambient: false,
                direct: true,
            },
        })
    }

    /// Cells from west to east.
    pub fn width(&self) -> u32 {
        self.size.x
    }

    /// Cells from north to south.
    pub fn height(&self) -> u32 {
        self.size.y
    }

    /// Cells from west to east and from north to south.
    pub fn size(&self) -> UVec2 {
        self.size
    }

    /// Whether the light is gray; see [`LightGrid::gray`].
    pub fn is_gray(&self) -> bool {
        self.channels.len() == 1
    }

    /// Whether there is such a cell.
    pub fn contains(&self, cell: IVec2) -> bool {
        self.index(cell).is_some()
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

    /// How light behaves here.
    pub fn settings(&self) -> &LightSettings {
        &self.settings
    }

    /// Changes how light behaves. The light stays, and flows on by the new rule.
    ///
    /// # Errors
    ///
    /// Settings outside of what is allowed.
    pub fn set_settings(&mut self, settings: LightSettings) -> Result<(), LightError> {
        settings.validate()?;
        if settings == self.settings {
            return Ok(());
        }
        let old = core::mem::replace(&mut self.settings, settings);
        self.stale.direct = true;
        if (old.neighborhood, old.falloff) != (settings.neighborhood, settings.falloff) {
            let rule = Rule::new(&settings);
            for medium in &mut self.media {
                medium.set_rule(settings.neighborhood.weights(), rule.keep);
            }
            self.beside = rule.beside;
            self.direct.renew();
            self.wake_all();
        }
        Ok(())
    }

    /// The share of the light that is lost in each step.
    pub fn decay(&self) -> f32 {
        1.0 - self.media[0].keep()
    }

    /// What a cell does with light; outside of the grid nothing passes.
    pub fn cell(&self, cell: IVec2) -> Cell {
        self.index(cell).map_or(Cell::BLACK_WALL, |i| self.cells[i])
    }

    /// Whether a cell ends a line of sight, as everything outside of the grid does.
    pub fn is_opaque(&self, cell: IVec2) -> bool {
        self.index(cell).is_none_or(|i| self.opaque[i])
    }

    /// All cells, row by row.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Changes one cell.
    ///
    /// # Errors
    ///
    /// There is no such cell, or its values are outside of 0 to 1.
    pub fn set_cell(&mut self, at: IVec2, cell: Cell) -> Result<(), LightError> {
        let index = self.index_or_error(at)?;
        cell.validate()?;
        if self.cells[index] == cell {
            return Ok(());
        }
        self.cells[index] = cell;
        self.opaque[index] = cell.is_opaque();
        if self.media.len() == 1 && !self.is_gray() && is_colored(&cell) {
            // From here on the colors have a medium each.
            self.media = vec![self.media[0].clone(); 3];
        }
        let (x, y) = (at.x as usize, at.y as usize);
        let colors = self.media.len();
        let channels = self.channels.len();
        for (color, medium) in self.media.iter_mut().enumerate() {
            if medium.set(x, y, of_color(&cell, color, colors, channels)) {
                // Where the colors share a medium it is all of them.
                let those = if colors == 1 {
                    0..channels
                } else {
                    color..color + 1
                };
                for channel in &mut self.channels[those] {
                    channel.touch(x, y);
                }
            }
        }
        self.direct.cell_changed(at);
        self.stale.pins = true;
        self.stale.direct = true;
        Ok(())
    }

    /// Changes every cell.
    ///
    /// # Errors
    ///
    /// A cell's values are outside of 0 to 1. Nothing is changed then.
    pub fn fill(&mut self, cell: impl FnMut(IVec2) -> Cell) -> Result<(), LightError> {
        let width = self.size.x as usize;
        let places = 0..width * self.size.y as usize;
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
        let colored = !self.is_gray() && self.cells.iter().any(is_colored);
        let colors = if colored { 3 } else { 1 };
        if self.media.len() != colors {
            self.media = vec![self.media[0].clone(); colors];
        }
        let (cells, width) = (&self.cells, self.size.x as usize);
        for (color, medium) in self.media.iter_mut().enumerate() {
            let channels = self.channels.len();
            medium.fill(|x, y| of_color(&cells[y * width + x], color, colors, channels));
        }
        self.direct.renew();
        self.wake_all();
        Ok(())
    }

    /// Goes on by `steps` steps of the automaton: light flows by at most one cell a step.
    pub fn step(&mut self, steps: u32) {
        self.prepare();
        if self.channels.iter().all(Channel::rests) {
            return;
        }
        for_each_channel(&mut self.channels, &self.media, |channel, medium| {
            for _ in 0..steps {
                if channel.rests() {
                    break;
                }
                channel.step(medium);
            }
        });
    }

    /// Brings the light to where the automaton would come to rest, but for `tolerance`.
    ///
    /// A tolerance of 1/1000 can not be seen; smaller than 1/1,000,000, or not a number, is
    /// taken as that. Light as bright as `l` can not come nearer than about `l` / 1,000,000
    /// divided by the decay; and where less than 1/4096 is lost in a step (a radius of some
    /// fifty cells) the tolerance is not promised any more, though measured to hold.
    ///
    /// Faint light that the automaton takes for none, below 1/65536, is left here: a grid
    /// that is settled and stepped by turns finds a little to do at each change.
    pub fn settle(&mut self, tolerance: f32) -> Settled {
        self.settle_within(tolerance, Self::MAX_SWEEPS)
    }

    /// As [`settle`](Self::settle), but with at most so many sweeps: for apps that must not
    /// wait where light fades slowly. The next call goes on.
    pub fn settle_within(&mut self, tolerance: f32, sweeps: u32) -> Settled {
        self.prepare();
        let solve = self.solve(tolerance, sweeps);
        if self
            .channels
            .iter()
            .all(|channel| channel.is_settled(solve))
        {
            return Settled {
                sweeps: 0,
                reached: true,
            };
        }
        let ends = for_each_channel(&mut self.channels, &self.media, |channel, medium| {
            channel.settle(medium, solve)
        });
        Settled {
            sweeps: ends.iter().map(|end| end.0).max().unwrap_or(0),
            reached: ends.iter().all(|end| end.1),
        }
    }

    fn solve(&self, tolerance: f32, max_sweeps: u32) -> Solve {
        let tolerance = if tolerance >= 1e-6 { tolerance } else { 1e-6 };
        let decay = self.decay();
        let weights = self.settings.neighborhood.weights();
        let all = 5.0 * weights.edge + 4.0 * weights.corner;
        // How much of a wave is left after one step in which each cell takes the average
        // of the others; on a small grid a wave can not be longer than the grid.
        let spread = (1.0 - decay) * (all - weights.edge) / (all - (1.0 - decay) * weights.edge);
        let longest = f64::from(self.size.max_element() + 1);
        let spread = f64::from(spread).min(libm::cos(core::f64::consts::PI / longest));
        Solve {
            threshold: tolerance * decay.max(1.0 / 4096.0),
            relaxation: (2.0 / (1.0 + libm::sqrt(1.0 - spread * spread))) as f32,
            max_sweeps,
        }
    }

    /// Darkness everywhere, until the next step.
    pub fn darken(&mut self) {
        for channel in &mut self.channels {
            channel.darken();
        }
        self.direct.darken();
        self.stale.direct = true;
    }

    /// Works out again what has changed of what the sources and regions ask for.
    fn prepare(&mut self) {
        if core::mem::take(&mut self.stale.pins) {
            self.place_sources();
        }
        if core::mem::take(&mut self.stale.ambient) {
            self.place_ambient();
            self.direct.ambient_changed();
            self.stale.direct = true;
        }
        self.update_direct();
    }

    /// Brings the light in straight lines in line with the sources and cells.
    pub(crate) fn update_direct(&mut self) {
        if core::mem::take(&mut self.stale.direct) {
            let mut direct = core::mem::take(&mut self.direct);
            direct.update(self);
            for area in direct.drain_changes() {
                self.channels[0].take_note_of(area);
            }
            self.direct = direct;
        }
    }

    /// A color, or in a grid of gray light its luminance.
    pub(crate) fn tinted(&self, color: Vec3) -> Vec3 {
        if self.is_gray() {
            Vec3::splat(gray(color))
        } else {
            color
        }
    }

    pub(crate) fn in_color(&self, light: Vec3, color: usize) -> f32 {
        self.tinted(light)[color]
    }

    /// All cells, or the rule, have changed.
    fn wake_all(&mut self) {
        for channel in &mut self.channels {
            channel.touch_lit();
        }
        self.stale.pins = true;
        self.stale.direct = true;
    }
}

/// What follows from the settings and takes a while to find.
struct Rule {
    keep: f32,
    beside: (f32, f32),
}

impl Rule {
    fn new(settings: &LightSettings) -> Self {
        let decay = settings.falloff.decay(settings.neighborhood);
        Self {
            keep: 1.0 - decay,
            beside: OpenGround::new(settings.neighborhood, decay).beside(),
        }
    }
}

pub(crate) fn check_size(width: u32, height: u32) -> Result<(), LightError> {
    let sides = 1..=LightGrid::MAX_SIDE;
    let cells = u64::from(width) * u64::from(height);
    if sides.contains(&width) && sides.contains(&height) && cells <= u64::from(LightGrid::MAX_CELLS)
    {
        return Ok(());
    }
    Err(LightError::Size { width, height })
}

/// Whether the cell treats colors differently.
fn is_colored(cell: &Cell) -> bool {
    !is_even(cell.transparency) || !is_even(cell.albedo)
}

fn is_even(color: Vec3) -> bool {
    color.x == color.y && color.y == color.z
}

/// The luminance; of gray exactly itself, whatever the rounding of the weights' sum.
fn gray(color: Vec3) -> f32 {
    if is_even(color) {
        color.x
    } else {
        color
            .dot(LUMINANCE)
            .clamp(color.min_element(), color.max_element())
    }
}

/// Transparency and albedo for one of the media.
fn of_color(cell: &Cell, color: usize, media: usize, channels: usize) -> (f32, f32) {
    if channels == 1 {
        return (gray(cell.transparency), gray(cell.albedo));
    }
    debug_assert!(media == 3 || !is_colored(cell));
    (cell.transparency[color], cell.albedo[color])
}
