import { Awareness } from "y-protocols/awareness"
import * as Y from "yjs"
import type { ClientParts } from "../client/client-parts.ts"
import { callSafely } from "../client/live/call-safely.ts"
import type { LiveEvents } from "../wire/realtime/live-events.ts"
import { AwarenessRelay } from "./awareness-relay.ts"
import { fromBase64, toBase64 } from "./base64.ts"
import type { CollaborativeDocument, DocumentStatus } from "./collaborative-document.ts"
import { type DocumentAddress, updatesPath } from "./document-address.ts"
import { OfflineCopy } from "./offline-copy.ts"
import { watchPageHide } from "./page-hide.ts"
import { postUpdates } from "./post-updates.ts"
import type { StoreQueue } from "./store-queue.ts"
import { SyncWaiters } from "./sync-waiters.ts"
import { type LocalUpdate, Uplink } from "./uplink.ts"

export interface DocumentSettings {
  readonly parts: ClientParts
  readonly address: DocumentAddress
  /** The key of the document in the offline store. */
  readonly key: string
  /** The offline store, if documents are kept. */
  readonly queue: StoreQueue | undefined
  readonly awarenessIntervalMs: number
  /** Called with the signed-in user of each new stream; with null if nobody is signed in. */
  onUser(userId: string | null): void
  onDestroyed(): void
}

/** How far the connection has come. */
type Connection = "none" | "connecting" | "synced" | "offline"

// Status codes with which the server refuses the edits themselves. The same edits would be refused again.
const FINAL_STATUSES = [400, 409, 413, 422]

/** The origin of the transaction that applies the offline copy. The origin of the server's edits is the document. */
const OFFLINE_COPY = Symbol("offline copy")

/** A replica, its topic on the client's stream, the way of its edits to the server, and its offline copy. */
export class OpenDocument implements CollaborativeDocument {
  readonly doc: Y.Doc = new Y.Doc()
  readonly awareness: Awareness = new Awareness(this.doc)
  readonly #settings: DocumentSettings
  readonly #relay: AwarenessRelay
  readonly #uplink: Uplink
  readonly #copy: OfflineCopy | undefined
  readonly #loaded: Promise<void>
  readonly #listeners = new Set<() => void>()
  readonly #waiters = new SyncWaiters()
  #address: DocumentAddress
  #unfollow: (() => void) | undefined
  #stopWatchingPage: (() => void) | undefined
  #connection: Connection = "none"
  #stream: LiveEvents["session"] | undefined
  #epoch: string | undefined
  /** The user to whom the edits in the queue belong. */
  #userId: string | null | undefined
  #canEdit = false
  #problem: string | null = null
  #connectionError: Error | null = null
  #denial: { readonly error: Error; readonly isFinal: boolean } | undefined
  #storeError: Error | null = null
  #isDestroyed = false
  #shown = ""

  constructor(settings: DocumentSettings) {
    const { parts, address, key, queue, awarenessIntervalMs } = settings
    this.#settings = settings
    this.#address = address
    this.#relay = new AwarenessRelay({
      awareness: this.awareness,
      intervalMs: awarenessIntervalMs,
      onDue: () => this.#uplink.send(),
    })
    this.#uplink = new Uplink({
      doc: this.doc,
      relay: this.#relay,
      post: (body, isLeaving = false) => postUpdates(parts.transport, { path: this.#path, body, isLeaving }),
      onAcknowledged: (updates) => this.#onAcknowledged(updates),
      onRefused: (error, status) => this.#deny(error, FINAL_STATUSES.includes(status)),
      onChange: () => this.#notify(),
    })
    this.#copy = queue && this.#copyIn(queue, key)
    this.doc.on("update", this.#onUpdate)
    this.doc.on("destroy", () => this.destroy())
    this.#loaded = this.#load()
    this.connect()
  }

  get status(): DocumentStatus {
    if (this.#denial || this.#hasUnsendableEdits) return "denied"
    if (this.#connection === "none" || (this.#connection === "synced" && this.#uplink.failure)) return "offline"
    return this.#connection
  }

  get pending(): number {
    return this.#uplink.pending
  }

  get canEdit(): boolean {
    return this.#canEdit
  }

  get problem(): string | null {
    return this.#problem
  }

  get error(): Error | null {
    if (this.#denial) return this.#denial.error
    if (this.#hasUnsendableEdits) return new Error("The document is read-only for you. Your edits are not sent.")
    return this.#connectionError ?? this.#uplink.failure ?? this.#storeError
  }

  connect(): void {
    if (this.#isDestroyed) throw destroyed()
    if (this.#connection !== "none" && !this.#denial) return
    this.#leave()
    this.#denial = undefined
    this.#connection = "connecting"
    this.#stopWatchingPage = watchPageHide(() => this.#uplink.sendOnLeaving())
    void this.#loaded.then(() => this.#follow())
    this.#notify()
  }

  disconnect(): void {
    if (this.#connection === "none") return
    this.#uplink.close(this.#relay.farewell())
    this.#leave()
    this.#copy?.flush()
    this.#notify()
  }

  destroy(): void {
    if (this.#isDestroyed) return
    this.#isDestroyed = true
    this.disconnect()
    this.#relay.close()
    this.#settings.onDestroyed()
    this.#waiters.reject(destroyed())
    this.doc.destroy()
  }

  async discard(): Promise<void> {
    this.destroy()
    await this.#copy?.remove()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    const own = () => listener()
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  whenSynced(): Promise<void> {
    if (this.#isDestroyed) return Promise.reject(destroyed())
    const synced = this.#waiters.add()
    this.#settleWaiters()
    return synced
  }

  get #path(): string {
    const query = new URLSearchParams()
    if (this.#epoch !== undefined) query.set("epoch", this.#epoch)
    if (this.#stream) query.set("stream", this.#stream.sessionId)
    return updatesPath(this.#address) + query
  }

  // Edits in a document that is read-only for the user.
  get #hasUnsendableEdits(): boolean {
    return this.#connection === "synced" && !this.#canEdit && this.pending > 0
  }

  #copyIn(queue: StoreQueue, key: string): OfflineCopy {
    const onError = (error: Error) => {
      this.#storeError = error
      this.#notify()
    }
    return new OfflineCopy({ queue, key, onError, state: () => Y.encodeStateAsUpdate(this.doc) })
  }

  async #load(): Promise<void> {
    if (!this.#copy) return
    const { acknowledged, pending } = await this.#copy.load()
    if (this.#isDestroyed) return
    this.#epoch = this.#copy.owner.epoch
    this.#userId = this.#copy.owner.userId
    const updates = [...acknowledged, ...pending.map(({ update }) => update)]
    if (updates.length > 0) Y.applyUpdate(this.doc, Y.mergeUpdates(updates), OFFLINE_COPY)
    for (const update of pending) this.#uplink.add(update)
  }

  #follow(): void {
    if (this.#connection === "none" || this.#unfollow || this.#denial) return
    this.#unfollow = this.#settings.parts.follow({
      topic: this.#settings.key,
      document: {
        wire: () => ({ ...this.#address, epoch: this.#epoch, stateVector: toBase64(Y.encodeStateVector(this.doc)) }),
        onEvent: (event) => this.#onEvent(event),
        onLost: () => this.#onLost(),
      },
      onError: (error, isFinal) => this.#onError(error, isFinal ?? false),
    })
  }

  #leave(): void {
    const unfollow = this.#unfollow
    this.#unfollow = undefined
    this.#connection = "none"
    this.#connectionError = null
    this.#stream = undefined
    this.#stopWatchingPage?.()
    this.#relay.stop()
    unfollow?.()
  }

  #onEvent({ session, document, edit, awareness, problem }: Partial<LiveEvents>): void {
    if (session) this.#onSession(session)
    if (document) this.#onDocument(document)
    if (edit) Y.applyUpdate(this.doc, fromBase64(edit.update), this)
    if (awareness) this.#relay.receive(fromBase64(awareness.update))
    if (problem) this.#problem = problem.message
    this.#notify()
  }

  #onSession(session: LiveEvents["session"]): void {
    if (session.sessionId === this.#stream?.sessionId) return
    const { userId } = session
    this.#stream = session
    this.#connection = "connecting"
    this.#settings.onUser(userId)
    const isOfAnother = typeof this.#userId === "string" && this.#userId !== userId
    if (isOfAnother && this.pending > 0) this.#denyAnotherUser(userId)
    else this.#userId = userId
  }

  // The edits of one user must not be sent in the name of another one.
  #denyAnotherUser(userId: string | null): void {
    if (userId !== null) this.#copy?.stop()
    this.#uplink.pause()
    this.#leave()
    this.#deny(new Error("The edits that wait here are of another user, who is not signed in now."), true)
  }

  #onDocument(event: LiveEvents["document"]): void {
    if (this.#epoch !== undefined && this.#epoch !== event.epoch) {
      this.#denyAnotherDocument()
      return
    }
    this.#address = { ...this.#address, field: event.field, locale: event.locale ?? undefined }
    this.#epoch = event.epoch
    this.#canEdit = event.canEdit
    this.#problem = event.problem
    this.#connection = "synced"
    this.#connectionError = null
    Y.applyUpdate(this.doc, fromBase64(event.update), this)
    this.#copy?.begin({ epoch: event.epoch, userId: this.#userId })
    if (!this.#denial?.isFinal) this.#denial = undefined
    if (event.canEdit) this.#uplink.addMissing(fromBase64(event.stateVector))
    this.#relay.start()
    this.#uplink.open(event.canEdit && !this.#denial)
  }

  // Merging two documents that were made from the same value would double the text.
  #denyAnotherDocument(): void {
    this.#uplink.pause()
    this.#leave()
    this.#deny(new Error("The document was deleted and made again. Call discard() to open the new one."), true)
  }

  #onLost(): void {
    this.#stream = undefined
    if (this.#connection !== "none") this.#connection = "offline"
    this.#uplink.pause()
    this.#relay.stop()
    this.#notify()
  }

  #onError(error: Error, isFinal: boolean): void {
    this.#uplink.pause()
    this.#relay.stop()
    this.#connection = "offline"
    this.#connectionError = error
    if (isFinal) this.#deny(error, false)
    this.#notify()
  }

  #deny(error: Error, isFinal: boolean): void {
    this.#denial = { error, isFinal }
    this.#notify()
  }

  readonly #onUpdate = (update: Uint8Array, origin: unknown): void => {
    if (origin === this) this.#copy?.keepReceived(update)
    else if (origin !== OFFLINE_COPY) this.#uplink.add({ update, kept: this.#copy?.keepLocal(update) })
  }

  #onAcknowledged(updates: readonly LocalUpdate[]): void {
    const kept = updates.flatMap((each) => each.kept ?? [])
    if (kept.length > 0) this.#copy?.acknowledge(Y.mergeUpdates(updates.map(({ update }) => update)), kept)
  }

  #notify(): void {
    this.#settleWaiters()
    const { status, pending, canEdit, problem, error } = this
    const shown = JSON.stringify([status, pending, canEdit, problem, error?.message])
    if (shown === this.#shown) return
    this.#shown = shown
    for (const listener of [...this.#listeners]) callSafely(listener)
  }

  #settleWaiters(): void {
    const { status, error } = this
    if (status === "synced") this.#waiters.resolve()
    else if (status === "denied" && error) this.#waiters.reject(error)
  }
}

function destroyed(): Error {
  return new Error("The document was destroyed. Call document() for a new one.")
}
