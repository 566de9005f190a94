/** What anywidget hands to a widget, without a kernel: values, and who listens to them. */
export class Model {
  #values;
  #listeners = new Map();

  constructor(values) {
    this.#values = { ...values };
  }

  get(name) {
    return this.#values[name];
  }

  set(name, value) {
    if (Object.is(this.#values[name], value)) return;
    this.#values[name] = value;
    this.#tell(`change:${name}`, value);
    this.#tell("change");
  }

  on(events, listener) {
    for (const event of events.split(" ")) {
      if (!this.#listeners.has(event)) this.#listeners.set(event, new Set());
      this.#listeners.get(event).add(listener);
    }
  }

  /** Without a listener all of the event's go; without an event, all there are. */
  off(events, listener) {
    for (const event of events?.split(" ") ?? [...this.#listeners.keys()]) {
      if (listener) this.#listeners.get(event)?.delete(listener);
      else this.#listeners.delete(event);
    }
  }

  /** There is no kernel to send changes to. */
  save_changes() {}

  #tell(event, value) {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(this, value);
  }
}
