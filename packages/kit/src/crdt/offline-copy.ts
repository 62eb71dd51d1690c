import * as Y from "yjs"
import type { DocumentStore, StoredUpdate } from "./document-store.ts"
import type { StoreQueue } from "./store-queue.ts"

/** A local edit in the offline copy. */
export interface KeptUpdate {
  /** Undefined until the edit is stored. */
  id: number | undefined
}

/** The updates of a document that the store has. */
interface LoadedCopy {
  readonly acknowledged: readonly Uint8Array[]
  readonly pending: readonly { readonly update: Uint8Array; readonly kept: KeptUpdate }[]
}

/** The document and the user to whom new updates of a copy belong. */
type CopyOwner = Pick<StoredUpdate, "epoch" | "userId">

interface CopySettings {
  readonly queue: StoreQueue
  readonly key: string
  /** The replica's whole state. */
  readonly state: () => Uint8Array
  onError(error: Error): void
}

// The updates of others are stored together, this long after the first of them.
const WRITE_DELAY_MS = 1_000
// The number of stored updates above which they are replaced by the replica's state.
const MAX_UPDATES = 50

/** The copy of a document in the offline store. */
export class OfflineCopy {
  readonly #settings: CopySettings
  readonly #acknowledgedIds = new Set<number>()
  #owner: CopyOwner = { epoch: undefined, userId: undefined }
  #received: Uint8Array[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #isStopped = false

  constructor(settings: CopySettings) {
    this.#settings = settings
  }

  get owner(): CopyOwner {
    return this.#owner
  }

  /** Returns what the store has. A store that fails is like an empty one. */
  async load(): Promise<LoadedCopy> {
    const updates = (await this.#run((store) => store.load(this.#settings.key))) ?? []
    // Another tab may have added updates of a document that was made again, or of another user. The newest update that
    // came from the server decides.
    const newest = updates.findLast(({ isAcknowledged }) => isAcknowledged) ?? updates.at(-1)
    if (newest) this.#owner = { epoch: newest.epoch, userId: newest.userId }
    const own = updates.filter((update) => belongsTo(this.#owner, update))
    const acknowledged = own.filter(({ isAcknowledged }) => isAcknowledged)
    const pending = own.filter(({ isAcknowledged }) => !isAcknowledged)
    for (const { id } of acknowledged) this.#acknowledgedIds.add(id)
    return {
      acknowledged: acknowledged.map(({ update }) => update),
      pending: pending.map(({ id, update }) => ({ update, kept: { id } })),
    }
  }

  /**
   * Called with each answer of the server. If the copy has had another owner, or only edits of its own, the replica's
   * state is stored.
   */
  begin(owner: CopyOwner): void {
    const isSame = owner.epoch === this.#owner.epoch && owner.userId === this.#owner.userId
    this.#owner = owner
    if (isSame && this.#acknowledgedIds.size > 0) return
    // The replica's state includes what was received until now.
    this.#received = []
    void this.#run((store) => this.#compact(store))
  }

  /** Stores an edit that was made here. */
  keepLocal(update: Uint8Array): KeptUpdate {
    const kept: KeptUpdate = { id: undefined }
    const stored = { ...this.#owner, update, isAcknowledged: false }
    void this.#run(async (store) => {
      kept.id = await store.append(this.#settings.key, stored)
    })
    return kept
  }

  /** Stores an edit that came from the server, together with others that come soon. */
  keepReceived(update: Uint8Array): void {
    this.#received.push(update)
    this.#timer ??= setTimeout(() => this.flush(), WRITE_DELAY_MS)
    // In Node, the timer must not keep the process alive. In browsers a timer is a number without `unref`.
    const timer: { unref?: () => void } = Object(this.#timer)
    timer.unref?.()
  }

  /** Notes that the server has these edits. */
  acknowledge(update: Uint8Array, all: readonly KeptUpdate[]): void {
    const acknowledged = { ...this.#owner, update, isAcknowledged: true }
    void this.#run(async (store) => {
      const ids = all.flatMap(({ id }) => id ?? [])
      this.#remember(await store.replace(this.#settings.key, ids, acknowledged))
      if (this.#acknowledgedIds.size > MAX_UPDATES) await this.#compact(store)
    })
  }

  /** Stores the edits of others that wait to be stored. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#received.length === 0) return
    const received = this.#received
    const owner = this.#owner
    this.#received = []
    void this.#run(async (store) => {
      const update = { ...owner, update: Y.mergeUpdates(received), isAcknowledged: true }
      this.#remember(await store.append(this.#settings.key, update))
      if (this.#acknowledgedIds.size > MAX_UPDATES) await this.#compact(store)
    })
  }

  /** Ends the copy: nothing more is stored. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#received = []
    this.#isStopped = true
  }

  /** Deletes the copy. */
  async remove(): Promise<void> {
    this.stop()
    const { queue, key } = this.#settings
    await queue.run(async (store) => {
      const ids = (await store.load(key)).map(({ id }) => id)
      await store.replace(key, ids)
    })
  }

  // Edits that the server has not acknowledged are also in the replica's state. They stay as updates of their own, too,
  // so that they are still sent.
  async #compact(store: DocumentStore): Promise<void> {
    const ids = [...this.#acknowledgedIds]
    const state = { ...this.#owner, update: this.#settings.state(), isAcknowledged: true }
    this.#acknowledgedIds.clear()
    this.#remember(await store.replace(this.#settings.key, ids, state))
  }

  #remember(id: number | undefined): void {
    if (id !== undefined) this.#acknowledgedIds.add(id)
  }

  /** Runs the work, unless the copy has ended. A failure is reported, and does not stop the editing. */
  async #run<Result>(work: (store: DocumentStore) => Promise<Result>): Promise<Result | undefined> {
    if (this.#isStopped) return undefined
    try {
      return await this.#settings.queue.run(async (store) => (this.#isStopped ? undefined : await work(store)))
    } catch (cause) {
      this.#settings.onError(new Error("The offline copy cannot be written or read.", { cause }))
      return undefined
    }
  }
}

function belongsTo(owner: CopyOwner, update: StoredUpdate): boolean {
  const isSameDocument = update.epoch === undefined || update.epoch === owner.epoch
  return isSameDocument && (update.userId === undefined || update.userId === owner.userId)
}
