//! The order in which steps are run, and how long each map is kept.
//!
//! The order comes from a depth-first search, first from the result and then from the step for the holes: the inputs of
//! a step come before the step. A step that is reached again while its own inputs are still being visited depends on
//! itself.

use super::{RecipeError, Step};

/// The order of a recipe's steps.
pub(super) struct Plan {
    /// The steps that are needed, each after its inputs. Those of the result come first.
    pub(super) order: Vec<usize>,
    /// The step whose map is the recipe's map.
    pub(super) result: usize,
    /// The step whose map defines the holes, if that is generated too.
    pub(super) holes: Option<usize>,
}

impl Plan {
    /// Checks the names and references of the steps, and computes the order.
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
        // Steps that are not needed are not run, but a cycle among them is still an error.
        for step in 0..steps.len() {
            walk.visit(step)?;
        }
        Ok(Self {
            order,
            result,
            holes,
        })
    }

    /// For each step, the number of uses of its map: by steps in the order, and as the result or the holes.
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

    /// The maximum number of maps in memory at once: those that are still needed and the one being made. Filters and
    /// blends modify their input in place if it is not needed otherwise.
    pub(super) fn peak_map_count(&self, steps: &[Step]) -> usize {
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

/// The index of the step `name`, to which `step` refers.
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
    /// On the current path: its inputs are being visited.
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
    /// The recursion is at most as deep as the number of steps, which is limited.
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
