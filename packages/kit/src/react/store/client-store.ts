import type { ClientParts } from "../../client/client-parts.ts"
import type { Entry, EntryStore } from "./entry.ts"
import type { Overlay } from "./layer.ts"

/** The results that a page shows of one client, and the optimistic changes over them. */
export class ClientStore implements EntryStore {
  /** The optimistic changes; undefined before the first mutation. */
  overlay: Overlay | undefined
  readonly #entries = new Map<string, Entry>()
  #resetAt = Number.NEGATIVE_INFINITY
  #hasToken: Promise<void> | undefined

  /** Returns the entry with this key, or makes it. */
  entry<Kind extends Entry>(key: string, make: (key: string) => Kind): Kind {
    // The cast is safe: the key of an entry begins with its kind.
    const known = this.#entries.get(key) as Kind | undefined
    if (known) return known
    const made = make(key)
    this.#entries.set(key, made)
    return made
  }

  /** The time of the last `reset`. Data of an earlier time must not be shown again. */
  get resetAt(): number {
    return this.#resetAt
  }

  get hasToken(): Promise<void> | undefined {
    return this.#hasToken
  }

  get entries(): Iterable<Entry> {
    return this.#entries.values()
  }

  keep(entry: Entry): Entry {
    return this.entry(entry.key, () => entry)
  }

  forget(entry: Entry): void {
    if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key)
  }

  /** Forgets all results, because another user has signed in, and reads those again that are shown. */
  reset(): void {
    this.#resetAt = performance.now()
    this.#hasToken = new Promise((resolve) => setTimeout(resolve))
    this.overlay?.reset()
    for (const entry of [...this.#entries.values()]) entry.reset()
  }
}

const browserStores = new WeakMap<ClientParts, ClientStore>()

/** Returns the store of a client in a browser, where a page belongs to one user. */
export function browserStoreOf(parts: ClientParts): ClientStore {
  const known = browserStores.get(parts)
  if (known) return known
  const store = new ClientStore()
  browserStores.set(parts, store)
  parts.user.onChange(() => store.reset())
  return store
}
