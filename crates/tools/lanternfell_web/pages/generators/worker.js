// Generates maps, images and files in a worker, so that the page stays responsive.
//
// An order is `{ id, recipe, key, view, draft, map }`. `key` identifies the recipe, so that another view of the same
// recipe does not generate the map again. `map` is a map from an earlier worker. An order with `file` requests a file.

import { generate, initSync, measure, render, renderPng, toGlb, toPng, toRaw } from "../lanternfell/lanternfell.js";

/** The resolution of the first draft is lower by this factor per side. */
const ROUGH = 4;
/** Milliseconds between progress reports. */
const PACE = 40;

let made;

function progressReporter(id, what) {
  let last = performance.now();
  return (fraction) => {
    const now = performance.now();
    if (now - last < PACE) return;
    last = now;
    postMessage({ id, progress: fraction, what });
  };
}

/** Generates the map of an order, unless it exists already. */
function prepare(order) {
  if (order.map) made = { key: order.key, map: order.map };
  if (made?.key === order.key) return made.map;
  const start = performance.now();
  const map = generate(order.recipe, { onProgress: progressReporter(order.id, "land") });
  made = { key: order.key, map };
  postMessage({ id: order.id, key: order.key, map, milliseconds: performance.now() - start });
  return map;
}

function show(id, map, view, rough) {
  const picture = render(map, view, rough ? {} : { onProgress: progressReporter(id, "picture") });
  postMessage({ id, picture, rough }, [picture.data.buffer]);
}

function draw(order) {
  const map = prepare(order);
  if (order.view.view === "perspective") {
    const rough = { ...order.view, samples: 1, width: Math.ceil(order.view.width / ROUGH), height: Math.ceil(order.view.height / ROUGH) };
    show(order.id, map, rough, true);
    if (order.draft) return;
  }
  show(order.id, map, order.view, false);
  postMessage({ id: order.id, measures: measure(map) });
}

const FILES = {
  picture: (map, order) => renderPng(map, order.view),
  png: (map) => toPng(map, { stretch: true }),
  raw: (map) => toRaw(map, { stretch: true }),
  glb: (map, order) => toGlb(map, { step: Math.max(1, Math.ceil(Math.max(map.width, map.height) / 1024)), texture: { view: "top", cover: order.view.cover } }),
};

function file(order) {
  const bytes = FILES[order.file](prepare(order), order);
  postMessage({ id: order.id, bytes }, [bytes.buffer]);
}

onmessage = ({ data }) => {
  if (data.module) {
    initSync(data.module);
    return;
  }
  try {
    if (data.file) file(data);
    else draw(data);
    postMessage({ id: data.id, done: true });
  } catch (error) {
    // After a trap the state of the module is undefined.
    const broken = error instanceof WebAssembly.RuntimeError;
    postMessage({ id: data.id, failed: error.message, step: error.step, broken });
  }
};
