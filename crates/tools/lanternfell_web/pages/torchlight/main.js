// The page of the torch: carve, build, and watch the light.

import { init, line } from "../lanternfell/lanternfell.js";
import { addressOf, readAddress, whenAddressChanges, wholeNumber } from "../shell/address.js";
import { pack, unpack } from "../shell/pack.js";
import { loadModule, ready, stop, tell, watchCanvas } from "../shell/shell.js";
import { COLORS, Cave, LEAST_SIDE, MOST_SIDE } from "./cave.js";
import { Light } from "./light.js";
import { randomize } from "./random_cave.js";
import { Stone } from "./stone.js";

/** The side of a cell of a new cave, in CSS pixels. */
const CELL = 20;
/** The maximum device pixel ratio. A higher resolution is not visible. */
const MOST_RATIO = 2;
/** The longest drawing in bytes. */
const LONGEST = 2048;
const REACH = 18;

const get = (id) => document.getElementById(id);
const canvas = get("cave");
const context = canvas.getContext("2d", { alpha: false });
const lightCanvas = document.createElement("canvas");
const lightContext = lightCanvas.getContext("2d");
const stone = new Stone();
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let cave;
let light;
let reach = REACH;
let hand = "carve";
/** The position of the torch in cells, and the action of the pressed button. */
const torch = { x: 0, y: 0 };
let pressed;
/** The pointer that draws. Other pointers are ignored meanwhile. */
let drawing;
let before;
let place = { scale: 1, left: 0, top: 0 };

/* ------------------------------------------------------------------------------------ the address */

const FIELDS = {
  reach: wholeNumber(4, 40),
  drawing: async (text) => Cave.fromBytes(await unpack(text, LONGEST)),
};

const address = addressOf(async () => {
  cave.torch = { x: Math.round(torch.x), y: Math.round(torch.y) };
  return { reach, drawing: await pack(cave.toBytes()) };
});

async function readState() {
  const fields = await readAddress(FIELDS);
  reach = fields.reach ?? REACH;
  get("reach").value = reach;
  take(fields.drawing ?? newCave());
  hint(!fields.drawing);
}

function newCave() {
  const side = (pixels) => Math.min(MOST_SIDE, Math.max(LEAST_SIDE, Math.floor(pixels / CELL)));
  return new Cave(side(canvas.clientWidth), side(canvas.clientHeight));
}

/** Replaces the drawing. */
function take(another) {
  cave = another;
  Object.assign(torch, cave.torch);
  lightCanvas.width = cave.width;
  lightCanvas.height = cave.height;
  renew();
  fit();
}

/** Recomputes the light after large changes. */
function renew() {
  light?.free();
  light = new Light(cave, reach);
  light.settle(torch);
}

/* ---------------------------------------------------------------------------------------- drawing */

function fit() {
  const ratio = Math.min(MOST_RATIO, window.devicePixelRatio || 1);
  const width = Math.max(16, Math.round(canvas.clientWidth * ratio));
  const height = Math.max(16, Math.round(canvas.clientHeight * ratio));
  canvas.width = width;
  canvas.height = height;
  // Whole pixels, so that light and stone have the same edges.
  const scale = Math.max(1, Math.floor(Math.min(width / cave.width, height / cave.height)));
  const middle = (all, part) => Math.floor((all - part * scale) / 2);
  place = { scale, left: middle(width, cave.width), top: middle(height, cave.height), ratio };
  stone.draw(cave, scale);
}

function draw(strength) {
  const { scale, left, top } = place;
  const [wide, high] = [cave.width * scale, cave.height * scale];
  lightContext.putImageData(light.toPixels(), 0, 0);
  context.globalCompositeOperation = "source-over";
  context.fillStyle = "#050506";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(stone.canvas, left, top);
  context.globalCompositeOperation = "multiply";
  context.imageSmoothingQuality = "low";
  context.drawImage(lightCanvas, left, top, wide, high);
  context.globalCompositeOperation = "lighter";
  for (const { x, y, color } of cave.lamps) {
    const [red, green, blue] = COLORS[color].map((part) => Math.round(255 * Math.min(1, Math.sqrt(part))));
    flame(x, y, 0.55, `${red} ${green} ${blue}`);
  }
  flame(torch.x, torch.y, 0.9 * strength, "255 196 110");
}

function flame(x, y, size, color) {
  const { scale, left, top } = place;
  const [middleX, middleY] = [left + (x + 0.5) * scale, top + (y + 0.5) * scale];
  const radius = 1.5 * size * scale;
  const glow = context.createRadialGradient(middleX, middleY, 0, middleX, middleY, radius);
  glow.addColorStop(0, "rgb(255 250 235 / 95%)");
  glow.addColorStop(0.22, `rgb(${color} / 80%)`);
  glow.addColorStop(0.5, `rgb(${color} / 18%)`);
  glow.addColorStop(1, `rgb(${color} / 0%)`);
  context.fillStyle = glow;
  context.fillRect(middleX - radius, middleY - radius, 2 * radius, 2 * radius);
}

/** The strength of the torch: three waves without a common period. */
function flicker(seconds) {
  if (calm.matches) return 1;
  return 0.93 + 0.05 * Math.sin(9.1 * seconds) + 0.04 * Math.sin(23.7 * seconds) * Math.sin(3.3 * seconds);
}

let last = 0;

function frame(now) {
  const seconds = Math.min(0.1, (now - last) / 1000);
  last = now;
  const strength = flicker(now / 1000);
  light.flow(torch, strength, seconds);
  draw(strength);
  if (document.documentElement.dataset.state !== "stopped") requestAnimationFrame(frame);
}

let hinted;

/** Shows instructions until the first action. */
function hint(wanted) {
  const touch = matchMedia("(pointer: coarse)").matches;
  hinted = wanted;
  get("hint").textContent = touch ? "Everything is wall. Carve it with your finger." : "Everything is wall. Carve with the left mouse button, build with the right one.";
  get("hint").classList.toggle("gone", !wanted);
}

/* ------------------------------------------------------------------------------------------ input */

/** Applies the action of the pressed button to a cell. */
function work(x, y) {
  const deed = pressed ?? hand;
  if (deed === "look" || deed === "lamp") return;
  if (!cave.set(x, y, deed === "build")) return;
  light.update(x, y);
  stone.update(x, y);
  if (hinted) hint(false);
}

function workAlong(from, to) {
  const cells = line([from.x, from.y], [to.x, to.y]);
  for (let at = 0; at < cells.length; at += 2) work(cells[at], cells[at + 1]);
}

const cellAt = (event) => {
  const box = canvas.getBoundingClientRect();
  return {
    x: ((event.clientX - box.left) * place.ratio - place.left) / place.scale - 0.5,
    y: ((event.clientY - box.top) * place.ratio - place.top) / place.scale - 0.5,
  };
};
const within = (least, value, most) => Math.min(most, Math.max(least, value));
const rounded = ({ x, y }) => ({ x: Math.round(x), y: Math.round(y) });

function moveTorch({ x, y }) {
  torch.x = within(0, x, cave.width - 1);
  torch.y = within(0, y, cave.height - 1);
}

function press(event) {
  if (event.button > 2 || drawing !== undefined) return;
  drawing = event.pointerId;
  canvas.setPointerCapture(event.pointerId);
  const opposite = hand === "build" ? "carve" : "build";
  pressed = event.button === 2 ? opposite : hand;
  const at = cellAt(event);
  moveTorch(at);
  before = rounded(at);
  if (pressed === "lamp") {
    if (cave.toggleLamp(before.x, before.y) && hinted) hint(false);
  } else {
    work(before.x, before.y);
  }
}

function move(event) {
  if (drawing !== undefined && event.pointerId !== drawing) return;
  for (const one of event.getCoalescedEvents?.() ?? [event]) {
    const at = cellAt(one);
    moveTorch(at);
    if (!pressed) continue;
    const now = rounded(at);
    workAlong(before, now);
    before = now;
  }
  address.soon();
}

function release(event) {
  if (event.pointerId !== drawing) return;
  drawing = undefined;
  pressed = undefined;
  address.soon();
}

/** Replaces the whole drawing. The old one stays in the history, so that the back button restores it. */
async function replace(change) {
  // A browser can refuse, for example if there are too many changes in a short time. Then the history is not updated.
  const keep = (step) => address.now({ step }).catch(() => {});
  await keep(false);
  change();
  renew();
  fit();
  await keep(true);
}

const another = () => replace(() => {
  randomize(cave);
  Object.assign(torch, cave.torch);
  hint(false);
});

const allWall = () => replace(() => {
  cave.walls.fill(1);
  cave.lamps = [];
});

function takeInHand(name) {
  hand = name;
  for (const button of get("hand").children) button.setAttribute("aria-pressed", button.dataset.hand === name);
}

const held = new Set();
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isFree = event.target === canvas || event.target === document.body;
  if (isFree && !event.repeat && event.key.toLowerCase() === "r") void another();
  if (event.target !== canvas) return;
  const at = rounded(torch);
  const way = WAYS[event.key];
  if (way) {
    moveTorch({ x: at.x + way[0], y: at.y + way[1] });
    const now = rounded(torch);
    if (held.has(" ")) pressed = "carve";
    if (held.has("b")) pressed = "build";
    if (pressed) work(now.x, now.y);
    pressed = undefined;
  } else if (event.key === " " || event.key === "b") {
    pressed = event.key === " " ? "carve" : "build";
    work(at.x, at.y);
    pressed = undefined;
    held.add(event.key);
  } else if (event.key === "l") {
    cave.toggleLamp(at.x, at.y);
  } else {
    return;
  }
  event.preventDefault();
  address.soon();
}

async function share() {
  try {
    await navigator.clipboard.writeText(await address.now());
    tell("The link is on the clipboard. It contains the whole drawing.");
  } catch {
    tell("Copy the address of this page. It contains the whole drawing.");
  }
}

function listen() {
  canvas.addEventListener("pointerdown", press);
  canvas.addEventListener("pointermove", move);
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) canvas.addEventListener(end, release);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  addEventListener("keydown", key);
  addEventListener("keyup", (event) => held.delete(event.key));
  addEventListener("blur", () => held.clear());
  get("hand").addEventListener("click", ({ target }) => { if (target.dataset.hand) takeInHand(target.dataset.hand); });
  get("random").addEventListener("click", another);
  get("wall").addEventListener("click", allWall);
  get("share").addEventListener("click", share);
  get("reach").addEventListener("input", () => {
    reach = Number(get("reach").value);
    light.setReach(reach);
    address.soon();
  });
  whenAddressChanges(() => void readState());
  new ResizeObserver(fit).observe(canvas);
}

/* ------------------------------------------------------------------------------------------- start */

try {
  await init(await loadModule());
  watchCanvas(canvas);
  takeInHand("carve");
  await readState();
  listen();
  requestAnimationFrame((now) => {
    last = now;
    frame(now);
    ready();
  });
} catch (error) {
  stop("The page could not start", error.message ?? error);
}
