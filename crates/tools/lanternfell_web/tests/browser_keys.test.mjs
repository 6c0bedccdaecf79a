// Tests which keys a page with Bevy leaves to the browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isBrowsers } from "../pages/shell/browser_keys.js";

function press(text) {
  const [code, ...held] = text.split("+").reverse();
  const has = (name) => held.includes(name);
  return isBrowsers({
    code,
    key: code.replace(/(Left|Right)$/, "").replace(/^Arrow$/, code),
    ctrlKey: has("Ctrl"),
    altKey: has("Alt"),
    metaKey: has("Meta"),
    getModifierState: (name) => name === "AltGraph" && has("AltGraph"),
  });
}

test("the browser keeps reloading, searching and zooming", () => {
  for (const keys of ["F5", "F6", "Ctrl+F5", "Alt+F4", "Ctrl+KeyR", "Ctrl+KeyT", "Ctrl+KeyF", "Ctrl+KeyP", "Ctrl+Equal", "Ctrl+Digit0", "Ctrl+Tab", "Alt+KeyF", "Meta+KeyR", "Meta+KeyW"]) {
    assert.ok(press(keys), keys);
  }
});

test("programs get their keys", () => {
  for (const keys of ["F1", "F11", "F12", "KeyR", "Tab", "Escape", "Alt+Enter", "Ctrl+ControlLeft", "Alt+AltRight", "Meta+MetaLeft", "Ctrl+ArrowUp", "Ctrl+KeyW", "Alt+KeyD", "Alt+ArrowLeft", "Ctrl+Numpad7", "Ctrl+KeyZ", "Ctrl+Alt+AltGraph+KeyE", "Ctrl+Alt+AltGraph+Digit0"]) {
    assert.ok(!press(keys), keys);
  }
});
