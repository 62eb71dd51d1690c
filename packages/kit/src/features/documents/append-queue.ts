import type { AppendedUpdate } from "../../engine/documents/live-documents.ts"
import type { Connection, Database } from "../../ports/database.ts"
import type { DocumentCodec } from "../../ports/document-codec.ts"
import { appendUpdates, MAX_DOCUMENT_BYTES, type NewUpdate } from "../../sql/documents/append-updates.ts"
import { type ClientsAt, decodeClients, lockDocument, selectClients } from "../../sql/documents/document-clients.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import { type FittingGroup, fitAll } from "./fit-group.ts"
import type { CheckedUpdate } from "./fit-update.ts"
import { RecentClients } from "./recent-clients.ts"

interface WaitingUpdate extends CheckedUpdate {
  resolve(appended: AppendedUpdate): void
  reject(error: unknown): void
}

interface AppendServices {
  readonly database: Database
  readonly codec: Pick<DocumentCodec, "cut" | "stateVectorOf">
  /** False if the clients of a document are read and locked for each append. */
  readonly hasShortcuts: boolean
  /** Counts the clients of a document that was made before they were counted. */
  countClients(documentId: string): Promise<void>
  /** Compacts a document. Returns false if there is nothing to compact, so that it takes as much room as before. */
  compact(documentId: string): Promise<boolean>
}

/** The result of an attempt: the function that settles the promises, or why the attempt has to be repeated. */
type Attempt =
  | { readonly kind: "settled"; settle(): void }
  | { readonly kind: "outpaced" }
  | { readonly kind: "uncounted" }
  /** The group as a whole is too large for the document, although some of its updates may fit. */
  | { readonly kind: "tooLarge" }

// The limits of one statement. The updates that exceed them wait for the next one.
const MAX_GROUP = 200
const MAX_GROUP_BYTES = 1024 * 1024
// So many times an append is tried without a lock. Only other processes that append to the same document make it fail.
const MAX_UNLOCKED = 2
const MAX_TRIES = 6

/**
 * Appends updates to documents, each cut to what the document does not have. The updates of one document that arrive
 * while a statement is running are stored together by the next one.
 */
export class AppendQueue {
  readonly #services: AppendServices
  readonly #recent = new RecentClients()
  readonly #waiting = new Map<string, WaitingUpdate[]>()

  constructor(services: AppendServices) {
    this.#services = services
  }

  /** Stores an update. Resolves after the commit. Rejects if the update does not fit to the document. */
  append(documentId: string, { update, facts, userId }: CheckedUpdate): Promise<AppendedUpdate> {
    return new Promise((resolve, reject) => {
      const added = { update, facts, userId, resolve, reject }
      const waiting = this.#waiting.get(documentId)
      if (waiting) {
        waiting.push(added)
        return
      }
      this.#waiting.set(documentId, [added])
      void this.#storeAll(documentId)
    })
  }

  async #storeAll(documentId: string): Promise<void> {
    for (;;) {
      const waiting = this.#waiting.get(documentId) ?? []
      if (waiting.length === 0) break
      const group = waiting.splice(0, groupLength(waiting))
      await this.#store(documentId, group).catch((error: unknown) => {
        this.#recent.forget(documentId)
        rejectAll(group, error)
      })
    }
    this.#waiting.delete(documentId)
  }

  async #store(documentId: string, group: readonly WaitingUpdate[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      const isUnlocked = this.#services.hasShortcuts && tries <= MAX_UNLOCKED
      const attempt = await (isUnlocked ? this.#tryUnlocked(documentId, group) : this.#tryLocked(documentId, group))
      if (attempt.kind === "settled") return attempt.settle()
      if (tries === MAX_TRIES) throw new ApiError("SERVICE_UNAVAILABLE")
      this.#recent.forget(documentId)
      if (attempt.kind === "uncounted") await this.#services.countClients(documentId)
      if (attempt.kind === "tooLarge") return await this.#storeOneByOne(documentId, group)
    }
  }

  // The text that a document has lost since it was compacted takes room until it is compacted again.
  async #storeOneByOne(documentId: string, group: readonly WaitingUpdate[]): Promise<void> {
    const [first] = group
    if (group.length > 1) {
      for (const waiting of group) await this.#store(documentId, [waiting])
    } else if (await this.#services.compact(documentId)) await this.#store(documentId, group)
    else first?.reject(documentTooLarge())
  }

  async #tryUnlocked(documentId: string, group: readonly WaitingUpdate[]): Promise<Attempt> {
    const { database } = this.#services
    const recent = this.#recent.find(documentId)
    if (recent === undefined) return this.#try(database, documentId, group)
    const fitting = await fitAll(this.#services.codec, recent.clients, group)
    // Another process may have stored what an update relies on.
    if (fitting.hasRefused) return { kind: "outpaced" }
    return this.#append(database, { documentId, at: recent, fitting, group })
  }

  #tryLocked(documentId: string, group: readonly WaitingUpdate[]): Promise<Attempt> {
    return this.#services.database.transaction(async (connection) => {
      await connection.query(lockDocument(documentId))
      return this.#try(connection, documentId, group)
    })
  }

  async #try(connection: Connection, documentId: string, group: readonly WaitingUpdate[]): Promise<Attempt> {
    const at = decodeClients((await connection.query(selectClients(documentId))).rows)
    if (at === undefined) return { kind: "settled", settle: () => rejectAll(group, documentGone()) }
    if (at.clients === undefined) return { kind: "uncounted" }
    const fitting = await fitAll(this.#services.codec, at.clients, group)
    return this.#append(connection, { documentId, at, fitting, group })
  }

  async #append(connection: Connection, { documentId, at, fitting, group }: GroupAppend): Promise<Attempt> {
    const { updates, changed, settlements } = fitting
    const { seq } = at
    let newest = seq
    if (updates.length > 0) {
      const { rows } = await connection.query(appendUpdates(documentId, { seq, updates, clients: changed }))
      if (rows[0] === undefined) return await this.#whyNot(connection, documentId, seq)
      newest = Number(rows[0][0])
    }
    const before = at.clients ?? new Map()
    return {
      kind: "settled",
      settle: () => {
        this.#recent.remember(documentId, { seq: newest, clients: { before, changed } })
        for (const [index, settlement] of settlements.entries()) settle(group[index], settlement, seq)
      },
    }
  }

  async #whyNot(connection: Connection, documentId: string, seq: number): Promise<Attempt> {
    const now = decodeClients((await connection.query(selectClients(documentId))).rows)
    return now === undefined || now.seq !== seq ? { kind: "outpaced" } : { kind: "tooLarge" }
  }
}

interface GroupAppend {
  readonly documentId: string
  readonly at: ClientsAt
  readonly fitting: FittingGroup
  readonly group: readonly WaitingUpdate[]
}

function settle(
  waiting: WaitingUpdate | undefined,
  settlement: FittingGroup["settlements"][number],
  seq: number,
): void {
  if (settlement.kind === "refused") waiting?.reject(settlement.error)
  else waiting?.resolve({ seq: seq + settlement.place, stored: settlement.stored })
}

function rejectAll(group: readonly WaitingUpdate[], error: unknown): void {
  for (const { reject } of group) reject(error)
}

function groupLength(waiting: readonly Pick<NewUpdate, "update">[]): number {
  let bytes = 0
  const end = waiting.findIndex(({ update }, index) => {
    bytes += update.byteLength
    return index === MAX_GROUP || (index > 0 && bytes > MAX_GROUP_BYTES)
  })
  return end === -1 ? waiting.length : end
}

function documentGone(): ApiError {
  const message =
    "This document no longer exists: its record was deleted, or the document was made anew. Open it again."
  return new ApiError("CONFLICT", { message })
}

/** Returns the error for a document that has more bytes than a document may have. */
export function documentTooLarge(): ApiError {
  const megabytes = MAX_DOCUMENT_BYTES / 1024 / 1024
  const message = `The document would be larger than ${megabytes} MB. Shorten it first.`
  return new ApiError("PAYLOAD_TOO_LARGE", { message })
}
