// What all pages share: loading with a bar, messages, failures with a way out, full screen.

/** What the build says of this page: its name, its module and that module's length. */
export const page = JSON.parse(document.getElementById("page").textContent);

const loading = document.getElementById("loading");
const loadingText = document.getElementById("loading-text");
const loadingBar = document.getElementById("loading-bar");
const notice = document.getElementById("notice");

// (module (func (result v128) i32.const 0 i8x16.splat))
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
]);

/** What this browser lacks, in a sentence; nothing if it lacks nothing. */
function lacking() {
  if (typeof WebAssembly !== "object") return "This page needs WebAssembly, which this browser does not have or has switched off.";
  if (!WebAssembly.validate(SIMD)) return "This page needs WebAssembly with SIMD: browsers have it since 2021 (Safari since 2023).";
  if (page.engine && !document.createElement("canvas").getContext("webgl2")) {
    return "This page needs WebGL2, which this browser does not have or has switched off.";
  }
  return undefined;
}

const mebibytes = (bytes) => (bytes / (1 << 20)).toFixed(bytes < 10 << 20 ? 1 : 0);

/** Fetches and compiles the page's module, and shows how far that is. */
export async function loadModule() {
  const lack = lacking();
  if (lack) {
    stop("This does not work here", lack, false);
    throw new Error(lack);
  }
  const response = await fetch(page.wasm);
  if (!response.ok) throw new Error(`${page.wasm}: ${response.status} ${response.statusText}`);
  let bytes = 0;
  // A compressed transfer does not tell its length, so the page does.
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

/** Says what is done before the page is ready. */
export function say(text) {
  loadingText.textContent = text;
}

/** Milliseconds in which the veil fades. */
const FADING = 300;

function lift() {
  loading.classList.add("gone");
  // Who does not see it should not hear of it either.
  setTimeout(() => { loading.hidden = true; }, FADING);
}

/** The page has something to show. */
export function ready() {
  lift();
  document.documentElement.dataset.state = "ready";
}

let noticeTimer;

/** A line at the bottom that goes away by itself. */
export function tell(text, seconds = 6) {
  notice.textContent = text;
  notice.hidden = false;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => { notice.hidden = true; }, 1000 * seconds);
}

/** The page can not go on. The address keeps its state, so that to reload loses nothing of it. */
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
    const reload = element("button", { type: "button", class: "strong" }, "Load again");
    reload.addEventListener("click", () => location.reload());
    box.append(reload);
  }
  veil.append(box);
  document.body.append(veil);
  (veil.querySelector("button") ?? box).focus();
}

/** A loaded page that loses what it draws on offers to load again. */
export function watchCanvas(canvas) {
  const lost = (event) => {
    event.preventDefault();
    stop("The picture was lost", "The browser took the graphics memory away. What the address says comes back.");
  };
  canvas.addEventListener("webglcontextlost", lost);
  canvas.addEventListener("contextlost", lost);
}

/** An element with attributes and children. */
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

/** Winit leaves its start by an exception, which is none. */
export const isFlow = (error) => words(error).includes("Using exceptions for control flow");

addEventListener("error", (event) => {
  // Without one it is a remark of the browser's, or comes from an extension: the page goes on.
  if (!event.error) return;
  if (isFlow(event.error)) event.preventDefault();
  else stop("Something broke", words(event.error));
});
addEventListener("unhandledrejection", (event) => {
  if (isFlow(event.reason)) event.preventDefault();
  else stop("Something broke", words(event.reason));
});

const fullscreen = document.getElementById("fullscreen");
if (document.fullscreenEnabled) {
  fullscreen.hidden = false;
  fullscreen.addEventListener("click", () => {
    const change = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    change.catch((error) => tell(`Full screen: ${error.message}`));
  });
}
