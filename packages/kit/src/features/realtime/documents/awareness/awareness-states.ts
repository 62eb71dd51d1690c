import { type AwarenessEntry, GONE } from "./awareness-update.ts"

/** The stream from which a client's state comes, and the user of the stream; null if nobody is signed in on it. */
export interface StateOwner {
  readonly stream: string
  readonly userId: string | null
}

interface OwnedState extends AwarenessEntry, StateOwner {
  readonly renewedAt: number
}

const EXPIRY_MS = 30_000

/**
 * The states of the clients of one document, by client id. A client id belongs to the stream that used it first, and to
 * other streams of the same user, because a client that reconnects keeps its id. A stream has one client.
 */
export class AwarenessStates {
  readonly #states = new Map<number, OwnedState>()

  /** Applies entries of a stream. Returns the states that have changed, among them those of clients that have left. */
  apply(entries: readonly AwarenessEntry[], owner: StateOwner): readonly AwarenessEntry[] {
    return entries.filter((entry) => this.#isNew(entry, owner)).flatMap((entry) => this.#put(entry, owner))
  }

  /** Removes the states of a stream that has ended. Returns the entries that announce this. */
  removeStream(stream: string): readonly AwarenessEntry[] {
    return this.#remove((state) => state.stream === stream)
  }

  /** Removes the states that their clients have not renewed for some time. Returns the entries that announce this. */
  removeExpired(): readonly AwarenessEntry[] {
    const oldest = performance.now() - EXPIRY_MS
    return this.#remove(({ renewedAt }) => renewedAt < oldest)
  }

  /** Returns all states except those of a stream. */
  statesExcept(stream: string): readonly AwarenessEntry[] {
    return [...this.#states.values()].filter((state) => state.stream !== stream)
  }

  /** Returns the states by the streams from which they come. */
  statesByOwner(): readonly { readonly owner: StateOwner; readonly entries: readonly AwarenessEntry[] }[] {
    return [...this.#states.values()].map(({ stream, userId, clientId, clock, state }) => ({
      owner: { stream, userId },
      entries: [{ clientId, clock, state }],
    }))
  }

  #isNew({ clientId, clock, state }: AwarenessEntry, { stream, userId }: StateOwner): boolean {
    const known = this.#states.get(clientId)
    if (known === undefined) return state !== GONE
    const isOwn = known.stream === stream || (userId !== null && known.userId === userId)
    return isOwn && (clock > known.clock || (clock === known.clock && state === GONE))
  }

  #put(entry: AwarenessEntry, { stream, userId }: StateOwner): readonly AwarenessEntry[] {
    this.#states.delete(entry.clientId)
    if (entry.state === GONE) return [entry]
    const replaced = this.removeStream(stream)
    this.#states.set(entry.clientId, { ...entry, stream, userId, renewedAt: performance.now() })
    return [...replaced, entry]
  }

  #remove(isGone: (state: OwnedState) => boolean): readonly AwarenessEntry[] {
    const gone = [...this.#states.values()].filter(isGone)
    for (const { clientId } of gone) this.#states.delete(clientId)
    return gone.map(({ clientId, clock }) => ({ clientId, clock, state: GONE }))
  }
}
