// Code that all pages share: loading with a progress bar, messages, errors, and full screen.

/** The data of this page from the build: its name, its module, and the size of the module. */
export const page = JSON.parse(document.getElementById("page").textContent);

const loading = document.getElementById("loading");
const loadingText = document.getElementById("loading-text");
const loadingBar = document.getElementById("loading-bar");
const notice = document.getElementById("notice");

// (module (func (result v128) i32.const 0 i8x16.splat))
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
]);

/** The feature that this browser lacks, as a sentence. Undefined if it supports everything. */
function lacking() {
  if (typeof WebAssembly !== "object") return "This page needs WebAssembly, which is not supported or disabled in this browser.";
  if (!WebAssembly.validate(SIMD)) return "This page needs WebAssembly with SIMD. Browsers support it since 2021 (Safari since 2023).";
  if (page.engine && !document.createElement("canvas").getContext("webgl2")) {
    return "This page needs WebGL2, which is not supported or disabled in this browser.";
  }
  return undefined;
}

const mebibytes = (bytes) => (bytes / (1 << 20)).toFixed(bytes < 10 << 20 ? 1 : 0);

/** Fetches and compiles the module of the page, and shows the progress. */
export async function loadModule() {
  const lack = lacking();
  if (lack) {
    stop("This browser is not supported", lack, false);
    throw new Error(lack);
  }
  const response = await fetch(page.wasm);
  if (!response.ok) throw new Error(`${page.wasm}: ${response.status} ${response.statusText}`);
  let bytes = 0;
  // A compressed transfer has no uncompressed size, so the page provides it.
  const counted = new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      const total = Math.max(page.bytes, bytes);
      loadingText.textContent = `Loading ${mebibytes(bytes)} of ${mebibytes(total)} MiB`;
      loadingBar.value = bytes / total;
      controller.enqueue(chunk);
    },
    flush() {
      loadingText.textContent = "Compiling";
      loadingBar.removeAttribute("value");
    },
  });
  const stream = response.body.pipeThrough(counted);
  return WebAssembly.compileStreaming(new Response(stream, { headers: { "content-type": "application/wasm" } }));
}

/** Shows a message while the page is loading. */
export function say(text) {
  loadingText.textContent = text;
}

/** The duration of the fade of the loading screen, in milliseconds. */
const FADING = 300;

function lift() {
  loading.classList.add("gone");
  // Hide it from screen readers too.
  setTimeout(() => { loading.hidden = true; }, FADING);
}

/** Hides the loading screen when the page is ready. */
export function ready() {
  lift();
  document.documentElement.dataset.state = "ready";
}

let noticeTimer;

/** Shows a message at the bottom for a few seconds. */
export function tell(text, seconds = 6) {
  notice.textContent = text;
  notice.hidden = false;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => { notice.hidden = true; }, 1000 * seconds);
}

/** Stops the page with an error. The address keeps the state, so that reloading does not lose it. */
export function stop(title, why, canReload = true) {
  if (document.getElementById("stopped")) return;
  document.documentElement.dataset.state = "stopped";
  lift();
  for (const part of document.querySelectorAll("header, main")) part.inert = true;
  const veil = document.createElement("section");
  veil.id = "stopped";
  veil.className = "veil over";
  veil.setAttribute("role", "alertdialog");
  veil.setAttribute("aria-modal", "true");
  veil.setAttribute("aria-labelledby", "stopped-title");
  veil.setAttribute("aria-describedby", "stopped-why");
  const box = element("div", { class: "box", tabindex: "-1" });
  box.append(element("h2", { id: "stopped-title" }, title), element("p", { class: "why", id: "stopped-why" }, String(why)));
  if (canReload) {
    const reload = element("button", { type: "button", class: "strong" }, "Reload");
    reload.addEventListener("click", () => location.reload());
    box.append(reload);
  }
  veil.append(box);
  document.body.append(veil);
  (veil.querySelector("button") ?? box).focus();
}

/** If the context of the canvas is lost, offers to reload the page. */
export function watchCanvas(canvas) {
  const lost = (event) => {
    event.preventDefault();
    stop("The graphics context was lost", "The browser freed the graphics memory. Reloading restores the state in the address.");
  };
  canvas.addEventListener("webglcontextlost", lost);
  canvas.addEventListener("contextlost", lost);
}

/** Creates an element with attributes and children. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** Calls back after a pause without further calls. */
export function afterPause(milliseconds, call) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...given), milliseconds);
  };
}

const words = (error) => String(error?.message ?? error);

/** Winit leaves its start function by throwing, which is not an error. */
export const isFlow = (error) => words(error).includes("Using exceptions for control flow");

addEventListener("error", (event) => {
  // Without an error object it is a browser warning or comes from an extension. The page continues.
  if (!event.error) return;
  if (isFlow(event.error)) event.preventDefault();
  else stop("An error occurred", words(event.error));
});
addEventListener("unhandledrejection", (event) => {
  if (isFlow(event.reason)) event.preventDefault();
  else stop("An error occurred", words(event.reason));
});

const fullscreen = document.getElementById("fullscreen");
if (document.fullscreenEnabled) {
  fullscreen.hidden = false;
  fullscreen.addEventListener("click", () => {
    const change = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    change.catch((error) => tell(`Full screen: ${error.message}`));
  });
}
