// The module that users import: options with defaults, plain objects and one class. All work is done in WebAssembly,
// through JSON strings and typed arrays. The types and their documentation are in lanternfell.d.ts.

import * as wasm from "./lanternfell_js.js";

/* -------------------------------------------------------------------------------------------- start */

let started;

export function init(source) {
  started ??= begin(source).catch((error) => {
    // Allow a retry, for example after being offline.
    started = undefined;
    throw error;
  });
  return started;
}

/** `source` can be a function, so that it is fetched or read only if it is needed. */
async function begin(source) {
  await wasm.default({ module_or_path: await (typeof source === "function" ? source() : source) });
  isReady = true;
}

export function initSync(source) {
  wasm.initSync({ module: source });
  isReady = true;
  started = Promise.resolve();
}

let isReady = false;

function ready() {
  if (!isReady) {
    throw failure("call and await init() first");
  }
  return wasm;
}

/* ------------------------------------------------------------------------------------------- errors */

function failure(message, parameter) {
  const error = new Error(message);
  error.name = "LanternfellError";
  if (parameter !== undefined) {
    error.parameter = parameter;
  }
  return error;
}

function stopped() {
  const error = failure("canceled");
  error.name = "AbortError";
  return error;
}

/* ----------------------------------------------------------------------------------------- plumbing */

/**
 * Seeds beyond 2^53 are `bigint`, which JSON does not support, so they are passed as strings. NaN and infinity throw,
 * since JSON would turn them into `null`, which means the default.
 */
function toJson(value) {
  // Elements of a list are reported under the name of the list.
  const lists = new Map();
  return JSON.stringify(value, function (key, part) {
    const name = lists.get(this) ?? key;
    if (typeof part === "bigint") {
      return part.toString();
    }
    if (typeof part === "number" && !Number.isFinite(part)) {
      throw failure(`${name} is ${part}, but must be a finite number`, name);
    }
    if (Array.isArray(part)) {
      lists.set(part, name);
    }
    return part;
  });
}
const fromJson = (text) =>
  JSON.parse(text, (key, part) =>
    (key === "seed" || key === "salt") && typeof part === "string" ? BigInt(part) : part,
  );

/** WebAssembly takes integers modulo 2^32, so other numbers must be rejected here. */
function whole(value, name, least, most) {
  if (Number.isInteger(value) && value >= least && value <= most) {
    return value;
  }
  throw failure(`${name} is ${value}, but must be a whole number from ${least} to ${most}`, name);
}

const MOST = 2 ** 31 - 1;
const count = (value, name) => whole(value, name, 0, MOST);
const place = (value, name) => whole(value, name, -MOST, MOST);

function array(value, type, name) {
  if (value instanceof type) {
    return value;
  }
  throw failure(`${name} must be a ${type.name}`, name);
}

/** The function that WebAssembly calls while it works. Undefined if there is no listener. */
function watcher({ onProgress, signal } = {}) {
  if (signal?.aborted) {
    throw stopped();
  }
  if (!signal) {
    return onProgress;
  }
  return (fraction) => {
    const goOn = onProgress?.(fraction);
    return goOn !== false && !signal.aborted;
  };
}

/** The options without those of `watcher`. */
function settings({ onProgress, signal, ...others } = {}) {
  return others;
}

/* ------------------------------------------------------------------------------------------ catalog */

let known;
const catalog = () => (known ??= JSON.parse(ready().catalog()));

export const presets = () => structuredClone(catalog().presets);
export const generators = () => structuredClone(catalog().generators);
export const filters = () => structuredClone(catalog().filters);
export const blends = () => structuredClone(catalog().blends);
export const selections = () => structuredClone(catalog().selections);

/* ------------------------------------------------------------------------------------------ recipes */

function recipeText(recipe) {
  if (typeof recipe === "string") {
    return recipe;
  }
  if (typeof recipe === "object" && recipe !== null) {
    return toJson(recipe);
  }
  throw failure("recipe must be an object, RON text, or the name of a preset or generator", "recipe");
}

export const parseRecipe = (recipe) => fromJson(ready().recipe_to_json(recipeText(recipe)));
export const printRecipe = (recipe) => ready().recipe_to_ron(recipeText(recipe));
export const validateRecipe = (recipe) => void ready().recipe_to_json(recipeText(recipe));

/* --------------------------------------------------------------------------------------------- maps */

/** The metadata of a map as JSON. */
function facts(map) {
  const { width, height, spacing, relief, offset, seaLevel, scaleIsKnown } = map;
  whole(width, "width", 2, 16384);
  whole(height, "height", 2, 16384);
  return toJson({ width, height, spacing, relief, offset, seaLevel, scaleIsKnown });
}

const heightsOf = (map) => array(map.heights, Float32Array, "heights");

/** Converts a map from WebAssembly to a plain object. */
function plain(made) {
  const map = fromJson(made.facts());
  const holes = made.take_holes();
  map.heights = made.into_heights();
  return holes ? Object.assign(map, { holes }) : map;
}

function withImages(images, work) {
  const all = new wasm.Images();
  try {
    for (const [name, map] of Object.entries(images)) {
      all.add(name, facts(map), heightsOf(map));
    }
    return work(all);
  } finally {
    all.free();
  }
}

export function generate(recipe, options = {}) {
  const { generate } = ready();
  const { seed, images = {}, size } = options;
  const sides = typeof size === "number" ? [size, size] : size;
  sides?.forEach((side) => whole(side, "size", 2, 16384));
  if (typeof seed === "number") {
    whole(seed, "seed", 0, Number.MAX_SAFE_INTEGER);
  }
  const changes = toJson({ seed, size: sides });
  return withImages(images, (all) =>
    plain(generate(recipeText(recipe), changes, all, watcher(options))),
  );
}

export const hashOf = (heights) => ready().hash_of(array(heights, Float32Array, "heights"));

export const measure = (map, options) =>
  JSON.parse(ready().measure(facts(map), heightsOf(map), watcher(options)));

/* ------------------------------------------------------------------------------------------- images */

function draw(map, view, options, take) {
  const { render } = ready();
  const picture = render(facts(map), heightsOf(map), toJson(view), watcher(options));
  try {
    return take(picture);
  } finally {
    picture.free();
  }
}

export const render = (map, view, options) =>
  draw(map, view, options, (picture) => ({
    width: picture.width,
    height: picture.height,
    data: new Uint8ClampedArray(picture.rgba().buffer),
  }));

export const renderPng = (map, view, options) =>
  draw(map, view, options, (picture) => picture.png());

/* -------------------------------------------------------------------------------------------- files */

const file = (extension) => (map, options) =>
  ready().write(extension, facts(map), heightsOf(map), toJson(settings(options)), watcher(options));

export const toPng = file("png");
export const toRaw = file("raw");
export const toGlb = file("glb");

export const fromPng = (bytes) =>
  plain(ready().read("png", array(bytes, Uint8Array, "bytes"), undefined, "{}"));

export const fromRaw = (bytes, size, options = {}) =>
  plain(ready().read("raw", array(bytes, Uint8Array, "bytes"), Float64Array.from(size), toJson(options)));

/* -------------------------------------------------------------------------------------------- light */

const OPEN = Object.freeze({ transparency: 1, albedo: 0 });
const WALL = Object.freeze({ transparency: 0, albedo: 1 });
const BLACK_WALL = Object.freeze({ transparency: 0, albedo: 0 });

export const Cell = Object.freeze({
  OPEN,
  WALL,
  BLACK_WALL,
  wall: (albedo) => ({ transparency: 0, albedo }),
  glass: (color) => ({ transparency: color, albedo: 0 }),
  smoke: (density) => ({ transparency: 1 - density, albedo: 0 }),
});

/** Components are passed as one flat array. A missing one would shift all that follow. */
function three(value, name) {
  const numbers = Array.from(value ?? []);
  if (numbers.length === 3 && numbers.every((number) => typeof number === "number")) {
    return numbers;
  }
  throw failure(`${name} must be three numbers: red, green and blue`, name);
}

const rgb = (value, name) => (typeof value === "number" ? [value, value, value] : three(value, name));
const cellNumbers = ({ transparency, albedo }) => [...rgb(transparency, "transparency"), ...rgb(albedo, "albedo")];

/** A flat array of x and y. */
function places(cells) {
  if (cells instanceof Int32Array) {
    return cells;
  }
  const numbers = Array.from(cells).flat();
  numbers.forEach((number) => place(number, "places"));
  return Int32Array.from(numbers);
}

function sourceNumbers(sources) {
  if (sources instanceof Float32Array) {
    return sources;
  }
  return Float32Array.from(sources.flatMap(({ x, y, light }) => [x, y, ...three(light, "light")]));
}

export class LightGrid {
  #grid;
  #isFreed = false;

  constructor(width, height, settings = {}) {
    const { Grid } = ready();
    this.#grid = new Grid(count(width, "width"), count(height, "height"), toJson(settings));
    this.width = width;
    this.height = height;
    this.gray = settings.gray ?? false;
    Object.freeze(this);
  }

  get decay() {
    return this.#grid.decay();
  }

  setSettings(settings) {
    this.#grid.set_settings(toJson(settings));
  }

  cell(x, y) {
    const numbers = Array.from(this.#grid.cell(place(x, "x"), place(y, "y")));
    return { transparency: numbers.slice(0, 3), albedo: numbers.slice(3) };
  }

  paint(cells, cell) {
    this.#grid.paint(places(cells), Float32Array.from(cellNumbers(cell)));
  }

  setCells(kinds, palette) {
    const numbers = Float32Array.from(palette.flatMap(cellNumbers));
    this.#grid.set_cells(array(kinds, Uint8Array, "kinds"), numbers);
  }

  walls() {
    return this.#grid.walls();
  }

  setSources(sources) {
    this.#grid.set_sources(sourceNumbers(sources));
  }

  setRegion(cells, region) {
    this.#grid.set_region(places(cells), whole(region, "region", 0, 255));
  }

  setAmbient(region, light) {
    this.#grid.set_ambient(whole(region, "region", 0, 255), ...three(light, "light"));
  }

  step(steps = 1) {
    this.#grid.step(count(steps, "steps"));
  }

  settle(tolerance = 0.001, sweeps) {
    const most = sweeps === undefined ? undefined : count(sweeps, "sweeps");
    const settled = JSON.parse(this.#grid.settle(tolerance, most));
    return { ...settled, error: settled.error ?? Infinity };
  }

  darken() {
    this.#grid.darken();
  }

  light(x, y) {
    return Array.from(this.#grid.light(place(x, "x"), place(y, "y")));
  }

  luminance(x, y) {
    return this.#grid.luminance(place(x, "x"), place(y, "y"));
  }

  lights(into = new Float32Array(3 * this.width * this.height)) {
    this.#grid.lights(array(into, Float32Array, "into"));
    return into;
  }

  luminances(into = new Float32Array(this.width * this.height)) {
    this.#grid.luminances(array(into, Float32Array, "into"));
    return into;
  }

  toRgba({ exposure = 1, into } = {}) {
    const bytes = new Uint8ClampedArray(this.#grid.rgba(exposure).buffer);
    if (into === undefined) {
      return bytes;
    }
    if (!(into instanceof Uint8ClampedArray) || into.length !== bytes.length) {
      throw failure(`into must be a Uint8ClampedArray of ${bytes.length} bytes`, "into");
    }
    into.set(bytes);
    return into;
  }

  bands(bands = {}, before) {
    return this.#grid.bands(toJson(bands), before);
  }

  band(x, y, bands = {}, before) {
    return this.#grid.band(place(x, "x"), place(y, "y"), toJson(bands), before);
  }

  gradient(x, y) {
    return Array.from(this.#grid.gradient(place(x, "x"), place(y, "y")));
  }

  darkestNeighbor(x, y) {
    const cell = this.#grid.darkest_neighbor(place(x, "x"), place(y, "y"));
    return cell && Array.from(cell);
  }

  glow(x, y) {
    const glow = this.#grid.glow(place(x, "x"), place(y, "y"));
    return glow && JSON.parse(glow);
  }

  fieldOfView(x, y, radius) {
    return this.#grid.field_of_view(place(x, "x"), place(y, "y"), count(radius, "radius"));
  }

  lineOfSight([x, y], [toX, toY]) {
    return this.#grid.line_of_sight(place(x, "x"), place(y, "y"), place(toX, "x"), place(toY, "y"));
  }

  hash() {
    return this.#grid.hash();
  }

  free() {
    // `free` may have been called before `using` calls it again.
    if (!this.#isFreed) {
      this.#isFreed = true;
      this.#grid.free();
    }
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.free();
  }
}

/* -------------------------------------------------------------------------------------------- sight */

export const fieldOfView = (walls, width, height, x, y, radius) =>
  ready().field_of_view(
    array(walls, Uint8Array, "walls"),
    count(width, "width"),
    count(height, "height"),
    place(x, "x"),
    place(y, "y"),
    count(radius, "radius"),
  );

export const lineOfSight = (walls, width, height, [x, y], [toX, toY]) =>
  ready().line_of_sight(
    array(walls, Uint8Array, "walls"),
    count(width, "width"),
    count(height, "height"),
    place(x, "x"),
    place(y, "y"),
    place(toX, "x"),
    place(toY, "y"),
  );

export const line = ([x, y], [toX, toY]) =>
  ready().line(place(x, "x"), place(y, "y"), place(toX, "x"), place(toY, "y"));
