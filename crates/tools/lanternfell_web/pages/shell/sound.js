// Browsers allow sound only after a click, a touch or a key press. Programs open their audio context at the start, so
// it is resumed at the first input.

const waiting = new Set();

globalThis.AudioContext &&= class extends AudioContext {
  constructor(...options) {
    super(...options);
    if (this.state === "suspended") waiting.add(this);
  }
};

function begin() {
  for (const context of waiting) {
    context.resume().then(() => waiting.delete(context), () => {});
  }
}

for (const kind of ["pointerup", "touchend", "keydown"]) addEventListener(kind, begin, { capture: true });
