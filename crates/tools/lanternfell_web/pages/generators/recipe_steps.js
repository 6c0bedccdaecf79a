// Changes of a recipe's steps. Each gives a new recipe, so that an old one stays what it was.

/** What kind of step it is. */
export const kindOf = (step) =>
  ["generate", "filter", "blend", "select", "flat", "image"].find((kind) => kind in step) ?? "unknown";

/** The names of the steps that a step is made from. */
export function inputsOf(step) {
  const mask = step.mask === undefined ? [] : [step.mask];
  if (step.filter !== undefined) return [step.filter, ...mask];
  if (step.blend !== undefined) return [...step.blend, ...mask];
  return step.select === undefined ? mask : [step.select, ...mask];
}

/** The step with another in the place of each that it is made from; a mask may also go. */
function withInputs(step, other) {
  const changed = { ...step };
  if (step.filter !== undefined) changed.filter = other(step.filter);
  if (step.blend !== undefined) changed.blend = step.blend.map(other);
  if (step.select !== undefined) changed.select = other(step.select);
  if (step.mask !== undefined) changed.mask = other(step.mask);
  return changed;
}

/** With that step in the place of the old one. */
export const changeStep = (recipe, name, step) => ({ ...recipe, steps: { ...recipe.steps, [name]: step } });

/** The names of all steps that need a step, itself among them. */
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
 * Without a step: who was made from it is made from what it was made from, or else from another one that does not
 * need it. The same recipe where there is none: nothing would be left to be made from.
 */
export function removeStep(recipe, name) {
  const { [name]: gone, ...rest } = recipe.steps;
  const names = Object.keys(rest);
  const users = needing(recipe.steps, name);
  const heir = inputsOf(gone).find((input) => input !== name && input in rest) ?? names.find((other) => !users.has(other));
  // A mask just goes.
  const isNeeded = names.some((other) => inputsOf({ ...rest[other], mask: undefined }).includes(name));
  if (names.length === 0 || (isNeeded && heir === undefined)) return recipe;
  const steps = {};
  for (const [other, step] of Object.entries(rest)) {
    const changed = withInputs(step, (input) => (input === name ? heir : input));
    // Nothing else is a mask by itself.
    if (step.mask === name) delete changed.mask;
    steps[other] = changed;
  }
  const changed = { ...recipe, steps };
  if (recipe.result === name) delete changed.result;
  if (recipe.holes === name) delete changed.holes;
  return changed;
}

/** With a step one place up (-1) or down (1). */
export function moveStep(recipe, name, by) {
  const entries = Object.entries(recipe.steps);
  const from = entries.findIndex(([other]) => other === name);
  const to = from + by;
  if (from < 0 || to < 0 || to >= entries.length) return recipe;
  [entries[from], entries[to]] = [entries[to], entries[from]];
  return { ...recipe, steps: Object.fromEntries(entries) };
}

/** A name that no step has yet: of letters, digits, `-` and `_`, and letters lead, or else it would be sorted to the front. */
export function freeName(recipe, wish) {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wish : `${wish}-${count}`;
    if (!Object.hasOwn(recipe.steps, name)) return name;
  }
}

/** The step whose map is the recipe's. */
export const resultOf = (recipe) => recipe.result ?? Object.keys(recipe.steps).at(-1);

/** With another step after the last: `generate`, `filter` or `select` and a name, or `flat`. */
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
  // A layer alone would hide all that was there.
  steps[freeName(changed, "blend")] = { blend: [before, added], how: { name: "add" }, weight: 0.3 };
  return changed;
}
