// Starts a page with an engine: its program draws on the canvas. `lanternfell_headless::web_page` sends two events to the
// window: the first frame is drawn, and a message for the user.

import { isBrowsers } from "./browser_keys.js";
import { element, isFlow, loadModule, page, ready, say, stop, tell, watchCanvas } from "./shell.js";
import "./sound.js";

/** The program uses the same name: `lanternfell_headless::web_page::CANVAS`. */
const canvas = element("canvas", { id: "lanternfell", tabindex: "0", role: "application", "aria-label": document.title });
const main = document.querySelector("main");
main.append(canvas);
watchCanvas(canvas);
canvas.addEventListener("contextmenu", (event) => event.preventDefault());

addEventListener("lanternfell:drawn", ready, { once: true });
addEventListener("lanternfell:say", (event) => tell(event.detail, 12));

// The program reads the address when it starts. It writes it in a way that is not heard here.
addEventListener("hashchange", () => location.reload());

// Winit takes every key on its canvas, also Tab, so what is the browser's does not come there; and by Shift and Escape
// one gets out of it, to the header.
main.addEventListener("keydown", (event) => {
  const leaves = event.key === "Escape" && event.shiftKey;
  if (!leaves && !isBrowsers(event)) return;
  event.stopImmediatePropagation();
  if (!leaves) return;
  event.preventDefault();
  document.querySelector("header a").focus();
}, { capture: true });

try {
  const [compiled, program] = await Promise.all([loadModule(), import(new URL(page.script, location.href))]);
  say("Starting");
  await program.default({ module_or_path: compiled }).catch((error) => {
    if (!isFlow(error)) throw error;
  });
  canvas.focus();
} catch (error) {
  stop("This page did not start", error.message ?? error);
}
