// Changes to the steps of a recipe. Each function returns a new recipe and leaves the old one unchanged.

/** The kind of a step. */
export const kindOf = (step) =>
  ["generate", "filter", "blend", "select", "flat", "image"].find((kind) => kind in step) ?? "unknown";

/** The names of the steps that a step uses. */
export function inputsOf(step) {
  const mask = step.mask === undefined ? [] : [step.mask];
  if (step.filter !== undefined) return [step.filter, ...mask];
  if (step.blend !== undefined) return [...step.blend, ...mask];
  return step.select === undefined ? mask : [step.select, ...mask];
}

/** A copy of the step with its inputs replaced. The mask is replaced too. */
function withInputs(step, other) {
  const changed = { ...step };
  if (step.filter !== undefined) changed.filter = other(step.filter);
  if (step.blend !== undefined) changed.blend = step.blend.map(other);
  if (step.select !== undefined) changed.select = other(step.select);
  if (step.mask !== undefined) changed.mask = other(step.mask);
  return changed;
}

/** Replaces a step. */
export const changeStep = (recipe, name, step) => ({ ...recipe, steps: { ...recipe.steps, [name]: step } });

/** The names of all steps that depend on a step, including itself. */
function needing(steps, name) {
  const found = new Set([name]);
  for (let before = 0; before < found.size;) {
    before = found.size;
    for (const [other, step] of Object.entries(steps)) {
      if (inputsOf(step).some((input) => found.has(input))) found.add(other);
    }
  }
  return found;
}

/**
 * Removes a step. Its users get its first input instead, or else another step that does not depend on it. Returns the
 * same recipe if there is no replacement.
 */
export function removeStep(recipe, name) {
  const { [name]: gone, ...rest } = recipe.steps;
  const names = Object.keys(rest);
  const users = needing(recipe.steps, name);
  const heir = inputsOf(gone).find((input) => input !== name && input in rest) ?? names.find((other) => !users.has(other));
  // A mask is optional, so it needs no replacement.
  const isNeeded = names.some((other) => inputsOf({ ...rest[other], mask: undefined }).includes(name));
  if (names.length === 0 || (isNeeded && heir === undefined)) return recipe;
  const steps = {};
  for (const [other, step] of Object.entries(rest)) {
    const changed = withInputs(step, (input) => (input === name ? heir : input));
    // A removed mask is not replaced, since no other step is a mask.
    if (step.mask === name) delete changed.mask;
    steps[other] = changed;
  }
  const changed = { ...recipe, steps };
  if (recipe.result === name) delete changed.result;
  if (recipe.holes === name) delete changed.holes;
  return changed;
}

/** Moves a step one place up (-1) or down (1). */
export function moveStep(recipe, name, by) {
  const entries = Object.entries(recipe.steps);
  const from = entries.findIndex(([other]) => other === name);
  const to = from + by;
  if (from < 0 || to < 0 || to >= entries.length) return recipe;
  [entries[from], entries[to]] = [entries[to], entries[from]];
  return { ...recipe, steps: Object.fromEntries(entries) };
}

/** An unused name. It must start with a letter: JavaScript sorts integer property names to the front. */
export function freeName(recipe, wish) {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wish : `${wish}-${count}`;
    if (!Object.hasOwn(recipe.steps, name)) return name;
  }
}

/** The name of the result step. */
export const resultOf = (recipe) => recipe.result ?? Object.keys(recipe.steps).at(-1);

/** Appends a step: `generate`, `filter` or `select` with a name, or `flat`. */
export function addStep(recipe, kind, what) {
  const before = resultOf(recipe);
  const steps = { ...recipe.steps };
  const added = freeName(recipe, what ?? kind);
  if (kind === "generate") steps[added] = { generate: { name: what } };
  if (kind === "flat") steps[added] = { flat: 0.5 };
  if (kind === "filter") steps[added] = { filter: before, by: [{ name: what }] };
  if (kind === "select") steps[added] = { select: before, by: { name: what } };
  const changed = { ...recipe, steps };
  delete changed.result;
  if (kind === "filter") return changed;
  if (kind === "select") return { ...changed, result: before };
  // Blend the layer, since otherwise it would replace the previous result.
  steps[freeName(changed, "blend")] = { blend: [before, added], how: { name: "add" }, weight: 0.3 };
  return changed;
}
