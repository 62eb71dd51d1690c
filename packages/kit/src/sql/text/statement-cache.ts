// The maximum number of cached SQL texts per object, such as a resource. Callers choose the fields that a write names,
// and the limit keeps the cache from growing with their choices.
const MAX_SHAPES = 500

/**
 * Caches SQL texts. A text is found by an object, such as a resource or a selection, and a string that describes the
 * rest of the statement.
 */
export class StatementCache {
  readonly #shapes = new WeakMap<object, Map<string, string>>()

  get(part: object, key: string, make: () => string): string {
    const texts = this.#shapes.get(part) ?? this.#begin(part)
    const known = texts.get(key)
    if (known !== undefined) return known
    const text = make()
    if (texts.size < MAX_SHAPES) texts.set(key, text)
    return text
  }

  #begin(part: object): Map<string, string> {
    const texts = new Map<string, string>()
    this.#shapes.set(part, texts)
    return texts
  }
}
