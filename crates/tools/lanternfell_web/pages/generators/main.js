// The page of the generators: its state, and how it changes.

import { blends, filters, generators, init, parseRecipe, presets, printRecipe, selections } from "../lanternfell/lanternfell.js";
import { addressOf, oneOf, readAddress, whenAddressChanges, wholeNumber } from "../shell/address.js";
import { pack, unpack } from "../shell/pack.js";
import { afterPause, element, loadModule, ready, say, stop, tell } from "../shell/shell.js";
import { ARTICLES } from "./articles.js";
import { Picture } from "./picture.js";
import { addStep } from "./recipe_steps.js";
import { StepsPanel } from "./steps_panel.js";
import { Workshop } from "./workshop.js";

const SIZES = [128, 256, 384, 512, 768, 1024];
const VIEWS = ["perspective", "top", "shaded"];
/** The first preset. */
const FIRST = "volcano";
/** The longest recipe in an address, in bytes of text. */
const LONGEST_RECIPE = 65536;
/** The largest map. */
const MOST_CELLS = 2048 * 2048;
/** The initial azimuth and elevation of the camera, in degrees. */
const AZIMUTH = 215;
const ELEVATION = 20;
/** Seeds are limited to numbers that JavaScript can represent exactly. */
const MOST_SEED = Number.MAX_SAFE_INTEGER;

const get = (id) => document.getElementById(id);
const catalog = {};
/** The state in the address, from which everything is drawn. `preset` is set as long as its recipe is unchanged. */
const state = { recipe: undefined, preset: undefined, cover: "temperate", view: "perspective", camera: {} };
let workshop;
let picture;
let steps;
let took;

/* ------------------------------------------------------------------------------------ the address */

/** Larger maps could exhaust the memory of a page. */
function bounded(recipe) {
  const [width, height] = recipe.size ?? [256, 256];
  if (width * height > MOST_CELLS) throw new Error(`the size is ${width} x ${height}, but this page allows at most ${MOST_CELLS} cells`);
  return recipe;
}

const isRecipeOf = (name) => [...catalog.presets, ...catalog.generators].some((one) => one.name === name);

const FIELDS = {
  preset(text) {
    if (!isRecipeOf(text)) throw new Error(`unknown preset or generator "${text.slice(0, 24)}"`);
    return text;
  },
  async recipe(text) {
    const bytes = await unpack(text, LONGEST_RECIPE);
    return bounded(parseRecipe(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  },
  seed: wholeNumber(0, MOST_SEED),
  size: wholeNumber(2, 2048),
  view: oneOf(VIEWS),
  cover: oneOf(["temperate", "desert"]),
  turn: wholeNumber(0, 359),
  tilt: wholeNumber(1, 90),
  zoom: wholeNumber(10, 2000),
};

async function readState() {
  const fields = await readAddress(FIELDS);
  begin(fields.preset ?? FIRST);
  if (fields.recipe) {
    state.recipe = fields.recipe;
    state.preset = undefined;
    state.cover = fields.cover ?? "temperate";
  }
  if (fields.seed !== undefined) state.recipe = { ...state.recipe, seed: fields.seed };
  if (fields.size !== undefined) state.recipe = { ...state.recipe, size: [fields.size, fields.size] };
  state.view = fields.view ?? "perspective";
  state.camera = { azimuth: fields.turn, elevation: fields.tilt, zoom: fields.zoom && fields.zoom / 100 };
}

const address = addressOf(async () => {
  const { recipe, preset, view, camera, cover } = state;
  const [width, height] = recipe.size ?? [256, 256];
  const packed = preset ? undefined : await pack(new TextEncoder().encode(printRecipe(recipe)));
  return {
    preset,
    // A larger seed is in the recipe only.
    seed: Number.isSafeInteger(recipe.seed ?? 0) ? recipe.seed ?? 0 : undefined,
    size: width === height ? width : undefined,
    view,
    cover: preset ? undefined : cover,
    turn: view === "perspective" && camera.azimuth !== undefined ? Math.round(camera.azimuth) % 360 : undefined,
    tilt: view === "perspective" && camera.elevation !== undefined ? Math.round(camera.elevation) : undefined,
    zoom: view === "perspective" && camera.zoom !== undefined ? Math.round(100 * camera.zoom) : undefined,
    recipe: packed,
  };
});

/* ---------------------------------------------------------------------------------------- changes */

/** Loads the recipe of a preset or of a single generator. */
function begin(name) {
  const preset = catalog.presets.find((one) => one.name === name);
  state.recipe = parseRecipe(preset ? preset.recipe : name);
  if (!preset) state.recipe = { ...state.recipe, size: [512, 512] };
  state.preset = name;
  state.cover = preset?.cover ?? "temperate";
  state.camera = {};
}

function changeRecipe(recipe, rebuild) {
  state.recipe = recipe;
  state.preset = undefined;
  showStart();
  if (rebuild) steps.show(recipe, false);
  order();
}

function setSeed(seed) {
  state.recipe = { ...state.recipe, seed };
  get("seed").value = seed;
  steps.recipe = state.recipe;
  order();
}

const within = (least, value, most) => Math.min(most, Math.max(least, value));
const drawFully = afterPause(260, () => order());

function turn({ right = 0, down = 0, nearer = 1 }, end) {
  if (state.view !== "perspective") return;
  const { azimuth = AZIMUTH, elevation = ELEVATION, zoom = 1 } = state.camera;
  state.camera = {
    azimuth: (azimuth + right + 360) % 360,
    elevation: within(4, elevation + down, 90),
    zoom: within(0.3, zoom * nearer, 8),
  };
  order(true);
  if (end) drawFully();
}

/* ----------------------------------------------------------------------------------------- orders */

function view() {
  const { cover, camera } = state;
  if (state.view === "shaded") return { view: "shaded", exaggeration: 1.5 };
  if (state.view === "top") return { view: "top", cover };
  const set = Object.fromEntries(Object.entries(camera).filter(([, value]) => value !== undefined));
  const size = picture.size;
  return { view: "perspective", cover, azimuth: AZIMUTH, elevation: ELEVATION, samples: size.width * size.height > 700_000 ? 1 : 2, ...size, ...set };
}

function currentOrder() {
  return { recipe: state.recipe, key: JSON.stringify(state.recipe, (_, value) => (typeof value === "bigint" ? `${value}n` : value)), view: view() };
}

function order(draft = false) {
  get("progress").hidden = false;
  document.documentElement.dataset.work = "busy";
  workshop.draw({ ...currentOrder(), draft });
  // The worker reports errors in the recipe. The address keeps the last valid one.
  address.soon();
}

const answers = {
  progress(fraction) {
    get("progress").value = fraction;
  },
  map(_, milliseconds) {
    took = milliseconds;
    problem();
  },
  async picture(pixels, rough, order) {
    await picture.show(pixels, order.view.view === "perspective");
    // The page is ready as soon as an image is visible, even if a better one follows.
    ready();
    if (!rough) problem();
  },
  measures(measures) {
    const [width, height] = state.recipe.size ?? [256, 256];
    // Non-breaking spaces keep numbers with their units.
    const meters = (value) => `${Math.round(value).toLocaleString("en")}\u00a0m`;
    const time = took < 1000 ? `${Math.round(took)} ms` : `${(took / 1000).toFixed(1)} s`;
    get("facts").textContent = `${width} × ${height} in ${time} · ${meters(measures.lowest)} to ${meters(measures.highest)} · ${Math.round(100 * measures.land)}\u00a0%\u00a0land`;
  },
  failed(message, step) {
    problem(step && !message.includes(step) ? `${step}: ${message}` : message);
    ready();
  },
  broken(message) {
    stop("The renderer could not start", message);
  },
  idle() {
    get("progress").hidden = true;
    document.documentElement.dataset.work = "idle";
  },
};

function problem(message) {
  get("problem").hidden = message === undefined;
  get("problem").textContent = message ?? "";
  if (message && innerWidth <= 820) tell(message);
}

/* ---------------------------------------------------------------------------------------- display */

const readable = (name) => name.replaceAll(/[-_]/g, " ").replace(/^./, (letter) => letter.toUpperCase());

function fillChoices() {
  const group = (label, names, title) => element("optgroup", { label }, ...names.map((name) => element("option", { value: name }, title(name))));
  const articles = ARTICLES.map((article) => article.preset);
  const landscapes = catalog.presets.map((one) => one.name).filter((name) => !articles.includes(name));
  get("preset").append(
    element("option", { value: "", hidden: true }, "Custom recipe"),
    group("Landscapes", landscapes, readable),
    group("Four articles", articles, (name) => ARTICLES.find((article) => article.preset === name).name),
    group("Single generators", catalog.generators.map((one) => one.name), readable));
  get("articles").append(...ARTICLES.map(({ preset, name }) => element("button", { type: "button", "data-preset": preset }, name)));
  const addition = (kind) => ({ name }) => element("option", { value: `${kind} ${name}` }, readable(name));
  get("addition").append(
    element("optgroup", { label: "Filter the result" }, ...catalog.filters.map(addition("filter"))),
    element("optgroup", { label: "Add a layer" }, ...catalog.generators.map(addition("generate")), element("option", { value: "flat" }, "Flat")),
    element("optgroup", { label: "Add a mask" }, ...catalog.selections.map(addition("select"))));
}

/** Updates the controls above the steps. */
function showStart() {
  const { recipe, preset } = state;
  get("preset").value = preset ?? "";
  get("seed").value = recipe.seed ?? 0;
  const [width, height] = recipe.size ?? [256, 256];
  const sizes = SIZES.includes(width) && width === height ? SIZES : [...SIZES, 0];
  get("size").replaceChildren(...sizes.map((size) => element("option", { value: size }, size || `${width} × ${height}`)));
  get("size").value = sizes.includes(0) ? 0 : width;
  for (const button of get("articles").children) button.setAttribute("aria-pressed", button.dataset.preset === preset);
  for (const button of get("views").children) button.setAttribute("aria-pressed", button.dataset.view === state.view);
  const article = ARTICLES.find((one) => one.preset === preset);
  get("lesson").hidden = !article;
  get("lesson").replaceChildren(...(article?.lines ?? []).map((line) => element("p", {}, line)));
  const about = [...catalog.presets, ...catalog.generators].find((one) => one.name === preset)?.about;
  get("about").textContent = article || !about ? "" : `${about}.`;
  get("about").hidden = !get("about").textContent;
  picture.canvas.toggleAttribute("data-turns", state.view === "perspective");
}

function showAll() {
  showStart();
  steps.show(state.recipe, true);
  order();
}

/* ------------------------------------------------------------------------------------------ files */

function save(bytes, name, type) {
  const address = URL.createObjectURL(new Blob([bytes], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

const ENDINGS = {
  picture: ["png", "image/png"],
  png: ["png", "image/png"],
  raw: ["raw", "application/octet-stream"],
  glb: ["glb", "model/gltf-binary"],
  recipe: ["ron", "text/plain"],
};

async function take(what) {
  const [ending, type] = ENDINGS[what];
  const name = `${state.preset ?? "land"}-${state.recipe.seed ?? 0}${what === "png" ? "-heights" : ""}.${ending}`;
  try {
    if (what === "recipe") save(printRecipe(state.recipe), name, type);
    else save(await workshop.file({ ...currentOrder(), file: what }), name, type);
  } catch (error) {
    tell(error.message);
  }
}

async function open(file) {
  if (file.size > LONGEST_RECIPE) throw new Error(`${file.name} has ${file.size} bytes, but recipes can have at most ${LONGEST_RECIPE}`);
  const recipe = bounded(parseRecipe(await file.text()));
  state.recipe = recipe;
  state.preset = undefined;
  state.cover = "temperate";
  showAll();
}

/* ------------------------------------------------------------------------------------------- input */

function listen() {
  get("preset").addEventListener("change", () => { begin(get("preset").value); showAll(); });
  get("articles").addEventListener("click", ({ target }) => {
    if (!target.dataset.preset) return;
    begin(target.dataset.preset);
    showAll();
  });
  get("views").addEventListener("click", ({ target }) => {
    if (!target.dataset.view) return;
    state.view = target.dataset.view;
    showStart();
    order();
  });
  get("seed").addEventListener("change", () => {
    const seed = get("seed").valueAsNumber;
    if (Number.isFinite(seed)) setSeed(Math.round(within(0, seed, MOST_SEED)));
  });
  get("dice").addEventListener("click", () => setSeed(crypto.getRandomValues(new Uint32Array(1))[0]));
  get("size").addEventListener("change", () => {
    const size = Number(get("size").value);
    if (!size) return;
    state.recipe = { ...state.recipe, size: [size, size] };
    steps.recipe = state.recipe;
    order();
  });
  get("add").addEventListener("click", () => {
    const [kind, what] = get("addition").value.split(" ");
    const recipe = addStep(state.recipe, kind, what);
    const added = Object.keys(recipe.steps).filter((name) => !(name in state.recipe.steps));
    for (const name of added) steps.open(name);
    changeRecipe(recipe, true);
    get("steps").lastElementChild?.scrollIntoView({ block: "nearest" });
  });
  get("exports").addEventListener("click", ({ target }) => { if (target.dataset.export) void take(target.dataset.export); });
  get("link").addEventListener("click", copyLink);
  get("import").addEventListener("click", () => get("file").click());
  get("file").addEventListener("change", () => {
    const [file] = get("file").files;
    if (file) open(file).catch((error) => tell(error.message, 10));
    get("file").value = "";
  });
  whenAddressChanges(() => void readState().then(showAll));
}

async function copyLink() {
  let link;
  try {
    link = await address.now();
  } catch (error) {
    tell(`Cannot create a link: ${error.message}`, 10);
    return;
  }
  try {
    await navigator.clipboard.writeText(link);
    tell("The link is on the clipboard. It contains the whole state.");
  } catch {
    tell("Copy the address of this page. It contains the whole state.");
  }
}

/* ------------------------------------------------------------------------------------------- start */

try {
  const module = await loadModule();
  await init(module);
  Object.assign(catalog, { presets: presets(), generators: generators(), filters: filters(), blends: blends(), selections: selections() });
  say("Generating the terrain");
  fillChoices();
  workshop = new Workshop(module, answers);
  const resized = afterPause(150, () => { if (state.recipe && state.view === "perspective") order(); });
  picture = new Picture(get("picture"), turn, resized);
  steps = new StepsPanel(get("steps"), catalog, changeRecipe);
  await readState();
  listen();
  showAll();
} catch (error) {
  stop("The page could not start", error.message ?? error);
}
