// No field has this name: names do not begin with an underscore.
const ANY_FIELD = "_any"

/** Callbacks by the name of a field, and those for any field. */
export class FieldListeners {
  readonly #listeners = new Map<string, Set<() => void>>()

  /** Calls back whenever the field, or with `null` any field, has changed. Returns an unsubscribe function. */
  subscribe(field: string | null, listener: () => void): () => void {
    const key = field ?? ANY_FIELD
    const listeners = this.#listeners.get(key) ?? new Set()
    this.#listeners.set(key, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  notify(field: string): void {
    for (const key of [field, ANY_FIELD]) for (const listener of this.#listeners.get(key) ?? []) listener()
  }
}
