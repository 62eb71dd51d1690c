import { Awareness } from "y-protocols/awareness"
import * as Y from "yjs"
import type { ClientParts } from "../client/client-parts.ts"
import type { LiveEvents } from "../wire/realtime/live-events.ts"
import { useAnotherClient } from "./another-client.ts"
import { applyRemote } from "./apply-remote.ts"
import { AwarenessRelay } from "./awareness-relay.ts"
import { fromBase64, toBase64 } from "./binary.ts"
import type { CollaborativeDocument, DocumentStatus } from "./collaborative-document.ts"
import { type DocumentAddress, updatesPath } from "./document-address.ts"
import { type Denial, DocumentState } from "./document-state.ts"
import type { EditorSchema } from "./guard/editor-schema.ts"
import { SchemaGuard } from "./guard/schema-guard.ts"
import { OfflineCopy } from "./offline-copy.ts"
import { postUpdates } from "./post-updates.ts"
import type { StoreQueue } from "./store-queue.ts"
import { type LocalUpdate, Uplink } from "./uplink.ts"

interface DocumentSettings {
  readonly parts: ClientParts
  readonly address: DocumentAddress
  /** The key of the document in the offline store. */
  readonly key: string
  /** The offline store, if documents are kept. */
  readonly queue: StoreQueue | undefined
  readonly awarenessIntervalMs: number
  /** The schema of the editor; undefined if the editor has declared none. */
  readonly schema: EditorSchema | undefined
  /** Called with the signed-in user of each new stream; with null if nobody is signed in. */
  onUser(userId: string | null): void
  onDestroyed(): void
}

// The functions of the browser's `window` that this file uses; undefined outside of browsers.
declare const addEventListener: Listen | undefined
declare const removeEventListener: Listen | undefined

type Listen = (name: "pagehide", listener: () => void) => void

// Status codes with which the server refuses the edits themselves. The same edits would be refused again.
const FINAL_STATUSES = [400, 409, 413, 422]
// The status code for edits that delete something that the editor has not declared.
const UNDECLARED = 422
const MAX_STATE_VECTOR_CHARACTERS = 64 * 1024
/** The origin of the transactions that apply the offline copy. The origin of the server's edits is the document. */
const OFFLINE_COPY = Symbol("offline copy")

/** A replica, its topic on the client's stream, the way of its edits to the server, and its offline copy. */
export class OpenDocument implements CollaborativeDocument {
  readonly doc: Y.Doc = new Y.Doc()
  readonly awareness: Awareness = new Awareness(this.doc)
  readonly #settings: DocumentSettings
  readonly #state: DocumentState
  readonly #relay: AwarenessRelay
  readonly #uplink: Uplink
  readonly #copy: OfflineCopy | undefined
  readonly #guard: SchemaGuard | undefined
  /** The replica that the server and the offline copy get. It is `doc`, unless an editor's schema guards `doc`. */
  readonly #replica: Y.Doc
  readonly #loaded: Promise<void>
  #address: DocumentAddress
  #unfollow: (() => void) | undefined
  #stopWatchingPage: (() => void) | undefined
  #stream: LiveEvents["session"] | undefined
  #epoch: string | undefined
  /** The user to whom the edits in the queue belong. */
  #userId: string | null | undefined
  /** True if the edits in the queue wait for their user to sign in again. */
  #waitsForUser = false
  #isDestroyed = false

  constructor(settings: DocumentSettings) {
    const { address, queue, awarenessIntervalMs, schema } = settings
    const { doc, awareness } = this
    this.#settings = settings
    this.#address = address
    this.#guard = schema && new SchemaGuard({ doc, schema })
    this.#replica = this.#guard?.replica ?? doc
    this.#state = new DocumentState(() => ({ pending: this.pending, failure: this.#uplink.failure }))
    this.#relay = new AwarenessRelay({ awareness, intervalMs: awarenessIntervalMs, onDue: () => this.#uplink.send() })
    this.#uplink = this.#makeUplink()
    this.#copy = queue && this.#makeCopy(queue)
    this.#replica.on("update", this.#onReceived)
    doc.on("update", this.#onEdited)
    doc.on("destroy", () => this.destroy())
    this.#loaded = this.#load().catch((error: unknown) => this.#onUnreadable(error))
    this.connect()
  }

  get status(): DocumentStatus {
    return this.#state.status
  }

  get schema(): EditorSchema | undefined {
    return this.#settings.schema
  }

  get pending(): number {
    return this.#uplink.pending + (this.#guard?.held ?? 0)
  }

  get canEdit(): boolean {
    return this.#state.canEdit
  }

  get problem(): string | null {
    return this.#state.problem
  }

  get error(): Error | null {
    return this.#state.error
  }

  connect(): void {
    if (this.#isDestroyed) throw destroyed()
    if (this.#state.connection !== "none" && !this.#state.denial) return
    this.#leave()
    this.#waitsForUser = false
    this.#state.denial = undefined
    this.#state.connection = "connecting"
    this.#stopWatchingPage = watchPageHide(() => this.#uplink.sendOnLeaving())
    void this.#loaded.then(() => this.#follow())
    this.#state.changed()
  }

  /** Called when somebody else has signed in, or nobody is signed in any more. */
  onUserChange(): void {
    if (this.#waitsForUser) this.connect()
  }

  disconnect(): void {
    this.#waitsForUser = false
    if (this.#state.connection === "none") return
    this.#uplink.close(this.#relay.farewell())
    this.#leave()
    this.#copy?.flush()
    this.#state.changed()
  }

  destroy(): void {
    if (this.#isDestroyed) return
    this.#isDestroyed = true
    this.disconnect()
    this.#relay.close()
    this.#settings.onDestroyed()
    this.#state.end(destroyed())
    this.doc.destroy()
    this.#guard?.replica.destroy()
  }

  async discard(): Promise<void> {
    this.destroy()
    await this.#copy?.remove()
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#state.subscribe(listener)

  async whenSynced(): Promise<void> {
    if (this.#isDestroyed) throw destroyed()
    await this.#state.whenSynced()
  }

  #makeUplink(): Uplink {
    const { transport } = this.#settings.parts
    return new Uplink({
      doc: this.#replica,
      relay: this.#relay,
      post: (body, isLeaving = false) => postUpdates(transport, { path: this.#path, body, isLeaving }),
      onAcknowledged: (updates) => this.#onAcknowledged(updates),
      onRefused: (error, status) => {
        const problem = status === UNDECLARED ? error.message : undefined
        this.#deny({ error, isFinal: FINAL_STATUSES.includes(status), problem })
      },
      onChange: () => this.#state.changed(),
    })
  }

  #makeCopy(queue: StoreQueue): OfflineCopy {
    const { key } = this.#settings
    const onError = (error: Error) => {
      this.#state.storeError = error
      this.#state.changed()
    }
    return new OfflineCopy({ queue, key, onError, state: () => Y.encodeStateAsUpdate(this.#replica) })
  }

  async #load(): Promise<void> {
    if (!this.#copy) return
    const { acknowledged, pending } = await this.#copy.load()
    if (this.#isDestroyed) return
    this.#epoch = this.#copy.owner.epoch
    this.#userId = this.#copy.owner.userId
    const updates = [...acknowledged, ...pending.map(({ update }) => update)]
    if (updates.length > 0) this.#apply(Y.mergeUpdates(updates), OFFLINE_COPY)
    for (const update of pending) this.#uplink.add(update)
  }

  #follow(): void {
    if (this.#state.connection === "none" || this.#unfollow || this.#state.denial) return
    this.#unfollow = this.#settings.parts.follow({
      topic: this.#settings.key,
      document: {
        wire: () => ({ ...this.#address, epoch: this.#epoch, stateVector: stateVectorOf(this.#replica) }),
        onEvent: (event) => this.#onEvent(event),
        onLost: () => this.#onLost(),
      },
      onError: (error, isFinal) => this.#onError(error, isFinal ?? false),
    })
  }

  #leave(): void {
    const unfollow = this.#unfollow
    this.#unfollow = undefined
    this.#state.connection = "none"
    this.#state.connectionError = null
    this.#stream = undefined
    this.#stopWatchingPage?.()
    this.#relay.stop()
    unfollow?.()
  }

  #pause(): void {
    this.#uplink.pause()
    this.#relay.stop()
  }

  // The stream calls this function, so an error becomes a part of the document's state.
  #onEvent(event: Partial<LiveEvents>): void {
    try {
      this.#receive(event)
    } catch (error) {
      this.#onUnreadable(error)
    }
  }

  #receive({ session, document, edit, awareness, problem }: Partial<LiveEvents>): void {
    if (session) this.#onSession(session)
    if (document) this.#onDocument(document)
    if (edit) this.#apply(fromBase64(edit.update), this)
    if (awareness) this.#relay.receive(fromBase64(awareness.update))
    if (problem) this.#state.recordProblem = problem.message
    this.#state.changed()
  }

  #onSession(session: LiveEvents["session"]): void {
    if (session.sessionId === this.#stream?.sessionId) return
    const { userId } = session
    this.#stream = session
    this.#state.connection = "connecting"
    this.#settings.onUser(userId)
    const isOfAnother = typeof this.#userId === "string" && this.#userId !== userId
    if (isOfAnother && this.pending > 0) {
      this.#denyAnotherUser(userId)
      return
    }
    // The numbers under which a user has edited belong to this user.
    if (isOfAnother) useAnotherClient(this.doc, this.awareness)
    this.#userId = userId
  }

  // The edits of one user must not be sent in the name of another one.
  #denyAnotherUser(userId: string | null): void {
    if (userId !== null) this.#copy?.stop()
    this.#pause()
    this.#leave()
    this.#waitsForUser = true
    const error = new Error("The edits that wait here are of another user, who is not signed in now.")
    this.#deny({ error, isFinal: true })
  }

  #onDocument(event: LiveEvents["document"]): void {
    if (this.#epoch !== undefined && this.#epoch !== event.epoch) {
      this.#denyAnotherDocument()
      return
    }
    const { epoch, field, locale, canEdit, problem } = event
    const isFinallyDenied = this.#state.denial?.isFinal ?? false
    this.#address = { ...this.#address, field, locale: locale ?? undefined }
    this.#epoch = epoch
    const known = { connection: "synced", connectionError: null, mayEdit: canEdit, recordProblem: problem }
    Object.assign(this.#state, known)
    if (!isFinallyDenied) this.#state.denial = undefined
    this.#apply(fromBase64(event.update), this)
    this.#copy?.begin({ epoch, userId: this.#userId })
    if (canEdit) this.#uplink.addMissing(fromBase64(event.stateVector))
    this.#relay.start()
    this.#uplink.open(this.#state.canEdit && !(this.#state.denial?.isFinal ?? false))
  }

  // Merging two documents that were made from the same value would double the text.
  #denyAnotherDocument(): void {
    this.#pause()
    this.#leave()
    const error = new Error("The document was deleted and made again. Call discard() to open the new one.")
    this.#deny({ error, isFinal: true })
  }

  #onLost(): void {
    this.#stream = undefined
    if (this.#state.connection !== "none") this.#state.connection = "offline"
    this.#pause()
    this.#state.changed()
  }

  #onError(error: Error, isFinal: boolean): void {
    this.#pause()
    this.#state.connection = "offline"
    this.#state.connectionError = error
    if (isFinal) this.#deny({ error, isFinal: false })
    this.#state.changed()
  }

  #deny(denial: Denial): void {
    this.#state.denial = denial
    this.#state.changed()
  }

  #apply(update: Uint8Array, origin: unknown): void {
    const guard = this.#guard
    const { unreadable, thrown } = guard ? guard.receive(update, origin) : applyRemote(this.doc, update, origin)
    if (unreadable !== undefined) this.#onUnreadable(unreadable)
    // An observer of the app that throws an error must not stop the synchronization.
    if (thrown !== undefined) this.#state.observerError = thrown
    if (guard) this.#showGuard(guard)
  }

  // Yjs has thrown an error, so that the replica may have a part of an update only. Its edits must not be sent.
  #onUnreadable(cause: unknown): void {
    this.#pause()
    const message = "This replica of the document cannot be continued. Call discard() and open the document again."
    this.#deny({ error: new Error(message, { cause }), isFinal: true })
  }

  #showGuard(guard: SchemaGuard): void {
    const couldEdit = this.#state.canEdit
    this.#state.editorProblem = guard.problem
    for (const update of guard.release()) this.#send(update)
    const { canEdit, connection, denial } = this.#state
    if (connection === "synced" && canEdit !== couldEdit) this.#uplink.open(canEdit && !denial?.isFinal)
    this.#state.changed()
  }

  readonly #onReceived = (update: Uint8Array, origin: unknown): void => {
    if (origin === this) this.#copy?.keepReceived(update)
  }

  readonly #onEdited = (update: Uint8Array, origin: unknown): void => {
    if (origin === this || origin === OFFLINE_COPY) return
    if (this.#guard?.take(update) === false) this.#state.changed()
    else this.#send(update)
  }

  #send(update: Uint8Array): void {
    this.#uplink.add({ update, kept: this.#copy?.keepLocal(update) })
  }

  #onAcknowledged(updates: readonly LocalUpdate[]): void {
    const kept = updates.flatMap((each) => each.kept ?? [])
    if (kept.length > 0) this.#copy?.acknowledge(Y.mergeUpdates(updates.map(({ update }) => update)), kept)
  }

  get #path(): string {
    const query = new URLSearchParams()
    if (this.#epoch !== undefined) query.set("epoch", this.#epoch)
    if (this.#stream) query.set("stream", this.#stream.sessionId)
    if (this.schema) {
      query.set("nodes", Object.keys(this.schema.nodes).join())
      query.set("marks", Object.keys(this.schema.marks).join())
    }
    return updatesPath(this.#address) + query
  }
}

// Without a state vector, the server sends the whole document. It accepts no long ones.
function stateVectorOf(doc: Y.Doc): string | undefined {
  const text = toBase64(Y.encodeStateVector(doc))
  return text.length <= MAX_STATE_VECTOR_CHARACTERS ? text : undefined
}

/** Calls back when the user leaves the page. Returns a function that ends this. */
function watchPageHide(onHide: () => void): () => void {
  if (typeof addEventListener !== "function") return () => undefined
  addEventListener("pagehide", onHide)
  return () => removeEventListener?.("pagehide", onHide)
}

function destroyed(): Error {
  return new Error("The document was destroyed. Call document() for a new one.")
}
