// Makes maps beside the page's frames. A worker knows no import maps, so this names the file.

import { generate, init, render } from "./node_modules/lanternfell/lanternfell.js";

self.onmessage = async ({ data: { recipe, options, cover } }) => {
  try {
    await init();
    const map = generate(recipe, {
      ...options,
      onProgress: (fraction) => self.postMessage({ fraction }),
    });
    // From right above, so that the scene's own sun makes the shade.
    const picture = render(map, { view: "top", cover, sunElevation: 90 });
    self.postMessage({ map, picture }, [map.heights.buffer, picture.data.buffer]);
  } catch (error) {
    self.postMessage({ error: error.message });
  }
};
