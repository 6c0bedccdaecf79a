// Sends orders to the worker. The newest order wins.
//
// Calls into WebAssembly cannot be interrupted. So a worker with a long-running order is terminated, and a new one gets
// the compiled module and the last map. Orders get some time to finish first, since otherwise a moving slider would
// never show an image.

/** The minimum time of an order in milliseconds, before a newer one can terminate it. */
const PATIENCE = 350;

export class Workshop {
  #worker;
  #running;
  #next;
  #timer;
  #count = 0;
  #known;
  #held;

  /**
   * `on` has a callback for each kind of message: `progress`, `map`, `picture`, `measures`, `failed`, `broken`, `idle`.
   */
  constructor(module, on) {
    this.module = module;
    this.on = on;
    this.#hire();
  }

  /** Requests an image. Replaces the pending request. */
  draw(order) {
    this.#next = order;
    this.#goOn();
  }

  /** Requests a file, after all pending requests. */
  file(order) {
    return new Promise((resolve, reject) => {
      const wait = () => {
        if (this.#running || this.#next) setTimeout(wait, 50);
        else this.#begin({ ...order, resolve, reject });
      };
      wait();
    });
  }

  #hire() {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.#worker.postMessage({ module: this.module });
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onerror = (event) => this.on.broken(event.message ?? "the worker could not be started");
    this.#held = undefined;
  }

  #goOn() {
    if (!this.#next) return;
    if (!this.#running) {
      const order = this.#next;
      this.#next = undefined;
      this.#begin(order);
      return;
    }
    if (this.#timer || this.#running.file) return;
    const left = PATIENCE - (performance.now() - this.#running.since);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#next || !this.#running || this.#running.file) return;
      this.#fire();
      this.#goOn();
    }, Math.max(0, left));
  }

  #fire() {
    this.#worker.terminate();
    this.#running = undefined;
    this.#hire();
  }

  #begin(order) {
    const { resolve, reject, ...message } = order;
    message.id = this.#count += 1;
    // A new worker gets the last map, so that it need not generate it again.
    if (this.#known?.key === message.key && this.#held !== message.key) {
      message.map = this.#known.map;
      this.#held = message.key;
    }
    this.#running = { ...message, resolve, reject, since: performance.now() };
    this.#worker.postMessage(message);
  }

  #hear(data) {
    const running = this.#running;
    if (!running || data.id !== running.id) return;
    if (data.map) {
      this.#known = { key: data.key, map: data.map };
      this.#held = data.key;
      this.on.map(data.map, data.milliseconds);
    }
    if (data.progress !== undefined) this.on.progress(data.progress, data.what);
    if (data.picture) this.on.picture(data.picture, data.rough, running);
    if (data.measures) this.on.measures(data.measures);
    if (data.bytes) running.resolve(data.bytes);
    if (data.failed !== undefined) this.#fail(running, data);
    if (data.done || data.failed !== undefined) this.#end();
  }

  #fail(running, data) {
    if (data.broken) {
      this.#worker.terminate();
      this.#hire();
    }
    const words = data.broken ? `The renderer crashed and was restarted: ${data.failed}` : data.failed;
    if (running.reject) running.reject(new Error(words));
    else this.on.failed(words, data.step);
  }

  #end() {
    this.#running = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#next) this.#goOn();
    else this.on.idle();
  }
}
