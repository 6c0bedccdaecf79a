//! In which order steps are made, and how long each map is kept.
//!
//! A walk in depth from the result, and then from the step that tells the holes: what a step needs comes before it. A step that is met
//! again while what it needs is still being looked for needs itself.

use super::{RecipeError, Step};

/// The order of a recipe's steps.
pub(super) struct Plan {
    /// The steps that are needed, each after those that it needs itself; those of the result first.
    pub(super) order: Vec<usize>,
    /// The step whose map is the recipe's.
    pub(super) result: usize,
    /// The step whose map tells the holes, if that is made too.
    pub(super) holes: Option<usize>,
}

impl Plan {
    /// Checks the names and who needs whom, and finds the order.
    pub(super) fn new(
        steps: &[Step],
        result: &str,
        holes: Option<&str>,
    ) -> Result<Self, RecipeError> {
        check_names(steps)?;
        let mut walk = Walk {
            steps,
            state: vec![Visit::New; steps.len()],
            path: Vec::new(),
            order: Vec::new(),
        };
        let result = index(steps, None, result)?;
        let holes = holes.map(|holes| index(steps, None, holes)).transpose()?;
        walk.visit(result)?;
        if let Some(holes) = holes {
            walk.visit(holes)?;
        }
        let order = core::mem::take(&mut walk.order);
        // What nobody needs is not made, but wrong all the same if it needs itself.
        for step in 0..steps.len() {
            walk.visit(step)?;
        }
        Ok(Self {
            order,
            result,
            holes,
        })
    }

    /// For each step, how many need it: of those in the order, and whoever asked for its map.
    pub(super) fn uses(&self, steps: &[Step]) -> Vec<usize> {
        let mut uses = vec![0; steps.len()];
        for asked in [Some(self.result), self.holes].into_iter().flatten() {
            uses[asked] += 1;
        }
        for &step in &self.order {
            for input in steps[step].operation.inputs() {
                if let Some(input) = steps.iter().position(|step| step.name == input) {
                    uses[input] += 1;
                }
            }
        }
        uses
    }

    /// How many maps there are at once, at most: those that are still needed, and the one
    /// that is made; a filter and a blend change their ground in place if nobody else needs it.
    pub(super) fn maps_at_once(&self, steps: &[Step]) -> usize {
        let mut left = self.uses(steps);
        let (mut kept, mut most) = (0, 0);
        for &step in &self.order {
            let operation = &steps[step].operation;
            let at = |name: &str| steps.iter().position(|step| step.name == name);
            let in_place = operation
                .ground()
                .and_then(at)
                .is_some_and(|g| left[g] == 1)
                && !operation.keeps_its_ground();
            most = most.max(kept + usize::from(!in_place));
            kept += 1;
            for input in operation.inputs().into_iter().filter_map(at) {
                left[input] -= 1;
                kept -= usize::from(left[input] == 0);
            }
        }
        most
    }
}

fn check_names(steps: &[Step]) -> Result<(), RecipeError> {
    for (index, step) in steps.iter().enumerate() {
        let name = &step.name;
        if !step.has_a_proper_name() {
            return Err(RecipeError::Name { name: name.clone() });
        }
        if steps[..index].iter().any(|other| other.name == *name) {
            return Err(RecipeError::Twice { name: name.clone() });
        }
    }
    Ok(())
}

/// Where the step is that `step` needs under that name.
fn index(steps: &[Step], step: Option<&str>, name: &str) -> Result<usize, RecipeError> {
    let found = steps.iter().position(|step| step.name == name);
    found.ok_or_else(|| RecipeError::Missing {
        step: step.map(str::to_owned),
        missing: name.to_owned(),
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    New,
    /// On the path: what it needs is looked for.
    Open,
    Done,
}

struct Walk<'a> {
    steps: &'a [Step],
    state: Vec<Visit>,
    path: Vec<usize>,
    order: Vec<usize>,
}

impl Walk<'_> {
    /// No deeper than there are steps, and those are few.
    fn visit(&mut self, step: usize) -> Result<(), RecipeError> {
        match self.state[step] {
            Visit::Done => return Ok(()),
            Visit::Open => return Err(self.cycle(step)),
            Visit::New => {}
        }
        self.state[step] = Visit::Open;
        self.path.push(step);
        let Step { name, operation } = &self.steps[step];
        for input in operation.inputs() {
            self.visit(index(self.steps, Some(name), input)?)?;
        }
        self.path.pop();
        self.state[step] = Visit::Done;
        self.order.push(step);
        Ok(())
    }

    fn cycle(&self, step: usize) -> RecipeError {
        let around = self.path.iter().skip_while(|&&other| other != step);
        let steps = around.map(|&step| self.steps[step].name.clone());
        RecipeError::Cycle {
            steps: steps.collect(),
        }
    }
}
