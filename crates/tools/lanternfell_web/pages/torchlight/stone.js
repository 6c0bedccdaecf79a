// Draws the cave in full light: floor, walls, and the lower parts of walls. Only changed cells are redrawn.

/** A number from 0 to 1 for a cell. It is always the same, so that stones do not change. */
function grain(x, y, salt) {
  let hash = (x * 374761393 + y * 668265263 + salt * 2147483647) | 0;
  hash = Math.imul(hash ^ (hash >>> 13), 1274126177);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

const shade = (red, green, blue, light) => `rgb(${Math.round(red * light)} ${Math.round(green * light)} ${Math.round(blue * light)})`;

export class Stone {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.context = this.canvas.getContext("2d", { alpha: false });
  }

  /** Draws the whole cave with cells of `cell` pixels. */
  draw(cave, cell) {
    this.cave = cave;
    this.cell = cell;
    this.canvas.width = cave.width * cell;
    this.canvas.height = cave.height * cell;
    for (let y = 0; y < cave.height; y += 1) for (let x = 0; x < cave.width; x += 1) this.#one(x, y);
  }

  /** Draws a cell and its neighbors. */
  update(x, y) {
    for (let dy = -1; dy <= 1; dy += 1) {
      for (let dx = -1; dx <= 1; dx += 1) if (this.cave.contains(x + dx, y + dy)) this.#one(x + dx, y + dy);
    }
  }

  #one(x, y) {
    const box = { x, y, left: x * this.cell, top: y * this.cell, wide: this.cell, high: this.cell };
    if (this.cave.isWall(x, y)) this.#wall(box);
    else this.#floor(box);
  }

  #fill(color, left, top, wide, high) {
    this.context.fillStyle = color;
    this.context.fillRect(left, top, wide, high);
  }

  #floor({ x, y, left, top, wide, high }) {
    const light = 0.88 + 0.14 * grain(x, y, 1);
    this.#fill(shade(152, 136, 118, light), left, top, wide, high);
    for (let speck = 0; speck < 5; speck += 1) {
      const [u, v] = [grain(x, y, 10 + speck), grain(x, y, 20 + speck)];
      const size = Math.max(1, wide * (0.05 + 0.1 * grain(x, y, 30 + speck)));
      this.#fill(shade(152, 136, 118, light * (speck % 2 ? 0.86 : 1.12)), left + u * (wide - size), top + v * (high - size), size, size * 0.7);
    }
    this.#shadow(this.cave.isWall(x, y - 1), left, top, wide, high * 0.45, 0, 1);
    this.#shadow(this.cave.isWall(x - 1, y), left, top, wide * 0.22, high, 1, 0);
    this.#shadow(this.cave.isWall(x + 1, y), left + wide, top, -wide * 0.22, high, 1, 0);
  }

  /** Floors are darker next to walls. */
  #shadow(there, left, top, wide, high, along, down) {
    if (!there) return;
    const fade = this.context.createLinearGradient(left, top, left + along * wide, top + down * high);
    fade.addColorStop(0, "rgb(20 12 8 / 55%)");
    fade.addColorStop(1, "rgb(20 12 8 / 0%)");
    this.#fill(fade, left, top, wide, high);
  }

  #wall({ x, y, left, top, wide, high }) {
    const light = 0.9 + 0.16 * grain(x, y, 2);
    this.#fill(shade(196, 188, 178, light), left, top, wide, high);
    const seam = Math.max(1, Math.round(wide * 0.06));
    const mortar = shade(150, 142, 132, light);
    // Half bricks, offset in every other row.
    const split = y % 2 ? 0.5 : 0;
    this.#fill(mortar, left, top + high - seam, wide, seam);
    this.#fill(mortar, left + wide * split, top, seam, high);
    this.#fill(shade(222, 214, 204, light), left + wide * split + seam, top, wide * 0.5, seam);
    if (!this.cave.isWall(x, y + 1)) {
      this.#fill(shade(112, 102, 94, light), left, top + high * 0.62, wide, high * 0.38);
      this.#fill(shade(232, 224, 212, light), left, top + high * 0.62, wide, seam);
    }
  }
}
