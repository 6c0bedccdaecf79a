// Browsers let sound begin by a click, a touch or a key alone. A program opens its sound when it starts; here it is
// remembered until then.

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
