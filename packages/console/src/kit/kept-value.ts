import { useSyncExternalStore } from "react"

interface KeptValueOptions<Value> {
  /** Used while nothing is kept, or if what is kept cannot be parsed. */
  readonly fallback: Value
  /** Returns the value, or undefined if it is not one: an older or newer console may have kept something else. */
  readonly parse: (kept: unknown) => Value | undefined
}

/** A choice that this browser keeps for the console. All tabs of the browser have the same one. */
export class KeptValue<Value> {
  readonly #key: string
  readonly #options: KeptValueOptions<Value>
  readonly #listeners = new Set<() => void>()
  #text: string | null | undefined
  #value: Value

  constructor(name: string, options: KeptValueOptions<Value>) {
    this.#key = `kit-console-${name}`
    this.#options = options
    this.#value = options.fallback
  }

  /** Returns the value. It stays the same object until another one is kept. */
  readonly read = (): Value => {
    const text = storedText(this.#key)
    if (text === this.#text) return this.#value
    this.#text = text
    this.#value = this.#parse(text)
    return this.#value
  }

  readonly keep = (value: Value): void => {
    try {
      localStorage.setItem(this.#key, JSON.stringify(value))
    } catch {
      // The storage is full or forbidden: the choice lasts as long as the page.
      this.#text = storedText(this.#key)
      this.#value = value
    }
    for (const listener of this.#listeners) listener()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    const onStorage = ({ key }: StorageEvent) => key === this.#key && listener()
    this.#listeners.add(listener)
    addEventListener("storage", onStorage)
    return () => {
      this.#listeners.delete(listener)
      removeEventListener("storage", onStorage)
    }
  }

  #parse(text: string | null): Value {
    if (text === null) return this.#options.fallback
    try {
      return this.#options.parse(JSON.parse(text)) ?? this.#options.fallback
    } catch {
      return this.#options.fallback
    }
  }
}

/** Returns the kept value and a function that keeps another one. */
export function useKept<Value>(kept: KeptValue<Value>): [value: Value, keep: (value: Value) => void] {
  return [useSyncExternalStore(kept.subscribe, kept.read), kept.keep]
}

function storedText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
