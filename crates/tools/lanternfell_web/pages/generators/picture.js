// The canvas: shows the last image, fits it to the window, and lets the user turn it.

import { watchCanvas } from "../shell/shell.js";

/** More pixels than this would take the renderer too long. */
const MOST_PIXELS = 1_400_000;

export class Picture {
  #shown;
  #count = 0;
  #pointers = new Map();

  /** `turn(by, end)` is called with the change of the camera angles and distance. */
  constructor(canvas, turn, resized) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.turn = turn;
    watchCanvas(canvas);
    new ResizeObserver(() => {
      this.#fit();
      this.#paint();
      resized();
    }).observe(canvas);
    this.#fit();
    this.#listen();
  }

  /** The size of a perspective image in pixels. */
  get size() {
    const { width, height } = this.canvas;
    const smaller = Math.min(1, Math.sqrt(MOST_PIXELS / (width * height)));
    return { width: Math.max(16, Math.round(width * smaller)), height: Math.max(16, Math.round(height * smaller)) };
  }

  /** Shows an image. With `fills` it covers the whole canvas, otherwise it fits inside. */
  async show(picture, fills) {
    const turn = (this.#count += 1);
    const bitmap = await createImageBitmap(new ImageData(picture.data, picture.width));
    // A later image can be ready earlier.
    if (this.#shown?.turn > turn) {
      bitmap.close();
      return;
    }
    this.#shown?.bitmap.close();
    this.#shown = { bitmap, fills, turn };
    this.#paint();
  }

  #fit() {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.canvas;
    const [width, height] = [clientWidth, clientHeight].map((side) => Math.max(16, Math.round(side * ratio)));
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
  }

  #paint() {
    if (!this.#shown) return;
    const { bitmap, fills } = this.#shown;
    const { width, height } = this.canvas;
    this.context.fillStyle = getComputedStyle(this.canvas.parentElement).backgroundColor;
    this.context.fillRect(0, 0, width, height);
    this.context.imageSmoothingQuality = "high";
    const scale = fills
      ? Math.max(width / bitmap.width, height / bitmap.height)
      : Math.min(width / bitmap.width, height / bitmap.height);
    const [wide, high] = [bitmap.width * scale, bitmap.height * scale];
    this.context.drawImage(bitmap, (width - wide) / 2, (height - high) / 2, wide, high);
  }

  #listen() {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#pointers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(end, (event) => {
        if (this.#pointers.delete(event.pointerId) && this.#pointers.size === 0) this.turn({}, true);
      });
    }
    canvas.addEventListener("wheel", (event) => {
      if (!canvas.hasAttribute("data-turns")) return;
      event.preventDefault();
      this.turn({ nearer: Math.exp(-event.deltaY / 600) }, true);
    }, { passive: false });
    const keys = { ArrowLeft: { right: -8 }, ArrowRight: { right: 8 }, ArrowUp: { down: 4 }, ArrowDown: { down: -4 }, "+": { nearer: 1.15 }, "-": { nearer: 1 / 1.15 } };
    canvas.addEventListener("keydown", (event) => {
      if (!keys[event.key]) return;
      event.preventDefault();
      this.turn(keys[event.key], true);
    });
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    const spread = () => {
      const [[ax, ay], [bx, by]] = [...this.#pointers.values()];
      return Math.hypot(ax - bx, ay - by) || 1;
    };
    if (this.#pointers.size === 2) {
      const old = spread();
      this.#pointers.set(event.pointerId, now);
      this.turn({ nearer: spread() / old }, false);
      return;
    }
    this.#pointers.set(event.pointerId, now);
    this.turn({ right: (before[0] - now[0]) / 4, down: (now[1] - before[1]) / 6 }, false);
  }
}
