// Random caves: smoothed noise, rooms with corridors, or a maze, with a few lamps.

import { COLORS } from "./cave.js";

const below = (count) => Math.floor(Math.random() * count);
const between = (least, most) => least + below(most - least + 1);

/** Replaces all walls and lamps of the cave. */
export function randomize(cave) {
  cave.walls.fill(1);
  cave.lamps = [];
  const ways = [noise, rooms, rooms, maze];
  ways[below(ways.length)](cave);
  hang(cave, between(2, 5));
  cave.torch = openNear(cave, cave.width >> 1, cave.height >> 1);
}

/** The open cell nearest to a place, or the place itself if there is none. */
export function openNear(cave, x, y) {
  let best = { x, y };
  let least = Infinity;
  for (const place of openCells(cave)) {
    const far = (place.x - x) ** 2 + (place.y - y) ** 2;
    if (far < least) [best, least] = [place, far];
  }
  return best;
}

function openCells({ width, walls }) {
  const places = [];
  walls.forEach((wall, index) => { if (!wall) places.push({ x: index % width, y: Math.floor(index / width) }); });
  return places;
}

/** A cellular automaton turns noise into hollows: each cell follows most of its neighbors. */
function noise(cave) {
  const { width, height } = cave;
  const inside = (x, y) => x > 0 && y > 0 && x < width - 1 && y < height - 1;
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) cave.set(x, y, !inside(x, y) || Math.random() < 0.45);
  for (let pass = 0; pass < 4; pass += 1) {
    const before = cave.walls.slice();
    const wallsAround = (x, y) => {
      let count = 0;
      for (let dy = -1; dy <= 1; dy += 1) for (let dx = -1; dx <= 1; dx += 1) count += before[(y + dy) * width + x + dx] ?? 1;
      return count;
    };
    for (let y = 1; y < height - 1; y += 1) for (let x = 1; x < width - 1; x += 1) cave.set(x, y, wallsAround(x, y) > 4);
  }
}

/** Rooms, each connected with the previous one by a bent corridor. */
function rooms(cave) {
  const dig = (left, top, right, bottom) => {
    for (let y = Math.min(top, bottom); y <= Math.max(top, bottom); y += 1) {
      for (let x = Math.min(left, right); x <= Math.max(left, right); x += 1) cave.set(x, y, false);
    }
  };
  let last;
  const count = Math.max(4, Math.round((cave.width * cave.height) / 150));
  for (let room = 0; room < count; room += 1) {
    const [wide, high] = [between(3, Math.min(10, cave.width - 4)), between(2, Math.min(6, cave.height - 4))];
    const [left, top] = [between(1, cave.width - wide - 2), between(1, cave.height - high - 2)];
    dig(left, top, left + wide, top + high);
    // Pillars cast shadows.
    if (wide > 6 && high > 3) for (const x of [left + 2, left + wide - 2]) cave.set(x, top + (high >> 1), true);
    const middle = { x: left + (wide >> 1), y: top + (high >> 1) };
    if (last) {
      dig(last.x, last.y, middle.x, last.y);
      dig(middle.x, last.y, middle.x, middle.y);
    }
    last = middle;
  }
}

/** A maze by depth-first search. Some of its walls are removed, so that light has more than one way. */
function maze(cave) {
  const path = [{ x: 1, y: 1 }];
  cave.set(1, 1, false);
  while (path.length > 0) {
    const { x, y } = path.at(-1);
    const ways = [[2, 0], [-2, 0], [0, 2], [0, -2]].filter(([dx, dy]) =>
      x + dx > 0 && y + dy > 0 && x + dx < cave.width - 1 && y + dy < cave.height - 1 && cave.isWall(x + dx, y + dy));
    if (ways.length === 0) {
      path.pop();
      continue;
    }
    const [dx, dy] = ways[below(ways.length)];
    cave.set(x + dx / 2, y + dy / 2, false);
    cave.set(x + dx, y + dy, false);
    path.push({ x: x + dx, y: y + dy });
  }
  for (let fallen = 0; fallen < (cave.width * cave.height) / 40; fallen += 1) {
    cave.set(between(1, cave.width - 2), between(1, cave.height - 2), false);
  }
}

function hang(cave, count) {
  const places = openCells(cave);
  for (let lamp = 0; lamp < count && places.length > 0; lamp += 1) {
    const { x, y } = places[below(places.length)];
    if (cave.lamps.every((other) => Math.hypot(other.x - x, other.y - y) > 8)) {
      cave.lamps.push({ x, y, color: below(COLORS.length) });
    }
  }
}
