// Starts a page with an engine: its program draws on the canvas. By two events of the window the program says that
// there is something to see, and what the user is to know (the crate `lanternfell_page` sends them).

import { element, loadModule, page, ready, say, stop, tell, watchCanvas } from "./shell.js";
import "./sound.js";

/** The canvas's name is the program's, too: `lanternfell_page::CANVAS`. */
const canvas = element("canvas", { id: "lanternfell", tabindex: "0", "aria-label": document.title });
document.querySelector("main").append(canvas);
watchCanvas(canvas);
canvas.addEventListener("contextmenu", (event) => event.preventDefault());

addEventListener("lanternfell:drawn", ready, { once: true });
addEventListener("lanternfell:say", (event) => tell(event.detail, 12));

// Winit leaves its start by an exception, which is none.
const isFlow = (error) => String(error?.message ?? error).includes("Using exceptions for control flow");

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
