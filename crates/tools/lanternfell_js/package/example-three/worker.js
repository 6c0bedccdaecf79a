// Generates maps in a worker, so that the page stays responsive. Workers do not support import maps, so this imports
// the file by its path.

import { generate, init, render } from "./node_modules/lanternfell/lanternfell.js";

self.onmessage = async ({ data: { recipe, options, cover } }) => {
  try {
    await init();
    const map = generate(recipe, {
      ...options,
      onProgress: (fraction) => self.postMessage({ fraction }),
    });
    // With the sun at the zenith, so that only the light of the three scene shades the terrain.
    const picture = render(map, { view: "top", cover, sunElevation: 90 });
    self.postMessage({ map, picture }, [map.heights.buffer, picture.data.buffer]);
  } catch (error) {
    self.postMessage({ error: error.message });
  }
};
