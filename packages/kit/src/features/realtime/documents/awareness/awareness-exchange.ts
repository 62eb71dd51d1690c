import type { LiveEngine } from "../../live-engine.ts"
import { holderOf } from "../../streams/stream-tokens.ts"
import type { AwarenessStates, StateOwner } from "./awareness-states.ts"
import type { AwarenessEntry } from "./awareness-update.ts"
import { MessageAssembler, splitMessage } from "./chunked-messages.ts"

/** A document's room, seen from the exchange of its clients' states. */
export interface AwarenessRoom {
  readonly states: AwarenessStates
  /** True if the owner's stream follows the document in this process. */
  isFollowedBy(owner: StateOwner): boolean
  /** Sends states to all subscribers, except to the stream from which they come. */
  showAwareness(entries: readonly AwarenessEntry[], from: string | undefined): void
}

/** States of a stream's client. */
export interface OwnedEntries {
  readonly owner: StateOwner
  readonly entries: readonly AwarenessEntry[]
}

/** A message from one process to the others. */
type Message =
  /** The process has opened rooms for these documents, or still has them. */
  | { readonly kind: "rooms"; readonly documents: readonly string[]; readonly isNew: boolean }
  /** The states of clients whose streams the process holds. */
  | { readonly kind: "states"; readonly document: string; readonly states: readonly OwnedEntries[] }
  /** States that the process has got for a stream that another process holds. */
  | ({ readonly kind: "offer"; readonly document: string } & OwnedEntries)

interface OpenRoom {
  readonly room: AwarenessRoom
  /** The other processes with a room for the document, with the time at which they last said so. */
  readonly peers: Map<string, number>
}

const CHANNEL = "kit_awareness"
const TICK_MS = 10_000
const PEER_EXPIRY_MS = 35_000
// All states and rooms within this time are published together.
const GATHER_MS = 30

/**
 * Exchanges the states of clients, such as their cursors, with the other processes. A state is published by the process
 * that holds its client's stream, and only to processes with a room for the document. Losing a message is harmless,
 * because clients renew their states, and states that are not renewed expire.
 */
export class AwarenessExchange {
  readonly #engine: LiveEngine
  readonly #rooms = new Map<string, OpenRoom>()
  readonly #assembler = new MessageAssembler()
  readonly #newRooms = new Set<string>()
  /** The states to be published, by document and by stream. */
  readonly #changed = new Map<string, Map<string, OwnedEntries>>()
  #gathering: NodeJS.Timeout | undefined
  #ticking: NodeJS.Timeout | undefined
  #unsubscribe: (() => void) | undefined

  constructor(engine: LiveEngine) {
    this.#engine = engine
  }

  /** Takes part in the exchange of a document's states. Returns a function that ends this. */
  open(documentId: string, room: AwarenessRoom): () => void {
    const opened = { room, peers: new Map<string, number>() }
    this.#rooms.set(documentId, opened)
    this.#ticking ??= setInterval(() => this.#tick(), TICK_MS).unref()
    this.#unsubscribe ??= this.#engine.bus.subscribe(CHANNEL, {
      onMessage: (text) => this.#onText(text),
      onListening: () => this.#publish({ kind: "rooms", documents: [...this.#rooms.keys()], isNew: true }),
    })
    this.#newRooms.add(documentId)
    this.#publishSoon()
    return () => this.#close(documentId, opened)
  }

  /** Takes the states that a client has sent to this process. */
  offer(documentId: string, offered: OwnedEntries): void {
    if (holderOf(offered.owner.stream) === this.#engine.instance) this.#take(documentId, offered)
    else this.#publish({ kind: "offer", document: documentId, ...offered })
  }

  /** Called when a stream no longer follows the document. Its client has left. */
  removeStream(documentId: string, owner: StateOwner): void {
    const opened = this.#rooms.get(documentId)
    const entries = opened?.room.states.removeStream(owner.stream) ?? []
    if (opened && entries.length > 0) this.#show(documentId, opened, { owner, entries })
  }

  #take(documentId: string, offered: OwnedEntries): void {
    const opened = this.#rooms.get(documentId)
    const { owner } = offered
    // A stream that does not follow the document would not end its client's state.
    if (!opened?.room.isFollowedBy(owner)) return
    const entries = opened.room.states.apply(offered.entries, owner)
    if (entries.length > 0) this.#show(documentId, opened, { owner, entries })
  }

  #show(documentId: string, { room, peers }: OpenRoom, changed: OwnedEntries): void {
    room.showAwareness(changed.entries, changed.owner.stream)
    if (peers.size === 0) return
    const byStream = this.#changed.get(documentId) ?? new Map<string, OwnedEntries>()
    this.#changed.set(documentId, byStream)
    const { owner } = changed
    const earlier = byStream.get(owner.stream)?.entries ?? []
    const newest = new Map([...earlier, ...changed.entries].map((entry) => [entry.clientId, entry]))
    byStream.set(owner.stream, { owner, entries: [...newest.values()] })
    this.#publishSoon()
  }

  #publishSoon(): void {
    this.#gathering ??= setTimeout(() => this.#publishGathered(), GATHER_MS).unref()
  }

  #publishGathered(): void {
    this.#gathering = undefined
    const documents = [...this.#newRooms]
    this.#newRooms.clear()
    if (documents.length > 0) this.#publish({ kind: "rooms", documents, isNew: true })
    for (const [document, byStream] of this.#changed) {
      this.#publish({ kind: "states", document, states: [...byStream.values()] })
    }
    this.#changed.clear()
  }

  #publish(message: Message): void {
    for (const text of splitMessage([this.#engine.instance, message])) this.#engine.bus.publish(CHANNEL, text)
  }

  #onText(text: string): void {
    // The cast is safe: only processes of this app publish on this channel. Their version may differ, so that the kind
    // of a message may be unknown, which does nothing.
    const received = this.#assembler.add(text) as readonly [string, Message] | undefined
    if (received === undefined || received[0] === this.#engine.instance) return
    const [from, message] = received
    if (message.kind === "rooms") for (const document of message.documents) this.#onRoom(from, document, message.isNew)
    if (message.kind === "states") for (const states of message.states) this.#apply(message.document, states)
    if (message.kind === "offer") this.#take(message.document, message)
  }

  #onRoom(from: string, document: string, isNew: boolean): void {
    const opened = this.#rooms.get(document)
    if (!opened) return
    const isUnknown = !opened.peers.has(from)
    opened.peers.set(from, performance.now())
    // The other process has to know of this room, too.
    if (isUnknown && isNew) this.#publish({ kind: "rooms", documents: [document], isNew: false })
    if (isUnknown || isNew) this.#publishOwnStates(document, opened)
  }

  #publishOwnStates(document: string, { room }: OpenRoom): void {
    const states = room.states.statesByOwner().filter(({ owner }) => room.isFollowedBy(owner))
    if (states.length > 0) this.#publish({ kind: "states", document, states })
  }

  #apply(document: string, { owner, entries }: OwnedEntries): void {
    const room = this.#rooms.get(document)?.room
    const changed = room?.states.apply(entries, owner) ?? []
    if (changed.length > 0) room?.showAwareness(changed, owner.stream)
  }

  #tick(): void {
    for (const opened of this.#rooms.values()) removeExpired(opened)
    this.#publish({ kind: "rooms", documents: [...this.#rooms.keys()], isNew: false })
  }

  #close(documentId: string, opened: OpenRoom): void {
    if (this.#rooms.get(documentId) !== opened) return
    this.#rooms.delete(documentId)
    this.#newRooms.delete(documentId)
    if (this.#rooms.size > 0) return
    clearInterval(this.#ticking)
    this.#ticking = undefined
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
  }
}

function removeExpired({ room, peers }: OpenRoom): void {
  const oldest = performance.now() - PEER_EXPIRY_MS
  for (const [peer, seenAt] of peers) if (seenAt < oldest) peers.delete(peer)
  const expired = room.states.removeExpired()
  if (expired.length > 0) room.showAwareness(expired, undefined)
}
