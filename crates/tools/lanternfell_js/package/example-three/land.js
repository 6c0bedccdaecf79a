// The terrain and the sea of a map as three meshes, in meters: y up, +x east, +z south.

import {
  DataTexture,
  LinearFilter,
  LinearMipmapLinearFilter,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  SRGBColorSpace,
} from "three";

/** The terrain mesh: one vertex per cell, with an image as its texture. */
export function landOf(map, picture) {
  const [across, down] = [map.width - 1, map.height - 1];
  const plane = new PlaneGeometry(across * map.spacing, down * map.spacing, across, down);
  const geometry = plane.rotateX(-Math.PI / 2);
  const { position, uv } = geometry.attributes;
  map.heights.forEach((height, cell) => {
    position.setY(cell, map.offset + map.relief * height);
    // Pixel rows go from north to south. In three, v goes upward, but data textures are not flipped.
    uv.setXY(cell, (0.5 + (cell % map.width)) / map.width, (0.5 + Math.floor(cell / map.width)) / map.height);
  });
  geometry.computeVertexNormals();
  geometry.computeBoundingSphere();
  const material = new MeshStandardMaterial({ map: textureOf(picture), roughness: 1 });
  return new Mesh(geometry, material);
}

function textureOf({ data, width, height }) {
  const texture = new DataTexture(new Uint8Array(data.buffer), width, height);
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
}

/** The sea. It extends beyond the terrain. */
export function seaOf(map) {
  const side = 3 * map.spacing * Math.max(map.width, map.height);
  const geometry = new PlaneGeometry(side, side).rotateX(-Math.PI / 2);
  geometry.translate(0, map.offset + map.relief * map.seaLevel, 0);
  const material = new MeshStandardMaterial({ color: 0x2b5d7d, transparent: true, opacity: 0.75, roughness: 0.3 });
  return new Mesh(geometry, material);
}
