// The drawing: walls, lamps and the torch, and its compact serialization for addresses.

/** The maximum number of cells per side. Keeps addresses short. */
export const MOST_SIDE = 96;
/** The minimum number of cells per side. */
export const LEAST_SIDE = 8;
/** The maximum number of lamps. */
export const MOST_LAMPS = 24;
/** The light of successive lamps: linear red, green and blue. */
export const COLORS = [[0.95, 0.2, 0.14], [0.16, 0.42, 1.0], [0.2, 0.8, 0.26], [0.8, 0.24, 0.9], [0.9, 0.7, 0.36]];

const VERSION = 1;
const HEAD = 6;

export class Cave {
  /** Creates a cave that is all wall. */
  constructor(width, height) {
    this.width = width;
    this.height = height;
    /** 1 is wall. */
    this.walls = new Uint8Array(width * height).fill(1);
    /** `{ x, y, color }`, where `color` is an index into `COLORS`. */
    this.lamps = [];
    this.torch = { x: width >> 1, y: height >> 1 };
  }

  contains(x, y) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  isWall(x, y) {
    return !this.contains(x, y) || this.walls[y * this.width + x] === 1;
  }

  /** Carves or builds a cell. Returns whether it changed. A wall removes the lamp in its cell. */
  set(x, y, wall) {
    const index = y * this.width + x;
    if (!this.contains(x, y) || this.walls[index] === Number(wall)) return false;
    this.walls[index] = Number(wall);
    if (wall) this.lamps = this.lamps.filter((lamp) => lamp.x !== x || lamp.y !== y);
    return true;
  }

  /** Hangs or removes a lamp. Returns whether anything changed. */
  toggleLamp(x, y) {
    const others = this.lamps.filter((lamp) => lamp.x !== x || lamp.y !== y);
    if (others.length < this.lamps.length) {
      this.lamps = others;
      return true;
    }
    if (this.isWall(x, y) || others.length >= MOST_LAMPS) return false;
    const color = others.length > 0 ? (others.at(-1).color + 1) % COLORS.length : 0;
    this.lamps = [...others, { x, y, color }];
    return true;
  }

  /**
   * ```text
   * version  width  height  torch x  torch y  lamps  (x y color) for each  a bit for each cell
   * ```
   */
  toBytes() {
    const { width, height, torch, lamps, walls } = this;
    const bits = new Uint8Array(Math.ceil(walls.length / 8));
    walls.forEach((wall, index) => { bits[index >> 3] |= wall << (index & 7); });
    const hung = lamps.flatMap(({ x, y, color }) => [x, y, color]);
    return Uint8Array.of(VERSION, width, height, torch.x, torch.y, lamps.length, ...hung, ...bits);
  }

  /** Parses a drawing. Throws if the bytes are invalid. */
  static fromBytes(bytes) {
    const [version, width, height, x, y, lamps] = bytes;
    if (version !== VERSION) throw new Error("not a drawing, or a drawing from a newer version of the page");
    const fits = (side) => side >= LEAST_SIDE && side <= MOST_SIDE;
    const bits = bytes.subarray(HEAD + 3 * lamps);
    if (!fits(width) || !fits(height) || lamps > MOST_LAMPS || bits.length !== Math.ceil((width * height) / 8)) {
      throw new Error("the drawing is damaged");
    }
    const cave = new Cave(width, height);
    cave.walls.forEach((_, index) => { cave.walls[index] = (bits[index >> 3] >> (index & 7)) & 1; });
    for (let at = HEAD; at < HEAD + 3 * lamps; at += 3) {
      const [lampX, lampY, color] = bytes.subarray(at, at + 3);
      if (!cave.isWall(lampX, lampY) && color < COLORS.length) cave.lamps.push({ x: lampX, y: lampY, color });
    }
    if (cave.contains(x, y)) cave.torch = { x, y };
    return cave;
  }
}
