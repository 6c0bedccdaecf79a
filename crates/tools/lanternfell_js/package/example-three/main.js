// Shows Lanternfell terrain in three: presets with a seed, generated in a worker.

import { init, presets } from "lanternfell";
import * as three from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

import { landOf, seaOf } from "./land.js";

const SIDE = 512;

const renderer = new three.WebGLRenderer({ antialias: true });
document.body.append(renderer.domElement);
const scene = new three.Scene();
scene.background = new three.Color(0x9db4c6);
scene.add(new three.HemisphereLight(0xcfe4ff, 0x4a4436, 1.2));
const sun = new three.DirectionalLight(0xfff2dc, 2.5);
sun.position.set(-1, 0.8, -0.6);
scene.add(sun);
const camera = new three.PerspectiveCamera(45, 1, 1, 1e6);
const controls = new OrbitControls(camera, renderer.domElement);
const ground = new three.Group();
scene.add(ground);

function resize() {
  const { innerWidth: width, innerHeight: height } = window;
  renderer.setPixelRatio(window.devicePixelRatio);
  renderer.setSize(width, height);
  camera.aspect = width / height;
  camera.updateProjectionMatrix();
}
addEventListener("resize", resize);
resize();

renderer.setAnimationLoop(() => {
  controls.update();
  renderer.render(scene, camera);
});

function show(map, picture) {
  for (const old of [...ground.children]) {
    old.geometry.dispose();
    old.material.map?.dispose();
    old.material.dispose();
    ground.remove(old);
  }
  ground.add(landOf(map, picture), seaOf(map));
  const across = map.spacing * Math.max(map.width, map.height);
  camera.position.set(0.45 * across, 0.35 * across, 0.6 * across);
  camera.far = 4 * across;
  camera.updateProjectionMatrix();
  controls.target.set(0, map.offset + map.relief * map.seaLevel, 0);
}

await init();
const form = document.forms[0];
const { preset, seed, says } = form.elements;
const known = presets();
preset.append(...known.map(({ name, about }) => Object.assign(new Option(name), { title: about })));
preset.value = "volcano";

let worker;
function make() {
  // A new request cancels the previous one.
  worker?.terminate();
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data: { fraction, map, picture, error } }) => {
    says.value = error ?? (map ? known.find(({ name }) => name === preset.value).about : `${Math.round(100 * fraction)} %`);
    if (map) {
      show(map, picture);
    }
  };
  worker.onerror = ({ message }) => (says.value = message ?? "the worker could not be started");
  const { cover } = known.find(({ name }) => name === preset.value);
  const options = { seed: Math.max(0, seed.valueAsNumber || 0), size: SIDE };
  worker.postMessage({ recipe: preset.value, options, cover });
}
form.addEventListener("change", make);
form.addEventListener("submit", (event) => event.preventDefault());
make();
