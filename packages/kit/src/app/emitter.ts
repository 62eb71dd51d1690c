/**
 * Passes events from one part of an app to a part that is opened after it. The earlier part emits the events; the
 * later one registers a callback. Events that nobody has registered for are dropped.
 */
export class Emitter<Event> {
  #callbacks: readonly ((event: Event) => unknown)[] = []

  on(callback: (event: Event) => unknown): void {
    this.#callbacks = [...this.#callbacks, callback]
  }

  /** Calls every callback, without waiting for the promises that they return. */
  emit(event: Event): void {
    for (const callback of this.#callbacks) callback(event)
  }
}
