// Which keys a program leaves to the browser: to reload, to search, to zoom, to reach the address.
//
// Programs have all keys alone but F5 and F6. With Ctrl and Alt they have those by which one walks and goes somewhere:
// so Gutterlight sneaks and peeks; among them are the light sandbox's Ctrl+S and Ctrl+L.

const MODIFIERS = new Set(["Control", "Shift", "Alt", "AltGraph", "Meta"]);
const WITH_MODIFIER = /^(Arrow.*|Numpad.*|Enter|Space|Key[WASDQEZCHJKLYUBN])$/;

/** Whether a press of a key is the browser's. */
export function isBrowsers(event) {
  if (MODIFIERS.has(event.key)) return false;
  if (event.code === "F5" || event.code === "F6" || event.metaKey) return true;
  // By AltGraph letters are written, which some systems call Ctrl with Alt.
  if (event.getModifierState("AltGraph") || !(event.ctrlKey || event.altKey)) return false;
  return !WITH_MODIFIER.test(event.code);
}
