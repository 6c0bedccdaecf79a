// The steps of the recipe as cards with their parameters and buttons.

import { element, tell } from "../shell/shell.js";
import { parameterControl } from "./parameter_control.js";
import { changeStep, kindOf, moveStep, removeStep } from "./recipe_steps.js";

const WORDS = { generate: "generator", filter: "filters", blend: "blend", select: "mask", flat: "flat", image: "image" };

/**
 * Shows the steps of a recipe in `list`. Calls `change(recipe, rebuild)` with each new recipe. `rebuild` is whether the
 * cards must be rebuilt.
 */
export class StepsPanel {
  #open = new Set();

  constructor(list, catalog, change) {
    this.list = list;
    this.catalog = catalog;
    this.change = change;
  }

  /** Shows a recipe. With `afresh` it is a different recipe, of which only the last step is opened. */
  show(recipe, afresh) {
    const names = Object.keys(recipe.steps);
    if (afresh) this.#open = new Set(names.length === 1 ? names : names.slice(-1));
    this.recipe = recipe;
    const focus = this.#focus();
    this.list.replaceChildren(...names.map((name, index) => this.#card(name, index, names.length)));
    if (focus) this.#refocus(focus);
  }

  /** The focused control in the list: its name, its step, and the index of the step. */
  #focus() {
    const { activeElement } = document;
    const place = [...this.list.children].findIndex((card) => card.contains(activeElement));
    return place < 0 ? undefined : { place, name: activeElement.dataset.focus, step: this.list.children[place].dataset.step };
  }

  /** Restores the focus. If the control is gone or disabled, focuses its step, or the step at the same index. */
  #refocus({ place, name, step }) {
    const cards = [...this.list.children];
    const same = name && this.list.querySelector(`[data-focus="${CSS.escape(name)}"]:not(:disabled)`);
    const card = cards.find((one) => one.dataset.step === step) ?? cards[Math.min(place, cards.length - 1)];
    (same || card.querySelector("summary")).focus();
  }

  /** Opens a step when it is shown next. */
  open(name) {
    this.#open.add(name);
  }

  #set(name, step, rebuild = false) {
    this.recipe = changeStep(this.recipe, name, step);
    this.change(this.recipe, rebuild);
  }

  #card(name, index, length) {
    const step = this.recipe.steps[name];
    const kind = kindOf(step);
    const card = element("details", { class: "step", open: this.#open.has(name) });
    card.addEventListener("toggle", () => (card.open ? this.#open.add(name) : this.#open.delete(name)));
    const moves = element("span", { class: "moves" },
      this.#button("↑", `${name}: move up`, index > 0, () => this.change(moveStep(this.recipe, name, -1), true)),
      this.#button("↓", `${name}: move down`, index < length - 1, () => this.change(moveStep(this.recipe, name, 1), true)),
      this.#button("✕", `${name}: remove`, length > 1, () => this.#remove(name)));
    const title = element("span", { class: "name" }, name, element("small", {}, WORDS[kind] ?? kind));
    card.append(element("summary", {}, title), element("div", { class: "inside" }, ...this.#inside(name, kind)));
    return element("li", { "data-step": name }, moves, card);
  }

  #remove(name) {
    const recipe = removeStep(this.recipe, name);
    if (recipe === this.recipe) tell(`${name} cannot be removed: other steps use it, and there is no other step they could use.`);
    else this.change(recipe, true);
  }

  #button(sign, label, usable, act) {
    const button = element("button", { type: "button", class: "quiet", "aria-label": label, title: label, disabled: !usable, "data-focus": label }, sign);
    button.addEventListener("click", act);
    return button;
  }

  #inside(name, kind) {
    const step = this.recipe.steps[name];
    switch (kind) {
      case "generate": return this.#described(name, "Generator", this.catalog.generators, step.generate, (generate) => ({ ...this.recipe.steps[name], generate }));
      case "filter": return [this.#from(name, "Input", "filter"), ...step.by.flatMap((_, at) => this.#filter(name, at)), this.#anotherFilter(name), this.#mask(name)];
      case "blend": return [this.#blendOf(name, "Base", 0), this.#blendOf(name, "Layer", 1),
        ...this.#described(name, "Blend mode", this.catalog.blends, step.how ?? { name: this.catalog.blends[0].name }, (how) => ({ ...this.recipe.steps[name], how })),
        this.#share(name, "weight", step.weight ?? 1), this.#mask(name)];
      case "select": return [this.#from(name, "Input", "select"), ...this.#described(name, "Selection", this.catalog.selections, step.by, (by) => ({ ...this.recipe.steps[name], by }))];
      case "flat": return [this.#share(name, "flat", step.flat)];
      default: return [element("p", { class: "faint" }, "An image from a file. This page cannot load images.")];
    }
  }

  /** A select element with entries of the catalog, and the parameters of the selected entry. */
  #described(name, title, known, value, put, button = "") {
    const found = known.find((one) => one.name === value.name) ?? known[0];
    const select = element("select", { "data-focus": `${name} ${title}` });
    for (const one of known) {
      select.append(element("option", { value: one.name, title: one.about, selected: one === found }, one.name.replaceAll("_", " ")));
    }
    select.addEventListener("change", () => this.#set(name, put({ name: select.value }), true));
    let now = value;
    const controls = found.parameters.map((parameter) =>
      parameterControl(parameter, now[parameter.name] ?? parameter.default, (changed, rebuild) => {
        now = { ...now, [parameter.name]: changed };
        this.#set(name, put(now), rebuild);
      }));
    const label = element("label", { class: "grow" }, title, select);
    const about = element("p", { class: "faint" }, `${found.about}.`);
    return [element("div", { class: "part" }, element("div", { class: "head" }, label, button), about, ...controls)];
  }

  #filter(name, at) {
    const filters = () => this.recipe.steps[name].by;
    const withFilters = (by) => ({ ...this.recipe.steps[name], by });
    const buttons = element("span", { class: "moves" },
      this.#button("↑", `${name}, filter ${at + 1}: move up`, at > 0, () => {
        const by = [...filters()];
        [by[at - 1], by[at]] = [by[at], by[at - 1]];
        this.#set(name, withFilters(by), true);
      }),
      this.#button("✕", `${name}, filter ${at + 1}: remove`, filters().length > 1, () => this.#set(name, withFilters(filters().filter((_, other) => other !== at)), true)));
    const put = (filter) => withFilters(filters().map((old, other) => (other === at ? filter : old)));
    return this.#described(name, `Filter ${at + 1}`, this.catalog.filters, filters()[at], put, buttons);
  }

  #anotherFilter(name) {
    const button = element("button", { type: "button", "data-focus": `${name} another` }, "Add filter");
    button.addEventListener("click", () => {
      const step = this.recipe.steps[name];
      this.#set(name, { ...step, by: [...step.by, { name: "normalize" }] }, true);
    });
    return button;
  }

  /** A select element with the other steps. With `none` there is also an option for no step. */
  #choice(name, title, value, put, none = false) {
    const select = element("select", { "data-focus": `${name} ${title}` });
    if (none) select.append(element("option", { value: "" }, "none"));
    for (const other of Object.keys(this.recipe.steps)) {
      if (other !== name) select.append(element("option", { value: other, selected: other === value }, other));
    }
    select.addEventListener("change", () => this.#set(name, put(select.value)));
    return element("label", {}, title, select);
  }

  #from(name, title, key) {
    return this.#choice(name, title, this.recipe.steps[name][key], (other) => ({ ...this.recipe.steps[name], [key]: other }));
  }

  #blendOf(name, title, place) {
    const put = (other) => {
      const step = this.recipe.steps[name];
      return { ...step, blend: step.blend.map((old, at) => (at === place ? other : old)) };
    };
    return this.#choice(name, title, this.recipe.steps[name].blend[place], put);
  }

  #mask(name) {
    const put = (other) => {
      const { mask: _, ...step } = this.recipe.steps[name];
      return other === "" ? step : { ...step, mask: other };
    };
    return this.#choice(name, "Mask", this.recipe.steps[name].mask, put, true);
  }

  #share(name, key, value) {
    const parameter = { name: key === "flat" ? "height" : key, about: "From 0 to 1", allowed: "a number from 0 to 1", kind: "number", optional: false, default: value, min: 0, max: 1, slider: { min: 0, max: 1, logarithmic: false } };
    return parameterControl(parameter, value, (changed) => this.#set(name, { ...this.recipe.steps[name], [key]: changed }));
  }
}
