// Selects the keys that a page with Bevy leaves to the browser: to reload, search, zoom and reach the address bar.
//
// Programs get all keys without modifiers except F5 and F6. With Ctrl and Alt they get the keys for movement, which
// Gutterlight uses to sneak and peek. These include the Ctrl+S and Ctrl+L of the light sandbox.

const MODIFIERS = new Set(["Control", "Shift", "Alt", "AltGraph", "Meta"]);
const WITH_MODIFIER = /^(Arrow.*|Numpad.*|Enter|Space|Key[WASDQEZCHJKLYUBN])$/;

/** Whether a key press belongs to the browser. */
export function isBrowsers(event) {
  if (MODIFIERS.has(event.key)) return false;
  if (event.code === "F5" || event.code === "F6" || event.metaKey) return true;
  // AltGraph types letters. Some systems report it as Ctrl with Alt.
  if (event.getModifierState("AltGraph") || !(event.ctrlKey || event.altKey)) return false;
  return !WITH_MODIFIER.test(event.code);
}
