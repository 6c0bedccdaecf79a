// Starts a page with Bevy, whose program draws to the canvas. `lanternfell_headless::web_page` sends two events to the
// window: when the first frame is drawn, and for messages to the user.

import { isBrowsers } from "./browser_keys.js";
import { element, isFlow, loadModule, page, ready, say, stop, tell, watchCanvas } from "./shell.js";
import "./sound.js";

/** The program uses the same id: `lanternfell_headless::web_page::CANVAS`. */
const canvas = element("canvas", { id: "lanternfell", tabindex: "0", role: "application", "aria-label": document.title });
const main = document.querySelector("main");
main.append(canvas);
watchCanvas(canvas);
canvas.addEventListener("contextmenu", (event) => event.preventDefault());

addEventListener("lanternfell:drawn", ready, { once: true });
addEventListener("lanternfell:say", (event) => tell(event.detail, 12));

// The program reads the address only when it starts, so a change reloads the page. Changes by the program itself do not
// cause this event.
addEventListener("hashchange", () => location.reload());

// Winit takes all keys on its canvas, including Tab. This listener keeps the browser's keys from it. Shift+Escape
// leaves the program for the header.
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
  stop("The page could not start", error.message ?? error);
}
