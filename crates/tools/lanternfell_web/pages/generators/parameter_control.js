// The control of a parameter, created from its description in the library.

import { element } from "../shell/shell.js";
import { PLACES, scale } from "./parameter_scale.js";

let count = 0;

/** A row with the name and the inputs of a parameter. `change` is called with each new value. */
export function parameterControl(parameter, value, change) {
  const id = `parameter-${(count += 1)}`;
  const about = `${parameter.about}; ${parameter.allowed}`;
  const row = element("div", { class: "parameter", title: about });
  const unit = parameter.unit ? element("small", {}, ` ${parameter.unit}`) : "";
  const label = element("label", { for: id }, parameter.name.replaceAll("_", " "), unit);
  if (parameter.optional) {
    row.append(optional(parameter, value, change, label));
    if (value === null) return row;
  } else {
    row.append(label);
  }
  row.append(...inputs(parameter, value, change, id));
  for (const input of row.querySelectorAll("input, select")) input.setAttribute("aria-description", about);
  return row;
}

function optional(parameter, value, change, label) {
  const box = element("input", { type: "checkbox", checked: value !== null, "aria-label": `${parameter.name}: used` });
  box.addEventListener("change", () => change(box.checked ? someValue(parameter) : null, true));
  const both = element("span", { class: "optional" }, box, label);
  return both;
}

/** An initial value for an optional parameter whose default is `null`. */
function someValue(parameter) {
  if (parameter.default !== null) return parameter.default;
  if (parameter.kind === "choice") return parameter.choices[0].name;
  if (parameter.kind === "flag") return true;
  if (parameter.kind === "list") return [];
  const { min, max } = parameter.slider ?? { min: parameter.min ?? 0, max: parameter.max ?? 1 };
  const middle = (min + max) / 2;
  return parameter.kind === "integer" ? Math.round(middle) : middle;
}

function inputs(parameter, value, change, id) {
  switch (parameter.kind) {
    case "flag": return [flag(value, change, id)];
    case "choice": return [choice(parameter, value, change, id)];
    case "list": return [list(value, change, id)];
    default: return number(parameter, value, change, id);
  }
}

function flag(value, change, id) {
  const box = element("input", { type: "checkbox", id, checked: value });
  box.addEventListener("change", () => change(box.checked));
  return box;
}

function choice(parameter, value, change, id) {
  const select = element("select", { id });
  for (const { name, about } of parameter.choices) {
    select.append(element("option", { value: name, title: about, selected: name === value }, name.replaceAll("_", " ")));
  }
  select.addEventListener("change", () => change(select.value));
  return select;
}

function list(value, change, id) {
  const text = element("input", { type: "text", id, class: "wide", value: JSON.stringify(value), spellcheck: "false" });
  text.addEventListener("change", () => {
    try {
      text.setCustomValidity("");
      change(JSON.parse(text.value));
    } catch {
      text.setCustomValidity("enter numbers in brackets, like [[0, 0.2], [1, 0.8]]");
      text.reportValidity();
    }
  });
  return text;
}

function number(parameter, value, change, id) {
  const step = parameter.kind === "integer" ? 1 : "any";
  const field = element("input", { type: "number", id, step, min: parameter.min, max: parameter.max, value: short(value) });
  if (!parameter.slider) {
    field.addEventListener("change", () => accept(field, parameter, change));
    return [field];
  }
  const way = scale(parameter);
  const slider = element("input", { type: "range", min: 0, max: PLACES, step: 1, "aria-label": `${parameter.name}, slider` });
  slider.value = way.place(value);
  slider.setAttribute("aria-valuetext", short(value));
  slider.addEventListener("input", () => {
    const moved = way.value(Number(slider.value));
    field.value = short(moved);
    slider.setAttribute("aria-valuetext", short(moved));
    change(moved);
  });
  field.addEventListener("change", () => {
    const typed = accept(field, parameter, change);
    if (typed !== undefined) slider.value = way.place(typed);
  });
  return [field, slider];
}

/** Accepts a typed value if it is a number. The library checks its range. */
function accept(field, parameter, change) {
  const typed = field.valueAsNumber;
  if (!Number.isFinite(typed)) return undefined;
  const value = parameter.kind === "integer" ? Math.round(typed) : typed;
  change(value);
  return value;
}

const short = (value) => String(Number(Number(value).toPrecision(6)));
