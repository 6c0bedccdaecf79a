//! Where one window of a step's map is made.
//!
//! Problem: a step can be needed by many others, each of which needs another window of it; made
//! anew for each of them, the work doubles with every level of the recipe.
//!
//! Idea: the plan is walked twice. Backwards, from the wanted step, each step learns the
//! smallest window that holds all that its users need; then forwards, as the whole map is made,
//! each step once in its window, from which every user cuts its part.
//!
//! ```text
//!   +-----------+
//!   | +----+    |    a ground, in the window that holds those of its two users:
//!   | |mask|    |    a filter, with its rim, and the mask of that filter
//!   | +----+    |
//!   +-----------+
//! ```
//!
//! Cost: each step once, however often it is needed. A map is dropped after its last use, so
//! that there are about as many at once as [`Recipe::maps_at_once`] tells, each the size of the
//! window and its rim.

use std::borrow::Cow;

use super::{TileError, TilePrepass, coarse::CoarseWorld};
use crate::{
    Blend, Filter, FilterContext, GenerateError, Heightmap, MapSize, Progress, Recipe, RecipeError,
    Window,
    evaluate::Parts,
    filter::{Known, Locality},
    recipe::{Operation, Plan, Step, run::seed},
};

/// How windows of a recipe's steps are made.
pub(super) struct TileEvaluator<'a> {
    recipe: &'a Recipe,
    plan: &'a Plan,
    prepass: &'a TilePrepass,
    coarse: &'a CoarseWorld,
    /// Where the world begins on an endless plane, if it is a part of one.
    plane: Option<(i64, i64)>,
    /// Only to be cancelled by.
    progress: Progress,
}

impl<'a> TileEvaluator<'a> {
    pub(super) fn new(
        recipe: &'a Recipe,
        plan: &'a Plan,
        prepass: &'a TilePrepass,
        coarse: &'a CoarseWorld,
        progress: &Progress,
    ) -> Self {
        Self {
            recipe,
            plan,
            prepass,
            coarse,
            plane: None,
            progress: progress.span(0.0, 0.0),
        }
    }

    /// The same for a world that is a part of an endless plane, and begins there at `origin`.
    pub(super) fn on_plane(self, origin: (i64, i64)) -> Self {
        Self {
            plane: Some(origin),
            ..self
        }
    }

    /// The window of the map of a step, by its name.
    pub(super) fn make(&self, name: &str, window: Window) -> Result<Heightmap, TileError> {
        let steps = &self.recipe.steps;
        let wanted = index(steps, name);
        let mut maps = self.needed(wanted, window);
        for &step in &self.plan.order {
            let Some(window) = maps.windows[step] else {
                continue;
            };
            let map = self.operate(&steps[step], window, &mut maps)?;
            if step == wanted {
                return Ok(map);
            }
            maps.kept[step] = Some(map);
        }
        unreachable!("the plan's order holds every step that is asked for")
    }

    /// The window of a step of filters, before the one at that place, whatever its mask.
    pub(super) fn make_before(
        &self,
        name: &str,
        place: usize,
        window: Window,
    ) -> Result<Heightmap, TileError> {
        let step = &self.recipe.steps[index(&self.recipe.steps, name)];
        let Operation::Filter { of, by, salt, .. } = &step.operation else {
            return Err(TileError::misfit(name));
        };
        let windows = self.windows(&by[..place], window);
        let map = self.make(of, windows[0])?;
        self.filter((name, *salt), &by[..place], map, &windows)
    }

    /// Of which steps which windows are needed for that one's.
    fn needed(&self, wanted: usize, window: Window) -> WindowMaps<'_> {
        let Recipe { steps, size, .. } = self.recipe;
        let mut windows = vec![None; steps.len()];
        let mut uses = vec![0; steps.len()];
        windows[wanted] = Some(window);
        for &step in self.plan.order.iter().rev() {
            let Some(window) = windows[step] else {
                continue;
            };
            let operation = &steps[step].operation;
            for (place, input) in operation.inputs().into_iter().enumerate() {
                // Only the land is looked at beyond the cell; masks and layers are not.
                let needed = match operation {
                    Operation::Filter { by, .. } if place == 0 => self.windows(by, window)[0],
                    Operation::Select { by, .. } => window.grown(by.reach(), *size),
                    _ => window,
                };
                let input = index(steps, input);
                let known = windows[input].unwrap_or(needed);
                windows[input] = Some(both(known, needed, *size));
                uses[input] += 1;
            }
        }
        WindowMaps {
            steps,
            windows,
            kept: vec![None; steps.len()],
            uses,
        }
    }

    /// The window of a step, from those that it needs.
    fn operate(
        &self,
        Step { name, operation }: &Step,
        window: Window,
        maps: &mut WindowMaps<'_>,
    ) -> Result<Heightmap, TileError> {
        let recipe = self.recipe;
        match operation {
            Operation::Generate { by, salt } => {
                let seed = seed(recipe.seed, name, *salt);
                let (world, progress) = (recipe.size, &self.progress);
                let part = match by.parts() {
                    Parts::Pointwise(generator) => match self.plane {
                        None => generator.part(window, world, seed, progress),
                        Some((x, y)) => {
                            let origin = (x + window.x() as i64, y + window.y() as i64);
                            generator.plane_part(origin, window.size(), world, seed, progress)
                        }
                    },
                    Parts::Stretched(generator) => {
                        let known = self.prepass.normalization(name);
                        let known = known.ok_or_else(|| TileError::misfit(name))?;
                        generator.part(window, world, seed, known, progress)
                    }
                    // Refused before any part is made.
                    Parts::Whole(_) => return Err(TileError::misfit(name)),
                };
                part.map_err(|error| making(name, error))
            }
            Operation::Flat { height } => Ok(Heightmap::constant(window.size(), *height)),
            Operation::Image { .. } => Err(TileError::misfit(name)),
            Operation::Blend {
                ground,
                layer,
                how,
                weight,
                mask,
            } => {
                let mut map = maps.take(ground, window);
                let over = maps.look(layer, window);
                let by = mask.as_deref().map(|mask| maps.look(mask, window));
                how.lay(&mut map, &over, *weight, by.as_deref(), &self.progress)?;
                drop((over, by));
                maps.release(layer);
                mask.iter().for_each(|mask| maps.release(mask));
                Ok(map)
            }
            Operation::Filter { of, by, mask, salt } => {
                let windows = self.windows(by, window);
                let Some(mask) = mask else {
                    let map = maps.take(of, windows[0]);
                    return self.filter((name, *salt), by, map, &windows);
                };
                let map = maps.look(of, windows[0]).into_owned();
                let filtered = self.filter((name, *salt), by, map, &windows)?;
                let mut map = maps.take(of, window);
                let share = maps.look(mask, window);
                Blend::Mix.lay(&mut map, &filtered, 1.0, Some(&share), &self.progress)?;
                drop(share);
                maps.release(mask);
                Ok(map)
            }
            Operation::Select { of, by } => {
                let larger = window.grown(by.reach(), recipe.size);
                let map = maps.look(of, larger);
                let mask = by
                    .of(&map, recipe.scale(), &self.progress)
                    .map_err(|error| making(name, error))?;
                drop(map);
                maps.release(of);
                Ok(cut(mask, larger, window))
            }
        }
    }

    /// Of which window each of these filters, one after the other, needs the map for this window, and
    /// last that one.
    fn windows(&self, filters: &[Filter], window: Window) -> Vec<Window> {
        let Recipe { size, .. } = *self.recipe;
        let mut windows = vec![window];
        for filter in filters.iter().rev() {
            let after = windows[windows.len() - 1];
            windows.push(match filter.locality(size, self.recipe.scale()) {
                Locality::Exact { reach, .. } => after.grown(reach, size),
                Locality::Near { reach, guided } => {
                    let step = if guided { self.coarse.ratio() } else { 1 };
                    after.grown(reach, size).aligned(step, size)
                }
                // The whole map is refused before any part is made.
                Locality::Placed | Locality::Stretched | Locality::Whole(_) => after,
            });
        }
        windows.reverse();
        windows
    }

    /// The last of these windows of a map after these filters of a step, from the first before them.
    fn filter(
        &self,
        (name, salt): (&str, Option<u64>),
        filters: &[Filter],
        mut map: Heightmap,
        windows: &[Window],
    ) -> Result<Heightmap, TileError> {
        let context = FilterContext {
            scale: self.recipe.scale(),
            seed: seed(self.recipe.seed, name, salt),
            window: windows[0],
            world: self.recipe.size,
            origin: self.plane.unwrap_or((0, 0)),
        };
        let step = index(&self.recipe.steps, name);
        for (place, filter) in filters.iter().enumerate() {
            let context = FilterContext {
                window: windows[place],
                ..context.nth(place)
            };
            let known = Known {
                range: self.range(name, place, filter)?,
                guide: self.coarse.guide(step, place),
            };
            let wanted = windows[windows.len() - 1];
            if *filter == Filter::Normalize
                && self.coarse.is_exact(step)
                && !lies_in(&map, windows[place], wanted, known.range)
            {
                return Err(TileError::misfit(name));
            }
            filter
                .apply_part(&mut map, &context, known, &self.progress)
                .map_err(|error| making(name, error))?;
            map = cut(map, windows[place], windows[place + 1]);
        }
        Ok(map)
    }

    /// What the prepass knows for that filter of a step; nothing if it does not need it.
    fn range(&self, name: &str, place: usize, filter: &Filter) -> Result<(f32, f32), TileError> {
        let locality = filter.locality(self.recipe.size, self.recipe.scale());
        if !locality.needs_range() || self.plane.is_some() {
            return Ok((0.0, 1.0));
        }
        let range = self.prepass.range(name, place);
        range.ok_or_else(|| TileError::misfit(name))
    }
}

/// The windows that are made already.
struct WindowMaps<'a> {
    steps: &'a [Step],
    /// Of each step, the window that holds all that is needed of it.
    windows: Vec<Option<Window>>,
    /// The map of that window, once it is made, and as long as it is needed.
    kept: Vec<Option<Heightmap>>,
    /// Of each step, how many still need it.
    uses: Vec<usize>,
}

impl WindowMaps<'_> {
    const PLANNED: &'static str = "the plan makes what a step needs before it, and keeps it";

    /// A part of a step's map.
    fn look(&self, name: &str, part: Window) -> Cow<'_, Heightmap> {
        let index = index(self.steps, name);
        let map = self.kept[index].as_ref().expect(Self::PLANNED);
        let whole = self.windows[index].expect(Self::PLANNED);
        if whole == part {
            Cow::Borrowed(map)
        } else {
            Cow::Owned(crop(map, whole, part))
        }
    }

    /// A part to change: a copy only if others need it too. One step less needs it.
    fn take(&mut self, name: &str, part: Window) -> Heightmap {
        let index = index(self.steps, name);
        if self.uses[index] > 1 {
            self.uses[index] -= 1;
            return self.look(name, part).into_owned();
        }
        let map = self.kept[index].take().expect(Self::PLANNED);
        cut(map, self.windows[index].expect(Self::PLANNED), part)
    }

    /// One step less needs it.
    fn release(&mut self, name: &str) {
        let index = index(self.steps, name);
        self.uses[index] -= 1;
        if self.uses[index] == 0 {
            self.kept[index] = None;
        }
    }
}

pub(super) fn index(steps: &[Step], name: &str) -> usize {
    let found = steps.iter().position(|step| step.name == name);
    found.expect("a plan's steps find each other")
}

/// The smallest window that holds both.
fn both(a: Window, b: Window, world: MapSize) -> Window {
    let (x, y) = (a.x().min(b.x()), a.y().min(b.y()));
    let right = |window: Window| window.x() + window.size().width();
    let bottom = |window: Window| window.y() + window.size().height();
    let width = right(a).max(right(b)) - x;
    let height = bottom(a).max(bottom(b)) - y;
    let size = MapSize::of_world(width as u64, height as u64).ok();
    let both = size.and_then(|size| Window::new(x, y, size, world));
    both.expect("no smaller than either window, and no larger than the world of both")
}

/// Whether a window of a larger window's map has no height beyond the range.
fn lies_in(map: &Heightmap, larger: Window, window: Window, (low, high): (f32, f32)) -> bool {
    let (x, y) = (window.x() - larger.x(), window.y() - larger.y());
    let mut rows =
        (y..y + window.size().height()).map(|y| &map.row(y)[x..][..window.size().width()]);
    rows.all(|row| row.iter().all(|z| (low..=high).contains(z)))
}

/// The part of the larger window's map that lies in the smaller one.
fn cut(map: Heightmap, larger: Window, window: Window) -> Heightmap {
    if larger == window {
        return map;
    }
    crop(&map, larger, window)
}

fn crop(map: &Heightmap, larger: Window, window: Window) -> Heightmap {
    let (x, y) = (window.x() - larger.x(), window.y() - larger.y());
    map.cropped((x, y), window.size())
        .expect("the larger window holds the smaller one")
}

pub(super) fn making(step: &str, error: GenerateError) -> TileError {
    RecipeError::making(step, error).into()
}
