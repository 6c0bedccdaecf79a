// Tests changes of a recipe's steps, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { addStep, changeStep, freeName, inputsOf, moveStep, removeStep, resultOf } from "../pages/generators/recipe_steps.js";
import { scale } from "../pages/generators/parameter_scale.js";

const recipe = {
  seed: 1,
  steps: {
    hills: { generate: { name: "hills" } },
    faults: { generate: { name: "faults" } },
    land: { blend: ["hills", "faults"], mask: "high" },
    high: { select: "hills", by: { name: "height" } },
    smooth: { filter: "land", by: [{ name: "normalize" }] },
  },
};

test("inputs of a step are its sources and its mask", () => {
  assert.deepEqual(inputsOf(recipe.steps.land), ["hills", "faults", "high"]);
  assert.deepEqual(inputsOf(recipe.steps.smooth), ["land"]);
  assert.deepEqual(inputsOf(recipe.steps.hills), []);
});

test("users of a removed step get its input", () => {
  const less = removeStep(recipe, "land");
  assert.equal(less.steps.smooth.filter, "hills");
  assert.ok(!("land" in less.steps) && "land" in recipe.steps);
});

test("removing a mask removes its uses", () => {
  assert.ok(!("mask" in removeStep(recipe, "high").steps.land));
});

test("removing a generator leaves no dangling input", () => {
  const less = removeStep(recipe, "hills");
  for (const step of Object.values(less.steps)) for (const input of inputsOf(step)) assert.ok(input in less.steps, input);
});

/** Whether a step depends on itself. */
function isCyclic(steps, path = [], name) {
  const next = name === undefined ? Object.keys(steps) : inputsOf(steps[name]);
  return path.includes(name) || next.some((input) => isCyclic(steps, name === undefined ? path : [...path, name], input));
}

test("the first step of a chain can be removed only if there is a replacement", () => {
  const filter = (of) => ({ filter: of, by: [{ name: "normalize" }] });
  const chain = { steps: { hills: { generate: { name: "hills" } }, f: filter("hills"), g: filter("f") } };
  assert.equal(removeStep(chain, "hills"), chain);
  assert.deepEqual(removeStep(chain, "f").steps.g, filter("hills"));
  const two = { steps: { ...chain.steps, flat: { flat: 0.5 } } };
  assert.deepEqual(removeStep(two, "hills").steps.f, filter("flat"));
});

test("removals leave no cycles and no dangling inputs", () => {
  let recipes = [recipe, addStep(addStep(recipe, "filter", "terrace"), "generate", "worley")];
  for (let depth = 0; depth < 4; depth += 1) {
    recipes = recipes.flatMap((one) => Object.keys(one.steps).map((name) => removeStep(one, name)));
    for (const { steps } of recipes) {
      for (const step of Object.values(steps)) for (const input of inputsOf(step)) assert.ok(input in steps, input);
      assert.ok(!isCyclic(steps), JSON.stringify(steps));
    }
  }
});

test("the last step cannot be removed", () => {
  const one = { steps: { hills: { generate: { name: "hills" } } } };
  assert.equal(removeStep(one, "hills"), one);
});

test("steps move by one place within the list", () => {
  assert.deepEqual(Object.keys(moveStep(recipe, "faults", -1).steps).slice(0, 2), ["faults", "hills"]);
  assert.equal(moveStep(recipe, "hills", -1), recipe);
  assert.equal(moveStep(recipe, "smooth", 1), recipe);
});

test("an added filter is the result, and an added layer is blended", () => {
  const filtered = addStep(recipe, "filter", "terrace");
  assert.equal(resultOf(filtered), "terrace");
  assert.equal(filtered.steps.terrace.filter, "smooth");
  const layered = addStep(filtered, "generate", "worley");
  assert.deepEqual(layered.steps[resultOf(layered)].blend, ["terrace", "worley"]);
});

test("an added mask does not change the result", () => {
  assert.equal(resultOf(addStep(recipe, "select", "height")), "smooth");
});

test("new names are unused, and changes copy the recipe", () => {
  assert.equal(freeName(recipe, "hills"), "hills-2");
  const changed = changeStep(recipe, "hills", { flat: 1 });
  assert.deepEqual([changed.steps.hills, recipe.steps.hills.flat], [{ flat: 1 }, undefined]);
});

test("slider positions and values round-trip on both scales", () => {
  for (const slider of [{ min: 1, max: 100, logarithmic: false }, { min: 1, max: 1e6, logarithmic: true }]) {
    const way = scale({ kind: "integer", slider });
    assert.deepEqual([way.value(0), way.value(1000)], [slider.min, slider.max]);
    for (const value of [slider.min, 40, slider.max]) assert.equal(way.value(way.place(value)), value);
    assert.equal(way.place(-5), 0);
  }
});
