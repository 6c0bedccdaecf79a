// Tests the drawing of the torchlight page and its serialization, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pack, unpack } from "../pages/shell/pack.js";
import { Cave, MOST_LAMPS, MOST_SIDE } from "../pages/torchlight/cave.js";
import { openNear, randomize } from "../pages/torchlight/random_cave.js";

function some() {
  const cave = new Cave(13, 9);
  for (let x = 2; x < 11; x += 1) cave.set(x, 4, false);
  cave.toggleLamp(3, 4);
  cave.toggleLamp(9, 4);
  cave.torch = { x: 5, y: 4 };
  return cave;
}

test("a drawing round-trips through bytes", () => {
  const cave = some();
  assert.deepEqual(Cave.fromBytes(cave.toBytes()), cave);
});

test("a drawing round-trips through a short address", async () => {
  const cave = new Cave(MOST_SIDE, MOST_SIDE);
  for (let at = 0; at < 40; at += 1) cave.set(at, at, false);
  const text = await pack(cave.toBytes());
  assert.ok(text.length < 400, `${text.length}`);
  assert.match(text, /^[\w-]+$/);
  assert.deepEqual(Cave.fromBytes(await unpack(text, 2048)), cave);
});

test("the largest drawing fits in an address", async () => {
  const cave = new Cave(MOST_SIDE, MOST_SIDE);
  cave.walls.forEach((_, at) => { cave.walls[at] = (at * 7919) % 3 === 0 ? 1 : 0; });
  const bytes = cave.toBytes();
  assert.ok(bytes.length <= 2048);
  assert.ok((await pack(bytes)).length < 4096);
});

test("rejects damaged bytes", () => {
  const bytes = some().toBytes();
  for (const broken of [Uint8Array.of(), bytes.subarray(1), bytes.subarray(0, bytes.length - 1), Uint8Array.of(1, 255, 255, 0, 0, 0), Uint8Array.of(1, 9, 9, 0, 0, 250)]) {
    assert.throws(() => Cave.fromBytes(broken), /drawing/);
  }
});

test("a changed byte is rejected or gives a valid drawing", () => {
  const bytes = some().toBytes();
  for (let at = 0; at < bytes.length; at += 1) {
    const other = bytes.slice();
    other[at] ^= 0xa5;
    try {
      const cave = Cave.fromBytes(other);
      assert.ok(cave.contains(cave.torch.x, cave.torch.y));
      for (const lamp of cave.lamps) assert.ok(!cave.isWall(lamp.x, lamp.y));
    } catch (error) {
      assert.match(error.message, /drawing/);
    }
  }
});

test("rejects truncated, damaged and long text", async () => {
  await assert.rejects(unpack("AAAA", 99));
  await assert.rejects(unpack("no text!", 99), /characters/);
  const long = await pack(new Uint8Array(100_000));
  await assert.rejects(unpack(long, 2048), /too long/);
  await assert.rejects(unpack(long.slice(0, 9), 200_000), /damaged|truncated/);
});

test("lamps need floors, are limited, and are removed by walls", () => {
  const cave = some();
  assert.ok(!cave.toggleLamp(0, 0));
  assert.ok(cave.toggleLamp(3, 4) && cave.lamps.length === 1);
  cave.set(9, 4, true);
  assert.equal(cave.lamps.length, 0);
  const wide = new Cave(40, 8);
  for (let x = 0; x < 40; x += 1) {
    wide.set(x, 1, false);
    wide.toggleLamp(x, 1);
  }
  assert.equal(wide.lamps.length, MOST_LAMPS);
});

test("random caves of any size have open cells", () => {
  for (const [width, height] of [[8, 8], [64, 34], [18, 40], [96, 96]]) {
    for (let round = 0; round < 20; round += 1) {
      const cave = new Cave(width, height);
      randomize(cave);
      const open = cave.walls.filter((wall) => wall === 0).length;
      assert.ok(width * height > 200 ? open > 40 : open >= 0, `${width} x ${height}: ${open}`);
      assert.ok(open === 0 || !cave.isWall(cave.torch.x, cave.torch.y));
      assert.deepEqual(Cave.fromBytes(cave.toBytes()), cave);
    }
  }
  assert.deepEqual(openNear(new Cave(9, 9), 4, 4), { x: 4, y: 4 });
});
